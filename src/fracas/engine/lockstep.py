"""Plays long ranges of silent battles in lanes, 64 side by side, where the scenario allows it.

Compiling for lanes takes seconds, so nobody waits for it: one by one the battles go on as compiled code, and once the
code for lanes is there the next range uses it. Both ways give the same results.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from fracas.kernel import jit
from fracas.kernel.cache_files import tell_once
from fracas.lanes.memory import aligned_records
from fracas.rulesets.contract.kernels import Kernels, Lockstep
from fracas.rulesets.contract.types import Rows

# Runs of this many battles are worth loading code for lanes, and worth compiling it.
WORTH_LOADING = 50_000
WORTH_COMPILING = 500_000
# Plans may be larger than what is then played, so compiling waits until this many battles were played.
PLAYED_FIRST = 50_000
# Shorter ranges are quicker one by one, because half of the lanes would soon be idle.
SHORTEST_RANGE = 256
# The winner in the rows of battles that lanes leave to the rules.
LEFT_TO_RULES = -1

Entry = Callable[..., None]


@dataclass
class LaneCode:
    """The code of one ruleset for lanes of one width, shared by all its scenarios: compiled once, in the background."""

    kernels: Kernels
    lockstep: Lockstep
    bits: int
    entries: tuple[Entry, Entry] | None = None
    """What plans and what plays, compiled; None until both are ready."""
    played: int = 0
    """How many battles went on one by one because it was not ready."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None

    @property
    def forms(self) -> tuple[str, str]:
        """The names of both entry points' compiled forms in the cache."""
        return self.lockstep.plan.__name__, f"{self.lockstep.play.__name__}-{self.bits}"

    def is_cached(self) -> bool:
        """Whether both are on disk."""
        plan, play = self.forms
        return jit.is_cached(self.lockstep.plan, plan) and jit.is_cached(self.lockstep.play, play)

    def begin(self) -> None:
        """Compile in the background, or load, unless that has begun before."""
        with self._lock:
            if self._thread is None:
                # Kernels are declared to Numba here, because two threads must not do so at the same time.
                entries = jit.native(self.lockstep.plan), jit.native(self.lockstep.play)
                self._thread = threading.Thread(target=self._compile, args=entries, name=f"lanes of {self.bits} bits")
                self._thread.start()

    def finish(self) -> None:
        """Wait until the code is ready."""
        self.begin()
        assert self._thread is not None
        self._thread.join()

    def _compile(self, plan: Entry, play: Entry) -> None:
        battles, plans = np.zeros(1, self.kernels.battle_type), np.zeros(1, self.lockstep.plan_type)
        states = aligned_records(self.lockstep.state_types[self.bits])
        plan_form, play_form = self.forms
        try:
            plan(battles, plans)
            jit.mark_cached(self.lockstep.plan, plan_form)
            play(battles, plans, states, 0, np.zeros(0, self.kernels.result_type))
            jit.mark_cached(self.lockstep.play, play_form)
        except Exception as error:
            # It costs nothing but speed.
            tell_once(f"Battles are not played in lanes: {type(error).__name__}: {error}")
        else:
            self.entries = plan, play


_codes: dict[tuple[Entry, int], LaneCode] = {}


def lane_code(kernels: Kernels, bits: int) -> LaneCode:
    """The code of a ruleset for lanes of this width, the same for all callers."""
    assert kernels.lockstep is not None
    return _codes.setdefault((kernels.play_many, bits), LaneCode(kernels, kernels.lockstep(), bits))


@dataclass(frozen=True)
class Fit:
    """Whether a scenario is played in lanes: the code for its lanes, or else the reason against it."""

    code: LaneCode | None
    reason: str = ""

    def __str__(self) -> str:
        if self.code is None:
            return f"one battle at a time, because {self.reason}"
        return f"64 battles side by side, in lanes of {self.code.bits} bits"


def fit_for_lanes(kernels: Kernels, record: Rows, *, has_plugins: bool = False) -> Fit | None:
    """Whether silent battles of a compiled scenario are played in lanes; None if the ruleset has no lanes.

    record: (1,) of the ruleset's battle record; it is the same afterwards.
    """
    if kernels.lockstep is None:
        return None
    lockstep = kernels.lockstep()
    if has_plugins:
        return Fit(None, "it uses a plug-in")
    plans = np.zeros(1, lockstep.plan_type)
    _plan(kernels, lockstep)(record, plans)
    bits = int(plans[0].bits)
    return Fit(lane_code(kernels, bits)) if bits else Fit(None, lockstep.reasons[int(plans[0].reason)])


def _plan(kernels: Kernels, lockstep: Lockstep) -> Entry:
    """What judges a battle: the compiled entry point if any width has it already, else plain Python."""
    ready = (lane_code(kernels, bits).entries for bits in lockstep.state_types)
    return next((entries[0] for entries in ready if entries is not None), lockstep.judge)


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
            self._count(len(results))
            return
        plan, play = entries
        with self._lock:
            if self._plans is None:
                plans = np.zeros(1, self.code.lockstep.plan_type)
                plan(battles, plans)
                self._plans = plans
        states = aligned_records(self.code.lockstep.state_types[self.code.bits])
        play(battles, self._plans, states, first_stream, results)
        play_rest(self.one_by_one, battles, first_stream, results)

    def _count(self, battles: int) -> None:
        """Begin to compile once enough battles were played to believe that more will follow."""
        before = self.code.played
        self.code.played += battles
        if before < PLAYED_FIRST <= self.code.played:
            self.code.begin()


def play_rest(one_by_one: Entry, battles: Rows, first_stream: int, results: Rows) -> int:
    """Play the battles that lanes left to the rules, and return how many."""
    left = np.flatnonzero(results["winner"] == LEFT_TO_RULES).tolist()
    for place in left:
        one_by_one(battles, first_stream + place, results[place : place + 1], None, None)
    return len(left)


def in_lanes(kernels: Kernels, one_by_one: Entry, record: Rows, battles: int) -> tuple[Entry, Fit | None]:
    """The entry point to play this many silent battles with, and whether it uses lanes.

    one_by_one: the compiled entry point. None in place of a fit: the battles are too few to ask, or there are no lanes.
    """
    if kernels.lockstep is None or battles < WORTH_LOADING:
        return one_by_one, None
    fit = fit_for_lanes(kernels, record)
    if fit is None or fit.code is None:
        return one_by_one, fit
    if fit.code.entries is None and fit.code.is_cached():
        fit.code.finish()
    if fit.code.entries is None and battles < WORTH_COMPILING:
        return one_by_one, None
    return LockstepPlay(one_by_one, fit.code), fit


def finish_lanes(kernels: Kernels, record: Rows) -> None:
    """Compile what a scenario needs to be played in lanes, and wait for it; for benchmarks and `fracas compile`."""
    fit = fit_for_lanes(kernels, record)
    if fit is not None and fit.code is not None:
        fit.code.finish()
