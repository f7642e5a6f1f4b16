"""Begins and ends stat changes in lanes: rules/effects.py for 64 duels at once."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change
from fracas.lanes.operations import any_lane, larger, load, splat
from fracas.lanes.reals import (
    as_reals,
    larger_real,
    load_reals,
    smaller_real,
    splat_reals,
    store_reals,
)
from fracas.rulesets.titans.lockstep.state import (
    CRITICAL_CHANCE,
    HIT_CHANCE,
    LARGEST_SHORT,
    LOWERED,
    NOW,
    RAISED,
    STAMINA_FACTOR,
    SUMS,
    TICK,
    UNTIL,
    ZERO_SUM,
)
from fracas.rulesets.titans.rules.constants import (
    ACCURACY_STAT,
    CRITICAL_STAT,
    EVASION_STAT,
    LEAST_SUM,
    PLAYERS,
    STAMINA_STAT,
)
from fracas.rulesets.titans.rules.titan_stats import titan_at


@kernel_noinline
def begin_change(state: Any, battle: Any, bearer: int, effect: Any, mask: Any) -> None:
    """Start a stat change; one that is already active only lasts longer.

    Rule:    titans/README.md, Stat changes.
    Changes: the bearer.
    Draws:   none.
    Emits:   nothing.
    """
    row = UNTIL + PLAYERS * effect.change + bearer
    begins = mask & (load(state, row) == splat(state, 0))
    change(state, row, mask, load(state, TICK) + splat(state, effect.rounds))
    if any_lane(begins):
        percent = battle.changes[effect.change].percent
        add_percent(state, battle, bearer, battle.changes[effect.change].stat, percent, percent, 1, begins)


@kernel_noinline
def end_change(state: Any, battle: Any, bearer: int, place: int, mask: Any) -> None:
    """End a stat change where a mask is true and it is active.

    Rule:    titans/README.md, Stat changes.
    Changes: the bearer.
    Draws:   none.
    Emits:   nothing.
    """
    row = UNTIL + PLAYERS * place + bearer
    ends = mask & (load(state, row) != splat(state, 0))
    if any_lane(ends):
        change(state, row, ends, splat(state, 0))
        percent = battle.changes[place].percent
        add_percent(state, battle, bearer, battle.changes[place].stat, percent, -percent, -1, ends)


@kernel
def add_percent(
    state: Any, battle: Any, bearer: int, stat: int, percent: int, added: int, count: int, mask: Any
) -> None:
    """Add to the sum of a stat's changes, count the change as raising or lowering, and recompute the stat.

    Rule:    titans/README.md, Stat changes.
    Changes: the bearer.
    Draws:   none.
    Emits:   nothing.
    """
    kind = RAISED + bearer if percent > 0 else LOWERED + bearer
    change(state, kind, mask, load(state, kind) + splat(state, count & LARGEST_SHORT))
    row = SUMS + PLAYERS * stat + bearer
    change(state, row, mask, load(state, row) + splat(state, added & LARGEST_SHORT))
    restate(state, battle, bearer, stat)


@kernel_noinline
def restate(state: Any, battle: Any, bearer: int, stat: int) -> None:
    """Recompute a stat, and what follows from it, after the sum of its changes has changed.

    Rule:    titans/README.md, Stat changes; Hits.
    Changes: rows of doubles.
    Draws:   none.
    Emits:   nothing.
    """
    now = changed(state, battle, bearer, stat, load(state, SUMS + PLAYERS * stat + bearer))
    store_reals(state, NOW + PLAYERS * stat + bearer, now)
    if stat == STAMINA_STAT:
        store_reals(state, STAMINA_FACTOR + bearer, splat_reals(1.0) + now / splat_reals(100.0))
    elif stat == CRITICAL_STAT:
        store_reals(state, CRITICAL_CHANCE + bearer, now / splat_reals(100.0))
    elif stat == ACCURACY_STAT:
        restate_hits(state, bearer)
    elif stat == EVASION_STAT:
        restate_hits(state, 1 - bearer)


@kernel
def changed(state: Any, battle: Any, bearer: int, stat: int, total: Any) -> Any:
    """A stat after changes that sum to a percentage, which is given as in SUMS.

    Rule:    titans/README.md, Stat changes.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    percent = larger(total, splat(state, ZERO_SUM + LEAST_SUM))
    own = splat_reals(float(titan_at(battle, bearer).stats[stat]))
    return own * (as_reals(percent) + splat_reals(100.0 - ZERO_SUM)) / splat_reals(100.0)


@kernel
def restate_hits(state: Any, index: int) -> None:
    """Recompute the chance that a titan hits.

    Rule:    titans/README.md, Hits.
    Changes: HIT_CHANCE.
    Draws:   none.
    Emits:   nothing.
    """
    accuracy = load_reals(state, NOW + PLAYERS * ACCURACY_STAT + index)
    evasion = load_reals(state, NOW + PLAYERS * EVASION_STAT + 1 - index)
    chance = splat_reals(0.8) + (accuracy - evasion) / splat_reals(100.0)
    chance = smaller_real(larger_real(chance, splat_reals(0.05)), splat_reals(0.95))
    store_reals(state, HIT_CHANCE + index, chance)


@kernel_noinline
def cleanse(state: Any, battle: Any, plan: Any, index: int, mask: Any) -> None:
    """End every change that lowers one of a titan's stats.

    Rule:    titans/README.md, Effects, cleanse.
    Changes: the titan.
    Draws:   none.
    Emits:   nothing.
    """
    if plan.bears_any[index]:
        for place in range(battle.change_count):
            if plan.can_bear[index, place] and battle.changes[place].percent < 0:
                end_change(state, battle, index, place, mask)


@kernel_noinline
def expire(state: Any, battle: Any, plan: Any, index: int, running: Any) -> None:
    """End the changes whose last round this is.

    Rule:    titans/README.md, End of a round.
    Changes: the titan.
    Draws:   none.
    Emits:   nothing.
    """
    tick = load(state, TICK)
    for place in range(battle.change_count):
        if plan.can_bear[index, place]:
            end_change(state, battle, index, place, running & (load(state, UNTIL + PLAYERS * place + index) <= tick))
