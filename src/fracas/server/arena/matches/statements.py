"""The statements of a match's resolution, built once: building one takes longer than running it.

All of them take one row of parameters or many, so that a match and a batch of matches write the same rows. Many are one
statement on PostgreSQL, which may meet the rows in any order. What it changes is locked before, in order: ratings and
tickets by their own statements, and everything else of a league by the row of its day, which `NUMBERS` takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, case, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from fracas.server.database.prepared import Prepared
from fracas.server.database.tables import entry_version, league_day, leg, match_side, meeting, rating, ticket
from fracas.server.database.tables import match as match_table

RATINGS = (
    select(rating)
    .where(
        rating.c.league == bindparam("league"),
        rating.c.season == bindparam("season"),
        rating.c.account.in_(bindparam("accounts", expanding=True)),
    )
    .order_by(rating.c.account)
    .with_for_update()
)
"""The ratings of some accounts, locked in the order of the accounts."""
TICKETS = (
    select(ticket.c.id, ticket.c.state, ticket.c.version, ticket.c.day, ticket.c.day_matches)
    .where(ticket.c.id.in_(bindparam("tickets", expanding=True)))
    .order_by(ticket.c.id)
    .with_for_update()
)
NUMBERS = (
    update(league_day)
    .where(
        league_day.c.league == bindparam("of_league"),
        league_day.c.day == bindparam("of_day"),
        league_day.c.published_at.is_(None),
    )
    .values(last_no=league_day.c.last_no + bindparam("count"))
    .returning(league_day.c.last_no, league_day.c.head, league_day.c.secret_enc)
)
"""Takes the next numbers of a league-day; no row if the day is over, or not yet made."""
HEAD = (
    update(league_day)
    .where(league_day.c.league == bindparam("of_league"), league_day.c.day == bindparam("of_day"))
    .values(head=bindparam("new_head"))
)
INSERT_MATCH = Prepared(insert(match_table), row=("id",))
INSERT_SIDES = Prepared(insert(match_side), row=("match", "place"))
INSERT_LEGS = Prepared(insert(leg), row=("match", "no"))
RATE = Prepared(
    update(rating)
    .where(
        rating.c.league == bindparam("of_league"),
        rating.c.season == bindparam("of_season"),
        rating.c.account == bindparam("of_account"),
        rating.c.n == bindparam("old_n"),
    )
    .values(
        mu=bindparam("new_mu"),
        sigma=bindparam("new_sigma"),
        score=bindparam("new_score"),
        n=bindparam("new_n"),
        entry=bindparam("new_entry"),
        version=bindparam("new_version"),
        wins=rating.c.wins + bindparam("won"),
        draws=rating.c.draws + bindparam("drawn"),
        losses=rating.c.losses + bindparam("lost"),
    ),
    row=("of_league", "of_season", "of_account"),
)
REVEAL = Prepared(
    update(entry_version)
    .where(
        entry_version.c.entry == bindparam("of_entry"),
        entry_version.c.no == bindparam("of_version"),
        entry_version.c.revealed_at.is_(None),
    )
    .values(revealed_at=bindparam("now")),
    row=("of_entry", "of_version"),
)
DELETE_TICKET = Prepared(delete(ticket).where(ticket.c.id == bindparam("of_ticket")), row=("of_ticket",))
STAND = Prepared(
    update(ticket)
    .where(ticket.c.id == bindparam("of_ticket"))
    .values(
        state=bindparam("new_state"),
        since=bindparam("new_since"),
        due_at=bindparam("new_due_at"),
        day=bindparam("new_day"),
        day_matches=bindparam("new_day_matches"),
        failures=0,
        lease_until=None,
    ),
    row=("of_ticket",),
)
"""Lets a standing ticket wait for its next match."""


def note_meetings(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Remember who met whom: rows of league, account, opponent, at and rated_at, which is None for an unrated match."""
    _meet(connection.dialect.name).many(connection, rows)


@cache
def _meet(dialect: str) -> Prepared:
    insert_into: Any = postgresql.insert if dialect == "postgresql" else sqlite.insert
    statement = insert_into(meeting)
    new = statement.excluded
    changed = statement.on_conflict_do_update(
        index_elements=[meeting.c.league, meeting.c.account, meeting.c.opponent],
        set_={
            "at": new.at,
            "rated_before_at": case((new.rated_at.is_(None), meeting.c.rated_before_at), else_=meeting.c.rated_at),
            "rated_at": func.coalesce(new.rated_at, meeting.c.rated_at),
        },
    )
    return Prepared(changed, row=("league", "account", "opponent"))
