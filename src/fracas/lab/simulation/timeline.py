"""Timelines: each side's HP, HP lost, units standing and statuses, round by round over many battles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fracas.engine.battle import check_whole
from fracas.engine.player import Notice, make_player
from fracas.events.tick_labels import FIRST_STEP, TICKS_PER_ENCOUNTER, EncounterPlaces, Places, TurnPlaces
from fracas.lab.execution.interrupts import AllowInterrupt, DeferInterrupt
from fracas.rulesets.contract.analysis import ALL_STATUSES, EVERYBODY

if TYPE_CHECKING:
    from collections.abc import Callable

    from fracas.engine.scenario import Scenario
    from fracas.rulesets.contract.types import Rows

# The measures of each side.
MEASURES = ("hp", "lost", "standing")
HP, LOST, STANDING = range(3)
SIDES = 2
# The ends of the band and its middle, in percent of the battles.
BAND = (5, 50, 95)
MOST_TIMED = 20_000
# Later rounds are not recorded: battles that long hardly change any more, and memory is bounded.
MOST_ROUNDS = 200

Reading = tuple[int, int, int]


@dataclass(frozen=True)
class StatusReading:
    """How much of a status a side has at a round's end, over the battles that are still going on.

    Counts the units that have it, or stacks if the ruleset counts stacks.
    """

    mean: float
    band: Reading

    def as_json(self) -> dict[str, Any]:
        """The reading as plain values."""
        return {"mean": self.mean, "band": list(self.band)}


@dataclass(frozen=True)
class Round:
    """One round over all battles: each measure's 5%, median and 95%, for side 1 and side 2."""

    number: int
    """The round's number; 0 is the start of the battle."""
    going: int
    """How many battles were still going on."""
    hp: tuple[Reading, Reading]
    """HP at its end; finished battles keep their last value."""
    lost: tuple[Reading, Reading]
    """HP lost in it, over battles still going on."""
    standing: tuple[Reading, Reading]
    """Units with HP left at its end; finished battles keep their last value."""
    statuses: tuple[Mapping[str, StatusReading], Mapping[str, StatusReading]] = field(default_factory=lambda: ({}, {}))
    """By name, for statuses that occur at any round's end."""

    def as_json(self) -> dict[str, Any]:
        """The round as plain values."""
        sides: list[dict[str, Any]] = [
            {name: list(readings[side]) for name, readings in zip(MEASURES, self._all(), strict=True)}
            for side in range(SIDES)
        ]
        for side, statuses in zip(sides, self.statuses, strict=True):
            side["statuses"] = {name: reading.as_json() for name, reading in statuses.items()}
        return {"round": self.number, "going": self.going, "sides": sides}

    def _all(self) -> tuple[tuple[Reading, Reading], ...]:
        return self.hp, self.lost, self.standing


@dataclass(frozen=True)
class Timeline:
    """How a simulation's first battles went, round by round."""

    battles: int
    rounds: Sequence[Round]
    unit: str = "round"
    """The unit of time: rounds, or the encounters of a run."""
    is_cut: bool = False
    """Whether any battle went on after the last recorded round."""

    def as_json(self) -> dict[str, Any]:
        """The part of a simulation's document."""
        rounds = [each.as_json() for each in self.rounds]
        return {"battles": self.battles, "band": list(BAND), "unit": self.unit, "rounds": rounds, "is_cut": self.is_cut}


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
        return Timeline(0, ())
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
        found = np.zeros((last + 1, SIDES, len(MEASURES)), np.int64)
        now = dict(self.start)
        filled = 0
        is_told = np.isin(rows[:, 1], list(self.columns))
        if self.changes is not None:
            kind, field_column, number = self.changes
            is_told &= (rows[:, 1] != kind) | (rows[:, field_column] == number)
        for time, row in zip(times[is_told].tolist(), rows[is_told].tolist(), strict=True):
            if time > last:
                break
            while filled < time:
                self._write(found[filled], now)
                filled += 1
            who, otherwise, column = self.columns[row[1]]
            unit = row[who] if row[who] >= 0 else row[otherwise]
            hp, side = max(0, row[column]), self.sides.get(unit)
            if side is not None:
                found[filled, side - 1, LOST] += max(0, now.get(unit, 0) - hp)
                now[unit] = hp
        for place in range(filled, last + 1):
            self._write(found[place], now)
        return found

    def statuses_of(self, rows: Rows, length: int) -> Rows:
        """How much of each status each side has at each round's end: rounds x sides x statuses."""
        found = np.zeros((length, SIDES, len(self.names)), np.int32)
        if self.statuses is None:
            return found
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
            found[filled:time] = now
            filled = time
            for unit, name, amount in self.statuses.changes(row):
                if unit != EVERYBODY and name != ALL_STATUSES:
                    put((unit, name), amount)
                    continue
                for key in [each for each in has if unit in (EVERYBODY, each[0]) and name in (ALL_STATUSES, each[1])]:
                    put(key, amount)
        found[filled:] = now
        return found

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
    if not courses:
        return Timeline(0, ())
    met = [number for number in range(len(names)) if any(each[:, :, number].any() for each in statuses)]
    lengths = np.array([len(course) for course in courses])
    rounds = []
    for number in range(min(int(lengths.max()), MOST_ROUNDS + 1)):
        going = [course[number] for course in courses if number < len(course)]
        all_of_them = np.array([course[min(number, len(course) - 1)] for course in courses])
        ends = np.percentile(all_of_them, BAND, axis=0, method="inverted_cdf").astype(int)
        lost = np.percentile(np.array(going), BAND, axis=0, method="inverted_cdf").astype(int)
        hp, standing = (_readings(ends, measure) for measure in (HP, STANDING))
        had = _statuses([each[number] for each in statuses if number < len(each)], met, names)
        rounds.append(Round(number, len(going), hp, _readings(lost, LOST), standing, had))
    return Timeline(len(courses), tuple(rounds), unit, bool(lengths.max() > MOST_ROUNDS + 1))


def _readings(ends: Rows, measure: int) -> tuple[Reading, Reading]:
    first, second = ([int(value) for value in ends[:, side, measure]] for side in range(SIDES))
    return (first[0], first[1], first[2]), (second[0], second[1], second[2])


def _statuses(
    going: Sequence[Rows], met: Sequence[int], names: Sequence[str]
) -> tuple[Mapping[str, StatusReading], Mapping[str, StatusReading]]:
    """Each side's readings in a round, for statuses that occur at all."""
    if not going or not met:
        return {}, {}
    amounts = np.array(going)
    ends = np.percentile(amounts, BAND, axis=0, method="inverted_cdf").astype(int)
    means = amounts.mean(axis=0)

    def of(side: int) -> Mapping[str, StatusReading]:
        bands = {number: [int(value) for value in ends[:, side, number]] for number in met}
        return {
            names[number]: StatusReading(float(means[side, number]), (low, median, high))
            for number, (low, median, high) in bands.items()
        }

    return of(0), of(1)
