"""Rules that look compiled, without a compiler, and whether the real ones are."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from fracas.engine.player import compiled_form
from fracas.kernel import cache_files, jit
from fracas.rulesets import registry


def mark_as_compiled(entry: Callable[..., Any], variant: str) -> Path:
    """Put a file where a compiled variant of an entry point would lie, and mark it."""
    folder = jit.cache_folder(entry)
    assert cache_files.make_private(folder)
    file = folder / f"{entry.__name__}-{variant}.code"
    cache_files.write(file, b"compiled")
    (folder / f"{variant}.ready").write_text(file.name)
    return file


@cache
def quickest() -> str:
    """FRACAS_JIT for battles that may be played either way: compiled if all rulesets are in the cache, else plain.

    scripts/compile_ahead.py compiles them before a check; loaded, they play in a hundredth of the time.
    """
    rules = [registry.get(name).kernels for name in registry.NAMES]
    forms = [
        (each.play_many, compiled_form(logged, with_plugins))
        for each in rules
        for with_plugins in ((False, True) if each.plugin is not None else (False,))
        for logged in (False, True)
    ]
    return "1" if all(jit.is_cached(entry, form) for entry, form in forms) else "0"
