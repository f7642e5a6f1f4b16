"""`fracas simulate`: amounts, documents, tables and Ctrl-C."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys

import pytest
from tests.helpers.commands import BAD_INPUT, DONE, INTERRUPTED, RESULT_KEYS
from tests.helpers.guards import ROOT
from tests.helpers.scenarios import EXAMPLES, duel, loaded, written

import fracas

STANDARD = EXAMPLES / "standard-5v5.toml"
KEYS = [*RESULT_KEYS, "endings", "hp_left", "half_width"]


@pytest.fixture
def battle(tmp_path):
    return written(tmp_path, json.dumps(duel()), "duel.json")


def test_the_document_has_the_keys_of_the_contract(fracas_cli, battle):
    ended = fracas_cli("simulate", battle, "-n", "500", "--format", "json", "--seed", "s")
    assert ended.status == DONE
    assert list(ended.json)[: len(KEYS)] == KEYS
    expected = fracas.simulate(loaded(seed="s"), n=500, contributions=200).as_json()
    assert ended.json | {"timing": 0} == expected | {"timing": 0}
    assert len(ended.out.splitlines()) == 1


def test_the_document_does_not_depend_on_threads(fracas_cli, battle):
    documents = [
        fracas_cli("simulate", battle, "-n", "5000", "--format", "json", "--threads", threads).json | {"timing": 0}
        for threads in ("1", "2", "7")
    ]
    assert documents[0] == documents[1] == documents[2]


def test_without_an_amount_ten_thousand_are_played(fracas_cli, battle):
    assert fracas_cli("simulate", battle, "--format", "json").json["battles"] == 10_000


@pytest.mark.parametrize("precision", ["1", "1%", "1.0 %", " 1.0%"])
def test_precision_is_a_half_width_in_percentage_points(fracas_cli, battle, precision):
    document = fracas_cli("simulate", battle, "--precision", precision, "--format", "json").json
    assert document["battles"] == fracas.simulate(loaded(), precision=1.0).battles
    assert document["battles"] % 1024 == 0
    low, high = document["interval95"][0]
    assert (high - low) / 2 <= 0.01


@pytest.mark.parametrize(
    ("amounts", "where"),
    [
        (["-n", "0"], "-n"),
        (["-n", "-5"], "-n"),
        (["-n", "1000000000000"], "-n"),
        (["-n", "1000000001"], "-n"),
        (["-n", "100", "--precision", "1"], "-n, --precision"),
        (["--precision", "0"], "--precision"),
        (["--precision", "51"], "--precision"),
        (["--precision", "much"], "--precision"),
        (["--precision", "nan"], "--precision"),
        (["--precision", "-1"], "--precision"),
        (["--precision", ""], "--precision"),
        (["--threads", "0"], "--threads"),
        (["--threads", "1000"], "--threads"),
    ],
)
def test_amounts_that_cannot_be_meant_are_refused_at_once(fracas_cli, battle, amounts, where):
    option, *rest = amounts
    joined = [f"{option}={rest[0]}", *rest[1:]] if option.startswith("--") else amounts
    ended = fracas_cli("simulate", battle, *joined, "--format", "json")
    assert ended.status == BAD_INPUT
    [error] = ended.errors
    assert error["where"] == where


def test_the_options_of_run_are_there_too(fracas_cli, battle):
    options = ["--set", "sides.0.units.0.attack=500", "--set", "sides.0.units.0.speed=99", "--profile", "tuned"]
    document = fracas_cli("simulate", battle, "-n", "50", "--format", "json", *options).json
    assert (document["wins"], document["profile"]) == ([50, 0], "tuned")


def test_bad_input_is_a_document_too(fracas_cli, tmp_path):
    ended = fracas_cli("simulate", tmp_path / "missing.toml", "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["message"] == "there is no such file"


# Tables.


def test_a_table_is_written_and_said_so_on_stderr(fracas_cli, battle, tmp_path):
    import polars

    path = tmp_path / "battles.parquet"
    ended = fracas_cli("simulate", battle, "-n", "300", "--out", path, "--format", "json")
    assert ended.json["battles"] == len(polars.read_parquet(path)) == 300
    assert str(path) in ended.err
    assert str(path) not in ended.out


def test_without_the_table_library_the_extra_is_named(fracas_cli, battle, tmp_path, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "polars" else find(name, *rest)
    )
    ended = fracas_cli("simulate", battle, "-n", "300", "--out", tmp_path / "x.parquet", "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["suggestion"] == "pip install 'fracas[report]'"
    assert not (tmp_path / "x.parquet").exists()


@pytest.mark.parametrize("name", ["missing/x.parquet", "file/x.parquet", "folder", f"{'x' * 300}.parquet"])
def test_a_place_that_cannot_be_written_leaves_nothing_behind(fracas_cli, battle, tmp_path, name):
    (tmp_path / "file").write_text("kept")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    ended = fracas_cli("simulate", battle, "-n", "300", "--out", f"{tmp_path}/{name}", "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"] == f"{tmp_path}/{name}"
    assert sorted(tmp_path.rglob("*")) == before


# Ctrl-C, in a process of its own. It says on stderr when the first battles are counted; only then it is interrupted.

PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from fracas.cli.app import main
from fracas.lab.execution.tally import Tally
add = Tally.add_until_precise
def told(tally, *rest):
    counted = add(tally, *rest)
    print("counting", file=sys.stderr, flush=True)
    Tally.add_until_precise = add
    return counted
Tally.add_until_precise = told
main()
"""


def interrupted(*arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-c", PROGRAM, "simulate", str(STANDARD), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stderr is not None
        said = ""
        while "counting" not in said:
            line = process.stderr.readline()
            assert line, said
            said += line
        os.kill(process.pid, signal.SIGINT)
        out, rest = process.communicate(timeout=60)
    return process.returncode, out, said + rest


def test_ctrl_c_writes_what_is_done_and_ends_with_130(tmp_path):
    import polars

    path = tmp_path / "battles.parquet"
    status, out, err = interrupted("-n", "1000000000", "--out", str(path))
    assert status == INTERRUPTED
    assert "Traceback" not in err
    assert "interrupted" in out
    frame = polars.read_parquet(path)
    assert f"{len(frame):,} battles" in out
    assert f"wrote {path} with the {len(frame):,} battles so far" in err
    left = ["battles.parquet", "battles.parquet.run", "battles.summary.json"]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == left
    document = json.loads((tmp_path / "battles.summary.json").read_text())
    assert document["interrupted"] is True
    assert 0 < document["battles"] == len(frame) < 10**9
    again = fracas.simulate(STANDARD, n=document["battles"]).as_json() | {"interrupted": True}
    del again["timing"]
    assert {key: document[key] for key in again} == again


def press_ctrl_c(*_, **__):
    raise KeyboardInterrupt


def test_ctrl_c_before_the_first_battle_is_a_document_too(fracas_cli, battle, monkeypatch):
    monkeypatch.setattr("fracas.lab.simulation.simulate.make_player", press_ctrl_c)
    ended = fracas_cli("simulate", battle, "-n", "500", "--format", "json")
    assert (ended.status, list(ended.json)) == (INTERRUPTED, KEYS)
    assert (ended.json["interrupted"], ended.json["battles"]) == (True, 0)
    assert "No battle was played." in fracas_cli("simulate", battle).out


def test_ctrl_c_before_there_is_a_scenario_is_a_document_too(fracas_cli, battle, monkeypatch):
    monkeypatch.setattr("fracas.engine.scenario.load_scenario", press_ctrl_c)
    ended = fracas_cli("simulate", battle, "--format", "json")
    assert (ended.status, ended.json) == (INTERRUPTED, {"interrupted": True})
    assert fracas_cli("simulate", battle).out == ""


def test_plain_python_plays_on_one_thread_and_says_so(fracas_cli, battle, monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    document = fracas_cli("simulate", battle, "-n", "20", "--threads", "4", "--format", "json").json
    assert document["timing"]["threads"] == 1


@pytest.mark.parametrize(("number", "status"), [("1.5", BAD_INPUT), ("2.0", DONE), ("0x10", DONE)])
def test_a_number_of_battles_is_not_rounded(fracas_cli, number, status):
    assert fracas_cli("simulate", ROOT / "examples/squads/coin-toss.toml", "-n", number).status == status
