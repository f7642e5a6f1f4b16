"""README, Environment modifiers: what they change, whose numbers count, and the weekly rotation."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.squads_fights import battle, side, unit

from fracas import load
from fracas.errors import InputError
from fracas.rulesets import registry
from fracas.rulesets.squads.content.weekly_modifiers import modifier_of_week, monday_of, week_of

NUMBERS = ("damage_pct", "defense_pct", "healing_pct", "speed", "critical_chance", "critical_multiplier")
ROLES = ("warrior", "ranger", "mage", "healer", "tank")
UNCHANGED = (100, 100, 100, 10, -1, -1)


def numbers(modifier: Any) -> dict[str, tuple[int, ...]]:
    """What the environment makes of a unit of each class with speed 10."""
    fight = battle(side(*(unit(role, role) for role in ROLES)), side(unit("x")), modifier=modifier)
    return {role: fight.state(f"1.{role}", *NUMBERS) for role in ROLES}


def test_without_a_modifier_nothing_changes() -> None:
    assert numbers(None) == dict.fromkeys(ROLES, UNCHANGED)


def test_overall_numbers_count_for_everybody() -> None:
    modifier = {
        "id": "m",
        "name": "M",
        "damage": 120,
        "defense": 70,
        "healing": 60,
        "speed": 150,
        "critical_chance": 30,
        "critical_multiplier": 220,
    }
    assert numbers(modifier) == dict.fromkeys(ROLES, (120, 70, 60, 15, 30, 220))


def test_a_class_number_replaces_the_overall_one_for_that_class() -> None:
    modifier = {
        "id": "m",
        "name": "M",
        "damage": 120,
        "speed": 50,
        "classes": {"mage": {"damage": 80, "healing": 110}, "tank": {"speed": 100, "critical_chance": 0}},
    }
    overall = (120, 100, 100, 5, -1, -1)
    assert numbers(modifier) == dict.fromkeys(ROLES, overall) | {
        "mage": (80, 100, 110, 5, -1, -1),
        "tank": (120, 100, 100, 10, 0, -1),
    }


# The eight that ship, in their order of rotation: class and overall numbers as the content has them.
ROTATION = [
    ("witch_moon", {"mage": (125, 100, 100, 10, -1, -1), "healer": (100, 100, 125, 10, -1, -1)}, UNCHANGED),
    (
        "deep_mud",
        {
            "ranger": (100, 100, 100, 4, -1, -1),
            "warrior": (100, 100, 100, 7, -1, -1),
            "mage": (100, 100, 100, 6, -1, -1),
        },
        UNCHANGED,
    ),
    ("razor_wind", {}, (100, 100, 100, 10, 30, -1)),
    ("dry_wells", {"tank": (100, 100, 80, 10, -1, -1)}, (100, 100, 60, 10, -1, -1)),
    ("blood_harvest", {"warrior": (100, 100, 100, 10, 20, 220)}, (100, 100, 100, 10, -1, 220)),
    ("brittle_days", {"tank": (120, 100, 100, 10, -1, -1)}, (120, 70, 100, 10, -1, -1)),
    ("thin_air", {"ranger": (100, 100, 115, 10, -1, -1)}, (85, 100, 115, 10, -1, -1)),
    ("heavy_armor", {}, (100, 200, 100, 10, -1, -1)),
]


@pytest.mark.parametrize(("name", "classes", "overall"), ROTATION, ids=[name for name, *_ in ROTATION])
def test_the_shipped_modifiers(name: str, classes: dict[str, tuple[int, ...]], overall: tuple[int, ...]) -> None:
    assert numbers(name) == dict.fromkeys(ROLES, overall) | classes


def test_heavy_armor_makes_defense_twice_as_effective() -> None:
    fight = battle(
        side(unit("a", attack=100)), side(unit("b", defense=33)), chain=[{"stage": "defense"}], modifier="heavy_armor"
    )
    fight.turn("1.a")
    assert fight["2.b"].hp == 100 - (100 - 33)


# Whole weeks since Monday 1970-01-05, worked out by hand, modulo 8.
WEEKS = [
    ("1970-01-05", 0, "witch_moon"),
    ("1970-01-11", 0, "witch_moon"),
    ("1970-01-12", 1, "deep_mud"),
    ("1970-02-23", 7, "heavy_armor"),
    ("1970-03-01", 7, "heavy_armor"),
    ("1970-03-02", 8, "witch_moon"),
    ("2000-01-02", 1564, "blood_harvest"),
    ("2000-01-03", 1565, "brittle_days"),
    ("2024-01-01", 2817, "deep_mud"),
    ("2024-02-29", 2825, "deep_mud"),
    ("2026-11-15", 2966, "thin_air"),
    ("2026-11-16", 2967, "heavy_armor"),
    ("2026-11-20", 2967, "heavy_armor"),
    ("2026-11-22", 2967, "heavy_armor"),
    ("2026-11-23", 2968, "witch_moon"),
    ("1970-01-04", -1, "heavy_armor"),
    ("1969-12-29", -1, "heavy_armor"),
]


@pytest.mark.parametrize(("date", "week", "name"), WEEKS)
def test_the_week_chooses_the_modifier(date: str, week: int, name: str) -> None:
    day = datetime.date.fromisoformat(date)
    assert week_of(day) == week
    assert ROTATION[week % 8][0] == name
    found = modifier_of_week(registry.get("squads").read_library(None, ()), day)
    assert found is not None
    assert found.id == name
    fight = battle(side(unit("a")), side(unit("b")), date=day)
    assert fight.document["modifier"]["id"] == name


@pytest.mark.parametrize("monday", ["1970-01-05", "1999-12-27", "2026-11-16", "2026-12-28", "2100-03-01"])
def test_the_rotation_turns_on_mondays_and_only_then(monday: str) -> None:
    first = datetime.date.fromisoformat(monday)
    assert first.weekday() == 0
    week = week_of(first)
    for day in range(7):
        assert week_of(first + datetime.timedelta(days=day)) == week
        assert monday_of(first + datetime.timedelta(days=day)) == first
    assert week_of(first - datetime.timedelta(days=1)) == week - 1
    assert week_of(first + datetime.timedelta(days=7)) == week + 1


def test_eight_weeks_later_it_is_the_same_modifier() -> None:
    library = registry.get("squads").read_library(None, ())
    first = datetime.date(2026, 11, 20)
    seen = [modifier_of_week(library, first + datetime.timedelta(weeks=week)) for week in range(16)]
    assert len({entry.id for entry in seen if entry}) == 8
    assert seen[:8] == seen[8:]


def test_a_date_may_be_a_text_as_json_writes_it() -> None:
    assert battle(side(unit("a")), side(unit("b")), date="2026-11-20").document["modifier"]["id"] == "heavy_armor"


def test_a_named_modifier_wins_over_a_date() -> None:
    fight = battle(side(unit("a")), side(unit("b")), date="2026-11-20", modifier="thin_air")
    assert fight.document["modifier"]["id"] == "thin_air"


def test_without_date_and_modifier_there_is_no_environment() -> None:
    assert battle(side(unit("a")), side(unit("b"))).document["modifier"] is None


@pytest.mark.parametrize("date", ["2026-13-01", "someday", 20261120, ""])
def test_a_date_that_is_none_is_refused(date: Any) -> None:
    with pytest.raises(InputError, match="date"):
        battle(side(unit("a")), side(unit("b")), date=date)


def test_a_users_modifier_takes_part_in_the_rotation(tmp_path: Path) -> None:
    """Nine places make a rotation of nine weeks, in the order of their places."""
    text = '[[modifiers]]\nid = "own_week"\nname = "Own Week"\nrotation = 8\ndamage = 200\n'
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    ninth = datetime.date(1970, 1, 5) + datetime.timedelta(weeks=8)
    document = {"ruleset": "squads", "date": ninth, "sides": [{"units": ["scout"]}, {"units": ["scout"]}]}
    assert load(document, content=[tmp_path]).document["modifier"]["id"] == "own_week"
    assert load(document).document["modifier"]["id"] == "witch_moon"


def test_the_environment_of_a_battle_is_written_out_in_what_is_resolved() -> None:
    ruleset = registry.get("squads")
    document = battle(side(unit("a")), side(unit("b")), modifier="dry_wells").document
    assert document["modifier"]["healing"] == 60
    assert ruleset.compile(document, {}).record[0].units[0].healing_pct == 60
