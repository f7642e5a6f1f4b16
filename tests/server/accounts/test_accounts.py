"""What accounts can do, on both databases."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import httpx
import pytest
from sqlalchemy import select
from tests.helpers import soak
from tests.helpers.accounts import PASSWORD, signed_in
from tests.helpers.serving import Client, RunningServer
from tests.server.conftest import SETTINGS

from fracas.server.accounts import tokens
from fracas.server.accounts.tokens import TokenCache
from fracas.server.admin import accounts as admin
from fracas.server.clock import DAY, HOUR, SECOND, SteppingClock
from fracas.server.database import documents, streams
from fracas.server.database.tables import (
    account,
    audit,
    document,
    entry,
    entry_version,
    event,
    idempotency,
    league,
    match,
    match_side,
    token,
)
from fracas.server.http.authorisation import Principal, Role
from fracas.server.settings import Settings

# What these do with SQL is done on both databases by others.
DATABASES = soak.some(("sqlite", "postgresql"), 1)

API = "/api/v1"


def register(server: RunningServer, handle: str = "ann", **more: str):
    client = server.client()
    return client, showing(client, client.post(f"{API}/accounts", {"handle": handle, "password": PASSWORD, **more}))


def showing(client: Client, answer: httpx.Response) -> httpx.Response:
    """The answer of a route that begins a session; from now on the client shows its token."""
    if answer.is_success:
        client.http.headers["Authorization"] = f"Bearer {answer.json()['token']}"
    return answer


def sign_in(server: RunningServer, handle: str = "ann", password: str = PASSWORD):
    client = server.client()
    return client, showing(client, client.post(f"{API}/sessions", {"handle": handle, "password": password}))


def problem_of(answer):
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.json()


def test_register_sign_in_and_sign_out(server):
    client, answer = register(server, "Ann")
    assert answer.status_code == 201
    body = answer.json()
    assert (body["account"]["handle"], body["account"]["role"]) == ("ann", "player")
    assert "set-cookie" not in answer.headers
    assert client.get(f"{API}/account").json()["id"] == body["account"]["id"]
    assert server.client(body["token"]).get(f"{API}/account").status_code == 200
    assert client.delete(f"{API}/sessions/current").status_code == 204
    assert server.client(body["token"]).get(f"{API}/account").status_code == 401
    assert sign_in(server)[1].status_code == 201


def test_a_name_is_given_once_whatever_its_case(server):
    assert register(server, "ann")[1].status_code == 201
    answer = register(server, "ANN")[1]
    assert answer.status_code == 409
    assert problem_of(answer)["problems"][0]["where"] == "handle"


@pytest.mark.parametrize(
    ("handle", "password"),
    [("an", PASSWORD), ("a" * 25, PASSWORD), ("ann b", PASSWORD), ("gone-1", PASSWORD), ("admin", PASSWORD),
     ("guest-1", PASSWORD), ("bot-1", PASSWORD), ("änn", PASSWORD), ("ann", "short"), ("ann", "x" * 20),
     ("annannann", "annannann"), ("ann", "y" * 257)],
)  # fmt: skip
def test_what_cannot_be_registered(sqlite_server, handle, password):
    answer = sqlite_server.client().post(f"{API}/accounts", {"handle": handle, "password": password})
    assert answer.status_code == 422
    assert password not in answer.text or handle == password


def test_all_problems_come_at_once(sqlite_server):
    answer = sqlite_server.client().post(f"{API}/accounts", {"handle": "x", "password": "y"})
    assert [each["where"] for each in answer.json()["problems"]] == ["handle", "password"]


def test_signing_in_costs_the_same_hashes_whether_or_not_the_name_exists(sqlite_server):
    server = sqlite_server
    register(server)
    server.write(lambda connection: admin.create_admin(connection, "nopassword", server.clock.now_ms()))
    passwords = server.context.parts["accounts"].accounts.passwords
    seen = []
    for handle in ("ann", "nobody-has-this", "nopassword"):
        before = passwords.hashes
        _, answer = sign_in(server, handle, "not the password")
        body = problem_of(answer)
        seen.append((passwords.hashes - before, answer.status_code, body["detail"], body["problems"]))
    assert seen[0][0] == 1
    assert seen[0] == seen[1] == seen[2]


def test_a_new_sign_in_replaces_the_session_that_was_shown(server):
    client, answer = register(server)
    first = answer.json()["token"]
    showing(client, client.post(f"{API}/sessions", {"handle": "ann", "password": PASSWORD}))
    assert server.client(first).get(f"{API}/account").status_code == 401
    assert client.get(f"{API}/account").status_code == 200


def test_a_password_change_ends_all_sessions_but_its_own(server):
    client, _ = register(server)
    other, _ = sign_in(server)
    change = {"current_password": PASSWORD, "new_password": "staple orange window"}
    wrong = client.put(f"{API}/account/password", {**change, "current_password": "wrong wrong"})
    assert wrong.status_code == 403
    assert showing(client, client.put(f"{API}/account/password", change)).status_code == 200
    assert other.get(f"{API}/account").status_code == 401
    assert client.get(f"{API}/account").status_code == 200
    assert sign_in(server)[1].status_code == 401
    assert sign_in(server, password="staple orange window")[1].status_code == 201


@pytest.mark.parametrize("password", ["iloveyou", "Password1", "12345678", "passw0rd"])
def test_the_most_common_passwords_are_refused(server, password):
    answer = server.client().post(f"{API}/accounts", {"handle": "ann", "password": password})
    assert answer.status_code == 422
    assert "one of the 10,000 most common passwords" in problem_of(answer)["problems"][0]["message"]
    assert password not in answer.text


def test_keys_stay_at_a_password_change_unless_asked_and_end_at_a_recovery(server):
    client, _ = register(server)

    def key():
        made = client.post(f"{API}/keys", {"name": "bot", "scopes": ["read"]}, headers={"Idempotency-Key": "k"})
        return server.client(made.json()["token"])

    kept = key()
    change = {"current_password": PASSWORD, "new_password": "staple orange window"}
    showing(client, client.put(f"{API}/account/password", change))
    assert kept.get(f"{API}/account").status_code == 200
    back = {"current_password": "staple orange window", "new_password": PASSWORD, "delete_keys": True}
    showing(client, client.put(f"{API}/account/password", back))
    assert kept.get(f"{API}/account").status_code == 401
    client.http.headers.pop("Idempotency-Key", None)
    made = client.post(f"{API}/keys", {"name": "bot", "scopes": ["read"]}, headers={"Idempotency-Key": "k2"})
    kept = server.client(made.json()["token"])
    code = server.write(lambda connection: admin.reset_password(connection, "ann", server.clock.now_ms()))
    body = {"handle": "ann", "code": code, "new_password": "window staple orange"}
    assert server.client().post(f"{API}/recovery", body).status_code == 201
    assert kept.get(f"{API}/account").status_code == 401


def test_a_token_needs_no_origin_whatever_cookies_the_client_keeps(server):
    """Programs that keep cookies were refused as if they were pages of somebody else."""
    _, answer = register(server)
    client = server.client(answer.json()["token"], Cookie="fracas=frc_nothing")
    del client.http.headers["Origin"]
    assert client.patch(f"{API}/account", {"display_name": "Ann"}).status_code == 200
    cookie = {"Cookie": f"fracas={answer.json()['token']}"}
    page = server.client(**cookie)
    del page.http.headers["Origin"]
    assert page.patch(f"{API}/account", {"display_name": "Ben"}).status_code == 403
    assert page.get(f"{API}/account").json()["display_name"] == "Ann"


def test_no_answer_of_the_interface_sets_a_cookie(server):
    client, made = register(server)
    change = {"current_password": PASSWORD, "new_password": "staple orange window"}
    answers = [made, sign_in(server)[1], showing(client, client.put(f"{API}/account/password", change))]
    answers += [client.delete(f"{API}/account", {"password": "staple orange window"})]
    assert [answer.status_code for answer in answers] == [201, 201, 200, 204]
    assert not any("set-cookie" in answer.headers for answer in answers)


def test_one_address_cannot_try_a_password_on_many_names(one_database, clock):
    settings = replace(SETTINGS, rate_limit=1)
    with RunningServer(settings, one_database, clock) as server:
        # Every name has a bucket of its own, and the address has one for failures.
        statuses = []
        for number in range(60):
            body = {"handle": f"n{number}", "password": "x"}
            statuses.append(server.client(address="192.0.2.7").post(f"{API}/sessions", body).status_code)
            clock.step(SECOND)
        assert 40 <= statuses.count(401) <= 45
        assert statuses[-5:].count(429) >= 4
        elsewhere = server.client(address="192.0.2.8").post(f"{API}/sessions", {"handle": "n0", "password": "x"})
        assert elsewhere.status_code == 401


def test_a_recovery_code_works_once_for_its_account_for_a_day(server):
    client, _ = register(server, "ann")
    register(server, "zoe")
    code = server.write(lambda connection: admin.reset_password(connection, "ann", server.clock.now_ms()))
    body = {"handle": "zoe", "code": code, "new_password": "staple orange window"}
    # A wrong name does not use the code up: the command is undone.
    assert server.client().post(f"{API}/recovery", body).status_code == 403
    body["handle"] = "ann"
    key = client.post(f"{API}/keys", {"name": "bot", "scopes": ["read"]}).json()["token"]
    assert server.client().post(f"{API}/recovery", {**body, "code": key}).status_code == 403
    assert server.client().post(f"{API}/recovery", body).status_code == 201
    assert server.client().post(f"{API}/recovery", body).status_code == 403
    assert sign_in(server, password="staple orange window")[1].status_code == 201
    late = server.write(lambda connection: admin.reset_password(connection, "ann", server.clock.now_ms()))
    server.clock.step(DAY)
    assert server.client().post(f"{API}/recovery", {**body, "code": late}).status_code == 403


def test_sign_out_everywhere_keeps_keys(server):
    client, _ = register(server)
    other, _ = sign_in(server)
    key = client.post(f"{API}/keys", {"name": "bot", "scopes": ["read"]}).json()["token"]
    assert len(client.get(f"{API}/sessions").json()["items"]) == 2
    assert other.delete(f"{API}/sessions").status_code == 204
    assert client.get(f"{API}/account").status_code == 401
    assert server.client(key).get(f"{API}/account").status_code == 200


def test_keys_are_at_most_five_named_scoped_and_end(server):
    client, _ = register(server)
    made = [client.post(f"{API}/keys", {"name": f"bot {n}", "scopes": ["read"], "days": n}) for n in range(1, 7)]
    assert [answer.status_code for answer in made] == [201] * 5 + [409]
    key = server.client(made[0].json()["token"])
    assert key.get(f"{API}/account").status_code == 200
    assert key.patch(f"{API}/account", {"display_name": "x"}).status_code == 403
    server.write(lambda connection: None)  # The use is written down after the answer.
    items = client.get(f"{API}/keys").json()["items"]
    assert [item["name"] for item in items] == [f"bot {n}" for n in range(1, 6)]
    assert items[0]["used_at"] is not None
    server.clock.step(DAY)
    assert key.get(f"{API}/account").status_code == 401
    assert client.delete(items[1]["links"]["self"]).status_code == 204
    assert client.delete(items[1]["links"]["self"]).status_code == 404
    bad = client.post(f"{API}/keys", {"name": " ", "scopes": ["admin"], "days": 0})
    assert [each["where"] for each in bad.json()["problems"]] == ["scopes", "name", "days"]


def written_by(server: RunningServer, moment: int) -> None:
    """Wait until the only token's use at a moment is in the database; requests do not wait for that."""
    used = select(token.c.used_at)
    until = time.monotonic() + 20
    while server.read(lambda connection: connection.execute(used).scalar_one()) != moment:
        assert time.monotonic() < until, "the use was never written"
        time.sleep(0.005)


def test_a_session_lives_thirty_days_from_its_last_use(server):
    _, answer = register(server)
    client = server.client(answer.json()["token"])
    for _ in range(3):
        server.clock.step(29 * DAY)
        assert client.get(f"{API}/account").status_code == 200
        written_by(server, server.clock.now_ms())
    server.clock.step(30 * DAY)
    assert client.get(f"{API}/account").status_code == 401


def test_a_clock_that_is_set_back_ends_no_session(server):
    client, _ = register(server)
    for step in (-HOUR, -30 * DAY, 31 * DAY):
        server.clock.step(step)
        assert client.get(f"{API}/account").status_code == 200


def test_an_earlier_use_that_is_written_late_shortens_no_session(server):
    register(server)
    stored = select(token.c.id, token.c.expires_at)
    identifier, expires_at = server.read(lambda connection: tuple(connection.execute(stored).one()))
    late = server.clock.now_ms() - DAY
    server.write(lambda connection: tokens.note_use(connection, identifier, tokens.SESSION, late))
    assert server.read(lambda connection: connection.execute(stored).one().expires_at) == expires_at


def test_display_names(server):
    client, _ = register(server)
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    for name in ("Ann of the Hills", "A\u030ann", family * 10, "安" * 32):
        assert client.patch(f"{API}/account", {"display_name": name}).status_code == 200
    assert client.patch(f"{API}/account", {"display_name": ""}).json()["display_name"] is None
    for name in ("Nguyễn Ánh", "Łukasz", "日本ゲーム", "Мария"):
        assert client.patch(f"{API}/account", {"display_name": name}).status_code == 200
    unseen = ("x" * 33, "a\u202eb", "a\nb", "a\u200bb", "a\x00b", "\ud7ff" + "\ue000")
    # Full width, Cyrillic among Latin letters, a ligature, reserved names, 250 accents on one letter.
    alike = ("\uff21nn", "\u0430dmin", "\ufb01sh", "Admin", "0perator", "system", "a" + "\u0301" * 250)
    for name in (*unseen, *alike):
        answer = client.patch(f"{API}/account", {"display_name": name})
        assert answer.status_code == 422, ascii(name)


def test_a_suspended_account_is_told_why_and_let_in_again(server):
    client, _ = register(server)
    operator = signed_in(server, "ops", Role.OPERATOR)
    assert operator.put(f"{API}/admin/suspensions/ann", {"reason": "sold matches"}).status_code == 204
    assert client.get(f"{API}/account").status_code == 401
    answer = sign_in(server)[1]
    assert answer.status_code == 403
    assert "sold matches" in answer.json()["detail"]
    assert operator.put(f"{API}/admin/suspensions/ops", {"reason": "x"}).status_code == 409
    assert operator.put(f"{API}/admin/suspensions/nobody", {"reason": "x"}).status_code == 404
    assert operator.delete(f"{API}/admin/suspensions/ann").status_code == 204
    assert sign_in(server)[1].status_code == 201
    items = operator.get(f"{API}/admin/audit?limit=1").json()
    assert items["items"][0]["what"] == "allow"
    assert operator.get(items["links"]["next"]).json()["items"][0]["reason"] == "sold matches"


@pytest.mark.parametrize("who", ["closed", "invite"])
def test_sign_up_may_be_closed_or_by_invitation(settings: Settings, sqlite, clock, who):
    with RunningServer(replace(settings, sign_up=who), sqlite, clock) as server:
        assert register(server)[1].status_code == 403
        assert register(server, invitation=tokens.new_token())[1].status_code == 403
        server.write(lambda connection: admin.create_admin(connection, "ops", clock.now_ms()))
        (code,) = server.write(lambda connection: admin.invite(connection, 1, clock.now_ms()))
        assert register(server, invitation=code)[1].status_code == (403 if who == "closed" else 201)
        assert register(server, "zoe", invitation=code)[1].status_code == 403


def test_sign_up_is_open_by_default_only_on_this_machine():
    assert Settings().who_may_register == "open"
    assert Settings(host="::1").who_may_register == "open"
    assert Settings(host="192.168.1.10").who_may_register == "invite"


def test_tokens_are_in_no_table_and_only_in_the_answer_that_makes_them(server, caplog):
    caplog.set_level("DEBUG", "fracas")
    client, answer = register(server)
    body = {"name": "bot", "scopes": ["read"]}
    made = client.post(f"{API}/keys", body, headers={"Idempotency-Key": "one"})
    again = client.post(f"{API}/keys", body, headers={"Idempotency-Key": "one"})
    assert (again.status_code, again.json()["token"]) == (201, None)
    assert again.json()["id"] == made.json()["id"]
    secrets = [answer.json()["token"], made.json()["token"]]
    shown = "".join(client.get(f"{API}/{path}").text for path in ("account", "sessions", "keys", "account/export"))
    stored = ascii([server.read(lambda c, t=t: c.execute(select(t)).all()) for t in (account, token, idempotency)])
    for secret in secrets:
        assert secret not in shown
        assert secret not in stored
        assert secret not in caplog.text


def test_the_export_holds_what_is_stored_and_no_secret(server):
    client, _ = register(server)
    identifier = client.get(f"{API}/account").json()["id"]
    server.write(lambda c: streams.append(c, [(identifier, "hello", {"n": 1})], 5))
    made_entry(server, identifier, "e1")
    answer = client.get(f"{API}/account/export")
    assert "attachment" in answer.headers["content-disposition"]
    found = answer.json()
    assert found["account"]["handle"] == "ann"
    assert found["events"][0]["type"] == "hello"
    assert found["entries"][0]["versions"][0]["document"] == {"units": ["scout", "e1"]}
    assert "password" not in answer.text
    assert "salt" not in answer.text


def made_entry(server: RunningServer, owner: str, code: str, *, fought: bool = False) -> None:
    def command(connection):
        key = documents.put(connection, {"units": ["scout", code]})
        connection.execute(
            league.insert().prefix_with("OR IGNORE") if connection.dialect.name == "sqlite" else league.insert(),
            {"id": f"league-{code}", "revision": b"r", "document": documents.put(connection, {})},
        )
        where = {"account": owner, "league": f"league-{code}"}
        connection.execute(
            entry.insert(),
            {"id": code, **where, "code": code, "title": "Ann's", "ranked": 0, "last_no": 1, "created_at": 1},
        )
        connection.execute(
            entry_version.insert(),
            {"entry": code, "no": 1, "document": key, "salt": b"s", "sealed_digest": b"d", "created_at": 1},
        )
        if fought:
            numbers = {"season": 1, "day": "2026-11-22", "kind": "casual", "rules_version": 1, "legs": 2}
            digests = {"fingerprint": b"", "revision": b"", "result_digest": b""}
            rest = {"seed": "s", "modifier": "", "score_a": 2, "score_b": 2, "played_at": 1}
            connection.execute(
                match.insert(), {"id": f"m-{code}", "league": f"league-{code}", **numbers, **digests, **rest}
            )
            side = {"match": f"m-{code}", "place": 1, "season": 1, "entry": code, "version": 1}
            connection.execute(match_side.insert(), {**side, **where, "ticket_salt": b"", "rated": 0})

    server.write(command)


def test_deleting_an_account_keeps_proofs_and_no_name(server):
    client, _ = register(server)
    client.patch(f"{API}/account", {"display_name": "Ann of the Hills"})
    identifier = client.get(f"{API}/account").json()["id"]
    made_entry(server, identifier, "fought", fought=True)
    made_entry(server, identifier, "unused")
    server.write(lambda c: streams.append(c, [(identifier, "hello", {})], 5))
    client.post(f"{API}/keys", {"name": "bot", "scopes": ["read"]}, headers={"Idempotency-Key": "k"})
    assert client.delete(f"{API}/account", {"password": "wrong wrong"}).status_code == 403
    assert client.delete(f"{API}/account", {"password": PASSWORD}).status_code == 204
    assert client.get(f"{API}/account").status_code == 401

    def rows(table):
        return server.read(lambda connection: connection.execute(select(table)).mappings().all())

    (gone,) = rows(account)
    assert gone["handle"].startswith("gone-")
    assert (gone["display_name"], gone["password_hash"], gone["state"]) == (None, None, "deleted")
    assert rows(token) == rows(event) == rows(idempotency) == []
    assert [(row["id"], row["title"], row["state"]) for row in rows(entry)] == [("fought", "fought", "withdrawn")]
    assert len(rows(match_side)) == 1
    stored = server.read(lambda c: [documents.get(c, key) for key in c.execute(select(document.c.hash)).scalars()])
    assert {"units": ["scout", "fought"]} in stored
    assert {"units": ["scout", "unused"]} not in stored
    # As a word: three letters of a random id are nobody's name.
    assert not re.search(r"\bann\b", ascii([rows(table) for table in (account, entry, audit)]), re.IGNORECASE)
    assert problem_of(register(server)[1])["detail"] == "This handle is taken."
    assert register(server, "ben")[1].status_code == 201


def test_the_token_cache_forgets_after_five_seconds_and_at_once_when_told():
    clock = SteppingClock()
    cache = TokenCache(clock)
    principal = Principal("a", "ann", Role.PLAYER, frozenset(), "t")
    known = tokens.ValidToken(principal, tokens.SESSION, None, clock.now_ms() + DAY)
    cache.keep(b"k", known, cache.epoch())
    assert cache.recall(b"k") is known
    cache.hear("token:b")
    assert cache.recall(b"k") is known
    clock.step(5 * SECOND)
    assert cache.recall(b"k") is None
    epoch = cache.epoch()
    cache.hear("token:a")
    # Read before the revocation, kept after it: must not come back.
    cache.keep(b"k", known, epoch)
    assert cache.recall(b"k") is None


def test_passwords_wait_in_a_bounded_queue(sqlite_server):
    passwords = sqlite_server.context.parts["accounts"].accounts.passwords
    passwords._busy = 10
    answer = sign_in(sqlite_server)[1]
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "2")


def test_an_old_hash_is_renewed_at_sign_in(settings, sqlite, clock):
    with RunningServer(settings, sqlite, clock) as server:
        register(server)
        before = server.read(lambda c: c.execute(select(account.c.password_hash)).scalar_one())
    with RunningServer(replace(settings, argon2_passes=2), sqlite, clock) as server:
        assert sign_in(server)[1].status_code == 201
        assert server.read(lambda c: c.execute(select(account.c.password_hash)).scalar_one()) != before
        assert sign_in(server)[1].status_code == 201
