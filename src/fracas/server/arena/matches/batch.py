"""Resolve many matches of a league in one transaction, with one statement per table instead of one per match.

What is stored is what `resolution.resolve` stores for one match after the other, in that order. A batch is resolved
whole or not at all: if one of its matches fails, the caller rolls back and resolves them one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from sqlalchemy import Connection

from fracas.server.arena.archive import store as archive
from fracas.server.arena.archive.contents import KeptPair
from fracas.server.arena.chain import next_head
from fracas.server.arena.match_player import MatchPlayer, MatchResult, Rules, match_player
from fracas.server.arena.matches import rows as match_rows
from fracas.server.arena.matches import statements as sql
from fracas.server.arena.matches.resolution import (
    Interfered,
    Taken,
    are_matched,
    lock_ratings,
    lock_tickets,
    move_head,
    nothing,
    setting_of,
    take_numbers,
)
from fracas.server.arena.matches.rows import Held, Resolved, Setting
from fracas.server.arena.records import Arena, Planned
from fracas.server.arena.seasons import days
from fracas.server.arena.secrets import match_seed
from fracas.server.database import streams
from fracas.server.database.prepared import Prepared
from fracas.server.ids import random_id


@dataclass(frozen=True)
class _Played:
    """A match of a batch that was played."""

    planned: Planned
    resolved: Resolved
    seed: str
    result: MatchResult
    kept: KeptPair


def resolve_batch(
    connection: Connection,
    arena: Arena,
    matches: Sequence[Planned],
    now: int,
    *,
    player: MatchPlayer | None = None,
    notice: Callable[[str], None] = nothing,
) -> list[Resolved | None]:
    """Play, rate and store matches of one league, in their order.

    Args:
        connection: the transaction.
        arena: the leagues.
        matches: all of the same league.
        now: milliseconds UTC.
        player: plays the battles; by default that of the running thread.
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
    setting = setting_of(connection, arena, league, now)
    if setting is None:
        return [None] * len(matches)
    notice("lock ratings")
    held = lock_ratings(connection, setting, matches)
    notice("check tickets")
    tickets = lock_tickets(connection, matches)
    ready = _still_matched(matches, tickets)
    if not ready:
        return [None] * len(matches)
    notice("take number")
    taken = take_numbers(connection, setting, len(ready), arena.box)
    if taken is None:
        return [None] * len(matches)
    notice("play")
    played = _play(setting, ready, held, taken, player or match_player())
    _store(connection, setting, list(played.values()), tickets, notice)
    return [played[place].resolved if place in played else None for place in range(len(matches))]


def _still_matched(matches: Sequence[Planned], tickets: dict[str, Any]) -> dict[int, Planned]:
    """The matches whose tickets are still those that were matched, by their place in the batch."""
    ready, used = {}, set[str]()
    for place, planned in enumerate(matches):
        names = {seat.ticket for seat in planned.seats if seat.ticket is not None}
        if are_matched(planned, tickets) and not names & used:
            ready[place] = planned
            used |= names
    return ready


def _play(
    setting: Setting,
    ready: dict[int, Planned],
    held: dict[str, Held],
    taken: Taken,
    player: MatchPlayer,
) -> dict[int, _Played]:
    """Play matches one after the other: each begins with the ratings and the chain's head that the last one left."""
    number, head = taken.number, taken.head
    rules = Rules(setting.league, setting.league.modifier_at(days.date_of(setting.now)))
    found = {}
    for place, planned in ready.items():
        inputs = match_rows.seed_inputs(setting, planned, number)
        seed = match_seed(taken.secret, inputs)
        first, second = planned.seats
        result = player.play(rules, first.combatant, second.combatant, seed)
        changes = match_rows.changes_of(planned, held, result.scores)
        chained = match_rows.chained(setting, planned, inputs, rules.modifier, result, changes)
        head = next_head(taken.format, head, chained)
        resolved = Resolved(random_id(), number, setting.day, result.scores, head, changes)
        if held:
            for seat, change in zip(planned.seats, changes, strict=True):
                held[seat.account] = held[seat.account].after(seat, change)
        kept = player.ready(rules, first.combatant, second.combatant).kept
        found[place] = _Played(planned, resolved, seed, result, kept)
        number += 1
    return found


def _store(
    connection: Connection,
    setting: Setting,
    played: list[_Played],
    tickets: dict[str, Any],
    notice: Callable[[str], None],
) -> None:
    """Write everything about matches that were played."""
    pairs = [(each.planned, each.resolved) for each in played]
    modifier = setting.league.modifier_at(days.date_of(setting.now))
    notice("insert match")
    _many(
        connection,
        sql.INSERT_MATCH,
        (match_rows.match_row(setting, each.resolved, modifier, each.seed, each.result) for each in played),
    )
    _many(connection, sql.INSERT_SIDES, chain.from_iterable(match_rows.side_rows(setting, *each) for each in pairs))
    legs = (match_rows.leg_rows(each.resolved.id, each.result) for each in played)
    _many(connection, sql.INSERT_LEGS, chain.from_iterable(legs))
    notice("keep pairs")
    archive.keep_pairs(connection, setting.league.file.ruleset, (each.kept for each in played))
    notice("update ratings")
    changes = list(chain.from_iterable(match_rows.rating_changes(setting, *each) for each in pairs))
    if sql.RATE.many(connection, changes) != len(changes):
        raise Interfered(setting.league.id)
    notice("note meeting")
    meetings = list(chain.from_iterable(match_rows.meeting_rows(setting, *each) for each in pairs))
    sql.note_meetings(connection, sorted(meetings, key=lambda row: (row["account"], row["opponent"])))
    notice("reveal versions")
    versions = chain.from_iterable(match_rows.revealed_versions(setting, planned) for planned, _ in pairs)
    distinct = {(row["of_entry"], row["of_version"]): row for row in versions}
    _many(connection, sql.REVEAL, (distinct[key] for key in sorted(distinct)))
    notice("settle tickets")
    _many(
        connection,
        sql.DELETE_TICKET,
        chain.from_iterable(match_rows.spent_tickets(planned) for planned, _ in pairs),
    )
    standing = (match_rows.standing_tickets(setting, planned, tickets) for planned, _ in pairs)
    _many(connection, sql.STAND, chain.from_iterable(standing))
    notice("append to streams")
    account_events: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for each in pairs:
        for account, event in match_rows.told_of(setting, *each):
            account_events.setdefault(account, []).append(event)
    streams.append(connection, account_events, setting.now)
    notice("move head")
    move_head(connection, setting, played[-1].resolved.head)
    notice("end")


def _many(connection: Connection, statement: Prepared, rows: Iterable[dict[str, Any]]) -> None:
    """Run a statement for each row of parameters, if there are any."""
    statement.many(connection, list(rows))
