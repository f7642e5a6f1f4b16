"""The one file that the studio reads and may write."""

from __future__ import annotations

import re
import threading
from hashlib import sha256
from pathlib import Path

from fracas.errors import InputError
from fracas.files.atomic_write import writable_path, write_atomic
from fracas.files.read import is_there, read_text
from fracas.studio.drafts import LARGEST_DRAFT

SUFFIXES = (".toml", ".json")
_SAVED = re.compile(r'^\s*\{\s*"format"\s*:\s*"fracas')


class ChangedBelowError(Exception):
    """The file has changed since the page read it."""


class StudioFile:
    """The file that `fracas studio FILE` names; nothing else is written."""

    def __init__(self, path: Path) -> None:
        """Check that the file can be written and, if it exists, read.

        Raises:
            InputError: it is neither TOML nor JSON, is too large, cannot be read, or has no folder.
        """
        if path.suffix not in SUFFIXES:
            raise InputError.of(str(path), "is neither a .toml nor a .json file", "the studio edits scenarios")
        if is_there(path):
            if _SAVED.search(read_text(path, LARGEST_DRAFT)):
                raise InputError.of(
                    str(path), "is a saved battle", "the studio edits scenarios; fracas watch shows battles"
                )
        else:
            writable_path(path)
        self.path = path
        self._lock = threading.Lock()

    @property
    def folder(self) -> Path:
        """The folder of the files that it may name."""
        return self.path.parent

    def read(self) -> tuple[str, str | None]:
        """The text with plain line ends, and the mark of this state; empty and None while there is no file.

        Raises:
            InputError: it can no longer be read.
        """
        if not is_there(self.path):
            return "", None
        text = read_text(self.path, LARGEST_DRAFT)
        return text.replace("\r\n", "\n"), _mark(text)

    def save(self, text: str, seen: str | None) -> str:
        """Replace its text, unless it changed since the page saw it; returns the mark of the new state.

        Raises:
            ChangedBelowError: it changed.
            InputError: the text is too large, or the file cannot be written.
        """
        if len(text.encode()) > LARGEST_DRAFT:
            raise InputError.of(self.path.name, f"would be larger than {LARGEST_DRAFT:,} bytes")
        with self._lock:
            before = read_text(self.path, LARGEST_DRAFT) if is_there(self.path) else None
            if (None if before is None else _mark(before)) != seen:
                raise ChangedBelowError
            if before is not None and "\r\n" in before:
                text = text.replace("\n", "\r\n")
            write_atomic(self.path, text.encode())
            return _mark(text)


def _mark(text: str) -> str:
    return sha256(text.encode()).hexdigest()
