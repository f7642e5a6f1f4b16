"""The death check in lanes: rules/deaths.py for 64 battles. relics/README.md, Death check."""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change
from fracas.lanes.operations import any_lane, load, load_mask, no_lanes, select, splat
from fracas.rulesets.relics.lockstep import state as rows
from fracas.rulesets.relics.lockstep.agenda import has_listener, put, put_frame, put_heard, top_frame
from fracas.rulesets.relics.lockstep.facts import value
from fracas.rulesets.relics.lockstep.signed_lanes import is_less, mark, number, unmark
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF

_PHASE_MASK = codes.MAX_PHASES - 1


@kernel
def down(state, side: int):
    """Where a fighter's HP is 0 or below."""
    return is_less(state, value(state, side, codes.HP), splat(state, 1))


@kernel
def check_at_once(state, battle, mask) -> None:
    """Run the death check right after changes, before their consequences, if the option says so."""
    if battle.options.death_check == codes.CHECKED_AT_ONCE:
        check_deaths(state, battle, mask)


@kernel
def check_deaths(state, battle, mask) -> None:
    """The death check: mark fighters at 0 HP or below as fallen; they are judged after on_kill effects.

    While one is being made no other begins.
    """
    mask = (
        mask
        & load_mask(state, rows.ALIVE)
        & (down(state, codes.LEFT) | down(state, codes.RIGHT))
        & ~load_mask(state, rows.JUDGING)
    )
    if any_lane(mask):
        find_fallen(state, battle, mask)


@kernel_noinline
def find_fallen(state, battle, mask) -> None:
    """Put on_kill effects and then the judgement on the agenda."""
    none = splat(state, 0)
    mark(state, rows.JUDGING, mask)
    state.marked = 0
    put_frame(state, codes.NOBODY, codes.JUDGE, 0, 0, none, NOTHING_OF, mask)
    left, right = down(state, codes.LEFT), down(state, codes.RIGHT)
    put(state, battle, codes.RIGHT, codes.ON_KILL, none - value(state, codes.LEFT, codes.HP), NOTHING_OF, mask & ~right)
    put(
        state,
        battle,
        codes.LEFT,
        codes.ON_KILL,
        none - value(state, codes.RIGHT, codes.HP),
        NOTHING_OF,
        mask & right & ~left,
    )


@kernel_noinline
def decide_deaths(state, battle, depth: int, mask) -> None:
    """Judge the fallen: those with another phase enter it; if any stays down, the battle is over."""
    left_enters = enter_phase(state, battle, codes.LEFT, mask)
    right_enters = enter_phase(state, battle, codes.RIGHT, mask)
    unmark(state, rows.JUDGING, mask)
    left, right = down(state, codes.LEFT), down(state, codes.RIGHT)
    over = mask & (left | right)
    one = select(left, splat(state, codes.LEFT_FELL), splat(state, codes.RIGHT_FELL))
    change(state, rows.REASON, over, select(left & right, splat(state, codes.BOTH_FELL), one))
    one = select(left, splat(state, 1 + codes.RIGHT), splat(state, 1 + codes.LEFT))
    change(state, rows.WINNER, over, select(left & right, splat(state, codes.DRAW), one))
    unmark(state, rows.ALIVE, over)
    state.depth = depth - 1
    state.marked = 0
    put_phase_start(state, battle, codes.RIGHT, right_enters & ~over)
    put_phase_start(state, battle, codes.LEFT, left_enters & ~over)


@kernel_noinline
def enter_phase(state, battle, side: int, mask):
    """Start the next phase of a fallen fighter; returns where it has one."""
    mask = mask & down(state, side)
    entered = no_lanes()
    phase = load(state, rows.PHASE + side)
    build = battle.builds[side & 1]
    for current in range(1, build.phase_count):
        here = mask & (phase == splat(state, current))
        if any_lane(here):
            entered = entered | here
            change(state, rows.PHASE + side, here, splat(state, current + 1))
            start = build.phases[current & _PHASE_MASK].start
            for quantity in range(codes.VALUE_SLOTS):
                change(state, rows.VALUES + side * codes.VALUE_SLOTS + quantity, here, number(state, start[quantity]))
    return entered


@kernel
def put_phase_start(state, battle, side: int, mask) -> None:
    """Put the battle_start effects of a new phase, and no others, on the agenda."""
    if not has_listener(battle, side, codes.BATTLE_START) or not any_lane(mask):
        return
    current = load(state, rows.PHASE + side)
    for phase in range(2, battle.builds[side & 1].phase_count + 1):
        here = mask & (current == splat(state, phase))
        if any_lane(here) and state.frame_count < rows.MOST_FRAMES:
            put_heard(state, battle, side, codes.BATTLE_START, splat(state, 0), NOTHING_OF, here)
            top_frame(state).phase = phase
