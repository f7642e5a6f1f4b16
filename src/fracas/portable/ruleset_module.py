"""Builds one rule system's module and description, in its own process.

    PYTHONHASHSEED=0 python -m fracas.portable.ruleset_module squads FOLDER
    PYTHONHASHSEED=0 python -m fracas.portable.ruleset_module pets FOLDER HASH pets.py

Hash order decides the order of some of Numba's output, hence the fixed seed; `build.py` starts these processes. A game
is named with its rules hash, so that a file that has changed since is refused, and with its file if it has one.
"""

from __future__ import annotations

import gc
import hashlib
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import msgspec

from fracas.errors import InputError
from fracas.portable.artefacts import TOOLS, layout_file, module_file, sources_key
from fracas.portable.intermediate_code import entry_codes
from fracas.portable.memory_layout import deciding_interface, describe
from fracas.portable.wasm_target import build_module
from fracas.rulesets import registry


def build_ruleset(name: str, folder: Path, rules: str = "", file: Path | None = None) -> None:
    """Write the module of a ruleset and its description into a folder.

    `rules` is the rules hash that a game must have; `file` is its file, if it is not a package's.

    Raises:
        InputError: the game cannot be loaded, or has other rules by now.
        RefusedCodeError: the module would not be the same everywhere, or not bounded.
    """
    if file is not None:
        from fracas.kit import load

        load.use(file)
    ruleset = registry.get(name)
    if ruleset.rules_hash != rules:
        raise InputError.of(name, "its rules have changed meanwhile", "start again")
    with tempfile.TemporaryDirectory() as scratch:
        module = build_module(entry_codes(ruleset.kernels, deciding_interface(ruleset)), Path(scratch))
    tools = {tool: version(tool) for tool in TOOLS}
    described = {
        **describe(ruleset),
        "module": {"file": f"{name}.wasm", "bytes": len(module), "sha256": hashlib.sha256(module).hexdigest()},
        "tools": tools,
        "sources_key": sources_key(ruleset.identity, tools),
    }
    identity = ruleset.identity
    module_file(identity, folder).write_bytes(module)
    layout_file(identity, folder).write_bytes(msgspec.json.format(msgspec.json.encode(described), indent=1) + b"\n")


if __name__ == "__main__":
    # Compiling makes many objects and few cycles; searching for those takes a tenth of the time.
    gc.disable()
    _, asked_name, into, *of_game = sys.argv
    its_rules, its_file = (*of_game, "", "")[:2]
    try:
        build_ruleset(asked_name, Path(into), its_rules, Path(its_file) if its_file else None)
    except InputError as error:
        sys.exit(str(error))
