"""The Python API for many battles: simulate."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Unpack

from fracas.api.arguments import PlayOptions, ScenarioLike, check_kind, opened, scenario_of, with_python_names
from fracas.errors import UsageError
from fracas.lab.simulation.contributions import check_logged
from fracas.lab.simulation.export import simulate_to_file
from fracas.lab.simulation.first_battles import with_contributions, with_timeline
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.simulate import Progress, check_amounts, check_start
from fracas.lab.simulation.simulate import simulate as simulate_scenario
from fracas.lab.simulation.timeline import check_timed


@with_python_names
def simulate(
    scenario: ScenarioLike,
    n: int | None = None,
    *,
    precision: float | None = None,
    progress: Progress | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    contributions: int = 0,
    start: int = 0,
    timeline: int = 0,
    **options: Unpack[PlayOptions],
) -> Results:
    """Play many battles of one scenario and count how they end.

    Args:
        scenario: a scenario from `load`, or anything that `load` takes.
        n: the number of battles, 1 to 10^9; defaults to 10,000. They are battles 0 to n - 1 under the seed.
        precision: instead of n, play until the widest of the three 95% half-widths is at most this many percentage
            points, 0.001 to 50.
        progress: called from time to time with a tally (`.battles`, `.winners`) and the target number of battles.
        out: a Parquet file to write, one row per battle (extra `report`), with a summary beside it; or a .json file
            for the summary only. Finished chunks are stored beside it until it is written.
        resume: continue an earlier call from the chunks stored beside `out`.
        contributions: report what each unit did in this many first battles, which are played again for that.
        start: the number of the first battle, from 0, to play one part of a run; `fracas lab merge` combines the parts.
        timeline: report HP by round in this many first battles, at most 20,000, which are played again for that.

    Returns:
        The results: `wins`, `draws`, `shares` (0 to 1), `interval95` (Wilson), `reasons`, rounds; the distributions of
        rounds (`lengths`) and HP (`hp_left`); `contributions`; `timeline`. Ctrl-C ends early with the battles so far
        and sets `interrupted`.

    Raises:
        InputError: the scenario or an amount is not valid, or the file cannot be written.
        FaultError: a battle hit a limit of the engine.

    Source: docs/how-to/many-battles.md.

        >>> results = simulate("examples/squads/standard-5v5.toml", n=100)
        >>> results.battles == sum(results.wins) + results.draws
        True
    """
    loaded = scenario_of(scenario, options.get("seed"))
    check_amounts(n, precision, options.get("threads"))
    check_start(start, n, precision)
    check_logged(contributions)
    check_timed(timeline)
    if out is not None:
        check_kind("out", out, (str, Path), "a path")
    elif resume:
        raise UsageError.of("resume", "needs out: finished chunks are stored beside the result")
    with opened(options) as executor:
        if out is None:
            results = simulate_scenario(
                loaded, n, precision=precision, threads=executor, progress=progress, start=start
            )
        else:
            place = Path(out)
            asked: dict[str, Any] = {"precision": precision, "resume": resume, "contributions": contributions}
            return simulate_to_file(
                place, loaded, n, timeline=timeline, threads=executor, progress=progress, start=start, **asked
            )
    return with_timeline(with_contributions(results, contributions), timeline)
