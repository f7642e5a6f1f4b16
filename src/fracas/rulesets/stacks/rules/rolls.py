"""Damage rolls, their exact values, and the tuples of a making, for shipped moves and plug-ins.

The rules: stacks/README.md, Scores; Plug-in moves; A making; The shipped moves.
"""

from __future__ import annotations

from fracas.kernel.dice import between
from fracas.kernel.enumerating_dice import dispatch_on_dice, take_outcome, weigh
from fracas.kernel.integer_math import floor_div
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.events import AMOUNT, ROLL
from fracas.rulesets.stacks.rules.participants import participant_at


@kernel
def score(battle, value: int) -> int:
    """Clamp a score for rolls: at least the least score, at most 10,000."""
    return min(max(value, battle.options.least_score), codes.LARGEST_SCORE)


@kernel
def hits(attack: int, defence: int) -> int:
    """Count the pairs of attack roll and defence roll that hit, for two scores.

    Its exact value.
    """
    if attack <= defence:
        return floor_div(attack * (attack + 1), 2)
    return (defence + 1) * attack - floor_div(defence * (defence + 1), 2)


@kernel
def hit_value(battle, attack: int, defence: int, damage: int, repeats: int) -> float:
    """The exact value of damage rolls: the chance to hit, times the mean damage, times the repeats.

    Scores are never negative; the bound tells the compiler that there is no division by 0.

    Its exact value.
    """
    a, d = score(battle, attack), score(battle, defence)
    return hits(a, d) * score(battle, damage) * repeats / max(2 * (a + 1) * (d + 1), 1)


@kernel
def raised_value(battle, attack: int, defence: int, damage: int, repeats: int, bonus: int) -> float:
    """As `hit_value`, with a bonus for each repeat, in one division (README, Charge).

    Charge_estimate = "value".
    """
    a, d = score(battle, attack), score(battle, defence)
    pairs = 2 * (a + 1) * (d + 1)
    return (hits(a, d) * score(battle, damage) * repeats + bonus * repeats * pairs) / pairs


@kernel_noinline
def damage_roll_in_ways(battle, target: int, attack: int, defence: int, damage: int) -> int:
    """A damage roll for exact odds, which only distinguishes how much health it takes.

    A share of all pairs of rolls hits; a hit takes each amount equally often, at most the target's health.

    A damage roll, and its exact value.
    """
    a, d, most = score(battle, attack), score(battle, defence), score(battle, damage)
    keep_roll(battle, ROLL, target, 0, a, 0, d)
    health = participant_at(battle, target).health
    last = min(most, health)
    total = (a + 1) * (d + 1) * (most + 1)
    if last == 0 or hits(a, d) == 0:
        return 0
    amount = take_outcome(battle.dice, last + 1)
    while not weigh(battle.dice, pairs_that_take(hits(a, d), amount, last, most, total), total):
        amount += 1
    if amount > 0:
        keep_roll(battle, AMOUNT, target, amount, 0, most, 0)
    return amount


@kernel
def pairs_that_take(hitting: int, amount: int, last: int, most: int, total: int) -> int:
    """Count the combinations of a damage roll's numbers that take an amount of health, at most `last`.

    A damage roll, and its exact value.
    """
    if amount == 0:
        return total - hitting * most
    return hitting * (most + 1 - last) if amount == last else hitting


@dispatch_on_dice(damage_roll_in_ways)
@kernel_noinline
def damage_roll(battle, target: int, attack: int, defence: int, damage: int) -> int:
    """Roll attack against defence, and damage if that hits; 0 if it does not.

    A damage roll.

    Emits: nothing; ROLL and on a hit AMOUNT are stored for the log.
    """
    a, d, most = score(battle, attack), score(battle, defence), score(battle, damage)
    roll = between(battle.dice, 0, a)
    against = between(battle.dice, 0, d)
    keep_roll(battle, ROLL, target, roll, a, against, d)
    if roll <= against:
        return 0
    amount = between(battle.dice, 0, most)
    keep_roll(battle, AMOUNT, target, amount, 0, most, 0)
    return amount


@kernel
def own_roll(battle, target: int, low: int, high: int) -> int:
    """A roll for a plug-in's own use.

    Emits: nothing; AMOUNT is stored for the log.
    """
    roll = between(battle.dice, low, high)
    keep_roll(battle, AMOUNT, target, roll, low, high, 0)
    return roll


@kernel
def keep_roll(battle, kind: int, target: int, a: int, b: int, c: int, d: int) -> None:
    """Count a roll, and store it for the log if there is one (README, Order of rows)."""
    if battle.roll_count >= codes.MAX_ROLLS:
        battle.overfull = 1
        return
    if battle.noting != 0:
        stored = battle.rolls[battle.roll_count & codes.ROLL_MASK]
        stored.kind = kind
        stored.target = target
        stored.a = a
        stored.b = b
        stored.c = c
        stored.d = d
    battle.roll_count += 1


@kernel
def put(battle, target: int, effect: int) -> None:
    """Add a tuple to the current making; its actor is the participant that makes the move."""
    if battle.tuple_count >= codes.MAX_TUPLES:
        battle.overfull = 1
        return
    left = battle.tuples[battle.tuple_count & codes.TUPLE_MASK]
    left.target = target
    left.effect = effect
    battle.tuple_count += 1


@kernel
def begin_making(battle) -> None:
    """Begin a making: clear the rolls and tuples of the one before."""
    battle.roll_count = 0
    battle.tuple_count = 0


@kernel
def lose_health(target, effect: int) -> None:
    """A participant loses health by an effect, down to 0."""
    target.health = max(0, target.health - effect)


@kernel
def regain_health(target, effect: int) -> None:
    """A participant regains health by an effect, up to its full health."""
    target.health = min(target.full_health, target.health + effect)
