"""Find where content mentions its own statuses, and which of them a battle needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from fracas.content.packs import unknown_name
from fracas.content.reference_tables import singular
from fracas.content.references import list_of, table_of, to_plain
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.content.library import titled
from fracas.rulesets.relics.content.models.effects import Effect, Modifier, Op
from fracas.rulesets.relics.content.models.items import Body, OwnStatus
from fracas.rulesets.relics.content.places import SIDES
from fracas.rulesets.relics.content.vocabulary import is_own_status, may_contain, own_statuses_in
from fracas.rulesets.relics.declarations.types import STATUS_KINDS, WORDS
from fracas.rulesets.relics.rules.constants import OWN_STATUSES, STATUSES

# The keys of ops, effects and modifiers that may hold the id of a status.
STATUS_KEYS = frozenset(("status", "what", "from", "to", "of"))
_DEEPEST = 6


def parts_of(entry: Body) -> Iterator[tuple[str, Effect | Op | Modifier]]:
    """The effects, ops and modifiers of a body, with their paths in it."""
    for trigger, entries in entry.triggers.items():
        for index, each in enumerate(entries):
            path = f"triggers.{trigger}.{index}"
            yield path, each
            if isinstance(each, Effect):
                yield from ((f"{path}.do.{number}", op) for number, op in enumerate(each.do))
    yield from ((f"modifiers.{index}", modifier) for index, modifier in enumerate(entry.modifiers))


def named_in(part: Effect | Op | Modifier) -> Iterator[tuple[str, str]]:
    """The own statuses that a part names, with their keys."""
    if isinstance(part, Effect):
        names = {"of": part.of}
    elif isinstance(part, Modifier):
        names = {"status": part.status}
    else:
        kinds = {argument.name: argument.kind for argument in part.form.arguments}
        names = {name: part.argument(name) for name, kind in kinds.items() if kind in STATUS_KINDS}
    yield from ((key, name) for key, name in names.items() if name is not None and is_own_status(name))


def unknown_statuses(entry: Body, known: Mapping[str, Any], lead: str) -> Iterator[Problem]:
    """Problems for unknown statuses that a body names; `lead` starts their paths."""
    for path, part in parts_of(entry):
        yield from _unknown_statuses_in(part, known, f"{lead}{path}")


def unknown_statuses_in_broken(table: Mapping[Any, Any], known: Mapping[str, Any], lead: str) -> Iterator[Problem]:
    """Problems for unknown statuses in a body that fails its model, from its valid ops and modifiers."""
    for path, value in _lists_in(table.get("triggers"), "triggers", _DEEPEST):
        with suppress(InputError):
            yield from _unknown_statuses_in(validate(Op, value, ""), known, f"{lead}{path}")
    for path, value in _lists_in(table.get("modifiers"), "modifiers", _DEEPEST):
        with suppress(InputError):
            yield from _unknown_statuses_in(validate(Modifier, value, ""), known, f"{lead}{path}")


def _lists_in(value: Any, path: str, levels: int) -> Iterator[tuple[str, Any]]:
    """Everything in a possibly invalid value that could be an op or a modifier, with its path."""
    if isinstance(value, dict):
        yield path, value
        inner = [(entry, f"{path}.{key}") for key, entry in value.items()]
    else:
        entries = list_of(value)
        if entries and isinstance(entries[0], str):
            yield path, value
        inner = [(entry, f"{path}.{index}") for index, entry in enumerate(entries)]
    for entry, at in inner if levels else ():
        yield from _lists_in(entry, at, levels - 1)


def _unknown_statuses_in(part: Effect | Op | Modifier, known: Mapping[str, Any], where: str) -> Iterator[Problem]:
    for key, name in named_in(part):
        if name not in known:
            words = STATUSES
            if isinstance(part, Op):
                words = next(WORDS[each.kind] for each in part.form.arguments if each.name == key)
            yield unknown_name(f"{where}.{key}", singular("statuses"), name, (*words, *known))


# What a battle needs.


def mentioned_in(value: Any) -> set[str]:
    """The words in plain values, such as a resolved fighter, that could be own statuses."""
    found = set(own_statuses_in(value))
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            found.update(str(name) for key, name in part.items() if key in STATUS_KEYS and is_own_status(name))
            found.update(filter(is_own_status, table_of(part.get("statuses"))))
        if isinstance(part, dict | list):
            waiting.extend(part.values() if isinstance(part, dict) else part)
    return found


def needed(values: Iterable[Any], known: Mapping[str, Document]) -> dict[str, Document]:
    """The known statuses that values mention, directly or through other statuses, by id."""
    found: dict[str, Document] = {}
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if not may_contain(value, known):
            continue
        names = mentioned_in(value)
        for name in sorted(names & known.keys() - found.keys()):
            found[name] = known[name]
            waiting.append(known[name])
    return {name: found[name] for name in sorted(found)}


def with_statuses(document: Document, known: Mapping[str, Document]) -> Document:
    """A resolved document with the statuses that its fighters need; without the key if there are none."""
    own = needed((document.get(side) for side in SIDES), {**known, **document.get("statuses", {})})
    rest = {key: value for key, value in document.items() if key != "statuses"}
    return {**rest, "statuses": own} if own else rest


def too_many(own: Mapping[str, Any]) -> str | None:
    """The message for a battle with too many own statuses; None if there is room."""
    if len(own) <= OWN_STATUSES:
        return None
    names = listed(list(own), "and")
    return f"a battle has room for {OWN_STATUSES} own statuses; this one needs {len(own)}: {names}"


def own_of(document: Document) -> dict[str, OwnStatus]:
    """The statuses of a resolved document."""
    return {
        name: validate(OwnStatus, entry, f"statuses.{name}") for name, entry in document.get("statuses", {}).items()
    }


def as_resolved(statuses: Mapping[str, OwnStatus]) -> dict[str, Document]:
    """Statuses in the form of resolved documents, by id."""
    keys = ("triggers", "flags", "modifiers")
    return {
        name: {"id": name, "name": entry.name or titled(name), **{key: to_plain(entry)[key] for key in keys}}
        for name, entry in statuses.items()
    }
