"""Stops a squads battle at each round's start and at each decision, for `fracas why`.

A place, as `resume` takes it: (a place of kernel/snapshots.py; place in the round's order; the given choice; its
target, -1 if it has none).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fracas.kernel.dice import open_address
from fracas.kernel.event_log import NOBODY
from fracas.kernel.networks import has_network
from fracas.kernel.sides import other_side
from fracas.rulesets.contract.analysis import DecisionPoint
from fracas.rulesets.contract.types import Compiled
from fracas.rulesets.shared.decision_walk import DecisionWalk, Pair
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.mechanics import begin_turn, set_up, start_round, take_turn
from fracas.rulesets.squads.rules.observation import target_of
from fracas.rulesets.squads.rules.outcome import decide_if_wiped_out, end_round
from fracas.rulesets.squads.rules.policies import choose_action
from fracas.rulesets.squads.rules.state import GIVEN
from fracas.rulesets.squads.rules.targeting import count_candidates, nth_candidate, select_ally, select_target
from fracas.rulesets.squads.rules.trained import trained_action
from fracas.rulesets.squads.rules.units import ability_of, reaches_one, unit_at


def decision_points(compiled: Compiled, stream: int) -> list[DecisionPoint]:
    """The decision points of a battle, in order."""
    return _Walk(compiled).points(stream)


class _Walk(DecisionWalk):
    def __init__(self, compiled: Compiled) -> None:
        super().__init__(compiled, GIVEN)
        self.plugins = tuple(plugin.function for plugin in compiled.plugins) or None
        self.names = [f"{index // codes.SIDE_SLOTS + 1} {title}" for index, title in enumerate(compiled.books["title"])]
        self.abilities = compiled.books["ability"]

    def moments(self) -> Iterator[DecisionPoint]:
        battle = self.battle
        set_up(battle, None)
        while battle.reason == codes.UNDECIDED:
            yield self.round_start(int(battle.tick) + 1)
            start_round(battle, None)
            yield from self.turns()

    def turns(self) -> Iterator[DecisionPoint]:
        """The turns of a round, and its end."""
        battle = self.battle
        for place in range(battle.order_count):
            unit = unit_at(battle, battle.order_keys[place])
            if unit.hp == 0:
                continue
            yield from self.decision(int(battle.tick), int(unit.index), place)
            take_turn(battle, unit, None, self.plugins)
            decide_if_wiped_out(battle)
            if battle.reason != codes.UNDECIDED:
                return
        end_round(battle, None)

    def choices(self, battle: Any, actor: int) -> tuple[list[Pair], Pair]:
        unit = unit_at(battle, actor)
        if not begin_turn(battle, unit, None):
            return [], self.nothing
        return legal_options(battle, unit), chosen_option(battle, unit)

    def title(self, battle: Any, actor: int) -> tuple[int, str]:
        return int(unit_at(battle, actor).side) + 1, self.names[actor]

    def label(self, battle: Any, actor: int, option: Pair) -> str:
        choice, target = option
        name = str(self.abilities[order_of(unit_at(battle, actor), choice).ability])
        if target == NOBODY:
            return name
        return f"{name} on {'itself' if target == actor else self.names[target]}"


def order_of(unit: Any, choice: int) -> Any:
    """The order for a choice: basic attack, class ability or ultimate."""
    return (unit.basic, unit.class_ability, unit.ultimate)[choice]


def legal_options(battle: Any, unit: Any) -> list[Pair]:
    """Every choice and target that a unit's strategy could pick in this turn."""
    options: list[Pair] = []
    for choice in (codes.BASIC, codes.CLASS_ABILITY, codes.ULTIMATE):
        if is_ready(battle, unit, choice):
            ability = ability_of(battle, order_of(unit, choice))
            options += [(choice, target) for target in legal_targets(battle, unit, ability)]
    return options


def is_ready(battle: Any, unit: Any, choice: int) -> bool:
    """Whether an ability could be used now."""
    if choice == codes.ULTIMATE:
        if battle.options.ultimate_rule == codes.BY_CHARGE:
            return bool(unit.charge >= codes.MAX_CHARGE)
        return bool(unit.ultimate_cooldown == 0)
    return choice == codes.BASIC or bool(unit.cooldown == 0)


def legal_targets(battle: Any, unit: Any, ability: Any) -> Sequence[int]:
    """The targets that selectors can pick: each enemy candidate; the most hurt ally, a tank, the strongest, the unit.

    The side's ally priority list is fixed, so it adds no other target.
    """
    if not reaches_one(ability):
        return (NOBODY,)
    if ability.reach == codes.ONE_ENEMY:
        enemies = other_side(battle, unit)
        return [int(nth_candidate(battle, enemies, n)) for n in range(count_candidates(battle, enemies))]
    if ability.reach == codes.ONE_ALLY:
        aims = (codes.BY_DEFAULT, codes.BY_TANK_ALLY, codes.BY_STRONGEST_ALLY)
        return sorted({int(unit.index), *(int(select_ally(battle, unit, aim, ability)) for aim in aims)})
    return (int(unit.index),)


def chosen_option(battle: Any, unit: Any) -> Pair:
    """The choice and target that a unit's strategy or trained policy picks, with the dice of this battle."""
    if has_network(battle.networks[unit.side]):
        action = int(trained_action(battle, unit))
        return action // codes.TARGETS, int(target_of(unit.side, action))
    choice = int(choose_action(battle, unit))
    order = order_of(unit, choice)
    ability = ability_of(battle, order)
    open_address(battle.dice, battle.tick, unit.index)
    target = int(select_target(battle, unit, order, ability)) if reaches_one(ability) else NOBODY
    return choice, target
