"""Check a whole database: every battle again, every rating as the sum of its matches, chains and numbers without gaps.

`fracas server check` prints what this finds. It changes nothing. Matches of other rules are counted and are no fault:
the release that played them plays them again. Whatever grows with the number of matches is read in portions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Column, Connection, Select, func, select, tuple_

from fracas.errors import FracasError
from fracas.server.arena.domain import Arena
from fracas.server.arena.legs import viewed_leg
from fracas.server.arena.match_player import MatchPlayer, MatchResult, Rules
from fracas.server.arena.proofs.day_file import FileMatch
from fracas.server.arena.proofs.league_day import follow_chain
from fracas.server.arena.proofs.published import AT_ONCE, day_without_matches, matches_of
from fracas.server.arena.ratings import Rating, after_match, folded, model_version, outcome, with_new_version
from fracas.server.arena.refusals import OtherRules
from fracas.server.arena.store.matches import MatchView, legs_of, match_by_id
from fracas.server.database import documents
from fracas.server.database.tables import (
    account,
    document,
    entry_version,
    league_day,
    match,
    match_side,
    rating,
    season,
)

MOST_FAULTS = 100


@dataclass
class Report:
    """What a check found."""

    matches: int = 0
    """Matches that were played again by the installed rules."""
    of_other_rules: int = 0
    """Matches of rules or content that this program does not have."""
    ratings: int = 0
    """Ratings that were added up again."""
    days: int = 0
    """League-days whose chain was followed."""
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
    _check_days(connection, arena, report)
    _check_matches(connection, report)
    _check_ratings(connection, report)
    return report


def _check_documents(connection: Connection, report: Report) -> None:
    """Every document has the hash that it is stored by; every version has its document, and its sealed digest."""
    from blake3 import blake3

    from fracas.server.arena.entries import sealed_digest

    for row in _in_portions(connection, select(document.c.hash), document.c.hash):
        report.documents += 1
        key = bytes(row.hash)
        if blake3(documents.get_bytes(connection, key)).digest() != key:
            report.add(f"document {key.hex()[:12]} has another hash")
    for row in _in_portions(connection, select(entry_version), entry_version.c.entry, entry_version.c.no):
        if sealed_digest(bytes(row.salt), bytes(row.document)) != bytes(row.sealed_digest):
            report.add(f"version {row.no} of entry {row.entry} has another sealed digest")


def _check_days(connection: Connection, arena: Arena, report: Report) -> None:
    """Numbers without gaps, seeds, chain and heads of each league-day; matches are played again elsewhere."""
    rows = connection.execute(
        select(league_day.c.league, league_day.c.day).order_by(league_day.c.league, league_day.c.day)
    )
    for row in rows.all():
        report.days += 1
        try:
            found = day_without_matches(connection, arena, row.league, row.day)
        except FracasError as error:
            report.add(f"{row.league}, {row.day}: {error}")
            continue
        matches = map(_without_entries, matches_of(connection, row.league, row.day))
        verified = follow_chain(found, row.day, matches)
        if not verified.matches:
            report.add(f"{row.league}, {row.day}: {verified.difference}")


def _without_entries(found: FileMatch) -> FileMatch:
    """A match whose entries are not looked at: it is played again with all others."""
    for side in found.sides:
        side.document = side.salt = None
    return found


def _check_matches(connection: Connection, report: Report) -> None:
    """Every match, played again, gives the stored legs, score and digest."""
    player = MatchPlayer()
    for row in _in_portions(connection, select(match.c.id), match.c.id):
        identifier = row.id
        found = match_by_id(connection, identifier)
        try:
            # Its players may see it, whatever kind it is.
            leg = viewed_leg(connection, identifier, 0, found.sides[0].account.id)
            result = player.play(Rules(leg.league, found.modifier), *leg.combatants, found.seed)
            report.matches += 1
        except OtherRules:
            report.of_other_rules += 1
            continue
        except (FracasError, KeyError) as error:
            report.add(f"match {identifier} cannot be played again: {error}")
            continue
        _compare(connection, identifier, found, result, report)


def _in_portions(connection: Connection, query: Select[Any], *keys: Column[Any]) -> Iterator[Any]:
    """The rows of a query in the order of unique keys, never more than a portion in memory."""
    last: tuple[Any, ...] | None = None
    while True:
        portion = query if last is None else query.where(tuple_(*keys) > tuple_(*last))
        rows = connection.execute(portion.order_by(*keys).limit(AT_ONCE)).all()
        yield from rows
        if len(rows) < AT_ONCE:
            return
        last = tuple(getattr(rows[-1], key.name) for key in keys)


def _compare(connection: Connection, identifier: str, found: MatchView, result: MatchResult, report: Report) -> None:
    stored = [(leg.no, leg.result, leg.reason, leg.rounds, leg.digest) for leg in legs_of(connection, identifier)]
    played = [(leg.no, leg.result, leg.reason, leg.rounds, leg.digest.hex()) for leg in result.legs]
    if stored != played:
        report.add(f"match {identifier} has other legs when it is played again")
    if result.digest.hex() != found.result_digest or result.scores != (found.sides[0].score, found.sides[1].score):
        report.add(f"match {identifier} has another result when it is played again")


def _check_ratings(connection: Connection, report: Report) -> None:
    """Every rating is the sum of its matches, from its start on, which is the fold of the season before."""
    models = {(row.league, row.no): row.rating_model for row in connection.execute(select(season))}
    rows = connection.execute(select(rating, account.c.role).join(account, account.c.id == rating.c.account)).all()
    finals = {(row.league, row.season, row.account): Rating.of_hex(row.mu, row.sigma) for row in rows}
    for row in rows:
        report.ratings += 1
        name = f"the rating of {row.account} in season {row.season} of {row.league}"
        start = Rating.of_hex(row.start_mu, row.start_sigma)
        before = finals.get((row.league, row.season - 1, row.account))
        if row.role != "bot" and start != (Rating() if before is None else folded(before)):
            report.add(f"{name} does not begin where the season before ended")
        report.faults += list(
            _recount(connection, row, start, name, models.get((row.league, row.season)) == model_version())
        )[: max(MOST_FAULTS - len(report.faults), 0)]


def _recount(connection: Connection, row: Any, start: Rating, name: str, is_model: bool) -> Iterator[str]:
    """Add up one rating; says everything that does not fit."""
    own, other = match_side.alias("own"), match_side.alias("other")
    query = (
        select(
            own.c.place,
            own.c.entry,
            own.c.version,
            own.c.n,
            own.c.mu0,
            own.c.sigma0,
            own.c.mu1,
            own.c.sigma1,
            other.c.mu0.label("rival_mu"),
            other.c.sigma0.label("rival_sigma"),
            match.c.score_a,
            match.c.score_b,
            match.c.id,
        )
        .join(match, match.c.id == own.c.match)
        .join(other, (other.c.match == own.c.match) & (other.c.place != own.c.place))
        .where(own.c.league == row.league, own.c.season == row.season, own.c.account == row.account, own.c.rated == 1)
        .order_by(own.c.n)
    )
    rated = connection.execute(query).all()
    if [each.n for each in rated] != list(range(1, row.n + 1)):
        yield f"{name} counts {row.n} matches, and there are numbers {[each.n for each in rated][:5]}…"
    last, version = start, None if row.season == 1 or not rated else _before_season(connection, row)
    counts = {"win": 0, "draw": 0, "loss": 0}
    for each in rated:
        is_new = version is not None and version != (each.entry, each.version)
        expected = with_new_version(last) if is_new else last
        if (each.mu0, each.sigma0) != expected.as_hex():
            yield f"{name} before match {each.id} is not what it was after the match before"
        scores = (each.score_a, each.score_b)
        ratings = [Rating.of_hex(each.mu0, each.sigma0), Rating.of_hex(each.rival_mu, each.rival_sigma)]
        place = each.place - 1
        ordered = (ratings[0], ratings[1]) if place == 0 else (ratings[1], ratings[0])
        after = after_match(ordered[0], ordered[1], scores)[place]
        if is_model and (each.mu1, each.sigma1) != after.as_hex():
            yield f"{name} after match {each.id} is not what the model says"
        counts[outcome(scores[place], scores[1 - place])] += 1
        last, version = Rating.of_hex(each.mu1, each.sigma1), (each.entry, each.version)
    if (row.mu, row.sigma) != last.as_hex() or row.score != last.score:
        yield f"{name} is not the sum of its matches"
    if (row.wins, row.draws, row.losses) != tuple(counts.values()):
        yield f"{name} counts {row.wins} wins, {row.draws} draws and {row.losses} losses; it has {counts}"


def _before_season(connection: Connection, row: Any) -> tuple[str, int] | None:
    """The version of an account's last rated match before a season."""
    query = (
        select(match_side.c.entry, match_side.c.version)
        .where(
            match_side.c.league == row.league,
            match_side.c.account == row.account,
            match_side.c.season < row.season,
            match_side.c.rated == 1,
        )
        .order_by(match_side.c.season.desc(), match_side.c.n.desc())
        .limit(1)
    )
    found = connection.execute(query).first()
    return None if found is None else (found.entry, found.version)


def gaps(connection: Connection) -> list[tuple[str, str, int, int]]:
    """League-days whose matches are fewer than their last number: league, day, last number, matches."""
    query = (
        select(league_day.c.league, league_day.c.day, league_day.c.last_no, func.count(match.c.id).label("count"))
        .outerjoin(
            match, (match.c.league == league_day.c.league) & (match.c.day == league_day.c.day) & match.c.no.is_not(None)
        )
        .group_by(league_day.c.league, league_day.c.day, league_day.c.last_no)
    )
    return [(row.league, row.day, row.last_no, row[3]) for row in connection.execute(query) if row.last_no != row[3]]
