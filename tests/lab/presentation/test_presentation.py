"""Results as tables and charts: from the result and from its saved document the same, and valid for Altair."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import altair
import polars
import pytest
from tests.helpers import soak

import fracas
from fracas.cli.commands import commands
from fracas.errors import InputError
from fracas.lab.presentation import chart_parts
from fracas.lab.presentation.documents import COMMANDS, PRINTED_BY, document_of, printed_by
from fracas.lab.presentation.svg_charts import NARROW, WIDE, page_theme, svg

SAMPLES = sorted((Path(__file__).parents[2] / "reports" / "samples").glob("*.json"))
# Every sample in one of the widths in turn; in a soak in both.
WIDTHS = (WIDE, NARROW)
COIN = "examples/squads/coin-toss.toml"


@pytest.fixture(scope="module")
def results():
    """A result of each function of the interface that gives one, all small."""
    coin, heavy = fracas.load(COIN), fracas.load(COIN, overrides={"sides.0.units.0.attack": 60})
    duel = "examples/relics/first-duel.toml"
    return {
        "simulate": fracas.simulate(coin, n=16),
        "odds": fracas.odds(coin, n=16, simulate=True),
        "compare": fracas.compare(coin, heavy, n=16),
        "sweep": fracas.sweep(coin, {"sides.0.units.0.attack": [20, 40]}, n=16),
        "sensitivity": fracas.sensitivity(coin, n=16),
        "find": fracas.find(coin, "winner == 2"),
        "matchups": fracas.matchups([coin, heavy], n=16),
        "ladder": fracas.ladder(duel, n=1),
    }


@pytest.mark.parametrize(
    "command", ["simulate", "odds", "compare", "sweep", "sensitivity", "find", "matchups", "ladder"]
)
def test_a_result_is_shown_by_its_document(results, command):
    result = results[command]
    document = json.loads(json.dumps(result.as_json()))
    assert document["command"] == command
    assert result.as_json() == document_of(document, "saved").as_json()
    tables = result.tables()
    assert result.table().equals(next(iter(tables.values())))
    assert all(isinstance(table, polars.DataFrame) for table in tables.values())
    page = result._repr_mimebundle_()["text/html"]
    assert "<table" in page
    assert ("<svg" in page) == bool(result.charts())


def test_a_table_holds_figures_and_not_texts(results):
    table = results["simulate"].table()
    assert table.columns == ["outcome", "battles", "share", "low", "high"]
    assert table["battles"].sum() == 16
    assert table["share"].sum() == pytest.approx(1)


def test_tables_and_charts_are_asked_for_by_name(results):
    result = results["simulate"]
    assert result.table("endings")["battles"].sum() == 16
    assert result.chart("shares").to_dict() == result.chart().to_dict()
    with pytest.raises(InputError, match=r'no table "ending".*outcomes, endings'):
        result.table("ending")
    with pytest.raises(InputError, match="this result has no chart"):
        results["find"].chart()


@pytest.mark.parametrize(
    ("path", "width"),
    list(itertools.product(SAMPLES, WIDTHS) if soak.is_on() else zip(SAMPLES, itertools.cycle(WIDTHS))),
    ids=lambda value: getattr(value, "stem", None),
)
def test_every_chart_is_valid_and_can_be_drawn(path, width):
    document = document_of(json.loads(path.read_text()), path.name)
    for figure in document.figures(page_theme(width)):
        specification = figure.chart.to_dict()
        assert altair.Chart.from_dict(specification).to_dict() == specification
        assert figure.title
        assert figure.caption.endswith(".")


def test_a_chart_of_paper_has_colours_and_one_of_a_page_has_variables(results):
    told = json.dumps(results["compare"].chart().to_dict())
    assert "#8a8f98" in told
    assert "var(" not in told
    look = page_theme(WIDE)
    figure = results["compare"].figures(look)[0]
    drawn = svg(figure.chart, look, figure.title)
    assert "var(--accent" in drawn
    assert "currentColor" in drawn
    assert "http" not in drawn


def test_a_drawing_and_a_notebook_turn_nothing_around(results):
    name = "a\u202eb\u0007\u2066"
    saved = document_of(results["simulate"].as_json() | {"names": [name, "c"], "scenario": name}, "saved.json")
    look = page_theme(WIDE)
    figure = saved.figures(look)[0]
    drawn = svg(figure.chart, look, name) + saved._repr_html_()
    assert drawn.count("a·b··") > 2
    assert all(character.isprintable() or character == "\n" for character in drawn)


def test_every_command_is_tried():
    assert {json.loads(path.read_text())["command"] for path in SAMPLES} == {*COMMANDS, *PRINTED_BY}


def test_what_prints_a_document_is_a_command():
    assert {printed_by(name) for name in (*COMMANDS, *PRINTED_BY)} <= set(dict(commands()))


def test_equal_labels_stay_apart():
    told = chart_parts.distinct(["a", "b", "a", "a"])
    assert [label.rstrip() for label in told] == ["a", "b", "a", "a"]
    assert len(set(told)) == 4


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (0, 1, 6, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 1, 3, [0, 0.5, 1]),
        (-0.02, 0.11, 6, [0, 0.025, 0.05, 0.075, 0.1]),
        (-1, 1, 3, [-1, 0, 1]),
        (0, 340, 6, [0, 100, 200, 300]),
        (0, 0, 3, [0]),
    ],
)
def test_axes_have_round_numbers(low, high, most, expected):
    found = chart_parts.ticks(low, high, most)
    assert found == pytest.approx(expected)


def test_without_the_libraries_a_notebook_still_has_the_table(results, monkeypatch):
    import importlib.util

    find_spec = importlib.util.find_spec
    gone = ("altair", "vl_convert", "polars")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name in gone else find_spec(name))
    shown = results["simulate"]._repr_html_()
    assert "<table" in shown
    assert "<svg" not in shown
    for ask in (results["simulate"].table, results["simulate"].chart):
        with pytest.raises(InputError, match="pip install 'fracas\\[report\\]'"):
            ask()


def test_exchanges_that_all_win_as_often_are_ranked_by_hp():
    [path] = [path for path in SAMPLES if path.stem == "swaps"]
    saved = json.loads(path.read_text(encoding="utf-8"))
    swaps = [
        {**each, "share": 1.0, "interval95": [0.9, 1.0], "gain": 0.0, "gain95": [-0.01, 0.01], "margin": float(place)}
        for place, each in enumerate(saved["swaps"][:6])
    ]
    swaps[0]["margin"] = 40.0
    found = document_of({**saved, "share": 1.0, "interval95": [0.9, 1.0], "margin": 10.0, "swaps": swaps}, "saved")
    assert "By HP left the best is" in found.findings()[0]
    assert "+30.0 HP" in found.findings()[0]
    [figure] = found.figures(page_theme())
    data = json.dumps(figure.chart.to_dict())
    assert figure.title == "The best exchanges, by HP left"
    assert '"text": "+30.0"' in data
