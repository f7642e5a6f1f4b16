"""The page in a real browser, at the width of a desktop and of a phone, light and dark.

Needs Chromium (tests/helpers/browser.py). Without one these tests are skipped and say so; what the page is made
of and that it refers to nothing outside is then still checked by test_page.py.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.helpers import soak
from tests.helpers.browser import until
from tests.helpers.fonts import CHOSEN, browser_with
from tests.reports.conftest import SAMPLES

from fracas.reports.build import build

SOME = ("compare", "simulate", "why", "sensitivity", "sweep", "sweep-of-two", "matchups", "ladder")
# Pixels of some words in each family of fonts, 100 pixels high: a browser with another font would tell by them.
WIDTHS = {"DejaVu": 843, "Liberation": 717, "Noto": 802, "fallback": 865}
VIEWS = soak.views(390, 1280)

# Everything that is seen and stands outside its card, or text of a drawing outside the window.
OUTSIDE = """
[...document.querySelectorAll('section, section > *, figure svg text, .scroll, h1, h2, nav a')].filter(each => {
  const box = each.getBoundingClientRect();
  if (!box.width || each.closest('.scroll, .narrow, .wide') && !each.matches('.scroll')) return false;
  return box.left < -0.5 || box.right > innerWidth + 0.5;
}).map(each => each.tagName + ' ' + each.textContent.trim().slice(0, 40))
"""
# Letters of drawings that stand over each other on one line.
CROSSING = """
[...document.querySelectorAll('figure svg')].filter(svg => svg.getBoundingClientRect().width).flatMap(svg => {
  const boxes = [...svg.querySelectorAll('text')].map(each => [each.getBoundingClientRect(), each.textContent])
    .filter(([box, text]) => box.width && text);
  return boxes.flatMap(([one, text], place) => boxes.slice(place + 1)
    .filter(([two]) => Math.abs(one.height - two.height) < 6 && one.height < 20
      && Math.min(one.right, two.right) - Math.max(one.left, two.left) > 3
      && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 6)
    .map(([two, other]) => text + ' | ' + other));
})
"""
BRIGHTNESS = """
(element => getComputedStyle(document.querySelector(element)).backgroundColor.match(/[0-9.]+/g).slice(0, 3)
  .reduce((sum, each) => sum + Number(each), 0) / 3)
"""
# The contrast of two colours as accessibility guidelines reckon it.
CONTRAST = """
(selector => {
  const light = text => {
    const [r, g, b] = text.match(/[0-9.]+/g).slice(0, 3).map(each => each / 255)
      .map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = light(getComputedStyle(document.querySelector('section')).backgroundColor);
  return Math.min(...[...document.querySelectorAll(selector)].map(each => {
    const ink = light(getComputedStyle(each)[each.closest('svg') ? 'fill' : 'color']);
    return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
  }));
})
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    path: Path = tmp_path_factory.mktemp("page") / "report.html"
    build([SAMPLES / f"{name}.json" for name in SOME]).save(path)
    return path


def look_at(browser, page, width, scheme):
    """Open the page unless it is open, and give the window a width."""
    if browser.ask("location.href") != page.as_uri():
        browser.show(page, width, scheme)
    browser.view(width, scheme)
    until(lambda: browser.ask("innerWidth") == width)


@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_the_page_looks_right(browser, page, width, scheme):
    browser.show(page, width, scheme)
    assert browser.requests() == [page.as_uri()]
    assert browser.complaints() == []
    assert browser.ask("innerWidth") == width
    assert browser.ask("document.documentElement.scrollWidth") <= width
    assert browser.ask(OUTSIDE) == []
    assert browser.ask(CROSSING) == []
    shade = browser.ask(f"{BRIGHTNESS}('section')")
    assert (shade > 200) == (scheme == "light")
    assert (shade < 60) == (scheme == "dark")
    assert browser.ask(f"{CONTRAST}('p, li, td, th, figcaption, figure svg text')") >= 4.5


@pytest.fixture(scope="module", params=CHOSEN)
def lettered(request, tmp_path_factory):
    """A browser with one family of fonts, and its name."""
    with browser_with(request.param, tmp_path_factory.mktemp("fonts")) as browser:
        yield request.param, browser


# Drawings of phones in the narrowest window, and those of desktops: another phone finds the same.
@pytest.mark.parametrize("width", [360, 390, 1280] if soak.is_on() else [360, 1280])
def test_no_label_crosses_another_in_any_font(lettered, page, width):
    _, browser = lettered
    look_at(browser, page, width, "light")
    assert browser.ask("document.documentElement.scrollWidth") <= width
    assert browser.ask(OUTSIDE) == []
    assert browser.ask(CROSSING) == []


def test_the_fonts_are_those_that_were_chosen(lettered, page):
    """Letters of a label are as wide as it was measured, those of the text as the font has them."""
    name, browser = lettered
    look_at(browser, page, 1280, "light")
    labels = (
        "[...document.querySelectorAll('.wide svg text')].filter(each => each.getComputedTextLength())"
        ".map(each => each.getComputedTextLength() / Number(each.getAttribute('textLength')))"
    )
    assert browser.ask(labels) == pytest.approx([1.0] * len(browser.ask(labels)), abs=0.02)
    measured = (
        "(() => { const context = document.createElement('canvas').getContext('2d'); context.font = '100px sans-serif';"
    )
    width = browser.ask(f"{measured} return context.measureText('the turning point').width; }})()")
    assert width == pytest.approx(WIDTHS[name], abs=1)


@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_one_of_each_pair_of_drawings_is_seen(browser, page, width, scheme):
    look_at(browser, page, width, scheme)
    shown, hidden = ("narrow", "wide") if width == 390 else ("wide", "narrow")
    seen = "[...document.querySelectorAll('.{} svg')].map(each => each.getBoundingClientRect().width)"
    assert all(each > 100 for each in browser.ask(seen.format(shown)))
    boxes = f"[...document.querySelectorAll('.{shown}')].map(each => each.getBoundingClientRect().right)"
    assert all(each <= width for each in browser.ask(boxes))
    assert set(browser.ask(seen.format(hidden))) == {0}


def test_a_wide_table_scrolls_in_its_box_on_a_phone(browser, page):
    look_at(browser, page, 390, "light")
    boxes = "[...document.querySelectorAll('.scroll')].map(each => each.scrollWidth - each.clientWidth)"
    assert max(browser.ask(boxes)) > 50


def test_sections_fold_scenarios_are_folded_and_tables_sort(browser, page):
    browser.show(page, 1280, "light")
    assert browser.ask("document.querySelectorAll('.fold:not([open])').length") == 0
    assert browser.ask("document.querySelectorAll('details[open]:not(.fold)').length") == 0
    browser.ask("document.querySelector('.fold > summary').click()")
    assert browser.ask("document.querySelectorAll('.fold:not([open])').length") == 1
    # The list of contents unfolds what it leads to.
    folded = browser.ask("document.querySelector('.fold:not([open])').parentElement.id")
    browser.ask(f"document.querySelector('nav a[href=\"#{folded}\"]').click()")
    assert browser.ask("document.querySelectorAll('.fold:not([open])').length") == 0
    # Columns stand beside each other where there is room, and on phones nowhere.
    beside = "(() => { const box = document.querySelector('.fold figure:not(.told)'); return box.querySelector("
    beside += "'figcaption').getBoundingClientRect().left - box.getBoundingClientRect().left; })()"
    assert browser.ask(beside) > 800
    browser.view(390, "light")
    assert browser.ask(beside) == 0
    browser.view(1280, "light")
    column = """
    (() => {
      const number = (row, at) => parseFloat(row.cells[at].textContent.replace('−', '-'));
      const heads = [...document.querySelectorAll('.scroll th.n')].filter(each => {
        const { rows } = each.closest('table').tBodies[0];
        return rows.length > 3 && [...rows].every(row => !isNaN(number(row, each.cellIndex)));
      });
      const [head] = heads, [body] = head.closest('table').tBodies;
      const told = () => [...body.rows].map(row => number(row, head.cellIndex));
      const seen = [told()];
      for (let click = 0; click < 3; click += 1) head.querySelector('button').click(), seen.push(told());
      return seen;
    })()
    """
    given, falling, rising, again = browser.ask(column)
    assert falling == sorted(given, reverse=True)
    assert rising == sorted(given)
    assert again == given


@pytest.mark.parametrize(
    ("planted", "finds"),
    [
        ("<img src='file:///nowhere.png'>", "requests"),
        ("<section style='width:3000px'>x</section>", "outside"),
        ("<p style='color:#999;position:relative'>x</p>", "contrast"),
        (
            "<figure><svg width='90' height='30'><text y='20'>one</text><text y='20'>two</text></svg></figure>",
            "crossing",
        ),
    ],
)
def test_the_checks_find_what_is_planted(browser, tmp_path, planted, finds):
    path = tmp_path / "planted.html"
    style = "<style>section{background:#fff;color:#000}body{margin:0}</style>"
    path.write_text(f"<!doctype html><meta charset=utf-8>{style}<section><p>x</p></section>{planted}")
    browser.show(path, 1280, "light")
    assert {
        "requests": lambda: len(browser.requests()) > 1,
        "outside": lambda: bool(browser.ask(OUTSIDE)),
        "contrast": lambda: browser.ask(f"{CONTRAST}('p')") < 4.5,
        "crossing": lambda: bool(browser.ask(CROSSING)),
    }[finds]()


def test_the_gain_of_the_best_change_is_seen_without_scrolling(browser, page):
    """The columns of the changes stand in the box of their table on a desktop, and their gain on a phone too."""
    right = (
        "[...document.querySelectorAll('.scroll')].filter(box => box.textContent.includes('odds without'))"
        ".map(box => [...box.querySelectorAll('th')].find(each => each.textContent.trim() == 'gain')"
        ".getBoundingClientRect().right - box.getBoundingClientRect().right)"
    )
    for width in (1280, 1920):
        look_at(browser, page, width, "light")
        found = browser.ask(right)
        assert found
        assert max(found) <= 0


def test_tables_are_as_tall_as_they_are_unless_they_are_very_long(browser, page):
    look_at(browser, page, 1280, "light")
    hidden = "[...document.querySelectorAll('.scroll:not(.long)')].map(each => each.scrollHeight - each.clientHeight)"
    assert max(browser.ask(hidden)) <= 0


def test_a_box_with_more_to_the_side_has_a_shadow_there(browser, page):
    look_at(browser, page, 390, "light")
    look = browser.ask("getComputedStyle(document.querySelector('.scroll')).backgroundAttachment")
    assert look == "local, local, scroll, scroll"


def test_the_figures_of_a_large_matrix_can_be_read_on_a_phone(browser, tmp_path):
    names = [f"Team {place} of the North" for place in range(12)]
    shares = [[None if one == two else 0.5 + 0.03 * (one - two) for two in range(12)] for one in range(12)]
    document = json.loads((SAMPLES / "matchups.json").read_text(encoding="utf-8"))
    entrants = [{"name": name, "scenario": "x"} for name in names]
    document |= {"entrants": entrants, "shares": shares, "cells": [], "standings": None, "mix": None, "cycles": None}
    saved, path = tmp_path / "matchups.json", tmp_path / "page.html"
    saved.write_text(json.dumps(document), encoding="utf-8")
    build([saved]).save(path)
    browser.show(path, 360, "light")
    # The height of the letters as they stand there, which is that of a line.
    sizes = browser.ask(
        "[...document.querySelectorAll('.narrow svg text')].filter(each => /^[0-9]+$/.test(each.textContent))"
        ".map(each => each.getBoundingClientRect().height)"
    )
    assert len(sizes) == 12 * 11
    assert min(sizes) >= 11
    assert browser.ask("document.documentElement.scrollWidth") <= 360
    assert browser.ask(CROSSING) == []
