"""The death check in lanes: rules/deaths.py for 64 battles."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change
from fracas.lanes.operations import any_lane, load, load_mask, no_lanes, select, splat
from fracas.rulesets.relics.lockstep.agenda import has_listener, put, put_frame, put_heard, top_frame
from fracas.rulesets.relics.lockstep.facts import value
from fracas.rulesets.relics.lockstep.signed_lanes import is_less, mark, number, unmark
from fracas.rulesets.relics.lockstep.state import ALIVE, JUDGING, MOST_FRAMES, PHASE, REASON, VALUES, WINNER
from fracas.rulesets.relics.rules.constants import (
    BATTLE_START,
    BOTH_FELL,
    CHECKED_AT_ONCE,
    DRAW,
    HP,
    JUDGE,
    LEFT,
    LEFT_FELL,
    MAX_PHASES,
    NOBODY,
    ON_KILL,
    RIGHT,
    RIGHT_FELL,
    VALUE_SLOTS,
)
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF

_PHASE_MASK = MAX_PHASES - 1


@kernel
def down(state: Any, side: int) -> Any:
    """Where a fighter's HP is 0 or below.

    Rule:    relics/README.md, Death check.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return is_less(state, value(state, side, HP), splat(state, 1))


@kernel
def check_at_once(state: Any, battle: Any, mask: Any) -> None:
    """Run the death check right after changes, before their consequences, if the option says so.

    Rule:    relics/README.md, Death check, death_check = "at_once".
    Changes: as check_deaths.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.options.death_check == CHECKED_AT_ONCE:
        check_deaths(state, battle, mask)


@kernel
def check_deaths(state: Any, battle: Any, mask: Any) -> None:
    """The death check: mark fighters at 0 HP or below as fallen; they are judged after on_kill effects.

    Rule:    relics/README.md, Death check (while one is being made no other begins).
    Changes: JUDGING, the cause, the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    mask = mask & load_mask(state, ALIVE) & (down(state, LEFT) | down(state, RIGHT)) & ~load_mask(state, JUDGING)
    if any_lane(mask):
        find_fallen(state, battle, mask)


@kernel_noinline
def find_fallen(state: Any, battle: Any, mask: Any) -> None:
    """Put on_kill effects and then the judgement on the agenda.

    Rule:    relics/README.md, Death check.
    Changes: JUDGING, the cause, the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    none = splat(state, 0)
    mark(state, JUDGING, mask)
    state.marked = 0
    put_frame(state, NOBODY, JUDGE, 0, 0, none, NOTHING_OF, mask)
    left, right = down(state, LEFT), down(state, RIGHT)
    put(state, battle, RIGHT, ON_KILL, none - value(state, LEFT, HP), NOTHING_OF, mask & ~right)
    put(state, battle, LEFT, ON_KILL, none - value(state, RIGHT, HP), NOTHING_OF, mask & right & ~left)


@kernel_noinline
def judge(state: Any, battle: Any, depth: int, mask: Any) -> None:
    """Judge the fallen: those with another phase enter it; if any stays down, the battle is over.

    Rule:    relics/README.md, Death check.
    Changes: fighters, JUDGING, the cause, the agenda; WINNER, REASON, ALIVE.
    Draws:   none.
    Emits:   nothing.
    """
    left_enters = enter_phase(state, battle, LEFT, mask)
    right_enters = enter_phase(state, battle, RIGHT, mask)
    unmark(state, JUDGING, mask)
    left, right = down(state, LEFT), down(state, RIGHT)
    over = mask & (left | right)
    one = select(left, splat(state, LEFT_FELL), splat(state, RIGHT_FELL))
    change(state, REASON, over, select(left & right, splat(state, BOTH_FELL), one))
    one = select(left, splat(state, 1 + RIGHT), splat(state, 1 + LEFT))
    change(state, WINNER, over, select(left & right, splat(state, DRAW), one))
    unmark(state, ALIVE, over)
    state.depth = depth - 1
    state.marked = 0
    put_phase_start(state, battle, RIGHT, right_enters & ~over)
    put_phase_start(state, battle, LEFT, left_enters & ~over)


@kernel_noinline
def enter_phase(state: Any, battle: Any, side: int, mask: Any) -> Any:
    """Start the next phase of a fallen fighter; returns where it has one.

    Rule:    relics/README.md, Death check, A phase.
    Changes: the fighter's phase and values.
    Draws:   none.
    Emits:   nothing.
    """
    mask = mask & down(state, side)
    entered = no_lanes()
    phase = load(state, PHASE + side)
    build = battle.builds[side & 1]
    for current in range(1, build.phase_count):
        here = mask & (phase == splat(state, current))
        if any_lane(here):
            entered = entered | here
            change(state, PHASE + side, here, splat(state, current + 1))
            start = build.phases[current & _PHASE_MASK].start
            for quantity in range(VALUE_SLOTS):
                change(state, VALUES + side * VALUE_SLOTS + quantity, here, number(state, start[quantity]))
    return entered


@kernel
def put_phase_start(state: Any, battle: Any, side: int, mask: Any) -> None:
    """Put the battle_start effects of a new phase, and no others, on the agenda.

    Rule:    relics/README.md, Death check, A phase.
    Changes: the agenda.
    Draws:   none.
    Emits:   nothing.
    """
    if not has_listener(battle, side, BATTLE_START) or not any_lane(mask):
        return
    current = load(state, PHASE + side)
    for phase in range(2, battle.builds[side & 1].phase_count + 1):
        here = mask & (current == splat(state, phase))
        if any_lane(here) and state.frame_count < MOST_FRAMES:
            put_heard(state, battle, side, BATTLE_START, splat(state, 0), NOTHING_OF, here)
            top_frame(state).phase = phase
