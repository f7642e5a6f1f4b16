"""Locks that one program holds at a time, and that end with it however it ends."""

from __future__ import annotations

import os
import platform
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from fracas.errors import InputError
from fracas.files.atomic_write import PRIVATE, writable_path, write_error

# Where the byte is that is locked: beyond what is written, so that others can read that.
_LOCKED_BYTE = 1 << 20
SUFFIX = ".lock"
# Whoever held it may have just removed it; whoever holds it for good is met at once.
MOST_TRIES = 100


class Hold:
    """A file that one program writes at a time: while it is held, a lock file stands beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._place = path
        self._lock: int | None = None

    def __enter__(self) -> Hold:
        """Keep others out.

        Raises:
            InputError: another program holds it, or no lock can be made there.
        """
        place = writable_path(self.path)
        self._place = place.with_name(place.name + SUFFIX)
        for _ in range(MOST_TRIES):
            try:
                lock = os.open(self._place, os.O_RDWR | os.O_CREAT, PRIVATE)
            except (OSError, ValueError) as error:
                raise write_error(self.path, error) from None
            if not try_lock(lock):
                os.close(lock)
                raise held_by_another(self.path, self._place)
            if is_file(lock, self._place):
                sign(lock)
                self._lock = lock
                return self
            os.close(lock)
        raise held_by_another(self.path, self._place)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Let others in."""
        if self._lock is None:
            return
        is_open = True
        with suppress(OSError):
            self._place.unlink()
            is_open = False
        os.close(self._lock)
        self._lock = None
        if is_open:
            # Not every system removes a file that is open.
            with suppress(OSError):
                self._place.unlink()


def is_file(lock: int, path: Path) -> bool:
    """Whether an open file is the one that others would find, and not one that has just been removed."""
    with suppress(OSError):
        return os.path.samestat(os.fstat(lock), path.stat())
    return False


def sign(lock: int) -> None:
    """Write into a locked file who holds it; a full disk may leave it empty."""
    with suppress(OSError):
        os.truncate(lock, 0)
        os.write(lock, f"{os.getpid()} {platform.node()}\n".encode())


def held_by_another(path: Path, lock: Path) -> InputError:
    """The error for what another program holds, with what that has written into the lock."""
    who = "another program"
    with suppress(OSError, ValueError):
        number, _, host = lock.read_text().strip().partition(" ")
        if number and host:
            who = f"process {int(number)} on {host}"
    return InputError.of(str(path), f"is in use by {who}", "wait until that ends, or choose another place")


if sys.platform == "win32":
    import msvcrt

    def try_lock(file: int) -> bool:
        """Lock an open file if nobody has."""
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(file, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def try_lock(file: int) -> bool:
        """Lock an open file if nobody has."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
