"""Plain values as the text of a TOML file, which says the same when it is read again."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

# Tables that fit into a line of this length are written into one.
LINE = 120
FIRST_KEYS = ("ruleset", "id", "name")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_text(document: Mapping[str, Any]) -> str:
    """A document as TOML: what something is called comes first, other keys stand in the document's order.

    Keys without a value are left out, because TOML has no word for nothing.
    """
    return "\n".join(_table((), document)).lstrip("\n") + "\n"


def _table(path: tuple[str, ...], table: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a table: its plain values, then the tables in it."""
    keys = sorted(table, key=lambda key: FIRST_KEYS.index(key) if key in FIRST_KEYS else len(FIRST_KEYS))
    entries = {key: table[key] for key in keys if table[key] is not None}
    inner = {key: value for key, value in entries.items() if _has_tables(key, value)}
    for key, value in entries.items():
        if key not in inner:
            yield f"{_key(key)} = {_value(value)}"
    for key, value in inner.items():
        here = (*path, key)
        heads = ".".join(map(_key, here))
        if isinstance(value, Mapping):
            # A table of nothing but tables needs no line of its own; an empty one does.
            if not value or any(not _has_tables(name, each) for name, each in value.items() if each is not None):
                yield ""
                yield f"[{heads}]"
            yield from _table(here, value)
            continue
        for each in value:
            yield ""
            yield f"[[{heads}]]"
            yield from _table(here, each)


def _has_tables(key: str, value: Any) -> bool:
    """Whether a value is written as tables with headings, not in a line."""
    if isinstance(value, Mapping):
        return not _is_flat(value) or len(f"{_key(key)} = {_value(value)}") > LINE
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)


def _is_flat(table: Mapping[str, Any]) -> bool:
    return not any(isinstance(value, Mapping | list) and value for value in table.values())


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items() if each is not None)
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(each) for each in value)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return repr(value)


def _text(text: str) -> str:
    """A text in quotes; JSON escapes all that TOML wants escaped but one letter."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
