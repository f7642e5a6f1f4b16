"""The sums of a round robin in progress: the battles of two entrants, by order and winner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fracas.lab.statistics.intervals import mean_interval
from fracas.lab.studies.matchups_result import Cell, Order
from fracas.rulesets.contract.analysis import DRAWN, WON
from fracas.rulesets.contract.types import Rows

# A stream is two battles, one in each order. Its score is counted in quarters of a win.
ORDERS = 2
WHOLE = ORDERS * WON


@dataclass
class OrderSums:
    """The battles of a cell in one order, counted for the cell's first entrant."""

    battles: int = 0
    wins: int = 0
    draws: int = 0
    deterministic: bool = True

    def add(self, scores: Rows, won: int, deterministic: bool) -> None:
        """Count side 1's scores, where `won` is the score of a win of the first entrant."""
        self.battles += len(scores)
        self.wins += int((scores == won).sum())
        self.draws += int((scores == DRAWN).sum())
        self.deterministic &= deterministic

    @property
    def result(self) -> Order:
        """The counts, with losses and the share of the points."""
        losses = self.battles - self.wins - self.draws
        share = (self.wins + self.draws / 2) / self.battles if self.battles else 0.0
        return Order(self.battles, self.wins, self.draws, losses, share, self.deterministic)


@dataclass
class CellSums:
    """Two entrants, by number, and the sums of their battles in both orders."""

    first: int
    second: int
    streams: int = 0
    """Each stream is two battles with the same dice, one in each order."""
    total: int = 0
    """The first entrant's points, in quarters of a stream's maximum."""
    squares: int = 0
    orders: tuple[OrderSums, OrderSums] = field(default_factory=lambda: (OrderSums(), OrderSums()))
    """With the first entrant as side 1, and as side 2."""

    @property
    def share(self) -> float:
        """The first entrant's share of the points, 0 to 1, over both orders."""
        return self.total / (WHOLE * self.streams) if self.streams else 0.5

    @property
    def interval95(self) -> tuple[float, float]:
        """Its 95% interval, computed over streams; a point if no battle depends on luck."""
        if self.deterministic and self.streams:
            return self.share, self.share
        low, high = mean_interval(self.total, self.squares, self.streams, 0, WHOLE)
        return low / WHOLE, high / WHOLE

    @property
    def deterministic(self) -> bool:
        """Whether nothing in either order depends on luck."""
        return all(order.deterministic for order in self.orders)

    def result(self, names: Sequence[str]) -> Cell:
        """The cell of entrants with these names."""
        as_1, as_2 = self.orders
        return Cell(
            self.first,
            self.second,
            (names[self.first], names[self.second]),
            ORDERS * self.streams,
            self.share,
            self.interval95,
            as_1.result,
            as_2.result,
            self.deterministic,
        )
