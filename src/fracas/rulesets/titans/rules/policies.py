"""How policies choose: by rules, at random, greedily, by a solved table, or from submitted choices.

The rules: titans/README.md, Policies.
"""

from __future__ import annotations

from fracas.kernel.dice import below, d100_within, open_address
from fracas.kernel.enumerating_dice import dispatch_on_dice, take_outcome, weigh
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.networks import best_action, score_of, share_in_mix
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.choice_table import ROLLS, choice_by_entry, entry_for, has_table
from fracas.rulesets.titans.rules.events import emit_chance, emit_choice
from fracas.rulesets.titans.rules.expected_values import worth
from fracas.rulesets.titans.rules.observation import mark_legal, see_duel
from fracas.rulesets.titans.rules.rule_matching import choice_of, is_possible
from fracas.rulesets.titans.rules.titan_stats import is_legal, opponent_of


@kernel
def choose(battle, one, log) -> None:
    """Make a player's choice by its policy (README, The round, step 2)."""
    policy = battle.policies[one.index & 1]
    one.rule = NOBODY
    one.why = codes.BY_DEFAULT
    kind = policy.kind
    if kind == codes.BY_RULES:
        choice = by_rules(battle, one, policy, log)
    elif kind == codes.AT_RANDOM:
        choice = at_random(battle, one, log)
    elif kind == codes.BY_GREED:
        choice = by_greed(battle, one)
    elif kind == codes.BY_LIST:
        choice = by_list(battle, one, policy)
    elif kind == codes.BY_NETWORK:
        choice = by_network(battle, one, log)
    else:
        choice = by_table(battle, one, policy.grid, log)
    one.choice = choice
    if log is not None:
        action = min(choice, codes.FIRST_ABILITY)
        emit_choice(log, battle.tick, one.index, action, ability_code(one, choice), one.why, one.rule)


@kernel
def ability_code(one, choice: int) -> int:
    """The code of a choice's ability; NOBODY if it is not an ability (README, Choices)."""
    return one.abilities[choice - codes.FIRST_ABILITY] if choice >= codes.FIRST_ABILITY else NOBODY


@kernel
def by_rules(battle, one, policy, log) -> int:
    """Choose by the first rule whose condition holds, whose choice is legal and whose chance succeeds.

    Battles without a log look the choice up where they can (choice_table.py).

    Changes: one.why, one.rule, battle.facts.
    """
    if log is None and has_table(battle, one):
        entry = entry_for(battle, one)
        if entry != ROLLS:
            return choice_by_entry(one, entry)
    has_opened = False
    for index in range(policy.rule_count):
        rule = policy.rules[index & codes.RULE_MASK]
        choice = choice_of(one, rule.choice)
        if not is_possible(battle, one, rule, choice):
            continue
        if rule.chance < 100:
            if not has_opened:
                open_address(battle.dice, battle.tick, codes.CHANCE_LANE + one.index)
                has_opened = True
            roll = d100_within(battle.dice, rule.chance)
            emit_chance(log, battle.tick, one.index, roll, rule.chance, index)
            if roll > rule.chance:
                continue
        one.why = codes.BY_RULE
        one.rule = index
        return choice
    return codes.ATTACK


@kernel
def at_random(battle, one, log) -> int:
    """Choose one of the legal choices at random, all equally likely.

    Changes: one.why.
    """
    count = 0
    for choice in range(codes.CHOICES):
        if is_legal(one, choice):
            count += 1
    open_address(battle.dice, battle.tick, codes.CHANCE_LANE + one.index)
    left = below(battle.dice, count)
    emit_chance(log, battle.tick, one.index, left, count, NOBODY)
    one.why = codes.RANDOMLY
    for choice in range(codes.CHOICES):
        if is_legal(one, choice):
            if left == 0:
                return choice
            left -= 1
    return codes.ATTACK


@kernel
def by_greed(battle, one) -> int:
    """Choose the highest expected value; ties go to attack, abilities in order, defend, rest (README, Greedy).

    Changes: one.why, battle.outlook.
    """
    best = codes.ATTACK
    most = worth(battle, one, codes.ATTACK)
    for index in range(one.ability_count + 2):
        choice = codes.FIRST_ABILITY + index
        if index >= one.ability_count:
            choice = codes.DEFEND if index == one.ability_count else codes.REST
        if is_legal(one, choice):
            value = worth(battle, one, choice)
            if value > most:
                best = choice
                most = value
    one.why = codes.GREEDILY
    return best


@kernel
def by_list(battle, one, policy) -> int:
    """The choice submitted for this round; defend if the player missed the deadline (README, Deadlines).

    Changes: one.why, one.missed.
    """
    if battle.tick > policy.choice_count:
        return codes.ATTACK
    choice = policy.choices[battle.tick - 1]
    if choice == codes.MISSED:
        one.missed += 1
        one.why = codes.TOO_LATE
        return codes.DEFEND
    one.missed = 0
    if not is_legal(one, choice):
        one.why = codes.NOT_PAYABLE
        return codes.ATTACK
    one.why = codes.SUBMITTED
    return choice


@kernel
def by_table_in_ways(battle, one, grid, log) -> int:
    """Take each legal choice with a weight in the state's cell, for exact odds."""
    cell = cell_of(one, opponent_of(battle, one), grid)
    total = 0
    ways = 0
    for choice in range(codes.CHOICES):
        weight = weight_in_cell(battle, one, cell, choice)
        total += weight
        ways += 1 if weight > 0 else 0
    left = take_outcome(battle.dice, ways) if ways > 1 else 0
    for choice in range(codes.CHOICES):
        weight = weight_in_cell(battle, one, cell, choice)
        if weight > 0:
            if left <= 0 and (ways == 1 or weigh(battle.dice, weight, total)):
                return choice
            left -= 1
    return codes.ATTACK


@kernel
def weight_in_cell(battle, one, cell: int, choice: int) -> int:
    """The weight of a choice in a cell of a solved table; 0 if not legal."""
    return int(battle.cells[cell, choice & codes.CHOICE_MASK]) if is_legal(one, choice) else 0


@dispatch_on_dice(by_table_in_ways)
@kernel
def by_table(battle, one, grid, log) -> int:
    """Choose a legal choice by the weights of the state's cell; attack if all are 0.

    Changes: one.why.
    """
    cell = cell_of(one, opponent_of(battle, one), grid)
    total = 0
    for choice in range(codes.CHOICES):
        if is_legal(one, choice):
            total += int(battle.cells[cell, choice & codes.CHOICE_MASK])
    if total == 0:
        return codes.ATTACK
    open_address(battle.dice, battle.tick, codes.CHANCE_LANE + one.index)
    left = below(battle.dice, total)
    emit_chance(log, battle.tick, one.index, left, total, NOBODY)
    one.why = codes.MIXED
    for choice in range(codes.CHOICES):
        if is_legal(one, choice):
            left -= int(battle.cells[cell, choice & codes.CHOICE_MASK])
            if left < 0:
                return choice
    return codes.ATTACK


@kernel
def cell_of(one, other, grid) -> int:
    """The cell of a solved table for the current state."""
    own_hp = (one.hp * grid.own_hp + one.max_hp - 1) // one.max_hp - 1
    enemy_hp = (other.hp * grid.enemy_hp + other.max_hp - 1) // other.max_hp - 1
    own_charge = one.charge * grid.own_charge // (codes.MAX_CHARGE + 1)
    enemy_charge = other.charge * grid.enemy_charge // (codes.MAX_CHARGE + 1)
    row = own_hp * grid.enemy_hp + enemy_hp
    return grid.first + (row * grid.own_charge + own_charge) * grid.enemy_charge + enemy_charge & codes.CELL_MASK


@kernel_noinline
def best_of_network(battle, one) -> int:
    """Let a player's trained policy look at the round; its best choice."""
    see_duel(battle, one.index, battle.thought.seen, True)
    mark_legal(battle, one.index, battle.thought.mask)
    return best_action(battle.networks[one.index & 1], battle.thought, codes.NETWORK_SHAPE)


@kernel_noinline
def weight_in_network(battle, one, choice: int, most: int) -> int:
    """The weight of a choice in the mix of a trained policy; `most` is the best choice's score."""
    return share_in_mix(battle.networks[one.index & 1], battle.thought, choice, most, codes.NETWORK_SHAPE)


@kernel
def by_network_in_ways(battle, one, log) -> int:
    """Take each choice of a trained policy that has a weight, for exact odds."""
    network = battle.networks[one.index & 1]
    best = best_of_network(battle, one)
    if network.mixes == 0:
        return best
    most = score_of(network, battle.thought, best, codes.NETWORK_SHAPE)
    total = 0
    ways = 0
    for choice in range(codes.CHOICES):
        weight = weight_in_network(battle, one, choice, most)
        total += weight
        ways += 1 if weight > 0 else 0
    left = take_outcome(battle.dice, ways) if ways > 1 else 0
    for choice in range(codes.CHOICES):
        weight = weight_in_network(battle, one, choice, most)
        if weight > 0:
            if left <= 0 and (ways == 1 or weigh(battle.dice, weight, total)):
                return choice
            left -= 1
    return best


@dispatch_on_dice(by_network_in_ways)
@kernel
def by_network(battle, one, log) -> int:
    """Choose as a trained policy does: its best choice, or one drawn by the scores.

    Changes: one.why, battle.thought.
    """
    network = battle.networks[one.index & 1]
    best = best_of_network(battle, one)
    one.why = codes.TRAINED
    if network.mixes == 0:
        return best
    most = score_of(network, battle.thought, best, codes.NETWORK_SHAPE)
    total = 0
    for choice in range(codes.CHOICES):
        total += weight_in_network(battle, one, choice, most)
    open_address(battle.dice, battle.tick, codes.CHANCE_LANE + one.index)
    left = below(battle.dice, total)
    emit_chance(log, battle.tick, one.index, left, total, NOBODY)
    for choice in range(codes.CHOICES):
        left -= weight_in_network(battle, one, choice, most)
        if left < 0:
            return choice
    return best
