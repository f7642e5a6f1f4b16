"""What the players give to a duel's seed: first sealed, then opened. README, "Session", Commitment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fracas.content.validate import shown
from fracas.errors import InputError
from fracas.errors.suggestions import listed
from fracas.rulesets.titans.content.models import is_hex
from fracas.rulesets.titans.session.commit_reveal import handshake_of, salt_seal

LONGEST_SALT = 200


class Salts:
    """The salts of both players with their seals and nonces; whatever was given once stays."""

    def __init__(self, names: Sequence[str], people: Sequence[bool]) -> None:
        self._names = names
        self._people = people
        self.seals: list[str | None] = [None, None]
        self.nonces: list[str | None] = [None, None]
        # Whoever is played by a policy gives the empty text.
        self.given: list[str | None] = [None if person else "" for person in people]

    def take_up(self, seals: Sequence[str | None], given: Sequence[str | None], nonces: Sequence[str | None]) -> None:
        """What was given, as it was kept."""
        self.seals, self.given, self.nonces = list(seals), list(given), list(nonces)

    @property
    def both(self) -> tuple[str, str] | None:
        """Both salts, once both are given."""
        first, second = self.given
        return None if first is None or second is None else (first, second)

    @property
    def missing(self) -> list[str]:
        """Who has given none yet."""
        return [name for name, salt in zip(self._names, self.given, strict=True) if salt is None]

    @property
    def unsealed(self) -> list[str]:
        """Which people have sealed none yet."""
        people = zip(self._names, self._people, self.seals, strict=True)
        return [name for name, person, seal in people if person and seal is None]

    def by_name(self, values: Sequence[str | None]) -> dict[str, str | None]:
        """What both have given, by their names."""
        return dict(zip(self._names, values, strict=True))

    def handshake(self, commitment: str) -> str | None:
        """The digest of the commitment and both seals; None until every person has sealed a salt."""
        return None if self.unsealed else handshake_of(commitment, self.seals)

    def seal(self, place: int, seal: Any) -> None:
        """Take a seal.

        Raises:
            InputError: it is none, or another one than before.
        """
        where = f"salt_seals.{self._names[place]}"
        refuse_no_hex(where, seal)
        if self.seals[place] == seal:
            return
        if self.seals[place] is not None or self.given[place] is not None:
            raise InputError.of(where, "was given already and stays as it is")
        self.seals[place] = seal

    def refuse_missing(self, where: str) -> None:
        """No round is played before both have given their salts.

        Raises:
            InputError: whose is missing.
        """
        if self.missing:
            hint = "the empty text is a salt too; without both no round can be played"
            raise InputError.of(where, f"{listed(self.missing, 'and')} has given no salt yet", hint)

    def give(self, place: int, salt: Any, nonce: Any) -> None:
        """Take a salt, and open its seal.

        Raises:
            InputError: it is none, another one than before or than was sealed; or not both people have sealed theirs.
        """
        where = f"salts.{self._names[place]}"
        refuse_no_salt(where, salt)
        if self.given[place] is not None:
            if (self.given[place], self.nonces[place]) != (salt, nonce):
                raise InputError.of(where, "was given already and stays as it is")
            return
        if all(self._people) and self.unsealed:
            message = f"comes too early: {listed(self.unsealed, 'and')} has not sealed a salt yet"
            raise InputError.of(where, message, "seal_salt takes the seals of both; then both open their salts")
        seal = self.seals[place]
        if seal is None and nonce is not None:
            raise InputError.of(where, "was not sealed, so there is nothing to open", "leave the nonce out")
        if seal is not None:
            refuse_no_hex(f"nonces.{self._names[place]}", nonce)
            if salt_seal(self._names[place], salt, nonce) != seal:
                raise InputError.of(where, "is not the one that was sealed, or this is not its nonce")
        self.given[place], self.nonces[place] = salt, nonce


def refuse_no_salt(where: str, salt: Any) -> None:
    """A salt is a text of at most 200 characters that can be written down.

    Raises:
        InputError: it is none.
    """
    if isinstance(salt, str) and len(salt) <= LONGEST_SALT:
        try:
            salt.encode()
            return
        except UnicodeEncodeError:
            pass
    raise InputError.of(where, f"{shown(salt)} is no text of at most {LONGEST_SALT} characters")


def refuse_no_hex(where: str, value: Any) -> None:
    """Digests and nonces have 64 digits.

    Raises:
        InputError: it is none; what it is may be a secret and is not shown.
    """
    if not is_hex(value):
        raise InputError.of(where, "is no text of 64 lower-case hexadecimal digits")
