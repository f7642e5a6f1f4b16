"""How a loaded scenario is kept for those who load it again, and what tells one from another."""

from __future__ import annotations

import marshal
import pickle
from collections.abc import Hashable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from blake3 import blake3

from fracas.files.process_cache import Seen
from fracas.kernel.packed_records import PackedRecords, packed
from fracas.rulesets.contract.types import Document, Override, Rows, Source

Frame = TypeVar("Frame")


@dataclass(frozen=True)
class KeptScenario(Generic[Frame]):
    """A scenario in parts. Nothing in it is handed out that anybody could change."""

    frame: Frame
    """The scenario without its documents and its record."""
    documents: bytes
    record: PackedRecords
    seen: Seen
    """The files and the content that it was made from."""

    @property
    def weight(self) -> int:
        """How many bytes are kept, but for the frame."""
        return len(self.documents) + self.record.nbytes

    def opened(self) -> tuple[Document, Document | None, Rows]:
        """The resolved document, the one as it is written if that is known, and the record: all of them new."""
        document, written = pickle.loads(self.documents)
        return document, written, self.record.unpacked()


def kept(frame: Frame, document: Document, written: Document | None, record: Rows, seen: Seen) -> KeptScenario[Frame]:
    """A scenario's parts as they are kept."""
    # Plain values and, from TOML, dates, which `marshal` does not know: `memory_key` lets nothing else come so far.
    return KeptScenario(frame, pickle.dumps((document, written)), packed(record), seen)


def memory_key(source: Document | str, origin: Source, asked: Mapping[str, Any]) -> Hashable | None:
    """All that decides what a scenario becomes, but for the content; None if that is not to be told of plain values."""
    if asked.get("plugins"):
        return None
    options = {key: _plain_option(value) for key, value in asked.items() if value is not None}
    try:
        # Version 2 writes equal values alike, and 1, 1.0 and true apart; it refuses what is no plain value.
        told = marshal.dumps((source, origin.where, str(Path.cwd()), options), 2)
    except (ValueError, OSError, RecursionError):
        return None
    return blake3(told).digest()


def _plain_option(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain_option(each) for each in value]
    if isinstance(value, Override):
        return [list(value.path), value.value, value.where]
    return str(value) if isinstance(value, Path) else value


def own_copy(document: Document) -> Document:
    """A copy of a document that shares nothing with it: whoever gave it may go on to change it."""
    try:
        copied: Document = marshal.loads(marshal.dumps(document, 2))
    except ValueError:  # A date, or what is no plain value.
        return deepcopy(document)
    return copied
