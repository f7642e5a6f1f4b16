"""From a scenario as written to a resolved document: content is loaded, ids are looked up, options are merged.

Entries are written as ids or in place, also inside content; a scenario may have content of its own (`[[coins]]`), which
counts for it alone. Resolving a resolved document changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from fracas.conditions import parse
from fracas.content.catalogue import GameCatalogue, Origin, unresolved_references
from fracas.content.packs import Library, one_file_library, read_library, unknown_name
from fracas.content.profiles import merged_options, profile_chain
from fracas.content.references import Collector, Reference, list_of, mention, table_of, to_plain
from fracas.content.scenario_reader import ScenarioReader
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.kit.declare.fields import Role
from fracas.kit.derive.models import HEAD, STANDARD, GameModels
from fracas.kit.derive.shape import Field, Form, Plan, Shape, file_name
from fracas.kit.derive.strategies import Strategies
from fracas.rulesets.contract.types import Document, ResolvedScenario
from fracas.rulesets.shared.checked_scenario import checked_scenario

EntryHook = Callable[[str, dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class DeclaredCatalogue(GameCatalogue):
    """A game's content, with a profile that leaves every option at its default."""

    profile: type[BaseModel] | None = None

    def library_for(self, profile: str | None, folders: Sequence[Path], where: str = "profile") -> Library:
        """Load the content; the profile only has to exist.

        Raises:
            InputError: every problem of every file; an unknown profile.
        """
        library = read_library(self.own, self.model, [], folders).derived(self._with_standard)
        profile_chain(library, profile or self.default_profile, where)
        return library

    def _with_standard(self, library: Library) -> Library:
        assert self.profile is not None
        kind = "profiles"
        own = Library({kind: {STANDARD: self.profile(id=STANDARD)}}, {(kind, STANDARD): self.ruleset})
        return own.over(library)


class Reading:
    """Reads a game's scenarios and content files."""

    def __init__(
        self,
        shape: Shape,
        models: GameModels,
        catalogue: DeclaredCatalogue,
        strategies: Strategies,
        resolve_entry: EntryHook | None = None,
    ) -> None:
        self.shape = shape
        self.models = models
        self.catalogue = catalogue
        self.strategies = strategies
        self.resolve_entry = resolve_entry
        self.reader: ScenarioReader[Any] = ScenarioReader(
            models.scenario, catalogue.library_for, self.check_library, self._unknown_names
        )

    # -- content -----------------------------------------------------------------------------------------------------

    def check_library(self, library: Library, origin: str | None = None) -> None:
        """Check that every id in the content, or in one of its files, leads somewhere, and that nothing is in itself.

        Raises:
            InputError: every reference that leads nowhere.
        """
        problems = [
            problem
            for kind in self.models.content.model_fields
            for identifier, entry, file in library.from_file(kind, origin)
            for problem in unresolved_references(
                self._mentions(kind, entry.model_dump(by_alias=True)), library.entries, f"{file}: {kind}.{identifier}."
            )
        ]
        for kind, plan in self.shape.kinds.items():
            for identifier, entry, file in library.from_file(kind, origin):
                problems += self._entry_problems(plan, entry.model_dump(by_alias=True), f"{file}: {kind}.{identifier}")
        if problems:
            raise InputError(problems)

    def _entry_problems(self, plan: Plan, table: Mapping[Any, Any], where: str) -> Iterator[Problem]:
        """What is wrong with the conditions of an entry; unknown names are, too."""
        for each in plan.given:
            value = table.get(each.name)
            if each.role is Role.CONDITION:
                yield from self.strategies.condition_problems(value, f"{where}.{each.name}", strict=True)
            elif each.form is Form.RECORD:
                for one in list_of(value) if each.is_list else [value]:
                    if isinstance(one, Mapping):
                        yield from self._entry_problems(self.shape.of(each.part), one, f"{where}.{each.name}")

    def _mentions(self, kind: str, entry: Mapping[Any, Any]) -> Iterator[Reference]:
        if kind == "profiles":
            yield from mention("base", "profiles", "profile", entry.get("base"))
            yield from self._references(self.shape.options, table_of(entry.get("options")), "options.")
        else:
            yield from self._references(self.shape.kinds[kind], entry, "")

    def _references(self, plan: Plan, table: Mapping[Any, Any], path: str) -> Iterator[Reference]:
        """The ids in a table that may be invalid."""
        for each in plan.given:
            if each.form is not Form.RECORD:
                continue
            inner = self.shape.of(each.part)
            value = table.get(each.name)
            for index, one in enumerate(list_of(value) if each.is_list else [value]):
                at = f"{path}{each.name}" + (f".{index}" if each.is_list else "")
                if isinstance(one, str) and inner.kind:
                    yield from mention(at, inner.kind, inner.name.lower(), one)
                else:
                    yield from self._references(inner, table_of(one), f"{at}.")

    def _unknown_names(self, document: Document, library: Library, where: str) -> Iterator[Problem]:
        known = {kind: {**library.of(kind), **self._own_ids(document, kind)} for kind in self.shape.kinds}
        lead = f"{where}: "
        yield from unresolved_references(
            self._references(self.shape.options, table_of(document.get("options")), "options."), known, lead
        )
        for side_index, side in enumerate(list_of(document.get("sides"))):
            yield from unresolved_references(
                self._references(self.shape.side, table_of(side), f"sides.{side_index}."), known, lead
            )

    @staticmethod
    def _own_ids(document: Document, kind: str) -> dict[str, Any]:
        own = [table_of(entry).get("id") for entry in list_of(document.get(kind))]
        return {name: None for name in own if isinstance(name, str)}

    def entry(self, plan: Plan, identifier: str, library: Library) -> Document:
        """An entry of the content as resolved documents have it.

        Raises:
            InputError: there is none, or one that it refers to does not exist.
        """
        collector = Collector(plan.kind)
        made = _Names(self, library, collector).entry(plan, identifier, identifier)
        collector.raise_problems()
        return made

    # -- scenarios ---------------------------------------------------------------------------------------------------

    def resolve(self, document: Document, source: Origin, folders: Sequence[Path]) -> ResolvedScenario:
        """Resolve a scenario.

        Raises:
            InputError: every problem of the scenario and of the content that it needs.
        """
        scenario, library, problems = self.reader.read(document, source.where, folders)
        # The content that the scenario brings along.
        own = {kind: getattr(scenario, kind) for kind in self.shape.kinds}
        if any(own.values()):
            library = library.over(
                one_file_library(self.models.content.model_construct(**own, profiles=[]), source.where)
            )
        collector = Collector(source.where, problems)
        names = _Names(self, library, collector)
        line: list[Any] = []
        with collector.collecting():
            line = [
                entry.options
                for entry in profile_chain(
                    library, scenario.profile or self.catalogue.default_profile, collector.where("profile")
                )
            ]
        given = merged_options([*line, scenario.options])
        plain = {
            key: to_plain(value) if isinstance(value, BaseModel) else _plain(value) for key, value in given.items()
        }
        options: dict[str, Any] = {}
        with collector.collecting():
            options = self._sound_options(names.table(self.shape.options, plain, "options."), collector)
        sides = []
        for side_index, side in enumerate(scenario.sides):
            table = to_plain(side)
            _check_only(self.shape.side, table, side_index, collector)
            row = names.table(self.shape.side, table, f"sides.{side_index}.")
            sides.append({"name": side.name or f"Side {side_index + 1}", **row})
        if len(sides) == 2 and sides[0]["name"] == sides[1]["name"]:
            collector.complain("sides.1.name", f'both sides are called "{sides[0]["name"]}"')
        collector.raise_problems()
        resolved = {**self.catalogue.head_of(scenario, source), "options": options, "sides": sides}
        self._check_references(resolved, collector)
        self._check_lists(resolved, collector)
        warnings = list(self._check_minds(resolved, collector))
        collector.raise_problems()
        return checked_scenario(self.models.resolved, resolved, source.where, warnings)

    def _check_minds(self, document: Document, collector: Collector) -> Iterator[Problem]:
        """What is wrong with conditions and strategies is added to what was found; unknown names are warnings."""
        for path, field, written in self.programs(document):
            where = collector.where(path)
            if field.role is Role.STRATEGY:
                collector.problems += self.strategies.problems(written, where)
            else:
                collector.problems += self.strategies.condition_problems(written, where)
        if not collector.problems:
            for path, written in self.conditions(document):
                yield from parse(written, self.strategies.facts.vocabulary, where=collector.where(path)).warnings

    def programs(self, document: Document) -> Iterator[tuple[str, Field, Any]]:
        """Every condition and strategy of a resolved document, with its path."""
        for plan, table, path in self.tables(document):
            for each in plan.given:
                if each.form is Form.PROGRAM and table.get(each.name) is not None:
                    yield path + each.name, each, table[each.name]

    def conditions(self, document: Document) -> Iterator[tuple[str, Any]]:
        """Every condition of a resolved document, those of strategies too, with its path."""
        for path, field, written in self.programs(document):
            if field.role is Role.CONDITION:
                yield path, written
            else:
                for index, line in enumerate(written):
                    if line.get("when") is not None:
                        yield f"{path}.{index}.when", line["when"]

    def _sound_options(self, options: Document, collector: Collector) -> Document:
        return to_plain(validate(self.models.resolved_options, options, collector.where("options")))

    def _check_references(self, document: Document, collector: Collector) -> None:
        """Ids of `ref` fields that name no entry of their list."""
        for plan, table, path in self.tables(document):
            for each in plan.given:
                if each.role is Role.REFERENCE and table.get(each.name):
                    known = [str(entry.get("id", "")) for entry in self.listed(document, each)]
                    if table[each.name] not in known:
                        collector.problems.append(
                            unknown_name(
                                collector.where(path + each.name),
                                f"entry of {each.spec.field}",
                                table[each.name],
                                known,
                            )
                        )

    def listed(self, document: Document, field: Field) -> Sequence[Any]:
        """The entries of a resolved document that a `ref` field names one of."""
        value: Any = document
        for part in field.spec.field.split("."):
            value = value.get(part, []) if isinstance(value, Mapping) else []
        return list_of(value)

    def _check_lists(self, document: Document, collector: Collector) -> None:
        """Lists too long for their side, entries that do not differ, cells outside the board, wrong letters."""
        for plan, table, path in self.tables(document):
            for each in plan.given:
                value = table.get(each.name)
                if value is None:
                    continue
                if each.role is Role.BOARD:
                    self._check_board(each, value, path + each.name, collector)
                elif each.spec.board and self.shape.board is not None:
                    spec = self.shape.board.spec
                    if not (0 <= value[0] < spec.width and 0 <= value[1] < spec.height):
                        sizes = f"columns are 0 to {spec.width - 1}, rows 0 to {spec.height - 1}"
                        collector.complain(path + each.name, f"{value} is outside the board: {sizes}")
                if each.spec.of_sides is not None and path.startswith("sides."):
                    most = each.spec.of_sides[int(path.split(".")[1])]
                    if len(value) > most:
                        collector.complain(
                            path + each.name, f"has too many entries; at most {most} are allowed on this side"
                        )
                if each.spec.distinct:
                    seen: dict[str, int] = {}
                    for index, one in enumerate(value):
                        said = str(table_of(one).get(each.spec.distinct))
                        if said in seen:
                            at = f"{path}{each.name}.{index}.{each.spec.distinct}"
                            collector.complain(at, f"{said} is also that of entry {seen[said]}")
                        seen.setdefault(said, index)

    @staticmethod
    def _check_board(field: Field, rows: Sequence[str], path: str, collector: Collector) -> None:
        for number, row in enumerate(rows):
            wrong = sorted(set(row) - set(field.spec.letters))
            if wrong:
                legend = ", ".join(
                    f"{letter} {file_name(member)}"
                    for letter, member in zip(field.spec.letters, field.enum, strict=False)
                )
                collector.complain(
                    f"{path}.{number}", f'there is no letter "{wrong[0]}" on this board', f"write {legend}"
                )

    def tables(self, document: Document) -> Iterator[tuple[Plan, Mapping[str, Any], str]]:
        """Every table of a resolved document that is a record, with its path ending in a dot."""
        yield from self._tables(self.shape.options, document["options"], "options.")
        for side_index, side in enumerate(document["sides"]):
            yield from self._tables(self.shape.side, side, f"sides.{side_index}.")

    def _tables(self, plan: Plan, table: Mapping[str, Any], path: str) -> Iterator[tuple[Plan, Mapping[str, Any], str]]:
        yield plan, table, path
        for each in plan.given:
            value = table.get(each.name)
            if each.form is Form.RECORD and value is not None:
                inner = self.shape.of(each.part)
                for index, one in enumerate(value if each.is_list else [value]):
                    at = f"{path}{each.name}." + (f"{index}." if each.is_list else "")
                    yield from self._tables(inner, one, at)


@dataclass
class _Names:
    """Looks up ids, with the content that one scenario has."""

    reading: Reading
    library: Library
    found: Collector

    def table(self, plan: Plan, table: Mapping[str, Any], path: str) -> dict[str, Any]:
        """A table with nothing left to look up."""
        made = {}
        for each in plan.given:
            value = table.get(each.name)
            if value is None:
                continue
            if each.form is Form.RECORD:
                inner = self.reading.shape.of(each.part)
                if each.is_list:
                    value = [self.entry(inner, one, f"{path}{each.name}.{n}") for n, one in enumerate(value)]
                else:
                    value = self.entry(inner, value, path + each.name)
            made[each.name] = value
        return made

    def entry(self, plan: Plan, value: Any, path: str) -> dict[str, Any]:
        """An entry by its id, or as it is written."""
        if isinstance(value, str):
            identifier = value
            with self.found.collecting():
                named = self.library.find(plan.kind, identifier, self.found.where(path), plan.name.lower())
                return self._made(plan, to_plain(named), path)
            return {}
        return self._made(plan, value, path)

    def _made(self, plan: Plan, table: Mapping[str, Any], path: str) -> dict[str, Any]:
        head = {key: table[key] for key in HEAD if key in table and key not in ("note", "look")}
        if plan.kind and "name" not in head:
            head["name"] = title(head.get("id", plan.name))
        made = {**head, **self.table(plan, table, f"{path}.")}
        hook = self.reading.resolve_entry
        return hook(plan.kind, made) if hook is not None and plan.kind else made


def title(identifier: str) -> str:
    """What an entry without a name is called.

    >>> title("war_dog")
    'War dog'
    """
    return identifier.replace("_", " ").replace("-", " ").capitalize()


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [to_plain(each) if isinstance(each, BaseModel) else each for each in value]
    return value


def _check_only(plan: Plan, table: dict[str, Any], side: int, collector: Collector) -> None:
    """Fields of the other side, and fields that this side lacks."""
    for each in plan.given:
        if each.spec.only is None:
            continue
        if each.spec.only != side and table.get(each.name) is not None:
            collector.complain(f"sides.{side}.{each.name}", f"belongs to side {each.spec.only + 1} only")
        elif each.spec.only == side and table.get(each.name) is None:
            if each.spec.default is not None:
                table[each.name] = each.spec.default
            elif each.spec.least or not each.is_list:
                collector.complain(f"sides.{side}.{each.name}", "is missing")
