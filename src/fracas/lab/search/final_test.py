"""The final test of a search: the best candidate against the given scenario, on battles that the search never used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from fracas.engine.scenario import Scenario
from fracas.lab.search.candidate_race import CandidateEvaluator, Choices
from fracas.lab.search.optimise_result import Final, OpponentRow, Test
from fracas.lab.statistics.intervals import mean_interval
from fracas.lab.statistics.sequential_test import NO_DIFFERENCE, A, B, SignTest
from fracas.rulesets.contract.analysis import WON
from fracas.rulesets.contract.types import Rows

# No search plays this many streams. Each opponent has its own streams from here on, so no two pairs share dice.
UNUSED = 10**12
# While the test is undecided, up to this many times the requested pairs are played.
PATIENCE = 8
# A single change is measured on at most this many pairs.
WORTH_PAIRS = 20_000

# The verdict for the best candidate.
IMPROVED = "improved"

Say = Callable[[str], None]
# The share of points lost without a change, with its interval.
Worth = tuple[float, tuple[float, float]]


def run_final_test(
    evaluator: CandidateEvaluator, searched: int, choices: Choices, test: SignTest, pairs: int, say: Say
) -> tuple[Final, dict[str, Worth]]:
    """Play the given scenario and the best candidate on unused streams, in pairs, and test which is better.

    At least `pairs` pairs are played over all opponents that count, and more while the test is undecided.

    The first `searched` opponents are those of the search. If there are others, only those decide. Then each change of
    the best candidate is undone alone, on the same streams: what it is worth, by its dimension.

    Raises:
        SearchInterrupted: Ctrl-C came.
    """
    scenarios = zip(evaluator.scenarios(evaluator.present), evaluator.scenarios(choices), strict=True)
    duels = [_Duel(UNUSED * (1 + index), *pair) for index, pair in enumerate(scenarios)]
    counting = duels[searched:] or duels
    each = -(-pairs // len(counting))
    say("unused battles: the given scenario and the best candidate")
    for duel in duels:
        duel.play(evaluator, each)
    test.add(_in_turn(counting, 0))
    while not test.is_decided and counting[0].pairs < PATIENCE * each and not _is_certain(counting):
        first = counting[0].pairs
        for duel in counting:
            duel.play(evaluator, each)
        test.add(_in_turn(counting, first))
    rows = tuple(_row(evaluator.opponents[index].name, index >= searched, [duel]) for index, duel in enumerate(duels))
    whole = _row("all of them", len(duels) > searched, counting)
    is_certain = _is_certain(counting)
    verdict = test.verdict
    if is_certain:
        verdict = B if whole.gain > 0 else A if whole.gain < 0 else NO_DIFFERENCE
    final = Final(
        list(rows),
        whole.gain,
        whole.gain95,
        whole.given,
        whole.improved,
        whole.pairs,
        {A: "given", B: IMPROVED}.get(verdict, verdict),
        UNUSED,
        Test(test.delta, test.alpha, test.beta, test.pairs),
        is_certain,
    )
    return final, dict(_worths(evaluator, slice(searched if len(duels) > searched else 0, None), duels, choices, say))


def _worths(
    evaluator: CandidateEvaluator, which: slice, duels: Sequence[_Duel], choices: Choices, say: Say
) -> Iterator[tuple[str, Worth]]:
    """What each change, by its dimension, contributes to the best candidate against these opponents."""
    counting = duels[which]
    pairs = min(counting[0].pairs, -(-WORTH_PAIRS // len(counting)))
    for index, dimension in enumerate(evaluator.dimensions):
        if choices[index] == dimension.current:
            continue
        say(f"unused battles: without {dimension.name}")
        without = evaluator.scenarios((*choices[:index], dimension.current, *choices[index + 1 :]))[which]
        bare = [duel.beside(evaluator, scenario, pairs) for duel, scenario in zip(counting, without, strict=True)]
        row = _row("", False, bare)
        yield dimension.name, (row.gain, row.gain95)


class _Duel:
    """Battles of two candidates against one opponent, with the same dice."""

    def __init__(self, start: int, given: Scenario, improved: Scenario) -> None:
        self.start = start
        self.scenarios = given, improved
        self.points: list[Rows] = [np.zeros(0, np.int8), np.zeros(0, np.int8)]
        self.is_certain = False

    @property
    def pairs(self) -> int:
        return len(self.points[0])

    @property
    def signed(self) -> Rows:
        """The second candidate's lead in each pair, in half points."""
        return self.points[1].astype(np.int64) - self.points[0]

    def play(self, evaluator: CandidateEvaluator, pairs: int) -> None:
        """Play this many more pairs.

        Raises:
            SearchInterrupted: Ctrl-C came.
        """
        start, certain, played = self.start + self.pairs, [], []
        for points, scenario in zip(self.points, self.scenarios, strict=True):
            further, is_certain = evaluator.play(scenario, pairs, start)
            played.append(np.concatenate([points, further]))
            certain.append(is_certain)
        self.points, self.is_certain = played, all(certain)

    def beside(self, evaluator: CandidateEvaluator, other: Scenario, pairs: int) -> _Duel:
        """The first of the second candidate's battles, paired with battles of another scenario.

        Raises:
            SearchInterrupted: Ctrl-C came.
        """
        scores, is_certain = evaluator.play(other, pairs, self.start)
        duel = _Duel(self.start, other, self.scenarios[1])
        duel.points, duel.is_certain = [scores, self.points[1][:pairs]], is_certain and self.is_certain
        return duel


def _is_certain(duels: Sequence[_Duel]) -> bool:
    return all(duel.is_certain for duel in duels)


def _in_turn(duels: Sequence[_Duel], first: int) -> Rows:
    """The pairs of all duels from number `first` on, taken from each duel in turn."""
    return np.stack([duel.signed[first:] for duel in duels], axis=1).reshape(-1)


def _row(name: str, is_held_out: bool, duels: Sequence[_Duel]) -> OpponentRow:
    signed = _in_turn(duels, 0)
    count = len(signed)
    given, improved = (
        sum(int(duel.points[side].sum(dtype=np.int64)) for duel in duels) / (WON * count) for side in (0, 1)
    )
    total = int(signed.sum())
    gain = total / (WON * count)
    interval = (gain, gain)
    if not _is_certain(duels):
        low, high = mean_interval(total, int((signed * signed).sum()), count, -WON, WON)
        interval = (low / WON, high / WON)
    return OpponentRow(name, is_held_out, count, given, improved, gain, interval)
