"""Decides when an attack is over, and who wins. stacks/README.md, End of a turn."""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.events import emit_outcome
from fracas.rulesets.stacks.rules.participants import participant_at


@kernel_noinline
def take_stock(battle, side) -> None:
    """Count a side's living participants and their health."""
    living = 0
    total = 0
    for index in range(side.member_count):
        health = participant_at(battle, side.members[index]).health
        total += health
        if health > 0:
            living += 1
    side.living = living
    side.total_health = total


@kernel
def decide(battle) -> None:
    """Decide whether the battle is over, by the first rule that holds.

    The table.
    """
    attackers, defenders = battle.sides[codes.ATTACKERS].living, battle.sides[codes.DEFENDERS].living
    options = battle.options
    is_stuck = options.stale_turns > 0 and battle.stale >= options.stale_turns
    if attackers == 0 and defenders == 0:
        battle.reason = codes.BOTH_FELL
    elif defenders == 0:
        battle.winner = 1 + codes.ATTACKERS
        battle.reason = codes.DEFENDERS_FELL
    elif attackers == 0:
        battle.winner = 1 + codes.DEFENDERS
        battle.reason = codes.ATTACKERS_FELL
    elif battle.idle >= options.idle_turns or is_stuck:
        battle.reason = codes.REPELLED
    elif battle.turn >= options.turn_cap - 1:
        battle.reason = codes.TURN_CAP


@kernel
def announce_outcome(battle, log) -> None:
    """Log how the battle ended."""
    if log is not None:
        totals = battle.sides[codes.ATTACKERS].total_health, battle.sides[codes.DEFENDERS].total_health
        emit_outcome(log, battle.tick, battle.winner, battle.reason, totals[0], totals[1])
