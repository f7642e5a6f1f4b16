"""What a little more of each stat is worth: one at a time, all with the same dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fracas.content.validate import dotted, shown
from fracas.errors import UsageError
from fracas.lab.crew import Hands
from fracas.lab.ladder import Steps
from fracas.lab.notebook import Shown
from fracas.lab.paired import Outcome, trials
from fracas.lab.patience import Patience
from fracas.lab.sample import variant
from fracas.lab.shown import best_json, inputs_json, versions_json
from fracas.replay.play import Notice
from fracas.replay.scenario import Scenario
from fracas.rulesets.documents import placed
from fracas.rulesets.hooks import Seat, Stat


@dataclass(frozen=True, eq=False)
class Worth:
    """A stat, the value that was tried, and what came of it."""

    stat: Stat
    tried: int | float
    outcome: Outcome


@dataclass(frozen=True)
class Skipped:
    """A stat that was not tried, and why."""

    stat: Stat
    reason: str


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivity(Shown):
    """What a step of each stat of a side is worth, the largest gain first."""

    scenario: Scenario
    side: int
    """Whose stats, and whose score."""
    step: int | float
    """How many steps of the stat's own were tried; below 0 for less of it."""
    base: Outcome
    """The scenario as it is."""
    possible: int
    """How many stats there are."""
    stats: Sequence[Worth] = field(default_factory=list)
    skipped: Sequence[Skipped] = field(default_factory=list)
    interrupted: bool = False
    """True if Ctrl-C ended it early; the stats that are there are whole."""

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas sensitivity --format json` prints."""
        return {
            **inputs_json("sensitivity", self.scenario),
            "side": self.side,
            "steps": self.step,
            "base": self.base.as_json(self.side),
            "possible": self.possible,
            "stats": [
                {**_stat_json(each.stat), "step": each.tried - each.stat.value, **each.outcome.as_json(self.side)}
                for each in self.stats
            ],
            "skipped": [{**_stat_json(each.stat), "reason": each.reason} for each in self.skipped],
            **best_json(len(self.stats)),
            **versions_json(self.scenario),
            "interrupted": self.interrupted,
        }


def _stat_json(stat: Stat) -> dict[str, Any]:
    return {"path": dotted(stat.path), "name": stat.name, "owner": stat.owner, "value": stat.value}


@Patience()
def sensitivity(
    scenario: Scenario,
    n: int | None = None,
    *,
    side: int = 1,
    step: float = 1,
    threads: Hands = None,
    steps: Steps | None = None,
    notice: Notice | None = None,
) -> Sensitivity:
    """Play n battles of a scenario as it is, and again with a step more of each stat of a side; the same dice in all.

    Stats that cannot be raised so far are skipped. Ctrl-C ends with the stats that are whole.

    Raises:
        InputError: the ruleset lists no stats, or an amount is out of range.
        FaultError: a battle ran into a limit of ours.
    """
    check_step(step)
    settings = trials(n, side, threads, notice)
    stats = scenario.ruleset.lab.stats(Seat(scenario.document, side))
    settings = replace(settings, planned=settings.battles * (len(stats) + 1))
    base = settings.play(scenario)
    tried: list[Worth] = []
    skipped: list[Skipped] = []
    interrupted = base.results.interrupted
    try:
        for done, stat in enumerate(() if interrupted else stats):
            if steps is not None:
                steps(done, len(stats), f"{stat.owner}: {stat.name}")
            value = raised(stat, step)
            reason = out_of_bounds(stat, value)
            if reason is not None:
                skipped.append(Skipped(stat, reason))
                continue
            played = settings.play(variant(scenario, placed(scenario.document, stat.path, value)))
            if played.results.interrupted:
                interrupted = True
                break
            tried.append(Worth(stat, value, settings.outcome(base, played)))
    except KeyboardInterrupt:
        interrupted = True
    tried.sort(key=lambda each: -each.outcome.gain)
    return Sensitivity(scenario, side, step, settings.outcome(base, base), len(stats), tried, skipped, interrupted)


def check_step(step: float) -> None:
    """Refuse a step that leads nowhere.

    Raises:
        InputError: it is 0, no number, or not finite.
    """
    if isinstance(step, bool) or not isinstance(step, int | float):
        raise UsageError.of("--step", f"{shown(step)} is not a number")
    if not 0 < abs(step) <= 1_000_000:
        raise UsageError.of("--step", f"{step:g} is out of range: up to 1,000,000 either way, and not 0")


def raised(stat: Stat, step: float) -> float:
    """A stat's value so many of its steps further; whole if it can be."""
    value = stat.value + step * stat.step
    return int(value) if isinstance(stat.value, int) and value == int(value) else value


def out_of_bounds(stat: Stat, value: float) -> str | None:
    """Why a stat cannot have a value; None if it can."""
    if value > stat.most:
        return f"{stat.most:,} is the most that is allowed"
    if value < stat.least:
        return f"{stat.least:,} is the least that is allowed"
    if isinstance(stat.value, int) and value != int(value):
        return "it takes whole numbers"
    return None
