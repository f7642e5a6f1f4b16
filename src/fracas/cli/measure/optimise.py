"""`fracas optimise`: search for a better strategy, queue, build or line-up."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.cells import parse_precision
from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import notice, print_warnings, results_only
from fracas.cli.shared.parameters import File
from fracas.cli.shared.results import print_findings
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file, load_options_of
from fracas.errors import UsageError
from fracas.errors.suggestions import visible

if TYPE_CHECKING:
    from fracas.lab.search.optimise_result import Optimised, SearchSettings

LONGEST_LABEL = 20


def optimise(
    file: File,
    /,
    *,
    side: Annotated[int, Parameter(name="--side", help="The side to improve: 1 or 2.")] = 1,
    part: Annotated[
        str | None,
        Parameter(name="--part", help="What to search: strategy, line-up, ... Default: the first available."),
    ] = None,
    against: Annotated[
        list[str] | None,
        Parameter(
            name="--against",
            help="Opponents: side 1 of these files (side 2 with FILE:2), or a roster. Default: the other side.",
            consume_multiple=True,
            negative="",
        ),
    ] = None,
    held_out: Annotated[
        list[str] | None,
        Parameter(
            name="--held-out",
            help="Opponents that the search never sees; only they decide whether the result is better.",
            consume_multiple=True,
            negative="",
        ),
    ] = None,
    search_seed: Annotated[
        str | None,
        Parameter(name="--search-seed", help="Seed text of the search. Default: derived from the scenario's."),
    ] = None,
    trials: Annotated[
        int | None,
        Parameter(name="--trials", help="Candidates to try. Smaller spaces are tried in full. Default: 300."),
    ] = None,
    stages: Annotated[
        str | None, Parameter(name="--stages", help="Half-width to reach in each stage. Default: 1%,0.2%,0.05%.")
    ] = None,
    keep: Annotated[
        str | None, Parameter(name="--keep", help="Most survivors of each stage except the last. Default: 8,3.")
    ] = None,
    budget: Annotated[
        int | None, Parameter(name="--budget", help="Battles for the whole search. Default: 3,000,000.")
    ] = None,
    pairs: Annotated[
        int | None, Parameter(name="--pairs", help="Pairs of unused battles in the final test. Default: 50,000.")
    ] = None,
    save: Annotated[
        Path | None,
        Parameter(name=("--save", "--out"), help="Write the improved scenario to this .toml or .json file."),
    ] = None,
    options: ScenarioOptions = ScenarioOptions(),
    study: StudyOptions = StudyOptions(),
) -> int:
    """Search for a better strategy, queue, build or line-up, and test it on unused battles.

    If the search space is small, all candidates are tried; otherwise an optimiser suggests them. They are compared with
    increasing precision, and those that are clearly worse drop out. Changes that gain nothing are undone. A final test
    on unused battles, and on held-out opponents if you name any, decides. The same seeds give the same result. Ctrl-C
    ends early with the best candidate so far.

    Try:

        fracas optimise examples/squads/standard-5v5.toml
        fracas optimise examples/squads/standard-5v5.toml --trials 12 --stages 5% --budget 20000 --pairs 500
        fracas optimise examples/squads/standard-5v5.toml --side 2 --part line-up --save better.toml
    """
    from fracas.lab.search.optimise import optimise as search

    settings = _settings(trials, stages, keep, budget, pairs)
    if save is not None:
        _check_ending(save)
    scenario = load_file(file, options)
    print_warnings(scenario.warnings)
    with results_only():
        from fracas.lab.studies.roster import entrants_of

        load_options = load_options_of(replace(options, seed=None, set_=None))
        opponents, unseen = (entrants_of(each or [], load_options) for each in (against, held_out))
        asked = partial(search, scenario, side=side, part=part, against=opponents, held_out=unseen)
        asked = partial(asked, search_seed=search_seed, settings=settings, content=options.folders)
        result = study.play("searching", asked)
    print_findings(result, study.format)
    if save is not None:
        _save(result, save)
    if result.interrupted:
        notice("interrupted: this is the best candidate so far; it has not been tested")
    return INTERRUPTED if result.interrupted else DONE


def _settings(
    trials: int | None, stages: str | None, keep: str | None, budget: int | None, pairs: int | None
) -> SearchSettings:
    """Parse the search settings from the command line.

    Raises:
        InputError: a value is not a number, or out of range.
    """
    from fracas.lab.search.optimise_result import SearchSettings

    settings = SearchSettings.given(
        trials=trials,
        stages=None if stages is None else [parse_precision(each, "--stages") for each in stages.split(",")],
        keep=None if keep is None else [_whole(each) for each in keep.split(",") if each.strip()],
        budget=budget,
        pairs=pairs,
    )
    settings.check()
    return settings


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UsageError.of("--keep", f'"{text.strip()}" is not a whole number', "write 8,3") from None


def _check_ending(save: Path) -> None:
    from fracas.files.atomic_write import writable_path

    if save.suffix not in (".toml", ".json"):
        raise UsageError.of(f"--save {save}", "must end in .toml or .json")
    writable_path(save)


def _save(result: Optimised, save: Path) -> None:
    """Write the improved scenario, if anything changed: the user's file with only the changed lines, where possible.

    Raises:
        InputError: the file cannot be written.
    """
    import json

    from fracas.files.atomic_write import write_atomic
    from fracas.files.toml_writer import toml_text
    from fracas.lab.search.scenario_rewriter import rewritten

    if not result.changes:
        notice(f"found nothing better, so {save} was not written")
        return
    text = rewritten(result, save)
    if text is not None:
        pass
    elif save.suffix == ".json":
        text = json.dumps(result.document, indent=2, ensure_ascii=False) + "\n"
    else:
        head = f"# {result.scenario} with a new {result.part} for side {result.side}, found by fracas optimise.\n\n"
        text = visible(head.strip()) + "\n\n" + toml_text(result.document)
    write_atomic(save, text.encode())
    notice(f"wrote {save}")
