"""Passwords: argon2id in two threads. An unknown name costs the same hash as a known one."""

from __future__ import annotations

import asyncio
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from fracas.errors import Problem
from fracas.server.http.problems import too_many
from fracas.server.settings import Settings

SHORTEST, LONGEST = 8, 256
AT_A_TIME = 2
MOST_WAITING = 8


class Passwords:
    """Hashes and checks passwords, two at a time. When eight more wait, callers are sent away for a second."""

    def __init__(self, settings: Settings) -> None:
        self._hasher = PasswordHasher(settings.argon2_passes, settings.argon2_kib, 1, type=Type.ID)
        self._pool = ThreadPoolExecutor(AT_A_TIME, "fracas passwords")
        self._busy = 0
        # What a name without a password is checked against, so that it takes as long to be refused.
        self._nobody = self._hasher.hash("nobody has this password")
        self.hashes = 0
        """Hashes computed so far."""

    async def hash(self, password: str) -> str:
        """Hash a new password.

        Raises:
            ApiProblem: 429, too many wait.
        """
        return str(await self._in_thread(self._hasher.hash, normal(password)))

    async def matches(self, stored: str | None, password: str) -> bool:
        """Whether a password is the stored one; without a stored one, no, after the same work.

        Raises:
            ApiProblem: 429, too many wait.
        """
        is_right = bool(await self._in_thread(self._verify, stored or self._nobody, normal(password)))
        return is_right and stored is not None

    def is_outdated(self, stored: str) -> bool:
        """Whether a stored hash was made with other parameters than new ones are."""
        return self._hasher.check_needs_rehash(stored)

    def stop(self) -> None:
        """Finish the hashes that run."""
        self._pool.shutdown()

    def _verify(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _in_thread(self, work: object, *arguments: str) -> object:
        if self._busy >= AT_A_TIME + MOST_WAITING:
            raise too_many("Too many passwords are being checked.", 1)
        self._busy += 1
        self.hashes += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)  # type: ignore[arg-type]
        finally:
            self._busy -= 1


def normal(password: str) -> str:
    """A password as it is hashed: keyboards write the same letter in more than one way."""
    return unicodedata.normalize("NFC", password)


def password_problems(password: str, handle: str, where: str = "password") -> list[Problem]:
    """What is wrong with a new password. The password itself is in no message."""
    if not SHORTEST <= len(password) <= LONGEST:
        return [Problem(where, f"must have {SHORTEST} to {LONGEST} characters", "three or four random words do well")]
    if password.casefold() == handle.casefold() or len(set(password)) < 3:
        return [Problem(where, "is too easy to guess", "three or four random words do well")]
    if password.casefold() in _common():
        message = "is one of the 10,000 most common passwords, which are tried first"
        return [Problem(where, message, "three or four random words do well")]
    return []


@cache
def _common() -> frozenset[str]:
    """The most common passwords, of the lists that zxcvbn has."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return frozenset(FREQUENCY_LISTS["passwords"][:10_000])
