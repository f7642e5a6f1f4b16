"""Makes choices in lanes: rules/policies.py for 64 duels at once."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import below_few, change, count_block, draw_block, give_up, largest_word, may_refuse
from fracas.lanes.operations import (
    any_lane,
    as_words,
    load,
    load_words,
    look_up,
    no_lanes,
    select,
    splat,
    splat_words,
    store,
)
from fracas.rulesets.titans.lockstep.conditions import condition_holds
from fracas.rulesets.titans.lockstep.greedy_policy import choose_by_greed
from fracas.rulesets.titans.lockstep.lane_state import is_legal
from fracas.rulesets.titans.lockstep.solved_tables import choose_by_table
from fracas.rulesets.titans.lockstep.state import (
    CHOICE,
    MISSED,
    OTHER_BLOCK,
    TICK,
)
from fracas.rulesets.titans.rules.constants import (
    ANY_ABILITY,
    AT_RANDOM,
    ATTACK,
    BY_GREED,
    BY_LIST,
    BY_RULES,
    CHANCE_LANE,
    DEFEND,
    FIRST_ABILITY,
)
from fracas.rulesets.titans.rules.constants import MISSED as MISSED_CHOICE
from fracas.rulesets.titans.rules.titan_stats import titan_at


@kernel_noinline
def choose(state: Any, battle: Any, plan: Any, index: int, running: Any) -> None:
    """Make a player's choice by its policy.

    Rule:    titans/README.md, The round, step 2; Policies.
    Changes: CHOICE and MISSED of the player, GIVEN_UP.
    Draws:   as the policy.
    Emits:   nothing.
    """
    kind = battle.policies[index].kind
    if kind == BY_RULES:
        choose_by_rules(state, battle, plan, index, running)
    elif kind == AT_RANDOM:
        choose_at_random(state, battle, index, running)
    elif kind == BY_LIST:
        choose_by_list(state, battle, index)
    elif kind == BY_GREED:
        choose_by_greed(state, battle, plan, index)
    else:
        choose_by_table(state, battle, index, running)


@kernel
def choose_by_rules(state: Any, battle: Any, plan: Any, index: int, running: Any) -> None:
    """Choose by the first rule whose condition holds, whose choice is legal and whose chance succeeds.

    Rule:    titans/README.md, Policies, rules.
    Changes: CHOICE of the player, GIVEN_UP.
    Draws:   as the rules: one block of (round, 0x8000 + player) before the first chance.
    Emits:   nothing.
    """
    one = titan_at(battle, index)
    policy = battle.policies[index]
    left = running
    rolled = splat(state, 0)
    most_rolled = 0
    store(state, CHOICE + index, splat(state, ATTACK + 1))
    for place in range(policy.rule_count):
        rule = policy.rules[place]
        wanted = rule.choice
        if wanted == ANY_ABILITY:
            fits = no_lanes()
            for ability in range(one.ability_count):
                fits = fits | is_legal(state, battle, index, FIRST_ABILITY + ability)
            fits = left & fits
        else:
            fits = left & is_legal(state, battle, index, wanted)
        if rule.step_count > 0 and any_lane(fits):
            fits = fits & condition_holds(state, battle, plan, index, place)
        if rule.chance < 100 and any_lane(fits):
            opens = fits & (rolled == splat(state, 0))
            draw_block(state, battle, OTHER_BLOCK, CHANCE_LANE + index, opens)
            count_block(state, opens)
            word = load_words(state, OTHER_BLOCK)
            for taken in range(1, most_rolled + 1):
                word = select(rolled == splat(state, taken), load_words(state, OTHER_BLOCK + taken), word)
            most_rolled += 1
            rolled = select(fits, rolled + splat(state, 1), rolled)
            give_up(state, fits & may_refuse(word, splat_words(100)))
            fits = fits & (word <= splat_words(largest_word(rule.chance)))
        if any_lane(fits):
            choice = splat(state, wanted + 1)
            if wanted == ANY_ABILITY:
                for later in range(one.ability_count):
                    ability = FIRST_ABILITY + one.ability_count - 1 - later
                    choice = select(is_legal(state, battle, index, ability), splat(state, ability + 1), choice)
            change(state, CHOICE + index, fits, choice)
            left = left & ~fits
            if not any_lane(left):
                return


@kernel
def choose_at_random(state: Any, battle: Any, index: int, running: Any) -> None:
    """Choose one of the legal choices at random, all equally likely.

    Rule:    titans/README.md, Policies, random.
    Changes: CHOICE of the player, GIVEN_UP.
    Draws:   a block of (round, 0x8000 + player).
    Emits:   nothing.
    """
    end = FIRST_ABILITY + titan_at(battle, index).ability_count
    none, one = splat(state, 0), splat(state, 1)
    count = none
    for choice in range(end):
        count = select(is_legal(state, battle, index, choice), count + one, count)
    draw_block(state, battle, OTHER_BLOCK, CHANCE_LANE + index, running)
    count_block(state, running)
    word, n = load_words(state, OTHER_BLOCK), as_words(count)
    give_up(state, running & may_refuse(word, n))
    left = below_few(state, word, n)
    chosen = splat(state, ATTACK + 1)
    waits = running
    for choice in range(end):
        legal = waits & is_legal(state, battle, index, choice)
        here = legal & (left == none)
        chosen = select(here, splat(state, choice + 1), chosen)
        waits = waits & ~here
        left = select(legal, left - one, left)
    store(state, CHOICE + index, chosen)


@kernel
def choose_by_list(state: Any, battle: Any, index: int) -> None:
    """The choice submitted for this round; defend if the player missed the deadline.

    Rule:    titans/README.md, Policies, choices; Deadlines.
    Changes: CHOICE and MISSED of the player.
    Draws:   none.
    Emits:   nothing.
    """
    policy = battle.policies[index]
    tick = load(state, TICK)
    one = splat(state, 1)
    attack = splat(state, ATTACK)
    if policy.choice_count == 0:
        store(state, CHOICE + index, attack + one)
        return
    is_listed = (tick >= one) & (tick <= splat(state, policy.choice_count))
    choice = look_up(policy.choices, 0, select(is_listed, tick - one, splat(state, 0)))
    has_missed = is_listed & (choice == splat(state, MISSED_CHOICE))
    missed = load(state, MISSED + index)
    missed = select(is_listed, select(has_missed, missed + one, splat(state, 0)), missed)
    store(state, MISSED + index, missed)
    choice = select(is_listed, choice, attack)
    end = FIRST_ABILITY + titan_at(battle, index).ability_count
    choice = select(choice >= splat(state, end), attack, choice)
    for ability in range(FIRST_ABILITY, end):
        unpaid = (choice == splat(state, ability)) & ~is_legal(state, battle, index, ability)
        choice = select(unpaid, attack, choice)
    choice = select(has_missed, splat(state, DEFEND), choice)
    store(state, CHOICE + index, choice + one)
