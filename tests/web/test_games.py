"""Games of one file on a page: what their declarations say is drawn, and the device plays them again.

Pages of pets, in a soak of every game, need their WebAssembly modules: those of the cache, or built once.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.helpers import soak
from tests.helpers.axe import violations
from tests.helpers.browser import until
from tests.helpers.javascript import drive
from tests.helpers.player import framed
from tests.helpers.player_page import CAPTION, HP, OUTSIDE, VERDICT, opened, press, resize
from tests.web.test_truth import changed_at, edited, edits, island_of, leaves, says, with_island
from tests.web.test_what_if import offered_by, played_of

import fracas
from fracas.engine.battle import Battle
from fracas.kit import load
from fracas.kit.game import Game
from fracas.portable import artefacts, build
from fracas.replay.bundle_file import bundle_of, save_bundle
from fracas.web.battle import battle_script
from fracas.web.page import page_of
from fracas.web.stage_setup import stage_setup

pytestmark = pytest.mark.usefixtures("unwatched")

GAMES = Path(__file__).parents[2] / "examples" / "games"
BARS = ("cards", "hexes", "pets", "roshambo")
# The module of hexes takes longest of all; that of the meadow below is one of a grid too.
BUILT = ("cards", "coins", "hexes", "pets", "roshambo", "skirmish") if soak.is_on() else ("pets",)
# With a grid of letters, a token that turns, and State of a side and of the battle that is shown.
MEADOW = '''\
"""Meadow: one sheep a side walks east, and whoever is first in the clover wins."""

from enum import IntEnum

from fracas.kit import Battle, Game, Log, Options, Side, Unit, board, event, neighbour, number, rule, state, up_to, win


class Ground(IntEnum):
    GRASS = 0
    CLOVER = 1
    """the goal"""


class Way(IntEnum):
    NORTH = 0
    EAST = 1


class Rules(Options):
    ground: list[Ground] = board(4, 2, letters=".c")


class Sheep(Unit):
    at: int = number(board="ground")
    cell: int = state(board="ground", starts="at")
    facing: Way = state(turns="cell")


class Owner(Side):
    units: list[Sheep] = up_to(1, least=1)
    steps: int = state(shown=True)


class Meadow(Battle[Owner, Rules]):
    noon: bool = state(shown=True)


class End(IntEnum):
    CLOVER = 1


@event("{actor} walks to {cell}")
def walks(actor: Sheep, cell: int) -> None:
    """A step."""


@rule
def play_round(battle: Meadow, log: Log | None) -> None:
    battle.noon = True
    for side in battle.sides:
        for sheep in side.units[: side.units_count]:
            sheep.facing = Way.EAST
            sheep.cell = neighbour(battle, sheep.cell, Way.EAST)
            side.steps += 1
            walks(battle, log, sheep, sheep.cell)
            if battle.options.ground[sheep.cell] == Ground.CLOVER:
                win(battle, side.number, End.CLOVER)


game = Game("meadow", version=1, battle=Meadow, reasons=End)
'''
SHEEP = """\
ruleset = "meadow"
id = "two-sheep"
options = { ground = [".c..", "...c"] }
[[sides]]
name = "Ann"
units = [{ name = "Wool", at = [0, 1] }]
[[sides]]
name = "Ben"
units = [{ name = "Fleece", at = [0, 0] }]
"""


# Young ones take places in which other young ones have died.
YOUNG = {
    "ruleset": "pets",
    "id": "young-again",
    "sides": [
        {"name": "Ann", "units": [{"breed": "cellar_rat", "level": 3}, {"breed": "queen_wasp"}]},
        {"name": "Ben", "units": [{"breed": "old_badger"}, {"breed": "mud_toad", "level": 3}]},
    ],
}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for pages, plain Python, and a process that knows no game."""
    with pytest.MonkeyPatch.context() as patch, load.fresh():
        patch.setenv("FRACAS_JIT", "0")
        patch.delenv(load.VARIABLE, raising=False)
        yield tmp_path_factory.mktemp("pages")


def first_battle(name: str) -> Battle:
    """The first battle of a game of the examples."""
    fracas.use(GAMES / name / f"{name}.py")
    return fracas.run(fracas.load(GAMES / name / "scenarios" / "first.toml"))


@pytest.fixture(scope="module")
def built(cache: Path) -> dict[str, Battle]:
    """Battles of games whose modules are built."""
    if not build.can_build():
        pytest.fail("install the extra artefacts: it has the linker that these tests need")
    battles = {name: first_battle(name) for name in BUILT}
    for battle in battles.values():
        if not artefacts.is_current(battle.scenario.ruleset.identity):
            build.build_game(battle.scenario.ruleset)
    return battles


@pytest.fixture
def meadow(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Battle]:
    """A battle on a grid with letters, whose module is in no cache."""
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path))
    artefacts.look_again()
    (cache / "meadow.py").write_text(MEADOW)
    (cache / "sheep.toml").write_text(SHEEP)
    fracas.use(cache / "meadow.py")
    yield fracas.run(fracas.load(cache / "sheep.toml"))
    monkeypatch.undo()
    artefacts.look_again()


def shown(browser, page: Path) -> None:
    """Open the page of a battle that is checked or not."""
    browser.show(page, 1280, "light")
    until(lambda: browser.ask("document.querySelector('.battle[data-script] .caption') !== null"))


def test_frames_hold_every_event_and_end_in_the_result(cache: Path, tmp_path: Path) -> None:
    battles = [first_battle(name) for name in BARS]
    for battle, told in zip(battles, framed(battles, tmp_path), strict=True):
        held = [place for first, last in told["spans"] for place in range(first, last + 1)]
        assert held == list(range(len(battle.events)))
        assert told["winner"] == battle.winner
        assert told["hp"] == [max(0, hp) for hp in battle.hp_left], battle.scenario.ruleset.name
        assert not [title for title in told["titles"] if "{" in title or "undefined" in title]


def test_the_story_of_a_page_has_the_sentences_of_the_terminal(cache: Path, tmp_path: Path) -> None:
    battles = [first_battle(name) for name in (*BARS, "coins")]
    battles.append(fracas.run(fracas.load(YOUNG)))
    for battle, told in zip(battles, framed(battles, tmp_path), strict=True):
        lines = battle.story("all").splitlines()
        ending = next(at for at, line in enumerate(lines) if f"in round {battle.rounds}:" in line)
        told_here = [line for line in lines[:ending] if line.startswith("  ") and not line.startswith("   ")]
        shown = [text for _, text in told["story"]]
        assert [line for line in told_here if line not in shown] == []
        assert len(told_here) > 10


def test_who_joins_is_called_by_its_kind_and_anew_where_another_takes_its_place(cache: Path, tmp_path: Path) -> None:
    """The wasplings die of the badger's howl before the rat calls its young into their places."""
    first_battle("pets")
    battle = fracas.run(fracas.load(YOUNG))
    told = battle.story("all")
    assert [(event.target, event.breed) for event in battle.events if event.NAME == "calls"] == [  # type: ignore[attr-defined]
        ("1.place-6", "Waspling"),
        ("1.place-7", "Waspling"),
        ("1.place-6", "Ratling"),
        ("1.place-7", "Ratling"),
    ]
    for name in ("Waspling", "Waspling 2", "Ratling", "Ratling 2"):
        assert f"{name} faints" in told
    assert "newcomer" not in told
    (shown,) = framed([battle], tmp_path)
    assert "newcomer" not in str(shown["story"])


def test_bars_with_a_whole_that_changes_are_told_both(cache: Path) -> None:
    """A pet that grows has more hp of more: without rows of the whole its bar would be too full."""
    battle = first_battle("pets")
    told = [event for event in battle.events if event.NAME == "sets" and event.field == "most"]  # type: ignore[attr-defined]
    assert any(event.tick > 0 for event in told)


@pytest.mark.parametrize("name", BUILT)
def test_a_page_plays_the_game_and_verifies_it(browser, built, tmp_path, name) -> None:
    battle = built[name]
    page = tmp_path / f"{name}.html"
    page.write_text(page_of(battle), encoding="utf-8")
    assert opened(browser, page) == "verified", browser.ask(VERDICT)
    assert battle.digest in browser.ask(VERDICT)
    press(browser, "End")
    if name == "pets":
        called = browser.ask("[...document.querySelectorAll('.stage .unit .name')].map(each => each.textContent)")
        assert {"Waspling", "Waspling 2", "Ratling", "Ratling 2"} < set(called)
        assert browser.ask(HP) == [max(0, hp) for hp in battle.hp_left]
        assert "the other line-up is gone" in browser.ask("document.querySelector('.result').textContent")
        lines = browser.ask("[...document.querySelectorAll('.story li')].map(each => each.textContent)")
        heads = next(at for at, line in enumerate(lines) if "dealt" in line and "falls" in line)
        fell = sum(event.NAME == "faints" for event in battle.events)
        assert sum(int(line.split()[-1]) for line in lines[heads + 1 :]) == fell > 0
        # What somebody begins with is no heal.
        assert not any("+" in line for line in lines[: lines.index("  Queen Wasp calls Waspling: 1 hp, bites for 2")])
    browser.ask("document.querySelectorAll('.story [data-event]')[12].click()")
    assert browser.ask("document.querySelector('.caption .sentence') !== null")
    for width, scheme in ((360, "dark"), (1440, "light")):
        resize(browser, width, scheme)
        assert browser.ask("document.documentElement.scrollWidth") <= width
        assert browser.ask(OUTSIDE) == []
        until(lambda: browser.ask("document.getAnimations().length") == 0)
        assert violations(browser) == []


def test_a_token_stands_where_the_events_say(browser, cache, tmp_path) -> None:
    page = tmp_path / "hexes.html"
    page.write_text(page_of(first_battle("hexes")), encoding="utf-8")
    shown(browser, page)
    place = "[...document.querySelectorAll('.unit')].map(each => each.style.transform)"
    press(browser, "Home")
    before = browser.ask(place)
    press(browser, "End")
    assert len(before) == 20
    assert browser.ask(place) != before


def test_what_is_edited_on_a_page_of_a_game_is_noticed(browser, built, tmp_path) -> None:
    text = page_of(built["pets"], {"Fracas": "/"}, "", ("Ann", "Ben"))
    assert says(browser, tmp_path, text) == "verified"
    apart = {"a", "noscript", "code"}
    about = [each for each in edits(text) if not apart & {name.partition(".")[0] for name in each[0]}]
    assert len(about) == 9
    for _, *place in soak.some(about, 3):
        assert says(browser, tmp_path, edited(text, place)) == "differs", place
    data = island_of(text, "data")
    kinds = {tuple("#" if isinstance(key, int) else key for key in path): path for path, _ in leaves(data["cast"])}
    assert {kind[0] for kind in kinds} == {"units", "vital", "books"}
    for path in soak.some([*kinds.values()], 3):
        forged = with_island(text, "data", {**data, "cast": changed_at(data["cast"], path)})
        assert says(browser, tmp_path, forged) in ("differs", "refused"), path


def test_fracas_js_plays_games_in_node(built, tmp_path) -> None:
    for name, battle in built.items():
        bundle = tmp_path / f"{name}.fracas.json"
        save_bundle(bundle_of(battle), bundle)
        job = {"bundle": str(bundle), "streams": ["0", "3"], "verify": {"workers": 0}}
        (answer,) = drive(name, [job], tmp_path)
        wanted = [battle.digest, fracas.run(battle.scenario, stream=3).digest]
        assert [each["digest"] for each in answer["played"]] == wanted
        assert answer["verified"]["ok"]


def test_a_grid_has_a_legend_a_beak_and_headings_and_needs_no_module(browser, meadow, cache) -> None:
    assert stage_setup(meadow.scenario)["ground"] == [".c..", "...c"]
    page = cache / "meadow.html"
    page.write_text(page_of(meadow), encoding="utf-8")
    shown(browser, page)
    assert browser.ask(VERDICT).startswith("Not checked: meadow had no WebAssembly module")
    assert browser.ask("document.querySelector('.legend').textContent") == ".grasscclover: the goal"
    assert browser.ask("document.querySelectorAll('.tile.ground1').length") == 2
    for _ in range(3):
        press(browser, "ArrowRight")
    assert browser.ask(CAPTION) == "Round 1Fleece walks to [1, 0]"
    assert browser.ask("[...document.querySelectorAll('h2 .shown')].map(each => each.textContent)") == [
        "steps 1",
        "steps 1",
    ]
    assert browser.ask("document.querySelector('p.shown').textContent") == "noon yes"
    assert browser.ask("document.querySelector('.beak').style.rotate") == "0deg"
    until(lambda: browser.ask("document.getAnimations().length") == 0)
    assert violations(browser) == []
    if not soak.is_on():
        return
    # With its module the device finds the same grid, as that of hexes above.
    build.build_game(meadow.scenario.ruleset)
    page.write_text(page_of(meadow), encoding="utf-8")
    assert opened(browser, page) == "verified", browser.ask(VERDICT)


def test_two_games_and_a_ruleset_share_a_script(built) -> None:
    first_battle("hexes")
    script = battle_script(["stacks", "pets", "hexes"])
    assert script.count("function gameOf") == 1
    assert json.dumps(script).count("rulesets.pets = gameOf;") == 1


@pytest.mark.parametrize("name", BUILT)
def test_whatever_a_page_offers_is_the_same_change_in_the_scenario(
    built: dict[str, Battle], tmp_path: Path, name: str
) -> None:
    fracas.use(GAMES / name / f"{name}.py")
    ruleset = built[name].scenario.ruleset
    assert isinstance(ruleset, Game)
    stage, module = ruleset.stage(), artefacts.module_file(ruleset.identity)
    every = sorted((GAMES / name / "scenarios").glob("*.toml")) if soak.is_on() else []
    wrong = []
    for scenario in [fracas.load(file) for file in every] or [built[name].scenario]:
        bundle = tmp_path / "battle.json"
        save_bundle(bundle_of(fracas.run(scenario)), bundle)
        offered = offered_by("game", module, bundle, tmp_path, stage)
        parts = {"Rules", "line-up", *(["strategy"] if stage["strategy"] else [])}
        parts |= {"units" for each in stage["changes"]["cast"] if "words" in each}
        assert {each.get("part", each.get("owner")) for each in offered} >= parts
        for tried in played_of(offered):
            document = copy.deepcopy(scenario.document)
            change(document, stage, tried)
            played = fracas.load(document)
            battles = [fracas.run(played, stream=stream) for stream in (0, 1)]
            told = [[each.winner, each.rounds, *each.hp_left, len(each.events)] for each in battles]
            # Whoever is exchanged may bring content of other numbers, which stand in events.
            is_renumbered = tried["path"][0] in ("unit", "units")
            if told != tried["told"] or (not is_renumbered and [each.digest for each in battles] != tried["digests"]):
                wrong.append((scenario.document["id"], tried["words"]))
    assert not wrong


def change(document: Any, stage: Any, tried: dict[str, Any]) -> None:
    """Write what a page offers to change into a scenario."""
    kind, *rest = tried["path"]
    sides, value = document["sides"], tried["value"]
    # Whom the stage shows, by their places: units, or in games without any the sides.
    units = stage["units"]
    cast = {number: (sides, number) for number in (0, 1)}
    if units is not None:
        lists = [side[units["list"]] for side in sides]
        cast = {units["capacity"] * one + at: (lists[one], at) for one in (0, 1) for at in range(len(lists[one]))}
    if kind == "strategy":
        plan, one = stage["strategy"], int(rest[0])
        sides[one - 1][plan] = copy.deepcopy(sides[2 - one][plan])
        return
    if kind in ("unit", "units"):
        one = int(rest[0])
        pairs = [(one, [place for place in cast if place != one][value - 1])] if kind == "unit" else []
        if kind == "units":
            own, other = (
                [place for place in cast if place // units["capacity"] == side] for side in (one - 1, 2 - one)
            )
            pairs = list(zip(own, other, strict=True))
        before = {place: copy.deepcopy(holder[at]) for place, (holder, at) in cast.items()}
        for to, model in pairs:
            holder, at = cast[to]
            kept = {key: holder[at][key] for key in ("at", "name") if key in holder[at]}
            holder[at] = before[model] | kept
        return
    owner = "options" if tried.get("owner", tried.get("part")) in ("Rules", "rules") else "cast"
    name = tried["name"].split(": ")[-1]
    path = next(each["path"] for each in stage["changes"][owner] if each["name"] == name)
    found = document["options"]
    if owner == "cast":
        holder, at = cast[int(rest[0] if kind == "take" else kind)]
        found = holder[at]
    *way, last = path.split(".")
    for part in way:
        found = found[part]
    found[last] = tried["labels"][value].replace(" ", "_") if kind == "take" else value
