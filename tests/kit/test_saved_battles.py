"""What a saved battle of a game says about its rules, and what verifying says when they have changed."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from tests.helpers.stranger import ROOT, Stranger

import fracas
from fracas.engine.battle import Battle
from fracas.engine.replay_file import GameRecord
from fracas.errors import InputError
from fracas.kit import load
from fracas.portable import artefacts
from fracas.replay.bundle_file import bundle_bytes, bundle_of, save_bundle

# A roll that just reaches the percent counts no more; a sum with 0 changes no battle.
OTHER_PLAY = {"old": "if roll <=", "new": "if roll <"}
SAME_PLAY = {"old": "side.count += 1", "new": "side.count += 1 + 0"}
NEXT_VERSION = {"old": "version=1", "new": "version=2"}


@pytest.fixture
def replay(stranger: Stranger, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FRACAS_JIT", "0")
    file = stranger.folder / "replay.json"
    with load.fresh():
        fracas.use(stranger.file)
        fracas.run(stranger.scenario).save(file)
    return file


def test_a_replay_carries_the_games_name_version_and_rules(stranger: Stranger, replay: Path) -> None:
    game = fracas.use(stranger.file)
    assert json.loads(replay.read_text())["game"] == {"name": "coins", "version": 1, "rules": game.rules_hash}
    assert GameRecord.of(game) == GameRecord("coins", 1, game.rules_hash)


def test_files_of_shipped_rulesets_say_nothing_of_games() -> None:
    battle = fracas.run(ROOT / "examples" / "squads" / "first-battle.toml")
    assert "game" not in json.loads(msgspec.json.encode(battle.as_replay()))
    assert "game" not in json.loads(bundle_bytes(bundle_of(battle)))


@pytest.mark.parametrize(
    ("change", "status", "told"),
    [
        ({}, 0, "replay.json: verified, 22 events, digest "),
        (SAME_PLAY, 0, "replay.json: plays the same under other rules ({here}, not {saved})\n"),
        (
            OTHER_PLAY,
            1,
            "replay.json: DIFFERS in tick 7 under other rules ({here}, not {saved}): the first event that",
        ),
        (
            NEXT_VERSION,
            2,
            (
                "error: replay.json: was made with version 1 of the coins rules; installed is 2 "
                "(name the game's file of version 1, or play its scenario again under these rules)\n"
            ),
        ),
    ],
)
def test_verify_tells_changed_rules_apart(
    stranger: Stranger,
    replay: Path,
    change: dict[str, str],
    status: int,
    told: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    saved = json.loads(replay.read_text())["game"]["rules"][:12]
    stranger.write(**change)
    with load.fresh():
        here = fracas.use(stranger.file).rules_hash[:12]
    run = stranger.command(capsys, "verify", "replay.json", "--game", "coins.py")
    assert run.status == status
    assert (run.err if status == 2 else run.out).startswith(told.format(here=here, saved=saved))
    assert ("verified" in run.out) == (change == {})


def test_verify_tells_other_rules_as_json(stranger: Stranger, replay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = json.loads(replay.read_text())["game"]["rules"]
    game = fracas.use(stranger.write(**SAME_PLAY))
    run = stranger.command(capsys, "verify", "replay.json", "--game", "coins.py", "--format", "json")
    [found] = run.json["replays"]
    assert (found["matches"], found["other_rules"]) == (True, {"here": game.rules_hash, "file": saved})


def test_an_unknown_game_is_told_in_two_lines(
    stranger: Stranger, replay: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = stranger.command(capsys, "verify", "replay.json")
    first, second = run.err.splitlines()
    assert run.status == 2
    assert first.startswith('error: replay.json: the ruleset "coins" is not installed (known: squads,')
    assert "--game FILE" in second


def test_events_of_other_rules_are_not_told(
    stranger: Stranger, replay: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stranger.write(**SAME_PLAY)
    run = stranger.command(capsys, "lab replay", "replay.json", "--game", "coins.py")
    assert run.status == 2
    assert "which cannot tell its events (fracas verify plays it again)" in run.err


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda found: found.pop("game"), "does not say which rules of coins it was played by"),
        (lambda found: found["game"].update(version=2), "names its game and its rules differently"),
        (lambda found: found["game"].update(name="dice"), "names its game and its rules differently"),
        (lambda found: found["game"].update(rules="../../x"), "is not a valid replay"),
    ],
)
def test_an_edited_header_is_refused(stranger: Stranger, replay: Path, edit: object, told: str) -> None:
    fracas.use(stranger.file)
    found = json.loads(replay.read_text())
    edit(found)  # type: ignore[operator]
    replay.write_text(json.dumps(found))
    with pytest.raises(InputError, match=told):
        fracas.verify(replay)


def test_a_shipped_ruleset_with_a_games_header_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "replay.json"
    fracas.run(ROOT / "examples" / "squads" / "first-battle.toml").save(file)
    found = json.loads(file.read_text())
    file.write_text(
        json.dumps(found | {"game": {"name": "squads", "version": found["rules_version"], "rules": "0" * 64}})
    )
    with pytest.raises(InputError, match="names a game, but squads is a shipped ruleset"):
        fracas.verify(file)


def bundle(stranger: Stranger, battle: Battle, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bundle as `pack` writes it, without building the module, whose bytes it does not hold."""
    with monkeypatch.context() as patch:
        patch.setattr(artefacts, "is_current", lambda rules: True)
        save_bundle(bundle_of(battle), stranger.folder / "coins.fracas.json")
    return stranger.folder / "coins.fracas.json"


def test_a_bundle_is_verified_like_a_replay(stranger: Stranger, monkeypatch: pytest.MonkeyPatch) -> None:
    game = fracas.use(stranger.file)
    file = bundle(stranger, fracas.run(stranger.scenario), monkeypatch)
    assert json.loads(file.read_text())["game"] == {"name": "coins", "version": 1, "rules": game.rules_hash}
    found = fracas.verify(file)
    assert (found.matches, found.other_rules) == (True, None)
    for change, matches in ((SAME_PLAY, True), (OTHER_PLAY, False)):
        with load.fresh():
            other = fracas.use(stranger.write(**change))
            found = fracas.verify(file)
            assert found.matches == matches
            assert found.other_rules is not None
            assert (found.other_rules.here, found.other_rules.saved) == (other.rules_hash, game.rules_hash)


def test_a_bundle_needs_a_module(stranger: Stranger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(stranger.folder / "cache"))
    fracas.use(stranger.file)
    with pytest.raises(InputError, match=r"coins: has no WebAssembly module .* \(fracas publish pack builds it"):
        bundle_of(fracas.run(stranger.scenario))


def test_a_run_resumes_with_the_same_rules_only(stranger: Stranger) -> None:
    from fracas.lab.store.run_checkpoint import run_inputs

    game = fracas.use(stranger.file)
    assert run_inputs(fracas.load(stranger.scenario))["rules"] == game.rules_hash
    assert "rules" not in run_inputs(fracas.load(ROOT / "examples" / "squads" / "first-battle.toml"))
