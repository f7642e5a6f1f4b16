"""Replay files: write and read a battle's inputs, digests and event rows as one JSON file."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Protocol

import msgspec
import numpy as np

from fracas.engine.scenario import Scenario, compile_document, content_fingerprint
from fracas.errors import InputError
from fracas.errors.suggestions import quoted
from fracas.files.atomic_write import write_atomic
from fracas.files.read import FileLike, InMemory, parse_json, read_text
from fracas.kernel.event_log import COLUMNS
from fracas.kit.load import short
from fracas.rulesets import registry
from fracas.rulesets.contract.agents import MOST_DECISIONS
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.releases import other_rules_hint
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Rows

# The highest battle number under a seed.
BATTLE_LIMIT = 2**63 - 1
FORMAT = "fracas-replay"
FORMAT_VERSION = 1
LARGEST_REPLAY = 64 * 1024 * 1024
LOOKED_AT = 200
DecisionNumber = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
DecisionRow = tuple[DecisionNumber, DecisionNumber, DecisionNumber, DecisionNumber]
_FORMAT_FIRST = re.compile(rb'\s*{\s*"format"\s*:\s*"([a-z -]*)"')


class PluginRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plug-in that took part: its name and the blake3 of its source file."""

    name: str
    source_hash: str


class StoredOutcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the battle ended."""

    winner: int
    reason: str
    rounds: int


class Decisions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The decisions of agents in a battle, in order; they replace the strategies and policies of their sides."""

    sides: Annotated[list[Annotated[int, msgspec.Meta(ge=1, le=2)]], msgspec.Meta(min_length=1, max_length=2)]
    """The sides that agents played, 1 or 2."""
    rows: Annotated[list[DecisionRow], msgspec.Meta(max_length=MOST_DECISIONS)]
    """Each decision: side, actor, choice, target. docs/reference/replay-format.md explains them for each ruleset."""


class GameRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of a game that lives outside Fracas: its name, its version and its rules hash."""

    name: str
    version: int
    rules: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{8,128}$")]

    @classmethod
    def of(cls, ruleset: Ruleset) -> GameRecord | None:
        """What files note of a game; None for a shipped ruleset, which its name and version tell."""
        return cls(ruleset.name, ruleset.rules_version, ruleset.rules_hash) if ruleset.rules_hash else None


class Replay(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The file's content. `scenario` is the resolved document with all content used; `choices` are submitted ones."""

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
    result: StoredOutcome
    event_count: int
    tick_digests: list[tuple[int, str]]
    digest: str
    events: list[tuple[int, int, int, int, int, int, int, int]]
    decisions: Decisions | None = None
    game: GameRecord | None = None
    """The rules of a game; absent for shipped rulesets."""


def replay_bytes(replay: Replay) -> bytes:
    """Serialise a replay."""
    return msgspec.json.encode(replay) + b"\n"


def save_replay(replay: Replay, path: Path) -> None:
    """Write a replay atomically.

    Raises:
        InputError: the file cannot be written.
    """
    write_atomic(path, replay_bytes(replay))


class _Head(msgspec.Struct):
    """The key that identifies a JSON file as one of Fracas."""

    format: str


def format_of(source: FileLike) -> str | None:
    """Read the key `format` of a JSON file; None if it is missing or the file is unreadable.

    Files that Fracas wrote begin with this key, so they are recognised even if the rest is damaged.
    """
    try:
        with io.BytesIO(source.data) if isinstance(source, InMemory) else source.open("rb") as file:
            raw = file.read(LOOKED_AT).removeprefix(codecs.BOM_UTF8)
            beginning = _FORMAT_FIRST.match(raw)
            if beginning is not None:
                return beginning[1].decode()
            raw += file.read(LARGEST_REPLAY + 1 - len(raw))
        return msgspec.json.decode(raw, type=_Head).format
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
        return None


def read_replay(source: FileLike) -> Replay:
    """Read a replay and check that its parts are consistent; `verify_replay` checks that it is true.

    The rules of a game may be others of the same version (`other_rules`): whoever plays it again sees what differs.

    Raises:
        InputError: unreadable, truncated, not a replay, of an unknown ruleset or version, or its embedded content does
            not match its fingerprint.
    """
    where = str(source)
    text = read_text(source, LARGEST_REPLAY)
    if isinstance(source, Path) and source.suffix == ".toml":
        raise InputError.of(where, "is TOML; a replay is JSON", f"to make one: fracas run {source} --save battle.json")
    document = parse_json(text, where)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError.of(where, "is not a Fracas replay")
    if document.get("format_version") != FORMAT_VERSION:
        known = f"this program reads version {FORMAT_VERSION}"
        raise InputError.of(where, f"has replay format {document.get('format_version')!r}; {known}")
    try:
        replay = msgspec.convert(document, Replay)
    except msgspec.ValidationError as error:
        raise InputError.of(where, f"is not a valid replay: {error}") from None
    _check(replay, where)
    return replay


def _check(replay: Replay, where: str) -> None:
    refuse_unknown_ruleset(replay.ruleset, where)
    if replay.scenario.get("ruleset") != replay.ruleset:
        message = f"names the ruleset {replay.ruleset}, but its scenario has another ruleset: the file was edited"
        raise InputError.of(where, message)
    installed = registry.get(replay.ruleset).rules_version
    if replay.rules_version != installed:
        message = (
            f"was made with version {replay.rules_version} of the {replay.ruleset} rules; installed is {installed}"
        )
        raise InputError.of(where, message, other_rules_hint(replay.ruleset, replay.rules_version, installed))
    other_rules(replay, where)
    if content_fingerprint(replay.scenario) != replay.content_fingerprint:
        raise InputError.of(where, "its embedded content does not match its fingerprint: the file was edited")
    if not 0 <= replay.stream <= BATTLE_LIMIT:
        raise InputError.of(where, f"has the stream {replay.stream}, which is out of range")
    if replay.choices:
        raise InputError.of(where, f"contains choices, but {replay.ruleset} has no choices during a battle")
    if replay.decisions is not None and replay.plugins:
        raise InputError.of(where, "contains both plug-ins and decisions of agents, who never play with plug-ins")
    if replay.decisions is not None:
        refuse_strange_decisions(replay.decisions, where)
    if any(not -(2**31) <= value < 2**31 for row in replay.events for value in row):
        raise InputError.of(where, "is not a valid replay: an event contains a number beyond 32 bits")


def refuse_strange_decisions(decisions: Decisions, where: str) -> None:
    """Refuse decisions of sides that nobody plays.

    Raises:
        InputError: there are such, or a side is named twice.
    """
    sides = decisions.sides
    if len(set(sides)) < len(sides) or any(row[0] not in sides for row in decisions.rows):
        raise InputError.of(where, f"contains decisions of sides other than {sides}")


class SavedRules(Protocol):
    """What replays and bundles say about the rules that they were played by."""

    @property
    def ruleset(self) -> str:
        """The name of the rules."""

    @property
    def rules_version(self) -> int:
        """Their version."""

    @property
    def game(self) -> GameRecord | None:
        """The rules of a game; None for a shipped ruleset."""


@dataclass(frozen=True)
class OtherRules:
    """A saved battle's rules hash, and that of the rules of the same version that are known here."""

    here: str
    saved: str

    def __str__(self) -> str:
        return f"{short(self.here)}, not {short(self.saved)}"


def refuse_unknown_ruleset(name: str, where: str) -> None:
    """Refuse a saved battle of rules that are not known here; it never loads any.

    Raises:
        InputError: there are no such rules.
    """
    if not registry.is_known(name):
        raise InputError.of(where, f"the ruleset {quoted(name)} is not installed", registry.hint_for(name))


def other_rules(saved: SavedRules, where: str) -> OtherRules | None:
    """Compare the rules of a saved battle of a game with those that are known here; None if they are the same.

    Raises:
        InputError: what the file says about its game contradicts itself.
    """
    here = registry.get(saved.ruleset).rules_hash
    game = saved.game
    if game is None and not here:
        return None
    if game is None:
        raise InputError.of(where, f"does not say which rules of {saved.ruleset} it was played by: the file was edited")
    if not here:
        raise InputError.of(where, f"names a game, but {saved.ruleset} is a shipped ruleset: the file was edited")
    if (game.name, game.version) != (saved.ruleset, saved.rules_version):
        raise InputError.of(where, "names its game and its rules differently: the file was edited")
    return None if game.rules == here else OtherRules(here, game.rules)


def rows_of(replay: Replay) -> Rows:
    """The event rows that a replay stores."""
    return np.array(replay.events, np.int32).reshape(-1, len(COLUMNS))


def scenario_of(replay: Replay, plugins: Mapping[str, Plugin], where: str) -> Scenario:
    """Compile the scenario that a replay embeds.

    Raises:
        InputError: a plug-in that it needs is not given, or is another version.
    """
    for needed in replay.plugins:
        given = plugins.get(needed.name)
        if given is None:
            raise InputError.of(where, f'was made with the plug-in "{needed.name}"', "add its file: --plugin FILE")
        if given.source_hash != needed.source_hash:
            raise InputError.of(
                where, f'was made with another version of the plug-in "{needed.name}" than {given.file}'
            )
    document = {**replay.scenario, "seed": replay.seed}
    # In the battle's original order, because codes may depend on it.
    in_order = {needed.name: plugins[needed.name] for needed in replay.plugins}
    try:
        return compile_document(document, {**in_order, **plugins})
    except InputError as error:
        raise InputError([problem_in(where, problem) for problem in error.problems]) from None


def problem_in(where: str, problem: Any) -> Any:
    """Add the replay's file to a problem in its embedded content."""
    return type(problem)(f"{where}: {problem.where}", problem.message, problem.suggestion)
