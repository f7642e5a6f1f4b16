"""The Python API of the lab: odds, find, why and report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from fracas.api.arguments import (
    PlayOptions,
    ScenarioLike,
    StudyOptions,
    check_kind,
    check_list,
    check_text,
    opened,
    paths_of,
    scenario_of,
    with_python_names,
)
from fracas.engine.battle import Battle
from fracas.engine.scenario import Scenario
from fracas.errors import InputError
from fracas.lab.explain.why import DEFAULT_BRANCHES
from fracas.lab.explain.why import why as explain_battle
from fracas.lab.explain.why_result import Why
from fracas.lab.presentation.notebook import Document
from fracas.lab.studies.find import find as find_battle
from fracas.lab.studies.find_result import Found
from fracas.lab.studies.odds import find_odds
from fracas.lab.studies.odds_result import Odds
from fracas.replay.load_battle import load_saved_battle

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
    **options: Unpack[PlayOptions],
) -> Odds:
    """Compute the odds of a battle, exactly where possible, otherwise by simulation.

    Args:
        scenario: a scenario from `load`, or anything that `load` takes.
        n: the number of battles to simulate, 1 to 10^9; defaults to exact odds, or to 10,000 if these do not fit.
        budget: most states to enumerate for exact odds, 1 to 10^7; defaults to 10^6, or fewer if that cannot suffice.
        simulate: simulate even if exact odds are possible.
        precision: simulate until the widest of the three 95% half-widths is at most this many percentage points,
            0.001 to 50.
        seed: the seed text; defaults to the scenario's. Exact odds do not depend on it.

    Returns:
        The odds: `method` (`exact` or `simulation`), `sides` with `win` and `loss`, each with a `share` and an
        `interval95`, `draws` by reason, `reasons`, `rounds`, `error`; `as_json()`. Ctrl-C ends early and sets
        `interrupted`.

    Raises:
        InputError: the scenario or an amount is not valid, or a budget is given for a simulation.
        FaultError: a battle hit a limit of the engine.

    Source: docs/how-to/exact-odds.md.

        >>> found = odds("examples/squads/coin-toss.toml")
        >>> found.method, found.sides[0].win.share
        ('exact', 0.5)
    """
    loaded = scenario_of(scenario, options.get("seed"))
    with opened(options) as executor:
        return find_odds(loaded, n, precision=precision, budget=budget, simulated=simulate, threads=executor)


@with_python_names
def find(
    scenario: ScenarioLike,
    condition: str,
    limit: int | None = None,
    *,
    start: int = 0,
    **options: Unpack[StudyOptions],
) -> Found:
    """Find the first battle whose outcome meets a condition.

    Args:
        scenario: a scenario from `load`, or anything that `load` takes.
        condition: a condition on `winner`, `rounds`, `hp_left_1`, `hp_left_2`, `units_left_1`, `units_left_2`, the
            ruleset's own numbers and the names of its endings: `"winner == 2 and hp_left_2 < 5"`.
        limit: most battles to search, 1 to 10^9; defaults to 10^6.
        start: the number of the first battle to search.

    Returns:
        `stream`, the number of the battle found, or None; `battle`, played with its events; `searched`; `as_json()`.
        Ctrl-C ends early and sets `interrupted`.

    Raises:
        InputError: the scenario, the condition or an amount is not valid.
        FaultError: a battle hit a limit of the engine.

    Source: docs/how-to/find-a-battle.md.

        >>> find("examples/squads/standard-5v5.toml", "winner == 2", limit=50).battle.winner
        2
    """
    check_kind("condition", condition, str, "a string")
    with opened(options) as executor:
        return executor.finish_study(
            find_battle(scenario_of(scenario, options.get("seed")), condition, limit, start=start, threads=executor)
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
    """Explain one battle: odds in every round, luck and decisions, the turning point, the loser's best change.

    Args:
        battle: a battle from `run`; the path of a replay or of a saved duel; or a scenario, as `run` takes it.
        n: rollouts from each round, 32 to 10^6, with the same dice for every round.
        stream: for a scenario, the battle's number under the seed; defaults to 0.
        part: what may change, one of the ruleset's parts such as strategy; defaults to the ruleset's main part.
        seed: for a scenario, the seed text; defaults to the scenario's.
        content: folders whose content overrides the shipped content; changes may use it too.
        threads: the number of threads; defaults to one per core. It does not affect the figures.

    Returns:
        The explanation: `standings` (each with `odds`, `change`, `luck`, `decision` for side 1 and side 2),
        `turning_point`, `decisions`, `searches` and `best_change`; `as_json()`. Ctrl-C ends early and sets
        `interrupted`.

    Raises:
        InputError: the scenario, the file or an amount is not valid, or there is no such part.
        FaultError: a battle hit a limit of the engine.

    Source: docs/how-to/why-did-i-lose.md.

        >>> found = why("examples/squads/first-battle.toml", n=32)
        >>> len(found.standings) == found.battle.rounds
        True
    """
    if part is not None:
        check_text("part", part)
    folders = paths_of("content", content)
    if not isinstance(battle, Battle):
        saved = load_saved_battle(Path(battle), {}) if isinstance(battle, str | Path) else None
        if saved is None:
            scenario = scenario_of(battle, seed, folders)
            number = 0 if stream is None else stream
            return explain_battle(scenario, number, n, part=part, content=folders, threads=threads)
        battle = saved
    if seed is not None or stream is not None:
        raise InputError.of("seed, stream", "cannot be used with a played battle", "pass its scenario instead")
    return explain_battle(battle.scenario, battle.stream, n, part=part, content=folders, threads=threads)


@with_python_names
def report(
    sources: Sequence[ScenarioLike | Document],
    out: str | Path | None = None,
    *,
    n: int | None = None,
    side: int = 1,
    stream: int | None = None,
    battles: bool = True,
    content: Iterable[str | Path] = (),
    **options: Unpack[PlayOptions],
) -> Report:
    """Put scenarios and results on one HTML page with charts, tables, inputs and versions.

    A lost battle is always explained on this machine, whatever plays the others.

    Args:
        sources: scenarios from `load`, or anything that `load` takes; results of this API, such as those of `simulate`
            and `compare`; JSON files that commands printed. Scenarios are simulated. For one or two scenarios the page
            also explains a lost battle and shows which stat would help most; two are compared.
        out: the HTML file to write.
        n: battles per scenario, 1 to 10^9; defaults to 10,000.
        side: the side whose score is measured if two scenarios are compared.
        stream: the battle to explain; defaults to the first that the weaker side loses.
        battles: for one or two scenarios, show the typical battle, the luckiest win of either side and the turning
            point, to be watched on the page. False gives a page without a script.
        seed: the seed text for scenarios that are read from files or mappings; defaults to their own.
        content: folders whose content overrides the shipped content; for a `Scenario`, those it was loaded with.

    Returns:
        The report: `summary` in sentences, `html`, `save(path)`. Ctrl-C ends early and sets `interrupted`.

    Raises:
        InputError: a source or an amount is not valid, the file cannot be written, or the extra `report` is missing.
        FaultError: a battle hit a limit of the engine.

    Source: docs/how-to/share-a-report.md.

        >>> page = report([why("examples/squads/first-battle.toml", n=32)])
        >>> len(page.summary)
        2
    """
    from fracas.reports.build import build, check_out

    check_list("sources", sources, (str, Path, Mapping, Scenario, Document), "scenarios and results")
    seed = options.get("seed")
    check_text("seed", seed)
    check_kind("battles", battles, (bool,), "True or False")
    if out is not None:
        check_kind("out", out, (str, Path), "a path")
        check_out(Path(out), [Path(source) for source in sources if isinstance(source, str | Path)])
    folders = paths_of("content", content)
    with opened(options) as executor:
        page = build(
            sources,
            n=n,
            side=side,
            stream=stream,
            battles=battles,
            threads=executor,
            seed=options.get("seed"),
            content=folders,
        )
    if out is not None:
        page.save(out)
    return page
