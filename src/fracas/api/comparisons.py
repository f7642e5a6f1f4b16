"""The Python API of the lab that compares sides, builds and strategies: compare, matchups, optimise, ladder, swaps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from fracas.api.arguments import (
    ScenarioLike,
    StudyOptions,
    changes_of,
    check_kind,
    check_list,
    check_text,
    opened,
    paths_of,
    scenario_of,
    with_python_names,
)
from fracas.engine.scenario import LoadOptions, Scenario
from fracas.lab.search.optimise import optimise as search
from fracas.lab.search.optimise_result import Optimised, SearchSettings
from fracas.lab.studies.compare import compare as compare_scenarios
from fracas.lab.studies.compare_result import Comparison
from fracas.lab.studies.ladder import run_ladder
from fracas.lab.studies.ladder_result import Ladder
from fracas.lab.studies.matchups import matchups as play_matchups
from fracas.lab.studies.matchups_result import Matchups
from fracas.lab.studies.overrides import with_overrides, with_part
from fracas.lab.studies.roster import (
    Entrant,
    entrants_of,
    entrants_of_sources,
    roster_of,
    roster_of_entrants,
    set_against,
)
from fracas.lab.studies.swaps import Limits, run_swaps
from fracas.lab.studies.swaps_result import Swaps


@with_python_names
def compare(
    a: ScenarioLike,
    b: ScenarioLike | None = None,
    n: int | None = None,
    *,
    overrides: Mapping[str, Any] | Sequence[str] = (),
    parts: Mapping[str, str | Path] | None = None,
    side: int = 1,
    delta: float = 0.02,
    stop: bool = True,
    content: Iterable[str | Path] = (),
    **options: Unpack[StudyOptions],
) -> Comparison:
    """Play A and B with the same dice, pair by pair, until it is clear which one is better or that neither is.

    Args:
        a: a scenario from `load`, or anything that `load` takes.
        b: another scenario of the same ruleset, played under A's seed; defaults to A with `overrides` and `parts`.
        n: most pairs to play, 1 to 10^9; defaults to 100,000.
        overrides: values to replace in B by their paths, as in `load`.
        parts: files from which B's side takes a part: `{"strategy": "other.toml"}`.
        side: the side whose score is compared, 1 or 2.
        delta: the smallest relevant effect: B is better if it wins 1/2 + delta of the differing pairs; 0.001 to 0.25.
        stop: end as soon as the test decides; otherwise all n pairs are played.
        content: folders whose content overrides the shipped content; for a `Scenario`, those it was loaded with.

    Returns:
        The comparison: `verdict` (`A`, `B`, `no difference of delta` or `undecided`), `difference` (B minus A) and
        `difference95`, `variance_reduction`, `pairs`; `as_json()`. Ctrl-C ends early and sets `interrupted`.

    Raises:
        InputError: a scenario or an amount is not valid, or B is the same battle as A.
        FaultError: a battle hit a limit of the engine.

    Source: docs/explanation/pairing-and-peeking.md.

        >>> found = compare("examples/squads/standard-5v5.toml", overrides={"sides.0.units.0.attack": 40}, n=100)
        >>> found.difference > 0
        True
    """
    folders = paths_of("content", content)
    first = scenario_of(a, options.get("seed"), folders)
    second = first if b is None else scenario_of(b, None, folders)
    changes = changes_of(overrides)
    if changes:
        second = with_overrides(second, changes, folders)
    for part, file in (parts or {}).items():
        check_kind(f"parts[{part}]", file, (str, Path), "a path")
        second = with_part(second, side, str(part), Path(file))
    with opened(options) as executor:
        return executor.finish_study(
            compare_scenarios(first, second, n, side=side, delta=delta, stop=stop, threads=executor)
        )


@with_python_names
def matchups(
    entrants: str | Path | Sequence[ScenarioLike | tuple[ScenarioLike, int]],
    n: int | None = None,
    *,
    against: Sequence[ScenarioLike | tuple[ScenarioLike, int]] = (),
    precision: float | None = None,
    content: Iterable[str | Path] = (),
    **options: Unpack[StudyOptions],
) -> Matchups:
    """Play everyone against everyone, from both sides and with the same dice, and rank them.

    Args:
        entrants: a roster file's path; or a list of scenarios, of anything that `load` takes, of strings such as
            "duel.toml:2" for side 2, or of pairs of a scenario and a side. Side 1 enters by default.
        n: battles per match-up, an even number, half from each side; defaults to 10,000. A match-up in which nothing
            depends on luck is played once.
        against: opponents in the same form; the entrants play only these, which are the columns of the table.
        precision: instead of n, play until the widest 95% half-width is at most this many percentage points,
            0.001 to 50.
        seed: the seed text of all battles; defaults to the roster's, or the first entrant's.
        content: folders whose content overrides the shipped content.

    Returns:
        `cells`, one per pair, each with `share` (of the points: 1 for a win, 1/2 for a draw) and `interval95`;
        `shares`, the matrix; `analysis` with `standings`, `groups` of ties, the `mix` and `cycles`, or with `against`
        instead `rows`, each entrant's share against all opponents. `as_json()`. Ctrl-C ends early with the complete
        cells and sets `interrupted`.

    Raises:
        InputError: an entrant or an amount is not valid, or two of them cannot meet.
        FaultError: a battle hit a limit of the engine.

    Source: docs/how-to/rank-a-roster.md.

        >>> found = matchups(["examples/squads/standard-5v5.toml", "examples/squads/standard-5v5.toml:2"], n=20)
        >>> [standing.rank for standing in found.analysis.standings]
        [1, 2]
    """
    folders = paths_of("content", content)
    seed = options.get("seed")
    check_text("seed", seed)
    asked: LoadOptions = {"seed": seed, "content": folders}
    if isinstance(entrants, str | Path) and not against:
        roster = roster_of([entrants], asked)
    else:
        is_file = isinstance(entrants, str | Path)
        found = entrants_of([str(entrants)], asked) if is_file else _entrants("entrants", entrants, folders)
        others = _entrants("against", against, folders)
        roster = set_against(found, others, seed) if others else roster_of_entrants(found, seed)
    with opened(options) as executor:
        return executor.finish_study(play_matchups(roster, n, precision=precision, threads=executor))


def _entrants(name: str, sources: Any, folders: Sequence[Path]) -> list[Entrant]:
    """Convert an argument to entrants."""
    check_list(name, sources, (Scenario, str, Path, Mapping, tuple), "scenarios, or pairs of one and a side,")
    return entrants_of_sources(name, sources, lambda source: scenario_of(source, None, folders))


@with_python_names
def optimise(
    scenario: ScenarioLike,
    *,
    side: int = 1,
    part: str | None = None,
    against: Sequence[ScenarioLike | tuple[ScenarioLike, int]] = (),
    held_out: Sequence[ScenarioLike | tuple[ScenarioLike, int]] = (),
    search_seed: str | None = None,
    settings: SearchSettings | None = None,
    content: Iterable[str | Path] = (),
    **options: Unpack[StudyOptions],
) -> Optimised:
    """Search for a better strategy, queue, build or line-up for one side, and test it on unused battles.

    Args:
        scenario: a scenario from `load`, or anything that `load` takes.
        side: the side to improve, 1 or 2.
        part: what to search, such as "strategy" or "line-up"; defaults to the first that the ruleset has.
        against: opponents, in the form that `matchups` takes; defaults to the scenario's other side.
        held_out: opponents that the search never sees; if given, only they decide at the end.
        search_seed: the seed text of the search; defaults to one derived from the scenario's.
        settings: the length and precision of the search (`fracas.SearchSettings`).
        content: folders whose content overrides the shipped content.

    Returns:
        `changes`, each with its `knob`, `before`, `after` and `worth`; `document`, the improved scenario, which `load`
        takes; `final`, the gain on unused battles with its interval and the sequential test's verdict; `is_better`;
        `as_json()`. Ctrl-C ends early with the best candidate so far, untested, and sets `interrupted`.

    Raises:
        InputError: the scenario, an opponent or an amount is not valid; the search space is empty; or the optimiser
            is not installed (extra `lab`).
        FaultError: a battle hit a limit of the engine.

    Source: docs/how-to/find-a-better-strategy.md.

        >>> from fracas import SearchSettings
        >>> short = SearchSettings(3, (20.0,), (), 3_000, 100)
        >>> found = optimise("examples/squads/first-battle.toml", settings=short)
        >>> len(found.stages)
        1
    """
    folders = paths_of("content", content)
    check_text("part", part)
    check_text("search_seed", search_seed)
    with opened(options) as executor:
        return executor.finish_study(
            search(
                scenario_of(scenario, options.get("seed"), folders),
                side=side,
                part=part,
                against=_entrants("against", against, folders),
                held_out=_entrants("held_out", held_out, folders),
                search_seed=search_seed,
                settings=settings,
                content=folders,
                threads=executor,
            )
        )


@with_python_names
def ladder(
    scenario: ScenarioLike,
    n: int | None = None,
    *,
    content: Iterable[str | Path] = (),
    **options: Unpack[StudyOptions],
) -> Ladder:
    """Play side 1 of a scenario against every opponent in the content, from both sides.

    Args:
        scenario: a relics scenario from `load`, or anything that `load` takes; its side 2 is ignored.
        n: battles per match-up from either side, 1 to 10^9; defaults to 1,000. A match-up in which nothing depends on
            luck is played once.
        content: folders whose content overrides the shipped content; for a `Scenario`, those it was loaded with.

    Returns:
        The ladder: `rungs`, one per opponent, each with its `name` and `level`, `wins` and `shares` of the build as
        side 1 and as side 2; `as_json()`. Ctrl-C ends early with the complete rungs and sets `interrupted`.

    Raises:
        InputError: the scenario or an amount is not valid, or the ruleset has no such opponents.
        FaultError: a battle hit a limit of the engine.

    Source: docs/how-to/ladder-and-swaps.md.

        >>> found = ladder("examples/relics/first-duel.toml", n=10)
        >>> len(found.rungs) == found.opponents
        True
    """
    folders = paths_of("content", content)
    with opened(options) as executor:
        return executor.finish_study(
            run_ladder(scenario_of(scenario, options.get("seed"), folders), n, content=folders, threads=executor)
        )


@with_python_names
def swaps(
    scenario: ScenarioLike,
    n: int | None = None,
    *,
    side: int = 1,
    limits: Limits | None = None,
    content: Iterable[str | Path] = (),
    **options: Unpack[StudyOptions],
) -> Swaps:
    """Try every replacement from the content in each place of one side's build, and rank the swaps.

    Args:
        scenario: a scenario from `load`, or anything that `load` takes.
        n: battles per swap, 1 to 10^8; defaults to 1,000. All swaps use the same dice.
        side: the side whose build, line-up, party, army or titan changes, 1 or 2.
        limits: `fracas.lab.studies.swaps.Limits`: in which `places`, `only` or `without` which replacements, how many
            `at_once`, and their `costs` and `budget`.
        content: folders whose content overrides the shipped content; for a `Scenario`, those it was loaded with.

    Returns:
        `base`, the unchanged build, and `tried`, the best first, each with its `swap`, `results`, and the `gain` in the
        share of wins with its interval; `as_json()`. Ctrl-C ends early and sets `interrupted`.

    Raises:
        InputError: the scenario, the side or an amount is not valid, or the ruleset has nothing to swap.
        FaultError: a battle hit a limit of the engine.

    Source: docs/how-to/ladder-and-swaps.md.
    """
    folders = paths_of("content", content)
    with opened(options) as executor:
        loaded = scenario_of(scenario, options.get("seed"), folders)
        return executor.finish_study(run_swaps(loaded, n, side=side, limits=limits, content=folders, threads=executor))
