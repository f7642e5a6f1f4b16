"""A sequential test that you may check after every pair: it stops as soon as one side is better, or neither is.

Two tests run side by side on the pairs that differ: is A better in more than half of them, and is B? Each is Wald's
sequential probability ratio test of p = 1/2 against p = 1/2 + delta.
"""

from __future__ import annotations

import math

import numpy as np

from fracas.rulesets.contract.types import Rows

DELTA = 0.02
ALPHA = BETA = 0.05
A, B, NO_DIFFERENCE, UNDECIDED = "A", "B", "no difference of delta", "undecided"


class SignTest:
    """Counts who was better in each pair, in order, until the verdict is certain enough.

    `alpha` is how often equals may be called different; each direction gets half of it. `beta` is how often a side that
    is better in 1/2 + delta of the differing pairs may be missed. How you batch the pairs changes nothing.

    The bounds are 2 / alpha and beta. A likelihood ratio passes 1 / x with a chance of at most x, however long you
    watch it, so both rates hold exactly; with Wald's own, slightly tighter bounds they hold approximately.

    Source: A. Wald, 1945, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16.
    """

    def __init__(self, delta: float = DELTA, alpha: float = ALPHA, beta: float = BETA) -> None:
        self.delta, self.alpha, self.beta = delta, alpha, beta
        self.pairs = 0
        """How many pairs were counted, including those that do not differ."""
        self.better = {A: 0, B: 0}
        """In how many pairs each side was better."""
        self.is_larger: dict[str, bool | None] = {A: None, B: None}
        """The result of each side's test: True if better, False if not better by delta, None if undecided."""

    @property
    def verdict(self) -> str:
        """Which is better, `no difference of delta`, or `undecided`."""
        for name, is_larger in self.is_larger.items():
            if is_larger:
                return name
        return UNDECIDED if None in self.is_larger.values() else NO_DIFFERENCE

    @property
    def is_decided(self) -> bool:
        """True if no further pair can change the verdict."""
        return self.verdict != UNDECIDED

    @property
    def fewest(self) -> int:
        """How many pairs have to differ before one side can be called better, even if all of them point one way."""
        return math.ceil(-math.log(self.alpha / 2) / math.log1p(2 * self.delta))

    @property
    def differing(self) -> int:
        """How many of the counted pairs differ."""
        return self.better[A] + self.better[B]

    @property
    def missing(self) -> int:
        """How many more differing pairs a verdict needs if they are like those counted so far on average.

        Never fewer than if all of them favoured the side that is ahead; 0 if the test is decided.
        """
        if self.is_decided:
            return 0
        gain, loss = math.log1p(2 * self.delta), math.log1p(-2 * self.delta)
        ahead, behind = max(self.better.values()), min(self.better.values())
        left = -math.log(self.alpha / 2) - ahead * gain - behind * loss
        share = max(ahead / self.differing if self.differing else 1.0, 0.5 + self.delta)
        return max(1, math.ceil(left / (share * gain + (1 - share) * loss)))

    def add(self, signs: Rows) -> int:
        """Count pairs in order, above 0 where B was better, below 0 where A was; returns how many a verdict took.

        Counting stops at the pair that decides.
        """
        if self.is_decided or not len(signs):
            return 0
        ups = {A: self.better[A] + np.cumsum(signs < 0), B: self.better[B] + np.cumsum(signs > 0)}
        looks = [self._first_look(name, ups[name], ups[other]) for name, other in ((A, B), (B, A))]
        last = self._deciding(looks, len(signs))
        for (name, _), (index, is_larger) in zip(((A, B), (B, A)), looks, strict=True):
            if index <= last and self.is_larger[name] is None:
                self.is_larger[name] = is_larger
            self.better[name] = int(ups[name][last])
        self.pairs += last + 1
        return last + 1

    def _first_look(self, name: str, better: Rows, worse: Rows) -> tuple[int, bool | None]:
        """The index at which one of the two tests ends, and its result; beyond the last index if it does not end."""
        if self.is_larger[name] is not None:
            return -1, self.is_larger[name]
        # Computed from whole counts, so that the ratio at a pair does not depend on how earlier pairs were batched.
        ratio = better * math.log1p(2 * self.delta) + worse * math.log1p(-2 * self.delta)
        over = ratio >= -math.log(self.alpha / 2)
        ended = np.flatnonzero(over | (ratio <= math.log(self.beta)))
        return (int(ended[0]), bool(over[ended[0]])) if ended.size else (len(ratio), None)

    @staticmethod
    def _deciding(looks: list[tuple[int, bool | None]], pairs: int) -> int:
        """The index of the pair that decides, or of the last pair: one side is better, or neither is."""
        found = [index for index, is_larger in looks if is_larger]
        if all(is_larger is False for _, is_larger in looks):
            found.append(max(index for index, _ in looks))
        return min([*found, pairs - 1])
