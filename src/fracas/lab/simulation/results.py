"""The result of a simulation: who wins how often, how long battles take, how much HP is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from fracas.engine.scenario import Scenario
from fracas.lab.execution.tally import Tally
from fracas.lab.presentation.chart_parts import Bar, Panel, bars, histogram
from fracas.lab.presentation.notebook import OfScenario
from fracas.lab.presentation.statistic_tables import statistic_tables
from fracas.lab.presentation.types import (
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
    interval_columns,
    per_cent,
)
from fracas.lab.simulation.contributions import Contributions
from fracas.lab.simulation.statistic_rows import certain, facts_of, share_interval, statistic_json
from fracas.lab.simulation.timeline import Timeline
from fracas.lab.statistics.intervals import FEW_NOTE, half_width, has_few
from fracas.rulesets.contract.measures import Share as Counted
from fracas.rulesets.contract.measures import Spread

BLOCKS = " ▁▂▃▄▅▆▇█"


class Distribution(msgspec.Struct, kw_only=True):
    """A distribution over battles."""

    mean: float
    min: int
    max: int
    p5: int | None = None
    """5% of the battles have no more."""
    p25: int | None = None
    p50: int | None = None
    p75: int | None = None
    p95: int | None = None
    histogram: list[tuple[int, int, Count]] = msgspec.field(default_factory=list)
    """For each bin its least value, its largest value and the number of battles."""
    spread: Any = msgspec.field(default=None, name="_spread")
    """In Python: how often each value occurred."""

    def quantile(self, per_cent: int) -> int:
        """The least value that `per_cent` of the battles do not exceed; 0 if there are none."""
        value: int = self.spread.quantile(per_cent)
        return value

    @property
    def none(self) -> float | None:
        """The share of battles at or below 0; None if there are none."""
        whole = sum(count for _, _, count in self.histogram)
        return sum(count for low, _, count in self.histogram if low <= 0) / whole if self.min <= 0 < whole else None

    @property
    def shape(self) -> str:
        """The histogram of all values above 0 in blocks: the largest is full, and every value is visible."""
        heights = [count for low, _, count in self.histogram if low > 0]
        most = max(heights, default=0)
        return "".join(BLOCKS[-(-height * (len(BLOCKS) - 1) // most)] for height in heights)


class Ending(msgspec.Struct, kw_only=True):
    """How many battles ended for a reason, and who won them."""

    reason: Label
    battles: Count
    share: Share
    interval95: Interval
    wins: tuple[Count, Count]
    draws: Count


class Timing(msgspec.Struct, kw_only=True):
    """How long it took."""

    seconds: float = 0.0
    """Without compilation."""
    battles_per_second: float = 0.0
    threads: Count = 0
    """0 if nothing was played: the battles come from a checkpoint or from merged files."""


class Results(OfScenario, kw_only=True, eq=False):
    """The results of many battles of one scenario.

    Shares are from 0 to 1; `interval95` has their 95% Wilson intervals. `wins` and `shares` are of side 1 and side 2.
    """

    FIRST: ClassVar[tuple[str, ...]] = ("command", "ruleset", "scenario", "names", "seed", "profile")
    LAST: ClassVar[tuple[str, ...]] = (
        *("rules_version", "content_fingerprint", "deterministic", "interrupted", "timing", "endings", "hp_left"),
        *("half_width", "start", "statistics", "contributions", "timeline"),
    )
    OPTIONAL: ClassVar[tuple[str, ...]] = ("start", "statistics", "contributions", "timeline")

    command: str = "simulate"
    battles: Count
    """How many battles are counted."""
    wins: tuple[Count, Count]
    """How many battles side 1 and side 2 won."""
    draws: Count
    """How many battles nobody won."""
    shares: tuple[Share, Share]
    """Each side's share of wins, 0 to 1."""
    draw_share: Share
    """The share of draws, 0 to 1."""
    interval95: tuple[Interval, Interval]
    """The 95% Wilson interval of each side's share; a point if no battle depends on luck."""
    reasons: dict[str, Count]
    """How many battles ended for each reason, in the ruleset's words."""
    rounds: Distribution
    """The distribution of rounds."""
    deterministic: bool = False
    """True if nothing depends on luck: one battle was played and stands for all."""
    timing: Timing = msgspec.field(default_factory=Timing)
    """How long it took."""
    endings: list[Ending] = msgspec.field(default_factory=list)
    """For each reason: how many battles ended so, and who won them."""
    hp_left: tuple[Distribution, Distribution]
    """The distribution of each side's HP left."""
    half_width: float = 0.0
    """Half the width of the widest interval among wins of either side and draws; 0 if nothing depends on luck."""
    start: Count = 0
    """The number of the first battle; not 0 for a part of a split run."""
    statistics: dict[str, list[dict[str, Any]]] = msgspec.field(default_factory=dict)
    """The ruleset's other statistics, as lists of rows by name; empty if it has none."""
    contributions: Contributions | None = None
    """What each unit did with each ability, in the first battles; None unless requested."""
    timeline: Timeline | None = None
    """HP round by round in the first battles; None unless requested."""
    titles: dict[str, str] = msgspec.field(default_factory=dict, name="_titles")
    """In Python: what the tables of statistics are called."""
    loaded: Any = msgspec.field(default=None, name="_loaded")
    """In Python: the scenario itself, as `load` returns it."""
    tally: Any = msgspec.field(default=None, name="_tally")
    """In Python: all the sums behind these results."""
    resumed: int = msgspec.field(default=0, name="_resumed")
    """In Python: how many of the battles come from a resumed run's checkpoint."""
    stop_asked: bool = msgspec.field(default=False, name="_stop_asked")
    """In Python: whether Ctrl-C was pressed, even if all battles were already played; loops over simulations stop."""
    left_older: bool = msgspec.field(default=False, name="_left_older")
    """In Python: whether it was interrupted and not written, because a complete older result is in its place."""

    @property
    def lengths(self) -> Distribution:
        """The distribution of rounds."""
        return self.rounds

    @property
    def title(self) -> str:
        """The section's heading."""
        return f"Who wins: {self.scenario}"

    def ahead(self) -> int:
        """The side that clearly wins more often, 1 or 2; 0 if neither does."""
        (low_1, high_1), (low_2, high_2) = self.interval95
        return 1 if low_1 > high_2 else 2 if low_2 > high_1 else 0

    def notes(self) -> Sequence[str]:
        """How many battles were played, and how fast."""
        text = f"{self.battles:,} battle{'' if self.battles == 1 else 's'}"
        text += f" from number {self.start:,}" if self.start else ""
        if not self.deterministic:
            threads = f"{self.timing.threads} thread{'' if self.timing.threads == 1 else 's'}"
            rate = f"{self.timing.battles_per_second:,.0f} battles/s on {threads}"
            text += f" in {self.timing.seconds:.2f} s ({rate})" if self.timing.threads else ", merged or played before"
        return (text,)

    def findings(self) -> Sequence[str]:
        """Who wins, and how certain that is."""
        if not self.battles:
            return ("No battle was played.",)
        if self.deterministic:
            who = "nobody wins" if self.draws else f"{self.names[0 if self.wins[0] else 1]} always wins"
            return (f"Nothing in {self.scenario} depends on luck: {who}.",)
        text = [
            f"{per_cent(share)}{between(interval)} to {name}"
            for name, share, interval in zip(self.names, self.shares, self.interval95, strict=True)
        ]
        ahead = self.ahead()
        verdict = f"the odds favour {self.names[ahead - 1]}" if ahead else "neither side is clearly ahead"
        whole = f"In {self.scenario} {verdict}: of {self.battles:,} battles {text[0]}, {text[1]}"
        drawn = f"; {per_cent(self.draw_share)} are draws" if self.draws else ""
        return (f"{whole}{drawn}.", f"A battle takes {self.rounds.mean:.1f} rounds on average.")

    def shown_tables(self) -> Sequence[Table]:
        """Outcomes, reasons, what units did, the course of the battles, and the ruleset's own statistics."""
        return [
            self._outcomes(),
            self._endings(),
            self._spreads(),
            *(self.contributions.tables(self.names) if self.contributions is not None else ()),
            *(self.timeline.tables(self.names) if self.timeline is not None else ()),
            *statistic_tables(self.statistics, self.ruleset, self.titles),
        ]

    def _outcomes(self) -> Table:
        columns = (
            Column("outcome", "outcome"),
            Column("battles", "battles", CellKind.WHOLE),
            Column("share", "share", CellKind.SHARE, is_drawn=True),
            *interval_columns(CellKind.SHARE),
        )
        rows = (
            *zip(self.names, self.wins, self.shares, *zip(*self.interval95, strict=True), strict=True),
            ("draw", self.draws, self.draw_share, None, None),
        )
        is_rare = not self.deterministic and any(has_few(wins, self.battles) for wins in self.wins)
        caption = f"How {self.battles:,} battles ended; the interval is the 95% Wilson interval of the share"
        return Table("outcomes", f"{caption}; {FEW_NOTE}." if is_rare else f"{caption}.", columns, rows)

    def _endings(self) -> Table:
        columns = (
            Column("reason", "ended by"),
            Column("battles", "battles", CellKind.WHOLE),
            Column("share", "share", CellKind.SHARE),
            *interval_columns(CellKind.SHARE),
            Column("wins_1", f"won by {self.names[0]}", CellKind.WHOLE),
            Column("wins_2", f"won by {self.names[1]}", CellKind.WHOLE),
            Column("draws", "drawn", CellKind.WHOLE),
        )
        rows = tuple(
            (each.reason.replace("_", " "), each.battles, each.share, *each.interval95, *each.wins, each.draws)
            for each in self.endings
        )
        return Table("endings", "How the battles ended, and who won them.", columns, rows)

    def _spreads(self) -> Table:
        quantiles = (("min", "least"), ("p5", "5%"), ("p50", "half"), ("p95", "95%"), ("max", "most"))
        columns = (
            Column("what", "of a battle"),
            Column("mean", "mean", CellKind.NUMBER),
            *(Column(key, heading, CellKind.WHOLE) for key, heading in quantiles),
            Column("none", "none", CellKind.SHARE),
            Column("shape", "least to most"),
        )
        spreads = [("rounds", self.rounds)]
        spreads += [(f"HP left, {name}", left) for name, left in zip(self.names, self.hp_left, strict=True)]
        rows = tuple(
            (what, each.mean, *(getattr(each, key) for key, _ in quantiles), each.none, each.shape)
            for what, each in spreads
        )
        caption = "How rounds and HP left are distributed; 5% of the battles have no more than is in the column 5%."
        return Table("spreads", caption, columns, rows)

    def figures(self, look: Theme) -> Sequence[Chart]:
        """Shares with intervals; rounds and HP left as histograms if they were counted."""
        shown = [self._shares(look)]
        if self.contributions is not None:
            shown += self.contributions.figures(look)
        if self.timeline is not None:
            shown += self.timeline.figures(self.names, look)
        if len(self.rounds.histogram) > 1:
            chart = histogram([Panel("", look.accent, self.rounds.histogram)], look, "rounds")
            caption = f"The share of battles by their rounds; {self.rounds.mean:.1f} on average."
            shown.append(Chart("rounds", "How long battles take", caption, chart))
        panels = [
            Panel(name, look.side(side), left.histogram)
            for side, (name, left) in enumerate(zip(self.names, self.hp_left, strict=True), 1)
            if len(left.histogram) > 1
        ]
        if panels:
            caption = "The share of battles by the HP that each side has left at the end."
            shown.append(Chart("hp_left", "HP left", caption, histogram(panels, look, "HP left")))
        return shown

    def _shares(self, look: Theme) -> Chart:
        shares = [*self.shares, self.draw_share]
        rows = [
            Bar(name, share, interval, colour, per_cent(share))
            for name, share, interval, colour in zip(
                [*self.names, "draw"], shares, [*self.interval95, None], [look.side_1, look.side_2, look.draw],
                strict=True,
            )
        ]  # fmt: skip
        caption = "The share of battles that each side wins; lines are 95% intervals."
        return Chart("shares", "Who wins how often", caption, bars(rows, look, "share of battles", ends=(0, 1)))


def results_of(
    scenario: Scenario,
    tally: Tally,
    *,
    deterministic: bool = False,
    interrupted: bool = False,
    seconds: float = 0.0,
    threads: int = 0,
    resumed: int = 0,
    start: int = 0,
    stop_asked: bool = False,
) -> Results:
    """The results of a scenario's counted battles."""
    ruleset, battles = scenario.ruleset, tally.battles
    draws, first, second = tally.winners
    reasons = {ruleset.reasons[reason]: count for reason, count in sorted(tally.reasons.items())}
    tally.sums.reasons = reasons
    statistics = ruleset.statistics(scenario.compiled, scenario.document, tally.sums) if battles else ()
    if deterministic:
        statistics = [certain(each) for each in statistics]

    def share(count: int) -> float:
        return count / battles if battles else 0.0

    def interval(count: int) -> tuple[float, float]:
        return share_interval(Counted(count, battles, deterministic))

    def ending(reason: str, drawn: int, *wins: int) -> Ending:
        count = drawn + sum(wins)
        return Ending(
            reason=reason,
            battles=count,
            share=share(count),
            interval95=interval(count),
            wins=(wins[0], wins[1]),
            draws=drawn,
        )

    return Results(
        **facts_of(scenario),
        battles=battles,
        wins=(first, second),
        draws=draws,
        shares=(share(first), share(second)),
        draw_share=share(draws),
        interval95=(interval(first), interval(second)),
        reasons=reasons,
        rounds=distribution(tally.lengths),
        deterministic=deterministic,
        interrupted=interrupted,
        timing=Timing(
            seconds=round(seconds, 6),
            battles_per_second=round((battles - resumed) / seconds, 1) if seconds else 0.0,
            threads=threads,
        ),
        endings=[ending(ruleset.reasons[reason], *counts) for reason, counts in sorted(tally.endings.items())],
        hp_left=(distribution(tally.hp_left[0]), distribution(tally.hp_left[1])),
        half_width=0.0 if deterministic else max(half_width(count, battles) for count in tally.winners),
        start=start,
        statistics={entry.name: statistic_json(entry) for entry in statistics},
        titles={entry.name: entry.title for entry in statistics},
        loaded=scenario,
        tally=tally,
        resumed=resumed,
        stop_asked=stop_asked,
    )


def distribution(spread: Spread) -> Distribution:
    """The distribution of a number of battles by a value."""
    quantiles = {f"p{each}": spread.quantile(each) for each in (5, 25, 50, 75, 95)}
    return Distribution(
        mean=spread.mean, min=spread.least, max=spread.most, histogram=spread.bins(), spread=spread, **quantiles
    )
