"""Proposes what a search tries next: a wrapper around a library's optimiser, which learns each proposal's score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from blake3 import blake3

from fracas.errors import UsageError
from fracas.lab.search.candidate_race import Choices
from fracas.rulesets.contract.analysis import Dimension


class AskTellOptimizer:
    """A library's optimiser over dimensions: proposes choices and learns their scores, the same for equal seeds."""

    def __init__(self, dimensions: Sequence[Dimension], seed: str) -> None:
        try:
            import optuna
        except ImportError:
            raise UsageError.of("fracas optimise", "needs optuna", "pip install 'fracas[lab]'") from None
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.names = [str(index) for index in range(len(dimensions))]
        categorical = optuna.distributions.CategoricalDistribution
        sizes = (len(dimension.values) for dimension in dimensions)
        self.space: dict[str, Any] = {
            name: categorical(list(range(size))) for name, size in zip(self.names, sizes, strict=True)
        }
        number = int.from_bytes(blake3(seed.encode()).digest()[:4], "little")
        sampler = optuna.samplers.TPESampler(seed=number, multivariate=True)
        self.study = optuna.create_study(direction="maximize", sampler=sampler)
        self.first: Choices | None = tuple(dimension.current for dimension in dimensions)

    def ask(self, wish: Choices | None = None) -> tuple[Choices, Callable[[float], None]]:
        """Choices to try, or `wish` if it is given, and a function to call with their share of points."""
        wish, self.first = self.first or wish, None
        if wish is not None:
            self.study.enqueue_trial(dict(zip(self.names, wish, strict=True)))
        trial = self.study.ask(self.space)
        choices = tuple(int(trial.params[name]) for name in self.names)

        def tell(share: float) -> None:
            self.study.tell(trial, share)

        return choices, tell
