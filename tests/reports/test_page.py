"""The page: whole, offline, escaped, the same every time. Every sample is what a command printed."""

from __future__ import annotations

import json
import re

import pytest
from tests.helpers import soak
from tests.helpers.pages import Page, references
from tests.reports.conftest import SAMPLES

from fracas.lab.presentation.documents import NAMES
from fracas.reports.build import build
from fracas.reports.page import ORDER

ALL = sorted(SAMPLES.glob("*.json"))
# One of each command, but for a soak.
SOME = ALL if soak.is_on() else [*{json.loads(path.read_text())["command"]: path for path in ALL}.values()]
HOSTILE = "<script>alert(1)</script>\"'&</text></svg>--><img src=x onerror=alert(2)>"
SHOWN_ROWS = 3


@pytest.fixture(scope="module")
def whole():
    return build(SOME)


@pytest.fixture(scope="module")
def page(whole):
    return Page(whole.html)


def test_every_command_has_a_sample_and_a_place_on_the_page():
    assert {json.loads(path.read_text())["command"] for path in ALL} == set(NAMES) == set(ORDER)


def test_the_page_is_whole(page):
    assert page.unbalanced == []
    assert page.source.startswith("<!doctype html>")
    assert [tag for tag in page.tags if tag in ("html", "head", "body", "main", "title")] == [
        "html",
        "head",
        "title",
        "body",
        "main",
    ]
    assert len(page.ids) == len(set(page.ids))


def test_the_page_refers_to_nothing_outside(whole):
    # Its own script, which stands in it and sorts tables.
    assert references(whole.html) == ["<script>"]
    assert "http" not in re.sub(r'http-equiv="Content-Security-Policy"', "", whole.html)


@pytest.mark.parametrize(
    "planted",
    [
        '<script src="x.js"></script>',
        '<link rel="stylesheet" href="style.css">',
        '<img src="https://example.org/x.png">',
        "<style>@import 'x.css';</style>",
        "<style>b { background: url(x.png) }</style>",
        '<b onclick="x()">x</b>',
        '<a href="//example.org">x</a>',
    ],
)
def test_the_check_of_references_finds_what_is_planted(planted):
    assert references(f"<p>{planted}</p>")


def test_every_figure_is_there_for_wide_and_for_narrow_screens(page):
    assert page.tags.count("svg") == 2 * page.source.count('class="narrow"') > 20
    assert page.source.count('<div class="wide">') == page.source.count('<div class="narrow">')


def test_every_figure_and_table_has_a_caption(page):
    assert page.tags.count("figcaption") == page.tags.count("figure")
    assert "" not in [text.strip() for text in re.findall(r"<figcaption>(.*?)</figcaption>", page.source, re.DOTALL)]


def test_sections_stand_in_order_with_the_summary_first_and_the_inputs_last(page):
    sections = [name.partition("-")[0] for name in page.ids if not name.startswith("f")]
    assert (sections[0], sections[-1]) == ("summary", "inputs")
    places = [ORDER.index(name) for name in re.findall(r'<section id="([a-z]+)-\d+"', page.source)]
    assert places == sorted(places)
    assert len(places) == len(SOME)


def test_the_summary_says_who_is_better_by_how_much_why_and_what_would_help(whole):
    told = " ".join(whole.summary)
    for piece in ("is better than", "points (95%", "turning point", "The single change that helps", "step of a stat"):
        assert piece in told


def test_inputs_versions_and_the_command_are_told(page):
    for piece in ("content fingerprint", "rules version 1", "standard", "The command", "fracas.report(["):
        assert piece in page.words


def test_no_time_speed_host_or_thread_count_is_told(page):
    assert not re.search(r"\d{2}:\d{2}|seconds|battles/s|threads", page.words)


def test_the_same_inputs_give_the_same_bytes():
    some = [SAMPLES / f"{name}.json" for name in ("sweep-of-two", "sweep")]
    assert build(some).html == build(some).html


def test_other_inputs_give_other_bytes(whole, saved):
    assert build([saved("find", searched=417)]).html != build([saved("find")]).html


def hostile(value):
    """A document in which every text that is shown is an attack."""
    if isinstance(value, dict):
        return {key: each if key in ("command", "method", "verdict") else hostile(each) for key, each in value.items()}
    if isinstance(value, list):
        # Rows are drawn and told alike: some from either end are enough.
        alike = len(value) > 2 * SHOWN_ROWS and all(isinstance(each, dict) for each in value)
        return [hostile(each) for each in (value[:SHOWN_ROWS] + value[-SHOWN_ROWS:] if alike else value)]
    return HOSTILE if isinstance(value, str) else value


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_names_from_strangers_are_text_and_never_markup(path, tmp_path):
    attack = tmp_path / path.name
    attack.write_text(json.dumps(hostile(json.loads(path.read_text()))))
    made = build([attack]).html
    page = Page(made)
    assert references(made) == ["<script>"]
    assert page.unbalanced == []
    # Its own script, and nobody else's.
    assert page.tags.count("script") == 1
    assert "img" not in page.tags
    assert "<script>alert(1)</script>" in page.words


def test_letters_that_no_page_can_hold_are_shown_as_dots(saved):
    page = Page(build([saved("sweep", names=["a\u0000\u000b\ud7ff", "b"])]).html)
    assert not {"\u0000", "\u000b"} & set(page.source)
    assert "a··" in page.words


def test_long_tables_are_cut_and_say_so(saved):
    row = {"path": "a", "name": "hp", "owner": "x", "value": 1, "step": 1, "battles": 1, "score": 0.5}
    row |= {"interval95": [0.4, 0.6], "gain": 0.0, "gain95": [0.0, 0.0]}
    made = build([saved("sensitivity", stats=[row] * 700)]).html
    assert made.count("<tr>") < 520
    assert "200 more rows" in made
