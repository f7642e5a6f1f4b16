"""Resolve matches of a league: play, rate and store them in one transaction. They happened once, or not at all.

The caller owns the transaction; whatever raises here must roll it back. Nobody is notified before it commits. Many
matches share their statements, and end as if they had been resolved one after the other: each begins with the ratings
and the chain's head that the last one left.

Ratings and tickets are locked before they change, in order; everything else of a league is guarded by the row of its
day, which `_take_numbers` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, case, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from fracas.server.arena.chain import next_head
from fracas.server.arena.day_secrets import SecretBox, match_seed
from fracas.server.arena.domain import MATCHED, STANDING, Arena, Occasion, Planned
from fracas.server.arena.match_player import MatchPlayer
from fracas.server.arena.matches import rows
from fracas.server.arena.matches.rows import LockedRating, ResolveContext, ResolvedMatch
from fracas.server.arena.ratings import Rating
from fracas.server.arena.seasons import days
from fracas.server.arena.seasons.season import latest_season, rating_row
from fracas.server.arena.visibility import REVEAL_EACH
from fracas.server.database import streams
from fracas.server.database.tables import league_day, leg, match_side, meeting, rating, ticket
from fracas.server.database.tables import match as match_table
from fracas.server.database.upsert import insert_if_absent
from fracas.server.ids import random_id


class Interfered(Exception):
    """Somebody else changed a rating in between, which the locks should have prevented."""


def no_step(step: str) -> None:
    """Do nothing between the steps of a resolution."""


def resolve(
    connection: Connection,
    arena: Arena,
    matches: Sequence[Planned],
    now: int,
    *,
    player: MatchPlayer,
    occasion: Occasion | None = None,
    notice: Callable[[str], None] = no_step,
) -> list[ResolvedMatch | None]:
    """Play, rate and store matches of one league, in their order.

    Args:
        connection: the transaction.
        arena: the leagues.
        matches: all of the same league.
        now: milliseconds UTC.
        player: plays the battles.
        occasion: what they are fought for; None for matches of the queue.
        notice: called with the name of each step before it, so that tests can fail there.

    Returns:
        What became of each match; None where it is not to be: a ticket is gone, or the day or the season is over.

    Raises:
        ValueError: the matches are of several leagues.
        Interfered: a rating changed in between.
        FaultError: a battle hit a limit of the engine.
    """
    if not matches:
        return []
    (league,) = {planned.league for planned in matches}
    context = _context(connection, arena, league, now, occasion)
    if context is None:
        return [None] * len(matches)
    notice("lock ratings")
    locked = _lock_ratings(connection, context, matches)
    notice("check tickets")
    tickets = _lock_tickets(connection, matches)
    ready = _still_matched(matches, tickets)
    if not ready:
        return [None] * len(matches)
    notice("take number")
    taken = _take_numbers(connection, context, len(ready), arena.box)
    if taken is None:
        return [None] * len(matches)
    notice("play")
    played = _play(context, ready, locked, taken, player)
    _store(connection, context, list(played.values()), tickets, notice)
    return [played.get(index) for index in range(len(matches))]


def _context(
    connection: Connection, arena: Arena, league_id: str, now: int, occasion: Occasion | None
) -> ResolveContext | None:
    """What the matches of a league are resolved under; None if no season of this program's rules runs."""
    league = arena.league(league_id)
    season = latest_season(connection, league_id)
    if season is None or season.ended_at is not None or not season.fits(league):
        return None
    return ResolveContext(league, season, now, occasion)


def _lock_ratings(
    connection: Connection, context: ResolveContext, matches: Iterable[Planned]
) -> dict[str, LockedRating]:
    """The ratings of the matches' accounts, locked in the order of the accounts; bots have theirs too."""
    if not context.league.is_ranked:
        return {}
    league, season = context.league.id, context.season.no
    accounts = sorted({seat.account for planned in matches for seat in planned.seats})
    key = {"league": league, "season": season, "accounts": accounts}
    found = connection.execute(_RATINGS, key).all()
    if len(found) < len(accounts):
        known = {row.account for row in found}
        for account in accounts:
            if account not in known:
                insert_if_absent(connection, rating, rating_row(league, season, account, Rating()))
        found = connection.execute(_RATINGS, key).all()
    return {row.account: LockedRating.of_row(row) for row in found}


def _lock_tickets(connection: Connection, matches: Iterable[Planned]) -> dict[str, Any]:
    """The rows of the matches' tickets, locked; those that are gone are missing."""
    names = sorted({seat.ticket for planned in matches for seat in planned.seats if seat.ticket is not None})
    return {row.id: row for row in connection.execute(_TICKETS, {"tickets": names})} if names else {}


def _still_matched(matches: Sequence[Planned], tickets: Mapping[str, Any]) -> dict[int, Planned]:
    """The matches whose tickets are still those that were matched, by their index among all."""
    ready, used = {}, set[str]()
    for index, planned in enumerate(matches):
        names = {seat.ticket: seat.version for seat in planned.seats if seat.ticket is not None}
        found = [tickets.get(name) for name in names]
        are_matched = all(
            row is not None and row.state == MATCHED and row.version == version
            for row, version in zip(found, names.values(), strict=True)
        )
        if are_matched and not names.keys() & used:
            ready[index] = planned
            used |= names.keys()
    return ready


@dataclass(frozen=True)
class _Taken:
    """Numbers of a league-day that a transaction has taken."""

    number: int
    """The first of them."""
    head: bytes
    """Of the chain before it."""
    format: int
    """What the day's chain binds."""
    secret: bytes


def _take_numbers(connection: Connection, context: ResolveContext, count: int, box: SecretBox) -> _Taken | None:
    """Take the next numbers of the league-day. None if the day is over, or not yet made."""
    league, day = context.league.id, context.day
    row = connection.execute(_NUMBERS, {"of_league": league, "of_day": day, "count": count}).first()
    if row is None:
        return None
    secret = box.open(bytes(row.secret_enc), league, day)
    return _Taken(row.last_no - count + 1, bytes(row.head), days.format_of(connection, league, day), secret)


def _play(
    context: ResolveContext,
    ready: Mapping[int, Planned],
    locked: dict[str, LockedRating],
    taken: _Taken,
    player: MatchPlayer,
) -> dict[int, ResolvedMatch]:
    """Play matches one after the other."""
    head, rules, played = taken.head, context.rules, {}
    for number, (index, planned) in enumerate(ready.items(), taken.number):
        inputs = rows.seed_inputs(context, planned, number)
        seed = match_seed(taken.secret, inputs)
        first, second = planned.seats
        result = player.play(rules, first.combatant, second.combatant, seed)
        changes = rows.changes_of(planned, locked, result.scores)
        head = next_head(taken.format, head, rows.chained(context, planned, inputs, result, changes))
        played[index] = ResolvedMatch(random_id(), context, planned, number, seed, result, changes, head)
        if locked:
            for seat, change in played[index].sides:
                locked[seat.account] = locked[seat.account].after(seat, change)
    return played


def _store(
    connection: Connection,
    context: ResolveContext,
    played: Sequence[ResolvedMatch],
    tickets: Mapping[str, Any],
    notice: Callable[[str], None],
) -> None:
    """Write everything about matches that were played."""
    notice("insert match")
    connection.execute(_INSERT_MATCHES, [rows.numbered_row(each) for each in played])
    connection.execute(_INSERT_SIDES, [row for each in played for row in rows.side_rows(each)])
    connection.execute(_INSERT_LEGS, [row for each in played for row in rows.leg_rows(each.id, each.result)])
    notice("update ratings")
    changes = [row for each in played for row in rows.rating_changes(each)]
    if changes and connection.execute(_RATE, changes).rowcount != len(changes):
        raise Interfered(context.league.id)
    notice("note meeting")
    note_meetings(connection, [row for each in played for row in rows.meeting_rows(each)])
    notice("reveal versions")
    versions = {(row["of_entry"], row["of_version"]): row for each in played for row in rows.revealed_versions(each)}
    if versions:
        connection.execute(REVEAL_EACH, [versions[key] for key in sorted(versions)])
    notice("settle tickets")
    spent = [name for each in played for name in rows.spent_tickets(each)]
    if spent:
        connection.execute(_DELETE_TICKETS, {"spent": spent})
    standing = [row for each in played for row in rows.standing_tickets(each, tickets)]
    if standing:
        connection.execute(_STAND, standing)
    notice("append to streams")
    streams.append(connection, (told for each in played for told in rows.notifications(each)), context.now)
    notice("move head")
    connection.execute(_MOVE_HEAD, {"of_league": context.league.id, "of_day": context.day, "new_head": played[-1].head})
    notice("end")


def note_meetings(connection: Connection, meetings: Iterable[Mapping[str, Any]]) -> None:
    """Remember who met whom: rows of league, account, opponent, at and rated_at, which is None for an unrated match."""
    # Those of the same two stay in the order in which they met.
    ordered = sorted(meetings, key=lambda row: (row["account"], row["opponent"]))
    connection.execute(_meet(connection.dialect.name), ordered)


# The statements are built once: building one takes longer than running it. What an UPDATE sets besides, the rows name.
_RATINGS = (
    select(rating)
    .where(
        rating.c.league == bindparam("league"),
        rating.c.season == bindparam("season"),
        rating.c.account.in_(bindparam("accounts", expanding=True)),
    )
    .order_by(rating.c.account)
    .with_for_update()
)
_TICKETS = (
    select(ticket.c.id, ticket.c.state, ticket.c.version, ticket.c.day, ticket.c.day_matches)
    .where(ticket.c.id.in_(bindparam("tickets", expanding=True)))
    .order_by(ticket.c.id)
    .with_for_update()
)
_NUMBERS = (
    update(league_day)
    .where(
        league_day.c.league == bindparam("of_league"),
        league_day.c.day == bindparam("of_day"),
        league_day.c.published_at.is_(None),
    )
    .values(last_no=league_day.c.last_no + bindparam("count"))
    .returning(league_day.c.last_no, league_day.c.head, league_day.c.secret_enc)
)
_MOVE_HEAD = (
    update(league_day)
    .where(league_day.c.league == bindparam("of_league"), league_day.c.day == bindparam("of_day"))
    .values(head=bindparam("new_head"))
)
_INSERT_MATCHES, _INSERT_SIDES, _INSERT_LEGS = insert(match_table), insert(match_side), insert(leg)
_RATE = (
    update(rating)
    .where(
        rating.c.league == bindparam("of_league"),
        rating.c.season == bindparam("of_season"),
        rating.c.account == bindparam("of_account"),
        rating.c.n == bindparam("old_n"),
    )
    .values(
        wins=rating.c.wins + bindparam("won"),
        draws=rating.c.draws + bindparam("drawn"),
        losses=rating.c.losses + bindparam("lost"),
    )
    .execution_options(preserve_rowcount=True)
)
_DELETE_TICKETS = delete(ticket).where(ticket.c.id.in_(bindparam("spent", expanding=True)))
_STAND = (
    update(ticket).where(ticket.c.id == bindparam("of_ticket")).values(state=STANDING, failures=0, lease_until=None)
)


@cache
def _meet(dialect: str) -> Any:
    insert_into: Any = postgresql.insert if dialect == "postgresql" else sqlite.insert
    statement = insert_into(meeting)
    new = statement.excluded
    return statement.on_conflict_do_update(
        index_elements=[meeting.c.league, meeting.c.account, meeting.c.opponent],
        set_={
            "at": new.at,
            "rated_before_at": case((new.rated_at.is_(None), meeting.c.rated_before_at), else_=meeting.c.rated_at),
            "rated_at": func.coalesce(new.rated_at, meeting.c.rated_at),
        },
    )
