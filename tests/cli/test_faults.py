"""No traceback, ever: hostile input is bad input, our own faults are admitted in a sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from tests.helpers import soak
from tests.helpers.commands import BAD_INPUT, FAULT, INTERRUPTED
from tests.helpers.guards import ROOT
from tests.helpers.scenarios import EXAMPLES, SCENARIO, duel, written

import fracas

FIRST = EXAMPLES / "first-battle.toml"

HOSTILE = {
    "empty.toml": b"",
    "binary.toml": bytes(range(256)) * 10,
    "deep.toml": b"x = " + b"[" * 20_000,
    "deep.json": b'{"a":' * 20_000,
    "null.json": b"null",
    "broken.toml": SCENARIO.encode()[:-20],
    "latin.toml": SCENARIO.encode() + b"# \xe9",
    "types.toml": b'ruleset = "squads"\nsides = 3\noptions = []\nid = {}\n',
    "sides.toml": b'ruleset = "squads"\nsides = [1, "a"]\n',
    "ruleset.toml": b"ruleset = []\n",
    "units.json": json.dumps(duel(sides=[{"units": [[]]}, {"units": [None]}])).encode(),
    "keys.json": b'{"ruleset": "squads", "": 1, "a.b": 2, "\\u0000": 3}',
    "numbers.json": b'{"ruleset": "squads", "x": 1e999, "y": -0.0}',
    "long.toml": b'ruleset = "squads"\nx = ' + b"9" * 5000,
    "huge.toml": b"#" * (5 * 1024 * 1024),
    "surrogate.json": b'{"ruleset": "squads", "id": "\\ud800"}',
    "replay.json": b'{"format": "fracas-replay", "format_version": 1}',
}
COMMANDS = [
    ["run"],
    ["simulate", "-n", "10"],
    ["lab", "explain", "--unit", "1.x", "--when", "always"],
    ["validate"],
    ["content", "lint"],
    ["verify"],
    ["lab", "replay"],
]


@pytest.mark.parametrize(
    ("name", "command"), soak.some([(name, command) for name in HOSTILE for command in COMMANDS], 50)
)
def test_hostile_files_are_bad_input_for_every_command(fracas_cli, tmp_path, command, name):
    path = written(tmp_path, HOSTILE[name], name)
    ended = fracas_cli(*command, path, "--format", "json")
    assert ended.status == BAD_INPUT, ended.err
    assert ended.errors
    assert ended.err.count("error: ") == len(ended.errors)


@pytest.mark.parametrize("name", ["missing.toml", "folder", "file/x.toml", "a\0b.toml", f"{'x' * 300}.toml", ""])
@pytest.mark.parametrize("command", soak.some(COMMANDS, 3), ids=lambda command: command[0])
def test_places_without_a_file_are_bad_input_for_every_command(fracas_cli, tmp_path, monkeypatch, command, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    monkeypatch.chdir(tmp_path)
    ended = fracas_cli(*command, name, "--format", "json")
    assert ended.status == BAD_INPUT, ended.err
    assert ended.errors


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\x1b[2J", "\x07", "\x9b", "\u00ad", "\U000e0041"])
def test_json_moves_no_cursor_and_means_the_same(fracas_cli, tmp_path, mark):
    path = tmp_path / f"a{mark}b.json"
    ended = fracas_cli("run", path, "--format", "json")
    assert ended.out.rstrip("\n").isprintable()
    assert ended.errors == [
        {
            "where": str(path),
            "message": "there is no such file",
            "suggestion": None,
            "file": str(path),
            "path": None,
        }
    ]
    done = fracas_cli("run", written(tmp_path, json.dumps(duel(id=f"é{mark}")), "b.json"), "--format", "json")
    assert "é" in done.out
    assert done.out.rstrip("\n").isprintable()


@pytest.mark.parametrize("text", ["raise SystemExit(0)", "1 / 0", "import os, sys\nsys.exit('bye')", "def (:", "\0"])
def test_a_plug_in_that_cannot_be_loaded_is_bad_input(fracas_cli, tmp_path, text):
    ended = fracas_cli("run", FIRST, "--plugin", written(tmp_path, text, "stage.py"), "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"].startswith(str(tmp_path))


def plant(monkeypatch, error: BaseException) -> None:
    def broken(*_, **__):
        raise error

    monkeypatch.setattr("fracas.engine.battle.play_battle", broken)


@pytest.mark.parametrize("error", [RuntimeError("planted"), KeyError("planted"), RecursionError("planted")])
def test_a_fault_of_ours_is_admitted_in_a_sentence(fracas_cli, monkeypatch, error):
    plant(monkeypatch, error)
    ended = fracas_cli("run", FIRST)
    assert (ended.status, ended.out) == (FAULT, "")
    assert "planted" in ended.err
    assert "report" in ended.err
    assert len(ended.err.splitlines()) <= 3


def test_a_limit_of_ours_is_a_fault_too(fracas_cli, monkeypatch):
    plant(monkeypatch, fracas.FaultError("battle 0: planted"))
    ended = fracas_cli("run", FIRST, "--format", "json")
    assert ended.status == FAULT
    assert "battle 0: planted" in ended.err


def test_the_traceback_is_shown_to_those_who_ask_for_it(fracas_cli, monkeypatch):
    plant(monkeypatch, RuntimeError("planted"))
    monkeypatch.setenv("FRACAS_DEBUG", "1")
    ended = fracas_cli("run", FIRST)
    assert ended.status == FAULT
    assert "Traceback" in ended.err
    assert "RuntimeError: planted" in ended.err
    assert ended.out == ""


def test_ctrl_c_during_a_battle_ends_with_130(fracas_cli, monkeypatch):
    plant(monkeypatch, KeyboardInterrupt())
    ended = fracas_cli("run", FIRST)
    assert (ended.status, ended.out) == (INTERRUPTED, "")


def test_a_reader_that_has_enough_is_no_fault():
    command = f'"{sys.executable}" -m fracas run examples/squads/eight-a-side.toml --detail all | head -n 1'
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_a_name_that_is_no_text_is_told_all_the_same(tmp_path):
    name = bytes(tmp_path) + b"/\xff.toml"
    command = [os.fsencode(sys.executable), b"-m", b"fracas", b"run", name, b"--format", b"json"]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == BAD_INPUT
    assert b"Traceback" not in done.stderr
    [error] = json.loads(done.stdout)["errors"]
    assert error["message"] == "there is no such file"
