"""The server's settings and problems as Markdown tables."""

from __future__ import annotations

from dataclasses import fields

from fracas.events.markdown import table
from fracas.server.http.problems import KINDS
from fracas.server.settings import PREFIX, Settings, option_of


def settings_table() -> str:
    """Every setting: its option, its environment variable, its default and what it does."""
    rows = []
    for each in fields(Settings):
        default = ",".join(each.default) if isinstance(each.default, tuple) else str(each.default).lower()
        option = f"`{option_of(each.name)}`" if each.metadata["is_option"] else ""
        variable, default = f"`{PREFIX}{each.name.upper()}`", f"`{default}`" if default else ""
        rows.append((option, variable, default, each.metadata["help"]))
    return table(("option", "environment", "default", "does"), rows)


def problems_table() -> str:
    """Every kind of problem: its type, its status and its title."""
    rows = [(f"`/problems/{kind.name}`", str(kind.status), kind.title) for kind in KINDS.values()]
    return table(("type", "status", "title"), rows)
