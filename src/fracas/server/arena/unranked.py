"""Matches that nothing is at stake in: practice against bots, and challenges between people.

They are played at once, are never rated, and no chain holds them. Only their players see them.
"""

from __future__ import annotations

from sqlalchemy import Connection, insert, select

from fracas.errors import InputError
from fracas.server.arena.battle import MatchPlayer, MatchResult, Rules, match_player
from fracas.server.arena.days import date_of
from fracas.server.arena.match_rows import leg_rows, side_row
from fracas.server.arena.matchmaker import seat_of
from fracas.server.arena.ratings import outcome
from fracas.server.arena.records import CHALLENGE, PRACTICE, Arena, Conflict, Missing, Seat
from fracas.server.arena.seasons import latest_season
from fracas.server.arena.secrets import hash_fields
from fracas.server.clock import DAY, day_of
from fracas.server.database import documents, streams
from fracas.server.database.tables import account, entry, entry_version, leg, match_side
from fracas.server.database.tables import match as match_table
from fracas.server.ids import random_bytes, random_id

# Matches of these kinds that an account may start in 24 hours.
MOST_A_DAY = 500


def seat(connection: Connection, entry_id: str, version: int | None = None) -> tuple[str, Seat]:
    """The league and the seat of a version of an entry; without a number, of the newest.

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
        .join(entry_version, entry_version.c.entry == entry.c.id)
        .where(entry.c.id == entry_id, entry_version.c.no == (entry.c.last_no if version is None else version))
    )
    row = connection.execute(query).first()
    if row is None or row.state != "active":
        raise Missing("entry")
    return row.league, seat_of(row, documents.get(connection, bytes(row.document)))


def practise(
    connection: Connection,
    arena: Arena,
    whom: str,
    entry_id: str,
    bot: str,
    now: int,
    *,
    player: MatchPlayer | None = None,
) -> str:
    """Play a match of an own entry against a bot's, given by the bot's handle; returns the match's id.

    Raises:
        Missing: the account has no such entry, or the league has no such bot.
        Conflict: too many matches today.
    """
    league, own = seat(connection, entry_id)
    if own.account != whom:
        raise Missing("entry")
    rival = connection.execute(
        select(entry.c.id)
        .join(account, account.c.id == entry.c.account)
        .where(entry.c.league == league, account.c.handle_key == bot, account.c.role == "bot")
    ).first()
    if rival is None:
        raise Missing("bot")
    _, other = seat(connection, rival.id)
    return _play(connection, arena, PRACTICE, league, own, other, now, player)


def challenge(
    connection: Connection,
    arena: Arena,
    whom: str,
    entry_id: str,
    rival: str,
    now: int,
    *,
    player: MatchPlayer | None = None,
) -> str:
    """Challenge a named rival: the own entry against the rival's ranked entry, else its newest one in that league.

    Returns:
        The match's id. The rival hears of it in its stream.

    Raises:
        Missing: the account has no such entry, or there is no such rival.
        InputError: the rival is the account itself, or a bot.
        Conflict: the rival has no entry there, or too many matches today.
    """
    league, own = seat(connection, entry_id)
    if own.account != whom:
        raise Missing("entry")
    found = connection.execute(
        select(account.c.id, account.c.role).where(account.c.handle_key == rival, account.c.state == "active")
    ).first()
    if found is None:
        raise Missing("rival")
    if found.id == whom:
        raise InputError.of("rival", "is you", "practise against a bot, or challenge someone else")
    if found.role == "bot":
        raise InputError.of("rival", "is a bot", "practise against it")
    theirs = connection.execute(
        select(entry.c.id)
        .where(
            entry.c.account == found.id, entry.c.league == league, entry.c.state == "active", entry.c["class"].is_(None)
        )
        .order_by(entry.c.ranked.desc(), entry.c.id.desc())
        .limit(1)
    ).first()
    if theirs is None:
        raise Conflict(f"this rival has no entry in {league}")
    _, other = seat(connection, theirs.id)
    return _play(connection, arena, CHALLENGE, league, own, other, now, player)


def _play(
    connection: Connection,
    arena: Arena,
    kind: str,
    league_id: str,
    own: Seat,
    other: Seat,
    now: int,
    player: MatchPlayer | None,
) -> str:
    league = arena.league(league_id)
    season = latest_season(connection, league_id)
    if season is None or season.ended_at is not None or not season.fits(league):
        raise Conflict(f"{league_id} has no running season")
    started = (
        select(match_side.c.match)
        .join(match_table, match_table.c.id == match_side.c.match)
        .where(
            match_side.c.account == own.account,
            match_side.c.place == 1,
            match_table.c.no.is_(None),
            match_table.c.played_at > now - DAY,
        )
        .limit(MOST_A_DAY)
    )
    if len(connection.execute(started).all()) >= MOST_A_DAY:
        raise Conflict(f"at most {MOST_A_DAY} practice matches and challenges in 24 hours")
    rules = Rules(league, league.modifier_at(date_of(now)))
    seed = hash_fields("fracas unranked match", random_bytes(32)).hex()
    result = (player or match_player()).play(rules, own.combatant, other.combatant, seed)
    identifier = random_id()
    connection.execute(
        insert(match_table).values(
            id=identifier,
            league=league_id,
            season=season.no,
            day=day_of(now),
            kind=kind,
            seed=seed,
            rules_version=season.rules_version,
            fingerprint=season.fingerprint,
            modifier=rules.modifier,
            revision=season.revision,
            legs=len(result.legs),
            score_a=result.scores[0],
            score_b=result.scores[1],
            result_digest=result.digest,
            played_at=now,
        )
    )
    sides = [
        side_row(identifier, place, league_id, season.no, each, None) for place, each in enumerate((own, other), 1)
    ]
    connection.execute(insert(match_side), sides)

    connection.execute(insert(leg), leg_rows(identifier, result))
    if kind == CHALLENGE:
        streams.append(connection, {other.account: [("challenged", _body(identifier, league_id, other, result))]}, now)
    return identifier


def _body(identifier: str, league: str, seat: Seat, result: MatchResult) -> dict[str, object]:
    own, other = result.scores[1], result.scores[0]
    score = [own, other]
    return {"match": identifier, "league": league, "entry": seat.entry, "outcome": outcome(own, other), "score": score}
