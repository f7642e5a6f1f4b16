"""The lab for Python programs: odds, sweeps, what a stat is worth, battles that are looked for, explained, reported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fracas.api.arguments import (
    ScenarioLike,
    check_kind,
    check_list,
    check_text,
    path_of,
    paths_of,
    scenario_of,
    with_python_names,
)
from fracas.cluster.executors import open_executor
from fracas.engine.battle import Battle
from fracas.engine.scenario import Scenario, load_scenario
from fracas.errors import InputError
from fracas.lab.explain.explanation import Why
from fracas.lab.explain.why import DEFAULT_BRANCHES
from fracas.lab.explain.why import why as explain_battle
from fracas.lab.presentation.notebook import Result
from fracas.lab.studies.find import Found
from fracas.lab.studies.find import find as find_battle
from fracas.lab.studies.odds import Odds, find_odds
from fracas.lab.studies.sensitivity import Sensitivity
from fracas.lab.studies.sensitivity import sensitivity as try_stats
from fracas.lab.studies.sweep import Sweep, axes_of
from fracas.lab.studies.sweep import sweep as sweep_scenario
from fracas.lab.studies.variant_sets import VariantSet, play_variants, read_variants, title_of, variants_of
from fracas.replay.saved_battle import load_saved_battle
from fracas.rulesets.contract.types import Override

if TYPE_CHECKING:
    from fracas.reports.build import Report


@with_python_names
def odds(
    scenario: ScenarioLike,
    n: int | None = None,
    *,
    budget: int | None = None,
    simulate: bool = False,
    precision: float | None = None,
    seed: str | None = None,
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
) -> Odds:
    """How a battle will probably end: exactly where all its ways can be followed, else by simulation.

    Args:
        scenario: a scenario from `load`, or what `load` takes.
        n: simulate so many battles, 1 to 10^9; absent means exact odds, or else 10,000.
        budget: how many states exact odds may take, 1 to 10^7; absent means 10^6, or fewer where it is hopeless.
        simulate: simulate even where exact odds fit.
        precision: simulate until the widest of the three 95% half-widths is so many percentage points,
            0.001 to 50.
        seed: the seed text; absent means the scenario's own. Exact odds do not depend on it.
        threads: how many threads simulate; absent means one for each core.
        workers: instead of threads, so many processes of this machine (extra `cluster`). Exact odds need none.
        scheduler: instead of threads, the workers of a scheduler, such as tcp://192.168.1.10:8786 (extra `cluster`).

    Returns:
        The odds: `method` (`exact` or `simulation`), `sides` with `win` and `loss`, each with a `share` and an
        `interval95`, `draws` by reason, `reasons`, `rounds`, `error`; `as_json()`. Ctrl-C ends early; `interrupted` is
        then true.

    Raises:
        InputError: the scenario or an amount is not valid, or a budget is given for a simulation.
        FaultError: a battle ran into a limit of ours.

    Source: docs/how-to/exact-odds.md.

        >>> found = odds("examples/squads/coin-toss.toml")
        >>> found.method, found.sides[0].win.share
        ('exact', 0.5)
    """
    loaded = scenario_of(scenario, seed)
    with open_executor(threads, workers, scheduler) as executor:
        return find_odds(loaded, n, precision=precision, budget=budget, simulated=simulate, threads=executor)


@with_python_names
def sweep(
    scenario: ScenarioLike,
    ranges: Mapping[str, Any] | Sequence[str],
    n: int | None = None,
    *,
    side: int = 1,
    seed: str | None = None,
    content: Iterable[str | Path] = (),
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    resume: str | Path | None = None,
) -> Sweep:
    """Vary values of a scenario and play the same battles with each.

    Args:
        scenario: a scenario from `load`, or what `load` takes.
        ranges: the values by path, `{"sides.0.units.0.attack": range(20, 41, 2)}`, or texts as the command line has
            them, `["sides.0.units.0.attack=20:40:2"]`. Several make a grid, of at most 1,000 points.
        n: how many battles of each point, 1 to 10^8; absent means 10,000. Battle i has the same dice in all.
        side: whose score is told, 1 or 2.
        seed: the seed text; absent means the scenario's own.
        content: folders of TOML over the shipped content; with a `Scenario`, those that it was loaded with.
        threads: how many threads play; absent means one for each core. The result does not depend on it.
        workers: instead of threads, so many processes of this machine (extra `cluster`).
        scheduler: instead of threads, the workers of a scheduler, such as tcp://192.168.1.10:8786 (extra `cluster`).
        resume: a folder in which finished ranges are kept while it goes on; the same call takes them up from there.

    Returns:
        `base`, the scenario as it is, and `points`, each with its `values` and its `outcome`: `score`, `gain` and their
        intervals; `as_json()`. Ctrl-C ends early with whole points; `interrupted` is then true.

    Raises:
        InputError: every path, value and amount that is not valid; nothing was played then.
        FaultError: a battle ran into a limit of ours.

    Source: docs/how-to/sweep-and-sensitivity.md.

        >>> found = sweep("examples/squads/standard-5v5.toml", {"sides.0.units.0.attack": [5, 45]}, n=50)
        >>> [point.outcome.gain > 0 for point in found.points]
        [False, True]
    """
    folders = paths_of("content", content)
    loaded = scenario_of(scenario, seed, folders)
    axes = axes_of(ranges, *loaded.documents)
    with open_executor(threads, workers, scheduler, resume=path_of("resume", resume)) as executor:
        return executor.finish_study(sweep_scenario(loaded, axes, n, side=side, folders=folders, threads=executor))


@with_python_names
def sensitivity(
    scenario: ScenarioLike,
    n: int | None = None,
    *,
    side: int = 1,
    step: float = 1,
    costs: Mapping[str, float] | None = None,
    pairs: int = 0,
    seed: str | None = None,
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    resume: str | Path | None = None,
) -> Sensitivity:
    """What one more of each stat of each unit of a side is worth.

    Args:
        scenario: a scenario from `load`, or what `load` takes.
        n: how many battles with each change, 1 to 10^8; absent means 10,000. Battle i has the same dice in all.
        side: whose stats, and whose score, 1 or 2.
        step: how many more of each stat; below 0, how many fewer.
        costs: what one more of a stat costs, by its name, in points of a budget; others cost 1.
        pairs: raise so many of the best stats two at a time besides, 2 to 40; 0 means none.
        seed: the seed text; absent means the scenario's own.
        threads: how many threads play; absent means one for each core. The result does not depend on it.
        workers: instead of threads, so many processes of this machine (extra `cluster`).
        scheduler: instead of threads, the workers of a scheduler, such as tcp://192.168.1.10:8786 (extra `cluster`).
        resume: a folder in which finished ranges are kept while it goes on; the same call takes them up from there.

    Returns:
        `base`, the scenario as it is; `stats`, the largest gain for a point first, each with its `stat`, `outcome`,
        `cost` and `per_point`; `pairs`, each with `synergy`; `skipped`, those at the end of their range; `as_json()`.
        Ctrl-C ends early; `interrupted` is then true.

    Raises:
        InputError: the scenario or an amount is not valid, or the ruleset lists no stats.
        FaultError: a battle ran into a limit of ours.

    Source: docs/how-to/sweep-and-sensitivity.md.
    """
    with open_executor(threads, workers, scheduler, resume=path_of("resume", resume)) as executor:
        loaded = scenario_of(scenario, seed)
        return executor.finish_study(
            try_stats(loaded, n, side=side, step=step, costs=costs, pairs=pairs, threads=executor)
        )


def variants(
    scenario: ScenarioLike,
    variants: str | Path | Mapping[str, Mapping[str, Any]],
    n: int | None = None,
    *,
    side: int = 1,
    seed: str | None = None,
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    resume: str | Path | None = None,
) -> VariantSet:
    """Many named variants beside a scenario, all with the same dice, ranked and corrected for how many they are.

    Args:
        scenario: a scenario from `load`, or what `load` takes.
        variants: a file of variants, or by name the values that each replaces by path:
            `{"sharp": {"sides.0.units.0.attack": 40}}`.
        n: how many battles of each, 1 to 10^8; absent means 10,000. Battle i has the same dice in all.
        side: whose score, 1 or 2.
        seed: the seed text; absent means the scenario's own.
        threads: how many threads play; absent means one for each core. The result does not depend on it.
        workers: instead of threads, so many processes of this machine (extra `cluster`).
        scheduler: instead of threads, the workers of a scheduler, such as tcp://192.168.1.10:8786 (extra `cluster`).
        resume: a folder in which finished ranges are kept while it goes on; the same call takes them up from there.

    Returns:
        `base`, the scenario as it is; `variants`, the best first, each with its `outcome`, `together95` (an interval of
        the gain that holds for all at once), `p`, `group` and `verdict`; `as_json()`. Ctrl-C ends early; `interrupted`
        is then true.

    Raises:
        InputError: the scenario, a variant or an amount is not valid.
        FaultError: a battle ran into a limit of ours.

    Source: docs/how-to/compare-two-strategies.md.

        >>> found = variants("examples/squads/coin-toss.toml", {"sharp": {"sides.0.units.0.attack": 40}}, n=200)
        >>> found.variants[0].verdict
        'better'
    """
    base = scenario_of(scenario, seed)
    with open_executor(threads, workers, scheduler, resume=path_of("resume", resume)) as executor:
        if isinstance(variants, Mapping):
            named, title = variants_of(variants, base), "variants"
        else:
            check_kind("variants", variants, (str, Path), "a path or a mapping")
            named = read_variants(Path(variants), base, side, partial(_loaded, seed))
            title = title_of(Path(variants))
        return executor.finish_study(play_variants(base, named, n, title=title, side=side, threads=executor))


def _loaded(seed: str | None, path: Path, values: Sequence[Override]) -> Scenario:
    return load_scenario(path, seed=seed, overrides=values)


@with_python_names
def find(
    scenario: ScenarioLike,
    condition: str,
    limit: int | None = None,
    *,
    start: int = 0,
    seed: str | None = None,
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    resume: str | Path | None = None,
) -> Found:
    """Look for the first battle that ends as a condition says.

    Args:
        scenario: a scenario from `load`, or what `load` takes.
        condition: over `winner`, `rounds`, `hp_left_1`, `hp_left_2`, `units_left_1`, `units_left_2`, other numbers of
            the ruleset, and the names of its ways to end: `"winner == 2 and hp_left_2 < 5"`.
        limit: how many battles are looked at, 1 to 10^9; absent means 10^6.
        start: the number of the battle to begin with.
        seed: the seed text; absent means the scenario's own.
        threads: how many threads play; absent means one for each core. The result does not depend on it.
        workers: instead of threads, so many processes of this machine (extra `cluster`).
        scheduler: instead of threads, the workers of a scheduler, such as tcp://192.168.1.10:8786 (extra `cluster`).
        resume: a folder in which finished ranges are kept while it goes on; the same call takes them up from there.

    Returns:
        What was found: `stream`, the battle's number, or None; `battle`, the same played with its events; `searched`;
        `as_json()`. Ctrl-C ends early; `interrupted` is then true.

    Raises:
        InputError: the scenario, the condition or an amount is not valid.
        FaultError: a battle ran into a limit of ours.

    Source: docs/how-to/find-a-battle.md.

        >>> find("examples/squads/standard-5v5.toml", "winner == 2", limit=50).battle.winner
        2
    """
    check_kind("condition", condition, str, "a text")
    with open_executor(threads, workers, scheduler, resume=path_of("resume", resume)) as executor:
        return executor.finish_study(
            find_battle(scenario_of(scenario, seed), condition, limit, start=start, threads=executor)
        )


@with_python_names
def why(
    battle: ScenarioLike | Battle,
    n: int = DEFAULT_BRANCHES,
    *,
    stream: int | None = None,
    part: str | None = None,
    seed: str | None = None,
    content: Iterable[str | Path] = (),
    threads: int | None = None,
) -> Why:
    """Explain one battle: odds at every round, luck against decision, the turning point, the best change for the loser.

    Args:
        battle: a battle from `run`; the path of a replay or of a kept duel; or a scenario, as `run` takes it.
        n: how many battles are gone on with from each round, 32 to 10^6, always with the same dice.
        stream: of a scenario, the battle's number under the seed; absent means 0.
        part: what may be changed, one of the ruleset's parts such as strategy; absent means its most usual.
        seed: of a scenario, the seed text; absent means the scenario's own.
        content: folders of TOML over the shipped content, from which changes come too.
        threads: how many threads play; absent means one for each core. The figures do not depend on it.

    Returns:
        The explanation: `standings` (each with `odds`, `change`, `luck`, `decision`), `turning_point`, `decisions`,
        `searches` and `best_change`; `as_json()`. Ctrl-C ends early; `interrupted` is then true.

    Raises:
        InputError: the scenario, the file or an amount is not valid, or there is no such part.
        FaultError: a battle ran into a limit of ours.

    Source: docs/how-to/why-did-i-lose.md.

        >>> found = why("examples/squads/first-battle.toml", n=32)
        >>> len(found.standings) == found.battle.rounds
        True
    """
    if part is not None:
        check_text("part", part)
    folders = paths_of("content", content)
    if not isinstance(battle, Battle):
        kept = load_saved_battle(Path(battle), {}) if isinstance(battle, str | Path) else None
        if kept is None:
            scenario = scenario_of(battle, seed, folders)
            number = 0 if stream is None else stream
            return explain_battle(scenario, number, n, part=part, content=folders, threads=threads)
        battle = kept
    if seed is not None or stream is not None:
        raise InputError.of("seed, stream", "are settled by the battle", "give the scenario instead")
    return explain_battle(battle.scenario, battle.stream, n, part=part, content=folders, threads=threads)


@with_python_names
def report(
    sources: Sequence[ScenarioLike | Result],
    out: str | Path | None = None,
    *,
    n: int | None = None,
    side: int = 1,
    stream: int | None = None,
    seed: str | None = None,
    content: Iterable[str | Path] = (),
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
) -> Report:
    """Put scenarios and results on one page: charts, tables, inputs, versions.

    Args:
        sources: scenarios from `load`, or what `load` takes; results of this interface, such as those of `simulate` and
            `compare`; JSON files that lab commands printed. Scenarios are played: simulated, and of one or two of them
            it is said why a battle was lost and which stat would help most; two are compared.
        out: the HTML file to write.
        n: how many battles of each scenario, 1 to 10^9; absent means 10,000.
        side: whose score is compared, if two scenarios are.
        stream: the battle to explain; absent means the first that the side which wins less often loses.
        seed: the seed text for scenarios that are read from files or mappings; absent means their own.
        content: folders of TOML over the shipped content; with a `Scenario`, those that it was loaded with.
        threads: how many threads play; absent means one for each core. The page does not depend on it.
        workers: instead of threads, so many processes of this machine (extra `cluster`). Why a battle was lost is found
            out on this machine all the same.
        scheduler: instead of threads, the workers of a scheduler, such as tcp://192.168.1.10:8786 (extra `cluster`).

    Returns:
        The report: `summary` in sentences, `html`, `save(path)`. Ctrl-C ends early; `interrupted` is then true.

    Raises:
        InputError: a source or an amount is not valid, the file cannot be written, or the extra `report` is missing.
        FaultError: a battle ran into a limit of ours.

    Source: docs/how-to/share-a-report.md.

        >>> page = report([why("examples/squads/first-battle.toml", n=32)])
        >>> len(page.summary)
        2
    """
    from fracas.reports.build import build, check_out

    check_list("sources", sources, (str, Path, Mapping, Scenario, Result), "scenarios and results")
    check_text("seed", seed)
    if out is not None:
        check_kind("out", out, (str, Path), "a path")
        check_out(Path(out), [Path(source) for source in sources if isinstance(source, str | Path)])
    folders = paths_of("content", content)
    with open_executor(threads, workers, scheduler) as executor:
        page = build(sources, n=n, side=side, stream=stream, threads=executor, seed=seed, content=folders)
    if out is not None:
        page.save(out)
    return page
