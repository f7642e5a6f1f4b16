"""The Python API: load, run, simulate, verify, a batch call for backends; ladders, swaps and share codes of builds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fracas.cluster.hands import hands
from fracas.content.validate import shown
from fracas.errors import InputError, Problem
from fracas.lab.compare import Comparison
from fracas.lab.compare import compare as compare_scenarios
from fracas.lab.contributions import check_logged, with_contributions
from fracas.lab.crew import thread_count
from fracas.lab.find import Found
from fracas.lab.find import find as find_battle
from fracas.lab.ladder import Ladder, climb
from fracas.lab.matchups import Matchups
from fracas.lab.matchups import matchups as play_matchups
from fracas.lab.notebook import Shown
from fracas.lab.odds import Odds, find_odds
from fracas.lab.optimise import Optimised, Settings
from fracas.lab.optimise import optimise as search
from fracas.lab.reasons import Why
from fracas.lab.roster import Entrant, entrants_of_sources, roster_of, roster_of_entrants
from fracas.lab.saving import simulate_to
from fracas.lab.sensitivity import Sensitivity
from fracas.lab.sensitivity import sensitivity as try_stats
from fracas.lab.simulate import Progress, Results, check_amounts
from fracas.lab.simulate import simulate as simulate_scenario
from fracas.lab.swaps import Swaps, try_swaps
from fracas.lab.sweep import Sweep, axes_of
from fracas.lab.sweep import sweep as sweep_scenario
from fracas.lab.variants import Reload, changed, with_part
from fracas.lab.why import DEFAULT_BRANCHES
from fracas.lab.why import why as explain_battle
from fracas.replay.battle import Battle, battle_of, check_stream, play_battle
from fracas.replay.file import Verification, verify_replay
from fracas.replay.kept import kept_battle
from fracas.replay.play import make_player
from fracas.replay.plugins import load_plugins
from fracas.replay.scenario import Scenario, load_scenario, parse_override, read_source, ruleset_name
from fracas.rulesets import registry
from fracas.rulesets.shapes import Override

if TYPE_CHECKING:
    from fracas.reports.build import Report

__all__ = [
    "Battle",
    "Comparison",
    "Found",
    "Ladder",
    "Matchups",
    "Odds",
    "Optimised",
    "Results",
    "Scenario",
    "Sensitivity",
    "Swaps",
    "Sweep",
    "Verification",
    "Why",
    "build_of_code",
    "compare",
    "find",
    "ladder",
    "load",
    "matchups",
    "odds",
    "optimise",
    "report",
    "run",
    "run_many",
    "sensitivity",
    "share_codes",
    "simulate",
    "swaps",
    "sweep",
    "verify",
    "why",
]

ScenarioLike = Scenario | str | Path | Mapping[str, Any]


def load(
    source: str | Path | Mapping[str, Any],
    *,
    seed: str | None = None,
    profile: str | None = None,
    overrides: Mapping[str, Any] | Sequence[str] = (),
    content: Iterable[str | Path] = (),
    plugins: Iterable[str | Path] = (),
    strict: bool = False,
) -> Scenario:
    """Read, check and compile a scenario: a TOML or JSON file, or the same as a mapping.

    Args:
        source: the file's path, or a mapping with the keys that a scenario file has.
        seed: the seed text; absent means the scenario's own.
        profile: a profile's name instead of the scenario's own.
        overrides: values to replace by path: `{"sides.0.units.0.attack": 40}` or `["sides.0.units.0.attack=40"]`.
        content: folders of TOML over the shipped content, later ones over earlier ones.
        plugins: Python files with damage stages. They are run: name only files that you trust.
        strict: make warnings (such as an unknown condition name) errors.

    Returns:
        The scenario, ready for `run` and `simulate`; its `warnings` say what is doubtful.

    Raises:
        InputError: everything that is wrong, each with where it stands and what would be right.

    Source: the ruleset's rule book, Resolved document.

        >>> scenario = load("examples/squads/standard-5v5.toml", seed="tuesday")
        >>> scenario.seed
        'tuesday'
    """
    _check_kind("source", source, (str, Path, Mapping), "a path or a mapping")
    _check_text("seed", seed)
    _check_text("profile", profile)
    return load_scenario(
        source,
        seed=seed,
        profile=profile,
        overrides=_changes(overrides),
        content=_paths("content", content),
        plugins=_paths("plugins", plugins),
        strict=strict,
    )


def _changes(overrides: Mapping[str, Any] | Sequence[str]) -> list[Override]:
    if isinstance(overrides, Mapping):
        return [Override(tuple(str(path).split(".")), value, "overrides") for path, value in overrides.items()]
    _check_list("overrides", overrides, str, "texts such as sides.0.units.0.attack=40")
    return [parse_override(text, "overrides") for text in overrides]


def _paths(name: str, paths: Iterable[str | Path]) -> list[Path]:
    listed = paths if isinstance(paths, str | Path) else list(paths)
    _check_list(name, listed, (str, Path), "paths")
    return [Path(path) for path in listed]


def _scenario(source: ScenarioLike, seed: str | None, content: Iterable[Path] = ()) -> Scenario:
    if not isinstance(source, Scenario):
        return load(source, seed=seed, content=content)
    _check_text("seed", seed)
    return source if seed is None else source.with_seed(seed)


def _reload(source: ScenarioLike, seed: str | None, folders: Sequence[Path]) -> Reload | None:
    """What loads a file or a mapping once more with values replaced; a scenario that is loaded already stays so."""
    if isinstance(source, Scenario):
        return None
    return lambda overrides: load_scenario(source, seed=seed, overrides=overrides, content=folders)


def _check_text(name: str, text: Any) -> None:
    if text is not None:
        _check_kind(name, text, str, "a text")


def _check_list(name: str, values: Any, kind: Any, words: str) -> None:
    """Refuse a single value where a list is expected: the characters of a text are no list."""
    if isinstance(values, str | Path | Mapping | Scenario) or not isinstance(values, Sequence):
        raise InputError.of(name, f"{shown(values)} is not a list of {words}")
    for place, value in enumerate(values):
        _check_kind(f"{name}[{place}]", value, kind, f"one of the {words} that are expected")


def _check_kind(name: str, value: Any, kind: Any, words: str) -> None:
    if not isinstance(value, kind):
        raise InputError.of(name, f"{shown(value)} is not {words}")


def run(scenario: ScenarioLike, *, seed: str | None = None, stream: int = 0, log: bool = True) -> Battle:
    """Resolve one battle.

    Args:
        scenario: a scenario from `load`, or what `load` takes.
        seed: the seed text; absent means the scenario's own.
        stream: the battle's number under that seed, 0 to 2^63 - 1; number 0 is what `fracas run` shows.
        log: keep the events. Without them only the outcome is known, and the battle is a little faster.

    Returns:
        The battle: `winner` (1, 2, or 0 for a draw), `reason`, `rounds`, typed `events`, `story()`, `save(path)`.

    Raises:
        InputError: the scenario or the stream is not valid.
        FaultError: the battle ran into a limit of ours (a full event log).

    Source: the ruleset's rule book, Order of play.

        >>> battle = run("examples/squads/standard-5v5.toml", seed="tuesday")
        >>> battle.winner in (0, 1, 2) and battle.events[-1].NAME
        'outcome'
    """
    check_stream(stream, "stream")
    return play_battle(_scenario(scenario, seed), stream, log=log)


def run_many(
    scenarios: Sequence[ScenarioLike],
    *,
    seeds: Sequence[str] | None = None,
    log: bool = False,
    threads: int | None = None,
) -> list[Battle]:
    """Resolve one battle of each of many scenarios: the call for backends with a queue of matches.

    Args:
        scenarios: scenarios from `load`, or what `load` takes.
        seeds: a seed text for each scenario, of the same length; absent means each scenario's own.
        log: keep every battle's events.
        threads: how many threads play; absent means one for each core. The results do not depend on it.

    Returns:
        The battles, in the order of the scenarios. Each equals what `run` gives for the same scenario and seed.

    Raises:
        InputError: the problems of all scenarios at once, each led by its place in the list; or threads out of range.
        FaultError: a battle ran into a limit of ours.

    Source: docs/reference/dice.md (a battle's bytes depend on its own inputs alone).

        >>> [battle.rounds > 0 for battle in run_many(["examples/squads/first-battle.toml"] * 3, seeds=["a", "b", "c"])]
        [True, True, True]
    """
    check_amounts(None, None, threads)
    _check_list("scenarios", scenarios, object, "scenarios")
    if seeds is not None:
        _check_list("seeds", seeds, str, "texts")
    if seeds is not None and len(seeds) != len(scenarios):
        raise InputError.of("seeds", f"there are {len(seeds)} seeds for {len(scenarios)} scenarios")
    loaded: list[Scenario] = []
    problems: list[Problem] = []
    for place, source in enumerate(scenarios):
        try:
            loaded.append(_scenario(source, None if seeds is None else seeds[place]))
        except InputError as error:
            problems += [Problem(f"scenarios[{place}]: {p.where}", p.message, p.suggestion) for p in error.problems]
    if problems:
        raise InputError(problems)

    def play(scenario: Scenario) -> Battle:
        return battle_of(scenario, make_player(scenario, logged=log, battles=len(loaded)), 0)

    if not loaded:
        return []
    first = play(loaded[0])
    with ThreadPoolExecutor(thread_count(threads)) as pool:
        return [first, *pool.map(play, loaded[1:])]


def simulate(
    scenario: ScenarioLike,
    n: int | None = None,
    *,
    precision: float | None = None,
    seed: str | None = None,
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    progress: Progress | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    contributions: int = 0,
) -> Results:
    """Play many battles of one scenario and count how they end.

    Args:
        scenario: a scenario from `load`, or what `load` takes.
        n: how many battles, 1 to 10^9; absent means 10,000. They are battles 0 to n - 1 under the seed.
        precision: instead of n, play until the widest of the three 95 % half-widths is so many percentage points.
        seed: the seed text; absent means the scenario's own.
        threads: how many threads play; absent means one for each core. The counts do not depend on it.
        workers: instead of threads, so many processes of this machine (extra `cluster`).
        scheduler: instead of threads, the workers of a scheduler, such as tcp://192.168.1.10:8786 (extra `cluster`).
        progress: called now and then with a tally (`.battles`, `.winners`) and the number of battles aimed at.
        out: a Parquet file to write, one row per battle (extra `report`), and a summary beside it; or with the ending
            .json the summary alone. Finished ranges are kept beside it until all is written.
        resume: take up what an earlier call kept beside `out`.
        contributions: in how many of the first battles to look what each unit did; they are played again for that.

    Returns:
        The results: `wins`, `draws`, `shares` (0 to 1), `interval95` (Wilson), `reasons`, rounds; the distributions of
        rounds (`lengths`) and HP (`hp_left`); `contributions`. Ctrl-C ends early with what is done; `interrupted` is
        then true.

    Raises:
        InputError: the scenario or an amount is not valid, or the file cannot be written.
        FaultError: a battle ran into a limit of ours.

    Source: docs/how-to/many-battles.md.

        >>> results = simulate("examples/squads/standard-5v5.toml", n=100)
        >>> results.battles == sum(results.wins) + results.draws
        True
    """
    loaded = _scenario(scenario, seed)
    check_amounts(n, precision, threads)
    check_logged(contributions)
    if out is not None:
        _check_kind("out", out, (str, Path), "a path")
    elif resume:
        raise InputError.of("resume", "needs out: finished ranges are kept beside the result")
    with hands(threads, workers, scheduler) as crew:
        if out is None:
            results = simulate_scenario(loaded, n, precision=precision, threads=crew, progress=progress)
        else:
            place = Path(out)
            results = simulate_to(place, loaded, n, precision=precision, threads=crew, progress=progress, resume=resume)
    return with_contributions(results, contributions)


def odds(
    scenario: ScenarioLike,
    n: int | None = None,
    *,
    budget: int | None = None,
    simulate: bool = False,
    precision: float | None = None,
    seed: str | None = None,
    threads: int | None = None,
) -> Odds:
    """How a battle will probably end: exactly where all its ways can be followed, else by simulation.

    Args:
        scenario: a scenario from `load`, or what `load` takes.
        n: simulate so many battles, 1 to 10^9; absent means exact odds, or else 10,000.
        budget: how many states exact odds may take, 1 to 10^7; absent means 10^6, or fewer where it is hopeless.
        simulate: simulate even where exact odds fit.
        precision: simulate until the widest of the three 95 % half-widths is so many percentage points.
        seed: the seed text; absent means the scenario's own. Exact odds do not depend on it.
        threads: how many threads simulate; absent means one for each core.

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
    return find_odds(
        _scenario(scenario, seed), n, precision=precision, budget=budget, simulated=simulate, threads=threads
    )


def ladder(
    scenario: ScenarioLike,
    n: int | None = None,
    *,
    seed: str | None = None,
    content: Iterable[str | Path] = (),
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
) -> Ladder:
    """Play side 1 of a scenario against every opponent of the content, from both sides.

    Args:
        scenario: a scenario of relics from `load`, or what `load` takes; side 2 of it is not asked.
        n: how many battles of each match-up from either side, 1 to 10^9; absent means 1,000. One in which nothing
            depends on luck is played once.
        seed: the seed text; absent means the scenario's own.
        content: folders of TOML over the shipped content; with a `Scenario`, those that it was loaded with.
        threads: how many threads play; absent means one for each core. The counts do not depend on it.
        workers: instead of threads, so many processes of this machine (extra `cluster`).
        scheduler: instead of threads, the workers of a scheduler, such as tcp://192.168.1.10:8786 (extra `cluster`).

    Returns:
        The ladder: `rungs`, one for each opponent, each with `match`, `wins` and `shares` of the build as side 1 and as
        side 2; `as_json()`. Ctrl-C ends early with whole rungs; `interrupted` is then true.

    Raises:
        InputError: the scenario or an amount is not valid, or the ruleset has no such opponents.
        FaultError: a battle ran into a limit of ours.

    Source: docs/how-to/ladder-and-swaps.md.

        >>> found = ladder("examples/relics/first-duel.toml", n=10)
        >>> len(found.rungs) == found.opponents
        True
    """
    folders = _paths("content", content)
    with hands(threads, workers, scheduler) as crew:
        return climb(_scenario(scenario, seed, folders), n, content=folders, threads=crew)


def matchups(
    entrants: str | Path | Sequence[ScenarioLike | tuple[ScenarioLike, int]],
    n: int | None = None,
    *,
    precision: float | None = None,
    seed: str | None = None,
    content: Iterable[str | Path] = (),
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
) -> Matchups:
    """Play everybody against everybody, from both sides and with the same dice, and rank them.

    Args:
        entrants: a roster file's path; or a list of scenarios, of what `load` takes, or of texts such as
            "duel.toml:2" for side 2, or of pairs of a scenario and a side. Side 1 takes part unless said.
        n: battles of a match-up, even, half of them in either order; absent means 10,000. A match-up in which nothing
            depends on luck is played once.
        precision: instead of n, play until the widest match-up's 95 % half-width is so many percentage points.
        seed: the seed text of all battles; absent means the roster's, or the first entrant's.
        content: folders of TOML over the shipped content.
        threads: how many threads play; absent means one for each core. The counts do not depend on it.
        workers: instead of threads, so many processes of this machine (extra `cluster`).
        scheduler: instead of threads, the workers of a scheduler, such as tcp://192.168.1.10:8786 (extra `cluster`).

    Returns:
        `cells`, one for each pair, each with `share` (of the points: 1 for a win, 1/2 for a draw) and `interval95`;
        `shares`, the matrix; `analysis` with `standings`, `groups` of ties, the `mix` and `cycles`; `as_json()`. Ctrl-C
        ends early with whole cells; `interrupted` is then true.

    Raises:
        InputError: an entrant or an amount is not valid, or two of them cannot meet.
        FaultError: a battle ran into a limit of ours.

    Source: docs/how-to/rank-a-roster.md.

        >>> found = matchups(["examples/squads/standard-5v5.toml", "examples/squads/standard-5v5.toml:2"], n=20)
        >>> [standing.rank for standing in found.analysis.standings]
        [1, 2]
    """
    folders = _paths("content", content)
    _check_text("seed", seed)
    if isinstance(entrants, str | Path):
        roster = roster_of([entrants], {"seed": seed, "content": folders})
    else:
        roster = roster_of_entrants(_entrants("entrants", entrants, folders), seed)
    with hands(threads, workers, scheduler) as crew:
        return play_matchups(roster, n, precision=precision, threads=crew)


def _entrants(name: str, sources: Any, folders: Sequence[Path]) -> list[Entrant]:
    """Sides of scenarios, as a program names them."""
    _check_list(name, sources, (Scenario, str, Path, Mapping, tuple), "scenarios, or pairs of one and a side,")
    return entrants_of_sources(name, sources, lambda source: _scenario(source, None, folders))


def optimise(
    scenario: ScenarioLike,
    *,
    side: int = 1,
    part: str | None = None,
    against: Sequence[ScenarioLike | tuple[ScenarioLike, int]] = (),
    held_out: Sequence[ScenarioLike | tuple[ScenarioLike, int]] = (),
    search_seed: str | None = None,
    settings: Settings | None = None,
    seed: str | None = None,
    content: Iterable[str | Path] = (),
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
) -> Optimised:
    """Search for a better strategy, queue, build or line-up of one side, and prove it on unused battles.

    Args:
        scenario: a scenario from `load`, or what `load` takes.
        side: whose, 1 or 2.
        part: what is searched, such as "strategy" or "line-up"; absent means the first that the ruleset has.
        against: opponents, named as `matchups` takes them; absent means the scenario's other side.
        held_out: opponents that the search does not meet; if there are any, they alone decide at the end.
        search_seed: the seed text of the search; absent means one made from the scenario's.
        settings: how long and how sharply is looked (`fracas.lab.optimise.Settings`).
        seed: the seed text of the battles; absent means the scenario's own.
        content: folders of TOML over the shipped content.
        threads: how many threads play; absent means one for each core. What is found does not depend on it.
        workers: instead of threads, so many processes of this machine (extra `cluster`).
        scheduler: instead of threads, the workers of a scheduler, such as tcp://192.168.1.10:8786 (extra `cluster`).

    Returns:
        `changes`, the knobs that the best one turns; `document`, the improved scenario, which `load` takes; `final`,
        the gain on unused battles with its interval and the sequential test's verdict; `is_better`; `as_json()`. Ctrl-C
        ends early with the best so far; `interrupted` is then true and nothing is proved.

    Raises:
        InputError: the scenario, an opponent or an amount is not valid; nothing could be otherwise; or the optimiser
            is not installed (extra `lab`).
        FaultError: a battle ran into a limit of ours.

    Source: docs/how-to/find-a-better-strategy.md.

        >>> from fracas.lab.optimise import Settings
        >>> found = optimise("examples/squads/first-battle.toml", settings=Settings(3, (20.0,), (), 3_000, 100))
        >>> len(found.stages)
        1
    """
    folders = _paths("content", content)
    _check_text("part", part)
    _check_text("search_seed", search_seed)
    with hands(threads, workers, scheduler) as crew:
        return search(
            _scenario(scenario, seed, folders),
            side=side,
            part=part,
            against=_entrants("against", against, folders),
            held_out=_entrants("held_out", held_out, folders),
            search_seed=search_seed,
            settings=settings,
            content=folders,
            threads=crew,
        )


def swaps(
    scenario: ScenarioLike,
    n: int | None = None,
    *,
    side: int = 1,
    seed: str | None = None,
    content: Iterable[str | Path] = (),
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
) -> Swaps:
    """Play a scenario's battles with everything of the content in place of each thing that one build has.

    Args:
        scenario: a scenario of relics from `load`, or what `load` takes.
        n: how many battles of each exchange, 1 to 10^9; absent means 1,000. All exchanges have the same dice.
        side: whose build, 1 or 2.
        seed: the seed text; absent means the scenario's own.
        content: folders of TOML over the shipped content; with a `Scenario`, those that it was loaded with.
        threads: how many threads play; absent means one for each core. The counts do not depend on it.
        workers: instead of threads, so many processes of this machine (extra `cluster`).
        scheduler: instead of threads, the workers of a scheduler, such as tcp://192.168.1.10:8786 (extra `cluster`).

    Returns:
        `base`, the build as it is, and `tried`, the best first, each with its `swap`, `results`, and the `gain` in the
        share of wins with its interval; `as_json()`. Ctrl-C ends early; `interrupted` is then true.

    Raises:
        InputError: the scenario, the side or an amount is not valid, or the ruleset has nothing to exchange.
        FaultError: a battle ran into a limit of ours.

    Source: docs/how-to/ladder-and-swaps.md.
    """
    folders = _paths("content", content)
    with hands(threads, workers, scheduler) as crew:
        return try_swaps(_scenario(scenario, seed, folders), n, side=side, content=folders, threads=crew)


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
    seed: str | None = None,
    content: Iterable[str | Path] = (),
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
) -> Comparison:
    """Play A and B with the same dice, pair by pair, until it is clear which is better or that neither is.

    Args:
        a: a scenario from `load`, or what `load` takes.
        b: another one of the same ruleset, played under A's seed; absent means A, changed as the next two say.
        n: how many pairs at most, 1 to 10^9; absent means 100,000.
        overrides: values to replace in B by their paths, as in `load`.
        parts: files that B's side gets a part from: `{"strategy": "other.toml"}`.
        side: whose score is compared, 1 or 2.
        delta: B is better if it is the better one in 1/2 + delta of the pairs that differ; 0.001 to 0.25.
        stop: end as soon as it is decided; otherwise all n pairs are played.
        seed: the seed text; absent means A's own.
        content: folders of TOML over the shipped content; with a `Scenario`, those that it was loaded with.
        threads: how many threads play; absent means one for each core. The result does not depend on it.
        workers: instead of threads, so many processes of this machine (extra `cluster`).
        scheduler: instead of threads, the workers of a scheduler, such as tcp://192.168.1.10:8786 (extra `cluster`).

    Returns:
        The comparison: `verdict` (`A`, `B`, `no difference of delta` or `undecided`), `difference` (B less A) and
        `difference95`, `variance_reduction`, `pairs`; `as_json()`. Ctrl-C ends early; `interrupted` is then true.

    Raises:
        InputError: a scenario or an amount is not valid, or B is no other battle than A.
        FaultError: a battle ran into a limit of ours.

    Source: docs/explanation/pairing-and-peeking.md.

        >>> found = compare("examples/squads/standard-5v5.toml", overrides={"sides.0.units.0.attack": 40}, n=100)
        >>> found.difference > 0
        True
    """
    folders = _paths("content", content)
    first = _scenario(a, seed, folders)
    second = first if b is None else _scenario(b, None, folders)
    changes = _changes(overrides)
    if changes:
        second = changed(second, changes, folders, _reload(a if b is None else b, seed, folders))
    for part, file in (parts or {}).items():
        _check_kind(f"parts[{part}]", file, (str, Path), "a path")
        second = with_part(second, side, str(part), Path(file))
    with hands(threads, workers, scheduler) as crew:
        return compare_scenarios(first, second, n, side=side, delta=delta, stop=stop, threads=crew)


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
    folders = _paths("content", content)
    loaded = _scenario(scenario, seed, folders)
    axes = axes_of(ranges, loaded.document)
    reload = _reload(scenario, seed, folders)
    with hands(threads, workers, scheduler) as crew:
        return sweep_scenario(loaded, axes, n, side=side, folders=folders, reload=reload, threads=crew)


def sensitivity(
    scenario: ScenarioLike,
    n: int | None = None,
    *,
    side: int = 1,
    step: float = 1,
    seed: str | None = None,
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
) -> Sensitivity:
    """What one more of each stat of each unit of a side is worth.

    Args:
        scenario: a scenario from `load`, or what `load` takes.
        n: how many battles with each change, 1 to 10^8; absent means 10,000. Battle i has the same dice in all.
        side: whose stats, and whose score, 1 or 2.
        step: how many more of each stat; below 0, how many fewer.
        seed: the seed text; absent means the scenario's own.
        threads: how many threads play; absent means one for each core. The result does not depend on it.
        workers: instead of threads, so many processes of this machine (extra `cluster`).
        scheduler: instead of threads, the workers of a scheduler, such as tcp://192.168.1.10:8786 (extra `cluster`).

    Returns:
        `base`, the scenario as it is; `stats`, the largest gain first, each with its `stat` and `outcome`; `skipped`,
        those at the end of their range; `as_json()`. Ctrl-C ends early; `interrupted` is then true.

    Raises:
        InputError: the scenario or an amount is not valid, or the ruleset lists no stats.
        FaultError: a battle ran into a limit of ours.

    Source: docs/how-to/sweep-and-sensitivity.md.
    """
    with hands(threads, workers, scheduler) as crew:
        return try_stats(_scenario(scenario, seed), n, side=side, step=step, threads=crew)


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
    _check_kind("condition", condition, str, "a text")
    with hands(threads, workers, scheduler) as crew:
        return find_battle(_scenario(scenario, seed), condition, limit, start=start, threads=crew)


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
        _check_text("part", part)
    folders = _paths("content", content)
    if not isinstance(battle, Battle):
        kept = kept_battle(Path(battle), {}) if isinstance(battle, str | Path) else None
        if kept is None:
            scenario = _scenario(battle, seed, folders)
            number = 0 if stream is None else stream
            return explain_battle(scenario, number, n, part=part, content=folders, threads=threads)
        battle = kept
    if seed is not None or stream is not None:
        raise InputError.of("seed, stream", "are settled by the battle", "give the scenario instead")
    return explain_battle(battle.scenario, battle.stream, n, part=part, content=folders, threads=threads)


def share_codes(source: str | Path | Mapping[str, Any], *, content: Iterable[str | Path] = ()) -> dict[str, str | None]:
    """The share codes of the builds in a scenario.

    Args:
        source: the path of a scenario of relics, or a mapping with the keys that such a file has.
        content: folders of TOML over the shipped content.

    Returns:
        The code of each build by its side, `left` and `right`; None for one that no code can hold, such as one with an
        item of its own.

    Raises:
        InputError: the scenario is not valid, or its ruleset has no share codes.

    Source: docs/how-to/share-a-build.md.

        >>> codes = share_codes({"ruleset": "relics", "left": {"items": ["horned_helm"]}, "right": {}})
        >>> build_of_code(codes["left"])["items"]
        ['horned_helm']
    """
    _check_kind("source", source, (str, Path, Mapping), "a path or a mapping")
    document, origin = read_source(source)
    ruleset = registry.get(ruleset_name(document, origin.where), f"{origin.where}: ruleset")
    found = ruleset.build_codes("scenario", document, origin, _paths("content", content))
    return {each.place: each.code for each in found}


def build_of_code(code: str, *, content: Iterable[str | Path] = ()) -> dict[str, Any]:
    """The build that a share code stands for.

    Args:
        code: a share code, as `share_codes` and `fracas share` make them.
        content: folders of TOML over the shipped content.

    Returns:
        What a fighter wears, with the keys that a scenario file has: put it there as `left` or `right`.

    Raises:
        InputError: it is no share code, or it names something that is not here.

    Source: docs/how-to/share-a-build.md.
    """
    _check_kind("code", code, str, "a text")
    ruleset = registry.of_code(code)
    if ruleset is None:
        raise InputError.of(
            "code", f"{shown(code)} is no share code", f"a code begins with {registry.code_beginnings()}"
        )
    return ruleset.build_of_code(code, _paths("content", content))[0]


def report(
    sources: Sequence[ScenarioLike | Shown],
    out: str | Path | None = None,
    *,
    n: int | None = None,
    side: int = 1,
    stream: int | None = None,
    seed: str | None = None,
    content: Iterable[str | Path] = (),
    threads: int | None = None,
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

    Returns:
        The report: `summary` in sentences, `html`, `save(path)`. Ctrl-C ends early; `interrupted` is then true.

    Raises:
        InputError: a source or an amount is not valid, the file cannot be written, or the extra `report` is missing.
        FaultError: a battle ran into a limit of ours.

    Source: docs/how-to/share-a-report.md.

        >>> page = report([simulate("examples/squads/first-battle.toml", n=100)])
        >>> len(page.summary)
        1
    """
    from fracas.reports.build import build, check_out

    _check_list("sources", sources, (str, Path, Mapping, Scenario, Shown), "scenarios and results")
    _check_text("seed", seed)
    if out is not None:
        _check_kind("out", out, (str, Path), "a path")
        check_out(Path(out), [Path(source) for source in sources if isinstance(source, str | Path)])
    folders = _paths("content", content)
    page = build(sources, n=n, side=side, stream=stream, threads=threads, seed=seed, content=folders)
    if out is not None:
        page.save(out)
    return page


def verify(replay: str | Path, *, plugins: Iterable[str | Path] = ()) -> Verification:
    """Play a saved battle again and compare every event.

    Args:
        replay: the file that `Battle.save` or `fracas run --save` wrote.
        plugins: the Python files whose damage stages took part.

    Returns:
        `matches`, and if not, the first tick that differs with both events.

    Raises:
        InputError: the file is unreadable, truncated or no replay; its content does not match its fingerprint; its
            rules version or plug-in is not here.

    Source: docs/reference/replay-format.md.
    """
    _check_kind("replay", replay, (str, Path), "a path")
    return verify_replay(Path(replay), load_plugins(_paths("plugins", plugins)))
