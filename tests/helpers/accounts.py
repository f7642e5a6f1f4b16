"""Accounts for tests: signed-in clients, operators."""

from __future__ import annotations

from typing import Any

from tests.helpers.serving import Client, RunningServer

from fracas.server.accounts import store, tokens
from fracas.server.http.authorisation import Role

PASSWORD = "correct horse battery"


def signed_in(server: RunningServer, handle: str, role: Role = Role.PLAYER, **options: Any) -> Client:
    """A client that shows the session of a new account, made without the routes."""
    now = server.clock.now_ms()

    def command(connection: Any) -> tuple[str, str]:
        identifier = store.create(connection, handle, None, now, role=role)
        assert identifier is not None
        return identifier, tokens.issue(connection, identifier, tokens.SESSION, now, life=tokens.SESSION_LIFE)[0]

    identifier, token = server.write(command)
    client = server.client(token, **options)
    client.account = identifier
    client.token = token
    return client
