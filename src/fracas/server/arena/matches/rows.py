"""What a match changes, as plain values: both ratings, its rows, its tickets, and what its accounts are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fracas.server.arena.chain import ChainedMatch, SeasonPins, SideChange
from fracas.server.arena.day_secrets import SeedInputs
from fracas.server.arena.domain import CASUAL, ONCE, RANKED, Occasion, Planned, Seat
from fracas.server.arena.league import League
from fracas.server.arena.match_player import MatchResult, Rules
from fracas.server.arena.ratings import DRAW, LOSS, WIN, Rating, after_match, outcome, with_new_version
from fracas.server.arena.seasons import days
from fracas.server.arena.seasons.season import Season
from fracas.server.clock import DAY, day_of
from fracas.server.database.streams import Notice
from fracas.server.http.authorisation import Role


@dataclass(frozen=True)
class LockedRating:
    """A rating as it is stored, which this transaction has locked."""

    rating: Rating
    n: int
    """The number of the account's rated matches of the season."""
    entry: str | None
    """Of the last rated match."""
    version: int | None

    @classmethod
    def of_row(cls, row: Any) -> LockedRating:
        """The rating of a row."""
        return cls(Rating.of_hex(row.mu, row.sigma), row.n, row.entry, row.version)

    def after(self, seat: Seat, change: RatingChange) -> LockedRating:
        """The rating after a match."""
        return LockedRating(change.after, change.n + 1, seat.entry, seat.version) if change.is_rated else self


@dataclass(frozen=True)
class RatingChange:
    """What a match does to one side's rating."""

    before: Rating
    after: Rating
    is_rated: bool
    n: int
    """The number of the account's rated matches of the season before this one."""


Changes = tuple[RatingChange, RatingChange]
"""By place."""


@dataclass(frozen=True)
class ResolveContext:
    """What the matches of a league are resolved under."""

    league: League
    season: Season
    now: int
    occasion: Occasion | None = None
    """None for matches of the queue."""

    @cached_property
    def day(self) -> str:
        """The league-day."""
        return day_of(self.now)

    @cached_property
    def rules(self) -> Rules:
        """What the matches are fought under."""
        if self.occasion is not None:
            return Rules(self.league, self.occasion.modifier)
        return Rules.at(self.league, self.now)

    @property
    def kind(self) -> str:
        """Of the matches."""
        if self.occasion is not None:
            return self.occasion.kind
        return RANKED if self.league.is_ranked else CASUAL


@dataclass(frozen=True)
class ResolvedMatch:
    """A resolved match."""

    id: str
    context: ResolveContext
    planned: Planned
    number: int
    """In its league-day, from 1."""
    seed: str
    result: MatchResult
    changes: Changes
    head: bytes
    """Of the chain after it."""

    @property
    def day(self) -> str:
        """The league-day."""
        return self.context.day

    @property
    def scores(self) -> tuple[int, int]:
        """The half points of both places."""
        return self.result.scores

    @property
    def sides(self) -> tuple[tuple[Seat, RatingChange], tuple[Seat, RatingChange]]:
        """Who fought and what it did to their ratings, by place."""
        (one, other), (first, second) = self.planned.seats, self.changes
        return (one, first), (other, second)


def seed_inputs(context: ResolveContext, planned: Planned, number: int) -> SeedInputs:
    """What the seed of a match with this number is made of, but for the secret."""
    first, second = planned.seats
    digests, salts = (first.sealed_digest, second.sealed_digest), (first.salt, second.salt)
    return SeedInputs(context.league.id, context.day, number, digests, salts)


def changes_of(planned: Planned, locked: Mapping[str, LockedRating], scores: tuple[int, int]) -> Changes:
    """What a match does to both ratings. A bot's stays; it counts for others only while they are provisional.

    Args:
        planned: the match.
        locked: the ratings by account; empty in a league without ratings.
        scores: the points of both places.
    """
    if not locked:
        none = RatingChange(Rating(), Rating(), False, 0)
        return none, none
    seats = planned.seats
    before = [_before(seat, locked[seat.account]) for seat in seats]
    after = after_match(before[0], before[1], scores)
    has_operator = any(seat.role == Role.OPERATOR for seat in seats)
    made = []
    for index, seat in enumerate(seats):
        rival, stored = seats[1 - index], locked[seat.account]
        may_be = planned.is_rated and seat.role != Role.BOT and not has_operator
        is_rated = may_be and (rival.role != Role.BOT or before[index].is_provisional)
        start = before[index] if is_rated else stored.rating
        made.append(RatingChange(start, after[index] if is_rated else start, is_rated, stored.n))
    return made[0], made[1]


def _before(seat: Seat, locked: LockedRating) -> Rating:
    """A rating before the match; less is known about a version that has not fought before."""
    is_new = locked.entry is not None and (locked.entry, locked.version) != (seat.entry, seat.version)
    return with_new_version(locked.rating) if is_new and seat.role != Role.BOT else locked.rating


def chained(
    context: ResolveContext, planned: Planned, inputs: SeedInputs, result: MatchResult, changes: Changes
) -> ChainedMatch:
    """What the chain binds of a match."""
    season, (one, other) = context.season, planned.seats
    told = (changes[0], changes[1]) if context.league.is_ranked else (None, None)
    pins = SeasonPins(season.no, season.rules_version, season.fingerprint, season.revision, season.rating_model)
    sides = _side_change(one, told[0]), _side_change(other, told[1])
    return ChainedMatch(inputs, result.digest, context.kind, context.rules.modifier, pins, sides)


def _side_change(seat: Seat, change: RatingChange | None) -> SideChange:
    """What a match does to a side; `change` is None where nothing is rated."""
    who = seat.account, seat.combatant.code, seat.version
    if change is None:
        return SideChange(*who, False, None, None, None)
    number = change.n + 1 if change.is_rated else None
    return SideChange(*who, change.is_rated, number, change.before.as_hex(), change.after.as_hex())


def match_row(
    identifier: str, kind: str, season: Season, modifier: str, seed: str, result: MatchResult, now: int
) -> dict[str, Any]:
    """The row of a match, but for its number and its chain."""
    return {
        "id": identifier,
        "league": season.league,
        "season": season.no,
        "day": day_of(now),
        "kind": kind,
        "seed": seed,
        "rules_version": season.rules_version,
        "fingerprint": season.fingerprint,
        "modifier": modifier,
        "revision": season.revision,
        "legs": len(result.legs),
        "score_a": result.scores[0],
        "score_b": result.scores[1],
        "result_digest": result.digest,
        "played_at": now,
    }


def numbered_row(match: ResolvedMatch) -> dict[str, Any]:
    """The row of a match of a league-day."""
    context = match.context
    row = match_row(
        match.id, context.kind, context.season, context.rules.modifier, match.seed, match.result, context.now
    )
    return {**row, "no": match.number, "chain": match.head}


def side_rows(match: ResolvedMatch) -> list[dict[str, Any]]:
    """The rows of both sides of a match."""
    season, is_ranked = match.context.season, match.context.league.is_ranked
    return [
        side_row(match.id, number, season, seat, change if is_ranked else None)
        for number, (seat, change) in enumerate(match.sides, 1)
    ]


def side_row(match: str, index: int, season: Season, seat: Seat, change: RatingChange | None) -> dict[str, Any]:
    """The row of one side of a match."""
    told = _side_change(seat, change)
    (mu0, sigma0), (mu1, sigma1) = told.before or (None, None), told.after or (None, None)
    return {
        "match": match,
        "place": index,
        "league": season.league,
        "season": season.no,
        "account": seat.account,
        "entry": seat.entry,
        "version": seat.version,
        "ticket_salt": seat.salt,
        "rated": int(told.is_rated),
        "n": told.number,
        "mu0": mu0,
        "sigma0": sigma0,
        "mu1": mu1,
        "sigma1": sigma1,
    }


def leg_rows(match: str, result: MatchResult) -> list[dict[str, Any]]:
    """The rows of a match's legs."""
    return [{"match": match, **vars(each)} for each in result.legs]


def rating_changes(match: ResolvedMatch) -> Iterator[dict[str, Any]]:
    """How the rows of the ratings change."""
    for side_index, (seat, change) in enumerate(match.sides):
        if not change.is_rated:
            continue
        mu, sigma = change.after.as_hex()
        ended = outcome(match.scores[side_index], match.scores[1 - side_index])
        yield {
            "of_league": match.context.league.id,
            "of_season": match.context.season.no,
            "of_account": seat.account,
            "old_n": change.n,
            "mu": mu,
            "sigma": sigma,
            "score": change.after.score,
            "n": change.n + 1,
            "entry": seat.entry,
            "version": seat.version,
            "won": int(ended == WIN),
            "drawn": int(ended == DRAW),
            "lost": int(ended == LOSS),
        }


def meeting_rows(match: ResolvedMatch) -> list[dict[str, Any]]:
    """Who met whom, for the pairings to come. A match counts as rated if it was for either."""
    first, second = (seat.account for seat in match.planned.seats)
    now = match.context.now
    rated_at = now if any(each.is_rated for each in match.changes) else None
    same = {"league": match.context.league.id, "at": now, "rated_at": rated_at}
    return [{"account": own, "opponent": other, **same} for own, other in ((first, second), (second, first))]


def revealed_versions(match: ResolvedMatch) -> list[dict[str, Any]]:
    """The versions that a match reveals: both, if the league reveals after a match."""
    if match.context.league.hides_entries:
        return []
    now = match.context.now
    return [{"of_entry": seat.entry, "of_version": seat.version, "revealed_at": now} for seat in match.planned.seats]


def spent_tickets(match: ResolvedMatch) -> list[str]:
    """The tickets that were for this match only."""
    return [seat.ticket for seat in match.planned.seats if seat.ticket is not None and seat.kind == ONCE]


def standing_tickets(match: ResolvedMatch, tickets: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How the standing tickets of a match wait for their next one, given the rows of the tickets."""
    now, today, most = match.context.now, match.day, match.context.league.file.matches_per_day
    found = []
    for seat in match.planned.seats:
        if seat.ticket is None or seat.kind == ONCE:
            continue
        row = tickets[seat.ticket]
        count = (row.day_matches if row.day == today else 0) + 1
        found.append(
            {
                "of_ticket": seat.ticket,
                "since": now,
                "due_at": days.next_midnight(now) if count >= most else now + DAY // most,
                "day": today,
                "day_matches": count,
            }
        )
    return found


def notifications(match: ResolvedMatch) -> Iterator[Notice]:
    """What both accounts hear of the match. Bots hear nothing."""
    for side_index, (seat, change) in enumerate(match.sides):
        own, other = match.scores[side_index], match.scores[1 - side_index]
        body: dict[str, Any] = {
            "match": match.id,
            "league": match.context.league.id,
            "entry": seat.entry,
            "outcome": outcome(own, other),
            "score": [own, other],
            **({} if match.context.occasion is None else match.context.occasion.about),
        }
        if change.is_rated:
            body |= {"rating": change.after.shown, "change": change.after.shown - change.before.shown}
        if seat.role != Role.BOT:
            yield seat.account, "match.resolved", body
