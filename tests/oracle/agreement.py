"""A battle of the engine beside that of an oracle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

import pytest
from tests.helpers.compiled import quickest

import fracas


class Played(Protocol):
    """What every oracle says about a battle."""

    @property
    def rows(self) -> list[list[int]]: ...
    @property
    def winner(self) -> int: ...
    @property
    def reason(self) -> int: ...
    @property
    def rounds(self) -> int: ...


Result = TypeVar("Result", bound=Played)


def difference(actual: list[list[int]], expected: list[list[int]], kinds: Mapping[str, int]) -> str | None:
    """The first row that differs, with its place and both versions; None if all are equal."""
    names = {number: name for name, number in kinds.items()}
    for place, (got, wanted) in enumerate(zip(actual, expected, strict=False)):
        if got != wanted:
            return f"row {place} ({names[wanted[1]]}): the engine has {got}, the oracle {wanted}"
    return None if len(actual) == len(expected) else f"{len(actual)} rows, not {len(expected)}"


def assert_equal(
    scenario: fracas.Scenario, stream: int, play: Callable[[Any, int], Result], kinds: Mapping[str, int]
) -> Result:
    """Both play a battle alike: rows, winner, reason and rounds. What the oracle says about it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FRACAS_JIT", quickest())
        battle = fracas.run(scenario, stream=stream)
    expected = play(scenario.document, stream)
    assert battle.rows is not None
    assert difference(battle.rows.tolist(), expected.rows, kinds) is None
    assert (battle.winner, battle.rounds) == (expected.winner, expected.rounds)
    assert scenario.ruleset.reasons[expected.reason] == battle.reason
    return expected
