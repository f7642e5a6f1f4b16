"""`fracas.report`: what it takes, what it gives, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.guards import ROOT
from tests.helpers.pages import Page, references
from tests.helpers.scenarios import duel, fighter

import fracas
from fracas.errors import InputError

COIN = ROOT / "examples/squads/coin-toss.toml"
SAVED = ROOT / "tests/reports/samples/compare.json"


@pytest.fixture(scope="module")
def results():
    return fracas.simulate(COIN, n=8)


def test_results_files_and_saved_documents_become_one_page(results, tmp_path):
    out = tmp_path / "page.html"
    made = fracas.report([results, SAVED], out)
    assert isinstance(made, fracas.Report)
    assert out.read_text(encoding="utf-8") == made.html
    assert references(made.html) == ["<script>"]
    assert [section["command"] for section in made.as_json()["sections"]] == ["compare", "simulate"]
    assert "is better than" in made.summary[0]
    assert not made.interrupted
    assert repr(made) == "<Report: 2 sections>"


def test_a_report_shows_itself_in_a_notebook_without_running_anything(results):
    page = Page(fracas.report([results])._repr_html_())
    assert page.tags == ["iframe"]
    assert page.attributes[0][2].startswith("<!doctype html>")


def test_a_result_and_its_saved_document_make_the_same_sections(results, tmp_path):
    path = tmp_path / "saved.json"
    path.write_text(json.dumps(results.as_json()))
    assert fracas.report([path]).summary == fracas.report([results]).summary


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"sources": str(COIN)}, "is not a list of scenarios and results"),
        ({"sources": []}, "no files to report on"),
        ({"sources": [3]}, r"sources\[0\]"),
        ({"sources": [COIN], "n": 0}, "n: 0 is out of range"),
        ({"sources": [COIN], "side": 3}, "side"),
        ({"sources": [COIN], "stream": -1}, "stream"),
        ({"sources": [COIN], "threads": 0}, "threads"),
        ({"sources": [COIN], "seed": 3}, "seed: 3 is not a string"),
        ({"sources": [COIN], "out": 3}, "out: 3 is not a path"),
        ({"sources": [COIN], "out": "nowhere/page.html"}, "no such folder"),
        ({"sources": [SAVED], "out": SAVED}, "one of the report's inputs"),
        ({"sources": [{"ruleset": "squad"}]}, "squads"),
    ],
)
def test_bad_input_is_refused(arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=words):
        fracas.report(**arguments)
    assert list(Path.cwd().iterdir()) == []


def test_two_scenarios_have_one_answer_by_all_pairs():
    """The comparison is of the battles that are simulated, and nothing ends it before the last of them."""
    weak = duel(id="weak", seed="other", sides=[{"units": [fighter(hp=30)]}, {"units": [fighter(hp=60)]}])
    strong = duel(id="strong", sides=[{"units": [fighter(hp=60)]}, {"units": [fighter(hp=30)]}])
    found = fracas.report([weak, strong], n=12)
    documents: list[Any] = [each for each in found.content.documents if each.command in ("simulate", "compare")]
    first, second, compared = documents
    assert {first.seed, second.seed, compared.seed} == {"other"}
    assert compared.pairs == 12
    assert [compared.a.wins, compared.b.wins] == [each.wins[0] for each in (first, second)]
    assert not any("stopped early" in told for told in compared.findings())


def test_a_comparison_that_stopped_early_says_so():
    found = fracas.compare(duel(), overrides={"sides.0.units.0.attack": 90}, n=5000)
    assert found.pairs < 5000
    [told] = [each for each in found.findings() if "The test stopped" in each]
    assert f"after {found.pairs:,} of 5,000 pairs" in told
