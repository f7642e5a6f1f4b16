"""The rules of a fight, in the order of play. delve/README.md is the rule book that every function cites.

Rolls are in rolls.py, the order of turns in initiative.py, conditions and death in status_conditions.py, decisions in
policies.py. The run around a fight is in run/run.py, encounters without a fight in run/encounters.py.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.kernel.networks import has_network
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.boss_phases import enter_phase
from fracas.rulesets.delve.rules.events import (
    emit_pass,
    emit_phase,
    emit_ready,
    emit_regain,
    emit_round,
    emit_rout,
    emit_stunned,
)
from fracas.rulesets.delve.rules.fleeing import try_to_flee
from fracas.rulesets.delve.rules.initiative import log_order, roll_initiative, sort_by_initiative
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
def resolve_combat_encounter(battle, log) -> int:
    """Play a fight between the party and the creatures met, from set-up to outcome (README, Combat)."""
    set_up_combat(battle, log)
    outcome = codes.UNDECIDED
    while outcome == codes.UNDECIDED:
        outcome = play_round(battle, log)
    return outcome


@kernel
def set_up_combat(battle, log) -> None:
    """Set up a fight: reset all participants and roll initiative (README, Combat, Set-up)."""
    battle.tick = battle.encounter * codes.TICKS_PER_ENCOUNTER
    battle.combat_round = 0
    battle.quiet = 0
    battle.order_count = 0
    place_enemies(battle)
    for side_index in range(len(battle.sides)):
        side = battle.sides[side_index]
        for index in range(side.first, side.first + side.count):
            participant = participant_at(battle, index)
            if participant.hp > 0:
                get_ready(participant)
                battle.order_keys[battle.order_count] = index
                battle.order_count += 1
    if log is not None:
        for side_index in range(battle.order_count):
            log_ready(battle, participant_at(battle, battle.order_keys[side_index]), log)
    for side_index in range(battle.order_count):
        roll_initiative(battle, participant_at(battle, battle.order_keys[side_index]), log)


@kernel
def get_ready(participant) -> None:
    """Reset a participant for a fight; only HP and resource remain from earlier fights.

    README, Combat, Set-up, step 1.
    """
    forget_conditions(participant)
    participant.guard = 0
    for index in range(participant.known_count):
        participant.ready_from[index] = 0
        participant.used[index] = 0


@kernel
def log_ready(battle, participant, log) -> None:
    """Log how a participant enters the fight (README, Combat, Set-up, step 2)."""
    hp, resource = participant.hp, participant.resource
    emit_ready(log, battle.tick, participant.number, hp, participant.max_hp, resource, participant.max_resource)


@kernel
def play_round(battle, log) -> int:
    """Play one round: settle the order, let every living participant act, end the round (README, A round)."""
    start_round(battle, log)
    return take_turns(battle, 0, log)


@kernel
def take_turns(battle, first: int, log) -> int:
    """Let every living participant act, from a place in the round's order on, then end the round (README, A round)."""
    for index in range(first, battle.order_count):
        participant = participant_at(battle, battle.order_keys[index])
        if participant.hp > 0:
            take_turn(battle, participant, log)
            if battle.sides[codes.PARTY].living == 0 or battle.sides[codes.DUNGEON].living == 0:
                if log is not None:
                    log_rout(battle, index + 1, log)
                break
    return end_round(battle, log)


@kernel
def start_round(battle, log) -> None:
    """Start a round and settle its order (README, A round, step 1)."""
    battle.tick += 1
    battle.combat_round += 1
    battle.stirred = 0
    sort_by_initiative(battle)
    if log is not None:
        living = battle.sides[codes.PARTY].living, battle.sides[codes.DUNGEON].living
        emit_round(log, battle.tick, battle.combat_round, living[0], living[1])
        log_order(battle, log)


@kernel
def log_rout(battle, next_place: int, log) -> None:
    """Log that a side has no living participant, and how many had not acted yet (README, A round, step 2)."""
    waiting = 0
    for index in range(next_place, battle.order_count):
        if participant_at(battle, battle.order_keys[index]).hp > 0:
            waiting += 1
    emit_rout(log, battle.tick, 1 if battle.sides[codes.PARTY].living == 0 else 2, waiting)


@kernel
def take_turn(battle, actor, log) -> None:
    """Play a turn: lose the action to a stun, or use the first possible slot of the queue, or pass (README, A turn).

    A trained policy chooses slot and target itself.
    """
    if begin_turn(battle, actor, log):
        if has_network(battle.networks[actor.side & 1]):
            action = trained_action(battle, actor.side, actor.index, codes.IN_FIGHT)
            slot = NOBODY if action == codes.PASSING else action // codes.TARGETS
        else:
            slot = evaluate_queue(battle, actor, log)
        if slot != NOBODY:
            execute_skill(battle, actor, slot, log)
        else:
            emit_pass(log, battle.tick, actor.number, actor.slot_count)


@kernel
def begin_turn(battle, actor, log) -> bool:
    """Begin a turn: enter due phases; false if the participant loses its action to a stun.

    README, A turn, steps 1 and 2.
    Changes: the participant.
    """
    if has_condition(actor, codes.STUNNED):
        remove_condition(actor, codes.STUNNED)
        actor.guard = 1
        emit_stunned(log, battle.tick, actor.number)
        return False
    actor.guard = 0
    while actor.next_phase < actor.phase_count:
        phase = battle.phases[actor.first_phase + actor.next_phase]
        if 100 * actor.hp > phase.threshold * actor.max_hp:
            break
        emit_phase(log, battle.tick, actor.number, actor.next_phase, phase.threshold, actor.hp, actor.max_hp)
        enter_phase(actor, phase)
    return True


@kernel
def end_round(battle, log) -> int:
    """End a round: conditions tick, resources regenerate, then test whether the fight is over (README, Round end).

    Cooldowns need no update (policies.py, rounds_to_wait).
    """
    for side_index in range(len(battle.sides)):
        side = battle.sides[side_index]
        for index in range(side.first, side.first + side.count):
            participant = participant_at(battle, index)
            # The dead have no conditions.
            if participant.affliction_count > 0:
                tick_conditions(battle, participant, log)
    for side_index in range(len(battle.sides)):
        side = battle.sides[side_index]
        for index in range(side.first, side.first + side.count):
            participant = participant_at(battle, index)
            if participant.hp > 0:
                regain(battle, participant, log)
    return test_end(battle, log)


@kernel
def regain(battle, participant, log) -> None:
    """A participant regains some of its resource (README, Round end, step 2)."""
    gained = min(participant.regeneration, participant.max_resource - participant.resource)
    participant.resource += gained
    if log is not None and gained > 0:
        emit_regain(log, battle.tick, participant.number, gained, participant.resource)


@kernel
def test_end(battle, log) -> int:
    """Test whether the fight is over at a round's end, and how (README, Round end, step 4)."""
    battle.quiet = 0 if battle.stirred else battle.quiet + 1
    if battle.sides[codes.PARTY].living == 0:
        return codes.PARTY_WIPE
    if battle.sides[codes.DUNGEON].living == 0:
        return codes.VICTORY
    if battle.options.flee_below > 0 and try_to_flee(battle, log):
        return codes.FLED
    if battle.combat_round >= battle.options.round_cap or battle.quiet >= codes.QUIET_ROUNDS:
        return codes.SURVIVED
    return codes.UNDECIDED
