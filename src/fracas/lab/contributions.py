"""What each unit did with each of its abilities, read from the events of a simulation's first battles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fracas.errors import InputError
from fracas.replay.battle import check_whole
from fracas.replay.play import Notice, make_player
from fracas.rulesets.hooks import Contribution

if TYPE_CHECKING:
    from fracas.lab.simulate import Results
    from fracas.replay.scenario import Scenario

# So many battles are played once more with a log: enough for a table, too few to be felt.
DEFAULT_LOGGED = 200
MOST_LOGGED = 100_000
# The events of so many battles are handed over at a time.
BATCH = 500


@dataclass(frozen=True)
class Contributions:
    """What units did in so many battles, with which ability; the rows stand as the ruleset lists them."""

    battles: int
    rows: Sequence[Contribution]

    @property
    def kinds(self) -> list[str]:
        """What is counted, such as damage and healing, in the order in which the rows have it."""
        return list(dict.fromkeys(kind for row in self.rows for kind in row.amounts))

    def by_unit(self) -> dict[tuple[int, str], dict[str, int]]:
        """The same without abilities, by side and unit."""
        units: dict[tuple[int, str], dict[str, int]] = {}
        for row in self.rows:
            add_up(units.setdefault((row.side, row.unit), {}), row.amounts)
        return units

    def as_json(self) -> dict[str, Any]:
        """The part of a simulation's document; amounts are those of all these battles together."""
        return {
            "battles": self.battles,
            "rows": [
                {"side": row.side, "unit": row.unit, "ability": row.ability, "amounts": dict(row.amounts)}
                for row in self.rows
            ],
        }


def check_logged(battles: int | None) -> None:
    """Refuse a number of battles that cannot be meant.

    Raises:
        InputError: it is outside 0..100,000.
    """
    if battles is not None:
        check_whole("--contributions", battles, 0, MOST_LOGGED)


def with_contributions(results: Results, wanted: int | None, notice: Notice | None = None) -> Results:
    """Results with what units did in the first `wanted` of their battles; 0 are none, None are 200 where it is known.

    Raises:
        InputError: so many were wanted, and the ruleset does not tell or a battle has more events than a log holds.
    """
    battles = min(DEFAULT_LOGGED if wanted is None else wanted, 1 if results.deterministic else results.battles)
    if not battles or results.interrupted:
        return results
    try:
        return replace(results, contributions=contributions(results.scenario, battles, notice))
    except InputError:
        if wanted is not None:
            raise
        return results


def contributions(scenario: Scenario, battles: int, notice: Notice | None = None) -> Contributions:
    """Play battles number 0 to battles - 1 with a log, and add up what their events say.

    Raises:
        InputError: the ruleset does not tell, or a battle has more events than a log holds.
    """
    answer, compiled, document = scenario.ruleset.lab.contributions, scenario.compiled, scenario.document
    player = make_player(scenario, logged=True, battles=battles, notice=notice)
    whole: dict[tuple[int, str, str], dict[str, int]] = {}
    for first in range(0, battles, BATCH):
        rows = []
        for stream in range(first, min(first + BATCH, battles)):
            player.play(stream, 1)
            rows.append(player.rows())
        for row in answer(np.concatenate(rows), compiled, document):
            add_up(whole.setdefault((row.side, row.unit, row.ability), {}), row.amounts)
    return Contributions(battles, tuple(Contribution(*key, amounts) for key, amounts in whole.items()))


def add_up(whole: dict[str, int], more: Mapping[str, int]) -> None:
    """Add amounts to others of the same names."""
    for kind, amount in more.items():
        whole[kind] = whole.get(kind, 0) + int(amount)
