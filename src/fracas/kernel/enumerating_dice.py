"""Enumerating dice: they take every outcome of each roll instead of one, for exact odds (docs/adr/0022).

A step of a battle is played repeatedly. The first time, every roll takes its first outcome. After that, the last roll
with another outcome left takes its next one, the rolls before it repeat theirs, and those after it start over, like an
odometer. When no roll has an outcome left, the step is complete, and the probabilities of its courses add up to 1.

The same record can also draw: each roll then takes one outcome by its weight, with ChaCha8 words of its own. This plays
a state from an enumeration on to an end (lab/exact/undecided_states.py).

Kernels roll with functions of the same names as in dice.py. Battles whose `dice` field has this type are played by the
same rules; `by_dice` chooses between the two sets of functions.

The rules: docs/reference/dice.md.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from fracas.kernel.chacha8 import AREAS, BLOCK_WORDS, MOST_FILLED, fill
from fracas.kernel.jit import kernel, register_enumerating
from fracas.kernel.records import record

# The most rolls of a step that have more than one outcome.
MOST_ROLLS = 64
# Chances compared with the 2^53 doubles of unit() are split into this many parts.
REALS = 1 << 53
# Two words are equal once in this many times. Then an index decides; here all orders are equally likely.
WORDS = 2.0**32
# The number of a roll that has not been drawn yet.
NOT_DRAWN = -1
# Words that drawing dice fill at once: the first area of as many as ordinary dice have.
DRAWN_WORDS = BLOCK_WORDS * MOST_FILLED

branching_t = record(
    # the battle's place in its round, for rulesets whose records do not have it
    ("place", np.int64),
    # what a ruleset's first step records for all later ones
    ("mark", np.int64),
    # how many rolls this step has made, and how many of them have a prescribed outcome
    ("made", np.int64),
    ("told", np.int64),
    # 1 if a roll has too many outcomes, or outcomes that cannot be enumerated
    ("refused", np.int64),
    # how far the weights of this step's outcomes may be off
    ("slack", np.float64),
    # for each roll: its outcome, the number of outcomes, and the outcome's weight out of a total
    ("way", np.int64, (MOST_ROLLS,)),
    ("ways", np.int64, (MOST_ROLLS,)),
    ("weight", np.int64, (MOST_ROLLS,)),
    ("total", np.int64, (MOST_ROLLS,)),
    # 1 if rolls draw one outcome by weight instead of enumerating; then what is left of the roll's number, the words
    # taken so far, and the state they are made from
    ("draws", np.int64),
    ("drawn", np.int64),
    ("taken", np.int64),
    ("key", np.uint32, (8,)),
    ("stream", np.uint32, (2,)),
    ("words", np.uint32, (AREAS * DRAWN_WORDS,)),
)


def is_branching(holder: Any) -> bool:
    """True for enumerating dice, and for a battle that has them; used in plain Python."""
    kind = holder.dtype
    if "dice" in kind.fields:
        kind = kind.fields["dice"][0]
    return bool(kind.names[0] == "place")


def dispatch_on_dice(branching: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Mark a kernel that has another form for enumerating dice; its first parameter is dice or has a `dice` field.

    Compiled code chooses by the record's type, so ordinary battles pay nothing.
    """

    def mark(words: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(words)
        def chosen(holder: Any, *rest: Any) -> Any:
            return branching(holder, *rest) if is_branching(holder) else words(holder, *rest)

        register_enumerating(chosen, words, branching)
        return chosen

    return mark


@kernel
def take_outcome(dice, ways: int) -> int:
    """The outcome of the next roll, out of several; `weigh` sets its weight.

    Drawing dice begin with the first outcome: the caller moves to the next one while `weigh` refuses.
    """
    if dice.draws != 0:
        dice.drawn = NOT_DRAWN
        return 0
    index = dice.made
    if index >= MOST_ROLLS:
        dice.refused = 1
        return 0
    dice.made += 1
    if index >= dice.told:
        dice.way[index] = 0
        dice.ways[index] = ways
        dice.told = index + 1
    dice.weight[index] = 1
    dice.total[index] = ways
    return dice.way[index]


@kernel
def weigh(dice, weight: int, total: int) -> bool:
    """Give the current outcome a weight out of a total; False if drawing dice do not take it."""
    if dice.draws != 0:
        if dice.drawn == NOT_DRAWN:
            dice.drawn = draw_below(dice, total)
        dice.drawn -= weight
        return bool(dice.drawn < 0)
    if 0 < dice.made <= MOST_ROLLS:
        dice.weight[dice.made - 1] = weight
        dice.total[dice.made - 1] = total
    return True


@kernel
def draw_word(dice) -> int:
    """The next 32-bit word of drawing dice, from one ChaCha8 stream, sixteen blocks at a time."""
    index = dice.taken & (DRAWN_WORDS - 1)
    if index == 0:
        fill(dice, 0, 0, 1, dice.taken // DRAWN_WORDS, 0)
    dice.taken += 1
    return np.int64(dice.words[index])  # type: ignore[return-value]  # NumPy's integers are ints for kernels


@kernel
def draw_unit(dice) -> float:
    """A double from 0 up to but not including 1, with 53 random bits."""
    low = draw_word(dice)
    return ((draw_word(dice) << 21) + (low >> 11)) * 2.0**-53


@kernel
def draw_below(dice, n: int) -> int:
    """A number from 0 to n - 1, all equally likely up to 2^-53."""
    return min(int(draw_unit(dice) * n), n - 1)


@kernel
def begin_outcomes(dice) -> None:
    """Start enumerating a step."""
    dice.made = 0
    dice.told = 0
    dice.refused = 0
    dice.slack = 0.0


@kernel
def next_outcome(dice) -> bool:
    """Go to the step's next combination of outcomes; False after the last."""
    index = dice.made - 1
    while index >= 0:
        if dice.way[index] + 1 < dice.ways[index]:
            dice.way[index] += 1
            dice.told = index + 1
            dice.made = 0
            dice.slack = 0.0
            return True
        index -= 1
    return False


@kernel
def outcome_of_chance(dice, weight: int, total: int) -> bool:
    """Whether something with this weight out of a total happens; a certain outcome is not a roll."""
    if weight <= 0:
        return False
    if weight >= total:
        return True
    if take_outcome(dice, 2) == 0 and weigh(dice, weight, total):
        return True
    weigh(dice, total - weight, total)
    return False


@kernel
def outcome_among_equals(dice, n: int) -> int:
    """Which of several equal things comes first, where words decide that; all are equally likely."""
    dice.slack += n * (n - 1) // 2 / WORDS
    return outcomes_below(dice, n)


@kernel
def no_address(dice, tick: int, lane: int) -> None:
    """Do nothing: enumerated outcomes have no addresses."""


@kernel
def no_turn(dice, tick: int, lane: int, step: int) -> None:
    """Do nothing: enumerated outcomes have no addresses."""


@kernel
def no_word(dice) -> int:
    """A word has too many outcomes: it can only be drawn, not enumerated."""
    if dice.draws != 0:
        return draw_word(dice)
    dice.refused = 1
    return 0


@kernel
def no_real(dice) -> float:
    """A real number has too many outcomes: it can only be drawn, not enumerated."""
    if dice.draws != 0:
        return draw_unit(dice)
    dice.refused = 1
    return 0.0


@kernel
def never_ready(dice) -> int:
    """0, because no roll is ready: each outcome is enumerated when it is taken."""
    return 0


@kernel
def first_word(dice) -> int:
    """A word that nothing depends on, or that other rolls decide."""
    return 0


@kernel
def outcomes_below(dice, n: int) -> int:
    """A number from 0 to n - 1, each an outcome."""
    if n <= 1:
        return 0
    return draw_below(dice, n) if dice.draws != 0 else take_outcome(dice, n)


@kernel
def outcomes_within(dice, limit: int, n: int) -> int:
    """0 or n - 1: a number from 0 to n - 1 that is below the limit, or one that is not."""
    return 0 if outcome_of_chance(dice, limit, n) else n - 1


@kernel
def d100_outcomes(dice, chance: int) -> int:
    """1 or 100: a number from 1 to 100 that is at most the chance, or one that is not."""
    return 1 + outcomes_within(dice, chance, 100)


@kernel
def unit_outcomes(dice, limit: float) -> float:
    """0 or 1: a double from 0 up to 1 that is below the limit, or one that is not."""
    weight = int(np.ceil(min(max(limit, 0.0), 1.0) * REALS))
    return 0.0 if outcome_of_chance(dice, weight, REALS) else 1.0


@kernel
def picked_outcomes(dice, weights) -> int:
    """An index whose weight is not zero."""
    total = 0
    ways = 0
    last = 0
    for index in range(len(weights)):
        total += weights[index]
        if weights[index] > 0:
            ways += 1
            last = index
    if ways < 2:
        return last
    left = take_outcome(dice, ways)
    for index in range(len(weights)):
        if weights[index] > 0:
            if left <= 0 and weigh(dice, weights[index], total):
                return index
            left -= 1
    return last
