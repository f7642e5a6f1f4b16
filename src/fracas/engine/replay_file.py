"""Replays: a battle with every input and every event in one JSON file, and the check that nobody can dispute."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import numpy as np

from fracas.engine.battle import BATTLE_LIMIT, Battle, play_battle
from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario, compile_document, content_fingerprint
from fracas.errors import InputError
from fracas.errors.suggestions import nearest
from fracas.events.digest import digest, tick_digests
from fracas.events.protocol import Event
from fracas.files.atomic_write import write_whole
from fracas.files.read import parse_json, read_text
from fracas.kernel.event_log import COLUMNS
from fracas.rulesets import registry
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Records

FORMAT = "fracas-replay"
FORMAT_VERSION = 1
LARGEST_REPLAY = 64 * 1024 * 1024
LOOKED_AT = 200
_FORMAT_FIRST = re.compile(rb'\s*{\s*"format"\s*:\s*"([a-z -]*)"')


class PluginRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plug-in that took part: its name and its source file's blake3."""

    name: str
    source_hash: str


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the battle ended."""

    winner: int
    reason: str
    rounds: int


class Replay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file. `scenario` is the resolved document with all content used; `choices` are submitted choices, if any."""

    format: str
    format_version: int
    ruleset: str
    rules_version: int
    content_fingerprint: str
    scenario: dict[str, Any]
    profile: str
    seed: str
    stream: int
    plugins: list[PluginRecord]
    choices: list[Any]
    result: Outcome
    event_count: int
    tick_digests: list[tuple[int, str]]
    digest: str
    events: list[tuple[int, int, int, int, int, int, int, int]]


@dataclass(frozen=True)
class Verification:
    """What a re-run showed. If it differs: the first tick, and the first event of each run that differs there."""

    file: str
    """The replay's path."""
    matches: bool
    """True if every event, digest and result is what the re-run gave."""
    battle: Battle
    """The battle as it was played again."""
    tick: int | None = None
    """Where the first difference lies; None if it is not in an event."""
    stored: Any = None
    """What the file says there, as plain values."""
    played: Any = None
    """What the re-run gave there."""
    explanation: str = ""
    """The difference in a sentence."""


def replay_of(battle: Battle) -> Replay:
    """Everything about a battle, as a replay holds it."""
    scenario = battle.scenario
    rows = battle.rows if battle.rows is not None else np.zeros((0, len(COLUMNS)), np.int32)
    return Replay(
        format=FORMAT,
        format_version=FORMAT_VERSION,
        ruleset=scenario.ruleset.name,
        rules_version=scenario.ruleset.rules_version,
        content_fingerprint=scenario.fingerprint,
        scenario=scenario.document,
        profile=scenario.profile,
        seed=scenario.seed,
        stream=battle.stream,
        plugins=[PluginRecord(plugin.name, plugin.source_hash) for plugin in scenario.compiled.plugins],
        choices=[],
        result=Outcome(battle.winner, battle.reason, battle.rounds),
        event_count=len(rows),
        tick_digests=list(battle.tick_digests.items()),
        digest=battle.digest,
        events=[tuple(row) for row in rows.tolist()],
    )


def save_replay(battle: Battle, path: Path) -> None:
    """Write a replay; the file appears whole or not at all.

    Raises:
        InputError: it cannot be written.
    """
    write_whole(path, msgspec.json.encode(replay_of(battle)) + b"\n")


class _Head(msgspec.Struct):
    """What says of a JSON file that it is one of ours."""

    format: str


def format_of(path: Path) -> str | None:
    """What a JSON file's key `format` says, wherever in the file it stands; None if it says nothing or is unreadable.

    Files that Fracas wrote begin with it, so that a file of ours which is broken further on is known as well.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(LOOKED_AT).removeprefix(codecs.BOM_UTF8)
            beginning = _FORMAT_FIRST.match(raw)
            if beginning is not None:
                return beginning[1].decode()
            raw += file.read(LARGEST_REPLAY + 1 - len(raw))
        return msgspec.json.decode(raw, type=_Head).format
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
        return None


def read_replay(path: Path) -> Replay:
    """A replay whose parts fit together; whether it tells the truth is for `verify_replay` to say.

    Raises:
        InputError: unreadable, truncated, not a replay, of an unknown ruleset or version, or its embedded content is
            not the content that its fingerprint names.
    """
    where = str(path)
    text = read_text(path, LARGEST_REPLAY)
    if path.suffix == ".toml":
        raise InputError.of(where, "is TOML, and a replay is JSON", f"fracas run {path} --save battle.json writes one")
    document = parse_json(text, where)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError.of(where, "is not a Fracas replay")
    if document.get("format_version") != FORMAT_VERSION:
        known = f"this program reads version {FORMAT_VERSION}"
        raise InputError.of(where, f"has replay format {document.get('format_version')!r}; {known}")
    try:
        replay = msgspec.convert(document, Replay)
    except msgspec.ValidationError as error:
        raise InputError.of(where, f"is not a sound replay: {error}") from None
    _check(replay, where)
    return replay


def _check(replay: Replay, where: str) -> None:
    if replay.ruleset not in registry.NAMES:
        hint = nearest(replay.ruleset, registry.NAMES)
        raise InputError.of(where, f'the ruleset "{replay.ruleset}" is not installed', hint)
    if replay.scenario.get("ruleset") != replay.ruleset:
        message = f"says that it is of {replay.ruleset}, and its scenario is of another ruleset: the file was edited"
        raise InputError.of(where, message)
    installed = registry.get(replay.ruleset).rules_version
    if replay.rules_version != installed:
        message = (
            f"was made with version {replay.rules_version} of the rules of {replay.ruleset}; installed is {installed}"
        )
        raise InputError.of(where, message)
    if content_fingerprint(replay.scenario) != replay.content_fingerprint:
        raise InputError.of(where, "its embedded content does not match its fingerprint: the file was edited")
    if not 0 <= replay.stream <= BATTLE_LIMIT:
        raise InputError.of(where, f"has the stream {replay.stream}, which is out of range")
    if replay.choices:
        raise InputError.of(where, f"holds choices; in {replay.ruleset} nobody chooses anything during a battle")
    if any(not -(2**31) <= value < 2**31 for row in replay.events for value in row):
        raise InputError.of(where, "is not a sound replay: an event holds a number beyond 32 bits")


def rows_of(replay: Replay) -> Records:
    """The event rows that a replay stores."""
    return np.array(replay.events, np.int32).reshape(-1, len(COLUMNS))


def scenario_of(replay: Replay, plugins: Mapping[str, Plugin], where: str) -> Scenario:
    """The scenario that a replay embeds, ready to be played.

    Raises:
        InputError: it needs a plug-in that is not given, or was made with another version of it.
    """
    for needed in replay.plugins:
        given = plugins.get(needed.name)
        if given is None:
            raise InputError.of(where, f'was made with the plug-in "{needed.name}"', "give its file with --plugin FILE")
        if given.source_hash != needed.source_hash:
            raise InputError.of(
                where, f'was made with another version of the plug-in "{needed.name}" than {given.file}'
            )
    document = {**replay.scenario, "seed": replay.seed}
    # In the order of that battle, whatever order they are given in now: codes may go by it.
    in_order = {needed.name: plugins[needed.name] for needed in replay.plugins}
    try:
        return compile_document(document, {**in_order, **plugins})
    except InputError as error:
        raise InputError([problem_in(where, problem) for problem in error.problems]) from None


def problem_in(where: str, problem: Any) -> Any:
    """A problem of embedded content, with the file it is embedded in."""
    return type(problem)(f"{where}: {problem.where}", problem.message, problem.suggestion)


def verify_replay(
    path: Path, plugins: Mapping[str, Plugin] | None = None, notice: Notice | None = None, *, alone: bool = False
) -> Verification:
    """Play a replay's battle again and compare events, digests and result; `alone` as in `play_battle`.

    Raises:
        InputError: see `read_replay` and `scenario_of`; or a plug-in does not keep its promises.
    """
    replay = read_replay(path)
    scenario = scenario_of(replay, plugins or {}, str(path))
    scenario.ruleset.prove_plugins(scenario.compiled)
    battle = play_battle(scenario, replay.stream, notice=notice, alone=alone)
    difference = _difference(replay, battle)
    if difference is None:
        return Verification(str(path), True, battle)
    tick, stored, played, explanation = difference
    return Verification(str(path), False, battle, tick, stored, played, explanation)


def _difference(replay: Replay, battle: Battle) -> tuple[int | None, Any, Any, str] | None:
    stored, played = rows_of(replay), battle.rows
    assert played is not None
    if not np.array_equal(stored, played):
        shared = min(len(stored), len(played))
        differing = np.flatnonzero((stored[:shared] != played[:shared]).any(axis=1))
        place = int(differing[0]) if differing.size else shared
        first = [rows[place] if place < len(rows) else None for rows in (stored, played)]
        tick = _first_tick(battle, first, played[place - 1] if place else None)
        texts = [_as_event(battle, row) for row in first]
        where = battle.place(tick)
        return tick, texts[0], texts[1], f"the first event that differs is number {place}, in {where}"
    for tick, stored_digest in replay.tick_digests:
        if battle.tick_digests.get(tick) != stored_digest:
            return (
                tick,
                stored_digest,
                battle.tick_digests.get(tick),
                f"the stored digest of {battle.place(tick)} is another one",
            )
    ended = Outcome(battle.winner, battle.reason, battle.rounds)
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
            return None, _shown(noted), _shown(found), f"{what} is stored wrongly"
    return None


def _first_tick(battle: Battle, rows: Sequence[Records | None], before: Records | None) -> int:
    """Where two rows part: the earlier of their ticks, or of two in the same place the one of the row before them."""
    order = battle.scenario.ruleset.places(battle.scenario.document).order
    ticks = [int(row[0]) for row in rows if row is not None]
    return min(ticks, key=lambda tick: (order(tick), before is None or tick != int(before[0])))


def _shown(value: Any) -> Any:
    return msgspec.to_builtins(value)


def _as_event(battle: Battle, row: Records | None) -> Any:
    """An event as plain values; a row that no event kind explains as its eight numbers."""
    if row is None:
        return None
    try:
        decoded: Sequence[Event] = battle.scenario.ruleset.protocol.decode(row[None, :], battle.scenario.compiled.books)
        return decoded[0].as_json()
    except LookupError:
        return row.tolist()


def told_replay(path: Path) -> Battle:
    """The battle that a replay stores, as it stores it, without playing it again.

    Raises:
        InputError: see `read_replay`; or its events do not match its digests or its result, or mean nothing.
    """
    replay = read_replay(path)
    rows, result = rows_of(replay), replay.result
    if digest(rows) != replay.digest or list(tick_digests(rows).items()) != replay.tick_digests:
        _say_edited(path, "its events do not match its digests")
    if replay.event_count != len(rows):
        _say_edited(path, "it does not hold as many events as it says")
    scenario = scenario_for_telling(replay, str(path))
    if (replay.profile, replay.seed) != (scenario.profile, replay.scenario.get("seed")):
        _say_edited(path, "its profile or its seed is not that of its scenario")
    battle = Battle(scenario, replay.stream, result.winner, result.reason, result.rounds, (0, 0), (0, 0), rows)
    try:
        # After the outcome there may be more to tell, such as what was learnt; nothing else names a winner.
        ending = next((event for event in reversed(battle.events) if hasattr(event, "winner")), battle.events[-1])
        told = ending.as_json() | {"rounds": scenario.ruleset.rounds(battle.events)}
    except LookupError:
        _say_edited(path, "it holds an event that no battle has")
    if any(told.get(key) != value for key, value in msgspec.to_builtins(result).items()):
        _say_edited(path, "its result is not what its events say")
    return battle


def _say_edited(path: Path, what: str) -> NoReturn:
    raise InputError.of(str(path), f"{what}: the file was edited", "try fracas verify")


def scenario_for_telling(replay: Replay, where: str) -> Scenario:
    """The embedded scenario for its names alone: plug-ins are not needed where nothing is played."""
    stand_ins = {needed.name: Plugin(needed.name, (), needed.source_hash, where) for needed in replay.plugins}
    return scenario_of(replay, stand_ins, where)
