"""Solve a duel: its value, both players' best mixes, and how far a policy can be exploited.

The rules: titans/README.md, "Solving".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.errors import FaultError, InputError, UsageError
from fracas.kernel import jit
from fracas.rulesets.contract.types import Rows
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.solver.backward_induction import sweep
from fracas.rulesets.titans.solver.matrix_game import MOST_REPLY_GAIN
from fracas.rulesets.titans.solver.state_grid import Grid, grid_for

Sweep = Callable[..., None]
# Values that change less than this from one round to the previous one count as steady.
STILL = 1e-7
# Steady values are not followed to the first round; the most that this can be wrong.
LEFT_OPEN = codes.LARGEST_ROUND_CAP * STILL
NOBODY_FIXED = (False, False)


@dataclass(frozen=True)
class Situation:
    """A state at the start of a round, without stat changes."""

    round: int
    hp: tuple[int, int]
    charge: tuple[int, int]

    def row(self) -> list[int]:
        """The state as kernels read it."""
        return [0, *self.hp, *self.charge]


@dataclass(frozen=True)
class StageGame:
    """Both players' choices in a situation, and the chances if both play their best afterwards."""

    choices: tuple[tuple[int, ...], tuple[int, ...]]
    chances: Rows
    """Player 1's chance to win for each pair of choices; a draw counts half."""
    value: float
    mixes: tuple[Rows, Rows]


class Induction:
    """Backward induction over one grid, from the last round to the requested one."""

    def __init__(
        self,
        battle,
        most_states: int,
        *,
        entry: Sweep | None = None,
        threads: int = 1,
        advance: Callable[[int, int], None] = lambda _, __: None,
    ) -> None:
        self.battle = battle
        self.grid: Grid = grid_for(battle, most_states)
        self.entry = entry or compiled_sweep()
        self.threads = threads
        self.advance = advance
        """Called after each round with its number and how many values are done; rounds that are left out count too."""
        self.reply_gain = 0.0

    def following(self, first: int, is_fixed: tuple[bool, bool] = NOBODY_FIXED) -> Rows:
        """The value of every node at the start of the round after `first`."""
        values = np.full(len(self.grid.states), 0.5)
        for number in range(int(self.battle.options.round_cap), first, -1):
            before, (values, _) = values, self.look(self.grid.states, number, values, is_fixed)
            self.advance(number, len(values))
            if self._is_steady(number, first, is_fixed) and np.abs(values - before).max() < STILL:
                self.advance(first + 1, len(values) * (number - first - 1))
                break
        return values

    def _is_steady(self, number: int, first: int, is_fixed: tuple[bool, bool]) -> bool:
        """Whether all rounds from here down to the first have the same rules."""
        sudden = int(self.battle.options.sudden_death)
        is_one_kind = sudden == 0 or number < sudden or first + 1 >= sudden
        return is_one_kind and not any(
            fixed and looks_at_round(self.battle, player) for player, fixed in enumerate(is_fixed)
        )

    def look(
        self, states: Rows, number: int, following: Rows, is_fixed: tuple[bool, bool] = NOBODY_FIXED
    ) -> tuple[Rows, Rows]:
        """The values of states at the start of a round, and both players' mixes by code of choice."""
        values = np.zeros(len(states))
        mixes = np.zeros((len(states), codes.PLAYERS, codes.CHOICES))
        bounds = np.linspace(0, len(states), self.threads + 1).astype(int)
        spaces = [self.grid.space(is_fixed) for _ in range(self.threads)]

        def part(index: int) -> None:
            low, high = bounds[index], bounds[index + 1]
            records = self.record(number)
            self.entry(records, spaces[index], following, states[low:high], values[low:high], mixes[low:high])

        if self.threads == 1:
            part(0)
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                list(pool.map(part, range(self.threads)))
        for space in spaces:
            self._check(number, float(space[0].reply_gain))
        return values, mixes

    def _check(self, number: int, gain: float) -> None:
        """Check that a solution is an equilibrium.

        Raises:
            FaultError: a best reply gains something.
        """
        if not gain <= MOST_REPLY_GAIN:
            raise FaultError(f"a stage game of round {number} was not solved: a best reply gains {gain:.2g}")
        self.reply_gain = max(self.reply_gain, gain)

    def record(self, number: int) -> Rows:
        """The duel at the start of a round, as kernels take it."""
        records = np.zeros(1, self.battle.dtype)
        records[0] = self.battle
        records[0].tick = number
        return records

    def stage(self, situation: Situation, following: Rows) -> StageGame:
        """The stage game of a situation."""
        records, spaces = self.record(situation.round), self.grid.space(NOBODY_FIXED)
        values, mixes = np.zeros(1), np.zeros((1, codes.PLAYERS, codes.CHOICES))
        states = np.array([situation.row()], np.int64)
        self.entry(records, spaces, following, states, values, mixes)
        space = spaces[0]
        self._check(situation.round, float(space.reply_gain))
        choices = [tuple(int(code) for code in space.legal[p][: space.counts[p]]) for p in range(codes.PLAYERS)]
        chances = np.array(space.chances[: len(choices[0]), : len(choices[1])])
        found = [np.array(mixes[0, player, list(choices[player])]) for player in range(codes.PLAYERS)]
        return StageGame((choices[0], choices[1]), chances, float(values[0]), (found[0], found[1]))

    def value_against(self, situation: Situation, is_fixed: tuple[bool, bool]) -> float:
        """The value of a situation if some players have fixed policies and the others answer their best."""
        following = self.following(situation.round, is_fixed)
        states = np.array([situation.row()], np.int64)
        return float(self.look(states, situation.round, following, is_fixed)[0][0])


def compiled_sweep() -> Sweep:
    """The compiled entry point; plain Python would take hours.

    Raises:
        InputError: FRACAS_JIT turns compiling off.
    """
    if jit.jit_setting() == "never":
        hint = "leave FRACAS_JIT unset, or name a file with a solved table"
        raise InputError.of("FRACAS_JIT", "is 0, but solving a duel needs compiled rules", hint)
    return jit.native(sweep)


def looks_at_round(battle, player: int) -> bool:
    """Whether a player's policy depends on the round."""
    policy = battle.policies[player]
    if policy.kind == codes.BY_NETWORK:
        return _reads(battle.networks[player], [0])
    if policy.kind != codes.BY_RULES:
        return False
    rules = policy.rules[: policy.rule_count]
    asked = [battle.asks[rule.first_ask + number].fact for rule in rules for number in range(rule.ask_count)]
    return any(fact < codes.SELF_FACTS for fact in asked)


def looks_back(battle, player: int) -> bool:
    """Whether a trained policy depends on what was chosen in the last round, which solved states do not hold."""
    is_trained = battle.policies[player].kind == codes.BY_NETWORK
    return is_trained and _reads(battle.networks[player], [*codes.OWN_LAST, *codes.ENEMY_LAST])


def _reads(network, inputs: Sequence[int]) -> bool:
    hidden = int(network.hidden)
    return any(network.weights[number * hidden : (number + 1) * hidden].any() for number in inputs)


def linear_programming() -> Callable[..., Any]:
    """Scipy's linear programming.

    Raises:
        UsageError: scipy is not installed.
    """
    try:
        from scipy.optimize import linprog
    except ImportError:
        raise UsageError.of("fracas lab solve", "needs scipy", "pip install 'fracas[solve]'") from None
    found: Callable[..., Any] = linprog
    return found


def best_mixes(chances: Rows) -> tuple[float, Rows, Rows]:
    """The value of a stage game and both mixes, by scipy's linear programming.

    Raises:
        UsageError: scipy is not installed.
        FaultError: its result is not an equilibrium.
    """
    linprog = linear_programming()

    def best(payoffs: Rows) -> tuple[float, Rows]:
        rows, columns = payoffs.shape
        # The largest v with mix @ payoffs >= v in every column.
        solution = linprog(
            np.r_[np.zeros(rows), -1.0],
            A_ub=np.c_[-payoffs.T, np.ones(columns)],
            b_ub=np.zeros(columns),
            A_eq=[np.r_[np.ones(rows), 0.0]],
            b_eq=[1.0],
            bounds=[(0, None)] * rows + [(None, None)],
            method="highs",
        )
        if solution.x is None:
            raise FaultError(f"a stage game was not solved: {solution.message}")
        return float(solution.x[-1]), np.maximum(solution.x[:-1], 0.0)

    value, own = best(chances)
    _, others = best(-chances.T)
    gain = reply_gain(chances, own, others, value)
    if not gain <= MOST_REPLY_GAIN:
        raise FaultError(f"a stage game was not solved: a best reply gains {gain:.2g}")
    return value, own, others


def reply_gain(chances: Rows, first: Rows, second: Rows, value: float) -> float:
    """How much a best reply to one of the mixes gains over the value; nothing in an equilibrium."""
    sums = [abs(first.sum() - 1.0), abs(second.sum() - 1.0)]
    gain = np.max([(chances @ second).max() - value, value - (first @ chances).min(), *sums, 0.0])
    return float(np.nan_to_num(gain, nan=np.inf))


def start_of(battle) -> Situation:
    """The situation at the start of a duel."""
    one, other = battle.titans
    return Situation(1, (int(one.max_hp), int(other.max_hp)), (0, 0))


def value_error(value: float, coarse_value: float, *, is_exact: bool, are_alike: bool) -> float | None:
    """The approximate error of a value; None if the coarser grid is the same or gives the same value."""
    if is_exact:
        return LEFT_OPEN
    difference = abs(value - coarse_value)
    return None if are_alike or difference < STILL else difference


def exploitable_by(game_value: float, answered: float, player: int) -> float:
    """How much more than the game's value the opponent of `player` wins by its best answer."""
    return max(0.0, game_value - answered if player == 0 else answered - game_value)


def names_of(document, player: int, choices: Sequence[int]) -> list[str]:
    """The names of choices, as in files."""
    own = [*codes.ACTIONS[: codes.FIRST_ABILITY], *document["players"][player]["titan"]["abilities"]]
    return [own[code] for code in choices]
