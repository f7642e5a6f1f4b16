"""What a side of delve sees, and what it may do: slots of a queue on targets, passing, or options.

The rules: docs/reference/environments.md, delve.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.participants import is_for_one, participant_at, queue_slot_at, skill_at
from fracas.rulesets.delve.rules.policies import has_target, is_ready, rounds_to_wait
from fracas.rulesets.delve.rules.rolls import held_to_chance
from fracas.rulesets.delve.rules.run.encounters import best_value
from fracas.rulesets.delve.rules.status_conditions import has_condition
from fracas.rulesets.delve.rules.targeting import count_candidates, nth_candidate


@kernel
def target_of(side: int, action: int) -> int:
    """The slot that an action is aimed at; NOBODY if it is not aimed.

    An agent counts its own slots from 0 and the enemy's from 8.
    """
    target = action % codes.TARGETS
    if target == codes.SLOTS:
        return NOBODY
    return target ^ (codes.SIDE_SLOTS if side == codes.DUNGEON else 0)


@kernel
def encode(battle, side: int, choice: int, target: int) -> int:
    """The action of a choice and a target; NOBODY if there is none.

    A choice is a place in the queue; NOBODY for passing; MAX_QUEUE and more for an option.
    """
    if target < NOBODY or target >= codes.SLOTS or choice < NOBODY or choice >= codes.MAX_QUEUE + codes.MAX_OPTIONS:
        return NOBODY
    if choice == NOBODY:
        return codes.PASSING
    if choice >= codes.MAX_QUEUE:
        return codes.FIRST_OPTION + choice - codes.MAX_QUEUE
    if target == NOBODY:
        return choice * codes.TARGETS + codes.SLOTS
    return choice * codes.TARGETS + (target ^ (codes.SIDE_SLOTS if side == codes.DUNGEON else 0))


@kernel
def mark_legal(battle, index: int, stage: int, mask) -> None:
    """What a participant, or NOBODY, may do: 1, else 0.

    Options; or slots of the queue that are ready, on each candidate, and passing. A skill that stands in several slots
    of a queue is legal in the first alone.

    README, A turn, step 3, without the conditions; Traps, decisions, hazards, rest, puzzles.
    """
    for action in range(codes.ACTIONS):
        mask[action] = 0
    if index == NOBODY:
        return
    if stage == codes.AT_OPTION:
        for position in range(battle.encounters[battle.encounter].option_count):
            mask[codes.FIRST_OPTION + position] = 1
        return
    actor = participant_at(battle, index)
    mask[codes.PASSING] = 1
    for position in range(min(actor.slot_count, codes.MAX_QUEUE)):
        slot = queue_slot_at(battle, actor, position)
        if (
            is_ready(battle, actor, slot)
            and has_target(battle, actor, slot)
            and is_first_of_its_skill(battle, actor, position)
        ):
            skill = skill_at(battle, slot.skill)
            if not is_for_one(skill):
                mask[encode(battle, actor.side, position, NOBODY)] = 1
            else:
                whom = other_side(battle, actor) if skill.hostile else own_side(battle, actor)
                for number in range(count_candidates(battle, actor, skill)):
                    mask[encode(battle, actor.side, position, nth_candidate(battle, whom, skill, number))] = 1


@kernel
def is_first_of_its_skill(battle, actor, index: int) -> bool:
    """Whether no slot above this one in a queue has the same skill."""
    skill = queue_slot_at(battle, actor, index).skill
    first = index
    for above in range(index - 1, -1, -1):
        if queue_slot_at(battle, actor, above).skill == skill:
            first = above
    return first == index


@kernel
def see_delve(battle, side: int, acting: int, stage: int, seen, anew: bool) -> None:
    """What a side sees; `acting` is its participant that decides, or NOBODY; `stage` is AT_OPTION or IN_FIGHT.

    `anew` is False where `seen` has what was written for an earlier state of this battle.
    """
    see_run(battle, stage, seen)
    for slot in range(codes.SLOTS):
        index = slot ^ (codes.SIDE_SLOTS if side == codes.DUNGEON else 0)
        whose = battle.sides[codes.PARTY if index < codes.SIDE_SLOTS else codes.DUNGEON]
        is_there = index - whose.first < whose.count and (index < codes.SIDE_SLOTS or stage == codes.IN_FIGHT)
        see_participant(
            battle, index, is_there, acting, seen, codes.RUN_FEATURES + slot * codes.PARTICIPANT_FEATURES, anew
        )


@kernel
def see_run(battle, stage: int, seen) -> None:
    """Write down how far a run has come, what kind of encounter is at hand, and how likely its options succeed."""
    encounter = battle.encounters[min(battle.encounter, battle.encounter_count - 1)]
    seen[0] = min(battle.encounter / max(battle.encounter_count, 1), 1.0)
    seen[1] = min(battle.combat_round / battle.options.round_cap, 1.0)
    seen[2] = 1.0 if stage == codes.AT_OPTION else 0.0
    for kind in range(len(codes.ENCOUNTER_TYPES)):
        seen[3 + kind] = 1.0 if encounter.type == kind else 0.0
    for index in range(codes.MAX_OPTIONS):
        chance = 0.0
        if stage == codes.AT_OPTION and index < encounter.option_count:
            option = battle.decision_options[encounter.first_option + index]
            chance = 1.0
            if option.check != 0:
                value = best_value(battle, option.check)
                chance = held_to_chance(codes.BASE_CHANCE + value - option.difficulty - battle.difficulty.check) / 100
        seen[3 + len(codes.ENCOUNTER_TYPES) + index] = chance


@kernel
def see_participant(battle, index: int, is_there: bool, acting: int, seen, position: int, anew: bool) -> None:
    """Write what is visible of a participant; all 0 where nobody living stands."""
    one = participant_at(battle, index)
    if not is_there or one.hp == 0:
        # The share of HP is never 0 while a participant lives, so this tells whether its entries are 0 already.
        if anew or seen[position] != 0.0:
            for entry in range(codes.PARTICIPANT_FEATURES):
                seen[position + entry] = 0.0
        return
    seen[position] = one.hp / one.max_hp
    seen[position + 1] = min(one.max_hp / 100, codes.LARGEST_SEEN)
    seen[position + 2] = one.resource / max(one.max_resource, 1)
    seen[position + 3] = min(one.resource / 10, codes.LARGEST_SEEN)
    seen[position + 4] = min(one.armor / 100, codes.LARGEST_SEEN)
    seen[position + 5] = min(one.resistance / 100, codes.LARGEST_SEEN)
    seen[position + 6] = min(one.level / 10, codes.LARGEST_SEEN)
    seen[position + 7] = 1.0 if one.boss != 0 else 0.0
    seen[position + 8] = 1.0 if index == acting else 0.0
    for condition in range(len(codes.CONDITIONS)):
        seen[position + 9 + condition] = 1.0 if has_condition(one, condition) else 0.0


@kernel
def see_lasting(battle, side: int, seen, first: int) -> None:
    """Write the numbers of participants, how long conditions last, and the queues of a side's own participants.

    All 0 for participants that are not seen.
    """
    for slot in range(codes.SLOTS):
        one = participant_at(battle, slot ^ (codes.SIDE_SLOTS if side == codes.DUNGEON else 0))
        is_seen = seen[codes.RUN_FEATURES + slot * codes.PARTICIPANT_FEATURES] != 0.0
        see_numbers(one, is_seen, seen, first + slot * codes.PARTICIPANT_LASTING)
        if slot < codes.SIDE_SLOTS:
            position = first + codes.SLOTS * codes.PARTICIPANT_LASTING + slot * codes.QUEUE_LASTING
            see_queue(battle, one, is_seen, seen, position)


@kernel
def see_numbers(one, is_seen: bool, seen, position: int) -> None:
    """Write a participant's numbers and what its conditions do; all 0 if it is not seen."""
    if not is_seen:
        for entry in range(codes.PARTICIPANT_LASTING):
            seen[position + entry] = 0.0
        return
    seen[position] = one.armor / 100
    seen[position + 1] = one.resistance / 100
    seen[position + 2] = one.evasion / 100
    seen[position + 3] = one.regeneration / 10
    seen[position + 4] = one.guard / 100
    seen[position + 5] = one.max_hp / 100
    seen[position + 6] = one.damage_pct / 100
    seen[position + 7] = one.weapon_speed / 100
    seen[position + 8] = one.weapon.low / 100
    seen[position + 9] = one.weapon.high / 100
    position += len(codes.LASTING_OF_A_PARTICIPANT)
    for number in range(len(codes.ATTRIBUTES)):
        seen[position + number] = one.attributes[number] / 100
    position += len(codes.ATTRIBUTES)
    for condition in range(len(codes.CONDITIONS)):
        has = has_condition(one, condition)
        seen[position + 2 * condition] = one.afflictions[condition].rounds / 10 if has else 0.0
        seen[position + 2 * condition + 1] = one.afflictions[condition].potency / 100 if has else 0.0


@kernel
def see_queue(battle, one, is_seen: bool, seen, position: int) -> None:
    """Write which skill stands in each slot of a queue, its number from 1 on, and how long it cools down."""
    for number in range(codes.MAX_QUEUE):
        skill = 0.0
        wait = 0.0
        if is_seen and number < one.slot_count:
            slot = queue_slot_at(battle, one, number)
            skill = (slot.skill + 1) / codes.MAX_SKILLS
            wait = rounds_to_wait(battle, one, slot) / 10
        seen[position + 2 * number] = skill
        seen[position + 2 * number + 1] = wait
