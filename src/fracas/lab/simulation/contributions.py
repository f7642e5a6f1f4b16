"""What each unit did with each ability, counted from the events of a simulation's first battles."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec
import numpy as np

from fracas.engine.battle import check_whole
from fracas.engine.player import Notice, make_player
from fracas.lab.execution.interrupts import AllowInterrupt, DeferInterrupt
from fracas.lab.presentation.chart_parts import Bar, bars, first, whole_range
from fracas.lab.presentation.types import CellKind, Chart, Column, Label, Table, Theme
from fracas.lab.statistics.intervals import t_reach
from fracas.rulesets.contract.analysis import Contribution, amount_label

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

# Side, unit and ability.
Key = tuple[int, str, str]
# Called with the battles counted so far and their total.
BattleProgress = Callable[[int, int], None]


class AbilityAmounts(msgspec.Struct, kw_only=True):
    """What a unit did with an ability, summed over all battles."""

    OPTIONAL: ClassVar[tuple[str, ...]] = ("half_widths",)

    side: int
    unit: Label
    ability: Label
    """Empty if unknown."""
    amounts: dict[str, int]
    """By kind, such as damage, healing, absorbed, falls."""
    half_widths: dict[str, float] = msgspec.field(default_factory=dict)
    """Half the width of the 95% interval of each amount's mean per battle; empty with too few battles."""


class Contributions(msgspec.Struct, kw_only=True):
    """Amounts by unit and ability over a number of battles; rows are in the ruleset's order."""

    battles: Annotated[int, msgspec.Meta(ge=1)]
    rows: list[AbilityAmounts]

    @property
    def kinds(self) -> list[str]:
        """The kinds of amounts, such as damage and healing, in the order of the rows."""
        return list(dict.fromkeys(kind for row in self.rows for kind in row.amounts))

    @property
    def _first(self) -> str:
        return "the first battle" if self.battles == 1 else f"the first {self.battles:,} battles"

    def _of_units(self) -> dict[tuple[int, str], dict[str, int]]:
        units: dict[tuple[int, str], dict[str, int]] = {}
        for row in self.rows:
            add_up(units.setdefault((row.side, row.unit), {}), row.amounts)
        return units

    def tables(self, names: Sequence[str]) -> Sequence[Table]:
        """What each unit did, then what it did with each ability."""
        return [self._units(names), self._abilities(names)]

    def _units(self, names: Sequence[str]) -> Table:
        columns = (
            Column("side", "side"),
            Column("unit", "unit"),
            *(Column(kind, amount_label(kind), CellKind.NUMBER) for kind in self.kinds),
        )
        rows = tuple(
            (_name(side, names), unit, *(amounts.get(kind, 0) / self.battles for kind in self.kinds))
            for (side, unit), amounts in self._of_units().items()
        )
        return Table("units", f"What each unit did per battle, on average over {self._first}.", columns, rows)

    def _abilities(self, names: Sequence[str]) -> Table:
        columns = [Column("side", "side"), Column("unit", "unit"), Column("ability", "with")]
        for kind in self.kinds:
            columns.append(Column(kind, amount_label(kind), CellKind.NUMBER))
            columns.append(Column(f"{kind}_half_width", "± 95%", CellKind.NUMBER))
        rows = []
        for row in self.rows:
            cells: list[Any] = [_name(row.side, names), row.unit, row.ability.replace("_", " ")]
            for kind in self.kinds:
                cells += [row.amounts.get(kind, 0) / self.battles, row.half_widths.get(kind)]
            rows.append(tuple(cells))
        caption = f"What each unit did with each ability per battle, on average over {self._first}."
        return Table("contributions", caption, tuple(columns), tuple(rows), is_detail=True)

    def figures(self, look: Theme) -> Sequence[Chart]:
        """Each unit's damage as bars, if the ruleset counts damage."""
        damage = [(key, amounts.get("damage", 0) / self.battles) for key, amounts in self._of_units().items()]
        ranked = first(sorted((each for each in damage if each[1]), key=lambda each: -each[1]))
        if not ranked:
            return []
        rows = [Bar(unit, mean, None, look.side(side), f"{mean:,.1f}") for (side, unit), mean in ranked]
        chart = bars(rows, look, "damage", ends=whole_range([row.value for row in rows]), form=",.0f")
        caption = f"Damage of each unit in a battle, on average over {self._first}; colours are sides."
        return [Chart("damage", "Who does the damage", caption, chart)]


def _name(side: int, names: Sequence[str]) -> str:
    return names[side - 1] if side in (1, 2) else ""


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
        return Contributions(battles=0, rows=[])
    group = min(LARGEST_GROUP, BATCH, -(-battles // GROUPS))
    batch = BATCH - BATCH % group
    sums = _Sums(scenario)
    for start in range(0, battles, batch):
        streams = range(start, min(start + batch, battles))
        rows = _logged(player, streams, battles, progress)
        sums.add(rows, group)
        if len(rows) < len(streams):
            break
    return sums.whole()


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
    amounts: dict[Key, dict[str, int]] = field(default_factory=dict)
    groups: int = 0
    squared_sizes: int = 0
    by_group: dict[tuple[Key, str], list[int]] = field(default_factory=dict)
    """Sums over groups: of the amount, of its square, and of its product with the group's size."""

    def add(self, rows: Sequence[Rows], group: int) -> None:
        """Add some battles, in groups of this many."""
        if not rows:
            return
        for row in self._contributions(rows):
            add_up(self.amounts.setdefault((row.side, row.unit, row.ability), {}), row.amounts)
        self.battles += len(rows)
        for start in range(0, len(rows), group):
            self._add_group(rows[start : start + group])

    def _contributions(self, rows: Sequence[Rows]) -> Sequence[Contribution]:
        scenario = self.scenario
        return scenario.ruleset.analysis.contributions(np.concatenate(rows), scenario.compiled, scenario.document)

    def _add_group(self, rows: Sequence[Rows]) -> None:
        size = len(rows)
        self.groups += 1
        self.squared_sizes += size * size
        here: dict[Key, dict[str, int]] = {}
        for row in self._contributions(rows):
            add_up(here.setdefault((row.side, row.unit, row.ability), {}), row.amounts)
        for key, amounts in here.items():
            for kind, amount in amounts.items():
                sums = self.by_group.setdefault((key, kind), [0, 0, 0])
                for number, value in enumerate((amount, amount * amount, amount * size)):
                    sums[number] += value

    def whole(self) -> Contributions:
        """The contributions of all battles added so far."""
        widths: dict[Key, dict[str, float]] = {}
        if self.groups >= LEAST_GROUPS:
            # An amount that never occurred has no known spread.
            for (key, kind), sums in self.by_group.items():
                if sums[1]:
                    widths.setdefault(key, {})[kind] = self._half_width(*sums)
        rows = [
            AbilityAmounts(side=side, unit=unit, ability=ability, amounts=amounts, half_widths=widths.get(key, {}))
            for key, amounts in self.amounts.items()
            for side, unit, ability in (key,)
        ]
        return Contributions(battles=self.battles, rows=rows)

    def _half_width(self, total: int, squares: int, products: int) -> float:
        """Half the width of a mean's interval, from the spread of the groups."""
        mean = total / self.battles
        apart = squares - 2 * mean * products + mean * mean * self.squared_sizes
        return t_reach(self.groups - 1) * math.sqrt(max(0.0, apart) * self.groups / (self.groups - 1)) / self.battles


def add_up(whole: dict[str, int], more: Mapping[str, int]) -> None:
    """Add amounts to others with the same names."""
    for kind, amount in more.items():
        whole[kind] = whole.get(kind, 0) + int(amount)
