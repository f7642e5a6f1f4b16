"""Results as Parquet: one row per battle, the same bytes from any number of threads, whole or not at all."""

from __future__ import annotations

import importlib.util
import json
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars
import pytest
from tests.helpers.parquet import row_groups
from tests.helpers.replays import plugin_file
from tests.helpers.scenarios import EXAMPLES, loaded, problems_of

import fracas
from fracas.engine.player import make_player
from fracas.lab.store.parquet import ROWS_OF_A_GROUP, table_metadata

COLUMNS = ["index", "winner", "reason", "rounds", "hp_left_1", "hp_left_2", "units_left_1", "units_left_2"]


@pytest.fixture(scope="module")
def scenario():
    return loaded()


def table(path: Path, scenario: fracas.Scenario, n: int, **options) -> fracas.Results:
    return fracas.simulate(scenario, n, out=path, **options)


def test_there_is_a_row_for_every_battle(tmp_path, scenario):
    path = tmp_path / "battles.parquet"
    results = table(path, scenario, 3000)
    frame = polars.read_parquet(path)
    battles = make_player(scenario, logged=False, battles=3000).play(0, 3000)
    assert frame.columns == COLUMNS
    assert frame["index"].to_list() == list(range(3000))
    for name in ("winner", "rounds"):
        assert np.array_equal(frame[name].to_numpy(), battles[name])
    for side in (0, 1):
        assert np.array_equal(frame[f"hp_left_{side + 1}"].to_numpy(), battles["hp_left"][:, side])
        assert np.array_equal(frame[f"units_left_{side + 1}"].to_numpy(), battles["units_left"][:, side])
    reasons = frame["reason"].value_counts().rows()
    assert dict(reasons) == results.reasons


def test_row_groups_have_65536_rows(tmp_path, scenario):
    path = tmp_path / "battles.parquet"
    table(path, scenario, 150_000)
    assert row_groups(path) == [65_536, 65_536, 150_000 - 2 * 65_536]
    assert ROWS_OF_A_GROUP == 65_536


@pytest.mark.parametrize("n", [1, 65_536, 65_537])
def test_row_groups_at_the_edges(tmp_path, scenario, n):
    path = tmp_path / "battles.parquet"
    table(path, scenario, n)
    assert row_groups(path) == ([n] if n <= 65_536 else [65_536, n - 65_536])


def test_the_bytes_do_not_depend_on_threads_or_on_when(tmp_path, scenario):
    written = []
    for place, threads in enumerate((1, 2, 3, 1)):
        path = tmp_path / f"{place}.parquet"
        table(path, scenario, 140_000, threads=threads)
        written.append(path.read_bytes())
    assert written[1:] == written[:-1]


def test_the_bytes_do_not_depend_on_the_compiler(tmp_path, scenario, monkeypatch):
    table(tmp_path / "one.parquet", scenario, 50)
    monkeypatch.setenv("FRACAS_JIT", "0")
    table(tmp_path / "two.parquet", scenario, 50)
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


def test_the_bytes_depend_on_the_seed(tmp_path):
    for seed in "ab":
        table(tmp_path / f"{seed}.parquet", loaded(seed=seed), 500)
    assert (tmp_path / "a.parquet").read_bytes() != (tmp_path / "b.parquet").read_bytes()


def test_the_metadata_holds_every_input_and_version_and_nothing_of_this_machine(tmp_path, scenario):
    path = tmp_path / "battles.parquet"
    table(path, scenario, 100)
    metadata = {key: value for key, value in polars.read_parquet_metadata(path).items() if key.startswith("fracas.")}
    assert metadata.pop("fracas.scenario")
    assert metadata == {
        "fracas.ruleset": "squads",
        "fracas.rules_version": str(scenario.ruleset.rules_version),
        "fracas.content_fingerprint": scenario.fingerprint,
        "fracas.seed": "duel",
        "fracas.profile": "classic",
        "fracas.plugins": "{}",
        "fracas.asked": '{"n":100,"precision":null}',
        "fracas.version": fracas.__version__,
    }
    assert str(tmp_path).encode() not in path.read_bytes()


def test_plug_ins_are_named_with_their_hashes(tmp_path):
    chain = {"options.chain.stages": [{"stage": "double"}, {"stage": "minimum"}]}
    doubled = fracas.load(EXAMPLES / "coin-toss.toml", plugins=[plugin_file(tmp_path)], overrides=chain)
    metadata = table_metadata(doubled, {"n": None, "precision": 0.5})
    [plugin] = doubled.compiled.plugins
    assert metadata["fracas.plugins"] == f'{{"double":"{plugin.source_hash}"}}'
    assert metadata["fracas.asked"] == '{"n":null,"precision":0.5}'


def test_the_scenario_of_the_metadata_plays_the_same(tmp_path, scenario):
    path = tmp_path / "battles.parquet"
    table(path, scenario, 100)
    document = json.loads(polars.read_parquet_metadata(path)["fracas.scenario"])
    assert document == scenario.document
    assert fracas.run(document).digest == fracas.run(scenario).digest


def test_a_precision_writes_exactly_the_battles_that_count(tmp_path, scenario):
    path = tmp_path / "battles.parquet"
    results = fracas.simulate(scenario, precision=2.0, out=path)
    assert len(polars.read_parquet(path)) == results.battles


def test_ctrl_c_writes_the_prefix_that_is_counted(tmp_path, scenario):
    path = tmp_path / "battles.parquet"
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        results = fracas.simulate(
            scenario, 10**9, out=path, progress=lambda tally, total: signal.raise_signal(signal.SIGINT)
        )
    except KeyboardInterrupt:
        pytest.fail("Ctrl-C was not taken for the wish to stop")
    finally:
        signal.signal(signal.SIGINT, before)
    assert results.interrupted
    assert polars.read_parquet(path)["index"].to_list() == list(range(results.battles))


def test_ctrl_c_while_a_range_is_written_does_not_tear_it(tmp_path, scenario, monkeypatch):
    from fracas.lab.store import parquet as table_module

    columns, calls = table_module.columns, []

    def interrupting(first, results):
        calls.append(first)
        if len(calls) == 3:
            signal.raise_signal(signal.SIGINT)
        return columns(first, results)

    monkeypatch.setattr(table_module, "columns", interrupting)
    path = tmp_path / "battles.parquet"
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        results = fracas.simulate(scenario, 10**9, out=path)
    except KeyboardInterrupt:
        pytest.fail("Ctrl-C was not taken for the wish to stop")
    finally:
        signal.signal(signal.SIGINT, before)
    assert results.interrupted
    assert len(polars.read_parquet(path)) == results.battles


def test_a_summary_and_nothing_else_is_left_beside_the_file(tmp_path, scenario):
    table(tmp_path / "battles.parquet", scenario, 100)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["battles.parquet", "battles.summary.json"]


@pytest.mark.parametrize("name", ["battles.csv", "battles"])
def test_a_table_is_written_under_its_own_ending_alone(tmp_path, scenario, name):
    [problem] = problems_of(table, tmp_path / name, scenario, 100)
    assert problem.message == "must end in .parquet or .json"
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def no_table_library(monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "polars" else find(name, *rest)
    )


def test_without_the_table_library_the_extra_is_named(tmp_path, scenario, no_table_library):
    [problem] = problems_of(table, tmp_path / "battles.parquet", scenario, 100)
    assert problem.where == "out"
    assert problem.message == "writing Parquet needs the table library"
    assert problem.suggestion == "pip install 'fracas[report]'"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["missing/x.parquet", "file/x.parquet", "folder", "a\0b.parquet", f"{'x' * 300}.parquet"]
)
def test_a_place_that_cannot_be_written_is_refused_before_a_battle_is_played(tmp_path, scenario, monkeypatch, name):
    (tmp_path / "file").write_text("kept")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.setattr(
        "fracas.lab.simulation.simulate.make_player", lambda *_, **__: pytest.fail("battles were played")
    )
    [problem] = problems_of(table, f"{tmp_path}/{name}", scenario, 100)
    assert problem.where == f"{tmp_path}/{name}"
    assert sorted(tmp_path.rglob("*")) == before


def test_a_disk_that_fills_up_leaves_the_old_file_and_what_is_finished(tmp_path, scenario, monkeypatch):
    path = tmp_path / "battles.parquet"
    table(path, scenario, 100)
    before = path.read_bytes()

    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(polars.DataFrame, "write_parquet", refuse)
        full.setattr(polars.LazyFrame, "sink_parquet", refuse)
        [problem] = problems_of(table, path, scenario, 200)
    assert problem == fracas.Problem(
        str(path), "cannot be written: the disk is full", "make room, or write to another disk"
    )
    assert path.read_bytes() == before
    left = ["battles.parquet", "battles.parquet.run", "battles.summary.json"]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == left
    # There is room again.
    results = table(path, scenario, 200, resume=True)
    assert (results.battles, results.resumed, len(polars.read_parquet(path))) == (200, 200, 200)


def test_a_disk_that_fills_up_while_battles_are_played_is_told_too(tmp_path, scenario, monkeypatch):
    path = tmp_path / "battles.parquet"

    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("fracas.lab.store.parquet.TableWriter.add", refuse)
    [problem] = problems_of(table, path, scenario, 200)
    assert problem == fracas.Problem(
        str(path), "cannot be written: the disk is full", "make room, or write to another disk"
    )
    assert [entry.name for entry in tmp_path.iterdir()] == ["battles.parquet.run"]


def test_a_fault_leaves_nothing_behind(tmp_path, scenario, monkeypatch):
    # However fast this machine is, there is more than one range.
    monkeypatch.setattr("fracas.lab.execution.chunk_size.RANGE_SECONDS", 0.0)
    player = make_player(scenario, logged=False, battles=10**6)
    play_many = player.play_many

    def faulty(battles, first, results, logs, plugins):
        play_many(battles, first, results, logs, plugins)
        if first:
            results["fault"] = 1 << 8

    monkeypatch.setattr(
        "fracas.lab.simulation.simulate.make_player", lambda *_, **__: replace(player, play_many=faulty)
    )
    with pytest.raises(fracas.FaultError):
        table(tmp_path / "battles.parquet", scenario, 10_000)
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_before_the_first_battle_writes_a_table_without_rows(tmp_path, scenario, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("fracas.lab.simulation.simulate.make_player", interrupt)
    path = tmp_path / "battles.parquet"
    results = table(path, scenario, 100)
    assert (results.interrupted, results.battles) == (True, 0)
    frame = polars.read_parquet(path)
    assert (frame.columns, len(frame)) == (COLUMNS, 0)
