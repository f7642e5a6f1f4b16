"""The Python API for single battles: run, run_many, prepare, verify and share codes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

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
from fracas.files.read import InMemory
from fracas.lab.execution.thread_executor import check_threads, thread_count
from fracas.plugins.loader import load_plugins
from fracas.replay.load_battle import verify_saved
from fracas.replay.verify import Verification
from fracas.rulesets import registry


@with_python_names
def run(scenario: ScenarioLike, *, seed: str | None = None, stream: int = 0, log: bool = True) -> Battle:
    """Resolve one battle.

    Args:
        scenario: a scenario from `load`, or anything that `load` takes.
        seed: the seed text; defaults to the scenario's.
        stream: the battle's number under that seed, 0 to 2^63 - 1; number 0 is what `fracas run` shows.
        log: keep the events. Without them you get only the outcome, a little faster.

    Returns:
        The battle: `winner` (1, 2, or 0 for a draw), `reason`, `rounds`, typed `events`, `story()`, `save(path)`.

    Raises:
        InputError: the scenario or the stream is not valid, or the battle is too long for a log.
        FaultError: the battle hit a limit of the engine.

    Source: the ruleset's rule book, Order of play.

        >>> battle = run("examples/squads/standard-5v5.toml", seed="tuesday")
        >>> battle.winner in (0, 1, 2) and battle.events[-1].NAME
        'outcome'
    """
    check_stream(stream, "stream")
    return play_battle(scenario_of(scenario, seed), stream, log=log)


@with_python_names
def prepare(*rulesets: str) -> None:
    """Load rules, content and compiled code now, so that the first request need not wait.

    Rules that are not compiled yet are compiled, which takes ten to thirty seconds per ruleset; run `fracas machine
    compile` beforehand to avoid that. With `FRACAS_JIT=0` or `wasm` nothing is compiled.

    Args:
        rulesets: the rulesets to prepare; none means all.

    Returns:
        None, when everything is ready.

    Raises:
        InputError: there is no such ruleset.

    Source: docs/how-to/backend.md, Before the first request.
    """
    check_list("rulesets", rulesets, str, "names of rulesets")
    for name in [registry.shipped(each, "rulesets").name for each in rulesets] or registry.NAMES:
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
    """Resolve one battle for each of many scenarios; made for backends with a queue of matches.

    Args:
        scenarios: scenarios from `load`, or anything that `load` takes.
        seeds: one seed text per scenario; defaults to each scenario's own.
        log: keep every battle's events.
        threads: the number of threads; defaults to one per core. It does not affect the results.

    Returns:
        The battles, in the order of the scenarios. Each equals what `run` gives for the same scenario and seed.

    Raises:
        InputError: the problems of all scenarios at once, each with its index in the list; or threads out of range.
        FaultError: a battle hit a limit of the engine.

    Source: docs/reference/dice.md (a battle's bytes depend only on its own inputs).

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
    for index, source in enumerate(scenarios):
        try:
            loaded.append(scenario_of(source, None if seeds is None else seeds[index]))
        except InputError as error:
            problems += [Problem(f"scenarios[{index}]: {p.where}", p.message, p.suggestion) for p in error.problems]
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
    """Get the share codes of the builds in a scenario.

    Args:
        source: the path of a relics scenario, or a mapping with the keys of such a file.
        content: folders whose content overrides the shipped content.

    Returns:
        Each build's code by side, `left` and `right`; None if a code cannot hold the build, such as one with an inline
        item.

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
    found = ruleset.required(ruleset.share_codes, "share codes", origin.where).build_codes(
        "scenario", document, origin, paths_of("content", content)
    )
    return {each.place: each.code for each in found}


@with_python_names
def build_of_code(code: str, *, content: Iterable[str | Path] = ()) -> dict[str, Any]:
    """Decode a share code into a build.

    Args:
        code: a share code, as `share_codes` and `fracas publish share` make them.
        content: folders whose content overrides the shipped content.

    Returns:
        The build, with the keys of a scenario file: use it there as `left` or `right`.

    Raises:
        InputError: it is not a share code, or it names unknown content.

    Source: docs/how-to/share-a-build.md.
    """
    check_kind("code", code, str, "a string")
    ruleset = registry.of_code(code)
    if ruleset is None:
        raise InputError.of(
            "code", f"{shown(code)} is not a share code", f"a code begins with {registry.code_beginnings()}"
        )
    codes = ruleset.required(ruleset.share_codes, "share codes", "code")
    return codes.build_of_code(code, paths_of("content", content))[0]


@with_python_names
def verify(replay: str | Path | bytes | Mapping[str, Any], *, plugins: Iterable[str | Path] = ()) -> Verification:
    """Play a saved battle again and compare every event.

    Args:
        replay: the path of a file that `Battle.save`, `fracas run --save` or `fracas publish pack` wrote; the bytes of
            such a file, as `Battle.replay_bytes` gives them; or its JSON as a mapping.
        plugins: the Python files of the plug-ins that took part.

    Returns:
        `matches`, and if it is false, the first tick that differs, with both events.

    Raises:
        InputError: the replay is unreadable, truncated, or neither a replay nor a bundle; its content does not match
            its fingerprint; its rules version or plug-in is not installed.

    Source: docs/reference/replay-format.md.

        >>> battle = run("examples/squads/first-battle.toml")
        >>> verify(battle.replay_bytes()).matches
        True
    """
    check_kind("replay", replay, (str, Path, bytes, Mapping), "a path, bytes or a mapping")
    source = Path(replay) if isinstance(replay, str | Path) else InMemory(_replay_data(replay), "replay")
    return verify_saved(source, load_plugins(paths_of("plugins", plugins)))


def _replay_data(replay: bytes | Mapping[str, Any]) -> bytes:
    if isinstance(replay, bytes):
        return replay
    try:
        return msgspec.json.encode(dict(replay))
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise UsageError.of("replay", f"does not consist of plain values: {error}") from None
