"""The result of `fracas optimise`: a better way to play, how it was found, and the final test; and the settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import msgspec

from fracas.engine.battle import check_whole
from fracas.errors import UsageError
from fracas.errors.suggestions import listed
from fracas.lab.presentation.chart_parts import Bar, bars, first, gain_bars, whole_range
from fracas.lab.presentation.notebook import OfSide
from fracas.lab.presentation.types import (
    CellKind,
    Chart,
    Column,
    Count,
    Gain,
    GainInterval,
    Interval,
    Label,
    Share,
    Table,
    Theme,
    gain_between,
    interval_columns,
    per_cent,
    points,
    short,
)
from fracas.lab.statistics.sequential_test import ALPHA, DELTA
from fracas.lab.studies.compare import check_delta

DEFAULT_TRIALS, MOST_TRIALS = 300, 100_000
# Half-widths of the stages in percentage points, and how many candidates survive each one but the last.
DEFAULT_STAGES, DEFAULT_KEEP = (1.0, 0.2, 0.05), (8, 3)
DEFAULT_BUDGET, MOST_BUDGET = 3_000_000, 10**10
MOST_PAIRS = 10**7
TOP = 5


@dataclass(frozen=True)
class SearchSettings:
    """How long to search, and how precisely."""

    trials: int = DEFAULT_TRIALS
    """Candidates of the first stage; a search space with no more than these is tried completely."""
    stages: tuple[float, ...] = DEFAULT_STAGES
    """Half-width of each stage, in percentage points."""
    keep: tuple[int, ...] = DEFAULT_KEEP
    """The most candidates that survive each stage but the last."""
    budget: int = DEFAULT_BUDGET
    """Battles of all stages and of the local search; the final test comes on top."""
    pairs: int = 50_000
    """Pairs of unused battles in the final test, over all opponents that count; more while the test is undecided."""
    delta: float = DELTA
    """The smallest difference that the final test looks for; see `compare`."""

    @classmethod
    def given(
        cls,
        *,
        trials: int | None = None,
        stages: Sequence[float] | None = None,
        keep: Sequence[int] | None = None,
        budget: int | None = None,
        pairs: int | None = None,
    ) -> SearchSettings:
        """Settings of which some are given; without `keep`, as many survivors as the stages need."""
        wanted = DEFAULT_STAGES if stages is None else tuple(stages)
        counts = tuple(keep or ())
        if keep is None:
            counts = (*DEFAULT_KEEP, *[DEFAULT_KEEP[-1]] * len(wanted))[: max(0, len(wanted) - 1)]
        amounts = {"trials": trials, "budget": budget, "pairs": pairs}
        named: dict[str, Any] = {name: amount for name, amount in amounts.items() if amount is not None}
        return cls(stages=wanted, keep=counts, **named)

    def check(self) -> None:
        """Check that all settings are in range.

        Raises:
            InputError: everything that is out of range.
        """
        check_whole("--trials", self.trials, 1, MOST_TRIALS)
        check_whole("--budget", self.budget, 1, MOST_BUDGET)
        check_whole("--pairs", self.pairs, 1, MOST_PAIRS)
        check_delta(self.delta)
        if not self.stages:
            raise UsageError.of("--stages", "there must be at least one")
        for wanted in self.stages:
            if not 0 < wanted <= 50:
                raise UsageError.of("--stages", f"{wanted:g} is out of range: above 0, at most 50 percentage points")
        if any(later >= earlier for earlier, later in pairwise(self.stages)):
            raise UsageError.of("--stages", f"{shown_stages(self.stages)} do not become smaller")
        if len(self.keep) != len(self.stages) - 1:
            count = len(self.stages) - 1
            raise UsageError.of("--keep", f"has {len(self.keep)} numbers; {count + 1} stages need {count}")
        for kept in self.keep:
            check_whole("--keep", kept, 1, MOST_TRIALS)


def shown_stages(stages: Iterable[float]) -> str:
    """Half-widths as they are typed."""
    return ", ".join(f"{wanted:g}%" for wanted in stages)


class Stage(msgspec.Struct):
    """A stage of the search."""

    half_width: Share
    """The half-width aimed at."""
    reached: Share | None
    """The largest half-width among the survivors."""
    candidates: Count
    survivors: Count
    battles: Count
    cut: bool = False
    """True if the battle budget ran out before all candidates were tried and precise enough or dropped out."""


class Polish(msgspec.Struct):
    """The local search after the stages."""

    turns: Count = 0
    """Changes of a single dimension that were measured, from all starts."""
    taken: Count = 0
    """Changes that were clearly better."""
    restarts: Count = 0
    """Starts other than the best candidate of the stages."""
    battles: Count = 0
    cut: bool = False
    """True if the battle budget ran out before the last pass was complete."""


class Change(msgspec.Struct, kw_only=True):
    """A dimension in which the best candidate differs, with its value before and after."""

    OPTIONAL: ClassVar[tuple[str, ...]] = ("worth", "worth95")

    knob: Label
    """The dimension's name."""
    path: Label
    """Its place in the resolved document."""
    before: Label = msgspec.field(name="from")
    after: Label = msgspec.field(name="to")
    value: Any = None
    """What stands there now."""
    worth: Gain | None = None
    """The share of points lost without this change in the final test; None if there was none."""
    worth95: GainInterval | None = None
    keys: Any = msgspec.field(default=(), name="_keys")
    """In Python the path as a tuple of keys."""


class Leader(msgspec.Struct):
    """One of the best candidates of the search."""

    share: Share
    interval95: Interval
    streams: Count = 0
    """How many battles it has fought against each opponent."""
    changes: dict[str, Label] = msgspec.field(default_factory=dict)


class OpponentRow(msgspec.Struct):
    """The given scenario and the best candidate against one opponent, on unused battles."""

    opponent: Label
    held_out: bool
    pairs: Count
    given: Share
    """The given scenario's share of the points."""
    improved: Share
    gain: Gain
    gain95: GainInterval
    """The gain's interval, from pairs of battles with the same dice; a point if nothing depends on luck."""


class Test(msgspec.Struct):
    """The settings of the sequential test, and how many pairs it took."""

    delta: float
    alpha: float
    beta: float
    pairs: Count


class Final(msgspec.Struct):
    """How the best candidate does on unused battles, over all opponents that count."""

    opponents: list[OpponentRow]
    gain: Gain
    gain95: GainInterval
    given: Share
    """The given scenario's share of the points."""
    improved: Share
    pairs: Count
    verdict: str
    """`improved` or `given` is better, `no difference of delta`, or `undecided`."""
    first_stream: Count = 0
    test: Test | None = None
    deterministic: bool = False

    FIRST: ClassVar[tuple[str, ...]] = ("first_stream",)


class Optimised(OfSide, kw_only=True):
    """What a search found, and how certain it is."""

    command: str = "optimise"
    part: Label
    search_seed: Label = ""
    knobs: Count
    """How many dimensions were searched."""
    combinations: Count = 0
    """How many combinations of values the search space has."""
    enumerated: bool = False
    """True if all combinations were tried."""
    opponents: list[Label]
    held_out: list[Label]
    """Opponents that the search never met."""
    stages: list[Stage]
    polish: Polish | None = None
    """What the local search did; None if all combinations were tried, or Ctrl-C came first."""
    changes: list[Change]
    """How the best candidate differs from the given scenario."""
    leaders: list[Leader]
    """The best candidates that are left, the best first."""
    final: Final | None
    """How the best candidate does on unused battles; None if it is the given scenario, or Ctrl-C came first."""
    is_better: bool = msgspec.field(name="better")
    """Whether the sequential test finds the best candidate better than the given scenario."""
    document: dict[str, Any] = msgspec.field(default_factory=dict)
    """The best candidate's resolved document."""
    given: Any = msgspec.field(default=None, name="_given")
    """In Python the given scenario."""

    @property
    def title(self) -> str:
        """The section's heading."""
        return f"{self._better_part} for {self.who}"

    @property
    def _is_several(self) -> bool:
        return self.part.endswith("s")

    @property
    def _better_part(self) -> str:
        return f"Better {self.part}" if self._is_several else f"A better {self.part}"

    def notes(self) -> Sequence[str]:
        """What was searched, and what the local search did."""
        ways = f"{self.combinations:,}" if self.combinations < 10**9 else f"{self.combinations:.1e}"
        size = f'{self.knobs:,} things to change, {ways} ways, search seed "{self.search_seed}"'
        what = (f"{self.part} of {self.who} against {listed(self.opponents, 'and')}", size)
        if self.polish is None:
            return what
        text = f"local search: {self.polish.turns:,} steps, {self.polish.taken:,} better, "
        text += f"{self.polish.restarts:,} restarts, {self.polish.battles:,} battles"
        return (*what, f"{text}; budget used up" if self.polish.cut else text)

    def findings(self) -> Sequence[str]:
        """The gain, the changes, and the size of the search."""
        tried = max((stage.candidates for stage in self.stages), default=0)
        battles = sum(stage.battles for stage in self.stages)
        search = f"The search tried {tried:,} ways to play over {battles:,} battles."
        final = self.final
        if self.interrupted:
            return ("The search was not finished.", search)
        if final is None or not self.changes:
            return (f"No {self.part} was found that beats the present one of {self.who}.", search)
        gain = f"{per_cent(final.improved)} instead of {per_cent(final.given)} of the points"
        gain += f", {points(final.gain)}{gain_between(final.gain95)}"
        whose = "it did not meet" if any(row.held_out for row in final.opponents) else "it knew"
        proved = f"on battles that had no part in the search, against opponents that {whose}"
        if not self.is_better:
            return (f"The best {self.part} found for {self.who} is not proved better: {gain} {proved}.", search)
        what = "; ".join(
            f"{short(change.knob)} from {short(change.before)} to {short(change.after)}" for change in self.changes[:6]
        )
        more = f"; and {len(self.changes) - 6} more" if len(self.changes) > 6 else ""
        wins, differs = ("win", "They differ") if self._is_several else ("wins", "It differs")
        text = f"{self._better_part} for {self.who} {wins} {gain}, {proved}."
        return (text, f"{differs} in: {what}{more}.", search)

    def shown_tables(self) -> Sequence[Table]:
        """The final test by opponent, the changes, the stages, the leaders."""
        return [self._final(), self._changes(), self._stages(), self._leaders()]

    def _final(self) -> Table:
        columns = (
            Column("opponent", "against"),
            Column("held_out", "held out", CellKind.FLAG),
            Column("pairs", "pairs", CellKind.WHOLE),
            Column("given", "as it is", CellKind.SHARE),
            Column("improved", "improved", CellKind.SHARE),
            Column("gain", "gain", CellKind.GAIN),
            *interval_columns(CellKind.GAIN),
        )
        found = self.final
        rows = [
            (row.opponent, row.held_out, row.pairs, row.given, row.improved, row.gain, *row.gain95)
            for row in (found.opponents if found is not None else ())
        ]
        if found is not None and len(rows) > 1:
            whose = any(row.held_out for row in found.opponents)
            rows.append(("all of them", whose, found.pairs, found.given, found.improved, found.gain, *found.gain95))
        caption = "The final test, on battles that the search never used; shares are of the points, gains in points."
        caption += f" At most {ALPHA:.0%} of searches call something better that is not."
        return Table("final", caption, columns, tuple(rows))

    def _changes(self) -> Table:
        columns = (
            Column("knob", "what"),
            Column("from", "from"),
            Column("to", "to"),
            Column("worth", "worth", CellKind.GAIN),
            *interval_columns(CellKind.GAIN),
        )
        rows = tuple(
            (change.knob, change.before, change.after, change.worth, *(change.worth95 or (None, None)))
            for change in self.changes
        )
        caption = "How the best candidate differs, and what each change alone is worth, in points."
        return Table("changes", caption, columns, rows)

    def _stages(self) -> Table:
        columns = (
            Column("half_width", "half-width", CellKind.SHARE),
            Column("candidates", "tried", CellKind.WHOLE),
            Column("survivors", "left", CellKind.WHOLE),
            Column("battles", "battles", CellKind.WHOLE),
            Column("reached", "reached", CellKind.SHARE),
            Column("cut", "budget used up", CellKind.FLAG),
        )
        rows = tuple(
            (stage.half_width, stage.candidates, stage.survivors, stage.battles, stage.reached, stage.cut)
            for stage in self.stages
        )
        caption = "The stages: how precisely candidates were measured, how many came in, how many were left."
        return Table("stages", caption, columns, rows)

    def _leaders(self) -> Table:
        columns = (
            Column("share", "points", CellKind.SHARE),
            *interval_columns(CellKind.SHARE),
            Column("changes", "with"),
        )
        rows = tuple(
            (
                leader.share, *leader.interval95,
                "; ".join(f"{dimension}: {label}" for dimension, label in leader.changes.items()) or "as it is",
            )
            for leader in self.leaders
        )  # fmt: skip
        caption = "The best candidates. Their shares flatter them, because these battles chose them."
        return Table("leaders", caption, columns, rows)

    def figures(self, look: Theme) -> Sequence[Chart]:
        """The final test as bars, what each change is worth, how many candidates each stage left."""
        found = []
        if self.final is not None:
            rows = [
                Bar("as it is", self.final.given, None, look.draw, per_cent(self.final.given)),
                Bar("improved", self.final.improved, None, look.side(self.side), per_cent(self.final.improved)),
            ]
            chart = bars(rows, look, "share of the points", ends=(0, 1))
            found.append(Chart("final", "The final test", "Shares of the points on unused battles.", chart))
        worths = [change for change in self.changes if change.worth is not None]
        if worths:
            found.append(self._worths(worths, look))
        if len(self.stages) > 1:
            rows = [
                Bar(f"±{100 * stage.half_width:g} points", stage.candidates, None, look.accent, f"{stage.candidates:,}")
                for stage in self.stages
            ]
            chart = bars(rows, look, "candidates", ends=whole_range([row.value for row in rows]), form=",.0f")
            caption = "How many candidates were measured at each stage, and how precisely."
            found.append(Chart("stages", "Candidates by stage", caption, chart))
        return found

    def _worths(self, worths: Sequence[Change], look: Theme) -> Chart:
        ranked = first(sorted(worths, key=lambda change: -(change.worth or 0.0)))
        rows = [(f"{change.knob}: {change.after}", change.worth or 0.0, change.worth95) for change in ranked]
        chart = gain_bars(rows, look, self.side, "worth in the share of points")
        caption = "What is lost without each single change; lines are 95% intervals."
        return Chart("worths", "What each change is worth", caption, chart)
