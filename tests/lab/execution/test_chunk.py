"""Stretches: as bytes and back, and added up they are the whole, however it was cut."""

from __future__ import annotations

import numpy as np
import pytest
from tests.helpers.scenarios import loaded

from fracas.engine.player import make_player
from fracas.lab.execution.chunk import Chunk, ChunkOutput, decode_chunk, encode_chunk, play_chunk
from fracas.lab.execution.tally import LOOK_EVERY, Tally
from fracas.rulesets import registry
from fracas.rulesets.contract.measures import Measure, MeasureKind, Sums

BATTLES = 5_000
# What a worker adds up, with every kind of measure.
MEASURES = (
    Measure("rounds", "rounds", MeasureKind.SPREAD),
    Measure("blocks", "blocks_drawn", MeasureKind.SPREAD),
    Measure("hp", "hp_left", MeasureKind.TOTAL, labels=("red", "blue")),
    Measure("standing", "hp_left", MeasureKind.ABOVE_ZERO, labels=("red", "blue")),
)


@pytest.fixture(scope="module")
def player():
    return make_player(loaded(), logged=False, battles=10**6)


def wanted(*, rows: bool = False, looks: bool = False, start: int = 0) -> ChunkOutput:
    return ChunkOutput(MEASURES, rows=rows, looks=looks, start=start)


def cuts(seed: int, start: int, stop: int) -> list[range]:
    """A range cut at random places."""
    places = sorted(set(np.random.default_rng(seed).integers(start + 1, stop, 7).tolist()))
    return [range(*pair) for pair in zip([start, *places], [*places, stop], strict=True)]


def whole(player, start: int, count: int) -> Tally:
    tally = Tally(sums=Sums(MEASURES))
    tally.add(player.play(start, count))
    return tally


def through_bytes(chunk: Chunk, back: ChunkOutput, row_type: np.dtype) -> Chunk:
    return decode_chunk(encode_chunk(chunk), chunk.battles, back, row_type)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rows", [False, True], ids=["sums", "rows"])
@pytest.mark.parametrize("looks", [False, True])
@pytest.mark.parametrize("start", [0, 777])
def test_any_split_adds_up_to_the_whole(player, seed, rows, looks, start):
    back = wanted(rows=rows, looks=looks, start=start)
    tally = Tally(sums=Sums(MEASURES))
    for battles in cuts(seed, start, start + BATTLES):
        chunk = through_bytes(play_chunk(player, battles, back), back, player.kernels.result_type)
        assert chunk.add_to(tally, None) == len(battles)
    assert tally == whole(player, start, BATTLES)


@pytest.mark.parametrize("order", [1, -1], ids=["longer and longer", "shorter and shorter"])
def test_what_is_least_and_most_of_the_parts_is_that_of_the_whole(player, order):
    rows = np.sort(player.play(0, 500), order="rounds")[::order]
    rows["rounds"] += np.arange(500)[::order] // 50
    expected, tally = Tally(sums=Sums(MEASURES)), Tally(sums=Sums(MEASURES))
    expected.add(rows)
    for first in range(0, 500, 50):
        part = Tally(sums=Sums(MEASURES))
        part.add(rows[first : first + 50])
        tally.merge(part)
        tally.merge(Tally())
    assert tally == expected


def test_one_battle_more_is_another_tally(player):
    assert whole(player, 0, BATTLES) != whole(player, 0, BATTLES + 1)
    assert whole(player, 0, BATTLES) != whole(player, 1, BATTLES)


@pytest.mark.parametrize("size", [16, 512, 1024, 1536, 4096, 100_000])
@pytest.mark.parametrize("precision", [0.03, 0.012])
@pytest.mark.parametrize("start", [0, 777])
def test_counting_stops_at_the_same_look_however_ranges_are_cut(player, size, precision, start):
    expected = Tally(sums=Sums(MEASURES))
    counted = expected.add_until_precise(player.play(start, 20_000), precision)
    assert LOOK_EVERY < counted < 20_000
    back = wanted(looks=True, start=start)
    tally, found = Tally(sums=Sums(MEASURES)), 0
    for first in range(start, start + 20_000, size):
        battles = range(first, min(first + size, start + 20_000))
        found += through_bytes(play_chunk(player, battles, back), back, player.kernels.result_type).add_to(
            tally, precision
        )
        if tally.is_precise(precision):
            break
    assert (found, tally) == (counted, expected)


@pytest.mark.parametrize("name", registry.NAMES)
def test_rows_of_every_ruleset_come_back_as_they_were(name):
    row_type = registry.get(name).kernels.result_type
    limits = np.array([0, 1, -1, 127, 128, -129, 2**15, -(2**31), 2**31, 2**63 - 1, -(2**63)])
    generator = np.random.default_rng(7)
    numbers = generator.choice(limits[: generator.integers(1, len(limits) + 1)], (300, row_type.itemsize // 8))
    numbers[:, ::3] = limits[generator.integers(0, 4, 300)][:, None]
    # Columns whose width the least of their values decides.
    numbers[:, 1], numbers[:, 2], numbers[7, 1], numbers[8, 2] = 0, 1, -129, -(2**31) - 1
    rows = numbers.reshape(-1).view(row_type)
    back = wanted(rows=True)
    found = through_bytes(Chunk(range(300), rows), back, row_type)
    assert found.rows is not None
    assert found.rows.dtype == row_type
    assert found.rows.tobytes() == rows.tobytes()


def test_rows_take_less_than_they_would(player):
    chunk = play_chunk(player, range(1000), wanted(rows=True))
    assert chunk.rows is not None
    assert len(encode_chunk(chunk)) < chunk.rows.nbytes / 3


def test_bytes_of_another_range_are_refused(player):
    row_type = player.kernels.result_type
    for rows in (False, True):
        content = encode_chunk(play_chunk(player, range(100), wanted(rows=rows)))
        with pytest.raises(ValueError, match="of other battles"):
            decode_chunk(content, range(99), wanted(rows=rows), row_type)
