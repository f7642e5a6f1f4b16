"""Resolve a match: play, rate and store it in one transaction. It happened once, or not at all.

The caller owns the transaction; whatever raises here must roll it back. Nobody is notified before it commits.
`batch.py` does the same for many matches at once, with the same statements; a match that fails there comes here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from fracas.server.arena.archive import store as archive
from fracas.server.arena.chain import next_head
from fracas.server.arena.match_player import MatchPlayer, Rules, match_player
from fracas.server.arena.matches import rows as match_rows
from fracas.server.arena.matches import statements as sql
from fracas.server.arena.matches.rows import Held, Resolved, Setting
from fracas.server.arena.ratings import Rating
from fracas.server.arena.records import MATCHED, Arena, Planned
from fracas.server.arena.seasons import days
from fracas.server.arena.seasons.season import latest_season, rating_row
from fracas.server.arena.secrets import SecretBox, match_seed
from fracas.server.database import streams
from fracas.server.database.tables import rating
from fracas.server.database.upsert import insert_if_absent
from fracas.server.ids import random_id


class Interfered(Exception):
    """Somebody else changed a rating in between, which the locks should have prevented."""


def nothing(step: str) -> None:
    """Do nothing between the steps of a resolution."""


def resolve(
    connection: Connection,
    arena: Arena,
    planned: Planned,
    now: int,
    *,
    player: MatchPlayer | None = None,
    notice: Callable[[str], None] = nothing,
) -> Resolved | None:
    """Play, rate and store a match. None if it is not to be: a ticket is gone, or the day or the season is over.

    `notice` is called with the name of each step before it, so that tests can fail there.

    Raises:
        Interfered: a rating changed in between.
        FaultError: a battle hit a limit of the engine.
    """
    setting = setting_of(connection, arena, planned.league, now)
    if setting is None:
        return None
    notice("lock ratings")
    held = lock_ratings(connection, setting, [planned])
    notice("check tickets")
    tickets = lock_tickets(connection, [planned])
    if not are_matched(planned, tickets):
        return None
    notice("take number")
    taken = take_numbers(connection, setting, 1, arena.box)
    if taken is None:
        return None
    inputs = match_rows.seed_inputs(setting, planned, taken.number)
    seed = match_seed(taken.secret, inputs)
    notice("play")
    rules = Rules(setting.league, setting.league.modifier_at(days.date_of(now)))
    first, second = planned.seats
    player = player or match_player()
    result = player.play(rules, first.combatant, second.combatant, seed)
    changes = match_rows.changes_of(planned, held, result.scores)
    chained = match_rows.chained(setting, planned, inputs, rules.modifier, result, changes)
    head = next_head(taken.format, taken.head, chained)
    resolved = Resolved(random_id(), taken.number, setting.day, result.scores, head, changes)
    notice("insert match")
    sql.INSERT_MATCH.run(connection, match_rows.match_row(setting, resolved, rules.modifier, seed, result))
    sql.INSERT_SIDES.many(connection, match_rows.side_rows(setting, planned, resolved))
    sql.INSERT_LEGS.many(connection, match_rows.leg_rows(resolved.id, result))
    notice("keep pairs")
    kept = player.ready(rules, first.combatant, second.combatant).kept
    archive.keep_pairs(connection, setting.league.file.ruleset, [kept])
    notice("update ratings")
    for change in match_rows.rating_changes(setting, planned, resolved):
        if sql.RATE.run(connection, change) != 1:
            raise Interfered(change["of_account"])
    notice("note meeting")
    for row in match_rows.meeting_rows(setting, planned, resolved):
        sql.note_meetings(connection, [row])
    notice("reveal versions")
    for version in match_rows.revealed_versions(setting, planned):
        sql.REVEAL.run(connection, version)
    notice("settle tickets")
    for spent in match_rows.spent_tickets(planned):
        sql.DELETE_TICKET.run(connection, spent)
    for standing in match_rows.standing_tickets(setting, planned, tickets):
        sql.STAND.run(connection, standing)
    notice("append to streams")
    account_events = {account: [event] for account, event in match_rows.told_of(setting, planned, resolved)}
    streams.append(connection, account_events, now)
    notice("move head")
    move_head(connection, setting, head)
    notice("end")
    return resolved


def setting_of(connection: Connection, arena: Arena, league_id: str, now: int) -> Setting | None:
    """What the matches of a league are resolved under; None if no season of this program's rules runs."""
    league = arena.league(league_id)
    season = latest_season(connection, league_id)
    if season is None or season.ended_at is not None or not season.fits(league):
        return None
    return Setting(league, season, now)


def lock_ratings(connection: Connection, setting: Setting, matches: Iterable[Planned]) -> dict[str, Held]:
    """The ratings of the matches' accounts, locked in the order of the accounts; bots have theirs too."""
    if not setting.league.is_ranked:
        return {}
    league, season = setting.league.id, setting.season.no
    accounts = sorted({seat.account for planned in matches for seat in planned.seats})
    key = {"league": league, "season": season, "accounts": accounts}
    rows = connection.execute(sql.RATINGS, key).all()
    if len(rows) < len(accounts):
        known = {row.account for row in rows}
        for account in accounts:
            if account not in known:
                insert_if_absent(connection, rating, rating_row(league, season, account, Rating()))
        rows = connection.execute(sql.RATINGS, key).all()
    return {row.account: Held.of_row(row) for row in rows}


def lock_tickets(connection: Connection, matches: Iterable[Planned]) -> dict[str, Any]:
    """The rows of the matches' tickets, locked; those that are gone are missing."""
    names = sorted({seat.ticket for planned in matches for seat in planned.seats if seat.ticket is not None})
    return {row.id: row for row in connection.execute(sql.TICKETS, {"tickets": names})} if names else {}


def are_matched(planned: Planned, tickets: dict[str, Any]) -> bool:
    """Whether the tickets of a match are still those that were matched."""
    for seat in planned.seats:
        if seat.ticket is None:
            continue
        row = tickets.get(seat.ticket)
        if row is None or row.state != MATCHED or row.version != seat.version:
            return False
    return True


@dataclass(frozen=True)
class Taken:
    """Numbers of a league-day that a transaction has taken."""

    number: int
    """The first of them."""
    head: bytes
    """Of the chain before it."""
    format: int
    """What the day's chain binds."""
    secret: bytes


def take_numbers(connection: Connection, setting: Setting, count: int, box: SecretBox) -> Taken | None:
    """Take the next numbers of the league-day. None if the day is over, or not yet made."""
    league, day = setting.league.id, setting.day
    row = connection.execute(sql.NUMBERS, {"of_league": league, "of_day": day, "count": count}).first()
    if row is None:
        return None
    secret = box.open(bytes(row.secret_enc), league, day)
    return Taken(row.last_no - count + 1, bytes(row.head), days.format_of(connection, league, day), secret)


def move_head(connection: Connection, setting: Setting, head: bytes) -> None:
    """Store the head of the league-day's chain."""
    connection.execute(sql.HEAD, {"of_league": setting.league.id, "of_day": setting.day, "new_head": head})
