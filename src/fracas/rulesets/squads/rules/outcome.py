"""Ends rounds and battles: damage over time, expiries, wipe-outs and the round cap."""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel
from fracas.rulesets.squads.rules.constants import (
    BOTH_WIPED_OUT,
    CAP_EQUAL,
    CAP_HP,
    CAP_TIE_SIDE1,
    DRAW,
    NEVER,
    OUTCOME_EVENT,
    SLOTS,
    UNDECIDED,
    WIPED_OUT,
)
from fracas.rulesets.squads.rules.effects import expire_effects, suffer
from fracas.rulesets.squads.rules.units import unit_at


@kernel
def end_round(battle: Any, log: Any) -> None:
    """End a round: damage over time for all units, then expiries, then test whether the battle is over.

    Rule:    squads/README.md, Round end. Rounds without damage over time or expiries skip the search for them.
    Changes: the battle.
    Draws:   none.
    Emits:   SUFFER and FALL in index order, then EXPIRE in index order.
    """
    if battle.wounded_until >= battle.tick:
        for index in range(SLOTS):
            unit = unit_at(battle, index)
            if unit.hp > 0 and unit.wound_strikes > 0:
                suffer(battle, unit, log)
    if battle.next_expiry <= battle.tick:
        battle.next_expiry = NEVER
        for index in range(SLOTS):
            unit = unit_at(battle, index)
            if unit.hp > 0:
                expire_effects(battle, unit, log)
    decide_if_wiped_out(battle)
    if battle.reason == UNDECIDED and battle.tick >= battle.options.round_cap:
        decide_at_cap(battle)


@kernel
def decide_if_wiped_out(battle: Any) -> None:
    """Decide the battle if a side has no living unit: it loses; both at once is a draw.

    Rule:    squads/README.md, End.
    Changes: battle.winner, battle.reason.
    Draws:   none.
    Emits:   nothing.
    """
    first, second = battle.sides[0].living, battle.sides[1].living
    if first == 0 and second == 0:
        battle.winner = DRAW
        battle.reason = BOTH_WIPED_OUT
    elif first == 0 or second == 0:
        battle.winner = 1 if second == 0 else 2
        battle.reason = WIPED_OUT


@kernel
def decide_at_cap(battle: Any) -> None:
    """Decide the battle at the round cap: the larger sum of HP wins; the option cap_tie settles equal sums.

    Rule:    squads/README.md, End.
    Changes: battle.winner, battle.reason.
    Draws:   none.
    Emits:   nothing.
    """
    first, second = hp_left(battle, 0), hp_left(battle, 1)
    if first != second:
        battle.winner = 1 if first > second else 2
        battle.reason = CAP_HP
    else:
        battle.winner = 1 if battle.options.cap_tie == CAP_TIE_SIDE1 else DRAW
        battle.reason = CAP_EQUAL


@kernel
def hp_left(battle: Any, place: int) -> int:
    """The HP that a side's living units have left.

    Rule:    squads/README.md, End.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    side = battle.sides[place]
    total = 0
    for index in range(side.first, side.first + side.unit_count):
        total += unit_at(battle, index).hp
    return total


@kernel
def announce_outcome(battle: Any, log: Any) -> None:
    """Log how the battle ended.

    Rule:    squads/README.md, End.
    Changes: nothing.
    Draws:   none.
    Emits:   OUTCOME.
    """
    if log is not None:
        left = hp_left(battle, 0), hp_left(battle, 1)
        emit(log, battle.tick, OUTCOME_EVENT, NOBODY, NOBODY, battle.winner, battle.reason, left[0], left[1])
