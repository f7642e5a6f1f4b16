"""The grid of states for solving a duel. titans/README.md, "Solving", states."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fracas.rulesets.contract.types import Rows
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.outcome_probabilities import loss_width
from fracas.rulesets.titans.rules.titan_stats import changed
from fracas.rulesets.titans.solver.state import space_t

# The most nodes of charge, on large grids and on others.
MOST_CHARGES, FEWER_CHARGES = 21, 11
LARGE_GRID = 100_000
# The most combinations of stat changes to distinguish.
MOST_BEARINGS = 64
FEWEST_NODES = 2


@dataclass(frozen=True)
class Grid:
    """The nodes of a duel's states: both titans' HP, charge and stat changes."""

    battle: Any
    hp: tuple[Rows, Rows]
    charge: tuple[Rows, Rows]
    longest: Rows
    """For each titan and change, the remaining rounds that are distinguished."""
    is_exact: bool = False
    """Whether every reachable state is a node and every HP loss a separate outcome."""

    @cached_property
    def strides(self) -> Rows:
        """The factors of the remaining rounds in the number that encodes stat changes."""
        sizes = (self.longest + 1).ravel()
        strides: Rows = (np.cumprod(sizes) // sizes).reshape(self.longest.shape)
        return strides

    @property
    def bearings(self) -> int:
        """The number of combinations of stat changes."""
        return int(np.prod(self.longest + 1))

    @cached_property
    def states(self) -> Rows:
        """All nodes: number of the stat changes, HP of both, charge of both."""
        axes = (np.arange(self.bearings), *self.hp, *self.charge)
        return np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1).astype(np.int64)

    def is_like(self, other: Grid) -> bool:
        """Whether another grid of the same duel has the same nodes."""
        axes, others = (*self.hp, *self.charge, self.longest), (*other.hp, *other.charge, other.longest)
        return all(np.array_equal(one, two) for one, two in zip(axes, others, strict=True))

    def space(self, is_fixed: tuple[bool, bool]) -> Rows:
        """The record for kernels."""
        spaces = np.zeros(1, space_t)
        space = spaces[0]
        for player in range(codes.PLAYERS):
            space.hp_nodes[player] = len(self.hp[player])
            space.is_fixed[player] = int(is_fixed[player])
            _between(self.hp[player], space.hp_low[player], space.hp_share[player])
            space.charge_nodes[player] = len(self.charge[player])
            _between(self.charge[player], space.charge_low[player], space.charge_share[player])
        count = self.longest.shape[1]
        space.longest[:, :count] = self.longest
        space.stride[:, :count] = self.strides
        return spaces


def _between(nodes: Rows, low: Rows, share: Rows) -> None:
    """For each number up to the last node the node at or below it, and the share of the one above."""
    numbers = np.arange(int(nodes[0]), int(nodes[-1]) + 1)
    places = np.searchsorted(nodes, numbers, side="right") - 1
    above = np.minimum(places + 1, len(nodes) - 1)
    width = np.maximum(nodes[above] - nodes[places], 1)
    low[numbers] = places
    share[numbers] = (numbers - nodes[places]) / width


def grid_for(battle, most_states: int) -> Grid:
    """A grid of about `most_states` states, as even as possible; all states if there are no more."""
    longest = told_apart(battle)
    is_large = most_states >= LARGE_GRID and not longest.any()
    most = MOST_CHARGES if is_large else FEWER_CHARGES
    charge = (charge_nodes(battle, 0, most), charge_nodes(battle, 1, most))
    others = len(charge[0]) * len(charge[1]) * int(np.prod(longest + 1))
    full = [int(battle.titans[player].max_hp) for player in range(codes.PLAYERS)]
    steps = max(FEWEST_NODES, math.isqrt(max(1, most_states // others)))
    if full[0] * full[1] * others <= most_states:
        steps = max(full)
    is_exact = (
        steps >= max(full)
        and all(len(charge[player]) == lattice_size(battle, player) for player in range(codes.PLAYERS))
        and np.array_equal(longest, lasting(battle))
        and not any(takes_together(battle, player) for player in range(codes.PLAYERS))
    )
    return Grid(battle, (_spread(1, full[0], steps), _spread(1, full[1], steps)), charge, longest, is_exact)


def takes_together(battle, player: int) -> bool:
    """Whether a player's attack has so many possible HP losses that several count as one outcome."""
    one, other = battle.titans[player], battle.titans[1 - player]
    raised = lowered = 0
    for change in battle.changes[: battle.change_count]:
        raised += max(0, int(change.percent)) if change.stat == codes.ATTACK_STAT else 0
        lowered += min(0, int(change.percent)) if change.stat == codes.DEFENSE_STAT else 0
    is_sudden = bool(battle.options.sudden_death)
    defense = 0.0 if is_sudden else changed(other.stats[codes.DEFENSE_STAT], lowered)
    most = max(0.0, 2.0 * changed(one.stats[codes.ATTACK_STAT], raised) - defense)
    most *= 1.5 if battle.options.criticals else 1.0
    return loss_width(min(int(other.max_hp) - 1, int(most + 0.5))) > 1


def _spread(first: int, last: int, steps: int) -> Rows:
    """At most `steps` evenly spread whole numbers from the first to the last."""
    return np.unique(np.round(np.linspace(first, last, min(steps, last - first + 1))).astype(np.int64))


def charge_nodes(battle, player: int, most: int) -> Rows:
    """All reachable charges of a player if they are few, else at most `most` evenly spread ones."""
    return _spread(0, codes.MAX_CHARGE, min(lattice_size(battle, player), most))


def lattice_size(battle, player: int) -> int:
    """The number of reachable charges of a player, all multiples of one step."""
    return codes.MAX_CHARGE // math.gcd(codes.MAX_CHARGE, *_charge_steps(battle, player)) + 1


def _charge_steps(battle, player: int) -> list[int]:
    """The amounts by which a player's charge can change."""
    options = battle.options
    if options.stamina_charges:
        return [1]
    steps = [int(options.defend_charge), int(options.rest_charge), int(options.attack_charge)]
    for ability, owner in _abilities(battle):
        if owner == player:
            steps.append(int(ability.cost))
        for effect in ability.effects[: ability.effect_count]:
            is_charge = effect.kind in (codes.CHARGE_EFFECT, codes.SET_CHARGE_EFFECT)
            if is_charge and (owner == player) == bool(effect.on_self):
                steps.append(abs(int(effect.amount)))
    return steps


def _abilities(battle) -> list[tuple[Any, int]]:
    """Each ability of each titan, with its owner."""
    return [
        (battle.abilities[titan.abilities[index]], int(titan.index))
        for titan in battle.titans
        for index in range(titan.ability_count)
    ]


def lasting(battle) -> Rows:
    """For each titan and change, how many rounds it can last after the current one."""
    longest = np.zeros((codes.PLAYERS, int(battle.change_count)), np.int64)
    for ability, owner in _abilities(battle):
        for effect in ability.effects[: ability.effect_count]:
            if effect.kind == codes.CHANGE_EFFECT:
                bearer = owner if effect.on_self else 1 - owner
                lasts = min(int(effect.rounds), int(battle.options.round_cap))
                longest[bearer, effect.change] = max(longest[bearer, effect.change], lasts)
    return longest


def told_apart(battle) -> Rows:
    """The rounds to distinguish for each titan and change, cut if there would be too many combinations."""
    longest = lasting(battle)
    while longest.size and float(np.prod(longest + 1.0)) > MOST_BEARINGS:
        longest[np.unravel_index(int(np.argmax(longest)), longest.shape)] -= 1
    return longest
