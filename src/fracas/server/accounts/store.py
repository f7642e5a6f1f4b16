"""Queries and changes of accounts. Functions of a connection; the writer or a reader runs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from blake3 import blake3
from sqlalchemy import Connection, RowMapping, func, insert, select, update

from fracas.server import ids
from fracas.server.database.notices import notify
from fracas.server.database.tables import account, audit, retired_handle, token
from fracas.server.database.upsert import insert_if_absent
from fracas.server.http.authorisation import Role


@dataclass(frozen=True, slots=True)
class Account:
    """An account as its owner and operators see it."""

    id: str
    handle: str
    display_name: str | None
    role: Role
    state: str
    suspended_reason: str | None
    created_at: int


_COLUMNS = (
    account.c.id,
    account.c.handle,
    account.c.display_name,
    account.c.role,
    account.c.state,
    account.c.suspended_reason,
    account.c.created_at,
)


def create(
    connection: Connection, handle: str, password_hash: str | None, now: int, *, role: Role = Role.PLAYER
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


def by_id(connection: Connection, identifier: str) -> Account | None:
    """An account by its id."""
    row = connection.execute(select(*_COLUMNS).where(account.c.id == identifier)).one_or_none()
    return None if row is None else _account(row)


def by_handle(connection: Connection, handle: str) -> tuple[Account, str | None] | None:
    """An account by its handle, with the hash of its password."""
    statement = select(*_COLUMNS, account.c.password_hash).where(account.c.handle_key == handle)
    row = connection.execute(statement).one_or_none()
    return None if row is None else (_account(row), row.password_hash)


def _account(row: Any) -> Account:
    return Account(
        row.id, row.handle, row.display_name, Role(row.role), row.state, row.suspended_reason, row.created_at
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


def tokens_of(connection: Connection, identifier: str, kind: str, now: int) -> Sequence[RowMapping]:
    """The valid tokens of a kind that an account has, oldest first, without their hashes."""
    return (
        connection.execute(
            select(token.c.id, token.c.name, token.c.scopes, token.c.created_at, token.c.used_at, token.c.expires_at)
            .where(token.c.account == identifier, token.c.kind == kind, token.c.expires_at > now)
            .order_by(token.c.id)
        )
        .mappings()
        .all()
    )


def hold(connection: Connection, identifier: str) -> None:
    """Make other commands on this account wait for this transaction, so that what is counted stays true."""
    connection.execute(select(account.c.id).where(account.c.id == identifier).with_for_update())


def note(connection: Connection, who: str, what: str, subject: str, now: int, reason: str | None = None) -> None:
    """Write down who did what to whom."""
    row = {"id": ids.new_id(now), "who": who, "what": what, "subject": subject, "reason": reason, "at": now}
    connection.execute(insert(audit).values(row))


def notes(connection: Connection, before: str | None, limit: int) -> Sequence[RowMapping]:
    """What was written down, newest first."""
    statement = select(audit).order_by(audit.c.id.desc()).limit(limit)
    if before is not None:
        statement = statement.where(audit.c.id < before)
    return connection.execute(statement).mappings().all()


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
