"""`fracas report`: what it writes, what it says, and what it refuses before anything is played."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from tests.helpers.commands import BAD_INPUT, DONE, INTERRUPTED
from tests.helpers.guards import ROOT
from tests.helpers.pages import Page, references

COIN = ROOT / "examples/squads/coin-toss.toml"
SAMPLES = ROOT / "tests/reports/samples"


@pytest.fixture
def here(tmp_path: Path, monkeypatch) -> Path:
    """A folder to stand in, with a scenario and a saved result."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(COIN, "coin.toml")
    shutil.copy(SAMPLES / "compare.json", "compare.json")
    return tmp_path


def test_a_scenario_and_a_result_become_one_page(fracas_cli, here):
    ended = fracas_cli("report", "coin.toml", "compare.json", "-n", "8", "--seed", "tails", "--out", "page.html")
    assert ended.status == DONE
    assert "is better than" in ended.out
    assert ended.err.splitlines()[-1] == "wrote page.html"
    made = Path("page.html").read_text(encoding="utf-8")
    page = Page(made)
    # Its one script is its own, and asks for nothing.
    own = re.sub(r"<script.*?</script>", "", made, flags=re.DOTALL)
    assert references(own) == []
    assert [tag for tag, name, _ in page.asked if tag == "script"] == []
    for piece in ("coin-toss", "of 8 battles", "What each stat is worth", "seed tails", "sides"):
        assert piece in page.words
    assert "fracas report coin.toml compare.json -n 8 --seed tails --out page.html" in page.words
    assert str(here) not in made


def test_without_battles_the_script_only_sorts_tables(fracas_cli, here):
    ended = fracas_cli("report", "coin.toml", "-n", "8", "--no-battles", "--out", "page.html", "--format", "json")
    assert (ended.status, ended.json["battles"]) == (DONE, [])
    made = Path("page.html").read_text(encoding="utf-8")
    assert references(made) == ["<script>"]
    assert "wasm" not in made.partition("<style>")[0]
    assert "worker-src" not in made
    assert "--no-battles" in Page(made).words


def test_the_same_command_writes_the_same_bytes(fracas_cli, here):
    pages = []
    for threads in ("1", "2"):
        fracas_cli("report", "coin.toml", "-n", "8", "--threads", threads, "--out", "page.html")
        pages.append(Path("page.html").read_bytes())
    assert pages[0] == pages[1]


def test_two_scenarios_are_compared(fracas_cli, here):
    text = Path("coin.toml").read_text(encoding="utf-8")
    Path("other.toml").write_text(text.replace("coin-toss", "other-coin"), encoding="utf-8")
    ended = fracas_cli(
        "report", "coin.toml", "other.toml", "-n", "8", "--set", "sides.0.units.0.attack=50", "--out", "page.html"
    )
    assert ended.status == DONE
    assert [line for line in ended.out.splitlines() if line.startswith("not here: ")] == []


def test_json_tells_the_sections(fracas_cli, here):
    ended = fracas_cli("report", "compare.json", "--out", "page.html", "--format", "json")
    assert (ended.status, ended.json["command"], ended.json["interrupted"]) == (DONE, "report", False)
    assert [section["command"] for section in ended.json["sections"]] == ["compare"]
    assert ended.json["summary"]
    assert ended.json["missing"] == []


def test_a_section_names_its_inputs_and_versions(fracas_cli, here):
    saved = json.loads(Path("compare.json").read_text(encoding="utf-8"))
    [section] = fracas_cli("report", "compare.json", "--out", "page.html", "--format", "json").json["sections"]
    for key in ("ruleset", "seed", "profile", "rules_version", "content_fingerprint", "interrupted"):
        assert section[key] == saved[key]


def test_what_a_ruleset_does_not_offer_is_told_and_the_rest_is_shown(fracas_cli, here, monkeypatch):
    from fracas.errors import InputError
    from fracas.reports import default_analyses

    def refuse(*_, **__):
        raise InputError.of("a list of stats", "is not available for this ruleset (squads)")

    monkeypatch.setattr(default_analyses, "sensitivity", refuse)
    ended = fracas_cli("report", "coin.toml", "-n", "8", "--no-battles", "--out", "page.html")
    assert ended.status == DONE
    assert "missing: sensitivity of coin-toss: a list of stats: is not available" in ended.out
    assert "What is not here" in Page(Path("page.html").read_text(encoding="utf-8")).words


def test_what_is_done_when_it_is_interrupted_is_written(fracas_cli, here, monkeypatch):
    from fracas.reports import default_analyses

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(default_analyses, "sensitivity", interrupt)
    ended = fracas_cli("report", "coin.toml", "-n", "8", "--out", "page.html", "--format", "json")
    assert (ended.status, ended.json["interrupted"]) == (INTERRUPTED, True)
    assert "Interrupted:" in Page(Path("page.html").read_text(encoding="utf-8")).words
    monkeypatch.setattr(default_analyses, "simulate", interrupt)
    Path("page.html").unlink()
    ended = fracas_cli("report", "coin.toml", "-n", "8", "--out", "page.html", "--format", "json")
    assert (ended.status, ended.json) == (INTERRUPTED, {"interrupted": True})
    assert not Path("page.html").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--out", "page.html"], "FILES"),
        (["coin.toml"], "--out"),
        (["none.toml", "--out", "page.html"], "none.toml: there is no such file"),
        (["none.json", "--out", "page.html"], "none.json: there is no such file"),
        (["coin.toml", "-n", "0", "--out", "page.html"], "-n: 0 is out of range"),
        (["coin.toml", "--stream", "-1", "--out", "page.html"], "--stream"),
        (["coin.toml", "--threads", "0", "--out", "page.html"], "--threads"),
        (["coin.toml", "--set", "x", "--out", "page.html"], "PATH=VALUE"),
        (["coin.toml", "--profile", "classi", "--out", "page.html"], "classic"),
        (["coin.toml", "--out", "coin.toml"], "one of the report's inputs"),
        (["coin.toml", "--out", "nowhere/page.html"], "no such folder"),
        (["coin.toml", "--out", "."], "it is a folder"),
        (["broken.json", "--out", "page.html"], 'command: results of "simulat" cannot be shown'),
        ([".", "--out", "page.html"], "is a folder"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_written(fracas_cli, here, arguments, words):
    Path("broken.json").write_text('{"command": "simulat"}')
    before = Path("coin.toml").read_bytes()
    ended = fracas_cli("report", *arguments)
    assert ended.status == BAD_INPUT
    assert words in ended.err
    assert not Path("page.html").exists()
    assert Path("coin.toml").read_bytes() == before
    assert list(here.glob(".*")) == []


@pytest.mark.parametrize("library", ["altair", "vl_convert", "jinja2"])
def test_a_missing_extra_is_named(fracas_cli, here, monkeypatch, library):
    import importlib.util

    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == library else find_spec(name))
    ended = fracas_cli("report", "compare.json", "--out", "page.html")
    assert ended.status == BAD_INPUT
    assert "pip install 'fracas[report]'" in ended.err


def test_a_saved_result_shows_what_the_command_would(fracas_cli, here):
    printed = fracas_cli("simulate", "coin.toml", "-n", "8", "--format", "json")
    Path("saved.json").write_text(printed.out, encoding="utf-8")
    told = fracas_cli("report", "saved.json", "--out", "page.html").out
    assert json.loads(printed.out)["scenario"] in told
    assert "of 8 battles" in told
