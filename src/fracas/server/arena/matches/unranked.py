"""Matches that nothing is at stake in: practice against bots, and challenges between people.

They are played at once, are never rated, and no chain holds them. Only their players see them. Their battles are
compiled and played between two transactions, the one that plans the match and the one that stores it, because compiling
takes long and other commands would wait.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, insert, select

from fracas.errors import InputError
from fracas.server.arena.day_secrets import hash_fields
from fracas.server.arena.domain import CHALLENGE, PRACTICE, Arena, Seat
from fracas.server.arena.match_player import MatchPlayer, MatchResult, Rules
from fracas.server.arena.matches.matchmaker import seat_of
from fracas.server.arena.matches.rows import leg_rows, match_row, side_row
from fracas.server.arena.ratings import outcome
from fracas.server.arena.refusals import Conflict, Missing
from fracas.server.arena.seasons.season import Season, latest_season
from fracas.server.arena.visibility import is_public, is_revealed
from fracas.server.clock import DAY
from fracas.server.database import documents, streams
from fracas.server.database.tables import account, entry, entry_version, is_newest, leg, match_side
from fracas.server.database.tables import match as match_table
from fracas.server.http.authorisation import Role
from fracas.server.ids import random_bytes, random_id

# Matches of these kinds that an account may start in 24 hours.
MOST_A_DAY = 500


def seat(connection: Connection, entry_id: str) -> tuple[str, Seat]:
    """The league and the seat of the newest version of an entry.

    Raises:
        Missing: there is no such active entry.
    """
    query = (
        select(
            entry.c.id.label("entry"),
            entry.c.account,
            entry.c.league,
            entry.c.code,
            entry.c.state,
            entry.c["class"],
            entry_version.c.no.label("version"),
            account.c.role,
            entry_version.c.document,
            entry_version.c.sealed_digest,
        )
        .join(account, account.c.id == entry.c.account)
        .join(entry_version, is_newest)
        .where(entry.c.id == entry_id)
    )
    row = connection.execute(query).first()
    if row is None or row.state != "active":
        raise Missing("entry")
    return row.league, seat_of(row, documents.get(connection, bytes(row.document)))


def _own_seat(connection: Connection, whom: str, entry_id: str) -> tuple[str, Seat]:
    league, own = seat(connection, entry_id)
    if own.account != whom:
        raise Missing("entry")
    return league, own


@dataclass(frozen=True)
class Unranked:
    """A match for nothing that is to be played."""

    kind: str
    league: str
    season: Season
    own: Seat
    other: Seat


@dataclass(frozen=True)
class Played:
    """A match for nothing that was played and is not stored yet."""

    match: Unranked
    modifier: str
    seed: str
    result: MatchResult


def plan_practice(connection: Connection, arena: Arena, whom: str, entry_id: str, bot: str, now: int) -> Unranked:
    """Plan a match of an own entry against a bot's, given by the bot's handle.

    Raises:
        Missing: the account has no such entry, or the league has no such bot.
        Conflict: too many matches today.
    """
    league, own = _own_seat(connection, whom, entry_id)
    rival = connection.execute(
        select(entry.c.id)
        .join(account, account.c.id == entry.c.account)
        .where(entry.c.league == league, account.c.handle_key == bot, account.c.role == Role.BOT)
    ).first()
    if rival is None:
        raise Missing("bot")
    _, other = seat(connection, rival.id)
    return _planned(connection, arena, PRACTICE, league, own, other, now)


def plan_challenge(connection: Connection, arena: Arena, whom: str, entry_id: str, rival: str, now: int) -> Unranked:
    """Plan a match against a named rival: the own entry against its ranked entry, else its newest one in that league.

    A league that reveals at the season's end hides what an entry is; whoever may challenge it can find out by trying.
    So there an entry can be challenged only once its newest version is revealed, or while its author has opened it.

    Raises:
        Missing: the account has no such entry, or there is no such rival.
        InputError: the rival is the account itself, or a bot.
        Conflict: the entry is of a class, the rival has no entry there that can be challenged, or too many
            matches today.
    """
    league, own = _own_seat(connection, whom, entry_id)
    if connection.execute(select(entry.c["class"]).where(entry.c.id == entry_id)).scalar_one() is not None:
        raise Conflict("an entry of a class fights in its class only")
    found = connection.execute(
        select(account.c.id, account.c.role).where(account.c.handle_key == rival, account.c.state == "active")
    ).first()
    if found is None:
        raise Missing("rival")
    if found.id == whom:
        raise InputError.of("rival", "is you", "practise against a bot, or challenge someone else")
    if found.role == Role.BOT:
        raise InputError.of("rival", "is a bot", "practise against it")
    hides = arena.league(league).hides_entries
    theirs = connection.execute(_challenged(found.id, league, hides=hides)).first()
    if theirs is None and hides:
        raise Conflict(f"this rival has opened no entry to challenges; {league} hides entries until the season ends")
    if theirs is None:
        raise Conflict(f"this rival has no entry in {league}")
    _, other = seat(connection, theirs.id)
    return _planned(connection, arena, CHALLENGE, league, own, other, now)


def _challenged(whom: str, league: str, *, hides: bool) -> Select[Any]:
    """The entry of an account that a challenge meets."""
    query = (
        select(entry.c.id)
        .where(entry.c.account == whom, entry.c.league == league, entry.c.state == "active", entry.c["class"].is_(None))
        .order_by(entry.c.ranked.desc(), entry.c.id.desc())
        .limit(1)
    )
    if not hides:
        return query
    return query.join(entry_version, is_newest).where((entry.c.open_to_challenges == 1) | is_revealed)


def _planned(
    connection: Connection, arena: Arena, kind: str, league: str, own: Seat, other: Seat, now: int
) -> Unranked:
    match = Unranked(kind, league, _running_season(connection, arena, league), own, other)
    _refuse_too_many(connection, own.account, now)
    return match


def _running_season(connection: Connection, arena: Arena, league: str) -> Season:
    season = latest_season(connection, league)
    if season is None or season.ended_at is not None or not season.fits(arena.league(league)):
        raise Conflict(f"{league} has no running season")
    return season


def _refuse_too_many(connection: Connection, account_id: str, now: int) -> None:
    started = (
        select(match_side.c.match)
        .join(match_table, match_table.c.id == match_side.c.match)
        .where(
            match_side.c.account == account_id,
            match_side.c.place == 1,
            ~is_public,
            match_table.c.played_at > now - DAY,
        )
        .limit(MOST_A_DAY)
    )
    if len(connection.execute(started).all()) >= MOST_A_DAY:
        raise Conflict(f"at most {MOST_A_DAY} practice matches and challenges in 24 hours")


def play(arena: Arena, match: Unranked, now: int) -> Played:
    """Play a match. No transaction is needed, and nothing is stored.

    Raises:
        InputError: an entry does not fit the content any more.
        FaultError: a battle hit a limit of the engine.
    """
    league = arena.league(match.league)
    rules = Rules.at(league, now)
    seed = hash_fields("fracas unranked match", random_bytes(32)).hex()
    result = MatchPlayer().play(rules, match.own.combatant, match.other.combatant, seed)
    return Played(match, rules.modifier, seed, result)


def store(connection: Connection, arena: Arena, played: Played, now: int) -> str:
    """Store a match that was played. A challenged rival hears of it in its stream.

    Returns:
        The match's id.

    Raises:
        Missing: an entry was withdrawn since the match was planned, or its account is gone.
        Conflict: the season has ended since then, or too many matches today.
    """
    match, result = played.match, played.result
    own, other, season = match.own, match.other, match.season
    if _running_season(connection, arena, match.league) != season:
        raise Conflict(f"the season of {match.league} has just ended")
    still_there = (
        select(entry.c.id)
        .join(account, account.c.id == entry.c.account)
        .where(entry.c.id.in_((own.entry, other.entry)), entry.c.state == "active", account.c.state == "active")
    )
    if len(connection.execute(still_there).all()) != 2:
        raise Missing("entry")
    _refuse_too_many(connection, own.account, now)
    identifier = random_id()
    row = match_row(identifier, match.kind, season, played.modifier, played.seed, result, now)
    connection.execute(insert(match_table), row)
    sides = [side_row(identifier, number, season, each, None) for number, each in enumerate((own, other), 1)]
    connection.execute(insert(match_side), sides)
    connection.execute(insert(leg), leg_rows(identifier, result))
    if match.kind == CHALLENGE:
        body = _body(identifier, match.league, other, result)
        streams.append(connection, [(other.account, "challenged", body)], now)
    return identifier


def _body(identifier: str, league: str, seat: Seat, result: MatchResult) -> dict[str, object]:
    own, other = result.scores[1], result.scores[0]
    score = [own, other]
    return {"match": identifier, "league": league, "entry": seat.entry, "outcome": outcome(own, other), "score": score}
