"""Tokens: opaque texts that stand for an account. The database holds only their SHA-256."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from fracas.server import ids
from fracas.server.clock import DAY, HOUR, SECOND, Clock
from fracas.server.database.notices import notify
from fracas.server.database.tables import account, token
from fracas.server.http.authorisation import Principal, Role, Scope

BEGINNING = "frc_"
_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_BYTES = 32
LENGTH = len(BEGINNING) + 43

SESSION, API_KEY, RECOVERY, INVITE = "session", "api", "recovery", "invite"
SESSION_LIFE = 30 * DAY
RECOVERY_LIFE = DAY
INVITE_LIFE = 14 * DAY
MOST_KEYS = 5
# A use is written down at most this often, so that reading does not become writing.
NOTED_EVERY = HOUR
CACHED_FOR = 5 * SECOND
MOST_CACHED = 10_000


def new_token() -> str:
    """Make a token: `frc_` and 32 random bytes in base 62."""
    number = int.from_bytes(ids.random_bytes(_BYTES))
    letters = []
    for _ in range(LENGTH - len(BEGINNING)):
        number, digit = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[digit])
    return BEGINNING + "".join(reversed(letters))


def hash_of(text: str) -> bytes:
    """The SHA-256 of a token. A slow hash would protect nothing: the token is 256 random bits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def is_token(text: str) -> bool:
    """Whether a text has the form of a token. Others need not be looked up."""
    return len(text) == LENGTH and text.startswith(BEGINNING) and text[len(BEGINNING) :].isalnum() and text.isascii()


def issue(
    connection: Connection,
    account_id: str,
    kind: str,
    now: int,
    *,
    life: int,
    scopes: tuple[Scope, ...] = (),
    name: str | None = None,
) -> tuple[str, str]:
    """Make and store a token; return it, for the last time in the clear, and its id."""
    text, identifier = new_token(), ids.new_id(now)
    row = {
        "hash": hash_of(text),
        "id": identifier,
        "account": account_id,
        "kind": kind,
        "name": name,
        "scopes": " ".join(scopes),
        "created_at": now,
        "used_at": None,
        "expires_at": now + life,
    }
    connection.execute(insert(token).values(**row))
    return text, identifier


def revoke(connection: Connection, account_id: str, *, identifier: str | None = None, kind: str | None = None) -> int:
    """Delete tokens of an account: all, those of a kind, or the one with an id; return how many there were."""
    statement = delete(token).where(token.c.account == account_id)
    if identifier is not None:
        statement = statement.where(token.c.id == identifier)
    if kind is not None:
        statement = statement.where(token.c.kind == kind)
    count = int(connection.execute(statement).rowcount)
    if count:
        notify(connection, f"token:{account_id}")
    return count


def take_once(connection: Connection, text: str, kind: str, now: int) -> str | None:
    """Use up a recovery or invitation code; return its account, or None if there is no such code."""
    statement = (
        delete(token)
        .where(token.c.hash == hash_of(text), token.c.kind == kind, token.c.expires_at > now)
        .returning(token.c.account)
    )
    found: str | None = connection.execute(statement).scalar_one_or_none()
    return found


def forget_expired(connection: Connection, now: int) -> int:
    """Delete tokens that expired; return how many."""
    return int(connection.execute(delete(token).where(token.c.expires_at <= now)).rowcount)


@dataclass(frozen=True, slots=True)
class ValidToken:
    """A valid token as it was read from the database."""

    principal: Principal
    kind: str
    used_at: int | None
    expires_at: int


# Built once: each account's token is looked up again every five seconds.
_VALID = (
    select(
        token.c.id,
        token.c.kind,
        token.c.scopes,
        token.c.used_at,
        token.c.expires_at,
        account.c.id.label("account"),
        account.c.handle,
        account.c.role,
    )
    .join(account, account.c.id == token.c.account)
    .where(token.c.hash == bindparam("key"), token.c.kind.in_((SESSION, API_KEY)), account.c.state == "active")
)


def look_up(connection: Connection, key: bytes) -> ValidToken | None:
    """Read the account behind a token's hash; None if there is none, or the account may not sign in."""
    row = connection.execute(_VALID, {"key": key}).one_or_none()
    if row is None:
        return None
    role = Role(row.role)
    scopes = frozenset(row.scopes.split())
    if row.kind == SESSION:
        scopes = session_scopes(role)
    return ValidToken(Principal(row.account, row.handle, role, scopes, row.id), row.kind, row.used_at, row.expires_at)


def valid_token(connection: Connection, text: str, now: int) -> ValidToken | None:
    """What stands behind the text of a token; None if it is none, or no longer."""
    found = look_up(connection, hash_of(text)) if is_token(text) else None
    return found if found is not None and found.expires_at > now else None


def session_scopes(role: Role) -> frozenset[str]:
    """What a session of a role may do."""
    scopes = {Scope.READ, Scope.PLAY, Scope.ACCOUNT}
    return frozenset(each.value for each in (scopes | {Scope.ADMIN} if role is Role.OPERATOR else scopes))


def note_use(connection: Connection, identifier: str, kind: str, now: int) -> None:
    """Write down that a token was used; a session then lives another thirty days.

    Uses may be written out of order, or by a clock that was set back, so an earlier one never shortens a session.
    """
    values: dict[str, Any] = {"used_at": now}
    noted = update(token).where(token.c.id == identifier)
    if kind == SESSION:
        values["expires_at"] = now + SESSION_LIFE
        noted = noted.where(token.c.expires_at <= now + SESSION_LIFE)
    connection.execute(noted.values(**values))


class TokenCache:
    """Tokens that were valid a moment ago. A revocation, here or in another process, empties what it concerns."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._valid: OrderedDict[bytes, tuple[int, ValidToken]] = OrderedDict()
        self._lock = Lock()
        self._emptied = 0

    def recall(self, key: bytes) -> ValidToken | None:
        """A token read in the last five seconds."""
        with self._lock:
            found = self._valid.get(key)
        if found is None or not 0 <= self._clock.now_ms() - found[0] < CACHED_FOR:
            return None
        return found[1]

    def epoch(self) -> int:
        """A number that changes with each revocation; take it before reading the database."""
        with self._lock:
            return self._emptied

    def keep(self, key: bytes, valid: ValidToken, epoch: int) -> None:
        """Remember a token that was read, unless something was revoked meanwhile."""
        with self._lock:
            if epoch != self._emptied:
                return
            self._valid[key] = (self._clock.now_ms(), valid)
            self._valid.move_to_end(key)
            while len(self._valid) > MOST_CACHED:
                self._valid.popitem(last=False)

    def hear(self, notice: str) -> None:
        """Listen to notices: `token:ACCOUNT` forgets the account's tokens."""
        kind, _, subject = notice.partition(":")
        if kind != "token":
            return
        with self._lock:
            self._emptied += 1
            for key in [key for key, (_, valid) in self._valid.items() if valid.principal.account == subject]:
                del self._valid[key]
