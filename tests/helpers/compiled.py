"""Rules that look compiled, without a compiler."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fracas.kernel import cache_files, jit


def mark_as_compiled(entry: Callable[..., Any], variant: str) -> Path:
    """Put a file where a compiled variant of an entry point would lie, and mark it."""
    folder = jit.cache_folder(entry)
    assert cache_files.make_private(folder)
    file = folder / f"{entry.__name__}-{variant}.code"
    cache_files.write(file, b"compiled")
    (folder / f"{variant}.ready").write_text(file.name)
    return file
