"""All outcomes of an action with their chances, over all rolls. titans/README.md, "Solving".

The rules: titans/README.md, Attack; Hits.
"""

from __future__ import annotations

from fracas.kernel.enumerating_dice import REALS, take_outcome, weigh
from fracas.kernel.jit import kernel
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.effects import add_charge, amount_of, apply_effect, scaled_charge, strike
from fracas.rulesets.titans.rules.policies import ability_code
from fracas.rulesets.titans.rules.rolls import critical_chance, hit_chance
from fracas.rulesets.titans.rules.titan_stats import ability_at, cost_of, effective_defense, is_legal, opponent_of

# The most outcomes of an attack; with more possible losses, several count as one outcome.
MOST_LOSSES = 40
# The error bound of chances over real numbers, computed in doubles.
REAL_SLACK = 2.0**-40
# The outcomes of an ability's damage: a miss, a hit, a critical hit
HITS, MISSES, IS_CRITICAL = range(3)
FALLS = 3


@kernel
def outcome_count(battle, one) -> int:
    """The number of outcomes of a titan's action."""
    if not is_legal(one, one.choice):
        return 1
    if one.choice == codes.ATTACK:
        most = most_survived(battle, one, opponent_of(battle, one))
        return 2 + (most + loss_width(most) - 1) // loss_width(most)
    count = 1
    if one.choice >= codes.FIRST_ABILITY and (battle.options.misses != 0 or battle.options.criticals != 0):
        ability = ability_at(battle, ability_code(one, one.choice))
        for index in range(ability.effect_count):
            if ability.effects[index & codes.EFFECT_MASK].kind == codes.DAMAGE_EFFECT:
                count *= FALLS
    return count


@kernel
def most_survived(battle, one, other) -> int:
    """The most HP that an attack can take from a titan that survives it."""
    defense = effective_defense(battle, other.now[codes.DEFENSE_STAT])
    if other.choice == codes.DEFEND:
        defense = defense * 1.5
    damage = max(0.0, 2.0 * one.now[codes.ATTACK_STAT] - defense)
    if battle.options.criticals != 0:
        damage = damage * 1.5
    return min(other.hp - 1, int(max(0.0, damage - other.shield) + 0.5))


@kernel
def loss_width(most: int) -> int:
    """How many losses count as one outcome."""
    return 1 + (most - 1) // MOST_LOSSES if most > 0 else 1


@kernel
def apply_outcome(battle, one, outcome: int) -> float:
    """Apply one outcome of a titan's action; returns its chance (README, Acting)."""
    if not is_legal(one, one.choice):
        return 1.0
    if one.choice == codes.ATTACK:
        return apply_attack_outcome(battle, one, opponent_of(battle, one), outcome)
    if one.choice == codes.REST:
        add_charge(battle, one, one, scaled_charge(battle, one, battle.options.rest_charge), codes.FROM_REST, None)
    elif one.choice >= codes.FIRST_ABILITY:
        return apply_ability_outcome(battle, one, outcome)
    return 1.0


@kernel
def apply_attack_outcome(battle, one, other, outcome: int) -> float:
    """Apply one outcome of an attack: no loss, the middle of a range of losses, or last a knock-out.

    Changes: both titans; battle.winner and battle.reason.
    """
    most = most_survived(battle, one, other)
    width = loss_width(most)
    if outcome * width >= most + width:
        chance = 1.0 - chance_to_lose(battle, one, other, other.hp - 1)
        if chance > 0.0:
            other.hp = 0
            battle.reason = codes.KNOCK_OUT
            battle.winner = one.index + 1
        return chance
    last = min(outcome * width, most)
    least = (outcome - 1) * width + 1 if outcome > 0 else 0
    chance = chance_to_lose(battle, one, other, last)
    if outcome > 0:
        chance -= chance_to_lose(battle, one, other, least - 1)
    lost = (least + last) // 2
    other.hp -= lost
    if lost > 0 and battle.options.attack_charge > 0:
        add_charge(battle, one, one, scaled_charge(battle, one, battle.options.attack_charge), codes.FROM_HURTING, None)
    if other.choice == codes.DEFEND:
        add_charge(battle, one, other, battle.options.defend_charge, codes.FROM_DEFENDING, None)
    return chance


@kernel
def chance_to_lose(battle, one, other, loss: int) -> float:
    """The chance that an attack takes at most a number of HP (README, Damage)."""
    if loss >= other.hp:
        return 1.0
    least = loss + 0.5 + other.shield
    attack = one.now[codes.ATTACK_STAT]
    defense = effective_defense(battle, other.now[codes.DEFENSE_STAT])
    is_defending = other.choice == codes.DEFEND
    chance = chance_below(attack, defense, is_defending, least)
    if battle.options.criticals != 0:
        critical = min(critical_chance(one), 1.0)
        chance = (1.0 - critical) * chance + critical * chance_below(attack, defense, is_defending, least / 1.5)
    if battle.options.misses != 0:
        hit = hit_chance(one, other)
        chance = 1.0 - hit + hit * chance
    return chance


@kernel
def chance_below(attack: float, defense: float, is_defending: bool, damage: float) -> float:
    """The chance that the damage of a hit is at most a number."""
    if attack <= 0.0:
        return 1.0
    if not is_defending or defense <= 0.0:
        return min(max((damage + defense - attack) / attack, 0.0), 1.0)
    low = (damage + 1.5 * defense - attack) / attack
    high = (damage + 2.0 * defense - attack) / attack
    return (summed_share(high) - summed_share(low)) / (high - low)


@kernel
def summed_share(share: float) -> float:
    """The integral of min(max(x, 0), 1) up to x."""
    if share <= 0.0:
        return 0.0
    return share - 0.5 if share >= 1.0 else 0.5 * share * share


@kernel
def apply_ability_outcome(battle, one, outcome: int) -> float:
    """Apply one outcome of an ability: a base-3 digit for each of its damage effects (README, Abilities).

    Changes: both titans; battle.winner and battle.reason.
    """
    ability = ability_at(battle, ability_code(one, one.choice))
    one.charge -= cost_of(one, one.choice)
    has_luck = battle.options.misses != 0 or battle.options.criticals != 0
    chance = 1.0
    dealt = 0
    for index in range(ability.effect_count):
        if battle.reason != codes.UNDECIDED:
            continue
        effect = ability.effects[index & codes.EFFECT_MASK]
        if has_luck and effect.kind == codes.DAMAGE_EFFECT:
            fall = outcome % FALLS
            outcome = outcome // FALLS
            part = chance_to_fall(battle, one, effect, fall)
            chance *= part
            if part > 0.0 and fall != MISSES:
                damage = amount_of(one, effect, 0)
                if fall == IS_CRITICAL:
                    damage = damage * 1.5
                dealt += strike(battle, one, opponent_of(battle, one), damage, None)
        else:
            dealt += apply_effect(battle, one, effect, dealt, None)
    return chance if outcome == 0 else 0.0


@kernel
def chance_to_fall(battle, one, effect, fall: int) -> float:
    """The chance that an ability's damage hits, misses or is critical."""
    hit = hit_chance(one, opponent_of(battle, one)) if battle.options.misses != 0 else 1.0
    if fall == MISSES:
        return 1.0 - hit
    critical = 0.0
    if battle.options.criticals != 0 and effect.source == codes.STAT_AMOUNT:
        critical = min(critical_chance(one), 1.0)
    return hit * critical if fall == IS_CRITICAL else hit * (1.0 - critical)


@kernel
def attack_in_ways(battle, one, log) -> None:
    """Apply one possible HP loss of an attack, for exact odds; the last outcome is a knock-out."""
    other = opponent_of(battle, one)
    most = most_survived(battle, one, other)
    lost = take_outcome(battle.dice, most + 2)
    before = 0
    for loss in range(lost):
        before = weight_up_to(battle, one, other, loss, most, before)
    until = weight_up_to(battle, one, other, lost, most, before)
    while not weigh(battle.dice, until - before, REALS):
        lost += 1
        before = until
        until = weight_up_to(battle, one, other, lost, most, before)
    battle.dice.slack += REAL_SLACK
    if lost > most:
        other.hp = 0
        battle.reason = codes.KNOCK_OUT
        battle.winner = one.index + 1
        return
    other.hp -= lost
    if lost > 0 and battle.options.attack_charge > 0:
        add_charge(battle, one, one, scaled_charge(battle, one, battle.options.attack_charge), codes.FROM_HURTING, None)
    if other.choice == codes.DEFEND:
        add_charge(battle, one, other, battle.options.defend_charge, codes.FROM_DEFENDING, None)


@kernel
def weight_up_to(battle, one, other, loss: int, most: int, before: int) -> int:
    """The chance that an attack takes at most a number of HP, in parts of 2^53; beyond `most` it is the rest.

    What rounding does to a chance is kept from making it less than that of a smaller loss, which is `before`.
    """
    if loss > most:
        return REALS
    return max(before, min(int(chance_to_lose(battle, one, other, loss) * REALS), REALS))
