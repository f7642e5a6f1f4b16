"""`fracas why`: explain why one battle was won or lost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import notice, print_warnings, results_only
from fracas.cli.shared.parameters import Format, Threads
from fracas.cli.shared.progress_bar import ProgressBar
from fracas.cli.shared.results import print_findings
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file
from fracas.errors import InputError

if TYPE_CHECKING:
    from fracas.engine.battle import Battle


def why(
    file: Annotated[Path, Parameter(help="A scenario file or a replay.")],
    /,
    *,
    stream: Annotated[
        int | None, Parameter(name="--stream", help="The battle's number under the seed. Default: 0, or the replay's.")
    ] = None,
    n: Annotated[int | None, Parameter(name="-n", help="Rollouts from each round. Default: 1,000.")] = None,
    part: Annotated[
        str | None,
        Parameter(name="--part", help="What may change: strategy, line-up. Default: the ruleset's main part."),
    ] = None,
    options: ScenarioOptions = ScenarioOptions(),
    threads: Threads = None,
    format: Format = "text",
) -> int:
    """Explain one battle: the odds in every round, luck and decisions, the turning point, the best change.

    From the start of each round, many rollouts play the battle to its end with other dice, the same for every round.
    The best single change to the loser's play is selected on half of these dice and measured on the other half. Ctrl-C
    ends early and shows what is complete.

    Try:

        fracas why examples/squads/first-battle.toml
        fracas why examples/squads/first-battle.toml --stream 3 -n 200
    """
    from fracas.lab.explain.why import DEFAULT_BRANCHES
    from fracas.lab.explain.why import why as explain

    settled = {"--stream": stream, "--seed": options.seed, "--profile": options.profile, "--set": options.set_}
    settled["--strict"] = options.strict or None
    saved = _saved(file, options.plugin, [name for name, given in settled.items() if given is not None])
    if saved is None:
        scenario = load_file(file, options)
        number = stream or 0
    else:
        scenario, number = saved.scenario, saved.stream
    print_warnings(scenario.warnings)
    with results_only(), ProgressBar("rollouts") as progress:
        result = explain(
            scenario,
            number,
            DEFAULT_BRANCHES if n is None else n,
            part=part,
            content=options.folders,
            threads=threads,
            steps=progress.update,
            notice=notice,
        )
    print_findings(result, format)
    return INTERRUPTED if result.interrupted else DONE


def _saved(file: Path, plugin: list[Path] | None, settled: Sequence[str]) -> Battle | None:
    """Load the battle of a replay or of a saved duel; None if the file is neither.

    Raises:
        InputError: the file is not valid, or options were given that it already settles.
    """
    from fracas.plugins.loader import load_plugins
    from fracas.replay.load_battle import load_saved_battle

    with results_only():
        battle = load_saved_battle(file, load_plugins(plugin or []), notice)
    if battle is not None and settled:
        message = f"cannot be used with the saved battle {file}"
        raise InputError.of(", ".join(settled), message, "explain its scenario file instead")
    return battle
