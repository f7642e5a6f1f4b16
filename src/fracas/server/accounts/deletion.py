"""Delete an account: what names a person goes, what proves other people's results stays."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, delete, exists, select, update

from fracas.server.accounts import names, store, tokens
from fracas.server.database import streams
from fracas.server.database.tables import (
    account,
    budget,
    document,
    entry,
    entry_version,
    event,
    idempotency,
    job,
    league,
    match_side,
    pupil,
    school_class,
    stream,
    ticket,
)


def delete_account(connection: Connection, identifier: str, now: int) -> None:
    """Anonymise an account.

    The handle becomes `gone-xxxx`, and nobody can register the old one again; display name, password, tokens, stream
    and stored answers go. Entries that never fought are deleted. Entries that fought are withdrawn and lose their
    title; their documents hold no name. Matches, ratings and proofs stay.
    """
    found = store.by_id(connection, identifier)
    assert found is not None
    if not found.handle.startswith(names.GUEST):
        store.retire_handle(connection, found.handle)
    handle = names.handle_of_deleted()
    tokens.revoke(connection, identifier)
    for table in (stream, event, idempotency, ticket, job):
        connection.execute(delete(table).where(table.c.account == identifier))
    connection.execute(delete(budget).where(budget.c.subject == f"account:{identifier}"))
    _delete_classes(connection, identifier, now)
    _delete_entries(connection, entry.c.account == identifier)
    values = {"handle": handle, "handle_key": handle, "display_name": None, "password_hash": None, "state": "deleted"}
    store.change(connection, identifier, **values, suspended_reason=None)
    store.note(connection, identifier, "delete account", identifier, now)


def _delete_classes(connection: Connection, identifier: str, now: int) -> None:
    """Delete an account's classes with their entries and tables, and the guests who are in no other class."""
    connection.execute(delete(pupil).where(pupil.c.account == identifier))
    own = connection.execute(select(school_class).where(school_class.c.teacher == identifier)).all()
    classes = [row.id for row in own]
    is_in = pupil.c["class"].in_(classes)
    pupils = connection.execute(select(pupil).where(is_in).order_by(pupil.c["class"], pupil.c.account)).all()
    connection.execute(delete(pupil).where(is_in))
    connection.execute(delete(job).where(job.c.subject.in_(classes)))
    _delete_entries(connection, entry.c["class"].in_(classes))
    connection.execute(delete(school_class).where(school_class.c.id.in_(classes)))
    titles = {row.id: row.title for row in own}
    account_events: dict[str, list[tuple[str, dict[str, str]]]] = {}
    for row in pupils:
        name = row._mapping["class"]
        account_events.setdefault(row.account, []).append(("class.deleted", {"class": name, "title": titles[name]}))
    streams.append(connection, account_events, now)
    left = connection.execute(
        select(account.c.id)
        .where(account.c.id.in_(account_events), account.c.role == "guest", account.c.state != "deleted")
        .where(~exists().where(pupil.c.account == account.c.id))
    ).scalars()
    for guest in left.all():
        delete_account(connection, guest, now)


def _delete_entries(connection: Connection, which: ColumnElement[bool]) -> None:
    has_matches = exists().where(match_side.c.entry == entry.c.id)
    unused = connection.execute(select(entry.c.id).where(which, ~has_matches)).scalars().all()
    hashes = (
        connection.execute(select(entry_version.c.document).where(entry_version.c.entry.in_(unused)).distinct())
        .scalars()
        .all()
    )
    connection.execute(delete(entry_version).where(entry_version.c.entry.in_(unused)))
    connection.execute(delete(entry).where(entry.c.id.in_(unused)))
    connection.execute(update(entry).where(which).values(title=entry.c.code, state="withdrawn", ranked=0))
    references = (entry_version.c.document, league.c.document, job.c.document, job.c.result)
    for key in hashes:
        if not any(connection.execute(select(exists().where(column == key))).scalar() for column in references):
            connection.execute(delete(document).where(document.c.hash == key))
