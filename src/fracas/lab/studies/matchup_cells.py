"""Cells of a round robin: the battles of two entrants, by order and winner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from fracas.lab.statistics.intervals import mean_interval
from fracas.rulesets.contract.analysis import DRAWN, WON
from fracas.rulesets.contract.types import Rows

# A stream is two battles, one in each order. Its score is counted in quarters of a win.
ORDERS = 2


WHOLE = ORDERS * WON


@dataclass
class Order:
    """The battles of a cell in one order, counted for the cell's first entrant."""

    battles: int = 0
    wins: int = 0
    draws: int = 0
    deterministic: bool = True

    @property
    def losses(self) -> int:
        """How many battles the first entrant lost."""
        return self.battles - self.wins - self.draws

    @property
    def share(self) -> float:
        """The first entrant's share of the points: 1 for a win, 1/2 for a draw."""
        return (self.wins + self.draws / 2) / self.battles if self.battles else 0.0

    def add(self, scores: Rows, won: int, deterministic: bool) -> None:
        """Count side 1's scores, where `won` is the score of a win of the first entrant."""
        self.battles += len(scores)
        self.wins += int((scores == won).sum())
        self.draws += int((scores == DRAWN).sum())
        self.deterministic &= deterministic

    def as_json(self) -> dict[str, Any]:
        """The counts as plain values."""
        return {
            "battles": self.battles,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "share": self.share,
            "deterministic": self.deterministic,
        }


@dataclass
class Cell:
    """Two entrants, by number, and their battles in both orders."""

    first: int
    second: int
    streams: int = 0
    """Each stream is two battles with the same dice, one in each order."""
    total: int = 0
    """The first entrant's points, in quarters of a stream's maximum."""
    squares: int = 0
    orders: tuple[Order, Order] = field(default_factory=lambda: (Order(), Order()))
    """With the first entrant as side 1, and as side 2."""

    @property
    def battles(self) -> int:
        """Battles of both orders together."""
        return ORDERS * self.streams

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

    def as_json(self, names: Sequence[str]) -> dict[str, Any]:
        """The cell as plain values; shares are the first entrant's."""
        as_1, as_2 = self.orders
        return {
            "first": self.first,
            "second": self.second,
            "names": [names[self.first], names[self.second]],
            "battles": self.battles,
            "share": self.share,
            "interval95": list(self.interval95),
            "as_1": as_1.as_json(),
            "as_2": as_2.as_json(),
            "deterministic": self.deterministic,
        }
