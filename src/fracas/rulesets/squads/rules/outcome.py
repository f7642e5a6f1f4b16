"""Ends rounds and battles: damage over time, expiries, wipe-outs and the round cap. squads/README.md, End."""

from __future__ import annotations

from fracas.kernel.jit import kernel
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.effects import expire_effects, tick_dot
from fracas.rulesets.squads.rules.events import emit_outcome
from fracas.rulesets.squads.rules.units import unit_at


@kernel
def end_round(battle, log) -> None:
    """End a round: damage over time for all units, then expiries, then test whether the battle is over.

    README, Round end.
    """
    for index in range(codes.SLOTS):
        unit = unit_at(battle, index)
        if unit.hp > 0 and unit.wound_strikes > 0:
            tick_dot(battle, unit, log)
    for index in range(codes.SLOTS):
        unit = unit_at(battle, index)
        if unit.hp > 0:
            expire_effects(battle, unit, log)
    decide_if_wiped_out(battle)
    if battle.reason == codes.UNDECIDED and battle.tick >= battle.options.round_cap:
        decide_at_cap(battle)


@kernel
def decide_if_wiped_out(battle) -> None:
    """Decide the battle if a side has no living unit: it loses; both at once is a draw."""
    first, second = battle.sides[0].living, battle.sides[1].living
    if first == 0 and second == 0:
        battle.winner = codes.DRAW
        battle.reason = codes.BOTH_WIPED_OUT
    elif first == 0 or second == 0:
        battle.winner = 1 if second == 0 else 2
        battle.reason = codes.WIPED_OUT


@kernel
def decide_at_cap(battle) -> None:
    """Decide the battle at the round cap: the larger sum of HP wins; the option cap_tie settles equal sums."""
    first, second = hp_left(battle, 0), hp_left(battle, 1)
    if first != second:
        battle.winner = 1 if first > second else 2
        battle.reason = codes.CAP_HP
    else:
        battle.winner = 1 if battle.options.cap_tie == codes.CAP_TIE_SIDE1 else codes.DRAW
        battle.reason = codes.CAP_EQUAL


@kernel
def hp_left(battle, side_index: int) -> int:
    """The HP that a side's living units have left."""
    side = battle.sides[side_index]
    total = 0
    for index in range(side.first, side.first + side.unit_count):
        total += unit_at(battle, index).hp
    return total


@kernel
def announce_outcome(battle, log) -> None:
    """Log how the battle ended."""
    if log is not None:
        left = hp_left(battle, 0), hp_left(battle, 1)
        emit_outcome(log, battle.tick, battle.winner, battle.reason, left[0], left[1])
