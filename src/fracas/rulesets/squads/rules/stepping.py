"""A battle for agents, turn by turn: what a side sees, what its unit may do, and the turns until its next decision."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import open_address
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.kernel.sides import other_side
from fracas.kernel.stepping import place_of, scripted, stepper
from fracas.rulesets.squads.rules.constants import (
    ACTING_FEATURE,
    BASIC,
    BY_CHARGE,
    BY_DEFAULT,
    BY_STRONGEST_ALLY,
    BY_TANK_ALLY,
    CHOICE_COUNT,
    CLASS_ABILITY,
    CLASS_COUNT,
    LARGEST_SEEN,
    LAST_SLOT,
    MAX_CHARGE,
    ONE_ALLY,
    ONE_ENEMY,
    SIDE_SLOTS,
    SLOTS,
    TARGETS,
    ULTIMATE,
    UNDECIDED,
    UNIT_FEATURES,
)
from fracas.rulesets.squads.rules.entry_points import write_result
from fracas.rulesets.squads.rules.mechanics import act, act_on, begin_turn, reaches_one, set_up, start_round
from fracas.rulesets.squads.rules.outcome import announce_outcome, decide_if_wiped_out, end_round
from fracas.rulesets.squads.rules.policies import choose_action
from fracas.rulesets.squads.rules.targeting import count_candidates, select_ally
from fracas.rulesets.squads.rules.units import ability_of, current_attack, unit_at


@kernel
def begin(battle: Any, agents: Any, cursor: Any, log: Any) -> None:
    """Set a battle up and play to the first decision of an agent.

    Rule:    README, Order of play.
    Changes: the battle, the cursor.
    Draws:   as play_round.
    Emits:   nothing.
    """
    set_up(battle, log)
    start_round(battle, log)
    cursor[0] = 0
    advance(battle, agents, cursor, log)


@kernel
def take(battle: Any, agents: Any, actions: Any, cursor: Any, log: Any) -> None:
    """The unit whose turn it is does what its side's agent chose; then play to the next decision of an agent.

    Rule:    README, A turn, step 3.
    Changes: the battle, the cursor.
    Draws:   as act_on, then as play_round.
    Emits:   nothing.
    """
    unit = unit_at(battle, battle.order_keys[cursor[0] & LAST_SLOT])
    action = actions[place_of(agents, unit.side)]
    open_address(battle.dice, battle.tick, unit.index)
    act_on(battle, unit, action // TARGETS, target_of(unit.side, action), log, None)
    decide_if_wiped_out(battle)
    cursor[0] += 1
    advance(battle, agents, cursor, log)


@kernel
def advance(battle: Any, agents: Any, cursor: Any, log: Any) -> None:
    """Play on until a unit of an agent's side may choose, or the battle is decided.

    Rule:    README, A round.
    Changes: the battle, the cursor.
    Draws:   as play_round.
    Emits:   nothing.
    """
    while battle.reason == UNDECIDED:
        if cursor[0] >= battle.order_count:
            end_round(battle, log)
            if battle.reason == UNDECIDED:
                start_round(battle, log)
                cursor[0] = 0
            continue
        unit = unit_at(battle, battle.order_keys[cursor[0] & LAST_SLOT])
        if unit.hp > 0:
            if begin_turn(battle, unit, log):
                if place_of(agents, unit.side) != NOBODY:
                    return
                choice = choose_action(battle, unit)
                open_address(battle.dice, battle.tick, unit.index)
                act(battle, unit, choice, log, None)
            decide_if_wiped_out(battle)
        cursor[0] += 1


@kernel
def actor_of(battle: Any, side: int, cursor: Any) -> int:
    """The unit that a side decides for now; NOBODY while the other side decides and once the battle is over.

    Rule:    README, A round.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.reason == UNDECIDED:
        unit = unit_at(battle, battle.order_keys[cursor[0] & LAST_SLOT])
        if unit.side == side:
            return unit.index
    return NOBODY


@kernel
def target_of(side: int, action: int) -> int:
    """The index of the unit that an action is aimed at; NOBODY if it is not aimed.

    Rule:    docs/reference/environments.md, squads. An agent counts its own slots from 0 and the enemy's from 8.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    target = action % TARGETS
    if target == SLOTS:
        return NOBODY
    return target ^ (SIDE_SLOTS if side == 1 else 0)


@kernel
def encode(battle: Any, side: int, choice: int, target: int) -> int:
    """The action of a choice and a target; NOBODY if there is none.

    Rule:    docs/reference/environments.md, squads.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if choice < 0 or choice >= CHOICE_COUNT or target < NOBODY or target >= SLOTS:
        return NOBODY
    if target == NOBODY:
        return choice * TARGETS + SLOTS
    return choice * TARGETS + (target ^ (SIDE_SLOTS if side == 1 else 0))


@kernel
def is_ready(battle: Any, unit: Any, choice: int) -> bool:
    """Whether an ability could be used now.

    Rule:    README, A turn, step 2.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if choice == BASIC:
        return True
    if choice == CLASS_ABILITY:
        return unit.cooldown == 0
    if battle.options.ultimate_rule == BY_CHARGE:
        return unit.charge >= MAX_CHARGE
    return unit.ultimate_cooldown == 0


@kernel
def order_of(unit: Any, choice: int) -> Any:
    """The order of a choice.

    Rule:    README, A turn, step 2.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    order = unit.basic
    if choice == CLASS_ABILITY:
        order = unit.class_ability
    elif choice == ULTIMATE:
        order = unit.ultimate
    return order


@kernel
def legal_actions(battle: Any, side: int, cursor: Any, mask: Any) -> None:
    """Everything that a side's unit could do in its turn if its strategy said so: 1, else 0.

    Of enemies every candidate; of allies those that a selector can find, and itself. What a side's list of allies finds
    is what the list says, and no other choice.

    Rule:    README, A turn, step 2; Reach and targets.
    Changes: the mask; battle.selected_by, selected_entry.
    Draws:   none.
    Emits:   nothing.
    """
    for action in range(CHOICE_COUNT * TARGETS):
        mask[action] = 0
    acting = actor_of(battle, side, cursor)
    if acting == NOBODY:
        return
    unit = unit_at(battle, acting)
    for choice in range(CHOICE_COUNT):
        if is_ready(battle, unit, choice):
            ability = ability_of(battle, order_of(unit, choice))
            if not reaches_one(ability):
                mask[encode(battle, unit.side, choice, NOBODY)] = 1
            elif ability.reach == ONE_ENEMY:
                enemies = other_side(battle, unit)
                taunted = count_candidates(battle, enemies) < enemies.living
                for index in range(enemies.first, enemies.first + enemies.unit_count):
                    one = unit_at(battle, index)
                    if one.hp > 0 and (one.taunt_until > 0 or not taunted):
                        mask[encode(battle, unit.side, choice, index)] = 1
            else:
                mask[encode(battle, unit.side, choice, unit.index)] = 1
                if ability.reach == ONE_ALLY:
                    mask[encode(battle, unit.side, choice, select_ally(battle, unit, BY_DEFAULT, ability))] = 1
                    mask[encode(battle, unit.side, choice, select_ally(battle, unit, BY_TANK_ALLY, ability))] = 1
                    mask[encode(battle, unit.side, choice, select_ally(battle, unit, BY_STRONGEST_ALLY, ability))] = 1


@kernel
def observe(battle: Any, agents: Any, cursor: Any, seen: Any, masks: Any, anew: bool) -> None:
    """What agents see, and what a unit may do if it is its turn. Both sides see the same, each its own units first.

    Rule:    docs/reference/environments.md, squads.
    Changes: seen, masks.
    Draws:   none.
    Emits:   nothing.
    """
    for number in range(len(agents)):
        legal_actions(battle, agents[number], cursor, masks[number])
    first = agents[0]
    acting = actor_of(battle, first, cursor)
    seen[0, 0] = min(battle.tick / battle.options.round_cap, 1.0)
    for slot in range(SLOTS):
        unit = unit_at(battle, slot ^ (SIDE_SLOTS if first == 1 else 0))
        see_unit(battle, unit, acting, seen[0], 1 + slot * UNIT_FEATURES, anew)
    if len(agents) > 1:
        see_from_other_side(battle, agents, cursor, seen)


@kernel
def see_from_other_side(battle: Any, agents: Any, cursor: Any, seen: Any) -> None:
    """Copy what the first agent sees to the second, whose own units come first; each sees whom it decides for itself.

    Rule:    docs/reference/environments.md, squads.
    Changes: seen.
    Draws:   none.
    Emits:   nothing.
    """
    half = SIDE_SLOTS * UNIT_FEATURES
    seen[1, 0] = seen[0, 0]
    for entry in range(half):
        seen[1, 1 + entry] = seen[0, 1 + half + entry]
    for entry in range(half):
        seen[1, 1 + half + entry] = seen[0, 1 + entry]
    for slot in range(SLOTS):
        seen[1, 1 + slot * UNIT_FEATURES + ACTING_FEATURE] = 0.0
    acting = actor_of(battle, agents[1], cursor)
    if acting != NOBODY:
        slot = acting ^ (SIDE_SLOTS if agents[1] == 1 else 0)
        seen[1, 1 + slot * UNIT_FEATURES + ACTING_FEATURE] = 1.0


@kernel
def see_unit(battle: Any, unit: Any, acting: int, seen: Any, place: int, anew: bool) -> None:
    """Write down what is to be seen of a unit; all 0 in an empty slot and once it has fallen.

    Rule:    docs/reference/environments.md, squads.
    Changes: seen.
    Draws:   none.
    Emits:   nothing.
    """
    if unit.hp == 0:
        # The share of HP is never 0 while a unit lives, so this tells whether its entries are 0 already.
        if anew or seen[place] != 0.0:
            for entry in range(UNIT_FEATURES):
                seen[place + entry] = 0.0
        return
    # Divisions are what takes longest here: one for the shares, and products for the rest.
    share = 1.0 / unit.max_hp
    seen[place] = unit.hp * share
    seen[place + 2] = min(current_attack(unit) * 0.01, LARGEST_SEEN)
    seen[place + 5] = unit.charge * (1.0 / MAX_CHARGE)
    seen[place + 6] = min(unit.cooldown * 0.1, 1.0)
    seen[place + 7] = min(unit.ultimate_cooldown * 0.1, 1.0)
    seen[place + 8] = min(unit.shield * share, 1.0)
    seen[place + 9] = 1.0 if unit.taunt_until > 0 else 0.0
    seen[place + 10] = 1.0 if unit.stunned != 0 else 0.0
    seen[place + 11] = min(unit.wound * unit.wound_strikes * share, 1.0)
    seen[place + ACTING_FEATURE] = 1.0 if unit.index == acting else 0.0
    if anew:
        seen[place + 1] = min(unit.max_hp * 0.01, LARGEST_SEEN)
        seen[place + 3] = min(unit.defense * 0.01, LARGEST_SEEN)
        seen[place + 4] = min(unit.speed * 0.01, LARGEST_SEEN)
        for role in range(CLASS_COUNT):
            seen[place + 13 + role] = 1.0 if unit.role == role else 0.0


step_many = stepper(begin, take, observe, last_hot="units")
play_script = scripted(begin, take, legal_actions, actor_of, encode, announce_outcome, write_result)
