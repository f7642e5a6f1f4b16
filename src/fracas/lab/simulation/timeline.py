"""Timelines: each side's HP, HP lost, units standing and statuses, round by round over many battles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from fracas.engine.battle import check_whole
from fracas.engine.player import Notice, make_player
from fracas.events.tick_labels import FIRST_STEP, TICKS_PER_ENCOUNTER, EncounterPlaces, Places, TurnPlaces
from fracas.lab.execution.interrupts import AllowInterrupt, DeferInterrupt
from fracas.lab.presentation.chart_parts import FITTED
from fracas.lab.presentation.types import CellKind, Chart, Column, Count, Label, Table, Theme
from fracas.rulesets.contract.analysis import ALL_STATUSES, EVERYBODY

if TYPE_CHECKING:
    from collections.abc import Callable

    from fracas.engine.scenario import Scenario
    from fracas.rulesets.contract.types import Rows

# The measures of each side: HP at a round's end, HP lost in it, units standing at its end.
MEASURES = 3
HP, LOST, STANDING = range(MEASURES)
SIDES = 2
# The ends of the band and its middle, in percent of the battles.
BAND = (5, 50, 95)
MOST_TIMED = 20_000
# Later rounds are not recorded: battles that long hardly change any more, and memory is bounded.
MOST_ROUNDS = 200

Reading = tuple[int, int, int]


class StatusReading(msgspec.Struct, kw_only=True):
    """How much of a status a side has at a round's end, over the battles that are still going on.

    Counts the units that have it, or stacks if the ruleset counts stacks.
    """

    mean: float
    band: Reading


class SideRound(msgspec.Struct, kw_only=True):
    """A side in a round: 5%, median and 95% of the battles."""

    hp: Reading
    """HP at its end; finished battles keep their last value."""
    lost: Reading
    """HP lost in it, over battles still going on."""
    standing: Reading
    """Units with HP left at its end; finished battles keep their last value."""
    statuses: dict[Label, StatusReading] = msgspec.field(default_factory=dict)
    """By name, for statuses that occur at any round's end."""


class Round(msgspec.Struct, kw_only=True):
    """One round over all battles."""

    round: Count
    """The round's number; 0 is the start of the battle."""
    going: Count
    """How many battles were still going on."""
    sides: tuple[SideRound, SideRound]


class Timeline(msgspec.Struct, kw_only=True):
    """How a simulation's first battles went, round by round."""

    battles: Count
    band: Reading = BAND
    unit: Label = "round"
    """The unit of time: rounds, or the encounters of a run."""
    rounds: list[Round]
    is_cut: bool = False
    """Whether any battle went on after the last recorded round."""

    def tables(self, names: Sequence[str]) -> Sequence[Table]:
        """Each side's HP and units by round, and its statuses if there are any."""
        columns = [Column("round", self.unit, CellKind.WHOLE), Column("going", "going on", CellKind.WHOLE)]
        for number, name in enumerate(names, 1):
            columns += [
                Column(f"hp_{number}", f"HP, {name}", CellKind.WHOLE),
                Column(f"hp_low_{number}", "5% below", CellKind.WHOLE),
                Column(f"hp_high_{number}", "5% above", CellKind.WHOLE),
                Column(f"lost_{number}", "lost", CellKind.WHOLE),
                Column(f"standing_{number}", "standing", CellKind.WHOLE),
            ]
        rows = []
        for each in self.rounds:
            cells = [each.round, each.going]
            for side in each.sides:
                low, median, high = side.hp
                cells += [median, low, high, side.lost[1], side.standing[1]]
            rows.append(tuple(cells))
        caption = (
            f"How {self.battles:,} battles go: medians of each side's HP at the end of each {self.unit}, HP "
            "lost in it, and units standing. Finished battles keep their last HP and units, and do not count for "
            "HP lost."
        )
        return [Table("timeline", caption, tuple(columns), tuple(rows), is_course=True), *self._statuses(names)]

    def _statuses(self, sides: Sequence[str]) -> Sequence[Table]:
        names = list(dict.fromkeys(name for each in self.rounds for side in each.sides for name in side.statuses))
        if not names:
            return []
        columns = [Column("round", self.unit, CellKind.WHOLE)]
        columns += [
            Column(f"{name}_{number}", f"{name.replace('_', ' ')}, {side}", CellKind.NUMBER)
            for number, side in enumerate(sides, 1)
            for name in names
        ]
        nothing = StatusReading(mean=0.0, band=(0, 0, 0))
        rows = tuple(
            (each.round, *(side.statuses.get(name, nothing).mean for side in each.sides for name in names))
            for each in self.rounds
        )
        caption = (
            f"How many units of a side have a status at the end of each {self.unit}, or how many stacks where the "
            "ruleset counts stacks: means over the battles still going on."
        )
        return [Table("statuses", caption, tuple(columns), rows, is_course=True)]

    def figures(self, names: Sequence[str], look: Theme) -> Sequence[Chart]:
        """Both sides' HP over the rounds, as lines with bands."""
        import altair as alt

        if len(self.rounds) < 2:
            return []
        layers = []
        for number in (1, 2):
            readings = [(each.round, each.sides[number - 1].hp) for each in self.rounds]
            data = [{"round": time, "low": hp[0], "median": hp[1], "high": hp[2]} for time, hp in readings]
            base = alt.Chart(alt.InlineData(values=data)).encode(
                x=alt.X("round:Q", title=self.unit, scale=alt.Scale(nice=False), axis=alt.Axis(tickMinStep=1))
            )
            band = base.mark_area(color=look.side(number), opacity=0.18).encode(
                y=alt.Y("low:Q", title="HP", axis=alt.Axis(tickCount=5)), y2=alt.Y2("high:Q")
            )
            layers += [band, base.mark_line(color=look.side(number), strokeWidth=2.2).encode(y=alt.Y("median:Q"))]
        caption = (
            f"HP of {names[0]} (orange) and of {names[1]} (blue) at the end of each {self.unit}: the "
            f"median of {self.battles:,} battles, and the band that holds nine out of ten. Finished battles keep "
            "their last value."
        )
        chart = alt.layer(*layers).properties(width=look.width, height=220, autosize=FITTED)
        return [Chart("timeline", "HP over time", caption, chart)]


def check_timed(battles: int | None) -> None:
    """Check the number of battles of a timeline.

    Raises:
        InputError: it is outside 0..20,000.
    """
    if battles is not None:
        check_whole("--timeline", battles, 0, MOST_TIMED)


@DeferInterrupt()
def timeline(
    scenario: Scenario, battles: int, notice: Notice | None = None, progress: Callable[[int, int], None] | None = None
) -> Timeline:
    """Play battles number 0 to battles - 1 with a log and record HP over time. After Ctrl-C there are fewer battles.

    Raises:
        InputError: the ruleset has no timeline, or a battle has more events than a log holds.
    """
    follower = _Follower(scenario)
    courses: list[Rows] = []
    statuses: list[Rows] = []
    try:
        with AllowInterrupt():
            player = make_player(scenario, logged=True, battles=battles, notice=notice)
    except KeyboardInterrupt:
        return Timeline(battles=0, rounds=[])
    with DeferInterrupt() as interrupt:
        for stream in range(battles):
            if interrupt.stop_requested:
                break
            player.play(stream, 1)
            rows = player.rows()
            courses.append(follower.course(rows))
            statuses.append(follower.statuses_of(rows, len(courses[-1])))
            if progress is not None:
                progress(stream + 1, battles)
    return summed(courses, follower.unit, statuses, follower.names)


def hp_by_round(scenario: Scenario, rows: Rows) -> Rows:
    """HP of both sides at the end of each round of one battle, by its event rows: rounds x sides.

    Raises:
        InputError: the ruleset has no timeline.
    """
    return _Follower(scenario).course(rows)[:, :, HP]


def hp_readings(scenario: Scenario, rows: Rows) -> tuple[dict[int, int], list[tuple[int, int, int]]]:
    """The HP of units before the first event, as far as none gives them, and what events tell of HP.

    Each reading is the number of its event row, the unit's number in event rows, and its HP from 0.
    """
    follower = _Follower(scenario)
    return dict(follower.start), list(follower.readings(rows))


class _Follower:
    """Tracks all units' HP through the event rows of a battle."""

    def __init__(self, scenario: Scenario) -> None:
        ruleset = scenario.ruleset
        vitals = ruleset.analysis.vitals(scenario.compiled, scenario.document)
        self.sides = vitals.sides
        self.statuses = vitals.statuses
        self.names = tuple(vitals.statuses.names) if vitals.statuses is not None else ()
        self.places = ruleset.tick_labels(scenario.document)
        is_run = isinstance(self.places, EncounterPlaces) and self.places.encounters > 1
        self.unit = "encounter" if is_run else "round"
        self.start = {unit: max(0, hp) for unit, hp in vitals.start.items()}
        # By event kind: the columns of the unit, of the other unit if the first is nobody, and of its HP.
        self.columns: dict[int, tuple[int, int, int]] = {}
        for kind in vitals.kinds:
            plans = {plan.name: plan.column for plan in ruleset.protocol.plan(kind.KIND)}
            who = [plans[name] for name in ("target", "actor") if name in plans]
            hp = vitals.column or ("hp" if "hp" in plans else "health")
            self.columns[kind.KIND] = (who[0], who[-1], plans[hp])
        # Events that tell any field's new value: their kind, the column of the field, and the number of HP in it.
        self.changes: tuple[int, int, int] | None = None
        if vitals.changes is not None:
            kind, field_number = vitals.changes
            plans = {plan.name: plan.column for plan in ruleset.protocol.plan(kind.KIND)}
            self.columns[kind.KIND] = (plans["target"], plans["target"], plans["value"])
            self.changes = kind.KIND, plans["field"], field_number

    def course(self, rows: Rows) -> Rows:
        """A battle's measures as an array of rounds x sides x measures."""
        times = _rounds_of(rows[:, 0].astype(np.int64), self.places)
        last = min(int(times.max()) if len(rows) else 0, MOST_ROUNDS + 1)
        measures = np.zeros((last + 1, SIDES, MEASURES), np.int64)
        now = dict(self.start)
        filled = 0
        for number, unit, hp in self.readings(rows):
            if times[number] > last:
                break
            while filled < times[number]:
                self._write(measures[filled], now)
                filled += 1
            measures[filled, self.sides[unit] - 1, LOST] += max(0, now.get(unit, 0) - hp)
            now[unit] = hp
        for number in range(filled, last + 1):
            self._write(measures[number], now)
        return measures

    def readings(self, rows: Rows) -> Iterator[tuple[int, int, int]]:
        """What events tell of HP, in order: the row's number, the unit, its HP from 0."""
        is_told = np.isin(rows[:, 1], list(self.columns))
        if self.changes is not None:
            kind, field_column, number = self.changes
            is_told &= (rows[:, 1] != kind) | (rows[:, field_column] == number)
        for place, row in zip(np.flatnonzero(is_told).tolist(), rows[is_told].tolist(), strict=True):
            who, otherwise, column = self.columns[row[1]]
            unit = row[who] if row[who] >= 0 else row[otherwise]
            if unit in self.sides:
                yield place, unit, max(0, row[column])

    def statuses_of(self, rows: Rows, length: int) -> Rows:
        """How much of each status each side has at each round's end: rounds x sides x statuses."""
        amounts = np.zeros((length, SIDES, len(self.names)), np.int32)
        if self.statuses is None:
            return amounts
        times = _rounds_of(rows[:, 0].astype(np.int64), self.places)
        is_told = np.isin(rows[:, 1], [kind.KIND for kind in self.statuses.kinds]) & (times < length)
        numbers = {name: number for number, name in enumerate(self.names)}
        has: dict[tuple[int, str], int] = {}
        now = np.zeros((SIDES, len(self.names)), np.int32)
        filled = 0

        def put(key: tuple[int, str], amount: int) -> None:
            unit, name = key
            side = self.sides.get(unit)
            if side is not None:
                now[side - 1, numbers[name]] += amount - has.get(key, 0)
                has[key] = amount

        for time, row in zip(times[is_told].tolist(), rows[is_told].tolist(), strict=True):
            amounts[filled:time] = now
            filled = time
            for unit, name, amount in self.statuses.changes(row):
                if unit != EVERYBODY and name != ALL_STATUSES:
                    put((unit, name), amount)
                    continue
                for key in [each for each in has if unit in (EVERYBODY, each[0]) and name in (ALL_STATUSES, each[1])]:
                    put(key, amount)
        amounts[filled:] = now
        return amounts

    def _write(self, here: Rows, now: dict[int, int]) -> None:
        for unit, hp in now.items():
            side = self.sides[unit] - 1
            here[side, HP] += hp
            here[side, STANDING] += hp > 0


def _rounds_of(ticks: Rows, places: Places) -> Rows:
    """Rounds or turns since the start of a battle; for a run its encounters."""
    if isinstance(places, EncounterPlaces) and places.encounters > 1:
        return ticks // TICKS_PER_ENCOUNTER
    if isinstance(places, EncounterPlaces):
        return ticks % TICKS_PER_ENCOUNTER % FIRST_STEP
    return np.maximum(ticks - places.first_tick, 0) if isinstance(places, TurnPlaces) else ticks


def summed(
    courses: Sequence[Rows], unit: str = "round", statuses: Sequence[Rows] = (), names: Sequence[str] = ()
) -> Timeline:
    """Summarise battles as medians and bands; each battle is an array of rounds x sides x measures.

    For statuses each battle has an array of rounds x sides x names, or there are none.
    """
    met = [number for number in range(len(names)) if any(each[:, :, number].any() for each in statuses)]
    lengths = [len(course) for course in courses]
    rounds = []
    for number in range(min(max(lengths, default=0), MOST_ROUNDS + 1)):
        going = [course[number] for course in courses if number < len(course)]
        # Finished battles keep their last values, except for HP lost.
        ends = _percentiles([course[min(number, len(course) - 1)] for course in courses])
        ends[:, :, LOST] = _percentiles(going)[:, :, LOST]
        readings = _statuses([each[number] for each in statuses if number < len(each)], met, names)
        first, second = (
            SideRound(
                hp=_reading(ends[:, side, HP]),
                lost=_reading(ends[:, side, LOST]),
                standing=_reading(ends[:, side, STANDING]),
                statuses=readings[side],
            )
            for side in range(SIDES)
        )
        rounds.append(Round(round=number, going=len(going), sides=(first, second)))
    is_cut = max(lengths, default=0) > MOST_ROUNDS + 1
    return Timeline(battles=len(courses), rounds=rounds, unit=unit, is_cut=is_cut)


def _percentiles(values: Sequence[Rows]) -> Rows:
    """The ends of the band and its middle of each number."""
    return np.asarray(np.percentile(np.array(values), BAND, axis=0, method="inverted_cdf"), int)


def _reading(values: Rows) -> Reading:
    low, median, high = values.tolist()
    return low, median, high


def _statuses(going: Sequence[Rows], met: Sequence[int], names: Sequence[str]) -> list[dict[str, StatusReading]]:
    """Each side's readings in a round, for statuses that occur at all."""
    if not going or not met:
        return [{} for _ in range(SIDES)]
    means, bands = np.array(going).mean(axis=0), _percentiles(going)
    return [
        {
            names[number]: StatusReading(mean=float(means[side, number]), band=_reading(bands[:, side, number]))
            for number in met
        }
        for side in range(SIDES)
    ]
