"""Whom accounts show themselves as."""

from __future__ import annotations

from typing import Any

from pydantic import Field
from sqlalchemy import Connection, bindparam, select

from fracas.server.arena.refusals import Missing
from fracas.server.database.tables import account
from fracas.server_models import arena


class Person(arena.Person):
    """Whom an account shows itself as, and its id, which answers leave out."""

    id: str = Field(exclude=True)


def person(row: Any) -> Person:
    """The account of a row that has its id as `account`, handle, display_name and role."""
    return Person(id=row.account, handle=row.handle, name=row.display_name or row.handle, role=row.role)


PERSON = (account.c.handle, account.c.display_name, account.c.role)


_ACCOUNT = select(account.c.id.label("account"), *PERSON).where(account.c.handle_key == bindparam("of_handle"))


def account_by_handle(connection: Connection, handle: str) -> Person:
    """An account by its handle.

    Raises:
        Missing: there is none.
    """
    row = connection.execute(_ACCOUNT, {"of_handle": handle.casefold()}).first()
    if row is None:
        raise Missing("account")
    return person(row)
