"""The cache folder of compiled code: private, sealed against damage, never a reason to fail (docs/adr/0005).

Compiled code is a program: anyone who can write to the folder decides what this process runs. So a folder that others
can write to is not used. Any failure here costs only a compilation and a line in the log `fracas`.
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
# The start of each file: the hash of everything that follows.
SEAL = 32
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_told: set[str] = set()


class Damaged(Exception):
    """A file of the cache does not have the content that was written."""


def why_untrusted(folder: Path) -> str | None:
    """Why a folder of compiled code must not be used, as text; None if it is safe or does not exist yet."""
    for directory in (folder.parent, folder):
        try:
            status = directory.stat()
        except OSError:
            return None
        reason = _why_untrusted(status, directory)
        # In a folder like /tmp others can create files, but cannot replace ours.
        if reason is not None and not (directory == folder.parent and status.st_mode & stat.S_ISVTX):
            return reason
    return None


def _why_untrusted(status: os.stat_result, directory: Path) -> str | None:
    if os.name != "posix":
        return None
    if status.st_uid not in (os.geteuid(), 0):
        return f"{directory} belongs to another user"
    if status.st_mode & _OTHERS_WRITE:
        return f"others can write {directory}: use chmod go-w"
    return None


def make_private(folder: Path) -> bool:
    """Create a folder for compiled code that only its owner can access; False if that fails or it cannot be trusted."""
    try:
        folder.parent.parent.mkdir(parents=True, exist_ok=True)
        for directory in (folder.parent, folder):
            directory.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        return False
    return why_untrusted(folder) is None


def read(file: Path) -> bytes | None:
    """Read a cache file; None if it does not exist.

    Raises:
        Damaged: it has other content, or others can write to it.
        OSError: it cannot be read.
    """
    try:
        with file.open("rb") as opened:
            return _unsealed(opened, file)
    except FileNotFoundError:
        return None


def _unsealed(opened: IO[bytes], file: Path) -> bytes:
    reason = _why_untrusted(os.fstat(opened.fileno()), file)
    if reason is not None:
        raise Damaged(reason)
    seal, data = opened.read(SEAL), opened.read()
    if blake3(data).digest() != seal:
        raise Damaged(f"{file} is damaged")
    return data


def write(file: Path, data: bytes) -> None:
    """Write a file that appears complete or not at all.

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
    """Whether a cache file has other content than was written, or others can write to it."""
    try:
        read(file)
    except (Damaged, OSError):
        return True
    return False


def tell_once(message: str) -> None:
    """Log a warning, at most once per process."""
    if message not in _told:
        _told.add(message)
        _log().warning(message)


def tell(message: str) -> None:
    """Log a remark."""
    _log().info(message)


def _log() -> Any:
    # Not imported at the top: most runs log nothing.
    import logging

    return logging.getLogger("fracas")
