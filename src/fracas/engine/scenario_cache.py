"""The cached form of a loaded scenario, and the cache key."""

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
from fracas.kit.load import loaded_sources
from fracas.rulesets.contract.types import Document, Override, Rows, Source

Frame = TypeVar("Frame")


@dataclass(frozen=True)
class CachedScenario(Generic[Frame]):
    """A cached scenario in parts. Callers get copies, never the mutable parts themselves."""

    frame: Frame
    """The scenario without its document and its record."""
    document: bytes
    written: int
    """The size of the document as written, which is in the frame."""
    record: PackedRecords
    seen: Seen
    """The files and content that it was made from."""

    @property
    def weight(self) -> int:
        """The size in bytes, without the rest of the frame."""
        return len(self.document) + self.written + self.record.nbytes

    def opened(self) -> tuple[Document, Rows]:
        """Copies of the resolved document and of the record."""
        return pickle.loads(self.document), self.record.unpacked()


def cached_scenario(frame: Frame, document: Document, written: int, record: Rows, seen: Seen) -> CachedScenario[Frame]:
    """Convert a scenario's parts to their cached form."""
    # Plain values, plus dates from TOML, which `marshal` does not support; `memory_key` excludes anything else.
    return CachedScenario(frame, pickle.dumps(document), written, packed(record), seen)


def memory_key(source: Document | str, origin: Source, options: Mapping[str, Any]) -> Hashable | None:
    """The cache key: everything that determines a scenario, except the content; None if it cannot be cached."""
    if options.get("plugins"):
        return None
    plain = {key: _plain_option(value) for key, value in options.items() if value is not None}
    try:
        # Version 2 encodes equal values equally, distinguishes 1, 1.0 and true, and refuses other types.
        identity = marshal.dumps((source, origin.where, str(Path.cwd()), plain, loaded_sources()), 2)
    except (ValueError, OSError, RecursionError):
        return None
    return blake3(identity).digest()


def _plain_option(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain_option(each) for each in value]
    if isinstance(value, Override):
        return [list(value.path), value.value, value.where]
    return str(value) if isinstance(value, Path) else value


def own_copy(document: Document) -> Document:
    """A deep copy of a document, because the caller may change it later."""
    try:
        copied: Document = marshal.loads(marshal.dumps(document, 2))
    except ValueError:  # A date, or not a plain value.
        return deepcopy(document)
    return copied
