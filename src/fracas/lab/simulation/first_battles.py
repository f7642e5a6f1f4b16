"""Adds contributions and timelines to results, by replaying the first battles with a log."""

from __future__ import annotations

from msgspec.structs import replace

from fracas.engine.player import Notice
from fracas.errors import InputError
from fracas.lab.simulation.contributions import DEFAULT_LOGGED, BattleProgress, contributions
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.timeline import timeline


def with_contributions(
    results: Results, wanted: int | None, notice: Notice | None = None, progress: BattleProgress | None = None
) -> Results:
    """Results with contributions of their first `wanted` battles; 0 for none, None for 200 if the ruleset has them.

    A part of a run that does not begin with battle 0 gets none. After Ctrl-C fewer battles are used, or none, and the
    results are marked as interrupted although their counts are complete.

    Raises:
        InputError: a number was given, but the ruleset has none, or a battle has more events than a log holds.
    """
    battles = _within(results, DEFAULT_LOGGED if wanted is None else wanted)
    if not battles or results.interrupted or results.start:
        return results
    if results.stop_asked:
        return replace(results, interrupted=True)
    try:
        counted = contributions(results.loaded, battles, notice, progress)
    except InputError:
        if wanted is not None:
            raise
        return results
    results = _cut_short(results, counted.battles, battles)
    return replace(results, contributions=counted) if counted.battles else results


def with_timeline(
    results: Results, wanted: int, notice: Notice | None = None, progress: BattleProgress | None = None
) -> Results:
    """Results with a timeline of their first `wanted` battles; 0 for none. After Ctrl-C there are fewer battles.

    Raises:
        InputError: the ruleset has no timeline, or a battle has more events than a log holds.
    """
    battles = _within(results, wanted)
    if not battles or results.interrupted:
        return results
    if results.stop_asked:
        return replace(results, interrupted=True)
    timed = timeline(results.loaded, battles, notice, progress)
    results = _cut_short(results, timed.battles, battles)
    return replace(results, timeline=timed) if timed.battles else results


def _within(results: Results, wanted: int) -> int:
    """How many battles to replay: one is enough if nothing depends on luck."""
    return min(wanted, 1 if results.deterministic else results.battles)


def _cut_short(results: Results, played: int, battles: int) -> Results:
    """Results marked as interrupted if Ctrl-C left fewer battles than requested."""
    return replace(results, interrupted=True, stop_asked=True) if played < battles else results
