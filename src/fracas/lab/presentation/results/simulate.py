"""Presents `fracas simulate`: who wins how often, how long battles take, how much HP is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from fracas.lab.presentation.chart_parts import FITTED, Bar, Panel, bars, first, histogram, whole_range
from fracas.lab.presentation.notebook import OfScenario
from fracas.lab.presentation.statistic_tables import statistic_tables
from fracas.lab.presentation.types import (
    Chart,
    Column,
    Count,
    Interval,
    Kind,
    Label,
    Share,
    Table,
    Theme,
    between,
    per_cent,
)
from fracas.lab.statistics.intervals import FEW_NOTE, has_few
from fracas.rulesets.contract.analysis import amount_label

BLOCKS = " ▁▂▃▄▅▆▇█"
Bins = list[tuple[int, int, Count]]


class Spread(msgspec.Struct):
    """A distribution over battles."""

    mean: float
    min: int
    max: int
    p5: int | None = None
    p50: int | None = None
    p95: int | None = None
    histogram: Bins = msgspec.field(default_factory=list)

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


class Ending(msgspec.Struct):
    """How many battles ended for a reason, and who won them."""

    reason: Label
    battles: Count
    share: Share
    interval95: Interval
    wins: tuple[Count, Count]
    draws: Count


class Deed(msgspec.Struct):
    """What a unit did with an ability."""

    side: int
    unit: Label
    ability: Label
    amounts: dict[str, int]
    half_widths: dict[str, float] = msgspec.field(default_factory=dict)
    """Half the width of the 95% interval of each amount's mean per battle; empty with too few battles."""


class Deeds(msgspec.Struct):
    """What all units did over a number of battles."""

    battles: Annotated[int, msgspec.Meta(ge=1)]
    rows: list[Deed]

    @property
    def kinds(self) -> list[str]:
        """The kinds of amounts, such as damage, in the order of the rows."""
        return list(dict.fromkeys(kind for row in self.rows for kind in row.amounts))


class StatusThen(msgspec.Struct):
    """A side's average amount of a status at a round's end."""

    mean: float


class SideThen(msgspec.Struct):
    """A side in a round: 5%, median and 95% of its HP, HP lost and units standing; its statuses."""

    hp: tuple[int, int, int]
    lost: tuple[int, int, int]
    standing: tuple[int, int, int]
    statuses: dict[Label, StatusThen] = msgspec.field(default_factory=dict)


class RoundThen(msgspec.Struct):
    """One round over all battles."""

    round: Count
    going: Count
    sides: tuple[SideThen, SideThen]


class Timeline(msgspec.Struct):
    """The course of a number of battles, round by round."""

    battles: Count
    rounds: list[RoundThen]
    unit: Label = "round"


class Timing(msgspec.Struct):
    """How long it took."""

    seconds: float
    battles_per_second: float
    threads: Count
    """0 if nothing was played: the battles come from a checkpoint or from merged files."""


class SimulateDocument(OfScenario, kw_only=True):
    """The document that `fracas simulate --format json` prints."""

    battles: Count
    wins: tuple[Count, Count]
    draws: Count
    shares: tuple[Share, Share]
    draw_share: Share
    interval95: tuple[Interval, Interval]
    reasons: dict[str, Count]
    rounds: Spread
    endings: list[Ending] = msgspec.field(default_factory=list)
    hp_left: tuple[Spread, Spread] | None = None
    deterministic: bool = False
    contributions: Deeds | None = None
    timeline: Timeline | None = None
    statistics: dict[str, list[dict[str, Any]]] = msgspec.field(default_factory=dict)
    titles: dict[str, str] = msgspec.field(default_factory=dict, name="_titles")
    """In Python: what the tables of statistics are called."""
    timing: Timing | None = None
    start: Count = 0

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
        if self.timing is not None and not self.deterministic:
            threads = f"{self.timing.threads} thread{'' if self.timing.threads == 1 else 's'}"
            rate = f"{self.timing.battles_per_second:,.0f} battles/s on {threads}"
            text += f" in {self.timing.seconds:.2f} s ({rate})" if self.timing.threads else ", merged or played before"
        return (text,)

    def findings(self) -> Sequence[str]:
        """Who wins, and how certain that is."""
        if not self.battles:
            return ("No battle was played.",)
        if self.deterministic:
            return (f"Nothing in {self.scenario} depends on luck: {self._certain()}",)
        text = [
            f"{per_cent(share)}{between(interval)} to {name}"
            for name, share, interval in zip(self.names, self.shares, self.interval95, strict=True)
        ]
        ahead = self.ahead()
        verdict = f"the odds favour {self.names[ahead - 1]}" if ahead else "neither side is clearly ahead"
        whole = f"In {self.scenario} {verdict}: of {self.battles:,} battles {text[0]}, {text[1]}"
        drawn = f"; {per_cent(self.draw_share)} are draws" if self.draws else ""
        return (f"{whole}{drawn}.", f"A battle takes {self.rounds.mean:.1f} rounds on average.")

    def _certain(self) -> str:
        if self.draws:
            return "nobody wins."
        return f"{self.names[0 if self.wins[0] else 1]} always wins."

    def shown_tables(self) -> Sequence[Table]:
        """Outcomes, reasons, and the ruleset's own statistics."""
        rows = [
            *zip(self.names, self.wins, self.shares, *zip(*self.interval95, strict=True), strict=True),
            ("draw", self.draws, self.draw_share, None, None),
        ]
        is_rare = not self.deterministic and any(has_few(wins, self.battles) for wins in self.wins)
        caption = f"How {self.battles:,} battles ended; the interval is the 95% Wilson interval of the share"
        outcomes = Table(
            "outcomes",
            f"{caption}; {FEW_NOTE}." if is_rare else f"{caption}.",
            (
                Column("outcome", "outcome"),
                Column("battles", "battles", Kind.WHOLE),
                Column("share", "share", Kind.SHARE, is_drawn=True),
                Column("low", "95% from", Kind.SHARE),
                Column("high", "to", Kind.SHARE),
            ),
            tuple(rows),
        )
        spreads = [("rounds", self.rounds)]
        if self.hp_left is not None:
            spreads += [(f"HP left, {name}", left) for name, left in zip(self.names, self.hp_left, strict=True)]
        found = [outcomes, self._endings(), _spreads(spreads)]
        if self.contributions is not None:
            found += [self._units(self.contributions), self._contributions(self.contributions)]
        if self.timeline is not None:
            found.append(self._timeline(self.timeline))
            found += self._statuses(self.timeline)
        return [*found, *statistic_tables(self.statistics, self.ruleset, self.titles)]

    def _endings(self) -> Table:
        rows: list[tuple[Any, ...]] = [
            (each.reason.replace("_", " "), each.battles, each.share, *each.interval95, *each.wins, each.draws)
            for each in self.endings
        ] or [
            (reason.replace("_", " "), count, count / max(1, self.battles), None, None, None, None, None)
            for reason, count in self.reasons.items()
        ]
        columns = (
            Column("reason", "ended by"),
            Column("battles", "battles", Kind.WHOLE),
            Column("share", "share", Kind.SHARE),
            Column("low", "95% from", Kind.SHARE),
            Column("high", "to", Kind.SHARE),
            Column("wins_1", f"won by {self.names[0]}", Kind.WHOLE),
            Column("wins_2", f"won by {self.names[1]}", Kind.WHOLE),
            Column("draws", "drawn", Kind.WHOLE),
        )
        return Table("endings", "How the battles ended, and who won them.", columns, tuple(rows))

    def _units(self, deeds: Deeds) -> Table:
        units: dict[tuple[int, str], dict[str, int]] = {}
        for row in deeds.rows:
            amounts = units.setdefault((row.side, row.unit), {})
            for kind, amount in row.amounts.items():
                amounts[kind] = amounts.get(kind, 0) + amount
        columns = (
            Column("side", "side"),
            Column("unit", "unit"),
            *(Column(kind, amount_label(kind), Kind.NUMBER) for kind in deeds.kinds),
        )
        names = {1: self.names[0], 2: self.names[1]}
        rows = tuple(
            (names.get(side, ""), unit, *(amounts.get(kind, 0) / deeds.battles for kind in deeds.kinds))
            for (side, unit), amounts in units.items()
        )
        caption = f"What each unit did per battle, on average over {_first(deeds.battles)}."
        return Table("units", caption, columns, rows)

    def _contributions(self, deeds: Deeds) -> Table:
        kinds = deeds.kinds
        names = {1: self.names[0], 2: self.names[1]}
        columns = (
            Column("side", "side"),
            Column("unit", "unit"),
            Column("ability", "with"),
            *(
                column
                for kind in kinds
                for column in (
                    Column(kind, amount_label(kind), Kind.NUMBER),
                    Column(f"{kind}_half_width", "± 95%", Kind.NUMBER),
                )
            ),
        )
        rows = tuple(
            (
                names.get(row.side, ""), row.unit, row.ability.replace("_", " "),
                *(
                    cell
                    for kind in kinds
                    for cell in (row.amounts.get(kind, 0) / deeds.battles, row.half_widths.get(kind))
                ),
            )
            for row in deeds.rows
        )  # fmt: skip
        caption = f"What each unit did with each ability per battle, on average over {_first(deeds.battles)}."
        return Table("contributions", caption, columns, rows, is_detail=True)

    def _timeline(self, timeline: Timeline) -> Table:
        sides = list(enumerate(self.names, 1))
        columns = [Column("round", timeline.unit, Kind.WHOLE), Column("going", "going on", Kind.WHOLE)]
        for number, name in sides:
            columns += [
                Column(f"hp_{number}", f"HP, {name}", Kind.WHOLE),
                Column(f"hp_low_{number}", "5% below", Kind.WHOLE),
                Column(f"hp_high_{number}", "5% above", Kind.WHOLE),
                Column(f"lost_{number}", "lost", Kind.WHOLE),
                Column(f"standing_{number}", "standing", Kind.WHOLE),
            ]
        rows = tuple(
            (
                each.round,
                each.going,
                *(
                    cell
                    for side in each.sides
                    for cell in (side.hp[1], side.hp[0], side.hp[2], side.lost[1], side.standing[1])
                ),
            )
            for each in timeline.rounds
        )
        caption = (
            f"How {timeline.battles:,} battles go: medians of each side's HP at the end of each {timeline.unit}, HP "
            "lost in it, and units standing. Finished battles keep their last HP and units, and do not count for "
            "HP lost."
        )
        return Table("timeline", caption, tuple(columns), rows, is_course=True)

    def _statuses(self, timeline: Timeline) -> Sequence[Table]:
        """Each side's statuses, if there are any."""
        names = dict.fromkeys(name for each in timeline.rounds for side in each.sides for name in side.statuses)
        columns = [Column("round", timeline.unit, Kind.WHOLE)]
        columns += [
            Column(f"{name}_{number}", f"{name.replace('_', ' ')}, {side}", Kind.NUMBER)
            for number, side in enumerate(self.names, 1)
            for name in names
        ]
        rows = tuple(
            (
                each.round,
                *(
                    (side.statuses[name].mean if name in side.statuses else 0.0)
                    for side in each.sides
                    for name in names
                ),
            )
            for each in timeline.rounds
        )
        caption = (
            f"How many units of a side have a status at the end of each {timeline.unit}, or how many stacks where the "
            "ruleset counts stacks: means over the battles still going on."
        )
        return [Table("statuses", caption, tuple(columns), rows, is_course=True)] if names else []

    def _course(self, timeline: Timeline, look: Theme) -> Chart:
        """Both sides' HP over the rounds, as lines with bands."""
        import altair as alt

        layers = []
        for number in (1, 2):
            data = [
                {"round": each.round, "low": side.hp[0], "median": side.hp[1], "high": side.hp[2]}
                for each in timeline.rounds
                for side in (each.sides[number - 1],)
            ]
            base = alt.Chart(alt.InlineData(values=data)).encode(
                x=alt.X("round:Q", title=timeline.unit, scale=alt.Scale(nice=False), axis=alt.Axis(tickMinStep=1))
            )
            band = base.mark_area(color=look.side(number), opacity=0.18).encode(
                y=alt.Y("low:Q", title="HP", axis=alt.Axis(tickCount=5)), y2="high:Q"
            )
            layers += [band, base.mark_line(color=look.side(number), strokeWidth=2.2).encode(y="median:Q")]
        caption = (
            f"HP of {self.names[0]} (blue) and of {self.names[1]} (orange) at the end of each {timeline.unit}: the "
            f"median of {timeline.battles:,} battles, and the band that holds nine out of ten. Finished battles keep "
            "their last value."
        )
        chart = alt.layer(*layers).properties(width=look.width, height=220, autosize=FITTED)
        return Chart("timeline", "HP over time", caption, chart)

    def figures(self, look: Theme) -> Sequence[Chart]:
        """Shares with intervals; rounds and HP left as histograms if they were counted."""
        found = [self._shares(look)]
        if self.contributions is not None:
            found += self._damage(self.contributions, look)
        if self.timeline is not None and len(self.timeline.rounds) > 1:
            found.append(self._course(self.timeline, look))
        if len(self.rounds.histogram) > 1:
            chart = histogram([Panel("", look.accent, self.rounds.histogram)], look, "rounds")
            caption = f"The share of battles by their rounds; {self.rounds.mean:.1f} on average."
            found.append(Chart("rounds", "How long battles take", caption, chart))
        panels = [
            Panel(name, look.side(side), left.histogram)
            for side, (name, left) in enumerate(zip(self.names, self.hp_left or (), strict=False), 1)
            if len(left.histogram) > 1
        ]
        if panels:
            caption = "The share of battles by the HP that each side has left at the end."
            found.append(Chart("hp_left", "HP left", caption, histogram(panels, look, "HP left")))
        return found

    def _damage(self, deeds: Deeds, look: Theme) -> Sequence[Chart]:
        """Each unit's damage as bars, if the ruleset counts damage."""
        sums: dict[tuple[int, str], int] = {}
        for row in deeds.rows:
            sums[row.side, row.unit] = sums.get((row.side, row.unit), 0) + row.amounts.get("damage", 0)
        ranked = first(sorted(((amount, *key) for key, amount in sums.items() if amount), key=lambda each: -each[0]))
        if not ranked:
            return []
        rows = [
            Bar(unit, amount / deeds.battles, None, look.side(side), f"{amount / deeds.battles:,.1f}")
            for amount, side, unit in ranked
        ]
        chart = bars(rows, look, "damage", ends=whole_range([row.value for row in rows]), form=",.0f")
        caption = f"Damage of each unit in a battle, on average over {_first(deeds.battles)}; colours are sides."
        return [Chart("damage", "Who does the damage", caption, chart)]

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


def _first(battles: int) -> str:
    return "the first battle" if battles == 1 else f"the first {battles:,} battles"


def _spreads(spreads: Sequence[tuple[str, Spread]]) -> Table:
    columns = (
        Column("what", "of a battle"),
        Column("mean", "mean", Kind.NUMBER),
        *(Column(key, heading, Kind.WHOLE) for key, heading in _QUANTILES),
        Column("none", "none", Kind.SHARE),
        Column("shape", "least to most"),
    )
    rows = tuple(
        (what, each.mean, *(getattr(each, key) for key, _ in _QUANTILES), each.none, each.shape)
        for what, each in spreads
    )
    caption = "How rounds and HP left are distributed; 5% of the battles have no more than is in the column 5%."
    return Table("spreads", caption, columns, rows)


_QUANTILES = (("min", "least"), ("p5", "5%"), ("p50", "half"), ("p95", "95%"), ("max", "most"))
