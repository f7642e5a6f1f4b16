"""Who makes a request: an account with its role and the scopes of its token, or nobody."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What an account is. The words are stored in the database."""

    NOBODY = "nobody"
    PLAYER = "player"
    OPERATOR = "operator"
    BOT = "bot"
    GUEST = "guest"


class Scope(StrEnum):
    """What a token allows. Sessions allow everything that the account may do; an API key only what it was made for."""

    READ = "read"
    """Read what is the account's own."""
    PLAY = "play"
    """Submit entries, queue, challenge, practise."""
    ACCOUNT = "account"
    """Change the account, its password and its tokens. No API key has it."""
    ADMIN = "admin"
    """What operators may do. No API key has it."""


KEY_SCOPES = (Scope.READ, Scope.PLAY)


@dataclass(frozen=True, slots=True)
class Principal:
    """The caller of a request."""

    account: str | None = None
    """The account's id; None for nobody."""
    handle: str | None = None
    role: Role = Role.NOBODY
    scopes: frozenset[str] = frozenset()
    token: str | None = None
    """The id of the token that was shown, not the token."""
    address: str = ""
    """The peer's address, or what a trusted proxy says; IPv6 by /64."""

    @property
    def is_somebody(self) -> bool:
        """Whether the caller has shown a valid token."""
        return self.account is not None

    @property
    def subject(self) -> str:
        """Whom limits and budgets count: the account, or else the address."""
        return f"account:{self.account}" if self.account is not None else f"address:{self.address}"

    @property
    def id(self) -> str:
        """The account's id.

        Raises:
            RuntimeError: the route lets in nobody, and nobody came.
        """
        if self.account is None:
            raise RuntimeError("nobody has no id")
        return self.account
