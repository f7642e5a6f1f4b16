"""Reads what several parts of lockstep ask of lanes: choices, sudden death, and the dice of an action."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel
from fracas.lanes.operations import load, load_words, splat
from fracas.lanes.reals import unit_of
from fracas.rulesets.titans.lockstep.state import CHARGE, CHOICE, TICK
from fracas.rulesets.titans.rules.constants import FIRST_ABILITY
from fracas.rulesets.titans.rules.titan_stats import titan_at


@kernel
def chose(state: Any, index: int, choice: int) -> Any:
    """Where a player made a choice.

    Rule:    titans/README.md, Choices.
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


@kernel
def is_legal(state: Any, battle: Any, index: int, choice: int) -> Any:
    """Where a player can afford a choice that its titan has.

    Rule:    titans/README.md, Choices.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    cost = 0
    if choice >= FIRST_ABILITY:
        cost = titan_at(battle, index).costs[choice - FIRST_ABILITY]
    return load(state, CHARGE + index) >= splat(state, cost)


@kernel
def is_sudden_death(state: Any, battle: Any) -> Any:
    """Where the current round is in sudden death, with the option.

    Rule:    titans/README.md, Sudden death.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return load(state, TICK) >= splat(state, battle.options.sudden_death)
