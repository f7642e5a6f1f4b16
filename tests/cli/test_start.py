"""Ctrl-C before the program is there, and while it waits for the compiler at its end."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from tests.helpers.commands import INTERRUPTED

from fracas.cli import app
from fracas.cli.shared.exit_status import DONE
from fracas.engine import lockstep

PRESS = """
import sys
from fracas.__main__ import main

class Press:
    def find_spec(self, name, *rest):
        if name == "fracas.cli.app":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Press())
sys.argv = {arguments}
main()
"""


@pytest.mark.parametrize("arguments", [["fracas"], ["fracas", "machine", "doctor", "--format", "json"]])
def test_ctrl_c_while_the_program_is_imported_ends_it_in_a_word(arguments):
    code = PRESS.format(arguments=arguments)
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (INTERRUPTED, "interrupted\n")
    assert json.loads(ended.stdout or "null") == ({"interrupted": True} if "json" in arguments else None)


class Left(Exception):
    """The program ended at once, with this status."""


@pytest.mark.parametrize(
    ("command", "status", "pressed", "told", "left"),
    [
        ("simulate", DONE, False, True, None),
        ("simulate", DONE, True, True, DONE),
        ("simulate", INTERRUPTED, False, False, INTERRUPTED),
        ("studio", DONE, False, False, DONE),
    ],
    ids=["waits", "Ctrl-C ends the wait", "Ctrl-C came before", "Ctrl-C is how it ends"],
)
def test_the_end_waits_for_the_compiler_unless_you_press_ctrl_c(
    monkeypatch, capsys, command, status, pressed, told, left
):
    waited = []

    def finish():
        waited.append(True)
        if pressed:
            raise KeyboardInterrupt

    def leave(status):
        raise Left(status)

    monkeypatch.setattr(lockstep, "compiling_rulesets", lambda: ["relics", "squads"])
    monkeypatch.setattr(lockstep, "finish_compiling", finish)
    monkeypatch.setattr(os, "_exit", leave)
    try:
        app._await_compiler(status, [command])
        ended = None
    except Left as error:
        (ended,) = error.args
    assert (ended, waited) == (left, [True] * told)
    assert ("Compiling the relics and squads rules" in capsys.readouterr().err) is told


def test_a_program_that_compiles_nothing_ends_as_ever(monkeypatch, capsys):
    monkeypatch.setattr(lockstep, "compiling_rulesets", list)
    app._await_compiler(DONE, [])
    assert capsys.readouterr().err == ""
