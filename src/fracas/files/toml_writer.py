"""Write plain values as TOML, and change values in existing TOML without losing comments and layout."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

# Tables that fit this line length are written inline.
LINE = 120
FIRST_KEYS = ("ruleset", "id", "name")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_text(document: Mapping[str, Any]) -> str:
    """Format a document as TOML: names come first, then the other keys in the document's order.

    Keys whose value is None are left out, because TOML has no null.
    """
    return "\n".join(_table((), document)).lstrip("\n") + "\n"


def _table(path: tuple[str, ...], table: Mapping[str, Any]) -> Iterator[str]:
    """Generate the lines of a table: its plain values, then its subtables."""
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
            # A table that holds only tables needs no header; an empty one does.
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
    """Whether a value is written as tables with headers, not inline."""
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
    """Quote a string. JSON escapes every character that TOML requires, except one."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def with_values(text: str, document: Mapping[str, Any]) -> str:
    """Change a TOML text to match a document; unchanged values, comments and layout stay.

    Raises:
        ValueError: the text is not TOML.
    """
    import tomlkit

    file = tomlkit.parse(text)
    _fit(file, _without_none(document))
    return tomlkit.dumps(file)


def _without_none(value: Any) -> Any:
    """Copy a value without the keys whose value is None."""
    if isinstance(value, Mapping):
        return {key: _without_none(each) for key, each in value.items() if each is not None}
    return [_without_none(each) for each in value] if isinstance(value, list | tuple) else value


def _fit(there: Any, wanted: Any) -> None:
    """Make a file's table or list equal to another."""
    if isinstance(wanted, Mapping):
        for key in [key for key in there if key not in wanted]:
            del there[key]
        for key, value in wanted.items():
            _fit_entry(there, key, there.get(key), value)
    else:
        for index, value in enumerate(wanted):
            _fit_entry(there, index, there[index], value)


def _fit_entry(there: Any, key: Any, present: Any, value: Any) -> None:
    import tomlkit.items

    # A table without a header of its own, such as a in [a.b], would vanish with its last entry: replace it.
    is_table = isinstance(present, Mapping) and isinstance(value, Mapping) and not _is_emptied(present, value)
    is_list = isinstance(present, list) and isinstance(value, list) and len(present) == len(value)
    # An array of tables ([[key]]) can hold nothing but tables: a list with anything else replaces it.
    if is_list and isinstance(present, tomlkit.items.AoT):
        is_list = all(isinstance(each, Mapping) for each in value)
    if is_table or is_list:
        _fit(present, value)
    elif present != value or any(isinstance(present, kind) != isinstance(value, kind) for kind in (bool, float)):
        there[key] = _item(value, isinstance(there, tomlkit.items.Array | tomlkit.items.InlineTable))


def _is_emptied(present: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    """Whether a table without a header of its own loses its last entry."""
    import tomlkit.items

    has_own_text = isinstance(present, tomlkit.items.AbstractTable) and not (
        isinstance(present, tomlkit.items.Table) and present.is_super_table()
    )
    return not value and not has_own_text


def _item(value: Any, inline: bool) -> Any:
    """Convert a value to the TOML library's type.

    A table of plain values becomes inline, and so does everything inside an array or an inline table.
    """
    import tomlkit

    if isinstance(value, Mapping):
        table = tomlkit.inline_table() if inline or _is_flat(value) else tomlkit.table()
        for key, each in value.items():
            table[key] = _item(each, inline)
        return table
    if isinstance(value, list) and (inline or not all(isinstance(each, Mapping) for each in value)):
        array = tomlkit.array()
        for each in value:
            array.append(_item(each, inline=True))
        return array
    return value
