"""What `fracas server` does with accounts: make operators, print recovery codes and invitations, suspend, grant."""

from __future__ import annotations

from sqlalchemy import Connection

from fracas.errors import InputError
from fracas.server.accounts import names, service, store, tokens
from fracas.server.http.authorisation import Role
from fracas.server.http.problems import ApiProblem

WHO = "fracas server"
MOST_INVITATIONS = 1_000
GRANTED = ("player", "operator")


def create_admin(connection: Connection, handle: str, now: int) -> str:
    """Make an operator's account without a password; return the code that sets one.

    Raises:
        InputError: the handle will not do, or is taken.
    """
    handle = names.key_of(handle)
    # Reserved names are for operators.
    if not names.HANDLE.fullmatch(handle):
        raise InputError(names.handle_problems(handle))
    identifier = store.create(connection, handle, None, now, role=Role.OPERATOR)
    if identifier is None:
        message = f'"{handle}" is taken'
        raise InputError.of("HANDLE", message, f"to make it an operator: fracas server grant {handle} operator")
    store.note(connection, WHO, "create operator", identifier, now)
    return tokens.issue(connection, identifier, tokens.RECOVERY, now, life=tokens.RECOVERY_LIFE)[0]


def reset_password(connection: Connection, handle: str, now: int) -> str:
    """Make a code, valid for a day, that sets a new password; older codes end.

    Raises:
        InputError: there is no such account, or it was deleted or suspended.
    """
    account = _found(connection, handle)
    if account.state != "active" or account.role in (Role.BOT, Role.GUEST):
        raise InputError.of("HANDLE", f'"{account.handle}" is {account.state} as {account.role}')
    tokens.revoke(connection, account.id, kind=tokens.RECOVERY)
    store.note(connection, WHO, "reset password", account.id, now)
    return tokens.issue(connection, account.id, tokens.RECOVERY, now, life=tokens.RECOVERY_LIFE)[0]


def suspend(connection: Connection, handle: str, reason: str | None, now: int) -> None:
    """Suspend an account with a reason, or let it in again without one.

    Raises:
        InputError: there is no such account, or it is an operator's or was deleted.
    """
    _found(connection, handle)
    try:
        service.suspend(connection, WHO, handle, reason, now)
    except ApiProblem as error:
        raise InputError.of("HANDLE", error.detail) from None


def grant(connection: Connection, handle: str, role: str, now: int) -> None:
    """Make an account an operator's or a player's. Operators are not rated.

    Raises:
        InputError: there is no such account or role, or the account is a bot's or a guest's.
    """
    if role not in GRANTED:
        raise InputError.of("ROLE", f'"{role}" cannot be granted', "write player or operator")
    account = _found(connection, handle)
    if account.state == "deleted" or account.role in (Role.BOT, Role.GUEST):
        raise InputError.of("HANDLE", f'"{account.handle}" is {account.state} as {account.role}')
    store.change(connection, account.id, role=role)
    store.note(connection, WHO, f"grant {role}", account.id, now)


def invite(connection: Connection, count: int, now: int) -> list[str]:
    """Make invitation codes, each for one registration within fourteen days.

    Raises:
        InputError: there is no operator who invites, or too many are asked for.
    """
    if not 1 <= count <= MOST_INVITATIONS:
        raise InputError.of("--count", f"must be 1 to {MOST_INVITATIONS:,}, not {count}")
    operator = store.first_operator(connection)
    if operator is None:
        raise InputError.of("--count", "there is no operator yet", "make one first: fracas server create-admin HANDLE")
    store.note(connection, WHO, "invite", operator, now, f"{count} codes")
    return [tokens.issue(connection, operator, tokens.INVITE, now, life=tokens.INVITE_LIFE)[0] for _ in range(count)]


def _found(connection: Connection, handle: str) -> store.AccountView:
    row = store.by_handle(connection, names.key_of(handle))
    if row is None:
        raise InputError.of("HANDLE", f'there is no account "{handle[: names.LONGEST_NAME]}"')
    return row
