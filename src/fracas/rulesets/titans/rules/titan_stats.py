"""Access titans and their current stats; bit patterns of doubles for event rows."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel
from fracas.rulesets.titans.rules import constants as codes


@kernel
def titan_at(battle, index: int):
    """The titan of player `index` (README, State)."""
    return battle.titans[index & 1]


@kernel
def opponent_of(battle, one) -> Any:
    """The other titan (README, State)."""
    return battle.titans[1 - one.index & 1]


@kernel
def ability_at(battle, code: int):
    """The ability with that code (README, State)."""
    return battle.abilities[code & codes.ABILITY_MASK]


@kernel
def changed(stat: int, total: int) -> float:
    """A stat after changes that sum to a percentage; integers first, one division (README, Stat changes)."""
    return stat * (100 + max(total, codes.LEAST_SUM)) / 100


@kernel
def update_stat(one, stat: int) -> None:
    """Recompute a stat after the sum of its changes has changed (README, Stat changes)."""
    index = stat & codes.STAT_MASK
    one.now[index] = changed(one.stats[index], one.sums[index])


@kernel
def has_change(one, change: int) -> bool:
    """Whether a stat change is active on a titan (README, Stat changes)."""
    return one.until[change & codes.CHANGE_MASK] > 0


@kernel
def cost_of(one, choice: int) -> int:
    """The cost of a titan's choice: an ability's cost, else 0 (README, Choices)."""
    if choice < codes.FIRST_ABILITY:
        return 0
    return one.costs[min(choice - codes.FIRST_ABILITY, codes.OWN_ABILITIES - 1)]


@kernel
def is_legal(one, choice: int) -> bool:
    """Whether a titan has a choice and can afford it now (README, Choices)."""
    if choice < codes.ATTACK or choice >= codes.FIRST_ABILITY + one.ability_count:
        return False
    return cost_of(one, choice) <= one.charge


@kernel
def is_sudden_death(battle) -> bool:
    """Whether the current round is in sudden death (README, Sudden death)."""
    return 0 < battle.options.sudden_death <= battle.tick


@kernel
def effective_defense(battle, defense: float) -> float:
    """The effective Defense: 0 in sudden death (README, Sudden death)."""
    return 0.0 if is_sudden_death(battle) else defense
