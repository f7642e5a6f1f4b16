"""Guilds: found, joined by code, left, handed over, dissolved; who may do what; and their wars over HTTP."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import select, update
from tests.helpers import soak
from tests.helpers.arena import Playground, add_account, arena_of, league
from tests.helpers.serving import Client, RunningServer
from tests.helpers.wars import code_of, do_due, plan
from tests.server.arena.test_routes import ROOT, settings, signed_up, submitted  # noqa: F401

from fracas.server.accounts.deletion import delete_account
from fracas.server.arena.guilds import service
from fracas.server.arena.guilds.service import MOST_MEMBERS
from fracas.server.clock import HOUR, SECOND, WEEK, SteppingClock, monday_of
from fracas.server.database import streams
from fracas.server.database.engine import Database
from fracas.server.database.tables import account
from fracas.server.ids import new_id

# What these do with SQL is done on both databases by others.
DATABASES = soak.some(("sqlite", "postgresql"), 1)


def founded(server: RunningServer, handle: str, name: str, of: str = "open") -> tuple[Client, dict[str, Any]]:
    owner = signed_up(server, handle)
    answer = owner.post(f"{ROOT}/guilds", {"name": name, "league": of})
    assert answer.status_code == 201, answer.text
    return owner, answer.json()


def joined(server: RunningServer, handle: str, code: str) -> Client:
    client = signed_up(server, handle)
    answer = client.post(f"{ROOT}/guilds/join", {"code": code})
    assert answer.status_code == 201, answer.text
    return client


def people(client: Client, path: str) -> dict[str, str]:
    return {each["account"]["handle"]: each["role"] for each in client.get(path).json()["members"]}


def id_of(server: RunningServer, handle: str) -> str:
    return str(server.read(lambda c: c.execute(select(account.c.id).where(account.c.handle == handle)).scalar_one()))


def kinds(server: RunningServer, handle: str) -> list[str]:
    found = server.read(lambda connection: streams.after(connection, id_of(server, handle), 0)) or []
    return [each.type for each in found]


def test_a_guild_from_its_founding_to_its_end(server: RunningServer):
    ann, guild = founded(server, "ann", "  The   Lanterns ")
    path = guild["links"]["self"]
    assert (guild["name"], guild["size"], guild["members"][0]["role"]) == ("The Lanterns", 1, "owner")
    bob = joined(server, "bob", guild["code"].upper())
    server.clock.step(1)
    cleo = joined(server, "cleo", guild["code"])
    assert "code" not in bob.get(path).json()
    assert bob.get(f"{ROOT}/guilds/mine").json()["id"] == guild["id"]
    # Joining again changes nothing; a second guild is refused.
    assert bob.post(f"{ROOT}/guilds/join", {"code": guild["code"]}).status_code == 201
    assert bob.post(f"{ROOT}/guilds", {"name": "Mine", "league": "open"}).status_code == 409
    dora, _ = founded(server, "dora", "Foxes")
    assert dora.post(f"{ROOT}/guilds/join", {"code": guild["code"]}).status_code == 409
    # The owner leaves, and who has been there longest owns it.
    assert ann.delete(f"{path}/members/ann").status_code == 204
    assert people(bob, path) == {"bob": "owner", "cleo": "member"}
    assert bob.post(f"{path}/owner", {"handle": "dora"}).status_code == 404
    assert bob.post(f"{path}/owner", {"handle": "cleo"}).status_code == 201
    assert people(bob, path) == {"bob": "member", "cleo": "owner"}
    renewed = cleo.post(f"{path}/code").json()["code"]
    assert ann.post(f"{ROOT}/guilds/join", {"code": guild["code"]}).status_code == 404
    assert ann.post(f"{ROOT}/guilds/join", {"code": renewed}).status_code == 201
    assert cleo.delete(f"{path}/members/ann").status_code == 204
    assert kinds(server, "ann") == ["guild.joined", "guild.joined", "guild.removed"]
    assert cleo.delete(path).status_code == 204
    assert kinds(server, "bob")[-1] == "guild.dissolved"
    # It never fought, so it is forgotten, and its name is free.
    assert bob.get(path).status_code == 404
    assert bob.post(f"{ROOT}/guilds", {"name": "the lanterns", "league": "open"}).status_code == 201


def test_what_names_and_numbers_are_refused(sqlite_server: RunningServer):
    ann, guild = founded(sqlite_server, "ann", "The Lanterns")
    bob = signed_up(sqlite_server, "bob")
    for name in ("", "   ", "x" * 33, "a\u202eb", "\u0430dmin", "Admin", "the\u0007lanterns"):
        answer = bob.post(f"{ROOT}/guilds", {"name": name, "league": "open"})
        assert (answer.status_code, [each["where"] for each in answer.json()["problems"]]) == (422, ["name"]), name
    assert bob.post(f"{ROOT}/guilds", {"name": "THE LANTERNS", "league": "open"}).status_code == 409
    assert bob.post(f"{ROOT}/guilds", {"name": "Foxes", "league": "none"}).status_code == 404
    key = {"Idempotency-Key": "one"}
    once = bob.post(f"{ROOT}/guilds", {"name": "Foxes", "league": "open"}, headers=key)
    again = bob.post(f"{ROOT}/guilds", {"name": "Foxes", "league": "open"}, headers=key)
    assert (once.status_code, once.json()) == (again.status_code, again.json())

    def fill(connection: Any) -> None:
        code = code_of(connection, guild["id"])
        for _ in range(MOST_MEMBERS - 1):
            who = add_account(connection, new_id(1), 1)
            service.join_guild(connection, who, code, 1)

    sqlite_server.write(fill)
    cleo = signed_up(sqlite_server, "cleo")
    refused = cleo.post(f"{ROOT}/guilds/join", {"code": guild["code"]})
    assert (refused.status_code, f"{MOST_MEMBERS} members" in refused.json()["detail"]) == (409, True)
    assert len(ann.get(f"{ROOT}/guilds").json()["items"]) == 2


WHO = ("nobody", "other", "member", "owner", "operator")
TABLE = [
    # The request, what it sends, and what nobody, another player, a member, the owner and an operator get.
    ("GET", "", None, (200, 200, 200, 200, 200)),
    ("PUT", "/entry", "entry", (401, 404, 200, 200, 404)),
    ("DELETE", "/members/other-member/entry", None, (401, 404, 404, 204, 404)),
    ("POST", "/code", {}, (401, 404, 404, 201, 404)),
    ("POST", "/owner", {"handle": "other-member"}, (401, 404, 404, 201, 404)),
    ("DELETE", "/members/other-member", None, (401, 404, 404, 204, 404)),
    ("DELETE", "/members/SELF", None, (401, 404, 204, 204, 404)),
    ("DELETE", "", None, (401, 404, 404, 204, 404)),
]


@pytest.mark.parametrize(("method", "path", "body", "expected"), TABLE)
def test_who_may_do_what(sqlite_server: RunningServer, method: str, path: str, body: Any, expected: tuple[int, ...]):
    server = sqlite_server
    owner, guild = founded(server, "owner", "The Lanterns")
    member = joined(server, "member", guild["code"])
    joined(server, "other-member", guild["code"])
    operator = signed_up(server, "the-operator")
    server.write(
        lambda connection: connection.execute(
            update(account).where(account.c.handle == "the-operator").values(role="operator")
        )
    )
    clients = (server.client(), signed_up(server, "other"), member, owner, operator)
    for who, client, status in reversed(list(zip(WHO, clients, expected, strict=True))):
        if who == "owner":
            continue
        sent = {"entry": submitted(client)} if body == "entry" and who != "nobody" else body
        answer = client.request(method, guild["links"]["self"] + path.replace("SELF", who), json=sent or {})
        assert answer.status_code == status, (who, answer.text)
    sent = {"entry": submitted(owner)} if body == "entry" else body
    answer = owner.request(method, guild["links"]["self"] + path.replace("SELF", "owner"), json=sent or {})
    assert answer.status_code == expected[3], answer.text


def test_entries_are_named_by_their_owners_alone(sqlite_server: RunningServer):
    server = sqlite_server
    ann, guild = founded(server, "ann", "The Lanterns")
    bob = joined(server, "bob", guild["code"])
    path = guild["links"]["self"]
    mine, hidden = submitted(ann), submitted(ann, "hidden")
    assert bob.put(f"{path}/entry", {"entry": mine}).status_code == 404
    assert ann.put(f"{path}/entry", {"entry": hidden}).status_code == 409
    named = ann.put(f"{path}/entry", {"entry": mine}).json()
    assert (named["named"], named["members"][0]["entry"]["id"]) == (1, mine)
    # Members see it, and nobody else.
    assert bob.get(path).json()["members"][0]["entry"]["id"] == mine
    public = signed_up(server, "cleo").get(path)
    assert (mine in public.text, public.json()["named"]) == (False, 1)
    assert ann.delete(f"{ROOT}/entries/{mine}").status_code == 204
    assert ann.get(path).json()["named"] == 0
    assert ann.get("/api/v1/account/export").json()["guild"][0]["guild"] == guild["id"]


def test_an_account_that_goes_leaves_its_guild(sqlite_server: RunningServer):
    server = sqlite_server
    ann, guild = founded(server, "ann", "The Lanterns")
    bob = joined(server, "bob", guild["code"])
    ann.put(f"{guild['links']['self']}/entry", {"entry": submitted(ann)})
    ann_id, bob_id = id_of(server, "ann"), id_of(server, "bob")
    server.write(lambda connection: delete_account(connection, ann_id, server.clock.now_ms()))
    assert people(bob, guild["links"]["self"]) == {"bob": "owner"}
    assert bob.get(guild["links"]["self"]).json()["named"] == 0
    assert "ann" not in str(server.read(lambda connection: streams.after(connection, bob_id, 0)))
    server.write(lambda connection: delete_account(connection, bob_id, server.clock.now_ms()))
    assert server.client().get(guild["links"]["self"]).status_code == 404


def war_of(server: RunningServer, of: str = "open") -> tuple[Client, Client, dict[str, Any]]:
    """A war of two guilds that is over, by what a running server does itself."""
    clients = []
    running = server.context.parts["arena"]
    server.wait(running.ready())
    for name in ("Ann", "Bob"):
        owner, guild = founded(server, name.lower(), f"Guild of {name}", of)
        answer = owner.put(f"{guild['links']['self']}/entry", {"entry": submitted(owner, of)})
        assert answer.status_code == 200, answer.text
        clients.append(owner)
    now = server.clock.now_ms()
    server.clock.step(monday_of(now) + WEEK - 3 * HOUR - now)
    server.wait(running.tick())
    (locked,) = clients[0].get(f"{ROOT}/wars").json()["items"]
    assert (locked["state"], "matches" in clients[0].get(locked["links"]["self"]).json()) == ("locked", False)
    server.clock.step(3 * HOUR)
    server.wait(running.tick())
    return clients[0], clients[1], server.client().get(locked["links"]["self"]).json()


def test_a_running_server_fights_a_war_and_tells_it(server: RunningServer):
    ann, bob, war = war_of(server)
    assert (war["state"], war["fought"], len(war["matches"])) == ("over", 1, 1)
    assert "war.over" in kinds(server, "ann")
    match = server.client().get(war["matches"][0]["links"]["match"]).json()
    assert (match["kind"], match["number"], match["links"]["war"]) == ("war", None, war["links"]["self"])
    assert {side["account"]["handle"] for side in match["sides"]} == {"ann", "bob"}
    replay = server.client().get(f"{war['matches'][0]['links']['match']}/legs/0/replay")
    assert (replay.status_code, replay.json()["format"]) == (200, "fracas-replay")
    guild = bob.get(f"{ROOT}/guilds/mine").json()
    assert sum(guild["record"].values()) == 1
    # The pages tell it.
    html = {"Accept": "text/html"}
    for path in ("/guilds", f"/guilds/{guild['id']}", "/wars", f"/wars/{war['id']}"):
        for client in (server.client(), ann):
            shown = client.get(path, headers=html)
            assert (shown.status_code, "Guild of Ann" in shown.text) == (200, True), path
    page = server.client().get(f"/wars/{war['id']}", headers=html).text
    assert war["story"][0]["text"] in page
    assert re.search(rf'href="/m/{match["id"]}"', page)
    assert "war</a>" in server.client().get(f"/m/{match['id']}", headers=html).text


def test_a_league_that_hides_entries_hides_them_in_wars(sqlite_server: RunningServer):
    ann, _, war = war_of(sqlite_server, "hidden")
    nobody = sqlite_server.client()
    path = war["matches"][0]["links"]["match"]
    match = nobody.get(path).json()
    assert [side["revealed"] for side in match["sides"]] == [False, False]
    assert nobody.get(f"{path}/legs/0/replay").status_code == 404
    assert nobody.get(f"{path}/legs/0").status_code == 200
    entry = f"{ROOT}/entries/{match['sides'][1]['entry']}/versions/1"
    assert (nobody.get(entry).json()["document"], ann.get(entry).status_code) == (None, 200)


def test_rotations_are_told_on_monday(one_database: Database, clock: SteppingClock):
    small = Playground(one_database, clock, arena_of(league(modifier="weekly")))
    ((ann, _),) = small.players(1)
    plan(small)
    clock.step(monday_of(small.now) + WEEK - small.now - SECOND)
    assert "rotation" not in [each.kind for each in do_due(small)]
    clock.step(SECOND)
    assert [each.kind for each in do_due(small)].count("rotation") == 1
    clock.step(2 * WEEK)
    do_due(small)
    with small.read() as connection:
        told = [each.body for each in streams.after(connection, ann, 0) or () if each.type == "modifier.changed"]
    assert len({each["modifier"] for each in told}) == len({each["since"] for each in told}) == 3
