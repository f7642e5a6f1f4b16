"""Seeds that nobody can dispute: a secret per league and day, committed to in advance and published afterwards.

A match's seed is a hash of the day's secret, the match's number, both entries' sealed digests and both tickets' salts.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from blake3 import blake3

from fracas.errors import InputError
from fracas.files.atomic_write import PRIVATE, writable_path, write_error
from fracas.server.ids import random_bytes

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

SECRET_BYTES = 32
NONCE_BYTES = 12
SALT_BYTES = 16
LONGEST_SALT = 200

Field = bytes | str | int


def hash_fields(*fields: Field) -> bytes:
    """blake3 over fields, each as its length (8 bytes, little-endian) and its bytes; numbers are decimal text."""
    parts: list[bytes] = []
    for field in fields:
        data = field if isinstance(field, bytes) else str(field).encode()
        parts += (len(data).to_bytes(8, "little"), data)
    return blake3(b"".join(parts)).digest()


def commitment_of(secret: bytes, league: str, day: str) -> bytes:
    """What is published before a day: it binds the secret and tells nothing about it."""
    return hash_fields("fracas league day", secret, league, day)


@dataclass(frozen=True)
class SeedInputs:
    """Everything but the secret that a match's seed is made of."""

    league: str
    day: str
    """2026-11-22, UTC."""
    number: int
    """The match's number in its league-day, from 1."""
    digests: tuple[bytes, bytes]
    """The sealed digests of both entries."""
    salts: tuple[bytes, bytes]
    """The salts of both tickets."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """The inputs in the order in which they are hashed."""
        return (self.league, self.day, self.number, *self.digests, *self.salts)


def match_seed(secret: bytes, inputs: SeedInputs) -> str:
    """The seed text of a match: 64 hex digits."""
    return hash_fields("fracas match seed", secret, *inputs.fields).hex()


def new_secret() -> bytes:
    """A day's secret from the operating system's generator."""
    return random_bytes(SECRET_BYTES)


def new_salt() -> bytes:
    """The salt of a ticket whose owner gave none."""
    return random_bytes(SALT_BYTES)


class SecretError(InputError):
    """The secret file cannot be used, or is not the database's: the operator's fault, never a ticket's."""


class SecretBox:
    """Encrypts the secrets of running days with the key of the secret file (AES-256-GCM)."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    @classmethod
    def of_file(cls, path: Path, *, make: bool = False) -> SecretBox:
        """The box of a secret file; with `make`, it is made with mode 0600 if it does not exist.

        Raises:
            SecretError: it cannot be read or made, others may read it, or it is not a secret file.
        """
        if make and not path.exists():
            _make_secret_file(path)
        try:
            if os.name == "posix" and path.stat().st_mode & 0o077:
                raise SecretError.of(str(path), "others may read this secret file", f"chmod 600 {path.name}")
            key = bytes.fromhex(path.read_text(encoding="ascii").strip())
        except OSError as error:
            raise SecretError.of(str(path), f"cannot be read: {error.strerror}", _advice(error)) from None
        except ValueError:
            key = b""
        if len(key) != SECRET_BYTES:
            raise SecretError.of(str(path), "is not a secret file: 64 hexadecimal digits")
        return cls(key)

    def lock(self, secret: bytes, league: str, day: str) -> bytes:
        """Encrypt the secret of a league-day."""
        nonce = random_bytes(NONCE_BYTES)
        return nonce + self._cipher().encrypt(nonce, secret, _bound(league, day))

    def open(self, locked: bytes, league: str, day: str) -> bytes:
        """Decrypt the secret of a league-day.

        Raises:
            SecretError: it was encrypted with another secret file, or for another league-day.
        """
        from cryptography.exceptions import InvalidTag

        try:
            return self._cipher().decrypt(locked[:NONCE_BYTES], locked[NONCE_BYTES:], _bound(league, day))
        except (InvalidTag, ValueError):
            message = f"does not open the secret of {league} on {day}"
            raise SecretError.of("--secret-file", message, "use the secret file that the server had then") from None

    def _cipher(self) -> AESGCM:
        # Imported late: verifying a league-day needs no encryption.
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        if not self._key:
            raise SecretError.of("--secret-file", "is needed to read or make the secrets of league-days")
        return AESGCM(self._key)


CLOSED = SecretBox(b"")
"""The box of those who have no secret file, and need none."""


def _advice(error: OSError) -> str | None:
    """What to do about a secret file that cannot be read."""
    if not isinstance(error, FileNotFoundError):
        return None
    return "put the server's own there, or name it with --secret-file or FRACAS_SERVER_SECRET_FILE"


def check_secret_file(path: Path) -> None:
    """Check a secret file, or that one can be made, without making it: a server that cannot start leaves none behind.

    Raises:
        InputError: it cannot be used.
    """
    if path.exists():
        SecretBox.of_file(path)
    else:
        writable_path(path)


def _make_secret_file(path: Path) -> None:
    """Make a secret file, whole or not at all; of several servers that start together, one makes it.

    Raises:
        InputError: it cannot be made.
    """
    target = writable_path(path)
    temporary = target.with_name(f".{os.getpid()}-{target.name[:40]}.part")
    try:
        temporary.unlink(missing_ok=True)
        _write_secret(temporary)
        try:
            os.link(temporary, target)
        except FileExistsError:
            pass
        except OSError:
            # A file system without hard links.
            with suppress(FileExistsError):
                _write_secret(target)
    except OSError as error:
        raise write_error(path, error) from None
    finally:
        with suppress(OSError):
            temporary.unlink()


def _write_secret(path: Path) -> None:
    """Write a new secret to a new file.

    Raises:
        OSError: it cannot be written, or is there.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    with os.fdopen(handle, "w") as file:
        file.write(new_secret().hex() + "\n")
        file.flush()
        # Days are locked with it at once: it must outlive a power cut.
        os.fsync(handle)


def _bound(league: str, day: str) -> bytes:
    return f"{league} {day}".encode()
