"""Runs generated source code, so that tracebacks, debuggers and `inspect` find its lines."""

from __future__ import annotations

import itertools
import linecache
from typing import Any

_numbers = itertools.count()


def run_source(source: str, scope: dict[str, Any]) -> dict[str, Any]:
    """Run generated source in a scope, which it fills; returns the scope."""
    name = f"<derived {next(_numbers)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    exec(compile(source, name, "exec"), scope)
    return scope
