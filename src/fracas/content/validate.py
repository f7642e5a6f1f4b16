"""From a plain document to a typed model, with all that is wrong said at once and in the user's words."""

from __future__ import annotations

import ast
import datetime
import inspect
import re
import textwrap
import types
import typing
from collections.abc import Iterable, Sequence
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

from fracas.content.canonical import canonical
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed, nearest, quoted, visible

MOST_PROBLEMS = 50
# Every number of 128 bits is shown in full; Python refuses to write out those of several thousand digits.
LARGEST_SHOWN = 2**128
# What pydantic calls a name that leads nowhere.
UNKNOWN_NAME = "unknown_name"


class Model(BaseModel):
    """The base of everything that people author: no unknown keys, no silent conversions, immutable once read."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """The schema with the texts below the fields as descriptions.

        pydantic would read them from the sources at every start (`use_attribute_docstrings`), and a battle needs none.
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
    """Have the schema of a table whose keys follow a pattern refuse all other keys, as the loader does."""
    inner: Iterable[Any] = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    if isinstance(schema, dict) and "patternProperties" in schema:
        schema.setdefault("additionalProperties", False)
    for part in inner:
        _refuse_other_names(part)


def _texts_below_fields(model: type[BaseModel]) -> dict[str, str]:
    """What a model's source says of its fields, each in a text right below it; those of its bases included."""
    texts: dict[str, str] = {}
    for owner in reversed(model.__mro__):
        if not issubclass(owner, BaseModel) or owner is BaseModel or owner.__module__ == __name__:
            continue
        body = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, text in pairwise(body.body):
            match field, text:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(said))):
                    texts[name] = inspect.cleandoc(said)
    return texts


AnyModel = TypeVar("AnyModel", bound=BaseModel)
AnyText = TypeVar("AnyText")
AnyTable = TypeVar("AnyTable")


def _text_or_table(value: Any) -> str | None:
    if isinstance(value, str):
        return "a text"
    return "a table" if isinstance(value, dict | BaseModel) else None


# Something named or written out in place. Which of the two it is meant to be shows before it is looked at, so that
# what is wrong with it is told once.
TextOrTable: TypeAlias = Annotated[
    Annotated[AnyText, Tag("a text")] | Annotated[AnyTable, Tag("a table")],
    Discriminator(
        _text_or_table, custom_error_type="text_or_table", custom_error_message="is neither a text nor a table"
    ),
]


class Keyed:
    """For tables by id: an entry that says no `id` has its key. `Annotated[dict[Id, Unit], Keyed(Unit)]`."""

    def __init__(self, model: type[BaseModel]) -> None:
        self.model = model

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """What is read: the table with the ids that are left out."""
        return core_schema.no_info_before_validator_function(_with_keys_as_ids, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """What editors are told: the id may be left out."""
        # What the entries are, for the pages that are made of schemas.
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
    field = Field(default="", description="Absent means its key; nothing else may stand here.")
    options: dict[str, Any] = {"__base__": model, "__module__": __name__, "__doc__": model.__doc__}
    own: type[BaseModel] = create_model(f"Own{model.__name__}", **options, id=(str, field))
    return own


def unknown_name(what: str, name: str, known: Iterable[str]) -> PydanticCustomError:
    """The complaint of a validator about a name that is none of the known; the nearest of them is suggested."""
    context = {"what": what, "shown": quoted(name), "name": name, "known": list(known)}
    return PydanticCustomError(UNKNOWN_NAME, "there is no {what} {shown}", context)


def printable(text: str) -> str:
    """A text that is shown as it is, so that it may not move a terminal's cursor; for use as a validator.

    Raises:
        ValueError: it holds something that cannot be printed, such as a line's end.
    """
    if not text.isprintable():
        raise ValueError(f"{quoted(text)} holds a character that cannot be printed")
    return text


def validate(model: type[AnyModel], document: Any, where: str) -> AnyModel:
    """The document as a model; the tables in it are in canonical order, whatever order they were written in.

    Raises:
        InputError: one problem for each key that is unknown, missing or wrong, with its dotted path.
    """
    return ordered_and_sound(model, document, where)[1]


def ordered_and_sound(model: type[AnyModel], document: Any, where: str) -> tuple[Any, AnyModel]:
    """A copy of the document in canonical order, and the same as a model.

    Raises:
        InputError: see `validate`.
    """
    ordered = canonical(document)
    try:
        return ordered, model.model_validate(ordered)
    except ValidationError as error:
        raise InputError(_problems(error, model, document, where)) from None


def _problems(error: ValidationError, model: type[BaseModel], document: Any, where: str) -> list[Problem]:
    problems: dict[Problem, None] = {}
    rest: set[tuple[str, str]] = set()
    for found in error.errors(include_url=False):
        path = dotted(_document_path(found["loc"], document, found["type"] == "missing"))
        if len(problems) < MOST_PROBLEMS:
            problems[Problem(f"{where}: {path}" if path else where, *_in_words(dict(found), model))] = None
        else:
            # Only what is said is put into words: looking for the name that was meant takes far longer than the rest.
            rest.add((path, found["type"]))
    return [*problems, *([Problem(where, f"and {len(rest)} more problems of this kind")] if rest else ())]


def dotted(path: Iterable[str | int]) -> str:
    """A path as it is written in messages and on the command line: `sides.0.units.0.attack`."""
    return ".".join(visible(str(part)) for part in path)


def _document_path(location: Sequence[str | int], document: Any, is_missing: bool) -> list[str | int]:
    """A pydantic location without the names of union members, which mean nothing to a reader."""
    path: list[str | int] = []
    here: Any = document
    for part in location:
        inside = isinstance(here, dict) and part in here
        if inside or (isinstance(here, list) and isinstance(part, int) and part < len(here)):
            here = here[part]
            path.append(part)
    return [*path, location[-1]] if is_missing else path


def _in_words(found: dict[str, Any], model: type[BaseModel]) -> tuple[str, str | None]:
    kind, context, value = found["type"], found.get("ctx", {}), found.get("input")
    key = str(found["loc"][-1]) if found["loc"] else ""
    if kind == "extra_forbidden":
        return "there is no such key here", nearest(key, _keys_beside(model, found["loc"]))
    if kind == "missing":
        return "is missing", None
    if kind == UNKNOWN_NAME:
        return str(found["msg"]), nearest(str(context["name"]), context["known"])
    if kind in ("literal_error", "enum"):
        expected = str(context.get("expected", ""))
        texts = re.findall(r"'([^']*)'", expected)
        # What may stand here need not be texts: pydantic lists numbers without quotes.
        accepted = texts or re.split(r", | or ", expected)
        hint = nearest(value, texts) if isinstance(value, str) else None
        return f"{shown(value)} is not one of {listed(accepted)}", hint
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        accepted = re.findall(r"'([^']*)'", str(context.get("expected_tags", "")))
        tag = str(context.get("tag", ""))
        if kind == "union_tag_not_found":
            return f"needs a {context.get('discriminator', 'type')}", None
        return f"{quoted(tag)} is not one of {listed(accepted)}", nearest(tag, accepted)
    hint = f"write [[{key}]] above each entry" if kind == "list_type" and isinstance(value, dict) and key else None
    return _plain_words(kind, context, value, found["msg"]), hint


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
            return "nothing"
    return f"a value of the type {type(value).__name__}"


def _keys_beside(model: type[BaseModel], location: Sequence[str | int]) -> list[str]:
    """The keys that would have been right where an unknown one stands."""
    owners: list[type[BaseModel]] = [model]
    for part in location[:-1]:
        following: list[type[BaseModel]] = []
        for owner in owners:
            field = next((f for name, f in owner.model_fields.items() if part in (name, f.alias)), None)
            following += models_in(field.annotation) if field is not None else ()
        owners = following or owners
    fields = [(name, field.alias or name) for owner in owners for name, field in owner.model_fields.items()]
    # Both spellings of a key that has two, but not the name that a field has because Python keeps the key for itself.
    keys = [key for name, alias in fields for key in dict.fromkeys((name, alias)) if not key.endswith("_")]
    return list(dict.fromkeys(keys))


def models_in(annotation: Any) -> tuple[type[BaseModel], ...]:
    """The models that a type is made of."""
    if (
        isinstance(annotation, type)
        and issubclass(annotation, BaseModel)
        and not isinstance(annotation, types.GenericAlias)
    ):
        return (annotation,)
    return tuple(model for argument in typing.get_args(annotation) for model in models_in(argument))
