"""Names entry points after their sources, so that the cache of compiled code never serves an older version of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from blake3 import blake3

Function = TypeVar("Function", bound=Callable[..., Any])

_LANES = Path(__file__).parent
NAME_LENGTH = 12


def lane_sources(room: Path) -> list[Path]:
    """Every file, besides the rules, that decides what a room's entry points compile to: of the room and of lanes."""
    return [*sorted(_LANES.glob("*.py")), *sorted(room.glob("*.py"))]


def source_name(files: Iterable[Path]) -> str:
    """A hash of files, short enough for a name."""
    hasher = blake3()
    for file in files:
        hasher.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return hasher.hexdigest()[:NAME_LENGTH]


def named_after_sources(entry: Function, room: Path | None = None) -> Function:
    """Give an entry point a name that changes whenever its sources do: cached code is found by name.

    room: the folder of its rules for lanes; None is the entry point's own.
    """
    sources = lane_sources(room or Path(entry.__code__.co_filename).parent)
    entry.__name__ = f"{entry.__name__}_{source_name(sources)}"
    return entry
