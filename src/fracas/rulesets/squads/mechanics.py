"""The rules of squads, in the order of play. README is the rule book that every function cites."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import TABLE, d100, open_address, word
from fracas.kernel.fixed import divided, percent, within_limits
from fracas.kernel.jit import kernel
from fracas.kernel.log import NOBODY, emit
from fracas.rulesets.squads.constants import (
    ADD_STAGE,
    ALL_ENEMIES,
    ALREADY_STUNNED,
    APPLIED,
    ATTACK_DOWN,
    ATTACK_UP,
    BATTLE_EVENT,
    BOTH_WIPED_OUT,
    BY_CHARGE,
    CAP_EQUAL,
    CAP_HP,
    CAP_STAGE,
    CAP_TIE_SIDE1,
    CHARGE_EVENT,
    CHOICE_EVENT,
    CLASS_ABILITY,
    CLASS_ADVANTAGE_STAGE,
    CRITICAL_STAGE,
    DAMAGE,
    DAMAGE_OVER_TIME,
    DEFENSE_STAGE,
    DRAW,
    EFFECT_EVENT,
    ENVIRONMENT_STAGE,
    EXPIRE_EVENT,
    FALL_EVENT,
    FATIGUE_STAGE,
    FIRST_PLUGIN_STAGE,
    FORMATION_EXCLUSIVE_STAGE,
    FORMATION_STAGE,
    HEAL,
    HEAL_EVENT,
    HIT_EVENT,
    INITIATIVE_EVENT,
    JUST_STUNNED,
    LAST_SLOT,
    MAGE,
    MAX_CHARGE,
    MINIMUM_STAGE,
    ONE_ALLY,
    ONE_ENEMY,
    ONESELF,
    OUTCOME_EVENT,
    POWER_EVENT,
    ROLL_EVENT,
    ROUND_EVENT,
    SHIELD,
    SHIELD_EVENT,
    SLOTS,
    STAGE_EVENT,
    STUN,
    STUNNED_EVENT,
    SUFFER_EVENT,
    TARGET_EVENT,
    TAUNT,
    ULTIMATE,
    UNDECIDED,
    WEAKER,
    WIPED_OUT,
)
from fracas.rulesets.squads.field import ability_of, other_side, own_side, unit_at
from fracas.rulesets.squads.policies import choose_action, count_choices, current_attack, select_target

_SPEED_CEILING = 1 << 24


@kernel
def set_up(battle: Any, log: Any) -> None:
    """Round 0: everybody stands at full health, uncharged, ready and free of effects.

    Rule:    README, Set-up.
    Changes: everything that a battle changes.
    Draws:   none.
    Emits:   BATTLE.
    """
    battle.tick = 0
    battle.winner = DRAW
    battle.reason = UNDECIDED
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
    """Put a unit into the state in which it enters a battle.

    Rule:    README, Set-up.
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
    """One round: the order is settled, every unit still alive acts in it, then the round ends.

    Rule:    README, A round.
    Changes: the battle.
    Draws:   as the functions below, in their order.
    Emits:   as the functions below.
    """
    start_round(battle, log)
    for place in range(battle.order_count):
        unit = unit_at(battle, battle.order_keys[place])
        if unit.hp > 0:
            take_turn(battle, unit, log, plugins)
            decide_if_wiped_out(battle)
            if battle.reason != UNDECIDED:
                return
    end_round(battle, log)


@kernel
def start_round(battle: Any, log: Any) -> None:
    """Settle who acts when: speed descending, then the table's word ascending, then index.

    Rule:    README, Initiative. A key packs the three into one number, smallest first. Speeds never change, so units
             come sorted by speed and only ties are left to the words.
    Changes: battle.tick, battle.drawn, battle.order_keys, battle.order_count.
    Draws:   word() for every unit slot, living or not, from (round, table).
    Emits:   ROUND, then INITIATIVE for every living unit in the order of play.
    """
    battle.tick += 1
    open_address(battle.dice, battle.tick, TABLE)
    for index in range(SLOTS):
        battle.drawn[index] = word(battle.dice)
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
    """A unit recovers, then loses its turn to a stun or chooses and acts.

    Rule:    README, A turn.
    Changes: the battle.
    Draws:   opens (round, the unit's index) unless stunned; then as use_ability.
    Emits:   STUNNED, or CHOICE and what use_ability emits.
    """
    recover(unit)
    if unit.stunned:
        unit.stunned = 0
        unit.just_stunned = 1
        if log is not None:
            emit(log, battle.tick, STUNNED_EVENT, unit.index, NOBODY, 0, 0, 0, 0)
        return
    unit.just_stunned = 0
    choice = choose_action(battle, unit)
    open_address(battle.dice, battle.tick, unit.index)
    act(battle, unit, choice, log, plugins)


@kernel
def recover(unit: Any) -> None:
    """Lower what is cooling down by one round.

    Rule:    README, A turn, step 1.
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

    Rule:    README, A turn, step 3.
    Changes: the battle.
    Draws:   as use_ability.
    Emits:   CHOICE, what use_ability emits, CHARGE.
    """
    order = unit.basic
    if choice == ULTIMATE:
        order = unit.ultimate
        unit.charge = 0
        unit.ultimate_cooldown = ability_of(battle, order).cooldown
    elif choice == CLASS_ABILITY:
        order = unit.class_ability
        unit.cooldown = ability_of(battle, order).cooldown
    if log is not None:
        verdicts = battle.ultimate_verdict, battle.class_verdict
        emit(log, battle.tick, CHOICE_EVENT, unit.index, NOBODY, order.ability, choice, verdicts[0], verdicts[1])
    use_ability(battle, unit, order, log, plugins)
    if choice != ULTIMATE:
        gain_charge(battle, unit, battle.options.charge_action, log)


@kernel
def use_ability(battle: Any, unit: Any, order: Any, log: Any, plugins: Any) -> None:
    """Apply an ability to all it reaches, in index order.

    Rule:    README, Reach and targets.
    Changes: the battle.
    Draws:   below(candidates) for a random target; then per target as strike.
    Emits:   TARGET for a single target; then as apply_ability.
    """
    ability = ability_of(battle, order)
    if ability.reach == ONE_ENEMY or ability.reach == ONE_ALLY or ability.reach == ONESELF:
        target = select_target(battle, unit, order, ability)
        if log is not None:
            chosen = battle.selected_by, battle.selected_entry
            among, roll = count_choices(battle, unit), battle.selected_roll
            emit(log, battle.tick, TARGET_EVENT, unit.index, target, chosen[0], chosen[1], among, roll)
        apply_ability(battle, unit, unit_at(battle, target), ability, log, plugins)
        return
    reached = other_side(battle, unit) if ability.reach == ALL_ENEMIES else own_side(battle, unit)
    for index in range(reached.first, reached.first + reached.unit_count):
        if unit_at(battle, index).hp > 0:
            apply_ability(battle, unit, unit_at(battle, index), ability, log, plugins)


@kernel
def apply_ability(battle: Any, unit: Any, target: Any, ability: Any, log: Any, plugins: Any) -> None:
    """Apply an ability's effects to one target, in the listed order, for as long as it lives.

    Rule:    README, Reach and targets.
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
            strike(battle, unit, target, effect, log, plugins)
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


@kernel
def power(battle: Any, unit: Any, effect: Any, log: Any) -> int:
    """An effect's power: shares of attack, of own defense and of own maximum HP, each truncated, then added.

    Rule:    README, Power.
    Changes: nothing.
    Draws:   none.
    Emits:   POWER.
    """
    from_attack = percent(current_attack(unit), effect.attack)
    from_defense = percent(unit.defense, effect.defense)
    from_hp = percent(unit.max_hp, effect.max_hp)
    total = within_limits(from_attack + from_defense + from_hp)
    if log is not None:
        emit(log, battle.tick, POWER_EVENT, unit.index, NOBODY, total, from_attack, from_defense, from_hp)
    return total


@kernel
def strike(battle: Any, unit: Any, target: Any, effect: Any, log: Any, plugins: Any) -> None:
    """Work out an attack's damage through the chain and let it hit.

    Rule:    README, Damage.
    Changes: the target.
    Draws:   d100() at every critical stage of the chain; what plug-ins draw, in chain order.
    Emits:   POWER, STAGE for every stage (after ROLL at a critical one), then as take_hit.
    """
    value = power(battle, unit, effect, log)
    for place in range(battle.chain_length):
        value = run_stage(battle, unit, target, battle.chain[place], value, log, plugins)
    take_hit(battle, unit, target, value, log)


@kernel
def run_stage(battle: Any, unit: Any, target: Any, stage: Any, value: int, log: Any, plugins: Any) -> int:
    """One stage of the damage chain: a percentage of the value, or a sum, a bound, a plug-in.

    Rule:    README, Damage, the table of stages.
    Changes: nothing.
    Draws:   as stage_percentage.
    Emits:   STAGE with the stage's figure, the value before and the value after.
    """
    kind = stage.kind
    figure = 0
    if kind == DEFENSE_STAGE:
        figure = defense_reduction(battle, target, stage.first)
        after = max(value - figure, stage.second)
    elif kind == MINIMUM_STAGE:
        figure = stage.first
        after = max(value, figure)
    elif kind == CAP_STAGE:
        figure = stage.first
        after = min(value, figure)
    elif kind == ADD_STAGE:
        figure = stage.first
        after = value + figure
    elif kind >= FIRST_PLUGIN_STAGE:
        after = value
        if plugins is not None:
            after = plugins[kind - FIRST_PLUGIN_STAGE](battle, unit.index, target.index, value)
    else:
        figure = stage_percentage(battle, unit, target, stage, log)
        after = percent(value, figure)
    after = within_limits(after)
    if log is not None:
        emit(log, battle.tick, STAGE_EVENT, unit.index, target.index, kind, figure, value, after)
    return after


@kernel
def stage_percentage(battle: Any, unit: Any, target: Any, stage: Any, log: Any) -> int:
    """The percentage that a multiplying stage applies.

    Rule:    README, Damage, the table of stages.
    Changes: nothing.
    Draws:   d100() at a critical stage, even at a chance of 0 or 100.
    Emits:   ROLL at a critical stage.
    """
    kind = stage.kind
    percentage = stage.first
    if kind == FORMATION_STAGE:
        percentage = own_side(battle, unit).attack_pct
    elif kind == CLASS_ADVANTAGE_STAGE:
        percentage = class_advantage(unit.role, target.role, stage.first, stage.second)
    elif kind == CRITICAL_STAGE:
        percentage = critical(battle, unit, target, stage, log)
    elif kind == ENVIRONMENT_STAGE:
        percentage = unit.damage_pct
    elif kind == FORMATION_EXCLUSIVE_STAGE:
        percentage = own_side(battle, unit).attack_pct
        if percentage == 100:
            percentage = own_side(battle, target).taken_pct
    elif kind == FATIGUE_STAGE:
        percentage = 100 + stage.second * max(0, battle.tick - stage.first)
    return percentage


@kernel
def class_advantage(attacker: int, defender: int, strong: int, weak: int) -> int:
    """Warrior beats ranger beats mage beats warrior; healers and tanks stand outside.

    Rule:    README, Damage, class_advantage.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if attacker > MAGE or defender > MAGE:
        return 100
    # Round the triangle each class beats the next one and is beaten by the one after that.
    ahead = defender - attacker
    if ahead < 0:
        ahead += MAGE + 1
    if ahead == 0:
        return 100
    return strong if ahead == 1 else weak


@kernel
def critical(battle: Any, unit: Any, target: Any, stage: Any, log: Any) -> int:
    """Roll for a critical hit; an environment's numbers replace the stage's.

    Rule:    README, Damage, critical.
    Changes: nothing.
    Draws:   d100().
    Emits:   ROLL.
    """
    chance = stage.first if unit.critical_chance < 0 else unit.critical_chance
    multiplier = stage.second if unit.critical_multiplier < 0 else unit.critical_multiplier
    roll = d100(battle.dice)
    if log is not None:
        emit(log, battle.tick, ROLL_EVENT, unit.index, target.index, roll, chance, multiplier, 0)
    return multiplier if roll <= chance else 100


@kernel
def defense_reduction(battle: Any, target: Any, percentage: int) -> int:
    """How much a defender's defense takes off: defense, formation, environment and the stage's share, truncated once.

    Rule:    README, Damage, defense.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    formation = own_side(battle, target).defense_pct
    return divided(target.defense * formation * target.defense_pct * percentage, 1_000_000)


@kernel
def take_hit(battle: Any, unit: Any, target: Any, value: int, log: Any) -> None:
    """Damage meets the shield, then HP; who loses HP and lives gains charge at once.

    Rule:    README, A hit.
    Changes: the target.
    Draws:   none.
    Emits:   HIT, EXPIRE of a shield that is used up, then FALL or CHARGE.
    """
    absorbed = min(value, target.shield)
    lost = min(value - absorbed, target.hp)
    target.shield -= absorbed
    target.hp -= lost
    if log is not None:
        emit(log, battle.tick, HIT_EVENT, unit.index, target.index, value, absorbed, lost, target.hp)
    if absorbed > 0 and target.shield == 0:
        target.shield_until = 0
        if log is not None:
            emit(log, battle.tick, EXPIRE_EVENT, NOBODY, target.index, SHIELD, 0, 0, 0)
    if target.hp == 0:
        fall(battle, unit.index, target, log)
    elif lost > 0:
        gain_charge(battle, target, battle.options.charge_hit, log)


@kernel
def fall(battle: Any, slayer: int, target: Any, log: Any) -> None:
    """A unit at 0 HP is out of the battle.

    Rule:    README, A hit.
    Changes: the living of the target's side.
    Draws:   none.
    Emits:   FALL.
    """
    own_side(battle, target).living -= 1
    if log is not None:
        emit(log, battle.tick, FALL_EVENT, slayer, target.index, 0, 0, 0, 0)


@kernel
def gain_charge(battle: Any, unit: Any, amount: int, log: Any) -> None:
    """Charge grows to at most 100; where ultimates go by cooldown there is none.

    Rule:    README, Charge.
    Changes: unit.charge.
    Draws:   none.
    Emits:   CHARGE if the charge changed.
    """
    if battle.options.ultimate_rule != BY_CHARGE:
        return
    gained = min(amount, MAX_CHARGE - unit.charge)
    unit.charge += gained
    if log is not None and gained > 0:
        emit(log, battle.tick, CHARGE_EVENT, unit.index, NOBODY, gained, unit.charge, 0, 0)


@kernel
def heal(battle: Any, unit: Any, target: Any, effect: Any, log: Any) -> None:
    """Restore HP: power times the environment's healing, at least 1, at most what is missing.

    Rule:    README, Healing and shields.
    Changes: target.hp.
    Draws:   none.
    Emits:   POWER, HEAL.
    """
    value = max(1, within_limits(percent(power(battle, unit, effect, log), unit.healing_pct)))
    restored = min(value, target.max_hp - target.hp)
    target.hp += restored
    if log is not None:
        emit(log, battle.tick, HEAL_EVENT, unit.index, target.index, value, unit.healing_pct, restored, target.hp)


@kernel
def raise_shield(battle: Any, unit: Any, target: Any, effect: Any, log: Any) -> None:
    """Give a shield; it replaces the one that is there only if its pool is larger.

    Rule:    README, Healing and shields.
    Changes: target.shield, target.shield_until.
    Draws:   none.
    Emits:   POWER, SHIELD.
    """
    pool = within_limits(percent(power(battle, unit, effect, log), unit.healing_pct))
    verdict = WEAKER
    if pool > target.shield:
        target.shield = pool
        target.shield_until = battle.tick + effect.rounds
        verdict = APPLIED
    if log is not None:
        emit(
            log, battle.tick, SHIELD_EVENT, unit.index, target.index, pool, target.shield, target.shield_until, verdict
        )


@kernel
def stun(battle: Any, unit: Any, target: Any, log: Any) -> None:
    """Take a unit's next action, unless it is stunned already or has just lost one.

    Rule:    README, Effects, stun.
    Changes: target.stunned.
    Draws:   none.
    Emits:   EFFECT.
    """
    verdict = APPLIED
    if target.stunned:
        verdict = ALREADY_STUNNED
    elif target.just_stunned:
        verdict = JUST_STUNNED
    else:
        target.stunned = 1
    if log is not None:
        emit(log, battle.tick, EFFECT_EVENT, unit.index, target.index, STUN, 0, 0, verdict)


@kernel
def wound(battle: Any, unit: Any, target: Any, effect: Any, log: Any) -> None:
    """Leave damage over time, fixed now; it replaces the one that is there if at least as large.

    Rule:    README, Effects, damage over time.
    Changes: target.wound, target.wound_strikes, target.wound_source.
    Draws:   none.
    Emits:   POWER, EFFECT.
    """
    amount = power(battle, unit, effect, log)
    verdict = WEAKER
    if amount >= target.wound:
        target.wound = amount
        target.wound_strikes = effect.rounds
        target.wound_source = unit.index
        verdict = APPLIED
    if log is not None:
        last = battle.tick + effect.rounds - 1
        emit(log, battle.tick, EFFECT_EVENT, unit.index, target.index, DAMAGE_OVER_TIME, amount, last, verdict)


@kernel
def alter(battle: Any, unit: Any, target: Any, effect: Any, log: Any) -> None:
    """Raise or lower a unit's attack, or make it the one that enemies must attack.

    Rule:    README, Effects: attack up, attack down, taunt.
    Changes: the target's attack_up, attack_down or taunt_until.
    Draws:   none.
    Emits:   EFFECT.
    """
    until = battle.tick + effect.rounds
    verdict = APPLIED
    if effect.kind == ATTACK_UP and effect.percentage >= target.attack_up:
        target.attack_up = effect.percentage
        target.attack_up_until = until
    elif effect.kind == ATTACK_DOWN and effect.percentage >= target.attack_down:
        target.attack_down = effect.percentage
        target.attack_down_until = until
    elif effect.kind == TAUNT:
        target.taunt_until = max(until, target.taunt_until)
    else:
        verdict = WEAKER
    if log is not None:
        emit(log, battle.tick, EFFECT_EVENT, unit.index, target.index, effect.kind, effect.percentage, until, verdict)


@kernel
def end_round(battle: Any, log: Any) -> None:
    """The round ends: damage over time for everybody, then expiries, then the end of the battle is tested.

    Rule:    README, Round end.
    Changes: the battle.
    Draws:   none.
    Emits:   SUFFER and FALL in index order, then EXPIRE in index order.
    """
    for index in range(SLOTS):
        unit = unit_at(battle, index)
        if unit.hp > 0 and unit.wound_strikes > 0:
            suffer(battle, unit, log)
    for index in range(SLOTS):
        unit = unit_at(battle, index)
        if unit.hp > 0:
            expire_effects(battle, unit, log)
    decide_if_wiped_out(battle)
    if battle.reason == UNDECIDED and battle.tick >= battle.options.round_cap:
        decide_at_cap(battle)


@kernel
def suffer(battle: Any, unit: Any, log: Any) -> None:
    """Damage over time strikes: straight to HP, past defense and shield, without charge.

    Rule:    README, Effects, damage over time.
    Changes: the unit.
    Draws:   none.
    Emits:   SUFFER, FALL.
    """
    lost = min(unit.wound, unit.hp)
    unit.hp -= lost
    unit.wound_strikes -= 1
    if log is not None:
        left = unit.wound_strikes
        emit(log, battle.tick, SUFFER_EVENT, unit.wound_source, unit.index, unit.wound, lost, unit.hp, left)
    if unit.hp == 0:
        fall(battle, unit.wound_source, unit, log)


@kernel
def expire_effects(battle: Any, unit: Any, log: Any) -> None:
    """End the effects of a unit whose last round this was.

    Rule:    README, Round end.
    Changes: the unit.
    Draws:   none.
    Emits:   EXPIRE for shield, attack up, attack down, taunt, damage over time, in that order.
    """
    tick = battle.tick
    if unit.shield > 0 and unit.shield_until == tick:
        unit.shield = 0
        unit.shield_until = 0
        announce_expiry(battle, unit, SHIELD, log)
    if unit.attack_up > 0 and unit.attack_up_until == tick:
        unit.attack_up = 0
        announce_expiry(battle, unit, ATTACK_UP, log)
    if unit.attack_down > 0 and unit.attack_down_until == tick:
        unit.attack_down = 0
        announce_expiry(battle, unit, ATTACK_DOWN, log)
    if unit.taunt_until == tick:
        unit.taunt_until = 0
        announce_expiry(battle, unit, TAUNT, log)
    if unit.wound > 0 and unit.wound_strikes == 0:
        unit.wound = 0
        announce_expiry(battle, unit, DAMAGE_OVER_TIME, log)


@kernel
def announce_expiry(battle: Any, unit: Any, effect: int, log: Any) -> None:
    """Say that an effect has run its time.

    Rule:    README, Round end.
    Changes: nothing.
    Draws:   none.
    Emits:   EXPIRE.
    """
    if log is not None:
        emit(log, battle.tick, EXPIRE_EVENT, NOBODY, unit.index, effect, 1, 0, 0)


@kernel
def decide_if_wiped_out(battle: Any) -> None:
    """A side without anybody alive loses; both at once is a draw.

    Rule:    README, End.
    Changes: battle.winner, battle.reason.
    Draws:   none.
    Emits:   nothing.
    """
    first, second = battle.sides[0].living, battle.sides[1].living
    if first == 0 and second == 0:
        battle.winner = DRAW
        battle.reason = BOTH_WIPED_OUT
    elif first == 0 or second == 0:
        battle.winner = 1 if second == 0 else 2
        battle.reason = WIPED_OUT


@kernel
def decide_at_cap(battle: Any) -> None:
    """At the round cap the larger sum of HP left wins; the option cap_tie settles equal sums.

    Rule:    README, End.
    Changes: battle.winner, battle.reason.
    Draws:   none.
    Emits:   nothing.
    """
    first, second = hp_left(battle, 0), hp_left(battle, 1)
    if first != second:
        battle.winner = 1 if first > second else 2
        battle.reason = CAP_HP
    else:
        battle.winner = 1 if battle.options.cap_tie == CAP_TIE_SIDE1 else DRAW
        battle.reason = CAP_EQUAL


@kernel
def hp_left(battle: Any, place: int) -> int:
    """The HP that a side's living units have left.

    Rule:    README, End.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    side = battle.sides[place]
    total = 0
    for index in range(side.first, side.first + side.unit_count):
        total += unit_at(battle, index).hp
    return total


@kernel
def announce_outcome(battle: Any, log: Any) -> None:
    """Say how the battle ended.

    Rule:    README, End.
    Changes: nothing.
    Draws:   none.
    Emits:   OUTCOME.
    """
    if log is not None:
        left = hp_left(battle, 0), hp_left(battle, 1)
        emit(log, battle.tick, OUTCOME_EVENT, NOBODY, NOBODY, battle.winner, battle.reason, left[0], left[1])
