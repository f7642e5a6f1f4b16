"""Delete an account: what names a person goes, what proves other people's results stays."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, delete, exists, select, update

from fracas.server.accounts import leaving, names, store, tokens
from fracas.server.database import documents, streams
from fracas.server.database.tables import (
    account,
    budget,
    entry,
    entry_version,
    event,
    idempotency,
    job,
    match_side,
    pupil,
    school_class,
    stream,
    ticket,
    tournament,
    tournament_entrant,
    war_entry,
)
from fracas.server.http.authorisation import Role
from fracas.server.job_rows import delete_jobs


def delete_account(connection: Connection, identifier: str, now: int) -> None:
    """Anonymise an account.

    The handle becomes `gone-xxxx`, and nobody can register the old one again; display name, password, tokens, stream
    and stored answers go. Entries that never fought are deleted. Entries that fought are withdrawn and lose their
    title; their documents hold no name. Matches, ratings and proofs stay, and what is locked for a guild war fights on.
    """
    row = store.by_id(connection, identifier)
    if not row.handle.startswith(names.GUEST):
        store.retire_handle(connection, row.handle)
    handle = names.handle_of_deleted()
    tokens.revoke(connection, identifier)
    for table in (stream, event, idempotency, ticket):
        connection.execute(delete(table).where(table.c.account == identifier))
    delete_jobs(connection, job.c.account == identifier)
    connection.execute(delete(budget).where(budget.c.subject == f"account:{identifier}"))
    connection.execute(delete(pupil).where(pupil.c.account == identifier))
    delete_classes(connection, school_class.c.teacher == identifier, now)
    leaving.leave_guild(connection, identifier, now)
    _leave_tournaments(connection, identifier, now)
    _delete_unused_entries(connection, entry.c.account == identifier)
    fought = update(entry).where(entry.c.account == identifier)
    connection.execute(fought.values(title=entry.c.code, state="withdrawn", ranked=0))
    values = {"handle": handle, "handle_key": handle, "display_name": None, "password_hash": None, "state": "deleted"}
    store.change(connection, identifier, **values, suspended_reason=None)
    store.note(connection, identifier, "delete account", identifier, now)


def _leave_tournaments(connection: Connection, identifier: str, now: int) -> None:
    """Leave all tournaments, losing what is not decided of those that run, and call off one's own that do not run."""
    is_mine = tournament_entrant.c.account == identifier
    open_ones = select(tournament.c.id).where(tournament.c.state == "entering")
    connection.execute(delete(tournament_entrant).where(is_mine, tournament_entrant.c.tournament.in_(open_ones)))
    of_mine = select(tournament.c.round).where(tournament.c.id == tournament_entrant.c.tournament).scalar_subquery()
    runs = tournament_entrant.c.tournament.in_(select(tournament.c.id).where(tournament.c.state == "running"))
    there = is_mine & runs & tournament_entrant.c.left_in.is_(None)
    connection.execute(update(tournament_entrant).where(there).values(left_in=of_mine))
    own = (tournament.c.organiser == identifier) & (tournament.c.state == "entering")
    reason = "its organiser is gone"
    off = update(tournament).where(own).values(state="cancelled", reason=reason, ended_at=now)
    titles = {row.id: row.title for row in connection.execute(off.returning(tournament.c.id, tournament.c.title))}
    entered = select(tournament_entrant).where(tournament_entrant.c.tournament.in_(titles))
    rows = connection.execute(entered.order_by(tournament_entrant.c.tournament, tournament_entrant.c.account)).all()
    told = [
        (
            row.account,
            "tournament.cancelled",
            {"tournament": row.tournament, "title": titles[row.tournament], "reason": reason},
        )
        for row in rows
    ]
    streams.append(connection, told, now)


def delete_classes(connection: Connection, which: ColumnElement[bool], now: int) -> None:
    """Delete classes with their entries and tables, and the guests who are in no other class; tell their pupils."""
    titles = {row.id: row.title for row in connection.execute(select(school_class).where(which))}
    is_in = pupil.c["class"].in_(titles)
    rows = connection.execute(select(pupil).where(is_in).order_by(pupil.c["class"], pupil.c.account))
    pupils = [(row.account, row._mapping["class"]) for row in rows]
    connection.execute(delete(pupil).where(is_in))
    delete_jobs(connection, job.c.subject.in_(titles))
    _delete_unused_entries(connection, entry.c["class"].in_(titles))
    # What was used for practice stays, because its matches do.
    connection.execute(update(entry).where(entry.c["class"].in_(titles)).values(state="withdrawn"))
    connection.execute(delete(school_class).where(school_class.c.id.in_(titles)))
    told = ((whom, "class.deleted", {"class": name, "title": titles[name]}) for whom, name in pupils)
    streams.append(connection, told, now)
    left = connection.execute(
        select(account.c.id)
        .where(account.c.id.in_([whom for whom, _ in pupils]))
        .where(account.c.role == Role.GUEST, account.c.state != "deleted")
        .where(~exists().where(pupil.c.account == account.c.id))
    ).scalars()
    for guest in left.all():
        delete_account(connection, guest, now)


def _delete_unused_entries(connection: Connection, which: ColumnElement[bool]) -> None:
    """Delete entries that never fought, and their documents that nothing else refers to."""
    has_matches = exists().where(match_side.c.entry == entry.c.id)
    is_in_war = exists().where(war_entry.c.entry == entry.c.id)
    unused = connection.execute(select(entry.c.id).where(which, ~has_matches, ~is_in_war)).scalars().all()
    versions = entry_version.c.entry.in_(unused)
    hashes = connection.execute(select(entry_version.c.document).where(versions).distinct()).scalars().all()
    connection.execute(delete(entry_version).where(versions))
    connection.execute(delete(entry).where(entry.c.id.in_(unused)))
    documents.forget_unused(connection, hashes)
