"""A run or a fight for agents: what a side sees and may do, and what happens up to its next decision.

The rules: delve/README.md, A run; A round.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.stepping import place_of, scripted, stepper
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.combat import begin_turn, end_round, log_rout, set_up_combat, start_round, take_turn
from fracas.rulesets.delve.rules.entry_points import write_result
from fracas.rulesets.delve.rules.observation import encode, mark_legal, see_delve, see_lasting
from fracas.rulesets.delve.rules.participants import participant_at
from fracas.rulesets.delve.rules.run.run import (
    announce_outcome,
    end_fight,
    log_encounter_end,
    meet_encounter,
    next_encounter,
    play_encounter,
    start_run,
)
from fracas.rulesets.delve.rules.skill_use import act_on


@kernel
def begin(battle, agents, cursor, log) -> None:
    """The party sets out; play to the first decision of an agent."""
    start_run(battle, log)
    cursor[0] = codes.AT_ENCOUNTER
    cursor[1] = 0
    advance(battle, agents, cursor, log)


@kernel
def take(battle, agents, actions, cursor, log) -> None:
    """What the agent chose happens: an option is taken, or a participant acts; then play to the next decision.

    README, A turn, step 4; Traps, decisions, hazards, rest, puzzles.
    """
    if cursor[0] == codes.AT_OPTION:
        play_encounter(battle, actions[place_of(agents, codes.PARTY)] - codes.FIRST_OPTION, log)
        go_on_from_encounter(battle, cursor, log)
    else:
        actor = participant_at(battle, battle.order_keys[cursor[1] & codes.LAST_SLOT])
        act_on(battle, actor, actions[place_of(agents, actor.side)], log)
        end_turn(battle, cursor, log)
    advance(battle, agents, cursor, log)


@kernel_noinline
def advance(battle, agents, cursor, log) -> None:
    """Play on until an agent has to decide, or everything is over."""
    while battle.reason == codes.UNDECIDED:
        if cursor[0] == codes.AT_ENCOUNTER:
            meet_encounter(battle, log)
            kind = battle.encounters[battle.encounter].type
            if (kind == codes.DECISION or kind == codes.PUZZLE) and place_of(agents, codes.PARTY) != NOBODY:
                cursor[0] = codes.AT_OPTION
                return
            play_encounter(battle, NOBODY, log)
            go_on_from_encounter(battle, cursor, log)
        elif cursor[1] >= battle.order_count:
            outcome = end_round(battle, log)
            if outcome == codes.UNDECIDED:
                start_round(battle, log)
                cursor[1] = 0
            else:
                end_fight(battle, outcome)
                leave_encounter(battle, cursor, log)
        else:
            actor = participant_at(battle, battle.order_keys[cursor[1] & codes.LAST_SLOT])
            if actor.hp > 0:
                if place_of(agents, actor.side) == NOBODY:
                    take_turn(battle, actor, log)
                elif begin_turn(battle, actor, log):
                    return
                end_turn(battle, cursor, log)
            else:
                cursor[1] += 1


@kernel
def go_on_from_encounter(battle, cursor, log) -> None:
    """After an encounter without a fight: the fight that it led to begins, or the encounter is over.

    README, An encounter.
    """
    if battle.fought_count > 0:
        set_up_combat(battle, log)
        start_round(battle, log)
        cursor[0] = codes.IN_FIGHT
        cursor[1] = 0
    else:
        leave_encounter(battle, cursor, log)


@kernel_noinline
def leave_encounter(battle, cursor, log) -> None:
    """The encounter is over, and the next one comes, if there is one."""
    log_encounter_end(battle, log)
    next_encounter(battle, log)
    cursor[0] = codes.AT_ENCOUNTER


@kernel
def end_turn(battle, cursor, log) -> None:
    """After a turn comes the next one, or the round's end if a side has nobody alive."""
    cursor[1] += 1
    if battle.sides[codes.PARTY].living == 0 or battle.sides[codes.DUNGEON].living == 0:
        if log is not None:
            log_rout(battle, cursor[1], log)
        cursor[1] = battle.order_count


@kernel
def actor_of(battle, side: int, cursor) -> int:
    """The slot of the participant that a side decides for now; the first member's for an option; NOBODY else."""
    if battle.reason != codes.UNDECIDED:
        return NOBODY
    if cursor[0] == codes.AT_OPTION:
        return 0 if side == codes.PARTY else NOBODY
    actor = participant_at(battle, battle.order_keys[cursor[1] & codes.LAST_SLOT])
    return actor.index if actor.side == side else NOBODY


@kernel
def legal_actions(battle, side: int, cursor, mask) -> None:
    """What a side may choose: 1, else 0 (as mark_legal)."""
    mark_legal(battle, actor_of(battle, side, cursor), cursor[0], mask)


@kernel
def observe(battle, agents, cursor, seen, masks, anew: bool) -> None:
    """What agents see, and what they may choose (as see_delve)."""
    for number in range(len(agents)):
        side = agents[number]
        legal_actions(battle, side, cursor, masks[number])
        see_delve(battle, side, actor_of(battle, side, cursor), cursor[0], seen[number], anew)


step_many = stepper(begin, take, observe, last_hot="sides", see_lasting=see_lasting)
play_script = scripted(begin, take, legal_actions, actor_of, encode, announce_outcome, write_result)
