"""The rules of squads, in the order of play. squads/README.md is the rule book that every function cites.

Damage is in damage.py, every other effect in effects.py, decisions in policies.py, targets in targeting.py.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import TABLE, open_address, tie_word
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel
from fracas.kernel.networks import has_network
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.squads.rules.constants import (
    AGENT_SELECTOR,
    ALL_ENEMIES,
    BATTLE_EVENT,
    BY_AGENT,
    CHOICE_EVENT,
    CLASS_ABILITY,
    DAMAGE,
    DAMAGE_OVER_TIME,
    DRAW,
    HEAL,
    INITIATIVE_EVENT,
    LAST_SLOT,
    NEVER,
    ROUND_EVENT,
    SHIELD,
    SLOTS,
    STUN,
    STUNNED_EVENT,
    TARGET_EVENT,
    TARGETS,
    ULTIMATE,
    UNDECIDED,
)
from fracas.rulesets.squads.rules.damage import gain_charge, strike
from fracas.rulesets.squads.rules.effects import alter, heal, raise_shield, stun, wound
from fracas.rulesets.squads.rules.observation import target_of
from fracas.rulesets.squads.rules.outcome import decide_if_wiped_out, end_round
from fracas.rulesets.squads.rules.policies import choose_action
from fracas.rulesets.squads.rules.strike_table import first_strike
from fracas.rulesets.squads.rules.targeting import count_choices, select_target
from fracas.rulesets.squads.rules.trained import trained_action
from fracas.rulesets.squads.rules.units import ability_of, reaches_one, unit_at

_SPEED_CEILING = 1 << 24


@kernel
def set_up(battle: Any, log: Any) -> None:
    """Round 0: every unit starts at full HP, without charge, cooldowns or effects.

    Rule:    squads/README.md, Set-up.
    Changes: everything that a battle changes.
    Draws:   none.
    Emits:   BATTLE.
    """
    battle.tick = 0
    battle.winner = DRAW
    battle.reason = UNDECIDED
    battle.wounded_until = 0
    battle.next_expiry = NEVER
    for index in range(SLOTS):
        unit = unit_at(battle, index)
        if unit.max_hp > 0:
            refresh(unit)
    for place in range(len(battle.sides)):
        side = battle.sides[place]
        side.living = side.unit_count
    if log is not None:
        emit(log, 0, BATTLE_EVENT, NOBODY, NOBODY, battle.sides[0].living, battle.sides[1].living, 0, 0)


@kernel
def refresh(unit: Any) -> None:
    """Reset a unit to the state in which it enters a battle.

    Rule:    squads/README.md, Set-up.
    Changes: the unit.
    Draws:   none.
    Emits:   nothing.
    """
    unit.hp = unit.max_hp
    unit.charge = 0
    unit.cooldown = 0
    unit.ultimate_cooldown = 0
    unit.shield = 0
    unit.shield_until = 0
    unit.attack_up = 0
    unit.attack_up_until = 0
    unit.attack_down = 0
    unit.attack_down_until = 0
    unit.taunt_until = 0
    unit.stunned = 0
    unit.just_stunned = 0
    unit.wound = 0
    unit.wound_strikes = 0
    unit.wound_source = NOBODY


@kernel
def play_round(battle: Any, log: Any, plugins: Any) -> None:
    """Play one round: settle the order, let every living unit act, end the round.

    Rule:    squads/README.md, A round.
    Changes: the battle.
    Draws:   as the functions below, in their order.
    Emits:   as the functions below.
    """
    start_round(battle, log)
    take_turns(battle, 0, log, plugins)


@kernel
def take_turns(battle: Any, first: int, log: Any, plugins: Any) -> None:
    """Let every living unit act, from a place in the round's order on, then end the round.

    Rule:    squads/README.md, A round.
    Changes: the battle.
    Draws:   as the functions below, in their order.
    Emits:   as the functions below.
    """
    for place in range(first, battle.order_count):
        unit = unit_at(battle, battle.order_keys[place])
        if unit.hp > 0:
            take_turn(battle, unit, log, plugins)
            decide_if_wiped_out(battle)
            if battle.reason != UNDECIDED:
                return
    end_round(battle, log)


@kernel
def start_round(battle: Any, log: Any) -> None:
    """Start a round and settle its order: speed descending, then the table's word ascending, then index.

    Rule:    squads/README.md, Initiative. A key packs the three into one number, smallest first. Speeds never change,
             so units are already sorted by speed, and the words only break ties.
    Changes: battle.tick, battle.drawn, battle.order_keys, battle.order_count.
    Draws:   word() for every unit slot, living or not, from (round, table).
    Emits:   ROUND, then INITIATIVE for every living unit in the order of play.
    """
    battle.tick += 1
    open_address(battle.dice, battle.tick, TABLE)
    for index in range(SLOTS):
        battle.drawn[index] = tie_word(battle.dice)
    count = 0
    for rank in range(battle.fielded):
        unit = unit_at(battle, battle.by_speed[rank])
        if unit.hp > 0:
            key = (_SPEED_CEILING - unit.speed) << 36 | battle.drawn[unit.index & LAST_SLOT] << 4 | unit.index
            place = count
            while place > 0 and battle.order_keys[place - 1] > key:
                battle.order_keys[place] = battle.order_keys[place - 1]
                place -= 1
            battle.order_keys[place] = key
            count += 1
    battle.order_count = count
    if log is not None:
        emit(log, battle.tick, ROUND_EVENT, NOBODY, NOBODY, battle.sides[0].living, battle.sides[1].living, 0, 0)
        for place in range(count):
            key = battle.order_keys[place]
            unit = unit_at(battle, key)
            high, low = key >> 20 & 0xFFFF, key >> 4 & 0xFFFF
            emit(log, battle.tick, INITIATIVE_EVENT, unit.index, NOBODY, place + 1, unit.speed, low, high)


@kernel
def take_turn(battle: Any, unit: Any, log: Any, plugins: Any) -> None:
    """Play a unit's turn: lower its cooldowns, then lose the turn to a stun, or choose and act.

    Rule:    squads/README.md, A turn.
    Changes: the battle.
    Draws:   as choose_and_act, unless stunned.
    Emits:   STUNNED, or as choose_and_act.
    """
    if begin_turn(battle, unit, log):
        choose_and_act(battle, unit, log, plugins)


@kernel
def choose_and_act(battle: Any, unit: Any, log: Any, plugins: Any) -> None:
    """Let a unit's strategy or trained policy choose, and carry it out.

    Rule:    squads/README.md, A turn, steps 2 and 3.
    Changes: the battle.
    Draws:   opens (round, the unit's index); then as use_ability.
    Emits:   CHOICE and what use_ability emits.
    """
    if has_network(battle.networks[unit.side & 1]):
        choice = trained_action(battle, unit) // TARGETS
        battle.ultimate_verdict = BY_AGENT
        battle.class_verdict = BY_AGENT
    else:
        choice = choose_action(battle, unit)
    open_address(battle.dice, battle.tick, unit.index)
    act(battle, unit, choice, log, plugins)


@kernel
def begin_turn(battle: Any, unit: Any, log: Any) -> bool:
    """Begin a unit's turn: lower its cooldowns; false if it loses the turn to a stun.

    Rule:    squads/README.md, A turn, steps 1 and 2.
    Changes: the unit.
    Draws:   none.
    Emits:   STUNNED if the turn is lost.
    """
    recover(unit)
    if unit.stunned:
        unit.stunned = 0
        unit.just_stunned = 1
        if log is not None:
            emit(log, battle.tick, STUNNED_EVENT, unit.index, NOBODY, 0, 0, 0, 0)
        return False
    unit.just_stunned = 0
    return True


@kernel
def recover(unit: Any) -> None:
    """Lower a unit's cooldowns by one round.

    Rule:    squads/README.md, A turn, step 1.
    Changes: the unit's cooldowns.
    Draws:   none.
    Emits:   nothing.
    """
    if unit.cooldown > 0:
        unit.cooldown -= 1
    if unit.ultimate_cooldown > 0:
        unit.ultimate_cooldown -= 1


@kernel
def act(battle: Any, unit: Any, choice: int, log: Any, plugins: Any) -> None:
    """Pay for the chosen ability, use it, and gain charge for anything but an ultimate.

    Rule:    squads/README.md, A turn, step 3.
    Changes: the battle.
    Draws:   as use_ability.
    Emits:   CHOICE, what use_ability emits, CHARGE.
    """
    order = pay(battle, unit, choice)
    if log is not None:
        verdicts = battle.ultimate_verdict, battle.class_verdict
        emit(log, battle.tick, CHOICE_EVENT, unit.index, NOBODY, order.ability, choice, verdicts[0], verdicts[1])
    use_ability(battle, unit, order, first_strike(unit, choice), log, plugins)
    if choice != ULTIMATE:
        gain_charge(battle, unit, battle.options.charge_action, log)


@kernel
def act_on(battle: Any, unit: Any, choice: int, target: int, log: Any, plugins: Any) -> None:
    """As `act`, with a given choice and target instead of the strategy's.

    Rule:    squads/README.md, A turn, step 3; docs/adr/0023.
    Changes: the battle.
    Draws:   as apply_ability; a random selector's word too, so that other choices can be compared with the same dice.
    Emits:   CHOICE, TARGET for a single target, what apply_ability emits, CHARGE.
    """
    order = pay(battle, unit, choice)
    ability = ability_of(battle, order)
    if log is not None:
        emit(log, battle.tick, CHOICE_EVENT, unit.index, NOBODY, order.ability, choice, BY_AGENT, BY_AGENT)
    if reaches_one(ability):
        # Called only for its draws.
        select_target(battle, unit, order, ability)
        first, count = target, 1
        if log is not None:
            among = count_choices(battle, unit, ability)
            emit(log, battle.tick, TARGET_EVENT, unit.index, target, AGENT_SELECTOR, NOBODY, among, NOBODY)
    else:
        reached = other_side(battle, unit) if ability.reach == ALL_ENEMIES else own_side(battle, unit)
        first, count = reached.first, reached.unit_count
    for index in range(first, first + count):
        if unit_at(battle, index).hp > 0:
            apply_ability(battle, unit, unit_at(battle, index), ability, first_strike(unit, choice), log, plugins)
    if choice != ULTIMATE:
        gain_charge(battle, unit, battle.options.charge_action, log)


@kernel
def pay(battle: Any, unit: Any, choice: int) -> Any:
    """Start the chosen ability's cooldown, spend an ultimate's charge, and return the ability's order.

    Rule:    squads/README.md, A turn, step 3.
    Changes: the unit's charge and cooldowns.
    Draws:   none.
    Emits:   nothing.
    """
    order = unit.basic
    if choice == ULTIMATE:
        order = unit.ultimate
        unit.charge = 0
        unit.ultimate_cooldown = ability_of(battle, order).cooldown
    elif choice == CLASS_ABILITY:
        order = unit.class_ability
        unit.cooldown = ability_of(battle, order).cooldown
    return order


@kernel
def use_ability(battle: Any, unit: Any, order: Any, row: int, log: Any, plugins: Any) -> None:
    """Apply an ability to all its targets in index order; `row` is where its strikes begin in the strike table.

    Rule:    squads/README.md, Reach and targets.
    Changes: the battle.
    Draws:   below(candidates) for a random target; then per target as strike.
    Emits:   TARGET for a single target; then as apply_ability.
    """
    ability = ability_of(battle, order)
    if reaches_one(ability):
        target = chosen_target(battle, unit, order, ability)
        if log is not None:
            chosen = battle.selected_by, battle.selected_entry
            among, roll = count_choices(battle, unit, ability), battle.selected_roll
            emit(log, battle.tick, TARGET_EVENT, unit.index, target, chosen[0], chosen[1], among, roll)
        apply_ability(battle, unit, unit_at(battle, target), ability, row, log, plugins)
        return
    reached = other_side(battle, unit) if ability.reach == ALL_ENEMIES else own_side(battle, unit)
    for index in range(reached.first, reached.first + reached.unit_count):
        if unit_at(battle, index).hp > 0:
            apply_ability(battle, unit, unit_at(battle, index), ability, row, log, plugins)


@kernel
def chosen_target(battle: Any, unit: Any, order: Any, ability: Any) -> int:
    """The target of an ability for one: by the order's selector, or as a trained policy aimed.

    Rule:    squads/README.md, Reach and targets.
    Changes: battle.selected_by, selected_entry, selected_roll.
    Draws:   below(candidates) for a random target.
    Emits:   nothing.
    """
    if has_network(battle.networks[unit.side & 1]):
        battle.selected_by = AGENT_SELECTOR
        battle.selected_entry = NOBODY
        battle.selected_roll = NOBODY
        return target_of(unit.side, battle.thought.action)
    return select_target(battle, unit, order, ability)


@kernel
def apply_ability(battle: Any, unit: Any, target: Any, ability: Any, row: int, log: Any, plugins: Any) -> None:
    """Apply an ability's effects to one target in the listed order, for as long as it lives.

    Rule:    squads/README.md, Reach and targets.
    Changes: the battle.
    Draws:   as strike.
    Emits:   as the effects below.
    """
    for place in range(ability.effect_count):
        if target.hp == 0:
            return
        effect = ability.effects[place]
        kind = effect.kind
        if kind == DAMAGE:
            strike(battle, unit, target, effect, row + place, log, plugins)
        elif kind == HEAL:
            heal(battle, unit, target, effect, log)
        elif kind == SHIELD:
            raise_shield(battle, unit, target, effect, log)
        elif kind == STUN:
            stun(battle, unit, target, log)
        elif kind == DAMAGE_OVER_TIME:
            wound(battle, unit, target, effect, log)
        else:
            alter(battle, unit, target, effect, log)
