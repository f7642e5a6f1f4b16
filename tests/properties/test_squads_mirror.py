"""The rules favour no side: a battle with its sides swapped is the same battle, seen in a mirror.

That holds exactly where neither luck nor the index settles anything between the sides. So in these battles all speeds
differ, no hit is critical, nobody aims at random, and equal HP at the cap are a draw. Within a side the index breaks
ties, and a swap keeps the order within the sides. At a round's end the index orders rows of both sides, so those rows
are compared as a set; they change nothing about each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.helpers.rules import Rule, bend
from tests.helpers.soak import times
from tests.helpers.squads_fights import Fight

from fracas.rulesets import registry
from fracas.rulesets.squads.rules.constants import SIDE_SLOTS
from fracas.rulesets.squads.rules.events import Battle, Choice, Expire, Fall, Initiative, Outcome, Roll, Round, Suffer

Row = tuple[int, ...]
BATTLES = times(20)


def symmetric(number: int) -> dict[str, Any]:
    """A random scenario in which nothing depends on luck or on which side is first."""
    document = registry.get("squads").random_scenario(number)
    document["options"] |= {"cap_tie": "draw"}
    if document["modifier"]:
        for numbers in (document["modifier"], *document["modifier"]["classes"].values()):
            numbers.pop("speed", None)
            numbers.pop("critical_chance", None)
        document["modifier"]["critical_chance"] = 0
    else:
        document["modifier"] = {"id": "calm", "name": "Calm", "critical_chance": 0}
    speed = 1
    for side in document["sides"]:
        for unit in side["units"]:
            # The powers of 17 modulo 257 are 32 different numbers in no simple order.
            speed = speed * 17 % 257
            unit["speed"] = speed
        for order in side["strategy"]["abilities"].values():
            if order.get("target") == "random":
                order["target"] = "highest_threat"
    return document


def swapped(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "sides": document["sides"][::-1]}


def other(index: int) -> int:
    """The same place on the other side; nobody stays nobody."""
    return index if index < 0 else (index + SIDE_SLOTS) % (2 * SIDE_SLOTS)


def mirrored(row: Row, abilities: dict[int, int]) -> Row:
    """A row as it looks from the other side; `abilities` translates the numbers of the abilities."""
    tick, kind, actor, target, a, b, c, d = row
    if kind in (Battle.KIND, Round.KIND):
        a, b = b, a
    if kind == Choice.KIND:
        a = abilities[a]
    if kind == Outcome.KIND:
        a, c, d = {0: 0, 1: 2, 2: 1}[a], d, c
    return (tick, kind, other(actor), other(target), a, b, c, d)


def without_luck(row: Row) -> Row:
    """A row without the words and rolls that decide nothing here."""
    tick, kind, actor, target, a, b, c, d = row
    if kind == Initiative.KIND:
        c = d = 0
    if kind == Roll.KIND:
        a = 0
    return (tick, kind, actor, target, a, b, c, d)


def normal(rows: list[Row]) -> list[Row]:
    """Rows with those of each round's end in an order that does not depend on the side."""
    told: list[Row] = []
    end: list[Row] = []
    for row in rows:
        is_end = row[1] == Suffer.KIND or (row[1] == Expire.KIND and row[5] == 1)
        if is_end or (end and row[1] == Fall.KIND):
            end.append(row)
            continue
        told += sorted(end)
        end = []
        told.append(row)
    return told + sorted(end)


def played(document: dict[str, Any]) -> tuple[list[Row], list[str]]:
    """All rows of a battle, and its abilities in the order of their numbers."""
    fight = Fight(document)
    result = fight.play()
    assert int(result.fault) == 0
    rows = [without_luck(tuple(int(value) for value in row)) for row in fight.rows()]
    return rows, list(fight.compiled.books["ability_id"])


def asymmetries(document: dict[str, Any]) -> list[str]:
    """Where a battle and its mirror image part."""
    rows, names = played(document)
    image, image_names = played(swapped(document))
    numbers = {image_names.index(name): names.index(name) for name in image_names}
    first = normal(rows)
    second = normal([mirrored(row, numbers) for row in image])
    if len(first) != len(second):
        return [f"{len(first)} and {len(second)} rows"]
    return [f"{one} and {two}" for one, two in zip(first, second, strict=True) if one != two]


@pytest.mark.parametrize("first", range(0, BATTLES, 10))
def test_a_battle_with_its_sides_swapped_is_its_mirror_image(first: int) -> None:
    for number in range(first, first + 10):
        assert not asymmetries(symmetric(number)), f"random scenario {number}"


def test_the_mirrored_battles_end_in_every_way() -> None:
    ends = {(rows[-1][4], rows[-1][5]) for rows, _ in (played(symmetric(number)) for number in range(BATTLES))}
    assert {winner for winner, _ in ends} >= {1, 2}
    assert len({reason for _, reason in ends}) >= 2


def side_1_hits_harder(kept: Rule) -> Rule:
    def take_hit(battle: Any, unit: Any, target: Any, value: int, log: Any) -> None:
        kept(battle, unit, target, value + (1 if unit.side == 0 else 0), log)

    return take_hit


def the_index_goes_before_speed(kept: Rule) -> Rule:
    def start_round(battle: Any, log: Any) -> None:
        kept(battle, log)
        count = int(battle.order_count)
        battle.order_keys[:count] = sorted(int(key) % 16 for key in battle.order_keys[:count])

    return start_round


def side_1_is_tested_first(kept: Rule) -> Rule:
    def decide_at_cap(battle: Any) -> None:
        kept(battle)
        battle.winner = 1

    return decide_at_cap


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ("take_hit", side_1_hits_harder),
        ("start_round", the_index_goes_before_speed),
        ("decide_at_cap", side_1_is_tested_first),
    ],
)
def test_a_rule_that_favours_a_side_is_found(
    rule: str, fault: Callable[[Rule], Rule], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Negative controls."""
    bend(monkeypatch, rule, fault)
    assert any(asymmetries(symmetric(number)) for number in range(20))


def test_the_one_option_that_favours_a_side_shows() -> None:
    """A negative control without any fault: equal HP at the cap may go to side 1."""
    harmless = {"stages": [{"stage": "scale", "percent": 0}]}
    unit = {"id": "u", "class": "warrior", "hp": 10, "attack": 1, "defense": 0, "speed": 5}
    sides = [{"units": [unit]}, {"units": [{**unit, "speed": 6}]}]
    document = {"ruleset": "squads", "options": {"round_cap": 1, "chain": harmless}, "sides": sides}
    assert not asymmetries(document)
    document["options"]["cap_tie"] = "side1"  # type: ignore[index]
    assert len(asymmetries(document)) == 1


def test_luck_between_the_sides_shows() -> None:
    """A negative control: with equal speeds the words decide who is first, and they know no mirror."""
    found = 0
    for number in range(20):
        document = symmetric(number)
        for side in document["sides"]:
            for unit in side["units"]:
                unit["speed"] = 5
        found += bool(asymmetries(document))
        if found > 10:
            return
    pytest.fail(f"no more than {found} battles show it")
