"""The base of chronicles: a battle as nested records, where its ruleset offers them."""

from __future__ import annotations


class Chronicle:
    """A battle as nested records, made from its events. Narrow it by its class, such as `delve.chronicle.RunLog`."""

    __slots__ = ()
