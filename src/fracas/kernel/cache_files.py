"""The folder of compiled code: private, sealed against damage, and never a reason to fail (docs/adr/0005).

Compiled code is a program. Whoever can write into the folder decides what this process runs, so a folder that anybody
but its owner can write into is not used. Whatever goes wrong here costs a compilation and a line in the log `fracas`.
"""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from blake3 import blake3

ENDING = ".code"
# What each file begins with: the hash of all that follows.
SEAL = 32
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_told: set[str] = set()


class Damaged(Exception):
    """A file of the cache does not hold what was written into it."""


def distrust(folder: Path) -> str | None:
    """Why a folder of compiled code must not be used, in words; None if it may be, or is not there yet."""
    for place in (folder.parent, folder):
        try:
            found = place.stat()
        except OSError:
            return None
        reason = _distrust(found, place)
        # In a folder like /tmp others can make files, but not replace what is ours.
        if reason is not None and not (place == folder.parent and found.st_mode & stat.S_ISVTX):
            return reason
    return None


def _distrust(found: os.stat_result, place: Path) -> str | None:
    if os.name != "posix":
        return None
    if found.st_uid not in (os.geteuid(), 0):
        return f"{place} belongs to another user"
    if found.st_mode & _OTHERS_WRITE:
        return f"others can write {place}: use chmod go-w"
    return None


def make_private(folder: Path) -> bool:
    """Make a folder for compiled code, for its owner alone; False if it cannot be made or trusted."""
    try:
        folder.parent.parent.mkdir(parents=True, exist_ok=True)
        for place in (folder.parent, folder):
            place.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        return False
    return distrust(folder) is None


def read(file: Path) -> bytes | None:
    """What was written into a file; None if there is none.

    Raises:
        Damaged: it holds something else, or others can write it.
        OSError: it cannot be read.
    """
    try:
        with file.open("rb") as opened:
            return _unsealed(opened, file)
    except FileNotFoundError:
        return None


def _unsealed(opened: IO[bytes], file: Path) -> bytes:
    reason = _distrust(os.fstat(opened.fileno()), file)
    if reason is not None:
        raise Damaged(reason)
    seal, data = opened.read(SEAL), opened.read()
    if blake3(data).digest() != seal:
        raise Damaged(f"{file} is damaged")
    return data


def write(file: Path, data: bytes) -> None:
    """Write a file that appears whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    number, name = tempfile.mkstemp(suffix=".part", dir=file.parent)
    try:
        with os.fdopen(number, "wb") as opened:
            opened.write(blake3(data).digest() + data)
        Path(name).replace(file)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def is_damaged(file: Path) -> bool:
    """Whether a file of compiled code does not hold what was written into it, or others can write it."""
    try:
        read(file)
    except (Damaged, OSError):
        return True
    return False


def tell_once(message: str) -> None:
    """Write a warning into the log, each one once for a process."""
    if message not in _told:
        _told.add(message)
        _log().warning(message)


def tell(message: str) -> None:
    """Write a remark into the log."""
    _log().info(message)


def _log() -> Any:
    # Not at the top: hardly any start has anything to write.
    import logging

    return logging.getLogger("fracas")
