"""Queries of entries and their versions, as what others may see of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, select

from fracas.server.arena.records import Missing
from fracas.server.arena.store.people import PERSON, Person, person
from fracas.server.database import documents
from fracas.server.database.tables import account, entry, entry_version, match, match_side


@dataclass(frozen=True)
class VersionView:
    """A version of an entry; its document only for those who may read it."""

    entry: str
    no: int
    sealed_digest: bytes
    created_at: int
    revealed_at: int | None
    document: Any | None
    digest: bytes | None
    salt: bytes | None


@dataclass(frozen=True)
class EntryView:
    """An entry."""

    id: str
    account: Person
    league: str
    code: str
    title: str
    ranked: bool
    versions: int
    state: str
    created_at: int
    school_class: str | None
    """The class that it belongs to."""
    open_to_challenges: bool
    """Whether its author lets others challenge it while its league hides it."""


def _entries() -> Select[Any]:
    return select(entry, *PERSON).join(account, account.c.id == entry.c.account)


def entry_by_id(connection: Connection, identifier: str) -> EntryView:
    """An entry.

    Raises:
        Missing: there is no such entry.
    """
    row = connection.execute(_entries().where(entry.c.id == identifier)).first()
    if row is None:
        raise Missing("entry")
    return _entry(row)


def entries_of(connection: Connection, whom: str, league: str | None = None) -> list[EntryView]:
    """An account's entries, the oldest first."""
    query = _entries().where(entry.c.account == whom)
    if league is not None:
        query = query.where(entry.c.league == league)
    return [_entry(row) for row in connection.execute(query.order_by(entry.c.id))]


def bots_in(connection: Connection, league: str) -> list[EntryView]:
    """The entries of a league's bots."""
    query = _entries().where(entry.c.league == league, account.c.role == "bot", entry.c.state == "active")
    return [_entry(row) for row in connection.execute(query.order_by(account.c.handle_key))]


def is_known(connection: Connection, identifier: str) -> bool:
    """Whether an entry has fought in public, or is a bot's: others may know that it exists."""
    matches = (
        select(match_side.c.match)
        .join(match, match.c.id == match_side.c.match)
        .where(match_side.c.entry == identifier, match.c.no.is_not(None))
        .limit(1)
    )
    if connection.execute(matches).first() is not None:
        return True
    return entry_by_id(connection, identifier).account.role == "bot"


def versions_of(connection: Connection, identifier: str, viewer: str | None) -> list[VersionView]:
    """The versions of an entry, the newest first; an account reads its own, and others what is revealed."""
    owner = entry_by_id(connection, identifier).account.id
    rows = connection.execute(
        select(entry_version).where(entry_version.c.entry == identifier).order_by(entry_version.c.no.desc())
    ).all()
    return [_version(connection, row, is_readable=owner == viewer or row.revealed_at is not None) for row in rows]


def version_of(connection: Connection, identifier: str, number: int, viewer: str | None) -> VersionView:
    """One version of an entry.

    Raises:
        Missing: there is no such version.
    """
    owner = entry_by_id(connection, identifier).account.id
    row = connection.execute(
        select(entry_version).where(entry_version.c.entry == identifier, entry_version.c.no == number)
    ).first()
    if row is None:
        raise Missing("version")
    return _version(connection, row, is_readable=owner == viewer or row.revealed_at is not None)


def _version(connection: Connection, row: Any, *, is_readable: bool) -> VersionView:
    return VersionView(
        row.entry,
        row.no,
        bytes(row.sealed_digest),
        row.created_at,
        row.revealed_at,
        documents.get(connection, bytes(row.document)) if is_readable else None,
        bytes(row.document) if is_readable else None,
        bytes(row.salt) if is_readable else None,
    )


def _entry(row: Any) -> EntryView:
    return EntryView(
        row.id,
        person(row),
        row.league,
        row.code,
        row.title,
        bool(row.ranked),
        row.last_no,
        row.state,
        row.created_at,
        row._mapping["class"],
        bool(row.open_to_challenges),
    )
