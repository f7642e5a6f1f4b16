"""fracas doctor: versions, processor and what is compiled."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from fracas import __version__
from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, print_json, say
from fracas.cli.shared.parameters import Format
from fracas.kernel import jit
from fracas.kernel.cache_files import distrust, is_damaged
from fracas.rulesets import registry

LIBRARIES = ("numba", "llvmlite", "numpy", "blake3", "pydantic", "msgspec", "lark", "cyclopts", "rich", "polars")


VARIANTS = ("silent", "logged", "silent-plugins", "logged-plugins")


def doctor(*, format: Format = "text") -> int:
    """Versions, cache folder, what is compiled: what to put into a report.

    Try:

        fracas doctor
    """
    facts: dict[str, Any] = {
        "fracas": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": os.cpu_count(),
        "libraries": {name: _version_of(name) for name in LIBRARIES},
        "rules": {name: registry.get(name).rules_version for name in registry.NAMES},
        "jit": jit.jit_setting(),
        "cache": str(jit.cache_root()),
        "compiled": {name: _compiled_forms(name, damaged=False) for name in registry.NAMES},
        "cache_problem": _cache_problem(),
        "damaged": {name: _compiled_forms(name, damaged=True) for name in registry.NAMES},
    }
    if format == "json":
        print_json(facts)
        return DONE
    rows = []
    for key, value in facts.items():
        if key in ("cache_problem", "damaged"):
            continue
        if isinstance(value, dict):
            rows += [
                (key if place == 0 else "", name, _words(entry)) for place, (name, entry) in enumerate(value.items())
            ]
        else:
            rows.append((key, str(value), ""))
    for name, forms in facts["damaged"].items():
        if forms:
            rows.append(("damaged", name, f"{', '.join(forms)}; compiled again at the next use"))
    say(*columns(rows))
    if facts["cache_problem"] is not None:
        say(f"The cache is not used: {facts['cache_problem']}.")
    return DONE


def _cache_problem() -> str | None:
    """Why the cache is not used, whatever is in it."""
    folders = (jit.cache_folder(registry.get(name).kernels.play_many) for name in registry.NAMES)
    return next(filter(None, map(distrust, folders)), None)


def _version_of(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _compiled_forms(name: str, *, damaged: bool) -> list[str]:
    """The forms that are on disk: those that are whole, or the others."""
    entry = registry.get(name).kernels.play_many
    files = {form: jit.cached_file(entry, form) for form in VARIANTS if jit.is_cached(entry, form)}
    return [form for form, file in files.items() if file is not None and is_damaged(file) == damaged]


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "nothing yet"
    return "not installed" if value is None else str(value)
