"""`--verbose`: remarks on stderr about who plays, and nothing else changes."""

from __future__ import annotations

import logging

import pytest
from tests.helpers.guards import ROOT

from fracas.cli.shared.verbose import without_verbose

COIN = str(ROOT / "examples" / "squads" / "coin-toss.toml")


@pytest.mark.parametrize(("setting", "said"), [("0", "plain Python"), ("wasm", "WebAssembly")])
def test_it_says_who_plays(fracas_cli, monkeypatch, setting, said):
    monkeypatch.setenv("FRACAS_JIT", setting)
    quiet = fracas_cli("simulate", COIN, "-n", "20", "--contributions", "0", "--format", "json")
    told = fracas_cli("simulate", COIN, "-n", "20", "--contributions", "0", "--format", "json", "--verbose")
    assert f"20 battles of squads: {said}." in told.err
    assert said not in quiet.err
    assert told.json["wins"] == quiet.json["wins"]
    assert logging.getLogger("fracas").handlers == []


def test_any_place_of_the_command_line_is_right_and_a_file_may_have_the_name():
    assert without_verbose(["--verbose", "run", "a"]) == (["run", "a"], True)
    assert without_verbose(["run", "a", "--verbose"]) == (["run", "a"], True)
    assert without_verbose(["run", "--", "--verbose"]) == (["run", "--", "--verbose"], False)
    assert without_verbose(["run", "a"]) == (["run", "a"], False)
