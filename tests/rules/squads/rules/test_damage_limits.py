"""README, Damage: which stages a chain keeps, the limits of its values, and the stages that plug-ins bring."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.helpers.squads_fights import Fight, battle, of, side, unit

from fracas import load
from fracas.errors import InputError
from fracas.rulesets.squads.rules.events import Stage

LARGEST = 10**9

# Stages that cannot change any value of the battle are left out of its chain; all others run, whatever they do.
MILD = {"id": "mild", "name": "Mild", "damage": 100, "classes": {"mage": {"damage": 120}}}
IDLE_STAGES: list[tuple[str, dict[str, Any], tuple[str, str], Any, bool]] = [
    ("formation, both balanced", {"stage": "formation"}, ("balanced", "balanced"), None, False),
    ("formation, the attacker's is not 100", {"stage": "formation"}, ("flanking", "balanced"), None, True),
    ("formation, the defender's is not 100", {"stage": "formation"}, ("balanced", "flanking"), None, True),
    ("environment, none", {"stage": "environment"}, ("balanced", "balanced"), None, False),
    ("environment, its damage is 100", {"stage": "environment"}, ("balanced", "balanced"), MILD, False),
    ("environment, all damage is raised", {"stage": "environment"}, ("balanced", "balanced"), {"damage": 101}, True),
    (
        "environment, the defender's class alone",
        {"stage": "environment"},
        ("balanced", "balanced"),
        {"classes": {"tank": {"damage": 90}}},
        True,
    ),
    ("class_advantage of 100 and 100", {"stage": "class_advantage", "strong": 100, "weak": 100}, ("", ""), None, False),
    ("class_advantage of 101 and 100", {"stage": "class_advantage", "strong": 101, "weak": 100}, ("", ""), None, True),
    ("class_advantage of 100 and 99", {"stage": "class_advantage", "strong": 100, "weak": 99}, ("", ""), None, True),
    ("scale of 100", {"stage": "scale"}, ("", ""), None, False),
    ("scale of 101", {"stage": "scale", "percent": 101}, ("", ""), None, True),
    ("add of 0", {"stage": "add"}, ("", ""), None, False),
    ("add of 1", {"stage": "add", "amount": 1}, ("", ""), None, True),
    ("minimum of 0", {"stage": "minimum", "at_least": 0}, ("", ""), None, True),
    ("cap far above", {"stage": "cap"}, ("", ""), None, True),
    ("fatigue of 0 a round", {"stage": "fatigue", "per_round": 0}, ("", ""), None, True),
    ("critical that never is", {"stage": "critical", "chance": 0}, ("", ""), None, True),
    ("defense of 0%", {"stage": "defense", "percent": 0}, ("", ""), None, True),
    ("formation_exclusive of nothing but 100", {"stage": "formation_exclusive"}, ("balanced", "balanced"), None, True),
]


@pytest.mark.parametrize(
    ("stage", "formations", "weather", "is_told"),
    [row[1:] for row in IDLE_STAGES],
    ids=[row[0] for row in IDLE_STAGES],
)
def test_stages_that_cannot_change_any_value_of_the_battle_are_left_out(
    stage: dict[str, Any], formations: tuple[str, str], weather: Any, is_told: bool
) -> None:
    first, second = (name or "balanced" for name in formations)
    modifier = None if weather is None else {"id": "w", "name": "W", **weather}
    fight = battle(
        side(unit("a", "warrior"), formation=first),
        side(unit("b", "tank"), formation=second),
        chain=[{"stage": "add", "amount": 5}, stage, {"stage": "add", "amount": 7}],
        modifier=modifier,
    )
    rolls = ["d100=50"] if stage["stage"] == "critical" else []
    told = [event.stage for event in of(fight.turn("1.a", *rolls), Stage)]
    assert told == ["add", *([stage["stage"]] if is_told else []), "add"]


def values(fight: Fight) -> list[int]:
    """The value after each stage of the first side's attack."""
    return [told.after for told in of(fight.turn("1.a"), Stage)]


def scales(*percents: int) -> list[dict[str, Any]]:
    return [{"stage": "scale", "percent": percent} for percent in percents]


def test_no_stage_goes_above_a_thousand_million() -> None:
    fight = battle(side(unit("a", attack=10**6)), side(unit("b")), chain=scales(1000, 1000, 1000, 101, 1000, 50))
    assert values(fight) == [10**7, 10**8, 10**9, 10**9, 10**9, 5 * 10**8]


def test_a_sum_is_held_to_a_thousand_million_before_the_next_stage() -> None:
    fight = battle(
        side(unit("a", attack=10)), side(unit("b")), chain=[{"stage": "add", "amount": LARGEST}, *scales(10)]
    )
    assert values(fight) == [LARGEST, 10**8]


def test_a_plug_in_stage_stands_in_the_chain_like_any_other() -> None:
    seen: list[tuple[int, int, int]] = []

    def odd_thirds(record: Any, actor: int, target: int, value: int) -> int:
        seen.append((actor, target, value))
        return value // 3

    fight = battle(
        side(unit("a", attack=100)),
        side(unit("b", hp=500), unit("c", hp=400)),
        chain=[*scales(110), {"stage": "odd_thirds"}, *scales(200)],
        stages={"odd_thirds": odd_thirds},
    )
    events = fight.turn("1.a")
    assert [(t.stage, t.figure, t.before, t.after) for t in of(events, Stage)] == [
        ("scale", 110, 100, 110),
        ("odd_thirds", 0, 110, 36),
        ("scale", 200, 36, 72),
    ]
    assert seen == [(0, 9, 110)]


@pytest.mark.parametrize(("returned", "after"), [(-5, 0), (LARGEST + 1, LARGEST), (17, 17)])
def test_what_a_plug_in_returns_is_held_to_the_limits(returned: int, after: int) -> None:
    def stage(record: Any, actor: int, target: int, value: int) -> int:
        return returned

    fight = battle(side(unit("a")), side(unit("b")), chain=[{"stage": "stage"}], stages={"stage": stage})
    assert values(fight) == [after]


def test_a_plug_in_that_rolls_is_refused(tmp_path: Path) -> None:
    """core, Events: every roll that decides something is in the log, and nothing would tell of this one."""
    file = tmp_path / "lucky_stages.py"
    file.write_text(
        "import fracas\n"
        "from fracas.kernel import dice\n"
        "@fracas.damage_stage\n"
        "def lucky(battle, actor, target, value):\n"
        "    return value + dice.below(battle.dice, 6)\n",
        encoding="utf-8",
    )
    document = {
        "ruleset": "squads",
        "options": {"chain": {"stages": [{"stage": "lucky"}]}},
        "sides": [{"units": ["scout"]}, {"units": ["scout"]}],
    }
    with pytest.raises(InputError, match="draws from the dice"):
        load(document, plugins=[file])


def test_two_plug_ins_keep_apart() -> None:
    fight = battle(
        side(unit("a", attack=10)),
        side(unit("b")),
        chain=[{"stage": "more"}, {"stage": "twice"}, {"stage": "more"}],
        stages={"more": lambda r, a, t, value: value + 1, "twice": lambda r, a, t, value: value * 2},
    )
    assert values(fight) == [11, 22, 23]
