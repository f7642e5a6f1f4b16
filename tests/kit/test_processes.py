"""Other processes know a game by its name and rules hash: its source never travels."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.helpers.stranger import Stranger

import fracas
from fracas.cluster import tasks
from fracas.cluster.executors import open_executor
from fracas.engine.player import make_player
from fracas.errors import InputError
from fracas.kit import load
from fracas.lab.execution.chunk import ChunkOutput
from fracas.lab.execution.executor import SimulationTask
from fracas.lab.simulation.simulate import simulate


def order_of(scenario: fracas.Scenario) -> bytes:
    player = make_player(scenario, logged=False, battles=1)
    output = ChunkOutput((), rows=False, looks=False, start=0)
    return tasks.encode_task(SimulationTask(scenario, player, range(100), output, False, lambda: False))


def test_a_task_holds_the_rules_hash_and_no_source(stranger: Stranger) -> None:
    game = fracas.use(stranger.file)
    content = order_of(fracas.load(stranger.scenario))
    assert msgspec.json.decode(content)["game"] == game.rules_hash
    assert b"play_round" not in content
    assert str(stranger.file).encode() not in content
    order, scenario = tasks.decode_task(content, "here")
    assert (order.ruleset, scenario.ruleset) == ("coins", game)


def test_a_worker_without_the_game_or_with_other_rules_refuses(stranger: Stranger) -> None:
    fracas.use(stranger.file)
    content = order_of(fracas.load(stranger.scenario))
    with load.fresh():
        with pytest.raises(InputError, match=r'worker here: does not know the game "coins" \(start it with the game'):
            tasks.decode_task(content, "here")
        fracas.use(stranger.write(old="if roll <=", new="if roll <"))
        with pytest.raises(InputError, match=r"worker here: has other rules of coins \(\w{12} there, \w{12} here\)"):
            tasks.decode_task(content, "here")


def test_workers_of_this_machine_are_told_of_the_games_in_use(
    stranger: Stranger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")
    fracas.use(stranger.file)
    scenario = fracas.load(stranger.scenario)
    expected: dict[str, Any] = simulate(scenario, 500, threads=1).as_json()
    with open_executor(None, workers=1) as executor:
        found = simulate(scenario, 500, threads=executor).as_json()
    assert found | {"timing": 0} == expected | {"timing": 0}
