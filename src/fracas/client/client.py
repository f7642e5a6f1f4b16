"""The client: one server, one account."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from fracas.client.arena import Arena
from fracas.client.classes import Classes
from fracas.client.errors import ConnectionFailed
from fracas.client.guilds import Guilds
from fracas.client.jobs import Jobs
from fracas.client.resolver import Resolver
from fracas.client.server_events import lines_of, parsed
from fracas.client.tables import Tables
from fracas.client.tournaments import Tournaments
from fracas.client.transport import Transport, path
from fracas.server_models.accounts import Account, NewKey, Session, Token

LOCAL = "http://127.0.0.1:8800"


@dataclass(frozen=True)
class Event:
    """Something that happened to your account."""

    id: int
    """Counts from 1 for each account, without gaps."""
    type: str
    """ticket.matched, match.resolved, ticket.parked, ticket.unparked, ticket.returned, challenged, season.ended,
    entry.withdrawn, job.done, class.deleted; tournament.round (a round is made, and when it begins), .result (of a
    pairing), .over, .cancelled, .abandoned, .dropped (your entry could not fight at its start); modifier.changed;
    guild.joined, .left, .owner, .removed, .dissolved; war.paired, .over, .abandoned; or reset: older events are gone,
    so read again what you show.
    """
    body: dict[str, Any]


class Client:
    """A server, asked as one account or as nobody.

    ```python
    with Client("https://fracas.example", token=TOKEN) as client:
        entry = client.arena.submit("squads", "Quick", {"units": ["scout", "scout", "falconer"]}, ranked=True)
        client.arena.enter(entry.entry)
        for event in client.events():
            print(event)
    ```
    """

    def __init__(
        self, url: str = LOCAL, *, token: str | None = None, timeout: float = 10.0, http: httpx.Client | None = None
    ) -> None:
        """Connect to a server when the first request is sent.

        Args:
            url: the server, without a path.
            token: a session's token or an API key.
            timeout: seconds to wait for an answer.
            http: an httpx client to use in place of a new one; its base URL wins.
        """
        self._http = http or httpx.Client(base_url=url, timeout=timeout)
        self._transport = Transport(self._http, token)
        self.arena = Arena(self._transport)
        self.classes = Classes(self._transport)
        self.guilds = Guilds(self._transport)
        self.jobs = Jobs(self._transport)
        self.tournaments = Tournaments(self._transport)
        self.resolver = Resolver(self._transport)
        self.tables = Tables(self._transport)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    @property
    def url(self) -> str:
        """The server, without a slash at the end."""
        return str(self._http.base_url).rstrip("/")

    @property
    def token(self) -> str | None:
        """The token that requests show; None for nobody."""
        return self._transport.token

    # Accounts

    def register(self, handle: str, password: str, *, invitation: str | None = None) -> Session:
        """Make an account. The client is signed in from then on.

        Raises:
            ServerProblem: the handle is taken or will not do, or registering needs an invitation.
        """
        body = {"handle": handle, "password": password, "invitation": invitation}
        return self._begun(self._transport.ask(Session, "POST", path("accounts"), body))

    def sign_in(self, handle: str, password: str) -> Session:
        """Sign in.

        Raises:
            ServerProblem: name or password is wrong, or the account is suspended.
        """
        body = {"handle": handle, "password": password}
        return self._begun(self._transport.ask(Session, "POST", path("sessions"), body))

    def recover(self, handle: str, code: str, new_password: str) -> Session:
        """Set a new password with a code that an operator printed.

        Raises:
            ServerProblem: the code is not valid.
        """
        body = {"handle": handle, "code": code, "new_password": new_password}
        return self._begun(self._transport.ask(Session, "POST", path("recovery"), body))

    def _begun(self, session: Session) -> Session:
        self._transport.token = session.token
        return session

    def sign_out(self) -> None:
        """End the session of this client."""
        self._transport.send("DELETE", path("sessions", "current"))
        self._transport.token = None

    def account(self) -> Account:
        """Your account.

        Raises:
            ServerProblem: you are not signed in.
        """
        return self._transport.ask(Account, "GET", path("account"))

    def rename(self, display_name: str) -> Account:
        """Change your display name."""
        return self._transport.ask(Account, "PATCH", path("account"), {"display_name": display_name})

    def change_password(self, current: str, new: str) -> Session:
        """Change your password; all other sessions end."""
        body = {"current_password": current, "new_password": new}
        return self._begun(self._transport.ask(Session, "PUT", path("account", "password"), body))

    def export(self) -> dict[str, Any]:
        """Everything that the server stores about you."""
        return self._transport.ask(dict[str, Any], "GET", path("account", "export"))

    def delete_account(self, password: str) -> None:
        """Delete your account. Results and proofs of its matches stay."""
        self._transport.send("DELETE", path("account"), {"password": password})
        self._transport.token = None

    def api_keys(self) -> list[Token]:
        """Your API keys, without their tokens."""
        return list(self._transport.items(Token, path("keys")))

    def new_key(self, name: str, scopes: Sequence[str] = ("read", "play"), days: int = 90) -> NewKey:
        """Make an API key for a program. Its token is in this answer only."""
        body = {"name": name, "scopes": list(scopes), "days": days}
        return self._transport.ask(NewKey, "POST", path("keys"), body)

    def delete_key(self, key: str) -> None:
        """Delete an API key."""
        self._transport.send("DELETE", path("keys", key))

    # Events

    def events(self, after: int | None = None) -> Iterator[Event]:
        """Follow your events as they happen, those after a number first. It ends when the server stops.

        Keep the id of the last event; with it, a new call misses nothing.

        Raises:
            ServerProblem: the server refused.
            ConnectionFailed: the connection was lost.
        """
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        try:
            for event in parsed(lines_of(self._transport, path("events"), headers)):
                yield Event(*event)
        except httpx.TransportError as error:
            raise ConnectionFailed(f"the event stream broke: {str(error) or type(error).__name__}") from None
