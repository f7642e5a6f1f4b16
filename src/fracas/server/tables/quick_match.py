"""Quick match: who waits for the same game meets whoever is closest by rating, and it is rated.

Whoever asks meets somebody who waits, or waits at a table of its own. Windows widen with waiting, so those who wait are
looked at again; then one of two comes over to the other's table, and its own table leads there. Rows that another
process is about to pair are passed over, so nobody is paired twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from fracas.replay.table_file import TableGame
from fracas.server.arena.matches.pairing import Meetings, Pair, Terms, Waiting, pair, pair_of
from fracas.server.arena.ratings import Rating
from fracas.server.arena.seasons.days import next_midnight
from fracas.server.clock import DAY, SECOND, iso
from fracas.server.database.tables import account, game_seat, game_table, node, rating
from fracas.server.http.authorisation import Role
from fracas.server.http.problems import too_many
from fracas.server.tables import ladders, store
from fracas.server.tables.store import LEASE, NewTable

# The difference of shown ratings that is accepted at once, and by how much it grows for each minute of waiting.
WINDOW, WIDENING = 400, 2_400
# Two who have had all rated tables of 24 hours meet, unrated, when one of them has waited so long for somebody else.
PATIENCE = 30 * SECOND
# Who is not connected is met only so long after it asked: its page is on its way.
ARRIVING = 15 * SECOND
# Ends before the first step that a player makes in one day before quick match refuses it.
MOST_ABORTS = 3
SECONDS = 60
MOST_WAITING = 512
_HERE = ""
"""What stands for the table of who asks, and has none yet."""


class Pool(NamedTuple):
    """Those who wait in one pool play the same scenario by the same rules."""

    game: str
    scenario: str
    rules_version: int
    rules_hash: str

    @property
    def ladder(self) -> str:
        """The ladder that its tables are rated on."""
        return ladders.ladder_of(self.game, self.scenario)


def quick_match(connection: Connection, new: NewTable, whom: str, home: str, now: int) -> str:
    """Sit down with whoever is closest by rating among those who wait for the same, or wait. Returns the table's id.

    Raises:
        ApiProblem: 429, too many are open, or too many were left before their first step.
    """
    _refuse_aborts(connection, whom, now)
    rules = TableGame.of(new.game.ruleset)
    pool = Pool(rules.name, new.scenario, rules.version, rules.rules)
    rows = _waiting(connection, pool, now)
    own = next((row.id for row in rows if row.account == whom), None)
    if own is not None:
        return str(own)
    mine = Waiting(_HERE, whom, ladders.ratings_of(connection, pool.ladder, [whom])[whom], now)
    found = _meet(connection, [*map(_ticket, rows), mine], now)
    return store.open_table(connection, new, whom, home, now) if found is None else found


def pools(connection: Connection) -> list[Pool]:
    """The pools in which somebody could meet somebody."""
    keys = [game_table.c[name] for name in Pool._fields]
    waits = select(*keys).where(game_table.c.state == store.WAITING, game_table.c.quick == 1)
    return [Pool(*row) for row in connection.execute(waits.group_by(*keys).having(func.count() > 1))]


def pair_waiting(connection: Connection, pool: Pool, now: int) -> None:
    """Bring together those who wait in a pool, as far as their windows allow by now."""
    _meet(connection, [_ticket(row) for row in _waiting(connection, pool, now)], now)


def pairs(tickets: Sequence[Waiting], rated: Mapping[tuple[str, str], int], now: int) -> list[tuple[Pair, bool]]:
    """Who meets, and whether the pair limit lets their table be rated. A pure function.

    Those who have had all rated tables with each other meet somebody else if there is anybody, and else each other.
    """
    terms = Terms(WINDOW, WIDENING, bot_after=0)
    found = [(each, True) for each in pair(tickets, [], Meetings(rated=rated), terms, now)]
    taken = {ticket.account for each, _ in found for ticket in (each.first, each.second)}
    left = [replace(each, is_due=now - each.since >= PATIENCE) for each in tickets if each.account not in taken]
    return found + [(each, False) for each in pair(left, [], Meetings(), terms, now)]


def _meet(connection: Connection, tickets: Sequence[Waiting], now: int) -> str | None:
    """Bring pairs together, each at the table of who waits longer; return the table of who asks, if found."""
    rated = _rated_pairs(connection, [each.account for each in tickets], now)
    here = None
    for met, may_be_rated in pairs(tickets, rated, now):
        host, guest = sorted((met.first, _waits(met.second)), key=lambda each: (each.ticket == _HERE, each.since))
        if guest.ticket != _HERE:
            store.move_on(connection, guest.ticket, host.ticket, now)
        unrated = _unrated(connection, (host.account, guest.account), may_be_rated=may_be_rated)
        store.join(connection, host.ticket, guest.account, now, unrated=unrated)
        here = host.ticket if guest.ticket == _HERE else here
    return here


def _waits(found: Any) -> Waiting:
    assert isinstance(found, Waiting)
    return found


def _unrated(connection: Connection, accounts: Iterable[str], *, may_be_rated: bool) -> str | None:
    """Why a table is not rated; None if it is. Operators and guests are rated nowhere."""
    roles = connection.execute(select(account.c.role).where(account.c.id.in_(accounts))).scalars().all()
    if set(roles) != {Role.PLAYER}:
        return store.NOT_PLAYERS
    return None if may_be_rated else store.MET_OFTEN


def _refuse_aborts(connection: Connection, whom: str, now: int) -> None:
    """Refuse whoever has made an end before the first step too often today.

    Raises:
        ApiProblem: 429, with the time at which it may ask again.
    """
    tomorrow = next_midnight(now)
    mine = (
        select(func.count())
        .select_from(game_table.join(game_seat, game_seat.c.table == game_table.c.id))
        .where(game_seat.c.account == whom, game_table.c.quick == 1, game_seat.c.aborted_at >= tomorrow - DAY)
    )
    if connection.execute(mine).scalar_one() >= MOST_ABORTS:
        detail = f"You left {MOST_ABORTS} quick matches before their first step today. You may ask again at"
        raise too_many(f"{detail} {iso(tomorrow)}. Other tables are open to you.", (tomorrow - now) / SECOND)


def _waiting(connection: Connection, pool: Pool, now: int) -> Sequence[Any]:
    """The tables at which somebody waits in a pool and is there, who waits longest first, locked."""
    alive = select(node.c.id).where(node.c.alive_at > now - 2 * LEASE)
    is_there = game_seat.c.present.in_(alive) | (game_table.c.created_at > now - ARRIVING)
    on_ladder = (rating.c.league == pool.ladder) & (rating.c.season == ladders.SEASON)
    query = (
        select(game_table.c.id, game_table.c.created_at, game_seat.c.account, rating.c.mu, rating.c.sigma)
        .join(game_seat, (game_seat.c.table == game_table.c.id) & game_seat.c.account.is_not(None))
        .join(account, account.c.id == game_seat.c.account)
        .outerjoin(rating, on_ladder & (rating.c.account == game_seat.c.account))
        .where(game_table.c.state == store.WAITING, game_table.c.quick == 1, account.c.state == "active")
        .where(*(game_table.c[name] == value for name, value in pool._asdict().items()))
        .where(is_there)
        .order_by(game_table.c.created_at, game_table.c.id)
        .limit(MOST_WAITING)
        .with_for_update(skip_locked=True, of=game_table)
    )
    return connection.execute(query).all()


def _ticket(row: Any) -> Waiting:
    found = Rating() if row.mu is None else Rating.of_hex(row.mu, row.sigma)
    return Waiting(row.id, row.account, found, row.created_at)


def _rated_pairs(connection: Connection, accounts: Sequence[str], now: int) -> Mapping[tuple[str, str], int]:
    """How many rated tables of the last 24 hours any two of some accounts have had or are at, on all ladders."""
    one, other = game_seat.alias(), game_seat.alias()
    recent = (game_table.c.state != store.OVER) | (game_table.c.ended_at > now - DAY)
    query = (
        select(one.c.account, other.c.account.label("opponent"))
        .join(other, (other.c.table == one.c.table) & (other.c.side == 1))
        .join(game_table, game_table.c.id == one.c.table)
        .where(one.c.side == 0, game_table.c.unrated.is_(None), recent)
        .where(one.c.account.in_(accounts), other.c.account.in_(accounts))
    )
    return Counter(pair_of(row.account, row.opponent) for row in connection.execute(query))
