"""The worked example in C plays bundles with the digest of `fracas verify`.

Needs gcc, zlib's headers (Debian: apt-get install gcc zlib1g-dev) and the library in wasmtime's wheel. Without them
these tests are skipped and say so.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from pathlib import Path

import pytest

import fracas
from fracas.content.packs import examples_folder
from fracas.portable import artefacts
from fracas.replay.bundle_file import bundle_of, save_bundle
from fracas.rulesets import registry

FOLDER = examples_folder() / "portable" / "c"
STRICT = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined", "-fno-sanitize-recover")
EXAMPLES = {
    "squads": "first-battle",
    "delve": "standard-4v4",
    "stacks": "first-attack",
    "relics": "first-duel",
    "titans": "standard",
}


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    """The example, built."""
    found = importlib.util.find_spec("wasmtime")
    libraries = list(Path(found.origin).parent.rglob("_libwasmtime.so")) if found and found.origin else []
    if shutil.which("gcc") is None or not libraries:
        pytest.skip("NO C COMPILER or no wasmtime: the example in C is not built on this machine")
    built: Path = tmp_path_factory.mktemp("c") / "play_bundle"
    source, library = FOLDER / "play_bundle.c", libraries[0]
    has_zlib = subprocess.run(
        ["gcc", "-E", "-include", "zlib.h", "-x", "c", "/dev/null"], capture_output=True, check=False
    )
    if has_zlib.returncode != 0:
        pytest.skip("NO ZLIB HEADERS: the example in C is not built on this machine (apt-get install zlib1g-dev)")
    command = ["gcc", *STRICT, "-o", str(built), str(source), str(library), "-lz", f"-Wl,-rpath,{library.parent}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return built


def play(program: Path, ruleset: str, bundle: Path) -> subprocess.CompletedProcess[str]:
    files = [artefacts.module_file(ruleset), artefacts.layout_file(ruleset), bundle]
    return subprocess.run([str(program), *map(str, files)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", registry.NAMES)
def test_it_prints_the_digest_of_verify(program, name, tmp_path):
    battle = fracas.run(fracas.load(examples_folder() / name / f"{EXAMPLES[name]}.toml"), stream=2**33 + 1)
    path = tmp_path / "battle.json"
    save_bundle(bundle_of(battle), path)
    done = play(program, name, path)
    assert done.returncode == 0, done.stderr
    told = dict(line.split(maxsplit=1) for line in done.stdout.splitlines()[:-1])
    assert told == {
        "winner": str(battle.winner),
        "reason": battle.reason,
        "rounds": str(battle.rounds),
        "events": str(len(battle.events)),
        "digest": fracas.verify(path).battle.digest,
    }


def test_it_refuses_what_it_should(program, sound, tmp_path):
    document = json.loads(sound.read_text(encoding="utf-8"))
    path = tmp_path / "other.json"
    for change, status, said in (
        ({"digest": "0" * 64}, 1, "DIFFERS"),
        ({"layout_key": "0" * 32}, 2, "made by another version"),
        ({"record": document["record"][:-8]}, 2, "damaged or was edited"),
        ({"record_digest": "0" * 64}, 2, "the record was edited"),
        ({"format": "x"}, 2, "is not a Fracas bundle"),
    ):
        path.write_text(json.dumps({**document, **change}), encoding="utf-8")
        done = play(program, "squads", path)
        assert (done.returncode, said in done.stdout + done.stderr) == (status, True), done.stdout + done.stderr
    raw = sound.read_bytes()
    for length in (0, 1, 40, len(raw) // 2, len(raw) - 5):
        path.write_bytes(raw[:length])
        assert play(program, "squads", path).returncode == 2
