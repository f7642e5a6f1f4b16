"""A battle cut into steps after which equal states can be taken together, for exact odds: a turn each.

The rules are those of mechanics.py. Between two turns nothing is on the agenda.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel
from fracas.rulesets.relics.constants import EFFECT_MASK, SIDES, UNDECIDED
from fracas.rulesets.relics.mechanics import play_turn
from fracas.rulesets.relics.set_up import set_up
from fracas.rulesets.relics.situation import build_of, fighter_of

# The parts of the record that a step reads and another has changed. The rest is given, or written before it is read.
STATE = (
    "turn",
    "active",
    "first",
    "winner",
    "reason",
    "strike",
    "attempts",
    "base_strikes",
    "may_strike",
    "striking",
    "deferring",
    "judging",
    "frame_count",
    "fighters",
    "counters",
)


@kernel
def step(battle: Any, page: Any) -> None:
    """The set-up, or a turn.

    Rule:    README, Order of play.
    Changes: the battle; what the page says of it.
    Draws:   as set_up, play_turn.
    Emits:   nothing.
    """
    if page.begins:
        set_up(battle, None)
    else:
        play_turn(battle, None)
    for side in range(SIDES):
        forget(battle, side)
    page.over = battle.reason != UNDECIDED
    page.rounds = battle.turn
    page.moment = battle.turn + 1


@kernel
def forget(battle: Any, side: int) -> None:
    """Forget what no rule looks at any more, so that states that go on alike are equal.

    Rule:    README, State. Sums for the result, how often an effect ran in a turn that is over, and how often it ran
             in the battle if that is not limited.
    Changes: the fighter, its effects' runs.
    Draws:   none.
    Emits:   nothing.
    """
    fighter = fighter_of(battle, side)
    fighter.dealt = 0
    fighter.absorbed = 0
    fighter.healed = 0
    span = build_of(battle, side).effects
    for place in range(span.first, span.first + span.entries):
        run, effect = battle.runs[place & EFFECT_MASK], battle.effects[place & EFFECT_MASK]
        run.this_turn = 0
        run.tick = 0
        run.reported = 0
        if effect.per_battle == 0:
            run.this_battle = 0
