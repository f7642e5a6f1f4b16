"""Titans, plain and compiled: the same rows, results and states, whatever decides and whatever the options."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.helpers.records import differences
from tests.helpers.soak import times

from fracas.kernel import jit
from fracas.rulesets.contract.types import Compiled, Source
from fracas.rulesets.titans.analysis.scenario_generator import random_scenario
from fracas.rulesets.titans.content.checks import resolve
from fracas.rulesets.titans.content.compile import compile_battle
from fracas.rulesets.titans.rules.entry_points import play_many
from fracas.rulesets.titans.rules.state import log_t, result_t

Entry = Callable[..., None]
SCENARIOS = times(40)
PORTION = 20
LAST_STREAM = 2**63 - 1


@pytest.fixture(scope="module")
def compiled_entry() -> Entry:
    return jit.native(play_many)


def made(number: int) -> Compiled:
    return compile_battle(resolve(random_scenario(number), Source("scenario"), (), {}).document, {})


def play(entry: Entry, compiled: Compiled, stream: int, *, logged: bool = True) -> tuple[Any, Any, Any]:
    records, results = compiled.record.copy(), np.zeros(1, result_t)
    logs = np.zeros(1, log_t) if logged else None
    entry(records, stream, results, logs, None)
    rows = logs[0].rows[: logs[0].count].copy() if logs is not None else None
    return rows, results[0], records[0]


def unequal(first: tuple[Any, Any, Any], second: tuple[Any, Any, Any]) -> list[str]:
    found = [*differences(first[1], second[1], "result"), *differences(first[2], second[2], "state")]
    if first[0] is not None and second[0] is not None and not np.array_equal(first[0], second[0]):
        found.append("rows")
    return found


@pytest.mark.parametrize("first", range(0, SCENARIOS, PORTION))
def test_random_duels_come_out_the_same(first: int, compiled_entry: Entry) -> None:
    for number in range(first, first + PORTION):
        compiled = made(number)
        stream = LAST_STREAM - number if number % 5 == 0 else number * 1_000_003
        played = play(play_many, compiled, stream)
        assert played[1].fault == 0
        assert not unequal(played, play(compiled_entry, compiled, stream)), f"random scenario {number}"


def test_a_log_changes_nothing(compiled_entry: Entry) -> None:
    for number in range(20):
        compiled = made(number)
        assert not unequal(play(compiled_entry, compiled, 3), play(compiled_entry, compiled, 3, logged=False))


def test_each_duel_of_a_range_is_the_one_of_its_number(compiled_entry: Entry) -> None:
    compiled = made(4)
    results = np.zeros(50, result_t)
    compiled_entry(compiled.record.copy(), 100, results, None, None)
    for place in (0, 17, 49):
        alone = play(compiled_entry, compiled, 100 + place, logged=False)
        assert not list(differences(alone[1], results[place]))


def test_a_difference_between_the_modes_is_found(compiled_entry: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    effects = sys.modules["fracas.rulesets.titans.rules.effects"]
    monkeypatch.setattr(effects, "half_up", round)
    assert any(unequal(play(play_many, made(n), n), play(compiled_entry, made(n), n)) for n in range(40))
