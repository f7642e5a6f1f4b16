"""Workers of this machine: what they play is what threads play, and what they cannot play they refuse."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from tests.helpers.guards import ROOT
from tests.helpers.relics import battle as relics_battle
from tests.helpers.relics import item
from tests.helpers.replays import DOUBLE, chain_with, plugin_file
from tests.helpers.scenarios import duel, loaded, problems_of

import fracas
from fracas.cluster import tasks
from fracas.cluster.executors import open_executor
from fracas.errors import FaultError, InputError, Problem
from fracas.lab.execution.thread_executor import ThreadExecutor, local_threads
from fracas.lab.search.optimise import optimise
from fracas.lab.search.optimise_result import SearchSettings
from fracas.lab.simulation.scores import play_scores
from fracas.lab.simulation.simulate import simulate
from fracas.lab.studies.compare import compare
from fracas.lab.studies.find import find
from fracas.lab.studies.ladder import run_ladder
from fracas.lab.studies.matchups import matchups as play_all
from fracas.lab.studies.odds import find_odds
from fracas.lab.studies.roster import roster_of
from fracas.lab.studies.sensitivity import sensitivity
from fracas.lab.studies.swaps import run_swaps
from fracas.lab.studies.sweep import parse_axis, sweep
from fracas.reports.default_analyses import How, Subject
from fracas.reports.inputs import ToPlay

BATTLES = 30_000


@pytest.fixture(scope="module")
def executor():
    """One worker: two would do the same."""
    with open_executor(None, workers=1) as found:
        yield found


@pytest.fixture(scope="module")
def scenario():
    return loaded()


@pytest.fixture(autouse=True)
def small_ranges(monkeypatch):
    monkeypatch.setattr("fracas.lab.execution.chunk_size.RANGE_SECONDS", 0.005)


def counts(results: fracas.Results) -> dict[str, Any]:
    return results.as_json() | {"timing": 0}


def test_sums_are_those_of_threads(executor, scenario):
    results = simulate(scenario, BATTLES, threads=executor)
    assert counts(results) == counts(simulate(scenario, BATTLES, threads=1))
    assert results.timing.threads == 1


def test_rows_are_those_of_threads_and_come_in_order(executor, scenario):
    found: dict[str, list[Any]] = {"threads": [], "workers": []}
    simulate(scenario, BATTLES, threads=2, sink=lambda first, rows: found["threads"].append((first, rows)))
    simulate(scenario, BATTLES, threads=executor, sink=lambda first, rows: found["workers"].append((first, rows)))
    firsts = [first for first, _ in found["workers"]]
    assert firsts == sorted(firsts)
    assert len(firsts) > 5
    alone, sent = (np.concatenate([rows for _, rows in found[name]]) for name in ("threads", "workers"))
    assert sent.dtype == alone.dtype
    assert sent.tobytes() == alone.tobytes()


@pytest.mark.parametrize("precision", [3.0, 0.7])
def test_a_precision_stops_where_one_thread_would(executor, scenario, precision):
    expected = simulate(scenario, precision=precision, threads=1)
    assert counts(simulate(scenario, precision=precision, threads=executor)) == counts(expected)


def test_samples_and_other_beginnings(executor, scenario):
    alone, sent = (play_scores(scenario, 5000, start=123_456, threads=who) for who in (2, executor))
    assert np.array_equal(alone.scores, sent.scores)
    assert counts(alone.results) == counts(sent.results)


def test_comparisons_searches_and_sweeps_are_those_of_threads(executor, scenario):
    stronger = fracas.load(duel(), overrides={"sides.0.units.0.attack": 41})
    axes = [parse_axis("sides.0.units.0.attack=40,44", scenario.document)]

    def found(who: Any) -> list[dict[str, Any]]:
        results = (
            compare(scenario, stronger, 4000, threads=who),
            find(scenario, "winner == 2 and rounds > 6", 4000, threads=who),
            sweep(scenario, axes, 500, threads=who),
        )
        return [each.as_json() | {"timing": 0} for each in results]

    assert found(executor) == found(2)


def test_round_robins_stats_and_optimisers_are_those_of_threads(executor, monkeypatch, scenario):
    monkeypatch.setattr("fracas.lab.search.candidate_race.LOOK_EVERY", 64)
    settings = SearchSettings(3, (20.0,), (), 2_000, 100)

    def found(who: Any) -> list[dict[str, Any]]:
        results = (
            play_all(
                roster_of([ROOT / "examples/squads/standard-5v5.toml", ROOT / "examples/squads/border-clash.toml"], {}),
                10,
                threads=who,
            ),
            sensitivity(scenario, 10, threads=who),
            optimise(scenario, settings=settings, threads=who),
        )
        return [each.as_json() | {"timing": 0} for each in results]

    assert found(executor) == found(2)


def test_ladders_and_swaps_are_those_of_threads(executor, monkeypatch):
    scenario = fracas.load(
        relics_battle({"items": [item("coin", triggers={"turn_start": [["deal", 2, {"chance": 50}]]})]})
    )
    ruleset = type(scenario.ruleset)
    ladder, swaps = ruleset.ladder, ruleset.swaps
    monkeypatch.setattr(ruleset, "ladder", lambda *asked: ladder(*asked)[:2])
    monkeypatch.setattr(ruleset, "swaps", lambda *asked: swaps(*asked)[:2])

    fought, tried = run_ladder(scenario, 20, threads=2), run_swaps(scenario, 20, threads=2)
    assert not fought.rungs[0].results[0].deterministic
    assert not tried.base.deterministic
    assert run_ladder(scenario, 20, threads=executor).as_json() == fought.as_json()
    assert run_swaps(scenario, 20, threads=executor).as_json() == tried.as_json()


def test_odds_and_what_a_report_plays_are_those_of_threads(executor, scenario):
    def found(who: Any) -> list[dict[str, Any]]:
        subject = Subject("duel", ToPlay("duel", scenario), How(40, threads=who))
        results = (find_odds(scenario, 2000, threads=who), subject.results, subject.sensitive())
        return [each.as_json() | {"timing": 0} for each in results]

    assert found(executor) == found(2)
    assert [local_threads(who) for who in (executor, 3, ThreadExecutor(3), None)] == [None, 3, 3, None]


@pytest.mark.parametrize("name", ["delve/goblin-warrens", "stacks/first-attack", "titans/standard"])
def test_other_rulesets_are_played_too(executor, monkeypatch, name):
    monkeypatch.setenv("FRACAS_JIT", "0")
    scenario = fracas.load(ROOT / "examples" / f"{name}.toml")
    order = tasks.decode_task(tasks.encode_task(task_of(scenario)), "here")
    assert counts(simulate(order[1], 4)) == counts(simulate(scenario, 4))


def test_a_battle_without_luck_needs_no_worker(executor, monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    scenario = fracas.load(ROOT / "examples/relics/first-duel.toml")
    expected = simulate(scenario, 1000, threads=1)
    assert expected.deterministic
    assert counts(simulate(scenario, 1000, threads=executor)) == counts(expected)


# Who is refused.


def task_of(scenario: fracas.Scenario) -> Any:
    from fracas.engine.player import make_player
    from fracas.lab.execution.chunk import ChunkOutput
    from fracas.lab.execution.executor import SimulationTask

    player = make_player(scenario, logged=False, battles=1)
    return SimulationTask(
        scenario, player, range(100), ChunkOutput((), rows=False, looks=False, start=0), False, lambda: False
    )


def altered(scenario: fracas.Scenario, **values: Any) -> bytes:
    order = msgspec.json.decode(tasks.encode_task(task_of(scenario)))
    return msgspec.json.encode(order | values)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"fracas": "0.0.9"}, f"has Fracas {fracas.__version__}, but this machine has 0.0.9"),
        ({"sources": "0123456789abcdef"}, "but other source files"),
        ({"rules_version": 99}, "resolves the scenario differently"),
        ({"content_fingerprint": "0" * 64}, "resolves the scenario differently"),
        ({"fracas": "9.9", "document": "of a form that nobody here knows"}, "but this machine has 9.9"),
    ],
)
def test_a_worker_with_other_rules_is_refused(executor, monkeypatch, scenario, values, words):
    content = altered(scenario, **values)
    monkeypatch.setattr("fracas.cluster.dask_executor.encode_task", lambda task: content)
    executor._paces.clear()
    [problem] = problems_of(simulate, scenario, BATTLES, threads=executor)
    assert problem.where.startswith("worker tcp://127.0.0.1:")
    assert words in problem.message
    assert problem.suggestion == "install the same version of Fracas on every machine"
    # One that joins later is refused by the first range that it is given.
    executor._paces["squads"] = 1000.0
    [problem] = problems_of(simulate, scenario, BATTLES, threads=executor)
    assert words in problem.message


@pytest.fixture
def with_plugin(tmp_path):
    return plugin_file(tmp_path, DOUBLE)


def plugin_scenario(stage: Path) -> fracas.Scenario:
    return fracas.load(duel(options=chain_with("double")), plugins=[stage])


def test_plug_ins_are_played_by_workers_that_have_the_file(executor, with_plugin):
    scenario = plugin_scenario(with_plugin)
    # So few that nobody compiles the rules with the plug-in.
    expected = simulate(scenario, 100, threads=1)
    assert counts(simulate(scenario, 100, threads=executor)) == counts(expected)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda stage: stage.unlink(), "is not there"),
        (lambda stage: stage.write_text(stage.read_text() + "\n# changed\n"), "differs from the one here"),
    ],
)
def test_workers_without_the_file_of_a_plug_in_are_refused(executor, with_plugin, change, words):
    scenario = plugin_scenario(with_plugin).with_seed("not played before")
    change(with_plugin)
    [problem] = problems_of(simulate, scenario, 3000, threads=executor)
    assert problem.where.startswith("worker tcp://127.0.0.1:")
    assert problem.where.endswith(str(with_plugin))
    assert words in problem.message


# What comes back.


def test_refusals_and_faults_come_back_as_what_they_were():
    problems = (Problem("a", "b", "c"), Problem("d", "e"))
    with pytest.raises(InputError) as refused:
        tasks.decode_answer(tasks.encode_refusal(problems))
    assert refused.value.problems == problems
    with pytest.raises(FaultError, match="battle 7: ran out"):
        tasks.decode_answer(tasks.FAULTY + b"battle 7: ran out")
    assert tasks.decode_answer(tasks.DONE + b"{}") == b"{}"


def test_what_travels_is_plain(scenario):
    content = tasks.encode_task(task_of(scenario))
    assert content == msgspec.json.encode(msgspec.json.decode(content))
    order, found = tasks.decode_task(content, "here")
    assert found.document == scenario.document
    assert {field: getattr(order, field) for field in ("ruleset", "rows", "looks", "start")} == {
        "ruleset": "squads",
        "rows": False,
        "looks": False,
        "start": 0,
    }


def test_who_loses_the_last_worker_is_told_and_waits(monkeypatch, scenario):
    from fracas.cluster import dask_executor as executors

    monkeypatch.setattr(executors, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(executors, "COUNT_SECONDS", 0.0)
    looks = iter([{"tcp://w": 1}, {}, {}, {}, {"tcp://w": 1}, {}, {}, {}, {}])
    said: list[str] = []
    left: list[dict[str, int]] = [{}] * 9

    class Client:
        def nthreads(self) -> dict[str, int]:
            left.pop()
            return next(looks)

    class Waiting(executors.PendingChunk):
        def take(self, seconds: float) -> None:
            """Nothing comes back."""

    cluster = executors.DaskExecutor(Client(), "tcp://here:8786", None, said.append)
    task = dataclasses.replace(task_of(scenario), should_stop=lambda: not left)
    assert cluster._next(task, Waiting(None, b"")) is None
    assert said == ["waiting for workers; start one with: fracas machine worker tcp://here:8786"] * 2


def test_a_range_that_takes_down_worker_after_worker_is_given_up(scenario):
    from fracas.cluster.dask_executor import MOST_TRIES, PendingChunk

    sent: list[range] = []

    class Counting(PendingChunk):
        def send(self, battles: range) -> None:
            sent.append(battles)

    killers = Counting(None, b"")
    for _ in range(MOST_TRIES - 1):
        killers._again(range(10))
    [problem] = problems_of(killers._again, range(10))
    assert problem.message == "killed several workers in a row"
    assert len(sent) == MOST_TRIES - 1
    assert dataclasses.is_dataclass(killers)
