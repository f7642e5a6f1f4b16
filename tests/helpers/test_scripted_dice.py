"""The scripted dice themselves: what they let pass, and that they catch what they are there to catch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.helpers.rules import Rule, bend, rule, rule_modules
from tests.helpers.scripted_dice import WrongRoll, recorded_dice, scripted_dice
from tests.helpers.squads_fights import ability, battle, damage, side, unit

DICE: Any = None


def seen(name: str) -> Callable[..., Any]:
    """A roll under the name by which a module of the rules knows it."""
    (first, *_) = [module for module in rule_modules() if hasattr(module, name)]
    found: Callable[..., Any] = getattr(first, name)
    return found


def roll_of(head: str) -> Callable[[], Any]:
    """A roll as the rules would ask for it."""
    known: dict[str, Callable[[], Any]] = {
        "word": lambda: seen("tie_word")(DICE),
        "d100": lambda: seen("d100_within")(DICE, 50),
        "below(3)": lambda: seen("below")(DICE, 3),
        "open(2,0)": lambda: seen("open_address")(DICE, 2, 0),
        "open(1,8)": lambda: seen("open_address")(DICE, 1, 8),
        "open(3,9)": lambda: seen("open_address")(DICE, 3, 9),
        "open(1,65534)": lambda: seen("open_address")(DICE, 1, 0xFFFE),
        "open(3,65535)": lambda: seen("open_address")(DICE, 3, 0xFFFF),
    }
    return known[head]


def run(script: tuple[str, ...], *asked: str) -> list[Any]:
    """Ask for rolls under a script; what came out."""
    with scripted_dice(*script):
        return [roll_of(head)() for head in asked]


def test_the_rolls_come_out_as_the_script_says() -> None:
    script = ("open(3, table)", "word=4294967295", "open(3, 9)", "below(3)=2", "d100=57")
    results = run(script, "open(3,65535)", "word", "open(3,9)", "below(3)", "d100")
    assert results == [None, 4294967295, None, 2, 57]


@pytest.mark.parametrize(
    ("script", "asked", "complaint"),
    [
        (("d100=1",), ("d100", "d100"), "ask for d100, and no roll was foreseen after number 1"),
        ((), ("word",), "ask for word, and no roll was foreseen after number 0"),
        (("d100=1", "below(3)=0", "word=7"), ("d100",), r"nobody asked for below\(3\), word"),
        (("d100=1",), (), "nobody asked for d100"),
        (("word=5",), ("d100",), "ask for d100; foreseen as number 1 was word"),
        (("below(4)=1",), ("below(3)",), r"ask for below\(3\); foreseen as number 1 was below\(4\)"),
        (("open(1, 0)",), ("open(2,0)",), r"ask for open\(2,0\); foreseen as number 1 was open\(1,0\)"),
        (("open(1, 0)",), ("open(1,8)",), r"ask for open\(1,8\); foreseen"),
        (("open(1, table)",), ("open(1,65534)",), r"ask for open\(1,65534\); foreseen"),
        (("d100=5", "word=5", "d100=5"), ("d100", "d100", "word"), "ask for d100; foreseen as number 2 was word"),
    ],
    ids=[
        "one too many",
        "one where none was foreseen",
        "two unused at the end",
        "none at all",
        "another kind",
        "another range",
        "another tick",
        "another lane",
        "another named lane",
        "another order",
    ],
)
def test_a_wrong_roll_is_caught(script: tuple[str, ...], asked: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(WrongRoll, match=complaint):
        run(script, *asked)


@pytest.mark.parametrize(
    "roll",
    [
        "d100=0",
        "d100=101",
        "below(3)=3",
        "below(3)=-1",
        "between(2, 4)=5",
        "word=4294967296",
        "unit=1.0",
        "open(1)",
        "open(1, 0)=3",
        "d6=3",
        "d100",
    ],
)
def test_a_script_with_an_impossible_roll_is_refused(roll: str) -> None:
    with pytest.raises(ValueError, match=r"not a roll|invalid literal"):
        run((roll,))


def test_an_error_inside_is_not_hidden_by_unused_rolls() -> None:
    with pytest.raises(ZeroDivisionError), scripted_dice("d100=1"):
        raise ZeroDivisionError


def test_the_real_dice_are_back_afterwards() -> None:
    rolls = ("tie_word", "d100_within", "open_address", "below")
    before = [seen(name) for name in rolls]
    with scripted_dice():
        assert not [name for name, real in zip(rolls, before, strict=True) if seen(name) is real]
    assert [seen(name) for name in rolls] == before


def test_a_rule_that_rolls_once_more_than_foreseen_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault in a real rule: an attack that rolls twice for its critical hit."""

    def twice(once: Rule) -> Rule:
        return lambda *arguments: [once(*arguments), once(*arguments)][1]

    bend(monkeypatch, "critical", twice)
    fight = battle(side(unit("a")), side(unit("b")), chain=[{"stage": "critical"}])
    with pytest.raises(WrongRoll, match="ask for d100, and no roll was foreseen"):
        fight.turn("1.a", "d100=50")


def test_a_rule_that_forgets_to_roll_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault in a real rule: no roll where the chance is 0."""
    bend(monkeypatch, "critical", lambda kept: lambda *arguments: 100)
    fight = battle(side(unit("a")), side(unit("b")), chain=[{"stage": "critical", "chance": 0}])
    with pytest.raises(WrongRoll, match="nobody asked for d100"):
        fight.turn("1.a", "d100=50")


def test_recorded_dice_note_what_a_script_would_have_to_say() -> None:
    fight = battle(
        side(unit("a", class_ability="lash"), orders={"lash": {"target": "random"}}),
        side(unit("b", speed=3, attack=5), unit("c", speed=2, attack=5)),
        abilities=[ability("lash", "one_enemy", damage(attack=20), damage(attack=20))],
        chain=[{"stage": "critical"}],
    )
    with recorded_dice() as notes:
        rule("play_round")(fight.record, fight.log, None)
    heads = [note.partition("=")[0] for note in notes]
    assert heads[:20] == ["open(1,65535)", *["word"] * 16, "open(1,0)", "below(2)", "d100"]
    assert heads[20:] == ["d100", "open(1,8)", "d100", "open(1,9)", "d100"]

    replayed = fight.again()
    with scripted_dice(*notes):
        rule("play_round")(replayed.record, replayed.log, None)
    assert replayed.rows().tolist() == fight.rows().tolist()
