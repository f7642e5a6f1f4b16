"""What a server answers, as typed records. Keys that a newer server adds are ignored.

Times are ISO 8601 in UTC, digests are hex digits. Ratings are the shown numbers: 1500 is average.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """An answer with links to what belongs to it."""

    links: dict[str, str] = {}


class Person(Record, frozen=True, kw_only=True):
    """An account, as others see it."""

    handle: str
    name: str
    role: str
    """player, bot, operator or guest."""


class Account(Record, frozen=True, kw_only=True):
    """Your account."""

    id: str
    handle: str
    display_name: str | None
    role: str
    created_at: str


class Session(Record, frozen=True, kw_only=True):
    """A new session. The client uses its token from then on."""

    token: str | None
    expires_at: str
    account: Account


class Key(Record, frozen=True, kw_only=True):
    """An API key. `token` is there only when the key is made."""

    id: str
    expires_at: str
    token: str | None = None
    name: str | None = None
    scopes: list[str] = []


class Rating(Record, frozen=True, kw_only=True):
    """A rating with its uncertainty."""

    rating: int
    uncertainty: int
    """The ± of the shown number."""
    provisional: bool
    mu: float
    sigma: float


class League(Record, frozen=True, kw_only=True):
    """A league with its rules. `document` keys beyond these are in the OpenAPI document."""

    id: str
    title: str
    ruleset: str
    mode: str
    modifier: str
    points: int
    open: bool
    price: dict[str, int] = {}
    season: dict[str, Any] | None = None


class PublishedHead(Record, frozen=True, kw_only=True):
    """A head of a league's chain, as it was published on the hour."""

    number: int
    """The number of the match before it."""
    head: str
    at: str


class Day(Record, frozen=True, kw_only=True):
    """A day of a league. Its file is there once `published_at` is not None."""

    day: str
    commitment: str
    matches: int
    head: str
    """Of the chain after its last match so far."""
    published_at: str | None


class Head(Record, frozen=True, kw_only=True):
    """Where a league's chain stands, and what is promised for tomorrow."""

    league: str
    day: str
    commitment: str
    number: int
    head: str
    tomorrow: dict[str, str] | None = None
    published: list[PublishedHead] = []
    """Today's, by their numbers."""


class Rank(Record, frozen=True, kw_only=True):
    """A row of a leaderboard."""

    rank: int
    account: Person
    rating: int
    uncertainty: int
    provisional: bool
    matches: int
    wins: int
    draws: int
    losses: int


class Profile(Record, frozen=True, kw_only=True):
    """What an account shows."""

    account: Person
    ratings: list[dict[str, Any]]
    entries: list[Entry]


class Entry(Record, frozen=True, kw_only=True):
    """An entry, without its documents."""

    id: str
    account: Person
    league: str
    code: str
    title: str
    ranked: bool
    versions: int
    state: str
    open_to_challenges: bool
    created_at: str


class Submitted(Record, frozen=True, kw_only=True):
    """An accepted version."""

    entry: str
    version: int
    code: str
    digest: str
    sealed_digest: str
    warnings: list[dict[str, Any]] = []


class Version(Record, frozen=True, kw_only=True):
    """A version of an entry; `document` is None while it is hidden from you."""

    version: int
    sealed_digest: str
    created_at: str
    revealed_at: str | None
    document: dict[str, Any] | None
    digest: str | None
    salt: str | None


class Ticket(Record, frozen=True, kw_only=True):
    """A place in a queue."""

    id: str
    league: str
    entry: str
    version: int
    kind: str
    mode: str
    salt: str
    since: str
    state: str
    sealed_digest: str


class Side(Record, frozen=True, kw_only=True):
    """One side of a match."""

    place: int
    account: Person
    entry: str
    title: str
    code: str
    version: int
    sealed_digest: str
    revealed: bool
    ticket_salt: str
    score: int
    """In half points."""
    outcome: str
    """win, draw or loss."""
    rated: bool
    before: Rating | None
    after: Rating | None


class Match(Record, frozen=True, kw_only=True):
    """A match; `number` and `chain` are None for what is not in the league's chain, such as practice."""

    id: str
    league: str
    season: int
    day: str
    number: int | None
    kind: str
    seed: str
    rules_version: int
    modifier: str
    played_at: str
    result_digest: str
    chain: str | None
    sides: tuple[Side, Side]
    legs: list[dict[str, Any]] = []

    def side_of(self, handle: str) -> Side | None:
        """The side of an account; None if it did not play."""
        return next((side for side in self.sides if side.account.handle == handle), None)


class Leg(Record, frozen=True, kw_only=True):
    """A battle of a match, played again: outcome and story."""

    leg: int
    seed: str
    places: list[int]
    hidden_sides: list[int]
    winner: int
    reason: str
    rounds: int
    story: str


class ClassEntry(Record, frozen=True, kw_only=True):
    """An entry of a class."""

    id: str
    account: Person
    code: str
    """What tables call it."""
    title: str
    version: int


class SchoolClass(Record, frozen=True, kw_only=True):
    """A class: its code for its teacher, its pupils and entries where one class was asked for."""

    id: str
    title: str
    league: str
    teacher: bool
    """Whether you teach it."""
    created_at: str
    code: str | None = None
    code_expires_at: str | None = None
    pupils: list[Person] = []
    entries: list[ClassEntry] = []
    handle: str | None = None
    """Your name, if you have just become a guest."""
    token: str | None = None
    token_expires_at: str | None = None


class Job(Record, frozen=True, kw_only=True):
    """A table that the server computes."""

    id: str
    kind: str
    state: str
    """waiting, running, done, failed or cancelled."""
    progress: float
    """From 0 to 1."""
    battles: int
    problem: str | None
    created_at: str
    done_at: str | None


class Event(msgspec.Struct, frozen=True):
    """Something that happened to your account."""

    id: int
    """Counts from 1 for each account, without gaps."""
    type: str
    """ticket.matched, match.resolved, ticket.parked, ticket.unparked, ticket.returned, challenged, season.ended,
    entry.withdrawn, job.done, class.deleted; or reset: older events are gone, so read again what you show.
    """
    body: dict[str, Any]
