"""Validate a plain document against a typed model; report all problems at once, in the user's terms."""

from __future__ import annotations

import ast
import datetime
import inspect
import re
import textwrap
import types
import typing
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Tag,
    ValidationError,
    create_model,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from fracas.content.canonical import DEEPEST_DOCUMENT, canonical, canonical_around
from fracas.content.part_cache import in_order
from fracas.errors import UNKNOWN_KEY, UNKNOWN_NAME, WRONG_CHOICE, InputError, Problem
from fracas.errors.suggestions import listed, nearest, quoted, visible

MOST_PROBLEMS = 50
# Numbers of up to 128 bits are shown in full. Python refuses to format numbers with several thousand digits.
LARGEST_SHOWN = 2**128
# The pydantic error type for an unknown name.
_UNKNOWN_NAME = "unknown_name"


class Model(BaseModel):
    """The base class of all models for files: no unknown keys, no silent conversions, immutable."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Add the docstrings below fields to the schema as descriptions.

        pydantic's `use_attribute_docstrings` would read the sources at every start, which only schemas need.
        """
        schema = handler(core_schema)
        properties = handler.resolve_ref_schema(schema).get("properties", {})
        _refuse_other_names(properties)
        texts = _texts_below_fields(cls)
        for name, field in cls.model_fields.items():
            shown = properties.get(field.alias or name)
            if shown is not None and name in texts:
                shown.setdefault("description", texts[name])
        return schema


def _refuse_other_names(schema: Any) -> None:
    """Make the schema of a table with patterned keys refuse all other keys, as the loader does."""
    inner: Iterable[Any] = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    if isinstance(schema, dict) and "patternProperties" in schema:
        schema.setdefault("additionalProperties", False)
    for part in inner:
        _refuse_other_names(part)


def _texts_below_fields(model: type[BaseModel]) -> dict[str, str]:
    """Read the docstrings below a model's fields from its source, including those of bases, models or not."""
    texts: dict[str, str] = {}
    for owner in reversed(model.__mro__):
        if owner is not BaseModel and owner.__module__ != __name__ and "__annotations__" in vars(owner):
            texts.update(_texts_in_class(owner))
    return texts


@cache
def _texts_in_class(owner: type) -> dict[str, str]:
    body = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
    assert isinstance(body, ast.ClassDef)
    texts: dict[str, str] = {}
    for field, text in pairwise(body.body):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(docstring))):
                texts[name] = inspect.cleandoc(docstring)
    return texts


AnyModel = TypeVar("AnyModel", bound=BaseModel)
AnyText = TypeVar("AnyText")
AnyTable = TypeVar("AnyTable")


def _text_or_table(value: Any) -> str | None:
    if isinstance(value, str):
        return "a string"
    return "a table" if isinstance(value, dict | BaseModel) else None


# A name or an inline table. The type decides which is validated, so that each problem is reported only once.
TextOrTable: TypeAlias = Annotated[
    Annotated[AnyText, Tag("a string")] | Annotated[AnyTable, Tag("a table")],
    Discriminator(
        _text_or_table, custom_error_type="text_or_table", custom_error_message="is neither a string nor a table"
    ),
]


class Keyed:
    """For tables by id: an entry without `id` takes its key. `Annotated[dict[Id, Unit], Keyed(Unit)]`."""

    def __init__(self, model: type[BaseModel]) -> None:
        self.model = model

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Validate the table with omitted ids filled in."""
        return core_schema.no_info_before_validator_function(_with_keys_as_ids, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Make the id optional in the JSON Schema."""
        # The entries' model, for documentation generated from schemas.
        table = {"$comment": f"keyed {self.model.__name__}", **handler(schema)}
        entry = handler(_without_need_of_id(self.model).__pydantic_core_schema__)
        if "patternProperties" in table:
            return {**table, "patternProperties": dict.fromkeys(table["patternProperties"], entry)}
        return {**table, "additionalProperties": entry}


def _with_keys_as_ids(table: Any) -> Any:
    if not isinstance(table, dict):
        return table
    return {key: {"id": key, **entry} if isinstance(entry, dict) else entry for key, entry in table.items()}


@cache
def _without_need_of_id(model: type[BaseModel]) -> type[BaseModel]:
    field = Field(default="", description="Defaults to the entry's key; no other value is allowed.")
    options: dict[str, Any] = {"__base__": model, "__module__": __name__, "__doc__": model.__doc__}
    own: type[BaseModel] = create_model(f"Own{model.__name__}", **options, id=(str, field))
    return own


def unknown_name(what: str, name: str, known: Iterable[str]) -> PydanticCustomError:
    """Make a validator's error for an unknown name, with the nearest known name as a suggestion."""
    context = {"what": what, "shown": quoted(name), "name": name, "known": list(known)}
    return PydanticCustomError(_UNKNOWN_NAME, "there is no {what} {shown}", context)


def printable(text: str) -> str:
    """Check, as a validator, that text is printable and cannot move a terminal's cursor.

    Raises:
        ValueError: it contains a character that cannot be printed, such as a line break.
    """
    if not text.isprintable():
        raise ValueError(f"{quoted(text)} contains a character that cannot be printed")
    return text


def validate(model: type[AnyModel], document: Any, where: str, levels: int = DEEPEST_DOCUMENT) -> AnyModel:
    """Validate a document as a model, with its tables in canonical order.

    levels: how deep the document must be sorted; what is deeper are parts that sort themselves (`part_cache.Known`).

    Raises:
        InputError: one problem for each key that is unknown, missing or wrong, with its dotted path.
    """
    if levels < DEEPEST_DOCUMENT:
        with suppress(ValidationError):
            return model.model_validate(canonical(document, DEEPEST_DOCUMENT - levels))
    # The order of problems is that of the sorted document.
    return ordered_and_sound(model, document, where)[1]


def ordered_and_sound(
    model: type[AnyModel], document: Any, where: str, ready: Collection[int] = ()
) -> tuple[Any, AnyModel]:
    """Validate a document; return a copy in canonical order, and the model. For `ready` see `canonical_around`.

    Raises:
        InputError: see `validate`.
    """
    ordered = canonical_around(document, ready) if ready else canonical(document)
    return ordered, sound_model(model, ordered, document, where)


def sound_model(model: type[AnyModel], ordered: Any, document: Any, where: str) -> AnyModel:
    """Validate a document that is in canonical order; problems name the places of `document`, as it was written.

    Raises:
        InputError: see `validate`.
    """
    try:
        with in_order():
            return model.model_validate(ordered)
    except ValidationError as error:
        raise InputError(_problems(error, model, document, where)) from None


def _problems(error: ValidationError, model: type[BaseModel], document: Any, where: str) -> list[Problem]:
    problems: dict[Problem, None] = {}
    rest: set[tuple[str, str]] = set()
    for found in error.errors(include_url=False):
        path = dotted(_document_path(found["loc"], document, found["type"] == "missing"))
        if len(problems) < MOST_PROBLEMS:
            problems[_in_words(f"{where}: {path}" if path else where, dict(found), model)] = None
        else:
            # Build messages only for the problems that are shown: searching for suggestions is slow.
            rest.add((path, found["type"]))
    return [*problems, *([Problem(where, f"and {len(rest)} more problems of this kind")] if rest else ())]


def dotted(path: Iterable[str | int]) -> str:
    """Format a path as in messages and on the command line: `sides.0.units.0.attack`."""
    return ".".join(visible(str(part)) for part in path)


def _document_path(location: Sequence[str | int], document: Any, is_missing: bool) -> list[str | int]:
    """Convert a pydantic location to a path, without the names of union members."""
    path: list[str | int] = []
    here: Any = document
    for part in location:
        inside = isinstance(here, dict) and part in here
        if inside or (isinstance(here, list) and isinstance(part, int) and part < len(here)):
            here = here[part]
            path.append(part)
    return [*path, location[-1]] if is_missing else path


def _in_words(where: str, found: dict[str, Any], model: type[BaseModel]) -> Problem:
    kind, context, value = found["type"], found.get("ctx", {}), found.get("input")
    key = str(found["loc"][-1]) if found["loc"] else ""
    if kind == "extra_forbidden":
        keys = tuple(_keys_beside(model, found["loc"]))
        return Problem(where, "there is no such key here", nearest(key, keys), UNKNOWN_KEY, keys)
    if kind == "missing":
        return Problem(where, "is missing")
    if kind == _UNKNOWN_NAME:
        known = tuple(context["known"])
        return Problem(where, str(found["msg"]), nearest(str(context["name"]), known), UNKNOWN_NAME, known)
    if kind in ("literal_error", "enum"):
        expected = str(context.get("expected", ""))
        texts = re.findall(r"'([^']*)'", expected)
        # Accepted values may be numbers, which pydantic lists without quotes.
        accepted = texts or re.split(r", | or ", expected)
        hint = nearest(value, texts) if isinstance(value, str) else None
        return Problem(where, f"{shown(value)} is not one of {listed(accepted)}", hint, WRONG_CHOICE, tuple(accepted))
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        accepted = re.findall(r"'([^']*)'", str(context.get("expected_tags", "")))
        tag = str(context.get("tag", ""))
        if kind == "union_tag_not_found":
            return Problem(where, f"needs a {context.get('discriminator', 'type')}")
        message = f"{quoted(tag)} is not one of {listed(accepted)}"
        return Problem(where, message, nearest(tag, accepted), WRONG_CHOICE, tuple(accepted))
    hint = f"write [[{key}]] above each entry" if kind == "list_type" and isinstance(value, dict) and key else None
    return Problem(where, _plain_words(kind, context, value, found["msg"]), hint)


def _plain_words(kind: str, context: dict[str, Any], value: Any, otherwise: str) -> str:
    bounds = {
        "greater_than_equal": ("at least", "ge"),
        "less_than_equal": ("at most", "le"),
        "greater_than": ("more than", "gt"),
        "less_than": ("less than", "lt"),
    }
    if kind == "text_or_table":
        return f"{shown(value)} {otherwise}"
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
        "string_type": "a string",
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
    """Format a value for messages: short, with strings in quotes."""
    match value:
        case str():
            return quoted(value)
        case bool():
            return "true" if value else "false"
        case int() if abs(value) > LARGEST_SHOWN:
            return "a number of 39 digits or more"
        case int() | float() | datetime.date() | datetime.time():
            return str(value)
        case list():
            return "a list"
        case dict():
            return "a table"
        case None:
            return "null"
    return f"a value of type {type(value).__name__}"


def _keys_beside(model: type[BaseModel], location: Sequence[str | int]) -> list[str]:
    """The valid keys in the place of an unknown one."""
    owners: list[type[BaseModel]] = [model]
    for part in location[:-1]:
        following: list[type[BaseModel]] = []
        for owner in owners:
            field = next((f for name, f in owner.model_fields.items() if part in (name, f.alias)), None)
            following += models_in(field.annotation) if field is not None else ()
        owners = following or owners
    fields = [(name, field.alias or name) for owner in owners for name, field in owner.model_fields.items()]
    # Both spellings of a key that has two, but not a field name that only avoids a reserved word of Python.
    keys = [key for name, alias in fields for key in dict.fromkeys((name, alias)) if not key.endswith("_")]
    return list(dict.fromkeys(keys))


def models_in(annotation: Any) -> tuple[type[BaseModel], ...]:
    """The models in a type annotation."""
    if (
        isinstance(annotation, type)
        and issubclass(annotation, BaseModel)
        and not isinstance(annotation, types.GenericAlias)
    ):
        return (annotation,)
    return tuple(model for argument in typing.get_args(annotation) for model in models_in(argument))
