"""A run or a fight for agents: what a side sees and may do, and what happens up to its next decision."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import open_address
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel
from fracas.kernel.sides import other_side, own_side
from fracas.kernel.stepping import place_of, scripted, stepper
from fracas.rulesets.delve.rules.combat import (
    begin_turn,
    end_round,
    pay,
    reached,
    set_up_combat,
    start_round,
    take_turn,
    tell_rout,
    use_skill,
)
from fracas.rulesets.delve.rules.constants import (
    ACTIONS,
    AGENT_SELECTOR,
    AT_ENCOUNTER,
    AT_OPTION,
    BASE_CHANCE,
    CONDITIONS,
    DECISION,
    DUNGEON,
    ENCOUNTER_TYPES,
    FIRST_OPTION,
    IN_FIGHT,
    LARGEST_SEEN,
    LAST_SLOT,
    MAX_OPTIONS,
    MAX_QUEUE,
    PARTICIPANT_FEATURES,
    PARTY,
    PASS_EVENT,
    PASSING,
    PUZZLE,
    RUN_FEATURES,
    SIDE_SLOTS,
    SLOTS,
    TARGET_EVENT,
    TARGETS,
    UNDECIDED,
)
from fracas.rulesets.delve.rules.entry_points import write_result
from fracas.rulesets.delve.rules.participants import is_for_one, participant_at, queue_slot_at, skill_at
from fracas.rulesets.delve.rules.policies import has_target, is_ready
from fracas.rulesets.delve.rules.rolls import held_to_chance
from fracas.rulesets.delve.rules.run.encounters import best_value
from fracas.rulesets.delve.rules.run.run import (
    announce_outcome,
    end_fight,
    go_through,
    meet_encounter,
    move_on,
    set_out,
    tell_encounter_end,
)
from fracas.rulesets.delve.rules.status_conditions import has_condition
from fracas.rulesets.delve.rules.targeting import count_candidates, nth_candidate


@kernel
def begin(battle: Any, agents: Any, cursor: Any, log: Any) -> None:
    """The party sets out; play to the first decision of an agent.

    Rule:    README, A run, step 1.
    Changes: the battle, the cursor.
    Draws:   as resolve_run.
    Emits:   as resolve_run.
    """
    set_out(battle, log)
    cursor[0] = AT_ENCOUNTER
    cursor[1] = 0
    advance(battle, agents, cursor, log)


@kernel
def take(battle: Any, agents: Any, actions: Any, cursor: Any, log: Any) -> None:
    """What the agent chose happens: an option is taken, or a participant acts; then play to the next decision.

    Rule:    README, A turn, step 4; Traps, decisions, hazards, rest, puzzles.
    Changes: the battle, the cursor.
    Draws:   as resolve_run.
    Emits:   as resolve_run.
    """
    if cursor[0] == AT_OPTION:
        go_through(battle, actions[place_of(agents, PARTY)] - FIRST_OPTION, log)
        go_on_from_encounter(battle, cursor, log)
    else:
        actor = participant_at(battle, battle.order_keys[cursor[1] & LAST_SLOT])
        act_on(battle, actor, actions[place_of(agents, actor.side)], log)
        end_turn(battle, cursor, log)
    advance(battle, agents, cursor, log)


@kernel
def advance(battle: Any, agents: Any, cursor: Any, log: Any) -> None:
    """Play on until an agent has to decide, or everything is over.

    Rule:    README, A run; A round.
    Changes: the battle, the cursor.
    Draws:   as resolve_run.
    Emits:   as resolve_run.
    """
    while battle.reason == UNDECIDED:
        if cursor[0] == AT_ENCOUNTER:
            meet_encounter(battle, log)
            kind = battle.encounters[battle.encounter].type
            if (kind == DECISION or kind == PUZZLE) and place_of(agents, PARTY) != NOBODY:
                cursor[0] = AT_OPTION
                return
            go_through(battle, NOBODY, log)
            go_on_from_encounter(battle, cursor, log)
        elif cursor[1] >= battle.order_count:
            outcome = end_round(battle, log)
            if outcome == UNDECIDED:
                start_round(battle, log)
                cursor[1] = 0
            else:
                end_fight(battle, outcome)
                leave_encounter(battle, cursor, log)
        else:
            actor = participant_at(battle, battle.order_keys[cursor[1] & LAST_SLOT])
            if actor.hp > 0:
                if place_of(agents, actor.side) == NOBODY:
                    take_turn(battle, actor, log)
                elif begin_turn(battle, actor, log):
                    return
                end_turn(battle, cursor, log)
            else:
                cursor[1] += 1


@kernel
def go_on_from_encounter(battle: Any, cursor: Any, log: Any) -> None:
    """After what is no fight: the fight that it led to begins, or the encounter is over.

    Rule:    README, An encounter.
    Changes: the battle, the cursor.
    Draws:   as set_up_combat, or as move_on.
    Emits:   as set_up_combat and start_round, or as leave_encounter.
    """
    if battle.fought_count > 0:
        set_up_combat(battle, log)
        start_round(battle, log)
        cursor[0] = IN_FIGHT
        cursor[1] = 0
    else:
        leave_encounter(battle, cursor, log)


@kernel
def leave_encounter(battle: Any, cursor: Any, log: Any) -> None:
    """The encounter is over, and the next one comes, if there is one.

    Rule:    README, A run, step 2.
    Changes: the battle, the cursor.
    Draws:   as move_on.
    Emits:   ENCOUNTER_END, then as move_on.
    """
    tell_encounter_end(battle, log)
    move_on(battle, log)
    cursor[0] = AT_ENCOUNTER


@kernel
def end_turn(battle: Any, cursor: Any, log: Any) -> None:
    """After a turn comes the next one, or the round's end if a side has nobody alive.

    Rule:    README, A round, step 2.
    Changes: the cursor.
    Draws:   none.
    Emits:   ROUT if a side has nobody alive.
    """
    cursor[1] += 1
    if battle.sides[PARTY].living == 0 or battle.sides[DUNGEON].living == 0:
        if log is not None:
            tell_rout(battle, cursor[1], log)
        cursor[1] = battle.order_count


@kernel
def act_on(battle: Any, actor: Any, action: int, log: Any) -> None:
    """A participant uses the slot of its queue that an agent chose, on whom it chose, or passes.

    Rule:    README, A turn, step 4.
    Changes: the battle.
    Draws:   opens (tick, slot); then for each target as apply_skill.
    Emits:   PASS; or USE, TARGET for a skill for one, then as use_skill.
    """
    if action == PASSING:
        if log is not None:
            emit(log, battle.tick, PASS_EVENT, actor.number, NOBODY, actor.slot_count, 0, 0, 0)
        return
    place = action // TARGETS
    pay(battle, actor, place, log)
    open_address(battle.dice, battle.tick, actor.index)
    slot = queue_slot_at(battle, actor, place)
    skill = skill_at(battle, slot.skill)
    if is_for_one(skill):
        first = target_of(actor.side, action)
        end = first + 1
        battle.selected_roll = NOBODY
        if log is not None:
            number, among = participant_at(battle, first).number, count_candidates(battle, actor, skill)
            emit(log, battle.tick, TARGET_EVENT, actor.number, number, AGENT_SELECTOR, among, NOBODY, 0)
    else:
        first, end = reached(battle, actor, slot, log)
    use_skill(battle, actor, slot.skill, first, end, log)


@kernel
def actor_of(battle: Any, side: int, cursor: Any) -> int:
    """The slot of the participant that a side decides for now; the first member's for an option; NOBODY else.

    Rule:    README, A round.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.reason != UNDECIDED:
        return NOBODY
    if cursor[0] == AT_OPTION:
        return 0 if side == PARTY else NOBODY
    actor = participant_at(battle, battle.order_keys[cursor[1] & LAST_SLOT])
    return actor.index if actor.side == side else NOBODY


@kernel
def target_of(side: int, action: int) -> int:
    """The slot that an action is aimed at; NOBODY if it is not aimed.

    Rule:    docs/reference/environments.md, delve. An agent counts its own slots from 0 and the enemy's from 8.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    target = action % TARGETS
    if target == SLOTS:
        return NOBODY
    return target ^ (SIDE_SLOTS if side == DUNGEON else 0)


@kernel
def encode(battle: Any, side: int, choice: int, target: int) -> int:
    """The action of a choice and a target; NOBODY if there is none.

    A choice is a place in the queue; NOBODY for passing; MAX_QUEUE and more for an option.

    Rule:    docs/reference/environments.md, delve.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if target < NOBODY or target >= SLOTS or choice < NOBODY or choice >= MAX_QUEUE + MAX_OPTIONS:
        return NOBODY
    if choice == NOBODY:
        return PASSING
    if choice >= MAX_QUEUE:
        return FIRST_OPTION + choice - MAX_QUEUE
    if target == NOBODY:
        return choice * TARGETS + SLOTS
    return choice * TARGETS + (target ^ (SIDE_SLOTS if side == DUNGEON else 0))


@kernel
def legal_actions(battle: Any, side: int, cursor: Any, mask: Any) -> None:
    """What a side may do: options; or slots of the queue that are ready, on each candidate, and passing. 1, else 0.

    A skill that stands in several slots of a queue is legal in the first alone.

    Rule:    README, A turn, step 3, without the conditions; Traps, decisions, hazards, rest, puzzles.
    Changes: the mask.
    Draws:   none.
    Emits:   nothing.
    """
    for action in range(ACTIONS):
        mask[action] = 0
    index = actor_of(battle, side, cursor)
    if index == NOBODY:
        return
    if cursor[0] == AT_OPTION:
        for place in range(battle.encounters[battle.encounter].option_count):
            mask[FIRST_OPTION + place] = 1
        return
    actor = participant_at(battle, index)
    mask[PASSING] = 1
    for place in range(min(actor.slot_count, MAX_QUEUE)):
        slot = queue_slot_at(battle, actor, place)
        if (
            is_ready(battle, actor, slot)
            and has_target(battle, actor, slot)
            and is_first_of_its_skill(battle, actor, place)
        ):
            skill = skill_at(battle, slot.skill)
            if not is_for_one(skill):
                mask[encode(battle, side, place, NOBODY)] = 1
            else:
                whom = other_side(battle, actor) if skill.hostile else own_side(battle, actor)
                for number in range(count_candidates(battle, actor, skill)):
                    mask[encode(battle, side, place, nth_candidate(battle, whom, skill, number))] = 1


@kernel
def is_first_of_its_skill(battle: Any, actor: Any, place: int) -> bool:
    """Whether no slot above this one in a queue has the same skill.

    Rule:    docs/reference/environments.md, delve.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    skill = queue_slot_at(battle, actor, place).skill
    first = place
    for above in range(place - 1, -1, -1):
        if queue_slot_at(battle, actor, above).skill == skill:
            first = above
    return first == place


@kernel
def observe(battle: Any, agents: Any, cursor: Any, seen: Any, masks: Any, anew: bool) -> None:
    """What agents see, and what they may do if they have to decide.

    Rule:    docs/reference/environments.md, delve.
    Changes: seen, masks.
    Draws:   none.
    Emits:   nothing.
    """
    for number in range(len(agents)):
        side = agents[number]
        legal_actions(battle, side, cursor, masks[number])
        see_run(battle, cursor, seen[number])
        acting = actor_of(battle, side, cursor)
        for slot in range(SLOTS):
            index = slot ^ (SIDE_SLOTS if side == DUNGEON else 0)
            whose = battle.sides[PARTY if index < SIDE_SLOTS else DUNGEON]
            is_there = index - whose.first < whose.count and (index < SIDE_SLOTS or cursor[0] == IN_FIGHT)
            place = RUN_FEATURES + slot * PARTICIPANT_FEATURES
            see_participant(battle, index, is_there, acting, seen[number], place, anew)


@kernel
def see_run(battle: Any, cursor: Any, seen: Any) -> None:
    """Write down how far a run has come, what kind of encounter is at hand, and how likely its options succeed.

    Rule:    docs/reference/environments.md, delve.
    Changes: seen.
    Draws:   none.
    Emits:   nothing.
    """
    encounter = battle.encounters[min(battle.encounter, battle.encounter_count - 1)]
    seen[0] = min(battle.encounter / max(battle.encounter_count, 1), 1.0)
    seen[1] = min(battle.combat_round / battle.options.round_cap, 1.0)
    seen[2] = 1.0 if cursor[0] == AT_OPTION else 0.0
    for kind in range(len(ENCOUNTER_TYPES)):
        seen[3 + kind] = 1.0 if encounter.type == kind else 0.0
    for place in range(MAX_OPTIONS):
        chance = 0.0
        if cursor[0] == AT_OPTION and place < encounter.option_count:
            option = battle.decision_options[encounter.first_option + place]
            chance = 1.0
            if option.check != 0:
                value = best_value(battle, option.check)
                chance = held_to_chance(BASE_CHANCE + value - option.difficulty - battle.difficulty.check) / 100
        seen[3 + len(ENCOUNTER_TYPES) + place] = chance


@kernel
def see_participant(battle: Any, index: int, is_there: bool, acting: int, seen: Any, place: int, anew: bool) -> None:
    """Write down what is to be seen of a participant; all 0 where nobody living stands.

    Rule:    docs/reference/environments.md, delve.
    Changes: seen.
    Draws:   none.
    Emits:   nothing.
    """
    one = participant_at(battle, index)
    if not is_there or one.hp == 0:
        # The share of HP is never 0 while a participant lives, so this tells whether its entries are 0 already.
        if anew or seen[place] != 0.0:
            for entry in range(PARTICIPANT_FEATURES):
                seen[place + entry] = 0.0
        return
    seen[place] = one.hp / one.max_hp
    seen[place + 1] = min(one.max_hp / 100, LARGEST_SEEN)
    seen[place + 2] = one.resource / max(one.max_resource, 1)
    seen[place + 3] = min(one.resource / 10, LARGEST_SEEN)
    seen[place + 4] = min(one.armor / 100, LARGEST_SEEN)
    seen[place + 5] = min(one.resistance / 100, LARGEST_SEEN)
    seen[place + 6] = min(one.level / 10, LARGEST_SEEN)
    seen[place + 7] = 1.0 if one.boss != 0 else 0.0
    seen[place + 8] = 1.0 if index == acting else 0.0
    for condition in range(len(CONDITIONS)):
        seen[place + 9 + condition] = 1.0 if has_condition(one, condition) else 0.0


step_many = stepper(begin, take, observe, last_hot="sides")
play_script = scripted(begin, take, legal_actions, actor_of, encode, announce_outcome, write_result)
