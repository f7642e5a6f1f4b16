"""Finds modules and descriptions, and checks whether they match the rules.

Those of the shipped rulesets ship with Fracas. Those of games are built on this machine and kept in the cache folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import msgspec
from blake3 import blake3

from fracas.kernel import jit
from fracas.kernel.cache_files import why_untrusted
from fracas.kernel.identity import Identity
from fracas.rulesets import registry

PACKAGE = Path(__file__).parent.parent
FOLDER = PACKAGE / "data" / "wasm"
# These decide a module's bytes, besides the rules.
RECIPE = ("intermediate_code.py", "wasm_target.py")
TOOLS = ("numba", "llvmlite", "ziglang")
EXTRA = "pip install 'fracas[artefacts]'"
# Size limits of one module and of all five, in bytes, compressed as a server sends them and uncompressed.
MOST_PACKED, MOST_PACKED_TOGETHER = 60_000, 200_000
MOST_RAW, MOST_RAW_TOGETHER = 250_000, 800_000

Layout = dict[str, Any]


# A rule system by its identity, or by its name if it is the one that the registry knows.
Rules = Identity | str


def identity_of(rules: Rules) -> Identity:
    """The identity of a rule system.

    Raises:
        InputError: there is no game of that name.
    """
    return registry.identity(rules) if isinstance(rules, str) else rules


def home(rules: Rules) -> Path:
    """The folder with a rule system's module: the shipped one, or that of this version of a game in the cache."""
    identity = identity_of(rules)
    return jit.cache_root() / "modules" / identity.folder if identity.rules else FOLDER


def module_file(rules: Rules, folder: Path | None = None) -> Path:
    """The path of a rule system's module."""
    identity = identity_of(rules)
    return (folder or home(identity)) / f"{identity.name}.wasm"


def layout_file(rules: Rules, folder: Path | None = None) -> Path:
    """The path of a module's description."""
    return module_file(rules, folder).with_suffix(".json")


def layout(rules: Rules) -> Layout:
    """The description of a rule system's module.

    Raises:
        OSError: there is no module.
    """
    return _layout(identity_of(rules))


@cache
def _layout(identity: Identity) -> Layout:
    return cast(Layout, msgspec.json.decode(layout_file(identity).read_bytes()))


def sources(rules: Rules, package: Path = PACKAGE) -> list[Path]:
    """Every file of this package that decides a module's contents; a game's own are in its rules hash."""
    identity = identity_of(rules)
    recipe = [package / "portable" / name for name in RECIPE]
    if identity.rules:
        return sorted([*jit.game_sources(package), *recipe])
    rooms = (package / "kernel", package / "rulesets" / identity.name / "rules")
    return sorted([*(file for room in rooms for file in room.rglob("*.py")), *recipe])


def sources_key(rules: Rules, tools: dict[str, str], package: Path = PACKAGE) -> str:
    """A hash of everything that decides a module's bytes: sources and tool versions, nothing of the machine."""
    identity = identity_of(rules)
    hasher = blake3()
    for file in sources(identity, package):
        # A checkout may have other line ends.
        content = file.read_bytes().replace(b"\r\n", b"\n")
        hasher.update(file.relative_to(package).as_posix().encode() + b"\0" + content + b"\0")
    hasher.update(identity.rules.encode() + msgspec.json.encode({name: tools[name] for name in TOOLS}))
    return hasher.hexdigest(16)


def is_current(rules: Rules) -> bool:
    """Whether there is a module that matches the rules; an old module never plays edited rules."""
    return _is_current(identity_of(rules))


@cache
def _is_current(identity: Identity) -> bool:
    if identity.rules and why_untrusted(home(identity)) is not None:
        return False
    try:
        found = layout(identity)
        return bool(sources_key(identity, found["tools"]) == found["sources_key"]) and module_file(identity).is_file()
    except (OSError, KeyError, ValueError):
        return False


def look_again() -> None:
    """Forget which modules there are, after one was built."""
    _layout.cache_clear()
    _is_current.cache_clear()


@dataclass(frozen=True)
class Rates:
    """Battles per second on one thread, compiled and through wasmtime, and the seconds that compiling takes.

    Measured once, on the ruleset's first benchmark; they affect only how battles are played, never the results.
    """

    native: float
    wasm: float
    compile_seconds: float


RATES_FILE = "rates.json"


def rates(rules: Rules) -> Rates:
    """A rule system's measured speeds; `benchmarks/portable.py --write` measures those of the shipped rulesets.

    Nobody has measured a game. It counts as the shipped ruleset that compiles soonest: most games are smaller.
    """
    measured = _rates()
    identity = identity_of(rules)
    if identity.rules:
        return min(measured.values(), key=lambda each: each.compile_seconds)
    return measured[identity.name]


@cache
def _rates() -> dict[str, Rates]:
    return msgspec.json.decode((FOLDER / RATES_FILE).read_bytes(), type=dict[str, Rates])
