"""How a verification says what differs."""

from __future__ import annotations

from typing import Any

import msgspec


class Differs(Exception):
    """The first thing that differs, as a sentence."""


def same(what: str, stored: Any, computed: Any) -> None:
    """Compare a value of the file with the recomputed one.

    Raises:
        Differs: they differ.
    """
    if stored != computed:
        raise Differs(f"{what} differs: the file says {_short(stored)}, recomputed is {_short(computed)}")


def _short(value: Any) -> str:
    text = str(msgspec.to_builtins(value))
    return text if len(text) <= 100 else f"{text[:97]}..."
