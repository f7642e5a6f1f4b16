"""Guilds, their members, and their wars."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from fracas.server_models.answer import Answer, Date, Digest, Id, Links, Time
from fracas.server_models.arena import Outcome, Person


class NamedEntry(Answer):
    """An entry that a member named for the guild's wars."""

    id: Id
    title: str = Field(examples=["Quick and careful"])
    code: str = Field(examples=["e7k3q2f"])
    version: int = Field(description="The newest: the one that the next lock takes.")


class Member(Answer):
    """A member of a guild."""

    account: Person
    role: str = Field(examples=["owner"], description="owner or member.")
    joined_at: Time
    entry: NamedEntry | None = Field(default=None, description="What it named for wars; members alone see it.")


class WarRecord(Answer):
    """How the wars of a guild ended."""

    won: int
    drawn: int
    lost: int


class Guild(Answer):
    """A guild. Its members are there where one guild was asked for, its code for its owner."""

    id: Id
    name: str = Field(examples=["The Lanterns"])
    league: str = Field(examples=["squads"], description="Whose rules its wars are fought by.")
    size: int = Field(examples=[7], description="How many members it has.")
    named: int = Field(examples=[5], description="How many entries stand for its next war.")
    record: WarRecord
    founded_at: Time
    dissolved_at: Time | None
    code: str | None = Field(default=None, examples=["k3q2f7wm"], description="Whoever has it may join.")
    members: Sequence[Member] = []
    links: Links


class WarEntry(Answer):
    """An entry in a war, as it was locked."""

    position: int
    account: Person
    entry: Id
    version: int
    title: str = Field(examples=["Quick and careful"])
    code: str = Field(examples=["e7k3q2f"])
    points: int = Field(description="What it has won for its guild, in half points.")


class WarSide(Answer):
    """A guild in a war."""

    guild: Id
    name: str = Field(examples=["The Lanterns"])
    strength: int = Field(examples=[1540], description="The mean rating of what it named, when that was locked.")
    points: int | None = Field(description="In half points, so far; null before the war starts.")
    outcome: Outcome | None = Field(description="Null until the war is over.")
    entries: list[WarEntry] = Field(default=[], description="Of one war that has started, not in lists.")
    links: Links


class WarMatch(Answer):
    """A match of a war, with the points of both guilds after it. All points are half points."""

    number: int = Field(description="From 1, in the order in which they are fought.")
    positions: list[int] = Field(examples=[[1, 3]])
    points: list[int] = Field(examples=[[2, 0]], description="What it was worth to each guild: 2 won, 1 drawn, 0 lost.")
    after: list[int] = Field(examples=[[12, 8]], description="What each guild has after it.")
    score: list[int] | None = Field(examples=[[3, 1]], description="Of its battles; null if it could not be fought.")
    links: Links


class WarSentence(Answer):
    """A sentence about a war, and the match that it tells of."""

    text: str = Field(examples=["In match 31 Ann beat Bob, and The Lanterns took the lead for good."])
    match: int | None = Field(examples=[31], description="Its number in the war.")


class War(Answer):
    """A war between two guilds, or the bye of one. Sides have their entries where one war was asked for."""

    id: Id
    week: Date
    league: str = Field(examples=["squads"])
    state: str = Field(examples=["over"], description="locked, running, over, bye or abandoned.")
    starts_at: Time
    over_at: Time | None
    modifier: str | None = Field(examples=["heavy_armor"], description="Taken at the start; so is what follows.")
    rules_version: int | None
    fingerprint: Digest | None
    revision: Digest | None
    day: Date | None = Field(description="The league-day whose secret the seed is made of.")
    seed: str | None
    sides: Sequence[WarSide] = Field(min_length=1, max_length=2)
    fought: int = Field(description="How many matches were fought.")
    matches: list[WarMatch] = []
    story: list[WarSentence] = []
    links: Links
