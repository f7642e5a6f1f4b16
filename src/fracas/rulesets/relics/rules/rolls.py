"""All dice of relics. An address is opened at its first draw, so a battle without random effects draws no word.

The rules: relics/README.md, Dice.
"""

from __future__ import annotations

from fracas.kernel.dice import below, d100_within, open_address, open_in_turn, ready_d100
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.events import emit_roll


@kernel
def turn_to(battle, lane: int) -> None:
    """Start a step of the order of play: its rolls come from (turn, lane), and its count of runs restarts.

    README, Consequences, Runs.
    """
    battle.lane = lane
    battle.is_open = 0
    battle.run_count = 0


@kernel
def open_step(battle) -> None:
    """Open the address of the current step, unless it is open."""
    if battle.is_open == 0:
        open_lane(battle)


@kernel_noinline
def open_lane(battle) -> None:
    """Open the address of the current step."""
    if battle.lane < codes.SIDES:
        open_in_turn(battle.dice, battle.turn, battle.lane, codes.SIDES)
    else:
        open_address(battle.dice, battle.turn, battle.lane)
    battle.is_open = 1


@kernel
def succeeds(battle, chance: int, log) -> bool:
    """Whether a chance succeeds; only chances of 1 to 99 draw dice."""
    if chance < 0 or chance >= codes.LARGEST_CHANCE:
        return True
    if chance == 0:
        return False
    return rolled_chance(battle, chance, log)


@kernel
def rolled_chance(battle, chance: int, log) -> bool:
    """Roll for a chance."""
    open_step(battle)
    roll = ready_d100(battle.dice)
    if roll == 0:
        roll = any_d100(battle, chance)
    if log is not None:
        cause = battle.cause
        emit_roll(log, battle.turn, cause.actor, codes.FOR_CHANCE, roll, chance, cause.source)
    return roll <= chance


@kernel_noinline
def any_d100(battle, chance: int) -> int:
    """Draw a number from 1 to 100 for a chance, when the prepared word is missing or must be rejected."""
    return d100_within(battle.dice, chance)


@kernel_noinline
def picked(battle, purpose: int, candidates: int, log) -> int:
    """Draw one of several candidates; a single candidate needs no draw."""
    if candidates == 1:
        return 0
    open_step(battle)
    roll = below(battle.dice, candidates)
    if log is not None:
        cause = battle.cause
        emit_roll(log, battle.turn, cause.actor, purpose, roll, candidates, cause.source)
    return roll
