"""Builds one ruleset's module and description, in its own process.

    PYTHONHASHSEED=0 python -m fracas.portable.ruleset_module squads FOLDER

Hash order decides the order of some of Numba's output, hence the fixed seed; `build.py` starts these processes.
"""

from __future__ import annotations

import gc
import hashlib
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import msgspec

from fracas.portable.artefacts import TOOLS, layout_file, module_file, sources_key
from fracas.portable.intermediate_code import entry_codes
from fracas.portable.memory_layout import describe
from fracas.portable.wasm_target import build_module
from fracas.rulesets import registry


def build_ruleset(name: str, folder: Path) -> None:
    """Write the module of a ruleset and its description into a folder.

    Raises:
        RefusedCodeError: the module would not be the same everywhere, or not bounded.
    """
    ruleset = registry.get(name)
    with tempfile.TemporaryDirectory() as scratch:
        module = build_module(entry_codes(ruleset.kernels), Path(scratch))
    tools = {tool: version(tool) for tool in TOOLS}
    described = {
        **describe(ruleset),
        "module": {"file": f"{name}.wasm", "bytes": len(module), "sha256": hashlib.sha256(module).hexdigest()},
        "tools": tools,
        "sources_key": sources_key(name, tools),
    }
    module_file(name, folder).write_bytes(module)
    layout_file(name, folder).write_bytes(msgspec.json.format(msgspec.json.encode(described), indent=1) + b"\n")


if __name__ == "__main__":
    # Compiling makes many objects and few cycles; searching for those takes a tenth of the time.
    gc.disable()
    build_ruleset(sys.argv[1], Path(sys.argv[2]))
