"""A player's entry as it stands in the editor: its problems, its form, and the text after one choice is changed.

The editor treats it as it treats a scenario. The league says what it accepts, and the kind of entry where its pieces
stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Self

from fracas.content.packs import Library
from fracas.content.validate import validate
from fracas.errors import UNKNOWN_NAME, InputError, Problem
from fracas.files.read import document_of, refuse_unfit
from fracas.lab.search.scenario_rewriter import Reading, changed_text, text_of
from fracas.player_entries.checking import NO_MODIFIER, EntryGround, check_on, resolve_on
from fracas.player_entries.registry import entry_json_schema
from fracas.rulesets.contract.analysis import Dimension, SideRef
from fracas.rulesets.contract.player_entries import WHERE
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Document
from fracas.studio.completion import NOBODY
from fracas.studio.drafts import Draft
from fracas.studio.form import CONDITIONS

# What its side is called while it is looked at.
CODE = "entry"
NOTHING = "–"
# A decision that is written out.
OWN = "your own"


@dataclass(frozen=True)
class Market:
    """What a league says of the content."""

    price: Callable[[str], int]
    banned: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class EntryDraft(Draft):
    """The text of an entry."""

    ground: EntryGround
    accepts: Callable[[Document], Sequence[Problem]]
    """Checks it against the league's rules: its warnings, or an InputError with everything that is wrong."""
    market: Market

    @classmethod
    def of(
        cls, text: str, ground: EntryGround, accepts: Callable[[Document], Sequence[Problem]], market: Market
    ) -> Self:
        """A text, which is JSON if it begins with a brace, else TOML."""
        suffix = "json" if text.lstrip().startswith("{") else "toml"
        return cls(text, f"{WHERE}.{suffix}", ground=ground, accepts=accepts, market=market)

    @cached_property
    def document(self) -> Document:
        """Its values.

        Raises:
            InputError: it is too large, does not parse, or has values that JSON does not have.
        """
        found = document_of(self.text, Path(self.name))
        refuse_unfit(found, WHERE)
        return found

    @property
    def ruleset(self) -> Ruleset:
        """The league's ruleset."""
        return self.ground.ruleset

    def schema(self, ruleset: Ruleset) -> dict[str, Any]:
        """The JSON Schema of entries."""
        return entry_json_schema(ruleset.name)

    def library(self, ruleset: Ruleset) -> Library:
        """The content of the league's profile."""
        return self.ground.library

    def try_out(self, document: Document) -> None:
        """Check other values in its place, whatever they cost."""
        check_on(self.ground, document)

    def remarks(self) -> tuple[Sequence[Problem], Sequence[Problem]]:
        """Its warnings; an entry has no hints."""
        return self.accepts(self.document), ()

    @cached_property
    def entry(self) -> Any:
        """Its model, whatever the league says of it.

        Raises:
            InputError: it does not parse, or does not fit the schema.
        """
        return validate(self.ground.kind.model, self.document, WHERE)


@dataclass(frozen=True)
class _Choice:
    """A choice of the form, and the text that each of its labels leads to."""

    name: str
    part: str
    path: str
    labels: Sequence[str]
    current: int
    write: Callable[[int], str | None]


def entry_form(draft: EntryDraft) -> list[dict[str, Any]]:
    """The form of an entry as a page shows it: one side, whose choices are its pieces and what else can be chosen.

    Raises:
        InputError: it does not parse, or does not fit the schema.
    """
    choices = [
        {
            "name": each.name,
            "part": each.part,
            "path": each.path.split("."),
            "labels": list(each.labels),
            "current": each.current,
        }
        for each in _choices(draft)
    ]
    return [{"side": 1, "name": "Your entry", "choices": choices, "owners": []}]


def with_entry_choice(draft: EntryDraft, path: Sequence[str], number: int) -> str:
    """Take another label of a choice, by its number; returns the new text.

    Raises:
        InputError: the form has no such choice, or it cannot be written into the text.
    """
    dotted = ".".join(path)
    choice = next((each for each in _choices(draft) if each.path == dotted), None)
    if choice is None or isinstance(number, bool) or number not in range(len(choice.labels)):
        raise InputError.of(dotted, "there is no such choice in the form")
    text = choice.write(number)
    if text is None:
        raise InputError.of(dotted, "this change cannot be written here by itself", "change it in the text")
    return text


def _choices(draft: EntryDraft) -> Iterator[_Choice]:
    kind, entry = draft.ground.kind, draft.entry
    pieces = {piece.path: piece.id for piece in kind.pieces(entry)}
    places = {**pieces, **dict.fromkeys(kind.free_places(entry), "")}
    # In the order of the entry: a free place stands behind the pieces beside it.
    parts = list(kind.model.model_fields)
    for path in sorted(places, key=lambda each: (parts.index(each.partition(".")[0]), _numbers(each))):
        yield _piece(draft, path, places[path])
    for key in kind.model.model_fields:
        if not any(f"{place}.".startswith(f"{key}.") for place in places):
            yield from _whole(draft, key)
    yield from _decisions(draft, list(pieces))


def _numbers(path: str) -> list[int]:
    return [int(part) for part in path.split(".") if part.isdecimal()]


def _piece(draft: EntryDraft, path: str, present: str) -> _Choice:
    kind, market = draft.ground.kind, draft.market
    known = kind.known(draft.ground.library)
    names = [
        name for name, each in known.items() if kind.fits(path, each) and (name not in market.banned or name == present)
    ]
    names.sort(key=lambda name: (market.price(name), name))
    first = path.partition(".")[0]
    if present and present not in names:
        names.insert(0, present)
    if not present or _numbers(path) or not kind.model.model_fields[first].is_required():
        names.insert(0, "")

    def write(number: int) -> str | None:
        keys = path.split(".")
        return _written(
            draft, _put(draft.document, keys, names[number]) if names[number] else _without(draft.document, keys)
        )

    labels = [_label(known.get(name), name, market) if name else NOTHING for name in names]
    numbers = ".".join(str(number + 1) for number in _numbers(path))
    return _Choice(f"{kind.what} {numbers}".strip(), first, path, labels, names.index(present), write)


def _whole(draft: EntryDraft, key: str) -> Iterator[_Choice]:
    """A decision that may be taken whole, by the name of content, such as a strategy: what a wrong name should be."""
    try:
        draft.try_out({**draft.document, key: NOBODY})
        return
    except InputError as error:
        found = [each for each in error.problems if each.kind == UNKNOWN_NAME and each.where == f"{WHERE}: {key}"]
    if not found:
        return
    present = draft.document.get(key)
    names: list[Any] = list(found[0].expected)
    is_required = draft.ground.kind.model.model_fields[key].is_required()
    if present not in names or not is_required:
        names.insert(0, None if not is_required else present)
    if present not in names:
        names.insert(0, present)

    def write(number: int) -> str | None:
        rest = {name: each for name, each in draft.document.items() if name != key}
        return _written(draft, rest if names[number] is None else {**rest, key: names[number]})

    labels = [NOTHING if name is None else name if isinstance(name, str) else OWN for name in names]
    yield _Choice(key.replace("_", " "), key, key, labels, names.index(present), write)


def _written(draft: EntryDraft, wanted: Document) -> str | None:
    """The text with other values; None if it cannot be written in place."""
    text = text_of(wanted, draft.text, is_json=draft.is_json)
    return text if draft.with_text(text).document == wanted else None


def _label(content: Any, name: str, market: Market) -> str:
    price = market.price(name)
    return f"{getattr(content, 'name', name)} ({price})" if price else str(getattr(content, "name", name))


def _put(here: Any, keys: Sequence[str], value: str) -> Any:
    """A copy with a value at a place, which may be the next one of a list."""
    if not keys:
        return value
    first, rest = keys[0], keys[1:]
    if first.isdecimal():
        row, index = list(here or []), int(first)
        row += [[] for _ in range(index - len(row))]
        row[index : index + 1] = [_put(row[index] if index < len(row) else None, rest, value)]
        return row
    # A piece may be written by its id alone, where a table would say more.
    table = here if isinstance(here, dict) else {}
    return {**table, first: _put(table.get(first), rest, value)}


def _without(here: Any, keys: Sequence[str]) -> Any:
    """A copy without the entry of the innermost list on the way to a place, or without the key."""
    first, rest = keys[0], keys[1:]
    is_last = not any(key.isdecimal() for key in rest)
    if isinstance(here, list):
        index = int(first)
        return [*here[:index], *([] if is_last else [_without(here[index], rest)]), *here[index + 1 :]]
    if is_last and not rest:
        return {key: each for key, each in here.items() if key != first}
    return {**here, first: _without(here[first], rest)}


def _decisions(draft: EntryDraft, pieces: Sequence[str]) -> Iterator[_Choice]:
    """What the ruleset's search space varies besides the pieces; nothing while the entry does not play."""
    kind, ground = draft.ground.kind, draft.ground
    hooks = ground.ruleset.analysis
    try:
        resolved = resolve_on(ground, draft.entry, CODE, NO_MODIFIER).document
        space = hooks.search_space(SideRef(resolved, 1), ground.folders)
    except InputError:
        return
    for dimension in space:
        path = kind.path(".".join(dimension.path), draft.entry)
        if path is None or dimension.path[-1] in CONDITIONS:
            continue
        if any(f"{piece}.".startswith(f"{path}.") for piece in pieces):
            continue
        write = partial(_decided, draft, resolved, dimension, path)
        yield _Choice(dimension.name, dimension.part, path, dimension.labels, dimension.current, write)


def _decided(draft: EntryDraft, resolved: Document, dimension: Dimension, path: str, number: int) -> str | None:
    """The text after another value of a dimension is taken."""
    ground = draft.ground
    kind, ruleset = ground.kind, ground.ruleset

    def read(document: Document) -> Document:
        return resolve_on(ground, validate(kind.model, document, WHERE), CODE, NO_MODIFIER).document

    def numbers(document: Document) -> bytes:
        return bytes(ruleset.compile(document, {}).record.tobytes())

    wanted = ruleset.analysis.with_choices(resolved, [(dimension, number)], ground.folders)
    reading = Reading(lambda document: kind.decided(read(document)), lambda document: numbers(read(document)))
    view = kind.decided(wanted)
    return changed_text(
        reading, draft.document, draft.text, view, numbers(wanted), path.split("."), is_json=draft.is_json
    )
