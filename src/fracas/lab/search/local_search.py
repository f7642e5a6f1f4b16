"""Local search around the best candidate: change one dimension at a time until no change helps, from a few starts.

Then changes without a proven benefit are undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from blake3 import blake3

from fracas.lab.execution.tally import LOOK_EVERY
from fracas.lab.search.candidate_race import GROWTH, BattleBudget, Candidate, CandidateEvaluator, Choices
from fracas.lab.search.optimise_result import Polish
from fracas.lab.statistics.intervals import CONFIDENCE, mean_and_error, two_sided
from fracas.rulesets.contract.analysis import WON

# A gain or loss that is certainly smaller than this share of the points is negligible.
NEGLIGIBLE = 0.001
# A change is measured on at most this many battles: few in the first passes, many in the last ones. Undoing a change
# uses the largest number.
MOST_BATTLES = (4_096, 16_384, 65_536)
FIRST_LOOK = 256
# After the first passes this many more climbs start, each with its own order of dimensions: from the given choices, and
# in turn from the best with a quarter of its dimensions (at least two) changed at random. Together they may spend this
# share of the remaining budget.
RESTARTS = 3
KICKED_SHARE, LEAST_KICKED = 4, 2
RESTARTS_SHARE = 2 / 3

Say = Callable[[str], None]


@dataclass(eq=False)
class Polisher:
    """Runs passes over single dimensions."""

    evaluator: CandidateEvaluator
    seed: str
    known: dict[Choices, Candidate]
    """Candidates measured so far; those measured here are added."""
    battle_budget: BattleBudget
    say: Say
    found: Polish = field(default_factory=Polish)

    def run(self, best: Candidate) -> Candidate:
        """The best candidate found by changing single dimensions, starting at `best` and at a few points around it.

        Raises:
            SearchInterrupted: Ctrl-C came; `found` holds the progress.
        """
        before = self.evaluator.battles
        try:
            first, *further = MOST_BATTLES
            best = self._restarted(self._climb(best, first), first)
            for most in further:
                best = self._climb(best, most)
            self.found.cut = self.battle_budget.battles <= 0
        finally:
            self.found.battles = self.evaluator.battles - before
        return best

    def _restarted(self, best: Candidate, most: int) -> Candidate:
        """The best candidate, or the result of a climb from a point near it if that is better."""
        whole, share = self.battle_budget, int(self.battle_budget.battles * RESTARTS_SHARE / RESTARTS)
        for number in range(RESTARTS):
            if share <= 0:
                break
            self.found.restarts += 1
            self.battle_budget = BattleBudget(share)
            start = self._kicked(best.choices, number) if number % 2 else self.evaluator.present
            other = self._climb(self._candidate(start), most, self._order(number))
            if self._is_better(other, best, MOST_BATTLES[-1]):
                best = other
            whole.spend(share - self.battle_budget.battles)
        self.battle_budget = whole
        return best

    def _climb(self, best: Candidate, most: int, order: Sequence[int] = ()) -> Candidate:
        """Change one dimension after another and keep clear improvements, until a whole pass finds none."""
        order, position, since = order or range(len(self.evaluator.dimensions)), 0, 0
        while since < len(order) and self.battle_budget.battles > 0:
            better = self._best_turn(best, order[position], most)
            since = since + 1 if better is best else 1
            best, position = better, (position + 1) % len(order)
        return best

    def _best_turn(self, best: Candidate, index: int, most: int) -> Candidate:
        """The candidate, or a better one that differs in this dimension only."""
        dimension = self.evaluator.dimensions[index]
        for value in range(len(dimension.values)):
            if value != best.choices[index] and self.battle_budget.battles > 0:
                other = self._candidate((*best.choices[:index], value, *best.choices[index + 1 :]))
                self.found.turns += 1
                if self._is_better(other, best, most):
                    self.found.taken += 1
                    best = other
        self.say(f"single dimensions: {dimension.name}, the best {best.share:.2%}")
        return best

    def _candidate(self, choices: Choices) -> Candidate:
        return self.known.setdefault(choices, self.evaluator.candidate(choices))

    def _is_better(self, other: Candidate, best: Candidate, most: int) -> bool:
        """Whether another candidate is clearly better, corrected for how many are tried; measures until it is clear."""
        if other is best:
            return False
        tried = sum(len(dimension.values) for dimension in self.evaluator.dimensions) * len(MOST_BATTLES)
        for _, high in _measured(self.evaluator, other, best, most, self.battle_budget):
            if _chance(other, best) <= (1 - CONFIDENCE) / tried:
                return other.gain_over(best)[0] > 0
            if high < NEGLIGIBLE or not _differs(other, best):
                break
        return False

    def _order(self, number: int) -> Sequence[int]:
        """The dimensions in an order that the seed decides."""
        return sorted(range(len(self.evaluator.dimensions)), key=lambda place: self._drawn(number, place, "which"))

    def _kicked(self, choices: Choices, number: int) -> Choices:
        """The choices with some dimensions changed at random, as the seed decides."""
        dimensions, turned = self.evaluator.dimensions, list(choices)
        for position in self._order(number)[: max(LEAST_KICKED, len(dimensions) // KICKED_SHARE)]:
            others = [value for value in range(len(dimensions[position].values)) if value != choices[position]]
            drawn = int.from_bytes(self._drawn(number, position, "value")[:8], "little")
            turned[position] = others[drawn % len(others)]
        return tuple(turned)

    def _drawn(self, number: int, index: int, what: str) -> bytes:
        return blake3(f"{self.seed}/restart {number}/{index}/{what}".encode()).digest()


def _measured(
    evaluator: CandidateEvaluator, one: Candidate, other: Candidate, most: int, battle_budget: BattleBudget
) -> Iterator[tuple[float, float]]:
    """Intervals of one candidate's gain over the other, as both play up to this many battles; one without luck."""
    streams = max(1, most // len(evaluator.opponents))
    aim = max(1, min(streams, FIRST_LOOK // len(evaluator.opponents)))
    while True:
        evaluator.measure(one, aim, battle_budget)
        evaluator.measure(other, aim, battle_budget)
        yield one.gain_over(other)[1]
        if aim >= streams or battle_budget.battles <= 0 or (one.is_certain and other.is_certain):
            return
        aim = min(streams, GROWTH * aim)


def _differs(one: Candidate, other: Candidate) -> bool:
    """Whether any stream of a first step ended differently; with fewer streams the answer is True."""
    count = min(one.streams, other.streams)
    return count * (one.most // WON) < LOOK_EVERY or not np.array_equal(one.points[:count], other.points[:count])


def _chance(one: Candidate, other: Candidate) -> float:
    """The probability that equals differ by as much as these two do on the streams that both played."""
    count = min(one.streams, other.streams)
    signed = one.points[:count].astype(np.int64) - other.points[:count]
    if one.is_certain and other.is_certain:
        return float(not signed.any())
    return two_sided(*mean_and_error(int(signed.sum()), int((signed * signed).sum()), count, -one.most, one.most))


def trimmed(evaluator: CandidateEvaluator, best: Candidate, known: dict[Choices, Candidate], say: Say) -> Candidate:
    """The best candidate without the changes that have no proven benefit.

    A change stays if undoing it clearly loses points, and not just a `NEGLIGIBLE` share. The change that seems worth
    least is undone first, then all are measured again, because one may depend on another. A change is not undone if all
    undone changes together would clearly be worth something.

    Raises:
        SearchInterrupted: Ctrl-C came.
    """
    first, unneeded = best, [best]
    while unneeded:
        unneeded = []
        for index, value in enumerate(evaluator.present):
            if best.choices[index] != value:
                say(f"taking back: {evaluator.dimensions[index].name}")
                choices = (*best.choices[:index], value, *best.choices[index + 1 :])
                bare = known.setdefault(choices, evaluator.candidate(choices))
                if not _is_worse(evaluator, bare, best) and not _is_worse(evaluator, bare, first):
                    unneeded.append(bare)
        if unneeded:
            of = best
            best = max(unneeded, key=lambda bare: bare.gain_over(of)[0])
    return best


def _is_worse(evaluator: CandidateEvaluator, bare: Candidate, best: Candidate) -> bool:
    """Whether a candidate clearly has fewer points than another, by more than a negligible share."""
    for low, high in _measured(
        evaluator, bare, best, MOST_BATTLES[-1], BattleBudget(MOST_BATTLES[-1] * len(MOST_BATTLES))
    ):
        if low > -NEGLIGIBLE:
            return False
        if high < 0:
            return True
    return False
