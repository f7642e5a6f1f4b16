"""Carries out choices in lanes: attacks, rests, abilities and their effects. rules/mechanics.py, rules/effects.py."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import BLOCK_WORDS, change, count_block
from fracas.lanes.operations import (
    any_lane,
    load,
    no_lanes,
    select,
    smaller,
    splat,
)
from fracas.lanes.reals import (
    as_reals,
    floor_row,
    larger_real,
    load_reals,
    select_reals,
    smaller_real,
    splat_reals,
    store_reals,
)
from fracas.rulesets.titans.lockstep.lane_state import chose, is_legal, is_sudden_death, unit_at
from fracas.rulesets.titans.lockstep.stat_changes import begin_change, cleanse
from fracas.rulesets.titans.lockstep.state import (
    ACTION_BLOCKS,
    CHARGE,
    CRITICAL_CHANCE,
    HIT_CHANCE,
    HP,
    NOW,
    ROLLS,
    SHIELD,
    STAMINA_FACTOR,
)
from fracas.rulesets.titans.rules.constants import (
    ATTACK,
    ATTACK_STAT,
    CHANGE_EFFECT,
    CHARGE_EFFECT,
    CLEANSE_EFFECT,
    DAMAGE_EFFECT,
    DEFEND,
    DEFENSE_STAT,
    FIRST_ABILITY,
    FIXED_AMOUNT,
    HEAL_EFFECT,
    MAX_CHARGE,
    MAX_EFFECTS,
    PLAYERS,
    REST,
    SHIELD_EFFECT,
    STAT_AMOUNT,
)
from fracas.rulesets.titans.rules.titan_stats import ability_at, titan_at


@kernel_noinline
def act(state: Any, battle: Any, plan: Any, index: int, mask: Any) -> None:
    """Carry out a player's choice, unless the duel is over or the titan can no longer afford it.

    Rule:    titans/README.md, Acting.
    Changes: the state.
    Draws:   none; the words are drawn already, and count as drawn here.
    Emits:   nothing.
    """
    none = splat(state, 0)
    mask = mask & (load(state, HP) != none) & (load(state, HP + 1) != none)
    attacks = mask & chose(state, index, ATTACK)
    if any_lane(attacks):
        attack(state, battle, plan, index, attacks)
    rests = mask & chose(state, index, REST)
    if any_lane(rests):
        gain_charge(state, battle, index, battle.options.rest_charge, rests)
    for choice in range(FIRST_ABILITY, FIRST_ABILITY + titan_at(battle, index).ability_count):
        uses = mask & chose(state, index, choice)
        if any_lane(uses):
            uses = uses & is_legal(state, battle, index, choice)
            use_ability(state, battle, plan, index, choice, uses)


@kernel
def attack(state: Any, battle: Any, plan: Any, index: int, mask: Any) -> None:
    """Attack. Doing damage may give charge, and so does being attacked while defending.

    Rule:    titans/README.md, Attack.
    Changes: the state.
    Draws:   none; the words are drawn already, and count as drawn here.
    Emits:   nothing.
    """
    other = 1 - index
    block = ACTION_BLOCKS + BLOCK_WORDS * index
    count_block(state, mask)
    hits = mask
    place = 0
    if battle.options.misses != 0:
        hits = mask & (unit_at(state, block, 0) < load_reals(state, HIT_CHANCE + index))
        place = 2
    critical = no_lanes()
    if battle.options.criticals != 0:
        critical = unit_at(state, block, place) < load_reals(state, CRITICAL_CHANCE + index)
        place += 2
    one = splat_reals(1.0)
    value = load_reals(state, NOW + PLAYERS * ATTACK_STAT + index) * (one + unit_at(state, block, place))
    defense = load_reals(state, NOW + PLAYERS * DEFENSE_STAT + other)
    if battle.options.sudden_death > 0:
        defense = select_reals(is_sudden_death(state, battle), splat_reals(0.0), defense)
    defends = mask & chose(state, other, DEFEND)
    if any_lane(defends):
        guarded = splat_reals(1.5) + splat_reals(0.5) * unit_at(state, block, place + 2)
        defense = select_reals(defends, defense * guarded, defense)
    damage = larger_real(splat_reals(0.0), value - defense)
    if battle.options.criticals != 0:
        damage = select_reals(critical, damage * splat_reals(1.5), damage)
    lost = lose_hp(state, plan, other, damage, hits)
    none = splat(state, 0)
    if battle.options.attack_charge > 0:
        hurt = hits & (lost != none) & (load(state, HP + other) != none)
        gain_charge(state, battle, index, battle.options.attack_charge, hurt)
    defends = defends & (load(state, HP + other) != none)
    if any_lane(defends):
        add_charge(state, other, battle.options.defend_charge, defends)


@kernel
def lose_hp(state: Any, plan: Any, other: int, damage: Any, mask: Any) -> Any:
    """Apply damage to the shield, then to HP; returns the HP lost.

    Rule:    titans/README.md, Damage.
    Changes: the other's shield and HP.
    Draws:   none.
    Emits:   nothing.
    """
    if plan.can_shield[other]:
        shield = load_reals(state, SHIELD + other)
        absorbed = smaller_real(shield, damage)
        store_reals(state, SHIELD + other, select_reals(mask, shield - absorbed, shield))
        damage = damage - absorbed
    hp = load(state, HP + other)
    left = larger_real(splat_reals(0.0), as_reals(hp) - damage)
    left_row = select(mask, floor_row(state, left + splat_reals(0.5)), hp)
    change(state, HP + other, mask, left_row)
    return hp - left_row


@kernel
def add_charge(state: Any, index: int, amount: int, mask: Any) -> None:
    """Change a titan's charge, limited to 0 to 100.

    Rule:    titans/README.md, Charge.
    Changes: the titan's charge.
    Draws:   none.
    Emits:   nothing.
    """
    charge = load(state, CHARGE + index)
    if amount >= 0:
        after = smaller(charge + splat(state, amount), splat(state, MAX_CHARGE))
    else:
        after = charge - smaller(charge, splat(state, -amount))
    change(state, CHARGE + index, mask, after)


@kernel_noinline
def gain_charge(state: Any, battle: Any, index: int, amount: int, mask: Any) -> None:
    """Change a titan's charge by an amount that grows with its Stamina if the option says so.

    Rule:    titans/README.md, Charge; option stamina_charges.
    Changes: the titan's charge.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.options.stamina_charges == 0 or amount <= 0:
        add_charge(state, index, amount, mask)
        return
    scaled = splat_reals(float(amount)) * load_reals(state, STAMINA_FACTOR + index) + splat_reals(0.5)
    # More than full is full.
    gain = floor_row(state, smaller_real(scaled, splat_reals(float(MAX_CHARGE))))
    charge = smaller(load(state, CHARGE + index) + gain, splat(state, MAX_CHARGE))
    change(state, CHARGE + index, mask, charge)


@kernel_noinline
def use_ability(state: Any, battle: Any, plan: Any, index: int, choice: int, mask: Any) -> None:
    """Pay for an ability and apply its effects in order until the duel is over.

    Rule:    titans/README.md, Abilities.
    Changes: the state.
    Draws:   none; the words are drawn already, and count as drawn here.
    Emits:   nothing.
    """
    one = titan_at(battle, index)
    ability = ability_at(battle, one.abilities[choice - FIRST_ABILITY])
    change(state, CHARGE + index, mask, load(state, CHARGE + index) - splat(state, one.costs[choice - FIRST_ABILITY]))
    none = splat(state, 0)
    change(state, ROLLS + index, mask, none)
    dealt = none
    for place in range(ability.effect_count):
        effect = ability.effects[place]
        kind = effect.kind
        bearer = index if effect.on_self != 0 else 1 - index
        if kind == DAMAGE_EFFECT:
            dealt = dealt + blow(state, battle, plan, index, effect, mask)
            mask = mask & (load(state, HP + 1 - index) != none)
        elif kind == HEAL_EFFECT:
            heal(state, battle, index, effect, dealt, mask)
        elif kind == SHIELD_EFFECT:
            shield = load_reals(state, SHIELD + index)
            raised = shield + amount_of(state, index, effect, dealt)
            store_reals(state, SHIELD + index, select_reals(mask, raised, shield))
        elif kind == CHARGE_EFFECT:
            if effect.on_self != 0:
                gain_charge(state, battle, bearer, effect.amount, mask)
            else:
                add_charge(state, bearer, effect.amount, mask)
        elif kind == CHANGE_EFFECT:
            begin_change(state, battle, bearer, effect, mask)
        elif kind == CLEANSE_EFFECT:
            cleanse(state, battle, plan, index, mask)
        else:
            change(state, CHARGE + bearer, mask, splat(state, effect.amount))


@kernel
def amount_of(state: Any, index: int, effect: Any, dealt: Any) -> Any:
    """The amount of an effect: fixed, a multiple of a stat, or a share of the HP that the ability has taken.

    Rule:    titans/README.md, Effects.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if effect.source == FIXED_AMOUNT:
        amount = splat_reals(float(effect.amount))
    elif effect.source == STAT_AMOUNT:
        amount = splat_reals(effect.times) * load_reals(state, NOW + PLAYERS * effect.stat + index)
    else:
        amount = as_reals(dealt) * splat_reals(float(effect.amount)) / splat_reals(100.0)
    return amount


@kernel_noinline
def blow(state: Any, battle: Any, plan: Any, index: int, effect: Any, mask: Any) -> Any:
    """Apply an ability's damage, which ignores Defense; returns the HP that the opponent lost.

    Rule:    titans/README.md, Effects, damage.
    Changes: the opponent; ROLLS and BLOCKS_DRAWN.
    Draws:   none; the words are drawn already, and count as drawn here.
    Emits:   nothing.
    """
    if battle.options.misses != 0:
        mask = mask & (next_unit(state, index, mask) < load_reals(state, HIT_CHANCE + index))
    damage = amount_of(state, index, effect, splat(state, 0))
    if battle.options.criticals != 0 and effect.source == STAT_AMOUNT:
        critical = next_unit(state, index, mask) < load_reals(state, CRITICAL_CHANCE + index)
        damage = select_reals(critical, damage * splat_reals(1.5), damage)
    return lose_hp(state, plan, 1 - index, damage, mask)


@kernel
def next_unit(state: Any, index: int, mask: Any) -> Any:
    """The next unit() of a player's action, which counts as drawn where a mask is true.

    Rule:    titans/README.md, Dice.
    Changes: ROLLS and BLOCKS_DRAWN.
    Draws:   none; the words are drawn already.
    Emits:   nothing.
    """
    block = ACTION_BLOCKS + BLOCK_WORDS * index
    rolls = load(state, ROLLS + index)
    count_block(state, mask & (rolls == splat(state, 0)))
    roll = unit_at(state, block, 0)
    for taken in range(1, 2 * MAX_EFFECTS):
        here = rolls == splat(state, taken)
        if any_lane(mask & here):
            roll = select_reals(here, unit_at(state, block, 2 * taken), roll)
    change(state, ROLLS + index, mask, rolls + splat(state, 1))
    return roll


@kernel
def heal(state: Any, battle: Any, index: int, effect: Any, dealt: Any, mask: Any) -> None:
    """Heal a titan, up to full HP; no effect in sudden death.

    Rule:    titans/README.md, Effects, heal; Sudden death.
    Changes: the titan's HP.
    Draws:   none.
    Emits:   nothing.
    """
    amount = amount_of(state, index, effect, dealt)
    if battle.options.sudden_death > 0:
        amount = select_reals(is_sudden_death(state, battle), splat_reals(0.0), amount)
    most = splat_reals(float(titan_at(battle, index).max_hp))
    after = as_reals(load(state, HP + index)) + amount + splat_reals(0.5)
    change(state, HP + index, mask, floor_row(state, smaller_real(after, most)))
