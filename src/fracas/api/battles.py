"""The Python API of single battles: run, verify, a batch call for backends, share codes."""

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
from fracas.content.packs import examples_folder
from fracas.content.validate import shown
from fracas.engine.battle import Battle, battle_of, check_stream, play_battle
from fracas.engine.execution_mode import MANY_BATTLES
from fracas.engine.player import make_player
from fracas.engine.scenario import Scenario, read_source, ruleset_name
from fracas.errors import InputError, Problem, UsageError
from fracas.lab.execution.thread_executor import check_threads, thread_count
from fracas.plugins.loader import load_plugins
from fracas.replay.saved_battle import verify_saved
from fracas.replay.verify import Verification
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
    before. With `FRACAS_JIT=0` or `wasm` nothing is compiled.

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
            make_player(scenario, logged=logged, battles=MANY_BATTLES).play(0, 1)


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
    check_threads(threads)
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
        replay: the file that `Battle.save`, `fracas run --save` or `fracas pack` wrote.
        plugins: the Python files whose damage stages took part.

    Returns:
        `matches`, and if not, the first tick that differs with both events.

    Raises:
        InputError: the file is unreadable, truncated, or neither a replay nor a bundle; its content does not match its
            fingerprint; its rules version or plug-in is not here.

    Source: docs/reference/replay-format.md.
    """
    check_kind("replay", replay, (str, Path), "a path")
    return verify_saved(Path(replay), load_plugins(paths_of("plugins", plugins)))
