"""The rules of squads, in the order of play. squads/README.md is the rule book that every function cites.

Decisions are in policies.py, targets in targeting.py, damage in damage.py, every other effect in effects.py, and how
rounds and battles end in outcome.py.
"""

from __future__ import annotations

from fracas.kernel.dice import TABLE, open_address, tie_word
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.kernel.networks import has_network
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.damage import gain_charge, strike
from fracas.rulesets.squads.rules.effects import add_dot, apply_timed, clear_effects, heal, raise_shield, stun
from fracas.rulesets.squads.rules.events import (
    emit_battle,
    emit_choice,
    emit_initiative,
    emit_round,
    emit_stunned,
    emit_target,
)
from fracas.rulesets.squads.rules.observation import target_of
from fracas.rulesets.squads.rules.outcome import decide_if_wiped_out, end_round
from fracas.rulesets.squads.rules.policies import choose_action, trained_action
from fracas.rulesets.squads.rules.targeting import count_choices, select_target
from fracas.rulesets.squads.rules.units import ability_of, order_of, reached_side, reaches_one, unit_at

_SPEED_CEILING = 1 << 24
# Where a key of the round's order has the speed.
SPEED_SHIFT = 36


@kernel
def set_up(battle, log) -> None:
    """Round 0: every unit starts at full HP, without charge, cooldowns or effects (README, Set-up)."""
    battle.tick = 0
    battle.winner = codes.DRAW
    battle.reason = codes.UNDECIDED
    for index in range(codes.SLOTS):
        unit = unit_at(battle, index)
        if unit.max_hp > 0:
            refresh(unit)
    for number in range(len(battle.sides)):
        side = battle.sides[number]
        side.living = side.unit_count
    emit_battle(log, 0, battle.sides[0].living, battle.sides[1].living)


@kernel
def refresh(unit) -> None:
    """Reset a unit to the state in which it enters a battle (README, Set-up)."""
    unit.hp = unit.max_hp
    unit.charge = 0
    unit.cooldown = 0
    unit.ultimate_cooldown = 0
    clear_effects(unit)


@kernel
def play_round(battle, log, plugins) -> None:
    """Play one round: settle the order, let every living unit act, end the round (README, A round)."""
    start_round(battle, log)
    take_turns(battle, 0, log, plugins)


@kernel
def start_round(battle, log) -> None:
    """Start a round and settle its order: speed descending, then the table's word ascending, then index.

    A key packs the three into one number, smallest first. Speeds never change, so units are already sorted by speed,
    and the words only break ties.

    README, Initiative.
    """
    battle.tick += 1
    open_address(battle.dice, battle.tick, TABLE)
    for index in range(codes.SLOTS):
        battle.drawn[index] = tie_word(battle.dice)
    count = 0
    for rank in range(battle.fielded):
        unit = unit_at(battle, battle.by_speed[rank])
        if unit.hp > 0:
            slowness = _SPEED_CEILING - unit.speed
            key = slowness << SPEED_SHIFT | battle.drawn[unit.index & codes.LAST_SLOT] << 4 | unit.index
            turn = count
            while turn > 0 and battle.order_keys[turn - 1] > key:
                battle.order_keys[turn] = battle.order_keys[turn - 1]
                turn -= 1
            battle.order_keys[turn] = key
            count += 1
    battle.order_count = count
    if log is not None:
        emit_round(log, battle.tick, battle.sides[0].living, battle.sides[1].living)
        for turn in range(count):
            key = battle.order_keys[turn]
            unit = unit_at(battle, key)
            emit_initiative(log, battle.tick, unit.index, turn + 1, unit.speed, key >> 4 & 0xFFFFFFFF)


@kernel
def take_turns(battle, first: int, log, plugins) -> None:
    """Let every living unit act, from a turn of the round's order on, then end the round (README, A round)."""
    for turn in range(first, battle.order_count):
        unit = unit_at(battle, battle.order_keys[turn])
        if unit.hp > 0:
            take_turn(battle, unit, log, plugins)
            decide_if_wiped_out(battle)
            if battle.reason != codes.UNDECIDED:
                return
    end_round(battle, log)


@kernel
def take_turn(battle, unit, log, plugins) -> None:
    """Play a unit's turn: lower its cooldowns, then lose the turn to a stun, or choose and act (README, A turn)."""
    if begin_turn(battle, unit, log):
        choose_and_act(battle, unit, log, plugins)


@kernel
def begin_turn(battle, unit, log) -> bool:
    """Begin a unit's turn: lower its cooldowns; false if it loses the turn to a stun (README, A turn, steps 1 and 2).

    Changes: the unit.
    """
    tick_cooldowns(unit)
    if unit.stunned:
        unit.stunned = 0
        unit.just_stunned = 1
        emit_stunned(log, battle.tick, unit.index)
        return False
    unit.just_stunned = 0
    return True


@kernel
def tick_cooldowns(unit) -> None:
    """Lower a unit's cooldowns by one round (README, A turn, step 1)."""
    if unit.cooldown > 0:
        unit.cooldown -= 1
    if unit.ultimate_cooldown > 0:
        unit.ultimate_cooldown -= 1


@kernel
def choose_and_act(battle, unit, log, plugins) -> None:
    """Let a unit's strategy or trained policy choose, and carry it out (README, A turn, steps 3 to 5)."""
    if has_network(battle.networks[unit.side & 1]):
        choice = trained_action(battle, unit) // codes.TARGETS
        battle.ultimate_verdict = codes.BY_AGENT
        battle.class_verdict = codes.BY_AGENT
    else:
        choice = choose_action(battle, unit)
    open_address(battle.dice, battle.tick, unit.index)
    act(battle, unit, choice, log, plugins)


@kernel
def act(battle, unit, choice: int, log, plugins) -> None:
    """Pay for the chosen ability, use it, and gain charge for anything but an ultimate (README, A turn, steps 4, 5)."""
    order = pay(battle, unit, choice)
    emit_choice(log, battle.tick, unit.index, order.ability, choice, battle.ultimate_verdict, battle.class_verdict)
    ability = ability_of(battle, order)
    target = NOBODY
    if reaches_one(ability):
        target = chosen_target(battle, unit, order, ability)
        if log is not None:
            selector, entry = battle.selected_by, battle.selected_entry
            among, roll = count_choices(battle, unit, ability), battle.selected_roll
            emit_target(log, battle.tick, unit.index, target, selector, entry, among, roll)
    use_ability(battle, unit, ability, target, log, plugins)
    if choice != codes.ULTIMATE:
        gain_charge(battle, unit, battle.options.charge_action, log)


@kernel
def pay(battle, unit, choice: int):
    """Start the chosen ability's cooldown, spend an ultimate's charge, and return the ability's order.

    README, A turn, step 4.
    """
    order = order_of(unit, choice)
    if choice == codes.ULTIMATE:
        unit.charge = 0
        unit.ultimate_cooldown = ability_of(battle, order).cooldown
    elif choice == codes.CLASS_ABILITY:
        unit.cooldown = ability_of(battle, order).cooldown
    return order


@kernel
def chosen_target(battle, unit, order, ability) -> int:
    """The target of an ability for one: by the order's selector, or as a trained policy aimed.

    README, Reach and targets.
    Changes: battle.selected_by, selected_entry, selected_roll.
    """
    if has_network(battle.networks[unit.side & 1]):
        battle.selected_by = codes.AGENT_SELECTOR
        battle.selected_entry = NOBODY
        battle.selected_roll = NOBODY
        return target_of(unit.side, battle.thought.action)
    return select_target(battle, unit, order, ability)


@kernel
def use_ability(battle, unit, ability, target: int, log, plugins) -> None:
    """Apply an ability to its one target, or to everybody it reaches in index order (README, Reach and targets)."""
    first, count = target, 1
    if not reaches_one(ability):
        reached = reached_side(battle, unit, ability)
        first, count = reached.first, reached.unit_count
    for index in range(first, first + count):
        if unit_at(battle, index).hp > 0:
            apply_ability(battle, unit, unit_at(battle, index), ability, log, plugins)


@kernel
def apply_ability(battle, unit, target, ability, log, plugins) -> None:
    """Apply an ability's effects to one target in the listed order, for as long as it lives.

    README, Reach and targets.
    """
    for number in range(ability.effect_count):
        if target.hp == 0:
            return
        effect = ability.effects[number]
        kind = effect.kind
        if kind == codes.DAMAGE:
            strike(battle, unit, target, effect, log, plugins)
        elif kind == codes.HEAL:
            heal(battle, unit, target, effect, log)
        elif kind == codes.SHIELD:
            raise_shield(battle, unit, target, effect, log)
        elif kind == codes.STUN:
            stun(battle, unit, target, log)
        elif kind == codes.DAMAGE_OVER_TIME:
            add_dot(battle, unit, target, effect, log)
        else:
            apply_timed(battle, unit, target, effect, log)


@kernel
def act_on(battle, unit, choice: int, target: int, log, plugins) -> None:
    """As `act`, with an agent's choice and target instead of the strategy's; docs/adr/0023."""
    order = pay(battle, unit, choice)
    emit_choice(log, battle.tick, unit.index, order.ability, choice, codes.BY_AGENT, codes.BY_AGENT)
    ability = ability_of(battle, order)
    if reaches_one(ability):
        # Called only for its draws.
        select_target(battle, unit, order, ability)
        if log is not None:
            among = count_choices(battle, unit, ability)
            emit_target(log, battle.tick, unit.index, target, codes.AGENT_SELECTOR, NOBODY, among, NOBODY)
    use_ability(battle, unit, ability, target, log, plugins)
    if choice != codes.ULTIMATE:
        gain_charge(battle, unit, battle.options.charge_action, log)
