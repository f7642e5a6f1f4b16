"""Plain Python, compiled code and the WebAssembly modules play the same battles: results, rows, states, digests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.helpers.guards import ROOT
from tests.helpers.records import differences
from tests.helpers.rules import Rule, bend
from tests.helpers.soak import times

import fracas
from fracas.engine.scenario import Scenario
from fracas.events.digest import digest
from fracas.kernel import jit
from fracas.kernel.snapshots import as_words, mutable_spans
from fracas.portable.wasm_machine import LOGGED, SILENT, can_play, pool_of, wasm_play, wasm_resume
from fracas.rulesets import registry
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Rows

# benchmarks/portable.py --soak plays many more.
SCENARIOS = times(5)
# Enough that what battles share is worked out (kernel/entry_points.py).
BATTLES = 16
STREAMS = (0, 2**32 - 5, 2**40)
MOMENTS = 6


@pytest.fixture(params=registry.NAMES)
def ruleset(request: Any) -> Ruleset:
    return registry.get(request.param)


def scenario_of(ruleset: Ruleset, number: int) -> Scenario:
    return fracas.load(ruleset.random_scenario(number))


def logged(entry: Callable[..., None], scenario: Scenario, stream: int) -> tuple[Any, Rows, Rows]:
    """A battle with its rows: the result, the rows, and the record in which it ended."""
    kernels = scenario.ruleset.kernels
    records, results = scenario.compiled.own_record(), np.zeros(1, kernels.result_type)
    logs = np.zeros(1, kernels.log_type)
    entry(records, stream, results, logs, None)
    return results[0], logs[0].rows[: logs[0].count].copy(), records


def through_module(scenario: Scenario, stream: int) -> tuple[Any, Rows, Rows]:
    """The same by the module."""
    kernels, name = scenario.ruleset.kernels, scenario.ruleset.name
    result, rows, _ = logged(wasm_play(name, kernels, logged=True), scenario, stream)
    return result, rows, pool_of(name, LOGGED, kernels).idle[-1].battle(kernels.battle_type)


def unequal(first: tuple[Any, Rows, Rows], second: tuple[Any, Rows, Rows]) -> list[str]:
    """In what two plays of a battle differ."""
    found = [f"result.{each}" for each in differences(first[0], second[0])]
    found += [f"state.{each}" for each in differences(first[2][0], second[2][0])]
    return found + (["rows"] if digest(first[1]) != digest(second[1]) else [])


def test_every_ruleset_has_a_module_of_these_sources(ruleset: Ruleset) -> None:
    assert can_play(ruleset.name, ruleset.kernels), "run python -m fracas.portable.build"


def test_random_battles_come_out_the_same_in_all_three(ruleset: Ruleset) -> None:
    native = jit.native(ruleset.kernels.play_many)
    for number in range(SCENARIOS):
        scenario, stream = scenario_of(ruleset, number), STREAMS[number % len(STREAMS)]
        plain = logged(ruleset.kernels.play_many, scenario, stream)
        assert not unequal(plain, logged(native, scenario, stream)), f"compiled, random scenario {number}"
        assert not unequal(plain, through_module(scenario, stream)), f"module, random scenario {number}"


def test_many_silent_battles_come_out_as_each_alone(ruleset: Ruleset) -> None:
    kernels = ruleset.kernels
    silent, loud = (wasm_play(ruleset.name, kernels, logged=each) for each in (False, True))
    for number in range(SCENARIOS):
        scenario = scenario_of(ruleset, 100 + number)
        results = np.zeros(BATTLES, kernels.result_type)
        silent(scenario.compiled.record, 2**32 - 5, results, None, None)
        alone = [logged(loud, scenario, 2**32 - 5 + place)[0] for place in range(BATTLES)]
        assert not [each for one, other in zip(results, alone, strict=True) for each in differences(one, other)]


def test_no_double_of_a_row_or_a_result_is_not_a_number(ruleset: Ruleset) -> None:
    """Sign and payload of such a double are open in WebAssembly: rows would differ from machine to machine."""
    seen = 0
    for number in range(2 * SCENARIOS):
        result, rows, _ = through_module(scenario_of(ruleset, 200 + number), number)
        for kind in ruleset.protocol.kinds:
            for plan in ruleset.protocol.plan(kind):
                if plan.is_double:
                    halves = rows[rows[:, 1] == kind][:, plan.column : plan.column + 2]
                    seen += len(halves)
                    assert np.isfinite(np.ascontiguousarray(halves).view(np.float64)).all()
        for name in result.dtype.names:
            if result.dtype[name].base.kind == "f":
                assert np.isfinite(result[name]).all()
    has_doubles = any(plan.is_double for kind in ruleset.protocol.kinds for plan in ruleset.protocol.plan(kind))
    assert bool(seen) == has_doubles


ONWARD = {
    "squads": "squads/taunt.toml",
    "delve": "delve/decision-and-ambush.toml",
    "stacks": "stacks/first-attack.toml",
    "relics": "relics/first-duel.toml",
    "titans": "titans/standard.toml",
}


def test_going_on_from_the_middle_comes_out_the_same(ruleset: Ruleset) -> None:
    scenario, kernels = fracas.load(ROOT / "examples" / ONWARD[ruleset.name]), ruleset.kernels
    spans = mutable_spans(kernels.battle_type, kernels.constant_fields)
    moments = ruleset.analysis.decision_points(scenario.compiled, scenario.document, 1)
    assert kernels.resume_many is not None
    ends = []
    for entry in (kernels.resume_many, wasm_resume(ruleset.name, kernels)):
        records, ended = scenario.compiled.own_record(), []
        for moment in moments[:: -(-len(moments) // MOMENTS)]:
            results = np.zeros(2, kernels.result_type)
            place = np.array(moment.resume_at, np.int64)
            entry(records, as_words(records), moment.snapshot, spans, 2**33 - 1, results, place, None)
            ended.append(results)
        ends.append(np.concatenate(ended))
    assert not [each for one, other in zip(*ends, strict=True) for each in differences(one, other)]


def test_a_rule_that_is_another_one_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A negative control: the plain rules are bent."""
    scenario = fracas.load(ROOT / "examples" / "squads" / "standard-5v5.toml")
    kernels = scenario.ruleset.kernels
    assert not unequal(logged(kernels.play_many, scenario, 0), through_module(scenario, 0))

    def stronger(kept: Rule) -> Rule:
        return lambda attacker, defender, strong, weak: kept(attacker, defender, strong + 30, weak)

    bend(monkeypatch, "class_advantage", stronger)
    assert "rows" in unequal(logged(kernels.play_many, scenario, 0), through_module(scenario, 0))


def test_memory_does_not_grow_however_much_is_played(ruleset: Ruleset) -> None:
    scenario, kernels = scenario_of(ruleset, 0), ruleset.kernels
    play = wasm_play(ruleset.name, kernels, logged=False)
    sizes = []
    for count in (1, 3 * BATTLES):
        play(scenario.compiled.record, 0, np.zeros(count, kernels.result_type), None, None)
        sizes.append(pool_of(ruleset.name, SILENT, kernels).idle[-1].bytes.size)
    assert sizes[0] == sizes[1] < 2 * kernels.battle_type.itemsize + 8 * 2**20
