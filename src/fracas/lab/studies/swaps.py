"""`swaps`: how much a build would win with something else in one of its places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from fracas.content.validate import shown
from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import UsageError
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.progress import Steps
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.presentation.documents import StudyResult
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.scores import with_document
from fracas.lab.simulation.simulate import check_amounts, simulate
from fracas.lab.simulation.statistic_rows import best_json
from fracas.lab.statistics.intervals import paired_difference
from fracas.lab.studies.ladder import DEFAULT_BATTLES
from fracas.lab.studies.paired_battles import check_kept
from fracas.lab.studies.swap_limits import Limits as Limits
from fracas.rulesets.contract.types import Document, Rows, Swap


@dataclass(frozen=True)
class SwapResult:
    """One exchange and its results in the same battles."""

    swap: Swap
    results: Results
    gain: float
    """How much larger the share of wins is, -1 to 1."""
    gain95: tuple[float, float]
    """The 95% interval of the gain, from pairs of battles with the same stream; a point if nothing depends on luck."""
    margin: float
    """HP left at the end, less the opponent's, on average."""
    cost: float | None = None
    """The cost of what comes in less that of what goes, in points; None without costs."""

    def as_json(self, side: int) -> dict[str, Any]:
        """The exchange as plain values."""
        several = [{"place": place, "out": out, "in": comes} for place, out, comes in self.swap.parts]
        return {
            "place": self.swap.place,
            "out": self.swap.removed,
            "in": self.swap.added,
            "does": self.swap.does,
            "share": self.results.shares[side - 1],
            "interval95": list(self.results.interval95[side - 1]),
            "gain": self.gain,
            "gain95": list(self.gain95),
            "margin": self.margin,
            **({} if self.cost is None else {"cost": self.cost}),
            **({"parts": several} if several else {}),
            "deterministic": self.results.deterministic,
        }


@dataclass(repr=False)
class Swaps(StudyResult):
    """A build, and every exchange that was tried, the best first."""

    scenario: Scenario
    side: int
    base: Results
    margin: float
    """HP left at the end less the opponent's, on average, with the unchanged build."""
    possible: int
    """How many exchanges are possible."""
    tried: list[SwapResult] = field(default_factory=list)
    interrupted: bool = False
    """True if Ctrl-C ended it early; the exchanges present are complete."""
    limits: Limits = field(default_factory=Limits)
    """The allowed exchanges and the costs."""

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas lab swaps --format json` prints."""
        scenario = self.scenario
        return {
            "command": "swaps",
            "ruleset": scenario.ruleset.name,
            "scenario": scenario.id,
            "names": list(scenario.ruleset.side_names(scenario.document)),
            "seed": scenario.seed,
            "profile": scenario.profile,
            "side": self.side,
            "battles": self.base.battles,
            "share": self.base.shares[self.side - 1],
            "interval95": list(self.base.interval95[self.side - 1]),
            "margin": self.margin,
            "possible": self.possible,
            **self.limits.costs_json(),
            "swaps": [each.as_json(self.side) for each in self.tried],
            **best_json(len(self.tried)),
            "rules_version": scenario.ruleset.rules_version,
            "content_fingerprint": scenario.fingerprint,
            "interrupted": self.interrupted,
        }


@DeferInterrupt()
def run_swaps(
    scenario: Scenario,
    n: int | None = None,
    *,
    side: int = 1,
    limits: Limits | None = None,
    content: Sequence[Path] = (),
    threads: ExecutorOrThreads = None,
    steps: Steps | None = None,
    notice: Notice | None = None,
) -> Swaps:
    """Play a scenario's battles with every possible exchange of one side, all with the same streams.

    With `limits.at_once` the best exchanges are also combined, two, three or four in different places. A
    `limits.budget` applies to a whole combination: one exchange may cost more if another saves as much. Exchanges are
    sorted by share of wins, then share of draws, then HP left on average, then the ruleset's order. Ctrl-C ends with
    the exchanges tried so far.

    Raises:
        InputError: nothing can be exchanged, there is no such side, an amount is out of range, or the limits leave
            nothing to try.
        FaultError: a battle hit a limit of the engine.
    """
    check_amounts(n, None, threads)
    check_kept(n)
    if side not in (1, 2):
        raise UsageError.of("--side", f"{shown(side)} is neither 1 nor 2")
    allowed = limits or Limits()
    allowed.check()

    def possible(document: Document) -> list[Swap]:
        return [swap for swap in scenario.ruleset.swaps(document, side, content) if allowed.allow(swap)]

    every = scenario.ruleset.swaps(scenario.document, side, content)
    allowed.check_names(every)
    # An exchange that is too expensive alone may be paid for by one that saves points.
    swaps = [swap for swap in every if allowed.allow(swap) and (allowed.at_once > 1 or allowed.affords(swap))]
    if not swaps:
        if every:
            raise UsageError.of("swaps", "nothing is left to try", "allow more places or more replacements")
        raise UsageError.of("swaps", "the content has no replacement for anything of this side")
    battles = n or DEFAULT_BATTLES
    settings = _Settings(battles, side, threads, notice, planned=battles * (1 + len(swaps)))
    base = _played(scenario, settings)
    interrupted = base.results.interrupted
    found = Swaps(scenario, side, base.results, base.margin, len(swaps), interrupted=interrupted, limits=allowed)

    def try_all(swaps: Sequence[Swap]) -> bool:
        """Try exchanges; False if interrupted."""
        for swap in swaps:
            if steps is not None:
                steps(len(found.tried), found.possible, swap.added)
            played = _played(with_document(scenario, swap.document), settings)
            if played.results.interrupted:
                found.interrupted = True
                return False
            found.tried.append(replace(_compared(swap, base, played, side), cost=allowed.shown_cost(swap)))
        return True

    def best_first(tried: Sequence[SwapResult]) -> list[SwapResult]:
        return sorted(tried, key=lambda each: (-each.results.shares[side - 1], -each.results.draw_share, -each.margin))

    try:
        is_whole = not interrupted and try_all(swaps)
        several = best = allowed.parts_of(each.swap for each in best_first(found.tried))
        for _ in range(1, allowed.at_once):
            if not is_whole:
                break
            several = list(_with_one_more(several, best, possible))
            within = [swap for swap in several if allowed.affords(swap)]
            found.possible += len(within)
            is_whole = try_all(within)
    except KeyboardInterrupt:
        found.interrupted = True
    affordable = [each for each in found.tried if allowed.affords(each.swap)]
    found.possible -= len(found.tried) - len(affordable)
    found.tried = best_first(affordable)
    return found


def _with_one_more(
    several: Sequence[Swap], best: Sequence[Swap], possible: Callable[[Document], list[Swap]]
) -> Iterator[Swap]:
    """Combinations with one more of the best exchanges in another place, each once, as far as the ruleset allows."""
    seen: set[frozenset[tuple[str, str]]] = set()
    for swap in several:
        parts = swap.parts or ((swap.place, swap.removed, swap.added),)
        further = {(each.place, each.added): each for each in possible(swap.document)}
        for other in best:
            key = frozenset([*((place, comes) for place, _, comes in parts), (other.place, other.added)])
            together = further.get((other.place, other.added))
            if together is None or key in seen or other.place in [place for place, _, _ in parts]:
                continue
            seen.add(key)
            both = (*parts, (other.place, other.removed, other.added))
            places, outs, comes = zip(*both, strict=True)
            out = " + ".join(each or "(empty)" for each in outs)
            yield Swap(" + ".join(places), out, " + ".join(comes), together.document, both)


@dataclass(frozen=True)
class _Played:
    """For each battle whether the side won, and the mean of HP left less the opponent's."""

    results: Results
    won: Rows
    margin: float


@dataclass(frozen=True)
class _Settings:
    """How to play each exchange."""

    battles: int
    side: int
    threads: ExecutorOrThreads
    notice: Notice | None
    planned: int


def _played(scenario: Scenario, settings: _Settings) -> _Played:
    battles, side = settings.battles, settings.side
    won = np.zeros(battles, np.bool_)
    margin = 0

    def keep(first: int, rows: Rows) -> None:
        nonlocal margin
        won[first : first + len(rows)] = rows["winner"] == side
        left = np.maximum(rows["hp_left"], 0).sum(axis=0, dtype=np.int64)
        margin += int(left[side - 1] - left[2 - side])

    results = simulate(
        scenario, battles, threads=settings.threads, sink=keep, notice=settings.notice, planned=settings.planned
    )
    return _Played(results, won, margin / max(1, results.battles))


def _compared(swap: Swap, base: _Played, played: _Played, side: int) -> SwapResult:
    gain = played.results.shares[side - 1] - base.results.shares[side - 1]
    before, after = base.won, played.won
    if base.results.deterministic and played.results.deterministic:
        return SwapResult(swap, played.results, gain, (gain, gain), played.margin)
    both, alone, lost = (int(each.sum()) for each in (after & before, after & ~before, before & ~after))
    interval = paired_difference(both, alone, lost, len(before) - both - alone - lost)
    return SwapResult(swap, played.results, gain, interval, played.margin)
