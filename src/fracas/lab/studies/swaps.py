"""`swaps`: how much a build would win with something else in one of its places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fracas.content.validate import shown
from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import UsageError
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.progress import Steps
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.presentation.types import Best
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.scores import with_document
from fracas.lab.simulation.simulate import check_amounts, simulate
from fracas.lab.simulation.statistic_rows import facts_of
from fracas.lab.statistics.intervals import paired_difference
from fracas.lab.studies.ladder import DEFAULT_BATTLES
from fracas.lab.studies.paired_battles import check_kept
from fracas.lab.studies.swap_limits import Limits as Limits
from fracas.lab.studies.swaps_result import Exchange, Exchanged, Swaps
from fracas.rulesets.contract.types import Document, Rows, Swap


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
    number, tried, interrupted = len(swaps), list[Exchange](), base.results.interrupted

    def try_all(swaps: Sequence[Swap]) -> bool:
        """Try exchanges; False if interrupted."""
        for swap in swaps:
            if steps is not None:
                steps(len(tried), number, swap.added)
            played = _played(with_document(scenario, swap.document), settings)
            if played.results.interrupted:
                return False
            tried.append(_compared(swap, base, played, side, allowed.shown_cost(swap)))
        return True

    def best_first(tried: Sequence[Exchange]) -> list[Exchange]:
        return sorted(tried, key=lambda each: (-each.share, -each.results.draw_share, -each.margin))

    try:
        interrupted = interrupted or not try_all(swaps)
        several = best = allowed.parts_of(each.swap for each in best_first(tried))
        for _ in range(1, allowed.at_once):
            if interrupted:
                break
            several = list(_with_one_more(several, best, possible))
            within = [swap for swap in several if allowed.affords(swap)]
            number += len(within)
            interrupted = not try_all(within)
    except KeyboardInterrupt:
        interrupted = True
    affordable = best_first([each for each in tried if allowed.affords(each.swap)])
    return Swaps(
        **facts_of(scenario),
        side=side,
        battles=base.results.battles,
        share=base.results.shares[side - 1],
        interval95=base.results.interval95[side - 1],
        margin=base.margin,
        possible=number - len(tried) + len(affordable),
        **allowed.costs_json(),
        tried=affordable,
        best=Best(len(affordable)),
        interrupted=interrupted,
        base=base.results,
    )


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


def _compared(swap: Swap, base: _Played, played: _Played, side: int, cost: float | None) -> Exchange:
    results = played.results
    gain = results.shares[side - 1] - base.results.shares[side - 1]
    before, after, gain95 = base.won, played.won, (gain, gain)
    if not base.results.deterministic or not results.deterministic:
        both, alone, lost = (int(each.sum()) for each in (after & before, after & ~before, before & ~after))
        gain95 = paired_difference(both, alone, lost, len(before) - both - alone - lost)
    return Exchange(
        place=swap.place,
        out=swap.removed,
        comes=swap.added,
        does=swap.does,
        share=results.shares[side - 1],
        interval95=results.interval95[side - 1],
        gain=gain,
        gain95=gain95,
        margin=played.margin,
        cost=cost,
        parts=[Exchanged(*part) for part in swap.parts],
        deterministic=results.deterministic,
        swap=swap,
        results=results,
    )
