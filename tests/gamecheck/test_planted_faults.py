"""Every check of `fracas game check` can fail: each is shown a game with the fault that it looks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from tests.gamecheck.planted import planted, subject_of

from fracas.engine.scenario import compile_document
from fracas.gamecheck import decided, modes, states, watching
from fracas.gamecheck.choices import choices, hidden
from fracas.gamecheck.plain import plain
from fracas.gamecheck.report import Check
from fracas.gamecheck.subject import Subject, nobody
from fracas.kit import load
from fracas.kit.game import Game

HEAT = "    battle.sides[me.side].heat += 1\n"
HITS = "    hits(battle, log, me, enemy, damage, enemy.hp)\n"
LESS = "    enemy.hp = max(enemy.hp - damage, 0)\n"


def said(check: Check) -> list[str]:
    assert check.status == "failed", check
    return [str(problem) for problem in check.problems]


def line_of(file: Path, text: str) -> int:
    return file.read_text().partition(text)[0].count("\n") + 1


def played(file: Path, n: int = 6) -> tuple[Subject, dict[str, Check]]:
    subject = subject_of(file, n)
    return subject, {check.name: check for check in plain(subject)}


def test_nothing_is_wrong_with_the_game_that_faults_are_planted_in(tmp_path: Path) -> None:
    subject, found = played(planted(tmp_path, "duel"))
    assert [check.status for check in found.values()] == ["passed"] * 5
    assert len(subject.sound) == 6
    for check in (states.snapshots(subject), states.key_order(subject), states.stories(subject)):
        assert check.status == "passed", check


def test_scenarios_that_the_rules_refuse(tmp_path: Path) -> None:
    refusal = (
        'class No(IntEnum):\n    """Why not."""\n\n    FINE = 0\n    NEVER = 1\n    """nobody may play this"""\n\n\n'
        "@rule\ndef valid(battle: Duel) -> No:\n    return No.NEVER\n\n\n"
    )
    file = planted(tmp_path, "duel", ("@rule\ndef play_round", refusal + "@rule\ndef play_round"))
    subject = Subject(cast(Game, load.use(file)), 2, nobody)
    assert "nobody may play this" in said(subject.draw())[0]


def test_a_rule_that_raises(tmp_path: Path) -> None:
    bad = "    enemy = battle.sides[0].units[2 + me.hp]\n"
    file = planted(tmp_path, "duel", (HEAT, bad + HEAT))
    problems = said(played(file)[1]["plays"])
    assert problems[0].startswith(f"{file}:{line_of(file, bad)}: hit: there is no place ")


def test_a_field_that_gets_a_fraction(tmp_path: Path) -> None:
    """Text cannot tell this one: a constant of the module that is no whole number comes through a tuple."""
    file = planted(
        tmp_path,
        "duel",
        ("class Mood(", "SCALE = (1, 2.5)\n\n\nclass Mood("),
        (HEAT, "    enemy.hp += SCALE[1]\n" + HEAT),
    )
    assert "hp takes a whole number, not " in said(played(file)[1]["plays"])[0]


def test_a_battle_without_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "LONGEST_SECONDS", 0.5)
    loop = "    while damage > 0:\n        damage += 1\n"
    file = planted(tmp_path, "duel", (HEAT, loop + HEAT))
    problem = said(played(file)[1]["ends"])[0]
    at = line_of(file, loop)
    assert problem.startswith((f"{file}:{at}: hit: ", f"{file}:{at + 1}: hit: "))
    assert "a battle is not over after" in problem


def test_battles_that_only_the_round_cap_ends(tmp_path: Path) -> None:
    """That is no fault, but it is said."""
    file = planted(tmp_path, "duel", (LESS, ""))
    found = played(file)[1]["ends"]
    assert found.status == "passed"
    assert found.remark.startswith("6 of 6 battles end only because of the round cap")


def test_dice_that_are_opened_twice(tmp_path: Path) -> None:
    twice = "    open_dice(battle, 3)\n"
    file = planted(tmp_path, "duel", (HEAT, twice + HEAT))
    assert said(played(file)[1]["addresses"])[0] == (
        f"{file}:{line_of(file, twice)}: hit: opens open_dice(battle, 3) a second time in round 1, and gets the same "
        "numbers again (open it once, or use another number)"
    )


def test_state_beyond_64_bits(tmp_path: Path) -> None:
    file = planted(tmp_path, "duel", (HEAT, "    battle.sides[0].heat = battle.sides[0].heat * 1000 + 7\n" + HEAT))
    assert "a number grows beyond 64 bits" in said(played(file)[1]["numbers"])[0]


def test_a_column_beyond_32_bits(tmp_path: Path) -> None:
    file = planted(tmp_path, "duel", (HITS, "    hits(battle, log, me, enemy, damage << 40, enemy.hp)\n"))
    problem = said(played(file)[1]["numbers"])[0]
    assert "damage of hits is " in problem
    assert "rows of events hold 32 bits" in problem


def test_a_column_that_says_another_value(tmp_path: Path) -> None:
    file = planted(tmp_path, "duel", (HITS, "    hits(battle, log, me, enemy, damage, enemy.hp - damage)\n"))
    problem = said(played(file)[1]["truth"])[0]
    assert problem.startswith(f"{file}:{line_of(file, '    hits(battle, log')}: hit: hits says that hp is ")


def compiled_check(file: Path) -> Check:
    subject, _ = played(file, 2)
    return modes.compiled(subject)[0]


def test_rules_that_play_otherwise_when_compiled(tmp_path: Path) -> None:
    """A shift by all 64 bits is 0 in NumPy and 1 on processors."""
    file = planted(
        tmp_path,
        "duel",
        (HEAT, "    battle.sides[0].heat += 1 << 63 + battle.tick\n    enemy.hp -= battle.sides[0].heat & 1\n" + HEAT),
    )
    assert "compiled code differs" in said(compiled_check(file))[0]


def test_rules_that_ask_whether_there_is_a_log(tmp_path: Path) -> None:
    file = planted(tmp_path, "duel", (HEAT, "    if log is not None:\n        enemy.hp += 1\n" + HEAT))
    assert "a rule must not ask whether there is a log" in said(compiled_check(file))[0]


def test_an_index_that_leaves_its_list_in_another_battle(tmp_path: Path) -> None:
    bad = "    if d100(battle, 1) <= 1:\n        enemy = battle.sides[0].units[2 + max(me.hp, 1)]\n"
    file = planted(tmp_path, "duel", (HEAT, bad + HEAT))
    subject, found = played(file, 3)
    assert found["plays"].status == "passed", "choose a chance that the battles of this test do not meet"
    problem = said(modes.indices(subject, modes.start_checked(subject)))[0]
    assert problem.startswith(f"{file}:{line_of(file, bad) + 1}: hit: there is no place ")


def silent_of(subject: Subject) -> Callable[..., None]:
    return subject.game.kernels.play_many


def test_a_module_that_plays_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module stands for one of other rules: the bonus of every battle is another."""
    subject, _ = played(planted(tmp_path, "duel"), 2)

    def other_module(identity: Any, kernels: Any, *, logged: bool) -> Callable[..., None]:
        def play(records: Any, first: int, results: Any, log: Any, plugins: None) -> None:
            records[0].options.bonus += 1
            kernels.play_many(records, first, results, log, plugins)

        return play

    monkeypatch.setattr(modes, "wasm_play", other_module)
    assert "the module differs in row" in said(modes.module(subject, silent_of(subject), lambda: ""))[0]
    assert "cannot be built" in said(modes.module(subject, silent_of(subject), lambda: "it cannot be built"))[0]


def test_a_module_that_plays_decisions_otherwise(tmp_path: Path) -> None:
    """The module stands for one with other dice; nothing else is wrong with the game."""
    subject, found = played(planted(tmp_path, "cards"), 2)
    assert "failed" not in {each.status for each in (*found.values(), choices(subject), hidden(subject))}
    plain_entry, check = subject.game.agent_interface().play_script, Check("module", "")
    assert decided.compare(subject, check, plain_entry) > 0
    assert check.status == "passed"

    def other(records: Any, stream: int, *rest: Any) -> None:
        plain_entry(records, stream + 1, *rest)

    decided.compare(subject, check, other)
    assert "random decisions otherwise than plain Python" in said(check)[0]


def test_a_snapshot_without_all_of_the_state(tmp_path: Path) -> None:
    """What a snapshot leaves out is what rules must not change; here that is every side."""
    subject, _ = played(planted(tmp_path, "duel"))
    built = subject.game.built
    poor = replace(built.decider, constant_fields=frozenset({"options", "sides"}))
    subject.game.built = replace(built, decider=poor)
    subject.game.kernels = replace(subject.game.kernels, constant_fields=poor.constant_fields)
    assert "on it ends with other" in said(states.snapshots(subject))[0]


def test_an_order_of_keys_that_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subject, _ = played(planted(tmp_path, "duel"))

    def by_first_key(document: dict[str, Any], plugins: Any) -> Any:
        return compile_document({**document, "seed": next(iter(document))}, plugins)

    monkeypatch.setattr(states, "compile_document", by_first_key)
    assert "another order of keys" in said(states.key_order(subject))[0]


LEGAL = "    return choice != Throw.STRIKE or me.charge == battle.options.full\n"
STRIKES = "    if me.charge == battle.options.full:\n        return"
CHOICES = {
    "an empty mask": (LEGAL, "    return choice == Throw.STRIKE and me.charge > 99\n", "has no legal choice"),
    "an illegal choice": (LEGAL, "    return choice == Throw.ROCK\n", "choose() chooses "),
    "legal that changes": (LEGAL, "    me.charge += 1\n" + LEGAL, "legal() changes the battle"),
    "choose that changes": (STRIKES, "    me.charge = 0\n" + STRIKES, "choose() changes State"),
}


@pytest.mark.parametrize("name", CHOICES)
def test_choices(name: str, tmp_path: Path) -> None:
    old, new, words = CHOICES[name]
    subject, _ = played(planted(tmp_path, "roshambo", (old, new)), 9)
    assert any(words in each for each in said(choices(subject)))


def test_a_legal_choice_that_does_nothing(tmp_path: Path) -> None:
    paid = "    card = me.deck[me.hand[place] - 1]\n    me.energy -= card.cost\n"
    file = planted(tmp_path, "cards", (paid, "    if place > 2:\n        return\n" + paid))
    subject, _ = played(file, 1)
    assert "is legal and does nothing" in said(choices(subject))[0]


LEGAL_CARD = "    return choice == Do.END or (me.hand[place]"
WORTH = "    value = 0 if card.effect == Effect.HEAL and me.hp == me.health else card.cost + 1\n"
PLAYS = "    plays(battle, log, me, card, me.energy)\n"
OTHER = "battle.sides[1 - me.number]"
HIDDEN = {
    "in legal": (
        LEGAL_CARD,
        f"    if {OTHER}.hand[0] % 2 == 1:\n        return choice == Do.END\n" + LEGAL_CARD,
        "legal() depends on hidden State",
    ),
    "in choose": (
        WORTH,
        WORTH + f"    value += {OTHER}.hand[place_of(card)] * 3\n",
        "choose() depends on hidden State",
    ),
    "in an event": (PLAYS, f"    plays(battle, log, me, card, {OTHER}.hand[0])\n", "plays tells hidden State"),
}
PLACE_OF = "@rule\ndef place_of(card: Card) -> int:\n    return card.cost % HAND\n\n\n"


@pytest.mark.parametrize("name", HIDDEN)
def test_hidden_state_that_shows(name: str, tmp_path: Path) -> None:
    old, new, words = HIDDEN[name]
    changes = [(old, new)]
    if name == "in choose":
        changes.append(("@rule\ndef worth(", PLACE_OF + "@rule\ndef worth("))
    subject, _ = played(planted(tmp_path, "cards", *changes), 6)
    assert any(words in each for each in said(hidden(subject)))


def test_a_story_that_cannot_be_told(tmp_path: Path) -> None:
    """An enumeration's column with a number that no member has."""
    file = planted(
        tmp_path, "duel",
        ("damage: int, hp: int) -> None:", "damage: int, hp: int, mood: Mood) -> None:"),
        (HITS, "    hits(battle, log, me, enemy, damage, enemy.hp, me.mood + 7)\n"),
    )  # fmt: skip
    assert "cannot be told" in said(states.stories(played(file)[0]))[0]


def test_odds_that_simulation_contradicts(tmp_path: Path) -> None:
    """d100 is compared with another number than it was asked for."""
    flip = "d100(battle, player.coin.heads) <= player.coin.heads"
    goal = ("goal: int = number(1, 1000, default=5)", "goal: int = number(1, 3, default=2)")
    file = planted(tmp_path, "coins", (flip, "d100(battle, player.coin.heads) <= player.coin.heads // 2"), goal)
    subject, _ = played(file)
    assert "simulated ones" in said(states.odds(subject, None))[0]
    (tmp_path / "sound").mkdir()
    with load.fresh():
        subject, _ = played(planted(tmp_path / "sound", "coins", goal))
        assert states.odds(subject, None).status == "passed"


def test_content_with_a_finding(tmp_path: Path) -> None:
    file = planted(tmp_path, "roshambo")
    content = next((tmp_path / "content").rglob("*.toml"))
    names = [line for line in content.read_text().splitlines() if line.startswith("name")]
    content.write_text(content.read_text().replace(names[1], names[0]))
    assert said(states.lint(subject_of(file)))


def test_speed_is_counted(tmp_path: Path) -> None:
    subject, _ = played(planted(tmp_path, "duel"), 1)

    def quick(record: Any, first: int, results: Any, log: Any, plugins: Any) -> None:
        results["rounds"] = 3
        if len(results) >= 128:
            import time

            time.sleep(modes.COUNTED_SECONDS)

    assert "of 3.0 rounds" in modes.speed(subject, quick).counted
    assert np.isfinite(float(modes.speed(subject, quick).counted.partition(",")[0].replace(",", "")))
