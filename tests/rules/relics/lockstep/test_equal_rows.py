"""Lanes play what the rules play, row for row: shipped and random scenarios, odd ranges, odd dice, rollouts.

benchmarks/lockstep.py relics compares ten thousand random scenarios; here is a sample.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers.relics_lanes import (
    EXAMPLES,
    KERNELS,
    LEFT,
    are_equal,
    duel,
    in_lanes,
    in_plain_lanes,
    native,
    one_by_one,
    plain_plan,
    random_record,
    record_of,
    wearing,
)
from tests.helpers.soak import some

import fracas
from fracas.engine.lockstep import play_rest
from fracas.kernel.dice import seek_stream
from fracas.kernel.snapshots import FROM_ROUND, FROM_SET_UP, as_words, mutable_spans, save_snapshot
from fracas.lanes.memory import aligned_records
from fracas.lanes.operations import LANES
from fracas.rulesets.relics.lockstep.entry_points import ASKED_FROM
from fracas.rulesets.relics.lockstep.state import MOST_WORDS, SHORT_LANES, lanes_t, plan_t
from fracas.rulesets.relics.rules.constants import MOST_STRIKES
from fracas.rulesets.relics.rules.setup import set_up
from fracas.rulesets.relics.rules.turns import play_turn

SCENARIOS = 60
# Streams whose halves both change within a range.
STARTS = (0, 2**32 - 70, 2**62, 2**63 - 200)
BATTLES = 150


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_shipped_scenarios_come_out_alike(file: Path) -> None:
    record = fracas.load(file).compiled.record
    assert plain_plan(record)[0].bits == SHORT_LANES, "all shipped scenarios are played in lanes"
    assert are_equal(in_lanes(record, 5, BATTLES), one_by_one(record, 5, BATTLES))


def test_random_scenarios_come_out_alike() -> None:
    played = 0
    for number in range(SCENARIOS):
        record = random_record(number)
        if plain_plan(record)[0].bits:
            start = STARTS[number % len(STARTS)]
            assert are_equal(in_lanes(record, start, BATTLES), one_by_one(record, start, BATTLES)), number
            played += 1
    assert SCENARIOS * 3 // 4 < played < SCENARIOS, "most scenarios are played in lanes, but not all"


# Battles that are cut by each guard; builds that ask in set-up whose turn it is; steps with several blocks of dice.
@pytest.mark.parametrize("number", [19, 66, 74, 78, 4192, 5972, 5996, 9232])
def test_unusual_random_scenarios_come_out_alike(number: int) -> None:
    record = random_record(number)
    assert are_equal(in_lanes(record, 2**32 - 70, BATTLES), one_by_one(record, 2**32 - 70, BATTLES))


def test_the_plan_is_the_same_plain_and_compiled() -> None:
    for name in ("home-made-items", "standard"):
        plans = np.zeros(1, plan_t)
        native("plan_battles")(record_of(name), plans)
        assert plain_plan(record_of(name)).tobytes() == plans.tobytes()


@pytest.mark.parametrize("number", some([78, 21], 1))
def test_numpy_plays_what_compiled_lanes_play(number: int) -> None:
    record = random_record(number)
    assert plain_plan(record)[0].bits
    assert np.array_equal(in_plain_lanes(record, 2**32 - 30, 66), in_lanes(record, 2**32 - 30, 66))


@pytest.mark.parametrize("count", [1, 63, 64, 65, 127, 200])
def test_ranges_may_end_in_the_middle_of_the_lanes(count: int) -> None:
    record = record_of("standard")
    assert are_equal(in_lanes(record, 3, count), one_by_one(record, 3, count))


def test_any_split_of_a_range_gives_the_same_bytes() -> None:
    record = record_of("standard")
    whole = one_by_one(record, 7, 400)
    for cuts in ([0, 400], [0, 1, 400], [0, 64, 128, 400], [0, 333, 400]):
        rows = np.zeros(400, KERNELS.result_type)
        for first, end in itertools.pairwise(cuts):
            part = in_lanes(record, 7 + first, end - first)
            play_rest(native("play_many"), record.copy(), 7 + first, part)
            rows[first:end] = part
        assert rows.tobytes() == whole.tobytes()


@pytest.mark.parametrize("name", ["full-shelf", "standard"])
def test_longer_ranges_come_out_alike_with_and_without_dice(name: str) -> None:
    record = record_of(name)
    assert are_equal(in_lanes(record, 0, ASKED_FROM + 5), one_by_one(record, 0, ASKED_FROM + 5))


# Battles in which d100() comes upon a word that it may refuse, and one in which below(7) does: found by playing
# millions of them and looking for those that lanes leave to the rules.
RANDOM_PICKS = duel(
    *(
        {
            "items": [
                {
                    "id": "dice_cup",
                    "name": "Dice Cup",
                    "triggers": {"turn_start": [["give", "random", 1, "random"]]},
                }
            ],
            "stats": {"hp": 60},
        }
        for _ in range(2)
    ),
    seed="random-picks",
)


@pytest.mark.parametrize(("scenario", "stream"), [("standard", 738849), ("standard", 802037), (RANDOM_PICKS, 934825)])
def test_battles_with_a_refused_word_are_left_to_the_rules(scenario: Any, stream: int) -> None:
    record = record_of(scenario)
    first, count = stream - 40, 80
    rows, expected = in_lanes(record, first, count), one_by_one(record, first, count)
    assert rows["winner"][40] == LEFT
    assert are_equal(rows, expected)
    play_rest(native("play_many"), record.copy(), first, rows)
    assert np.array_equal(rows, expected)


@pytest.mark.parametrize("rolls", [MOST_WORDS // MOST_STRIKES, MOST_WORDS // MOST_STRIKES + 1])
def test_steps_may_draw_as_many_words_as_lanes_have_room_for(rolls: int) -> None:
    chances = [{"do": [["gain_armor", 1]], "chance": 50}] * rolls
    strikes = {"battle_start": [["extra_strikes", 15, "every_turn"]], "on_hit": chances}
    record = record_of(duel(wearing(strikes, attack=0), wearing({}, attack=1), options={"turn_cap": 3}))
    rows, expected = in_lanes(record, 0, 70), one_by_one(record, 0, 70)
    assert expected["blocks_drawn"].max() >= rolls
    if rolls * MOST_STRIKES > MOST_WORDS:
        assert (rows["winner"] == LEFT).all()
    else:
        assert are_equal(rows, expected)


def test_runs_are_cut_in_the_battles_that_have_too_many_in_a_step() -> None:
    thorny = {
        "pre": [{"do": [["gain_speed", 1]], "chance": 50}],
        "battle_start": [{"do": [["gain_thorns", 1, {"repeat": 20}]] * 16}],
        "thorns_gained": [{"do": [["gain_armor", 1]]}] * 3 + [{"do": [["heal", 1]], "if": "self.speed > 0"}],
    }
    record = record_of(duel(wearing(thorny, speed=0), wearing({}, attack=9)))
    expected = one_by_one(record, 0, 70)
    # 961 runs in one half of the battles and 1,281 in the other, where the 1,001st is cut.
    assert set(expected["cuts"].tolist()) == {0, 1}
    assert are_equal(in_lanes(record, 0, 70), expected)


ROLLOUTS = [
    (kind, name) for name in ("standard", "the-lamplighter", "home-made-items") for kind in (FROM_SET_UP, FROM_ROUND)
]


@pytest.mark.parametrize(("kind", "name"), some(ROLLOUTS[::-1], 2))
def test_rollouts_come_out_alike(kind: int, name: str) -> None:
    record = record_of(name).copy()
    spans = mutable_spans(KERNELS.battle_type, KERNELS.constant_fields)
    seek_stream(record[0].dice, 4)
    set_up(record[0], None)
    for _ in range(5):
        play_turn(record[0], None)
    kept = save_snapshot(record, spans)
    place = np.array([kind, 0], np.int64)
    expected, found = (np.zeros(LANES + 7, KERNELS.result_type) for _ in range(2))
    one, other = record.copy(), record.copy()
    assert KERNELS.resume_many is not None
    KERNELS.resume_many(one, as_words(one), kept, spans, 2**32 - 60, expected, place, None)
    plans, states = plain_plan(record), aligned_records(lanes_t)
    native("resume_in_lanes")(other, plans, states, as_words(other), kept, spans, 2**32 - 60, found, place)
    assert are_equal(found, expected)


@pytest.mark.parametrize("place", ["amount", "chance", "modifier", "counter", "phase"])
def test_a_planted_difference_is_noticed(place: str) -> None:
    """A negative control: a wrong number in the lanes' record or plan shows in the rows."""
    name = {"counter": "home-made-items", "phase": "the-lamplighter"}.get(place, "standard")
    record = record_of(name)
    changed, plans = record.copy(), plain_plan(record)
    battle = changed[0]
    if place == "amount":
        battle.quick[int(battle.builds[1].listeners[9].first)].amount += 1
    elif place == "chance":
        battle.effects[int(battle.builds[1].listeners[9].first)].chance -= 3
    elif place == "modifier":
        battle.builds[1].sums[3] += 20
    elif place == "counter":
        plans[0].counters = 0
    else:
        battle.builds[1].phase_count = 1
    found = in_lanes(changed, 0, BATTLES, plans)
    assert not are_equal(found, one_by_one(record, 0, BATTLES))
