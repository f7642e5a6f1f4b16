"""Tournaments: how they are played, who takes part, and the bracket."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from fracas.server_models.answer import Answer, Digest, Id, Links, Time
from fracas.server_models.arena import Person

Format = Literal["elimination", "round_robin", "swiss"]
State = Literal["entering", "running", "over", "cancelled", "abandoned"]


class Tournament(Answer):
    """A tournament, without its entrants and its bracket."""

    id: Id
    title: str = Field(examples=["Friday cup"])
    league: str = Field(examples=["squads"])
    organiser: Person
    format: Format
    best_of: int = Field(examples=[3], description="Games that decide a pairing, an odd number. A game is a match.")
    rated: bool
    most: int = Field(examples=[64], description="How many can enter.")
    entrants: int = Field(examples=[23])
    state: State
    reason: str | None = Field(examples=[None], description="Why it was cancelled or abandoned.")
    starts_at: Time | None = Field(description="By the clock; null if its organiser starts it.")
    pause_minutes: int = Field(examples=[10], description="Between rounds.")
    round: int = Field(examples=[2], description="0 before it starts.")
    rounds: int | None = Field(examples=[5], description="How many there are at most, once it has started.")
    playing: bool = Field(description="Whether the round is played at this moment; else it waits for its time.")
    round_at: Time | None = Field(description="When the round begins.")
    created_at: Time
    started_at: Time | None
    ended_at: Time | None
    modifier: str | None = Field(examples=["heavy_armor"], description="Taken when it starts, like the three below.")
    rules_version: int | None
    fingerprint: Digest | None
    revision: Digest | None
    links: Links


class Entrant(Answer):
    """Who takes part, and how they stand."""

    account: Person
    entry: Id | None = Field(description="Your own; those of others are null. Its matches name them.")
    version: int | None = Field(description="Of your entry; locked when the tournament starts.")
    entered_at: Time
    seed: int | None = Field(examples=[4], description="By rating when the tournament starts; 1 is the best.")
    left_in: int | None = Field(examples=[None], description="The round in which they left.")
    rank: int | None = Field(examples=[2], description="Null before the start.")
    points: int = Field(examples=[6], description="In half points: 2 for each pairing won, 1 for one drawn.")
    buchholz: int = Field(examples=[14], description="The half points of all opponents.")
    links: Links


class Entrants(Answer):
    """All entrants: before the start by when they entered, from then on as they stand."""

    items: list[Entrant]
    links: Links


class Pairing(Answer):
    """Who meets whom in a round."""

    slot: int = Field(
        examples=[0], description="In an elimination, slots 2n and 2n+1 lead to slot n of the next round."
    )
    first: int = Field(examples=[1], description="The seed of the higher one.")
    second: int | None = Field(examples=[8], description="Null for a bye.")
    points: list[int] | None = Field(examples=[[2, 0]], description="Half points of both; null until it is decided.")
    how: str | None = Field(
        examples=["played"],
        description="played; seed: drawn to the end, so the higher seed advances; bye; walkover: one had left; failed: "
        "its battles could not be played.",
    )
    matches: list[Id] = Field(description="Its games so far, in their order.")


class Round(Answer):
    """A round of a tournament."""

    round: int = Field(examples=[1])
    name: str = Field(examples=["Semi-finals"])
    pairings: list[Pairing]


class Bracket(Answer):
    """The rounds that are made so far, with the people of all seeds."""

    tournament: Id
    format: Format
    people: Sequence[Person] = Field(description="By seed, from 1 on.")
    rounds: list[Round]
    links: Links
