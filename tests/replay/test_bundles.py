"""Bundles: what is packed verifies, and what is damaged, foreign or of another version is refused with a sentence."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from blake3 import blake3
from tests.helpers.commands import Command, call
from tests.helpers.replays import DOUBLE, chain_with, plugin_file
from tests.helpers.scenarios import duel, loaded

import fracas
from fracas.content.packs import examples_folder
from fracas.errors import InputError
from fracas.portable import artefacts
from fracas.replay.bundle import verify_bundle
from fracas.replay.bundle_file import bundle_bytes, bundle_of, inflated, save_bundle, seal_of

FIRST = examples_folder() / "squads" / "first-battle.toml"
Document = dict[str, Any]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    return partial(call, capsys)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("bundle") / "battle.fracas.json"
    save_bundle(bundle_of(fracas.run(fracas.load(FIRST))), path)
    return path


def changed(sound: Path, folder: Path, change: Callable[[Document], Any], *, sealed: bool = False) -> Path:
    """A copy of a bundle with its document changed in place; `sealed` anew, as a forger would."""
    document = json.loads(sound.read_text(encoding="utf-8"))
    change(document)
    if sealed:
        document["seal"] = seal_of(document)
    path = folder / "changed.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_a_bundle_verifies_and_fits_its_schema(sound):
    verification = fracas.verify(sound)
    assert verification.matches
    assert verification.battle.digest == fracas.run(fracas.load(FIRST)).digest
    document = json.loads(sound.read_text(encoding="utf-8"))
    jsonschema.validate(document, fracas.schema("squads", "bundle"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**document, "seal": "?"}, fracas.schema("squads", "bundle"))


def test_the_same_battle_packed_twice_is_the_same_file(sound):
    assert bundle_bytes(bundle_of(fracas.run(fracas.load(FIRST)))) == sound.read_bytes()


def test_the_seal_is_the_same_however_the_file_is_written(sound, tmp_path):
    document = json.loads(sound.read_text(encoding="utf-8"))
    upside_down = {key: document[key] for key in sorted(document, reverse=True)}
    path = tmp_path / "written.json"
    path.write_text(json.dumps(upside_down, indent=3, ensure_ascii=True), encoding="utf-8")
    assert verify_bundle(path).matches


def put(key: str, value: Any) -> Callable[[Document], None]:
    return lambda document: document.__setitem__(key, value)


def other_letter(key: str) -> Callable[[Document], None]:
    """Another letter in the middle of a text."""

    def change(document: Document) -> None:
        text = document[key]
        place = len(text) // 2
        document[key] = f"{text[:place]}{'B' if text[place] != 'B' else 'C'}{text[place + 1 :]}"

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (put("format", "fracas-replay"), "is not a Fracas bundle"),
        (put("format_version", 2), "has bundle format 2; this program reads version 1"),
        (put("more", 1), "is not a valid bundle"),
        (put("stream", "-1"), "is not a valid bundle"),
        (put("event_count", 3), "its seal does not match"),
        (put("seal", "0" * 64), "its seal does not match"),
        (put("books", {}), "its seal does not match"),
        (lambda document: document["scenario"].__setitem__("id", "x"), "its seal does not match"),
        (lambda document: document.pop("digest"), "is not a valid bundle"),
        (other_letter("record"), "its record is damaged or was edited"),
        (put("record", "AAAA"), "its record is damaged or was edited"),
        (put("record", "not base64!"), "its record is damaged or was edited"),
    ],
)
def test_a_tampered_bundle_is_refused(sound, tmp_path, change, said):
    with pytest.raises(InputError, match=said):
        verify_bundle(changed(sound, tmp_path, change))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (put("ruleset", "squadz"), 'the ruleset "squadz" is not installed'),
        (put("ruleset", "delve"), "its scenario has another ruleset"),
        (put("layout_key", "0" * 32), "was made by another version of Fracas"),
        (put("rules_version", 1), "was made by another version of Fracas"),
        (put("stream", "9" * 19), "out of range"),
        (put("scenario", {"ruleset": "squads"}), "scenario"),
    ],
)
def test_a_forged_bundle_is_refused_whatever_its_seal(sound, tmp_path, change, said):
    with pytest.raises(InputError, match=said):
        verify_bundle(changed(sound, tmp_path, change, sealed=True))


def other_record(document: Document) -> None:
    """Sound in itself, and not what the scenario compiles to."""
    size = artefacts.layout("squads")["record"]["size"]
    record = bytearray(zlib.decompress(base64.b64decode(document["record"])))
    assert len(record) == size
    record[0] ^= 1
    document["record"] = base64.b64encode(zlib.compress(bytes(record))).decode()
    document["record_digest"] = blake3(bytes(record)).hexdigest()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (put("digest", "0" * 64), "the digest differs"),
        (put("event_count", 3), "the number of events differs"),
        (put("result", {"winner": 2, "reason": "wiped_out", "rounds": 1}), "the result differs"),
        (lambda document: document["tick_digests"][2].__setitem__(1, "0" * 64), "the stored digest of tick 2"),
        (lambda document: document["books"]["unit"].__setitem__(0, "x"), "the list of names differs"),
        (put("sides", ["x", "y"]), "the list of sides differs"),
        (other_record, "its record differs from its compiled scenario"),
    ],
)
def test_a_lie_is_told_apart_whatever_the_seal(sound, tmp_path, change, said):
    verification = verify_bundle(changed(sound, tmp_path, change, sealed=True))
    assert not verification.matches
    assert said in verification.explanation


def test_a_truncated_bundle_is_refused(sound, tmp_path):
    raw = sound.read_bytes()
    path = tmp_path / "half.json"
    for length in (0, 10, len(raw) // 2, len(raw) - 3):
        path.write_bytes(raw[:length])
        with pytest.raises(InputError):
            verify_bundle(path)


def test_unpacking_stops_at_the_size_of_a_record():
    bomb = base64.b64encode(zlib.compress(bytes(50_000_000), 9)).decode()
    assert len(bomb) < 100_000
    assert inflated(bomb, 1000) is None
    right = zlib.compress(bytes(1000))
    assert inflated(base64.b64encode(right).decode(), 1000) == bytes(1000)
    for wrong in (right[:-1], right + b"x", zlib.compress(bytes(999)), zlib.compress(bytes(1001))):
        assert inflated(base64.b64encode(wrong).decode(), 1000) is None


def test_plug_ins_are_refused_with_a_sentence(tmp_path):
    scenario = loaded(duel(options=chain_with("double")), plugins=[plugin_file(tmp_path, DOUBLE)])
    with pytest.raises(InputError, match='uses plug-ins \\("double"\\), which a bundle cannot contain'):
        bundle_of(fracas.run(scenario))


def test_a_module_that_is_older_than_its_rules_is_refused(monkeypatch):
    monkeypatch.setattr(artefacts, "is_current", lambda ruleset: False)
    with pytest.raises(InputError, match="older than its rules"):
        bundle_of(fracas.run(fracas.load(FIRST)))


def test_the_command_packs_scenarios_replays_and_bundles_alike(command, tmp_path):
    replay, one, two, three = (tmp_path / name for name in ("replay.json", "one.json", "two.json", "three.json"))
    assert command("run", str(FIRST), "--stream", "7", "--save", str(replay)).status == 0
    assert command("publish", "pack", str(FIRST), "--stream", "7", "-o", str(one)).status == 0
    assert command("publish", "pack", str(replay), "-o", str(two)).status == 0
    assert one.read_bytes() == two.read_bytes()
    old = changed(one, tmp_path, put("layout_key", "0" * 32), sealed=True)
    refused = command("verify", str(old))
    assert refused.status == 2
    assert "pack its scenario again: fracas publish pack" in refused.err
    assert command("publish", "pack", str(old), "-o", str(three)).status == 0
    assert three.read_bytes() == one.read_bytes()
    verified = command("verify", str(one))
    assert verified.status == 0
    assert f"digest {fracas.run(fracas.load(FIRST), stream=7).digest}" in verified.out
    assert "valid squads bundle" in command("validate", str(one)).out


def test_without_a_file_the_bundle_is_the_result(command, sound):
    packed = command("publish", "pack", str(FIRST))
    assert packed.status == 0
    assert json.loads(packed.out) == json.loads(sound.read_text(encoding="utf-8"))


def test_options_for_scenarios_do_not_go_with_a_battle_that_was_played(command, sound):
    refused = command("publish", "pack", str(sound), "--seed", "x", "--stream", "1")
    assert refused.status == 2
    assert "--seed: applies only to scenarios" in refused.err
    assert "--stream: applies only to scenarios" in refused.err


def test_a_bundle_whose_battle_differs_ends_with_status_one(command, sound, tmp_path):
    path = changed(sound, tmp_path, put("digest", "0" * 64), sealed=True)
    ended = command("verify", str(path), "--format", "json")
    assert ended.status == 1
    assert json.loads(ended.out)["replays"][0]["explanation"] == "the digest differs"
