"""What people do with tournaments: make one, enter and leave it, start and cancel it.

Each function is a command: it takes the connection of a transaction, and raises to undo it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from fracas.errors import InputError, Problem
from fracas.server.arena import service as entries
from fracas.server.arena.day_secrets import LONGEST_SALT, new_salt
from fracas.server.arena.domain import Arena
from fracas.server.arena.league import League
from fracas.server.arena.refusals import Conflict, Missing
from fracas.server.arena.seasons.season import Season, latest_season
from fracas.server.arena.tournaments import pairing, rounds
from fracas.server.arena.tournaments.pairing import Format
from fracas.server.arena.tournaments.store import ABANDONED, CANCELLED, ENTERING, RUNNING, entrant_rows, row_of
from fracas.server.clock import DAY, MINUTE, date_of
from fracas.server.database import due, streams
from fracas.server.database.tables import account, entry, rating, tournament, tournament_entrant
from fracas.server.database.upsert import insert_if_absent
from fracas.server.http.authorisation import Role
from fracas.server.ids import new_id

# The kind of due work: a tournament's start by the clock.
START = "tournament-start"
# Tournaments of one organiser that are not over.
MOST_OPEN = 10
LATEST_START = 90 * DAY
MOST_BEST_OF = 9
MOST_ROUNDS = 20
LONGEST_PAUSE_MINUTES = 1440
# When a start is tried again while the league is closed.
AGAIN = MINUTE


@dataclass(frozen=True)
class Plan:
    """A tournament that somebody wants to make."""

    title: str
    league: str
    format: Format
    best_of: int = 1
    rounds: int | None = None
    rated: bool = False
    most: int | None = None
    starts_at: int | None = None
    """Milliseconds UTC; None if the organiser starts it."""
    pause_minutes: int = 0


def make(connection: Connection, arena: Arena, organiser: str, role: str, plan: Plan, now: int) -> str:
    """Make a tournament that people can enter; return its id.

    Raises:
        InputError: everything that is wrong with the plan.
        Conflict: the organiser has too many tournaments that are not over.
    """
    league = arena.league(plan.league)
    problems = [*entries.title_problems(plan.title), *_problems(league, role, plan, now)]
    if problems:
        raise InputError(problems)
    is_open = tournament.c.state.in_((ENTERING, RUNNING))
    own = select(func.count()).select_from(tournament).where(tournament.c.organiser == organiser, is_open)
    if connection.execute(own).scalar_one() >= MOST_OPEN:
        raise Conflict(f"you have {MOST_OPEN} tournaments that are not over; cancel one first")
    identifier = new_id(now)
    values = {
        "id": identifier,
        "organiser": organiser,
        "league": league.id,
        "title": entries.clean_title(plan.title),
        "format": plan.format,
        "best_of": plan.best_of,
        "rounds": plan.rounds,
        "rated": int(plan.rated),
        "most": plan.most or pairing.most_entrants(plan.format),
        "starts_at": plan.starts_at,
        "pause_ms": plan.pause_minutes * MINUTE,
        "state": ENTERING,
        "created_at": now,
    }
    connection.execute(insert(tournament).values(values))
    if plan.starts_at is not None:
        due.schedule(connection, START, identifier, plan.starts_at)
    return identifier


def _problems(league: League, role: str, plan: Plan, now: int) -> Iterable[Problem]:
    limit = pairing.most_entrants(plan.format)
    if plan.best_of % 2 == 0 or not 1 <= plan.best_of <= MOST_BEST_OF:
        yield Problem("best_of", f"must be an odd number from 1 to {MOST_BEST_OF}")
    if plan.rounds is not None and plan.format != pairing.SWISS:
        yield Problem("rounds", "is for a Swiss only; the number of entrants gives the others'", "leave it out")
    elif plan.rounds is not None and not 1 <= plan.rounds <= MOST_ROUNDS:
        yield Problem("rounds", f"must be 1 to {MOST_ROUNDS}")
    if plan.most is not None and not pairing.FEWEST <= plan.most <= limit:
        yield Problem("most", f"must be {pairing.FEWEST} to {limit}")
    if not 0 <= plan.pause_minutes <= LONGEST_PAUSE_MINUTES:
        yield Problem("pause_minutes", f"must be 0 to {LONGEST_PAUSE_MINUTES:,}")
    if plan.starts_at is not None and not now < plan.starts_at <= now + LATEST_START:
        yield Problem("starts_at", f"must be a time within the next {LATEST_START // DAY} days")
    if plan.rated and role != Role.OPERATOR:
        # Whoever makes a tournament chooses who meets; nobody may choose rated opponents.
        yield Problem("rated", "only operators make rated tournaments", "leave it out")
    if plan.rated and not league.is_ranked:
        yield Problem("rated", f"{league.id} is not a ranked league", "leave it out")


def enter(
    connection: Connection, arena: Arena, whom: str, identifier: str, entry_id: str, now: int, salt: str | None = None
) -> None:
    """Enter a tournament with an entry, whose newest version is locked when the tournament starts.

    Whoever has entered already enters again with another entry.

    Raises:
        InputError: the salt is not valid.
        Missing: there is no such tournament, or the account has no such entry.
        Conflict: it does not take entries any more, it is full, or this entry cannot fight in it.
    """
    row = row_of(connection, identifier, lock=True)
    found = entries.own_entry(connection, whom, entry_id)
    arena.league(row.league)
    if salt is not None and not 1 <= len(salt.encode(errors="surrogatepass")) <= LONGEST_SALT:
        raise InputError.of("salt", f"must have 1 to {LONGEST_SALT} bytes")
    if row.state != ENTERING or (row.starts_at is not None and row.starts_at <= now):
        raise Conflict("this tournament takes no more entries")
    if found.league != row.league:
        raise Conflict(f"this tournament is of {row.league}, and this entry of {found.league}")
    if found.state != "active":
        raise Conflict("this entry is withdrawn")
    if found._mapping["class"] is not None:
        raise Conflict("an entry of a class fights in its class only")
    if row.rated and not found.ranked:
        raise Conflict("this tournament is rated: enter it with your ranked entry")
    mine = (tournament_entrant.c.tournament == identifier) & (tournament_entrant.c.account == whom)
    data = salt.encode(errors="replace") if salt is not None else new_salt().hex().encode()
    if connection.execute(select(tournament_entrant.c.account).where(mine)).first() is not None:
        connection.execute(update(tournament_entrant).where(mine).values(entry=entry_id, salt=data))
        return
    count = select(func.count()).where(tournament_entrant.c.tournament == identifier)
    if connection.execute(count).scalar_one() >= row.most:
        raise Conflict(f"this tournament is full: {row.most} have entered")
    values = {"tournament": identifier, "account": whom, "entry": entry_id, "salt": data, "entered_at": now}
    insert_if_absent(connection, tournament_entrant, values)


def leave(connection: Connection, whom: str, identifier: str) -> None:
    """Leave a tournament. Once it has started, whoever leaves loses all pairings that are not decided.

    Raises:
        Missing: there is no such tournament, or the account is not in it.
        Conflict: it is over.
    """
    row = row_of(connection, identifier, lock=True)
    mine = (tournament_entrant.c.tournament == identifier) & (tournament_entrant.c.account == whom)
    if connection.execute(select(tournament_entrant.c.account).where(mine)).first() is None:
        raise Missing("entry of yours")
    if row.state == ENTERING:
        connection.execute(delete(tournament_entrant).where(mine))
    elif row.state == RUNNING:
        there = mine & tournament_entrant.c.left_in.is_(None)
        connection.execute(update(tournament_entrant).where(there).values(left_in=row.round))
    else:
        raise Conflict("this tournament is over")


def start_now(connection: Connection, arena: Arena, whom: str, identifier: str, now: int) -> None:
    """Start a tournament, as its organiser.

    Raises:
        Missing: the account organises no such tournament.
        Conflict: it has started already, too few have entered, or its league is closed.
    """
    row = _own(connection, whom, identifier)
    if row.state != ENTERING:
        raise Conflict(f"this tournament is {row.state}")
    season = open_season(connection, arena, row.league)
    if season is None:
        raise Conflict(f"{row.league} has no running season")
    if not _started(connection, arena, row, season, now):
        raise Conflict(f"a tournament needs {pairing.FEWEST} entrants whose entries can fight")


def start_due(connection: Connection, subject: str, at: int, *, arena: Arena, now: int) -> None:
    """Start a tournament by the clock; cancel it if too few have entered, and wait while its league is closed."""
    row = connection.execute(select(tournament).where(tournament.c.id == subject).with_for_update()).first()
    if row is None or row.state != ENTERING:
        return
    season = open_season(connection, arena, row.league)
    if season is None:
        due.schedule(connection, START, subject, now + AGAIN)
    elif not _started(connection, arena, row, season, now):
        _end(connection, row, CANCELLED, "too few had entered", now)


def cancel(connection: Connection, whom: str, identifier: str, now: int) -> None:
    """Cancel a tournament, as its organiser; what it has played stays.

    Raises:
        Missing: the account organises no such tournament.
        Conflict: it is over.
    """
    row = _own(connection, whom, identifier)
    if row.state not in (ENTERING, RUNNING):
        raise Conflict(f"this tournament is {row.state}")
    state = CANCELLED if row.state == ENTERING else ABANDONED
    _end(connection, row, state, "its organiser called it off", now)


def running_in(connection: Connection, league: str) -> list[str]:
    """The tournaments of a league that run."""
    query = select(tournament.c.id).where(tournament.c.league == league, tournament.c.state == RUNNING)
    return list(connection.execute(query.order_by(tournament.c.id)).scalars())


def abandon_all(connection: Connection, league: str, now: int) -> int:
    """Abandon the tournaments of a league that run, because its rules change; return how many."""
    found = running_in(connection, league)
    for identifier in found:
        _end(connection, row_of(connection, identifier, lock=True), ABANDONED, "the rules of its league changed", now)
    return len(found)


def open_season(connection: Connection, arena: Arena, league: str) -> Season | None:
    """The running season of a league, if this program plays by what it pins."""
    season = latest_season(connection, league)
    if season is None or season.ended_at is not None or league not in arena.leagues:
        return None
    return season if season.fits(arena.leagues[league]) else None


def _own(connection: Connection, whom: str, identifier: str) -> Any:
    row = row_of(connection, identifier, lock=True)
    if row.organiser != whom:
        raise Missing("tournament of yours")
    return row


def _end(connection: Connection, row: Any, state: str, reason: str, now: int) -> None:
    values = {"state": state, "reason": reason, "playing": 0, "ended_at": now}
    connection.execute(update(tournament).where(tournament.c.id == row.id).values(values))
    accounts = {row.organiser, *(each.account for each in entrant_rows(connection, row.id))}
    body = {"tournament": row.id, "title": row.title, "reason": reason}
    streams.append(connection, ((each, f"tournament.{state}", body) for each in sorted(accounts)), now)


def _started(connection: Connection, arena: Arena, row: Any, season: Season, now: int) -> bool:
    """Take everything that a tournament takes once, and make its first round; False if too few can fight."""
    league = arena.league(row.league)
    seeded = _seeded(connection, row, season)
    if len(seeded) < pairing.FEWEST:
        return False
    mine = tournament_entrant.c.tournament == row.id
    unfit = mine & tournament_entrant.c.account.not_in([each.account for each in seeded])
    dropped = connection.execute(delete(tournament_entrant).where(unfit).returning(tournament_entrant.c.account))
    body = {"tournament": row.id, "title": row.title, "reason": "your entry cannot fight in it any more"}
    streams.append(connection, [(each, "tournament.dropped", body) for each in dropped.scalars()], now)
    connection.execute(
        update(tournament_entrant).where(mine, tournament_entrant.c.account == bindparam("of_account")),
        [{"of_account": each.account, "seed": seed, "version": each.last_no} for seed, each in enumerate(seeded, 1)],
    )
    values = {
        "state": RUNNING,
        "started_at": now,
        "modifier": league.modifier_at(date_of(now)),
        "rules_version": season.rules_version,
        "fingerprint": season.fingerprint,
        "revision": season.revision,
        "rounds": pairing.round_count(row.format, len(seeded), row.rounds),
    }
    connection.execute(update(tournament).where(tournament.c.id == row.id).values(values))
    rounds.make_round(connection, row_of(connection, row.id), now, now)
    return True


def _seeded(connection: Connection, row: Any, season: Season) -> list[Any]:
    """Those who can fight, the best first: by their ratings, then by when they entered."""
    is_rating = (
        (rating.c.league == season.league)
        & (rating.c.season == season.no)
        & (rating.c.account == tournament_entrant.c.account)
        & (rating.c.n > 0)
    )
    query = (
        select(tournament_entrant.c.account, tournament_entrant.c.entered_at, entry.c.last_no, rating.c.score)
        .join(entry, entry.c.id == tournament_entrant.c.entry)
        .join(account, account.c.id == tournament_entrant.c.account)
        .join(rating, is_rating, isouter=True)
        .where(
            tournament_entrant.c.tournament == row.id,
            account.c.state == "active",
            entry.c.state == "active",
            entry.c.ranked >= row.rated,
        )
    )
    found = connection.execute(query).all()
    return sorted(found, key=lambda each: (each.score is None, -(each.score or 0), each.entered_at, each.account))
