"""Results with what their first battles tell when these are played once more with a log."""

from __future__ import annotations

from dataclasses import replace

from fracas.engine.player import Notice
from fracas.errors import InputError
from fracas.lab.simulation.contributions import DEFAULT_LOGGED, Contributions, Told, contributions
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.timeline import Timeline, timeline


def with_contributions(
    results: Results, wanted: int | None, notice: Notice | None = None, told: Told | None = None
) -> Results:
    """Results with what units did in the first `wanted` of their battles; 0 are none, None are 200 where it is known.

    A part of a run that does not begin with battle 0 has none of them. After Ctrl-C it is in fewer, or in none. The
    results are then called interrupted, although they are whole.

    Raises:
        InputError: so many were wanted, and the ruleset does not tell or a battle has more events than a log holds.
    """
    battles = _within(results, DEFAULT_LOGGED if wanted is None else wanted)
    if not battles or results.interrupted or results.start:
        return results
    if results.stop_asked:
        return replace(results, interrupted=True)
    try:
        found = contributions(results.scenario, battles, notice, told)
    except InputError:
        if wanted is not None:
            raise
        return results
    results = _cut_short(results, found, battles)
    return replace(results, contributions=found) if found.battles else results


def with_timeline(results: Results, wanted: int, notice: Notice | None = None, told: Told | None = None) -> Results:
    """Results with how the first `wanted` of their battles went; 0 are none. After Ctrl-C it is of fewer.

    Raises:
        InputError: the ruleset does not tell, or a battle has more events than a log holds.
    """
    battles = _within(results, wanted)
    if not battles or results.interrupted:
        return results
    if results.stop_asked:
        return replace(results, interrupted=True)
    found = timeline(results.scenario, battles, notice, told)
    results = _cut_short(results, found, battles)
    return replace(results, timeline=found) if found.battles else results


def _within(results: Results, wanted: int) -> int:
    """How many battles there are to look at: one stands for all if nothing depends on luck."""
    return min(wanted, 1 if results.deterministic else results.battles)


def _cut_short(results: Results, found: Contributions | Timeline, battles: int) -> Results:
    """Results that are called interrupted if Ctrl-C left fewer battles than so many."""
    return replace(results, interrupted=True, stop_asked=True) if found.battles < battles else results
