"""Dice that take every way instead of one: the second record of dice, for exact odds (docs/adr/0022).

A step of a battle is played again and again. The first time every roll takes its first way; from then on the last roll
that has another way left takes its next one, those before it take the same again, those behind it begin anew: an
odometer. When none has a way left, the step was played in all ways, and the chances of its ways add up to 1.

The same record can also draw: each roll then takes one way by its weight, with ChaCha8 words of its own. So a state
that was met while ways were counted is played on to an end (lab/exact/undecided_states.py).

What rolls functions of the name that dice.py has. Battles whose field `dice` is of this kind are played by the very
same rules; `by_dice` chooses between the functions for words and those for ways.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from fracas.kernel.chacha8 import AREAS, BLOCK_WORDS, MOST_FILLED, fill
from fracas.kernel.jit import kernel, register_enumerating
from fracas.kernel.records import record

# Rolls of a step that can come out in more than one way.
MOST_ROLLS = 64
# Of 2^53 doubles that unit() gives, or parts that a chance is split into.
REALS = 1 << 53
# Two words are equal once in so many times. Then an index settles the order; here no order is likelier than another.
WORDS = 2.0**32
# A roll's number that was not drawn yet.
NOT_DRAWN = -1
# Words that dice that draw fill at once: the first area of as many as ordinary dice have.
DRAWN_WORDS = BLOCK_WORDS * MOST_FILLED

branching_t = record(
    # where in its round the battle stands, for rulesets whose records do not say it
    ("place", np.int64),
    # what a ruleset's first step notes down for all others
    ("mark", np.int64),
    # how many rolls of this step were made, and how many of them are told which way to take
    ("made", np.int64),
    ("told", np.int64),
    # 1 if a roll has more ways than can be taken, or none that can be counted
    ("refused", np.int64),
    # how far the weights of this step's ways may be from the truth
    ("slack", np.float64),
    # for each roll: the way it takes, of how many, and the way's weight of a total
    ("way", np.int64, (MOST_ROLLS,)),
    ("ways", np.int64, (MOST_ROLLS,)),
    ("weight", np.int64, (MOST_ROLLS,)),
    ("total", np.int64, (MOST_ROLLS,)),
    # 1 if a roll takes one way by its weight, not each in turn; then what is left of the roll's number, the words taken
    # so far, and what they are made of
    ("draws", np.int64),
    ("drawn", np.int64),
    ("taken", np.int64),
    ("key", np.uint32, (8,)),
    ("stream", np.uint32, (2,)),
    ("words", np.uint32, (AREAS * DRAWN_WORDS,)),
)


def is_branching(holder: Any) -> bool:
    """True of dice that take every way, and of a battle with such dice; played plain."""
    kind = holder.dtype
    if "dice" in kind.fields:
        kind = kind.fields["dice"][0]
    return bool(kind.names[0] == "place")


def dispatch_on_dice(branching: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Mark a kernel that has another form for dice that take every way; its first parameter is dice, or has some.

    Compiled, the choice is made by the type of the record, so ordinary battles know nothing of it.
    """

    def mark(words: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(words)
        def chosen(holder: Any, *rest: Any) -> Any:
            return branching(holder, *rest) if is_branching(holder) else words(holder, *rest)

        register_enumerating(chosen, words, branching)
        return chosen

    return mark


@kernel
def take_outcome(dice: Any, ways: int) -> int:
    """The way that the next roll takes, of several; `weigh` says what it weighs.

    Dice that draw begin with the first way: the caller goes on to the next for as long as `weigh` refuses it.

    Rule:    docs/adr/0022.
    Changes: dice.
    Draws:   one way.
    Emits:   nothing.
    """
    if dice.draws != 0:
        dice.drawn = NOT_DRAWN
        return 0
    place = dice.made
    if place >= MOST_ROLLS:
        dice.refused = 1
        return 0
    dice.made += 1
    if place >= dice.told:
        dice.way[place] = 0
        dice.ways[place] = ways
        dice.told = place + 1
    dice.weight[place] = 1
    dice.total[place] = ways
    way: int = dice.way[place]
    return way


@kernel
def weigh(dice: Any, weight: int, total: int) -> bool:
    """The way at hand has this weight of a total; True if the roll takes it, which only dice that draw may deny.

    Rule:    docs/adr/0022.
    Changes: dice.
    Draws:   none; drawing, one number for all ways of a roll.
    Emits:   nothing.
    """
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
def draw_word(dice: Any) -> int:
    """The next 32-bit word of dice that draw: those of one ChaCha8 stream, sixteen blocks at a time.

    Rule:    docs/adr/0022.
    Changes: dice.
    Draws:   one word.
    Emits:   nothing.
    """
    place = dice.taken & (DRAWN_WORDS - 1)
    if place == 0:
        fill(dice, 0, 0, 1, dice.taken // DRAWN_WORDS, 0)
    dice.taken += 1
    return np.int64(dice.words[place])  # type: ignore[return-value]  # NumPy's integers are ints for kernels


@kernel
def draw_unit(dice: Any) -> float:
    """A double from 0 up to but not including 1, with 53 random bits.

    Rule:    docs/reference/dice.md, unit().
    Changes: dice.
    Draws:   two words.
    Emits:   nothing.
    """
    low = draw_word(dice)
    return ((draw_word(dice) << 21) + (low >> 11)) * 2.0**-53


@kernel
def draw_below(dice: Any, n: int) -> int:
    """A number from 0 to n - 1, each as likely as any other up to 2^-53.

    Rule:    docs/adr/0022.
    Changes: dice.
    Draws:   two words.
    Emits:   nothing.
    """
    return min(int(draw_unit(dice) * n), n - 1)


@kernel
def begin_outcomes(dice: Any) -> None:
    """A step is about to be played in all its ways.

    Rule:    docs/adr/0022.
    Changes: dice.
    Draws:   none.
    Emits:   nothing.
    """
    dice.made = 0
    dice.told = 0
    dice.refused = 0
    dice.slack = 0.0


@kernel
def next_outcome(dice: Any) -> bool:
    """Turn to the step's next way; False if it was played in all of them.

    Rule:    docs/adr/0022.
    Changes: dice.
    Draws:   none.
    Emits:   nothing.
    """
    place = dice.made - 1
    while place >= 0:
        if dice.way[place] + 1 < dice.ways[place]:
            dice.way[place] += 1
            dice.told = place + 1
            dice.made = 0
            dice.slack = 0.0
            return True
        place -= 1
    return False


@kernel
def outcome_of_chance(dice: Any, weight: int, total: int) -> bool:
    """Whether something happens that has this weight of a total; what is certain is no roll.

    Rule:    docs/adr/0022.
    Changes: dice.
    Draws:   one way of two.
    Emits:   nothing.
    """
    if weight <= 0:
        return False
    if weight >= total:
        return True
    if take_outcome(dice, 2) == 0 and weigh(dice, weight, total):
        return True
    weigh(dice, total - weight, total)
    return False


@kernel
def outcome_among_equals(dice: Any, n: int) -> int:
    """Which of several that are equal comes first, where words settle that; each is as likely as any other.

    Rule:    docs/adr/0022.
    Changes: dice.
    Draws:   one way of n; none of 1.
    Emits:   nothing.
    """
    dice.slack += n * (n - 1) // 2 / WORDS
    return outcomes_below(dice, n)


@kernel
def no_address(dice: Any, tick: int, lane: int) -> None:
    """Ways have no addresses.

    Rule:    docs/adr/0022.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """


@kernel
def no_turn(dice: Any, tick: int, lane: int, step: int) -> None:
    """Ways have no addresses.

    Rule:    docs/adr/0022.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """


@kernel
def no_word(dice: Any) -> int:
    """A word has too many ways: what takes it cannot be counted out, only drawn.

    Rule:    docs/adr/0022.
    Changes: dice.
    Draws:   none; drawing, one word.
    Emits:   nothing.
    """
    if dice.draws != 0:
        return draw_word(dice)
    dice.refused = 1
    return 0


@kernel
def no_real(dice: Any) -> float:
    """A real number has too many ways: what takes it cannot be counted out, only drawn.

    Rule:    docs/adr/0022.
    Changes: dice.
    Draws:   none; drawing, two words.
    Emits:   nothing.
    """
    if dice.draws != 0:
        return draw_unit(dice)
    dice.refused = 1
    return 0.0


@kernel
def never_ready(dice: Any) -> int:
    """No roll is at hand: every way is counted where it is taken.

    Rule:    docs/adr/0022.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return 0


@kernel
def first_word(dice: Any) -> int:
    """A word that nothing depends on, or that others settle.

    Rule:    docs/adr/0022.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return 0


@kernel
def outcomes_below(dice: Any, n: int) -> int:
    """A number from 0 to n - 1, each a way.

    Rule:    docs/reference/dice.md, below(n).
    Changes: dice.
    Draws:   one way of n; none of 1.
    Emits:   nothing.
    """
    if n <= 1:
        return 0
    return draw_below(dice, n) if dice.draws != 0 else take_outcome(dice, n)


@kernel
def outcomes_within(dice: Any, limit: int, n: int) -> int:
    """0 or n - 1: a number from 0 to n - 1 that is below the limit, or one that is not.

    Rule:    docs/reference/dice.md, below(n).
    Changes: dice.
    Draws:   one way of two.
    Emits:   nothing.
    """
    return 0 if outcome_of_chance(dice, limit, n) else n - 1


@kernel
def d100_outcomes(dice: Any, chance: int) -> int:
    """1 or 100: a number from 1 to 100 that is at most the chance, or one that is not.

    Rule:    docs/reference/dice.md, d100().
    Changes: dice.
    Draws:   one way of two.
    Emits:   nothing.
    """
    return 1 + outcomes_within(dice, chance, 100)


@kernel
def unit_outcomes(dice: Any, limit: float) -> float:
    """0 or 1: a double from 0 up to 1 that is below the limit, or one that is not.

    Rule:    docs/reference/dice.md, unit().
    Changes: dice.
    Draws:   one way of two.
    Emits:   nothing.
    """
    weight = int(np.ceil(min(max(limit, 0.0), 1.0) * REALS))
    return 0.0 if outcome_of_chance(dice, weight, REALS) else 1.0


@kernel
def picked_outcomes(dice: Any, weights: Any) -> int:
    """An index whose weight is not zero.

    Rule:    docs/reference/dice.md, pick(weights).
    Changes: dice.
    Draws:   one way for each index that has a weight.
    Emits:   nothing.
    """
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
