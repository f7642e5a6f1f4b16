"""Every text of a page is edited in turn, in a real browser: what is about the battle must be noticed, in red.

Needs Chromium (tests/helpers/browser.py). Without one these tests are skipped and say so.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from blake3 import blake3
from tests.helpers import soak
from tests.helpers.browser import until
from tests.helpers.player_page import VERDICT, opened
from tests.helpers.scenarios import STANDARD

import fracas
from fracas.content.packs import examples_folder
from fracas.replay.bundle_file import seal_of
from fracas.rulesets import registry
from fracas.web.page import page_of

# What is not about the battle, and may be edited unnoticed: where links lead, the author's note, and what only browsers
# without scripts show. A report is more than its battles: what stands outside their boxes are figures of simulations.
APART = {"a", "p.note", "noscript", "code"}
# Texts of the program: a changed one does not run, because the page's policy names its hash.
PROGRAM = {"style", "script"}


class Texts(HTMLParser):
    """The text nodes of a page: where each begins and ends, and the elements that it stands in."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.open: list[str] = []
        self.found: list[tuple[int, int, tuple[str, ...]]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "br", "link", "input"):
            kind = dict(attrs).get("class") or ""
            self.open.append(f"{tag}.{kind}" if kind else tag)

    def handle_endtag(self, tag):
        while self.open and self.open.pop().partition(".")[0] != tag:
            pass

    def handle_data(self, data):
        line, column = self.getpos()
        start = self.starts[line - 1] + column
        if data.strip():
            self.found.append((start, start + len(data), tuple(self.open)))


def edits(text: str, inside: str = "html") -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Every text node of a page that may be edited: the elements that it stands in, where it begins and ends."""
    for start, end, around in Texts(text).found:
        names = {each.partition(".")[0] for each in around}
        if not names & PROGRAM and any(each.startswith(inside) for each in around):
            yield around, start, end


def edited(text: str, *places: Sequence[int]) -> str:
    """A page with these of its texts changed; the first place is given first."""
    for start, end in reversed(places):
        text = f"{text[:start]}{forged(text[start:end])}{text[end:]}"
    return text


def forged(old: str) -> str:
    """A text with its first figure changed; without one, with its first word doubled."""
    changed = re.sub(r"\d", lambda found: str((int(found[0]) + 1) % 10), old, count=1)
    return changed if changed != old else re.sub(r"(\w+)", r"\1 \1", old, count=1)


def island_of(text: str, name: str):
    """The data of an island of a page."""
    return json.loads(text.partition(f'class="{name}">')[2].partition("</script>")[0])


def with_island(text: str, name: str, value) -> str:
    """A page with other data in an island."""
    head, mark, rest = text.partition(f'class="{name}">')
    told = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f"{head}{mark}{told}</script>{rest.partition('</script>')[2]}"


def leaves(value, path=()) -> Iterator[tuple[tuple, object]]:
    """Every text and number in data, with the way to it."""
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(each, (*path, key))
    elif value is not None and value != "":
        yield path, value


def kinds_of(data) -> dict[tuple, tuple]:
    """The kinds of values in data, and the way to the first value of each; place in a list and name make no kind."""
    kinds: dict[tuple, tuple] = {}
    for path, _ in leaves(data):
        # What bodies and blows are drawn as is no part of the battle, only how pages show it.
        if path[0] == "drawing":
            continue
        kinds.setdefault(tuple(key if isinstance(key, str) and key.islower() else "#" for key in path), path)
    return kinds


def changed_at(value, path):
    """A copy of data with one text or number changed."""
    copied = json.loads(json.dumps(value))
    there = copied
    for key in path[:-1]:
        there = there[key]
    old = there[path[-1]]
    there[path[-1]] = not old if isinstance(old, bool) else old + 1 if isinstance(old, int | float) else forged(old)
    return copied


@pytest.fixture(scope="module")
def texts():
    """The page of the standard battle of each ruleset."""
    return {
        name: page_of(
            fracas.run(fracas.load(examples_folder() / name / f"{STANDARD[name]}.toml")),
            {"Fracas": "/"},
            "Note by the author: nothing.",
            ("Ann", "Ben"),
        )
        for name in registry.NAMES
    }


def says(browser, folder: Path, text: str) -> str:
    """What a page that nobody looks at says of its battle."""
    page = folder / "page.html"
    page.write_text(text, encoding="utf-8")
    with browser.hidden():
        return opened(browser, page)


# The texts of all pages are made alike, and compared in one list (test_games.py edits others of them); their data are
# each ruleset's own.
@pytest.mark.parametrize("name", registry.NAMES if soak.is_on() else ["squads"])
def test_every_text_of_a_page_is_noticed_if_it_is_edited(browser, texts, tmp_path, name):
    text = texts[name]
    about: list[Sequence[int]] = []
    apart: list[Sequence[int]] = []
    for around, *place in edits(text):
        (apart if set(around) & APART or "a.skip" in around else about).append(place)
    # The title, three parts of the heading, three of the facts, between their quotation marks, what the result stands
    # under, and the outcome.
    assert len(about) == 9
    for start, end in about if soak.is_on() else about[::4]:
        assert says(browser, tmp_path, edited(text, (start, end))) == "differs", text[start:end]
        assert "This page was changed" in browser.ask(VERDICT)
    told = [text[start:end].strip() for start, end in apart]
    assert told[:3] == ["To the story", "Fracas", "Note by the author: nothing."]
    assert "Nothing is checked without a script" in told[3]
    assert len(apart) <= 8
    assert says(browser, tmp_path, edited(text, *apart)) == "verified"


@pytest.mark.parametrize("name", registry.NAMES)
def test_every_kind_of_data_is_noticed_if_it_is_edited(browser, texts, tmp_path, name):
    """Names, HP, marks and the outcome for the first picture: one value of each kind that no page before it had.

    Pages compare parts as a whole, and all parts of a cast alike: but for a soak, one kind of each is enough.
    """
    data, kinds = island_of(texts[name], "data"), kinds_of(island_of(texts[name], "data"))
    # Whose the sides are is said by a server, and stands in the headline too; other units are edited like the first.
    assert {kind[0] for kind in kinds} >= {"sides", "people", "cast", "outcome"}
    before = registry.NAMES[: registry.NAMES.index(name)]
    known = {kind for each in before for kind in kinds_of(island_of(texts[each], "data"))}
    new = {kind if soak.is_on() else kind[:1]: path for kind, path in kinds.items() if kind not in known}
    for path in new.values():
        state = says(browser, tmp_path, with_island(texts[name], "data", changed_at(data, path)))
        # Data that do not fit together cannot be shown at all.
        assert state in ("differs", "refused"), path


def test_a_forged_moment_of_a_decision_is_noticed(browser, texts, tmp_path):
    """One word of the last decision's snapshot is another, and the digest is that of the forgery."""
    data = island_of(texts["squads"], "data")
    unpacked = bytearray(zlib.decompress(base64.b64decode(data["decisions"]["packed"])))
    unpacked[-8] ^= 1
    packed = base64.b64encode(zlib.compress(bytes(unpacked))).decode()
    data["decisions"] |= {"packed": packed, "digest": blake3(bytes(unpacked)).hexdigest()}
    says(browser, tmp_path, with_island(texts["squads"], "data", data))
    browser.look()
    until(lambda: "its decisions are not those of the battle" in browser.ask(VERDICT))


def test_a_winner_forged_everywhere_is_noticed(browser, texts, tmp_path):
    """The headline, the outcome, the data and the bundle with its seal all name another winner."""
    text = texts["squads"]
    data, bundle = island_of(text, "data"), island_of(text, "bundle")
    winner = bundle["result"]["winner"]
    sides = [f"{person} ({side})" for person, side in zip(data["people"], data["sides"], strict=True)]
    text = text.replace(f"Victory for {sides[winner - 1]}", f"Victory for {sides[2 - winner]}")
    data["outcome"]["winner"] = bundle["result"]["winner"] = 3 - winner
    bundle["seal"] = seal_of(bundle)
    forged_page = with_island(with_island(text, "data", data), "bundle", bundle)
    assert says(browser, tmp_path, forged_page) == "differs"
    assert "the winner differs" in browser.ask(VERDICT)


def test_sides_that_are_called_otherwise_in_data_and_headline_are_noticed(browser, texts, tmp_path):
    text = texts["titans"]
    bundle = island_of(text, "bundle")
    first = bundle["sides"][0]
    data = json.loads(json.dumps(island_of(text, "data")).replace(first, "Zoe"))
    bundle["sides"][0] = "Zoe"
    bundle["seal"] = seal_of(bundle)
    head, mark, rest = text.partition('<script type="application/json" class="data">')
    text = with_island(with_island(head.replace(first, "Zoe") + mark + rest, "data", data), "bundle", bundle)
    assert says(browser, tmp_path, text) == "differs"


def test_what_is_added_to_a_page_is_noticed(browser, texts, tmp_path):
    for place in soak.some(("<main>", "</header>", "</main>"), 2):
        text = texts["relics"].replace(place, f"{place}<p>Ben is the winner</p>", 1)
        assert says(browser, tmp_path, text) == "differs"
        assert "Ben is the winner" in browser.ask(VERDICT)


def test_the_story_and_the_totals_are_written_from_the_events(browser, texts, tmp_path):
    """No line of the story stands in the file: there is nothing to edit."""
    text = texts["squads"]
    says(browser, tmp_path, text)
    lines = browser.ask("[...document.querySelectorAll('.story li')].map(each => each.textContent)")
    static = re.sub(r"<script.*?</script>|<style>.*?</style>", "", text, flags=re.DOTALL)
    assert len(lines) > 100
    assert not [line for line in lines if line.strip() and line.strip() in static]
