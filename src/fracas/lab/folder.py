"""A folder in which a running program keeps what is finished. Nobody else writes there while it runs."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from fracas.errors import InputError
from fracas.replay.output import cannot_be_written

LOCK = "lock"
PART = ".part"
# Where the byte is that is locked: beyond what is written, so that others can read that.
_LOCKED_BYTE = 1 << 20
# So often is a folder made anew that somebody else has just removed. A place where none can be made has none either.
MOST_TRIES = 100


class Folder:
    """A folder that one program holds at a time. Files appear in it whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    def _hold(self) -> None:
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
                raise cannot_be_written(self.path, error) from None
            if not _lock(lock):
                os.close(lock)
                raise self._held_by_another()
            if self._is_there(lock):
                self._sign(lock)
                return
            os.close(lock)
        raise cannot_be_written(self.path, reason)

    def _sign(self, lock: int) -> None:
        """Say in the lock who holds it; a full disk may leave it empty."""
        self._lock = lock
        with suppress(OSError):
            os.truncate(lock, 0)
            os.write(lock, f"{os.getpid()} {platform.node()}\n".encode())

    def _release(self, *, remove: bool) -> None:
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
            raise cannot_be_written(self.path, error) from None

    def _is_there(self, lock: int) -> bool:
        """Whether this is the file that others would find, and not one that has just been removed."""
        with suppress(OSError):
            return os.path.samestat(os.fstat(lock), (self.path / LOCK).stat())
        return False

    def _held_by_another(self) -> InputError:
        who = "another program"
        with suppress(OSError, ValueError):
            number, _, host = (self.path / LOCK).read_text().strip().partition(" ")
            if number and host:
                who = f"process {int(number)} on {host}"
        return InputError.of(str(self.path), f"is in use by {who}", "wait until that ends, or choose another place")


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry, ignore_errors=True)
    else:
        with suppress(OSError):
            entry.unlink()


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> bool:
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

    def _lock(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
