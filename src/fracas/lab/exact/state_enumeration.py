"""All ways in which a battle can go: states are played on step by step, equal ones are taken together.

Chances are whole numbers of 2^-128. Sums of them are exact; a product is rounded down, and what is lost by that goes
to the last way of a step, so the chances of everything that can happen always add up to 1 exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

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
# Up to so many states are sooner played on plain than a first compilation is done.
FEW_STATES = 150
# Whoever has not set a budget does not wait where so many states were met and next to nothing is decided.
HURRIED_STATES = 50_000
HURRIED_SHARE = ONE >> 10
COMPILED = "branching"

# How many states a page has.
PAGE = 2048
# For so many ways of steps a state counts, and for so much work: words that are looked at, in a way of a step all those
# that may change, and so many more that what Python does with it comes to.
WAYS_OF_A_STATE = 10
WORDS_OF_A_WAY = 500
WORK_OF_A_STATE = WAYS_OF_A_STATE * 2 * WORDS_OF_A_WAY
# The states that are waiting hold at most so many bytes.
MOST_BYTES = 3 << 29
# What Python keeps for a state beside its words.
BYTES_OF_A_STATE = 250

Watch = Callable[["Enumeration"], None]


@dataclass
class Enumeration:
    """How far all the ways of a battle were followed, and what they came to."""

    scenario: Scenario
    budget: int
    is_hurried: bool = False
    endings: dict[Ending, int] = field(default_factory=dict)
    """The chance of each winner, reason and number of rounds, of ONE."""
    states: int = 0
    """Different states that were met, endings not counted."""
    transitions: int = 0
    """Ways of steps that were followed."""
    work: int = 0
    """What that took, in words that were looked at: no clock, so the same attempt always ends at the same place."""
    steps: int = 0
    """Moments at which states were waiting together."""
    weight_error: float = 0.0
    """How far the weights of ways may be from the truth: words that tie once in 2^32, real numbers."""
    stopped: str = ""
    """Why not all ways were followed; empty if they were."""
    interrupted: bool = False
    undecided: UndecidedStates | None = None
    """The states at which it stopped; None if there are none, or nothing is known of them."""

    @property
    def resolved_mass(self) -> int:
        """The chance of all endings that were found, of ONE."""
        return sum(self.endings.values())

    @property
    def error(self) -> float:
        """How far a chance can be from the true one: what was rounded, and what rulesets say of their weights."""
        return self.transitions / ONE + self.weight_error

    @property
    def is_certain(self) -> bool:
        """Whether the battle can go only one way."""
        return self.is_complete and self.transitions == self.states + len(self.endings) and len(self.endings) == 1

    def as_json(self) -> dict[str, Any]:
        """How far it came, as plain values."""
        return {
            "states": self.states,
            "budget": self.budget,
            "steps": self.steps,
            "ways": self.transitions,
            "work": self.work,
            "decided": self.resolved_mass / ONE,
            "error": self.error,
            "stopped": self.stopped or None,
        }

    @property
    def is_complete(self) -> bool:
        """Whether every way was followed to its end."""
        return not self.stopped and not self.interrupted


def enumerate_states(
    scenario: Scenario,
    budget: int = DEFAULT_BUDGET,
    *,
    hurried: bool = False,
    watch: Watch | None = None,
    notice: Notice | None = None,
) -> Enumeration:
    """Follow all ways of a battle, as far as the budget of states goes; `hurried` stops where that is not to be hoped.

    `watch` is told how far it came now and then. After Ctrl-C the endings are those that were found until then.

    Raises:
        FaultError: chances that do not add up, time that stands still, a change where nothing may change.
    """
    ways = Enumeration(scenario, budget, hurried)
    kernels = scenario.ruleset.kernels
    if kernels.enumerate_step is None:
        ways.stopped = f"not available for this ruleset ({scenario.ruleset.name})"
    elif scenario.compiled.plugins:
        ways.stopped = "plug-ins cannot be followed in all their ways"
    else:
        _enumerate_somehow(ways, kernels.enumerate_step, watch, notice)
    return ways


def _enumerate_somehow(
    ways: Enumeration, enumerate_step: Callable[..., None], watch: Watch | None, notice: Notice | None
) -> None:
    """Compiled, or plain where that is sooner done."""
    setting = jit.jit_setting()
    try:
        if setting in ("auto", "wasm") and not jit.is_cached(enumerate_step, COMPILED):
            few = Enumeration(ways.scenario, min(ways.budget, FEW_STATES))
            _enumerate(few, enumerate_step, None)
            if few.is_complete or few.budget == ways.budget:
                vars(ways).update(vars(few) | {"budget": ways.budget})
                return
        _enumerate(
            ways, enumerate_step if setting == "never" else _compiled(ways.scenario, enumerate_step, notice), watch
        )
    except KeyboardInterrupt:
        ways.interrupted = True
    except Refused as refusal:
        ways.stopped = str(refusal)


@AllowInterrupt()
def _compiled(scenario: Scenario, enumerate_step: Callable[..., None], notice: Notice | None) -> Callable[..., None]:
    """The compiled entry point, compiled now if this machine has not done so before; says so if it takes a while."""
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
    """States that are waiting to be played on, by their moments: their words, and their chances."""

    def __init__(self, reader: StateReader) -> None:
        self.reader = reader
        self.moments: dict[int, dict[bytes, int]] = {}
        self.width = 0

    def __len__(self) -> int:
        return sum(len(states) for states in self.moments.values())

    def widen(self) -> None:
        """Bring all states to the words that are live by now."""
        missing = self.reader.words[1, self.reader.live[self.width :]].tobytes()
        if missing:
            self.moments = {
                moment: {key + missing: chance for key, chance in states.items()}
                for moment, states in self.moments.items()
            }
        self.width = len(self.reader.live)

    def begin_from_here(self) -> None:
        """There is one state: nothing differs from it yet."""
        ((moment, states),) = self.moments.items()
        ((key, chance),) = states.items()
        self.reader.begin_from(np.frombuffer(key, np.int64))
        self.width = 0
        self.moments = {moment: {b"": chance}}

    def undecided(self, rest: dict[bytes, int]) -> UndecidedStates:
        """All that wait, and the rest of a page whose states were not all played on."""
        return UndecidedStates(self.reader, [rest, *(self.moments[moment] for moment in sorted(self.moments))])

    def take_first(self) -> tuple[int, dict[bytes, int]]:
        """The states of the earliest moment."""
        moment = min(self.moments)
        return moment, self.moments.pop(moment)


@AllowInterrupt()
def _enumerate(ways: Enumeration, enumerate_step: Callable[..., None], watch: Watch | None) -> None:
    reader = StateReader(ways.scenario, enumerate_step)
    waiting = _Waiting(reader)
    _play_on(ways, waiting, -1, np.zeros((1, 0), np.int64), [ONE], watch, begins=True)
    while waiting.moments:
        if len(waiting) == 1:
            waiting.begin_from_here()
        moment, states = waiting.take_first()
        ways.steps += 1
        ways.states += len(states)
        keys, chances = list(states), list(states.values())
        rows = np.frombuffer(b"".join(states), np.int64).reshape(len(states), waiting.width)
        del states
        slack = 0.0
        for first in range(0, len(rows), PAGE):
            page = reader.as_wide(rows[first : first + PAGE])
            try:
                slack = max(slack, _play_on(ways, waiting, moment, page, chances[first : first + PAGE], watch))
            except Refused as refusal:
                ways.stopped = str(refusal)
            if ways.stopped:
                ways.weight_error += slack
                ahead = first + reader.played
                ways.undecided = waiting.undecided(dict(zip(keys[ahead:], chances[ahead:], strict=True)))
                return
        ways.weight_error += slack
    if ways.resolved_mass != ONE:
        raise FaultError(f"the chances of all endings come to {ways.resolved_mass / ONE}")


def _why_to_stop(ways: Enumeration, waiting: _Waiting) -> str:
    """Why not to go on; empty if there is no reason."""
    pending = len(waiting)
    met = ways.states + pending
    if met > ways.budget:
        return f"there are more than {ways.budget:,} states"
    if ways.transitions > WAYS_OF_A_STATE * ways.budget:
        return f"there are more than {WAYS_OF_A_STATE * ways.budget:,} ways of steps"
    if ways.work > WORK_OF_A_STATE * ways.budget:
        return (
            f"its states are so large that {ways.transitions:,} ways of steps took the work of {ways.budget:,} states"
        )
    if pending * (8 * waiting.width + BYTES_OF_A_STATE) > MOST_BYTES:
        return f"{pending:,} states at once take more than {MOST_BYTES / 2**30:g} GiB"
    is_long = max(met, ways.transitions // WAYS_OF_A_STATE, ways.work // WORK_OF_A_STATE) > HURRIED_STATES
    if ways.is_hurried and is_long and ways.resolved_mass < HURRIED_SHARE:
        return f"after the work of {HURRIED_STATES:,} states less than 1 battle in {ONE // HURRIED_SHARE:,} was decided"
    return ""


def _play_on(
    ways: Enumeration,
    waiting: _Waiting,
    moment: int,
    page: Rows,
    chances: list[int],
    watch: Watch | None,
    *,
    begins: bool = False,
) -> float:
    """Play a page of states one step on, and sort what becomes of them: endings, and states that wait.

    After each part of the page's ways it is asked whether to go on: a page can have millions of them.

    Gives how far the weights of a state's ways may be from the truth at most.
    """
    reader = waiting.reader
    slack = 0.0
    for children, notes in reader.play(page, begins):
        if waiting.width != len(reader.live):
            waiting.widen()
        ways.transitions += len(notes)
        ways.work += len(notes) * (WORDS_OF_A_WAY + reader.words_of_a_way)
        slack = max(slack, float(notes["slack"].max()))
        shares = _shares(notes, chances)
        over, moments = notes["over"].tolist(), notes["moment"].tolist()
        endings = list(zip(*(notes[name].tolist() for name in ("winner", "reason", "rounds")), strict=True))
        width = 8 * children.shape[1]
        text = children.tobytes()
        for place, chance in enumerate(shares):
            if over[place]:
                ways.endings[endings[place]] = ways.endings.get(endings[place], 0) + chance
            elif moments[place] <= moment:
                raise FaultError("a step leads to no later moment")
            elif chance:
                states = waiting.moments.setdefault(moments[place], {})
                key = text[place * width : (place + 1) * width]
                states[key] = states.get(key, 0) + chance
        ways.stopped = _why_to_stop(ways, waiting)
        if watch is not None:
            watch(ways)
        if ways.stopped:
            break
    return slack


def _shares(notes: Rows, chances: Sequence[int]) -> list[int]:
    """The chance of each child: its parent's, times the shares of its rolls, rounded down; the last has the rest."""
    parents = notes["parent"].tolist()
    if (notes["total"][:, 1:] == 1).all():
        weights, totals = notes["weight"][:, 0].tolist(), notes["total"][:, 0].tolist()
    else:
        weights = [math.prod(row) for row in notes["weight"].tolist()]
        totals = [math.prod(row) for row in notes["total"].tolist()]
    shares: list[int] = []
    left, before, siblings = 0, -1, 0
    for place, parent in enumerate(parents):
        if parent != before:
            left, before, siblings = chances[parent], parent, 0
        siblings += 1
        share = chances[parent] * weights[place] // totals[place]
        left -= share
        if place + 1 == len(parents) or parents[place + 1] != parent:
            # Every share lost less than 1 by rounding.
            if not 0 <= left < siblings:
                raise FaultError("the chances of a step's ways do not add up to 1")
            share += left
        shares.append(share)
    return shares
