"""`fracas.enhance`: the rule book's dice, attempt for attempt, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from blake3 import blake3
from tests.helpers.scenarios import problems_of
from tests.oracle.dice import Dice

import fracas

SEED, TICK, LANE = "7b1e2026-11-20T08:00:00Z", 65535, 0xFF02
CHANCES = (100, 80, 60, 40, 20)


def by_the_book(attempts: range, level: int, stream: int) -> list[tuple[int, int, int, int]]:
    """Number, roll, chance and level after each attempt, from the rule book alone."""
    key, made = blake3(f"{SEED}/{TICK}/{LANE}".encode()).digest(), []
    for number in attempts:
        if level < 5:
            roll, chance = Dice(key, stream, number, 0xFF05).d100(), CHANCES[level]
            level += roll <= chance
            made.append((number, roll, chance, level))
    return made


@pytest.mark.parametrize(("level", "first", "stream"), [(0, 0, 0), (2, 7, 0), (4, 0, 3), (5, 1, 0)])
def test_attempts_are_those_of_the_rule_book(level, first, stream):
    made = fracas.enhance(SEED, TICK, LANE, attempts=40, level=level, first=first, stream=stream)
    told = [(each.number, each.roll, each.chance, each.level) for each in made.attempts]
    assert told == by_the_book(range(first, first + 40), level, stream)
    assert made.level == (told[-1][3] if told else level)
    assert sum(made.odds) == 1


def test_an_item_goes_on_where_it_stopped():
    whole = fracas.enhance(SEED, TICK, LANE, attempts=6)
    begun = fracas.enhance(SEED, TICK, LANE, attempts=2)
    rest = fracas.enhance(SEED, TICK, LANE, attempts=4, level=begun.level, first=2)
    assert begun.attempts + rest.attempts == whole.attempts


def test_all_that_is_wrong_is_told_at_once():
    wrong: Any = {"attempts": 0, "level": 2.5, "first": -1, "stream": True}
    problems = problems_of(fracas.enhance, "", -1, 70_000, **wrong)
    assert [problem.where for problem in problems] == ["seed", "tick", "lane", *wrong]
