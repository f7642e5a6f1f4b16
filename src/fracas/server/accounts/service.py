"""What accounts can do: register, sign in, change and recover a password, name API keys, delete themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection

from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed
from fracas.server.accounts import deletion, names, own_data, store, tokens
from fracas.server.accounts.passwords import Passwords, password_problems
from fracas.server.clock import DAY, iso
from fracas.server.http.answers import link, links
from fracas.server.http.authorisation import KEY_SCOPES, Principal, Role, Scope
from fracas.server.http.context import Context
from fracas.server.http.problems import ApiProblem, not_found
from fracas.server_models.accounts import Account, NewKey, Note, Session, Token

LONGEST_KEY_LIFE = 366
LONGEST_KEY_NAME = 40


class Accounts:
    """The service. Each method is one use case; what it changes, it changes in one transaction."""

    def __init__(self, context: Context) -> None:
        self._settings, self._clock = context.settings, context.clock
        self._writer, self._readers = context.writer, context.readers
        self._limits, self._metrics = context.limits, context.metrics
        self.passwords = Passwords(context.settings)

    async def register(self, handle: str, password: str, invitation: str | None, address: str) -> Session:
        """Make an account and sign in.

        Raises:
            InputError: the handle or the password will not do.
            ApiProblem: 403, sign-up is closed or needs an invitation; 409, the handle is taken.
        """
        self._limits.take("password", f"register {address}", address=address)
        who = self._settings.who_may_register
        if who == "closed":
            raise ApiProblem("forbidden", "New accounts are not being made here.")
        if who == "invite" and not tokens.is_token(invitation or ""):
            raise ApiProblem("forbidden", "You need an invitation to register here.")
        handle = names.key_of(handle)
        _refuse([*names.handle_problems(handle), *password_problems(password, handle)])
        hashed, now = await self.passwords.hash(password), self._clock.now_ms()

        def command(connection: Connection) -> Session:
            if who == "invite" and tokens.take_once(connection, invitation or "", tokens.INVITE, now) is None:
                raise ApiProblem("forbidden", "This invitation is not valid, or was used.")
            identifier = store.create(connection, handle, hashed, now)
            if identifier is None:
                problem = Problem("handle", "is taken", "choose another one")
                raise ApiProblem("conflict", "This handle is taken.", problems=[problem])
            return self._new_session(connection, identifier, now)

        return await self._writer.run(command)

    async def sign_in(self, handle: str, password: str, caller: Principal) -> Session:
        """Check a password and begin a session; the session that the caller shows ends.

        An unknown name takes the same work and gets the same answer as a wrong password.

        Raises:
            ApiProblem: 401, name or password is wrong; 403, the account is suspended; 429, too many tries.
        """
        handle = names.key_of(handle)[: names.LONGEST_NAME]
        self._limits.check("failure", caller.address, address=caller.address)
        self._limits.take("password", f"{handle} {caller.address}")
        found = await self._readers.run(lambda connection: store.by_handle(connection, handle))
        stored = None if found is None else found.password_hash
        if not await self.passwords.matches(stored, password) or found is None or stored is None:
            self.note_failure(caller.address)
            raise ApiProblem("signed-out", "The name or the password is wrong.")
        account = found
        if account.state == "suspended":
            raise ApiProblem("forbidden", f"This account is suspended: {account.suspended_reason or 'no reason given'}")
        fresh = await self.passwords.hash(password) if self.passwords.is_outdated(stored) else None
        now = self._clock.now_ms()

        def command(connection: Connection) -> Session:
            store.hold(connection, account.id)
            # The password may have changed while it was being checked.
            if store.password_hash(connection, account.id) != stored:
                raise ApiProblem("signed-out", "The name or the password is wrong.")
            if fresh is not None:
                store.change(connection, account.id, password_hash=fresh)
            if caller.account == account.id and caller.token is not None:
                tokens.revoke(connection, account.id, identifier=caller.token, kind=tokens.SESSION)
            return self._new_session(connection, account.id, now)

        return await self._writer.run(command)

    def _new_session(self, connection: Connection, identifier: str, now: int) -> Session:
        """A new session. Only pages put it into a cookie: programs that keep cookies send the token."""
        text, _ = tokens.issue(connection, identifier, tokens.SESSION, now, life=tokens.SESSION_LIFE)
        return Session(
            token=text,
            expires_at=iso(now + tokens.SESSION_LIFE),
            account=store.by_id(connection, identifier),
            links=links(self=link("sessions", "current"), account=link("account")),
        )

    async def sign_out(self, caller: Principal, session: str | None) -> None:
        """End one session, or all sessions if none is named.

        Raises:
            ApiProblem: 404, the account has no such session.
        """
        ended = await self._writer.run(
            lambda connection: tokens.revoke(connection, caller.id, identifier=session, kind=tokens.SESSION)
        )
        if session is not None and not ended:
            raise not_found("no such session")

    async def account_of(self, caller: Principal) -> Account:
        """The caller's account."""
        return await self._readers.run(lambda connection: store.by_id(connection, caller.id))

    async def rename(self, caller: Principal, display_name: str) -> Account:
        """Change the display name; an empty text removes it.

        Raises:
            InputError: the name will not do.
        """
        _refuse(names.display_name_problems(display_name))

        def command(connection: Connection) -> Account:
            store.change(connection, caller.id, display_name=names.display_name(display_name))
            return store.by_id(connection, caller.id)

        return await self._writer.run(command)

    async def change_password(self, caller: Principal, current: str, new: str, *, delete_keys: bool = False) -> Session:
        """Change the password. All sessions end; a new one begins. API keys stay unless they are deleted too.

        Raises:
            InputError: the new password will not do.
            ApiProblem: 403, the current password is wrong.
        """
        stored = await self._check_own_password(caller, current)
        _refuse(password_problems(new, caller.handle or "", "new_password"))
        hashed, now = await self.passwords.hash(new), self._clock.now_ms()

        def command(connection: Connection) -> Session:
            store.hold(connection, caller.id)
            if store.password_hash(connection, caller.id) != stored:
                raise ApiProblem("conflict", "The password was changed by another request.")
            if delete_keys:
                tokens.revoke(connection, caller.id, kind=tokens.API_KEY)
            return self._new_password(connection, caller.id, hashed, now)

        return await self._writer.run(command)

    async def recover(self, handle: str, code: str, new: str, address: str) -> Session:
        """Set a password with a code that `fracas server reset-password` printed. All sessions and API keys end.

        Raises:
            InputError: the new password will not do.
            ApiProblem: 403, the code is not this account's, was used or is too old; 429, too many tries.
        """
        handle = names.key_of(handle)[: names.LONGEST_NAME]
        self._limits.check("failure", address, address=address)
        self._limits.take("password", f"{handle} {address}")
        _refuse(password_problems(new, handle, "new_password"))
        hashed, now = await self.passwords.hash(new), self._clock.now_ms()

        def command(connection: Connection) -> Session:
            owner = tokens.take_once(connection, code, tokens.RECOVERY, now)
            row = store.by_handle(connection, handle)
            if owner is None or row is None or row.id != owner or row.state != "active":
                raise ApiProblem("forbidden", "The code is not valid for this account, was used, or is too old.")
            tokens.revoke(connection, owner, kind=tokens.API_KEY)
            return self._new_password(connection, owner, hashed, now)

        try:
            return await self._writer.run(command)
        except ApiProblem:
            self.note_failure(address)
            raise

    def _new_password(self, connection: Connection, identifier: str, hashed: str, now: int) -> Session:
        store.change(connection, identifier, password_hash=hashed)
        tokens.revoke(connection, identifier, kind=tokens.SESSION)
        tokens.revoke(connection, identifier, kind=tokens.RECOVERY)
        return self._new_session(connection, identifier, now)

    async def _check_own_password(self, caller: Principal, password: str) -> str:
        """Check the password of somebody who is signed in; return its hash.

        Raises:
            ApiProblem: 403, it is wrong; 429, too many tries.
        """
        self._limits.check("failure", caller.address, address=caller.address)
        self._limits.take("password", f"{caller.handle} {caller.address}")
        stored = await self._readers.run(lambda connection: store.password_hash(connection, caller.id))
        if not await self.passwords.matches(stored, password) or stored is None:
            self.note_failure(caller.address)
            raise ApiProblem("forbidden", "The password is wrong.")
        return stored

    def note_failure(self, address: str) -> None:
        """Count a wrong password, code or token against an address."""
        self._metrics.failed_sign_ins.inc()
        with suppress(ApiProblem):
            self._limits.take("failure", address, address=address)

    async def delete(self, caller: Principal, password: str) -> None:
        """Delete the caller's account; see `deletion.delete_account`.

        Raises:
            ApiProblem: 403, the password is wrong.
        """
        await self._check_own_password(caller, password)
        now = self._clock.now_ms()
        await self._writer.run(lambda connection: deletion.delete_account(connection, caller.id, now))

    async def export(self, caller: Principal) -> dict[str, Any]:
        """Everything that is stored about the caller."""
        return await self._readers.run(lambda connection: own_data.own_data(connection, caller.id))

    async def tokens(self, caller: Principal, kind: str) -> list[Token]:
        """The caller's sessions or API keys, without the tokens."""
        now = self._clock.now_ms()
        return await self._readers.run(lambda connection: store.tokens_of(connection, caller.id, kind, now))

    def new_key(self, caller: Principal, name: str, scopes: Iterable[str], days: int) -> Callable[[Connection], NewKey]:
        """A command that makes an API key.

        Raises:
            InputError: the name, the scopes or the days will not do.
        """
        wanted, now = set(scopes), self._clock.now_ms()
        known = {each.value for each in KEY_SCOPES}
        problems = []
        if unknown := sorted(wanted - known):
            problems.append(Problem("scopes", f"a key cannot have {listed(unknown, 'and')}"))
        if not wanted:
            problems.append(Problem("scopes", "is empty", f"name one or more of {listed(sorted(known))}"))
        if not 1 <= len(name.strip()) <= LONGEST_KEY_NAME or not name.isprintable():
            problems.append(Problem("name", f"must have 1 to {LONGEST_KEY_NAME} printable characters"))
        if not 1 <= days <= LONGEST_KEY_LIFE:
            problems.append(Problem("days", f"must be 1 to {LONGEST_KEY_LIFE}"))
        _refuse(problems)
        life, chosen = days * DAY, tuple(Scope(each) for each in sorted(wanted))

        def command(connection: Connection) -> NewKey:
            store.hold(connection, caller.id)
            there = store.tokens_of(connection, caller.id, tokens.API_KEY, now)
            if len(there) >= tokens.MOST_KEYS:
                raise ApiProblem("conflict", f"You have {tokens.MOST_KEYS} API keys, the most there may be.")
            text, identifier = tokens.issue(
                connection, caller.id, tokens.API_KEY, now, life=life, scopes=chosen, name=name.strip()
            )
            paths = links(self=link("keys", identifier))
            return NewKey(id=identifier, token=text, expires_at=iso(now + life), links=paths)

        return command

    async def revoke_key(self, caller: Principal, key: str) -> None:
        """Delete an API key.

        Raises:
            ApiProblem: 404, the account has no such key.
        """
        if not await self._writer.run(
            lambda connection: tokens.revoke(connection, caller.id, identifier=key, kind=tokens.API_KEY)
        ):
            raise not_found("no such key")

    async def audit(self, before: str | None, limit: int) -> list[Note]:
        """What operators and accounts did, newest first."""
        return await self._readers.run(lambda connection: store.notes(connection, before, limit))

    async def suspend(self, caller: Principal, handle: str, reason: str | None) -> None:
        """Suspend an account with a reason, or let it in again without one.

        Raises:
            ApiProblem: 404, there is no such account; 409, it is an operator's or was deleted.
        """
        now = self._clock.now_ms()
        await self._writer.run(lambda connection: suspend(connection, caller.id, handle, reason, now))


def suspend(connection: Connection, who: str, handle: str, reason: str | None, now: int) -> None:
    """Suspend an account with a reason, or let it in again without one.

    Raises:
        ApiProblem: 404, there is no such account; 409, it is an operator's or was deleted.
    """
    account = store.by_handle(connection, names.key_of(handle))
    if account is None:
        raise not_found("no such account")
    if account.state == "deleted" or account.role == Role.OPERATOR:
        raise ApiProblem("conflict", f"An account that is {account.state} as {account.role} cannot be suspended.")
    state = "active" if reason is None else "suspended"
    store.change(connection, account.id, state=state, suspended_reason=reason)
    if reason is not None:
        tokens.revoke(connection, account.id, kind=tokens.SESSION)
    store.note(connection, who, "allow" if reason is None else "suspend", account.id, now, reason)


def _refuse(problems: list[Problem]) -> None:
    if problems:
        raise InputError(problems)
