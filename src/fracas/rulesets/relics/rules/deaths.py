"""The death check: find fallen fighters, start their next phase, or end the battle. relics/README.md, Death check."""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import build_of, fighter_of
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF, push_death_check, put, top_frame
from fracas.rulesets.relics.rules.events import emit_fall, emit_phase_begins

_PHASE_MASK = codes.MAX_PHASES - 1


@kernel
def is_down(battle, side: int) -> bool:
    """Whether a fighter's HP is 0 or below."""
    return fighter_of(battle, side).values[codes.HP] <= 0


@kernel
def check_at_once(battle, log) -> None:
    """Run the death check right after changes, before their consequences, if the option says so."""
    if battle.options.death_check == codes.CHECKED_AT_ONCE:
        check_deaths(battle, log)


@kernel
def check_deaths(battle, log) -> None:
    """The death check: mark fighters at 0 HP or below as fallen; they are judged after on_kill effects.

    While one is being made no other begins.
    """
    if battle.judging == 0 and (is_down(battle, codes.LEFT) or is_down(battle, codes.RIGHT)):
        find_fallen(battle, log)


@kernel_noinline
def find_fallen(battle, log) -> None:
    """Report the fallen, and put on_kill effects and then the judgement on the agenda."""
    battle.judging = 1
    battle.cause.marked = 0
    if log is not None:
        for side in range(2):
            if is_down(battle, side):
                hp = fighter_of(battle, side).values[codes.HP]
                emit_fall(log, battle.turn, side, hp)
    push_death_check(battle, battle.cause.depth + 1)
    if not is_down(battle, codes.RIGHT):
        put(battle, codes.RIGHT, codes.ON_KILL, -fighter_of(battle, codes.LEFT).values[codes.HP], NOTHING_OF)
    elif not is_down(battle, codes.LEFT):
        put(battle, codes.LEFT, codes.ON_KILL, -fighter_of(battle, codes.RIGHT).values[codes.HP], NOTHING_OF)


@kernel_noinline
def decide_deaths(battle, depth: int, log) -> None:
    """Judge the fallen: those with another phase enter it; if any stays down, the battle is over."""
    left_enters = enters_phase(battle, codes.LEFT, log)
    right_enters = enters_phase(battle, codes.RIGHT, log)
    battle.judging = 0
    left_down, right_down = is_down(battle, codes.LEFT), is_down(battle, codes.RIGHT)
    if left_down or right_down:
        battle.frame_count = 0
        battle.winner = codes.DRAW
        battle.reason = codes.BOTH_FELL
        if not right_down:
            battle.winner = 1 + codes.RIGHT
            battle.reason = codes.LEFT_FELL
        elif not left_down:
            battle.winner = 1 + codes.LEFT
            battle.reason = codes.RIGHT_FELL
        return
    battle.cause.depth = depth - 1
    battle.cause.marked = 0
    if right_enters:
        put_phase_start(battle, codes.RIGHT)
    if left_enters:
        put_phase_start(battle, codes.LEFT)


@kernel
def enters_phase(battle, side: int, log) -> bool:
    """Start the next phase of a fallen fighter, if it has one.

    Changes: the fighter's phase and values.
    """
    fighter = fighter_of(battle, side)
    if fighter.values[codes.HP] > 0 or fighter.phase >= build_of(battle, side).phase_count:
        return False
    start = build_of(battle, side).phases[fighter.phase & _PHASE_MASK].start
    fighter.phase += 1
    for quantity in range(codes.VALUE_SLOTS):
        fighter.values[quantity] = start[quantity]
    if log is not None:
        values = fighter.values
        emit_phase_begins(
            log, battle.turn, side, fighter.phase, values[codes.HP], values[codes.ATTACK], values[codes.ARMOR]
        )
    return True


@kernel
def put_phase_start(battle, side: int) -> None:
    """Put the battle_start effects of a new phase, and no others, on the agenda."""
    before = battle.frame_count
    put(battle, side, codes.BATTLE_START, 0, NOTHING_OF)
    if battle.frame_count > before:
        top_frame(battle).phase = fighter_of(battle, side).phase
