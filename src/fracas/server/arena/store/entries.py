"""Queries of entries and their versions, as what others may see of them."""

from __future__ import annotations

from typing import Any

from pydantic import Field
from sqlalchemy import Connection, Select, select

from fracas.server.arena.refusals import Missing
from fracas.server.arena.store.people import PERSON, Person, person
from fracas.server.arena.visibility import fought_in_public, is_known, may_read, refuse_classmates_entry
from fracas.server.database import documents
from fracas.server.database.tables import account, entry, entry_version, match_side
from fracas.server.http.answers import link, links, stored
from fracas.server.http.authorisation import Role
from fracas.server_models import arena
from fracas.server_models.arena import Version


class EntryView(arena.Entry):
    """An entry, and what answers leave out of it."""

    account: Person
    school_class: str | None = Field(exclude=True)
    """The class that it belongs to."""


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


def visible_entry(connection: Connection, identifier: str, viewer: str | None) -> EntryView:
    """An entry that the viewer may know of: one that has fought in public, its own, or one of its class.

    Raises:
        Missing: there is no such entry for the viewer.
    """
    view = entry_by_id(connection, identifier)
    if view.account.id != viewer and not is_known(connection, identifier, view.account.role):
        refuse_classmates_entry(connection, view.school_class, viewer)
    return view


def entries_of(
    connection: Connection, whom: str, league: str | None = None, *, known_only: bool = False
) -> list[EntryView]:
    """An account's entries, the oldest first; all, or those that anybody may know of."""
    query = _entries().where(entry.c.account == whom)
    if known_only:
        query = query.where((account.c.role == Role.BOT) | fought_in_public(match_side.c.entry == entry.c.id))
    if league is not None:
        query = query.where(entry.c.league == league)
    return [_entry(row) for row in connection.execute(query.order_by(entry.c.id))]


def bots_in(connection: Connection, league: str) -> list[EntryView]:
    """The entries of a league's bots."""
    query = _entries().where(entry.c.league == league, account.c.role == Role.BOT, entry.c.state == "active")
    return [_entry(row) for row in connection.execute(query.order_by(account.c.handle_key))]


def versions_of(connection: Connection, view: EntryView, viewer: str | None) -> list[Version]:
    """The versions of an entry, the newest first, as far as the viewer may read them."""
    query = select(entry_version).where(entry_version.c.entry == view.id).order_by(entry_version.c.no.desc())
    return [_version(connection, row, view.account.id, viewer) for row in connection.execute(query).all()]


def version_of(connection: Connection, view: EntryView, number: int, viewer: str | None) -> Version:
    """One version of an entry.

    Raises:
        Missing: there is no such version.
    """
    query = select(entry_version).where(entry_version.c.entry == view.id, entry_version.c.no == number)
    row = connection.execute(query).first()
    if row is None:
        raise Missing("version")
    return _version(connection, row, view.account.id, viewer)


def _version(connection: Connection, row: Any, author: str, viewer: str | None) -> Version:
    entry_link = link("entries", row.entry)
    is_readable = may_read(author, viewer, revealed=row.revealed_at is not None)
    hidden = {
        "document": documents.get(connection, bytes(row.document)) if is_readable else None,
        "digest": bytes(row.document).hex() if is_readable else None,
        "salt": bytes(row.salt).hex() if is_readable else None,
    }
    paths = links(self=f"{entry_link}/versions/{row.no}", entry=entry_link)
    return Version(**{**stored(Version, row), **hidden}, version=row.no, links=paths)


def _entry(row: Any) -> EntryView:
    """An entry; its fields that are columns of its table need no line here."""
    return EntryView(
        **{**stored(EntryView, row), "account": person(row)},
        versions=row.last_no,
        links=links(
            self=link("entries", row.id),
            versions=link("entries", row.id, "versions"),
            league=link("leagues", row.league),
            profile=link("profiles", row.handle),
        ),
        school_class=row._mapping["class"],
    )
