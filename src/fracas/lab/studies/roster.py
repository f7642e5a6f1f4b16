"""Rosters: the entrants of a round robin, from scenario files, a roster file or Python objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from fracas.content.packs import unknown_name
from fracas.content.validate import Model, printable, shown, validate
from fracas.engine.scenario import LoadOptions, Scenario, load_scenario
from fracas.errors import InputError, Problem, UsageError
from fracas.errors.suggestions import listed, nearest, quoted, visible
from fracas.files.read import read_document
from fracas.rulesets import registry
from fracas.rulesets.contract.analysis import SideRef
from fracas.rulesets.contract.types import Override

FEWEST = 2
MOST = 200
# Stands for the entry's id in a roster's `value`.
THE_ID = "*"

Name = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(printable)]


class RosterEntry(Model):
    """One entrant, or one for each entry of a kind of content."""

    name: Name | None = None
    """By default the side's own name, or that of the content's entry."""
    file: str
    """A scenario file in the roster's folder or below it, which has the side."""
    side: Literal[1, 2] = 1
    set: dict[str, Any] = Field(default_factory=dict)
    """Values to replace by path, like --set: { "sides.0.units.0.attack" = 40 }."""
    content: str | None = None
    """A kind of content, such as opponents or strategies: an entrant for each of its entries."""
    at: str | None = None
    """The path in the scenario file where the content's entry goes: sides.0.strategy."""
    value: Any = THE_ID
    """The value to write there; "*" stands for the entry's id, also in nested values: { opponent = "*" }."""
    only: list[str] | None = None
    """The ids to use; by default all."""

    @model_validator(mode="after")
    def _says_where_content_goes(self) -> RosterEntry:
        if (self.content is None) != (self.at is None):
            raise ValueError("content and at belong together: what to use, and where it goes in the file")
        if self.content is None and (self.only is not None or self.value != THE_ID):
            raise ValueError("only and value need content")
        if self.content is not None and self.name is not None:
            raise ValueError("has both a name and content; entrants from content have their own names")
        return self


class RosterFile(Model):
    """A roster: who meets whom."""

    ruleset: str
    id: Name | None = None
    """The name of the roster; by default its file's name."""
    note: Annotated[str, Field(max_length=2000)] = ""
    seed: Annotated[str, Field(min_length=1, max_length=1000)] | None = None
    """The seed text of all battles; by default the first entrant's."""
    profile: str | None = None
    """The profile for all battles; by default the first entrant's."""
    entrants: Annotated[list[RosterEntry], Field(min_length=1, max_length=MOST)]


@dataclass(frozen=True)
class Entrant:
    """A participant: a side of a scenario under a name."""

    name: str
    scenario: Scenario
    side: int = 1

    @property
    def side_ref(self) -> SideRef:
        """A reference to the side, for the ruleset."""
        return SideRef(self.scenario.document, self.side)


@dataclass(frozen=True)
class Roster:
    """All entrants in their given order."""

    id: str
    entrants: tuple[Entrant, ...]
    seed: str
    across: int = 0
    """The number of entrants at the end that all others play against; 0: everyone plays everyone."""

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs that meet, by number; an interrupted run still covers the first entrants completely."""
        count = len(self.entrants)
        rows = count - self.across
        if self.across:
            return [(row, column) for row in range(rows) for column in range(rows, count)]
        return [(first, second) for second in range(count) for first in range(second)]

    @property
    def rules(self) -> Scenario:
        """The scenario with the rules for all battles: the first entrant's."""
        return self.entrants[0].scenario


def is_roster(path: Path) -> bool:
    """Whether a file is a roster and not a scenario; False for unreadable files."""
    try:
        return "entrants" in read_document(path)
    except InputError:
        return False


def split_side(text: str) -> tuple[Path, int]:
    """Split `FILE`, `FILE:1` or `FILE:2` into a path and a side."""
    head, colon, tail = text.rpartition(":")
    return (Path(head), int(tail)) if colon and head and tail in ("1", "2") else (Path(text), 1)


def roster_of(files: Sequence[str | Path], asked: LoadOptions, against: Sequence[str | Path] = ()) -> Roster:
    """Read a roster from a roster file, or from scenario files: side 1 of each, or the side in `FILE:2`.

    With `against`, in the same form, all entrants play only those.

    Raises:
        InputError: everything that is wrong with the files; fewer than two entrants; different rulesets.
    """
    if against:
        return set_against(entrants_of(files, asked), entrants_of(against, asked), asked.get("seed"))
    if len(files) == 1 and is_roster(Path(files[0])):
        return read_roster(Path(files[0]), asked)
    found = entrants_of(files, asked)
    return gathered(found, found[0].scenario.id if found else "", asked.get("seed"))


def set_against(rows: Sequence[Entrant], columns: Sequence[Entrant], seed: str | None) -> Roster:
    """A roster in which each entrant plays each of the given opponents and nobody else.

    Raises:
        InputError: no entrants or too many, or different rulesets.
    """
    if not rows or not columns:
        raise InputError.of("entrants" if not rows else "--against", "is empty", "name a file")
    title = rows[0].scenario.id
    return replace(gathered([*rows, *columns], title, seed), across=len(columns))


def entrants_of(files: Sequence[str | Path], asked: LoadOptions) -> list[Entrant]:
    """The entrants that files name: a roster's, or side 1 of each scenario, or the side that `FILE:2` names.

    Raises:
        InputError: everything that is wrong with the files.
    """
    if len(files) == 1 and is_roster(Path(files[0])):
        return list(read_roster(Path(files[0]), asked, fewest=1).entrants)
    found: list[Entrant] = []
    problems: list[Problem] = []
    for text in files:
        path, side = split_side(str(text))
        try:
            if is_roster(path):
                raise InputError.of(
                    str(path), "is a roster, which cannot be combined with other files", "name only the roster"
                )
            found.append(entrant_of(load_scenario(path, **asked), side, path.stem))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(dict.fromkeys(problems))
    return list(_distinct(found))


def gathered(entrants: Sequence[Entrant], title: str, seed: str | None, fewest: int = FEWEST) -> Roster:
    """Build a roster in which each entrant has a unique name.

    Raises:
        InputError: fewer than two or too many entrants, or different rulesets.
    """
    if not fewest <= len(entrants) <= MOST:
        message = f"there must be {fewest} to {MOST} entrants, not {len(entrants)}"
        raise UsageError.of("entrants", message, "name several files, FILE:2 for a file's side 2, or a roster")
    rulesets = list(dict.fromkeys(entrant.scenario.ruleset.name for entrant in entrants))
    if len(rulesets) > 1:
        raise UsageError.of("entrants", f"are of different rulesets: {listed(rulesets)}")
    return Roster(title, tuple(_distinct(entrants)), seed or entrants[0].scenario.seed)


def entrant_of(scenario: Scenario, side: int, stem: str, name: str | None = None) -> Entrant:
    """Name a side of a scenario: by the given name, else its own name, else its file's."""
    own = scenario.ruleset.side_names(scenario.document)[side - 1]
    is_nameless = own in (f"Side {side}", "")
    return Entrant(name or (visible(stem) if is_nameless else own), scenario, side)


def _distinct(entrants: Sequence[Entrant]) -> Iterator[Entrant]:
    """Make names unique: equal names become their scenarios' names, or are numbered if that does not help."""
    shared = {name for name, times in Counter(each.name for each in entrants).items() if times > 1}
    renamed = [replace(each, name=each.scenario.id) if each.name in shared else each for each in entrants]
    names = {each.name for each in renamed}
    taken: set[str] = set()
    for entrant in renamed:
        numbered = (f"{entrant.name} {number}" for number in count(2))
        name = entrant.name
        if name in taken:
            name = next(each for each in numbered if each not in names | taken)
        taken.add(name)
        yield replace(entrant, name=name)


def read_roster(path: Path, asked: LoadOptions, fewest: int = FEWEST) -> Roster:
    """Read a roster file. The user's options override what the roster says.

    Raises:
        InputError: everything that is wrong with it and with the files that it names.
    """
    roster = validate(RosterFile, read_document(path), str(path))
    ruleset = registry.get(roster.ruleset, f"{path}: ruleset")
    given: LoadOptions = {"seed": asked.get("seed") or roster.seed, "profile": asked.get("profile") or roster.profile}
    options: LoadOptions = {**asked, **given}
    found: list[Entrant] = []
    problems: list[Problem] = []
    for index, entry in enumerate(roster.entrants):
        where = f"{path}: entrants.{index}"
        try:
            file = file_beside(path, entry.file, f"{where}.file")
            found += _entrants(entry, file, where, roster.ruleset, options)
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(dict.fromkeys(problems))
    strangers = [entrant.name for entrant in found if entrant.scenario.ruleset is not ruleset]
    if strangers:
        raise InputError.of(f"{path}: entrants", f"not for {ruleset.name}: {listed(strangers)}")
    return gathered(found, roster.id or visible(path.stem), given["seed"], fewest)


def file_beside(roster: Path, name: str, where: str) -> Path:
    """A file in the roster's folder or below it.

    Raises:
        InputError: it is elsewhere.
    """
    folder = roster.resolve().parent
    try:
        file = (folder / name).resolve()
    except (OSError, ValueError, RuntimeError):
        raise InputError.of(where, f"{quoted(name)} cannot be a file name") from None
    if not file.is_relative_to(folder):
        raise InputError.of(where, f"{quoted(name)} lies outside the roster's folder")
    return roster.parent / file.relative_to(folder)


def _entrants(entry: RosterEntry, file: Path, where: str, ruleset: str, asked: LoadOptions) -> Iterator[Entrant]:
    """An entry's entrant, or one for each of the content's entries.

    Raises:
        InputError: everything that is wrong with them.
    """
    values = [Override(tuple(path.split(".")), value, f"{where}.set") for path, value in entry.set.items()]
    options: LoadOptions = {**asked, "overrides": [*values, *asked.get("overrides", ())]}
    if entry.content is None or entry.at is None:
        yield entrant_of(load_scenario(file, **options), entry.side, file.stem, entry.name)
        return
    folders = [Path(folder) for folder in asked.get("content", ())]
    library = registry.get(ruleset).read_library(asked.get("profile"), folders)
    known: Mapping[str, Any] = library.of(entry.content)
    if not known:
        kinds = [kind for kind in library.entries if library.of(kind)]
        message = f"{ruleset} has no content of kind {quoted(entry.content)}"
        raise InputError.of(f"{where}.content", message, nearest(entry.content, kinds) or f"it has {listed(kinds)}")
    missing = [name for name in entry.only or () if name not in known]
    if missing:
        raise InputError([unknown_name(f"{where}.only", entry.content, name, known) for name in missing])
    for identifier in entry.only or known:
        written = Override(tuple(entry.at.split(".")), _filled(entry.value, identifier), f"{where}.at")
        filled: LoadOptions = {**options, "written": [written]}
        scenario = load_scenario(file, **filled)
        yield Entrant(getattr(known[identifier], "name", None) or identifier, scenario, entry.side)


def _filled(value: Any, identifier: str) -> Any:
    """A value with the id in place of each `*`."""
    if isinstance(value, dict):
        return {key: _filled(each, identifier) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, identifier) for each in value]
    return identifier if value == THE_ID else value


def entrants_of_sources(name: str, sources: Sequence[Any], load: Callable[[Any], Scenario]) -> list[Entrant]:
    """Entrants from Python objects: scenarios or their sources, alone or in pairs with a side.

    Raises:
        InputError: everything that is wrong with them, each with its index in the list.
    """
    found: list[Entrant] = []
    problems: list[Problem] = []
    for index, source in enumerate(sources):
        try:
            found.append(_entrant_of_source(source, load))
        except InputError as error:
            problems += [Problem(f"{name}[{index}]: {p.where}", p.message, p.suggestion) for p in error.problems]
    if problems:
        raise InputError(problems)
    return list(_distinct(found))


def _entrant_of_source(source: Any, load: Callable[[Any], Scenario]) -> Entrant:
    thing, side = source if isinstance(source, tuple) and len(source) == 2 else (source, 1)
    if isinstance(thing, str) and thing is source:
        thing, side = split_side(thing)
    if isinstance(side, bool) or side not in (1, 2):
        raise UsageError.of("side", f"{shown(side)} is neither 1 nor 2")
    scenario = load(thing)
    stem = Path(thing).stem if isinstance(thing, str | Path) else scenario.id
    return entrant_of(scenario, side, stem)


def roster_of_entrants(entrants: Sequence[Entrant], seed: str | None) -> Roster:
    """A roster of entrants.

    Raises:
        InputError: fewer than two or too many entrants, or different rulesets.
    """
    return gathered(entrants, entrants[0].scenario.id if entrants else "", seed)
