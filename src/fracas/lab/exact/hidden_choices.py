"""Solves games in which both sides choose at once: every state, every pair of choices, the best mixes, the value.

The pair of choices stands in the state's words, so that one round is enumerated like a step of exact odds. States are
found round by round from the start, then solved backwards: in each, a matrix of side 1's chances to win, of which
linear programming finds the best mixes. A draw is half a win. At last each side's best answer to the other's mixes is
computed over the whole game, without any linear programming: what it gains is the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fracas.engine.scenario import Scenario
from fracas.errors import FaultError, InputError, UsageError
from fracas.kernel import jit
from fracas.kit import Game
from fracas.kit.derive.agents import AgentParts, solver_step
from fracas.kit.derive.functions import Play, modules_of
from fracas.kit.derive.shape import file_name
from fracas.lab.exact.state_reader import Refused, StateReader, ranges_of
from fracas.rulesets.contract.types import Rows

MOST_STATES = 200_000
# States that one linear program solves together, and states of which pairs are played together.
TOGETHER = 512
PAGE = 256
WIN, DRAW, DEFEAT = 1.0, 0.5, 0.0
Progress = Callable[[int, int, str], None]


@dataclass
class Level:
    """All states at the start of one round."""

    states: Rows
    """(n, words) int64."""
    rows: Rows
    columns: Rows
    """Which choices are legal for side 1 and side 2: (n, choices) bool."""
    pairs: Rows
    """(p, 3): the state and both choices of each pair that is possible."""
    fixed: Rows
    """(p,): what a pair is worth by the endings that follow at once."""
    sources: Rows
    targets: Rows
    chances: Rows
    """Each transition's pair, the state of the next level, and its probability."""
    mixes: tuple[Rows, Rows] = field(default_factory=lambda: (np.zeros(0), np.zeros(0)))
    """The best mixes, (n, choices) each."""

    def matrices(self, following: Rows) -> Rows:
        """Side 1's chances, (n, choices, choices), by the values of the next level's states; 0 where not possible."""
        worth = self.fixed + np.bincount(self.sources, self.chances * following[self.targets], len(self.pairs))
        choices = self.rows.shape[1]
        found: Rows = np.zeros((len(self.states), choices, choices))
        found[self.pairs[:, 0], self.pairs[:, 1], self.pairs[:, 2]] = worth
        return found


@dataclass(frozen=True)
class SolvedChoices:
    """A solved game."""

    choices: tuple[str, ...]
    """All choices, by name."""
    starts: tuple[float, ...]
    """The probabilities of the states in which the first round may begin."""
    matrix: Rows
    """Side 1's chance to win by both choices in the most likely start, (choices, choices); NaN where not legal."""
    mixes: tuple[Rows, Rows]
    """The best mixes there, (choices,) each."""
    value: float
    """Side 1's chance to win if both play best; a draw counts half."""
    bounds: tuple[float, float]
    """What side 1's mixes are sure to win, and what side 2's let it win at most."""
    states: int
    levels: tuple[Level, ...] = field(repr=False, compare=False)

    @property
    def exploitability(self) -> float:
        """What the best answers gain over both sides' mixes together; 0 for a perfect solution."""
        return self.bounds[1] - self.bounds[0]

    def as_json(self) -> dict[str, Any]:
        """The same as plain values."""
        legal = [[place for place, chance in enumerate(line) if not np.isnan(chance)] for line in self.matrix]
        rows = [place for place, line in enumerate(legal) if line]
        columns = legal[rows[0]]
        return {
            "choices": [[self.choices[place] for place in rows], [self.choices[place] for place in columns]],
            "matrix": [[float(self.matrix[row, column]) for column in columns] for row in rows],
            "mixes": [[float(self.mixes[0][row]) for row in rows], [float(self.mixes[1][place]) for place in columns]],
            "value": self.value,
            "bounds": list(self.bounds),
            "exploitability": self.exploitability,
            "states": self.states,
            "starts": list(self.starts),
        }


def solve_choices(scenario: Scenario, *, most: int = MOST_STATES, steps: Progress | None = None) -> SolvedChoices:
    """Solve a game in which both sides choose at once, from its first round to its round cap.

    Raises:
        UsageError: scipy is not installed.
        InputError: the game has another shape, or more than `most` states, or dice that cannot be enumerated.
    """
    _sparse()
    explorer = _Explorer(scenario, most)
    try:
        start, levels = explorer.explore(steps)
    except Refused as refusal:
        raise InputError.of(scenario.id, f"cannot be solved: {refusal}") from None
    return _solved(explorer, start, levels, steps)


def _sparse() -> tuple[Any, Any]:
    """Scipy's linear programming and its sparse matrices.

    Raises:
        UsageError: scipy is not installed.
    """
    try:
        from scipy.optimize import linprog
        from scipy.sparse import csr_matrix
    except ImportError:
        raise UsageError.of("fracas lab solve", "needs scipy", "pip install 'fracas[solve]'") from None
    return linprog, csr_matrix


# -- Which states there are --------------------------------------------------------------------------------------------


class _Explorer:
    """Finds all states, level by level."""

    def __init__(self, scenario: Scenario, most: int) -> None:
        game = scenario.ruleset
        if not isinstance(game, Game) or game.built.functions.play is not Play.BOTH:
            hint = "it needs a rule play_round and a field of a side that is chosen()"
            raise InputError.of(scenario.id, f"{game.name} is no game in which both sides choose at once", hint)
        self.scenario, self.most = scenario, most
        self.parts: AgentParts = game.agent_parts
        enumerate_step = solver_step(self.parts)
        if jit.jit_setting() != "never":
            enumerate_step = jit.native(enumerate_step)
        self.reader = StateReader(scenario, enumerate_step)
        self.reader.live = np.concatenate([np.arange(first, end) for first, end in self.reader.ranges])
        chosen = self.parts.functions.chosen
        assert chosen is not None
        kind = self.reader.battles.dtype
        words = [int(ranges_of(kind, (f"sides.{side}.{chosen.name}",))[0, 0]) for side in range(2)]
        self.chosen = [int(np.flatnonzero(self.reader.live == word)[0]) for word in words]
        self.forgets = not _reads(self.parts, "legal", chosen.name)
        self.legal = self.parts.functions.rules["legal"]
        self.numbers = [choice for choice, _, _ in self.parts.actions]
        self.states = 0

    def explore(self, steps: Progress | None) -> tuple[Rows, list[Level]]:
        """The probabilities of the first level's states, and all levels."""
        first: dict[bytes, int] = {}
        chances: list[float] = []
        initial = self.reader.words[1, self.reader.live][None]
        for children, notes in self.reader.play(np.ascontiguousarray(initial), begins=True):
            for child, note, chance in zip(self._kept(children), notes, _chances(notes), strict=True):
                if note["over"]:
                    raise InputError.of(self.scenario.id, "is decided before anybody chooses")
                index = first.setdefault(child.tobytes(), len(first))
                chances += [0.0] * (index + 1 - len(chances))
                chances[index] += float(chance)
        levels: list[Level] = []
        waiting = first
        while waiting:
            self._count(len(waiting), len(levels))
            if steps is not None:
                steps(self.states, self.most, f"{self.states:,} states")
            level, waiting = self._level(waiting)
            levels.append(level)
        return np.array(chances), levels

    def _count(self, more: int, rounds: int) -> None:
        self.states += more
        if self.states > self.most:
            cap = int(self.scenario.compiled.record[0].options.round_cap)
            message = f"has more than {self.most:,} states: {self.states:,} by round {rounds + 1} of {cap}"
            hint = "take fewer hit points, or end it earlier: --set options.round_cap=20"
            raise InputError.of(self.scenario.id, message, hint)

    def _kept(self, children: Rows) -> Rows:
        """States without what the next round overwrites before anybody reads it."""
        if self.forgets:
            children[:, self.chosen] = 0
        return children

    def _level(self, waiting: dict[bytes, int]) -> tuple[Level, dict[bytes, int]]:
        states = np.frombuffer(b"".join(waiting), np.int64).reshape(len(waiting), -1)
        masks = np.array([self._masks(state) for state in states])
        rows, columns = masks[:, 0], masks[:, 1]
        pairs = np.argwhere(rows[:, :, None] & columns[:, None, :])
        fixed = np.zeros(len(pairs))
        following: dict[bytes, int] = {}
        found: list[tuple[Rows, Rows, Rows]] = []
        for first in range(0, len(pairs), PAGE):
            part = pairs[first : first + PAGE]
            parents = states[part[:, 0]].copy()
            for side in range(2):
                parents[:, self.chosen[side]] = np.array(self.numbers)[part[:, 1 + side]]
            for children, notes in self.reader.play(parents):
                chances, over = _chances(notes), notes["over"] != 0
                worth = np.select([notes["winner"] == 1, notes["winner"] == 2], [WIN, DEFEAT], DRAW)
                np.add.at(fixed, first + notes["parent"][over], chances[over] * worth[over])
                going = self._kept(children[~over])
                width = 8 * going.shape[1]
                text = going.tobytes()
                keys = (text[at : at + width] for at in range(0, len(text), width))
                places = [following.setdefault(key, len(following)) for key in keys]
                found.append((first + notes["parent"][~over], np.array(places, np.int64), chances[~over]))
        sources, targets, chances = (np.concatenate(each) for each in zip(*found, strict=True))
        return Level(states, rows, columns, pairs, fixed, sources, targets, chances), following

    def _masks(self, state: Rows) -> list[list[bool]]:
        """Which choices both sides have in a state.

        Raises:
            InputError: a side has none.
        """
        self.reader.words[0, self.reader.live] = state
        battle = self.reader.battles[0]
        battle.tick += 1
        found = [[bool(self.legal(battle, battle.sides[side], number)) for number in self.numbers] for side in range(2)]
        for side, legal in enumerate(found):
            if not any(legal):
                raise InputError.of(self.scenario.id, f"side {side + 1} has no legal choice in round {battle.tick}")
        self.reader.words[0, self.reader.live] = self.reader.words[1, self.reader.live]
        return found


def _chances(notes: Rows) -> Rows:
    """The probability of each transition from its state."""
    found: Rows = np.prod(notes["weight"] / notes["total"], axis=1)
    return found


def _reads(parts: AgentParts, rule: str, name: str) -> bool:
    """Whether a rule, or any that it may call, reads a field of that name."""
    known = {
        key: value.__code__
        for module in modules_of(parts.shape.module)
        for key, value in vars(module).items()
        if hasattr(value, "__code__")
    }
    waiting, met = [rule], set[str]()
    while waiting:
        code = known.get(waiting.pop())
        if code is None or code.co_name in met:
            continue
        met.add(code.co_name)
        if name in code.co_names:
            return True
        waiting += code.co_names
    return False


# -- What they are worth -----------------------------------------------------------------------------------------------


def _solved(explorer: _Explorer, start: Rows, levels: list[Level], steps: Progress | None) -> SolvedChoices:
    following: Rows = np.zeros(0)
    matrices: Rows = np.zeros(0)
    left = explorer.states
    for level in reversed(levels):
        matrices = level.matrices(following)
        following = np.zeros(len(level.states))
        choices = level.rows.shape[1]
        level.mixes = (np.zeros((len(following), choices)), np.zeros((len(following), choices)))
        for first in range(0, len(following), TOGETHER):
            part = slice(first, first + TOGETHER)
            following[part] = _solve_together(level, matrices, part)
        left -= len(following)
        if steps is not None:
            steps(explorer.states - left, explorer.states, f"{left:,} states left")
    lower, upper = (float(start @ values) for values in _answers(levels))
    likely = int(start.argmax())
    possible = np.outer(levels[0].rows[likely], levels[0].columns[likely])
    names = [file_name(member).replace("_", " ") for member in explorer.parts.functions.choices or ()]
    return SolvedChoices(
        choices=tuple(names),
        starts=tuple(float(each) for each in start),
        matrix=np.where(possible, matrices[likely], np.nan),
        mixes=(levels[0].mixes[0][likely], levels[0].mixes[1][likely]),
        value=float(start @ following),
        bounds=(lower, upper),
        states=explorer.states,
        levels=tuple(levels),
    )


def _solve_together(level: Level, matrices: Rows, part: slice) -> Rows:
    """The values of some states, by one linear program with a block for each; notes their mixes.

    Each block has side 1's mix x and the value v: the largest v so that in every column of side 2 the mix wins at
    least v. The prices of the columns are side 2's mix.
    """
    linprog, csr_matrix = _sparse()
    rows, columns = level.rows[part], level.columns[part]
    count = len(rows)
    state_of_x, choice_of_x = np.nonzero(rows)
    state_of_y, choice_of_y = np.nonzero(columns)
    xs, ys = len(state_of_x), len(state_of_y)
    # Every pair of a state: which variable, which constraint.
    place_of_x, place_of_y = np.zeros(rows.shape, np.int64), np.zeros(columns.shape, np.int64)
    place_of_x[state_of_x, choice_of_x], place_of_y[state_of_y, choice_of_y] = np.arange(xs), np.arange(ys)
    state, row, column = np.nonzero(rows[:, :, None] & columns[:, None, :])
    chances = matrices[part][state, row, column]
    upper = csr_matrix(
        (
            np.r_[-chances, np.ones(ys)],
            (np.r_[place_of_y[state, column], np.arange(ys)], np.r_[place_of_x[state, row], xs + state_of_y]),
        ),
        shape=(ys, xs + count),
    )
    sums = csr_matrix((np.ones(xs), (state_of_x, np.arange(xs))), shape=(count, xs + count))
    solution = linprog(
        np.r_[np.zeros(xs), -np.ones(count)],
        A_ub=upper,
        b_ub=np.zeros(ys),
        A_eq=sums,
        b_eq=np.ones(count),
        bounds=[(0, None)] * xs + [(None, None)] * count,
        method="highs",
    )
    if solution.x is None:
        raise FaultError(f"a round was not solved: {solution.message}")
    first, second = level.mixes[0][part], level.mixes[1][part]
    first[state_of_x, choice_of_x] = np.maximum(solution.x[:xs], 0.0)
    second[state_of_y, choice_of_y] = np.maximum(-solution.ineqlin.marginals, 0.0)
    for mix in (first, second):
        mix /= mix.sum(axis=1, keepdims=True)
    values: Rows = solution.x[xs:]
    return values


def _answers(levels: Sequence[Level]) -> Iterator[Rows]:
    """What side 1's mixes win in the first states against the best answer, then what side 2's let it win at most."""
    for own in range(2):
        following: Rows = np.zeros(0)
        for level in reversed(levels):
            matrices = level.matrices(following)
            if own == 0:
                against = np.einsum("si,sij->sj", level.mixes[0], matrices)
                following = np.where(level.columns, against, np.inf).min(axis=1)
            else:
                against = np.einsum("sij,sj->si", matrices, level.mixes[1])
                following = np.where(level.rows, against, -np.inf).max(axis=1)
        yield following
