"""The result of `fracas why`: odds round by round, luck and decisions, the turning point, the best single change.

Source: docs/adr/0023.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from fracas.lab.presentation.chart_parts import FITTED
from fracas.lab.presentation.notebook import OfScenario
from fracas.lab.presentation.types import (
    CellKind,
    Chart,
    Column,
    Count,
    Edit,
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


class RoundOdds(msgspec.Struct, kw_only=True):
    """The odds at the start of a round, and how much the round changed them: for side 1 and for side 2."""

    tick: int
    place: Label
    """The label, such as round 3."""
    odds: tuple[Share, Share]
    """Wins and half the draws, over rollouts from here."""
    interval95: tuple[Interval, Interval]
    change: tuple[Gain, Gain]
    luck: tuple[float, float]
    """The part of the change due to all dice but those of choices. If chance makes several choices in one round, this
    may exceed the whole change, and 1."""
    decision: tuple[float, float]
    """The part of the change due to choices that strategies leave to chance."""
    after: float = msgspec.field(default=0.0, name="_after")
    """In Python: side 1's odds at the start of the next round; after the last round the actual outcome."""


class PivotalTurn(msgspec.Struct, kw_only=True):
    """The turn of a round that changed the odds most."""

    unit: Label
    did: Label
    before: Share = msgspec.field(name="odds")
    """The odds of the side that lost most, when this turn began."""
    after: Share
    """Its odds when the next turn began."""


class TurningPoint(msgspec.Struct, kw_only=True):
    """The round in which the loser's odds fell most; after a draw, the round that changed the odds most."""

    tick: int
    place: Label
    side: int
    """Whose odds fell."""
    before: Share = msgspec.field(name="odds")
    after: Share
    change: Gain = 0.0
    luck: float = 0.0
    """The part of the fall due to dice, below 0."""
    turn: PivotalTurn | None = None
    """The turn that changed the odds most; None if nobody had a choice in that round."""
    story: list[str] = msgspec.field(default_factory=list)
    """What happened in it."""


class DecisionCost(msgspec.Struct, kw_only=True):
    """A decision, the best choice instead, and what not taking it cost."""

    tick: int = 0
    place: Label
    side: int
    unit: Label
    chosen: Label
    best: Label
    choices: Count = 0
    """How many choices were legal."""
    odds: Share
    """The side's odds with the actual choice."""
    interval95: Interval = (0.0, 1.0)
    best_odds: Share
    """Its odds with the best choice."""
    best_interval95: Interval = (0.0, 1.0)
    cost: Gain
    """The difference, on streams that had no part in finding the choice."""
    cost95: GainInterval


class BestChange(msgspec.Struct, kw_only=True):
    """The best single change found to how a side plays, and its gain over whole battles."""

    part: Label
    name: Label
    path: Label
    before: Label = msgspec.field(name="from")
    after: Label = msgspec.field(name="to")
    value: Any = None
    odds: Share
    """The side's odds without it, before the battle."""
    interval95: Interval = (0.0, 1.0)
    changed_odds: Share
    """Its odds with the change."""
    changed_interval95: Interval = (0.0, 1.0)
    gain: Gain
    """The difference, on streams that had no part in finding it."""
    gain95: GainInterval
    same_dice_winner: int
    """Who wins this battle with the change, under its own dice: 1, 2, or 0 for nobody."""


class ChangeSearch(msgspec.Struct, kw_only=True):
    """The search for a better way to play for one side."""

    side: int
    tried: Count = 0
    possible: Count = 0
    best: BestChange | None = None
    """The best change; None if no change helps or nothing could be tried."""
    refusal: str | None = None
    """Why nothing could be tried."""


class Timing(msgspec.Struct, kw_only=True):
    """How long it took."""

    seconds: float = 0.0
    threads: Count = 1


class Why(OfScenario, kw_only=True, eq=False):
    """Why one battle ended as it did: odds in every round, luck and decisions, the turning point, the best change."""

    LAST: ClassVar[tuple[str, ...]] = (*OfScenario.LAST, "timing")

    command: str = "why"
    stream: Count
    """The battle's number."""
    winner: int
    """1, 2, or 0 for a draw."""
    loser: Annotated[int, msgspec.Meta(ge=0, le=2)] | None
    """Who lost; None after a draw."""
    reason: Label
    rounds: Count
    digest: Label | None = None
    branches: Count
    """How many rollouts stand behind each of the odds."""
    branch_seed: Label = ""
    standings: list[RoundOdds] = msgspec.field(name="odds", default_factory=list)
    """Every round."""
    turning_point: TurningPoint | None = None
    """None if no round reduced the loser's odds."""
    weighed: Count = 0
    """How many decisions were weighed."""
    decisions: list[DecisionCost] = msgspec.field(default_factory=list)
    """The most costly decisions of both sides: the loser's first, each side's most costly first."""
    searches: list[ChangeSearch] = msgspec.field(name="changes", default_factory=list)
    """The best single change for the loser; after a draw for both sides."""
    deterministic: bool = False
    """True if the battle is free of luck."""
    timing: Timing = msgspec.field(default_factory=Timing)
    """How long it took."""
    battle: Any = msgspec.field(default=None, name="_battle")
    """In Python: the explained battle."""

    @property
    def best_change(self) -> BestChange | None:
        """The best single change for the loser; after a draw the one that gains most."""
        best = [search.best for search in self.searches if search.best is not None]
        return max(best, key=lambda change: change.gain, default=None)

    @property
    def title(self) -> str:
        """The section's heading."""
        return f"Why battle {self.stream:,} of {self.scenario} ended as it did"

    def who(self, side: int | None) -> str:
        """The side's name."""
        return self.names[side - 1] if side in (1, 2) else "nobody"

    def notes(self) -> Sequence[str]:
        """Whether luck had a part."""
        return ("Nothing in this battle depends on luck: it was decided before it began.",) * self.deterministic

    def findings(self) -> Sequence[str]:
        """The best single change, the turning point, luck compared with decisions."""
        ended = f"victory goes to {self.who(self.winner)}" if self.winner else "nobody wins"
        rounds = f"after {self.rounds:,} rounds" if self.rounds != 1 else "after one round"
        sentence = f"In battle {self.stream:,} of {self.scenario} {ended} {rounds} ({self.reason.replace('_', ' ')})"
        ending = [f"{sentence}."] if self.turning_point is None else self._turning_point(f"{sentence}. ")
        return [*self._changes(), *ending, *self._luck()]

    def _changes(self) -> Sequence[str]:
        sentences = []
        for search in self.searches:
            best = search.best
            if search.refusal:
                sentences.append(f"No change was tried for {self.who(search.side)}: {search.refusal}.")
                continue
            if best is None:
                sentences.append(f"No single change tried helps {self.who(search.side)}.")
                continue
            what = f"{short(best.name)}: {short(best.after)} instead of {short(best.before)}"
            whom = f"{self.who(search.side)} most in {self.scenario}, of {search.tried:,} that were tried"
            worth = f"{per_cent(best.changed_odds)} instead of {per_cent(best.odds)}"
            gain = f"{points(best.gain)}{gain_between(best.gain95)}"
            text = f"The single change that helps {whom}: {what}. It wins {worth}: {gain}."
            ends = {search.side: "wins", 0: "draws"}.get(best.same_dice_winner, "still loses")
            sentences.append(f"{text} With this battle's own dice, it {ends}.")
        return sentences

    def _turning_point(self, sentence: str) -> Sequence[str]:
        point = self.turning_point
        if point is None:
            return []
        whose = self.who(point.side)
        fall = f"the odds of {whose} fell from {per_cent(point.before)} to {per_cent(point.after)}"
        deed = f": {point.turn.unit}, {short(point.turn.did)}" if point.turn is not None else ""
        return [f"{sentence}The turning point is {point.place}, where {fall}{deed}."]

    def _luck(self) -> Sequence[str]:
        side = self.loser or 1
        luck = sum(each.luck[side - 1] for each in self.standings)
        costly = [each for each in self.decisions if each.side == side and each.cost95[0] > 0]
        if self.deterministic or not self.standings:
            return []
        sentence = f"Luck moved the odds of {self.who(side)} by {points(luck)} over the battle"
        if not costly:
            return [f"{sentence}; none of its weighed decisions was clearly a mistake."]
        worst = max(costly, key=lambda each: each.cost)
        better = f"{short(worst.best)} would have been worth {points(worst.cost)}{gain_between(worst.cost95)} more"
        where = f"Its most costly decision was in {worst.place}"
        return [f"{sentence}. {where}: {worst.unit} chose {short(worst.chosen)}, and {better}."]

    def shown_tables(self) -> Sequence[Table]:
        """The odds round by round, the decisions, the changes."""
        return [self._rounds(), *self._story(), self._decisions(), self._best()]

    def _story(self) -> Sequence[Table]:
        point = self.turning_point
        if point is None or not point.story:
            return []
        rows = tuple((line,) for line in point.story)
        return [Table("story", f"What happened at the turning point, {point.place}.", (Column("line", ""),), rows)]

    def _rounds(self) -> Table:
        side = self.loser or 1
        # Without random choices, luck is the whole change.
        is_luck = not any(value for each in self.standings for value in each.decision)
        columns = (
            Column("place", "round"),
            Column(f"odds_{side}", "odds", CellKind.SHARE, is_drawn=True),
            Column(f"low_{side}", "95% from", CellKind.SHARE),
            Column(f"high_{side}", "to", CellKind.SHARE),
            Column(f"change_{side}", "change", CellKind.GAIN),
            Column(f"luck_{side}", "by luck", CellKind.GAIN, is_detail=is_luck),
            Column(f"decision_{side}", "by choices", CellKind.GAIN, is_detail=is_luck),
        )
        rows = tuple(
            (
                each.place,
                each.odds[side - 1],
                *each.interval95[side - 1],
                *(change[side - 1] for change in (each.change, each.luck, each.decision)),
            )
            for each in self.standings
        )
        caption = (
            f"The odds of {self.who(side)} as each round begins, from {self.branches:,} rollouts, and how "
            "much the round changed them, in points."
        )
        return Table("odds", caption, columns, rows, is_course=True)

    def _decisions(self) -> Table:
        columns = (
            Column("place", "when"),
            Column("side", "side"),
            Column("unit", "who"),
            Column("cost", "cost", CellKind.GAIN),
            *interval_columns(CellKind.GAIN),
            Column("chosen", "chose"),
            Column("best", "best would have been"),
        )
        rows = tuple(
            (each.place, self.who(each.side), each.unit, each.cost, *each.cost95, each.chosen, each.best)
            for each in self.decisions
        )
        caption = (
            f"The most costly of {self.weighed:,} decisions: the odds that a better choice would have added, in points."
        )
        return Table("decisions", caption, columns, rows)

    def _best(self) -> Table:
        columns = (
            Column("side", "for"),
            Column("name", "change"),
            Column("gain", "gain", CellKind.GAIN),
            *interval_columns(CellKind.GAIN),
            Column("odds", "odds without", CellKind.SHARE),
            Column("changed_odds", "with", CellKind.SHARE),
            Column("from", "from"),
            Column("to", "to"),
            Column("path", "where", is_detail=True),
        )
        found = [(search.side, search.best) for search in self.searches if search.best is not None]
        rows = tuple(
            (
                self.who(side), best.name, best.gain, *best.gain95,
                best.odds, best.changed_odds, best.before, best.after, best.path,
            )
            for side, best in found
        )  # fmt: skip
        caption = "The best single change found; its gain is measured on battles that had no part in finding it."
        edits = tuple(Edit(best.path, best.value) for _, best in found)
        return Table("changes", caption, columns, rows, edits=edits)

    def figures(self, look: Theme) -> Sequence[Chart]:
        """The odds over the rounds; luck next to decisions."""
        if len(self.standings) < 2:
            return []
        name = self.names[0]
        caption = f"The odds of {name} as each round begins; the band is the 95% interval, the dashed line is even" + (
            ", the marked round is the turning point." if self.turning_point is not None else "."
        )
        charts = [Chart("odds", f"The odds of {name}, round by round", caption, self._course(look))]
        if any(value for each in self.standings for value in (*each.luck, *each.decision)):
            caption = f"Each round's change of the odds of {name}, in points: by dice, and by decisions of both sides."
            charts.append(Chart("luck", "Luck and decisions", caption, self._causes(look)))
        return charts

    def _short(self, place: str) -> str:
        return place.removeprefix("round ").removeprefix("Round ")

    def _axis(self, look: Theme, title: str) -> Any:
        import altair as alt

        return alt.X(
            "place:O",
            title=title,
            sort=None,
            axis=alt.Axis(labelAngle=0, labelOverlap="greedy", ticks=False, grid=False),
        )

    def _course(self, look: Theme) -> Any:
        import altair as alt

        ended = {1: 1.0, 2: 0.0}.get(self.winner, 0.5)
        data = [
            {"place": self._short(each.place), "odds": each.odds[0], "low": each.interval95[0][0],
             "high": each.interval95[0][1]}
            for each in self.standings
        ]  # fmt: skip
        data.append({"place": "end", "odds": ended, "low": ended, "high": ended})
        base = alt.Chart(alt.InlineData(values=data)).encode(x=self._axis(look, "round"))
        scale = alt.Scale(domain=[0, 1], nice=False)
        band = base.mark_area(color=look.side_1, opacity=0.2).encode(
            y=alt.Y("low:Q", title=None, scale=scale, axis=alt.Axis(format=".0%", tickCount=5)), y2=alt.Y2("high:Q")
        )
        line = base.mark_line(color=look.side_1, strokeWidth=2.2, point={"color": look.side_1, "size": 26}).encode(
            y=alt.Y("odds:Q")
        )
        even = alt.Chart(alt.InlineData(values=[{"even": 0.5}])).mark_rule(
            color=look.ink, opacity=0.5, strokeDash=[4, 4]
        )
        layers: list[Any] = [band, even.encode(y=alt.Y("even:Q")), line]
        if self.turning_point is not None:
            place = self._short(self.turning_point.place)
            mark = [{"place": place, "mark": "turning point"}]
            marked = alt.Chart(alt.InlineData(values=mark)).encode(x=self._axis(look, "round"))
            layers.append(marked.mark_rule(color=look.accent, strokeWidth=2))
            places = [self._short(each.place) for each in self.standings]
            is_late = place in places and places.index(place) > len(places) * 0.6
            text = marked.mark_text(
                color=look.accent, align="right" if is_late else "left", dx=-5 if is_late else 5, baseline="bottom"
            )
            layers.append(text.encode(y=alt.value(226), text=alt.Text("mark:N")))
        return alt.layer(*layers).properties(width=look.width, height=230, autosize=FITTED)

    def _causes(self, look: Theme) -> Any:
        import altair as alt

        data = [
            {"place": self._short(each.place), "cause": cause, "points": 100 * value[0], "order": order}
            for each in self.standings
            for order, (cause, value) in enumerate((("luck", each.luck), ("decisions", each.decision)))
        ]
        colours = alt.Scale(domain=["luck", "decisions"], range=[look.draw, look.accent])
        return (
            alt.Chart(alt.InlineData(values=data))
            .mark_bar()
            .encode(
                x=self._axis(look, "round"),
                y=alt.Y("points:Q", title=None, axis=alt.Axis(format="+.0~f", tickCount=5)),
                color=alt.Color("cause:N", scale=colours, sort=["luck", "decisions"]),
                order=alt.Order("order:Q"),
            )
            .properties(width=look.width, height=170, autosize=FITTED)
        )
