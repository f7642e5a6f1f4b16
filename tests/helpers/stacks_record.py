"""Records of stacks battles for tests of single moves, written directly: participants by their ids, in a few words.

    battle = record({0: fighter(attack=5), 48: fighter(side=1, health=9)}, least_score=1)
    battle.participants[48].health

What is not said is neutral: side 0, scores of 0, 10 of 10 health, the options of the profile `seed`, a hex field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from fracas.rulesets.stacks.content.map_grid import adjacent_directions, directions_of
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules import rolls
from fracas.rulesets.stacks.rules.state import battle_t

SEED_OPTIONS = {
    "heal_limit": 3,
    "heal_self": 1,
    "first_turn_idle": 1,
    "idle_turns": 3,
    "stale_turns": 20,
    "turn_cap": 200,
}
CENTRE = 48


def fighter(side: int = codes.ATTACKERS, *, health: int = 10, full_health: int | None = None, **scores: int) -> Any:
    """A participant's numbers."""
    return {"side": side, "health": health, "full_health": full_health or max(health, 10), **scores}


def record(fighters: Mapping[int, Mapping[str, int]], *, kind: str = "hex", **numbers: int) -> Any:
    """A battle with participants by id; further keywords are the turn and options."""
    battle = np.zeros(1, battle_t)[0]
    battle.turn = numbers.pop("turn", 0)
    for name, value in (SEED_OPTIONS | numbers).items():
        battle.options[name] = value
    battle.noting = 1
    battle.direction_count = len(directions_of(kind))
    for direction, others in enumerate(adjacent_directions(kind)):
        battle.places[direction].adjacent = sum(1 << other for other in others)
    for code, name in enumerate(codes.MOVES):
        entry = battle.move_types[code]
        entry.harmful, entry.melee = name in codes.HARMFUL_MOVES, name in codes.MELEE_MOVES
        entry.strike = code == codes.STRIKE
    for place, (number, values) in enumerate(sorted(fighters.items())):
        one = battle.participants[number]
        one.id, one.direction = number, number // codes.STACK_SLOTS
        for name, value in values.items():
            one[name] = value
        battle.involved[place] = number
    battle.involved_count = len(fighters)
    return battle


def tuples(battle: Any) -> list[tuple[int, int]]:
    """Target and effect of each tuple of the making at hand."""
    return [(int(each.target), int(each.effect)) for each in battle.tuples[: battle.tuple_count]]


@contextmanager
def rolling(*answers: tuple[int, int]) -> Iterator[None]:
    """Let `between` be asked for ranges from 0 to the first number of each pair, in order, and answer the second.

    Raises:
        AssertionError: another range is asked for, one too many, or one fewer.
    """
    waiting = list(answers)

    def between(dice: Any, low: int, high: int) -> int:
        assert waiting, f"nobody foresaw a roll from {low} to {high}"
        most, answer = waiting.pop(0)
        assert (low, int(high)) == (0, most)
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rolls, "between", between)
        yield
    assert not waiting, f"nobody asked for {waiting}"
