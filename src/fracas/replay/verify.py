"""Verify replays: play the battle again and compare; or narrate a replay from its stored events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import numpy as np

from fracas.engine.battle import Battle, play_battle
from fracas.engine.decided_battle import decided_battle
from fracas.engine.player import Notice
from fracas.engine.replay_file import OtherRules, Replay, StoredOutcome, other_rules, read_replay, rows_of, scenario_of
from fracas.engine.scenario import Scenario
from fracas.errors import InputError
from fracas.events.digest import digest, tick_digests
from fracas.files.read import FileLike
from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Rows


@dataclass(frozen=True)
class Verification:
    """The result of a re-run. If it differs: the first tick and the first pair of events that differ."""

    file: str
    """The replay's path; `replay` if it was bytes or a mapping."""
    matches: bool
    """Whether every event, digest and result equals the re-run's."""
    battle: Battle
    """The battle as played again."""
    tick: int | None = None
    """The tick of the first difference; None if it is not in an event."""
    stored: Any = None
    """The stored event or value, as plain values."""
    played: Any = None
    """The re-run's event or value, as plain values."""
    explanation: str = ""
    """The difference as a sentence."""
    other_rules: OtherRules | None = None
    """The rules here and those of the file, if a game was played by other rules of the same version."""


def verify_replay(
    path: FileLike, plugins: Mapping[str, Plugin] | None = None, notice: Notice | None = None, *, alone: bool = False
) -> Verification:
    """Verify a replay: play its battle again and compare events, digests and result; `alone` as in `play_battle`.

    Raises:
        InputError: see `read_replay` and `scenario_of`; or a plug-in fails.
    """
    replay = read_replay(path)
    scenario = scenario_of(replay, plugins or {}, str(path))
    scenario.ruleset.test_plugins(scenario.compiled)
    if replay.decisions is None:
        battle = play_battle(scenario, replay.stream, notice=notice, alone=alone)
    else:
        battle = decided_battle(scenario, replay.stream, replay.decisions, str(path))
    difference = _difference(replay, battle)
    others = other_rules(replay, str(path))
    if difference is None:
        return Verification(str(path), True, battle, other_rules=others)
    tick, stored, played, explanation = difference
    return Verification(str(path), False, battle, tick, stored, played, explanation, others)


def _difference(replay: Replay, battle: Battle) -> tuple[int | None, Any, Any, str] | None:
    stored, played = rows_of(replay), battle.rows
    assert played is not None
    if not np.array_equal(stored, played):
        shared = min(len(stored), len(played))
        differing = np.flatnonzero((stored[:shared] != played[:shared]).any(axis=1))
        index = int(differing[0]) if differing.size else shared
        first = [rows[index] if index < len(rows) else None for rows in (stored, played)]
        tick = _first_tick(battle, first, played[index - 1] if index else None)
        texts = [_as_event(battle, row) for row in first]
        where = battle.place(tick)
        return tick, texts[0], texts[1], f"the first event that differs is number {index}, in {where}"
    for tick, stored_digest in replay.tick_digests:
        if battle.tick_digests.get(tick) != stored_digest:
            return (
                tick,
                stored_digest,
                battle.tick_digests.get(tick),
                f"the stored digest of {battle.place(tick)} differs",
            )
    ended = StoredOutcome(battle.winner, battle.reason, battle.rounds)
    checks = (
        ("the result", replay.result, ended),
        ("the digest", replay.digest, battle.digest),
        ("the number of events", replay.event_count, len(played)),
        ("the profile", replay.profile, battle.scenario.profile),
        ("the seed of its scenario", replay.scenario.get("seed"), replay.seed),
        ("the list of ticks", [tick for tick, _ in replay.tick_digests], list(battle.tick_digests)),
    )
    for what, noted, found in checks:
        if noted != found:
            return None, _shown(noted), _shown(found), f"{what} differs"
    return None


def _first_tick(battle: Battle, rows: Sequence[Rows | None], before: Rows | None) -> int:
    """The tick at which two runs diverge: the earlier one; if equal in play order, that of the row before."""
    order = battle.scenario.ruleset.tick_labels(battle.scenario.document).order
    ticks = [int(row[0]) for row in rows if row is not None]
    return min(ticks, key=lambda tick: (order(tick), before is None or tick != int(before[0])))


def _shown(value: Any) -> Any:
    return msgspec.to_builtins(value)


def _as_event(battle: Battle, row: Rows | None) -> Any:
    """An event as plain values; as eight numbers if the row matches no kind of event."""
    if row is None:
        return None
    try:
        decoded: Sequence[Event] = battle.scenario.ruleset.protocol.decode(row[None, :], battle.scenario.compiled.books)
        return decoded[0].as_json()
    except LookupError:
        return row.tolist()


def narrate_replay(path: Path) -> Battle:
    """Make a battle from a replay's stored events, without playing it again.

    Raises:
        InputError: see `read_replay`; or its events are invalid, or do not match its digests or its result; or other
            rules wrote them.
    """
    replay = read_replay(path)
    others = other_rules(replay, str(path))
    if others is not None:
        message = f"was played by other rules of {replay.ruleset} ({others}), which cannot tell its events"
        raise InputError.of(str(path), message, "fracas verify plays it again")
    rows, result = rows_of(replay), replay.result
    if digest(rows) != replay.digest or list(tick_digests(rows).items()) != replay.tick_digests:
        _say_edited(path, "its events do not match its digests")
    if replay.event_count != len(rows):
        _say_edited(path, "its number of events is not the stored one")
    scenario = scenario_for_telling(replay, str(path))
    if (replay.profile, replay.seed) != (scenario.profile, replay.scenario.get("seed")):
        _say_edited(path, "its profile or its seed is not that of its scenario")
    battle = Battle(
        scenario, replay.stream, result.winner, result.reason, result.rounds, (0, 0), (0, 0), rows, replay.decisions
    )
    try:
        # Other events, such as lessons learnt, may follow the outcome; only the outcome names a winner.
        ending = next((event for event in reversed(battle.events) if hasattr(event, "winner")), battle.events[-1])
        ending_json = ending.as_json() | {"rounds": scenario.ruleset.count_rounds(battle.events)}
    except LookupError:
        _say_edited(path, "it contains an invalid event")
    if any(ending_json.get(key) != value for key, value in msgspec.to_builtins(result).items()):
        _say_edited(path, "its result does not match its events")
    return battle


def _say_edited(path: Path, what: str) -> NoReturn:
    raise InputError.of(str(path), f"{what}: the file was edited", "try fracas verify")


def scenario_for_telling(replay: Replay, where: str) -> Scenario:
    """Load the embedded scenario for its names only: without playing, plug-ins are not needed."""
    stand_ins = {needed.name: Plugin(needed.name, (), needed.source_hash, where) for needed in replay.plugins}
    return scenario_of(replay, stand_ins, where)
