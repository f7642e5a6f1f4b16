"""The Python API: load, run, simulate, verify, a batch call for backends, share codes; and all that the lab has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from fracas.api.arguments import (
    ScenarioLike,
    check_kind,
    check_list,
    load,
    paths_of,
    scenario_of,
    with_python_names,
)
from fracas.cluster.executors import open_executor
from fracas.content.packs import examples_folder
from fracas.content.validate import shown
from fracas.engine.battle import Battle, battle_of, check_stream, play_battle
from fracas.engine.player import FEW_BATTLES, make_player
from fracas.engine.scenario import Scenario, read_source, ruleset_name
from fracas.errors import InputError, Problem, UsageError
from fracas.lab.execution.thread_executor import thread_count
from fracas.lab.simulation.contributions import check_logged
from fracas.lab.simulation.export import simulate_to_file
from fracas.lab.simulation.first_battles import with_contributions, with_timeline
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.simulate import Progress, check_amounts, check_start
from fracas.lab.simulation.simulate import simulate as simulate_scenario
from fracas.lab.simulation.timeline import check_timed
from fracas.plugins.loader import load_plugins
from fracas.replay.verify import Verification, verify_replay
from fracas.rulesets import registry


@with_python_names
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
    return play_battle(scenario_of(scenario, seed), stream, log=log)


@with_python_names
def prepare(*rulesets: str) -> None:
    """Do now what the first request would wait for: load the rules, their content and what is compiled of them.

    What is not compiled yet is compiled, which takes ten to thirty seconds for each ruleset; `fracas compile` does that
    before. With `FRACAS_JIT=0` nothing is compiled.

    Args:
        rulesets: the rulesets that will be asked for; none means all.

    Returns:
        Nothing, when all of it is there.

    Raises:
        InputError: there is no such ruleset.

    Source: docs/how-to/backend.md, Before the first request.
    """
    check_list("rulesets", rulesets, str, "names of rulesets")
    for name in [registry.get(each, "rulesets").name for each in rulesets] or registry.NAMES:
        ruleset = registry.get(name)
        scenario = load(examples_folder() / name / f"{ruleset.benchmarks[0]}.toml")
        for logged in (False, True):
            # As many as are never played plain, but where nothing may be compiled.
            make_player(scenario, logged=logged, battles=FEW_BATTLES + 1).play(0, 1)


@with_python_names
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
    check_list("scenarios", scenarios, object, "scenarios")
    if seeds is not None:
        check_list("seeds", seeds, str, "texts")
    if seeds is not None and len(seeds) != len(scenarios):
        raise UsageError.of("seeds", f"there are {len(seeds)} seeds for {len(scenarios)} scenarios")
    loaded: list[Scenario] = []
    problems: list[Problem] = []
    for place, source in enumerate(scenarios):
        try:
            loaded.append(scenario_of(source, None if seeds is None else seeds[place]))
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


@with_python_names
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
    start: int = 0,
    timeline: int = 0,
) -> Results:
    """Play many battles of one scenario and count how they end.

    Args:
        scenario: a scenario from `load`, or what `load` takes.
        n: how many battles, 1 to 10^9; absent means 10,000. They are battles 0 to n - 1 under the seed.
        precision: instead of n, play until the widest of the three 95% half-widths is so many percentage points,
            0.001 to 50.
        seed: the seed text; absent means the scenario's own.
        threads: how many threads play; absent means one for each core. The counts do not depend on it.
        workers: instead of threads, so many processes of this machine (extra `cluster`).
        scheduler: instead of threads, the workers of a scheduler, such as tcp://192.168.1.10:8786 (extra `cluster`).
        progress: called now and then with a tally (`.battles`, `.winners`) and the number of battles aimed at.
        out: a Parquet file to write, one row per battle (extra `report`), and a summary beside it; or with the ending
            .json the summary alone. Finished ranges are kept beside it until all is written.
        resume: take up what an earlier call kept beside `out`.
        contributions: in how many of the first battles to look what each unit did; they are played again for that.
        start: the number of the first battle, from 0: a part of a run, which `fracas merge` puts together with others.
        timeline: in how many of the first battles to look how HP go round by round, at most 20,000; likewise.

    Returns:
        The results: `wins`, `draws`, `shares` (0 to 1), `interval95` (Wilson), `reasons`, rounds; the distributions of
        rounds (`lengths`) and HP (`hp_left`); `contributions`; `timeline`. Ctrl-C ends early with what is done;
        `interrupted` is then true.

    Raises:
        InputError: the scenario or an amount is not valid, or the file cannot be written.
        FaultError: a battle ran into a limit of ours.

    Source: docs/how-to/many-battles.md.

        >>> results = simulate("examples/squads/standard-5v5.toml", n=100)
        >>> results.battles == sum(results.wins) + results.draws
        True
    """
    loaded = scenario_of(scenario, seed)
    check_amounts(n, precision, threads)
    check_start(start, n, precision)
    check_logged(contributions)
    check_timed(timeline)
    if out is not None:
        check_kind("out", out, (str, Path), "a path")
    elif resume:
        raise UsageError.of("resume", "needs out: finished ranges are kept beside the result")
    with open_executor(threads, workers, scheduler) as executor:
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


@with_python_names
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
    check_kind("source", source, (str, Path, Mapping), "a path or a mapping")
    document, origin = read_source(source)
    ruleset = registry.get(ruleset_name(document, origin.where), f"{origin.where}: ruleset")
    found = ruleset.build_codes("scenario", document, origin, paths_of("content", content))
    return {each.place: each.code for each in found}


@with_python_names
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
    check_kind("code", code, str, "a text")
    ruleset = registry.of_code(code)
    if ruleset is None:
        raise InputError.of(
            "code", f"{shown(code)} is no share code", f"a code begins with {registry.code_beginnings()}"
        )
    return ruleset.build_of_code(code, paths_of("content", content))[0]


@with_python_names
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
    check_kind("replay", replay, (str, Path), "a path")
    return verify_replay(Path(replay), load_plugins(paths_of("plugins", plugins)))
