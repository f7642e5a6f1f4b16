"""Lanes play what the rules play, row for row: shipped and random scenarios, odd ranges, odd dice, both widths.

benchmarks/lockstep.py compares ten thousand random scenarios; here is a sample.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers.lockstep import (
    HIT,
    KERNELS,
    LEFT,
    are_equal,
    duel,
    fighter,
    in_lanes,
    in_plain_lanes,
    native,
    native_plan,
    one_by_one,
    plain_plan,
    squad,
)
from tests.helpers.soak import some

import fracas
from fracas.engine.lockstep import play_rest
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Rows
from fracas.rulesets.squads.lockstep.state import LONG_LANES, SHORT_LANES
from fracas.rulesets.squads.rules.constants import CAP_HP, WIPED_OUT

FOLDER = Path(__file__).parents[4] / "examples" / "squads"
EXAMPLES = sorted(FOLDER.glob("*.toml"))
SCENARIOS = 60
# Streams whose halves both change within a range.
STARTS = (0, 2**32 - 70, 2**62, 2**63 - 200)
BATTLES = 150
SOME = [1, 63, 64, 65, 127, 200]


def record_of(scenario: Any) -> Rows:
    return fracas.load(scenario).compiled.record


def random_record(number: int) -> Rows:
    return record_of(registry.get("squads").random_scenario(number))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_shipped_scenarios_come_out_alike(file: Path) -> None:
    record = record_of(file)
    assert native_plan(record)[0].bits == SHORT_LANES, "all shipped scenarios are played in lanes"
    assert are_equal(in_lanes(record, 5, BATTLES), one_by_one(record, 5, BATTLES))


def test_random_scenarios_come_out_alike() -> None:
    played = 0
    for number in range(SCENARIOS):
        record = random_record(number)
        if native_plan(record)[0].bits:
            start = STARTS[number % len(STARTS)]
            assert are_equal(in_lanes(record, start, BATTLES), one_by_one(record, start, BATTLES)), number
            played += 1
    assert SCENARIOS * 3 // 4 < played < SCENARIOS, "most scenarios are played in lanes, but not all"


def test_the_plan_is_the_same_plain_and_compiled() -> None:
    for record in (record_of(FOLDER / "tuned-profile.toml"), record_of(FOLDER / "attack-up-down.toml")):
        assert plain_plan(record).tobytes() == native_plan(record).tobytes()


@pytest.mark.parametrize("number", some([1, 10, 21, 34], 2))
def test_numpy_plays_what_compiled_lanes_play(number: int) -> None:
    record = random_record(number)
    assert plain_plan(record)[0].bits
    assert np.array_equal(in_plain_lanes(record, 2**32 - 30, 66), in_lanes(record, 2**32 - 30, 66))


@pytest.mark.parametrize("count", SOME)
def test_ranges_may_end_in_the_middle_of_the_lanes(count: int) -> None:
    record = record_of(FOLDER / "first-battle.toml")
    assert are_equal(in_lanes(record, 3, count), one_by_one(record, 3, count))


def test_any_split_of_a_range_gives_the_same_bytes() -> None:
    record = record_of(FOLDER / "border-clash.toml")
    whole = one_by_one(record, 7, 400)
    for cuts in ([0, 400], [0, 1, 400], [0, 64, 128, 400], [0, 333, 400]):
        rows = np.zeros(400, KERNELS.result_type)
        for first, end in itertools.pairwise(cuts):
            part = in_lanes(record, 7 + first, end - first)
            play_rest(native("play_many"), record.copy(), 7 + first, part)
            rows[first:end] = part
        assert rows.tobytes() == whole.tobytes()


def test_lanes_do_not_remember_the_battles_of_another_scenario() -> None:
    taunts = record_of(FOLDER / "taunt.toml")
    plain = record_of(FOLDER / "first-battle.toml")
    before = in_lanes(plain, 0, 80)
    in_lanes(taunts, 0, 80)
    assert np.array_equal(in_lanes(plain, 0, 80), before)


# Battles in which d100() comes upon a word that it may refuse, and one in which below(3) does: found by playing
# millions of them and looking for those that lanes leave to the rules.
REFUSED = [822972, 1232811, 1541752]
REFUSED_AT_RANDOM = [15215600]


def long_duel(selector: str | None = None) -> dict[str, Any]:
    orders = {"act": {"target": selector}} if selector else {}
    first, second = (
        squad(*(fighter(f"{name}{n}", hp=300 + n, speed=speed - n) for n in range(3)), abilities=orders)
        for name, speed in (("a", 20), ("b", 10))
    )
    chain = {"chain": {"stages": [{"stage": "minimum"}]}} if selector else {}
    document = duel(first, second, HIT, seed="refused", options=chain)
    document["abilities"]["act"]["cooldown"] = 0
    return document


@pytest.mark.parametrize(("selector", "streams"), [(None, REFUSED), ("random", REFUSED_AT_RANDOM)])
def test_battles_with_a_refused_word_are_left_to_the_rules(selector: str | None, streams: list[int]) -> None:
    record = record_of(long_duel(selector))
    for stream in streams:
        first, count = stream - 40, 80
        rows, expected = in_lanes(record, first, count), one_by_one(record, first, count)
        assert rows["winner"][40] == LEFT
        assert are_equal(rows, expected)
        play_rest(native("play_many"), record.copy(), first, rows)
        assert np.array_equal(rows, expected)


def strong(hp: int, **changed: Any) -> dict[str, Any]:
    """Two units whose HP and shield are at a bound of short lanes, or beyond it."""
    shield = {"type": "shield", "attack": 100, "rounds": 3}
    document = duel(
        squad(fighter("a", hp=hp - 900, attack=900, speed=12), fighter("c", hp=40, speed=9)),
        squad(fighter("b", hp=hp - 2000, attack=900, speed=10), fighter("d", hp=hp // 2, attack=700, speed=7)),
        shield,
        reach="all_allies",
        options={"round_cap": 400},
        **changed,
    )
    burn = {"type": "damage_over_time", "max_hp": 30, "attack": 200, "rounds": 3}
    document["abilities"]["burn"] = {"id": "burn", "name": "Burn", "reach": "one_enemy", "effects": [burn]}
    for side in document["sides"]:
        side["units"][0]["ultimate"] = "burn"
    return document


@pytest.mark.parametrize(("hp", "bits"), [(65_534, SHORT_LANES), (65_536, LONG_LANES), (900_000, LONG_LANES)])
def test_numbers_at_the_edges_of_lanes(hp: int, bits: int) -> None:
    record = record_of(strong(hp))
    assert native_plan(record)[0].bits == bits
    expected = one_by_one(record, 0, 70)
    assert are_equal(in_lanes(record, 0, 70), expected)
    assert {WIPED_OUT} <= set(expected["reason"].tolist())


def test_long_lanes_play_what_short_lanes_play() -> None:
    for name in ("standard-5v5", "damage-over-time", "tuned-profile"):
        record = record_of(FOLDER / f"{name}.toml")
        assert are_equal(in_lanes(record, 0, 100, bits=LONG_LANES), one_by_one(record, 0, 100))


def test_battles_may_end_at_the_cap_with_many_rounds() -> None:
    record = record_of(duel(fighter("a", hp=100_000, speed=12), fighter("b", hp=100_000), options={"round_cap": 1000}))
    expected = one_by_one(record, 0, 3)
    assert are_equal(in_lanes(record, 0, 3), expected)
    assert expected["reason"].tolist() == [CAP_HP] * 3


@pytest.mark.parametrize("place", ["figure", "words", "order"])
def test_a_planted_difference_is_noticed(place: str) -> None:
    """A negative control: a wrong number in a plan shows in the rows."""
    record = record_of(FOLDER / "standard-5v5.toml")
    plans = native_plan(record)
    plan = plans[0]
    if place == "figure":
        plan.figures[plan.choices[0].effects[0].first] += 3
    elif place == "words":
        plan.critical_words[0] //= 2
    else:
        plan.choices[2 * 3 + 1].entries[0].slots = 1 << 9
    assert not are_equal(in_lanes(record, 0, BATTLES, plans=plans), one_by_one(record, 0, BATTLES))
