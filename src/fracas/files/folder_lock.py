"""A folder in which a running program keeps what is finished. Nobody else writes there while it runs."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from fracas.files.atomic_write import write_error
from fracas.files.file_lock import held_by_another, is_file, sign, try_lock

LOCK = "lock"
PART = ".part"
# So often is a folder made anew that somebody else has just removed. A place where none can be made has none either.
MOST_TRIES = 100


class LockedFolder:
    """A folder that one program holds at a time. Files appear in it whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    def acquire(self) -> None:
        """Make the folder, and keep others out until `_release`, or until this program ends, however it does.

        Raises:
            InputError: another program holds it, or nothing can be written there.
        """
        reason: Exception | str = "it is removed again and again"
        for _ in range(MOST_TRIES):
            try:
                self.path.mkdir(exist_ok=True)
                lock = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
            except FileNotFoundError as error:
                reason = error
                if not self.path.parent.is_dir():
                    break
                continue  # Whoever held it has just removed it.
            except (OSError, ValueError) as error:
                raise write_error(self.path, error) from None
            if not try_lock(lock):
                os.close(lock)
                raise held_by_another(self.path, self.path / LOCK)
            if is_file(lock, self.path / LOCK):
                self._lock = lock
                sign(lock)
                return
            os.close(lock)
        raise write_error(self.path, reason)

    def release(self, *, remove: bool) -> None:
        """Let others in, and remove the folder if there is nothing in it that is worth keeping."""
        if self._lock is None:
            return
        if remove:
            for entry in self.path.iterdir():
                if entry.name != LOCK:
                    _remove(entry)
        is_open = True
        with suppress(OSError):
            (self.path / LOCK).unlink()
            is_open = False
        os.close(self._lock)
        self._lock = None
        if is_open:
            # Not every system removes a file that is open.
            with suppress(OSError):
                (self.path / LOCK).unlink()
        if remove:
            with suppress(OSError):
                self.path.rmdir()

    def _write(self, name: str, content: bytes) -> None:
        """Write a file.

        Raises:
            InputError: it cannot be written.
        """
        temporary = self.path / f"{name}-{os.getpid()}{PART}"
        try:
            temporary.write_bytes(content)
            temporary.replace(self.path / name)
        except OSError as error:
            with suppress(OSError):
                temporary.unlink()
            raise write_error(self.path, error) from None


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry, ignore_errors=True)
    else:
        with suppress(OSError):
            entry.unlink()
