"""Leagues, entries, queues, matches and profiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from fracas.server_models.answer import Answer, Date, Digest, Id, InputProblem, Links, Time

Outcome = Literal["win", "draw", "loss"]
DOCUMENT = {"units": ["scout", "bronze_knight", "novice_cleric"], "strategy": "finish_the_weak"}


class Person(Answer):
    """An account, as others see it."""

    handle: str = Field(examples=["ann"])
    name: str = Field(examples=["Ann of the Hills"])
    role: str = Field(examples=["player"], description="player, bot, operator or guest.")


class Rating(Answer):
    """A rating: the shown number, and what is behind it."""

    rating: int = Field(examples=[1612], description="1500 is average.")
    uncertainty: int = Field(examples=[96], description="The ± of the shown number.")
    provisional: bool = Field(description="Whether too little is known to rely on it.")
    mu: float = Field(examples=[27.8])
    sigma: float = Field(examples=[1.2])


class Season(Answer):
    """A season with what it pins."""

    number: int = Field(examples=[3])
    rules_version: int
    fingerprint: Digest
    revision: Digest
    rating_model: str = Field(examples=["openskill 6.2"])
    starts_at: Time
    ends_at: Time
    ended_at: Time | None


class ListedSeason(Season):
    """A season of a league."""

    tool: str | None = Field(examples=["fracas 0.1.0"], description="The version of Fracas that played it.")
    links: Links


class Size(Answer):
    """How many pieces an entry has."""

    least: int
    most: int


class League(Answer):
    """A league with its rules, this week's modifier and its season. docs/reference/leagues.md tells the keys."""

    banned: list[str] = Field(examples=[[]])
    bot_after: int
    bots: str | None = None
    id: str = Field(examples=["squads"])
    legs: int = Field(examples=[2], description="Battles per match.")
    matches_per_day: int
    max_copies: int
    mode: str = Field(examples=["ranked"])
    modifier: str = Field(examples=["heavy_armor"], description="The environment modifier of today.")
    points: int = Field(examples=[50], description="The budget of an entry.")
    price: dict[str, int] = Field(examples=[{"scout": 3}])
    rating: str
    reveal: str = Field(examples=["after_match"])
    ruleset: str = Field(examples=["squads"])
    rules: str | None = Field(default=None, description="The rules hash of a game; absent for shipped rulesets.")
    season_days: int
    size: Size
    title: str = Field(examples=["Squads"])
    widening: int
    window: int
    note: str
    profile: str
    modifier_rule: str = Field(examples=["weekly"])
    revision: Digest
    season: Season | None
    open: bool = Field(description="Whether entries can fight.")
    links: Links


class PublishedHead(Answer):
    """A head of a league's chain, as it was published on the hour."""

    number: int = Field(description="The number of the match before it.")
    head: Digest
    at: Time


class Promise(Answer):
    """The commitment of a day that is to come."""

    day: Date
    commitment: Digest


class Head(Answer):
    """Where a league's chain stands, and what is promised for tomorrow."""

    league: str = Field(examples=["squads"])
    day: Date
    commitment: Digest
    number: int = Field(examples=[17])
    head: Digest
    tomorrow: Promise | None
    published: list[PublishedHead] = Field(description="Today's, by their numbers.")
    links: Links


class Day(Answer):
    """A day of a league. Its file is there once `published_at` is not null."""

    day: Date
    commitment: Digest
    matches: int = Field(examples=[340])
    head: Digest = Field(description="Of the chain after its last match so far.")
    published_at: Time | None
    links: Links


class _Place(Answer):
    rank: int
    account: Person


class Rank(Rating, _Place):
    """A row of a leaderboard."""

    matches: int = Field(examples=[40])
    wins: int = Field(examples=[25])
    draws: int = Field(examples=[3])
    losses: int = Field(examples=[12])
    links: Links


class _InSeason(Answer):
    league: str = Field(examples=["squads"])
    season: int = Field(examples=[3])


class RatedSeason(Rank, _InSeason):
    """What an account has reached in a season of a league."""


class Bot(Answer):
    """A bot of a league with its measured strength."""

    handle: str = Field(examples=["toll-gate"])
    name: str
    story: str
    strength: int = Field(examples=[1480])
    links: Links


class Checked(Answer):
    """What an entry costs, and warnings about it."""

    league: str = Field(examples=["squads"])
    cost: int = Field(examples=[41])
    points: int = Field(examples=[50])
    digest: Digest
    warnings: list[InputProblem]
    links: Links


class Entry(Answer):
    """An entry, without its documents."""

    id: Id
    account: Person
    league: str = Field(examples=["squads"])
    code: str = Field(examples=["e7k3q2f"])
    title: str = Field(examples=["Quick and careful"])
    ranked: bool
    versions: int = Field(examples=[2])
    state: str = Field(examples=["active"])
    open_to_challenges: bool = Field(description="Whether others may challenge it while its league hides it.")
    created_at: Time
    links: Links


class Version(Answer):
    """A version of an entry; document, digest and salt are null while it is hidden from the reader."""

    version: int
    sealed_digest: Digest
    created_at: Time
    revealed_at: Time | None
    document: dict[str, Any] | None = Field(examples=[DOCUMENT])
    digest: Digest | None
    salt: str | None = Field(examples=["4be9" * 8])
    links: Links


class Submitted(Answer):
    """An accepted version."""

    entry: Id
    version: int
    code: str = Field(examples=["e7k3q2f"])
    digest: Digest
    sealed_digest: Digest = Field(description="What matches hold while the version is hidden.")
    warnings: list[InputProblem]
    links: Links


class Ticket(Answer):
    """A place in a queue."""

    id: Id
    league: str = Field(examples=["squads"])
    entry: Id
    version: int
    kind: str = Field(examples=["once"], description="once or standing.")
    mode: str = Field(examples=["ranked"])
    salt: str = Field(description="As it was given, or as hex digits: part of the match's seed.")
    since: Time
    due_at: Time
    state: str = Field(examples=["waiting"], description="waiting, matched or parked.")
    sealed_digest: Digest
    links: Links


class Side(Answer):
    """One side of a match."""

    place: int
    account: Person
    entry: Id
    title: str = Field(examples=["Quick and careful"])
    code: str = Field(examples=["e7k3q2f"])
    version: int
    sealed_digest: Digest
    revealed: bool
    ticket_salt: str
    score: int = Field(description="In half points.")
    outcome: Outcome
    rated: bool
    before: Rating | None
    after: Rating | None


class LegResult(Answer):
    """What one battle of a match came to, for place 1."""

    no: int
    result: int = Field(description="0, 1 or 2 half points.")
    reason: str = Field(examples=["wiped_out"])
    rounds: int = Field(examples=[9])
    digest: Digest
    links: Links


class Match(Answer):
    """A match. `number` and `chain` are null for what is not in the league's chain, such as practice."""

    id: Id
    league: str = Field(examples=["squads"])
    season: int = Field(examples=[3])
    day: Date
    number: int | None = Field(examples=[17])
    kind: str = Field(examples=["ranked"])
    seed: str
    rules_version: int
    fingerprint: Digest
    revision: Digest
    modifier: str = Field(examples=["heavy_armor"])
    played_at: Time
    result_digest: Digest
    chain: Digest | None = Field(description="The head of its league-day's chain after it.")
    sides: Sequence[Side] = Field(min_length=2, max_length=2)
    legs: list[LegResult] = Field(default=[], description="Of one match only, not in lists.")
    links: Links

    def side_of(self, handle: str) -> Side | None:
        """The side of an account; None if it did not play."""
        return next((side for side in self.sides if side.account.handle == handle), None)


class Leg(Answer):
    """A battle of a match, played again: outcome and story."""

    leg: int
    seed: str
    places: list[int] = Field(examples=[[1, 2]])
    hidden_sides: list[int] = Field(examples=[[]])
    ruleset: str = Field(examples=["squads"])
    rules_version: int
    scenario: str = ""
    stream: int = 0
    profile: str = ""
    winner: int = Field(description="1 or 2; 0 for a draw.")
    reason: str = Field(examples=["wiped_out"])
    rounds: int = Field(examples=[9])
    digest: Digest | None = Field(default=None, description="Left out while an entry is hidden.")
    story: str = Field(examples=["Round 1\n"])
    links: Links


# An event of a battle: `tick`, `kind`, and the columns of its kind.
Event = Annotated[dict[str, Any], Field(examples=[{"tick": 1, "kind": "round"}])]


class Profile(Answer):
    """What an account shows."""

    account: Person
    ratings: list[RatedSeason]
    entries: Sequence[Entry]
    links: Links
