"""Writes the bytecode of all tests as pytest would, with its rewritten assertions.

    python scripts/rewrite_ahead.py

Rewriting takes longer than reading all tests does, and every worker of pytest would do it at the same time.

No test depends on this: pytest rewrites a file that is missing or has changed. It uses internals of pytest.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from _pytest.assertion import AssertionState, rewrite

TESTS = Path(__file__).resolve().parent.parent / "tests"


def rewritten_files(folder: Path = TESTS) -> list[Path]:
    """The files whose assertions pytest rewrites."""
    return sorted(file for pattern in ("test_*.py", "conftest.py") for file in folder.rglob(pattern))


def bytecode_of(file: Path) -> Path:
    """Where pytest looks for the bytecode of a file."""
    return rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}"


def rewrite_all(files: Iterable[Path]) -> int:
    """Write the bytecode of all files that have none or have changed; return how many."""
    config = pytest.Config.fromdictargs({}, [])
    state = AssertionState(config, "rewrite")
    written = 0
    for file in files:
        if rewrite._read_pyc(file, bytecode_of(file)) is None and rewrite.try_makedirs(rewrite.get_cache_dir(file)):
            source_hash, code = rewrite._rewrite_test(file, config)
            written += rewrite._write_pyc(state, code, source_hash, bytecode_of(file))
    return written


if __name__ == "__main__":
    gc.disable()  # Trees of syntax have no cycles.
    print(f"rewrote {rewrite_all(rewritten_files())} test files", file=sys.stderr)
