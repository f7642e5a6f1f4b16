"""Guild wars: locked on Sunday 20:00 UTC, started on Monday 00:00, fought all against all, over with the last match.

Each step is one transaction, and what is left to do follows from what is stored: a server may be killed between two.
A war runs by the entries, the rules and the modifier that were locked and taken for it, whatever becomes of its guilds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from fracas.server.arena.day_secrets import hash_fields
from fracas.server.arena.domain import WAR, Arena, Seat
from fracas.server.arena.league import League
from fracas.server.arena.match_player import LEG_POINTS, MatchResult
from fracas.server.arena.matches.rows import leg_rows, match_row, side_row
from fracas.server.arena.ratings import Rating, outcome
from fracas.server.arena.seasons import days
from fracas.server.arena.seasons.season import latest_season, season_by_number
from fracas.server.arena.visibility import REVEAL_EACH
from fracas.server.arena.wars.pairing import Contender, pair
from fracas.server.clock import HOUR, WEEK, date_of, day_of, iso, monday_of
from fracas.server.database import due, streams
from fracas.server.database.tables import (
    account,
    entry,
    entry_version,
    guild,
    guild_member,
    league_day,
    leg,
    match_side,
    rating,
    war,
    war_entry,
    war_match,
)
from fracas.server.database.tables import match as match_table
from fracas.server.http.authorisation import Role
from fracas.server.ids import new_id, random_id

# The kinds of due work.
LOCK, START = "war-lock", "war-start"
# From Sunday 20:00 to Monday 00:00.
LOCKED_FOR = 4 * HOUR
MOST_NAMED = 10
LOCKED, RUNNING, OVER, BYE, ABANDONED = "locked", "running", "over", "bye", "abandoned"


@dataclass(frozen=True)
class Bout:
    """A match of a war that is to be fought."""

    positions: tuple[int, int]
    seats: tuple[Seat, Seat]
    seed: str


@dataclass(frozen=True)
class Fought:
    """A match of a war that was fought and is not stored yet."""

    bout: Bout
    result: MatchResult | None
    """None if it could not be fought, which gives nobody points."""


def plan(connection: Connection, league: League, now: int) -> None:
    """Note when the first wars of a league are locked; each lock notes the next."""
    if not due.is_planned(connection, LOCK, league.id):
        at = monday_of(now) + WEEK - LOCKED_FOR
        due.schedule(connection, LOCK, league.id, at if at > now else at + WEEK)


# --- Locked ---------------------------------------------------------------------------------------------------------


def lock(connection: Connection, league: str, at: int, *, arena: Arena, now: int) -> None:
    """Lock what the guilds of a league have named, and pair them for the week that begins."""
    monday = at + LOCKED_FOR
    due.schedule(connection, LOCK, league, at + WEEK)
    due.schedule(connection, START, league, monday)
    if league not in arena.leagues:
        return
    named = _named(connection, league)
    strengths = {name: sum(float.fromhex(row.mu) for row in rows) / len(rows) for name, rows in named.items()}
    rivals = _rivals(connection, league, day_of(monday - WEEK))
    contenders = [
        Contender(name, strengths[name], rivals.get(name), name in rivals and rivals[name] is None) for name in named
    ]
    pairs, resting = pair(contenders)
    fighting: list[tuple[Contender, Contender | None]] = [*pairs, *((each, None) for each in resting)]
    for one, other in fighting:
        values: dict[str, Any] = {
            "id": new_id(now),
            "week": day_of(monday),
            "league": league,
            "guild_a": one.guild,
            "guild_b": None if other is None else other.guild,
            "state": BYE if other is None else LOCKED,
            "mean_a": one.strength.hex(),
            "mean_b": None if other is None else other.strength.hex(),
            "locked_at": now,
        }
        connection.execute(insert(war).values(**values))
        if other is not None:
            rows = [row for each in (one, other) for row in _entry_rows(values["id"], each.guild, named[each.guild])]
            connection.execute(insert(war_entry), rows)
        _tell(connection, "war.paired", values, lambda _: {"starts_at": iso(monday)}, now)


def _named(connection: Connection, league: str) -> dict[str, list[Any]]:
    """What each guild of a league named and can fight, the strongest first."""
    season = latest_season(connection, league)
    rated = (
        (rating.c.account == account.c.id)
        & (rating.c.league == league)
        & (rating.c.season == (0 if season is None else season.no))
    )
    query = (
        select(
            guild_member.c.guild,
            guild_member.c.account,
            guild_member.c.entry,
            entry.c.last_no.label("version"),
            func.coalesce(rating.c.mu, Rating().mu.hex()).label("mu"),
        )
        .join(guild, guild.c.id == guild_member.c.guild)
        .join(account, account.c.id == guild_member.c.account)
        .join(entry, entry.c.id == guild_member.c.entry)
        .outerjoin(rating, rated)
        .where(guild.c.league == league, entry.c.state == "active", account.c.state == "active")
        .order_by(guild_member.c.guild)
        # Whoever leaves or withdraws at this moment waits, and finds the entry locked for the war.
        .with_for_update(of=(guild_member, entry))
    )
    found: dict[str, list[Any]] = {}
    for row in connection.execute(query):
        found.setdefault(row.guild, []).append(row)
    return {
        name: sorted(rows, key=lambda row: (-float.fromhex(row.mu), row.account))[:MOST_NAMED]
        for name, rows in found.items()
    }


def _rivals(connection: Connection, league: str, week: str) -> dict[str, str | None]:
    """Whom each guild of a league fought in a week; None if it had a bye."""
    found: dict[str, str | None] = {}
    for row in connection.execute(select(war).where(war.c.league == league, war.c.week == week)):
        found[row.guild_a] = row.guild_b
        if row.guild_b is not None:
            found[row.guild_b] = row.guild_a
    return found


def _entry_rows(war_id: str, of_guild: str, named: Iterable[Any]) -> list[dict[str, Any]]:
    return [
        {
            "war": war_id,
            "guild": of_guild,
            "pos": position,
            "account": row.account,
            "entry": row.entry,
            "version": row.version,
        }
        for position, row in enumerate(named, 1)
    ]


# --- Started --------------------------------------------------------------------------------------------------------


def start(connection: Connection, league: str, at: int, *, arena: Arena, now: int) -> None:
    """Start the wars of a league's week. Rules, content, modifier and seed are taken once, here."""
    locked = (war.c.league == league) & (war.c.week == day_of(at)) & (war.c.state == LOCKED)
    known, season = arena.leagues.get(league), latest_season(connection, league)
    if known is None or season is None or season.ended_at is not None or not season.fits(known):
        abandon(connection, locked, f"{league} has no running season", now)
        return
    day = _day_of_seed(connection, arena, league, at, now)
    secret = days.secret_of(connection, arena, league, day)
    for row in connection.execute(select(war).where(locked).order_by(war.c.id)).all():
        values = {
            "state": RUNNING,
            "started_at": now,
            "season": season.no,
            "rules_version": season.rules_version,
            "fingerprint": season.fingerprint,
            "revision": season.revision,
            "modifier": known.modifier_at(date_of(at)),
            "day": day,
            "seed": war_seed(connection, row, secret, day),
        }
        connection.execute(update(war).where(war.c.id == row.id).values(**values))


def _day_of_seed(connection: Connection, arena: Arena, league: str, at: int, now: int) -> str:
    """The league-day whose secret the seeds are made of: the Monday's, or today's if the server was away all Sunday."""
    monday = day_of(at)
    if connection.execute(select(league_day.c.day).where(days.is_day(league, monday))).first() is not None:
        return monday
    days.open_days(connection, arena, league, now)
    return day_of(now)


def war_seed(connection: Connection, row: Any, secret: bytes, day: str) -> str:
    """The seed text of a war: a hash of the day's secret, the week, both guilds and what they had locked before.

    The day's commitment was published before the entries were locked, so nobody can choose the seed.
    """
    is_of_war = (entry_version.c.entry == war_entry.c.entry) & (entry_version.c.no == war_entry.c.version)
    query = (
        select(war_entry.c.guild, entry_version.c.sealed_digest)
        .join(entry_version, is_of_war)
        .where(war_entry.c.war == row.id)
        .order_by(war_entry.c.pos)
    )
    rows = connection.execute(query).all()
    digests = [bytes(each.sealed_digest) for own in (row.guild_a, row.guild_b) for each in rows if each.guild == own]
    return hash_fields("fracas war seed", secret, row.league, day, row.week, row.guild_a, row.guild_b, *digests).hex()


def bout_seed(seed: str, positions: tuple[int, int]) -> str:
    """The seed text of a match of a war."""
    return hash_fields("fracas war match seed", seed, *positions).hex()


# --- Fought ---------------------------------------------------------------------------------------------------------


def store(connection: Connection, war_id: str, fought: Sequence[Fought], *, reveals: bool, now: int) -> int:
    """Store matches of a war, unless another process has; the last ones end it.

    Args:
        connection: the transaction.
        war_id: the war.
        fought: its matches.
        reveals: whether a match reveals both versions, as the league says.
        now: milliseconds UTC.

    Returns:
        How many it stored.
    """
    row = connection.execute(select(war).where(war.c.id == war_id).with_for_update()).one()
    if row.state != RUNNING:
        return 0
    known = select(war_match.c.a_pos, war_match.c.b_pos).where(war_match.c.war == war_id)
    there = {(each.a_pos, each.b_pos) for each in connection.execute(known)}
    left = [each for each in fought if each.bout.positions not in there]
    for each in left:
        identifier = None if each.result is None else _store_match(connection, row, each.bout, each.result, now)
        a_pos, b_pos = each.bout.positions
        values = {"war": war_id, "a_pos": a_pos, "b_pos": b_pos, "match": identifier}
        connection.execute(insert(war_match).values(**values))
    if reveals and left:
        connection.execute(REVEAL_EACH, [each for match in left for each in _revealed(match.bout, now)])
    if len(there) + len(left) == _count(connection, row):
        _end(connection, row, now)
    return len(left)


def _store_match(connection: Connection, row: Any, bout: Bout, result: MatchResult, now: int) -> str:
    season, identifier = season_by_number(connection, row.league, row.season), random_id()
    connection.execute(insert(match_table), match_row(identifier, WAR, season, row.modifier, bout.seed, result, now))
    sides = [side_row(identifier, place, season, seat, None) for place, seat in enumerate(bout.seats, 1)]
    connection.execute(insert(match_side), sides)
    connection.execute(insert(leg), leg_rows(identifier, result))
    return identifier


def _revealed(bout: Bout, now: int) -> list[dict[str, Any]]:
    return [{"of_entry": seat.entry, "of_version": seat.version, "revealed_at": now} for seat in bout.seats]


def _count(connection: Connection, row: Any) -> int:
    """How many matches a war has."""
    query = select(func.count()).where(war_entry.c.war == row.id).group_by(war_entry.c.guild)
    first, second = connection.execute(query).scalars()
    return int(first) * int(second)


def points_of(connection: Connection, war_id: str) -> tuple[int, int]:
    """The points of both guilds by the matches that are stored, in half points."""
    scores = select(match_table.c.score_a, match_table.c.score_b).join(war_match, war_match.c.match == match_table.c.id)
    first = second = 0
    for one, other in connection.execute(scores.where(war_match.c.war == war_id)):
        won = match_points(one, other)
        first, second = first + won, second + LEG_POINTS - won
    return first, second


def match_points(one: int, other: int) -> int:
    """The half points that a match is worth to the guild of its place 1: 2 won, 1 drawn, 0 lost."""
    return LEG_POINTS if one > other else LEG_POINTS // 2 if one == other else 0


def _end(connection: Connection, row: Any, now: int) -> None:
    first, second = points_of(connection, row.id)
    values = {"state": OVER, "points_a": first, "points_b": second, "over_at": now}
    connection.execute(update(war).where(war.c.id == row.id).values(**values))

    def result(of_guild: str) -> dict[str, Any]:
        own, other = (first, second) if of_guild == row.guild_a else (second, first)
        return {"outcome": outcome(own, other), "points": [own, other]}

    _tell(connection, "war.over", row._mapping, result, now)


def running_in(connection: Connection, league: str) -> int:
    """How many wars run in a league."""
    return int(connection.execute(select(func.count()).select_from(war).where(_run_in(league))).scalar_one())


def abandon_running(connection: Connection, league: str, now: int) -> None:
    """End the wars of a league that run, because this program cannot fight them on."""
    abandon(connection, _run_in(league), "the rules changed", now)


def _run_in(league: str) -> ColumnElement[bool]:
    return (war.c.league == league) & (war.c.state == RUNNING)


def abandon(connection: Connection, which: ColumnElement[bool], reason: str, now: int) -> None:
    """End wars without a result, and tell their guilds why. Matches that were fought stay."""
    for row in connection.execute(select(war).where(which).order_by(war.c.id).with_for_update()).all():
        connection.execute(update(war).where(war.c.id == row.id).values(state=ABANDONED, over_at=now))
        _tell(connection, "war.abandoned", row._mapping, lambda _: {"reason": reason}, now)


def _tell(
    connection: Connection, kind: str, row: Mapping[Any, Any], more: Callable[[str], Mapping[str, Any]], now: int
) -> None:
    """Tell the members of a war's guilds, and those whose entries fight though they left."""
    guilds = [each for each in (row["guild_a"], row["guild_b"]) if each is not None]
    names = {each.id: each.name for each in connection.execute(select(guild).where(guild.c.id.in_(guilds)))}
    member = select(guild_member.c.guild, guild_member.c.account).where(guild_member.c.guild.in_(guilds))
    fighter = select(war_entry.c.guild, war_entry.c.account).where(war_entry.c.war == row["id"])
    people = member.union(fighter).subquery()
    query = (
        select(people)
        .join(account, account.c.id == people.c.account)
        .where(account.c.state != "deleted", account.c.role != Role.BOT)
        .order_by(people.c.account, people.c.guild)
    )
    told = []
    for each in connection.execute(query).all():
        rival = next((name for name in guilds if name != each.guild), None)
        body = {
            "war": row["id"],
            "league": row["league"],
            "week": row["week"],
            "guild": each.guild,
            "rival": None if rival is None else {"id": rival, "name": names[rival]},
        }
        told.append((each.account, kind, {**body, **more(each.guild)}))
    streams.append(connection, told, now)
