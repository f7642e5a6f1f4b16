"""Access titans and their current stats; bit patterns of doubles for event rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from fracas.kernel.jit import kernel
from fracas.rulesets.titans.rules.constants import (
    ABILITY_MASK,
    ATTACK,
    CHANGE_MASK,
    FIRST_ABILITY,
    LEAST_SUM,
    OWN_ABILITIES,
    STAT_MASK,
)


@kernel
def titan_at(battle: Any, index: int) -> Any:
    """The titan of player `index`.

    Rule:    titans/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.titans[index & 1]


@kernel
def opponent_of(battle: Any, one: Any) -> Any:
    """The other titan.

    Rule:    titans/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.titans[1 - one.index & 1]


@kernel
def ability_at(battle: Any, code: int) -> Any:
    """The ability with that code.

    Rule:    titans/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.abilities[code & ABILITY_MASK]


@kernel
def changed(stat: int, total: int) -> float:
    """A stat after changes that sum to a percentage; integers first, one division.

    Rule:    titans/README.md, Stat changes.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return stat * (100 + max(total, LEAST_SUM)) / 100


@kernel
def restate(one: Any, stat: int) -> None:
    """Recompute a stat after the sum of its changes has changed.

    Rule:    titans/README.md, Stat changes.
    Changes: one.now.
    Draws:   none.
    Emits:   nothing.
    """
    place = stat & STAT_MASK
    one.now[place] = changed(one.stats[place], one.sums[place])


@kernel
def has_change(one: Any, change: int) -> bool:
    """Whether a stat change is active on a titan.

    Rule:    titans/README.md, Stat changes.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return one.until[change & CHANGE_MASK] > 0


@kernel
def cost_of(one: Any, choice: int) -> int:
    """The cost of a titan's choice: an ability's cost, else 0.

    Rule:    titans/README.md, Choices.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if choice < FIRST_ABILITY:
        return 0
    return one.costs[min(choice - FIRST_ABILITY, OWN_ABILITIES - 1)]


@kernel
def is_legal(one: Any, choice: int) -> bool:
    """Whether a titan has a choice and can afford it now.

    Rule:    titans/README.md, Choices.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if choice < ATTACK or choice >= FIRST_ABILITY + one.ability_count:
        return False
    return cost_of(one, choice) <= one.charge


@kernel
def is_sudden_death(battle: Any) -> bool:
    """Whether the current round is in sudden death.

    Rule:    titans/README.md, Sudden death.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return 0 < battle.options.sudden_death <= battle.tick


@kernel
def effective_defense(battle: Any, defense: float) -> float:
    """The effective Defense: 0 in sudden death.

    Rule:    titans/README.md, Sudden death.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return 0.0 if is_sudden_death(battle) else defense


@kernel
def low_half(value: float) -> int:
    """The low 32 bits of a double, as a signed number.

    Rule:    titans/README.md, Event rows.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return (bits_of(value) & 0xFFFFFFFF ^ 0x80000000) - 0x80000000


@kernel
def high_half(value: float) -> int:
    """The high 32 bits of a double, as a signed number.

    Rule:    titans/README.md, Event rows.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return bits_of(value) >> 32


@kernel
def bits_of(value: float) -> int:
    """The 64 bits of a double as one number.

    Rule:    titans/README.md, Event rows.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return np.float64(value).view(np.int64)  # type: ignore[return-value]  # NumPy's integers are ints to kernels
