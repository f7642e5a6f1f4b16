"""One scenario, many battles: on threads, in index order, until enough is known or somebody has enough."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from fracas.content.validate import shown
from fracas.engine.battle import check_whole
from fracas.engine.player import Notice, make_player
from fracas.engine.scenario import Scenario
from fracas.errors import UsageError
from fracas.lab.execution.chunk import Stretch, Wanted
from fracas.lab.execution.executor import LARGEST_CHUNK, Crew, Hands, Task, check_hands, crew_of
from fracas.lab.execution.interrupts import Impatience, Patience
from fracas.lab.execution.tally import Tally
from fracas.lab.presentation.notebook import Shown
from fracas.lab.simulation.contributions import Contributions
from fracas.lab.simulation.statistic_rows import certain, share_interval, spread_json, statistic_json
from fracas.lab.simulation.timeline import Timeline
from fracas.lab.statistics.intervals import half_width, wilson_interval
from fracas.lab.store.run_checkpoint import RunFolder
from fracas.rulesets.contract.measures import Share, Spread, Statistic, Sums
from fracas.rulesets.contract.types import Records

DEFAULT_BATTLES = 10_000
MOST_BATTLES = 10**9
# Percentage points. Sides of equal strength come down to 0.0031 after the most battles; less is for sides that are not.
LEAST_PRECISION, LARGEST_PRECISION = 0.001, 50

Progress = Callable[["Tally", int], None]
Sink = Callable[[int, Records], None]


@dataclass(frozen=True, eq=False)
class Results(Shown):
    """What many battles of one scenario came to.

    Shares are from 0 to 1; `interval95` are their 95% Wilson intervals. `wins` and `shares` are those of side 1 and 2.
    """

    scenario: Scenario
    """What was played."""
    battles: int
    """How many battles are counted."""
    wins: tuple[int, int]
    """How many side 1 and side 2 won."""
    draws: int
    """How many nobody won."""
    reasons: dict[str, int]
    """How many ended how, in the ruleset's words."""
    rounds_total: int
    """Rounds of all battles together."""
    rounds_min: int
    """Rounds of the shortest battle."""
    rounds_max: int
    """Rounds of the longest battle."""
    deterministic: bool
    """True if nothing depends on luck: one battle was played and stands for all."""
    interrupted: bool
    """True if Ctrl-C ended it early; what is counted is counted right."""
    seconds: float
    """How long it took, compilation not counted."""
    threads: int
    """How many threads played."""
    sums: Sums = field(default_factory=Sums)
    """What the ruleset measures besides, summed."""
    draw_reasons: dict[str, int] = field(default_factory=dict)
    """Of the battles that nobody won, how many ended how."""
    endings: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    """Of the battles that ended so, how many were drawn, won by side 1, won by side 2."""
    lengths: Spread = field(default_factory=Spread)
    """How rounds are distributed."""
    hp_left: tuple[Spread, Spread] = field(default_factory=lambda: (Spread(), Spread()))
    """How the HP that each side has left are distributed."""
    contributions: Contributions | None = None
    """What each unit did with each ability, in the first of the battles; None unless it was asked for."""
    timeline: Timeline | None = None
    """How HP went round by round in the first of the battles; None unless it was asked for."""
    resumed: int = 0
    """How many of the battles were played before, by a run that was continued."""
    start: int = 0
    """The number of the first battle; not 0 if these are a part of a run that was split."""
    tally: Tally | None = None
    """The sums that all of this was counted with."""
    stop_asked: bool = False
    """True if Ctrl-C was pressed meanwhile, even if all was played by then: whoever plays on and on should end."""
    left_older: bool = False
    """True if it was interrupted and not written, because a whole older result stands where it would go."""

    @property
    def shares(self) -> tuple[float, float]:
        """Each side's share of wins, 0 to 1."""
        return self._share(self.wins[0]), self._share(self.wins[1])

    @property
    def draw_share(self) -> float:
        """The share of draws, 0 to 1."""
        return self._share(self.draws)

    @property
    def interval95(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The 95% Wilson interval of each side's share; a point if no battle depends on luck."""
        if self.deterministic:
            first, second = self.shares
            return (first, first), (second, second)
        return wilson_interval(self.wins[0], self.battles), wilson_interval(self.wins[1], self.battles)

    @property
    def half_width(self) -> float:
        """Half the width of the widest interval among wins of either side and draws; 0 if nothing depends on luck."""
        if self.deterministic:
            return 0.0
        return max(half_width(count, self.battles) for count in (self.draws, *self.wins))

    @property
    def rounds_mean(self) -> float:
        """Rounds of a battle on average."""
        return self.rounds_total / self.battles if self.battles else 0.0

    @property
    def battles_per_second(self) -> float:
        """How fast it went, compilation not counted."""
        return (self.battles - self.resumed) / self.seconds if self.seconds else 0.0

    @property
    def statistics(self) -> dict[str, list[dict[str, Any]]]:
        """What else the ruleset counts, as lists of rows by name; empty if it counts nothing else."""
        return {entry.name: statistic_json(entry) for entry in self.statistic_tables()}

    def statistic_tables(self) -> Sequence[Statistic]:
        """The same as tables with titles."""
        scenario = self.scenario
        tables = scenario.ruleset.statistics(scenario.compiled, scenario.document, self.sums) if self.battles else ()
        return [certain(each) for each in tables] if self.deterministic else tables

    @property
    def reason_shares(self) -> dict[str, Share]:
        """How often battles ended how, as shares of all battles."""
        return {reason: Share(count, self.battles, self.deterministic) for reason, count in self.reasons.items()}

    def _share(self, count: int) -> float:
        return count / self.battles if self.battles else 0.0

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas simulate --format json` prints."""
        scenario = self.scenario
        counted: dict[str, Any] = {"statistics": self.statistics} if self.sums.measures else {}
        if self.contributions is not None:
            counted["contributions"] = self.contributions.as_json()
        if self.timeline is not None:
            counted["timeline"] = self.timeline.as_json()
        return {
            "command": "simulate",
            "ruleset": scenario.ruleset.name,
            "scenario": scenario.id,
            "names": list(scenario.ruleset.side_names(scenario.document)),
            "seed": scenario.seed,
            "profile": scenario.profile,
            "battles": self.battles,
            "wins": list(self.wins),
            "draws": self.draws,
            "shares": list(self.shares),
            "draw_share": self.draw_share,
            "interval95": [list(interval) for interval in self.interval95],
            "reasons": self.reasons,
            "rounds": spread_json(self.lengths),
            "rules_version": scenario.ruleset.rules_version,
            "content_fingerprint": scenario.fingerprint,
            "deterministic": self.deterministic,
            "interrupted": self.interrupted,
            "timing": {
                "seconds": round(self.seconds, 6),
                "battles_per_second": round(self.battles_per_second, 1),
                "threads": self.threads,
            },
            "endings": [self._ending_json(reason, share) for reason, share in self.reason_shares.items()],
            "hp_left": [spread_json(spread) for spread in self.hp_left],
            "half_width": self.half_width,
            **({"start": self.start} if self.start else {}),
            **counted,
        }

    def _ending_json(self, reason: str, share: Share) -> dict[str, Any]:
        draws, *wins = self.endings[reason]
        return {
            "reason": reason,
            "battles": share.count,
            "share": self._share(share.count),
            "interval95": list(share_interval(share)),
            "wins": wins,
            "draws": draws,
        }

    def __repr__(self) -> str:
        shares = " / ".join(f"{share:.2%}" for share in (*self.shares, self.draw_share))
        return f"<Results {self.scenario.id!r}: {self.battles:,} battles, wins and draws {shares}>"


def check_amounts(n: int | None, precision: float | None, threads: Hands) -> None:
    """Refuse amounts that cannot be meant.

    Raises:
        InputError: n outside 1..10^9, precision outside 0.001..50, threads outside 1..256, something that is
            no number, or both n and precision.
    """
    if n is not None and precision is not None:
        raise UsageError.of("-n, --precision", "give one of them, not both")
    if n is not None:
        check_whole("-n", n, 1, MOST_BATTLES)
    if precision is not None:
        _check_precision(precision)
    check_hands(threads)


def check_start(start: int, n: int | None, precision: float | None) -> None:
    """Refuse a first battle that cannot be meant.

    Raises:
        UsageError: it is outside 0..10^9 - 1, or the battles from it on go beyond 10^9, or a precision is aimed at.
    """
    check_whole("--start", start, 0, MOST_BATTLES - 1)
    if start and precision is not None:
        raise UsageError.of("--start, --precision", "a part of a run has so many battles", "say how many with -n")
    if start + (n or DEFAULT_BATTLES) > MOST_BATTLES:
        raise UsageError.of("--start", f"{start:,} and {n or DEFAULT_BATTLES:,} battles from there on are beyond 10^9")


def not_reached(wanted: float, reached: float, played: str) -> str:
    """What to say of a precision that so much playing did not reach."""
    return f"a half-width of {wanted:.4%} was not reached: it is {reached:.4%} after {played}, and more are not played"


def _check_precision(precision: float) -> None:
    if isinstance(precision, bool) or not isinstance(precision, int | float):
        raise UsageError.of("--precision", f"{shown(precision)} is not a number of percentage points")
    if not LEAST_PRECISION <= precision <= LARGEST_PRECISION:
        allowed = f"at least {LEAST_PRECISION}, at most {LARGEST_PRECISION} percentage points"
        raise UsageError.of("--precision", f"{shown(precision)} is out of range: {allowed}")


def simulate(
    scenario: Scenario,
    n: int | None = None,
    *,
    precision: float | None = None,
    threads: Hands = None,
    progress: Progress | None = None,
    sink: Sink | None = None,
    notice: Notice | None = None,
    planned: int = 0,
    start: int = 0,
    kept: RunFolder | None = None,
) -> Results:
    """Play n battles from number `start` on, or until the widest half-width is `precision` percentage points.

    `progress` is called with the tally so far and the number of battles aimed at; `sink` with each range's first index
    and results, in index order. Ctrl-C ends with what is done. The counts do not depend on who plays: a number of
    threads, or a crew. `kept` has the ranges that were finished before, and keeps those that are finished now.
    `planned` says that these are some of so many battles, which decides whether compiling is worth it. `start` is not
    zero for battles that nobody has looked at before; indexes given to `sink` then begin with it.

    Raises:
        InputError: amounts out of range (see `check_amounts`), a plug-in that does not compile.
        FaultError: a battle ran into a limit of ours.
    """
    check_amounts(n, precision, threads)
    wanted = None if precision is None else precision / 100
    total = n or (MOST_BATTLES if precision is not None else DEFAULT_BATTLES)
    crew = crew_of(threads)
    measures = scenario.ruleset.measures(scenario.compiled, scenario.document)
    tally = Tally(sums=Sums(measures))
    with Patience() as patience:
        try:
            with Impatience():
                here = 1 if crew.is_elsewhere else max(total, planned)
                player = make_player(scenario, logged=False, battles=here, notice=notice)
        except KeyboardInterrupt:
            return replace(results_of(scenario, tally, interrupted=True, threads=crew.threads), stop_asked=True)
        row = player.play(start, 1)
        deterministic = not int(row["blocks_drawn"][0])
        needs_rows = sink is not None or (kept is None and not crew.adds_up)
        back = Wanted(measures, rows=needs_rows, looks=wanted is not None, start=start)
        task = Task(scenario, player, range(start, start + total), back, kept is not None, lambda: patience.is_over)
        asked = {"battles": total, "precision": precision} | ({"start": start} if start else {})
        if deterministic:
            if kept is not None:
                # Nothing of it needs keeping, but what is kept there may be another run's.
                kept.begin(task, asked, LARGEST_CHUNK)
            stretches = _repeated(row, task.battles, total if sink is None else LARGEST_CHUNK)
        else:
            stretches = _played(task, crew, kept, asked)
        started = time.perf_counter()
        for stretch in stretches:
            counted = stretch.add_to(tally, wanted)
            if sink is not None and stretch.rows is not None:
                sink(stretch.battles.start, stretch.rows[:counted])
            if progress is not None:
                progress(tally, total)
            if patience.is_over or tally.is_precise(wanted):
                break
        is_enough = tally.is_precise(wanted)
        interrupted = patience.is_over and tally.battles < total and not is_enough
        seconds = time.perf_counter() - started
        stretches.close()
    resumed = min(kept.battles, tally.battles) if kept is not None else 0
    found = results_of(
        scenario,
        tally,
        deterministic=deterministic,
        interrupted=interrupted,
        seconds=seconds,
        threads=crew.threads,
        resumed=resumed,
        start=start,
    )
    if wanted is not None and notice is not None and not (is_enough or interrupted or deterministic):
        notice(not_reached(wanted, found.half_width, f"{found.battles:,} battles"))
    return replace(found, stop_asked=patience.is_over)


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
) -> Results:
    """What counted battles of a scenario came to."""
    names = scenario.ruleset.reasons
    reasons = {names[reason]: count for reason, count in sorted(tally.reasons.items())}
    tally.sums.reasons = reasons
    return Results(
        scenario=scenario,
        battles=tally.battles,
        wins=(tally.winners[1], tally.winners[2]),
        draws=tally.winners[0],
        reasons=reasons,
        rounds_total=tally.rounds,
        rounds_min=tally.shortest,
        rounds_max=tally.longest,
        deterministic=deterministic,
        interrupted=interrupted,
        seconds=seconds,
        threads=threads,
        resumed=resumed,
        start=start,
        tally=tally,
        sums=tally.sums,
        draw_reasons={names[reason]: count for reason, count in sorted(tally.draw_reasons.items())},
        endings={names[reason]: (drawn, won, lost) for reason, (drawn, won, lost) in sorted(tally.endings.items())},
        lengths=tally.lengths,
        hp_left=(tally.hp_left[0], tally.hp_left[1]),
    )


def _repeated(row: Records, battles: range, size: int) -> Generator[Stretch]:
    """A battle without luck, counted as if all were played, so many at a time."""
    for first in range(battles.start, battles.stop, size):
        part = range(first, min(first + size, battles.stop))
        yield Stretch(part, np.broadcast_to(row, (len(part),)))


def _played(task: Task, crew: Crew, kept: RunFolder | None, asked: dict[str, Any]) -> Generator[Stretch]:
    """Stretches in index order; those that are kept from before are not played again."""
    size = crew.range_size(task)
    if kept is None:
        return crew.play(task, task.ranges(size), lambda stretch: None)
    kept.begin(task, asked, size)
    return _played_or_kept(task, crew, kept)


def _played_or_kept(task: Task, crew: Crew, kept: RunFolder) -> Generator[Stretch]:
    missing = (battles for battles in task.ranges(kept.size) if battles not in kept)
    played = crew.play(task, missing, kept.save)
    with closing(played):
        for battles in task.ranges(kept.size):
            stretch = kept.load(battles) if battles in kept else next(played, None)
            if stretch is None:
                return
            yield stretch
