"""Where output goes and what it may hold: closed and full streams, narrow encodings, escapes, users' prints."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from tests.helpers import soak
from tests.helpers.commands import BAD_INPUT, DONE
from tests.helpers.guards import ROOT
from tests.helpers.replays import chain_with, plugin_file
from tests.helpers.scenarios import EXAMPLES, duel, written

FIRST = "examples/squads/first-battle.toml"
ESCAPE = "\x1b[2J"


def in_shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a shell says to `fracas ...`, the program being a child of its own."""
    program = f'"{sys.executable}" -m fracas'
    return subprocess.run(
        ["bash", "-c", command.replace("fracas", program, 1)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("unbuffered", soak.some(["1", ""], 1))
@pytest.mark.parametrize("options", soak.some(["", "--detail all", "--format json"], 1))
def test_output_that_is_full_is_told(options, unbuffered):
    done = in_shell(f"fracas run {FIRST} {options} > /dev/full", PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == BAD_INPUT
    assert done.stderr.splitlines() == ["error: standard output: cannot be written: No space left on device"]


def test_errors_for_an_output_that_is_full_are_told_all_the_same():
    done = in_shell("fracas run missing.toml --format json > /dev/full")
    assert done.returncode == BAD_INPUT
    assert "missing.toml: there is no such file" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("unbuffered", soak.some(["", "1"], 1))
def test_remarks_that_cannot_be_written_change_nothing(unbuffered):
    done = in_shell("fracas run missing.toml --format json 2> /dev/full", PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == BAD_INPUT
    assert json.loads(done.stdout)["errors"]


def test_output_that_is_closed_is_told():
    done = in_shell(f"fracas run {FIRST} >&-")
    assert done.returncode == BAD_INPUT
    assert done.stderr == "error: standard output: cannot be written: it is closed\n"


def test_remarks_do_not_end_in_the_result_if_their_stream_is_closed():
    done = in_shell("fracas run missing.toml --format json 2>&-")
    assert done.returncode == BAD_INPUT
    assert json.loads(done.stdout)["errors"]


@pytest.mark.parametrize("encoding", soak.some(["latin-1", "ascii", "utf-8"], 1))
def test_any_encoding_will_do(fracas_cli, tmp_path, encoding):
    # Text in a narrow encoding is in test_narrow_terminals.py.
    document = duel(id="žluťoučký 🐴")
    path = written(tmp_path, json.dumps(document), "duel.json")
    as_json = in_shell(f"fracas run {path} --format json", PYTHONIOENCODING=encoding)
    assert (as_json.returncode, as_json.stderr) == (DONE, "")
    assert json.loads(as_json.stdout) == fracas_cli("run", path, "--format", "json").json
    assert json.loads(as_json.stdout)["scenario"] == document["id"]


def test_half_a_character_is_bad_input(fracas_cli, tmp_path):
    path = written(tmp_path, b'{"ruleset": "squ\\ud800ads"}', "half.json")
    for options in ([], ["--format", "json"]):
        ended = fracas_cli("run", path, *options)
        assert ended.status == BAD_INPUT


def test_nothing_that_moves_the_cursor_is_printed(fracas_cli, tmp_path):
    path = written(tmp_path, json.dumps(duel(seed=f"a{ESCAPE}b\nc")), "duel.json")
    for command in (["run", path], ["simulate", path, "-n", "10"], ["run", path, "--set", f"sides.{ESCAPE}=1"]):
        ended = fracas_cli(*command)
        assert "\x1b" not in ended.out + ended.err
    assert "error" not in fracas_cli("run", path).err


def test_a_files_name_cannot_pretend_to_be_another_error(fracas_cli):
    ended = fracas_cli("run", f"x\nerror: {ESCAPE}all is well.toml")
    assert ended.status == BAD_INPUT
    assert len(ended.err.splitlines()) == 1
    assert "\x1b" not in ended.err


PRINTING = """\
import fracas

print("loaded")


@fracas.damage_stage
def loud(battle, actor, target, value):
    print("called")
    return value
"""


@pytest.mark.parametrize(
    "command", [["run"], ["simulate", "-n", "5"], ["lab", "explain", "--unit", "1.kael", "--when", "always"]]
)
def test_what_a_plug_in_prints_is_not_part_of_the_result(fracas_cli, tmp_path, monkeypatch, command):
    monkeypatch.setenv("FRACAS_JIT", "0")
    path = written(tmp_path, json.dumps(duel(options=chain_with("loud"))), "duel.json")
    file = plugin_file(tmp_path, PRINTING)
    ended = fracas_cli(*command, path, "--plugin", file, "--format", "json")
    assert ended.status == DONE
    assert ended.json
    assert "loaded" in ended.err
    assert "called" in ended.err


def test_what_a_plug_in_prints_is_not_part_of_a_verification(fracas_cli, tmp_path, monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    path = written(tmp_path, json.dumps(duel(options=chain_with("loud"))), "duel.json")
    file, replay = plugin_file(tmp_path, PRINTING), tmp_path / "battle.json"
    fracas_cli("run", path, "--plugin", file, "--save", replay)
    ended = fracas_cli("verify", replay, "--plugin", file, "--format", "json")
    assert (ended.status, ended.json["replays"][0]["matches"]) == (DONE, True)


def test_a_plug_in_that_leaves_the_program_is_bad_input(fracas_cli, tmp_path, monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    text = PRINTING.replace('print("called")', "if battle.tick > 1:\n        raise SystemExit(0)")
    path = written(tmp_path, json.dumps(duel(options=chain_with("loud"))), "duel.json")
    ended = fracas_cli("run", path, "--plugin", plugin_file(tmp_path, text), "--format", "json")
    assert ended.status == BAD_INPUT
    assert "raises SystemExit" in ended.errors[0]["message"]


def test_the_examples_have_nothing_to_hide(fracas_cli):
    assert "·" not in fracas_cli("run", EXAMPLES / "first-battle.toml", "--detail", "all").out
