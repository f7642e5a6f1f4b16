"""The mix of a policy: how often it makes each choice in a state. titans/README.md, "Solving", exploitability.

The rules: titans/README.md, Policies.
"""

from __future__ import annotations

from fracas.kernel.condition_evaluator import evaluate
from fracas.kernel.jit import kernel
from fracas.kernel.networks import score_of
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.condition_facts import read_situation
from fracas.rulesets.titans.rules.policies import best_of_network, by_greed, cell_of, weight_in_network
from fracas.rulesets.titans.rules.rule_matching import choice_of
from fracas.rulesets.titans.rules.titan_stats import is_legal, opponent_of


@kernel
def policy_mix(battle, space, one) -> None:
    """Work out how often a player's policy makes each legal choice."""
    policy = battle.policies[one.index & 1]
    if policy.kind == codes.BY_RULES:
        rules_mix(battle, space, one, policy)
    elif policy.kind == codes.AT_RANDOM:
        for number in range(space.counts[one.index]):
            space.mixes[one.index, number] = 1.0 / space.counts[one.index]
    elif policy.kind == codes.BY_GREED:
        add_share(space, one, by_greed(battle, one), 1.0)
    elif policy.kind == codes.BY_NETWORK:
        network_mix(battle, space, one)
    else:
        table_mix(battle, space, one, policy.grid)


@kernel
def add_share(space, one, choice: int, share: float) -> None:
    """Add to how often a choice is made."""
    for number in range(space.counts[one.index]):
        if space.legal[one.index, number] == choice:
            space.mixes[one.index, number] += share


@kernel
def rules_mix(battle, space, one, policy) -> None:
    """The mix of rules: each takes its chance of what earlier rules left."""
    left = 1.0
    for index in range(policy.rule_count):
        rule = policy.rules[index & codes.RULE_MASK]
        choice = choice_of(one, rule.choice)
        if left > 0.0 and is_legal(one, choice):
            is_true = True
            if rule.step_count > 0:
                read_situation(battle, one, rule.first_ask, rule.ask_count)
                is_true = evaluate(battle, rule.first_step, rule.step_count)
            if is_true:
                share = left * rule.chance / 100.0
                add_share(space, one, choice, share)
                left -= share
    if left > 0.0:
        add_share(space, one, codes.ATTACK, left)


@kernel
def table_mix(battle, space, one, grid) -> None:
    """The mix of a solved table: the weights of the state's cell, as shares."""
    cell = cell_of(one, opponent_of(battle, one), grid)
    total = 0
    for number in range(space.counts[one.index]):
        total += int(battle.cells[cell, space.legal[one.index, number] & codes.CHOICE_MASK])
    if total == 0:
        add_share(space, one, codes.ATTACK, 1.0)
        return
    for number in range(space.counts[one.index]):
        weight = int(battle.cells[cell, space.legal[one.index, number] & codes.CHOICE_MASK])
        space.mixes[one.index, number] = weight / total


@kernel
def network_mix(battle, space, one) -> None:
    """The mix of a trained policy: the weights of its choices, as shares."""
    network = battle.networks[one.index & 1]
    best = best_of_network(battle, one)
    if network.mixes == 0:
        add_share(space, one, best, 1.0)
        return
    most = score_of(network, battle.thought, best, codes.NETWORK_SHAPE)
    total = 0
    for number in range(space.counts[one.index]):
        total += weight_in_network(battle, one, space.legal[one.index, number], most)
    for number in range(space.counts[one.index]):
        weight = weight_in_network(battle, one, space.legal[one.index, number], most)
        space.mixes[one.index, number] = weight / total
