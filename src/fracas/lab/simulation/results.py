"""The result of a simulation: counts, shares with intervals, statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from fracas.engine.scenario import Scenario
from fracas.lab.execution.tally import Tally
from fracas.lab.presentation.documents import StudyResult
from fracas.lab.presentation.notebook import Document
from fracas.lab.simulation.contributions import Contributions
from fracas.lab.simulation.statistic_rows import certain, share_interval, spread_json, statistic_json
from fracas.lab.simulation.timeline import Timeline
from fracas.lab.statistics.intervals import half_width, wilson_interval
from fracas.rulesets.contract.measures import Share, Spread, Statistic, Sums


@dataclass(frozen=True, eq=False)
class Results(StudyResult):
    """The results of many battles of one scenario.

    Shares are from 0 to 1; `interval95` has their 95% Wilson intervals. `wins` and `shares` are of side 1 and side 2.
    """

    scenario: Scenario
    """The scenario."""
    battles: int
    """How many battles are counted."""
    wins: tuple[int, int]
    """How many battles side 1 and side 2 won."""
    draws: int
    """How many battles nobody won."""
    reasons: dict[str, int]
    """How many battles ended for each reason, in the ruleset's words."""
    rounds_total: int
    """Total rounds of all battles."""
    rounds_min: int
    """Rounds of the shortest battle."""
    rounds_max: int
    """Rounds of the longest battle."""
    deterministic: bool
    """True if nothing depends on luck: one battle was played and stands for all."""
    interrupted: bool
    """True if Ctrl-C ended it early; the counts are of the battles played."""
    seconds: float
    """Seconds taken, without compilation."""
    threads: int
    """How many threads played."""
    sums: Sums = field(default_factory=Sums)
    """The ruleset's own measures, summed."""
    draw_reasons: dict[str, int] = field(default_factory=dict)
    """How many undecided battles ended for each reason."""
    endings: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    """For each reason: how many battles were drawn, won by side 1, won by side 2."""
    lengths: Spread = field(default_factory=Spread)
    """The distribution of rounds."""
    hp_left: tuple[Spread, Spread] = field(default_factory=lambda: (Spread(), Spread()))
    """The distribution of each side's HP left."""
    contributions: Contributions | None = None
    """What each unit did with each ability, in the first battles; None unless requested."""
    timeline: Timeline | None = None
    """HP round by round in the first battles; None unless requested."""
    resumed: int = 0
    """How many of the battles come from a resumed run's checkpoint."""
    start: int = 0
    """The number of the first battle; not 0 for a part of a split run."""
    tally: Tally | None = None
    """All the sums behind these results."""
    stop_asked: bool = False
    """True if Ctrl-C was pressed, even if all battles were already played; loops over simulations should stop."""
    left_older: bool = False
    """True if it was interrupted and not written, because a complete older result is in its place."""

    @property
    def shares(self) -> tuple[float, float]:
        """Each side's share of wins, 0 to 1."""
        return self._share(self.wins[0]), self._share(self.wins[1])

    @property
    def draw_share(self) -> float:
        """The share of draws, 0 to 1."""
        return self._share(self.draws)

    @property
    def interval95(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The 95% Wilson interval of each side's share; a point if no battle depends on luck."""
        if self.deterministic:
            first, second = self.shares
            return (first, first), (second, second)
        return wilson_interval(self.wins[0], self.battles), wilson_interval(self.wins[1], self.battles)

    @property
    def half_width(self) -> float:
        """Half the width of the widest interval among wins of either side and draws; 0 if nothing depends on luck."""
        if self.deterministic:
            return 0.0
        return max(half_width(count, self.battles) for count in (self.draws, *self.wins))

    @property
    def rounds_mean(self) -> float:
        """Rounds of a battle on average."""
        return self.rounds_total / self.battles if self.battles else 0.0

    @property
    def battles_per_second(self) -> float:
        """Battles per second, without compilation."""
        return (self.battles - self.resumed) / self.seconds if self.seconds else 0.0

    @property
    def statistics(self) -> dict[str, list[dict[str, Any]]]:
        """The ruleset's other statistics, as lists of rows by name; empty if it has none."""
        return {entry.name: statistic_json(entry) for entry in self.statistic_tables()}

    def statistic_tables(self) -> Sequence[Statistic]:
        """The same statistics as tables with titles."""
        scenario = self.scenario
        tables = scenario.ruleset.statistics(scenario.compiled, scenario.document, self.sums) if self.battles else ()
        return [certain(each) for each in tables] if self.deterministic else tables

    @property
    def reason_shares(self) -> dict[str, Share]:
        """Each reason's share of all battles."""
        return {reason: Share(count, self.battles, self.deterministic) for reason, count in self.reasons.items()}

    def _share(self, count: int) -> float:
        return count / self.battles if self.battles else 0.0

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas simulate --format json` prints."""
        scenario = self.scenario
        counted: dict[str, Any] = {"statistics": self.statistics} if self.sums.measures else {}
        if self.contributions is not None:
            counted["contributions"] = self.contributions.as_json()
        if self.timeline is not None:
            counted["timeline"] = self.timeline.as_json()
        return {
            "command": "simulate",
            "ruleset": scenario.ruleset.name,
            "scenario": scenario.id,
            "names": list(scenario.ruleset.side_names(scenario.document)),
            "seed": scenario.seed,
            "profile": scenario.profile,
            "battles": self.battles,
            "wins": list(self.wins),
            "draws": self.draws,
            "shares": list(self.shares),
            "draw_share": self.draw_share,
            "interval95": [list(interval) for interval in self.interval95],
            "reasons": self.reasons,
            "rounds": spread_json(self.lengths),
            "rules_version": scenario.ruleset.rules_version,
            "content_fingerprint": scenario.fingerprint,
            "deterministic": self.deterministic,
            "interrupted": self.interrupted,
            "timing": {
                "seconds": round(self.seconds, 6),
                "battles_per_second": round(self.battles_per_second, 1),
                "threads": self.threads,
            },
            "endings": [self._ending_json(reason, share) for reason, share in self.reason_shares.items()],
            "hp_left": [spread_json(spread) for spread in self.hp_left],
            "half_width": self.half_width,
            **({"start": self.start} if self.start else {}),
            **counted,
        }

    def to_document(self) -> Document:
        """The result's document, with the names of its statistics."""
        titles = {entry.name: entry.title for entry in self.statistic_tables()}
        return msgspec.structs.replace(super().to_document(), titles=titles)

    def _ending_json(self, reason: str, share: Share) -> dict[str, Any]:
        draws, *wins = self.endings[reason]
        return {
            "reason": reason,
            "battles": share.count,
            "share": self._share(share.count),
            "interval95": list(share_interval(share)),
            "wins": wins,
            "draws": draws,
        }

    def __repr__(self) -> str:
        shares = " / ".join(f"{share:.2%}" for share in (*self.shares, self.draw_share))
        return f"<Results {self.scenario.id!r}: {self.battles:,} battles, wins and draws {shares}>"
