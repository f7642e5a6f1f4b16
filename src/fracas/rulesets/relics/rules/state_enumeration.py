"""State enumeration for exact odds: cut a battle into steps after which equal states are merged.

A turn has four steps: everything before its turn_start effects, those effects, its strikes, its end. The rules are in
turns.py. Between two steps the agenda is empty. `dice.place` holds the next step.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import build_of, fighter_of
from fracas.rulesets.relics.rules.effects.agenda import caused_by_rule
from fracas.rulesets.relics.rules.setup import set_up
from fracas.rulesets.relics.rules.strikes import make_strikes
from fracas.rulesets.relics.rules.turns import begin_turn, end_turn, start_turn

# The parts of the record that one step changes and another reads. The rest is constant, or written before it is read.
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
    "run_count",
    "lane",
    "cause",
    "fighters",
    "counters",
    "dice.place",
)
BEGINNING, START, STRIKES, END = range(4)
STEPS = 4


@kernel
def step(battle, page) -> None:
    """Play the set-up or a part of a turn (README, Order of play, A turn)."""
    if page.begins:
        set_up(battle, None)
        battle.dice.place = BEGINNING
    else:
        play_part(battle, battle.dice.place)
        battle.dice.place = (battle.dice.place + 1) % STEPS
    caused_by_rule(battle, NOBODY, NOBODY)
    if battle.dice.place == BEGINNING:
        battle.run_count = 0
        battle.lane = codes.LEFT
        if battle.reason == codes.UNDECIDED and battle.turn >= battle.options.turn_cap:
            battle.reason = codes.TURN_CAP
        forget(battle, codes.LEFT)
        forget(battle, codes.RIGHT)
    page.over = battle.reason != codes.UNDECIDED
    page.rounds = battle.turn
    page.moment = battle.turn * STEPS + (battle.dice.place + STEPS - 1) % STEPS + 1


@kernel
def play_part(battle, part: int) -> None:
    """Play a part of a turn (README, A turn)."""
    if part == BEGINNING:
        begin_turn(battle, None)
    elif part == START:
        start_turn(battle, None)
    elif part == STRIKES:
        make_strikes(battle, None)
    else:
        end_turn(battle, None)


@kernel
def forget(battle, side: int) -> None:
    """Clear what no rule will read again, so that equivalent states are equal (README, State).

    Sums for the result, how often an effect ran in a turn that is over, and how often it ran in the battle if that is
    not limited.
    """
    fighter = fighter_of(battle, side)
    fighter.dealt = 0
    fighter.absorbed = 0
    fighter.healed = 0
    span = build_of(battle, side).effects
    for index in range(span.first, span.first + span.entries):
        run, effect = battle.runs[index & codes.EFFECT_MASK], battle.effects[index & codes.EFFECT_MASK]
        run.this_turn = 0
        run.tick = 0
        run.reported = 0
        if effect.per_battle == 0:
            run.this_battle = 0
