"""Plans a battle for lanes: whether it fits, in what order units act, and what their choices do.

A plan is worked out from the record alone, once before many battles. Whatever it cannot hold gives a reason, and then
the rules of rules/ play. The bounds that decide how wide lanes are cover every sum and product of lanes.

The rules: squads/README.md, Effects; Damage; Initiative; Reach and targets.
"""

from __future__ import annotations

from fracas.kernel.integer_math import clamp, percent
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.networks import has_network
from fracas.lanes.known_options import options_beyond
from fracas.lanes.lane_state import largest_word
from fracas.rulesets.squads.lockstep import state as rows
from fracas.rulesets.squads.lockstep.facts import asks_beyond_lanes
from fracas.rulesets.squads.lockstep.plan_choices import choice_of, plan_choice
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.damage import critical_chance, power_at
from fracas.rulesets.squads.rules.options import options_t
from fracas.rulesets.squads.rules.units import ability_of, order_of, reached_side, unit_at

# The rule options that lanes follow.
KNOWN_OPTIONS = (
    "round_cap",
    "healer_threshold",
    "healer_fallback",
    "ultimate_rule",
    "charge_action",
    "charge_hit",
    "cap_tie",
)
has_unknown_option = options_beyond(options_t, KNOWN_OPTIONS)


@kernel_noinline
def plan_battle(battle, plan) -> None:
    """Plan a battle, all but its figures: `bits` says how wide lanes must be; if 0, `reason` says why there are none.

    docs/adr/0033.
    """
    plan.bits = rows.NOT_PLANNED
    plan.reason = 0
    for side in range(codes.SIDES):
        if has_network(battle.networks[side]):
            plan.reason = rows.TRAINED_POLICY
    if has_unknown_option(battle.options):
        plan.reason = rows.UNKNOWN_OPTION
    plan_chain(battle, plan)
    plan_amounts(battle, plan)
    plan_order(battle, plan)
    plan_swiftness(battle, plan)
    plan.can_shield = slots_reached(battle, codes.SHIELD)
    plan.can_raise = slots_reached(battle, codes.ATTACK_UP)
    plan.can_lower = slots_reached(battle, codes.ATTACK_DOWN)
    plan.can_taunt = slots_reached(battle, codes.TAUNT)
    plan.can_stun = slots_reached(battle, codes.STUN)
    plan.can_wound = slots_reached(battle, codes.DAMAGE_OVER_TIME)
    if plan.reason == 0:
        for index in range(codes.SLOTS):
            unit = unit_at(battle, index)
            plan.words[index] = 0
            plan.has_random[index] = 0
            if unit.max_hp > 0:
                for choice in range(codes.CHOICE_COUNT):
                    planned = choice_of(plan, index, choice)
                    order = order_of(unit, choice)
                    if not knows_effects(battle, order):
                        plan.reason = rows.UNKNOWN_EFFECT
                    if asks_beyond_lanes(battle, order):
                        plan.reason = rows.UNKNOWN_FACT
                    plan_choice(battle, plan, unit, order, choice, planned)
                    planned.is_one_strike = 1 if is_one_strike(plan, unit, planned) else 0
                    plan.words[index] = max(plan.words[index], planned.words)
                    plan.has_random[index] |= planned.is_random
                    if planned.words > rows.MOST_WORDS:
                        plan.reason = rows.MANY_ROLLS
    if plan.reason == 0 and count_figures(battle, plan) > rows.MOST_FIGURES:
        plan.reason = rows.MANY_FIGURES
    if plan.reason == 0:
        plan.bits = rows.SHORT_LANES if fits_short_lanes(battle, plan) else rows.LONG_LANES


@kernel
def knows_effects(battle, order) -> bool:
    """Whether lanes know all effects of an order's ability; one that comes after these is for rules/ alone."""
    ability = ability_of(battle, order)
    latest = 0
    for index in range(ability.effect_count):
        latest = max(latest, ability.effects[index].kind)
    answer: bool = latest <= codes.DAMAGE_OVER_TIME
    return answer


@kernel
def variants(plan, side: int) -> int:
    """How many combinations of attack up and attack down a side's units can be under."""
    return plan.up_count[side] * plan.down_count[side]


@kernel
def is_one_strike(plan, unit, planned) -> bool:
    """Whether a choice does nothing but strike one enemy, for the same figures in every round."""
    is_alone: bool = planned.is_aimed and planned.effect_count == 1 and planned.effects[0].kind == codes.DAMAGE
    return is_alone and variants(plan, unit.side) == 1 and plan.tired_rounds == 0


@kernel
def count_figures(battle, plan) -> int:
    """How many figures a battle has: of damage for each target, round with fatigue, variant and roll; else by variant.

    README, Healing and shields.
    """
    count = 0
    for index in range(codes.SLOTS):
        unit = unit_at(battle, index)
        if unit.max_hp > 0:
            varied = variants(plan, unit.side)
            count += varied
            for choice in range(codes.CHOICE_COUNT):
                planned = choice_of(plan, index, choice)
                for position in range(planned.effect_count):
                    kind = planned.effects[position].kind
                    if kind == codes.DAMAGE:
                        count += planned.count * (plan.tired_rounds + 1) * varied * rows.ROLLS
                    elif kind == codes.HEAL or kind == codes.SHIELD or kind == codes.DAMAGE_OVER_TIME:
                        count += varied
    return count


@kernel
def plan_chain(battle, plan) -> None:
    """Find the stages of the chain on which figures depend: the critical stage, and the first round with fatigue."""
    plan.critical_stage = -1
    plan.fatigue_after = battle.options.round_cap
    for position in range(battle.chain_length):
        stage = battle.chain[position]
        if stage.kind >= codes.FIRST_PLUGIN_STAGE:
            plan.reason = rows.PLUGIN_STAGE
        elif stage.kind == codes.FATIGUE_STAGE:
            plan.fatigue_after = min(plan.fatigue_after, stage.first)
        elif stage.kind == codes.CRITICAL_STAGE:
            if plan.critical_stage >= 0:
                plan.reason = rows.SEVERAL_CRITICALS
            plan.critical_stage = position
    plan.tired_rounds = battle.options.round_cap - plan.fatigue_after
    if plan.critical_stage >= 0:
        for index in range(codes.SLOTS):
            chance = critical_chance(unit_at(battle, index), battle.chain[plan.critical_stage])
            plan.critical_words[index] = largest_word(chance)


@kernel
def plan_amounts(battle, plan) -> None:
    """List the different percentages by which the attack of each side's units can be raised and lowered."""
    for side in range(codes.SIDES):
        plan.up_count[side] = 1
        plan.down_count[side] = 1
    for index in range(codes.SLOTS):
        unit = unit_at(battle, index)
        if unit.max_hp > 0:
            for choice in range(codes.CHOICE_COUNT):
                ability = ability_of(battle, order_of(unit, choice))
                for position in range(ability.effect_count):
                    effect = ability.effects[position]
                    if effect.kind == codes.ATTACK_UP:
                        plan.up_count[unit.side] = enlist(plan, plan.ups, plan.up_count, unit.side, effect.percentage)
                    elif effect.kind == codes.ATTACK_DOWN:
                        other = 1 - unit.side
                        plan.down_count[other] = enlist(plan, plan.downs, plan.down_count, other, effect.percentage)


@kernel_noinline
def enlist(plan, lists, counts, side: int, amount: int) -> int:
    """Put an amount in its place in a side's ascending list unless it is there; returns the list's length."""
    count: int = counts[side]
    place = count
    while place > 0 and lists[side, place - 1] >= amount:
        place -= 1
    if place < count and lists[side, place] == amount:
        return count
    if count == rows.MOST_AMOUNTS:
        plan.reason = rows.MANY_AMOUNTS
        return count
    for later in range(count, place, -1):
        lists[side, later] = lists[side, later - 1]
    lists[side, place] = amount
    return count + 1


@kernel
def plan_order(battle, plan) -> None:
    """Group the units by speed: tied units swap places from round to round, so each takes masked turns for all."""
    groups = 0
    turns = 0
    first = 0
    while first < battle.fielded:
        end = first + 1
        speed = unit_at(battle, battle.by_speed[first]).speed
        while end < battle.fielded and unit_at(battle, battle.by_speed[end]).speed == speed:
            end += 1
        plan.group_first[groups] = first
        plan.group_size[groups] = end - first
        groups += 1
        turns += masked_turns(end - first)
        first = end
    plan.group_count = groups
    plan.has_ties = 1 if groups < battle.fielded else 0
    if turns * rows.FOR_UNITS > battle.fielded * rows.MOST_TURNS:
        plan.reason = rows.MANY_TIES


@kernel
def masked_turns(size: int) -> int:
    """How many masked turns a group of units with one speed takes in a round.

    Of two, the first has a turn where it goes first and one where it goes last; otherwise each has one for each place.
    """
    return 2 * size - 1 if size <= 2 else size * size


@kernel
def plan_swiftness(battle, plan) -> None:
    """Rank the units by speed, the slowest 1, equals equal: speeds themselves may not fit in a lane."""
    for group in range(plan.group_count):
        first = plan.group_first[group]
        for index in range(first, first + plan.group_size[group]):
            plan.swiftness[battle.by_speed[index]] = plan.group_count - group


@kernel_noinline
def slots_reached(battle, kind: int) -> int:
    """The slots of the units that an effect of a kind can reach, as bits."""
    slots = 0
    for index in range(codes.SLOTS):
        unit = unit_at(battle, index)
        if unit.max_hp > 0:
            for choice in range(codes.CHOICE_COUNT):
                ability = ability_of(battle, order_of(unit, choice))
                for position in range(ability.effect_count):
                    if ability.effects[position].kind == kind:
                        slots |= slots_of_reach(battle, unit, ability)
    return slots


@kernel
def slots_of_reach(battle, unit, ability) -> int:
    """The slots of the units that an ability can reach, as bits."""
    if ability.reach == codes.ONESELF:
        return 1 << unit.index
    side = reached_side(battle, unit, ability)
    return ((1 << side.unit_count) - 1) << side.first


@kernel_noinline
def fits_short_lanes(battle, plan) -> bool:
    """Whether 16 bits hold every number of the battle: HP and shield together, damage over time, attacks.

    Rounds, charge and cooldowns always fit; damage and heals are cut to what HP and shield can lose or gain.

    README, State.
    """
    largest_hp = 0
    largest_pool = 0
    for index in range(codes.SLOTS):
        unit = unit_at(battle, index)
        largest_hp = max(largest_hp, unit.max_hp)
        if unit.max_hp > 0:
            most_up = plan.ups[unit.side, plan.up_count[unit.side] - 1]
            attack = percent(unit.attack, 100 + most_up)
            if attack > rows.LARGEST_SHORT:
                return False
            for choice in range(codes.CHOICE_COUNT):
                ability = ability_of(battle, order_of(unit, choice))
                for position in range(ability.effect_count):
                    effect = ability.effects[position]
                    power = power_at(unit, attack, effect)
                    if effect.kind == codes.DAMAGE_OVER_TIME and power > rows.LARGEST_SHORT:
                        return False
                    if effect.kind == codes.SHIELD:
                        largest_pool = max(largest_pool, clamp(percent(power, unit.healing_pct)))
    return largest_hp + largest_pool <= rows.LARGEST_SHORT
