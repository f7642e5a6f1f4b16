"""Bundle files: pack, write and read a compiled battle as one JSON file, for programs without Python.

`seal_of` defines the seal; docs/reference/bundle-format.md describes it for other languages.
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from blake3 import blake3
from msgspec import UNSET, Meta, UnsetType, field

from fracas.engine.battle import Battle
from fracas.engine.replay_file import (
    BATTLE_LIMIT,
    Decisions,
    GameRecord,
    StoredOutcome,
    other_rules,
    refuse_strange_decisions,
    refuse_unknown_ruleset,
)
from fracas.errors import InputError
from fracas.files.atomic_write import write_atomic
from fracas.files.read import FileLike, parse_json, read_text
from fracas.portable import artefacts
from fracas.portable.memory_layout import deciding_interface, describe
from fracas.rulesets import registry
from fracas.rulesets.contract.ruleset import Ruleset

FORMAT = "fracas-bundle"
FORMAT_VERSION = 1
LARGEST_BUNDLE = 32 * 1024 * 1024
_LEVEL = 9

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Bundle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The file's content. `record` is the input of the ruleset's module, deflated (RFC 1950) and base64-encoded."""

    format: str
    format_version: int
    ruleset: str
    rules_version: int
    layout_key: str
    scenario: dict[str, Any]
    profile: str
    seed: str
    stream: Annotated[str, Meta(pattern="^[0-9]{1,19}$")]
    sides: list[str]
    books: dict[str, list[Any]]
    result: StoredOutcome
    event_count: Annotated[int, Meta(ge=0)]
    tick_digests: list[tuple[int, Digest]]
    digest: Digest
    record_digest: Digest
    record: str
    seal: Digest
    # Absent for shipped rulesets, so that their bundles keep their bytes.
    written_game: GameRecord | UnsetType = field(default=UNSET, name="game")
    # Absent where nobody chose.
    written_decisions: Decisions | UnsetType = field(default=UNSET, name="decisions")

    @property
    def game(self) -> GameRecord | None:
        """The rules of a game; None for a shipped ruleset."""
        return None if self.written_game is UNSET else self.written_game

    @property
    def decisions(self) -> Decisions | None:
        """What agents or people chose; None if nobody did."""
        return None if self.written_decisions is UNSET else self.written_decisions


def bundle_of(battle: Battle) -> Bundle:
    """Pack a battle as a bundle.

    Raises:
        InputError: it needs plug-ins, or decisions that no module of its ruleset takes, or no module is installed.
    """
    scenario, ruleset = battle.scenario, battle.scenario.ruleset
    if scenario.compiled.plugins:
        names = ", ".join(f'"{plugin.name}"' for plugin in scenario.compiled.plugins)
        message = f"uses plug-ins ({names}), which a bundle cannot contain"
        raise InputError.of(
            scenario.id, message, "share it as a replay: fracas run FILE --plugin CODE --save battle.json"
        )
    if battle.decisions is not None and not takes_decisions(ruleset):
        message = "contains decisions of agents, which a bundle cannot contain"
        raise InputError.of(scenario.id, message, "share the replay itself")
    assert battle.rows is not None, "the battle was played without a log"
    refuse_stale_module(ruleset)
    record = scenario.compiled.record.tobytes()
    unsealed = Bundle(
        format=FORMAT,
        format_version=FORMAT_VERSION,
        ruleset=ruleset.name,
        rules_version=ruleset.rules_version,
        layout_key=layout_key(ruleset),
        scenario=scenario.document,
        profile=scenario.profile,
        seed=scenario.seed,
        stream=str(battle.stream),
        sides=list(ruleset.side_names(scenario.document)),
        books={name: list(names) for name, names in sorted(scenario.compiled.books.items())},
        result=StoredOutcome(battle.winner, battle.reason, battle.rounds),
        event_count=len(battle.rows),
        tick_digests=list(battle.tick_digests.items()),
        digest=battle.digest,
        record_digest=blake3(record).hexdigest(),
        record=base64.b64encode(zlib.compress(record, _LEVEL)).decode(),
        seal="",
        written_game=GameRecord.of(ruleset) or UNSET,
        written_decisions=battle.decisions or UNSET,
    )
    return msgspec.structs.replace(unsealed, seal=seal_of(msgspec.to_builtins(unsealed)))


def takes_decisions(ruleset: Ruleset) -> bool:
    """Whether bundles of a ruleset may hold decisions, because its module plays them."""
    return deciding_interface(ruleset) is not None


def layout_key(ruleset: Ruleset) -> str:
    """The layout key of a ruleset's records and rules version.

    Raises:
        InputError: a shipped ruleset has no module in this installation.
    """
    return str(_layout(ruleset)["layout_key"])


def _layout(ruleset: Ruleset) -> artefacts.Layout:
    """The description of a ruleset's records: its module's, or for a game without a module one made now.

    Raises:
        InputError: a shipped ruleset has no module in this installation.
    """
    try:
        return artefacts.layout(ruleset.identity)
    except OSError as error:
        if ruleset.rules_hash:
            return describe(ruleset)
        raise InputError.of(ruleset.name, f"has no WebAssembly module in this installation: {error.strerror}") from None


def refuse_stale_module(ruleset: Ruleset) -> None:
    """Refuse to pack for a module that is missing, or older than the rules.

    Raises:
        InputError: the rules were edited after the module was built, or a game has none yet.
    """
    if artefacts.is_current(ruleset.identity):
        return
    if ruleset.rules_hash:
        message = "has no WebAssembly module for these rules yet"
        raise InputError.of(ruleset.name, message, f"fracas publish pack builds it, with ziglang: {artefacts.EXTRA}")
    message = "its WebAssembly module is missing or older than its rules, and would play battles differently"
    raise InputError.of(ruleset.name, message, "build it: python -m fracas.portable.build")


def bundle_bytes(bundle: Bundle) -> bytes:
    """Serialise a bundle."""
    return msgspec.json.encode(bundle) + b"\n"


def save_bundle(bundle: Bundle, path: Path) -> None:
    """Write a bundle atomically.

    Raises:
        InputError: the file cannot be written.
    """
    write_atomic(path, bundle_bytes(bundle))


def seal_of(bundle: dict[str, Any]) -> str:
    """Compute a bundle's seal: blake3 over everything except the seal and the record, whose digest is included.

    The seal detects damage; it does not prove who made the bundle. Values are framed one by one, so the seal does not
    depend on how a JSON writer orders keys, escapes characters or formats numbers.
    """
    hasher = blake3()
    for part in _framed({key: value for key, value in bundle.items() if key not in ("seal", "record")}):
        hasher.update(part)
    return hasher.hexdigest()


def _framed(value: Any) -> Iterator[bytes]:
    """Encode a plain value as bytes: a letter for its type, its length if it has one, its content."""
    if value is None:
        yield b"n"
    elif isinstance(value, bool):
        yield b"t" if value else b"f"
    elif isinstance(value, str):
        text = value.encode()
        yield b"s" + struct.pack("<I", len(text)) + text
    elif isinstance(value, int | float):
        # Numbers are as in JavaScript: doubles, without a negative zero.
        yield b"d" + struct.pack("<d", float(value) + 0.0)
    elif isinstance(value, list | tuple):
        yield b"a" + struct.pack("<I", len(value))
        for each in value:
            yield from _framed(each)
    else:
        yield b"o" + struct.pack("<I", len(value))
        for key in sorted(value):
            yield from _framed(key)
            yield from _framed(value[key])


def read_bundle(path: FileLike) -> Bundle:
    """Read a bundle and check its seal; its record may be of any version.

    Raises:
        InputError: unreadable, truncated, not a bundle, damaged, of an unknown ruleset.
    """
    where = str(path)
    document = parse_json(read_text(path, LARGEST_BUNDLE), where)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError.of(where, "is not a Fracas bundle")
    if document.get("format_version") != FORMAT_VERSION:
        known = f"this program reads version {FORMAT_VERSION}"
        raise InputError.of(where, f"has bundle format {document.get('format_version')!r}; {known}")
    try:
        bundle = msgspec.convert(document, Bundle)
        seal = seal_of(document)
    except (msgspec.ValidationError, OverflowError) as error:
        raise InputError.of(where, f"is not a valid bundle: {error}") from None
    if seal != bundle.seal:
        raise InputError.of(where, "is damaged or was edited: its seal does not match")
    refuse_unknown_ruleset(bundle.ruleset, where)
    if bundle.scenario.get("ruleset") != bundle.ruleset:
        raise InputError.of(where, f"names the ruleset {bundle.ruleset}, but its scenario has another ruleset")
    other_rules(bundle, where)
    if bundle.decisions is not None:
        if not takes_decisions(registry.get(bundle.ruleset)):
            raise InputError.of(where, f"contains decisions of agents, which no module of {bundle.ruleset} plays")
        refuse_strange_decisions(bundle.decisions, where)
    if int(bundle.stream) > BATTLE_LIMIT:
        raise InputError.of(where, f"has the stream {bundle.stream}, which is out of range")
    return bundle


def refuse_other_version(bundle: Bundle, where: str) -> None:
    """Refuse a bundle whose record was written by another version of the rules.

    Raises:
        InputError: its layout key is not that of the installed rules.
    """
    ruleset = registry.get(bundle.ruleset)
    if bundle.layout_key == layout_key(ruleset) and bundle.rules_version == ruleset.rules_version:
        return
    versions = f"rules version {bundle.rules_version}; installed is {ruleset.rules_version}"
    hint = f"pack its scenario again: fracas publish pack {where} -o NEW"
    raise InputError.of(where, f"was made by another version of Fracas ({versions})", hint)


def record_of(bundle: Bundle, where: str) -> bytes:
    """Decode the record of a bundle of this version.

    Raises:
        InputError: it is damaged or has the wrong length.
    """
    record = inflated(bundle.record, _layout(registry.get(bundle.ruleset))["record"]["size"])
    if record is None or blake3(record).hexdigest() != bundle.record_digest:
        raise InputError.of(where, "its record is damaged or was edited")
    return record


def inflated(packed: str, size: int) -> bytes | None:
    """Decode and inflate base64 text to exactly `size` bytes, else None; never inflates more than that."""
    try:
        unpacker = zlib.decompressobj()
        unpacked = unpacker.decompress(base64.b64decode(packed, validate=True), size + 1)
    except (ValueError, zlib.error):
        return None
    is_whole = unpacker.eof and not unpacker.unused_data
    return unpacked if is_whole and len(unpacked) == size else None
