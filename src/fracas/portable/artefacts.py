"""Finds the shipped modules and descriptions, and checks whether they match the shipped rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import msgspec
from blake3 import blake3

PACKAGE = Path(__file__).parent.parent
FOLDER = PACKAGE / "data" / "wasm"
# These decide a module's bytes, besides the rules.
RECIPE = ("intermediate_code.py", "wasm_target.py")
TOOLS = ("numba", "llvmlite", "ziglang")
# Size limits of one module and of all five, in bytes, compressed as a server sends them and uncompressed.
MOST_PACKED, MOST_PACKED_TOGETHER = 60_000, 200_000
MOST_RAW, MOST_RAW_TOGETHER = 250_000, 800_000

Layout = dict[str, Any]


def module_file(ruleset: str, folder: Path = FOLDER) -> Path:
    """The path of a ruleset's module."""
    return folder / f"{ruleset}.wasm"


def layout_file(ruleset: str, folder: Path = FOLDER) -> Path:
    """The path of a module's description."""
    return folder / f"{ruleset}.json"


@cache
def layout(ruleset: str) -> Layout:
    """The description of a ruleset's module.

    Raises:
        OSError: it does not ship.
    """
    return cast(Layout, msgspec.json.decode(layout_file(ruleset).read_bytes()))


def sources(ruleset: str, package: Path = PACKAGE) -> list[Path]:
    """Every file that decides a module's contents."""
    rooms = (package / "kernel", package / "rulesets" / ruleset / "rules")
    found = (file for room in rooms for file in room.rglob("*.py"))
    return sorted([*found, *(package / "portable" / name for name in RECIPE)])


def sources_key(ruleset: str, tools: dict[str, str], package: Path = PACKAGE) -> str:
    """A hash of everything that decides a module's bytes: sources and tool versions, nothing of the machine."""
    hasher = blake3()
    for file in sources(ruleset, package):
        # A checkout may have other line ends.
        content = file.read_bytes().replace(b"\r\n", b"\n")
        hasher.update(file.relative_to(package).as_posix().encode() + b"\0" + content + b"\0")
    hasher.update(msgspec.json.encode({name: tools[name] for name in TOOLS}))
    return hasher.hexdigest(16)


@cache
def is_current(ruleset: str) -> bool:
    """Whether the shipped module matches the shipped rules; an old module never plays edited rules."""
    try:
        found = layout(ruleset)
        return bool(sources_key(ruleset, found["tools"]) == found["sources_key"]) and module_file(ruleset).is_file()
    except (OSError, KeyError, ValueError):
        return False


@dataclass(frozen=True)
class Rates:
    """Battles per second on one thread, compiled and through wasmtime, and the seconds that compiling takes.

    Measured once, on the ruleset's first benchmark; they affect only how battles are played, never the results.
    """

    native: float
    wasm: float
    compile_seconds: float


RATES_FILE = "rates.json"


@cache
def rates(ruleset: str) -> Rates:
    """A ruleset's measured speeds; `benchmarks/portable.py --write` measures them."""
    measured: dict[str, Rates] = msgspec.json.decode((FOLDER / RATES_FILE).read_bytes(), type=dict[str, Rates])
    return measured[ruleset]
