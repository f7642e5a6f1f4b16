"""Enumerates every possible course of a battle, step by step; equal states are merged.

Probabilities are whole numbers of 2^-128. Their sums are exact. Products are rounded down, and the last transition of a
step gets the remainder, so the probabilities of all outcomes always add up to exactly 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import FaultError
from fracas.kernel import jit
from fracas.lab.exact.state_reader import Refused, StateReader
from fracas.lab.exact.undecided_states import Ending, UndecidedStates
from fracas.lab.execution.interrupts import AllowInterrupt
from fracas.rulesets.contract.types import Rows

ONE = 1 << 128
DEFAULT_BUDGET = 10**6
MOST_BUDGET = 10**7
# Up to this many states, plain Python finishes sooner than a first compilation.
FEW_STATES = 150
# Without a budget from the user, the enumeration gives up after this many states if almost nothing is decided.
HURRIED_STATES = 50_000
HURRIED_SHARE = ONE >> 10
COMPILED = "branching"

# How many states a page has.
PAGE = 2048
# Each state of the budget allows this many transitions and this much work: words read, where each transition reads all
# words that may change, plus this many for the work that Python does.
WAYS_OF_A_STATE = 10
WORDS_OF_A_WAY = 500
WORK_OF_A_STATE = WAYS_OF_A_STATE * 2 * WORDS_OF_A_WAY
# The waiting states use at most this many bytes.
MOST_BYTES = 3 << 29
# Memory that Python needs for a state besides its words.
BYTES_OF_A_STATE = 250

Watch = Callable[["Enumeration"], None]


@dataclass
class Enumeration:
    """How far a battle was enumerated, and the probabilities it found."""

    scenario: Scenario
    budget: int
    is_hurried: bool = False
    endings: dict[Ending, int] = field(default_factory=dict)
    """The probability of each winner, reason and number of rounds, in units of 1 / ONE."""
    states: int = 0
    """Distinct states, without endings."""
    transitions: int = 0
    """Transitions from one state to the next."""
    work: int = 0
    """The work done, in words read; it counts no clock time, so equal runs stop at the same place."""
    steps: int = 0
    """Points in time at which states waited together."""
    weight_error: float = 0.0
    """How far the weights of transitions may be off: words that tie once in 2^32, real numbers."""
    stopped: str = ""
    """Why the enumeration is incomplete; empty if it is complete."""
    interrupted: bool = False
    undecided: UndecidedStates | None = None
    """The states at which it stopped; None if there are none or they are unknown."""

    @property
    def resolved_mass(self) -> int:
        """The total probability of all endings found, in units of 1 / ONE."""
        return sum(self.endings.values())

    @property
    def error(self) -> float:
        """How far a probability may be off: the rounding loss plus the error of the ruleset's weights."""
        return self.transitions / ONE + self.weight_error

    @property
    def is_certain(self) -> bool:
        """Whether the battle has only one possible course."""
        return self.is_complete and self.transitions == self.states + len(self.endings) and len(self.endings) == 1

    @property
    def is_complete(self) -> bool:
        """Whether every course was followed to its end."""
        return not self.stopped and not self.interrupted


def enumerate_states(
    scenario: Scenario,
    budget: int = DEFAULT_BUDGET,
    *,
    hurried: bool = False,
    watch: Watch | None = None,
    notice: Notice | None = None,
) -> Enumeration:
    """Enumerate every course of a battle within a budget of states; `hurried` gives up early on hopeless battles.

    `watch` receives the progress now and then. After Ctrl-C you get the endings found so far.

    Raises:
        FaultError: probabilities that do not add up, time that stands still, a change to a fixed part of the state.
    """
    enumeration = Enumeration(scenario, budget, hurried)
    kernels = scenario.ruleset.kernels
    if kernels.enumerate_step is None:
        enumeration.stopped = f"not available for this ruleset ({scenario.ruleset.name})"
    elif scenario.compiled.plugins:
        enumeration.stopped = "battles with plug-ins cannot be enumerated"
    else:
        _enumerate_somehow(enumeration, kernels.enumerate_step, watch, notice)
    return enumeration


def _enumerate_somehow(
    enumeration: Enumeration, enumerate_step: Callable[..., None], watch: Watch | None, notice: Notice | None
) -> None:
    """Enumerate compiled, or in plain Python if that is faster."""
    setting = jit.jit_setting()
    try:
        if setting in ("auto", "wasm") and not jit.is_cached(enumerate_step, COMPILED):
            few = Enumeration(enumeration.scenario, min(enumeration.budget, FEW_STATES))
            try:
                _enumerate(few, enumerate_step, None)
            except Refused as refusal:
                few.stopped = str(refusal)
            if few.is_complete or few.budget == enumeration.budget:
                vars(enumeration).update(vars(few) | {"budget": enumeration.budget})
                return
        _enumerate(
            enumeration,
            enumerate_step if setting == "never" else _compiled(enumeration.scenario, enumerate_step, notice),
            watch,
        )
    except KeyboardInterrupt:
        enumeration.interrupted = True
    except Refused as refusal:
        enumeration.stopped = str(refusal)


@AllowInterrupt()
def _compiled(scenario: Scenario, enumerate_step: Callable[..., None], notice: Notice | None) -> Callable[..., None]:
    """The compiled entry point; if this machine has to compile it first, says so."""
    if not jit.is_cached(enumerate_step, COMPILED) and notice is not None:
        name = scenario.ruleset.name
        notice(f"Compiling the rules of {name} for exact odds on this machine, once; it takes ten to thirty seconds.")
    compiled = jit.native(enumerate_step)
    reader = StateReader(scenario, compiled)
    for _ in reader.play(np.zeros((0, 0), np.int64)):
        pass
    jit.mark_cached(enumerate_step, COMPILED)
    return compiled


class _Waiting:
    """The states waiting to be played on, by time: their words and probabilities."""

    def __init__(self, reader: StateReader) -> None:
        self.reader = reader
        self.moments: dict[int, dict[bytes, int]] = {}
        self.width = 0

    def __len__(self) -> int:
        return sum(len(states) for states in self.moments.values())

    def widen(self) -> None:
        """Bring all states to the words that are live now."""
        missing = self.reader.words[1, self.reader.live[self.width :]].tobytes()
        if missing:
            self.moments = {
                moment: {key + missing: chance for key, chance in states.items()}
                for moment, states in self.moments.items()
            }
        self.width = len(self.reader.live)

    def begin_from_here(self) -> None:
        """Restart with the only state there is: no word differs from it yet."""
        ((moment, states),) = self.moments.items()
        ((key, chance),) = states.items()
        self.reader.begin_from(np.frombuffer(key, np.int64))
        self.width = 0
        self.moments = {moment: {b"": chance}}

    def undecided(self, rest: dict[bytes, int]) -> UndecidedStates:
        """All waiting states, plus the rest of a page that was not fully played."""
        return UndecidedStates(self.reader, [rest, *(self.moments[moment] for moment in sorted(self.moments))])

    def take_first(self) -> tuple[int, dict[bytes, int]]:
        """The states of the earliest time."""
        moment = min(self.moments)
        return moment, self.moments.pop(moment)


@AllowInterrupt()
def _enumerate(enumeration: Enumeration, enumerate_step: Callable[..., None], watch: Watch | None) -> None:
    reader = StateReader(enumeration.scenario, enumerate_step, WAYS_OF_A_STATE * enumeration.budget)
    waiting = _Waiting(reader)
    _play_on(enumeration, waiting, -1, np.zeros((1, 0), np.int64), [ONE], watch, begins=True)
    while waiting.moments:
        if len(waiting) == 1:
            waiting.begin_from_here()
        moment, states = waiting.take_first()
        enumeration.steps += 1
        enumeration.states += len(states)
        keys, chances = list(states), list(states.values())
        rows = np.frombuffer(b"".join(states), np.int64).reshape(len(states), waiting.width)
        del states
        slack = 0.0
        for first in range(0, len(rows), PAGE):
            page = reader.as_wide(rows[first : first + PAGE])
            try:
                slack = max(slack, _play_on(enumeration, waiting, moment, page, chances[first : first + PAGE], watch))
            except Refused as refusal:
                enumeration.stopped = str(refusal)
            if enumeration.stopped:
                enumeration.weight_error += slack
                ahead = first + reader.played
                enumeration.undecided = waiting.undecided(dict(zip(keys[ahead:], chances[ahead:], strict=True)))
                return
        enumeration.weight_error += slack
    if enumeration.resolved_mass != ONE:
        raise FaultError(f"the probabilities of all endings add up to {enumeration.resolved_mass / ONE}")


def _why_to_stop(enumeration: Enumeration, waiting: _Waiting) -> str:
    """Why to stop; empty to go on."""
    pending = len(waiting)
    met = enumeration.states + pending
    if met > enumeration.budget:
        return f"there are more than {enumeration.budget:,} states"
    if enumeration.transitions > WAYS_OF_A_STATE * enumeration.budget:
        return f"there are more than {WAYS_OF_A_STATE * enumeration.budget:,} transitions"
    if enumeration.work > WORK_OF_A_STATE * enumeration.budget:
        return (
            f"its states are so large that {enumeration.transitions:,} transitions took the work of "
            f"{enumeration.budget:,} states"
        )
    if pending * (8 * waiting.width + BYTES_OF_A_STATE) > MOST_BYTES:
        return f"{pending:,} states at once take more than {MOST_BYTES / 2**30:g} GiB"
    is_long = max(met, enumeration.transitions // WAYS_OF_A_STATE, enumeration.work // WORK_OF_A_STATE) > HURRIED_STATES
    if enumeration.is_hurried and is_long and enumeration.resolved_mass < HURRIED_SHARE:
        return (
            f"after the work of {HURRIED_STATES:,} states fewer than 1 battle in {ONE // HURRIED_SHARE:,} was decided"
        )
    return ""


def _play_on(
    enumeration: Enumeration,
    waiting: _Waiting,
    moment: int,
    page: Rows,
    chances: list[int],
    watch: Watch | None,
    *,
    begins: bool = False,
) -> float:
    """Play a page of states one step on, and sort the results into endings and waiting states.

    The budget is checked after each part of the page, which may have millions of transitions.

    Returns the largest error of a state's weights.
    """
    reader = waiting.reader
    slack = 0.0
    for children, notes in reader.play(page, begins):
        if waiting.width != len(reader.live):
            waiting.widen()
        enumeration.transitions += len(notes)
        enumeration.work += len(notes) * (WORDS_OF_A_WAY + reader.words_of_a_way)
        slack = max(slack, float(notes["slack"].max()))
        shares = _shares(notes, chances)
        over, moments = notes["over"].tolist(), notes["moment"].tolist()
        endings = notes[["winner", "reason", "rounds"]].tolist()
        width = 8 * children.shape[1]
        text = children.tobytes()
        for index, chance in enumerate(shares):
            if over[index]:
                enumeration.endings[endings[index]] = enumeration.endings.get(endings[index], 0) + chance
            elif moments[index] <= moment:
                raise FaultError("a step does not advance the time")
            elif chance:
                states = waiting.moments.setdefault(moments[index], {})
                key = text[index * width : (index + 1) * width]
                states[key] = states.get(key, 0) + chance
        enumeration.stopped = _why_to_stop(enumeration, waiting)
        if watch is not None:
            watch(enumeration)
        if enumeration.stopped:
            break
    return slack


def _shares(notes: Rows, chances: Sequence[int]) -> list[int]:
    """Each child's probability: its parent's times the shares of its rolls, rounded down; the last gets the rest."""
    parents = notes["parent"].tolist()
    if (notes["total"][:, 1:] == 1).all():
        weights, totals = notes["weight"][:, 0].tolist(), notes["total"][:, 0].tolist()
    else:
        weights = [math.prod(row) for row in notes["weight"].tolist()]
        totals = [math.prod(row) for row in notes["total"].tolist()]
    shares: list[int] = []
    left, before, siblings = 0, -1, 0
    for index, parent in enumerate(parents):
        if parent != before:
            left, before, siblings = chances[parent], parent, 0
        siblings += 1
        share = chances[parent] * weights[index] // totals[index]
        left -= share
        if index + 1 == len(parents) or parents[index + 1] != parent:
            # Rounding takes less than 1 from every share.
            if not 0 <= left < siblings:
                raise FaultError("the probabilities of a step's transitions do not add up to 1")
            share += left
        shares.append(share)
    return shares
