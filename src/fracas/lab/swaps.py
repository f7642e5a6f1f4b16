"""What a build would win with something else in one of its places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fracas.content.validate import shown
from fracas.errors import InputError
from fracas.lab.crew import Hands
from fracas.lab.ladder import DEFAULT_BATTLES, Steps
from fracas.lab.notebook import Shown
from fracas.lab.paired import check_kept
from fracas.lab.patience import Patience
from fracas.lab.sample import variant
from fracas.lab.shown import best_json
from fracas.lab.simulate import Results, check_amounts, simulate
from fracas.lab.statistics import paired_difference
from fracas.replay.play import Notice
from fracas.replay.scenario import Scenario
from fracas.rulesets.shapes import Records, Swap


@dataclass(frozen=True)
class Tried:
    """One exchange, and what came of it in the same battles."""

    swap: Swap
    results: Results
    gain: float
    """How much larger the share of wins is, -1 to 1."""
    gain95: tuple[float, float]
    """The 95 % interval of that, from pairs of battles with the same stream; a point if nothing depends on luck."""
    margin: float
    """HP left at the end, less the opponent's, on average."""

    def as_json(self, side: int) -> dict[str, Any]:
        """The exchange as plain values."""
        return {
            "place": self.swap.place,
            "out": self.swap.out,
            "in": self.swap.comes,
            "does": self.swap.does,
            "share": self.results.shares[side - 1],
            "interval95": list(self.results.interval95[side - 1]),
            "gain": self.gain,
            "gain95": list(self.gain95),
            "margin": self.margin,
            "deterministic": self.results.deterministic,
        }


@dataclass(repr=False)
class Swaps(Shown):
    """A build as it is, and every exchange that was tried, the best first."""

    scenario: Scenario
    side: int
    base: Results
    margin: float
    """HP left at the end, less the opponent's, on average, with the build as it is."""
    possible: int
    """How many exchanges there are."""
    tried: list[Tried] = field(default_factory=list)
    interrupted: bool = False
    """True if Ctrl-C ended it early; what was tried is whole."""

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas swaps --format json` prints."""
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
            "swaps": [each.as_json(self.side) for each in self.tried],
            **best_json(len(self.tried)),
            "rules_version": scenario.ruleset.rules_version,
            "content_fingerprint": scenario.fingerprint,
            "interrupted": self.interrupted,
        }


@Patience()
def try_swaps(
    scenario: Scenario,
    n: int | None = None,
    *,
    side: int = 1,
    content: Sequence[Path] = (),
    threads: Hands = None,
    steps: Steps | None = None,
    notice: Notice | None = None,
) -> Swaps:
    """Play a scenario's battles with every exchange of one side, all with the same streams.

    The best come first: by the share of wins, then that of draws, then by the HP that are left on average, then as the
    ruleset lists them. Ctrl-C ends with what has been tried.

    Raises:
        InputError: the ruleset has nothing to exchange, there is no such side, or an amount is out of range.
        FaultError: a battle ran into a limit of ours.
    """
    check_amounts(n, None, threads)
    check_kept(n)
    if side not in (1, 2):
        raise InputError.of("--side", f"{shown(side)} is neither 1 nor 2")
    swaps = scenario.ruleset.swaps(scenario.document, side, content)
    battles = n or DEFAULT_BATTLES
    settings = _Settings(battles, side, threads, notice, planned=battles * (1 + len(swaps)))
    base = _played(scenario, settings)
    interrupted = base.results.interrupted
    found = Swaps(scenario, side, base.results, base.margin, len(swaps), interrupted=interrupted)
    try:
        for done, swap in enumerate(() if interrupted else swaps):
            if steps is not None:
                steps(done, len(swaps), swap.comes)
            played = _played(variant(scenario, swap.document), settings)
            if played.results.interrupted:
                found.interrupted = True
                break
            found.tried.append(_compared(swap, base, played, side))
    except KeyboardInterrupt:
        found.interrupted = True
    found.tried.sort(key=lambda each: (-each.results.shares[side - 1], -each.results.draw_share, -each.margin))
    return found


@dataclass(frozen=True)
class _Played:
    """What the battles came to, for each whether the side won, and the mean of HP left less the opponent's."""

    results: Results
    won: Records
    margin: float


@dataclass(frozen=True)
class _Settings:
    """How each of the exchanges is played."""

    battles: int
    side: int
    threads: Hands
    notice: Notice | None
    planned: int


def _played(scenario: Scenario, settings: _Settings) -> _Played:
    battles, side = settings.battles, settings.side
    won = np.zeros(battles, np.bool_)
    margin = 0

    def keep(first: int, rows: Records) -> None:
        nonlocal margin
        won[first : first + len(rows)] = rows["winner"] == side
        left = np.maximum(rows["hp_left"], 0).sum(axis=0, dtype=np.int64)
        margin += int(left[side - 1] - left[2 - side])

    results = simulate(
        scenario, battles, threads=settings.threads, sink=keep, notice=settings.notice, planned=settings.planned
    )
    return _Played(results, won, margin / max(1, results.battles))


def _compared(swap: Swap, base: _Played, played: _Played, side: int) -> Tried:
    gain = played.results.shares[side - 1] - base.results.shares[side - 1]
    before, after = base.won, played.won
    if base.results.deterministic and played.results.deterministic:
        return Tried(swap, played.results, gain, (gain, gain), played.margin)
    both, alone, lost = (int(each.sum()) for each in (after & before, after & ~before, before & ~after))
    interval = paired_difference(both, alone, lost, len(before) - both - alone - lost)
    return Tried(swap, played.results, gain, interval, played.margin)
