"""No file that somebody sends you, and none in the current folder, makes a command load code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.helpers.stranger import GAME, ROOT, SCENARIO, Stranger

import fracas
from fracas.kit import load
from fracas.replay.bundle_file import seal_of

TRAP = 'from pathlib import Path\nPath(__file__).with_name("sprung").write_text("")\n' + GAME


@pytest.fixture
def trap(stranger: Stranger) -> Stranger:
    """A folder whose Python files leave a trace as soon as anybody runs one."""
    for name in ("coins.py", "sitecustomize.py", "fracas_games.py", "game.py"):
        (stranger.folder / name).write_text(TRAP)
    package = stranger.folder / "fracas_games" / "coins"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").write_text(TRAP)
    info = stranger.folder / "coins-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: coins\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[fracas.games]\ncoins = coins:game\n")
    return stranger


def is_sprung(stranger: Stranger) -> bool:
    return any(stranger.folder.rglob("sprung"))


def test_the_trap_springs_if_somebody_names_it(trap: Stranger) -> None:
    """The negative control: the file does run when its owner says so."""
    assert trap.fracas("run", trap.scenario, "--game", trap.file).returncode == 0
    assert is_sprung(trap)


@pytest.mark.parametrize(
    "head",
    [
        'ruleset = "coins"',
        'ruleset = "coins.py"',
        'ruleset = "./coins.py"',
        'ruleset = "fracas_games.coins"',
        'ruleset = "coins:game"',
        'ruleset = "squads"\ngame = "coins.py"\nplugins = ["coins.py"]',
        'ruleset = "coins"\ngame = { name = "coins", source = "coins.py" }',
    ],
)
def test_a_scenario_loads_no_code(trap: Stranger, head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    trap.scenario.write_text(SCENARIO.replace('ruleset = "coins"', head))
    monkeypatch.chdir(trap.folder)
    with pytest.raises(fracas.InputError):
        fracas.run(trap.scenario)
    assert not is_sprung(trap)


def saved(stranger: Stranger) -> Path:
    """A replay of the game, made with rules that are no longer known afterwards."""
    file = stranger.folder / "saved.json"
    with load.fresh():
        fracas.use(stranger.write())
        fracas.run(stranger.scenario).save(file)
    stranger.file.write_text(TRAP)
    return file


@pytest.mark.parametrize("name", ["coins", "coins.py", "fracas_games.coins", "../coins.py"])
def test_a_replay_loads_no_code(trap: Stranger, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = saved(trap)
    document = json.loads(file.read_text())
    document["ruleset"] = document["scenario"]["ruleset"] = document["game"]["name"] = name
    file.write_text(json.dumps(document))
    monkeypatch.chdir(trap.folder)
    with pytest.raises(fracas.InputError, match="is not installed"):
        fracas.verify(file)
    assert not is_sprung(trap)


def test_a_bundle_loads_no_code(trap: Stranger, monkeypatch: pytest.MonkeyPatch) -> None:
    from fracas.replay.bundle_file import bundle_bytes, bundle_of

    bundle = json.loads(bundle_bytes(bundle_of(fracas.run(fracas.load(registry_scenario())))))
    bundle["ruleset"] = bundle["scenario"]["ruleset"] = "coins"
    bundle["game"] = {"name": "coins", "version": 1, "rules": "00" * 32}
    bundle["seal"] = seal_of(bundle)
    file = trap.folder / "coins.fracas.json"
    file.write_text(json.dumps(bundle))
    monkeypatch.chdir(trap.folder)
    with pytest.raises(fracas.InputError, match="is not installed"):
        fracas.verify(file)
    assert not is_sprung(trap)


def registry_scenario() -> Path:
    return ROOT / "examples" / "squads" / "first-battle.toml"


def test_a_program_in_a_strangers_folder_loads_no_code(trap: Stranger) -> None:
    """`python -m fracas` puts the current folder on the path of modules; packages there still do not count."""
    (trap.folder / "sitecustomize.py").unlink()
    command = [sys.executable, "-m", "fracas", "run", str(trap.scenario)]
    run = subprocess.run(command, cwd=trap.folder, capture_output=True, text=True, timeout=120, check=False)
    assert (run.returncode, 'there is no ruleset "coins"' in run.stderr) == (2, True), run.stderr
    assert not is_sprung(trap)


def test_what_a_stranger_sends_to_a_server_names_shipped_rulesets_only(stranger: Stranger) -> None:
    from fracas.engine.untrusted import load_untrusted

    fracas.use(stranger.file)
    document = {"ruleset": "coins", "sides": []}
    with pytest.raises(fracas.InputError) as caught:
        load_untrusted(document)
    assert [each.message for each in caught.value.problems] == ['there is no ruleset "coins"']
    assert "--game" not in str(caught.value)
