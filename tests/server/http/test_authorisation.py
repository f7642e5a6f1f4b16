"""The authorisation matrix: every route of the table, asked by nobody, another account, the owner and an operator."""

from __future__ import annotations

import re

import pytest
from fastapi import APIRouter
from tests.helpers.accounts import PASSWORD, signed_in
from tests.helpers.serving import Client, RunningServer

from fracas.server.app import ALWAYS, SERVICES, create_app
from fracas.server.http.authorisation import REFUSED, Access, Caller, Needs, Role, Scope, Table, admits
from fracas.server.settings import Settings

RELICS = {"ruleset": "relics", "left": {"items": ["horned_helm"]}, "right": {}}

# What makes a request of each route reach its work; other routes need no body. Keys are parts of the path as written.
BODIES = {
    "POST /api/v1/accounts": {"handle": "new-one", "password": PASSWORD},
    "POST /api/v1/sessions": {"handle": "new-one", "password": PASSWORD},
    "POST /api/v1/recovery": {"handle": "new-one", "code": "x", "new_password": PASSWORD},
    "PATCH /api/v1/account": {"display_name": "Ann"},
    "DELETE /api/v1/account": {"password": PASSWORD},
    "PUT /api/v1/account/password": {"current_password": PASSWORD, "new_password": PASSWORD},
    "POST /api/v1/keys": {"name": "bot", "scopes": ["read"]},
    "PUT /api/v1/admin/suspensions/{handle}": {"reason": "x"},
    "POST /api/v1/explain": {"scenario": RELICS, "hit": ["left", "right"]},
    "POST /api/v1/verify": {},
    **{f"POST /api/v1/{name}": {"scenario": RELICS} for name in ("validate", "lint", "run", "compile")},
    **{f"POST /api/v1/jobs/{name}": {"scenario": RELICS} for name in ("simulate", "odds", "sensitivity", "why")},
    "POST /api/v1/jobs/compare": {"scenario": RELICS, "b_set": ["left.items=[]"]},
    "POST /api/v1/jobs/sweep": {"scenario": RELICS, "ranges": ["profile=canvas"]},
    "POST /api/v1/jobs/matchups": {"entrants": [{"scenario": RELICS}, {"scenario": RELICS, "side": 2}]},
    "POST /api/v1/jobs/optimise": {"scenario": RELICS, "budget": 100},
    "POST /api/v1/jobs/report": {"sources": [RELICS]},
}


def table_of(*services: str) -> Table:
    """The rows of this package's routes; those of the arena and the pages are tested in their rooms."""
    app = create_app(Settings(services=services))
    found: Table = app.state.access
    return found


# Streams do not end.
ROWS = [row for row in table_of("resolver").rows.values() if not row.path.endswith("/events")]


@pytest.fixture(scope="module")
def callers(tmp_path_factory, open_new):
    """A server with four callers; none of the requests below changes what another one needs."""
    from dataclasses import replace

    from tests.server.conftest import SETTINGS

    from fracas.server.clock import SteppingClock

    database = open_new(tmp_path_factory.mktemp("matrix"))
    with RunningServer(replace(SETTINGS, budget=0), database, SteppingClock()) as server:
        yield server
    database.close()


def caller_of(server: RunningServer, who: Caller, name: str) -> Client:
    role = Role.OPERATOR if who is Caller.OPERATOR else Role.PLAYER
    return server.client() if who is Caller.NOBODY else signed_in(server, name, role)


def path_for(row: Access, owner: Client) -> str:
    """The route's path, naming what belongs to the owner."""
    values = {"ruleset": "relics", "kind": "items", "entry": "horned_helm", "handle": "no-such-account"}
    if "/schemas/" in row.path:
        values["kind"] = "scenario"
    if "{session}" in row.path:
        values["session"] = owner.get("/api/v1/sessions").json()["items"][0]["id"]
    if "{key}" in row.path:
        values["key"] = owner.post("/api/v1/keys", {"name": "a", "scopes": ["read"]}).json()["id"]
    if "{job}" in row.path:
        values["job"] = owner.post("/api/v1/jobs/simulate", {"scenario": RELICS}).json()["id"]
    return re.sub(r"\{(\w+)\}", lambda found: values[found[1]], row.path)


@pytest.mark.parametrize("who", Caller)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.path}")
def test_every_route_answers_those_it_should(callers, row, who):
    owner = caller_of(callers, Caller.OWNER, f"o{callers.clock.step(1)}")
    asking = owner if who is Caller.OWNER else caller_of(callers, who, f"c{callers.clock.step(1)}")
    path = path_for(row, owner)
    body = BODIES.get(f"{row.method} {row.path}")
    if row.path == "/api/v1/accounts":
        body = {"handle": f"new-{callers.clock.step(1)}", "password": PASSWORD}
    answer = asking.request(row.method, path, **({} if body is None else {"json": body}))
    # Nobody's jobs are seen by whoever knows their ids, so these routes are open; this one is the owner's.
    is_others = "{job}" in row.path and who is not Caller.OWNER
    expected = 404 if is_others else REFUSED[row.needs][who]
    if expected is not None:
        assert answer.status_code == expected
        assert answer.headers["content-type"] == "application/problem+json"
    else:
        # Not refused for who asks: done, or refused by the work itself.
        assert answer.status_code not in (405, 415, 500, 503), answer.text
        works = {"/api/v1/sessions", "/api/v1/recovery", "/docs", "/metrics", "/api/v1/admin/suspensions/{handle}"}
        # A job that has just been asked for has no result.
        works |= {"/api/v1/jobs/{job}/result", "/api/v1/jobs/{job}/report"}
        works |= {"/api/v1/account/password", "/api/v1/account", "/api/v1/verify"}
        if row.path not in works:
            assert answer.status_code < 300, answer.text


@pytest.mark.parametrize("row", [row for row in ROWS if row.needs is not Needs.NOTHING], ids=lambda row: row.path)
def test_a_key_reaches_only_what_its_scope_names(callers, row):
    owner = caller_of(callers, Caller.OWNER, f"k{callers.clock.step(1)}")
    made = owner.post("/api/v1/keys", {"name": "bot", "scopes": ["read", "play"]}).json()
    key = callers.client(made["token"])
    body = BODIES.get(f"{row.method} {row.path}")
    answer = key.request(row.method, path_for(row, owner), **({} if body is None else {"json": body}))
    expected = 404 if row.needs is Needs.OPERATOR else 403 if row.scope in ("account", "admin") else 200
    assert answer.status_code == expected


def test_every_service_can_be_switched_off_alone():
    everything = set(table_of(*SERVICES).rows)
    for name in SERVICES:
        rows = set(table_of(name).rows)
        assert rows <= everything
        assert ("POST", "/api/v1/run") in rows or name != "resolver"


def test_a_route_that_does_not_say_what_it_needs_stops_the_start():
    router = APIRouter()

    @router.get("/secret")
    def secret() -> None: ...

    with pytest.raises(RuntimeError, match="GET /secret does not say"):
        Table(router.routes)


def test_what_a_route_says_is_its_row():
    router = APIRouter()

    @router.get("/own", **admits(Needs.OWNER))
    def read() -> None: ...

    @router.post("/own", **admits(Needs.OWNER, scope=Scope.PLAY))
    def write() -> None: ...

    rows = Table(router.routes).rows
    assert rows["GET", "/own"] == Access("GET", "/own", Needs.OWNER, Scope.READ, "read")
    assert rows["POST", "/own"] == Access("POST", "/own", Needs.OWNER, Scope.PLAY, "write")
    with pytest.raises(RuntimeError, match="two routes"):
        Table([*router.routes, *router.routes])


def test_all_rows_are_of_rooms_that_are_listed():
    assert all(name.startswith("fracas.server.") for name in (*ALWAYS, *sum(SERVICES.values(), ())))
