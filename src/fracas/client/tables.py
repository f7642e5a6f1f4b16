"""Live tables: open one, sit down, and play over its socket; what was promised is noted and checked."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from fracas.client.errors import ConnectionFailed, ServerProblem
from fracas.client.tokens import new_hex
from fracas.client.transport import Transport, path
from fracas.replay.session_file import PlayerNotes
from fracas.replay.table_file import TableVerification, table_salt_seal, verify_proof
from fracas.rulesets.shared.commit_reveal import handshake_of
from fracas.server_models.arena import Rank
from fracas.server_models.tables import (
    MOST_PER_SECOND,
    ErrorMessage,
    GameTable,
    LockedMessage,
    OverMessage,
    RoundMessage,
    ServerMessage,
    TableGame,
    TableRank,
    Welcome,
    WelcomeMessage,
)

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

_MESSAGES: TypeAdapter[ServerMessage] = TypeAdapter(ServerMessage)
SALT_BYTES, NONCE_BYTES = 16, 32
# How often a lost connection is tried again, and the longest wait in between.
MOST_TRIES = 20
LONGEST_WAIT = 5.0
# A table pings every 20 seconds.
SILENT_SECONDS = 60.0
# A close code from here on says that it is no use to come back; and so does a policy (RFC 6455).
FINAL_CODES = (1008, 1009, 4401, 4404)


class Tables:
    """The live tables of one server. Every method raises `ServerProblem` when the server refuses."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def games(self) -> list[TableGame]:
        """The games that are played at tables, with their scenarios and bots."""
        return list(self._transport.items(TableGame, path("table-games")))

    def lobby(self) -> list[GameTable]:
        """The tables that wait for somebody, and those that are played."""
        return list(self._transport.items(GameTable, path("tables")))

    def mine(self) -> list[GameTable]:
        """Your tables, the newest first."""
        return list(self._transport.items(GameTable, path("tables"), mine="true"))

    def table(self, table: str) -> GameTable:
        """One table."""
        return self._transport.ask(GameTable, "GET", path("tables", table))

    def open(
        self,
        game: str,
        scenario: str | None = None,
        *,
        bot: str | None = None,
        seconds: int = 60,
        listed: bool = True,
        side: int = 1,
    ) -> GameTable:
        """Open a table and sit down: for whoever comes, for who has its link (`listed=False`), or against a bot."""
        body = {"game": game, "scenario": scenario, "bot": bot, "seconds": seconds, "listed": listed, "side": side}
        return self._transport.ask(GameTable, "POST", path("tables"), body)

    def quick(self, game: str, scenario: str | None = None) -> GameTable:
        """Sit down with whoever is closest by rating among those who wait for the same, or wait. It is rated."""
        return self._transport.ask(GameTable, "POST", path("tables", "quick"), {"game": game, "scenario": scenario})

    def leaderboard(self, game: str, scenario: str | None = None, *, around: str | None = None) -> Iterator[Rank]:
        """The ranks of a game and a scenario, the best first; or those around a handle. Default: its first scenario."""
        return self._transport.items(Rank, path("table-games", game, "leaderboard"), scenario=scenario, around=around)

    def ratings(self, handle: str) -> list[TableRank]:
        """An account's ranks, one for each game and scenario that it was rated in."""
        return list(self._transport.items(TableRank, path("table-ratings", handle)))

    def sit(self, table: str) -> GameTable:
        """Take the free seat of a table."""
        return self._transport.ask(GameTable, "POST", path("tables", table, "seat"), {})

    def leave(self, table: str) -> None:
        """Leave your seat: a loss after the first step; before it the table closes."""
        self._transport.send("DELETE", path("tables", table, "seat"))

    def proof(self, table: str) -> bytes:
        """The file that `fracas verify` verifies, once the table is over."""
        return self._transport.send("GET", path("tables", table, "proof")).content

    def play(self, table: str, *, salt: str | None = None) -> PlayedTable:
        """Connect to a table, to play at it or to watch. `salt` is your part of the dice; default: a random one."""
        return PlayedTable(self._transport, table, salt)


class PlayedTable:
    """A connection to a table, a context manager. It seals and opens your salt, and comes back when it is lost.

    ```python
    with client.tables.play(table.id) as played:
        for message in played:
            view = played.view
            if view is not None and view.choices and view.chosen is None:
                played.choose(view.choices[0].choice)
    print(played.verify().explanation or "the dice were fair")
    ```
    """

    def __init__(self, transport: Transport, table: str, salt: str | None) -> None:
        self.id = table
        self.welcome: Welcome | None = None
        """The table as it was told last."""
        self.view: Any = None
        """How the battle stands, as you may see it; None before it begins."""
        self.over: Any = None
        """How it ended, with the server's seed; None before."""
        self.commitment: str | None = None
        """The promise that was shown first."""
        self.handshake: str | None = None
        """The digest that binds both sealed salts as well."""
        self.salt = salt if salt is not None else new_hex(SALT_BYTES)
        self._nonce = new_hex(NONCE_BYTES)
        self._transport = transport
        self._socket: ClientConnection | None = None
        self._sockets = ExitStack()
        """What closes the socket."""
        self._last = 0
        self._said = 0.0
        self._is_closed = False

    def __enter__(self) -> PlayedTable:
        self._connect()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._sockets.close()

    @property
    def side(self) -> int | None:
        """Your side, 1 or 2; None if you watch."""
        return None if self.welcome is None else self.welcome.side

    def choose(self, choice: str) -> None:
        """Choose for the current step. Until all have chosen you may choose again, unless choices are final."""
        self._say("choose", step=self.view.step, choice=choice)

    def resign(self) -> None:
        """Give up."""
        self._say("resign")

    def rematch(self) -> None:
        """Ask for another table with swapped seats; `welcome.rematch` is its id once both want one."""
        self._say("rematch")

    def verify(self) -> TableVerification:
        """Check the proof on this machine, against what was noted before.

        Raises:
            InputError: it is none, or made by rules that are not installed.
            ServerProblem: the table is not over.
        """
        proof = json.loads(self._transport.send("GET", path("tables", self.id, "proof")).content)
        salts = proof.get("salts") or []
        own = self.salt if self.side is not None and salts[self.side - 1 : self.side] != [None] else None
        return verify_proof(proof, f"table {self.id}", PlayerNotes(self.handshake or self.commitment, own))

    def __iter__(self) -> Iterator[ServerMessage]:
        """The messages of the server, until the table is over. One that closes before both sit has no `over`.

        Where quick match finds somebody at another table, it goes on there, and `id` is that table's.

        Raises:
            ConnectionFailed: the connection was lost and did not come back.
            ServerProblem: the server refused the connection, or changed its promise.
        """
        while self.over is None and not self._is_closed:
            message = self._heard()
            self._note(message)
            yield message
            self._follow()

    def _heard(self) -> ServerMessage:
        from websockets.exceptions import ConnectionClosed

        while True:
            assert self._socket is not None
            try:
                return _MESSAGES.validate_json(self._socket.recv(SILENT_SECONDS))
            except TimeoutError:
                self._say("ping")
            except ConnectionClosed as error:
                code = 0 if error.rcvd is None else error.rcvd.code
                if code in FINAL_CODES:
                    raise ServerProblem(code, "closed", f"the table closed the connection ({code})", {}, None) from None
                self._connect()

    def _connect(self) -> None:
        from websockets.exceptions import InvalidHandshake, InvalidMessage
        from websockets.sync.client import connect

        address = str(self._transport.http.base_url).rstrip("/").replace("http", "ws", 1)
        found: Exception | None = None
        for attempt in range(MOST_TRIES):
            try:
                self._sockets.close()
                opened = connect(
                    f"{address}{path('tables', self.id, 'live')}",
                    additional_headers=self._transport.headers,
                    compression=None,
                )
                self._socket = self._sockets.enter_context(opened)
                self._socket.send(json.dumps({"type": "hello", "payload": {"last": self._last}}))
                return
            except (OSError, InvalidHandshake, InvalidMessage) as error:
                found = error
                time.sleep(min(LONGEST_WAIT, 0.2 * 2**attempt))
        raise ConnectionFailed(f"table {self.id}: {found}")

    def _say(self, kind: str, **payload: Any) -> None:
        from websockets.exceptions import ConnectionClosed

        assert self._socket is not None
        # Whoever answers every message at once would be dropped for saying too much.
        time.sleep(max(0.0, self._said + 1 / MOST_PER_SECOND - time.monotonic()))
        self._said = time.monotonic()
        # A lost connection is mended by whoever reads.
        with suppress(ConnectionClosed):
            self._socket.send(json.dumps({"type": kind, "payload": payload}))

    def _note(self, message: ServerMessage) -> None:
        if isinstance(message, WelcomeMessage):
            self.welcome = message.payload
            self.view = message.payload.view
            self._last = max([self._last, *(each.step for each in message.payload.rounds)])
            self._keep_promise(message.payload)
        elif isinstance(message, RoundMessage):
            self._last = message.payload.step
            self.view = message.payload.view or self.view
        elif isinstance(message, LockedMessage):
            if self.view is not None and message.payload.side == self.side:
                self.view = self.view.model_copy(update={"chosen": message.payload.choice})
        elif isinstance(message, OverMessage):
            self.over = message.payload

    def _follow(self) -> None:
        """Go to the table at which quick match found somebody; note if this one closed before both sat."""
        table = None if self.welcome is None else self.welcome.table
        if table is None or table.state != "over" or table.commitment is not None:
            return
        following = None if self.welcome is None or self.side is None else self.welcome.rematch
        if following is None:
            self._is_closed = True
            return
        self.id, self.welcome = following, None
        self._connect()

    def _keep_promise(self, welcome: Welcome) -> None:
        """Note what is promised; seal, and open only under the promise that was noted."""
        table, side = welcome.table, welcome.side
        self.commitment = self.commitment or table.commitment
        if side is None:
            return
        if table.state == "sealing" and welcome.seals[side - 1] is None:
            self._say("salt", seal=table_salt_seal(side, self.salt, self._nonce))
        elif table.state == "opening" and welcome.salts is None:
            self.handshake = self.handshake or table.handshake
            bound = handshake_of(self.commitment or "", welcome.seals)
            if (table.commitment, table.handshake) != (self.commitment, bound) or self.handshake != bound:
                raise ServerProblem(409, "promise", "the server changed its promise; do not go on", {}, None)
            self._say("salt", salt=self.salt, nonce=self._nonce)


def is_refusal(message: ServerMessage) -> str | None:
    """Why the server refused what was sent; None for other messages."""
    return message.payload.message if isinstance(message, ErrorMessage) else None
