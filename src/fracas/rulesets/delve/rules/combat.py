"""The rules of a fight, in the order of play. delve/README.md is the rule book that every function cites.

Rolls are in rolls.py, the order of turns in initiative.py, conditions and death in status_conditions.py, decisions in
policies.py. The run around a fight is in run/run.py, encounters without a fight in run/encounters.py.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel
from fracas.kernel.networks import has_network
from fracas.rulesets.delve.rules.boss_phases import enter_phase
from fracas.rulesets.delve.rules.constants import (
    DUNGEON,
    FLED,
    IN_FIGHT,
    PARTY,
    PARTY_WIPE,
    PASS_EVENT,
    PASSING,
    PHASE_EVENT,
    QUIET_ROUNDS,
    READY_EVENT,
    REGAIN_EVENT,
    ROUND_EVENT,
    ROUT_EVENT,
    STUNNED,
    STUNNED_EVENT,
    SURVIVED,
    TARGETS,
    TICKS_PER_ENCOUNTER,
    UNDECIDED,
    VICTORY,
)
from fracas.rulesets.delve.rules.fleeing import try_to_flee
from fracas.rulesets.delve.rules.initiative import roll_initiative, sort_by_initiative, tell_order
from fracas.rulesets.delve.rules.participants import (
    participant_at,
    place_enemies,
)
from fracas.rulesets.delve.rules.policies import evaluate_queue
from fracas.rulesets.delve.rules.skill_use import execute_skill
from fracas.rulesets.delve.rules.status_conditions import (
    forget_conditions,
    has_condition,
    remove_condition,
    tick_conditions,
)
from fracas.rulesets.delve.rules.trained import trained_action


@kernel
def resolve_combat_encounter(battle: Any, log: Any) -> int:
    """Play a fight between the party and the creatures met, from set-up to outcome.

    Rule:    delve/README.md, Combat.
    Changes: the battle.
    Draws:   as set_up_combat, then as play_round.
    Emits:   as set_up_combat, then as play_round.
    """
    set_up_combat(battle, log)
    outcome = UNDECIDED
    while outcome == UNDECIDED:
        outcome = play_round(battle, log)
    return outcome


@kernel
def set_up_combat(battle: Any, log: Any) -> None:
    """Set up a fight: reset all participants and roll initiative.

    Rule:    delve/README.md, Combat, Set-up.
    Changes: the battle.
    Draws:   d100() from (tick, slot) for each living participant.
    Emits:   READY for each living participant, then INITIATIVE.
    """
    battle.tick = battle.encounter * TICKS_PER_ENCOUNTER
    battle.combat_round = 0
    battle.quiet = 0
    battle.order_count = 0
    place_enemies(battle)
    for place in range(len(battle.sides)):
        side = battle.sides[place]
        for index in range(side.first, side.first + side.count):
            participant = participant_at(battle, index)
            if participant.hp > 0:
                get_ready(participant)
                battle.order_keys[battle.order_count] = index
                battle.order_count += 1
    if log is not None:
        for place in range(battle.order_count):
            tell_ready(battle, participant_at(battle, battle.order_keys[place]), log)
    for place in range(battle.order_count):
        roll_initiative(battle, participant_at(battle, battle.order_keys[place]), log)


@kernel
def get_ready(participant: Any) -> None:
    """Reset a participant for a fight; only HP and resource remain from earlier fights.

    Rule:    delve/README.md, Combat, Set-up, step 1.
    Changes: the participant.
    Draws:   none.
    Emits:   nothing.
    """
    forget_conditions(participant)
    participant.guard = 0
    for place in range(participant.known_count):
        participant.ready_from[place] = 0
        participant.used[place] = 0


@kernel
def tell_ready(battle: Any, participant: Any, log: Any) -> None:
    """Log how a participant enters the fight.

    Rule:    delve/README.md, Combat, Set-up, step 2.
    Changes: nothing.
    Draws:   none.
    Emits:   READY.
    """
    hp, resource = participant.hp, participant.resource
    number, max_hp, max_resource = participant.number, participant.max_hp, participant.max_resource
    emit(log, battle.tick, READY_EVENT, number, NOBODY, hp, max_hp, resource, max_resource)


@kernel
def play_round(battle: Any, log: Any) -> int:
    """Play one round: settle the order, let every living participant act, end the round.

    Rule:    delve/README.md, A round.
    Changes: the battle.
    Draws:   as take_turn and end_round.
    Emits:   as start_round, take_turn and end_round; ROUT if a turn leaves a side with nobody alive.
    """
    start_round(battle, log)
    return take_turns(battle, 0, log)


@kernel
def take_turns(battle: Any, first: int, log: Any) -> int:
    """Let every living participant act, from a place in the round's order on, then end the round.

    Rule:    delve/README.md, A round.
    Changes: the battle.
    Draws:   as take_turn and end_round.
    Emits:   as take_turn and end_round; ROUT if a turn leaves a side with nobody alive.
    """
    for place in range(first, battle.order_count):
        participant = participant_at(battle, battle.order_keys[place])
        if participant.hp > 0:
            take_turn(battle, participant, log)
            if battle.sides[PARTY].living == 0 or battle.sides[DUNGEON].living == 0:
                if log is not None:
                    tell_rout(battle, place + 1, log)
                break
    return end_round(battle, log)


@kernel
def start_round(battle: Any, log: Any) -> None:
    """Start a round and settle its order.

    Rule:    delve/README.md, A round, step 1.
    Changes: battle.tick, battle.combat_round, battle.stirred, battle.order_keys, battle.order_count.
    Draws:   none.
    Emits:   ROUND, TURN_ORDER for everybody in the order.
    """
    battle.tick += 1
    battle.combat_round += 1
    battle.stirred = 0
    sort_by_initiative(battle)
    if log is not None:
        living = battle.sides[PARTY].living, battle.sides[DUNGEON].living
        emit(log, battle.tick, ROUND_EVENT, NOBODY, NOBODY, battle.combat_round, living[0], living[1], 0)
        tell_order(battle, log)


@kernel
def tell_rout(battle: Any, next_place: int, log: Any) -> None:
    """Log that a side has no living participant, and how many had not acted yet.

    Rule:    delve/README.md, A round, step 2.
    Changes: nothing.
    Draws:   none.
    Emits:   ROUT.
    """
    waiting = 0
    for place in range(next_place, battle.order_count):
        if participant_at(battle, battle.order_keys[place]).hp > 0:
            waiting += 1
    beaten = 1 if battle.sides[PARTY].living == 0 else 2
    emit(log, battle.tick, ROUT_EVENT, NOBODY, NOBODY, beaten, waiting, 0, 0)


@kernel
def take_turn(battle: Any, actor: Any, log: Any) -> None:
    """Play a turn: lose the action to a stun, or use the first possible slot of the queue, or pass.

    A trained policy chooses slot and target itself.

    Rule:    delve/README.md, A turn.
    Changes: the battle.
    Draws:   as execute_skill.
    Emits:   STUNNED; or PHASE, PASSED_OVER, then PASS or what execute_skill emits.
    """
    if begin_turn(battle, actor, log):
        if has_network(battle.networks[actor.side & 1]):
            action = trained_action(battle, actor.side, actor.index, IN_FIGHT)
            place = NOBODY if action == PASSING else action // TARGETS
        else:
            place = evaluate_queue(battle, actor, log)
        if place != NOBODY:
            execute_skill(battle, actor, place, log)
        elif log is not None:
            emit(log, battle.tick, PASS_EVENT, actor.number, NOBODY, actor.slot_count, 0, 0, 0)


@kernel
def begin_turn(battle: Any, actor: Any, log: Any) -> bool:
    """Begin a turn: enter due phases; false if the participant loses its action to a stun.

    Rule:    delve/README.md, A turn, steps 1 and 2.
    Changes: the participant.
    Draws:   none.
    Emits:   STUNNED if the action is lost, else PHASE for each phase.
    """
    if has_condition(actor, STUNNED):
        remove_condition(actor, STUNNED)
        actor.guard = 1
        if log is not None:
            emit(log, battle.tick, STUNNED_EVENT, actor.number, NOBODY, 0, 0, 0, 0)
        return False
    actor.guard = 0
    while actor.next_phase < actor.phase_count:
        phase = battle.phases[actor.first_phase + actor.next_phase]
        if 100 * actor.hp > phase.threshold * actor.max_hp:
            break
        if log is not None:
            hp, max_hp = actor.hp, actor.max_hp
            emit(log, battle.tick, PHASE_EVENT, actor.number, NOBODY, actor.next_phase, phase.threshold, hp, max_hp)
        enter_phase(actor, phase)
    return True


@kernel
def end_round(battle: Any, log: Any) -> int:
    """End a round: conditions tick, resources regenerate, then test whether the fight is over.

    Rule:    delve/README.md, Round end. Cooldowns need no update (policies.py, rounds_to_wait).
    Changes: the battle.
    Draws:   as test_end.
    Emits:   as tick_conditions, then REGAIN, in slot order; then as test_end.
    """
    for place in range(len(battle.sides)):
        side = battle.sides[place]
        for index in range(side.first, side.first + side.count):
            participant = participant_at(battle, index)
            # The dead have no conditions.
            if participant.affliction_count > 0:
                tick_conditions(battle, participant, log)
    for place in range(len(battle.sides)):
        side = battle.sides[place]
        for index in range(side.first, side.first + side.count):
            participant = participant_at(battle, index)
            if participant.hp > 0:
                regain(battle, participant, log)
    return test_end(battle, log)


@kernel
def regain(battle: Any, participant: Any, log: Any) -> None:
    """A participant regains some of its resource.

    Rule:    delve/README.md, Round end, step 2.
    Changes: participant.resource.
    Draws:   none.
    Emits:   REGAIN if something was gained.
    """
    gained = min(participant.regeneration, participant.max_resource - participant.resource)
    participant.resource += gained
    if log is not None and gained > 0:
        emit(log, battle.tick, REGAIN_EVENT, participant.number, NOBODY, gained, participant.resource, 0, 0)


@kernel
def test_end(battle: Any, log: Any) -> int:
    """Test whether the fight is over at a round's end, and how.

    Rule:    delve/README.md, Round end, step 4.
    Changes: battle.quiet.
    Draws:   as try_to_flee.
    Emits:   FLEE.
    """
    battle.quiet = 0 if battle.stirred else battle.quiet + 1
    if battle.sides[PARTY].living == 0:
        return PARTY_WIPE
    if battle.sides[DUNGEON].living == 0:
        return VICTORY
    if battle.options.flee_below > 0 and try_to_flee(battle, log):
        return FLED
    if battle.combat_round >= battle.options.round_cap or battle.quiet >= QUIET_ROUNDS:
        return SURVIVED
    return UNDECIDED
