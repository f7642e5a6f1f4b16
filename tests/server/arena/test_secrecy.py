"""What one account keeps from the others, looked for in every answer that they can get."""

from __future__ import annotations

import base64
import itertools
import logging
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from tests.helpers.arena import Playground
from tests.helpers.commands import call
from tests.helpers.serving import Client, RunningServer
from tests.server.arena.test_routes import OTHER, ROOT, fought, settings, signed_up, submitted, tick  # noqa: F401

from fracas.server.arena.arena_loop import RunningArena
from fracas.server.arena.day_secrets import SecretBox, commitment_of
from fracas.server.arena.seasons import days
from fracas.server.arena.seasons import season as seasons
from fracas.server.arena.store.entries import EntryView, entry_by_id, versions_of
from fracas.server.arena.store.leaderboards import Row
from fracas.server.arena.store.matches import MatchView, SideView
from fracas.server.arena.store.people import Person
from fracas.server.clock import day_of
from fracas.server.database.engine import Database, open_database
from fracas.server.database.tables import account, entry, entry_version, league_day, league_head, token
from fracas.server.job_rows import JobView
from fracas.server_models.answer import Answer

SALT = "a salt that nobody else knows"
HANDLE = "ann"
NEWER = {"units": ["scout", "scout", "bronze_knight"]}


def answers_to(client: Client, paths: dict[str, Any], known: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Ask every route of the OpenAPI document that reads, with each combination of known names."""
    for path, operations in paths.items():
        if "get" not in operations or path == f"{ROOT}/events":
            continue
        names = re.findall(r"{(\w+)}", path)
        for values in itertools.product(*(known.get(name, ["x"]) for name in names)):
            asked = re.sub(r"{(\w+)}", "{}", path).format(*values)
            for query in ("", "?account=ann", "?around=ann", "?league=hidden"):
                wanted = {each["name"] for each in operations["get"].get("parameters", ()) if each["in"] == "query"}
                if query and query[1:].partition("=")[0] not in wanted:
                    continue
                answer = client.get(asked + query)
                assert answer.status_code < 500, (asked + query, answer.text)
                yield asked + query, answer.text + str(answer.headers)


def secrets_of(server: RunningServer, token_text: str) -> dict[str, str]:
    """Everything of ann's that must not be in another's answers, and the running days' secrets."""
    running: RunningArena = server.context.parts["arena"]
    arena = server.wait(running.ready())

    def query(connection: Any) -> dict[str, str]:
        found = {"token": token_text, "hash of the token": sha256(token_text.encode()).hexdigest(), "salt": SALT}
        whom = connection.execute(select(account).where(account.c.handle == HANDLE)).one()
        found["hash of the password"] = whom.password_hash
        for row in connection.execute(select(token.c.id).where(token.c.account == whom.id)):
            found["id of the token"] = row.id
        mine = select(entry.c.id).where(entry.c.account == whom.id)
        for row in connection.execute(select(entry_version).where(entry_version.c.entry.in_(mine))):
            version = f"version {row.no} of {row.entry}"
            found[f"digest of {version}"] = bytes(row.document).hex()
            found[f"salt of {version}"] = bytes(row.salt).hex()
        for row in connection.execute(select(league_day)):
            box = arena.box.open(bytes(row.secret_enc), row.league, row.day)
            for name, data in (("secret", box), ("encrypted secret", bytes(row.secret_enc))):
                found[f"{name} of {row.league} {row.day}"] = data.hex()
                found[f"{name} of {row.league} {row.day}, base64"] = base64.b64encode(data).decode()
        return found

    return server.read(query)


def test_nothing_of_another_account_is_in_any_answer(sqlite_server: RunningServer, caplog: pytest.LogCaptureFixture):
    """Ann has fought hidden, and waits with a newer version. Nobody else can read it, her ticket or her token."""
    caplog.set_level(logging.DEBUG)
    ann, bob, found = fought(sqlite_server, "hidden")
    mine = next(side["entry"] for side in found["sides"] if side["account"]["handle"] == HANDLE)
    assert ann.post(f"{ROOT}/entries/{mine}/versions", {"document": NEWER}).status_code == 201
    ticket = ann.post(f"{ROOT}/tickets", {"entry": mine, "salt": SALT}).json()["id"]
    unknown = submitted(ann, "open", NEWER, title="never seen by others")
    taught = ann.post(f"{ROOT}/classes", {"title": "a class of its own", "league": "open"}).json()
    header = ann.http.headers["Authorization"].removeprefix("Bearer ")
    held = secrets_of(sqlite_server, header)
    bobs = {row["entry"] for row in found["sides"]} - {mine}
    held |= {"ticket": ticket, "entry": unknown, "title": "never seen by others", "class": "a class of its own"}
    held |= {"code of the class": taught["code"]}
    known = {
        "league": ["open", "hidden"],
        "entry": [mine, *bobs, unknown],
        "version": ["1", "2", "3"],
        "match": [found["id"]],
        "leg": ["0", "1"],
        "handle": [HANDLE, "bob"],
        "day": [day_of(sqlite_server.clock.now_ms())],
        "class_id": [taught["id"]],
        "ticket": [ticket],
    }
    paths = sqlite_server.app.openapi()["paths"]
    asked = 0
    for client in (bob, sqlite_server.client()):
        # A path repeats what was asked for.
        told = set(known["entry"]) | {ticket, taught["id"]}
        for path, text in answers_to(client, paths, known):
            leaks = [n for n, secret in held.items() if secret not in told and secret in text]
            assert not leaks, (path, leaks)
            asked += 1
    assert asked > 60
    logged = "".join(str(vars(each)) for each in caplog.records if each.name.startswith("fracas"))
    assert "/api/v1/matches/{match}" in logged
    assert not [name for name, secret in held.items() if secret in logged]
    # The same search finds what ann may read: it is able to.
    seen = "".join(text for _, text in answers_to(ann, paths, known))
    for name in ("salt", "title", "code of the class"):
        assert held[name] in seen, name


def test_the_end_of_a_season_reveals_only_what_has_fought(database: Database, clock: Any):
    playground = Playground(database, clock)
    (ann, entry), (bob, other) = playground.players(2)
    waiting = playground.entry(ann, ranked=False)
    playground.fight([(ann, entry), (bob, other)])
    from fracas.server.arena import service

    with playground.write() as connection:
        service.change_entry(connection, playground.arena, ann, entry, {"units": ["scout"]}, playground.now)
    playground.queue(ann, entry)
    with playground.write() as connection:
        connection.execute(entry_version.update().values(revealed_at=None))
        seasons.end_season(connection, playground.arena, playground.arena.leagues["squads"], playground.now)
    with playground.read() as connection:
        shown = {each.version: each.document for each in versions_of(connection, entry_by_id(connection, entry), bob)}
        assert shown[1] is not None
        assert shown[2] is None, "a waiting ticket's version was revealed"
        assert [each.document for each in versions_of(connection, entry_by_id(connection, waiting), bob)] == [None]


@pytest.mark.parametrize("command", ["restore", "import"])
def test_restored_days_get_new_commitments(
    sqlite: Database, clock: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
):
    """`fracas server restore` and `import` publish new commitments, and forget heads of the old ones."""
    from fracas.server.clock import Clock

    clock.step(Clock().now_ms() - clock.now_ms())
    playground = Playground(sqlite, clock)
    with playground.write() as connection:
        days.note_head(connection, "squads", playground.now)
    backup, new = tmp_path / "backup", tmp_path / "new" / "fracas.db"
    new.parent.mkdir()
    written = call(
        capsys, "server", {"restore": "backup", "import": "export"}[command], backup, "--database", str(sqlite.file)
    )
    assert written.status == 0, written
    read = call(capsys, "server", command, backup, "--database", new)
    assert read.status == 0, read

    def rows(opened: Database) -> dict[str, Any]:
        with opened.reading.connect() as connection:
            return {row.day: row for row in connection.execute(select(league_day))}

    before = rows(sqlite)
    box = SecretBox.of_file(new.parent / "fracas.secret")
    opened = open_database(str(new), shared=True)
    try:
        after = rows(opened)
        assert after.keys() == before.keys()
        for day, row in after.items():
            assert bytes(row.commitment) != bytes(before[day].commitment)
            secret = box.open(bytes(row.secret_enc), "squads", day)
            assert commitment_of(secret, "squads", day) == bytes(row.commitment)
        with opened.reading.connect() as connection:
            assert connection.execute(select(league_head)).all() == []
    finally:
        opened.close()


def test_a_key_that_only_reads_joins_no_class(sqlite_server: RunningServer):
    ann, bob = signed_up(sqlite_server, "ann"), signed_up(sqlite_server, "bob")
    taught = ann.post(f"{ROOT}/classes", {"title": "Year 9", "league": "open"}).json()
    key = bob.post(f"{ROOT}/keys", {"name": "a reader", "scopes": ["read"]}).json()["token"]
    assert sqlite_server.client(key).post(f"{ROOT}/classes/join", {"code": taught["code"]}).status_code == 403
    assert bob.get(f"{ROOT}/classes").json()["items"] == []
    assert bob.post(f"{ROOT}/classes/join", {"code": taught["code"]}).status_code == 201


def test_a_class_ends_with_its_teachers_account(server: RunningServer):
    ann, bob = signed_up(server, "ann"), signed_up(server, "bob")
    taught = ann.post(f"{ROOT}/classes", {"title": "Year 9", "league": "open"}).json()
    guest = server.client(server.client().post(f"{ROOT}/classes/join", {"code": taught["code"]}).json()["token"])
    assert bob.post(f"{ROOT}/classes/join", {"code": taught["code"]}).status_code == 201
    made = [
        client.post(f"{taught['links']['self']}/entries", {"title": "mine", "document": NEWER}).json()["entry"]
        for client in (guest, bob)
    ]
    assert ann.post(f"{taught['links']['tables']}", {"battles": 2}).status_code == 202
    assert ann.delete(f"{ROOT}/account", {"password": "correct horse battery"}).status_code == 204
    assert guest.get(f"{ROOT}/account").status_code == 401
    assert [bob.get(f"{ROOT}/entries/{each}").status_code for each in made] == [404, 404]
    assert bob.get(f"{ROOT}/classes").json()["items"] == []


def test_an_entry_of_a_class_challenges_nobody(sqlite_server: RunningServer):
    ann, bob = signed_up(sqlite_server, "ann"), signed_up(sqlite_server, "bob")
    submitted(bob)
    taught = ann.post(f"{ROOT}/classes", {"title": "Year 9", "league": "open"}).json()
    own = ann.post(f"{taught['links']['self']}/entries", {"title": "mine", "document": NEWER}).json()["entry"]
    assert ann.post(f"{ROOT}/challenges", {"entry": own, "rival": "bob"}).status_code == 409
    assert bob.get(f"{ROOT}/matches").json()["items"] == []


@pytest.mark.parametrize("view", [Person, EntryView, SideView, MatchView, Row, JobView], ids=lambda view: view.__name__)
def test_what_only_the_server_sees_is_in_no_answer(view: type[Answer]):
    """Queries add fields to the models of answers; none of them may be written."""
    (model,) = view.__bases__
    assert issubclass(model, Answer)
    added = {name: field for name, field in view.model_fields.items() if name not in model.model_fields}
    assert all(field.exclude for field in added.values())
    assert added or view in (SideView, Row), "these hold an account, which has more fields"
