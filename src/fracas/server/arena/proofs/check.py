"""Check a whole database: every battle again, every rating as the sum of its matches, chains and numbers without gaps.

`fracas server check` prints what this finds. It changes nothing. Matches of other rules are counted and are no fault:
the release that played them plays them again. Whatever grows with the number of matches is read in portions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from blake3 import blake3
from sqlalchemy import Column, Connection, Select, func, select, tuple_

from fracas.errors import FracasError
from fracas.server.arena.domain import Arena
from fracas.server.arena.entries import sealed_digest
from fracas.server.arena.legs import viewed_leg
from fracas.server.arena.match_player import MatchPlayer, MatchResult, Rules
from fracas.server.arena.proofs.carried_ratings import CarriedRatings, Reached
from fracas.server.arena.proofs.day_file import FileMatch
from fracas.server.arena.proofs.league_day import follow_chain
from fracas.server.arena.proofs.published import AT_ONCE, day_without_matches, matches_of
from fracas.server.arena.proofs.wars import war_faults
from fracas.server.arena.ratings import DRAW, LOSS, WIN, Rating, folded
from fracas.server.arena.refusals import OtherRules
from fracas.server.arena.store.matches import MatchView, legs_of, match_by_id
from fracas.server.arena.tournaments.check import tournament_faults
from fracas.server.database import documents
from fracas.server.database.tables import (
    account,
    document,
    entry_version,
    league_day,
    match,
    rating,
    tournament,
    war,
)
from fracas.server.http.authorisation import Role

MOST_FAULTS = 100


@dataclass
class Report:
    """What a check found."""

    matches: int = 0
    """Matches that were played again by the installed rules."""
    of_other_rules: int = 0
    """Matches of rules or content that this program does not have."""
    ratings: int = 0
    """Ratings that were compared with their matches."""
    days: int = 0
    """League-days whose chain was followed."""
    tournaments: int = 0
    """Tournaments whose pairings and results were recomputed."""
    wars: int = 0
    """Guild wars whose seeds, matches and points were compared."""
    tables: int = 0
    """Rated tables whose change of both ratings was computed again."""
    documents: int = 0
    """Stored documents whose hash was computed again."""
    faults: list[str] = field(default_factory=list)
    """Everything that is wrong, as sentences; at most 100."""

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def add(self, fault: str) -> None:
        """Note a fault."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault)


def check_arena(connection: Connection, arena: Arena) -> Report:
    """Check everything that the arena has stored."""
    report = Report()
    _check_documents(connection, report)
    ratings = _check_days(connection, arena, report)
    _check_matches(connection, report)
    _check_ratings(connection, ratings, report)
    for identifier in connection.execute(select(tournament.c.id).order_by(tournament.c.id)).scalars().all():
        report.tournaments += 1
        for fault in tournament_faults(connection, identifier):
            report.add(fault)
    for fault in war_faults(connection, arena):
        report.add(fault)
    report.wars = connection.execute(select(func.count()).select_from(war)).scalar_one()
    return report


def _check_documents(connection: Connection, report: Report) -> None:
    """Every document has the hash that it is stored by; every version has its document, and its sealed digest."""
    for row in in_portions(connection, select(document.c.hash), document.c.hash):
        report.documents += 1
        key = bytes(row.hash)
        if blake3(documents.get_bytes(connection, key)).digest() != key:
            report.add(f"document {key.hex()[:12]} has another hash")
    for row in in_portions(connection, select(entry_version), entry_version.c.entry, entry_version.c.no):
        if sealed_digest(bytes(row.salt), bytes(row.document)) != bytes(row.sealed_digest):
            report.add(f"version {row.no} of entry {row.entry} has another sealed digest")


def _check_days(connection: Connection, arena: Arena, report: Report) -> dict[str, CarriedRatings]:
    """Numbers without gaps, seeds, chain, heads and ratings of each league-day; matches are played again elsewhere.

    Returns:
        The ratings as the matches of all days say, by league; a league with a day that differs is missing.
    """
    carried: dict[str, CarriedRatings] = {}
    broken = set()
    rows = connection.execute(
        select(league_day.c.league, league_day.c.day).order_by(league_day.c.league, league_day.c.day)
    )
    for league, day in rows.all():
        report.days += 1
        try:
            day_file = day_without_matches(connection, arena, league, day)
            matches = map(_without_entries, matches_of(connection, league, day))
            difference = follow_chain(day_file, matches, carried.setdefault(league, CarriedRatings(has_all_days=True)))
        except FracasError as error:
            difference = str(error)
        if difference:
            report.add(f"{league}, {day}: {difference}")
            # What comes after it is not told as another fault.
            carried.pop(league, None)
            broken.add(league)
    return {league: ratings for league, ratings in carried.items() if league not in broken}


def _without_entries(found: FileMatch) -> FileMatch:
    """A match whose entries are not looked at: it is played again with all others."""
    for side in found.sides:
        side.document = side.salt = None
    return found


def _check_matches(connection: Connection, report: Report) -> None:
    """Every match, played again, gives the stored legs, score and digest."""
    player = MatchPlayer()
    for row in in_portions(connection, select(match.c.id), match.c.id):
        identifier = row.id
        view = match_by_id(connection, identifier)
        try:
            # Its players may see it, whatever kind it is.
            leg = viewed_leg(connection, identifier, 0, view.sides[0].account.id)
            result = player.play(Rules(leg.league, view.modifier), *leg.combatants, view.seed)
            report.matches += 1
        except OtherRules:
            report.of_other_rules += 1
            continue
        except (FracasError, KeyError) as error:
            report.add(f"match {identifier} cannot be played again: {error}")
            continue
        _compare(connection, identifier, view, result, report)


def in_portions(connection: Connection, query: Select[Any], *keys: Column[Any]) -> Iterator[Any]:
    """The rows of a query in the order of unique keys, never more than a portion in memory."""
    last: tuple[Any, ...] | None = None
    while True:
        portion = query if last is None else query.where(tuple_(*keys) > tuple_(*last))
        rows = connection.execute(portion.order_by(*keys).limit(AT_ONCE)).all()
        yield from rows
        if len(rows) < AT_ONCE:
            return
        last = tuple(getattr(rows[-1], key.name) for key in keys)


def _compare(connection: Connection, identifier: str, view: MatchView, result: MatchResult, report: Report) -> None:
    stored = [(leg.no, leg.result, leg.reason, leg.rounds, leg.digest) for leg in legs_of(connection, identifier)]
    played = [(leg.no, leg.result, leg.reason, leg.rounds, leg.digest.hex()) for leg in result.legs]
    if stored != played:
        report.add(f"match {identifier} has other legs when it is played again")
    if result.digest.hex() != view.result_digest or result.scores != (view.sides[0].score, view.sides[1].score):
        report.add(f"match {identifier} has another result when it is played again")


def _check_ratings(connection: Connection, carried: Mapping[str, CarriedRatings], report: Report) -> None:
    """Every rating is the sum of its matches, from its start on, which is the fold of the season before."""
    for league, ratings in carried.items():
        if ratings.believed:
            report.add(f"{league}: {len(ratings.believed)} accounts begin with a rating that no match before it says")
    rows = connection.execute(select(rating, account.c.role).join(account, account.c.id == rating.c.account)).all()
    finals = {(row.league, row.season, row.account): Rating.of_hex(row.mu, row.sigma) for row in rows}
    for row in rows:
        name = f"the rating of {row.account} in season {row.season} of {row.league}"
        start = Rating.of_hex(row.start_mu, row.start_sigma)
        before = finals.get((row.league, row.season - 1, row.account))
        if row.role != Role.BOT and start != (Rating() if before is None else folded(before)):
            report.add(f"{name} does not begin where the season before ended")
        if row.league not in carried:
            continue
        report.ratings += 1
        nothing = Reached(row.season, 0, start, ("", 0), Counter())
        reached = carried[row.league].ended.get((row.season, row.account), nothing)
        if (row.mu, row.sigma, row.score) != (*reached.rating.as_hex(), reached.rating.score):
            report.add(f"{name} is not the sum of its matches")
        if row.n != reached.n:
            report.add(f"{name} counts {row.n} matches, and there are {reached.n}")
        outcomes = reached.outcomes
        if (row.wins, row.draws, row.losses) != (outcomes[WIN], outcomes[DRAW], outcomes[LOSS]):
            counted = f"{row.wins} wins, {row.draws} draws and {row.losses} losses"
            report.add(f"{name} counts {counted}; it has {dict(outcomes)}")
