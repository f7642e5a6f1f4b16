"""The authorisation matrix of the arena, its classes, guilds and jobs, and the pages: every route, asked by everybody.

What belongs to the owner is private: an entry that never fought, a practice match, a ticket, a class, a job. Nobody
else learns by any route that it exists.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert
from tests.helpers.accounts import PASSWORD, signed_in
from tests.helpers.serving import Client, RunningServer
from tests.server.arena.test_routes import LEAGUE, ROOT, TEAM, submitted
from tests.server.conftest import SETTINGS
from tests.server.jobs.test_jobs import work_here

from fracas.server.app import create_app
from fracas.server.arena import bot_files
from fracas.server.clock import SteppingClock
from fracas.server.database.engine import Database
from fracas.server.database.tables import war
from fracas.server.http.authorisation import REFUSED, Access, Caller, Role
from fracas.server.http.bodies import FORM
from fracas.server.ids import new_id
from fracas.server.settings import Settings


def rows_of(*services: str) -> dict[tuple[str, str], Access]:
    found: dict[tuple[str, str], Access] = create_app(Settings(services=services)).state.access.rows
    return found


OF_THE_RESOLVER = rows_of("resolver")
ROWS = [row for key, row in rows_of("resolver", "arena", "pages").items() if key not in OF_THE_RESOLVER]
PRIVATE = {"{entry}", "{match}", "{ticket}", "{class_id}", "{job}", "{key}", "{session}"}
# These name something of the owner in their body.
NAMING = {f"POST {ROOT}/{name}" for name in ("tickets", "practice", "challenges")}
NAMING |= {f"POST {ROOT}/tournaments/{{tournament}}/entrants"}


@dataclass
class Owner:
    """An account that has something of everything."""

    client: Client
    values: dict[str, str]
    bodies: dict[str, Any]


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, open_new: Callable[[Path], Database], few_bots: Path
) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("matrix")
    (folder / "leagues").mkdir()
    text = LEAGUE.format(id="open", ruleset="squads", reveal="after_match")
    (folder / "leagues" / "open.toml").write_text(text)
    database = open_new(folder)
    settings = replace(SETTINGS, secret_file=str(folder / "secret"), leagues=str(folder / "leagues"), budget=0)
    with pytest.MonkeyPatch.context() as patched, RunningServer(settings, database, SteppingClock()) as running:
        patched.setattr(bot_files, "FOLDER", few_bots)
        yield running
    database.close()


def made(server: RunningServer, path: str = "") -> Owner:
    """A new owner of what a path is about; of everything if none is given."""

    def is_about(*words: str) -> bool:
        return not path or any(word in path for word in words)

    handle = f"owner-{server.clock.step(1)}"
    client = signed_in(server, handle)
    entry, other = submitted(client), submitted(client, ranked=False)
    values = {
        "league": "open",
        "handle": handle,
        "day": client.get(f"{ROOT}/leagues/open/head").json()["day"],
        "entry": entry,
        "other": other,
        "bot": client.get(f"{ROOT}/leagues/open/bots").json()["items"][0]["handle"],
        "version": "1",
        "leg": "0",
        "path": "studio/main.js",
        "question": "check",
        "class_code": "none",
        "guild_code": "none",
    }
    if is_about("{match}"):
        values["match"] = client.post(f"{ROOT}/practice", {"entry": entry, "bot": values["bot"]}).json()["id"]
    if is_about("{ticket}"):
        values["ticket"] = client.post(f"{ROOT}/tickets", {"entry": entry}).json()["id"]
    if is_about("class", "{job}"):
        lesson = client.post(f"{ROOT}/classes", {"title": "A class", "league": "open"}).json()
        for each in (client, signed_in(server, f"pupil-{server.clock.step(1)}")):
            each.post(f"{ROOT}/classes/join", {"code": lesson["code"]})
            each.post(f"{ROOT}/classes/{lesson['id']}/entries", {"title": "Mine", "document": TEAM})
        pair = [each["code"] for each in client.get(f"{ROOT}/classes/{lesson['id']}").json()["entries"]]
        values |= {"class_id": lesson["id"], "class_code": lesson["code"], "first": pair[0], "second": pair[1]}
    if is_about("{job}"):
        values["job"] = client.post(f"{ROOT}/classes/{values['class_id']}/tables", {"battles": 2}).json()["id"]
        if not path:
            work_here(server)
    if is_about("guild", "{war}"):
        guild = client.post(f"{ROOT}/guilds", {"name": f"Guild {handle}", "league": "open"}).json()
        client.put(f"{ROOT}/guilds/{guild['id']}/entry", {"entry": entry})
        values |= {"guild": guild["id"], "guild_code": guild["code"]}
        values["war"] = server.write(partial(war_of, guild=guild["id"], now=server.clock.now_ms()))
    if is_about("{key}"):
        values["key"] = client.post("/api/v1/keys", {"name": "a", "scopes": ["read"]}).json()["id"]
    if is_about("{session}"):
        values["session"] = client.get("/api/v1/sessions").json()["items"][0]["id"]
    if is_about("{tournament}"):
        plan = {"title": "Cup", "league": "open", "format": "swiss"}
        values["tournament"] = cup = client.post(f"{ROOT}/tournaments", plan).json()["id"]
        client.post(f"{ROOT}/tournaments/{cup}/entrants", {"entry": other})
        rival = signed_in(server, f"rival-{server.clock.step(1)}")
        rival.post(f"{ROOT}/tournaments/{cup}/entrants", {"entry": submitted(rival)})
    document = {"document": TEAM}
    bodies = {
        "/leagues/{league}/check": document,
        "/entries": {"league": "open", "title": "Another", **document},
        "/entries/{entry}": {"title": "Another", "open_to_challenges": True},
        "/entries/{entry}/versions": document,
        "/tickets": {"entry": other},
        "/practice": {"entry": entry, "bot": values["bot"]},
        "/challenges": {"entry": entry, "rival": "nobody-here"},
        "/classes": {"title": "Another", "league": "open"},
        "/tournaments": {"title": "Another", "league": "open", "format": "swiss"},
        "/tournaments/{tournament}/entrants": {"entry": other},
        "/classes/join": {"code": values["class_code"]},
        "/classes/{class_id}/entries": {"title": "Mine", **document},
        "/classes/{class_id}/tables": {"battles": 2},
        "/guilds": {"name": "Another", "league": "open"},
        "/guilds/join": {"code": values["guild_code"]},
        "/guilds/{guild}/owner": {"handle": handle},
        "/guilds/{guild}/entry": {"entry": other},
    }
    return Owner(client, values, bodies)


def war_of(connection: Connection, guild: str, now: int) -> str:
    """A week in which a guild has no rival."""
    values = {"id": new_id(now), "week": "2026-11-23", "league": "open", "guild_a": guild, "state": "bye"}
    connection.execute(insert(war).values(**values, mean_a=(25.0).hex(), locked_at=now))
    return str(values["id"])


@pytest.fixture(scope="module")
def shared(server: RunningServer) -> Owner:
    """An owner for those who are refused and those who read: they change nothing."""
    return made(server)


@pytest.fixture(scope="module")
def callers(server: RunningServer) -> dict[Caller, Client]:
    """Those who own nothing."""
    return {
        Caller.NOBODY: server.client(),
        Caller.OTHER: signed_in(server, "somebody"),
        Caller.OPERATOR: signed_in(server, "operator", Role.OPERATOR),
    }


def ask(client: Client, row: Access, owner: Owner) -> Any:
    path = re.sub(r"\{(\w+)(?::path)?\}", lambda found: owner.values[found[1]], row.path)
    if "/editor/" in row.path:
        return client.request("POST", path, json={"text": "units = ['scout']"})
    if row.path.startswith(ROOT):
        if row.method == "GET":
            return client.get(path)
        return client.request(row.method, path, json=owner.bodies.get(row.path.removeprefix(ROOT), {}))
    if row.method == "GET":
        return client.get(path, headers={"Accept": "text/html"})
    fields = {"password": PASSWORD, "handle": "x", "document": "units = ['scout']", "title": "Mine", "battles": "2"}
    fields |= {"entry": owner.bodies["/tickets"]["entry"], "format": "swiss", "best_of": "1", "pause_minutes": "0"}
    join = "/guilds/join" if row.path == "/guilds/join" else "/classes/join"
    if "/guilds/" in row.path:
        fields |= {"handle": owner.values["handle"], "entry": owner.values["entry"]}
    fields |= {
        "name": "Another",
        "league": "open",
        "code": owner.bodies[join]["code"],
        "bot": owner.bodies["/practice"]["bot"],
    }
    return client.request("POST", path, data=fields, headers={"Content-Type": FORM, "Accept": "text/html"})


@pytest.mark.parametrize("who", [Caller.NOBODY, Caller.OTHER, Caller.OPERATOR])
def test_what_is_the_owners_is_nobody_elses(shared: Owner, callers: dict[Caller, Client], who: Caller):
    unlike = {}
    # Signing out ends what the others need, these accounts have no passwords, and whoever has the code may join.
    left_out = {"/sign-out", "/account/sessions/end", "/account/delete", "/account/password"}
    left_out |= {
        "/classes/join",
        f"{ROOT}/classes/join",
        "/guilds/join",
        f"{ROOT}/guilds/join",
        "/sign-in",
        "/sign-in/token",
        "/recover",
    }
    for row in (each for each in ROWS if each.path not in left_out):
        name = f"{row.method} {row.path}"
        is_private = any(part in row.path for part in PRIVATE) or name in NAMING
        expected = REFUSED[row.needs][who] or (404 if is_private else None)
        status = ask(callers[who], row, shared).status_code
        if status != expected if expected is not None else status in (401, 403, 405, 415) or status >= 500:
            unlike[name] = (status, expected)
    assert unlike == {}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.path}")
def test_the_owner_is_refused_nothing(server: RunningServer, shared: Owner, row: Access):
    # What is read stays as it is; whatever else is asked may take away what the next request needs.
    owner = shared if row.method == "GET" else made(server, row.path)
    answer = ask(owner.client, row, owner)
    told = answer.text[:300]
    assert answer.status_code < 500, told
    # A wrong password or token is refused, whoever asks; this owner has no password.
    if row.path not in ("/sign-in", "/sign-in/token", "/recover", "/account/password", "/account/delete"):
        assert answer.status_code not in (401, 403, 405, 415), told
    # A class table is drawn on the page of its class, and has no page of its own.
    absent = {"/leagues/{league}/days/{day}", "/jobs/{job}/result", "/jobs/{job}/report", "/challenges"}
    absent |= {"/e/{entry}/challenge"}
    if row.path.removeprefix(ROOT) not in absent:
        assert answer.status_code != 404, told
