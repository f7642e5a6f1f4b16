"""The players' salts for a duel's seed: first sealed, then opened. titans/README.md, "Session", Commitment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fracas.content.validate import shown
from fracas.errors import InputError
from fracas.errors.suggestions import listed
from fracas.rulesets.shared.commit_reveal import handshake_of, is_hex, salt_seal

LONGEST_SALT = 200


class Salts:
    """Both players' salts with their seals and nonces; none can be replaced once given."""

    def __init__(self, names: Sequence[str], people: Sequence[bool]) -> None:
        self._names = names
        self._people = people
        self.seals: list[str | None] = [None, None]
        self.nonces: list[str | None] = [None, None]
        # The salt of a policy is the empty text.
        self.given: list[str | None] = [None if person else "" for person in people]

    def take_up(self, seals: Sequence[str | None], given: Sequence[str | None], nonces: Sequence[str | None]) -> None:
        """Restore saved seals, salts and nonces."""
        self.seals, self.given, self.nonces = list(seals), list(given), list(nonces)

    @property
    def both(self) -> tuple[str, str] | None:
        """Both salts, once both are given."""
        first, second = self.given
        return None if first is None or second is None else (first, second)

    @property
    def missing(self) -> list[str]:
        """The players who have not given a salt yet."""
        return [name for name, salt in zip(self._names, self.given, strict=True) if salt is None]

    @property
    def unsealed(self) -> list[str]:
        """The people who have not sealed a salt yet."""
        people = zip(self._names, self._people, self.seals, strict=True)
        return [name for name, person, seal in people if person and seal is None]

    def by_name(self, values: Sequence[str | None]) -> dict[str, str | None]:
        """Both players' values, by their names."""
        return dict(zip(self._names, values, strict=True))

    def handshake(self, commitment: str) -> str | None:
        """The digest of the commitment and both seals; None until every person has sealed a salt."""
        return None if self.unsealed else handshake_of(commitment, self.seals)

    def seal(self, seat: int, seal: Any) -> None:
        """Store a seal.

        Raises:
            InputError: it is invalid, or differs from the one given before.
        """
        where = f"salt_seals.{self._names[seat]}"
        refuse_no_hex(where, seal)
        if self.seals[seat] == seal:
            return
        if self.seals[seat] is not None or self.given[seat] is not None:
            raise InputError.of(where, "was already given and cannot change")
        self.seals[seat] = seal

    def refuse_missing(self, where: str) -> None:
        """Refuse to go on before both salts are given.

        Raises:
            InputError: a salt is missing; names the players.
        """
        if self.missing:
            hint = "a salt may be empty, but no round starts without both"
            raise InputError.of(where, f"no salt from {listed(self.missing, 'and')} yet", hint)

    def give(self, seat: int, salt: Any, nonce: Any) -> None:
        """Store a salt and check it against its seal.

        Raises:
            InputError: it is invalid, differs from an earlier salt or from its seal, or a person has not sealed yet.
        """
        where = f"salts.{self._names[seat]}"
        refuse_no_salt(where, salt)
        if self.given[seat] is not None:
            if (self.given[seat], self.nonces[seat]) != (salt, nonce):
                raise InputError.of(where, "was already given and cannot change")
            return
        if all(self._people) and self.unsealed:
            message = f"is too early: no sealed salt from {listed(self.unsealed, 'and')} yet"
            raise InputError.of(where, message, "both call seal_salt first; then both open their salts")
        seal = self.seals[seat]
        if seal is None and nonce is not None:
            raise InputError.of(where, "has a nonce but was not sealed", "leave the nonce out")
        if seal is not None:
            refuse_no_hex(f"nonces.{self._names[seat]}", nonce)
            if salt_seal(self._names[seat], salt, nonce) != seal:
                raise InputError.of(where, "does not match its seal and nonce")
        self.given[seat], self.nonces[seat] = salt, nonce


def refuse_no_salt(where: str, salt: Any) -> None:
    """Check that a salt is a text of at most 200 characters, encodable as UTF-8.

    Raises:
        InputError: it is not.
    """
    if isinstance(salt, str) and len(salt) <= LONGEST_SALT:
        try:
            salt.encode()
            return
        except UnicodeEncodeError:
            pass
    raise InputError.of(where, f"{shown(salt)} is not a text of at most {LONGEST_SALT} characters")


def refuse_no_hex(where: str, value: Any) -> None:
    """Check that a digest or nonce has 64 hexadecimal digits.

    Raises:
        InputError: it does not; the message never shows the value, which may be secret.
    """
    if not is_hex(value):
        raise InputError.of(where, "is not a text of 64 lower-case hexadecimal digits")
