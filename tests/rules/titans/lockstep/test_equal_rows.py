"""Lanes play what the rules play, row for row: shipped and random scenarios, odd ranges, odd dice, large numbers.

benchmarks/lockstep.py compares ten thousand random scenarios; here is a sample.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers.lockstep import LEFT, Lanes, are_equal

import fracas
from fracas.engine.lockstep import play_rest
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Rows
from fracas.rulesets.titans.lockstep.state import SHORT_LANES
from fracas.rulesets.titans.rules.constants import (
    AT_RANDOM,
    BOTH_FORFEIT,
    BY_GREED,
    BY_LIST,
    BY_RULES,
    BY_TABLE,
    CAP_EQUAL,
    CAP_HP,
    FORFEIT,
    KNOCK_OUT,
)

TITANS = Lanes("titans")
FOLDER = Path(__file__).parents[4] / "examples" / "titans"
EXAMPLES = sorted(FOLDER.glob("*.toml"))
SCENARIOS = 60
# Streams whose halves both change within a range.
STARTS = (0, 2**32 - 70, 2**62, 2**63 - 200)
BATTLES = 150


def record_of(scenario: Any) -> Rows:
    return fracas.load(scenario).compiled.record


def shipped(name: str) -> Rows:
    return record_of(FOLDER / f"{name}.toml")


def random_record(number: int) -> Rows:
    return record_of(registry.get("titans").random_scenario(number))


def titan(name: str, *, hp: int = 40, **changed: Any) -> dict[str, Any]:
    known = {"attack": 9, "defense": 7, "speed": 7, "stamina": 7, "abilities": ["act"]}
    return {"name": name, "hp": hp, **known, **changed}


def duel(*effects: dict[str, Any], first: Any = "random", second: Any = "random", **changed: Any) -> dict[str, Any]:
    """Two titans whose ability `act` has these effects, with these policies."""
    titans = [titan("Tor", **changed.pop("one", {})), titan("Ull", **changed.pop("other", {}))]
    players = [
        {"name": name, "titan": known, "policy": policy}
        for name, known, policy in zip(("Ada", "Bo"), titans, (first, second), strict=True)
    ]
    act = {"id": "act", "name": "Act", "cost": changed.pop("cost", 20), "effects": list(effects) or [HEAL]}
    return {"ruleset": "titans", "id": "duel", "abilities": {"act": act}, "players": players, **changed}


HEAL = {"type": "heal", "amount": 5}


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_shipped_scenarios_come_out_alike(file: Path) -> None:
    record = record_of(file)
    assert TITANS.native_plan(record)[0].bits == SHORT_LANES, "all shipped scenarios are played in lanes"
    assert are_equal(TITANS.in_lanes(record, 5, BATTLES), TITANS.one_by_one(record, 5, BATTLES))


def test_random_scenarios_come_out_alike() -> None:
    policies = set()
    for number in range(SCENARIOS):
        record, start = random_record(number), STARTS[number % len(STARTS)]
        assert are_equal(TITANS.in_lanes(record, start, BATTLES), TITANS.one_by_one(record, start, BATTLES)), number
        policies |= set(record[0].policies["kind"].tolist())
    assert policies == {BY_RULES, AT_RANDOM, BY_GREED, BY_TABLE, BY_LIST}


def test_the_plan_is_the_same_plain_and_compiled() -> None:
    for name in ("head-profile", "sudden-death", "bastion-weaver"):
        record = shipped(name)
        assert TITANS.plain_plan(record).tobytes() == TITANS.native_plan(record).tobytes()


@pytest.mark.parametrize("name", ["bastion-vessel", "head-profile", "striker-weaver", "submitted-choices"])
def test_numpy_plays_what_compiled_lanes_play(name: str) -> None:
    record = shipped(name)
    lanes = TITANS.in_lanes(record, 2**32 - 30, 66)
    assert np.array_equal(TITANS.in_plain_lanes(record, 2**32 - 30, 66), lanes)


@pytest.mark.parametrize("number", [2, 5, 44])
def test_numpy_plays_greed_and_tables_too(number: int) -> None:
    record = random_record(number)
    assert set(record[0].policies["kind"].tolist()) & {BY_GREED, BY_TABLE}
    assert np.array_equal(TITANS.in_plain_lanes(record, 0, 64), TITANS.in_lanes(record, 0, 64))


@pytest.mark.parametrize("count", [1, 63, 64, 65, 127, 200])
def test_ranges_may_end_in_the_middle_of_the_lanes(count: int) -> None:
    record = shipped("standard")
    assert are_equal(TITANS.in_lanes(record, 3, count), TITANS.one_by_one(record, 3, count))


def test_any_split_of_a_range_gives_the_same_bytes() -> None:
    record = shipped("bastion-vessel")
    whole = TITANS.one_by_one(record, 7, 400)
    for cuts in ([0, 400], [0, 1, 400], [0, 64, 128, 400], [0, 333, 400]):
        rows = np.zeros(400, TITANS.kernels.result_type)
        for first, end in itertools.pairwise(cuts):
            part = TITANS.in_lanes(record, 7 + first, end - first)
            play_rest(TITANS.native("play_many"), record.copy(), 7 + first, part)
            rows[first:end] = part
        assert rows.tobytes() == whole.tobytes()


def test_lanes_do_not_remember_the_duels_of_another_scenario() -> None:
    plain, other = shipped("standard"), shipped("striker-weaver")
    before = TITANS.in_lanes(plain, 0, 80)
    TITANS.in_lanes(other, 0, 80)
    assert np.array_equal(TITANS.in_lanes(plain, 0, 80), before)


# Duels in which a word comes up that d100() may refuse, or below(4): found by playing millions of them and looking for
# those that lanes leave to the rules.
REFUSED = [1876504, 2837618]
REFUSED_AT_RANDOM = [4606030, 8116396]


def patient_duel() -> dict[str, Any]:
    titans = [titan(name, hp=300, defense=8) for name in ("T", "U")]
    document = duel(cost=0, seed="refused")
    for player, known in zip(document["players"], titans, strict=True):
        player["titan"] = known
    return document


@pytest.mark.parametrize("at_random", [False, True])
def test_duels_with_a_refused_word_are_left_to_the_rules(at_random: bool) -> None:
    record = record_of(patient_duel()) if at_random else shipped("bastion-vessel")
    for stream in REFUSED_AT_RANDOM if at_random else REFUSED:
        first, count = stream - 40, 80
        rows, expected = TITANS.in_lanes(record, first, count), TITANS.one_by_one(record, first, count)
        assert rows["winner"][40] == LEFT
        assert are_equal(rows, expected)
        play_rest(TITANS.native("play_many"), record.copy(), first, rows)
        assert np.array_equal(rows, expected)


LARGE = {"attack": 1000, "defense": 1000, "speed": 1000, "stamina": 1000}
RAISE = {"type": "change", "percent": 900, "rounds": 1000, "on": "self"}
LOWER = {"type": "change", "percent": -90, "rounds": 1000, "on": "opponent"}


@pytest.mark.parametrize(
    "effects",
    [
        [{**RAISE, "stat": "attack"}, {"type": "damage", "stat": "attack", "times": 100.0}],
        [{**LOWER, "stat": "defense"}, {**LOWER, "stat": "stamina"}, {**RAISE, "stat": "stamina"}],
        [{"type": "heal", "amount": 10_000}, {"type": "shield", "stat": "attack", "times": 100.0}],
        [{"type": "charge", "amount": -100, "on": "opponent"}, {"type": "charge", "amount": 100}],
        [{"type": "damage", "amount": 9_999}, {"type": "heal", "dealt": 900}],
    ],
)
@pytest.mark.parametrize("hp", [1, 9_999, 10_000])
def test_numbers_at_the_edges_of_lanes(effects: list[dict[str, Any]], hp: int) -> None:
    options = {"stamina_charges": True, "criticals": True, "round_cap": 60}
    large = {**LARGE, "hp": hp, "critical": 100}
    record = record_of(duel(*effects, one=large, other=large, options=options))
    assert are_equal(TITANS.in_lanes(record, 0, 70), TITANS.one_by_one(record, 0, 70))


def test_sums_of_many_changes_fit_into_lanes() -> None:
    abilities = {}
    for place in range(10):
        percent = 900 if place < 5 else -90
        effect = {"type": "change", "stat": "attack", "percent": percent, "rounds": 1000}
        effects = [{**effect, "on": "self" if place % 2 else "opponent"} for _ in range(4)]
        abilities[f"a{place}"] = {"id": f"a{place}", "name": f"A{place}", "cost": 0, "effects": effects}
    document = duel(
        one={"abilities": [f"a{place}" for place in range(5)], "hp": 10_000, "defense": 1000},
        other={"abilities": [f"a{place}" for place in range(5, 10)], "hp": 10_000, "defense": 1000},
        options={"round_cap": 40},
    )
    record = record_of({**document, "abilities": abilities})
    assert are_equal(TITANS.in_lanes(record, 0, 100), TITANS.one_by_one(record, 0, 100))


def test_duels_may_end_at_the_cap_with_many_rounds() -> None:
    record = record_of(duel(first=[{"do": "defend"}], second=[{"do": "rest"}], options={"round_cap": 1000}))
    expected = TITANS.one_by_one(record, 0, 3)
    assert are_equal(TITANS.in_lanes(record, 0, 3), expected)
    assert expected["reason"].tolist() == [CAP_EQUAL] * 3


def test_equal_rolls_for_speed_let_player_1_act_first() -> None:
    still = {"speed": 0, "hp": 12}
    attacks: Any = [{"do": "attack"}]
    record = record_of(duel(first=attacks, second=attacks, one=still, other=still))
    expected = TITANS.one_by_one(record, 0, BATTLES)
    assert are_equal(TITANS.in_lanes(record, 0, BATTLES), expected)
    assert {1, 2} <= set(expected["winner"].tolist())


def test_every_kind_of_end_occurs() -> None:
    late = {"choices": ["attack"] * 2 + ["missed"] * 4}
    cap = {"options": {"round_cap": 3}}
    for document, reasons in (
        (duel(first=late, second=[{"do": "rest"}]), {FORFEIT}),
        (duel(first=[{"do": "rest"}], second=late), {FORFEIT}),
        (duel(first=late, second=late), {BOTH_FORFEIT}),
        (duel(**cap), {CAP_HP, CAP_EQUAL}),
        (duel(first=[{"do": "attack"}], second=[{"do": "attack"}]), {KNOCK_OUT}),
    ):
        record = record_of(document)
        expected = TITANS.one_by_one(record, 0, BATTLES)
        assert are_equal(TITANS.in_lanes(record, 0, BATTLES), expected)
        assert set(expected["reason"].tolist()) == reasons


@pytest.mark.parametrize("place", ["test", "chance", "hit", "order", "level"])
def test_a_planted_difference_is_noticed(place: str) -> None:
    """A negative control: a wrong number in a plan shows in the rows."""
    record = shipped("head-profile") if place in ("hit", "level") else shipped("bastion-weaver")
    plans = TITANS.native_plan(record)
    plan = plans[0]
    if place == "test":
        plan.tests[0].low += 30
    elif place == "chance":
        record = record.copy()
        record[0].policies[0].rules[0].chance += 9
    elif place == "hit":
        plan.hit_chance[0] += 0.05
    elif place == "order":
        plan.order[:] = 0
    else:
        plan.risen[1] += 1
    expected = TITANS.one_by_one(shipped("bastion-weaver") if place == "chance" else record, 0, BATTLES)
    assert not are_equal(TITANS.in_lanes(record, 0, BATTLES, plans=plans), expected)
