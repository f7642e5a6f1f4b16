"""What the arena's functions hand to each other: the leagues that a server runs, and matches on their way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fracas.errors import InputError
from fracas.errors.suggestions import nearest, quoted
from fracas.server.arena.day_secrets import SecretBox
from fracas.server.arena.league import League
from fracas.server.arena.match_player import Combatant

RANKED, CASUAL, CHALLENGE, PRACTICE = "ranked", "casual", "challenge", "practice"
TOURNAMENT, WAR = "tournament", "war"
ONCE, STANDING = "once", "standing"
WAITING, MATCHED, PARKED = "waiting", "matched", "parked"


@dataclass(frozen=True)
class Arena:
    """The leagues that a server runs, and the key of their secrets."""

    leagues: Mapping[str, League]
    box: SecretBox

    def league(self, name: str) -> League:
        """A league by its id.

        Raises:
            InputError: there is none.
        """
        if name not in self.leagues:
            hint = nearest(name, self.leagues)
            raise InputError.of("league", f"there is no league {quoted(name)}", hint)
        return self.leagues[name]


@dataclass(frozen=True)
class Seat:
    """One side of a match on its way: whose version it is, and the ticket that brought it."""

    account: str
    role: str
    """player, operator, bot or guest."""
    entry: str
    version: int
    combatant: Combatant
    sealed_digest: bytes
    salt: bytes
    """The ticket's salt; empty for a bot."""
    ticket: str | None = None
    """None for a bot."""
    kind: str = ONCE


@dataclass(frozen=True)
class Occasion:
    """What matches are fought for besides the queue: their kind, and the modifier that was taken when it began."""

    kind: str
    modifier: str
    about: Mapping[str, str]
    """What its players are told of it besides the result, such as the tournament's id."""


@dataclass(frozen=True)
class Planned:
    """A pair that is to fight."""

    league: str
    first: Seat
    second: Seat
    is_rated: bool = True
    """False if it changes no rating, although its league is ranked."""

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """Both seats, by place."""
        return self.first, self.second
