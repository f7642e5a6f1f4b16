"""The end of a search: single knobs of the best candidate are turned until none is surely better, from a few starts.

Then changes that are not surely worth anything are taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from blake3 import blake3

from fracas.lab.execution.tally import LOOK_EVERY
from fracas.lab.search.candidate_race import GROWTH, BattleBudget, Candidate, CandidateEvaluator, Choices
from fracas.lab.statistics.intervals import CONFIDENCE, mean_and_error, two_sided
from fracas.rulesets.contract.analysis import WON

# What surely gains or loses less than this share of the points makes no difference.
NEGLIGIBLE = 0.001
# A turn is looked at for so many battles at most, first for few and in the last passes for many; so is a change that is
# taken back, for the most.
MOST_BATTLES = (4_096, 16_384, 65_536)
FIRST_LOOK = 256
# After the best candidate's first passes so many others start, each with its own order of knobs: from the given
# choices, and in turn from the best with some of its knobs turned anywhere, every fourth and at least two. They may
# spend so much of what is left then.
RESTARTS = 3
KICKED_SHARE, LEAST_KICKED = 4, 2
RESTARTS_SHARE = 2 / 3

Say = Callable[[str], None]


@dataclass
class Polish:
    """What the passes over single knobs came to."""

    turns: int = 0
    """Single knobs that were turned and measured, from all starts."""
    taken: int = 0
    """Turns that were surely better."""
    restarts: int = 0
    """Starts besides the best candidate of the stages."""
    battles: int = 0
    is_cut: bool = False
    """True if the battles that may be played were used up before the last pass was done."""


@dataclass(eq=False)
class Polisher:
    """Passes over single knobs while they go on."""

    ground: CandidateEvaluator
    seed: str
    known: dict[Choices, Candidate]
    """Candidates that have been measured before; those that are measured here are added."""
    purse: BattleBudget
    say: Say
    found: Polish = field(default_factory=Polish)

    def run(self, best: Candidate) -> Candidate:
        """The best that is found by turning single knobs, from `best` on and from a few places around it.

        Raises:
            Stopped: Ctrl-C came; `found` says how far it came.
        """
        before = self.ground.battles
        try:
            first, *further = MOST_BATTLES
            best = self._restarted(self._climb(best, first), first)
            for most in further:
                best = self._climb(best, most)
            self.found.is_cut = self.purse.battles <= 0
        finally:
            self.found.battles = self.ground.battles - before
        return best

    def _restarted(self, best: Candidate, most: int) -> Candidate:
        """The best candidate, or what a climb from somewhere near it comes to if that is better."""
        whole, share = self.purse, int(self.purse.battles * RESTARTS_SHARE / RESTARTS)
        for number in range(RESTARTS):
            if share <= 0:
                break
            self.found.restarts += 1
            self.purse = BattleBudget(share)
            start = self._kicked(best.choices, number) if number % 2 else self.ground.present
            other = self._climb(self._candidate(start), most, self._order(number))
            if self._is_better(other, best, MOST_BATTLES[-1]):
                best = other
            whole.spend(share - self.purse.battles)
        self.purse = whole
        return best

    def _climb(self, best: Candidate, most: int, order: Sequence[int] = ()) -> Candidate:
        """Turn one knob after the other and keep what is surely better, until a whole pass has found nothing."""
        order, place, since = order or range(len(self.ground.knobs)), 0, 0
        while since < len(order) and self.purse.battles > 0:
            better = self._best_turn(best, order[place], most)
            since = since + 1 if better is best else 1
            best, place = better, (place + 1) % len(order)
        return best

    def _best_turn(self, best: Candidate, place: int, most: int) -> Candidate:
        """The candidate, or a better one in which only this knob is turned."""
        knob = self.ground.knobs[place]
        for value in range(len(knob.values)):
            if value != best.choices[place] and self.purse.battles > 0:
                other = self._candidate((*best.choices[:place], value, *best.choices[place + 1 :]))
                self.found.turns += 1
                if self._is_better(other, best, most):
                    self.found.taken += 1
                    best = other
        self.say(f"single knobs: {knob.name}, the best {best.share:.2%}")
        return best

    def _candidate(self, choices: Choices) -> Candidate:
        return self.known.setdefault(choices, self.ground.candidate(choices))

    def _is_better(self, other: Candidate, best: Candidate, most: int) -> bool:
        """Whether another surely gains something, though so many are tried; measured on until that is clear."""
        if other is best:
            return False
        tried = sum(len(knob.values) for knob in self.ground.knobs) * len(MOST_BATTLES)
        for _, high in _measured(self.ground, other, best, most, self.purse):
            if _chance(other, best) <= (1 - CONFIDENCE) / tried:
                return other.gain_over(best)[0] > 0
            if high < NEGLIGIBLE or not _differs(other, best):
                break
        return False

    def _order(self, number: int) -> Sequence[int]:
        """The knobs in an order that the seed decides."""
        return sorted(range(len(self.ground.knobs)), key=lambda place: self._drawn(number, place, "which"))

    def _kicked(self, choices: Choices, number: int) -> Choices:
        """The choices with some knobs turned anywhere, as the seed decides."""
        knobs, turned = self.ground.knobs, list(choices)
        for place in self._order(number)[: max(LEAST_KICKED, len(knobs) // KICKED_SHARE)]:
            others = [value for value in range(len(knobs[place].values)) if value != choices[place]]
            drawn = int.from_bytes(self._drawn(number, place, "value")[:8], "little")
            turned[place] = others[drawn % len(others)]
        return tuple(turned)

    def _drawn(self, number: int, place: int, what: str) -> bytes:
        return blake3(f"{self.seed}/restart {number}/{place}/{what}".encode()).digest()


def _measured(
    ground: CandidateEvaluator, one: Candidate, other: Candidate, most: int, purse: BattleBudget
) -> Iterator[tuple[float, float]]:
    """The interval of what one gains over the other, as both play on up to so many battles; once if nothing is luck."""
    streams = max(1, most // len(ground.opponents))
    aim = max(1, min(streams, FIRST_LOOK // len(ground.opponents)))
    while True:
        ground.measure(one, aim, purse)
        ground.measure(other, aim, purse)
        yield one.gain_over(other)[1]
        if aim >= streams or purse.battles <= 0 or (one.is_certain and other.is_certain):
            return
        aim = min(streams, GROWTH * aim)


def _differs(one: Candidate, other: Candidate) -> bool:
    """Whether a look's worth of streams has one that went otherwise; of fewer nothing is known yet."""
    count = min(one.streams, other.streams)
    return count * (one.most // WON) < LOOK_EVERY or not np.array_equal(one.points[:count], other.points[:count])


def _chance(one: Candidate, other: Candidate) -> float:
    """How likely equals come out as far apart as these two did on the streams that both have."""
    count = min(one.streams, other.streams)
    signed = one.points[:count].astype(np.int64) - other.points[:count]
    if one.is_certain and other.is_certain:
        return float(not signed.any())
    return two_sided(*mean_and_error(int(signed.sum()), int((signed * signed).sum()), count, -one.most, one.most))


def trimmed(ground: CandidateEvaluator, best: Candidate, known: dict[Choices, Candidate], say: Say) -> Candidate:
    """The best one without each change that is not surely worth anything.

    A change stays if without it the points are surely fewer, and not surely by less than `NEGLIGIBLE`. The one that
    seems worth least goes first, and then all are asked again, since what one is worth may hang on another. Nothing
    goes with which all that has gone would surely be worth something.

    Raises:
        Stopped: Ctrl-C came.
    """
    first, unneeded = best, [best]
    while unneeded:
        unneeded = []
        for place, value in enumerate(ground.present):
            if best.choices[place] != value:
                say(f"taking back: {ground.knobs[place].name}")
                choices = (*best.choices[:place], value, *best.choices[place + 1 :])
                bare = known.setdefault(choices, ground.candidate(choices))
                if not _is_worse(ground, bare, best) and not _is_worse(ground, bare, first):
                    unneeded.append(bare)
        if unneeded:
            of = best
            best = max(unneeded, key=lambda bare: bare.gain_over(of)[0])
    return best


def _is_worse(ground: CandidateEvaluator, bare: Candidate, best: Candidate) -> bool:
    """Whether a candidate surely has fewer points than another, and not surely next to none fewer."""
    for low, high in _measured(
        ground, bare, best, MOST_BATTLES[-1], BattleBudget(MOST_BATTLES[-1] * len(MOST_BATTLES))
    ):
        if low > -NEGLIGIBLE:
            return False
        if high < 0:
            return True
    return False
