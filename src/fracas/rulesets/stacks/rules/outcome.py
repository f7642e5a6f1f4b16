"""Decides when an attack is over, and who wins."""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.stacks.rules.constants import (
    ATTACKERS,
    ATTACKERS_FELL,
    BOTH_FELL,
    DEFENDERS,
    DEFENDERS_FELL,
    OUTCOME_EVENT,
    REPELLED,
    TURN_CAP,
)
from fracas.rulesets.stacks.rules.participants import participant_at


@kernel_noinline
def take_stock(battle: Any, side: Any) -> None:
    """Count a side's living participants and their health.

    Rule:    stacks/README.md, End of a turn.
    Changes: side.living, side.total_health.
    Draws:   none.
    Emits:   nothing.
    """
    living = 0
    total = 0
    for place in range(side.member_count):
        health = participant_at(battle, side.members[place]).health
        total += health
        if health > 0:
            living += 1
    side.living = living
    side.total_health = total


@kernel
def decide(battle: Any) -> None:
    """Decide whether the battle is over, by the first rule that holds.

    Rule:    stacks/README.md, End of a turn (the table).
    Changes: battle.winner, battle.reason.
    Draws:   none.
    Emits:   nothing.
    """
    attackers, defenders = battle.sides[ATTACKERS].living, battle.sides[DEFENDERS].living
    options = battle.options
    is_stuck = options.stale_turns > 0 and battle.stale >= options.stale_turns
    if attackers == 0 and defenders == 0:
        battle.reason = BOTH_FELL
    elif defenders == 0:
        battle.winner = 1 + ATTACKERS
        battle.reason = DEFENDERS_FELL
    elif attackers == 0:
        battle.winner = 1 + DEFENDERS
        battle.reason = ATTACKERS_FELL
    elif battle.idle >= options.idle_turns or is_stuck:
        battle.reason = REPELLED
    elif battle.turn >= options.turn_cap - 1:
        battle.reason = TURN_CAP


@kernel
def announce_outcome(battle: Any, log: Any) -> None:
    """Log how the battle ended.

    Rule:    stacks/README.md, End of a turn.
    Changes: nothing.
    Draws:   none.
    Emits:   OUTCOME.
    """
    if log is not None:
        totals = battle.sides[ATTACKERS].total_health, battle.sides[DEFENDERS].total_health
        emit(log, battle.tick, OUTCOME_EVENT, NOBODY, NOBODY, battle.winner, battle.reason, totals[0], totals[1])
