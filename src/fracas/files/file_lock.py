"""Lock files that one program holds at a time; the system releases them when the program ends."""

from __future__ import annotations

import os
import platform
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from fracas.errors import InputError
from fracas.files.atomic_write import PRIVATE, writable_path, write_error

# The offset of the locked byte: beyond the lock file's text, so that other programs can read the text.
_LOCKED_BYTE = 1 << 20
SUFFIX = ".lock"
# Retries, in case the holder has just removed the lock file. A lock that is really held is detected at once.
MOST_TRIES = 100


class Hold:
    """Lock a file so that only one program writes it. Inside the block, a lock file exists beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._place = path
        self._lock: int | None = None

    def __enter__(self) -> Hold:
        """Take the lock.

        Raises:
            InputError: another program holds the lock, or it cannot be created.
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
        """Release the lock."""
        if self._lock is None:
            return
        is_open = True
        with suppress(OSError):
            self._place.unlink()
            is_open = False
        os.close(self._lock)
        self._lock = None
        if is_open:
            # Some systems cannot remove an open file.
            with suppress(OSError):
                self._place.unlink()


def is_file(lock: int, path: Path) -> bool:
    """Whether an open lock file is still the one at this path, not one that was just removed."""
    with suppress(OSError):
        return os.path.samestat(os.fstat(lock), path.stat())
    return False


def sign(lock: int) -> None:
    """Write the holder's process and machine into the lock file; a full disk may leave it empty."""
    with suppress(OSError):
        os.truncate(lock, 0)
        os.write(lock, f"{os.getpid()} {platform.node()}\n".encode())


def held_by_another(path: Path, lock: Path) -> InputError:
    """Make the error for a file that another program holds, naming the holder if known."""
    who = "another program"
    with suppress(OSError, ValueError):
        number, _, host = lock.read_text().strip().partition(" ")
        if number and host:
            who = f"process {int(number)} on {host}"
    return InputError.of(str(path), f"is in use by {who}", "wait until it ends, or choose another path")


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
