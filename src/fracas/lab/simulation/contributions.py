"""Counts what each unit did with each ability, from the events of a simulation's first battles."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fracas.engine.battle import check_whole
from fracas.engine.player import Notice, make_player
from fracas.lab.execution.interrupts import AllowInterrupt, DeferInterrupt
from fracas.lab.statistics.intervals import t_reach
from fracas.rulesets.contract.analysis import Contribution

if TYPE_CHECKING:
    from fracas.engine.player import Player
    from fracas.engine.scenario import Scenario
    from fracas.rulesets.contract.types import Rows

# By default this many battles are replayed with a log: enough for a table, too few to take noticeable time.
DEFAULT_LOGGED = 200
MOST_LOGGED = 100_000
# Events are passed on for this many battles at a time.
BATCH = 500
# The spread of amounts is estimated from about this many groups of battles, and not from fewer than a minimum.
GROUPS, LEAST_GROUPS = 50, 10
LARGEST_GROUP = 100

# Side, unit and ability; without an ability, everything the unit did.
Key = tuple[int, str, str | None]
# Called with the battles counted so far and their total.
BattleProgress = Callable[[int, int], None]


@dataclass(frozen=True)
class Contributions:
    """Amounts by unit and ability over a number of battles; rows are in the ruleset's order."""

    battles: int
    rows: Sequence[Contribution]
    half_widths: Mapping[Key, Mapping[str, float]] = field(default_factory=dict)
    """Half the width of the 95% interval of each amount's mean per battle; empty with too few battles."""

    @property
    def kinds(self) -> list[str]:
        """The kinds of amounts, such as damage and healing, in the order of the rows."""
        return list(dict.fromkeys(kind for row in self.rows for kind in row.amounts))

    def as_json(self) -> dict[str, Any]:
        """The part of a simulation's document; amounts are sums over all these battles."""
        return {"battles": self.battles, "rows": [self._row_json(row) for row in self.rows]}

    def _row_json(self, row: Contribution) -> dict[str, Any]:
        widths = self.half_widths.get((row.side, row.unit, row.ability))
        return {
            "side": row.side,
            "unit": row.unit,
            "ability": row.ability,
            "amounts": dict(row.amounts),
            **({"half_widths": dict(widths)} if widths else {}),
        }


def check_logged(battles: int | None) -> None:
    """Check the number of battles to replay with a log.

    Raises:
        InputError: it is outside 0..100,000.
    """
    if battles is not None:
        check_whole("--contributions", battles, 0, MOST_LOGGED)


@DeferInterrupt()
def contributions(
    scenario: Scenario, battles: int, notice: Notice | None = None, progress: BattleProgress | None = None
) -> Contributions:
    """Play battles number 0 to battles - 1 with a log, and sum up their events. After Ctrl-C there are fewer battles.

    Raises:
        InputError: the ruleset does not count contributions, or a battle has more events than a log holds.
    """
    try:
        with AllowInterrupt():
            player = make_player(scenario, logged=True, battles=battles, notice=notice)
    except KeyboardInterrupt:
        return Contributions(0, ())
    group = min(LARGEST_GROUP, BATCH, -(-battles // GROUPS))
    batch = BATCH - BATCH % group
    found = _Sums(scenario)
    for first in range(0, battles, batch):
        streams = range(first, min(first + batch, battles))
        rows = _logged(player, streams, battles, progress)
        found.add(rows, group)
        if len(rows) < len(streams):
            break
    return found.whole()


def _logged(player: Player, streams: range, of: int, progress: BattleProgress | None) -> list[Rows]:
    """The event rows of some battles, one after the other; after Ctrl-C only of the first ones."""
    rows: list[Rows] = []
    with DeferInterrupt() as interrupt:
        for stream in streams:
            if interrupt.stop_requested:
                break
            player.play(stream, 1)
            rows.append(player.rows())
            if progress is not None:
                progress(stream + 1, of)
    return rows


@dataclass
class _Sums:
    """Sums over all battles and over groups of battles."""

    scenario: Scenario
    battles: int = 0
    amounts: dict[tuple[int, str, str], dict[str, int]] = field(default_factory=dict)
    groups: int = 0
    squared_sizes: int = 0
    by_group: dict[tuple[Key, str], list[int]] = field(default_factory=dict)
    """Sums over groups: of the amount, of its square, and of its product with the group's size."""

    def add(self, rows: Sequence[Rows], group: int) -> None:
        """Add some battles, in groups of this many."""
        if not rows:
            return
        for row in self._told(rows):
            add_up(self.amounts.setdefault((row.side, row.unit, row.ability), {}), row.amounts)
        self.battles += len(rows)
        for first in range(0, len(rows), group):
            self._add_group(rows[first : first + group])

    def _told(self, rows: Sequence[Rows]) -> Sequence[Contribution]:
        scenario = self.scenario
        return scenario.ruleset.analysis.contributions(np.concatenate(rows), scenario.compiled, scenario.document)

    def _add_group(self, rows: Sequence[Rows]) -> None:
        size = len(rows)
        self.groups += 1
        self.squared_sizes += size * size
        here: dict[Key, dict[str, int]] = {}
        for row in self._told(rows):
            add_up(here.setdefault((row.side, row.unit, row.ability), {}), row.amounts)
            add_up(here.setdefault((row.side, row.unit, None), {}), row.amounts)
        for key, amounts in here.items():
            for kind, amount in amounts.items():
                sums = self.by_group.setdefault((key, kind), [0, 0, 0])
                for place, value in enumerate((amount, amount * amount, amount * size)):
                    sums[place] += value

    def whole(self) -> Contributions:
        """The contributions of all battles added so far."""
        rows = tuple(Contribution(*key, amounts) for key, amounts in self.amounts.items())
        widths: dict[Key, dict[str, float]] = {}
        if self.groups >= LEAST_GROUPS:
            # An amount that never occurred has no known spread.
            for (key, kind), sums in self.by_group.items():
                if sums[1]:
                    widths.setdefault(key, {})[kind] = self._half_width(*sums)
        return Contributions(self.battles, rows, widths)

    def _half_width(self, total: int, squares: int, products: int) -> float:
        """Half the width of a mean's interval, from the spread of the groups."""
        mean = total / self.battles
        apart = squares - 2 * mean * products + mean * mean * self.squared_sizes
        return t_reach(self.groups - 1) * math.sqrt(max(0.0, apart) * self.groups / (self.groups - 1)) / self.battles


def add_up(whole: dict[str, int], more: Mapping[str, int]) -> None:
    """Add amounts to others with the same names."""
    for kind, amount in more.items():
        whole[kind] = whole.get(kind, 0) + int(amount)
