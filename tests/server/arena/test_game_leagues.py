"""Leagues of games of installed packages: from the league's file to a day that others verify."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.helpers.serving import RunningServer
from tests.server.arena.test_routes import ROOT, signed_up, submitted, tick

from fracas.errors import InputError
from fracas.kit import load
from fracas.server.arena import league as leagues
from fracas.server.arena.arena_loop import RunningArena, open_arena
from fracas.server.arena.bots import read_bots
from fracas.server.arena.domain import Arena
from fracas.server.arena.entries import check_entry
from fracas.server.arena.league import read_leagues
from fracas.server.arena.proofs.check import check_arena
from fracas.server.arena.proofs.day_file import LeagueDayFile
from fracas.server.arena.proofs.league_day import verify_document
from fracas.server.arena.seasons.season import all_seasons
from fracas.server.clock import DAY
from fracas.server.settings import Settings

GAMES = Path(__file__).parents[3] / "examples" / "games"
LEAGUE = """
id = "throws"
title = "Rock, paper, scissors"
ruleset = "roshambo"
points = 10
max_copies = 1
banned = ["twin"]
window = 10000
[size]
most = 1
[price]
default = 3
miller = 11
"""
TAILOR, FERRYMAN = ({"fighter": name, "papers": 3} for name in ("tailor", "ferryman"))


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages with a game of the examples."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    with load.fresh():
        install(folder, "roshambo")
        yield folder
        forget(folder)


def install(folder: Path, game: str, edited: tuple[str, str] = ("", "")) -> None:
    """Install an example game as a package would be, perhaps with other rules."""
    text = (GAMES / game / f"{game}.py").read_text()
    assert edited[0] in text
    (folder / f"{game}.py").write_text(text.replace(*edited))
    if not (folder / f"{game}_content").is_dir():
        shutil.copytree(GAMES / game / "content", folder / f"{game}_content")
    info = folder / f"{game}-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {game}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{load.GROUP}]\n{game} = {game}:game\n")
    forget(folder)


def forget(folder: Path) -> None:
    """Do as a new process would."""
    for name in [each for each, module in sys.modules.items() if str(folder) in str(getattr(module, "__file__", ""))]:
        del sys.modules[name]
    importlib.invalidate_caches()
    leagues._stored_league.cache_clear()
    load._all_offered.cache_clear()


@pytest.fixture
def settings(settings: Settings, tmp_path: Path, packages: Path) -> Settings:
    folder = tmp_path / "leagues"
    folder.mkdir()
    (folder / "throws.toml").write_text(LEAGUE)
    return replace(settings, leagues=str(folder), games=("roshambo",))


def test_from_the_file_to_a_verified_day(sqlite_server: RunningServer, packages: Path, settings: Settings):
    server = sqlite_server
    ann, bob = (signed_up(server, name) for name in ("ann", "bob"))
    told = ann.get(f"{ROOT}/leagues/throws").json()
    assert (told["ruleset"], len(told["rules"]), told["open"]) == ("roshambo", 64, True)
    schema = ann.get(f"{ROOT}/leagues/throws/schema").json()
    assert set(schema["properties"]) == {"fighter", "rocks", "papers", "scissors"}
    refused: list[tuple[dict[str, Any], str]] = [
        ({"fighter": "twin"}, "fighter"),
        ({"fighter": "miller"}, "points"),
        ({"fighter": "nobody"}, "fighter"),
        ({"fighter": {"id": "tailor", "health": 30, "rock": 0, "paper": 0, "scissors": 0, "strike": 0}}, "fighter"),
        ({"fighter": "tailor", "papers": 101}, "papers"),
        ({"fighter": "tailor", "hp": 99}, "hp"),
    ]
    for document, where in refused:
        body = {"league": "throws", "title": "No", "document": document}
        answer = ann.post(f"{ROOT}/entries", body)
        assert answer.status_code == 422, document
        assert where in answer.text, answer.text
    for client, document in ((ann, TAILOR), (bob, FERRYMAN)):
        client.post(f"{ROOT}/tickets", {"entry": submitted(client, "throws", document)})
        server.clock.step(1000)
    assert tick(server) == 1
    match = ann.get(f"{ROOT}/matches", params={"league": "throws"}).json()["items"][0]
    leg = ann.get(f"{ROOT}/matches/{match['id']}/legs/0").json()
    assert "shows paper" in leg["story"]
    replay = ann.get(f"{ROOT}/matches/{match['id']}/legs/1/replay").json()
    assert replay["game"]["rules"] == told["rules"]
    bots = ann.get(f"{ROOT}/leagues/throws/bots").json()["items"]
    assert len(bots) == 6
    entry = match["sides"][0]["entry"]
    own, bot = (ann if match["sides"][0]["account"]["handle"] == "ann" else bob), bots[0]["handle"]
    assert own.post(f"{ROOT}/practice", {"entry": entry, "bot": bot}).status_code == 201
    for path in (f"/m/{match['id']}", f"/m/{match['id']}/legs/0", f"/m/{match['id']}/legs/0/player", "/leagues/throws"):
        assert own.get(path, headers={"Accept": "text/html"}).status_code == 200, path
    assert own.get("/entries/new?league=throws", headers={"Accept": "text/html"}).status_code == 200
    asked = own.post("/leagues/throws/editor/check", {"text": "fighter = 'tailor'"}).json()
    assert (asked["cost"], asked["problems"]) == (3, [])
    shown = {choice["path"][0]: choice for choice in asked["sides"][0]["choices"]}
    assert len(shown["fighter"]["labels"]) > 2
    assert not any("twin" in label for label in shown["fighter"]["labels"])
    assert own.post("/leagues/throws/editor/odds", {"text": "fighter = 'tailor'"}).json()["battles"] > 0
    server.clock.step(DAY)
    tick(server)
    name = match["day"]
    file = ann.get(f"{ROOT}/leagues/throws/days/{name}")
    found = msgspec.json.decode(file.content, type=LeagueDayFile)
    assert found.seasons["1"].league["rules"] == told["rules"]
    assert found.seasons["1"].tool is not None
    assert found.seasons["1"].tool.endswith(" roshambo==1.0")
    verified = verify_document(found, "day.json")
    assert verified.matches, verified.difference
    assert (verified.replayed, verified.obstacles) == (1, [])
    arena = server.wait(server.context.parts["arena"].ready())
    assert server.read(lambda connection: check_arena(connection, arena)).is_sound
    changed_rules_close_the_season(server, packages, settings, found, told["rules"])


def changed_rules_close_the_season(
    server: RunningServer, packages: Path, settings: Settings, day: LeagueDayFile, rules: str
) -> None:
    """The same package with another rule, in what would be a new process: the season ends, its matches stay."""
    with load.fresh():
        install(
            packages, "roshambo", ("other.hp = max(other.hp - damage, 0)", "other.hp = max(other.hp - damage - 1, 0)")
        )
        found = read_leagues(Path(settings.leagues), settings.games)
        assert found["throws"].document["rules"] != rules
        verified = verify_document(day, "day.json")
        assert verified.matches
        assert not verified.is_verified
        assert f"made by rules 1 ({rules[:12]}) of roshambo; fracas==" in verified.verdict
        before: RunningArena = server.context.parts["arena"]
        arena = Arena(found, server.wait(before.ready()).box)

        def opened(connection: Any) -> list[Any]:
            open_arena(connection, arena, server.clock.now_ms(), migrates=True)
            report = check_arena(connection, arena)
            assert report.is_sound, report.faults
            assert report.of_other_rules == 2
            return [(season.no, season.ended_at is None) for season in all_seasons(connection, "throws")]

        assert server.write(opened) == [(2, True), (1, False)]


def test_only_listed_games_of_packages_are_played(settings: Settings, packages: Path, tmp_path: Path):
    folder = Path(settings.leagues)
    with pytest.raises(InputError, match="list an installed game with --games roshambo"):
        read_leagues(folder)
    assert "roshambo" not in sys.modules
    with pytest.raises(InputError, match='no installed package offers a game "rosambo"'):
        read_leagues(folder, ("rosambo",))
    (folder / "throws.toml").write_text(f'rules = "{"0" * 64}"\n{LEAGUE}')
    with pytest.raises(InputError, match="are not the rules of roshambo here"):
        read_leagues(folder, ("roshambo",))
    with load.fresh():
        load.use(GAMES / "coins" / "coins.py")
        with pytest.raises(InputError, match='no installed package offers a game "coins"'):
            read_leagues(folder, ("coins",))


ENTRIES: dict[str, Any] = {
    "cards": {"deck": ["old_fish", "pot_lid", "warm_bread", "hot_soup"] * 2, "style": "rush"},
    "pets": {"units": [{"breed": "honey_bear"}, {"breed": "mud_toad"}]},
    "skirmish": {
        "units": ["outrider", "halberdier"],
        "plan": [{"when": "allies.any(wounded > 40)", "do": "strike", "target": "lowest_hp"}],
    },
}
REFUSED: dict[str, Any] = {
    "cards": [{**ENTRIES["cards"], "health": 99}],
    "pets": [{"units": [{"breed": "honey_bear", "level": 3}]}, {"units": [{"breed": "honey_bear", "name": "Bo"}]}],
    "skirmish": [
        {"units": [{"id": "outrider", "health": 200, "attack": 60, "speed": 20}], "plan": []},
        {"units": ["outrider"], "plan": [{"when": "content.a_free_text", "do": "strike"}]},
    ],
}


@pytest.mark.parametrize("game", ENTRIES)
def test_entries_of_other_games(packages: Path, tmp_path: Path, game: str):
    install(packages, game)
    folder = tmp_path / "leagues"
    folder.mkdir(exist_ok=True)
    text = (
        LEAGUE.replace("roshambo", game)
        .replace('"twin"', "")
        .replace("miller = 11", "")
        .replace("most = 1", "most = 99")
    )
    (folder / "one.toml").write_text(text.replace("points = 10", "points = 999").replace("copies = 1", "copies = 9"))
    (league,) = read_leagues(folder, (game,)).values()
    checked = check_entry(league, ENTRIES[game])
    assert check_entry(league, checked.document).document == checked.document
    for document in REFUSED[game]:
        with pytest.raises(InputError, match="entry"):
            check_entry(league, document)
    bots = read_bots(league)
    assert len(bots) == 6
    assert len({bot.strength for bot in bots}) > 1
