"""Who decides what: every participant takes the move that is worth most to it. README, A participant's turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from fracas.kernel.dice import between, open_address
from fracas.kernel.jit import kernel, kernel_apart
from fracas.kernel.log import NOBODY, emit
from fracas.rulesets.stacks.constants import (
    ARCHERY,
    AS_VALUE,
    BOMBARD,
    CHARGE,
    CHARGE_BONUS,
    CONSIDERED_EVENT,
    JAVELIN,
    JAVELIN_BONUS,
    LIVING_ENEMIES,
    LIVING_FRIENDS,
    MOVE_TYPE_MASK,
    SAMPLED,
    SIDES,
    SPLASH_LOSS,
    STACK_SLOTS,
    STRIKE,
    TRIAL_EVENT,
    TRIAL_LANE,
    TRIALS,
    UNIT_MOVE_MASK,
)
from fracas.rulesets.stacks.moves import expected_value, is_viable, repeats
from fracas.rulesets.stacks.moves_melee import charge_damage
from fracas.rulesets.stacks.moves_ranged import splashed
from fracas.rulesets.stacks.participants import involved_at, is_living, member_at, participant_at, relation
from fracas.rulesets.stacks.rolls import score


@kernel
def choose_move(battle: Any, actor: int, log: Any, plugins: Any) -> float:
    """The viable pair of target and move type that is worth most, the first of equal ones; what it is worth, or 0.

    Rule:    README, A participant's turn, step 1.
    Changes: battle.chosen_target and battle.chosen_move (none if it is worth nothing), battle.viable_count.
    Draws:   as sampled_value, from (tick, 0x8000 + actor), if values are sampled.
    Emits:   CONSIDERED for each viable pair, after its TRIAL.
    """
    one = participant_at(battle, actor)
    # Kept here and not in the record until the end: what is written there would be read back at every pair.
    best, best_target, best_move, viable_count = 0.0, NOBODY, NOBODY, 0
    is_sampled = battle.options.valuation == SAMPLED
    if is_sampled:
        open_address(battle.dice, battle.tick, TRIAL_LANE + actor)
    # Whoever no move of the actor's can be meant for is passed over at once, a whole side if need be.
    group = candidates_of(one)
    count = battle.involved_count if group == SIDES else battle.sides[group & 1].member_count
    for place in range(count):
        target = involved_at(battle, place) if group == SIDES else member_at(battle, group, place)
        related = relation(battle, actor, target)
        for entry in range(one.move_count if one.aims & related != 0 else 0):
            move = one.moves[entry & UNIT_MOVE_MASK]
            aims = battle.move_types[move & MOVE_TYPE_MASK].aims
            if aims & related != 0 and is_viable(battle, move, actor, target, plugins):
                value = value_of(battle, move, actor, target, is_sampled, log, plugins)
                is_best = value > best
                if is_best:
                    best, best_target, best_move = value, target, move
                viable_count += 1
                if log is not None:
                    low, high = low_half(value), high_half(value)
                    flag = 1 if is_best else 0
                    emit(log, battle.tick, CONSIDERED_EVENT, actor, target, move, low, high, flag)
    battle.chosen_target = best_target
    battle.chosen_move = best_move
    battle.viable_count = viable_count
    return best


@kernel
def candidates_of(one: Any) -> int:
    """Whom a participant's moves can be meant for: the side of that number, or SIDES if it may be anybody.

    Rule:    README, A participant's turn, step 1 (the others are no viable targets).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if one.aims == LIVING_ENEMIES:
        return 1 - one.side
    if one.aims == LIVING_FRIENDS:
        return one.side
    return SIDES


@kernel
def value_of(battle: Any, move: int, actor: int, target: int, is_sampled: bool, log: Any, plugins: Any) -> float:
    """What a viable pair is worth: by trials if the rules say so and the move can be tried, else exactly.

    Rule:    README, A participant's turn, step 1; Sampled values.
    Changes: nothing.
    Draws:   as sampled_value.
    Emits:   as sampled_value.
    """
    if is_sampled and can_be_tried(move):
        return sampled_value(battle, move, actor, target, log)
    return expected_value(battle, move, actor, target, plugins)


@kernel
def can_be_tried(move: int) -> bool:
    """Whether trial rolls value a move: the harmful shipped ones.

    Rule:    README, Sampled values.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return move == STRIKE or move == ARCHERY or move == CHARGE or move == BOMBARD or move == JAVELIN


@kernel_apart
def sampled_value(battle: Any, move: int, actor: int, target: int, log: Any) -> float:
    """What a harmful shipped move brought in five trials, for all its repeats.

    Rule:    README, Sampled values.
    Changes: nothing but the dice.
    Draws:   as try_move, five times.
    Emits:   as try_move, five times.
    """
    total = 0
    for _ in range(TRIALS):
        total += try_move(battle, move, actor, target, log)
    return total * repeats(battle, move, actor, target, None) / TRIALS


@kernel
def try_move(battle: Any, move: int, actor: int, target: int, log: Any) -> int:
    """One trial: what making the move once might take, over all whom it strikes.

    Rule:    README, Sampled values.
    Changes: nothing but the dice.
    Draws:   as trial_roll; for Bombard once more for each unit that the splash reaches.
    Emits:   as trial_roll.
    """
    one = participant_at(battle, actor)
    attack, damage = one.attack, one.damage
    bonus = 0
    if move == CHARGE:
        damage = charge_damage(battle, one)
        if battle.options.charge_estimate == AS_VALUE:
            bonus = CHARGE_BONUS
        else:
            attack += CHARGE_BONUS
    elif move == JAVELIN:
        attack += JAVELIN_BONUS
        damage += JAVELIN_BONUS
    total = bonus + trial_roll(battle, move, actor, target, attack, damage, log)
    if move == BOMBARD:
        first = splashed(battle, target)
        if first != NOBODY:
            for struck in range(first, first + STACK_SLOTS):
                if is_living(battle, struck):
                    weaker = attack - SPLASH_LOSS, damage - SPLASH_LOSS
                    total += trial_roll(battle, move, actor, struck, weaker[0], weaker[1], log)
    return total


@kernel_apart
def trial_roll(battle: Any, move: int, actor: int, target: int, attack: int, damage: int, log: Any) -> int:
    """A damage roll that changes nothing: what it would take.

    Rule:    README, Sampled values; Scores, damage rolls, values.
    Changes: nothing but the dice.
    Draws:   between(0, attack), between(0, defence), on a hit between(0, damage).
    Emits:   TRIAL.
    """
    roll = between(battle.dice, 0, score(battle, attack))
    against = between(battle.dice, 0, score(battle, participant_at(battle, target).defence))
    amount = NOBODY
    if roll > against:
        amount = between(battle.dice, 0, score(battle, damage))
    if log is not None:
        emit(log, battle.tick, TRIAL_EVENT, actor, target, move, roll, against, amount)
    return max(amount, 0)


@kernel
def low_half(value: float) -> int:
    """The low 32 bits of a double, as a number with a sign.

    Rule:    README, Event rows (a value takes two columns).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return (bits_of(value) & 0xFFFFFFFF ^ 0x80000000) - 0x80000000


@kernel
def high_half(value: float) -> int:
    """The high 32 bits of a double, as a number with a sign.

    Rule:    README, Event rows (a value takes two columns).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return bits_of(value) >> 32


@kernel
def bits_of(value: float) -> int:
    """The 64 bits of a double as one number.

    Rule:    README, Event rows (a value takes two columns).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return np.float64(value).view(np.int64)  # type: ignore[return-value]  # NumPy's integers are ints to kernels
