"""Play bundles again and verify them."""

from __future__ import annotations

from pathlib import Path

from fracas.engine.battle import Battle, play_battle
from fracas.engine.decided_battle import decided_battle
from fracas.engine.player import Notice
from fracas.engine.replay_file import StoredOutcome, format_of, other_rules, problem_in
from fracas.engine.scenario import Scenario, compile_document
from fracas.errors import InputError
from fracas.files.read import FileLike
from fracas.replay.bundle_file import FORMAT, Bundle, read_bundle, record_of, refuse_other_version
from fracas.replay.verify import Verification


def holds_bundle(path: FileLike) -> bool:
    """Whether a file is a bundle; False if it cannot be read."""
    return format_of(path) == FORMAT


def packed_battle(path: Path, notice: Notice | None = None) -> Battle:
    """Play the scenario of a bundle of any version with the installed rules.

    Raises:
        InputError: see `read_bundle`; or its scenario is not valid under these rules.
    """
    bundle = read_bundle(path)
    return _played(bundle, _scenario_of(bundle, str(path)), str(path), notice, alone=True)


def verify_bundle(path: FileLike, notice: Notice | None = None, *, alone: bool = False) -> Verification:
    """Verify a bundle: compile its scenario, play it again, and compare the record, events, digests and result.

    Raises:
        InputError: see `read_bundle`; it was made by another version, or its scenario is not valid.
    """
    where = str(path)
    bundle = read_bundle(path)
    refuse_other_version(bundle, where)
    record = record_of(bundle, where)
    scenario = _scenario_of(bundle, where)
    battle = _played(bundle, scenario, where, notice, alone=alone)
    others = other_rules(bundle, where)
    tick = _first_difference(bundle, battle)
    if tick is not None:
        stored = dict(bundle.tick_digests).get(tick)
        explanation = f"the stored digest of {battle.place(tick)} differs"
        return Verification(where, False, battle, tick, stored, battle.tick_digests.get(tick), explanation, others)
    assert battle.rows is not None
    ended = StoredOutcome(battle.winner, battle.reason, battle.rounds)
    checks = (
        ("the digest", bundle.digest, battle.digest),
        ("the number of events", bundle.event_count, len(battle.rows)),
        ("the result", _plain(bundle.result), _plain(ended)),
        ("the profile", bundle.profile, scenario.profile),
        ("the seed", bundle.seed, scenario.seed),
        ("the list of sides", bundle.sides, list(scenario.ruleset.side_names(scenario.document))),
        (
            "the list of names",
            bundle.books,
            {name: list(names) for name, names in sorted(scenario.compiled.books.items())},
        ),
    )
    for what, stored_value, found in checks:
        if stored_value != found:
            return Verification(where, False, battle, None, stored_value, found, f"{what} differs", others)
    if record != scenario.compiled.record.tobytes():
        explanation = "its record differs from its compiled scenario"
        return Verification(where, False, battle, None, None, None, explanation, others)
    return Verification(where, True, battle, other_rules=others)


def _played(bundle: Bundle, scenario: Scenario, where: str, notice: Notice | None, *, alone: bool) -> Battle:
    """Play the battle of a bundle."""
    stream = int(bundle.stream)
    if bundle.decisions is None:
        return play_battle(scenario, stream, notice=notice, alone=alone)
    is_whole = bundle.result.reason != scenario.ruleset.reasons[0]
    return decided_battle(scenario, stream, bundle.decisions, where, is_whole=is_whole)


def _plain(outcome: StoredOutcome) -> dict[str, int | str]:
    return {"winner": outcome.winner, "reason": outcome.reason, "rounds": outcome.rounds}


def _scenario_of(bundle: Bundle, where: str) -> Scenario:
    try:
        return compile_document({**bundle.scenario, "seed": bundle.seed}, {})
    except InputError as error:
        raise InputError([problem_in(where, problem) for problem in error.problems]) from None


def _first_difference(bundle: Bundle, battle: Battle) -> int | None:
    """Find the first tick, in the order of play, whose digest differs from the stored one."""
    stored, played = dict(bundle.tick_digests), battle.tick_digests
    order = battle.scenario.ruleset.tick_labels(battle.scenario.document).order
    differing = [tick for tick in {**stored, **played} if stored.get(tick) != played.get(tick)]
    return min(differing, key=order, default=None)
