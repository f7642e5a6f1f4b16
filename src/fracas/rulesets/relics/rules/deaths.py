"""The death check: find fallen fighters, start their next phase, or end the battle. relics/README.md, Death check."""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules.condition_facts import build_of, fighter_of
from fracas.rulesets.relics.rules.constants import (
    ARMOR,
    ATTACK,
    BATTLE_START,
    BOTH_FELL,
    CHECKED_AT_ONCE,
    DRAW,
    FALL_EVENT,
    HP,
    LEFT,
    LEFT_FELL,
    MAX_PHASES,
    ON_KILL,
    PHASE_EVENT,
    RIGHT,
    RIGHT_FELL,
    VALUE_SLOTS,
)
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF, push_death_check, put, top_frame

_PHASE_MASK = MAX_PHASES - 1


@kernel
def is_down(battle: Any, side: int) -> bool:
    """Whether a fighter's HP is 0 or below.

    Rule:    relics/README.md, Death check.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return fighter_of(battle, side).values[HP] <= 0


@kernel
def check_at_once(battle: Any, log: Any) -> None:
    """Run the death check right after changes, before their consequences, if the option says so.

    Rule:    relics/README.md, Death check, death_check = "at_once".
    Changes: as check_deaths.
    Draws:   none.
    Emits:   as check_deaths.
    """
    if battle.options.death_check == CHECKED_AT_ONCE:
        check_deaths(battle, log)


@kernel
def check_deaths(battle: Any, log: Any) -> None:
    """The death check: mark fighters at 0 HP or below as fallen; they are judged after on_kill effects.

    Rule:    relics/README.md, Death check (while one is being made no other begins).
    Changes: battle.judging, battle.cause, the agenda.
    Draws:   none.
    Emits:   FALL.
    """
    if battle.judging == 0 and (is_down(battle, LEFT) or is_down(battle, RIGHT)):
        find_fallen(battle, log)


@kernel_noinline
def find_fallen(battle: Any, log: Any) -> None:
    """Report the fallen, and put on_kill effects and then the judgement on the agenda.

    Rule:    relics/README.md, Death check.
    Changes: battle.judging, battle.cause, the agenda.
    Draws:   none.
    Emits:   FALL.
    """
    battle.judging = 1
    battle.cause.marked = 0
    if log is not None:
        for side in range(2):
            if is_down(battle, side):
                hp = fighter_of(battle, side).values[HP]
                emit(log, battle.turn, FALL_EVENT, NOBODY, side, hp, 0, 0, 0)
    push_death_check(battle, battle.cause.depth + 1)
    if not is_down(battle, RIGHT):
        put(battle, RIGHT, ON_KILL, -fighter_of(battle, LEFT).values[HP], NOTHING_OF)
    elif not is_down(battle, LEFT):
        put(battle, LEFT, ON_KILL, -fighter_of(battle, RIGHT).values[HP], NOTHING_OF)


@kernel_noinline
def judge(battle: Any, depth: int, log: Any) -> None:
    """Judge the fallen: those with another phase enter it; if any stays down, the battle is over.

    Rule:    relics/README.md, Death check.
    Changes: fighters, battle.judging, battle.cause, the agenda; battle.winner, battle.reason.
    Draws:   none.
    Emits:   PHASE.
    """
    left_enters = enters_phase(battle, LEFT, log)
    right_enters = enters_phase(battle, RIGHT, log)
    battle.judging = 0
    left_down, right_down = is_down(battle, LEFT), is_down(battle, RIGHT)
    if left_down or right_down:
        battle.frame_count = 0
        battle.winner = DRAW
        battle.reason = BOTH_FELL
        if not right_down:
            battle.winner = 1 + RIGHT
            battle.reason = LEFT_FELL
        elif not left_down:
            battle.winner = 1 + LEFT
            battle.reason = RIGHT_FELL
        return
    battle.cause.depth = depth - 1
    battle.cause.marked = 0
    if right_enters:
        put_phase_start(battle, RIGHT)
    if left_enters:
        put_phase_start(battle, LEFT)


@kernel
def enters_phase(battle: Any, side: int, log: Any) -> bool:
    """Start the next phase of a fallen fighter, if it has one.

    Rule:    relics/README.md, Death check, A phase.
    Changes: the fighter's phase and values.
    Draws:   none.
    Emits:   PHASE.
    """
    fighter = fighter_of(battle, side)
    if fighter.values[HP] > 0 or fighter.phase >= build_of(battle, side).phase_count:
        return False
    start = build_of(battle, side).phases[fighter.phase & _PHASE_MASK].start
    fighter.phase += 1
    for quantity in range(VALUE_SLOTS):
        fighter.values[quantity] = start[quantity]
    if log is not None:
        values = fighter.values
        emit(log, battle.turn, PHASE_EVENT, NOBODY, side, fighter.phase, values[HP], values[ATTACK], values[ARMOR])
    return True


@kernel
def put_phase_start(battle: Any, side: int) -> None:
    """Put the battle_start effects of a new phase, and no others, on the agenda.

    Rule:    relics/README.md, Death check, A phase.
    Changes: the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    before = battle.frame_count
    put(battle, side, BATTLE_START, 0, NOTHING_OF)
    if battle.frame_count > before:
        top_frame(battle).phase = fighter_of(battle, side).phase
