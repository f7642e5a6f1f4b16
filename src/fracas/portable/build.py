"""Rebuilds all modules and descriptions: the one command to run after a change of rules, kernels or records.

    python -m fracas.portable.build                  # into the package, all five rulesets
    python -m fracas.portable.build squads --into F  # one of them, into another folder
    python -m fracas.portable.build --check          # only report those that do not match these sources
    python -m fracas.portable.build --check squads   # also build this one anew, and compare bytes

`build_game` builds the module of one game into the cache folder.

Building, and comparing bytes, needs the extra `artefacts`. The same sources and tools give the same bytes, in any
folder and on any machine.
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from fracas.errors import InputError
from fracas.kernel.cache_files import make_private
from fracas.kit import load
from fracas.portable.artefacts import (
    EXTRA,
    FOLDER,
    MOST_PACKED,
    MOST_PACKED_TOGETHER,
    MOST_RAW,
    MOST_RAW_TOGETHER,
    TOOLS,
    home,
    layout,
    layout_file,
    look_again,
    module_file,
    sources_key,
)
from fracas.portable.memory_layout import describe
from fracas.rulesets import registry
from fracas.rulesets.contract.ruleset import Ruleset

PACKAGE = Path(__file__).parents[1]
# Each build takes a core and half a gigabyte.
MOST_AT_ONCE = 4


def build(names: Sequence[str], folder: Path) -> int:
    """Build modules in parallel, each in its own process; returns how many failed."""
    return _build(names, folder, {"PYTHONHASHSEED": "0"})


def _build(names: Sequence[str], folder: Path, environment: Mapping[str, str]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "fracas.portable.ruleset_module"]

    def is_built(name: str) -> bool:
        return (
            subprocess.run([*command, name, str(folder)], env={**os.environ, **environment}, check=False).returncode
            == 0
        )

    with ThreadPoolExecutor(min(MOST_AT_ONCE, os.cpu_count() or 1)) as pool:
        return sum(not built for built in pool.map(is_built, names))


def can_build() -> bool:
    """Whether the linker is installed, which the extra `artefacts` brings along."""
    return _version("ziglang") is not None


def build_game(game: Ruleset) -> None:
    """Build the module of a game, in its own process, and keep it in the cache folder of this version of its rules.

    Raises:
        InputError: the linker is not installed, the rules cannot be compiled, or the folder cannot be written.
    """
    if not can_build():
        raise InputError.of(game.name, "has no WebAssembly module yet, and building one needs an extra", EXTRA)
    folder = home(game.identity)
    file = load.file_of(game.name)
    try:
        if not make_private(folder):
            raise InputError.of(str(folder), "cannot be written, or others may write to it")
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            asked = [game.name, scratch, game.rules_hash, *([] if file is None else [str(file)])]
            # -P: nothing is imported from the current folder.
            command = [sys.executable, "-P", "-m", "fracas.portable.ruleset_module", *asked]
            run = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, check=False)
            if run.returncode:
                lines = run.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
                raise InputError.of(game.name, f"its WebAssembly module cannot be built: {lines[-1]}")
            for made in (module_file, layout_file):
                made(game.identity, Path(scratch)).replace(made(game.identity))
    except OSError as error:
        raise InputError.of(str(folder), f"cannot be written: {error.strerror or error}") from None
    look_again()


def stale(names: Sequence[str]) -> Iterator[str]:
    """Sentences about shipped modules that do not match these sources and tools."""
    for name in names:
        try:
            found = layout(name)
        except OSError:
            yield f"{name}: there is no module"
            continue
        tools = {tool: _version(tool) or found["tools"][tool] for tool in TOOLS}
        if sources_key(name, tools) != found["sources_key"]:
            yield f"{name}: the module does not match these rules, this kernel and these tools"
        described = describe(registry.get(name))
        if described != {key: found.get(key) for key in described}:
            yield f"{name}: the description does not match these records and events"


def differing(names: Sequence[str]) -> Iterator[str]:
    """Sentences about modules whose bytes differ from a fresh build of a copy of these sources.

    The copy is in another folder, and its build has another order of hashes than the one that ships: neither may show
    in the bytes.
    """
    with tempfile.TemporaryDirectory() as scratch:
        copied, built = Path(scratch) / "source", Path(scratch) / "built"
        shutil.copytree(PACKAGE, copied / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
        if _build(names, built, {"PYTHONHASHSEED": "7", "PYTHONPATH": str(copied), "PYTHONSAFEPATH": "1"}):
            yield "not all modules could be built"
            return
        for name in names:
            for file in (module_file(name), layout_file(name)):
                if file.read_bytes() != (built / file.name).read_bytes():
                    yield f"{name}: {file.name} differs from a build of these sources"


def _version(tool: str) -> str | None:
    try:
        return version(tool)
    except PackageNotFoundError:
        return None


def oversized(folder: Path = FOLDER) -> Iterator[str]:
    """Sentences about modules that are too large for a page to load."""
    sizes = {name: _sizes(module_file(name, folder)) for name in registry.NAMES}
    for name, (raw, packed) in sizes.items():
        if raw > MOST_RAW or packed > MOST_PACKED:
            yield f"{name}: {raw:,} bytes, packed {packed:,}; at most {MOST_RAW:,} and {MOST_PACKED:,}"
    raw, packed = (sum(size[place] for size in sizes.values()) for place in (0, 1))
    if raw > MOST_RAW_TOGETHER or packed > MOST_PACKED_TOGETHER:
        yield f"all: {raw:,} bytes, packed {packed:,}; at most {MOST_RAW_TOGETHER:,} and {MOST_PACKED_TOGETHER:,}"


def _sizes(file: Path) -> tuple[int, int]:
    content = file.read_bytes()
    return len(content), len(gzip.compress(content, 9))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 0 if all went well, 1 if a module is stale, too large or cannot be built."""
    parser = argparse.ArgumentParser(prog="python -m fracas.portable.build", description=__doc__.partition("\n")[0])
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help=f"{', '.join(registry.NAMES)}; default: all")
    parser.add_argument("--into", type=Path, default=FOLDER, metavar="FOLDER", help="where to write them")
    check = "report what does not match these sources; only the rulesets that you name are built anew, to compare bytes"
    parser.add_argument("--check", action="store_true", help=check)
    options = parser.parse_args(arguments)
    names = options.rulesets or list(registry.NAMES)
    unknown = sorted(set(names) - set(registry.NAMES))
    if unknown:
        parser.error(f"there is no ruleset {', '.join(unknown)}; known: {', '.join(registry.NAMES)}")
    if options.check:
        problems = list(stale(registry.NAMES))
        if options.rulesets and not problems and can_build():
            problems += differing(names)
    elif not can_build():
        parser.error(f"ziglang, which has the linker, is not installed: {EXTRA}")
    elif build(names, options.into):
        return 1
    else:
        problems = []
    if (options.check or names == list(registry.NAMES)) and not problems:
        problems += oversized(options.into)
    sys.stderr.write("".join(f"{problem}\n" for problem in problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
