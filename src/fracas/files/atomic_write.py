"""Write files and folders atomically: completely or not at all, and only over regular files."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from shutil import rmtree

from fracas.errors import InputError

PRIVATE = 0o600
# The disk or the user's quota is full.
_NO_ROOM = tuple(getattr(errno, name) for name in ("ENOSPC", "EDQUOT") if hasattr(errno, name))


def writable_path(path: Path) -> Path:
    """Resolve links to the path that is really written, and check that it can be.

    Raises:
        InputError: the folder does not exist, the path is a folder, pipe or device, or writing is not allowed.
    """
    try:
        resolved = path.resolve()
        if resolved.exists() and not resolved.is_file():
            raise write_error(path, "it is a folder" if resolved.is_dir() else "it is not a regular file")
        if not resolved.parent.is_dir():
            raise write_error(path, "there is no such folder")
    except (OSError, ValueError, RuntimeError) as error:
        raise write_error(path, error) from None
    if not os.access(resolved.parent, os.W_OK) or (resolved.exists() and not os.access(resolved, os.W_OK)):
        raise write_error(path, "permission denied")
    return resolved


def write_atomic(path: Path, content: bytes, *, is_private: bool = False) -> None:
    """Write a file completely or not at all; with `is_private`, only the user can read it.

    Raises:
        InputError: the file cannot be written.
    """
    target = writable_path(path)
    temporary = target.with_name(f".{os.getpid()}-{target.name[:40]}.part")
    try:
        if is_private:
            # The file must be private before anyone else can open it.
            temporary.unlink(missing_ok=True)
            with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
                file.write(content)
        else:
            temporary.write_bytes(content)
        temporary.replace(target)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise write_error(path, error) from None


def write_folder(path: Path, files: Mapping[str, str]) -> None:
    """Write a new folder of text files, given by relative path, completely or not at all.

    Raises:
        InputError: the path already exists, or cannot be written.
    """
    temporary = path.with_name(f".{os.getpid()}-{path.name[:40]}.part")
    try:
        if path.exists() or path.is_symlink():
            raise InputError.of(str(path), "already exists and is not overwritten")
        if not path.parent.is_dir():
            raise write_error(path, "there is no such folder")
        for name, text in files.items():
            file = temporary / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
        temporary.rename(path)
    except (OSError, ValueError) as error:
        rmtree(temporary, ignore_errors=True)
        raise write_error(path, error) from None


def write_error(path: Path, reason: Exception | str) -> InputError:
    """Make the error for a file that cannot be written."""
    if is_full(reason):
        return InputError.of(str(path), "cannot be written: the disk is full", "make room, or write to another disk")
    return InputError.of(str(path), f"cannot be written: {getattr(reason, 'strerror', None) or reason}")


def is_full(reason: Exception | str) -> bool:
    """Whether writing failed because the disk is full. Some libraries report that only in their message."""
    number = getattr(reason, "errno", None)
    return number in _NO_ROOM or (number is None and any(os.strerror(each) in str(reason) for each in _NO_ROOM))
