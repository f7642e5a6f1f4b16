"""Make matches: take waiting tickets, pair them, and have each pair resolved.

Each league has one matchmaker at a time: on SQLite the only writer, on PostgreSQL whoever holds the league's advisory
lock. A pair is claimed in one transaction and resolved in another, so that compiling its battles blocks nobody; if the
process dies in between, the lease of the claim ends and the tickets wait again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from blake3 import blake3
from sqlalchemy import Connection, bindparam, case, func, literal, null, select, update

from fracas.server.arena.domain import MATCHED, ONCE, PARKED, STANDING, WAITING, Arena, Planned, Seat
from fracas.server.arena.league import League
from fracas.server.arena.match_player import Combatant
from fracas.server.arena.matches import pairing
from fracas.server.arena.matches.pairing import Bot, Meetings, Terms, Waiting, pair_of
from fracas.server.arena.ratings import Rating
from fracas.server.arena.seasons.season import Season, latest_season
from fracas.server.clock import DAY, SECOND
from fracas.server.database import documents, streams
from fracas.server.database.tables import (
    account,
    entry,
    entry_version,
    is_newest,
    is_of_ticket,
    meeting,
    rating,
    ticket,
)
from fracas.server.http.authorisation import Role

MOST_TICKETS = 512
# How long a claimed pair may take to be resolved; compiling it takes the longest.
LEASE = 20 * SECOND
MOST_FAILURES = 3
# Milliseconds after which nobody waits any more.
NEVER = 1 << 62


def claim(
    connection: Connection, arena: Arena, league: League, now: int, most: int = 64, *, fresh_only: bool = False
) -> list[Planned]:
    """Pair the tickets of a league and claim at most `most` pairs, whose tickets nobody else can take then.

    With `fresh_only` no bot steps in and nobody meets the last opponent again, however long somebody waits.
    """
    if not _is_ours(connection, league.id):
        return []
    season = latest_season(connection, league.id)
    if season is None or season.ended_at is not None or not season.fits(league):
        return []
    _release_expired(connection, league.id, now)
    rows = _tickets(connection, league, now)
    if not rows:
        return []
    bots = {} if fresh_only else _bots(connection, league)
    ratings = _ratings(connection, league, season, [*(row.account for row in rows), *bots])
    waiting = [_waiting(row, ratings, now) for row in rows]
    meetings = _meetings(connection, league, [row.account for row in rows], bots, now)
    patience = NEVER if fresh_only else league.file.bot_after * SECOND
    terms = Terms(league.file.window, league.file.widening, patience, league.is_ranked)
    stand_ins = [Bot(name, ratings.get(name, Rating())) for name in bots]
    pairs = pairing.pair(waiting, stand_ins, meetings, terms, now, most)
    by_ticket = {row.id: row for row in rows}
    fighting = [
        by_ticket[each.ticket] if isinstance(each, Waiting) else bots[each.account]
        for pair in pairs
        for each in (pair.first, pair.second)
    ]
    known = documents.get_many(connection, (bytes(row.document) for row in fighting))
    seats = [_seat(row, known[bytes(row.document)]) for row in fighting]
    planned = [
        Planned(league.id, first, second, found.is_rated)
        for found, first, second in zip(pairs, seats[::2], seats[1::2], strict=True)
    ]
    claimed = [seat.ticket for each in planned for seat in each.seats if seat.ticket is not None]
    if claimed:
        connection.execute(_CLAIM, {"claimed": claimed, "until": now + LEASE})
        streams.append(connection, _matched_notices(planned), now)
    return planned


def _matched_notices(matches: Iterable[Planned]) -> Iterator[streams.Notice]:
    """What the players of claimed pairs hear: that they were paired, and nothing about whom with."""
    for planned in matches:
        for seat in planned.seats:
            if seat.ticket is not None:
                body = {"ticket": seat.ticket, "league": planned.league, "entry": seat.entry, "version": seat.version}
                yield seat.account, "ticket.matched", body


def _is_ours(connection: Connection, league: str) -> bool:
    """Whether this transaction is the league's matchmaker."""
    if connection.dialect.name != "postgresql":
        return True
    number = int.from_bytes(blake3(f"fracas matchmaker {league}".encode()).digest()[:4], "little", signed=True)
    # Locks belong to the whole database, where another schema may have a league of this name.
    own = func.hashtext(func.current_schema())
    return bool(connection.execute(select(func.pg_try_advisory_xact_lock(own, number))).scalar_one())


def _waiting_again() -> dict[str, Any]:
    return {"state": case((ticket.c.kind == STANDING, STANDING), else_=WAITING), "lease_until": None}


# Built once: building a statement takes longer than running it.
_CLAIM = (
    update(ticket)
    .where(ticket.c.id.in_(bindparam("claimed", expanding=True)))
    .values(state=MATCHED, lease_until=bindparam("until"))
)
_RELEASE_EXPIRED = (
    update(ticket)
    .where(
        ticket.c.league == bindparam("of_league"),
        ticket.c.state == MATCHED,
        ticket.c.lease_until < bindparam("now"),
    )
    .values(**_waiting_again())
)
_TICKETS = (
    select(ticket, account.c.role, entry.c.code, entry_version.c.document, entry_version.c.sealed_digest)
    .join(account, account.c.id == ticket.c.account)
    .join(entry, entry.c.id == ticket.c.entry)
    .join(entry_version, is_of_ticket)
    .where(
        ticket.c.league == bindparam("of_league"),
        ticket.c.mode == bindparam("of_mode"),
        ticket.c.state.in_((WAITING, STANDING)),
        account.c.state == "active",
        # A standing ticket that has had its matches of the day rests until the next.
        (ticket.c.kind == ONCE) | (ticket.c.due_at <= bindparam("now")) | (ticket.c.day_matches < bindparam("per_day")),
    )
    # Those at rest come last, because they are due in the future: there may be more of them than are taken.
    .order_by(case((ticket.c.kind == ONCE, ticket.c.since), else_=ticket.c.due_at), ticket.c.id)
    .limit(MOST_TICKETS)
    .with_for_update(skip_locked=True, of=ticket)
)
_RATINGS = select(rating.c.account, rating.c.mu, rating.c.sigma).where(
    rating.c.league == bindparam("of_league"),
    rating.c.season == bindparam("of_season"),
    rating.c.account.in_(bindparam("accounts", expanding=True)),
)
_MET = (
    (meeting.c.league == bindparam("of_league"))
    & (meeting.c.account.in_(bindparam("accounts", expanding=True)))
    & (meeting.c.at > bindparam("since"))
)
_LATEST = (
    select(meeting.c.account, func.max(meeting.c.at).label("at")).where(_MET).group_by(meeting.c.account).subquery()
)
_LAST = (
    select(meeting.c.account, meeting.c.opponent)
    .join(_LATEST, (meeting.c.account == _LATEST.c.account) & (meeting.c.at == _LATEST.c.at))
    .where(meeting.c.league == bindparam("of_league"))
    .order_by(meeting.c.opponent)
)
_OFTEN = select(meeting.c.account, meeting.c.opponent).where(
    _MET,
    meeting.c.opponent.in_(bindparam("opponents", expanding=True)),
    # The earlier of the last two rated matches.
    meeting.c.rated_before_at > bindparam("since"),
)
_BOTS = (
    select(
        entry.c.id.label("entry"),
        entry.c.account,
        entry.c.code,
        entry.c.last_no.label("version"),
        account.c.role,
        entry_version.c.document,
        entry_version.c.sealed_digest,
        literal(b"").label("salt"),
        null().label("id"),
        literal(ONCE).label("kind"),
    )
    .join(account, account.c.id == entry.c.account)
    .join(entry_version, is_newest)
    .where(entry.c.league == bindparam("of_league"), entry.c.state == "active", account.c.role == Role.BOT)
    .order_by(entry.c.account)
)


def _release_expired(connection: Connection, league: str, now: int) -> None:
    connection.execute(_RELEASE_EXPIRED, {"of_league": league, "now": now})


def _tickets(connection: Connection, league: League, now: int) -> Sequence[Any]:
    """The tickets that may be paired, those that wait longest first."""
    file = league.file
    values = {"of_league": league.id, "of_mode": file.mode, "now": now, "per_day": file.matches_per_day}
    return connection.execute(_TICKETS, values).all()


def _waiting(row: Any, ratings: Mapping[str, Rating], now: int) -> Waiting:
    is_due = row.kind == ONCE or row.due_at <= now
    since = row.since if row.kind == ONCE else row.due_at
    return Waiting(row.id, row.account, ratings.get(row.account, Rating()), since, is_due)


def _ratings(connection: Connection, league: League, season: Season, accounts: Sequence[str]) -> dict[str, Rating]:
    if not league.is_ranked:
        return {}
    values = {"of_league": league.id, "of_season": season.no, "accounts": accounts}
    return {row.account: Rating.of_hex(row.mu, row.sigma) for row in connection.execute(_RATINGS, values)}


def _meetings(
    connection: Connection, league: League, accounts: Sequence[str], bots: Iterable[str], now: int
) -> Meetings:
    """Whom these accounts met last in the last 24 hours, and which of them met too often to meet again."""
    values = {"of_league": league.id, "accounts": accounts, "since": now - DAY}
    last = {row.account: row.opponent for row in connection.execute(_LAST, values)}
    if not last or not league.is_ranked:
        return Meetings(last)
    often = connection.execute(_OFTEN, {**values, "opponents": [*accounts, *bots]})
    return Meetings(last, {pair_of(row.account, row.opponent): pairing.MOST_RATED for row in often})


def _bots(connection: Connection, league: League) -> dict[str, Any]:
    """The bots of a league by account, as rows that seats are made of."""
    return {row.account: row for row in connection.execute(_BOTS, {"of_league": league.id})}


def _seat(row: Any, document: Any) -> Seat:
    """The seat of a ticket, or of a bot without one."""
    return replace(seat_of(row, document, bytes(row.salt)), ticket=row.id, kind=row.kind)


def seat_of(row: Any, document: Any, salt: bytes = b"") -> Seat:
    """The seat of a version without a ticket.

    Args:
        row: account, role, entry, version, code, document (its hash) and sealed_digest.
        document: the version's document.
        salt: what its owner adds to the seed.
    """
    combatant = Combatant(row.code, document, bytes(row.document))
    return Seat(row.account, row.role, row.entry, row.version, combatant, bytes(row.sealed_digest), salt)


def release(connection: Connection, matches: Iterable[Planned]) -> None:
    """Let the tickets of claimed pairs wait again."""
    names = [seat.ticket for planned in matches for seat in planned.seats if seat.ticket is not None]
    where = ticket.c.id.in_(names) & (ticket.c.state == MATCHED)
    connection.execute(update(ticket).where(where).values(**_waiting_again()))


def give_up(connection: Connection, planned: Planned, now: int) -> list[str]:
    """Let the tickets of a pair whose match failed wait again; park those that failed three times.

    Returns:
        The accounts whose tickets were parked.
    """
    names = [seat.ticket for seat in planned.seats if seat.ticket is not None]
    where = ticket.c.id.in_(names) & (ticket.c.state == MATCHED)
    connection.execute(update(ticket).where(where).values(failures=ticket.c.failures + 1, **_waiting_again()))
    failed = connection.execute(
        select(ticket.c.id, ticket.c.account).where(ticket.c.id.in_(names), ticket.c.failures >= MOST_FAILURES)
    ).all()
    if failed:
        connection.execute(update(ticket).where(ticket.c.id.in_([row.id for row in failed])).values(state=PARKED))
        body = {"league": planned.league, "reason": "its matches failed three times; the operators can see why"}
        streams.append(connection, ((row.account, "ticket.parked", {**body, "ticket": row.id}) for row in failed), now)
    return [row.account for row in failed]


def unpark(connection: Connection, now: int) -> dict[str, int]:
    """Let all parked tickets wait again, as if they had never failed; returns how many by league."""
    rows = connection.execute(
        update(ticket)
        .where(ticket.c.state == PARKED)
        .values(failures=0, **_waiting_again())
        .returning(ticket.c.id, ticket.c.account, ticket.c.league)
    ).all()
    rows = sorted(rows, key=lambda each: each.id)
    told = ((row.account, "ticket.unparked", {"league": row.league, "ticket": row.id}) for row in rows)
    streams.append(connection, told, now)
    return dict(sorted(Counter(row.league for row in rows).items()))
