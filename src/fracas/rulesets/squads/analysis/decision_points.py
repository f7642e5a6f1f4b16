"""Stops a squads battle at each round's start and at each decision, for `fracas why`.

A place, as `resume` takes it: (a place of kernel/snapshots.py; place in the round's order; the given choice; its
target, -1 if it has none).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fracas.kernel.dice import open_address
from fracas.kernel.event_log import NOBODY
from fracas.kernel.networks import has_network
from fracas.rulesets.contract.analysis import DecisionPoint
from fracas.rulesets.contract.types import Compiled
from fracas.rulesets.shared.decision_walk import DecisionWalk, Pair
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.mechanics import begin_turn, set_up, start_round, take_turn
from fracas.rulesets.squads.rules.observation import mark_legal, target_of
from fracas.rulesets.squads.rules.outcome import decide_if_wiped_out, end_round
from fracas.rulesets.squads.rules.policies import choose_action, trained_action
from fracas.rulesets.squads.rules.state import GIVEN
from fracas.rulesets.squads.rules.targeting import select_target
from fracas.rulesets.squads.rules.units import ability_of, order_of, reaches_one, unit_at


def decision_points(compiled: Compiled, stream: int) -> list[DecisionPoint]:
    """The decision points of a battle, in order."""
    return _Walk(compiled).points(stream)


class _Walk(DecisionWalk):
    def __init__(self, compiled: Compiled) -> None:
        super().__init__(compiled, GIVEN)
        self.plugins = compiled.functions
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
        for index in range(battle.order_count):
            unit = unit_at(battle, battle.order_keys[index])
            if unit.hp == 0:
                continue
            yield from self.decision(int(battle.tick), int(unit.index), index)
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


def legal_options(battle: Any, unit: Any) -> list[Pair]:
    """Every choice and target that a unit's strategy could pick in this turn."""
    mask = np.zeros(codes.ACTIONS, np.int8)
    mark_legal(battle, int(unit.index), mask)
    return [(action // codes.TARGETS, int(target_of(unit.side, action))) for action in np.flatnonzero(mask).tolist()]


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
