"""Plays a delve battle from set-up or from any place in it, and defines the compiled entry points.

The rules: delve/README.md, A run; End.
"""

from __future__ import annotations

from fracas.kernel.dice import open_address, seek_stream
from fracas.kernel.entry_points import batch, enumerator, rollout
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.kernel.snapshots import FROM_ROUND, FROM_SET_UP, WITH_CHOICE, stops_before
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.combat import begin_turn, play_round, set_up_combat, start_round, take_turn, take_turns
from fracas.rulesets.delve.rules.participants import hp_left, is_for_one, participant_at, queue_slot_at, skill_at
from fracas.rulesets.delve.rules.run.run import (
    begin_encounter,
    end_fight,
    next_encounter,
    resolve_encounter,
    resolve_run,
    start_run,
)
from fracas.rulesets.delve.rules.skill_use import pay, reached, use_skill
from fracas.rulesets.delve.rules.state_enumeration import STATE, step


@kernel
def play(battle, log, plugins) -> None:
    """Play one battle from set-up to outcome; delve has no plug-ins."""
    resolve_run(battle, log)


@kernel
def write_result(battle, result) -> None:
    """Write a battle's result into one that is zero or an earlier one of the same scenario."""
    result.rounds = battle.rounds
    for place in range(len(battle.sides)):
        result.hp_left[place] = hp_left(battle, place)
        result.units_left[place] = battle.sides[place].living
    result.encounters_passed = battle.passed
    wiped_out = battle.reason == codes.PARTY_WIPE
    result.wipe_encounter = battle.encounter if wiped_out else NOBODY
    result.wiped_by = battle.last_killer if wiped_out else NOBODY
    note_spoils(battle, result)
    for place in range(battle.counted_skills):
        result.skill_damage[place] = battle.skill_damage[place]
    for place in range(battle.counted_slots):
        result.slot_uses[place] = battle.slot_uses[place]


@kernel
def note_spoils(battle, result) -> None:
    """Write what the party brings home, including its survivors."""
    result.xp = battle.xp
    result.gold = battle.gold
    for rarity in range(len(codes.RARITIES)):
        result.items[rarity] = 0
    for place in range(battle.drop_count):
        result.items[battle.drops[place].rarity] += 1
    for index in range(codes.SIDE_SLOTS):
        result.member_hp[index] = participant_at(battle, index).hp


def state_parts(battle) -> tuple[str, ...]:
    """The parts of a battle's record that make up its state."""
    slots = (*range(battle.sides[codes.PARTY].count), *range(codes.SIDE_SLOTS, codes.SLOTS))
    return *STATE, *(f"participants.{index}" for index in slots)


@kernel
def resume(battle, place, plugins) -> None:
    """Play a run or lone encounter from a place to its outcome, or to the round before which the place says to stop."""
    if place[0] == FROM_SET_UP:
        start_run(battle, None)
    is_fighting = place[0] != FROM_SET_UP and place[1] != NOBODY
    while battle.reason == codes.UNDECIDED:
        if not is_fighting:
            if stops_before(place, battle.encounter * codes.TICKS_PER_ENCOUNTER):
                return
            begin_encounter(battle, None)
            if battle.fought_count > 0:
                set_up_combat(battle, None)
        if battle.fought_count > 0:
            outcome = fight_on(battle, place, is_fighting)
            if outcome == codes.UNDECIDED:
                return
            end_fight(battle, outcome)
        is_fighting = False
        next_encounter(battle, None)


@kernel
def fight_on(battle, place, is_under_way: bool) -> int:
    """Play a fight to its outcome, from the first round or from a place in a fight under way (README, Combat).

    Undecided if it stops before a round.
    """
    first = NOBODY
    if is_under_way and place[0] != FROM_ROUND:
        first = place[1]
        if place[0] == WITH_CHOICE:
            take_turn_as(battle, participant_at(battle, battle.order_keys[first]), place[2], place[3])
            is_rout = battle.sides[0].living == 0 or battle.sides[1].living == 0
            first = battle.order_count if is_rout else first + 1
    outcome = codes.UNDECIDED
    while outcome == codes.UNDECIDED:
        if first == NOBODY:
            if stops_before(place, battle.tick + 1):
                return outcome
            start_round(battle, None)
            first = 0
        outcome = take_turns(battle, first, None)
        first = NOBODY
    return outcome


@kernel
def take_turn_as(battle, actor, place: int, target: int) -> None:
    """A participant's turn with a given queue slot and target; without a slot it passes (README, A turn)."""
    if begin_turn(battle, actor, None) and place != NOBODY:
        pay(battle, actor, place, None)
        open_address(battle.dice, battle.tick, actor.index)
        slot = queue_slot_at(battle, actor, place)
        first, end = reached(battle, actor, slot, None)
        if is_for_one(skill_at(battle, slot.skill)):
            first, end = target, target + 1
        use_skill(battle, actor, slot.skill, first, end, None)


def play_until(battle, stream: int, wanted_encounter: int, wanted_round: int, number: int) -> bool:
    """Play one battle, in plain Python, up to a participant's decision in a round of an encounter's fight.

    False if it makes none there; battle.encounter, battle.combat_round and battle.reason then say how far it got.
    """
    seek_stream(battle.dice, stream)
    start_run(battle, None)
    while battle.reason == codes.UNDECIDED and battle.encounter < wanted_encounter:
        resolve_encounter(battle, None)
        next_encounter(battle, None)
    if battle.reason != codes.UNDECIDED or battle.encounter != wanted_encounter:
        return False
    begin_encounter(battle, None)
    return battle.fought_count > 0 and fight_until(battle, wanted_round, number)


def fight_until(battle, wanted_round: int, number: int) -> bool:
    """Play a fight, in plain Python, up to a participant's decision in a round; False if it makes none."""
    set_up_combat(battle, None)
    while battle.combat_round < wanted_round - 1:
        outcome = play_round(battle, None)
        if outcome != codes.UNDECIDED:
            end_fight(battle, outcome)
            return False
    start_round(battle, None)
    for place in range(battle.order_count):
        participant = participant_at(battle, battle.order_keys[place])
        if participant.hp > 0 and battle.sides[0].living > 0 and battle.sides[1].living > 0:
            if participant.number == number:
                return begin_turn(battle, participant, None)
            take_turn(battle, participant, None)
    return False


play_many = batch(play, write_result)
resume_many = rollout(resume, write_result)
enumerate_step = enumerator(step)
