"""Caches parts of documents that were checked or resolved before, so that a document costs only what is new in it.

Parts are known by their content, never by where they came from: equal parts of different documents share one model. A
part is cached when it is seen for the second time, because most documents of strangers never come back.

What is made of a model, such as its resolved form, is remembered with it and as long as it.
"""

from __future__ import annotations

import marshal
import threading
import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidatorFunctionWrapHandler
from pydantic_core import CoreSchema, core_schema

from fracas.content.canonical import canonical, canonical_around
from fracas.content.references import Collector, to_plain
from fracas.errors import Problem
from fracas.files.process_cache import Memory

# Roughly what a part takes in memory with all that is made of it: twenty times its plain values.
GROWTH = 20
LEAST_WEIGHT = 1000
# The cache of checked parts holds about this many bytes, that of parts seen once this many marks.
MOST_KNOWN = 64 * 1024 * 1024
MOST_SEEN = 20_000
# This many things are remembered with one model: its resolved forms in different surroundings, for example.
MOST_MADE = 16

Made = TypeVar("Made")
Looked: TypeAlias = tuple[str, str, Any]
"""An entry that was looked up: its kind, its name and what was found."""

_known: Memory[Any] = Memory(MOST_KNOWN)
_seen: Memory[bool] = Memory(MOST_SEEN)


class _Ordered(threading.local):
    """Whether what this thread validates is in canonical order, so that its parts need not be sorted."""

    is_ordered = False


_thread = _Ordered()


@contextmanager
def in_order() -> Iterator[None]:
    """Validate a document that is in canonical order already."""
    before, _thread.is_ordered = _thread.is_ordered, True
    try:
        yield
    finally:
        _thread.is_ordered = before


class Known:
    """For parts of documents: a part that is equal to one checked before gets the same model.

    `Annotated[Creature, Known()]`. The part's validators must depend on nothing but its value. A new part is put in
    canonical order first, so the document around it need not be.
    """

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Validate a part unless it is known."""
        return core_schema.no_info_wrap_validator_function(self._checked_once, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Leave the schema as it is."""
        return handler(schema)

    def _checked_once(self, part: Any, check: ValidatorFunctionWrapHandler) -> Any:
        if type(part) is not dict and type(part) is not list:
            return check(part)
        try:
            # Version 2 encodes equal values equally, distinguishes 1, 1.0 and true, and refuses other types.
            key = (self, marshal.dumps(part, 2))
        except ValueError:
            return _checked(part, check)
        found = _known.recall(key)
        if found is not None:
            return found
        mark = hash(key)
        if _seen.recall(mark) is None:
            _seen.keep(mark, True)
            return check(part) if _thread.is_ordered else _checked(part, check)
        found = _known.keep(key, _checked(part, check), len(key[1]) * GROWTH + LEAST_WEIGHT)
        share(found.values() if isinstance(found, dict) else (found,))
        return found


def _checked(part: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """Check a copy in canonical order: models keep some values as they are, and the caller may change the document."""
    with in_order():
        return check(canonical(part))


# What was made of shared models, by their identity. An entry goes when its model goes.
_made_of: dict[int, tuple[weakref.ref[BaseModel], dict[Hashable, Any]]] = {}


def share(models: Iterable[Any]) -> None:
    """Remember from now on what is made of these immutable models, as long as they live."""
    for model in models:
        if isinstance(model, BaseModel) and id(model) not in _made_of:
            own = id(model)
            _made_of[own] = (weakref.ref(model, lambda _, own=own: _made_of.pop(own, None)), {})  # type: ignore[misc]


def _made(model: object) -> dict[Hashable, Any] | None:
    """What was made of a model so far; None if it is not shared."""
    found = _made_of.get(id(model))
    if found is None:
        return None
    if len(found[1]) >= MOST_MADE:
        found[1].clear()
    return found[1]


def made_once(model: BaseModel, use: str, make: Callable[[], Made]) -> Made:
    """Make something of a model, or return what was made of the same model before.

    The result must be immutable and depend on nothing but the model; `use` tells apart what is made of one model.
    """
    made = _made(model)
    if made is None:
        return make()
    if use not in made:
        made[use] = make()
    found: Made = made[use]
    return found


def to_plain_once(entry: BaseModel) -> dict[str, Any]:
    """`to_plain` in canonical order; the values are new each time."""
    made = _made(entry)
    if made is None:
        return dict(canonical(to_plain(entry)))
    if "plain" not in made:
        made["plain"] = marshal.dumps(canonical(to_plain(entry)))
    values: dict[str, Any] = marshal.loads(made["plain"])
    return values


@dataclass(frozen=True)
class _ResolvedPart:
    looked_up: tuple[Looked, ...]
    """Everything that the result depends on besides its model."""
    values: bytes


class LookUps(Collector):
    """A collector of problems that remembers resolved parts, with the entries that each looked up.

    A remembered part is used while every look-up finds the same entry. Parts with problems or warnings are not
    remembered, because their messages name a place.
    """

    known: Mapping[str, Mapping[str, Any]]
    """All entries, by kind and id."""

    def __init__(self, origin: str, problems: Iterable[Problem] = ()) -> None:
        super().__init__(origin, problems)
        self.ready: dict[int, dict[str, Any]] = {}
        """The resolved parts so far, which are in canonical order, by their identity."""
        self._looked_up: list[Looked] = []

    def note_look_up(self, kind: str, name: str, entry: Any) -> None:
        """Record that the part being resolved depends on an entry."""
        self._looked_up.append((kind, name, entry))

    def resolved_once(self, model: object, key: Hashable, resolve: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Resolve a model, or return a copy of the result from before; in canonical order.

        key: everything else that the result depends on, except what is looked up.
        """
        made = _made(model)
        known: _ResolvedPart | None = None if made is None else made.get(key)
        if known is not None and all(self.known[kind].get(name) is entry for kind, name, entry in known.looked_up):
            self._looked_up += known.looked_up
            return self.made_ready(marshal.loads(known.values))
        first = len(self._looked_up)
        before = len(self.problems), len(self.warnings)
        values = self.made_ready(canonical_around(resolve(), self.ready))
        if made is not None and (len(self.problems), len(self.warnings)) == before:
            with suppress(ValueError):  # Not only plain values.
                made[key] = _ResolvedPart(tuple(self._looked_up[first:]), marshal.dumps(values))
        return values

    def made_ready(self, part: dict[str, Any]) -> dict[str, Any]:
        """Note that a part is in canonical order and belongs to nobody else."""
        self.ready[id(part)] = part
        return part
