"""How policies choose: by rules, at random, greedily, by a solved table, or from submitted choices."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import below, d100_within, open_address
from fracas.kernel.enumerating_dice import dispatch_on_dice, take_outcome, weigh
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.networks import best_action, score_of, share_in_mix
from fracas.rulesets.titans.rules.choice_table import ROLLS, choice_by_entry, entry_for, has_table
from fracas.rulesets.titans.rules.constants import (
    AT_RANDOM,
    ATTACK,
    BY_DEFAULT,
    BY_GREED,
    BY_LIST,
    BY_NETWORK,
    BY_RULE,
    BY_RULES,
    CELL_MASK,
    CHANCE_EVENT,
    CHANCE_LANE,
    CHOICE_EVENT,
    CHOICE_MASK,
    CHOICES,
    DEFEND,
    FIRST_ABILITY,
    GREEDILY,
    MAX_CHARGE,
    MISSED,
    MIXED,
    NETWORK_SHAPE,
    NOT_PAYABLE,
    RANDOMLY,
    REST,
    RULE_MASK,
    SUBMITTED,
    TOO_LATE,
    TRAINED,
)
from fracas.rulesets.titans.rules.expected_values import worth
from fracas.rulesets.titans.rules.observation import mark_legal, see_duel
from fracas.rulesets.titans.rules.rule_matching import choice_of, is_possible
from fracas.rulesets.titans.rules.titan_stats import is_legal, opponent_of


@kernel
def choose(battle: Any, one: Any, log: Any) -> None:
    """Make a player's choice by its policy.

    Rule:    titans/README.md, The round, step 2; Policies.
    Changes: the titan's choice, why, rule and missed; battle.facts, battle.outlook.
    Draws:   as the policy.
    Emits:   CHANCE, CHOICE.
    """
    policy = battle.policies[one.index & 1]
    one.rule = NOBODY
    one.why = BY_DEFAULT
    kind = policy.kind
    if kind == BY_RULES:
        choice = by_rules(battle, one, policy, log)
    elif kind == AT_RANDOM:
        choice = at_random(battle, one, log)
    elif kind == BY_GREED:
        choice = by_greed(battle, one)
    elif kind == BY_LIST:
        choice = by_list(battle, one, policy)
    elif kind == BY_NETWORK:
        choice = by_network(battle, one, log)
    else:
        choice = by_table(battle, one, policy.grid, log)
    one.choice = choice
    if log is not None:
        action = min(choice, FIRST_ABILITY)
        emit(log, battle.tick, CHOICE_EVENT, one.index, NOBODY, action, ability_code(one, choice), one.why, one.rule)


@kernel
def ability_code(one: Any, choice: int) -> int:
    """The code of a choice's ability; NOBODY if it is not an ability.

    Rule:    titans/README.md, Choices.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return one.abilities[choice - FIRST_ABILITY] if choice >= FIRST_ABILITY else NOBODY


@kernel
def by_rules(battle: Any, one: Any, policy: Any, log: Any) -> int:
    """Choose by the first rule whose condition holds, whose choice is legal and whose chance succeeds.

    Battles without a log look the choice up where they can (choice_table.py).

    Rule:    titans/README.md, Policies, rules.
    Changes: one.why, one.rule, battle.facts.
    Draws:   opens (round, 0x8000 + player) before the first chance; d100 for each.
    Emits:   CHANCE for each chance.
    """
    if log is None and has_table(battle, one):
        entry = entry_for(battle, one)
        if entry != ROLLS:
            return choice_by_entry(one, entry)
    has_opened = False
    for place in range(policy.rule_count):
        rule = policy.rules[place & RULE_MASK]
        choice = choice_of(one, rule.choice)
        if not is_possible(battle, one, rule, choice):
            continue
        if rule.chance < 100:
            if not has_opened:
                open_address(battle.dice, battle.tick, CHANCE_LANE + one.index)
                has_opened = True
            roll = d100_within(battle.dice, rule.chance)
            tell_chance(battle, one, roll, rule.chance, place, log)
            if roll > rule.chance:
                continue
        one.why = BY_RULE
        one.rule = place
        return choice
    return ATTACK


@kernel
def tell_chance(battle: Any, one: Any, roll: int, limit: int, rule: int, log: Any) -> None:
    """Report a policy's roll.

    Rule:    titans/README.md, Policies.
    Changes: nothing.
    Draws:   none.
    Emits:   CHANCE.
    """
    if log is not None:
        emit(log, battle.tick, CHANCE_EVENT, one.index, NOBODY, roll, limit, rule, 0)


@kernel
def at_random(battle: Any, one: Any, log: Any) -> int:
    """Choose one of the legal choices at random, all equally likely.

    Rule:    titans/README.md, Policies, random.
    Changes: one.why.
    Draws:   opens (round, 0x8000 + player); below(legal choices).
    Emits:   CHANCE.
    """
    count = 0
    for choice in range(CHOICES):
        if is_legal(one, choice):
            count += 1
    open_address(battle.dice, battle.tick, CHANCE_LANE + one.index)
    left = below(battle.dice, count)
    tell_chance(battle, one, left, count, NOBODY, log)
    one.why = RANDOMLY
    for choice in range(CHOICES):
        if is_legal(one, choice):
            if left == 0:
                return choice
            left -= 1
    return ATTACK


@kernel
def by_greed(battle: Any, one: Any) -> int:
    """Choose the highest expected value; ties go to attack, abilities in order, defend, rest.

    Rule:    titans/README.md, Greedy.
    Changes: one.why, battle.outlook.
    Draws:   none.
    Emits:   nothing.
    """
    best = ATTACK
    most = worth(battle, one, ATTACK)
    for place in range(one.ability_count + 2):
        choice = FIRST_ABILITY + place
        if place >= one.ability_count:
            choice = DEFEND if place == one.ability_count else REST
        if is_legal(one, choice):
            value = worth(battle, one, choice)
            if value > most:
                best = choice
                most = value
    one.why = GREEDILY
    return best


@kernel
def by_list(battle: Any, one: Any, policy: Any) -> int:
    """The choice submitted for this round; defend if the player missed the deadline.

    Rule:    titans/README.md, Policies, choices; Deadlines.
    Changes: one.why, one.missed.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.tick > policy.choice_count:
        return ATTACK
    choice = policy.choices[battle.tick - 1]
    if choice == MISSED:
        one.missed += 1
        one.why = TOO_LATE
        return DEFEND
    one.missed = 0
    if not is_legal(one, choice):
        one.why = NOT_PAYABLE
        return ATTACK
    one.why = SUBMITTED
    return choice


@kernel
def by_table_in_ways(battle: Any, one: Any, grid: Any, log: Any) -> int:
    """Take each legal choice with a weight in the state's cell, for exact odds.

    Rule:    titans/README.md, Policies, solved.
    Changes: the dice.
    Draws:   one way for each choice that has a weight.
    Emits:   nothing.
    """
    cell = cell_of(one, opponent_of(battle, one), grid)
    total = 0
    ways = 0
    for choice in range(CHOICES):
        weight = weight_in_cell(battle, one, cell, choice)
        total += weight
        ways += 1 if weight > 0 else 0
    left = take_outcome(battle.dice, ways) if ways > 1 else 0
    for choice in range(CHOICES):
        weight = weight_in_cell(battle, one, cell, choice)
        if weight > 0:
            if left <= 0 and (ways == 1 or weigh(battle.dice, weight, total)):
                return choice
            left -= 1
    return ATTACK


@kernel
def weight_in_cell(battle: Any, one: Any, cell: int, choice: int) -> int:
    """The weight of a choice in a cell of a solved table; 0 if not legal.

    Rule:    titans/README.md, Policies, solved.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return int(battle.cells[cell, choice & CHOICE_MASK]) if is_legal(one, choice) else 0


@dispatch_on_dice(by_table_in_ways)
@kernel
def by_table(battle: Any, one: Any, grid: Any, log: Any) -> int:
    """Choose a legal choice by the weights of the state's cell; attack if all are 0.

    Rule:    titans/README.md, Policies, solved.
    Changes: one.why.
    Draws:   opens (round, 0x8000 + player); below(total of the weights), if the total is above 0.
    Emits:   CHANCE, if something is drawn.
    """
    cell = cell_of(one, opponent_of(battle, one), grid)
    total = 0
    for choice in range(CHOICES):
        if is_legal(one, choice):
            total += int(battle.cells[cell, choice & CHOICE_MASK])
    if total == 0:
        return ATTACK
    open_address(battle.dice, battle.tick, CHANCE_LANE + one.index)
    left = below(battle.dice, total)
    tell_chance(battle, one, left, total, NOBODY, log)
    one.why = MIXED
    for choice in range(CHOICES):
        if is_legal(one, choice):
            left -= int(battle.cells[cell, choice & CHOICE_MASK])
            if left < 0:
                return choice
    return ATTACK


@kernel
def cell_of(one: Any, other: Any, grid: Any) -> int:
    """The cell of a solved table for the current state.

    Rule:    titans/README.md, Policies, solved.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    own_hp = (one.hp * grid.own_hp + one.max_hp - 1) // one.max_hp - 1
    enemy_hp = (other.hp * grid.enemy_hp + other.max_hp - 1) // other.max_hp - 1
    own_charge = one.charge * grid.own_charge // (MAX_CHARGE + 1)
    enemy_charge = other.charge * grid.enemy_charge // (MAX_CHARGE + 1)
    row = own_hp * grid.enemy_hp + enemy_hp
    return grid.first + (row * grid.own_charge + own_charge) * grid.enemy_charge + enemy_charge & CELL_MASK


@kernel_noinline
def best_of_network(battle: Any, one: Any) -> int:
    """Let a player's trained policy look at the round; its best choice.

    Rule:    titans/README.md, Policies, trained.
    Changes: battle.thought.
    Draws:   none.
    Emits:   nothing.
    """
    see_duel(battle, one.index, battle.thought.seen, True)
    mark_legal(battle, one.index, battle.thought.mask)
    return best_action(battle.networks[one.index & 1], battle.thought, NETWORK_SHAPE)


@kernel_noinline
def weight_in_network(battle: Any, one: Any, choice: int, most: int) -> int:
    """The weight of a choice in the mix of a trained policy; `most` is the best choice's score.

    Rule:    titans/README.md, Policies, trained.
    Changes: battle.thought.
    Draws:   none.
    Emits:   nothing.
    """
    return share_in_mix(battle.networks[one.index & 1], battle.thought, choice, most, NETWORK_SHAPE)


@kernel
def by_network_in_ways(battle: Any, one: Any, log: Any) -> int:
    """Take each choice of a trained policy that has a weight, for exact odds.

    Rule:    titans/README.md, Policies, trained.
    Changes: the dice, battle.thought.
    Draws:   one way for each choice that has a weight.
    Emits:   nothing.
    """
    network = battle.networks[one.index & 1]
    best = best_of_network(battle, one)
    if network.mixes == 0:
        return best
    most = score_of(network, battle.thought, best, NETWORK_SHAPE)
    total = 0
    ways = 0
    for choice in range(CHOICES):
        weight = weight_in_network(battle, one, choice, most)
        total += weight
        ways += 1 if weight > 0 else 0
    left = take_outcome(battle.dice, ways) if ways > 1 else 0
    for choice in range(CHOICES):
        weight = weight_in_network(battle, one, choice, most)
        if weight > 0:
            if left <= 0 and (ways == 1 or weigh(battle.dice, weight, total)):
                return choice
            left -= 1
    return best


@dispatch_on_dice(by_network_in_ways)
@kernel
def by_network(battle: Any, one: Any, log: Any) -> int:
    """Choose as a trained policy does: its best choice, or one drawn by the scores.

    Rule:    titans/README.md, Policies, trained.
    Changes: one.why, battle.thought.
    Draws:   opens (round, 0x8000 + player); below(total of the weights), if the policy mixes.
    Emits:   CHANCE, if something is drawn.
    """
    network = battle.networks[one.index & 1]
    best = best_of_network(battle, one)
    one.why = TRAINED
    if network.mixes == 0:
        return best
    most = score_of(network, battle.thought, best, NETWORK_SHAPE)
    total = 0
    for choice in range(CHOICES):
        total += weight_in_network(battle, one, choice, most)
    open_address(battle.dice, battle.tick, CHANCE_LANE + one.index)
    left = below(battle.dice, total)
    tell_chance(battle, one, left, total, NOBODY, log)
    for choice in range(CHOICES):
        left -= weight_in_network(battle, one, choice, most)
        if left < 0:
            return choice
    return best
