"""What JSON Schema says of lists that are ops, flags or modifiers; made from their declarations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fracas.rulesets.relics import constants as codes
from fracas.rulesets.relics.forms import WORDS, Argument, Kind, ModifierForm, OpForm
from fracas.rulesets.relics.vocabulary_ops import OPS
from fracas.rulesets.relics.vocabulary_triggers import FLAGS, MODIFIERS

Schema = dict[str, Any]

_CONDITION: Schema = {"type": ["string", "object"], "description": "a condition; absent means always"}
_COUNTED: Schema = {
    "type": "object",
    "properties": {"of": {"type": "string"}, "times": {"type": "integer"}, "per": {"type": "integer", "minimum": 1}},
    "required": ["of"],
    "additionalProperties": False,
}
_CHANCE: Schema = {"type": "integer", "minimum": 0, "maximum": codes.LARGEST_CHANCE}
_EXTRAS: dict[str, Schema] = {
    "if": _CONDITION,
    "chance": _CHANCE,
    "repeat": {"type": "integer", "minimum": 1, "maximum": codes.MOST_REPEATS},
}


def _argument(argument: Argument) -> Schema:
    if argument.kind in WORDS:
        return {"enum": list(WORDS[argument.kind])}
    if argument.kind is Kind.TAG:
        return {"type": "string"}
    number: Schema = {"type": "integer"}
    if argument.kind is Kind.AMOUNT_OR_ALL:
        return {"anyOf": [number, {"const": "all"}, _COUNTED]}
    return {"anyOf": [number, _COUNTED]} if argument.tiered else number


def _list_form(form: OpForm | ModifierForm) -> Schema:
    needed = sum(argument.default is None for argument in form.arguments)
    return {
        "type": "array",
        "description": form.doc,
        "prefixItems": [{"const": form.name}, *map(_argument, form.arguments)],
        "minItems": 1 + min(needed, 1),
        "maxItems": 2 + len(form.arguments),
    }


def _table_form(form: OpForm | ModifierForm, word: str, extras: dict[str, Schema]) -> Schema:
    return {
        "type": "object",
        "description": form.doc,
        "properties": {
            word: {"const": form.name},
            **{argument.name: _argument(argument) for argument in form.arguments},
            **extras,
        },
        "required": [word, *(argument.name for argument in form.arguments if argument.default is None)],
        "additionalProperties": False,
    }


def _either(forms: Iterable[OpForm | ModifierForm], word: str, extras: dict[str, Schema]) -> Schema:
    found = list(forms)
    forms_of_all = [*map(_list_form, found), *(_table_form(form, word, extras) for form in found)]
    # What it is in one word, for the pages that are made of schemas.
    return {"$comment": word, "anyOf": forms_of_all}


OP_SCHEMA = _either(OPS.values(), "op", _EXTRAS)
MODIFIER_SCHEMA = _either(MODIFIERS.values(), "modifier", {"if": _CONDITION})
FLAGS_SCHEMA: Schema = {
    "type": "array",
    "items": {"anyOf": [{"enum": list(FLAGS)}, {"type": "integer"}, {"type": "array"}]},
    "description": "a number belongs to the flag before it",
}
EFFECT_SCHEMA: Schema = {
    "$comment": "effect",
    "type": "object",
    "properties": {
        "do": {"type": "array", "items": OP_SCHEMA, "minItems": 1, "maxItems": codes.MAX_EFFECT_OPS},
        "n": {"type": "integer", "minimum": 1},
        "of": {"enum": list(codes.STATUSES)},
        "if": _CONDITION,
        "chance": _CHANCE,
        "per_turn": {"type": "integer", "minimum": 1},
        "per_battle": {"type": "integer", "minimum": 1},
    },
    "required": ["do"],
    "additionalProperties": False,
}
