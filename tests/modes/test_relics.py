"""Relics, plain and compiled: the same rows, results and states, in random battles of random items."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.helpers.records import differences
from tests.helpers.rules import Rule, bend
from tests.helpers.soak import times

from fracas.kernel import jit
from fracas.rulesets.contract.types import Compiled, Source
from fracas.rulesets.registry import get
from fracas.rulesets.relics.rules.entry_points import play_many
from fracas.rulesets.relics.rules.state import log_t, result_t

Entry = Callable[..., None]
SCENARIOS = times(40)
PORTION = 20
LOG = np.zeros(1, log_t)


@pytest.fixture(scope="module")
def compiled_entry() -> Entry:
    return jit.native(play_many)


@cache
def compiled(number: int) -> Compiled:
    """A random battle, compiled to a record."""
    relics = get("relics")
    return relics.compile(relics.resolve(relics.random_scenario(number), Source("random")).document, {})


def play(entry: Entry, number: int, stream: int, *, logged: bool) -> tuple[Any, Any, Any]:
    """One battle by an entry point: the result, the rows, and the record in which it ended."""
    records = compiled(number).record.copy()
    results = np.zeros(1, result_t)
    entry(records, stream, results, LOG if logged else None, None)
    rows = LOG[0].rows[: LOG[0].count].copy() if logged else None
    return results[0], rows, records[0]


def unequal(first: tuple[Any, Any, Any], second: tuple[Any, Any, Any], *, rows: bool = True) -> list[str]:
    """In what two plays of one battle differ."""
    found = [f"result.{difference}" for difference in differences(first[0], second[0])]
    found += [f"state.{difference}" for difference in differences(first[2], second[2])]
    if rows and not np.array_equal(first[1], second[1]):
        found.append("rows")
    return found


def without_agenda(ended: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
    """A play whose agenda, empty by now, shows nothing of the frames that lay there: without a log fewer do.

    Nor does it show the facts of the last condition: without a log some conditions are ranges, which need none.
    """
    result, rows, battle = ended
    assert battle.frame_count == 0
    battle.frames[:] = np.zeros_like(battle.frames)
    battle.facts[:] = np.zeros_like(battle.facts)
    return result, rows, battle


@pytest.mark.parametrize("first", range(0, SCENARIOS, PORTION))
def test_random_battles_come_out_the_same(first: int, compiled_entry: Entry) -> None:
    for number in range(first, first + PORTION):
        stream = number * 1_000_003
        plain = play(play_many, number, stream, logged=True)
        assert not unequal(plain, play(compiled_entry, number, stream, logged=True)), f"battle {number}"
        silent = play(compiled_entry, number, stream, logged=False)
        assert not unequal(play(play_many, number, stream, logged=False), silent, rows=False), f"battle {number}"
        assert not unequal(without_agenda(plain), without_agenda(silent), rows=False), f"battle {number}"


@pytest.mark.parametrize("name", ["note_losses", "succeeds", "sum_of", "amount_of"])
def test_a_difference_between_the_modes_is_found(
    name: str, compiled_entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A negative control: a plain rule is bent, and the comparison must see it."""

    def otherwise(kept: Rule) -> Rule:
        answers: dict[str, Rule] = {
            "note_losses": lambda *arguments: None,
            "succeeds": lambda battle, chance, log: True,
            "sum_of": lambda *arguments: min(kept(*arguments), 1),
            "amount_of": lambda *arguments: kept(*arguments) + 1,
        }
        return answers[name]

    bend(monkeypatch, name, otherwise, ruleset="relics")
    differ = 0
    for number in range(20):
        honest = play(compiled_entry, number, 0, logged=True)
        differ += "rows" in unequal(play(play_many, number, 0, logged=True), honest)
        if differ > 2:
            return
    pytest.fail(f"no more than {differ} battles differ")


def test_a_battle_is_its_number_whoever_plays_it(compiled_entry: Entry) -> None:
    """A batch that crosses 2^32, against each battle by itself; nothing of one battle is left in the next."""
    number = next(each for each in range(100) if not compiled(each).record[0].deterministic)
    results = np.zeros(40, result_t)
    compiled_entry(compiled(number).record.copy(), 2**32 - 20, results, None, None)
    for place in range(0, 40, 7):
        alone = play(compiled_entry, number, 2**32 - 20 + place, logged=False)
        assert not list(differences(alone[0], results[place]))
    assert len(np.unique(results)) > 1
