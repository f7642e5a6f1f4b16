"""What fracas.js refuses, and with which sentence: bundles of strangers first, then mistakes of a caller."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from blake3 import blake3
from tests.helpers.javascript import drive, run_program

import fracas
from fracas.content.packs import examples_folder
from fracas.portable import artefacts
from fracas.replay.bundle_file import seal_of

FIRST = examples_folder() / "squads" / "first-battle.toml"
Document = dict[str, Any]


def put(key: str, value: Any) -> Callable[[Document], None]:
    return lambda document: document.__setitem__(key, value)


def put_record(record: bytes) -> Callable[[Document], None]:
    """Another record, sound in itself."""

    def change(document: Document) -> None:
        document["record"] = base64.b64encode(zlib.compress(record)).decode()
        document["record_digest"] = blake3(record).hexdigest()

    return change


def in_record(**values: int) -> Callable[[Document], None]:
    """Other numbers in the record, by the names of fields at its top."""

    def change(document: Document) -> None:
        record = bytearray(zlib.decompress(base64.b64decode(document["record"])))
        offsets = {field["name"]: field["offset"] for field in artefacts.layout("squads")["record"]["fields"]}
        for name, value in values.items():
            struct.pack_into("<q", record, offsets[name], value)
        put_record(bytes(record))(document)

    return change


def endless(document: Document) -> None:
    """A battle of which nobody will see the end."""
    record = fracas.load(FIRST).compiled.record.copy()
    record[0]["options"]["round_cap"] = 2**60
    record[0]["units"]["max_hp"] = 2**50
    put_record(record.tobytes())(document)


BOMB = base64.b64encode(zlib.compress(bytes(100_000_000), 9)).decode()
# What is done to the document, whether it is sealed anew, the code of the error and what its sentence says.
TAMPERED = {
    "no bundle": (put("format", "x"), True, "input", "this is not a Fracas bundle"),
    "format": (
        put("format_version", 2),
        True,
        "input",
        "the bundle has format version 2; this program reads version 1",
    ),
    "edited": (put("event_count", 3), False, "input", "the bundle is damaged or was edited: its seal does not match"),
    "scenario": (lambda d: d["scenario"].update(id="x"), False, "input", "its seal does not match"),
    "missing": (lambda d: d.pop("digest"), True, "input", 'the bundle is not valid: it has no "digest"'),
    "strange": (put("more", 1), True, "input", 'the bundle is not valid: it has the unknown key "more"'),
    "kind": (put("books", []), True, "input", 'the bundle is not valid: "books" is not an object'),
    "half a letter": (
        lambda d: d["scenario"].update(id="\ud800"),
        False,
        "input",
        "\\ud800 is half of a surrogate pair, not a character",
    ),
    "ruleset": (
        put("ruleset", "delve"),
        True,
        "input",
        "the bundle is a battle of delve, but these are the rules of squads",
    ),
    "version": (put("layout_key", "0" * 32), True, "version", "the bundle was made by another version of Fracas"),
    "rules version": (put("rules_version", 1), True, "version", "(rules version 1; loaded is 2)"),
    "stream": (put("stream", "9" * 19), True, "input", "has the stream 9999999999999999999, which is out of range"),
    "record": (put("record", "AAAA"), False, "input", "the bundle's record is damaged or was edited"),
    "no base64": (put("record", "?"), False, "input", "the bundle's record is damaged or was edited"),
    "bomb": (put("record", BOMB), False, "input", "the bundle's record is damaged or was edited"),
    "short record": (put_record(bytes(1000)), True, "input", "the bundle's record is damaged or was edited"),
    "other record": (put_record(bytes(10)), False, "input", "its seal does not match"),
}


@pytest.fixture(scope="module")
def answers(sound: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    folder = tmp_path_factory.mktemp("tampered")
    jobs = []
    for name, (change, sealed, _, _) in TAMPERED.items():
        document = json.loads(sound.read_text(encoding="utf-8"))
        change(document)
        if sealed:
            document["seal"] = seal_of(document)
        path = folder / f"{name}.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        jobs.append({"bundle": str(path), "streams": ["0"]})
    for name, length in (("half", 3000), ("nothing", 0)):
        path = folder / f"{name}.json"
        path.write_bytes(sound.read_bytes()[:length])
        jobs.append({"bundle": str(path), "streams": ["0"]})
    return dict(zip([*TAMPERED, "half", "nothing"], drive("squads", jobs, folder), strict=True))


@pytest.mark.parametrize("name", TAMPERED)
def test_a_bundle_that_was_tampered_with_is_refused(name, answers):
    _, _, code, said = TAMPERED[name]
    error = answers[name]["error"]
    assert (error["name"], error["code"]) == ("FracasError", code)
    assert said in error["message"]


@pytest.mark.parametrize("name", ["half", "nothing"])
def test_a_truncated_bundle_is_refused(name, answers):
    assert answers[name]["error"]["code"] == "input"
    assert "the bundle is invalid JSON: " in answers[name]["error"]["message"]


def test_of_another_version_the_scenario_is_offered(sound, answers):
    offered = answers["version"]["error"]["scenario"]
    assert offered == json.loads(sound.read_text(encoding="utf-8"))["scenario"]
    assert fracas.load(offered).fingerprint == fracas.load(FIRST).fingerprint


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (put("digest", "0" * 64), {"ok": False, "tick": None, "message": "the digest differs"}),
        (
            lambda d: d["tick_digests"][4].__setitem__(1, "0" * 64),
            {"ok": False, "tick": 4, "message": "the stored digest of tick 4 differs"},
        ),
        (
            put("result", {"winner": 0, "reason": "cap_hp", "rounds": 1}),
            {"ok": False, "message": "the winner differs"},
        ),
    ],
)
def test_a_lie_is_told_apart_whatever_the_seal(sound, tmp_path, change, told):
    document = json.loads(sound.read_text(encoding="utf-8"))
    change(document)
    document["seal"] = seal_of(document)
    path = tmp_path / "lie.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    (answer,) = drive("squads", [{"bundle": str(path), "verify": {"workers": 1}}], tmp_path)
    assert {key: answer["verified"][key] for key in told} == told


HOSTILE = """
import { readFileSync } from "node:fs";
const { loadRules } = await import("LIBRARY");
const rules = await loadRules(new URL(process.argv[2]));
const told = [];
for (const file of process.argv.slice(3)) {
  const text = readFileSync(file, "utf8");
  for (const attempt of [
    () => rules.verify(text, { timeout: 500 }),
    async () => {
      const { record } = await rules.open(text);
      return rules.simulate(record, { count: 64, workers: 2, signal: AbortSignal.timeout(500) });
    },
  ]) {
    try {
      const { ok } = await attempt();
      told.push(ok === undefined ? "played" : `verified ${ok}`);
    } catch (error) {
      told.push(typeof error.code === "string" ? error.code : error.name);
    }
  }
}
rules.close();
console.log(JSON.stringify(told));
"""


def test_a_strangers_record_neither_hangs_nor_crashes(sound, tmp_path):
    """Sealed as they should be: numbers that lead out of the memory, and a battle that would never end."""
    size = artefacts.layout("squads")["record"]["size"]
    changes = {"far": in_record(fielded=2**40), "odd": put_record(b"\xff" * size), "endless": endless}
    files = []
    for name, change in changes.items():
        document = json.loads(sound.read_text(encoding="utf-8"))
        change(document)
        document["seal"] = seal_of(document)
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(json.dumps(document), encoding="utf-8")
    module = artefacts.module_file("squads").as_uri()
    told = run_program(HOSTILE, tmp_path, module, *map(str, files))
    assert told[-2:] == ["timeout", "TimeoutError"]
    assert set(told) <= {"trap", "timeout", "fault", "TimeoutError", "verified false", "played"}
    assert "trap" in told


MISTAKES = """
import { readFileSync } from "node:fs";
const { BattleRecord, loadRules, wilsonInterval } = await import("LIBRARY");
const [module, layoutFile, otherLayout, bundle] = process.argv.slice(2);
const bytes = readFileSync(new URL(module));
const layout = JSON.parse(readFileSync(new URL(layoutFile), "utf8"));
const rules = await loadRules(bytes, layout);
const { record } = await rules.open(readFileSync(bundle, "utf8"));
const attempts = {
  same: [
    () => loadRules(new URL(module)),
    () => loadRules(bytes.toString("base64"), JSON.stringify(layout)),
    async () => loadRules(await WebAssembly.compile(bytes), layout),
  ],
  refused: [
    () => loadRules(bytes),
    () => loadRules(bytes, new URL(otherLayout)),
    () => loadRules(new Uint8Array(bytes.length), layout),
    () => loadRules(bytes, "{}"),
    () => rules.play(new Uint8Array(3)),
    () => rules.play(record, -1),
    () => rules.play(record, 2 ** 53),
    () => rules.play(record, 1n << 63n),
    () => rules.simulate(record, { count: 0 }),
    () => rules.simulate(record, { count: 1e9 }),
    () => rules.simulate(record, { count: 1e7, rows: true }),
    () => rules.simulate(record, { count: 10, workers: -1 }),
    () => record.get("units.16.hp"),
    () => record.get("units.0.hq"),
    () => record.set("units.0", 3),
    () => record.set("units", 3),
    () => record.set("units.0.hp", 1.5),
    () => record.set("units.0.hp", NaN),
    () => record.set("units.0.hp", "3"),
    () => record.set("dice.key.0", -1),
    async () => (await rules.simulate(record, { count: 1 })).at(0),
    async () => (await rules.simulate(record, { count: 1, rows: true })).column("hq"),
  ],
};
const told = { same: [], refused: [] };
for (const attempt of attempts.same) {
  const loaded = await attempt();
  told.same.push((await loaded.play(record, 5)).digest);
}
for (const attempt of attempts.refused) {
  try {
    await attempt();
    told.refused.push("nothing was said");
  } catch (error) {
    told.refused.push(`${error.name}: ${error.message}`);
  }
}
// Nobody closes the workers: the program ends all the same.
console.log(JSON.stringify(told));
"""
REFUSALS = [
    "a module without an address needs its layout",
    "the layout belongs to another module of titans",
    "this is not a WebAssembly module",
    "this is not the layout of a module",
    "this is not a record of squads, which has",
    "a battle's number must be a whole number from 0 to 2^63 - 1",
    "beyond 2^53 - 1 as a BigInt",
    "a battle's number must be",
    "count must be a whole number from 1 to 100000000, not 0",
    "count must be a whole number",
    "are kept for at most",
    "workers must be a whole number",
    'units.16.hp: "16" is not a place; units has 0 to 15',
    'units.0.hq: there is no "hq"; there is hp, charge',
    "units.0 is not one number: go on with a name",
    "units is not one number",
    "units.0.hp must be a whole number",
    "units.0.hp must be a number, not NaN",
    "units.0.hp must be a number, not 3",
    "dice.key.0 must be a whole number from 0 to 4294967295",
    "no rows were kept; ask for { rows: true }",
    'a result has no "hq"; there is winner, reason',
]


def test_mistakes_of_a_caller_are_sentences(sound, tmp_path):
    addresses = [artefacts.module_file("squads"), artefacts.layout_file("squads"), artefacts.layout_file("titans")]
    told = run_program(MISTAKES, tmp_path, *(file.as_uri() for file in addresses), str(sound))
    digest = fracas.run(fracas.load(FIRST), stream=5).digest
    assert told["same"] == [digest] * 3
    assert len(told["refused"]) == len(REFUSALS)
    for said, wanted in zip(told["refused"], REFUSALS, strict=True):
        assert said.startswith("FracasError: ")
        assert wanted in said


CANCEL = """
import { readFileSync } from "node:fs";
const { loadRules } = await import("LIBRARY");
const rules = await loadRules(new URL(process.argv[2]));
const { record } = await rules.open(readFileSync(process.argv[3], "utf8"));
const control = new AbortController();
let parts = 0;
const onProgress = () => {
  parts += 1;
  if (parts === 3) control.abort();
};
let name = "";
try {
  await rules.simulate(record, { count: 1e7, workers: 2, onProgress, signal: control.signal });
} catch (error) {
  name = error.name;
}
// Workers that went on would keep the process alive, and count on.
const after = parts;
await new Promise((resolve) => setTimeout(resolve, 300));
const again = await rules.simulate(record, { count: 100, workers: 2 });
rules.close();
console.log(JSON.stringify({ name, more: parts - after, again: again.count }));
"""


def test_cancelling_ends_the_workers(sound, tmp_path):
    told = run_program(CANCEL, tmp_path, artefacts.module_file("squads").as_uri(), str(sound))
    assert told == {"name": "AbortError", "more": 0, "again": 100}


FAULT = """
import { readFileSync } from "node:fs";
const { loadRules } = await import("LIBRARY");
const layout = JSON.parse(readFileSync(new URL(process.argv[2].replace(/wasm$/, "json")), "utf8"));
// A layout that takes the winner for the fault: every battle seems to have one.
const place = (name) => layout.result.fields.find((field) => field.name === name);
place("fault").offset = place("winner").offset;
const rules = await loadRules(new URL(process.argv[2]), layout);
const { record } = await rules.open(readFileSync(process.argv[3], "utf8"));
const told = [];
const many = { first: 5, count: 20, workers: 1 };
for (const attempt of [() => rules.play(record, 3), () => rules.simulate(record, many)]) {
  await attempt().then(() => told.push("nothing"), (error) => told.push([error.code, error.message]));
}
rules.close();
console.log(JSON.stringify(told));
"""


def test_a_fault_names_the_battle(sound, tmp_path):
    told = run_program(FAULT, tmp_path, artefacts.module_file("squads").as_uri(), str(sound))
    assert [code for code, _ in told] == ["fault", "fault"]
    assert told[0][1].startswith("battle 3")
    assert told[1][1].startswith("battle 5")
