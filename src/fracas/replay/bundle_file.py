"""Bundles: a compiled battle in one JSON file, for programs that play it without Python.

`seal_of` says what the seal is made of; docs/reference/bundle-format.md says the same for other languages.
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
from msgspec import Meta

from fracas.engine.battle import Battle
from fracas.engine.replay_file import BATTLE_LIMIT, Outcome
from fracas.errors import InputError
from fracas.errors.suggestions import nearest
from fracas.files.atomic_write import write_atomic
from fracas.files.read import parse_json, read_text
from fracas.portable import artefacts
from fracas.rulesets import registry

FORMAT = "fracas-bundle"
FORMAT_VERSION = 1
LARGEST_BUNDLE = 32 * 1024 * 1024
_LEVEL = 9

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Bundle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file. `record` is the battle as the rules' module takes it, deflated (RFC 1950) and in base64."""

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
    result: Outcome
    event_count: Annotated[int, Meta(ge=0)]
    tick_digests: list[tuple[int, Digest]]
    digest: Digest
    record_digest: Digest
    record: str
    seal: Digest


def bundle_of(battle: Battle) -> Bundle:
    """A battle as a bundle.

    Raises:
        InputError: it needs plug-ins, or no module of its rules ships.
    """
    scenario, ruleset = battle.scenario, battle.scenario.ruleset
    if scenario.compiled.plugins:
        names = ", ".join(f'"{plugin.name}"' for plugin in scenario.compiled.plugins)
        message = f"is played with code of your own ({names}), which a bundle cannot carry"
        raise InputError.of(
            scenario.id, message, "share it as a replay: fracas run FILE --plugin CODE --save battle.json"
        )
    assert battle.rows is not None, "the battle was played without a log"
    refuse_stale_module(ruleset.name)
    record = scenario.compiled.record.tobytes()
    unsealed = Bundle(
        format=FORMAT,
        format_version=FORMAT_VERSION,
        ruleset=ruleset.name,
        rules_version=ruleset.rules_version,
        layout_key=layout_key(ruleset.name),
        scenario=scenario.document,
        profile=scenario.profile,
        seed=scenario.seed,
        stream=str(battle.stream),
        sides=list(ruleset.side_names(scenario.document)),
        books={name: list(names) for name, names in sorted(scenario.compiled.books.items())},
        result=Outcome(battle.winner, battle.reason, battle.rounds),
        event_count=len(battle.rows),
        tick_digests=list(battle.tick_digests.items()),
        digest=battle.digest,
        record_digest=blake3(record).hexdigest(),
        record=base64.b64encode(zlib.compress(record, _LEVEL)).decode(),
        seal="",
    )
    return msgspec.structs.replace(unsealed, seal=seal_of(msgspec.to_builtins(unsealed)))


def layout_key(ruleset: str) -> str:
    """What the module of a ruleset that is installed here calls its rules and their layout.

    Raises:
        InputError: no module of them ships.
    """
    try:
        return str(artefacts.layout(ruleset)["layout_key"])
    except OSError as error:
        raise InputError.of(ruleset, f"has no WebAssembly module in this installation: {error.strerror}") from None


def refuse_stale_module(ruleset: str) -> None:
    """Refuse to pack for a module that plays other rules than those that stand here.

    Raises:
        InputError: the rules were edited after the module was built.
    """
    if not artefacts.is_current(ruleset):
        message = "its WebAssembly module is missing or older than its rules, and would play other battles"
        raise InputError.of(ruleset, message, "python -m fracas.portable.build makes the modules anew")


def bundle_bytes(bundle: Bundle) -> bytes:
    """The file's content."""
    return msgspec.json.encode(bundle) + b"\n"


def save_bundle(bundle: Bundle, path: Path) -> None:
    """Write a bundle; the file appears whole or not at all.

    Raises:
        InputError: it cannot be written.
    """
    write_atomic(path, bundle_bytes(bundle))


def seal_of(bundle: dict[str, Any]) -> str:
    """blake3 over all of a bundle but its seal and its record, whose digest stands for it.

    It says that nothing is damaged, not who made the bundle. Values are framed one by one, so that no writer of JSON
    can change it by the way it orders keys, escapes letters or writes numbers.
    """
    hasher = blake3()
    for part in _framed({key: value for key, value in bundle.items() if key not in ("seal", "record")}):
        hasher.update(part)
    return hasher.hexdigest()


def _framed(value: Any) -> Iterator[bytes]:
    """A plain value as bytes: a letter for its kind, a length where there is one, what it holds."""
    if value is None:
        yield b"n"
    elif isinstance(value, bool):
        yield b"t" if value else b"f"
    elif isinstance(value, str):
        text = value.encode()
        yield b"s" + struct.pack("<I", len(text)) + text
    elif isinstance(value, int | float):
        # As JavaScript has it: a double, and one zero.
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


def read_bundle(path: Path) -> Bundle:
    """A bundle that is whole; of whatever version its record is.

    Raises:
        InputError: unreadable, truncated, no bundle, damaged, of an unknown ruleset.
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
        raise InputError.of(where, f"is not a sound bundle: {error}") from None
    if seal != bundle.seal:
        raise InputError.of(where, "is damaged or was edited: its seal does not fit")
    if bundle.ruleset not in registry.NAMES:
        hint = nearest(bundle.ruleset, registry.NAMES)
        raise InputError.of(where, f'the ruleset "{bundle.ruleset}" is not installed', hint)
    if bundle.scenario.get("ruleset") != bundle.ruleset:
        raise InputError.of(where, f"says that it is of {bundle.ruleset}, and its scenario is of another ruleset")
    if int(bundle.stream) > BATTLE_LIMIT:
        raise InputError.of(where, f"has the stream {bundle.stream}, which is out of range")
    return bundle


def refuse_other_version(bundle: Bundle, where: str) -> None:
    """Refuse a bundle whose record other rules wrote.

    Raises:
        InputError: its layout key is not the one of the rules that are installed.
    """
    ruleset = registry.get(bundle.ruleset)
    if bundle.layout_key == layout_key(bundle.ruleset) and bundle.rules_version == ruleset.rules_version:
        return
    versions = f"rules version {bundle.rules_version}; here is {ruleset.rules_version}"
    hint = f"its scenario can be packed anew: fracas pack {where} -o NEW"
    raise InputError.of(where, f"was made by another version of Fracas ({versions})", hint)


def record_of(bundle: Bundle, where: str) -> bytes:
    """The record that a bundle of this version holds.

    Raises:
        InputError: it is damaged, or not as long as records are.
    """
    record = inflated(bundle.record, artefacts.layout(bundle.ruleset)["record"]["size"])
    if record is None or blake3(record).hexdigest() != bundle.record_digest:
        raise InputError.of(where, "its record is damaged or was edited")
    return record


def inflated(packed: str, size: int) -> bytes | None:
    """The bytes of a deflated text in base64, if there are exactly so many; whatever it claims, no more are made."""
    try:
        unpacker = zlib.decompressobj()
        unpacked = unpacker.decompress(base64.b64decode(packed, validate=True), size + 1)
    except (ValueError, zlib.error):
        return None
    is_whole = unpacker.eof and not unpacker.unused_data
    return unpacked if is_whole and len(unpacked) == size else None
