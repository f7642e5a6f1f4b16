"""Plays long ranges of silent battles in lanes, 64 side by side, where the scenario allows it.

Compiling for lanes takes seconds, so no battle waits for it: compiled code plays battles one by one until the code for
lanes is ready, and the next range uses that. Both ways give the same results. A program that ends earlier has to wait
for the compiler, which cannot be stopped; `compiling_rulesets` says that it does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.kernel import jit
from fracas.kernel.cache_files import tell_once
from fracas.lanes.lane_state import LEFT_TO_RULES
from fracas.lanes.memory import aligned_records
from fracas.rulesets.contract.kernels import Kernels, Lockstep
from fracas.rulesets.contract.types import Rows

# Shorter runs are not worth it in any ruleset, so nothing is imported for them.
FEWEST_BATTLES = 50_000
# A run may end early, so compiling starts only after one of this many parts of the battles that make it worth its time.
PLAYED_FIRST = 10
# Shorter ranges would leave lanes empty from the start.
SHORTEST_RANGE = 64

Entry = Callable[..., None]
_beginning = threading.Lock()
_counting = threading.Lock()


@dataclass
class LaneCode:
    """The code of one ruleset for lanes of one width, shared by all its scenarios: compiled once, in the background."""

    kernels: Kernels
    lockstep: Lockstep
    bits: int
    resumes: bool
    """Whether it plays rollouts instead of whole battles."""
    entries: tuple[Entry, Entry] | None = None
    """What plans and what plays, compiled; None until both are ready."""
    played: int = 0
    """How many battles went on one by one because it was not ready."""
    _thread: threading.Thread | None = None

    @property
    def _plays(self) -> Entry:
        return self.lockstep.resume if self.resumes else self.lockstep.play

    @property
    def _forms(self) -> tuple[str, str]:
        """The names of both entry points' compiled forms in the cache."""
        return self.lockstep.plan.__name__, f"{self._plays.__name__}-{self.bits}"

    def is_cached(self) -> bool:
        """Whether both are on disk."""
        plan, play = self._forms
        return jit.is_cached(self.lockstep.plan, plan) and jit.is_cached(self._plays, play)

    def begin(self) -> None:
        """Start to compile or load in the background; further calls do nothing."""
        with _beginning:
            if self._thread is None:
                entries = jit.native(self.lockstep.plan), jit.native(self._plays)
                self._thread = threading.Thread(target=self._compile, args=entries, name=f"lanes of {self.bits} bits")
                self._thread.start()

    def finish(self) -> None:
        """Wait until the code is ready."""
        self.begin()
        assert self._thread is not None
        self._thread.join()

    def is_compiling(self) -> bool:
        """Whether the compiler is at work."""
        return self._thread is not None and self._thread.is_alive()

    def count(self, battles: int) -> None:
        """Count battles played one by one; start to compile once there are so many that more are likely to follow."""
        with _counting:
            self.played += battles
            after = self.played
        if after - battles < self.lockstep.worth_compiling // PLAYED_FIRST <= after:
            self.begin()

    def planned(self, battles: Rows) -> Rows:
        """The plan of a battle; the code must be ready."""
        assert self.entries is not None
        plans = np.zeros(1, self.lockstep.plan_type)
        self.entries[0](battles, plans)
        return plans

    def states(self) -> Rows:
        """Memory for 64 battles."""
        return aligned_records(self.lockstep.state_types[self.bits])

    def _compile(self, plan: Entry, play: Entry) -> None:
        kernels = self.kernels
        battles, plans = np.zeros(1, kernels.battle_type), np.zeros(1, self.lockstep.plan_type)
        plan_form, play_form = self._forms
        words, spans, place = np.zeros(1, np.int64), np.zeros((0, 2), np.int64), np.zeros(4, np.int64)
        from_where: tuple[Any, ...] = (words, words, spans) if self.resumes else ()
        where: tuple[Any, ...] = (place,) if self.resumes else ()
        try:
            plan(battles, plans)
            jit.mark_cached(self.lockstep.plan, plan_form)
            play(battles, plans, self.states(), *from_where, 0, np.zeros(0, kernels.result_type), *where)
            jit.mark_cached(self._plays, play_form)
        except Exception as error:
            # It costs nothing but speed.
            tell_once(f"Battles are not played in lanes: {type(error).__name__}: {error}")
        else:
            self.entries = plan, play


_codes: dict[tuple[Entry, int, bool], LaneCode] = {}


def lane_code(kernels: Kernels, bits: int, *, resumes: bool = False) -> LaneCode:
    """The code of a ruleset for lanes of this width, the same for all callers."""
    assert kernels.lockstep is not None
    key = kernels.play_many, bits, resumes
    return _codes.setdefault(key, LaneCode(kernels, kernels.lockstep(), bits, resumes))


def compiling_rulesets() -> list[str]:
    """The rulesets whose code for lanes is being compiled in the background."""
    return sorted({jit.ruleset_of(code.lockstep.plan.__module__) for code in _codes.values() if code.is_compiling()})


def finish_compiling() -> None:
    """Wait for everything that compiles in the background."""
    for code in list(_codes.values()):
        if code.is_compiling():
            code.finish()


@dataclass(frozen=True)
class Fit:
    """Whether a scenario is played in lanes: the code for its lanes, or else the reason against it."""

    code: LaneCode | None
    reason: str = ""

    def __str__(self) -> str:
        if self.code is None:
            return f"one battle at a time, because {self.reason}"
        return f"64 battles side by side, in lanes of {self.code.bits} bits"


def fit_for_lanes(kernels: Kernels, record: Rows, *, has_plugins: bool = False, resumes: bool = False) -> Fit | None:
    """Whether silent battles of a compiled scenario are played in lanes; None if the ruleset has no lanes.

    record: (1,) of the ruleset's battle record; it is the same afterwards.
    """
    if kernels.lockstep is None:
        return None
    if has_plugins:
        return Fit(None, "it uses a plug-in")
    lockstep = kernels.lockstep()
    plans = np.zeros(1, lockstep.plan_type)
    ready = (lane_code(kernels, bits, resumes=resumes).entries for bits in lockstep.state_types)
    judge = next((entries[0] for entries in ready if entries is not None), lockstep.judge)
    judge(record, plans)
    bits = int(plans[0].bits)
    if not bits:
        return Fit(None, lockstep.reasons[int(plans[0].reason)])
    return Fit(lane_code(kernels, bits, resumes=resumes))


class LockstepPlay:
    """Plays like a ruleset's compiled entry point for many battles, in lanes wherever that is faster.

    It may be used by several threads, each with its own record of the same scenario.
    """

    def __init__(self, one_by_one: Entry, code: LaneCode) -> None:
        self.one_by_one = one_by_one
        self.code = code
        self._plans: Rows | None = None
        self._lock = threading.Lock()

    def __call__(self, battles: Rows, first_stream: int, results: Rows, logs: None, plugins: None) -> None:
        """See `kernel/entry_points.py`; results: (n,) of result_t, zeroed."""
        entries = self.code.entries
        if entries is None or len(results) < SHORTEST_RANGE:
            self.one_by_one(battles, first_stream, results, None, None)
            self.code.count(len(results))
            return
        with self._lock:
            if self._plans is None:
                self._plans = self.code.planned(battles)
        entries[1](battles, self._plans, self.code.states(), first_stream, results)
        play_rest(self.one_by_one, battles, first_stream, results)


def play_rest(one_by_one: Entry, battles: Rows, first_stream: int, results: Rows) -> int:
    """Play the battles that lanes left to the rules, and return how many."""
    left = left_to_rules(results)
    for place in left:
        one_by_one(battles, first_stream + place, results[place : place + 1], None, None)
    return len(left)


def left_to_rules(results: Rows) -> list[int]:
    """The places of the battles that lanes left to the rules."""
    places: list[int] = np.flatnonzero(results["winner"] == LEFT_TO_RULES).tolist()
    return places


class LockstepResume:
    """Plays like a ruleset's compiled entry point for rollouts, in lanes wherever that is faster.

    Rollouts of one run may begin in different scenarios, so each range is planned anew, which takes microseconds.
    """

    def __init__(self, one_by_one: Entry, kernels: Kernels) -> None:
        self.one_by_one = one_by_one
        self.kernels = kernels

    def __call__(
        self,
        battles: Rows,
        memory: Rows,
        saved: Rows,
        spans: Rows,
        first_stream: int,
        results: Rows,
        place: Rows,
        plugins: None,
    ) -> None:
        """See `kernel/entry_points.py`; results: (n,) of result_t, zeroed."""
        fit = fit_for_lanes(self.kernels, battles, resumes=True) if len(results) >= SHORTEST_RANGE else None
        code = None if fit is None else fit.code
        if code is None or code.entries is None:
            self.one_by_one(battles, memory, saved, spans, first_stream, results, place, None)
            if code is not None:
                code.count(len(results))
            return
        plans = code.planned(battles)
        code.entries[1](battles, plans, code.states(), memory, saved, spans, first_stream, results, place)
        for row in left_to_rules(results):
            stream, result = first_stream + row, results[row : row + 1]
            self.one_by_one(battles, memory, saved, spans, stream, result, place, None)


def in_lanes(kernels: Kernels, one_by_one: Entry, record: Rows, battles: int) -> tuple[Entry, Fit | None]:
    """The entry point to play this many silent battles with, and whether it uses lanes.

    one_by_one: the compiled entry point. None in place of a fit: the battles are too few to ask, or there are no lanes.
    """
    if not _are_many(kernels, battles):
        return one_by_one, None
    fit = fit_for_lanes(kernels, record)
    if fit is None or fit.code is None:
        return one_by_one, fit
    if not _is_worth(fit.code, battles):
        return one_by_one, None
    return LockstepPlay(one_by_one, fit.code), fit


def resume_in_lanes(kernels: Kernels, one_by_one: Entry, record: Rows, rollouts: int) -> tuple[Entry, Fit | None]:
    """The same for rollouts; `record` is that of the scenario which they begin in."""
    if not _are_many(kernels, rollouts):
        return one_by_one, None
    fit = fit_for_lanes(kernels, record, resumes=True)
    if fit is None or fit.code is None:
        return one_by_one, fit
    if not _is_worth(fit.code, rollouts):
        return one_by_one, None
    return LockstepResume(one_by_one, kernels), fit


def _are_many(kernels: Kernels, battles: int) -> bool:
    """Whether a run is long enough to ask for lanes; a short one does not even import what they need."""
    if kernels.lockstep is None or battles < FEWEST_BATTLES:
        return False
    return battles >= kernels.lockstep().worth_loading


def _is_worth(code: LaneCode, battles: int) -> bool:
    """Whether this many battles are worth having the code; loads it if it is on disk."""
    if code.entries is None and code.is_cached():
        code.finish()
    return code.entries is not None or battles >= code.lockstep.worth_compiling


def finish_lanes(kernels: Kernels, record: Rows) -> Fit | None:
    """Compile what a scenario needs to be played in lanes, and wait; for benchmarks and `fracas machine compile`."""
    fit = fit_for_lanes(kernels, record)
    if fit is not None and fit.code is not None:
        fit.code.finish()
    return fit
