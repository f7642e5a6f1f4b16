"""Tournaments: make one, enter it, and follow its bracket."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from fracas.client.tokens import new_token
from fracas.client.transport import Transport, path
from fracas.server_models.tournaments import Bracket, Entrant, Entrants, Format, State, Tournament


class Tournaments:
    """The tournaments of one server. Every method raises `ServerProblem` when the server refuses."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def all(self, league: str | None = None, *, state: State | None = None) -> Iterator[Tournament]:
        """Tournaments, the newest first."""
        return self._transport.items(Tournament, path("tournaments"), league=league, state=state)

    def make(
        self,
        title: str,
        league: str,
        format: Format,
        *,
        best_of: int = 1,
        rounds: int | None = None,
        rated: bool = False,
        most: int | None = None,
        starts_at: datetime | None = None,
        pause_minutes: int = 0,
    ) -> Tournament:
        """Make a tournament. Without a time you start it yourself; one without a zone is UTC."""
        body = {"title": title, "league": league, "format": format, "best_of": best_of, "rounds": rounds}
        body |= {"rated": rated, "most": most, "pause_minutes": pause_minutes}
        body["starts_at"] = None if starts_at is None else starts_at.isoformat()
        return self._transport.ask(Tournament, "POST", path("tournaments"), body)

    def get(self, tournament: str) -> Tournament:
        """One tournament."""
        return self._transport.ask(Tournament, "GET", path("tournaments", tournament))

    def entrants(self, tournament: str) -> list[Entrant]:
        """Who takes part; once it has started, the best first."""
        return self._transport.ask(Entrants, "GET", path("tournaments", tournament, "entrants")).items

    def bracket(self, tournament: str, *, round: int | None = None) -> Bracket:
        """The rounds that are made so far, or one of them."""
        return self._transport.ask(Bracket, "GET", path("tournaments", tournament, "bracket"), round=round)

    def enter(self, tournament: str, entry: str, *, salt: str | None = None) -> Tournament:
        """Enter a tournament, or change the entry that you have entered.

        The salt goes into the seeds of your matches. Without one of your own the client makes 16 random bytes, so the
        server does not choose it.
        """
        body = {"entry": entry, "salt": salt or new_token()}
        return self._transport.ask(Tournament, "POST", path("tournaments", tournament, "entrants"), body)

    def leave(self, tournament: str) -> None:
        """Leave a tournament. Once it has started, you lose all pairings that are not decided."""
        self._transport.send("DELETE", path("tournaments", tournament, "entrants"))

    def start(self, tournament: str) -> Tournament:
        """Start your tournament."""
        return self._transport.ask(Tournament, "POST", path("tournaments", tournament, "start"), {})

    def cancel(self, tournament: str) -> None:
        """Cancel your tournament; what it has played stays."""
        self._transport.send("DELETE", path("tournaments", tournament))
