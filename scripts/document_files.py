"""The format of Fracas's files as Markdown: a table for each table of a file, read from the exported JSON Schemas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fracas.events.markdown import table
from fracas.replay.json_schema import json_schema
from fracas.rulesets.contract.ruleset import Ruleset

Schema = Mapping[str, Any]

KINDS = {
    "scenario": "A scenario",
    "content": "A file of a content pack",
    "strategy": "A strategy file",
}
ID_PATTERN = "^[a-z0-9][a-z0-9_-]*$"
# Things with their own pages, by their names in the schema.
ELSEWHERE = {
    "op": "an [op](relics/ops.md)",
    "effect": "an [effect](#what-items-do)",
    "modifier": "a [modifier](#what-items-do)",
    "flags": "list of at most 16: [flags](#what-items-do) and their numbers",
    "condition": "table (a [condition](conditions.md))",
    "entry": "one of these as a table",
}
WORDS = {"integer": "whole number", "number": "number", "boolean": "`true` or `false`", "object": "table"}


def files_page(ruleset: Ruleset) -> str:
    """The files of a ruleset by kind, then every table inside them."""
    parts, tables = [], {}
    for kind, title in (KINDS | {"strategy": f"A {ruleset.models.strategy_label} file"}).items():
        schema = json_schema(ruleset.name, kind)
        schema = named_elsewhere(schema, schema["$defs"])
        tables |= schema["$defs"]
        parts.append(section(f"## {title}", schema, with_text=False))
    parts.append("## Tables inside files")
    # Keyed adds only the id to a model.
    again = {f"Own{name}" for name in tables}
    names = [
        name
        for name in sorted(tables.keys() - again)
        if {"properties", "$comment"} & tables[name].keys() == {"properties"}
    ]
    parts += [section(f"### {name}", tables[name]) for name in names]
    return "\n\n".join(parts)


def named_elsewhere(schema: Any, tables: Mapping[str, Schema]) -> Any:
    """A schema in which references to things with their own pages are replaced by names."""
    if isinstance(schema, list):
        return [named_elsewhere(each, tables) for each in schema]
    if not isinstance(schema, dict):
        return schema
    comment = tables.get(str(schema.get("$ref")).rpartition("/")[2], {}).get("$comment")
    return {"$comment": comment} if comment else {key: named_elsewhere(each, tables) for key, each in schema.items()}


def section(title: str, schema: Schema, *, with_text: bool = True) -> str:
    """A table of a file: its description and its keys."""
    needed = schema.get("required", ())
    rows = [
        (f"`{key}`", kind_of(entry), "required" if key in needed else default_of(entry), entry.get("description", ""))
        for key, entry in schema["properties"].items()
    ]
    text = " ".join(schema.get("description", "").split()) if with_text else ""
    return "\n\n".join(part for part in (title, text, table(("key", "is", "default", "notes"), rows)) if part)


def kind_of(schema: Schema) -> str:
    """The allowed values as words."""
    if str(schema.get("$comment")).startswith("keyed "):
        name = schema["$comment"].partition(" ")[2]
        return f"tables by name: [{name}](#{name.lower()}), whose `id` may be left out"
    if schema.get("$comment") in ELSEWHERE:
        return ELSEWHERE[schema["$comment"]]
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for joined in ("oneOf", "anyOf"):
        if joined in schema:
            return " or ".join(dict.fromkeys(kind_of(each) for each in schema[joined] if each.get("type") != "null"))
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{each}`" for each in schema["enum"])
    return WRITTEN.get(schema.get("type", ""), other)(schema)


def whole_number(schema: Schema) -> str:
    """A number with its bounds."""
    return "whole number" + bounds(schema, "minimum", "maximum", ", {}")


def text(schema: Schema) -> str:
    """An id, a day or any text."""
    if schema.get("pattern") == ID_PATTERN:
        return "id"
    return "day" if schema.get("format") == "date" else "text"


def list_of(schema: Schema) -> str:
    """A list with its bounds and its entries."""
    inner = kind_of(schema["items"]) if schema.get("items") else "anything"
    return f"list{bounds(schema, 'minItems', 'maxItems', ' of {}')}: {inner}"


def table_of(schema: Schema) -> str:
    """A table whose keys are names."""
    inner = [*schema.get("patternProperties", {}).values(), *additional(schema)]
    return f"tables by name: {kind_of(inner[0])}" if inner else "table"


def additional(schema: Schema) -> Iterator[Schema]:
    """The schema of other keys, if there is one."""
    found = schema.get("additionalProperties")
    if isinstance(found, Mapping):
        yield found


def other(schema: Schema) -> str:
    """Any other type."""
    return WORDS.get(schema.get("type", ""), "anything")


WRITTEN = {"integer": whole_number, "string": text, "array": list_of, "object": table_of}


def bounds(schema: Schema, low: str, high: str, form: str) -> str:
    """Bounds as words; empty without any."""
    least, most = schema.get(low), schema.get(high)
    if least is None and most is None:
        return ""
    if most is None:
        words = f"at least {least:,}"
    elif least is None or (low == "minItems" and not least):
        words = f"at most {most:,}"
    else:
        words = f"{least:,} to {most:,}" if least != most else f"{most:,}"
    return form.format(words)


def default_of(schema: Schema) -> str:
    """The default if the key is absent."""
    value = schema.get("default")
    if value in (None, "", [], {}) or (isinstance(value, Mapping) and not any(map(filled, value.values()))):
        return ""
    words = str(value).lower() if isinstance(value, bool) else listed(value)
    return f"`{words}`"


def filled(value: Any) -> bool:
    """Whether a default is informative."""
    return value not in (None, "", [], {})


def listed(value: Any) -> str:
    """A default as TOML writes it."""
    if isinstance(value, Mapping):
        inner = ", ".join(f"{key} = {listed(each)}" for key, each in value.items() if filled(each))
        return f"{{ {inner} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(listed, value))}]"
    return re.sub(r"'", '"', repr(value)) if isinstance(value, str) else str(value)
