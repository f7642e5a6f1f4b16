"""Compile a resolved duel into one record: names become numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fracas.conditions import parse
from fracas.conditions.compiler import Pool, compile_condition
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import nearest, quoted
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.shared.fill import fill
from fracas.rulesets.shared.network_model import Network, write_network
from fracas.rulesets.shared.seeds import key_words
from fracas.rulesets.titans.content import trained_policies
from fracas.rulesets.titans.content.ability_models import (
    Ability,
    ChangeEffect,
    CleanseEffect,
    Effect,
    HealEffect,
    Measured,
    Policy,
    SolvedTable,
    TitanEntry,
)
from fracas.rulesets.titans.content.models import Resolved
from fracas.rulesets.titans.content.vocabulary import VOCABULARY
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.events import CODEBOOKS
from fracas.rulesets.titans.rules.state import battle_t
from fracas.rulesets.titans.rules.titan_stats import changed

# Policies that consist of their name only.
PLAIN_POLICIES = {"random": codes.AT_RANDOM, "greedy": codes.BY_GREED}
NEVER_PAYABLE = codes.MAX_CHARGE + 1


def compile_battle(
    document: Document, plugins: Mapping[str, Plugin], *, strict: bool = False, sound: Resolved | None = None
) -> Compiled:
    """Compile a resolved document into a playable record; `sound` is its model, if already validated.

    Raises:
        InputError: an invalid condition or an unknown ability.
    """
    return _Compiler(sound or validate(Resolved, document, "scenario"), strict).compile()


class _Compiler:
    def __init__(self, resolved: Resolved, strict: bool) -> None:
        self.resolved = resolved
        self.strict = strict
        self.records = np.zeros(1, battle_t)
        self.battle = self.records[0]
        self.pool = Pool()
        self.problems: list[Problem] = []
        self.abilities = sorted(resolved.abilities)
        self.cells = 0

    def compile(self) -> Compiled:
        """The record and its books.

        Raises:
            InputError: every problem found.
        """
        self.problems += self._unknown_abilities()
        if self.problems:
            raise InputError(self.problems)
        fill(self.battle.options, self.resolved.options)
        for code, name in enumerate(self.abilities):
            self._write_ability(self.battle.abilities[code], self.resolved.abilities[name])
        for index, player in enumerate(self.resolved.players):
            self._write_titan(index, player.titan)
            self._write_policy(index, player.titan, player.policy)
        if self.problems:
            raise InputError(dict.fromkeys(self.problems))
        self.pool.write(self.battle, where="players")
        self.battle.dice.key[:] = key_words(self.resolved.seed)
        return Compiled(self.records, self._books())

    def _unknown_abilities(self) -> list[Problem]:
        return [
            Problem(f"players.{index}.titan.abilities.{number}", f"there is no ability {quoted(name)}", hint)
            for index, player in enumerate(self.resolved.players)
            for number, name in enumerate(player.titan.abilities)
            if name not in self.abilities
            for hint in (nearest(name, self.abilities),)
        ]

    def _write_ability(self, record: Any, ability: Ability) -> None:
        record.cost = ability.cost
        record.effect_count = len(ability.effects)
        for index, effect in enumerate(ability.effects):
            write_effect(record.effects[index], effect)
            if isinstance(effect, ChangeEffect):
                change = self.battle.changes[self.battle.change_count]
                change.stat, change.percent = codes.STATS.index(effect.stat), effect.percent
                record.effects[index].change = self.battle.change_count
                self.battle.change_count += 1

    def _write_titan(self, index: int, titan: TitanEntry) -> None:
        record = self.battle.titans[index]
        record.index = index
        fill(record, titan, {"hp": "max_hp"})
        for code, stat in enumerate(codes.STATS):
            record.stats[code] = getattr(titan, stat)
            record.now[code] = changed(record.stats[code], 0)
        record.ability_count = len(titan.abilities)
        for number, name in enumerate(titan.abilities):
            record.abilities[number] = self.abilities.index(name)
            record.costs[number] = self.resolved.abilities[name].cost
        record.cheapest = min((self.resolved.abilities[name].cost for name in titan.abilities), default=NEVER_PAYABLE)

    def _write_policy(self, index: int, titan: TitanEntry, policy: str | Policy) -> None:
        record = self.battle.policies[index]
        path = f"players.{index}.policy"
        if isinstance(policy, str):
            record.kind = PLAIN_POLICIES[policy]
        elif policy.solved is not None:
            record.kind = codes.BY_TABLE
            self._write_table(f"{path}.solved", record.grid, titan, policy.solved)
        elif policy.network is not None:
            record.kind = codes.BY_NETWORK
            self._write_network(f"{path}.network", index, policy.network)
        elif policy.choices is not None:
            record.kind = codes.BY_LIST
            record.choice_count = len(policy.choices)
            for number, name in enumerate(policy.choices):
                record.choices[number] = self._choice(f"{path}.choices.{number}", titan, name, missed=codes.MISSED)
        else:
            record.kind = codes.BY_RULES
            self._write_rules(f"{path}.rules", record, titan, policy)

    def _write_rules(self, path: str, record: Any, titan: TitanEntry, policy: Policy) -> None:
        rules = policy.rules or []
        record.rule_count = len(rules)
        for number, rule in enumerate(rules):
            entry = record.rules[number]
            entry.choice = self._choice(f"{path}.{number}.do", titan, rule.do, ability=codes.ANY_ABILITY)
            entry.chance = rule.chance
            try:
                parsed = parse(rule.when, VOCABULARY, where=f"{path}.{number}.when", strict=self.strict)
            except InputError as error:
                self.problems += error.problems
                continue
            span = self.pool.add(compile_condition(parsed.tree, VOCABULARY))
            entry.first_step, entry.step_count, entry.first_ask, entry.ask_count = span

    def _write_table(self, path: str, grid: Any, titan: TitanEntry, table: SolvedTable) -> None:
        first, last = self.cells, self.cells + table.cells
        if last > codes.MAX_CELLS:
            message = f"solved tables of a duel have room for {codes.MAX_CELLS:,} cells; these need {last:,}"
            self.problems.append(Problem(path, message, "use fewer steps"))
            return
        grid.first = first
        fill(grid, table)
        weights = np.frombuffer(table.decoded(), np.uint8).reshape(table.cells, len(table.choices))
        for column, name in enumerate(table.choices):
            choice = self._choice(f"{path}.choices.{column}", titan, name)
            self.battle.cells[first:last, choice] = weights[:, column]
        self.cells = last

    def _write_network(self, path: str, index: int, network: Network) -> None:
        try:
            trained_policies.check(network, where=path)
        except InputError as error:
            self.problems += error.problems
            return
        write_network(self.battle.networks[index], network)

    def _choice(self, path: str, titan: TitanEntry, name: str, **others: int) -> int:
        """The number of a choice; `others` are further words that are valid here."""
        own = [*codes.ACTIONS[: codes.FIRST_ABILITY], *titan.abilities]
        known = {other: code for code, other in enumerate(own)} | others
        if name not in known:
            message = f"there is no action {quoted(name)}, and {titan.name} has no such ability"
            self.problems.append(Problem(path, message, nearest(name, known)))
            return codes.ATTACK
        return known[name]

    def _books(self) -> Mapping[str, Sequence[Any]]:
        return {
            **CODEBOOKS,
            "player": [player.name for player in self.resolved.players],
            "titan": [player.titan.name for player in self.resolved.players],
            "ability": self.abilities,
            "ability_name": [self.resolved.abilities[name].name for name in self.abilities],
        }


def write_effect(record: Any, effect: Effect) -> None:
    """Write an effect as numbers; fields that its type lacks stay zero."""
    record.kind = codes.EFFECTS.index(effect.type)
    record.on_self = int(getattr(effect, "on", "self") == "self")
    record.rounds = getattr(effect, "rounds", 0)
    if isinstance(effect, CleanseEffect | ChangeEffect):
        return
    record.amount = effect.amount or 0
    if isinstance(effect, Measured) and effect.stat is not None:
        record.source, record.stat, record.times = codes.STAT_AMOUNT, codes.STATS.index(effect.stat), effect.times
    elif isinstance(effect, HealEffect) and effect.dealt is not None:
        record.source, record.amount = codes.DEALT_AMOUNT, effect.dealt
