"""From a plain document to a typed model, with all that is wrong said at once and in the user's words."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from fracas.content.suggest import listed, nearest, quoted
from fracas.errors import InputError, Problem

MOST_PROBLEMS = 50


class Model(BaseModel):
    """The base of everything that people author: no unknown keys, no silent conversions, immutable once read."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, populate_by_name=True, use_attribute_docstrings=True
    )


AnyModel = TypeVar("AnyModel", bound=BaseModel)


def validate(model: type[AnyModel], document: Any, where: str) -> AnyModel:
    """The document as a model.

    Raises:
        InputError: one problem for each key that is unknown, missing or wrong, with its dotted path.
    """
    try:
        return model.model_validate(document)
    except ValidationError as error:
        raise InputError(_problems(error, model, document, where)) from None


def _problems(error: ValidationError, model: type[BaseModel], document: Any, where: str) -> list[Problem]:
    problems = []
    for found in error.errors(include_url=False):
        path = dotted(_document_path(found["loc"], document))
        problems.append(Problem(f"{where}: {path}" if path else where, *_in_words(dict(found), model)))
    unique = list(dict.fromkeys(problems))
    if len(unique) > MOST_PROBLEMS:
        rest = len(unique) - MOST_PROBLEMS
        unique = [*unique[:MOST_PROBLEMS], Problem(where, f"and {rest} more problems of this kind")]
    return unique


def dotted(path: Iterable[str | int]) -> str:
    """A path as it is written in messages and on the command line: `sides.0.units.0.attack`."""
    return ".".join(str(part) for part in path)


def _document_path(location: Sequence[str | int], document: Any) -> list[str | int]:
    """A pydantic location without the names of union members, which mean nothing to a reader."""
    path: list[str | int] = []
    here: Any = document
    for place, part in enumerate(location):
        is_last = place == len(location) - 1
        inside = isinstance(here, dict) and part in here
        if inside or (isinstance(here, list) and isinstance(part, int) and part < len(here)):
            here = here[part]
            path.append(part)
        elif is_last and isinstance(here, dict) and isinstance(part, str):
            path.append(part)
    return path


def _in_words(found: dict[str, Any], model: type[BaseModel]) -> tuple[str, str | None]:
    kind, context, value = found["type"], found.get("ctx", {}), found.get("input")
    key = str(found["loc"][-1]) if found["loc"] else ""
    if kind == "extra_forbidden":
        return "there is no such key here", nearest(key, _keys_beside(model, found["loc"]))
    if kind == "missing":
        return "is missing", None
    if kind in ("literal_error", "enum"):
        accepted = re.findall(r"'([^']*)'", str(context.get("expected", "")))
        return f"{shown(value)} is not one of {listed(accepted)}", nearest(str(value), accepted)
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        accepted = re.findall(r"'([^']*)'", str(context.get("expected_tags", "")))
        tag = str(context.get("tag", ""))
        if kind == "union_tag_not_found":
            return f"needs a {context.get('discriminator', 'type')}", None
        return f"{quoted(tag)} is not one of {listed(accepted)}", nearest(tag, accepted)
    return _plain_words(kind, context, value, found["msg"]), None


def _plain_words(kind: str, context: dict[str, Any], value: Any, otherwise: str) -> str:
    bounds = {
        "greater_than_equal": ("at least", "ge"),
        "less_than_equal": ("at most", "le"),
        "greater_than": ("more than", "gt"),
        "less_than": ("less than", "lt"),
    }
    if kind in bounds:
        words, bound = bounds[kind]
        return f"{shown(value)} is out of range: it must be {words} {context[bound]:,}"
    if kind in ("int_type", "int_from_float", "int_parsing", "int_parsing_size"):
        return f"{shown(value)} is not a whole number"
    if kind in ("too_short", "too_long"):
        bound = "min_length" if kind == "too_short" else "max_length"
        words = "at least" if kind == "too_short" else "at most"
        return (
            f"has {context['actual_length']} entries; {words} {context[bound]} are needed"
            if kind == "too_short"
            else (f"has too many entries; at most {context[bound]} are allowed")
        )
    if kind in ("string_too_short", "string_too_long"):
        return (
            "must not be empty" if kind == "string_too_short" else f"is longer than {context['max_length']} characters"
        )
    names = {
        "string_type": "a text",
        "list_type": "a list",
        "dict_type": "a table",
        "model_type": "a table",
        "model_attributes_type": "a table",
        "bool_type": "true or false",
        "date_type": "a date such as 2026-11-20",
    }
    if kind in names:
        return f"{shown(value)} is not {names[kind]}"
    if kind == "string_pattern_mismatch":
        return f"{shown(value)} is not an identifier: lower-case letters, digits, _ and - only"
    return otherwise.removeprefix("Value error, ")


def shown(value: Any) -> str:
    """A value as a message shows it: short, and a text in quotes."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _keys_beside(model: type[BaseModel], location: Sequence[str | int]) -> list[str]:
    """The keys that would have been right where an unknown one stands."""
    owners: list[type[BaseModel]] = [model]
    for part in location[:-1]:
        following: list[type[BaseModel]] = []
        for owner in owners:
            field = next((f for name, f in owner.model_fields.items() if part in (name, f.alias)), None)
            following += _models_in(field.annotation) if field is not None else ()
        owners = following or owners
    keys = [field.alias or name for owner in owners for name, field in owner.model_fields.items()]
    return list(dict.fromkeys(keys))


def _models_in(annotation: Any) -> tuple[type[BaseModel], ...]:
    if (
        isinstance(annotation, type)
        and issubclass(annotation, BaseModel)
        and not isinstance(annotation, types.GenericAlias)
    ):
        return (annotation,)
    return tuple(model for argument in typing.get_args(annotation) for model in _models_in(argument))
