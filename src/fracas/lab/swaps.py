"""What a build would win with something else in one of its places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fracas.content.validate import shown
from fracas.errors import InputError
from fracas.lab.ladder import DEFAULT_BATTLES, Steps, variant
from fracas.lab.simulate import Results, check_amounts, simulate
from fracas.lab.statistics import paired_difference
from fracas.replay.play import Notice
from fracas.replay.scenario import Scenario
from fracas.rulesets.contract import Records, Swap


@dataclass(frozen=True)
class Tried:
    """One exchange, and what came of it in the same battles."""

    swap: Swap
    results: Results
    gain: float
    """How much larger the share of wins is, -1 to 1."""
    gain95: tuple[float, float]
    """The 95 % interval of that, from pairs of battles with the same stream; a point if nothing depends on luck."""

    def as_json(self, side: int) -> dict[str, Any]:
        """The exchange as plain values."""
        return {
            "place": self.swap.place,
            "out": self.swap.out,
            "in": self.swap.comes,
            "share": self.results.shares[side - 1],
            "interval95": list(self.results.interval95[side - 1]),
            "gain": self.gain,
            "gain95": list(self.gain95),
            "deterministic": self.results.deterministic,
        }


@dataclass
class Swaps:
    """A build as it is, and every exchange that was tried, the best first."""

    scenario: Scenario
    side: int
    base: Results
    possible: int
    """How many exchanges there are."""
    tried: list[Tried] = field(default_factory=list)
    interrupted: bool = False
    """True if Ctrl-C ended it early; what was tried is whole."""

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas swaps --format json` prints."""
        scenario = self.scenario
        return {
            "ruleset": scenario.ruleset.name,
            "scenario": scenario.id,
            "seed": scenario.seed,
            "profile": scenario.profile,
            "side": self.side,
            "battles": self.base.battles,
            "share": self.base.shares[self.side - 1],
            "interval95": list(self.base.interval95[self.side - 1]),
            "possible": self.possible,
            "swaps": [each.as_json(self.side) for each in self.tried],
            "rules_version": scenario.ruleset.rules_version,
            "content_fingerprint": scenario.fingerprint,
            "interrupted": self.interrupted,
        }


def try_swaps(
    scenario: Scenario,
    n: int | None = None,
    *,
    side: int = 1,
    content: Sequence[Path] = (),
    threads: int | None = None,
    steps: Steps | None = None,
    notice: Notice | None = None,
) -> Swaps:
    """Play a scenario's battles with every exchange of one side, all with the same streams.

    The best come first: by the share of wins, then that of draws, then as the ruleset lists them. Ctrl-C ends with what
    has been tried.

    Raises:
        InputError: the ruleset has nothing to exchange, there is no such side, or an amount is out of range.
        FaultError: a battle ran into a limit of ours.
    """
    check_amounts(n, None, threads)
    if side not in (1, 2):
        raise InputError.of("--side", f"{shown(side)} is neither 1 nor 2")
    swaps = scenario.ruleset.swaps(scenario.document, side, content)
    battles = n or DEFAULT_BATTLES
    base, won = _played(scenario, battles, side, threads, notice)
    found = Swaps(scenario, side, base, len(swaps), interrupted=base.interrupted)
    try:
        for done, swap in enumerate(swaps if not base.interrupted else ()):
            if steps is not None:
                steps(done, len(swaps), swap.comes)
            results, wins = _played(variant(scenario, swap.document), battles, side, threads, notice)
            if results.interrupted:
                found.interrupted = True
                break
            found.tried.append(_compared(swap, base, results, won, wins, side))
    except KeyboardInterrupt:
        found.interrupted = True
    found.tried.sort(key=lambda each: (-each.results.shares[side - 1], -each.results.draw_share))
    return found


def _played(
    scenario: Scenario, battles: int, side: int, threads: int | None, notice: Notice | None
) -> tuple[Results, Records]:
    """What the battles came to, and for each whether the side won."""
    won = np.zeros(battles, np.bool_)

    def keep(first: int, rows: Records) -> None:
        won[first : first + len(rows)] = rows["winner"] == side

    results = simulate(scenario, battles, threads=threads, sink=keep, notice=notice)
    return results, won


def _compared(swap: Swap, base: Results, results: Results, before: Records, after: Records, side: int) -> Tried:
    gain = results.shares[side - 1] - base.shares[side - 1]
    if base.deterministic and results.deterministic:
        return Tried(swap, results, gain, (gain, gain))
    both, alone = int((after & before).sum()), int((after & ~before).sum())
    lost = int((before & ~after).sum())
    return Tried(swap, results, gain, paired_difference(both, alone, lost, len(before) - both - alone - lost))
