"""A locked folder in which a running program stores finished work; no other program writes there meanwhile."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from fracas.files.atomic_write import write_error
from fracas.files.file_lock import held_by_another, is_file, sign, try_lock

LOCK = "lock"
PART = ".part"
# How often to create the folder again if another program has just removed it.
MOST_TRIES = 100


class LockedFolder:
    """A folder that one program holds at a time. Files are written to it atomically."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    def acquire(self) -> None:
        """Create and lock the folder until `release`, or until this program ends.

        Raises:
            InputError: another program holds the folder, or it cannot be written.
        """
        reason: Exception | str = "another program keeps removing it"
        for _ in range(MOST_TRIES):
            try:
                self.path.mkdir(exist_ok=True)
                lock = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
            except FileNotFoundError as error:
                reason = error
                if not self.path.parent.is_dir():
                    break
                continue  # The previous holder has just removed it.
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
        """Release the lock; with `remove`, delete the folder's contents too."""
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
            # Some systems cannot remove an open file.
            with suppress(OSError):
                (self.path / LOCK).unlink()
        if remove:
            with suppress(OSError):
                self.path.rmdir()

    def _write(self, name: str, content: bytes) -> None:
        """Write a file atomically.

        Raises:
            InputError: the file cannot be written.
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
