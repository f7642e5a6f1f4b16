"""The result of `fracas odds`: each side's chances in a battle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from fracas.lab.presentation.chart_parts import Bar, bars
from fracas.lab.presentation.notebook import OfScenario
from fracas.lab.presentation.statistic_tables import statistic_tables
from fracas.lab.presentation.types import (
    INTERVAL_ENDS,
    CellKind,
    Chart,
    Column,
    Count,
    Interval,
    Label,
    Share,
    Table,
    Theme,
    between,
    per_cent,
)
from fracas.lab.statistics.intervals import FEW_NOTE, has_few

# Bounds are reported if at least this share is decided.
WORTH_TELLING = 0.01


class Chance(msgspec.Struct, kw_only=True):
    """A probability."""

    OPTIONAL: ClassVar[tuple[str, ...]] = ("bounds",)

    share: Share
    """0 to 1; an estimate outside of the bounds is moved to the nearer bound."""
    interval95: Interval
    """A point if the chance is exact; if an enumeration was interrupted, everything that is still possible; else the
    95% Wilson interval, cut to the bounds."""
    bounds: Interval | None = None
    """Certain bounds of the true chance from enumeration; None without one."""


class SideOdds(msgspec.Struct, kw_only=True):
    """One side's chances."""

    name: Label
    win: Chance
    loss: Chance


class Enumerated(msgspec.Struct, kw_only=True):
    """How far the battle was enumerated."""

    states: Count = 0
    """Distinct states, without endings."""
    budget: Count = 0
    steps: Count = 0
    """Points in time at which states waited together."""
    ways: Count = 0
    """Transitions from one state to the next."""
    work: Count = 0
    decided: Share = 1.0
    """The share of all courses that was followed to its end; the rest is the distance of the bounds."""
    error: float = 0.0
    """How far a probability may be off."""
    stopped: str | None = None
    """Why the enumeration is incomplete."""
    played_on: Count = 0
    """How many battles were played on from undecided states for the odds; 0 if whole battles were played."""


class RoundCounts(msgspec.Struct, kw_only=True):
    """How long battles take."""

    mean: float
    min: int
    max: int


class Odds(OfScenario, kw_only=True, eq=False):
    """A battle's odds, exact or simulated."""

    LAST: ClassVar[tuple[str, ...]] = (*OfScenario.LAST, "statistics")

    command: str = "odds"
    names: tuple[Label, Label] = msgspec.field(default=("side 1", "side 2"), name="_names")
    method: str
    """`exact` or `simulation`."""
    battles: Count = 0
    """How many battles were simulated, for the odds or for the statistics beside them."""
    sides: tuple[SideOdds, SideOdds]
    draws: dict[str, Chance] = msgspec.field(default_factory=dict)
    """How often nobody wins, by reason."""
    reasons: dict[str, float] = msgspec.field(default_factory=dict)
    """The share of each reason, in the ruleset's words."""
    rounds: RoundCounts
    """The mean, the shortest and the longest battle."""
    exact: Enumerated | None = None
    """How far the battle was enumerated; None if that was not tried."""
    deterministic: bool = False
    """True if nothing depends on luck."""
    statistics: dict[str, list[dict[str, Any]]] = msgspec.field(default_factory=dict)
    """The ruleset's other statistics of simulated battles, as lists of rows by name: losses, survivors."""
    titles: dict[str, str] = msgspec.field(default_factory=dict, name="_titles")
    """In Python: what the tables of statistics are called."""
    results: Any = msgspec.field(default=None, name="_results")
    """In Python: the simulated battles, of the type that `simulate` returns."""

    @property
    def decided(self) -> float:
        """The share of all courses that was followed to its end, 0 to 1; the rest is the distance of the bounds."""
        return 0.0 if self.exact is None else self.exact.decided

    @property
    def error(self) -> float:
        """How far an exact chance may be off; 0 for a simulation, which has intervals."""
        return self.exact.error if self.exact is not None and self.is_exact else 0.0

    @property
    def title(self) -> str:
        """The section's heading."""
        return f"Odds: {self.scenario}"

    @property
    def is_exact(self) -> bool:
        """True if the battle was enumerated completely."""
        return self.method == "exact"

    @property
    def is_open(self) -> bool:
        """True if the enumeration was interrupted, so that only bounds are known."""
        chances = [*(side.win for side in self.sides), *self.draws.values()]
        return self.is_exact and self.interrupted and any(each.interval95[0] < each.interval95[1] for each in chances)

    def notes(self) -> Sequence[str]:
        """How far the battle was enumerated, and where the statistics come from."""
        if self.deterministic:
            return ("odds certain: nothing in this battle depends on luck",)
        if self.exact is None:
            return (f"odds by simulation, {self.battles:,} battles",)
        states = f"{self.exact.states:,} state{'' if self.exact.states == 1 else 's'}"
        if not self.is_exact:
            return (f"not exact: {self.exact.stopped}",)
        if self.is_open or self.exact.decided < 1:
            return (f"exact odds: {states}, {per_cent(self.exact.decided)} decided when interrupted",)
        rest = (f"the rest was counted in {self.battles:,} simulated battles",) if self.battles else ()
        return (f"exact odds: {states}, fully enumerated", *rest)

    def findings(self) -> Sequence[str]:
        """Each side's chance to win, and the method."""
        text = " and ".join(f"{side.name} wins with {self._in_words(side.win)}" for side in self.sides)
        drawn = sum(chance.share for chance in self.draws.values())
        rest = f"; nobody wins with {per_cent(drawn)}" if drawn else ""
        how = "by exact enumeration" if self.is_exact else f"by {self.battles:,} simulated battles"
        if self.exact is not None and self.exact.played_on:
            how = f"by enumeration and {self.exact.played_on:,} battles played on from undecided states"
        if self.is_open:
            rest = f"; nobody wins with at least {per_cent(drawn)}" if drawn else ""
            how = "by enumeration until it was interrupted"
        return (f"The odds of {self.scenario}, {how}: {text}{rest}.", *self._bounds(), *self._rounds())

    def _rounds(self) -> Sequence[str]:
        if self.is_open:
            return ()
        return (f"A battle takes {self.rounds.mean:.1f} rounds on average, {self.rounds.min} to {self.rounds.max}.",)

    def _bounds(self) -> Sequence[str]:
        """The certain bounds of an incomplete enumeration, if they are informative."""
        bounds = [(side.name, side.win.bounds) for side in self.sides if side.win.bounds is not None]
        if not bounds or all(high - low > 1 - WORTH_TELLING for _, (low, high) in bounds):
            return ()
        text = " and ".join(f"{name} wins with {per_cent(low)} to {per_cent(high)}" for name, (low, high) in bounds)
        return (f"The decided part makes it certain that {text}.",)

    def _in_words(self, chance: Chance) -> str:
        low, high = chance.interval95
        if self.is_open:
            return f"at least {per_cent(low)} and at most {per_cent(high)}"
        return f"{per_cent(chance.share)}{between(chance.interval95)}"

    def _about_intervals(self) -> str:
        if self.is_open:
            return ", as bounds from an incomplete enumeration"
        if any(side.win.bounds for side in self.sides):
            return ", with 95% Wilson intervals cut to the certain bounds"
        if self.is_exact:
            return ""
        wins = [round(side.win.share * self.battles) for side in self.sides]
        few = not self.deterministic and any(has_few(count, self.battles) for count in wins)
        return f", with 95% Wilson intervals; {FEW_NOTE}" if few else ", with 95% Wilson intervals"

    def shown_tables(self) -> Sequence[Table]:
        """A row for each reason, then the ruleset's own statistics."""
        rows = [(side.name, "wins", side.win) for side in self.sides]
        rows += [("nobody", reason.replace("_", " "), chance) for reason, chance in self.draws.items()]
        ends = ("at least", "at most") if self.is_open else INTERVAL_ENDS
        odds = Table(
            "odds",
            f"How likely each end is{self._about_intervals()}.",
            (
                Column("who", "who"),
                Column("outcome", "outcome"),
                Column("share", "odds", CellKind.EXACT if self.is_exact else CellKind.SHARE),
                Column("low", ends[0], CellKind.SHARE),
                Column("high", ends[1], CellKind.SHARE),
            ),
            tuple((who, outcome, chance.share, *chance.interval95) for who, outcome, chance in rows),
        )
        return [odds, *statistic_tables(self.statistics, self.ruleset, self.titles)]

    def figures(self, look: Theme) -> Sequence[Chart]:
        """Bars with intervals."""
        first, second = self.sides
        named = [(first.name, first.win, look.side_1), (second.name, second.win, look.side_2)]
        named += [(reason.replace("_", " "), chance, look.draw) for reason, chance in self.draws.items()]
        rows = [Bar(name, each.share, each.interval95, colour, per_cent(each.share)) for name, each, colour in named]
        caption = "How likely each side wins, and how likely nobody wins for each reason."
        if self.is_open:
            caption += " Bars show what is certain, lines what is possible."
        elif not self.is_exact:
            caption += " Lines are 95% intervals."
        return [Chart("odds", "How it will end", caption, bars(rows, look, "odds", ends=(0, 1)))]
