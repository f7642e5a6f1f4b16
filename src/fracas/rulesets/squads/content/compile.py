"""Compiles a resolved squads battle into one record: names become numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fracas.conditions import parse
from fracas.conditions.compiler import Pool, Span, compile_condition
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import nearest
from fracas.kernel.integer_math import percent
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.shared.fill import fill
from fracas.rulesets.shared.network_model import write_network
from fracas.rulesets.shared.seeds import key_words
from fracas.rulesets.squads.content import trained_policies
from fracas.rulesets.squads.content.library import ABILITY_SLOTS
from fracas.rulesets.squads.content.models.abilities import Ability
from fracas.rulesets.squads.content.models.names import BASIC_ATTACK, ClassName
from fracas.rulesets.squads.content.models.rules_tables import STAGE_PARAMETERS, Modifier, ModifierNumbers
from fracas.rulesets.squads.content.models.scenario import Resolved, ResolvedSide, ResolvedUnit
from fracas.rulesets.squads.content.resolver import target_fits
from fracas.rulesets.squads.content.vocabulary import VOCABULARY
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.events import CODEBOOKS
from fracas.rulesets.squads.rules.state import battle_t


def compile_battle(
    document: Document, plugins: Mapping[str, Plugin], *, strict: bool = False, sound: Resolved | None = None
) -> Compiled:
    """Compile a resolved document into a record ready to play; `sound` is its model if it has been checked already.

    Raises:
        InputError: an invalid condition, a missing ability or stage.
    """
    resolved = sound or validate(Resolved, document, "scenario")
    compiler = _Compiler(resolved, plugins, strict)
    return compiler.compile()


class _Compiler:
    def __init__(self, resolved: Resolved, plugins: Mapping[str, Plugin], strict: bool) -> None:
        self.resolved = resolved
        self.strict = strict
        self.records = np.zeros(1, battle_t)
        self.battle = self.records[0]
        self.pool = Pool()
        self.problems: list[Problem] = []
        self.ability_codes = {name: code for code, name in enumerate(self._abilities())}
        used = dict.fromkeys(
            stage.stage for stage in resolved.options.chain.stages if stage.stage not in STAGE_PARAMETERS
        )
        self.plugins = [plugins[name] for name in used if name in plugins]

    def _abilities(self) -> list[str]:
        """The abilities in table order: the basic attack is number 0, the others follow by id."""
        return [BASIC_ATTACK, *sorted(name for name in self.resolved.abilities if name != BASIC_ATTACK)]

    def compile(self) -> Compiled:
        resolved = self.resolved
        if BASIC_ATTACK not in resolved.abilities:
            raise InputError.of("abilities", f'the ability "{BASIC_ATTACK}" is missing')
        fill(self.battle.options, resolved.options)
        self._write_chain()
        for name, code in self.ability_codes.items():
            write_ability(self.battle.abilities[code], resolved.abilities[name])
        for side_index, side in enumerate(resolved.sides):
            self._write_side(side_index, side)
        if self.problems:
            raise InputError(dict.fromkeys(self.problems))
        self._write_order_of_speed()
        self.pool.write(self.battle, where="sides")
        self.battle.dice.key[:] = key_words(resolved.seed)
        return Compiled(self.records, self._books(), tuple(self.plugins))

    def _write_chain(self) -> None:
        """Write the stages that change anything."""
        names = [plugin.name for plugin in self.plugins]
        length = 0
        for index, stage in enumerate(self.resolved.options.chain.stages):
            entry = self.battle.chain[length]
            if stage.stage in STAGE_PARAMETERS:
                defaults = STAGE_PARAMETERS[stage.stage]
                given = [getattr(stage, key) if getattr(stage, key) is not None else defaults[key] for key in defaults]
                entry.kind = codes.STAGES.index(stage.stage)
                entry.first, entry.second = [*given, 0, 0][:2]
                length += int(not self._is_idle(stage.stage, int(entry.first), int(entry.second)))
            elif stage.stage in names:
                entry.kind = codes.FIRST_PLUGIN_STAGE + names.index(stage.stage)
                length += 1
            else:
                where = f"options.chain.stages.{index}.stage"
                hint = nearest(stage.stage, STAGE_PARAMETERS) or "a stage of your own comes with --plugin FILE"
                self.problems.append(Problem(where, f'there is no stage "{stage.stage}"', hint))
        self.battle.chain_length = length
        if len(self.plugins) > codes.MAX_PLUGINS:
            raise InputError.of("options.chain", f"uses more than {codes.MAX_PLUGINS} plug-in stages")

    def _is_idle(self, stage: str, first: int, second: int) -> bool:
        """Whether a stage changes no value in this battle; the record omits such stages. squads/README.md, Damage."""
        sides, modifier = self.resolved.sides, self.resolved.modifier
        attacks = [self.resolved.options.formations[side.strategy.formation].attack for side in sides]
        damages = [environment_of(unit.class_, modifier)["damage"] for side in sides for unit in side.units]
        return {
            "formation": set(attacks) == {100},
            "class_advantage": first == second == 100,
            "environment": set(damages) == {100},
            "scale": first == 100,
            "add": first == 0,
        }.get(stage, False)

    def _write_side(self, side_index: int, side: ResolvedSide) -> None:
        entry = self.battle.sides[side_index]
        entry.first = side_index * codes.SIDE_SLOTS
        entry.unit_count = len(side.units)
        numbers = self.resolved.options.formations[side.strategy.formation]
        entry.attack_pct, entry.defense_pct, entry.taken_pct = numbers.attack, numbers.defense, numbers.taken
        if side.strategy.network is not None:
            trained_policies.check(side.strategy.network, where=f"sides.{side_index}.strategy.network")
            write_network(self.battle.networks[side_index], side.strategy.network)
        entry.priority_count = len(side.strategy.target_priority)
        for index, name in enumerate(side.strategy.target_priority):
            entry.priorities[index] = codes.PRIORITIES[name]
        entry.ally_priority_count = len(side.strategy.ally_priority)
        for index, name in enumerate(side.strategy.ally_priority):
            entry.ally_priorities[index] = codes.PRIORITIES[name]
        for number, unit in enumerate(side.units):
            record = self.battle.units[entry.first + number]
            record.index, record.side = entry.first + number, side_index
            write_unit(record, unit, self.resolved.modifier)
            self._write_orders(record, side_index, number, unit)

    def _write_order_of_speed(self) -> None:
        fielded = [unit for unit in self.battle.units if unit.max_hp > 0]
        fielded.sort(key=lambda unit: -unit.speed)
        self.battle.fielded = len(fielded)
        self.battle.by_speed[: len(fielded)] = [unit.index for unit in fielded]

    def _write_orders(self, record: Any, side_index: int, number: int, unit: ResolvedUnit) -> None:
        wanted = [("basic", BASIC_ATTACK), *((slot, getattr(unit, slot)) for slot in ABILITY_SLOTS)]
        for slot, ability in wanted:
            if ability not in self.ability_codes:
                hint = nearest(ability, self.ability_codes)
                where = f"sides.{side_index}.units.{number}.{slot}"
                self.problems.append(Problem(where, f'there is no ability "{ability}"', hint))
                continue
            try:
                self._write_order(record[slot], side_index, ability)
            except InputError as error:
                self.problems += error.problems

    def _write_order(self, record: Any, side_index: int, ability: str) -> None:
        record.ability = self.ability_codes[ability]
        order = self.resolved.sides[side_index].strategy.abilities.get(ability)
        if order is None:
            return
        where = f"sides.{side_index}.strategy.abilities.{ability}.when"
        parsed = parse(order.when, VOCABULARY, where=where, strict=self.strict)
        span: Span = self.pool.add(compile_condition(parsed.tree, VOCABULARY))
        record.first_step, record.step_count, record.first_ask, record.ask_count = span
        if order.target is not None and target_fits(self.resolved.abilities[ability], order.target):
            record.selector = codes.SELECTORS.index(order.target)

    def _books(self) -> Mapping[str, Sequence[Any]]:
        units: list[str | None] = [None] * codes.SLOTS
        titles: list[str | None] = [None] * codes.SLOTS
        for side_index, side in enumerate(self.resolved.sides):
            for number, unit in enumerate(side.units):
                units[side_index * codes.SIDE_SLOTS + number] = f"{side_index + 1}.{unit.id}"
                titles[side_index * codes.SIDE_SLOTS + number] = unit.name
        stages = [
            *codes.STAGES,
            *[""] * (codes.FIRST_PLUGIN_STAGE - len(codes.STAGES)),
            *(p.name for p in self.plugins),
        ]
        return {
            "unit": units,
            "title": titles,
            "ability": [self.resolved.abilities[name].name for name in self.ability_codes],
            "ability_id": list(self.ability_codes),
            **CODEBOOKS,
            "stage": stages,
        }


def write_ability(record: Any, ability: Ability) -> None:
    """An ability as numbers; fields that an effect's type does not have stay zero."""
    fill(record, ability)
    record.hostile, record.healing = ability.hostile, ability.healing
    record.effect_count = len(ability.effects)
    for entry, effect in zip(record.effects, ability.effects, strict=False):
        fill(entry, effect, {"percent": "percentage"})
        entry.kind = codes.EFFECTS.index(effect.type)


def write_unit(record: Any, unit: ResolvedUnit, modifier: Modifier | None) -> None:
    """A unit's own numbers, under the environment it fights in."""
    fill(record, unit, {"hp": "max_hp", "class_": "role"})
    numbers = environment_of(unit.class_, modifier)
    record.speed = percent(unit.speed, numbers["speed"])
    for key in ("damage", "defense", "healing"):
        record[f"{key}_pct"] = numbers[key]
    record.critical_chance, record.critical_multiplier = numbers["critical_chance"], numbers["critical_multiplier"]


def environment_of(role: ClassName, modifier: Modifier | None) -> dict[str, int]:
    """An environment's numbers for a class: its own, else the overall ones, else none (-1: the chain's value)."""
    numbers = {key: -1 if key.startswith("critical") else 100 for key in ModifierNumbers.model_fields}
    sources = [modifier, modifier.classes.get(role)] if modifier is not None else []
    for source in sources:
        for key in numbers:
            value = getattr(source, key, None)
            if value is not None:
                numbers[key] = value
    return numbers
