"""The Python API for many battles: simulate."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack, cast

from fracas.api.arguments import PlayOptions, ScenarioLike, opened, path_of, scenario_of, with_python_names
from fracas.lab.simulation.export import RunOptions, check_run, simulate_run
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.simulate import Progress


class SimulateOptions(PlayOptions, RunOptions, total=False):
    """Where battles are played, and what is asked of them."""


@with_python_names
def simulate(
    scenario: ScenarioLike,
    n: int | None = None,
    *,
    progress: Progress | None = None,
    out: str | Path | None = None,
    **options: Unpack[SimulateOptions],
) -> Results:
    """Play many battles of one scenario and count how they end.

    Args:
        scenario: a scenario from `load`, or anything that `load` takes.
        n: the number of battles, 1 to 10^9; defaults to 10,000. They are battles 0 to n - 1 under the seed.
        progress: called from time to time with a tally (`.battles`, `.winners`) and the target number of battles.
        out: a Parquet file to write, one row per battle (extra `report`), with a summary beside it; or a .json file
            for the summary only. Finished chunks are stored beside it until it is written.

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
    out_path = path_of("out", out)
    asked = cast(RunOptions, {name: each for name, each in options.items() if name in RunOptions.__annotations__})
    loaded = scenario_of(scenario, options.get("seed"))
    check_run(n, options.get("threads"), out_path, **asked)
    # `resume` is of the run here, not the folder of a study.
    players = {name: each for name, each in options.items() if name in PlayOptions.__annotations__}
    with opened(players) as executor:
        return simulate_run(loaded, n, out_path, threads=executor, progress=progress, **asked)
