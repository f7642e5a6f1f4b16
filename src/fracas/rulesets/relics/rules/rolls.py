"""All dice of relics. An address is opened at its first draw, so a battle without random effects draws no word."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import below, d100_within, open_address, open_in_turn, ready_d100
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules.constants import FOR_CHANCE, LARGEST_CHANCE, ROLL_EVENT, SIDES


@kernel
def turn_to(battle: Any, lane: int) -> None:
    """Start a step of the order of play: its rolls come from (turn, lane), and its count of runs restarts.

    Rule:    relics/README.md, Dice; Consequences, Runs.
    Changes: battle.lane, battle.is_open, battle.run_count.
    Draws:   none.
    Emits:   nothing.
    """
    battle.lane = lane
    battle.is_open = 0
    battle.run_count = 0


@kernel
def open_step(battle: Any) -> None:
    """Open the address of the current step, unless it is open.

    Rule:    relics/README.md, Dice.
    Changes: battle.dice, battle.is_open.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.is_open == 0:
        open_lane(battle)


@kernel_noinline
def open_lane(battle: Any) -> None:
    """Open the address of the current step.

    Rule:    relics/README.md, Dice.
    Changes: battle.dice, battle.is_open.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.lane < SIDES:
        open_in_turn(battle.dice, battle.turn, battle.lane, SIDES)
    else:
        open_address(battle.dice, battle.turn, battle.lane)
    battle.is_open = 1


@kernel
def succeeds(battle: Any, chance: int, log: Any) -> bool:
    """Whether a chance succeeds; only chances of 1 to 99 draw dice.

    Rule:    relics/README.md, Dice.
    Changes: battle.dice.
    Draws:   d100 if the chance is 1 to 99.
    Emits:   ROLL for a draw.
    """
    if chance < 0 or chance >= LARGEST_CHANCE:
        return True
    if chance == 0:
        return False
    return rolled_chance(battle, chance, log)


@kernel
def rolled_chance(battle: Any, chance: int, log: Any) -> bool:
    """Roll for a chance.

    Rule:    relics/README.md, Dice.
    Changes: battle.dice.
    Draws:   d100.
    Emits:   ROLL.
    """
    open_step(battle)
    roll = ready_d100(battle.dice)
    if roll == 0:
        roll = any_d100(battle, chance)
    if log is not None:
        cause = battle.cause
        emit(log, battle.turn, ROLL_EVENT, cause.actor, NOBODY, FOR_CHANCE, roll, chance, cause.source)
    return roll <= chance


@kernel_noinline
def any_d100(battle: Any, chance: int) -> int:
    """Draw a number from 1 to 100 for a chance, when the prepared word is missing or must be rejected.

    Rule:    relics/README.md, Dice.
    Changes: battle.dice.
    Draws:   d100_within.
    Emits:   nothing.
    """
    return d100_within(battle.dice, chance)


@kernel_noinline
def picked(battle: Any, purpose: int, candidates: int, log: Any) -> int:
    """Draw one of several candidates; a single candidate needs no draw.

    Rule:    relics/README.md, Dice.
    Changes: battle.dice.
    Draws:   below(candidates) if there are several.
    Emits:   ROLL for a draw.
    """
    if candidates == 1:
        return 0
    open_step(battle)
    roll = below(battle.dice, candidates)
    if log is not None:
        cause = battle.cause
        emit(log, battle.turn, ROLL_EVENT, cause.actor, NOBODY, purpose, roll, candidates, cause.source)
    return roll
