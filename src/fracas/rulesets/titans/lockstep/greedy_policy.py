"""Chooses greedily in lanes: rules/expected_values.py for 64 duels at once, every operation in the same order."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change
from fracas.lanes.operations import any_lane, load, no_lanes, select, splat, store
from fracas.lanes.reals import (
    as_reals,
    divide_or_zero,
    larger_real,
    load_reals,
    select_reals,
    smaller_real,
    splat_reals,
    store_reals,
)
from fracas.rulesets.titans.lockstep.lane_state import is_legal, is_sudden_death
from fracas.rulesets.titans.lockstep.stat_changes import changed
from fracas.rulesets.titans.lockstep.state import (
    CHOICE,
    CRITICAL_CHANCE,
    EXPECTED_ATTACK,
    EXPECTED_DEALT,
    EXPECTED_DEFENSE,
    EXPECTED_HP,
    EXPECTED_SHIELD,
    HIT_CHANCE,
    HP,
    LARGEST_SHORT,
    MOST_WORTH,
    NOW,
    SUMS,
    UNTIL,
    WORTH,
    ZERO_SUM,
)
from fracas.rulesets.titans.rules.constants import (
    ATTACK,
    ATTACK_STAT,
    CHANGE_EFFECT,
    CLEANSE_EFFECT,
    DAMAGE_EFFECT,
    DEALT_AMOUNT,
    DEFEND,
    DEFENSE_STAT,
    FIRST_ABILITY,
    FIXED_AMOUNT,
    HEAL_EFFECT,
    PLAYERS,
    REST,
    SHIELD_EFFECT,
    SPEED_STAT,
    STAT_AMOUNT,
)
from fracas.rulesets.titans.rules.titan_stats import ability_at, titan_at


@kernel_noinline
def choose_by_greed(state: Any, battle: Any, plan: Any, index: int) -> None:
    """Choose the highest expected value; ties go to attack, abilities in order, defend, rest.

    Rule:    titans/README.md, Greedy.
    Changes: CHOICE of the player, the expected values.
    Draws:   none.
    Emits:   nothing.
    """
    store(state, CHOICE + index, splat(state, ATTACK + 1))
    expect_worth(state, battle, plan, index, ATTACK)
    store_reals(state, MOST_WORTH, load_reals(state, WORTH))
    abilities = titan_at(battle, index).ability_count
    for place in range(abilities + 2):
        choice = FIRST_ABILITY + place
        if place >= abilities:
            choice = DEFEND if place == abilities else REST
        legal = is_legal(state, battle, index, choice)
        if any_lane(legal):
            expect_worth(state, battle, plan, index, choice)
            worth, most = load_reals(state, WORTH), load_reals(state, MOST_WORTH)
            better = legal & (worth > most)
            change(state, CHOICE + index, better, splat(state, choice + 1))
            store_reals(state, MOST_WORTH, select_reals(better, worth, most))


@kernel_noinline
def expect_worth(state: Any, battle: Any, plan: Any, index: int, choice: int) -> None:
    """Work out the expected difference of own HP and the opponent's after the round, if the opponent attacks.

    Rule:    titans/README.md, Greedy.
    Changes: WORTH, the expected values.
    Draws:   none.
    Emits:   nothing.
    """
    expect_in_order(state, battle, plan, index, choice, True)
    chance = chance_to_act_first(state, index)
    first = chance * load_reals(state, WORTH)
    store_reals(state, WORTH + 1, first)
    expect_in_order(state, battle, plan, index, choice, False)
    chance = splat_reals(1.0) - chance_to_act_first(state, index)
    store_reals(state, WORTH, load_reals(state, WORTH + 1) + chance * load_reals(state, WORTH))


@kernel_noinline
def chance_to_act_first(state: Any, index: int) -> Any:
    """The chance that a titan's speed roll is higher.

    Rule:    titans/README.md, Greedy.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    own = load_reals(state, NOW + PLAYERS * SPEED_STAT + index)
    others = load_reals(state, NOW + PLAYERS * SPEED_STAT + 1 - index)
    none, one, two = splat_reals(0.0), splat_reals(1.0), splat_reals(2.0)
    chance = select_reals(own >= others, one - divide_or_zero(others, two * own), divide_or_zero(own, two * others))
    neither = (own == none) & (others == none)
    return select_reals(neither, splat_reals(1.0 if index == 0 else 0.0), chance)


@kernel_noinline
def expect_in_order(state: Any, battle: Any, plan: Any, index: int, choice: int, is_first: bool) -> None:
    """Work out the same difference, given who acts first.

    Rule:    titans/README.md, Greedy.
    Changes: WORTH, the expected values.
    Draws:   none.
    Emits:   nothing.
    """
    other = 1 - index
    none = splat_reals(0.0)
    for who in range(PLAYERS):
        store_reals(state, EXPECTED_DEALT + who, none)
        store_reals(state, EXPECTED_HP + who, as_reals(load(state, HP + who)))
        store_reals(state, EXPECTED_SHIELD + who, none)
        store_reals(state, EXPECTED_ATTACK + who, load_reals(state, NOW + PLAYERS * ATTACK_STAT + who))
        store_reals(state, EXPECTED_DEFENSE + who, load_reals(state, NOW + PLAYERS * DEFENSE_STAT + who))
    if is_first:
        expect(state, battle, plan, index, choice, ~no_lanes())
        stands = load_reals(state, EXPECTED_HP + other) > none
        expect_attack(state, battle, other, choice == DEFEND, stands)
    else:
        expect_attack(state, battle, other, choice == DEFEND, ~no_lanes())
        stands = load_reals(state, EXPECTED_HP + index) > none
        expect(state, battle, plan, index, choice, stands)
    store_reals(state, WORTH, load_reals(state, EXPECTED_HP + index) - load_reals(state, EXPECTED_HP + other))


@kernel_noinline
def expect(state: Any, battle: Any, plan: Any, index: int, choice: int, mask: Any) -> None:
    """Apply the expected result of a titan's own choice.

    Rule:    titans/README.md, Greedy.
    Changes: the expected values.
    Draws:   none.
    Emits:   nothing.
    """
    if choice == ATTACK:
        expect_attack(state, battle, index, False, mask)
    elif choice >= FIRST_ABILITY:
        ability = ability_at(battle, titan_at(battle, index).abilities[choice - FIRST_ABILITY])
        for place in range(ability.effect_count):
            stands = mask & (load_reals(state, EXPECTED_HP + 1 - index) > splat_reals(0.0))
            expect_effect(state, battle, plan, index, ability.effects[place], stands)


@kernel_noinline
def expect_attack(state: Any, battle: Any, index: int, is_defending: bool, mask: Any) -> None:
    """Apply the expected result of a titan's attack.

    Rule:    titans/README.md, Greedy.
    Changes: the expected values.
    Draws:   none.
    Emits:   nothing.
    """
    attack = load_reals(state, EXPECTED_ATTACK + index)
    defense = load_reals(state, EXPECTED_DEFENSE + 1 - index)
    if battle.options.sudden_death > 0:
        defense = select_reals(is_sudden_death(state, battle), splat_reals(0.0), defense)
    damage = expected_damage(attack, defense)
    if is_defending:
        damage = select_reals(defense <= splat_reals(0.0), damage, expected_against_defender(attack, defense))
    expect_blow(state, battle, index, damage, True, mask)


@kernel
def expected_damage(attack: Any, defense: Any) -> Any:
    """The mean of max(0, attack * (1 + u) - defense) over all u from 0 to 1.

    Rule:    titans/README.md, Greedy.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    twice = splat_reals(2.0) * attack
    most = twice - defense
    some = select_reals(defense < twice, divide_or_zero(most * most, twice), splat_reals(0.0))
    return select_reals(defense <= attack, splat_reals(1.5) * attack - defense, some)


@kernel
def expected_against_defender(attack: Any, defense: Any) -> Any:
    """The same against defense * (1.5 + 0.5 * v), over all v too; for a defense above 0.

    Rule:    titans/README.md, Greedy.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    beyond = damage_beyond(attack, splat_reals(1.5) * defense) - damage_beyond(attack, splat_reals(2.0) * defense)
    return divide_or_zero(beyond, splat_reals(0.5) * defense)


@kernel_noinline
def damage_beyond(attack: Any, defense: Any) -> Any:
    """The integral of the expected damage over all defenses from this one up.

    Rule:    titans/README.md, Greedy.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    six = splat_reals(6.0)
    twice = splat_reals(2.0) * attack
    most = twice - defense
    some = divide_or_zero(most * most * most, six * attack)
    below = splat_reals(1.5) * attack * (attack - defense) - (attack * attack - defense * defense) / splat_reals(2.0)
    beyond = select_reals(defense >= attack, some, attack * attack / six + below)
    return select_reals(defense >= twice, splat_reals(0.0), beyond)


@kernel_noinline
def expect_blow(state: Any, battle: Any, index: int, damage: Any, can_be_critical: bool, mask: Any) -> None:
    """Apply expected damage, weighted by misses and critical hits, to the shield, then to HP.

    Rule:    titans/README.md, Greedy.
    Changes: the expected values.
    Draws:   none.
    Emits:   nothing.
    """
    other = 1 - index
    if battle.options.misses != 0:
        damage = damage * load_reals(state, HIT_CHANCE + index)
    if battle.options.criticals != 0 and can_be_critical:
        one = splat_reals(1.0)
        damage = damage * (one + splat_reals(0.5) * smaller_real(load_reals(state, CRITICAL_CHANCE + index), one))
    shield = load_reals(state, EXPECTED_SHIELD + other)
    absorbed = smaller_real(shield, damage)
    expect_row(state, EXPECTED_SHIELD + other, shield - absorbed, mask)
    before = load_reals(state, EXPECTED_HP + other)
    left = larger_real(splat_reals(0.0), before - (damage - absorbed))
    expect_row(state, EXPECTED_HP + other, left, mask)
    dealt = load_reals(state, EXPECTED_DEALT + index)
    expect_row(state, EXPECTED_DEALT + index, dealt + (before - left), mask)


@kernel
def expect_row(state: Any, row: int, value: Any, mask: Any) -> None:
    """Replace a row of doubles where a mask is true.

    Rule:    none.
    Changes: state.reals.
    Draws:   none.
    Emits:   nothing.
    """
    store_reals(state, row, select_reals(mask, value, load_reals(state, row)))


@kernel_noinline
def expect_effect(state: Any, battle: Any, plan: Any, index: int, effect: Any, mask: Any) -> None:
    """Apply the expected result of one effect of an own ability.

    Rule:    titans/README.md, Greedy.
    Changes: the expected values.
    Draws:   none.
    Emits:   nothing.
    """
    kind = effect.kind
    if kind == DAMAGE_EFFECT:
        amount = expected_amount(state, index, effect)
        expect_blow(state, battle, index, amount, effect.source == STAT_AMOUNT, mask)
    elif kind == HEAL_EFFECT:
        heals = mask
        if battle.options.sudden_death > 0:
            heals = mask & ~is_sudden_death(state, battle)
        most = splat_reals(float(titan_at(battle, index).max_hp))
        healed = load_reals(state, EXPECTED_HP + index) + expected_amount(state, index, effect)
        expect_row(state, EXPECTED_HP + index, smaller_real(most, healed), heals)
    elif kind == SHIELD_EFFECT:
        shield = load_reals(state, EXPECTED_SHIELD + index) + expected_amount(state, index, effect)
        expect_row(state, EXPECTED_SHIELD + index, shield, mask)
    elif kind == CHANGE_EFFECT:
        expect_change(state, battle, index, effect, mask)
    elif kind == CLEANSE_EFFECT:
        expect_row(state, EXPECTED_ATTACK + index, cleansed(state, battle, plan, index, ATTACK_STAT), mask)
        expect_row(state, EXPECTED_DEFENSE + index, cleansed(state, battle, plan, index, DEFENSE_STAT), mask)


@kernel_noinline
def expected_amount(state: Any, index: int, effect: Any) -> Any:
    """The expected amount of an effect.

    Rule:    titans/README.md, Greedy.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if effect.source == FIXED_AMOUNT:
        return splat_reals(float(effect.amount))
    if effect.source == DEALT_AMOUNT:
        share = load_reals(state, EXPECTED_DEALT + index) * splat_reals(float(effect.amount))
        return share / splat_reals(100.0)
    row = NOW + PLAYERS * effect.stat
    if effect.stat == ATTACK_STAT:
        row = EXPECTED_ATTACK
    elif effect.stat == DEFENSE_STAT:
        row = EXPECTED_DEFENSE
    return splat_reals(effect.times) * load_reals(state, row + index)


@kernel_noinline
def expect_change(state: Any, battle: Any, index: int, effect: Any, mask: Any) -> None:
    """Apply a stat change to Attack or Defense, where it is not active yet.

    Rule:    titans/README.md, Greedy.
    Changes: the expected values.
    Draws:   none.
    Emits:   nothing.
    """
    bearer = index if effect.on_self != 0 else 1 - index
    stat, percent = battle.changes[effect.change].stat, battle.changes[effect.change].percent
    if stat != ATTACK_STAT and stat != DEFENSE_STAT:
        return
    begins = mask & (load(state, UNTIL + PLAYERS * effect.change + bearer) == splat(state, 0))
    total = load(state, SUMS + PLAYERS * stat + bearer) + splat(state, percent & LARGEST_SHORT)
    row = EXPECTED_ATTACK if stat == ATTACK_STAT else EXPECTED_DEFENSE
    expect_row(state, row + bearer, changed(state, battle, bearer, stat, total), begins)


@kernel_noinline
def cleansed(state: Any, battle: Any, plan: Any, index: int, stat: int) -> Any:
    """A titan's stat without the changes that lower it.

    Rule:    titans/README.md, Greedy.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    none, total = splat(state, 0), splat(state, ZERO_SUM)
    for place in range(battle.change_count):
        percent = battle.changes[place].percent
        if battle.changes[place].stat == stat and percent > 0 and plan.can_bear[index, place]:
            active = load(state, UNTIL + PLAYERS * place + index) != none
            total = select(active, total + splat(state, percent), total)
    return changed(state, battle, index, stat, total)
