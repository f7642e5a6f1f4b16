"""`find`: the first battle of a scenario whose result meets a condition."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from fracas.conditions import (
    Alias,
    And,
    Comparison,
    Constant,
    Fact,
    FactKind,
    Named,
    Not,
    Or,
    Tree,
    Versus,
    Vocabulary,
    parse,
)
from fracas.engine.battle import Battle, check_whole, play_battle
from fracas.engine.player import Notice
from fracas.engine.replay_file import BATTLE_LIMIT
from fracas.engine.scenario import Scenario
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed
from fracas.lab.execution.checks import run_checks
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.progress import Steps
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.simulation.simulate import MOST_BATTLES, check_amounts, simulate
from fracas.lab.simulation.statistic_rows import facts_of
from fracas.lab.studies.find_result import BattleEnd, Found
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Rows

DEFAULT_LIMIT = 1_000_000
# Blocks of battles double, so that common results are found at once.
FIRST_BLOCK = 1_024
LARGEST_BLOCK = 65_536
# Result fields that only the engine needs.
INNER_FIELDS = ("fault", "blocks_drawn")
LARGEST_NUMBER = 10**9
SIDES = 2

# Users write this for a reason, although each reason is a name of its own.
_REASON = re.compile(r"\breason\s*(==|!=)\s*([A-Za-z_]\w*)")
_RELATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


# Conditions over results.


def outcome_vocabulary(ruleset: Ruleset) -> tuple[Vocabulary, Mapping[str, tuple[str, int | None]]]:
    """The names that conditions over results may use, and the result field (and index) behind each.

    A number is a fact; a field with a number for each side is two, `hp_left_1` and `hp_left_2`. A reason is a name.
    """
    limits = {"winner": (0, 2), "reason": (0, len(ruleset.reasons) - 1)}
    fields: dict[str, tuple[str, int | None]] = {}
    kind = ruleset.kernels.result_type
    for name in kind.names or ():
        shape = kind[name].shape
        if name not in INNER_FIELDS and shape == ():
            fields[name] = name, None
        elif shape == (SIDES,):
            fields |= {f"{name}_{side + 1}": (name, side) for side in range(SIDES)}
    facts = [
        Fact(name, code, FactKind.PLAIN, "a number of the result", *limits.get(name, (-LARGEST_NUMBER, LARGEST_NUMBER)))
        for code, name in enumerate(fields)
    ]
    endings = [Alias(name, f"reason == {code}", "ended so") for code, name in enumerate(ruleset.reasons)]
    return Vocabulary(tuple(facts), names=tuple(endings)), fields


def _by_name(written: re.Match[str]) -> str:
    """Translate `reason == capped` to the condition language at equal length, to keep columns in messages right."""
    relation, name = written.groups()
    return (f"not {name}" if relation == "!=" else name).ljust(len(written[0]))


def _with_hint(problem: Problem, hint: str) -> Problem:
    """Add the known names to a message about an unknown name, unless it already suggests one."""
    if problem.suggestion is not None or not problem.message.startswith("unknown "):
        return problem
    return replace(problem, suggestion=hint)


class OutcomeCondition:
    """A condition over results, evaluated on many results at once."""

    def __init__(self, condition: str, ruleset: Ruleset) -> None:
        """Parse a condition.

        Raises:
            InputError: everything that is wrong with it.
        """
        vocabulary, self.fields = outcome_vocabulary(ruleset)
        try:
            tree = parse(_REASON.sub(_by_name, condition), vocabulary, where="condition", strict=True).tree
        except InputError as error:
            hint = f"known are {listed([*self.fields, *ruleset.reasons], 'and')}"
            raise InputError(_with_hint(problem, hint) for problem in error.problems) from None
        if tree is None:
            raise InputError.of("condition", "is empty", 'write for example "winner == 2 and hp_left_2 < 5"')
        self.tree: Tree = tree

    def hold(self, rows: Rows) -> Rows:
        """Evaluate the condition for each result."""
        return np.broadcast_to(self._hold(self.tree, rows), len(rows))

    def _hold(self, tree: Tree, rows: Rows) -> Any:
        match tree:
            case And(parts):
                return np.logical_and.reduce([np.broadcast_to(self._hold(part, rows), len(rows)) for part in parts])
            case Or(parts):
                return np.logical_or.reduce([np.broadcast_to(self._hold(part, rows), len(rows)) for part in parts])
            case Not(part):
                return np.logical_not(self._hold(part, rows))
            case Constant(value):
                return np.bool_(value)
            case Named(_, meaning):
                return self._hold(meaning, rows)
            case Comparison(fact, relation, number):
                return _RELATIONS[relation](self._values(fact, rows), number)
            case Versus(fact, relation, other):
                return _RELATIONS[relation](self._values(fact, rows), self._values(other, rows))
        raise AssertionError(f"no condition over results has a {type(tree).__name__}")

    def _values(self, fact: str, rows: Rows) -> Rows:
        field, entry = self.fields[fact]
        return rows[field] if entry is None else rows[field][:, entry]


# The search.


@DeferInterrupt()
def find(
    scenario: Scenario,
    condition: str,
    limit: int | None = None,
    *,
    start: int = 0,
    threads: ExecutorOrThreads = None,
    steps: Steps | None = None,
    notice: Notice | None = None,
) -> Found:
    """Check battles from number `start` on, at most `limit`, for the first whose result meets a condition.

    Ctrl-C ends with the battles checked so far.

    Raises:
        InputError: the condition is invalid, or an amount is out of range.
        FaultError: a battle hit a limit of the engine.
    """
    most = DEFAULT_LIMIT if limit is None else limit
    run_checks(
        lambda: check_whole("--limit", most, 1, MOST_BATTLES),
        lambda: check_whole("--start", start, 0, BATTLE_LIMIT - MOST_BATTLES),
        lambda: check_amounts(None, None, threads),
        lambda: OutcomeCondition(condition, scenario.ruleset),
    )
    search = _Search(OutcomeCondition(condition, scenario.ruleset), start)
    first, size, interrupted, deterministic = start, FIRST_BLOCK, False, False
    try:
        while first < start + most and search.stream is None and not (interrupted or deterministic):
            count = min(size, start + most - first)
            results = simulate(
                scenario, count, threads=threads, sink=search.look, notice=notice, planned=most, start=first
            )
            interrupted, deterministic = results.interrupted, results.deterministic
            first, size = first + count, min(2 * size, LARGEST_BLOCK)
            if steps is not None:
                steps(first - start, most, "looked at")
    except KeyboardInterrupt:
        interrupted = True
    interrupted = interrupted and search.stream is None
    searched = most if deterministic and search.stream is None else search.searched
    battle = None if search.stream is None else play_battle(scenario, search.stream)
    return Found(
        **facts_of(scenario),
        condition=condition,
        start=start,
        limit=most,
        searched=searched,
        stream=search.stream,
        outcome=None if battle is None else _end_of(battle),
        deterministic=deterministic,
        interrupted=interrupted,
        battle=battle,
    )


def _end_of(battle: Battle) -> BattleEnd:
    return BattleEnd(
        winner=battle.winner,
        reason=battle.reason,
        rounds=battle.rounds,
        hp_left=battle.hp_left,
        units_left=battle.units_left,
        digest=battle.digest,
    )


class _Search:
    """Checks results as they come, in index order, until one meets the condition."""

    def __init__(self, outcomes: OutcomeCondition, start: int) -> None:
        self.outcomes = outcomes
        self.start = start
        self.searched = 0
        self.stream: int | None = None

    def look(self, first: int, rows: Rows) -> None:
        """Check a chunk of results."""
        if self.stream is not None:
            return
        fitting = np.flatnonzero(self.outcomes.hold(rows))
        if fitting.size:
            self.stream = first + int(fitting[0])
        self.searched = (self.stream if self.stream is not None else first + len(rows) - 1) - self.start + 1
