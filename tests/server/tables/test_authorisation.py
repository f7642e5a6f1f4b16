"""The authorisation matrix of tables and their pages: every route and the socket, asked by everybody."""

from __future__ import annotations

import re

import pytest
from tests.helpers.accounts import signed_in
from tests.helpers.serving import Client, RunningServer
from tests.helpers.sockets import Socket
from tests.server.tables.conftest import ROOT, Table

from fracas.server.app import create_app
from fracas.server.http.authorisation import REFUSED, SOCKET, Caller, Role
from fracas.server.http.bodies import FORM
from fracas.server.settings import Settings


def rows_of(*services: str):
    return create_app(Settings(services=services)).state.access.rows


OTHERS = rows_of("pages")
ROWS = [row for key, row in rows_of("tables", "pages").items() if key not in OTHERS]
BODIES = {f"{ROOT}/tables": {"game": "roshambo"}, f"{ROOT}/tables/quick": {"game": "roshambo"}}


def asking(server: RunningServer, who: Caller, owner: Client) -> Client:
    if who is Caller.OWNER:
        return owner
    role = Role.OPERATOR if who is Caller.OPERATOR else Role.PLAYER
    return server.client() if who is Caller.NOBODY else signed_in(server, f"c{server.clock.step(1)}", role)


@pytest.mark.parametrize("who", Caller)
def test_every_route_answers_those_it_should(who: Caller, sqlite_server: RunningServer):
    assert {row.method for row in ROWS} == {"GET", "POST", "DELETE", SOCKET}
    for row in ROWS:
        table = Table(sqlite_server, "roshambo")
        client = asking(sqlite_server, who, table.clients[0])
        handle = table.stored()["seats"][0]["account"]["handle"]
        path = row.path.replace("{game}", "roshambo").replace("{handle}", handle)
        path = re.sub(r"\{\w+\}", table.id, path)
        refused = REFUSED[row.needs][who]
        if row.method == SOCKET:
            socket = Socket(sqlite_server, path, client.token or None)
            socket.say("hello")
            assert socket.hear("welcome")["side"] == (1 if who is Caller.OWNER else None)
            continue
        if row.path.startswith(ROOT):
            status = client.request(row.method, path, json=BODIES.get(row.path, {})).status_code
        else:
            form = {"Content-Type": FORM, "Accept": "text/html"}
            status = client.request(row.method, path, content=b"what=roshambo", headers=form).status_code
        # A proof and a bundle come after the end.
        late = row.path.endswith(("/proof", "/bundle"))
        assert (status if status in (401, 403) or (status == 404 and not late) else None) == refused, (row, status)
