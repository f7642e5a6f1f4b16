"""Many battles: counted in index order, whoever plays them and however they end."""

from __future__ import annotations

import json
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.helpers.commands import RESULT_KEYS
from tests.helpers.presses import interrupted_by
from tests.helpers.scenarios import EXAMPLES, duel, fighter, loaded, problems_of

import fracas
from fracas.engine.player import Player, make_player
from fracas.lab.execution.chunk_size import LARGEST_CHUNK, chunk_size
from fracas.lab.execution.tally import LOOK_EVERY
from fracas.lab.simulation.simulate import check_amounts, simulate
from fracas.lab.statistics.intervals import half_width, wilson_interval
from fracas.rulesets import registry

RULESET = registry.get("squads")


@pytest.fixture(scope="module")
def scenario():
    return loaded()


def counts(results: fracas.Results) -> dict[str, Any]:
    """Everything but the time it took."""
    document = results.as_json()
    del document["timing"]
    return document


def played(scenario: fracas.Scenario, first: int, count: int) -> np.ndarray:
    return make_player(scenario, logged=False, battles=10**6).play(first, count)


def test_the_counts_are_those_of_battles_0_to_n(scenario):
    results = simulate(scenario, 3000)
    battles = played(scenario, 0, 3000)
    assert results.battles == 3000
    assert (results.draws, *results.wins) == tuple(np.bincount(battles["winner"], minlength=3).tolist())
    assert results.tally.rounds == battles["rounds"].sum()
    assert (results.rounds.min, results.rounds.max) == (battles["rounds"].min(), battles["rounds"].max())
    assert sum(results.reasons.values()) == 3000


def test_battle_k_of_a_simulation_is_the_battle_that_run_shows(scenario):
    battles = played(scenario, 0, 20)
    for stream in (0, 7, 19):
        battle = fracas.run(scenario, stream=stream)
        assert (battle.winner, battle.rounds) == (battles[stream].winner, battles[stream].rounds)
        assert battle.hp_left == tuple(battles[stream].hp_left)


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_the_counts_do_not_depend_on_threads(scenario, threads):
    assert counts(simulate(scenario, 50_001, threads=threads)) == counts(simulate(scenario, 50_001, threads=1))


@pytest.mark.parametrize("setting", ["0", "1"])
def test_the_counts_do_not_depend_on_the_compiler(monkeypatch, scenario, setting):
    expected = counts(simulate(scenario, 60))
    monkeypatch.setenv("FRACAS_JIT", setting)
    assert counts(simulate(scenario, 60, threads=2)) == expected


def test_without_an_amount_ten_thousand_are_played(scenario):
    assert simulate(scenario).battles == 10_000


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("precision", [3.0, 1.0, 0.4])
def test_precision_stops_at_the_same_multiple_of_1024_whatever_threads(scenario, precision, threads):
    results = simulate(scenario, precision=precision, threads=threads)
    assert results.battles % LOOK_EVERY == 0
    widths = [half_width(count, results.battles) for count in (*results.wins, results.draws)]
    assert max(widths) <= precision / 100
    earlier = results.battles - LOOK_EVERY
    assert counts(simulate(scenario, results.battles)) == counts(results)
    if earlier:
        before = simulate(scenario, earlier)
        assert max(half_width(count, earlier) for count in (*before.wins, before.draws)) > precision / 100


def test_the_results_say_shares_and_their_intervals(scenario):
    results = simulate(scenario, 2000)
    assert results.shares == (results.wins[0] / 2000, results.wins[1] / 2000)
    assert results.draw_share == results.draws / 2000
    assert results.interval95 == (wilson_interval(results.wins[0], 2000), wilson_interval(results.wins[1], 2000))
    assert results.rounds.mean == results.tally.rounds / 2000


def test_the_document_has_the_keys_of_the_contract(scenario):
    document = simulate(scenario, 100).as_json()
    assert list(document)[: len(RESULT_KEYS)] == RESULT_KEYS
    assert list(document["rounds"])[:3] == ["mean", "min", "max"]
    assert set(document["timing"]) == {"seconds", "battles_per_second", "threads"}
    assert document["content_fingerprint"] == scenario.fingerprint
    assert json.loads(json.dumps(document)) == document


@pytest.mark.parametrize(
    ("n", "precision", "threads", "where"),
    [
        (0, None, None, "-n"),
        (-1, None, None, "-n"),
        (10**9 + 1, None, None, "-n"),
        (10**12, None, None, "-n"),
        (10, 0.5, None, "-n, --precision"),
        (None, 0.0, None, "--precision"),
        (None, 1e-300, None, "--precision"),
        (None, 10**400, None, "--precision"),
        (None, -1.0, None, "--precision"),
        (None, 50.1, None, "--precision"),
        (None, float("nan"), None, "--precision"),
        (None, float("inf"), None, "--precision"),
        (10, None, 0, "--threads"),
        (10, None, -1, "--threads"),
        (10, None, 257, "--threads"),
    ],
)
def test_amounts_that_cannot_be_meant_are_refused(scenario, n, precision, threads, where):
    [problem] = problems_of(simulate, scenario, n, precision=precision, threads=threads)
    assert problem.where == where


@pytest.mark.parametrize(
    ("n", "precision", "threads"), [(1, None, 1), (10**9, None, 256), (None, 50.0, None), (None, 0.001, 2)]
)
def test_amounts_at_the_ends_are_accepted(n, precision, threads):
    check_amounts(n, precision, threads)


def test_both_sides_alike_win_about_equally_often():
    results = fracas.simulate(EXAMPLES / "standard-5v5.toml", n=4096, seed="fair")
    assert abs(results.wins[0] - results.wins[1]) < 5 * 4096**0.5


# Without luck.


class Fake:
    """An entry point that draws nothing and counts what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def __call__(self, battles: Any, first: int, results: Any, logs: Any, plugins: Any) -> None:
        if len(results):
            self.asked.append((first, len(results)))
        results["winner"], results["reason"], results["rounds"] = 2, 1, 7


@pytest.fixture
def lucky_for_nobody(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    fake = Fake()
    monkeypatch.setattr(type(RULESET), "kernels", replace(RULESET.kernels, play_many=fake))
    return fake


def test_a_battle_without_luck_is_played_once_and_counted_n_times(scenario, lucky_for_nobody):
    results = simulate(scenario, 100_000, threads=2)
    assert lucky_for_nobody.asked == [(0, 1)]
    assert results.deterministic
    assert (results.battles, results.wins, results.draws) == (100_000, (0, 100_000), 0)
    assert (results.tally.rounds, results.rounds.min, results.rounds.max) == (700_000, 7, 7)
    assert results.interval95 == ((0.0, 0.0), (1.0, 1.0))
    assert results.as_json()["deterministic"] is True


def test_a_battle_without_luck_reaches_any_precision(scenario, lucky_for_nobody):
    results = simulate(scenario, precision=0.5)
    assert results.deterministic
    assert results.interval95 == ((0.0, 0.0), (1.0, 1.0))
    assert lucky_for_nobody.asked == [(0, 1)]


def test_a_battle_without_luck_does_not_take_n_times_as_long(scenario, lucky_for_nobody):
    started = time.perf_counter()
    assert simulate(scenario, 10**9).battles == 10**9
    assert time.perf_counter() - started < 5


def test_a_battle_with_luck_is_not_called_deterministic(scenario):
    assert not simulate(scenario, 10).deterministic


def test_a_precision_that_is_not_reached_is_said(scenario, monkeypatch):
    monkeypatch.setattr("fracas.lab.simulation.simulate.MOST_BATTLES", 2048)
    said: list[str] = []
    results = simulate(scenario, precision=1.0, notice=said.append)
    assert results.battles == 2048
    reached = results.as_json()["half_width"]
    assert reached == max(half_width(count, 2048) for count in (*results.wins, results.draws)) > 0.01
    assert said[-1] == (
        f"a half-width of 1.0000% was not reached: it is {reached:.4%} after 2,048 battles, the most that are played"
    )
    said.clear()
    simulate(scenario, precision=3.0, notice=said.append)
    assert said == []


# Ctrl-C.


class Interrupting:
    """A progress report during which the user presses Ctrl-C."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, tally: Any, total: int) -> None:
        self.left -= 1
        if self.left == 0:
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("after", [1, 3])
def test_ctrl_c_ends_with_a_complete_prefix(ctrl_c, scenario, threads, after):
    results = interrupted_by(simulate, scenario, 10**9, threads=threads, progress=Interrupting(after))
    assert results.interrupted
    assert 0 < results.battles < 10**9
    expected = counts(simulate(scenario, results.battles)) | {"interrupted": True}
    assert counts(results) == expected


def test_ctrl_c_while_a_precision_is_aimed_at(ctrl_c, scenario):
    results = interrupted_by(simulate, scenario, precision=0.001, progress=Interrupting(2))
    assert results.interrupted
    assert counts(results) == counts(simulate(scenario, results.battles)) | {"interrupted": True}


def test_ctrl_c_while_the_first_battle_is_played(ctrl_c, monkeypatch, scenario):
    play = Player.play

    def interrupt(self, first, count):
        if count == 1:
            signal.raise_signal(signal.SIGINT)
        return play(self, first, count)

    monkeypatch.setattr("fracas.engine.player.Player.play", interrupt)
    results = interrupted_by(simulate, scenario, 10**9)
    assert results.interrupted
    assert results.battles < 10**9
    assert json.loads(json.dumps(results.as_json()))["interrupted"] is True


def test_ctrl_c_after_the_last_battle_interrupts_nothing(ctrl_c, scenario):
    results = interrupted_by(simulate, scenario, 2000, threads=1, progress=Interrupting(2))
    assert results.battles == 2000
    assert counts(results) == counts(simulate(scenario, 2000))
    assert results.stop_asked


def test_ctrl_c_leaves_no_thread_behind(ctrl_c, scenario):
    before = threading.active_count()
    interrupted_by(simulate, scenario, 10**9, threads=4, progress=Interrupting(2))
    assert threading.active_count() == before


def test_somebody_elses_reaction_to_ctrl_c_is_left_alone(scenario):
    noticed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: noticed.append(number))
    try:
        results = simulate(scenario, 3000, threads=1, progress=Interrupting(1))
    finally:
        signal.signal(signal.SIGINT, before)
    assert noticed == [signal.SIGINT]
    assert results.battles == 3000


def test_a_simulation_may_run_in_a_thread_of_its_own(scenario):
    with ThreadPoolExecutor(1) as pool:
        results = pool.submit(simulate, scenario, 3000).result()
    assert counts(results) == counts(simulate(scenario, 3000))


def test_a_fault_in_a_thread_is_reported_and_leaves_no_thread_behind(monkeypatch, scenario):
    player = make_player(scenario, logged=False, battles=10**6)
    play_many = player.play_many

    def faulty(battles, first, results, logs, plugins):
        play_many(battles, first, results, logs, plugins)
        if first <= 30_000 < first + len(results):
            results["fault"][30_000 - first] = 1 << 8

    monkeypatch.setattr(
        "fracas.lab.simulation.simulate.make_player", lambda *_, **__: replace(player, play_many=faulty)
    )
    before = threading.active_count()
    with pytest.raises(fracas.FaultError, match=r"battle 30,?000"):
        simulate(scenario, 100_000, threads=3)
    assert threading.active_count() == before


# What threads get.


@pytest.mark.parametrize("workers", [1, 2, 7, 64])
@pytest.mark.parametrize("total", [1, 1000, 10_000, 10**6, 10**9])
def test_chunks_are_multiples_of_a_look_and_stop_soon(total, workers):
    size = chunk_size(total, workers, is_plain=False)
    assert size % LOOK_EVERY == 0
    assert LOOK_EVERY <= size <= LARGEST_CHUNK


def test_progress_tells_what_is_done_and_aimed_at(scenario):
    seen: list[tuple[int, int]] = []
    simulate(scenario, 30_000, progress=lambda tally, total: seen.append((tally.battles, total)))
    assert seen[-1] == (30_000, 30_000)
    assert [battles for battles, _ in seen] == sorted(battles for battles, _ in seen)


def test_the_sink_gets_every_battle_once_and_in_order(scenario):
    ranges: list[tuple[int, int]] = []
    simulate(scenario, 30_001, threads=3, sink=lambda first, results: ranges.append((first, len(results))))
    following = 0
    for first, count in ranges:
        assert first == following
        following += count
    assert following == 30_001


def test_uneven_battles_stay_in_order():
    document = duel(options={"round_cap": 30})
    document["sides"][0]["units"] = [fighter(hp=2000, attack=9)]
    scenario = loaded(document)
    assert counts(simulate(scenario, 9_000, threads=4)) == counts(simulate(scenario, 9_000, threads=1))
