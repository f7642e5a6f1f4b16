"""One scenario, many battles: on threads, in index order, until enough is known or somebody has enough."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import SimpleQueue
from types import FrameType, TracebackType
from typing import Any

import numpy as np

from fracas.content.validate import shown
from fracas.errors import InputError
from fracas.kernel import jit
from fracas.lab.contributions import Contributions
from fracas.lab.shown import certain, share_interval, spread_json, statistic_json
from fracas.lab.statistics import wilson_interval
from fracas.lab.tally import LOOK_EVERY, Tally
from fracas.replay.battle import check_whole
from fracas.replay.play import Notice, Player, make_player
from fracas.replay.scenario import Scenario
from fracas.rulesets.measures import Share, Spread, Statistic, Sums
from fracas.rulesets.shapes import Records

DEFAULT_BATTLES = 10_000
MOST_BATTLES = 10**9
MOST_THREADS = 256
LARGEST_CHUNK = 16 * LOOK_EVERY
PLAIN_CHUNK = 16
TARGET_CHUNKS = 16
# Results of a few ranges are held at a time, whatever a row of them holds.
CHUNK_BYTES = 4 * 1024 * 1024

Progress = Callable[["Tally", int], None]
Sink = Callable[[int, Records], None]


@dataclass(frozen=True, eq=False)
class Results:
    """What many battles of one scenario came to.

    Shares are from 0 to 1; `interval95` are their 95 % Wilson intervals. `wins` and `shares` are those of side 1 and 2.
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
        """The 95 % Wilson interval of each side's share; a point if no battle depends on luck."""
        if self.deterministic:
            first, second = self.shares
            return (first, first), (second, second)
        return wilson_interval(self.wins[0], self.battles), wilson_interval(self.wins[1], self.battles)

    @property
    def rounds_mean(self) -> float:
        """Rounds of a battle on average."""
        return self.rounds_total / self.battles if self.battles else 0.0

    @property
    def battles_per_second(self) -> float:
        """How fast it went, compilation not counted."""
        return self.battles / self.seconds if self.seconds else 0.0

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
        return {
            "ruleset": scenario.ruleset.name,
            "scenario": scenario.id,
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

    def _repr_html_(self) -> str:
        from fracas.events.html import results_table

        names = self.scenario.ruleset.side_names(self.scenario.document)
        rows = [
            (name, wins, share, interval)
            for name, wins, share, interval in zip(names, self.wins, self.shares, self.interval95, strict=True)
        ]
        return results_table(self.scenario.id, self.battles, rows, self.draws, self.draw_share)

    def __repr__(self) -> str:
        shares = " / ".join(f"{share:.2%}" for share in (*self.shares, self.draw_share))
        return f"<Results {self.scenario.id!r}: {self.battles:,} battles, wins and draws {shares}>"


def check_amounts(n: int | None, precision: float | None, threads: int | None) -> None:
    """Refuse amounts that cannot be meant.

    Raises:
        InputError: n outside 1..10^9, precision not above 0 and at most 50, threads outside 1..256, something that is
            no number, or both n and precision.
    """
    if n is not None and precision is not None:
        raise InputError.of("-n, --precision", "give one of them, not both")
    if n is not None:
        check_whole("-n", n, 1, MOST_BATTLES)
    if precision is not None:
        _check_precision(precision)
    if threads is not None:
        check_whole("--threads", threads, 1, MOST_THREADS)


def _check_precision(precision: float) -> None:
    if isinstance(precision, bool) or not isinstance(precision, int | float):
        raise InputError.of("--precision", f"{shown(precision)} is not a number of percentage points")
    if not 0 < precision <= 50:
        raise InputError.of("--precision", f"{precision:g} is out of range: above 0, at most 50 percentage points")


def thread_count(threads: int | None) -> int:
    """How many threads play: as many as asked for, or one for each core; plain Python plays on one."""
    return 1 if jit.jit_setting() == "never" else threads or os.cpu_count() or 1


def simulate(
    scenario: Scenario,
    n: int | None = None,
    *,
    precision: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    sink: Sink | None = None,
    notice: Notice | None = None,
    planned: int = 0,
    start: int = 0,
) -> Results:
    """Play n battles from number `start` on, or until the widest half-width is `precision` percentage points.

    `progress` is called with the tally so far and the number of battles aimed at; `sink` with each range's first index
    and results, in index order. Ctrl-C ends with what is done. The counts do not depend on the number of threads.
    `planned` says that these are some of so many battles, which decides whether compiling is worth it. `start` is not
    zero for battles that nobody has looked at before; indexes given to `sink` then begin with it.

    Raises:
        InputError: amounts out of range (see `check_amounts`), a plug-in that does not compile.
        FaultError: a battle ran into a limit of ours.
    """
    check_amounts(n, precision, threads)
    wanted = None if precision is None else precision / 100
    total = n or (MOST_BATTLES if precision is not None else DEFAULT_BATTLES)
    workers = thread_count(threads)
    measures = scenario.ruleset.measures(scenario.compiled, scenario.document)
    tally, deterministic, interrupted = Tally(sums=Sums(measures)), False, False
    try:
        player = make_player(scenario, logged=False, battles=max(total, planned), notice=notice)
    except KeyboardInterrupt:
        return _results(scenario, tally, deterministic, True, 0.0, workers)
    started = time.perf_counter()
    with _Patience() as patience:
        row = player.play(start, 1)
        deterministic = not int(row["blocks_drawn"][0])
        ranges = _repeated(row, start, total) if deterministic else _played(player, start, total, workers)
        for first, results in ranges:
            counted = tally.add_until_precise(results, wanted)
            if sink is not None:
                sink(first, results[:counted])
            if progress is not None:
                progress(tally, total)
            interrupted = patience.is_over and tally.battles < total
            if interrupted or tally.is_precise(wanted):
                break
    return _results(scenario, tally, deterministic, interrupted, time.perf_counter() - started, workers)


class _Patience:
    """Turns the first Ctrl-C into a wish to stop between two ranges, so that nothing is counted by half."""

    def __init__(self) -> None:
        self.is_over = False
        self.previous: Any = None

    def __enter__(self) -> _Patience:
        if threading.current_thread() is threading.main_thread():
            self.previous = signal.getsignal(signal.SIGINT)
            if self.previous is signal.default_int_handler:
                signal.signal(signal.SIGINT, self._notice)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.previous is signal.default_int_handler:
            signal.signal(signal.SIGINT, self.previous)

    def _notice(self, number: int, frame: FrameType | None) -> None:
        if self.is_over:
            raise KeyboardInterrupt
        self.is_over = True


def _results(
    scenario: Scenario, tally: Tally, deterministic: bool, interrupted: bool, seconds: float, threads: int
) -> Results:
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
        sums=tally.sums,
        draw_reasons={names[reason]: count for reason, count in sorted(tally.draw_reasons.items())},
        endings={names[reason]: (drawn, won, lost) for reason, (drawn, won, lost) in sorted(tally.endings.items())},
        lengths=tally.lengths,
        hp_left=(tally.hp_left[0], tally.hp_left[1]),
    )


def chunk_size(total: int, workers: int, is_plain: bool, row_bytes: int = 1) -> int:
    """How many battles a thread plays at a time: enough to be worth it, few enough to stop soon and to be held."""
    if is_plain:
        return PLAIN_CHUNK
    share = total // (workers * TARGET_CHUNKS)
    most = min(LARGEST_CHUNK, CHUNK_BYTES // row_bytes)
    return max(min(share - share % LOOK_EVERY, most - most % LOOK_EVERY), LOOK_EVERY)


def _repeated(row: Records, start: int, total: int) -> Iterator[tuple[int, Records]]:
    """A battle without luck, counted as if all were played."""
    for first in range(start, start + total, LARGEST_CHUNK):
        yield first, np.broadcast_to(row, (min(LARGEST_CHUNK, start + total - first),))


def _played(player: Player, start: int, total: int, workers: int) -> Iterator[tuple[int, Records]]:
    """Ranges of results in index order, a few of them in the making at any time."""
    is_plain = player.play_many is player.kernels.play_many
    size = chunk_size(total, workers, is_plain, player.kernels.result_type.itemsize)
    idle: SimpleQueue[Player] = SimpleQueue()
    for _ in range(workers):
        idle.put(player.twin())

    def play(first: int) -> Records:
        own = idle.get()
        try:
            return own.play(first, min(size, start + total - first))
        finally:
            idle.put(own)

    pending: deque[tuple[int, Future[Records]]] = deque()
    pool = ThreadPoolExecutor(workers)
    try:
        for first in range(start, start + total, size):
            pending.append((first, pool.submit(play, first)))
            if len(pending) > 2 * workers:
                place, future = pending.popleft()
                yield place, future.result()
        while pending:
            place, future = pending.popleft()
            yield place, future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
