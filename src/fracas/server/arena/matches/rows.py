"""What a match changes, as plain values: both ratings, its rows, its tickets, and what its accounts are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fracas.server.arena.chain import ChainedMatch, SeasonPins, SideChange
from fracas.server.arena.league import League
from fracas.server.arena.match_player import MatchResult
from fracas.server.arena.ratings import DRAW, LOSS, WIN, Rating, after_match, outcome, with_new_version
from fracas.server.arena.records import CASUAL, ONCE, RANKED, STANDING, Planned, Seat
from fracas.server.arena.seasons import days
from fracas.server.arena.seasons.season import Season
from fracas.server.arena.secrets import SeedInputs
from fracas.server.clock import DAY, day_of

BOT, OPERATOR = "bot", "operator"


@dataclass(frozen=True)
class Held:
    """A rating as it is stored, which this transaction has locked."""

    rating: Rating
    n: int
    """The number of the account's rated matches of the season."""
    entry: str | None
    """Of the last rated match."""
    version: int | None

    @classmethod
    def of_row(cls, row: Any) -> Held:
        """The rating of a row."""
        return cls(Rating.of_hex(row.mu, row.sigma), row.n, row.entry, row.version)

    def after(self, seat: Seat, change: Change) -> Held:
        """The rating after a match."""
        return Held(change.after, change.n + 1, seat.entry, seat.version) if change.is_rated else self


@dataclass(frozen=True)
class Change:
    """What a match does to one side's rating."""

    before: Rating
    after: Rating
    is_rated: bool
    n: int
    """The number of the account's rated matches of the season before this one."""


Changes = tuple[Change, Change]
"""By place."""


@dataclass(frozen=True)
class Resolved:
    """A resolved match."""

    id: str
    number: int
    day: str
    scores: tuple[int, int]
    head: bytes
    changes: Changes


@dataclass(frozen=True)
class Setting:
    """What the matches of a league are resolved under."""

    league: League
    season: Season
    now: int

    @property
    def day(self) -> str:
        """The league-day."""
        return day_of(self.now)


def seed_inputs(setting: Setting, planned: Planned, number: int) -> SeedInputs:
    """What the seed of a match with this number is made of, but for the secret."""
    first, second = planned.seats
    digests, salts = (first.sealed_digest, second.sealed_digest), (first.salt, second.salt)
    return SeedInputs(setting.league.id, setting.day, number, digests, salts)


def changes_of(planned: Planned, held: Mapping[str, Held], scores: tuple[int, int]) -> Changes:
    """What a match does to both ratings. A bot's stays; it counts for others only while they are provisional.

    Args:
        planned: the match.
        held: the ratings by account; empty in a league without ratings.
        scores: the points of both places.
    """
    if not held:
        none = Change(Rating(), Rating(), False, 0)
        return none, none
    seats = planned.seats
    before = [_before(seat, held[seat.account]) for seat in seats]
    after = after_match(before[0], before[1], scores)
    has_operator = any(seat.role == OPERATOR for seat in seats)
    made = []
    for place, seat in enumerate(seats):
        rival, stored = seats[1 - place], held[seat.account]
        may_be = planned.is_rated and seat.role != BOT and not has_operator
        is_rated = may_be and (rival.role != BOT or before[place].is_provisional)
        start = before[place] if is_rated else stored.rating
        made.append(Change(start, after[place] if is_rated else start, is_rated, stored.n))
    return made[0], made[1]


def _before(seat: Seat, held: Held) -> Rating:
    """A rating before the match; less is known about a version that has not fought before."""
    is_new = held.entry is not None and (held.entry, held.version) != (seat.entry, seat.version)
    return with_new_version(held.rating) if is_new and seat.role != BOT else held.rating


def chained(
    setting: Setting, planned: Planned, inputs: SeedInputs, modifier: str, result: MatchResult, changes: Changes
) -> ChainedMatch:
    """What the chain binds of a match."""
    league, season = setting.league, setting.season
    first, second = (
        _side_change(seat, change if league.is_ranked else None)
        for seat, change in zip(planned.seats, changes, strict=True)
    )
    pins = SeasonPins(season.no, season.rules_version, season.fingerprint, season.revision, season.rating_model)
    return ChainedMatch(inputs, result.digest, _kind(league), modifier, pins, (first, second))


def _kind(league: League) -> str:
    return RANKED if league.is_ranked else CASUAL


def _side_change(seat: Seat, change: Change | None) -> SideChange:
    """What a match does to a side; `change` is None where nothing is rated."""
    who = seat.account, seat.combatant.code, seat.version
    if change is None:
        return SideChange(*who, False, None, None, None)
    number = change.n + 1 if change.is_rated else None
    return SideChange(*who, change.is_rated, number, change.before.as_hex(), change.after.as_hex())


def match_row(setting: Setting, resolved: Resolved, modifier: str, seed: str, result: MatchResult) -> dict[str, Any]:
    """The row of a match."""
    season, league = setting.season, setting.league
    return {
        "id": resolved.id,
        "league": league.id,
        "season": season.no,
        "day": resolved.day,
        "no": resolved.number,
        "kind": _kind(league),
        "seed": seed,
        "rules_version": season.rules_version,
        "fingerprint": season.fingerprint,
        "modifier": modifier,
        "revision": season.revision,
        "legs": len(result.legs),
        "score_a": result.scores[0],
        "score_b": result.scores[1],
        "result_digest": result.digest,
        "chain": resolved.head,
        "played_at": setting.now,
    }


def side_rows(setting: Setting, planned: Planned, resolved: Resolved) -> list[dict[str, Any]]:
    """The rows of both sides of a match."""
    league, season = setting.league, setting.season.no
    return [
        side_row(resolved.id, place, league.id, season, seat, change if league.is_ranked else None)
        for place, (seat, change) in enumerate(zip(planned.seats, resolved.changes, strict=True), 1)
    ]


def side_row(match: str, place: int, league: str, season: int, seat: Seat, change: Change | None) -> dict[str, Any]:
    """The row of one side of a match."""
    told = _side_change(seat, change)
    (mu0, sigma0), (mu1, sigma1) = told.before or (None, None), told.after or (None, None)
    return {
        "match": match,
        "place": place,
        "league": league,
        "season": season,
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


def rating_changes(setting: Setting, planned: Planned, resolved: Resolved) -> Iterator[dict[str, Any]]:
    """How the rows of the ratings change."""
    scores = resolved.scores
    for seat, change, own, other in zip(planned.seats, resolved.changes, scores, scores[::-1], strict=True):
        if not change.is_rated:
            continue
        mu, sigma = change.after.as_hex()
        ended = outcome(own, other)
        yield {
            "of_league": setting.league.id,
            "of_season": setting.season.no,
            "of_account": seat.account,
            "old_n": change.n,
            "new_mu": mu,
            "new_sigma": sigma,
            "new_score": change.after.score,
            "new_n": change.n + 1,
            "new_entry": seat.entry,
            "new_version": seat.version,
            "won": int(ended == WIN),
            "drawn": int(ended == DRAW),
            "lost": int(ended == LOSS),
        }


def meeting_rows(setting: Setting, planned: Planned, resolved: Resolved) -> list[dict[str, Any]]:
    """Who met whom, for the pairings to come. A match counts as rated if it was for either."""
    first, second = (seat.account for seat in planned.seats)
    rated_at = setting.now if any(each.is_rated for each in resolved.changes) else None
    same = {"league": setting.league.id, "at": setting.now, "rated_at": rated_at}
    return [
        {"account": account, "opponent": other, **same} for account, other in sorted(((first, second), (second, first)))
    ]


def revealed_versions(setting: Setting, planned: Planned) -> list[dict[str, Any]]:
    """The versions that a match reveals: both, if the league reveals after a match."""
    if setting.league.file.reveal != "after_match":
        return []
    return [{"of_entry": seat.entry, "of_version": seat.version, "now": setting.now} for seat in planned.seats]


def spent_tickets(planned: Planned) -> list[dict[str, Any]]:
    """The tickets that were for this match only."""
    return [{"of_ticket": seat.ticket} for seat in planned.seats if seat.ticket is not None and seat.kind == ONCE]


def standing_tickets(setting: Setting, planned: Planned, tickets: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How the standing tickets of a match wait for their next one, given the rows of the tickets."""
    today, most = setting.day, setting.league.file.matches_per_day
    found = []
    for seat in planned.seats:
        if seat.ticket is None or seat.kind == ONCE:
            continue
        row = tickets[seat.ticket]
        count = (row.day_matches if row.day == today else 0) + 1
        found.append(
            {
                "of_ticket": seat.ticket,
                "new_state": STANDING,
                "new_since": setting.now,
                "new_due_at": days.next_midnight(setting.now) if count >= most else setting.now + DAY // most,
                "new_day": today,
                "new_day_matches": count,
            }
        )
    return found


def told_of(setting: Setting, planned: Planned, resolved: Resolved) -> Iterator[tuple[str, tuple[str, dict[str, Any]]]]:
    """What both accounts hear of the match, as account and event. Bots hear nothing."""
    for place, (seat, change) in enumerate(zip(planned.seats, resolved.changes, strict=True)):
        own, other = resolved.scores[place], resolved.scores[1 - place]
        body: dict[str, Any] = {
            "match": resolved.id,
            "league": setting.league.id,
            "entry": seat.entry,
            "outcome": outcome(own, other),
            "score": [own, other],
        }
        if change.is_rated:
            body |= {"rating": change.after.shown, "change": change.after.shown - change.before.shown}
        if seat.role != BOT:
            yield seat.account, ("match.resolved", body)
