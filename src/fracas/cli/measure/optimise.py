"""`fracas optimise`: search for a better strategy, queue, build or line-up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.shared.cells import parse_precision
from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import columns, count, headline, notice, print_result, print_warnings, results_only
from fracas.cli.shared.parameters import File
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file, load_options_of
from fracas.errors import UsageError
from fracas.errors.suggestions import visible
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HEADING, HELP, PLAIN, Line, Span

if TYPE_CHECKING:
    from fracas.lab.search.final_test import FinalTest
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
        with study.open("searching") as (executor, bar):
            found = search(
                scenario,
                side=side,
                part=part,
                against=opponents,
                held_out=unseen,
                search_seed=search_seed,
                settings=settings,
                content=options.folders,
                threads=executor,
                steps=bar.update,
                notice=notice,
            )
            executor.finish_study(found)
    print_result(found, study.format, render)
    if save is not None:
        _save(found, save)
    if found.interrupted:
        notice("interrupted: this is the best candidate so far; it has not been tested")
    return INTERRUPTED if found.interrupted else DONE


def _settings(
    trials: int | None, stages: str | None, keep: str | None, budget: int | None, pairs: int | None
) -> SearchSettings:
    """Parse the search settings from the command line.

    Raises:
        InputError: a value is not a number, or out of range.
    """
    from fracas.lab.search.optimise_result import DEFAULT_KEEP, DEFAULT_STAGES, SearchSettings

    wanted = (
        DEFAULT_STAGES if stages is None else tuple(parse_precision(each, "--stages") for each in stages.split(","))
    )
    if keep is None:
        counts = (*DEFAULT_KEEP, *[DEFAULT_KEEP[-1]] * len(wanted))[: max(0, len(wanted) - 1)]
    else:
        counts = tuple(_whole(each) for each in keep.split(",") if each.strip())
    amounts = {"trials": trials, "budget": budget, "pairs": pairs}
    given: dict[str, Any] = {name: amount for name, amount in amounts.items() if amount is not None}
    settings = replace(SearchSettings(stages=wanted, keep=counts), **given)
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


def _save(found: Optimised, save: Path) -> None:
    """Write the improved scenario, if anything changed: the user's file with only the changed lines, where possible.

    Raises:
        InputError: the file cannot be written.
    """
    import json

    from fracas.files.atomic_write import write_atomic
    from fracas.files.toml_writer import toml_text
    from fracas.lab.search.scenario_rewriter import rewritten

    if not found.changes:
        notice(f"found nothing better, so {save} was not written")
        return
    text = rewritten(found, save)
    if text is not None:
        pass
    elif save.suffix == ".json":
        text = json.dumps(found.document, indent=2, ensure_ascii=False) + "\n"
    else:
        head = f"# {found.scenario.id} with a new {found.part} for side {found.side}, found by fracas optimise.\n\n"
        text = visible(head.strip()) + "\n\n" + toml_text(found.document)
    write_atomic(save, text.encode())
    notice(f"wrote {save}")


def render(found: Optimised) -> list[Line]:
    """Format a search as lines of text."""
    name = visible(found.scenario.ruleset.side_names(found.scenario.document)[found.side - 1])
    against = _listed([opponent.name for opponent in found.opponents])
    how = "all tried" if found.enumerated else f'search seed "{visible(found.search_seed)}"'
    text = f"{found.part} of {name} against {against}"
    space = f"{count(len(found.knobs), 'dimension')}, {_amount(found.combinations)} combinations, {how}"
    lines: list[Sequence[Span]] = [[(headline(found.scenario), HEADING)], [(text, ASIDE)], [(space, ASIDE)], []]
    lines += _stages(found)
    lines += [[], *_changes(found)]
    if found.final is not None:
        lines += [[], *_final(found.final)]
    return [Line(0, tuple(spans)) for spans in lines]


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(visible(name) for name in names[:4])
    return shown if len(names) <= 4 else f"{shown} and {len(names) - 4} more"


def _amount(count: int) -> str:
    return f"{count:,}" if count < 10**9 else f"{count:.1e}"


def _stages(found: Optimised) -> Iterator[list[Span]]:
    """Format a line per stage, and one for the final local search."""
    rows = [("stage", "candidates", "survive", "battles", "reached", "")]
    for stage in found.stages:
        remark = "budget share used up" if stage.is_cut else "one candidate left" if stage.survivors == 1 else ""
        counts = (f"{stage.candidates:,}", f"{stage.survivors:,}", f"{stage.battles:,}")
        rows.append((f"±{stage.wanted:.2%}", *counts, f"±{stage.reached:.2%}", remark))
    for place, row in enumerate(columns(rows, right=(1, 2, 3, 4))):
        yield [(f"  {row}", PLAIN if place else ASIDE)]
    polish = found.polish
    if polish is not None:
        text = (
            f"local search: {count(polish.turns, 'step')}, {polish.taken:,} better, {count(polish.restarts, 'restart')}"
        )
        text += f", {count(polish.battles, 'battle')}"
        yield [(f"  {text}{'; budget used up' if polish.is_cut else ''}", PLAIN)]


def _changes(found: Optimised) -> Iterator[list[Span]]:
    """Format a line per changed dimension, with the gain of that change alone."""
    if not found.changes:
        yield [("  found nothing better than the original", EMPHASIS)]
        return
    worths = {worth.dimension.name: worth for worth in found.worths}
    rows = [("what changed", "from", "to", "worth", "(95%)")]
    for dimension, place in found.changes:
        worth = worths.get(dimension.name)
        gains = ("", "") if worth is None else (f"{100 * worth.gain:+.1f}", _reach(worth.gain95))
        rows.append(
            (dimension.name, _short(dimension.labels[dimension.current]), _short(dimension.labels[place]), *gains)
        )
    for place, row in enumerate(columns(rows, right=(3, 4))):
        yield [(f"  {row}", PLAIN if place else ASIDE)]


def _short(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"


def _reach(interval: tuple[float, float]) -> str:
    low, high = interval
    return "certain" if low == high else f"±{100 * (high - low) / 2:.1f}"


def _interval(interval: tuple[float, float]) -> str:
    low, high = interval
    return "certain" if low == high else f"{100 * low:+.1f} to {100 * high:+.1f}"


def _final(final: FinalTest) -> Iterator[list[Span]]:
    """Format the final test on unused battles, opponent by opponent, and its verdict."""
    rows = [("on unused battles against", "pairs", "original", "improved", "gain", "(95%)")]
    shown = [*final.rows, final.whole] if len(final.rows) > 1 else final.rows
    for row in shown:
        name = row.opponent + (" (held out)" if row.is_held_out else "")
        shares = (f"{row.given:.2%}", f"{row.improved:.2%}", f"{100 * row.gain:+.2f}")
        rows.append((name, f"{row.pairs:,}", *shares, _interval(row.gain95)))
    for place, row_text in enumerate(columns(rows, right=(1, 2, 3, 4))):
        yield [(f"  {row_text}", PLAIN if place else ASIDE)]
    yield []
    yield [(f"  {_verdict(final)}", HELP if final.is_better else HARM if final.verdict == "A" else EMPHASIS)]
    if not final.deterministic:
        yield [(f"  false positives: at most {final.test.alpha:.0%} of searches", ASIDE)]


def _verdict(final: FinalTest) -> str:
    from fracas.lab.statistics.sequential_test import NO_DIFFERENCE

    whose = "held-out opponents" if final.whole.is_held_out else "known opponents"
    if final.deterministic:
        return f"{'better' if final.is_better else 'not better'} than the original: certain ({whose})"
    test = final.test
    pairs = f"after {count(test.pairs, 'pair')} ({whose}, unused battles)"
    return {
        "B": f"better than the original: decided {pairs}",
        "A": f"worse than the original: decided {pairs}",
        NO_DIFFERENCE: f"neither is better in {0.5 + test.delta:.1%} of the pairs that differ, decided {pairs}",
    }.get(final.verdict, f"not proved better than the original: {final.verdict} {pairs}")
