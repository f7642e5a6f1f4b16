"""Completion at the cursor: keys and values of the schema, names of content, words of conditions.

Which names belong in a place is not written down a second time: a name that nobody has is put there, and the ruleset's
problem says what it expected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.conditions.tree import ALWAYS, QUANTIFIERS
from fracas.conditions.vocabulary import Flag, Vocabulary, filled
from fracas.content.packs import Library
from fracas.errors import UNKNOWN_NAME, InputError
from fracas.kernel.fact_table import Fact
from fracas.rulesets import registry
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.studio.drafts import Draft
from fracas.studio.problems import key_text
from fracas.studio.text_positions import Cursor, Path, cursor_at, from_utf16, utf16

MOST_OPTIONS = 400
# A name that nobody has, and that fits every pattern for names.
NOBODY = "zz9nobody9zz"
_WORD = re.compile(r"[A-Za-z_][\w.]*$")
_INSIDE_GROUP = re.compile(r"(\w+)\.(?:any|all|count)\(([^()]*)$")
_CAPITAL = re.compile(r"(?<=[a-z])[A-Z]")
# Numbers that stand for N, M and X in families of named conditions.
_EXAMPLES = {"N": "50", "M": "2"}


class Option(NamedTuple):
    """A completion."""

    label: str
    kind: str
    """key, value, name, fact, group, condition, word."""
    detail: str = ""
    info: str = ""
    insert: str | None = None
    """The text to insert, if it is not the label."""


def completions(draft: Draft, offset: int) -> dict[str, Any]:
    """What may be written at an offset: `{from, options}`, with offsets as browsers count them."""
    at = from_utf16(draft.text, offset)
    cursor = cursor_at(draft.text, at, is_json=draft.is_json)
    ruleset = draft.ruleset
    if ruleset is None:
        start, found = _without_ruleset(cursor)
    elif cursor.part == "key":
        start, found = cursor.start, _keys(draft, ruleset, cursor, at)
    elif cursor.part == "value":
        start, found = _values(draft, ruleset, cursor, at)
    else:
        return {"from": offset, "options": []}
    options = list({option.label: option for option in found}.values())[:MOST_OPTIONS]
    return {"from": utf16(draft.text, start), "options": [_as_json(option) for option in options]}


def _as_json(option: Option) -> dict[str, str]:
    found = {"label": option.label, "kind": option.kind, "detail": option.detail, "info": option.info}
    return found if option.insert is None else {**found, "insert": option.insert}


def _without_ruleset(cursor: Cursor) -> tuple[int, list[Option]]:
    if cursor.part == "value" and cursor.path == ("ruleset",):
        return cursor.start, list(_written(_rulesets(), cursor))
    lines = [] if cursor.part != "key" or cursor.quote else [f'ruleset = "{name}"' for name in registry.names()]
    return cursor.start, [Option(line, "key", "the rules that the battle follows") for line in lines]


def _rulesets() -> Iterator[Option]:
    imported = registry.loaded()
    for name in registry.names():
        yield Option(name, "value", registry.get(name).title if name in imported else "a game")


# Keys.


def _keys(draft: Draft, ruleset: Ruleset, cursor: Cursor, at: int) -> list[Option]:
    schemas = list(_schemas_at(draft.schema(ruleset), cursor.path))
    here = {path[len(cursor.path)] for path in draft.spans if path[: len(cursor.path)] == cursor.path != path}
    # The key at the cursor is there already, in part; offer it again.
    typed = draft.text[cursor.start : at]
    found = [
        Option(name, "key", _kind_of(each), each.get("description", ""))
        for schema in schemas
        for name, each in schema.get("properties", {}).items()
        if (name not in here or name == typed)
        and not (_snake(name) != name and _snake(name) in {*here, *_known(schema)})
    ]
    if any(_is_open(schema) for schema in schemas):
        found += _names_of_keys(draft, ruleset, cursor, at)
    is_plain = bool(cursor.quote) or (not draft.is_json and "]" in cursor.closers[:1])
    return [
        option if is_plain else option._replace(insert=key_text(option.label, draft.is_json))
        for option in found
        if not option.label.startswith("_")
    ]


def _known(schema: Mapping[str, Any]) -> Iterable[str]:
    found: Iterable[str] = schema.get("properties", {})
    return found


def _snake(name: str) -> str:
    """The spelling that TOML files use: target_priority for targetPriority."""
    return _CAPITAL.sub(lambda letter: f"_{letter[0].lower()}", name)


def _is_open(schema: Mapping[str, Any]) -> bool:
    """Whether a table's keys are names of the user's choice, or of content."""
    return isinstance(schema.get("additionalProperties"), Mapping) or "patternProperties" in schema


def _names_of_keys(draft: Draft, ruleset: Ruleset, cursor: Cursor, at: int) -> Iterator[Option]:
    enums = [
        schema["propertyNames"]["enum"]
        for schema in _schemas_at(draft.schema(ruleset), cursor.path)
        if "enum" in schema.get("propertyNames", {})
    ]
    yield from (Option(name, "name") for names in enums for name in names)
    rest = draft.text[at:].partition("\n")[0]
    equals = ":" if draft.is_json else "="
    tail = "" if equals in rest else f"{cursor.quote[:1]} {equals} {{}}"
    for option in _names(draft, ruleset, cursor, at, f"{NOBODY}{tail}", (*cursor.path, NOBODY)):
        # Keys are the names that people read, where content has them.
        yield option._replace(label=option.detail or option.label, detail=option.label)


# Values.


def _values(draft: Draft, ruleset: Ruleset, cursor: Cursor, at: int) -> tuple[int, list[Option]]:
    if cursor.path == ("ruleset",):
        return cursor.start, list(_written(_rulesets(), cursor))
    schemas = list(_schemas_at(draft.schema(ruleset), cursor.path))
    if any(_is_condition(schema) for schema in _schemas_around(draft.schema(ruleset), cursor.path)):
        typed = draft.text[cursor.start : at]
        if not cursor.quote:
            return cursor.start, [Option('""', "value", "a condition", insert='""')] if not typed.strip() else []
        word = _WORD.search(typed)
        return at - len(word[0]) if word else at, list(_words(ruleset.vocabulary, typed))
    found = [option for schema in schemas for option in _plain_values(schema)]
    found += _names(draft, ruleset, cursor, at, NOBODY, cursor.path)
    return cursor.start, list(_written(found, cursor))


def _written(options: Iterable[Option], cursor: Cursor) -> Iterator[Option]:
    """Values as they are written: strings in quotation marks, unless these are there already."""
    for option in options:
        is_text = option.kind != "word"
        yield option if cursor.quote or not is_text else option._replace(insert=f'"{option.label}"')


def _plain_values(schema: Mapping[str, Any]) -> Iterator[Option]:
    for value in schema.get("enum", [schema["const"]] if "const" in schema else []):
        if isinstance(value, str):
            yield Option(value, "value")
    if schema.get("type") == "boolean":
        yield from (Option(word, "word") for word in ("true", "false"))
    default = schema.get("default")
    if isinstance(default, int) and not isinstance(default, bool):
        yield Option(str(default), "word", "the default")


def _names(draft: Draft, ruleset: Ruleset, cursor: Cursor, at: int, stand_in: str, path: Path) -> Iterator[Option]:
    """The content whose names belong in a place: what the ruleset says is missing there."""
    library = draft.library(ruleset)
    for text in _with_nobody(draft, cursor, at, stand_in):
        try:
            document = draft.with_text(text).document
        except InputError:
            continue
        try:
            draft.try_out(document)
        except InputError as error:
            for problem in error.problems:
                if problem.kind == UNKNOWN_NAME and problem.where.endswith(f": {'.'.join(path)}"):
                    yield from _entries(ruleset, library, document, problem.expected)
                    return
        return


def _with_nobody(draft: Draft, cursor: Cursor, at: int, stand_in: str) -> Iterator[str]:
    """The text with a name that nobody has at the cursor; if it does not parse, only its beginning, closed."""
    text = draft.text
    quote = cursor.quote or ('"' if cursor.part == "value" or draft.is_json else "")
    head = text[: cursor.start] if cursor.quote else f"{text[: cursor.start]}{quote}"
    end = at + len(re.match(r"[\w.-]*", text[at:])[0])  # type: ignore[index]
    if cursor.quote and text.startswith(cursor.quote, end):
        yield f"{head}{stand_in}{text[end:]}"
    else:
        yield f"{head}{stand_in}{quote}{text[end:]}"
    yield f"{head}{stand_in}{quote}{cursor.closers}\n"


def _entries(ruleset: Ruleset, library: Library, document: Mapping[str, Any], names: Sequence[str]) -> Iterator[Option]:
    """Names, explained by the kind of content that has most of them; they may be ids or what people read."""
    wanted = set(names)
    kind = max(library.entries, key=lambda kind: sum(bool(wanted & _called(each)) for each in library.of(kind).items()))
    own = document.get(kind)
    for name, entry in own.items() if isinstance(own, Mapping) else ():
        title = entry.get("name", "") if isinstance(entry, Mapping) else ""
        yield Option(str(name), "name", str(title), "defined in this scenario")
    for name, entry in library.of(kind).items():
        if wanted & _called((name, entry)):
            wanted -= _called((name, entry))
            info = " ".join(ruleset.describe_entry(entry)) or getattr(entry, "note", "")
            yield Option(name, "name", getattr(entry, "name", ""), info)
    yield from (Option(name, "name") for name in names if name in wanted)


def _called(named: tuple[str, Any]) -> set[str]:
    """The id of an entry and its name, if it has one."""
    return {named[0], getattr(named[1], "name", named[0])}


# Conditions.


def _words(vocabulary: Vocabulary, typed: str) -> Iterator[Option]:
    """The words that may come next in a condition."""
    inside = _INSIDE_GROUP.search(typed)
    if inside is not None:
        inner: tuple[Fact | Flag, ...] = (*vocabulary.unit_facts, *vocabulary.statuses)
        yield from (Option(entry.name, "fact", entry.example, entry.doc) for entry in inner)
        return
    for fact in vocabulary.facts:
        yield Option(fact.name, "fact", fact.example, fact.doc)
    for group in vocabulary.groups:
        for quantifier in QUANTIFIERS:
            yield Option(f"{group.name}.{quantifier}", "group", group.doc, insert=f"{group.name}.{quantifier}(")
    statuses = [status.name for status in vocabulary.statuses] or ["X"]
    for alias in vocabulary.names:
        for status in statuses if "X" in alias.name else [""]:
            values = {**_EXAMPLES, "X": status}
            yield Option(filled(alias.name, values), "condition", filled(alias.text, values), alias.doc)
    yield Option(ALWAYS.name, "condition", "true in every situation")
    yield from (Option(word, "word") for word in ("and", "or", "not"))


# The schema.


def _schemas_at(root: Mapping[str, Any], path: Path) -> Iterator[Mapping[str, Any]]:
    """The schemas that an entry may follow, with references and alternatives opened."""
    here = list(_opened(root, root))
    for key in path:
        here = [inner for schema in here for inner in _below(root, schema, key)]
    yield from here


def _schemas_around(root: Mapping[str, Any], path: Path) -> Iterator[Mapping[str, Any]]:
    """The schemas of an entry and, within the tables of a condition, of the condition itself."""
    while path and path[-1].isdigit():
        path = path[:-1]
    yield from _schemas_at(root, path)


def _opened(root: Mapping[str, Any], schema: Any) -> Iterator[Mapping[str, Any]]:
    if not isinstance(schema, Mapping):
        return
    if "$ref" in schema:
        yield from _opened(root, root["$defs"].get(str(schema["$ref"]).rpartition("/")[2]))
        return
    alternatives = [each for key in ("anyOf", "oneOf", "allOf") for each in schema.get(key, ())]
    if not alternatives:
        yield schema
    for each in alternatives:
        yield from _opened(root, each)


def _below(root: Mapping[str, Any], schema: Mapping[str, Any], key: str) -> Iterator[Mapping[str, Any]]:
    if key.isdigit() and "items" in schema:
        yield from _opened(root, schema["items"])
    elif key in schema.get("properties", {}):
        yield from _opened(root, schema["properties"][key])
    else:
        for each in (schema.get("additionalProperties"), *schema.get("patternProperties", {}).values()):
            yield from _opened(root, each)


def _is_condition(schema: Mapping[str, Any]) -> bool:
    return schema.get("$comment") == "condition"


def _kind_of(schema: Mapping[str, Any]) -> str:
    """A word for what a key takes."""
    kinds = [each.get("type") for each in (schema, *schema.get("anyOf", ())) if each.get("type") not in (None, "null")]
    words = {"integer": "a number", "number": "a number", "string": "text", "boolean": "true or false"}
    words |= {"array": "a list", "object": "a table"}
    return " or ".join(dict.fromkeys(words.get(str(kind), str(kind)) for kind in kinds))
