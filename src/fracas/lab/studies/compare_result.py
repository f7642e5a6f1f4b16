"""The result of `compare`: which of two scenarios is better in the same battles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from fracas.lab.presentation.chart_parts import FITTED, Bar, bars, whole_range
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


class Mark(msgspec.Struct, kw_only=True):
    """How A or B did in the compared battles, from the view of one side."""

    label: Label
    scenario: Label
    content_fingerprint: Label = ""
    wins: Count
    draws: Count
    losses: Count
    score: Share
    """The mean score: 1 for a win, 1/2 for a draw, 0 for a loss."""
    interval95: Interval
    """The 95% interval of the mean score; a point if nothing depends on luck."""


class Differing(msgspec.Struct):
    """In how many pairs each was better."""

    a_better: Count
    b_better: Count


class Test(msgspec.Struct):
    """The settings and the verdict of the sequential test."""

    delta: float
    alpha: float
    beta: float
    pairs: Count = 0
    """How many pairs it took, or how many were checked without a verdict."""
    differing: Count = 0
    fewest: Count = 0


class Comparison(OfSide, kw_only=True):
    """A against B in the same battles."""

    command: str = "compare"
    a: Mark
    b: Mark
    pairs: Count
    """How many pairs are counted."""
    most: Count = 0
    """The most pairs to play."""
    difference: Gain
    """B's mean score less A's, -1 to 1."""
    difference95: GainInterval
    """The 95% interval of the difference, from the pairs; a point if nothing depends on luck."""
    differing: Differing
    variance_reduction: float | None = None
    """The variance without pairing divided by that of the difference; None if no pair differs."""
    scores: list[list[int]] = msgspec.field(default_factory=list)
    """How many pairs had each combination of scores, in half points: A in rows, B in columns."""
    running: list[tuple[Count, Gain, Gain, Gain]] = msgspec.field(default_factory=list)
    """After some numbers of pairs: the number, the difference and its interval."""
    verdict: str
    """`A` or `B` is better, `no difference of delta`, or `undecided`."""
    test: Test
    deterministic: bool = False
    """True if both are free of luck: one pair was played and stands for all."""
    further: int | None = msgspec.field(default=None, name="_further")
    """In Python: about how many pairs a verdict needs if they are like those so far; None if that cannot be told."""
    scenarios: Any = msgspec.field(default=None, name="_scenarios")
    """In Python: A and B as scenarios."""

    @property
    def _are_alike(self) -> bool:
        return short(self.a.label) == short(self.b.label)

    @property
    def a_name(self) -> str:
        """A's name; `A` if B has the same name, or looks the same once cut."""
        return "A" if self._are_alike else short(self.a.label)

    @property
    def b_name(self) -> str:
        """B's name; `B` if A has the same name."""
        return "B" if self._are_alike else short(self.b.label)

    @property
    def about(self) -> str:
        """The two scenarios."""
        named = f"{self.a_name} against {self.b_name}"
        return f"{named} of {self.scenario}" if self._are_alike else named

    @property
    def title(self) -> str:
        """The section's heading."""
        return f"Which is better: {self.a_name} or {self.b_name}"

    def findings(self) -> Sequence[str]:
        """The verdict, the difference, and the method."""
        if not self.pairs:
            return ("No pair of battles was played.",)
        if self.verdict in ("A", "B"):
            verdict = self._better()
        elif not self.deterministic and not self.differing.a_better + self.differing.b_better:
            verdict = f"{self.a_name} and {self.b_name} score the same for {self.who} in every pair of battles"
        elif self.verdict == "undecided":
            verdict = f"These battles cannot decide whether {self.a_name} or {self.b_name} is better for {self.who}"
            if self.test.differing < self.test.fewest:
                verdict += f": {self.test.differing:,} pairs differ, and the test needs at least {self.test.fewest:,}"
        else:
            verdict = f"There is no relevant difference between {self.a_name} and {self.b_name} for {self.who}"
        return (f"{verdict}.", self._scores(), *self._looks(), *self._how())

    def _looks(self) -> Sequence[str]:
        low, high = self.difference95
        if self.verdict != "undecided" or self.deterministic or low <= 0 <= high:
            return ()
        return ("That interval excludes 0, but only the test stays valid when you look again and again.",)

    def _better(self) -> str:
        """Who is better, and by how much. The test counts pairs, so the mean may be less clear or even opposite."""
        better, other, low, high = self.b_name, self.a_name, *self.difference95
        ahead = self.difference
        if self.verdict == "A":
            better, other, ahead, low, high = self.a_name, self.b_name, -ahead, -high, -low
        text = f"{better} is better than {other} for {self.who}"
        if low > 0:
            return f"{text}, by {points(ahead).removeprefix('+')}{gain_between((low, high))}"
        how = "but by how much is not clear" if ahead > 0 else "but scores no more on average"
        return f"{text} in most of the pairs that differ, {how}: {points(ahead)}{gain_between((low, high))}"

    def _scores(self) -> str:
        text = f"{self.who} scores {per_cent(self.a.score)} with {self.a_name}, {per_cent(self.b.score)} with"
        return f"{text} {self.b_name}: {points(self.difference)}{gain_between(self.difference95)}."

    def _how(self) -> Sequence[str]:
        if self.deterministic:
            return ("Nothing depends on luck in either, so one pair of battles stands for all.",)
        differing = self.differing.a_better + self.differing.b_better
        text = f"In {self.pairs:,} pairs of battles with the same dice, {differing:,} ended differently"
        text += f": {self.differing.a_better:,} for {self.a_name}, {self.differing.b_better:,} for {self.b_name}."
        if self.variance_reduction is not None and self.variance_reduction > 1.5:
            saved = f"{self.variance_reduction:.1f} times"
            return (
                text,
                *self._early(),
                f"Without the same dice, you would need {saved} as many battles for the same certainty.",
            )
        return (text, *self._early())

    def _early(self) -> Sequence[str]:
        """A note that the test stopped before all pairs were played, if it did."""
        if self.interrupted or not self.pairs < self.most or self.verdict == "undecided":
            return ()
        text = f"The test stopped when it was decided, after {self.pairs:,} of {self.most:,} pairs"
        return (f"{text}, which makes the difference look larger than it is; play all pairs (--all) to measure it.",)

    def shown_tables(self) -> Sequence[Table]:
        """A row for A and B, then the test of the difference."""
        columns = (
            Column("which", "which"),
            Column("wins", "wins", CellKind.WHOLE),
            Column("draws", "draws", CellKind.WHOLE),
            Column("losses", "losses", CellKind.WHOLE),
            Column("score", "score", CellKind.SHARE, is_drawn=True),
            *interval_columns(CellKind.SHARE),
        )
        rows = tuple(
            (name, mark.wins, mark.draws, mark.losses, mark.score, *mark.interval95)
            for name, mark in (("A", self.a), ("B", self.b))
        )
        which = "" if self._are_alike else f": A is {self.a_name}, B is {self.b_name}"
        caption = f"How {self.who} scores in {self.pairs:,} battles with each{which}; a win is 1, a draw 1/2."
        facts: list[tuple[Any, ...]] = [
            ("difference", points(self.difference) + gain_between(self.difference95)),
            ("verdict", self.verdict),
            ("smallest relevant difference", f"{100 * self.test.delta:g} points from half of differing pairs"),
            ("chance of calling equals different", f"{self.test.alpha:.0%}"),
            ("chance of missing a difference", f"{self.test.beta:.0%}"),
        ]
        known = Table(
            "test", "How the difference was tested, pair by pair.", (Column("what", "what"), Column("is", "is")),
            tuple(facts),
        )  # fmt: skip
        return [Table("marks", caption, columns, rows), known]

    def figures(self, look: Theme) -> Sequence[Chart]:
        """The two scores, and how the difference converged."""
        rows = [
            Bar(name, mark.score, mark.interval95, colour, per_cent(mark.score))
            for name, mark, colour in ((self.a_name, self.a, look.draw), (self.b_name, self.b, look.accent))
        ]
        chart = bars(rows, look, f"score of {self.who}", ends=(0, 1))
        found = [Chart("scores", "The scores", "Mean scores with their 95% intervals.", chart)]
        if len(self.running) > 1:
            caption = (
                f"{self.b_name} less {self.a_name}, in points, by the number of pairs of battles; the band is the 95% "
                "interval, the line at zero means no difference."
            )
            found.append(Chart("running", "How the difference settled", caption, self._settled(look)))
        return found

    def _settled(self, look: Theme) -> Any:
        import altair as alt

        data = [
            {"pairs": pairs, "difference": 100 * difference, "low": 100 * low, "high": 100 * high}
            for pairs, difference, low, high in self.running
            if pairs
        ]
        low, high = whole_range([end for each in data for end in (each["low"], each["high"])], least=1)
        base = alt.Chart(alt.InlineData(values=data)).encode(
            x=alt.X(
                "pairs:Q", title="pairs of battles", scale=alt.Scale(type="log", nice=False), axis=alt.Axis(format="~s")
            )
        )
        scale = alt.Scale(domain=[low, high], nice=False)
        band = base.mark_area(color=look.accent, opacity=0.22).encode(
            y=alt.Y("low:Q", title="points", scale=scale, axis=alt.Axis(format="+.0~f")), y2=alt.Y2("high:Q")
        )
        line = base.mark_line(color=look.accent).encode(y=alt.Y("difference:Q"))
        zero = (
            alt.Chart(alt.InlineData(values=[{"zero": 0}]))
            .mark_rule(color=look.ink, opacity=0.6)
            .encode(y=alt.Y("zero:Q"))
        )
        return alt.layer(band, line, zero).properties(width=look.width, height=200, autosize=FITTED)
