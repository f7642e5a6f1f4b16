"""One source, two ways to run it: the same rows, results and states, however battles are split up."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from tests.helpers.records import differences
from tests.helpers.rules import Rule, bend
from tests.helpers.soak import is_on, times
from tests.helpers.strategies import checked, scenarios

from fracas import Scenario, load, run, run_many
from fracas.engine.player import Player, make_player
from fracas.errors import InputError
from fracas.events.digest import digest
from fracas.kernel import jit
from fracas.lab.simulation.simulate import simulate
from fracas.rulesets import registry
from fracas.rulesets.contract.kernels import Kernels
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Rows

FOLDER = Path(__file__).parents[2] / "examples" / "squads"
EXAMPLES = sorted(FOLDER.glob("*.toml"))
SCENARIOS = times(40)
PORTION = 20
STREAMS = (0, 2**32, 2**63 - 1)

Entry = Callable[..., None]


def example(stem: str) -> Path:
    """A shipped scenario."""
    return FOLDER / f"{stem}.toml"


def each_with_a_stream(examples: Sequence[Path]) -> list[tuple[Path, int]]:
    """Every example with one of the streams in turn; in a soak with each."""
    return list(itertools.product(examples, STREAMS) if is_on() else zip(examples, itertools.cycle(STREAMS)))


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    return registry.get("squads")


@pytest.fixture(scope="module")
def compiled_entry(ruleset: Ruleset) -> Entry:
    return jit.native(ruleset.kernels.play_many)


def play(entry: Entry, scenario: Scenario, stream: int = 0, *, logged: bool = True) -> tuple[Any, Any, Any]:
    """One battle by an entry point: the result, the rows, and the record in which it ended."""
    kernels = scenario.ruleset.kernels
    records = scenario.compiled.record.copy()
    results = np.zeros(1, kernels.result_type)
    logs = np.zeros(1, kernels.log_type) if logged else None
    entry(records, stream, results, logs, None)
    rows = logs[0].rows[: logs[0].count].copy() if logs is not None else None
    return results[0], rows, records[0]


def unequal(first: tuple[Any, Any, Any], second: tuple[Any, Any, Any]) -> list[str]:
    """In what two plays of one battle differ."""
    found = [f"result.{difference}" for difference in differences(first[0], second[0])]
    found += [f"state.{difference}" for difference in differences(first[2], second[2])]
    if not np.array_equal(first[1], second[1]):
        found.append("rows")
    return found


@pytest.mark.parametrize("first", range(0, SCENARIOS, PORTION))
def test_random_scenarios_come_out_the_same(first: int, ruleset: Ruleset, compiled_entry: Entry) -> None:
    for number in range(first, first + PORTION):
        scenario = load(ruleset.random_scenario(number))
        stream = number * 1_000_003
        plain = play(ruleset.kernels.play_many, scenario, stream)
        native = play(compiled_entry, scenario, stream)
        assert not unequal(plain, native), f"random scenario {number}, stream {stream}"


@checked
@given(document=scenarios())
def test_drawn_scenarios_come_out_the_same(ruleset: Ruleset, compiled_entry: Entry, document: dict[str, Any]) -> None:
    """Small battles at the edges of what is allowed."""
    scenario = load(document)
    assert not unequal(play(ruleset.kernels.play_many, scenario), play(compiled_entry, scenario))


@pytest.mark.parametrize(
    ("path", "stream"), each_with_a_stream(EXAMPLES), ids=lambda value: getattr(value, "stem", None)
)
def test_the_examples_come_out_the_same(path: Path, stream: int, ruleset: Ruleset, compiled_entry: Entry) -> None:
    scenario = load(path)
    assert not unequal(play(ruleset.kernels.play_many, scenario, stream), play(compiled_entry, scenario, stream))


PLUGIN = """
import fracas

@fracas.damage_stage
def first_blood(battle, actor, target, value):
    unhurt = battle.units[target].hp == battle.units[target].max_hp
    return value * 3 // 2 if unhurt else value

@fracas.damage_stage
def spite(battle, actor, target, value):
    return value % 7 - 3 + value * (1 + battle.units[actor].charge) // 50
"""


@pytest.mark.usefixtures("cleared_plugins")
def test_plug_in_stages_come_out_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "stages.py"
    file.write_text(PLUGIN, encoding="utf-8")
    names = ("formation", "first_blood", "critical", "spite", "defense", "first_blood", "minimum")
    stages = [{"stage": name} for name in names]
    scenario = load(example("standard-5v5"), plugins=[file], overrides={"options.chain": {"stages": stages}})
    digests = []
    for setting in ("0", "1"):
        monkeypatch.setenv("FRACAS_JIT", setting)
        digests.append([run(scenario, stream=stream).digest for stream in (0, 9)])
    assert digests[0] == digests[1]
    assert digests[0][0] != run(example("standard-5v5")).digest


@pytest.fixture
def cleared_plugins() -> Iterator[None]:
    """Loading a plug-in leaves its module behind."""
    yield
    sys.modules.pop("fracas_plugin_stages", None)


def test_a_log_changes_nothing(ruleset: Ruleset, compiled_entry: Entry) -> None:
    for number in range(SCENARIOS, SCENARIOS + 20):
        scenario = load(ruleset.random_scenario(number))
        logged = play(compiled_entry, scenario)
        for entry in (compiled_entry, ruleset.kernels.play_many):
            silent = play(entry, scenario, logged=False)
            assert not unequal((logged[0], None, logged[2]), silent), f"random scenario {number}"


def test_a_difference_between_the_modes_is_found(
    ruleset: Ruleset, compiled_entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A negative control: the plain rules are bent, and the comparison must see it."""
    scenario = load(example("standard-5v5"))
    honest = play(compiled_entry, scenario)
    assert not unequal(play(ruleset.kernels.play_many, scenario), honest)

    def stronger(kept: Rule) -> Rule:
        return lambda attacker, defender, strong, weak: kept(attacker, defender, strong + 30, weak)

    bend(monkeypatch, "class_advantage", stronger)
    found = unequal(play(ruleset.kernels.play_many, scenario), honest)
    assert "rows" in found
    assert any(difference.startswith(("state.", "result.")) for difference in found)


def test_a_difference_in_state_alone_is_found(ruleset: Ruleset) -> None:
    """A negative control: something that no row shows."""
    scenario = load(example("stun"))
    first = play(ruleset.kernels.play_many, scenario)
    second = play(ruleset.kernels.play_many, scenario)
    second[2].units[3].just_stunned += 1
    assert [difference.partition(":")[0] for difference in unequal(first, second)] == ["state.units.3.just_stunned"]


# Batches: a battle is its number, whoever plays it and whatever was played before.

BATCH = 600
TRIED = (0, 1, 2, 15, 16, 17, 255, 256, 257, 511, 599)


@pytest.fixture(scope="module")
def batch_scenario() -> Scenario:
    return load(example("standard-5v5"), seed="batch")


def player_of(scenario: Scenario, entry: Entry) -> Player:
    """A silent player that uses an entry point."""
    made = make_player(scenario, logged=False, battles=1)
    return Player(made.kernels, entry, scenario.compiled.record.copy(), None, None)


@pytest.fixture(scope="module")
def batch(batch_scenario: Scenario, compiled_entry: Entry) -> Rows:
    return player_of(batch_scenario, compiled_entry).play(0, BATCH)


def test_the_batch_is_worth_looking_at(batch: Rows) -> None:
    """Its battles differ, or the tests below would say nothing."""
    assert len(np.unique(batch["rounds"])) > 5
    assert set(np.unique(batch["winner"])) >= {1, 2}
    assert len(np.unique(batch["hp_left"], axis=0)) > BATCH // 4


@pytest.mark.parametrize("number", TRIED)
def test_a_battle_of_a_batch_equals_that_battle_alone(
    number: int, batch: Rows, batch_scenario: Scenario, compiled_entry: Entry, ruleset: Ruleset
) -> None:
    for entry in (compiled_entry, ruleset.kernels.play_many):
        alone = play(entry, batch_scenario, number)
        assert not list(differences(alone[0], batch[number]))
    single = run(batch_scenario, stream=number)
    result = batch[number]
    assert (single.winner, single.rounds, single.hp_left) == (result.winner, result.rounds, tuple(result.hp_left))


@pytest.mark.parametrize(
    "cuts",
    [(1,), (599,), (300,), (7, 8, 9), (100, 250, 251, 400), tuple(range(1, BATCH, 37))],
    ids=["first", "last", "halves", "single ones", "uneven", "many"],
)
def test_a_batch_may_be_split_into_any_ranges(
    cuts: tuple[int, ...], batch: Rows, batch_scenario: Scenario, compiled_entry: Entry
) -> None:
    ranges = list(itertools.pairwise((0, *cuts, BATCH)))
    for order in (ranges, ranges[::-1]):
        one = player_of(batch_scenario, compiled_entry)
        parts = {first: one.play(first, last - first) for first, last in order}
        whole = np.concatenate([parts[first] for first, _ in ranges])
        assert np.array_equal(whole, batch)


def test_a_plain_batch_equals_a_compiled_one(batch: Rows, batch_scenario: Scenario, ruleset: Ruleset) -> None:
    plain = player_of(batch_scenario, ruleset.kernels.play_many).play(40, 25)
    assert np.array_equal(plain, batch[40:65])


def test_battles_beyond_32_bits_are_battles_of_their_own(batch_scenario: Scenario, compiled_entry: Entry) -> None:
    for first in (2**32 - 3, 2**63 - 6):
        together = player_of(batch_scenario, compiled_entry).play(first, 6)
        for place in range(6):
            alone = play(compiled_entry, batch_scenario, first + place)
            assert not list(differences(alone[0], together[place]))
        assert not np.array_equal(together, player_of(batch_scenario, compiled_entry).play(first & 0xFFFF, 6))


THREADED = 5_000


def collected(scenario: Scenario, n: int, threads: int) -> Rows:
    """The results that a simulation hands on, in their order."""
    parts: list[tuple[int, Rows]] = []
    simulate(scenario, n, threads=threads, sink=lambda first, results: parts.append((first, results.copy())))
    assert [first for first, _ in parts] == [0, *itertools.accumulate(len(results) for _, results in parts)][:-1]
    return np.concatenate([results for _, results in parts])


@pytest.fixture
def _always_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "1")


@pytest.fixture(scope="module")
def on_one_thread(batch_scenario: Scenario) -> Rows:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FRACAS_JIT", "1")
        return collected(batch_scenario, THREADED, 1)


@pytest.mark.usefixtures("_always_compiled")
@pytest.mark.parametrize("threads", [2, 3, 7, 16])
def test_any_number_of_threads_gives_the_same_results(
    threads: int, batch: Rows, batch_scenario: Scenario, on_one_thread: Rows
) -> None:
    whole = collected(batch_scenario, THREADED, threads)
    assert len(whole) == THREADED
    assert np.array_equal(whole[:BATCH], batch)
    assert checksum(whole) == checksum(on_one_thread)


def checksum(results: Rows) -> str:
    return digest(np.stack([results[name] for name in ("winner", "reason", "rounds")], axis=1).astype(np.int32))


@pytest.mark.usefixtures("_always_compiled")
@pytest.mark.parametrize("threads", [1, 3])
def test_many_scenarios_at_once_equal_each_alone(threads: int, ruleset: Ruleset) -> None:
    scenarios = [load(ruleset.random_scenario(number)) for number in range(12)]
    seeds = [f"seed {number}" for number in range(12)]
    together = run_many(scenarios, seeds=seeds, log=True, threads=threads)
    alone = [run(scenario, seed=seed) for scenario, seed in zip(scenarios, seeds, strict=True)]
    assert [battle.digest for battle in together] == [battle.digest for battle in alone]


def test_a_difference_between_two_batches_is_found(
    batch: Rows, batch_scenario: Scenario, compiled_entry: Entry
) -> None:
    """A negative control: results that are shifted by one battle are other results."""
    shifted = player_of(batch_scenario, compiled_entry).play(1, BATCH)
    assert not np.array_equal(shifted, batch)
    assert checksum(shifted) != checksum(batch)


def test_a_long_eight_against_eight_overflows_the_log_and_says_so(compiled_entry: Entry, ruleset: Ruleset) -> None:
    """A thousand rounds of sixteen units are more events than the log holds; without a log they are no trouble."""
    sturdy = {"class": "tank", "hp": 10**6, "attack": 1, "defense": 0, "speed": 5}
    sides = [{"units": [{"id": f"u{number}", **sturdy} for number in range(8)]} for _ in range(2)]
    document = {"ruleset": "squads", "options": {"round_cap": 1000}, "sides": sides}
    scenario = load(document)
    result, rows, _ = play(compiled_entry, scenario)
    assert result.fault != 0
    assert len(rows) == ruleset.kernels.log_type["rows"].shape[0]
    kernels: Kernels = ruleset.kernels
    loud = Player(kernels, compiled_entry, scenario.compiled.record.copy(), np.zeros(1, kernels.log_type), None)
    with pytest.raises(InputError, match="more than the 131,072 events"):
        loud.play(0, 1)
    quiet = player_of(scenario, compiled_entry).play(0, 1)
    assert (int(quiet[0]["fault"]), int(quiet[0]["rounds"])) == (0, 1000)


# Whole processes.

SCRIPT = """
import sys
import fracas
print(*(fracas.run(path, stream=3).digest for path in sys.argv[1:]))
print("numba" in sys.modules)
"""


def digests(setting: str | None, *paths: Path) -> tuple[list[str], bool]:
    """The digests that a process of its own computes, and whether it imported Numba."""
    environment = {key: value for key, value in os.environ.items() if key != "FRACAS_JIT"}
    if setting is not None:
        environment["FRACAS_JIT"] = setting
    command = [sys.executable, "-W", "error", "-c", SCRIPT, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, timeout=300)
    first, second = done.stdout.splitlines()
    return first.split(), second == "True"


def test_processes_with_and_without_compilation_print_the_same_digests(compiled_entry: Entry) -> None:
    paths = [example(stem) for stem in ("standard-5v5", "stun", "shields", "damage-over-time", "taunt")]
    plain, plain_has_numba = digests("0", *paths)
    compiled, compiled_has_numba = digests("1", *paths)
    here = [play(compiled_entry, load(path), 3)[1] for path in paths]
    assert plain == compiled == [digest(rows) for rows in here]
    assert (plain_has_numba, compiled_has_numba) == (False, True)
    assert len(set(plain)) == len(paths)
