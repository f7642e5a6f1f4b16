"""Compiles a resolved attack into one record: names become numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import nearest, quoted
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.shared.fill import fill
from fracas.rulesets.shared.seeds import key_words
from fracas.rulesets.stacks.content.engagement import AttackRefused, Encounter, Participant, encounter, orders_of_play
from fracas.rulesets.stacks.content.map_grid import adjacent_directions, directions_of
from fracas.rulesets.stacks.content.models import Resolved
from fracas.rulesets.stacks.content.trained_policies import POLICIES
from fracas.rulesets.stacks.content.world_checks import world_problems
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.events import CODEBOOKS
from fracas.rulesets.stacks.rules.state import battle_t

# The default flags of a plug-in's move type.
FLAGS = {"harmful": True, "melee": False, "counts_as_strike": False, "usual_targets": False}


def compile_battle(
    document: Document, plugins: Mapping[str, Plugin], *, strict: bool = False, sound: Resolved | None = None
) -> Compiled:
    """Compile a resolved document into a record ready to play; `sound` is its model if it has been checked already.

    Raises:
        InputError: the world contradicts itself, the attack is not possible, or a participant has an unknown move
            type.
    """
    resolved = sound or validate(Resolved, document, "scenario")
    # A document from elsewhere, such as a replay's, may have the right shape and still not be a valid world.
    problems = list(world_problems(resolved.map, resolved.factions, resolved.tiles, resolved.stacks, "scenario"))
    if problems:
        raise InputError(problems)
    return _Compiler(resolved, drawn_in(resolved), plugins).compile()


def drawn_in(resolved: Resolved) -> Encounter:
    """The participants of an attack.

    Raises:
        InputError: the attack is not possible.
    """
    try:
        return encounter(resolved, resolved.attack.stack, resolved.attack.tile, resolved.options.sides)
    except AttackRefused as obstacle:
        raise InputError.of("attack", str(obstacle)) from None


class _Compiler:
    def __init__(self, resolved: Resolved, drawn: Encounter, plugins: Mapping[str, Plugin]) -> None:
        self.resolved = resolved
        self.drawn = drawn
        self.fighters = drawn.fighters
        self.records = np.zeros(1, battle_t)
        self.battle = self.records[0]
        wanted = {name for fighter in self.fighters for name in fighter.unit.moves}
        self.plugins = tuple(plugin for name, plugin in plugins.items() if name in wanted)
        self.moves = (*codes.MOVES, *(plugin.name for plugin in self.plugins))

    def compile(self) -> Compiled:
        """The record and its books.

        Raises:
            InputError: every problem found.
        """
        problems = [*self._too_many(), *self._networks_with_plugins(), *self._unknown_moves()]
        if problems:
            raise InputError(problems)
        battle, attack = self.battle, self.resolved.attack
        battle.number = attack.number
        battle.first_tick = attack.number * codes.TICKS_PER_ATTACK
        battle.stack = next(each.number for each in self.drawn.standings if each.stack.id == attack.stack)
        fill(battle.options, self.resolved.options)
        self._write_move_types()
        self._write_places()
        self._write_sides()
        POLICIES.write(battle, self.resolved.policies)
        for fighter in self.fighters:
            self._write_participant(fighter)
        battle.dice.key[:] = key_words(self.resolved.seed)
        return Compiled(self.records, books(self.resolved, self.fighters, self.moves), self.plugins)

    def _too_many(self) -> Iterable[Problem]:
        if len(self.plugins) > codes.MAX_PLUGINS:
            yield Problem("stacks", f"one battle has room for {codes.MAX_PLUGINS} plug-ins, not {len(self.plugins)}")

    def _networks_with_plugins(self) -> Iterable[Problem]:
        if self.plugins and self.resolved.policies is not None:
            names = ", ".join(plugin.name for plugin in self.plugins)
            yield Problem("policies", f"trained policies do not know the plug-ins of this battle: {names}")

    def _unknown_moves(self) -> Iterable[Problem]:
        for fighter in self.fighters:
            for index, name in enumerate(fighter.unit.moves):
                if name not in self.moves:
                    where = f"stacks.{fighter.standing.number}.units.{fighter.id % codes.STACK_SLOTS}.moves.{index}"
                    hint = nearest(name, self.moves) or "a move type of your own comes with --plugin FILE"
                    yield Problem(where, f"there is no move type {quoted(name)}", hint)

    def _write_move_types(self) -> None:
        self.battle.move_type_count = len(self.moves)
        for index, plugin in enumerate((None,) * codes.FIRST_PLUGIN_MOVE + self.plugins):
            write_move_type(self.battle.move_types[index], flags_of(index, plugin))

    def _write_places(self) -> None:
        kind = self.resolved.map.kind
        self.battle.direction_count = len(directions_of(kind))
        self.battle.places["stack"] = -1
        for direction, others in enumerate(adjacent_directions(kind)):
            self.battle.places[direction].adjacent = sum(1 << other for other in others)
        for standing in self.drawn.standings:
            place = self.battle.places[standing.direction]
            place.stack, place.role = standing.number, standing.role
            place.unit_count = len(standing.stack.units)

    def _write_sides(self) -> None:
        ids = [fighter.id for fighter in self.fighters]
        self.battle.involved_count = len(ids)
        self.battle.involved[: len(ids)] = ids
        even, odd = orders_of_play(self.fighters, self.resolved.options.order)
        self.battle.even_order[: len(ids)] = even
        self.battle.odd_order[: len(ids)] = odd
        for number, side in enumerate(self.battle.sides):
            members = [fighter.id for fighter in self.fighters if fighter.side == number]
            side.member_count = len(members)
            side.members[: len(members)] = members

    def _write_participant(self, fighter: Participant) -> None:
        record, unit = self.battle.participants[fighter.id], fighter.unit
        record.id, record.side, record.direction = fighter.id, fighter.side, fighter.standing.direction
        record.full_health, record.first_health = unit.health, unit.health_left
        record.first_attack, record.first_defence, record.first_damage = unit.attack, unit.defence, unit.damage
        record.initiative = unit.initiative
        known = sorted(self.moves.index(name) for name in unit.moves)
        record.move_count = len(known)
        record.moves[: len(known)] = known
        for code in known:
            record.aims |= self.battle.move_types[code].aims
        record.can_riposte = any(self.battle.move_types[code].strike for code in known)


def flags_of(code: int, plugin: Plugin | None) -> Mapping[str, bool]:
    """The flags of a move type: a plug-in's, or those of the shipped one with that code."""
    if plugin is not None:
        return FLAGS | dict(plugin.flags)
    name = codes.MOVES[code]
    return {
        "harmful": name in codes.HARMFUL_MOVES,
        "melee": name in codes.MELEE_MOVES,
        "counts_as_strike": code == codes.STRIKE,
        "usual_targets": True,
    }


def write_move_type(record: Any, flags: Mapping[str, bool]) -> None:
    """Write a move type's flags as numbers."""
    record.harmful, record.melee, record.strike = flags["harmful"], flags["melee"], flags["counts_as_strike"]
    usual = codes.LIVING_ENEMIES if flags["harmful"] else codes.LIVING_FRIENDS
    record.aims = usual if flags["usual_targets"] else codes.ANYBODY


def books(resolved: Resolved, fighters: Sequence[Participant], moves: Sequence[str]) -> Mapping[str, Sequence[Any]]:
    """The code books of a battle's event rows."""
    units: list[str | None] = [None] * codes.SLOTS
    titles: list[str | None] = [None] * codes.SLOTS
    for fighter in fighters:
        units[fighter.id] = f"{fighter.standing.stack.id}.{fighter.unit.id}"
        titles[fighter.id] = fighter.unit.name
    return {
        **CODEBOOKS,
        "unit": units,
        "title": titles,
        "stack": [stack.id for stack in resolved.stacks],
        "stack_title": [stack.name for stack in resolved.stacks],
        "move": moves,
    }
