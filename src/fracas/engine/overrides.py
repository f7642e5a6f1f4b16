"""Apply overrides: replace values of a scenario by path.

A path refers to the user's file. If the file has nothing at the path, it refers to the resolved document: a unit that
the file only names has its numbers there.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from fracas.content.validate import dotted
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed, quoted, visible
from fracas.files.read import toml_values
from fracas.rulesets.contract.types import Document, Override, ResolvedScenario, Source

# These keys decide how the rest is resolved, so they are set first.
BEFORE_RESOLVING = ("profile", "date", "modifier", "seed", "id", "ruleset")
# Longer than any path in a document.
LONGEST_PATH = 64
# Messages list at most this many keys.
MOST_LISTED = 12
# The keys of an entry that stay when its id is replaced by another.
KEPT_BESIDE_ID = ("tier", "slot")

LookUp = Callable[[Document, Source], ResolvedScenario]


@dataclass(frozen=True)
class Written:
    """A scenario as written in its file, with the overrides so far; further overrides apply to it."""

    packed: bytes
    """The document, which most scenarios never need again."""
    origin: Source
    folders: tuple[Path, ...] = ()

    @classmethod
    def of(cls, document: Document, origin: Source, folders: tuple[Path, ...] = ()) -> Written:
        """Keep a document as it is now; the caller may change it later."""
        # Our own bytes, which never leave the process.
        return cls(pickle.dumps(document), origin, folders)

    @cached_property
    def document(self) -> Document:
        """The document as written."""
        document: Document = pickle.loads(self.packed)
        return document


class Place(NamedTuple):
    """How far a path leads into a document, in the document's spelling, and the value there."""

    path: tuple[str, ...]
    here: Any
    is_there: bool
    """Whether the whole path exists."""


def place_of(document: Any, path: Sequence[str]) -> Place:
    """Follow a path into a document, as far as it exists."""
    here: Any = document
    spelt: list[str] = []
    for part in path:
        if isinstance(here, list) and part in map(str, range(len(here))):
            here = here[int(part)]
        elif isinstance(here, dict) and key_of(here, part) in here:
            part = key_of(here, part)
            here = here[part]
        else:
            return Place(tuple(spelt), here, is_there=False)
        spelt.append(part)
    return Place(tuple(spelt), here, is_there=True)


def key_of(table: Mapping[str, Any], part: str) -> str:
    """Find a key in a table regardless of spelling; the part itself if there is none."""
    return part if part in table else next((known for known in table if _folded(known) == _folded(part)), part)


def _folded(key: str) -> str:
    """Normalise a key's spelling: `target_priority` equals `targetPriority`, `Shield Wall` equals `shield_wall`."""
    return key.replace("_", "").replace(" ", "").casefold()


def resolved_with(
    look_up: LookUp,
    document: Document,
    origin: Source,
    overrides: Sequence[Override],
    set_before_resolving: Container[tuple[str, ...]] = (),
) -> tuple[ResolvedScenario, Document]:
    """Resolve a document with overrides; return the resolved document and the document as written with them.

    Raises:
        InputError: everything that is wrong with it.
    """
    in_file: list[Override] = []
    held: list[Override] = []
    for override in overrides:
        _check_length(override)
        meant = _in_file(document, override, set_before_resolving)
        if meant is None:
            held.append(override)
        else:
            document = overridden(document, meant)
            in_file.append(override)
    with _Labels(origin, in_file) as labels:
        resolution = look_up(document, origin)
    late: list[Override] = []
    refused: list[InputError] = []
    for override in held:
        file, found = place_of(document, override.path), place_of(resolution.document, override.path)
        if not found.is_there and len(file.path) >= len(found.path) and isinstance(file.here, dict):
            # The path does not exist yet. Try it as a key of the file, then of the resolved document.
            try:
                with labels.of(override, document, resolution.document):
                    wider = overridden(document, override)
                    resolution = look_up(wider, origin)
            except InputError as error:
                if len(found.path) < len(file.path) or not isinstance(found.here, dict):
                    raise
                refused.append(error)
            else:
                document = wider
                continue
        if not found.is_there and len(file.path) > len(found.path) and not isinstance(file.here, dict):
            # The path leads through a plain value in the file; report that.
            overridden(document, override)
        late.append(override)
    if not late:
        return resolution, document
    return _set_late(look_up, resolution, origin, late, refused), document


def _set_late(
    look_up: LookUp,
    resolution: ResolvedScenario,
    origin: Source,
    late: Sequence[Override],
    refused: Sequence[InputError],
) -> ResolvedScenario:
    """Apply overrides to the resolved document and resolve it again.

    Raises:
        InputError: every override that does not fit; if it fits neither document, the error about the file.
    """
    changed = resolution.document
    for override in late:
        changed = overridden(changed, _reference(changed, override) or override)
    try:
        with _Labels(origin, late, resolution.document):
            again = look_up(changed, origin)
    except InputError:
        if refused:
            raise refused[0] from None
        raise
    return replace(again, warnings=tuple(dict.fromkeys(resolution.warnings + again.warnings)))


def _in_file(document: Document, override: Override, early: Container[tuple[str, ...]]) -> Override | None:
    """Convert an override to the file's spelling; None if the file has nothing at its path."""
    path = override.path
    if len(path) == 1 and _folded(path[0]) in BEFORE_RESOLVING:
        return replace(override, path=(_folded(path[0]),))
    if path[:2] in early or place_of(document, path).is_there:
        return override
    above = place_of(document, path[:-1])
    if path[-1] == "id" and len(path) > 1 and above.is_there and isinstance(above.here, str):
        # The file names an entry there; the override names another, which is resolved.
        return replace(override, path=path[:-1])
    return None


def _reference(document: Document, override: Override) -> Override | None:
    """Convert an override of a resolved entry's id to a reference, so that the new entry is resolved; else None.

    Changing only the id would keep all numbers of the old entry.
    """
    above = place_of(document, override.path[:-1])
    if override.path[-1] != "id" or len(override.path) < 2 or not isinstance(above.here, dict):
        return None
    if not above.is_there or "id" not in above.here or not isinstance(override.value, str):
        return None
    if above.here["id"] == override.value:
        return None
    kept = {key: above.here[key] for key in KEPT_BESIDE_ID if key in above.here}
    value = {"id": override.value, **kept} if kept else override.value
    return replace(override, path=override.path[:-1], value=value)


class _Labels:
    """Label problems that overrides cause with the override, and suggest the keys that exist."""

    def __init__(self, origin: Source, overrides: Sequence[Override], *documents: Document) -> None:
        self.origin = origin
        self.overrides = list(overrides)
        self.documents = documents

    def of(self, override: Override, *documents: Document) -> _Labels:
        """Add one override, and the documents whose keys it may mean."""
        return _Labels(self.origin, [*self.overrides, override], *documents)

    def __enter__(self) -> _Labels:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, InputError):
            raise InputError(map(self._labelled, error.problems)) from None

    def _labelled(self, problem: Problem) -> Problem:
        lead = f"{self.origin.where}: "
        if not problem.where.startswith(lead):
            return problem
        at = tuple(problem.where.removeprefix(lead).split("."))
        for override in self.overrides:
            path = override.path
            if all(_folded(one) == _folded(other) for one, other in zip(at, path, strict=False)):
                is_said = override.where in self.origin.where
                where = problem.where if is_said else f"{self.origin.where} with {override.where}: {'.'.join(at)}"
                hint = problem.suggestion
                if hint is None and problem.message == "there is no such key here" and len(at) <= len(path):
                    hint = self._keys(at[:-1])
                return replace(problem, where=where, suggestion=hint)
        return problem

    def _keys(self, path: Sequence[str]) -> str | None:
        tables = [place_of(document, path) for document in self.documents]
        keys = [
            visible(str(key)) for each in tables if each.is_there and isinstance(each.here, dict) for key in each.here
        ]
        known = list(dict.fromkeys(keys))
        if not known:
            return None
        if len(known) > MOST_LISTED:
            return f"known keys are {', '.join(known[:MOST_LISTED])} and more"
        return f"known {'key is' if len(known) == 1 else 'keys are'} {listed(known, 'and')}"


def _check_length(override: Override) -> None:
    if len(override.path) > LONGEST_PATH:
        raise InputError.of(override.where, f"a path has at most {LONGEST_PATH} parts, not {len(override.path):,}")


def overridden(document: Document, override: Override) -> Document:
    """Copy a document with one value replaced. The resolver checks later whether the value fits.

    A table of rule options is merged with the existing one, value by value.

    Raises:
        InputError: the path leads through a missing value, or is too long.
    """
    _check_length(override)
    place = place_of(document, override.path)
    if override.path[0] == "options" and place.is_there:
        override = replace(override, value=_merged(place.here, override.value))
    changed: Document = _replaced(document, override, 0)
    return changed


def _merged(there: Any, comes: Any) -> Any:
    if not isinstance(there, dict) or not isinstance(comes, dict):
        return comes
    return {**there, **{key: _merged(there.get(key), value) for key, value in comes.items()}}


def _replaced(here: Any, override: Override, depth: int) -> Any:
    if depth == len(override.path):
        return override.value
    part = override.path[depth]
    where = f"{override.where} {dotted(override.path)}"
    at = dotted(override.path[:depth]) or "the scenario"
    if isinstance(here, list):
        places = [str(index) for index in range(len(here))]
        if part not in places:
            sides = f"{at}.0 is side 1, {at}.1 is side 2" if at in ("sides", "players") else None
            raise InputError.of(where, f"{at} has entries 0 to {len(here) - 1}, not {quoted(part)}", sides)
        index = places.index(part)
        return [*here[:index], _replaced(here[index], override, depth + 1), *here[index + 1 :]]
    if isinstance(here, dict):
        key = key_of(here, part)
        return {**here, key: _replaced(here.get(key, {}), override, depth + 1)}
    if here is None:
        return {part: _replaced({}, override, depth + 1)}
    raise InputError.of(where, f"{at} is a plain value and has no {quoted(part)}")


def parse_override(text: str, option: str = "--set") -> Override:
    """Parse `sides.0.units.0.attack=20` as a path and a value; the value is read as TOML, or else as a string.

    Raises:
        InputError: there is no `=`, or the path is empty.
    """
    path, equals, value = text.partition("=")
    parts = tuple(path.strip().split("."))
    if not equals or not all(parts):
        raise InputError.of(f"{option} {text}", "is not of the form PATH=VALUE")
    return Override(parts, _value(value.strip(), option), option)


def _value(text: str, option: str) -> Any:
    try:
        return toml_values(f"value = {text}", option)["value"]
    except ValueError:
        return text
