"""When battles are played side by side: for long runs of silent battles that fit, and once the code is ready."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers.lockstep import KERNELS, SQUADS, duel, fighter, one_by_one

import fracas
from fracas.engine import lockstep
from fracas.engine.lockstep import (
    PLAYED_FIRST,
    SHORTEST_RANGE,
    Fit,
    LaneCode,
    LockstepPlay,
    LockstepResume,
    fit_for_lanes,
    in_lanes,
    lane_code,
    resume_in_lanes,
)
from fracas.lanes.lane_state import LEFT_TO_RULES
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Rows

EXAMPLE = Path(__file__).parents[2] / "examples" / "squads" / "standard-5v5.toml"
RECORD = fracas.load(EXAMPLE).compiled.record
WORTH_LOADING, WORTH_COMPILING = SQUADS.lockstep.worth_loading, SQUADS.lockstep.worth_compiling


@pytest.fixture(autouse=True)
def _cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """No code for lanes is ready or on disk, and none is compiled."""
    monkeypatch.setattr(lockstep, "_codes", {})
    monkeypatch.setattr(LaneCode, "is_cached", lambda self: False)
    monkeypatch.setattr(LaneCode, "begin", lambda self: begun.append(self.bits))
    begun.clear()


begun: list[int] = []


class Played:
    """Stands for an entry point and remembers its ranges; lanes leave the second battle to the rules."""

    def __init__(self, winner: int = 1) -> None:
        self.ranges: list[tuple[int, int]] = []
        self.winner = winner

    def __call__(self, battles: Rows, first: Any, *rest: Any) -> None:
        results = next(each for each in rest if isinstance(each, np.ndarray) and each.dtype == KERNELS.result_type)
        self.ranges.append((first if isinstance(first, int) else -1, len(results)))
        results["winner"] = self.winner


def test_short_runs_are_not_asked() -> None:
    entry = Played()
    assert in_lanes(KERNELS, entry, RECORD, WORTH_LOADING - 1) == (entry, None)
    assert in_lanes(KERNELS, entry, RECORD, WORTH_COMPILING - 1) == (entry, None)
    assert resume_in_lanes(KERNELS, entry, RECORD, WORTH_LOADING - 1) == (entry, None)


def test_shorter_battles_must_be_more() -> None:
    kernels = registry.get("relics").kernels
    record = fracas.load(EXAMPLE.parents[1] / "relics" / "standard.toml").compiled.record
    assert kernels.lockstep is not None
    relics = kernels.lockstep()
    entry = Played()
    for count in (WORTH_LOADING, relics.worth_loading, relics.worth_compiling - 1):
        assert in_lanes(kernels, entry, record, count) == (entry, None)
    played, fit = in_lanes(kernels, entry, record, relics.worth_compiling)
    assert isinstance(played, LockstepPlay)
    assert str(fit) == "64 battles side by side, in lanes of 16 bits"
    played.code.count(relics.worth_compiling // PLAYED_FIRST - 1)
    assert begun == []
    played.code.count(1)
    assert begun == [16]


def test_long_runs_are_played_in_lanes_once_they_are_ready() -> None:
    entry, fit = in_lanes(KERNELS, Played(), RECORD, WORTH_COMPILING)
    assert isinstance(entry, LockstepPlay)
    assert str(fit) == "64 battles side by side, in lanes of 16 bits"
    assert isinstance(resume_in_lanes(KERNELS, Played(), RECORD, WORTH_COMPILING)[0], LockstepResume)


def test_other_rulesets_have_no_lanes() -> None:
    kernels = registry.get("delve").kernels
    assert fit_for_lanes(kernels, np.zeros(1, kernels.battle_type)) is None


def test_what_does_not_fit_is_said_with_its_reason() -> None:
    crowd = {"units": [fighter(f"u{number}") for number in range(6)]}
    record = fracas.load(duel(crowd, fighter("b"))).compiled.record
    entry, fit = in_lanes(KERNELS, Played(), record, WORTH_COMPILING)
    assert isinstance(entry, Played)
    assert str(fit) == "one battle at a time, because many units have the same speed"
    assert str(fit_for_lanes(KERNELS, record, has_plugins=True)) == "one battle at a time, because it uses a plug-in"


def test_compiling_begins_once_many_battles_were_played() -> None:
    rules = Played()
    code = lane_code(KERNELS, 16)
    play = LockstepPlay(rules, code)
    first = WORTH_COMPILING // PLAYED_FIRST
    results = np.zeros(first - 1, KERNELS.result_type)
    play(RECORD, 0, results, None, None)
    assert begun == []
    play(RECORD, 0, results[:1], None, None)
    assert begun == [16]
    assert code.played == first
    assert rules.ranges == [(0, first - 1), (0, 1)]


def test_lanes_play_what_is_long_enough_and_the_rules_the_rest() -> None:
    rules, lanes = Played(), Played(LEFT_TO_RULES)
    code = lane_code(KERNELS, 16)
    code.entries = (lambda battles, plans: None, lambda *rest: lanes(rest[0], *rest[3:]))
    play = LockstepPlay(rules, code)
    play(RECORD, 7, np.zeros(SHORTEST_RANGE - 1, KERNELS.result_type), None, None)
    assert rules.ranges == [(7, SHORTEST_RANGE - 1)]
    results = np.zeros(SHORTEST_RANGE, KERNELS.result_type)
    play(RECORD, 7, results, None, None)
    assert lanes.ranges == [(7, SHORTEST_RANGE)]
    assert rules.ranges[1:] == [(7 + place, 1) for place in range(SHORTEST_RANGE)]
    assert set(results["winner"].tolist()) == {1}


def test_code_that_does_not_compile_costs_nothing_but_speed(caplog: pytest.LogCaptureFixture) -> None:
    code = lane_code(KERNELS, 16)

    def broken(*_: object) -> None:
        raise ValueError("no such vector")

    with caplog.at_level(logging.WARNING, "fracas"):
        code._compile(broken, broken)
    assert code.entries is None
    assert "Battles are not played in lanes: ValueError: no such vector" in caplog.text


def test_it_can_be_asked_what_is_being_compiled_and_waited_for() -> None:
    code, goes_on = lane_code(KERNELS, 16), threading.Event()
    assert lockstep.compiling_rulesets() == []
    code._thread = threading.Thread(target=goes_on.wait)
    code._thread.start()
    assert lockstep.compiling_rulesets() == ["squads"]
    goes_on.set()
    lockstep.finish_compiling()
    assert lockstep.compiling_rulesets() == []


def test_runs_say_how_they_are_played(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "1")
    from fracas.engine.player import make_player

    with caplog.at_level(logging.INFO, "fracas"):
        player = make_player(fracas.load(EXAMPLE), logged=False, battles=WORTH_COMPILING)
        logged = make_player(fracas.load(EXAMPLE), logged=True, battles=WORTH_COMPILING)
    assert isinstance(player.play_many, LockstepPlay)
    assert not isinstance(logged.play_many, LockstepPlay)
    assert "500,000 battles of squads: compiled code, 64 battles side by side, in lanes of 16 bits." in caplog.text
    assert np.array_equal(player.clone().play(5, 40), one_by_one(RECORD, 5, 40))


def test_a_fit_without_code_has_a_reason() -> None:
    assert str(Fit(None, "it rains")) == "one battle at a time, because it rains"
