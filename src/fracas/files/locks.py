"""Files and folders that one program holds at a time; the system releases them when the program ends."""

from __future__ import annotations

import os
import platform
import shutil
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from fracas.errors import InputError
from fracas.files.atomic_write import PRIVATE, writable_path, write_error

# Imported late: few commands need a lock.
if TYPE_CHECKING:
    from filelock import BaseFileLock

SUFFIX = ".lock"
LOCK = "lock"
PART = ".part"
# How often to create a folder again if another program has just removed it.
MOST_TRIES = 100
# Seconds: whoever held the lock may be removing its file at this moment.
PATIENCE = 0.05


class Hold:
    """Lock a file so that only one program writes it. Inside the block, a lock file exists beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: BaseFileLock | None = None

    def __enter__(self) -> Hold:
        """Take the lock.

        Raises:
            InputError: another program holds the lock, or it cannot be created.
        """
        file = writable_path(self.path)
        try:
            self._lock = _take(self.path, file.with_name(file.name + SUFFIX))
        except (OSError, ValueError) as error:
            raise write_error(self.path, error) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Release the lock."""
        _release(self._lock)
        self._lock = None


class LockedFolder:
    """A folder that one program holds at a time. Files are written to it atomically."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: BaseFileLock | None = None

    def acquire(self) -> None:
        """Create and lock the folder until `release`, or until this program ends.

        Raises:
            InputError: another program holds the folder, or it cannot be written.
        """
        reason: Exception | str = "another program keeps removing it"
        for _ in range(MOST_TRIES):
            try:
                self.path.mkdir(exist_ok=True)
                self._lock = _take(self.path, self.path / LOCK)
                return
            except FileNotFoundError as error:
                # The previous holder has just removed it.
                reason = error
                if not self.path.parent.is_dir():
                    break
            except (OSError, ValueError) as error:
                raise write_error(self.path, error) from None
        raise write_error(self.path, reason)

    def release(self, *, remove: bool) -> None:
        """Release the lock; with `remove`, delete the folder's contents too."""
        if self._lock is None:
            return
        if remove:
            for entry in self.path.iterdir():
                if entry.name != LOCK:
                    _remove(entry)
        _release(self._lock)
        self._lock = None
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


def _take(path: Path, file: Path) -> BaseFileLock:
    """Take the lock file of a path.

    Raises:
        InputError: another program holds it.
        OSError: it cannot be made.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(file, PATIENCE, PRIVATE, thread_local=False, fallback_to_soft=False, on_acquired=_sign)
    try:
        lock.acquire(poll_interval=PATIENCE / 10)
    except Timeout:
        raise _held_by_another(path, file) from None
    return lock


def _release(lock: BaseFileLock | None) -> None:
    """Release a lock and remove its file."""
    if lock is None:
        return
    # While it is held, so that nobody else's is removed. Windows cannot, and there the library does it afterwards.
    with suppress(OSError):
        Path(lock.lock_file).unlink()
    lock.release()


def _sign(lock: int) -> None:
    """Write the holder's process and machine into the lock file; a full disk may leave it empty."""
    with suppress(OSError):
        os.ftruncate(lock, 0)
        os.write(lock, f"{os.getpid()} {platform.node()}\n".encode())


def _held_by_another(path: Path, lock: Path) -> InputError:
    """Make the error for a path that another program holds, naming the holder if known."""
    who = "another program"
    with suppress(OSError, ValueError):
        number, _, host = lock.read_text().strip().partition(" ")
        if number and host:
            who = f"process {int(number)} on {host}"
    return InputError.of(str(path), f"is in use by {who}", "wait until it ends, or choose another path")


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry, ignore_errors=True)
    else:
        with suppress(OSError):
            entry.unlink()
