"""How battles go: HP, HP lost and units standing of either side, round by round, over many battles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fracas.engine.battle import check_whole
from fracas.engine.player import Notice, make_player
from fracas.events.tick_labels import FIRST_STEP, TICKS_PER_ENCOUNTER, EncounterPlaces, Places, TurnPlaces
from fracas.lab.execution.interrupts import AllowInterrupt, DeferInterrupt

if TYPE_CHECKING:
    from collections.abc import Callable

    from fracas.engine.scenario import Scenario
    from fracas.rulesets.contract.types import Rows

# What is told of each side.
MEASURES = ("hp", "lost", "standing")
HP, LOST, STANDING = range(3)
SIDES = 2
# The ends of the band and its middle, in per cent of the battles.
BAND = (5, 50, 95)
MOST_TIMED = 20_000
# Of this many battles one at least has to come to a round that is shown by itself.
LEAST_GOING = 50
# Rounds after this are not told: so long battles hardly change any more, and memory is bounded.
MOST_ROUNDS = 200

Reading = tuple[int, int, int]


@dataclass(frozen=True)
class Round:
    """One round over all battles: each measure's 5%, median and 95%, of side 1 and of side 2."""

    number: int
    """0 is before the first."""
    going: int
    """How many battles had not ended before it."""
    hp: tuple[Reading, Reading]
    """HP at its end; a battle that is over stays as it ended."""
    lost: tuple[Reading, Reading]
    """HP lost in it, of the battles that still went on."""
    standing: tuple[Reading, Reading]
    """Units with HP left at its end; a battle that is over stays as it ended."""

    def as_json(self) -> dict[str, Any]:
        """The round as plain values."""
        sides = [
            {name: list(readings[side]) for name, readings in zip(MEASURES, self._all(), strict=True)}
            for side in range(SIDES)
        ]
        return {"round": self.number, "going": self.going, "sides": sides}

    def _all(self) -> tuple[tuple[Reading, Reading], ...]:
        return self.hp, self.lost, self.standing


@dataclass(frozen=True)
class Timeline:
    """How the first battles of a simulation went, round by round."""

    battles: int
    rounds: Sequence[Round]
    unit: str = "round"
    """What is counted: rounds, or the encounters of a run."""
    is_cut: bool = False
    """Whether some battle went on after the last round that is told."""

    def as_json(self) -> dict[str, Any]:
        """The part of a simulation's document."""
        rounds = [each.as_json() for each in self.rounds]
        return {"battles": self.battles, "band": list(BAND), "unit": self.unit, "rounds": rounds, "is_cut": self.is_cut}


def check_timed(battles: int | None) -> None:
    """Refuse a number of battles that cannot be meant.

    Raises:
        InputError: it is outside 0..20,000.
    """
    if battles is not None:
        check_whole("--timeline", battles, 0, MOST_TIMED)


@DeferInterrupt()
def timeline(
    scenario: Scenario, battles: int, notice: Notice | None = None, told: Callable[[int, int], None] | None = None
) -> Timeline:
    """Play battles number 0 to battles - 1 with a log, and tell how HP went. After Ctrl-C it is of fewer.

    Raises:
        InputError: the ruleset does not tell, or a battle has more events than a log holds.
    """
    follower = _Follower(scenario)
    courses: list[Rows] = []
    try:
        with AllowInterrupt():
            player = make_player(scenario, logged=True, battles=battles, notice=notice)
    except KeyboardInterrupt:
        return Timeline(0, ())
    with DeferInterrupt() as patience:
        for stream in range(battles):
            if patience.stop_requested:
                break
            player.play(stream, 1)
            courses.append(follower.course(player.rows()))
            if told is not None:
                told(stream + 1, battles)
    return summed(courses, follower.unit)


class _Follower:
    """Follows the HP of all units through the event rows of a battle."""

    def __init__(self, scenario: Scenario) -> None:
        ruleset = scenario.ruleset
        vitals = ruleset.analysis.vitals(scenario.compiled, scenario.document)
        self.sides = vitals.sides
        self.places = ruleset.tick_labels(scenario.document)
        is_run = isinstance(self.places, EncounterPlaces) and self.places.encounters > 1
        self.unit = "encounter" if is_run else "round"
        self.start = {unit: max(0, hp) for unit, hp in vitals.start.items()}
        # By kind: the columns of the unit, of the other unit if that is nobody, and of its HP.
        self.columns: dict[int, tuple[int, int, int]] = {}
        for kind in vitals.kinds:
            plans = {plan.name: plan.column for plan in ruleset.protocol.plan(kind.KIND)}
            who = [plans[name] for name in ("target", "actor") if name in plans]
            self.columns[kind.KIND] = (who[0], who[-1], plans["hp"] if "hp" in plans else plans["health"])

    def course(self, rows: Rows) -> Rows:
        """By round, side and measure what a battle came to: an array of rounds x sides x measures."""
        times = _rounds_of(rows[:, 0].astype(np.int64), self.places)
        last = min(int(times.max()) if len(rows) else 0, MOST_ROUNDS + 1)
        found = np.zeros((last + 1, SIDES, len(MEASURES)), np.int64)
        now = dict(self.start)
        told = 0
        is_told = np.isin(rows[:, 1], list(self.columns))
        for time, row in zip(times[is_told].tolist(), rows[is_told].tolist(), strict=True):
            if time > last:
                break
            while told < time:
                self._write(found[told], now)
                told += 1
            who, otherwise, column = self.columns[row[1]]
            unit = row[who] if row[who] >= 0 else row[otherwise]
            hp, side = max(0, row[column]), self.sides.get(unit)
            if side is not None:
                found[told, side - 1, LOST] += max(0, now.get(unit, 0) - hp)
                now[unit] = hp
        for place in range(told, last + 1):
            self._write(found[place], now)
        return found

    def _write(self, here: Rows, now: dict[int, int]) -> None:
        for unit, hp in now.items():
            side = self.sides[unit] - 1
            here[side, HP] += hp
            here[side, STANDING] += hp > 0


def _rounds_of(ticks: Rows, places: Places) -> Rows:
    """Rounds or turns from the beginning of a battle; of a run its encounters."""
    if isinstance(places, EncounterPlaces) and places.encounters > 1:
        return ticks // TICKS_PER_ENCOUNTER
    if isinstance(places, EncounterPlaces):
        return ticks % TICKS_PER_ENCOUNTER % FIRST_STEP
    return np.maximum(ticks - places.first_tick, 0) if isinstance(places, TurnPlaces) else ticks


def summed(courses: Sequence[Rows], unit: str = "round") -> Timeline:
    """Courses of battles as medians and bands; each is an array of rounds x sides x measures."""
    if not courses:
        return Timeline(0, ())
    lengths = np.array([len(course) for course in courses])
    rounds = []
    for number in range(min(int(lengths.max()), MOST_ROUNDS + 1)):
        going = [course[number] for course in courses if number < len(course)]
        all_of_them = np.array([course[min(number, len(course) - 1)] for course in courses])
        ends = np.percentile(all_of_them, BAND, axis=0, method="inverted_cdf").astype(int)
        lost = np.percentile(np.array(going), BAND, axis=0, method="inverted_cdf").astype(int)
        hp, standing = (_readings(ends, measure) for measure in (HP, STANDING))
        rounds.append(Round(number, len(going), hp, _readings(lost, LOST), standing))
    return Timeline(len(courses), tuple(rounds), unit, bool(lengths.max() > MOST_ROUNDS + 1))


def _readings(ends: Rows, measure: int) -> tuple[Reading, Reading]:
    first, second = ([int(value) for value in ends[:, side, measure]] for side in range(SIDES))
    return (first[0], first[1], first[2]), (second[0], second[1], second[2])


def rounds_shown(rounds: Sequence[Round], most: int) -> Sequence[Round]:
    """As many rounds as there is room for, evenly; of those to which hardly a battle comes the last alone."""
    usual = [each for each in rounds if each.going * LEAST_GOING >= rounds[0].going]
    step = max(1, -(-len(usual) // (most - 1)))
    return list(dict.fromkeys([*usual[::step], *rounds[-1:]]))
