"""Everything that is stored about an account, for its owner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, select

from fracas.server.accounts import store
from fracas.server.clock import iso
from fracas.server.database import documents
from fracas.server.database.tables import (
    budget,
    entry,
    entry_version,
    event,
    game_seat,
    guild_member,
    job,
    match,
    match_side,
    pupil,
    rating,
    school_class,
    table_result,
    token,
    tournament,
    tournament_entrant,
    war_entry,
)

# Never handed out, not even to the owner: hashes of tokens, and salts that seal what is hidden until a reveal.
_HIDDEN = frozenset({"hash", "salt", "nonce", "ticket_salt", "sealed_digest", "password_hash"})
MOST_MATCHES = 100_000


def own_data(connection: Connection, identifier: str) -> dict[str, Any]:
    """An account's data as plain values: account, tokens, entries with their documents, ratings, matches, events."""
    shown = store.by_id(connection, identifier).as_json()
    return {
        "account": {name: value for name, value in shown.items() if name != "links"},
        "tokens": _rows(connection, select(token).where(token.c.account == identifier).order_by(token.c.id)),
        "entries": [
            {**row, "versions": _versions(connection, row["id"])}
            for row in _rows(connection, select(entry).where(entry.c.account == identifier).order_by(entry.c.id))
        ],
        "ratings": _rows(connection, select(rating).where(rating.c.account == identifier)),
        "matches": _rows(
            connection,
            select(match_side, match.c.played_at, match.c.kind, match.c.score_a, match.c.score_b)
            .join(match, match.c.id == match_side.c.match)
            .where(match_side.c.account == identifier)
            .order_by(match.c.played_at, match.c.id)
            .limit(MOST_MATCHES),
        ),
        "classes": _rows(connection, select(school_class).where(school_class.c.teacher == identifier)),
        "member_of": _rows(connection, select(pupil).where(pupil.c.account == identifier)),
        "guild": _rows(connection, select(guild_member).where(guild_member.c.account == identifier)),
        "wars": _rows(connection, select(war_entry).where(war_entry.c.account == identifier)),
        "jobs": [_with_result(connection, row) for row in _jobs(connection, identifier)],
        "seats": _rows(connection, select(game_seat).where(game_seat.c.account == identifier)),
        "rated_tables": _rows(
            connection, select(table_result).where(table_result.c.account == identifier).order_by(table_result.c.at)
        ),
        "tournaments": _rows(
            connection,
            select(tournament_entrant, tournament.c.title)
            .join(tournament, tournament.c.id == tournament_entrant.c.tournament)
            .where(tournament_entrant.c.account == identifier)
            .order_by(tournament.c.id),
        ),
        "organised": _rows(connection, select(tournament).where(tournament.c.organiser == identifier)),
        "events": _rows(connection, select(event).where(event.c.account == identifier).order_by(event.c.seq)),
        "budgets": _rows(connection, select(budget).where(budget.c.subject == f"account:{identifier}")),
    }


def _jobs(connection: Connection, identifier: str) -> Sequence[RowMapping]:
    statement = select(job).where(job.c.account == identifier).order_by(job.c.id)
    return connection.execute(statement).mappings().all()


def _with_result(connection: Connection, row: RowMapping) -> dict[str, Any]:
    """A job with what was asked and the result; its page shows the same."""
    found = {name: documents.get(connection, row[name]) for name in ("document", "result") if row[name] is not None}
    return {**{name: value for name, value in _plain(row).items() if name != "page"}, **found}


def _versions(connection: Connection, identifier: str) -> list[dict[str, Any]]:
    statement = select(entry_version).where(entry_version.c.entry == identifier).order_by(entry_version.c.no)
    rows = connection.execute(statement).mappings().all()
    return [{**_plain(row), "document": documents.get(connection, row["document"])} for row in rows]


def _rows(connection: Connection, statement: Any) -> list[dict[str, Any]]:
    return [_plain(row) for row in connection.execute(statement).mappings()]


def _plain(row: Any) -> dict[str, Any]:
    return {name: _shown(name, value) for name, value in row.items() if name not in _HIDDEN}


def _shown(name: str, value: Any) -> Any:
    if isinstance(value, int) and (name == "at" or name.endswith("_at")):
        return iso(value)
    if isinstance(value, bytes):
        return value.decode() if name == "body" else value.hex()
    return value
