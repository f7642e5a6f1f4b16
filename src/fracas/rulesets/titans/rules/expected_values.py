"""The expected value of each choice for a greedy player, if the opponent attacks. titans/README.md, "Greedy"."""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.rolls import critical_chance, hit_chance
from fracas.rulesets.titans.rules.titan_stats import (
    ability_at,
    changed,
    effective_defense,
    has_change,
    is_sudden_death,
    opponent_of,
    titan_at,
)


@kernel
def worth(battle, one, choice: int) -> float:
    """The expected difference of own HP and the opponent's after the round, if the opponent attacks."""
    chance = chance_to_act_first(one, opponent_of(battle, one))
    return chance * worth_in_order(battle, one, choice, True) + (1.0 - chance) * worth_in_order(
        battle, one, choice, False
    )


@kernel
def chance_to_act_first(one, other) -> float:
    """The chance that a titan's speed roll is higher."""
    own, others = one.now[codes.SPEED_STAT], other.now[codes.SPEED_STAT]
    if own == 0.0 and others == 0.0:
        return 1.0 if one.index == 0 else 0.0
    if own >= others:
        return 1.0 - others / (2.0 * own)
    return own / (2.0 * others)


@kernel_noinline
def worth_in_order(battle, one, choice: int, is_first: bool) -> float:
    """The same expected difference, given who acts first."""
    other = opponent_of(battle, one)
    outlook = battle.outlook
    begin_outlook(battle)
    if is_first:
        expect(battle, one, choice)
        if outlook.hp[other.index & 1] > 0.0:
            expect_attack(battle, other, choice == codes.DEFEND)
    else:
        expect_attack(battle, other, choice == codes.DEFEND)
        if outlook.hp[one.index & 1] > 0.0:
            expect(battle, one, choice)
    return outlook.hp[one.index & 1] - outlook.hp[other.index & 1]


@kernel
def begin_outlook(battle) -> None:
    """Copy both titans' current values."""
    outlook = battle.outlook
    for index in range(codes.PLAYERS):
        who = titan_at(battle, index)
        outlook.dealt[index] = 0.0
        outlook.hp[index] = float(who.hp)
        outlook.shield[index] = 0.0
        outlook.attack[index] = who.now[codes.ATTACK_STAT]
        outlook.defense[index] = who.now[codes.DEFENSE_STAT]


@kernel
def expect(battle, one, choice: int) -> None:
    """Apply the expected result of a titan's own choice."""
    if choice == codes.ATTACK:
        expect_attack(battle, one, False)
    elif choice >= codes.FIRST_ABILITY:
        ability = ability_at(battle, one.abilities[choice - codes.FIRST_ABILITY])
        for index in range(ability.effect_count):
            if battle.outlook.hp[1 - one.index & 1] > 0.0:
                expect_effect(battle, one, ability.effects[index & codes.EFFECT_MASK])


@kernel
def expect_attack(battle, one, is_defending: bool) -> None:
    """Apply the expected result of a titan's attack."""
    other = opponent_of(battle, one)
    attack = battle.outlook.attack[one.index & 1]
    defense = effective_defense(battle, battle.outlook.defense[other.index & 1])
    damage = expected_against_defender(attack, defense) if is_defending else expected_damage(attack, defense)
    expect_blow(battle, one, damage, True)


@kernel
def expected_damage(attack: float, defense: float) -> float:
    """The mean of max(0, attack * (1 + u) - defense) over all u from 0 to 1."""
    if defense <= attack:
        return 1.5 * attack - defense
    if defense < 2.0 * attack:
        most = 2.0 * attack - defense
        return most * most / (2.0 * attack)
    return 0.0


@kernel
def expected_against_defender(attack: float, defense: float) -> float:
    """The same against defense * (1.5 + 0.5 * v), over all v too."""
    if defense <= 0.0:
        return expected_damage(attack, defense)
    return (damage_beyond(attack, 1.5 * defense) - damage_beyond(attack, 2.0 * defense)) / (0.5 * defense)


@kernel
def damage_beyond(attack: float, defense: float) -> float:
    """The integral of the expected damage over all defenses from this one up."""
    if defense >= 2.0 * attack:
        return 0.0
    if defense >= attack:
        most = 2.0 * attack - defense
        return most * most * most / (6.0 * attack)
    below = 1.5 * attack * (attack - defense) - (attack * attack - defense * defense) / 2.0
    return attack * attack / 6.0 + below


@kernel
def expect_blow(battle, one, damage: float, can_be_critical: bool) -> None:
    """Apply expected damage, weighted by misses and critical hits, to the shield, then to HP."""
    other = opponent_of(battle, one)
    if battle.options.misses != 0:
        damage = damage * hit_chance(one, other)
    if battle.options.criticals != 0 and can_be_critical:
        damage = damage * (1.0 + 0.5 * min(critical_chance(one), 1.0))
    outlook = battle.outlook
    side = other.index & 1
    absorbed = min(outlook.shield[side], damage)
    outlook.shield[side] -= absorbed
    before = outlook.hp[side]
    outlook.hp[side] = max(0.0, before - (damage - absorbed))
    outlook.dealt[one.index & 1] += before - outlook.hp[side]


@kernel
def expect_effect(battle, one, effect) -> None:
    """Apply the expected result of one effect of an own ability."""
    outlook = battle.outlook
    side = one.index & 1
    kind = effect.kind
    if kind == codes.DAMAGE_EFFECT:
        expect_blow(battle, one, expected_amount(battle, one, effect), effect.source == codes.STAT_AMOUNT)
    elif kind == codes.HEAL_EFFECT:
        if not is_sudden_death(battle):
            outlook.hp[side] = min(float(one.max_hp), outlook.hp[side] + expected_amount(battle, one, effect))
    elif kind == codes.SHIELD_EFFECT:
        outlook.shield[side] += expected_amount(battle, one, effect)
    elif kind == codes.CHANGE_EFFECT:
        expect_change(battle, one, effect)
    elif kind == codes.CLEANSE_EFFECT:
        outlook.attack[side] = cleansed(battle, one, codes.ATTACK_STAT)
        outlook.defense[side] = cleansed(battle, one, codes.DEFENSE_STAT)


@kernel
def expected_amount(battle, one, effect) -> float:
    """The expected amount of an effect."""
    if effect.source == codes.FIXED_AMOUNT:
        return float(effect.amount)
    if effect.source == codes.DEALT_AMOUNT:
        return battle.outlook.dealt[one.index & 1] * effect.amount / 100.0
    if effect.stat == codes.ATTACK_STAT:
        return effect.times * battle.outlook.attack[one.index & 1]
    if effect.stat == codes.DEFENSE_STAT:
        return effect.times * battle.outlook.defense[one.index & 1]
    return effect.times * one.now[effect.stat & codes.STAT_MASK]


@kernel
def expect_change(battle, one, effect) -> None:
    """Apply a stat change to Attack or Defense, if it is not active yet."""
    bearer = one if effect.on_self != 0 else opponent_of(battle, one)
    if has_change(bearer, effect.change):
        return
    change = battle.changes[effect.change & codes.CHANGE_MASK]
    stat = change.stat & codes.STAT_MASK
    value = changed(bearer.stats[stat], bearer.sums[stat] + change.percent)
    if stat == codes.ATTACK_STAT:
        battle.outlook.attack[bearer.index & 1] = value
    elif stat == codes.DEFENSE_STAT:
        battle.outlook.defense[bearer.index & 1] = value


@kernel
def cleansed(battle, one, stat: int) -> float:
    """A titan's stat without the changes that lower it."""
    total = 0
    for index in range(battle.change_count):
        change = battle.changes[index & codes.CHANGE_MASK]
        if change.stat == stat and change.percent > 0 and has_change(one, index):
            total += change.percent
    return changed(one.stats[stat & codes.STAT_MASK], total)
