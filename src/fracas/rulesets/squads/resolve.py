"""From a scenario as people write it to a battle with nothing left to look up.

Resolving is idempotent: a resolved document is a valid scenario that resolves to itself. That is what lets `--set`
change any value of it by path and resolve again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fracas.content.conditions import parse
from fracas.content.files import read_document
from fracas.content.packs import Library, one_file_library, read_library
from fracas.content.suggest import nearest, quoted
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.rulesets.contract import Document, Plugin, Resolution, Source
from fracas.rulesets.squads.models import (
    STAGE_PARAMETERS,
    Ability,
    AbilityOrder,
    ContentFile,
    FormationNumbers,
    InlineChain,
    Modifier,
    NamedStrategy,
    Options,
    Profile,
    Resolved,
    Scenario,
    Side,
    Strategy,
    Unit,
    UnitEntry,
)
from fracas.rulesets.squads.rotation import modifier_of_week
from fracas.rulesets.squads.vocabulary import VOCABULARY

DEFAULT_PROFILE = "classic"
DEFAULT_SEED = "fracas"
BASIC_ATTACK = "basic_attack"


def library_for(profile: str | None, folders: Sequence[Path], where: str = "profile") -> Library:
    """The content that a profile's battles refer to: shipped, the profile's packs, the user's folders.

    Raises:
        InputError: every problem of every file; an unknown profile.
    """
    library = read_library("squads", ContentFile, [], folders)
    packs = [pack for entry in profile_line(library, profile or DEFAULT_PROFILE, where) for pack in entry.packs]
    return read_library("squads", ContentFile, packs, folders) if packs else library


def profile_line(library: Library, name: str, where: str) -> list[Profile]:
    """A profile and all that it builds on, the most basic first.

    Raises:
        InputError: an unknown profile, or profiles that build on each other in a circle.
    """
    line: list[Profile] = []
    following: str | None = name
    while following is not None:
        if any(entry.id == following for entry in line):
            raise InputError.of(where, f'the profile "{following}" builds on itself')
        line.insert(0, library.find("profiles", following, where, "profile"))
        following = line[0].base
    return line


class Resolver:
    """Resolves one scenario, collecting every problem on the way."""

    def __init__(self, scenario: Scenario, source: Source, library: Library, plugins: Mapping[str, Plugin]) -> None:
        self.scenario = scenario
        self.source = source
        self.library = library
        self.plugins = plugins
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self.abilities: dict[str, Ability] = dict(library.of("abilities")) | scenario.abilities

    def where(self, path: str) -> str:
        """A place in the scenario, for messages."""
        return f"{self.source.where}: {path}"

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Go on after a problem, so that all of them are said at once."""
        try:
            yield
        except InputError as error:
            self.problems += error.problems

    def resolve(self) -> Resolution:
        """The resolved document.

        Raises:
            InputError: all that was found.
        """
        scenario = self.scenario
        identifier = scenario.id or self.source.stem
        options: dict[str, Any] = {}
        modifier: Modifier | None = None
        with self.collecting():
            options = self.options()
        with self.collecting():
            modifier = self.modifier()
        sides = [self.side(place, side) for place, side in enumerate(scenario.sides)]
        if self.problems:
            raise InputError(dict.fromkeys(self.problems))
        document = {
            "ruleset": "squads",
            "id": identifier,
            "seed": scenario.seed or scenario.id or DEFAULT_SEED,
            "profile": scenario.profile or DEFAULT_PROFILE,
            "modifier": plain(modifier) if modifier else None,
            "options": options,
            "sides": sides,
            "abilities": {name: plain(self.abilities[name]) for name in self.used_abilities(sides)},
        }
        validate(Resolved, document, self.source.where)
        return Resolution(document, tuple(self.warnings))

    def options(self) -> dict[str, Any]:
        """Every rule option: the profile's line, the most basic first, then the scenario's own."""
        name = self.scenario.profile or DEFAULT_PROFILE
        line = [entry.options for entry in profile_line(self.library, name, self.where("profile"))]
        merged: dict[str, Any] = {}
        formations: dict[str, FormationNumbers] = {}
        for options in [*line, self.scenario.options]:
            for key in options.model_fields_set:
                if getattr(options, key) is not None:
                    merged[key] = getattr(options, key)
            formations |= self.formations(options)
        merged["formations"] = {name: plain(numbers) for name, numbers in formations.items()}
        merged["chain"] = self.chain(merged["chain"])
        return merged

    def formations(self, options: Options) -> Mapping[Any, FormationNumbers]:
        """The formation numbers that a set of options gives."""
        if options.formations is None:
            return {}
        if isinstance(options.formations, str):
            where = self.where("options.formations")
            found = self.library.find("formations", options.formations, where, "formation table")
            return dict(found.table)
        return options.formations

    def chain(self, chosen: str | InlineChain) -> Document:
        """The stages of the damage chain, every parameter spelt out."""
        where = self.where("options.chain")
        stages = (
            self.library.find("chains", chosen, where, "damage chain").stages
            if isinstance(chosen, str)
            else chosen.stages
        )
        resolved: list[Document] = []
        for place, stage in enumerate(stages):
            if stage.stage not in STAGE_PARAMETERS and stage.stage not in self.plugins:
                known = [*STAGE_PARAMETERS, *self.plugins]
                self.problems.append(
                    Problem(
                        f"{where}.stages.{place}.stage",
                        f'there is no stage "{stage.stage}"',
                        nearest(stage.stage, known) or "a stage of your own comes with --plugin FILE",
                    )
                )
                continue
            defaults = STAGE_PARAMETERS.get(stage.stage, {})
            given = {key: value for key, value in plain(stage).items() if value is not None}
            resolved.append({"stage": stage.stage, **defaults, **given})
        return {"stages": resolved}

    def modifier(self) -> Modifier | None:
        """The environment: named, written out, or the one of a date's week."""
        chosen = self.scenario.modifier
        if isinstance(chosen, Modifier):
            return chosen
        if chosen is not None:
            found: Modifier = self.library.find("modifiers", chosen, self.where("modifier"), "modifier")
            return found
        if self.scenario.date is not None:
            return modifier_of_week(self.library, self.scenario.date)
        return None

    def side(self, place: int, side: Side) -> Document:
        """One side: units written out, strategy looked up."""
        path = f"sides.{place}"
        entries: Sequence[str | UnitEntry] = side.units or []
        chosen: str | Strategy | None = side.strategy
        name = side.name
        if side.opponent is not None:
            with self.collecting():
                preset = self.library.find("opponents", side.opponent, self.where(f"{path}.opponent"), "opponent")
                entries = preset.units
                chosen = preset.strategy if chosen is None else chosen
                name = name or preset.name
        units = self.units(path, entries)
        strategy = Strategy()
        with self.collecting():
            strategy = self.strategy(f"{path}.strategy", chosen)
        orders = self.orders(f"{path}.strategy.abilities", strategy, units)
        return {
            "name": name or f"Side {place + 1}",
            "units": units,
            "strategy": {
                "formation": strategy.formation,
                "target_priority": list(strategy.target_priority),
                "abilities": orders,
            },
        }

    def units(self, path: str, entries: Sequence[str | UnitEntry]) -> list[Document]:
        """The units of a side, each with an id and a name of its own within it."""
        resolved: list[Document] = []
        self.refuse_doubles(path, entries)
        for place, entry in enumerate(entries):
            with self.collecting():
                unit = self.unit(f"{path}.units.{place}", entry)
                unit["id"] = _numbered(unit["id"], {other["id"] for other in resolved})
                unit["name"] = _numbered(unit["name"], {other["name"] for other in resolved})
                resolved.append(unit)
        return resolved

    def refuse_doubles(self, path: str, entries: Sequence[str | UnitEntry]) -> None:
        """Units written in the scenario must not share an id; content may be fielded repeatedly."""
        known = self.library.of("units")
        written = Counter(entry.id for entry in entries if isinstance(entry, UnitEntry) and entry.id not in known)
        for identifier in (identifier for identifier, count in written.items() if count > 1):
            self.problems.append(
                Problem(self.where(f"{path}.units"), f'two units have the id "{identifier}"', "give each its own id")
            )

    def unit(self, path: str, entry: str | UnitEntry) -> Document:
        """One unit, its abilities filled in from its class."""
        known = self.library.of("units")
        if isinstance(entry, str):
            base: Unit = self.library.find("units", entry, self.where(path), "unit")
            values = plain(base)
        else:
            values = plain(known[entry.id]) if entry.id in known else {}
            values |= {key: value for key, value in plain(entry).items() if value is not None}
            values.setdefault("name", entry.id.replace("_", " ").title())
            self.refuse_incomplete(path, entry, values, known)
        for key in ("tier", "note"):
            values.pop(key, None)
        defaults = self.library.find("classes", values["class"], self.where(f"{path}.class"), "class")
        for slot in ("class_ability", "ultimate"):
            values[slot] = values.get(slot) or getattr(defaults, slot)
            if values[slot] not in self.abilities:
                hint = nearest(values[slot], self.abilities)
                raise InputError.of(self.where(f"{path}.{slot}"), f'there is no ability "{values[slot]}"', hint)
        return values

    def refuse_incomplete(self, path: str, entry: UnitEntry, values: Document, known: Mapping[str, Unit]) -> None:
        """A unit that is not in the content must say everything about itself."""
        missing = [key for key in ("class", "hp", "attack", "defense", "speed") if key not in values]
        if missing:
            lacks = ", ".join(missing)
            message = f"{quoted(entry.id)} is not a unit of the content, so it needs {lacks} here"
            raise InputError.of(self.where(path), message, nearest(entry.id, known))

    def strategy(self, path: str, chosen: str | Strategy | None) -> Strategy:
        """A side's strategy: written here, in a file beside the scenario, or of the content."""
        if chosen is None:
            return Strategy()
        if isinstance(chosen, Strategy):
            return chosen
        if chosen.endswith((".json", ".toml")):
            file = self.file_beside(path, chosen)
            return validate(Strategy, read_document(file), str(file))
        found: NamedStrategy = self.library.find("strategies", chosen, self.where(path), "strategy")
        return found

    def file_beside(self, path: str, name: str) -> Path:
        """A file in the scenario's folder or below it, and nowhere else."""
        folder = (self.source.folder or Path.cwd()).resolve()
        try:
            file = (folder / name).resolve()
        except (OSError, ValueError):
            raise InputError.of(self.where(path), f"{quoted(name)} cannot be a file name") from None
        if not file.is_relative_to(folder):
            raise InputError.of(self.where(path), f"{quoted(name)} lies outside the scenario's folder")
        return file

    def orders(self, path: str, strategy: Strategy, units: Sequence[Document]) -> Document:
        """What a strategy says about abilities, by their ids, its conditions checked."""
        owned = {BASIC_ATTACK} | {unit[slot] for unit in units for slot in ("class_ability", "ultimate")}
        from_content = isinstance(strategy, NamedStrategy)
        resolved: Document = {}
        for key, order in strategy.abilities.items():
            with self.collecting():
                ability = self.ability_named(f"{path}.{key}", key, resolved)
                self.check_order(f"{path}.{key}", ability, order, from_content)
                if ability.id in owned:
                    resolved[ability.id] = {k: v for k, v in plain(order).items() if v is not None}
        return resolved

    def ability_named(self, path: str, key: str, taken: Document) -> Ability:
        """The ability that a strategy's key means: its id or its display name, case ignored."""
        wanted = key.casefold()
        for ability in self.abilities.values():
            if wanted in (ability.id, ability.name.casefold()):
                if ability.id in taken:
                    raise InputError.of(self.where(path), f"{quoted(key)} is configured twice")
                return ability
        names = [ability.name for ability in self.abilities.values()]
        raise InputError.of(self.where(path), f"there is no ability {quoted(key)}", nearest(key, names))

    def check_order(self, path: str, ability: Ability, order: AbilityOrder, from_content: bool) -> None:
        """An order's condition must be one; a target that the ability cannot take is worth a warning."""
        parsed = parse(order.when, VOCABULARY, where=self.where(f"{path}.when"), content=from_content)
        self.warnings += parsed.warnings
        if ability.id == BASIC_ATTACK and order.when is not None:
            raise InputError.of(
                self.where(f"{path}.when"), "the basic attack is always available; it takes a target only"
            )
        if order.target is not None and not target_fits(ability, order.target):
            side = "allies" if ability.hostile is False else "enemies"
            message = f'"{order.target}" is not a target for an ability that reaches {side}; its own default counts'
            self.warnings.append(Problem(self.where(f"{path}.target"), message))

    def used_abilities(self, sides: Sequence[Document]) -> list[str]:
        """The basic attack, then every ability of every unit, once, in order of appearance."""
        units = [unit for side in sides for unit in side["units"]]
        return list(dict.fromkeys([BASIC_ATTACK, *(unit[s] for unit in units for s in ("class_ability", "ultimate"))]))


def target_fits(ability: Ability, selector: str) -> bool:
    """Whether a selector can choose for an ability; area and self abilities leave nothing to choose."""
    if ability.reach in ("all_enemies", "all_allies"):
        return True
    if ability.reach == "self":
        return selector == "self"
    return (selector in ("lowest_hp_ally", "self")) != ability.hostile


def plain(model: Any) -> Document:
    """A model as plain values, under the names that files use, nothing that was left out."""
    document: Document = model.model_dump(mode="json", by_alias=True, exclude_none=True)
    return document


def _numbered(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    return next(f"{name}-{number}" for number in range(2, 100) if f"{name}-{number}" not in taken)


def resolve(document: Document, source: Source, folders: Sequence[Path], plugins: Mapping[str, Plugin]) -> Resolution:
    """A scenario document, resolved.

    Raises:
        InputError: every problem of the scenario and of the content it needs.
    """
    scenario = validate(Scenario, document, source.where)
    library = library_for(scenario.profile, folders, f"{source.where}: profile")
    return Resolver(scenario, source, library, plugins).resolve()


def check_part(kind: str, document: Document, source: Source, strict: bool) -> tuple[Problem, ...]:
    """A content or strategy file by itself; its references are looked up in the shipped content and in the file.

    Raises:
        InputError: everything that is wrong with it; warnings too if strict.
    """
    library = library_for(None, [])
    warnings: list[Problem] = []
    if kind == "content":
        check_library(library.over(one_file_library(validate(ContentFile, document, source.where), source.where)))
    else:
        resolver = _bare_resolver(source, library)
        resolver.orders("abilities", validate(Strategy, document, source.where), [])
        if resolver.problems:
            raise InputError(dict.fromkeys(resolver.problems))
        warnings = resolver.warnings
    if strict and warnings:
        raise InputError(warnings)
    return tuple(warnings)


def _bare_resolver(source: Source, library: Library) -> Resolver:
    """A resolver for strategies that stand outside a scenario."""
    return Resolver(Scenario.model_construct(abilities={}), source, library, {})


def check_library(library: Library) -> None:
    """Everything in a library that refers to something must find it.

    Raises:
        InputError: every reference that leads nowhere, every condition that is none.
    """
    problems = list(_dangling_references(library))
    for identifier, strategy in library.of("strategies").items():
        resolver = _bare_resolver(Source(library.origins["strategies", identifier]), library)
        resolver.orders(f"strategies.{identifier}.abilities", strategy, [])
        problems += resolver.problems
    if problems:
        raise InputError(dict.fromkeys(problems))


def _dangling_references(library: Library) -> Iterator[Problem]:
    wanted: list[tuple[str, str, str, str, str]] = [
        (kind, identifier, slot, "abilities", getattr(entry, slot))
        for kind in ("units", "classes")
        for identifier, entry in library.of(kind).items()
        for slot in ("class_ability", "ultimate")
        if getattr(entry, slot) is not None
    ]
    for identifier, preset in library.of("opponents").items():
        wanted += [("opponents", identifier, "units", "units", unit) for unit in preset.units]
        if isinstance(preset.strategy, str):
            wanted.append(("opponents", identifier, "strategy", "strategies", preset.strategy))
    for identifier, profile in library.of("profiles").items():
        for slot, target in (("chain", "chains"), ("formations", "formations")):
            if isinstance(getattr(profile.options, slot), str):
                wanted.append(("profiles", identifier, f"options.{slot}", target, getattr(profile.options, slot)))
        if profile.base is not None:
            wanted.append(("profiles", identifier, "base", "profiles", profile.base))
    for kind, identifier, slot, target, name in wanted:
        if name not in library.of(target):
            where = f"{library.origins[kind, identifier]}: {kind}.{identifier}.{slot}"
            yield Problem(where, f'there is no "{name}" among the {target}', nearest(name, library.of(target)))
