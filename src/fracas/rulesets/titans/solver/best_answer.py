"""The best answer to an agent that may remember the last round. titans/README.md, "Solving", exploitability."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np

from fracas.kernel import jit
from fracas.rulesets.contract.mixers import Mixer, Mixes
from fracas.rulesets.contract.types import Rows
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.solver.backward_induction import sweep_pairs, sweep_views
from fracas.rulesets.titans.solver.solve import NOBODY_FIXED, Induction, Situation

# Where an agent sees the round.
ROUND = 0
LASTING = codes.PLAYERS * codes.OWN_ABILITIES * codes.MAX_EFFECTS
# States that are examined at once.
PART = 4096


class _Opponent:
    """Looks for the best answer to an agent that plays `player`."""

    def __init__(self, induction: Induction, player: int, agent: Mixer) -> None:
        self.induction, self.player, self.agent = induction, player, agent
        # What the agent has looked at, by the number of the first state: rounds mostly look alike.
        self._looks: dict[int, tuple[Rows, Mixes]] = {}

    def values(self, states: Rows, number: int, following: Rows, memories: Sequence[Sequence[int]]) -> Rows:
        """The values of states at the start of a round by what the agent remembers, (n, memories)."""
        values = np.zeros((len(states), len(memories)))

        def part(first: int) -> None:
            values[first : first + PART] = self._part(states[first : first + PART], first, number, following, memories)

        with ThreadPoolExecutor(self.induction.threads) as pool:
            list(pool.map(part, range(0, len(states), PART)))
        return values

    def _part(self, states: Rows, first: int, number: int, following: Rows, memories: Sequence[Sequence[int]]) -> Rows:
        records, spaces = self.induction.record(number), self.induction.grid.space(NOBODY_FIXED)
        chances = np.full((len(states), codes.CHOICES, codes.CHOICES), np.nan)
        jit.native(sweep_pairs)(records, spaces, following, states, chances)
        seen = np.zeros((len(states), codes.FEATURES + LASTING), np.float32)
        masks = np.zeros((len(states), codes.CHOICES), np.int8)
        jit.native(sweep_views)(records, spaces, states, self.player, seen, masks)
        now = float(seen[0, ROUND])
        seen[:, ROUND] = 0
        known = self._looks.get(first)
        if known is None or not np.array_equal(known[0], seen):
            known = self._looks[first] = seen, self.agent.look(self.player, seen, masks)
        mixes = known[1].under([{ROUND: now, **dict.fromkeys(chosen, 1.0)} for chosen in memories])
        # By the agent's choice, then the answer.
        own, worst = (chances, np.inf) if self.player == 0 else (chances.swapaxes(1, 2), -np.inf)
        answers = mixes @ np.nan_to_num(own)
        answers = np.where(np.isnan(own).all(axis=1)[:, None], worst, answers)
        found: Rows = answers.min(axis=2) if self.player == 0 else answers.max(axis=2)
        return found


def value_against(induction: Induction, situation: Situation, player: int, agent: Mixer) -> float:
    """The value of a situation, before anyone has chosen, if an agent plays `player` and the other answers its best."""
    grid, battle, opponent = induction.grid, induction.battle, _Opponent(induction, player, agent)
    counts = [codes.FIRST_ABILITY + int(battle.titans[each].ability_count) for each in (player, 1 - player)]
    pairs = list(product(range(counts[0]), range(counts[1])))
    memories = [(codes.OWN_LAST[own], codes.ENEMY_LAST[enemy]) for own, enemy in pairs]
    following = np.full((codes.CHOICES, codes.CHOICES, len(grid.states)), 0.5)
    # `following` is by what player 1 chose, then player 2.
    by_choice = following if player == 0 else following.swapaxes(0, 1)
    for number in range(int(battle.options.round_cap), situation.round, -1):
        values = opponent.values(grid.states, number, following, memories)
        for place, (own, enemy) in enumerate(pairs):
            by_choice[own, enemy] = values[:, place]
        induction.advance(number, len(values))
    states = np.array([situation.row()], np.int64)
    start = _Opponent(induction, player, agent).values(states, situation.round, following, [()])
    return float(start[0, 0])
