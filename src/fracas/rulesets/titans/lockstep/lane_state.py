"""Reads what several parts of lockstep ask of lanes: choices, and the dice of an action."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel
from fracas.lanes.operations import load, load_words, splat
from fracas.lanes.reals import unit_of
from fracas.rulesets.titans.lockstep.state import CHOICE


@kernel
def chose(state: Any, index: int, choice: int) -> Any:
    """Where a player made a choice.

    Rule:    README, Choices.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return load(state, CHOICE + index) == splat(state, choice + 1)


@kernel
def unit_at(state: Any, block: int, place: int) -> Any:
    """The unit() that a block's words from this place on give.

    Rule:    docs/reference/dice.md, unit().
    Changes: nothing.
    Draws:   none: the words are drawn already.
    Emits:   nothing.
    """
    return unit_of(load_words(state, block + place), load_words(state, block + place + 1))
