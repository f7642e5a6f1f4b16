"""Resolves a squads scenario: looks up everything it refers to and fills in every default.

Resolving is idempotent: a resolved document is a valid scenario that resolves to itself, so `--set` can change any
value of it by path and resolve again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from fracas.conditions import parse
from fracas.content.packs import unknown_name
from fracas.content.profiles import merged_options, merged_value
from fracas.content.references import to_plain
from fracas.content.scenario_reader import ScenarioResolver
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.files.read import read_named_document
from fracas.rulesets.contract.types import Document, ResolvedScenario
from fracas.rulesets.shared.checked_scenario import checked_scenario
from fracas.rulesets.squads.content import trained_policies
from fracas.rulesets.squads.content.library import ABILITY_SLOTS, CATALOGUE
from fracas.rulesets.squads.content.models.abilities import Ability
from fracas.rulesets.squads.content.models.names import BASIC_ATTACK
from fracas.rulesets.squads.content.models.rules_tables import (
    STAGE_PARAMETERS,
    FormationNumbers,
    FormationTable,
    InlineChain,
    Modifier,
    Options,
)
from fracas.rulesets.squads.content.models.scenario import Resolved, Scenario, Side
from fracas.rulesets.squads.content.models.units import AbilityOrder, NamedStrategy, Opponent, Strategy, Unit, UnitEntry
from fracas.rulesets.squads.content.vocabulary import VOCABULARY
from fracas.rulesets.squads.content.weekly_modifiers import modifier_of_week
from fracas.rulesets.squads.rules.constants import ALLY_SELECTORS


class Resolver(ScenarioResolver[Scenario]):
    """Resolves one scenario."""

    catalogue = CATALOGUE

    @cached_property
    def abilities(self) -> dict[str, Ability]:
        """The content's abilities and the scenario's own, by id."""
        return {**self.library.of("abilities"), **self.scenario.abilities}

    def resolve(self) -> ResolvedScenario:
        """The resolved document.

        Raises:
            InputError: every problem found.
        """
        scenario = self.scenario
        options = self.options()
        modifier: Modifier | None = None
        with self.collecting():
            modifier = self.modifier()
        sides = [self.side(side_index, side) for side_index, side in enumerate(scenario.sides)]
        self.raise_problems()
        document = {
            **CATALOGUE.head_of(scenario, self.source),
            "modifier": to_plain(modifier) if modifier else None,
            "options": options,
            "sides": sides,
            "abilities": {name: to_plain(self.abilities[name]) for name in self.used_abilities(sides)},
        }
        return checked_scenario(Resolved, document, self.source.where, self.warnings)

    def options(self) -> dict[str, Any]:
        """Every rule option: the profile's base profiles first, then the profile, then the scenario."""
        given = self.given_options()
        merged = merged_options(given)
        formations: dict[str, FormationNumbers] = {}
        for options in given:
            with self.collecting():
                formations = merged_value(formations, self.formations(options))
        merged["formations"] = {name: to_plain(numbers) for name, numbers in formations.items()}
        if "chain" in merged:
            with self.collecting():
                merged["chain"] = self.chain(merged["chain"])
        return merged

    def formations(self, options: Options) -> Mapping[Any, FormationNumbers]:
        """The formation table of a set of options."""
        found: Any = self.entry("formations", options.formations or {}, "options.formations", "formation table")
        table: Mapping[Any, FormationNumbers] = found.table if isinstance(found, FormationTable) else found
        return table

    def chain(self, chosen: str | InlineChain) -> Document:
        """The stages of the damage chain, with every parameter filled in."""
        where = self.where("options.chain")
        stages = self.entry("chains", chosen, "options.chain", "damage chain").stages
        resolved: list[Document] = []
        for index, stage in enumerate(stages):
            if stage.stage not in STAGE_PARAMETERS and stage.stage not in self.plugins:
                known = [*STAGE_PARAMETERS, *self.plugins]
                self.problems.append(
                    Problem(
                        f"{where}.stages.{index}.stage",
                        f'there is no stage "{stage.stage}"',
                        nearest(stage.stage, known) or "a stage of your own comes with --plugin FILE",
                    )
                )
                continue
            defaults = STAGE_PARAMETERS.get(stage.stage, {})
            given = {key: value for key, value in to_plain(stage).items() if value is not None}
            resolved.append({"stage": stage.stage, **defaults, **given})
        return {"stages": resolved}

    def modifier(self) -> Modifier | None:
        """The environment modifier: named, written out, or that of the date's week."""
        chosen: Modifier | None = self.entry("modifiers", self.scenario.modifier, "modifier", "modifier")
        if chosen is None and self.scenario.date is not None:
            return modifier_of_week(self.library, self.scenario.date)
        return chosen

    def side(self, index: int, side: Side) -> Document:
        """One side: units written out, strategy looked up."""
        path = f"sides.{index}"
        preset: Opponent | None = None
        with self.collecting():
            preset = self.entry("opponents", side.opponent, f"{path}.opponent", "opponent")
        units = self.units(path, preset.units if preset else side.units or [])
        is_presets = preset is not None and side.strategy is None
        strategy = Strategy()
        with self.collecting():
            strategy = self.strategy(f"{path}.strategy", preset.strategy if preset and is_presets else side.strategy)
            if strategy.network is not None:
                trained_policies.check(strategy.network, where=self.where(f"{path}.strategy.network"))
        owned = {BASIC_ATTACK} | {unit[slot] for unit in units for slot in ABILITY_SLOTS}
        from_content = is_presets or isinstance(strategy, NamedStrategy)
        orders = self.orders(f"{path}.strategy.abilities", strategy, owned, from_content=from_content)
        return {
            "name": side.name or (preset.name if preset else f"Side {index + 1}"),
            "units": units,
            "strategy": strategy_document(strategy, orders),
        }

    def units(self, path: str, entries: Sequence[str | UnitEntry]) -> list[Document]:
        """The units of a side; each gets an id and a name that are unique within it."""
        resolved: list[Document] = []
        self.refuse_doubles(path, entries)
        for index, entry in enumerate(entries):
            with self.collecting():
                self.add_numbered(self.unit(f"{path}.units.{index}", entry), resolved)
        return resolved

    def refuse_doubles(self, path: str, entries: Sequence[str | UnitEntry]) -> None:
        """Refuse units written in the scenario that share an id; content units may appear several times."""
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
            values = to_plain(self.entry("units", entry, path, "unit"))
        else:
            values = to_plain(known[entry.id]) if entry.id in known else {}
            values |= {key: value for key, value in to_plain(entry).items() if value is not None}
            values.setdefault("name", entry.id.replace("_", " ").title())
            self.refuse_incomplete(path, entry, values, known)
        values.pop("tier", None)
        defaults = self.entry("classes", values["class"], f"{path}.class", "class")
        for slot in ABILITY_SLOTS:
            values[slot] = values.get(slot) or getattr(defaults, slot)
            if values[slot] not in self.abilities:
                self.problems.append(
                    unknown_name(self.where(f"{path}.{slot}"), "ability", values[slot], self.abilities)
                )
        return values

    def refuse_incomplete(self, path: str, entry: UnitEntry, values: Document, known: Mapping[str, Unit]) -> None:
        """Refuse a unit that is neither in the content nor complete."""
        missing = [key for key in ("class", "hp", "attack", "defense", "speed") if key not in values]
        if missing:
            lacks = ", ".join(missing)
            message = f"{quoted(entry.id)} is not a unit of the content, so it needs {lacks} here"
            raise InputError.of(self.where(path), message, nearest(entry.id, known))

    def strategy(self, path: str, chosen: str | Strategy | None) -> Strategy:
        """A side's strategy: written here, in a file beside the scenario, or of the content."""
        if chosen is None:
            return Strategy()
        if isinstance(chosen, str) and chosen.endswith((".json", ".toml")):
            file = self.named_file(path, chosen, self.source.folder)
            return validate(Strategy, read_named_document(file), str(file))
        found: Strategy = self.entry("strategies", chosen, path, "strategy")
        return found

    def orders(self, path: str, strategy: Strategy, owned: set[str] | None, *, from_content: bool = False) -> Document:
        """A strategy's orders for the abilities that its side owns, by id; without a side, for all abilities.

        Orders for abilities that the side does not own are checked too.
        """
        resolved: Document = {}
        for key, order in strategy.abilities.items():
            with self.collecting():
                ability = self.ability_named(f"{path}.{key}", key, owned)
                if ability.id in resolved:
                    raise InputError.of(self.where(f"{path}.{key}"), f"{quoted(key)} is configured twice")
                resolved[ability.id] = self.order(f"{path}.{key}", ability, order, from_content)
        return {name: order for name, order in resolved.items() if owned is None or name in owned}

    def ability_named(self, path: str, key: str, owned: set[str] | None) -> Ability:
        """The ability that a strategy's key means: the exact id, else an id or display name, ignoring case.

        If several match, the side's own come first, and of those the one with that id.

        Raises:
            InputError: none matches, or the side has several that do.
        """
        if key in self.abilities:
            return self.abilities[key]
        wanted = key.casefold()
        alike = [ability for ability in self.abilities.values() if wanted in (ability.id, ability.name.casefold())]
        if not alike:
            titles = [ability.name for ability in self.abilities.values()]
            raise InputError(unknown_name(self.where(path), "ability", key, titles))
        own = [ability for ability in alike if owned is not None and ability.id in owned]
        by_id = [ability for ability in own or alike if ability.id == wanted]
        if len(own) > 1 and not by_id:
            ids = listed([quoted(ability.id) for ability in own])
            raise InputError.of(self.where(path), f"{quoted(key)} may be several abilities", f"write {ids}")
        return (by_id or own or alike)[0]

    def order(self, path: str, ability: Ability, order: AbilityOrder, from_content: bool) -> Document:
        """An order as plain values. An invalid condition is a problem; a target that does not fit is a warning."""
        parsed = parse(order.when, VOCABULARY, where=self.where(f"{path}.when"), content=from_content)
        self.warnings += parsed.warnings
        if ability.id == BASIC_ATTACK and parsed.tree is not None:
            raise InputError.of(
                self.where(f"{path}.when"), "the basic attack is always available; it takes a target only"
            )
        if order.target is not None and not target_fits(ability, order.target):
            side = "enemies" if ability.hostile else "allies"
            message = f'"{order.target}" is not a target for an ability that reaches {side}; its default counts'
            self.warnings.append(Problem(self.where(f"{path}.target"), message))
        values = to_plain(order)
        if parsed.tree is None:
            values.pop("when", None)
        return values

    def used_abilities(self, sides: Sequence[Document]) -> list[str]:
        """The basic attack and every ability of every unit, by id."""
        owned = {unit[slot] for side in sides for unit in side["units"] for slot in ABILITY_SLOTS}
        return sorted({BASIC_ATTACK, *owned})


def strategy_document(strategy: Strategy, orders: Document) -> Document:
    """A strategy in the form of resolved documents; `allyPriority` only if it is set, as before it existed."""
    allies = list(strategy.ally_priority)
    return {
        "formation": strategy.formation,
        "targetPriority": list(strategy.target_priority),
        **({"allyPriority": allies} if allies else {}),
        "abilities": orders,
        **({"network": to_plain(strategy.network)} if strategy.network else {}),
    }


def target_fits(ability: Ability, selector: str) -> bool:
    """Whether a selector picks from the side that an ability reaches."""
    if ability.reach == "self":
        return selector == "self"
    return (selector in ALLY_SELECTORS) != ability.hostile
