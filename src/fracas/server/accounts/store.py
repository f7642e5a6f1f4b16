"""Queries and changes of accounts. Functions of a connection; the writer or a reader runs them."""

from __future__ import annotations

from typing import Any

from blake3 import blake3
from pydantic import Field
from sqlalchemy import Connection, func, insert, select, update

from fracas.server import ids
from fracas.server.accounts.tokens import SESSION
from fracas.server.clock import iso
from fracas.server.database.notices import notify
from fracas.server.database.tables import account, audit, retired_handle, token
from fracas.server.database.upsert import insert_if_absent
from fracas.server.http.answers import link, links
from fracas.server.http.authorisation import Role
from fracas.server_models.accounts import Account, Note, Token


class AccountView(Account):
    """An account, and what answers leave out of it."""

    state: str = Field(exclude=True)
    suspended_reason: str | None = Field(exclude=True)
    password_hash: str | None = Field(exclude=True, repr=False)


def create(
    connection: Connection,
    handle: str,
    password_hash: str | None,
    now: int,
    *,
    role: Role = Role.PLAYER,
    display_name: str | None = None,
) -> str | None:
    """Make an account and return its id; None if the handle is taken, or was a deleted account's."""
    retired = select(retired_handle).where(retired_handle.c.digest == _retired(handle))
    if connection.execute(retired).first() is not None:
        return None
    identifier = ids.new_id(now)
    row = {
        "id": identifier,
        "handle": handle,
        "handle_key": handle,
        "display_name": display_name,
        "password_hash": password_hash,
        "role": role.value,
        "created_at": now,
    }
    return identifier if insert_if_absent(connection, account, row) else None


def retire_handle(connection: Connection, handle: str) -> None:
    """Keep a handle from ever being anybody's again: links, proofs and other players' memories still lead to it."""
    insert_if_absent(connection, retired_handle, {"digest": _retired(handle)})


def _retired(handle: str) -> bytes:
    return blake3(handle.encode(), derive_key_context="fracas retired handle v1").digest()


def by_id(connection: Connection, identifier: str) -> AccountView:
    """An account by its id, which exists."""
    return _account(connection.execute(select(account).where(account.c.id == identifier)).one())


def by_handle(connection: Connection, handle: str) -> AccountView | None:
    """An account by its handle."""
    row = connection.execute(select(account).where(account.c.handle_key == handle)).one_or_none()
    return None if row is None else _account(row)


def _account(row: Any) -> AccountView:
    paths = {"self": "account", "events": "events", "keys": "keys", "sessions": "sessions", "export": "account/export"}
    return AccountView(
        id=row.id,
        handle=row.handle,
        display_name=row.display_name,
        role=row.role,
        created_at=iso(row.created_at),
        links=links(**{name: link(*path.split("/")) for name, path in paths.items()}),
        state=row.state,
        suspended_reason=row.suspended_reason,
        password_hash=row.password_hash,
    )


def password_hash(connection: Connection, identifier: str) -> str | None:
    """The hash of an account's password."""
    found: str | None = connection.execute(
        select(account.c.password_hash).where(account.c.id == identifier)
    ).scalar_one_or_none()
    return found


def change(connection: Connection, identifier: str, **values: Any) -> None:
    """Change columns of an account; sessions in every process hear of it."""
    connection.execute(update(account).where(account.c.id == identifier).values(**values))
    notify(connection, f"token:{identifier}")


def tokens_of(connection: Connection, identifier: str, kind: str, now: int) -> list[Token]:
    """The valid sessions or API keys that an account has, oldest first."""
    rows = connection.execute(
        select(token)
        .where(token.c.account == identifier, token.c.kind == kind, token.c.expires_at > now)
        .order_by(token.c.id)
    )
    return [
        Token(
            id=row.id,
            name=row.name,
            scopes=row.scopes.split(),
            created_at=iso(row.created_at),
            used_at=None if row.used_at is None else iso(row.used_at),
            expires_at=iso(row.expires_at),
            links=links(self=link("sessions" if kind == SESSION else "keys", row.id)),
        )
        for row in rows
    ]


def hold(connection: Connection, identifier: str) -> None:
    """Make other commands on this account wait for this transaction, so that what is counted stays true."""
    connection.execute(select(account.c.id).where(account.c.id == identifier).with_for_update())


def note(connection: Connection, who: str, what: str, subject: str, now: int, reason: str | None = None) -> None:
    """Write down who did what to whom."""
    row = {"id": ids.new_id(now), "who": who, "what": what, "subject": subject, "reason": reason, "at": now}
    connection.execute(insert(audit).values(row))


def notes(connection: Connection, before: str | None, limit: int) -> list[Note]:
    """What was written down, newest first."""
    statement = select(audit).order_by(audit.c.id.desc()).limit(limit)
    if before is not None:
        statement = statement.where(audit.c.id < before)
    return [Note(**{**row, "at": iso(row["at"])}) for row in connection.execute(statement).mappings()]


def first_operator(connection: Connection) -> str | None:
    """The oldest active operator."""
    found: str | None = connection.execute(
        select(account.c.id)
        .where(account.c.role == Role.OPERATOR.value, account.c.state == "active")
        .order_by(account.c.id)
        .limit(1)
    ).scalar_one_or_none()
    return found


def count(connection: Connection) -> int:
    """How many accounts there are."""
    return int(connection.execute(select(func.count()).select_from(account)).scalar_one())
