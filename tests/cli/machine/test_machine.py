"""`fracas machine bench`, `compile` and `doctor`: what this machine does."""

from __future__ import annotations

import json

import pytest
from tests.helpers.commands import BAD_INPUT, DONE, INTERRUPTED
from tests.helpers.compiled import mark_as_compiled
from tests.helpers.guards import ROOT
from tests.helpers.scenarios import EXAMPLES

import fracas
from fracas.engine.execution_mode import FEW_BATTLES
from fracas.kernel import jit
from fracas.rulesets import registry

ROW = {
    "ruleset",
    "scenario",
    "threads",
    "battles",
    "seconds",
    "battles_per_second",
    "rounds_total",
    "wins",
    "draws",
    "checksum",
}
BENCHMARKS = [(name, scenario) for name in registry.NAMES for scenario in registry.get(name).benchmarks]


def bench(fracas_cli, *options):
    ended = fracas_cli("machine", "bench", "--seconds", "0.05", "--format", "json", *options)
    assert ended.status == DONE
    return ended.json


def test_there_is_a_row_for_each_scenario_and_number_of_threads(fracas_cli):
    rows = bench(fracas_cli, "--threads", "2")
    wanted = [(name, threads) for name, _ in BENCHMARKS for threads in (1, 2)]
    assert [(row["ruleset"], row["threads"]) for row in rows] == wanted
    assert all(set(row) >= ROW for row in rows)
    for row in rows:
        assert row["battles"] == sum(row["wins"]) + row["draws"] > 0
        assert row["battles_per_second"] == pytest.approx(row["battles"] / row["seconds"], rel=0.05)


def test_every_battle_is_played_and_the_checksum_says_so(fracas_cli):
    [row] = bench(fracas_cli, "squads", "--threads", "1")
    results = fracas.simulate(EXAMPLES / f"{row['scenario']}.toml", n=row["battles"])
    tally = results.tally
    assert (row["rounds_total"], row["wins"], row["draws"]) == (tally.rounds, list(results.wins), results.draws)
    assert int(row["checksum"], 16) == tally.checksum()


def test_a_benchmark_is_a_table_of_text_too(fracas_cli):
    ended = fracas_cli("machine", "bench", "squads", "--seconds", "0.05", "--threads", "1")
    assert ended.status == DONE
    assert "checksum" in ended.out.splitlines()[0]
    assert "squads/standard-5v5" in ended.out


@pytest.mark.parametrize(
    ("options", "where"),
    [(["chess"], "RULESET"), (["--seconds", "0"], "--seconds"), (["--threads", "0"], "--threads")],
)
def test_amounts_that_cannot_be_meant_are_refused(fracas_cli, options, where):
    ended = fracas_cli("machine", "bench", *options, "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"] == where


def test_doctor_says_versions_cache_and_what_is_compiled(fracas_cli, tmp_path, monkeypatch):
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path / "cache"))
    document = fracas_cli("machine", "doctor", "--format", "json").json
    assert document["fracas"] == fracas.__version__
    assert {"numba", "numpy", "blake3"} <= set(document["libraries"])
    assert document["rules"] == {name: registry.get(name).rules_version for name in registry.NAMES}
    assert document["cache"] == str(tmp_path / "cache")
    assert document["compiled"] == {name: [] for name in registry.NAMES}
    assert not (tmp_path / "cache").exists()
    text = fracas_cli("machine", "doctor")
    assert (text.status, text.err) == (DONE, "")
    assert fracas.__version__ in text.out


def test_doctor_says_what_is_damaged(fracas_cli, tmp_path, monkeypatch):
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path / "cache"))
    entry = registry.get("squads").kernels.play_many
    files = {form: mark_as_compiled(entry, form) for form in ("silent", "logged")}
    files["logged"].write_bytes(b"")
    document = fracas_cli("machine", "doctor", "--format", "json").json
    assert document["compiled"]["squads"] == ["silent"]
    assert document["damaged"]["squads"] == ["logged"]
    assert document["cache_problem"] is None
    assert "logged; will be compiled again at the next use" in fracas_cli("machine", "doctor").out


def test_a_cache_that_others_can_write_is_said_and_not_filled(fracas_cli, no_compiler, tmp_path):
    folder = tmp_path / "cache"
    mark_as_compiled(registry.get("squads").kernels.play_many, "silent")
    folder.chmod(0o777)
    document = fracas_cli("machine", "doctor", "--format", "json").json
    assert document["compiled"]["squads"] == []
    assert document["cache_problem"] == f"others can write {folder}: use chmod go-w"
    assert f"The cache is not used: others can write {folder}" in fracas_cli("machine", "doctor").out.replace("\n", " ")
    ended = fracas_cli("machine", "compile", "squads")
    assert (ended.status, no_compiler) == (BAD_INPUT, [])
    assert "compiled code cannot be stored" in ended.err


@pytest.fixture
def no_compiler(monkeypatch, tmp_path):
    """A cache folder of one's own, and a compiler that only takes notes."""
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FRACAS_JIT", "0")
    compiled: list[tuple[str, bool, bool]] = []

    def prepare(kernels, name, record, log, plugins, notice):
        compiled.append((name, log is not None, plugins is not None))
        return kernels.play_many

    monkeypatch.setattr("fracas.engine.player.prepare_native", prepare)
    monkeypatch.setattr("fracas.engine.lockstep.LaneCode.finish", lambda code: None)
    monkeypatch.setattr("fracas.plugins.compile.idle_plugins", lambda kernels: kernels.plugin and (len,) * 16)
    return compiled


def test_compile_prepares_every_variant(fracas_cli, no_compiler):
    ended = fracas_cli("machine", "compile", "--format", "json")
    assert ended.status == DONE
    takes_plugins = {name: registry.get(name).kernels.plugin is not None for name in registry.NAMES}
    wanted = [
        (name, logged, plugins)
        for name in registry.NAMES
        for logged in (False, True)
        for plugins in ((False, True) if takes_plugins[name] else (False,))
    ]
    assert sorted(no_compiler) == sorted(wanted)
    lanes = [row["ruleset"] for row in ended.json["compiled"] if row["variant"].startswith("lanes")]
    assert lanes == [name for name in registry.NAMES if registry.get(name).kernels.lockstep is not None]
    assert len(ended.json["compiled"]) == len(wanted) + len(lanes)


def test_compile_refuses_an_unknown_ruleset(fracas_cli, no_compiler):
    assert fracas_cli("machine", "compile", "chess").status == BAD_INPUT
    assert no_compiler == []


def test_clearing_the_cache_removes_what_was_compiled_and_nothing_else(fracas_cli, no_compiler, tmp_path):
    mark_as_compiled(registry.get("squads").kernels.play_many, "silent")
    for name in ("thesis.txt", "photos/cat.png"):
        path = tmp_path / "cache" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("irreplaceable")
    assert fracas_cli("machine", "compile", "--clear").status == DONE
    assert not jit.is_cached(registry.get("squads").kernels.play_many, "silent")
    assert (tmp_path / "cache" / "thesis.txt").exists()
    assert (tmp_path / "cache" / "photos" / "cat.png").exists()


@pytest.mark.parametrize("arguments", [["chess", "--clear"], ["--clear", "--format", "xml"]])
def test_nothing_is_cleared_if_the_command_line_is_wrong(fracas_cli, no_compiler, arguments):
    mark_as_compiled(registry.get("squads").kernels.play_many, "silent")
    assert fracas_cli("machine", "compile", *arguments).status == BAD_INPUT
    assert jit.is_cached(registry.get("squads").kernels.play_many, "silent")


def test_only_folders_of_compiled_rules_are_cleared(fracas_cli, no_compiler, tmp_path):
    kept = ["squads-notes", "squads-0123456789abcdef0", "chess-0123456789abcdef", "squads"]
    for name in (*kept, "squads-0123456789abcdef"):
        (tmp_path / "cache" / name).mkdir(parents=True)
    assert fracas_cli("machine", "compile", "--clear").status == DONE
    assert sorted(entry.name for entry in (tmp_path / "cache").iterdir()) == sorted(kept)


def test_a_benchmark_of_plain_python_has_one_thread(fracas_cli, monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    assert {row["threads"] for row in bench(fracas_cli, "titans", "--threads", "3")} == {1}


@pytest.mark.parametrize(("setting", "compiles"), [("", True), ("1", True), ("0", False)])
def test_a_benchmark_begins_with_as_many_battles_as_are_compiled_for(fracas_cli, monkeypatch, setting, compiles):
    begun = []

    def note(scenario, battles, threads):
        begun.append(battles)
        raise KeyboardInterrupt

    monkeypatch.setattr("fracas.cli.machine.bench._played", note)
    monkeypatch.setenv("FRACAS_JIT", setting)
    assert fracas_cli("machine", "bench", "stacks").status == INTERRUPTED
    assert (begun[0] > FEW_BATTLES) == compiles


def test_ctrl_c_ends_a_benchmark(fracas_cli, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("fracas.lab.simulation.simulate.make_player", interrupt)
    assert fracas_cli("machine", "bench").status == INTERRUPTED


def test_documents_of_this_machine_are_json(fracas_cli, no_compiler):
    for command in (["machine doctor"], ["machine compile"]):
        assert json.loads(fracas_cli(*command, "--format", "json").out)


def test_doctor_says_how_many_battles_of_a_scenario_are_played_at_a_time(fracas_cli):
    ended = fracas_cli("machine", "doctor", str(ROOT / "examples" / "squads" / "first-battle.toml"), "--format", "json")
    assert ended.status == DONE
    assert list(ended.json["scenario"].values()) == ["64 battles side by side, in lanes of 16 bits"]
    assert ended.json["lanes"]["delve"] == "none: one battle at a time"
    assert ended.json["lanes"]["squads"].startswith("64 battles side by side, on vectors of ")
    assert ended.json["lanes"]["relics"].startswith("64 battles side by side, on vectors of ")


def test_doctor_says_why_a_scenario_of_relics_is_not_played_in_lanes(fracas_cli, tmp_path):
    thing = {"id": "thing", "triggers": {"turn_start": [{"if": "self.hp_pct > enemy.hp_pct", "do": [["heal", 1]]}]}}
    file = tmp_path / "shares.json"
    file.write_text(json.dumps({"ruleset": "relics", "id": "shares", "left": {"items": [thing]}, "right": {}}))
    ended = fracas_cli("machine", "doctor", str(file), "--format", "json")
    assert ended.status == DONE
    assert [text.startswith("one battle at a time, because a cond") for text in ended.json["scenario"].values()] == [
        True
    ]
