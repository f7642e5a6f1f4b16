"""What the resolver does with a document: validate, lint, run, explain, compile, verify.

Nothing here reads files that a document names, loads plug-ins or tells a path.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from fracas.content.packs import examples_folder
from fracas.engine.battle import Battle, check_stream, play_battle
from fracas.engine.scenario import Scenario, load_scenario, ruleset_name
from fracas.engine.untrusted import load_untrusted, refuse_oversize, without_paths
from fracas.errors import InputError, Problem, UsageError
from fracas.files.read import InMemory, parse_json
from fracas.replay.bundle_file import bundle_of
from fracas.replay.load_battle import verify_saved
from fracas.replay.session_file import SessionVerification, holds_session, verify_session
from fracas.replay.verify import Verification
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Finding as LintFinding
from fracas.rulesets.contract.types import Override, Source
from fracas.server.http.problems import input_problem
from fracas.server_models.resolver import Battle as BattleAnswer
from fracas.server_models.resolver import Finding, Findings, Validation
from fracas.server_models.resolver import Verification as VerificationAnswer

PARTS = ("events", "story", "chronicle", "replay")
_SOLVED = "equilibrium"
MOST_STATES = 50


def is_solved(document: Any) -> bool:
    """Whether a titans document asks for a solved policy, which costs seconds. Works on any plain values."""
    if not isinstance(document, Mapping) or document.get("ruleset") != "titans":
        return False
    waiting: list[Any] = [document]
    while waiting:
        value = waiting.pop()
        if value == _SOLVED:
            return True
        if isinstance(value, Mapping):
            waiting += value.values()
        elif isinstance(value, list | tuple):
            waiting += value
    return False


def ruleset_of(document: Any) -> str:
    """The ruleset of a document, checked enough to find its price.

    Raises:
        InputError: too large, too deep, or without a known ruleset.
    """
    refuse_oversize(document)
    return registry.shipped(ruleset_name(document, "scenario"), "scenario: ruleset").name


def validate(document: Any) -> Validation:
    """Check a scenario and list every problem and warning."""
    try:
        scenario = load_untrusted(document)
    except InputError as error:
        problems = [input_problem(without_paths(problem)) for problem in error.problems]
        return Validation(valid=False, ruleset=None, problems=problems, warnings=[])
    warnings = [input_problem(warning) for warning in scenario.warnings]
    return Validation(valid=True, ruleset=scenario.ruleset.name, problems=[], warnings=warnings)


def lint(document: Any) -> Findings:
    """Find what is valid in a scenario but probably a mistake.

    Raises:
        InputError: the scenario is not valid.
    """
    ruleset = registry.shipped(ruleset_of(document))
    try:
        findings = ruleset.lint(dict(document), Source("scenario", None), [], {})
    except InputError as error:
        raise InputError(map(without_paths, error.problems)) from None
    return Findings(findings=[_finding(each) for each in findings])


def _finding(finding: LintFinding) -> Finding:
    said = without_paths(Problem(finding.where, finding.message, finding.suggestion))
    return Finding(rule=finding.rule, where=said.where, message=said.message, suggestion=said.suggestion)


def run(document: Any, seed: str | None, stream: int, parts: Iterable[str], detail: str) -> BattleAnswer:
    """Play a scenario; return the outcome and the parts that are asked for.

    Raises:
        InputError: the scenario, the seed or the stream is not valid.
        FaultError: the battle hit a limit of the engine.
    """
    battle = _played(document, seed, stream)
    wanted = set(parts)
    body: dict[str, Any] = battle.outcome_json()
    body["warnings"] = [input_problem(warning) for warning in battle.scenario.warnings]
    if "events" in wanted:
        body["events"] = [event.as_json() for event in battle.events]
    if "story" in wanted:
        body["story"] = battle.story(detail).splitlines()
    if "chronicle" in wanted:
        body["chronicle"] = msgspec.to_builtins(battle.chronicle)
    if "replay" in wanted:
        body["replay"] = msgspec.to_builtins(battle.as_replay())
    return BattleAnswer(**body)


def compile_bundle(document: Any, seed: str | None, stream: int) -> dict[str, Any]:
    """Play a scenario and pack it as a bundle for fracas.js.

    Raises:
        InputError: the scenario is not valid, or no module of its ruleset is installed.
    """
    packed: dict[str, Any] = msgspec.to_builtins(bundle_of(_played(document, seed, stream)))
    return packed


def _played(document: Any, seed: str | None, stream: int) -> Battle:
    return play_battle(_loaded(document, seed, stream), stream)


def explain(
    document: Any, seed: str | None, stream: int, unit: str, when: Any, round: str | None, state: Mapping[str, Any]
) -> dict[str, Any]:
    """Evaluate a condition at a unit's decision, or show what each of its moves is worth.

    Raises:
        InputError: the scenario is not valid, or there is no such unit, condition, round or state.
    """
    scenario = _loaded(document, seed, stream)
    if when is None and scenario.ruleset.vocabulary.facts:
        raise UsageError.of("when", "is missing", "write the condition to explain, such as self.hp_pct < 50")
    encounter, number = scenario.ruleset.tick_labels(scenario.document).asked(round, "round")
    explanation = scenario.ruleset.explain(
        scenario.compiled,
        stream=stream,
        unit=unit,
        when=when,
        round=number,
        state=_changes(state),
        encounter=encounter,
    )
    return replace(explanation, warnings=tuple(map(without_paths, explanation.warnings))).as_json()


def explain_hits(
    document: Any, seed: str | None, stream: int, pair: tuple[str, str], round: str | None, state: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Calculate what each attack of one unit or side does to another.

    Raises:
        InputError: the scenario is not valid, or there is no such unit, round or state.
    """
    scenario = _loaded(document, seed, stream)
    encounter, number = scenario.ruleset.tick_labels(scenario.document).asked(round, "round")
    hits = scenario.ruleset.hits(
        scenario.compiled,
        stream=stream,
        actor=pair[0],
        target=pair[1],
        round=None if round is None else number,
        state=_changes(state),
        encounter=encounter,
    )
    return [hit.as_json() for hit in hits]


def _loaded(document: Any, seed: str | None, stream: int) -> Scenario:
    check_stream(stream, "stream")
    return load_untrusted(document, seed=seed)


def _changes(state: Mapping[str, Any]) -> list[Override]:
    if len(state) > MOST_STATES:
        raise UsageError.of("state", f"changes {len(state)} values; at most {MOST_STATES} are allowed")
    return [Override(tuple(path.split(".")), value, "state") for path, value in state.items()]


def peeked(body: bytes) -> dict[str, Any]:
    """Parse the body of a replay far enough to find its price.

    Raises:
        InputError: it is not a JSON object.
    """
    try:
        document = parse_json(body.decode(), "replay")
    except UnicodeDecodeError:
        raise InputError.of("replay", "is not UTF-8") from None
    if not isinstance(document, dict):
        raise InputError.of("replay", "is not an object")
    return document


def measured_battles(games: Iterable[str] = ()) -> Iterator[tuple[str, float]]:
    """Play an example of each ruleset and game, once to warm up and once measured; milliseconds of processor time."""
    for name in (*registry.NAMES, *games):
        ruleset = registry.get(name)
        is_shipped = name in registry.NAMES
        example = examples_folder() / name / f"{ruleset.benchmarks[0]}.toml" if is_shipped else None
        scenario = load_scenario(example or ruleset.random_scenario(0))
        play_battle(scenario, 0)
        began = time.thread_time()
        play_battle(scenario, 1)
        yield name, (time.thread_time() - began) * 1_000


def verify(body: bytes) -> VerificationAnswer:
    """Play a saved battle, bundle or duel again and compare.

    Raises:
        InputError: it is none of these, was edited, or is of another version.
    """
    file = InMemory(body, "replay.json")
    try:
        verification = verify_session(file) if holds_session(file) else verify_saved(file)
    except InputError as error:
        raise InputError(map(without_paths, error.problems)) from None
    return _verified(verification)


def _verified(verification: Verification | SessionVerification) -> VerificationAnswer:
    body: dict[str, Any] = {"matches": verification.matches, "explanation": verification.explanation}
    if isinstance(verification, SessionVerification):
        kept = verification.saved
        return VerificationAnswer(
            **body,
            commitment=kept.commitment,
            handshake=kept.handshake,
            salts=dict(kept.salts),
            rounds=verification.rounds,
            is_over=verification.is_over,
            digest=verification.battle.digest if verification.is_over else None,
        )
    if not verification.matches:
        body |= {"tick": verification.tick, "stored": verification.stored, "played": verification.played}
    return VerificationAnswer(**body, digest=verification.battle.digest)
