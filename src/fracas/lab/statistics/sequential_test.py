"""A test that may be looked at after every pair, and says as soon as it can which of two is better, or that neither is.

Two tests run side by side on the pairs that differ: is A the better of the two in more than half of them, is B? Each is
Wald's sequential probability ratio test of p = 1/2 against p = 1/2 + delta.
"""

from __future__ import annotations

import math

import numpy as np

from fracas.rulesets.contract.types import Rows

DELTA = 0.02
ALPHA = BETA = 0.05
A, B, NO_DIFFERENCE, UNDECIDED = "A", "B", "no difference of delta", "undecided"


class SignTest:
    """Counts which of two was better in each pair, in order, until the verdict is sure enough.

    `alpha` is how often equals may be called different; each of the two directions gets half of it. `beta` is how often
    one that is better in 1/2 + delta of the pairs that differ may be missed. How the pairs arrive changes nothing.

    The bounds are 2 / alpha and beta. A likelihood ratio passes 1 / x with a chance of x at most, however long it is
    watched, so both rates hold exactly; Wald's own bounds, a little closer together, hold them nearly.

    Source: A. Wald, 1945, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16.
    """

    def __init__(self, delta: float = DELTA, alpha: float = ALPHA, beta: float = BETA) -> None:
        self.delta, self.alpha, self.beta = delta, alpha, beta
        self.pairs = 0
        """How many pairs were looked at, those that do not differ among them."""
        self.better = {A: 0, B: 0}
        """In how many pairs each was the better one."""
        self.is_larger: dict[str, bool | None] = {A: None, B: None}
        """What the test of each has found: that it is better, that it is not by delta, or nothing yet."""

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
        """How many pairs have to differ before one can be called better, however one-sided they are."""
        return math.ceil(-math.log(self.alpha / 2) / math.log1p(2 * self.delta))

    @property
    def differing(self) -> int:
        """How many of the pairs that were looked at differ."""
        return self.better[A] + self.better[B]

    @property
    def missing(self) -> int:
        """How many more pairs would have to differ for a verdict if all of them were as those before are in the mean.

        At least as many as are missing if all of them fell to the one that is ahead; 0 if the test is decided.
        """
        if self.is_decided:
            return 0
        gain, loss = math.log1p(2 * self.delta), math.log1p(-2 * self.delta)
        ahead, behind = max(self.better.values()), min(self.better.values())
        left = -math.log(self.alpha / 2) - ahead * gain - behind * loss
        share = max(ahead / self.differing if self.differing else 1.0, 0.5 + self.delta)
        return max(1, math.ceil(left / (share * gain + (1 - share) * loss)))

    def add(self, signs: Rows) -> int:
        """Look at pairs in order: above 0 where B was better, below 0 where A was; how many it took until a verdict.

        All are counted unless one of them decides; that one is then the last.
        """
        if self.is_decided or not len(signs):
            return 0
        ups = {A: self.better[A] + np.cumsum(signs < 0), B: self.better[B] + np.cumsum(signs > 0)}
        looks = [self._first_look(name, ups[name], ups[other]) for name, other in ((A, B), (B, A))]
        last = self._deciding(looks, len(signs))
        for (name, _), (place, is_larger) in zip(((A, B), (B, A)), looks, strict=True):
            if place <= last and self.is_larger[name] is None:
                self.is_larger[name] = is_larger
            self.better[name] = int(ups[name][last])
        self.pairs += last + 1
        return last + 1

    def _first_look(self, name: str, better: Rows, worse: Rows) -> tuple[int, bool | None]:
        """The first place at which one of the two tests ends, and how; beyond the last place if it does not."""
        if self.is_larger[name] is not None:
            return -1, self.is_larger[name]
        # Of whole counts, so that the ratio at a pair does not depend on how the pairs before it were cut.
        ratio = better * math.log1p(2 * self.delta) + worse * math.log1p(-2 * self.delta)
        over = ratio >= -math.log(self.alpha / 2)
        ended = np.flatnonzero(over | (ratio <= math.log(self.beta)))
        return (int(ended[0]), bool(over[ended[0]])) if ended.size else (len(ratio), None)

    @staticmethod
    def _deciding(looks: list[tuple[int, bool | None]], pairs: int) -> int:
        """The place of the pair that decides, or that of the last one: one of them is better, or neither is."""
        found = [place for place, is_larger in looks if is_larger]
        if all(is_larger is False for _, is_larger in looks):
            found.append(max(place for place, _ in looks))
        return min([*found, pairs - 1])
