"""JSON Schemas of ops, flags and modifiers, generated from their declarations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from fracas.rulesets.relics.declarations import types
from fracas.rulesets.relics.declarations.ops import OPS
from fracas.rulesets.relics.declarations.triggers import FLAGS, MODIFIERS
from fracas.rulesets.relics.rules import constants as codes

Schema = dict[str, Any]

# The id of a status that content declares. Whether it exists and is no reserved word is checked on reading.
OWN_STATUS_SCHEMA: Schema = {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"}


def op_schema(counted: Schema, condition: Schema) -> Schema:
    """The schema of an op, as a list or a table, given the schemas of counted amounts and conditions."""
    extras = {
        "if": condition,
        "chance": {"type": "integer", "minimum": 0, "maximum": codes.LARGEST_CHANCE},
        "repeat": {"type": "integer", "minimum": 1, "maximum": codes.MOST_REPEATS},
    }
    return _either(((form, extras) for form in OPS.values()), "op", counted)


def modifier_schema(counted: Schema, condition: Schema) -> Schema:
    """The schema of a modifier: a list, a table, or a bare name if it needs no argument."""
    tag: Schema = {"type": "string", "pattern": "^[a-z0-9][a-z0-9_-]*$"}

    def extras(form: types.ModifierForm) -> dict[str, Schema]:
        limits = {"tag": tag, "source": {"enum": list(form.sources or ())}}
        return {"if": condition, **{name: limits[name] for name in form.limits}}

    schema = _either(((form, extras(form)) for form in MODIFIERS.values()), "modifier", counted)
    bare = [form.name for form in MODIFIERS.values() if not form.needed]
    return {**schema, "anyOf": [{"enum": bare}, *schema["anyOf"]]}


def replace_schema(schema: Schema, other: Schema) -> None:
    """Replace a schema's contents in place."""
    schema.clear()
    schema.update(other)


def _either(forms: Iterable[tuple[types.Form, dict[str, Schema]]], word: str, counted: Schema) -> Schema:
    # One word for the pages that are generated from schemas.
    return {
        "$comment": word,
        "anyOf": [each for form, extras in forms for each in _written_forms(form, word, counted, extras)],
    }


def _written_forms(form: types.Form, word: str, counted: Schema, extras: dict[str, Schema]) -> Iterator[Schema]:
    """Schemas of a form as a list, as a list ending in a table of the remaining arguments, and as a table."""
    arguments = {argument.name: _argument(argument, counted) for argument in form.arguments}
    in_order = [{"const": form.name}, *arguments.values()]
    yield _list(form, in_order, 1 + len(form.needed))
    for given in range(1, len(in_order) + 1):
        left = form.arguments[given - 1 :]
        rest = _table({argument.name: arguments[argument.name] for argument in left} | extras, left)
        yield _list(form, [*in_order[:given], rest], given + 1)
    whole = _table({word: in_order[0]} | arguments | extras, form.arguments)
    yield {**whole, "description": form.doc, "required": [word, *whole["required"]]}


def _list(form: types.Form, items: list[Schema], least: int) -> Schema:
    return {
        "type": "array",
        "description": form.doc,
        "prefixItems": items,
        "minItems": least,
        "maxItems": len(items),
    }


def _table(properties: dict[str, Schema], arguments: Iterable[types.Argument]) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": [argument.name for argument in arguments if argument.default is None],
        "additionalProperties": False,
    }


def _argument(argument: types.Argument, counted: Schema) -> Schema:
    if argument.kind in types.STATUS_KINDS:
        return {"anyOf": [{"enum": list(types.WORDS[argument.kind])}, OWN_STATUS_SCHEMA]}
    if argument.kind in types.WORDS:
        return {"enum": list(types.WORDS[argument.kind])}
    if argument.kind is types.ArgumentKind.TAG:
        return {"type": "string", "pattern": "^([a-z0-9][a-z0-9_-]*)?$"}
    least, most = types.bounds_of(argument.kind)
    number: Schema = {"type": "integer", "minimum": least, "maximum": most}
    if argument.kind is types.ArgumentKind.AMOUNT_OR_ALL:
        return {"anyOf": [number, {"const": "all"}, counted]}
    return {"anyOf": [number, counted]} if argument.tiered else number


_FLAG: Schema = {"anyOf": [{"enum": list(FLAGS)}, {"type": "integer", "minimum": 0, "maximum": codes.LARGEST}]}
FLAGS_SCHEMA: Schema = {
    "$comment": "flags",
    "type": "array",
    "items": {"anyOf": [*_FLAG["anyOf"], {"type": "array", "items": _FLAG}]},
    "maxItems": codes.MAX_ENTRIES,
    "description": "a number belongs to the flag before it",
}
