"""Whom accounts show themselves as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, select

from fracas.server.arena.records import Missing
from fracas.server.database.tables import account


@dataclass(frozen=True)
class Person:
    """Whom an account shows itself as."""

    id: str
    handle: str
    name: str
    role: str


def person(row: Any) -> Person:
    """The account of a row that has its id as `account`, handle, display_name and role."""
    return Person(row.account, row.handle, row.display_name or row.handle, row.role)


PERSON = (account.c.handle, account.c.display_name, account.c.role)


_ACCOUNT = select(account.c.id.label("account"), account.c.handle, account.c.display_name, account.c.role).where(
    account.c.handle_key == bindparam("of_handle")
)


def account_by_handle(connection: Connection, handle: str) -> Person:
    """An account by its handle.

    Raises:
        Missing: there is none.
    """
    row = connection.execute(_ACCOUNT, {"of_handle": handle.casefold()}).first()
    if row is None:
        raise Missing("account")
    return person(row)
