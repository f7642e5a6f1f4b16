"""The WebAssembly module of a game: built on its author's machine, kept by the rules hash, played like the rules."""

from __future__ import annotations

import json
import sys

import pytest
from tests.helpers.stranger import Stranger

import fracas
from fracas.engine.execution_mode import ExecutionMode
from fracas.engine.player import make_player
from fracas.errors import InputError
from fracas.kit import load
from fracas.portable import artefacts, build


@pytest.fixture(autouse=True)
def cache(stranger: Stranger, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache folder of this test's own."""
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(stranger.folder / "cache"))
    artefacts.look_again()


def test_each_version_of_the_rules_has_a_place_of_its_own(stranger: Stranger) -> None:
    places = set()
    for change in (
        {},
        {"old": "if roll <=", "new": "if roll <"},
        {"old": "def play_round", "new": "#\ndef play_round"},
    ):
        with load.fresh():
            game = fracas.use(stranger.write(**change))
            place = artefacts.module_file(game.identity)
            assert artefacts.module_file("coins") == place
            assert place.parent.name == f"coins-{game.rules_hash[:16]}"
            assert not artefacts.is_current("coins")
            places.add(place)
    assert len(places) == 2
    assert artefacts.module_file("squads").parent == artefacts.FOLDER


def test_pack_builds_the_module_and_everything_plays_it(
    stranger: Stranger, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not build.can_build():
        pytest.fail("install the extra artefacts: it has the linker that these tests need")
    monkeypatch.setenv("FRACAS_JIT", "0")
    arguments = (
        "publish pack",
        "first.toml",
        "--game",
        "coins.py",
        "--out",
        "coins.fracas.json",
        "--html",
        "coins.html",
    )
    run = stranger.command(capsys, *arguments)
    assert run.status == 0, run.err
    assert run.err.startswith("building the WebAssembly module of coins, once")
    assert "building" not in stranger.command(capsys, *arguments).err
    game = fracas.use(stranger.file)
    assert artefacts.is_current(game.identity)
    assert json.loads(artefacts.layout_file(game.identity).read_text())["ruleset"] == "coins"
    assert sorted(each.name for each in artefacts.home(game.identity).iterdir()) == ["coins.json", "coins.wasm"]
    digests = set()
    for setting, mode in (("0", ExecutionMode.PLAIN), ("wasm", ExecutionMode.WASM)):
        monkeypatch.setenv("FRACAS_JIT", setting)
        scenario = fracas.load(stranger.scenario)
        assert make_player(scenario, logged=True, battles=1).mode == mode
        digests.add(fracas.run(scenario, stream=3).digest)
    assert len(digests) == 1
    assert fracas.verify(stranger.folder / "coins.fracas.json").matches
    with load.fresh():
        other = fracas.use(stranger.write(old="if roll <=", new="if roll <"))
        assert make_player(fracas.load(stranger.scenario), logged=True, battles=1).mode != ExecutionMode.WASM
        assert not artefacts.is_current(other.identity)


def test_a_module_that_others_may_write_is_not_played(stranger: Stranger) -> None:
    game = fracas.use(stranger.file)
    home = artefacts.home(game.identity)
    home.mkdir(parents=True)
    tools = dict.fromkeys(artefacts.TOOLS, "1")
    described = {"tools": tools, "sources_key": artefacts.sources_key(game.identity, tools)}
    artefacts.layout_file(game.identity).write_text(json.dumps(described))
    artefacts.module_file(game.identity).write_bytes(b"")
    assert artefacts.is_current(game.identity)
    home.chmod(0o777)
    artefacts.look_again()
    assert artefacts.is_current(game.identity) == (sys.platform == "win32")


def test_without_the_linker_it_says_what_to_install(stranger: Stranger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "can_build", lambda: False)
    with pytest.raises(InputError, match=r"coins: has no WebAssembly module yet, .*pip install 'fracas\[artefacts\]'"):
        build.build_game(fracas.use(stranger.file))


def test_rules_that_change_while_the_module_is_built_are_refused(stranger: Stranger) -> None:
    game = fracas.use(stranger.file)
    stranger.write(old="if roll <=", new="if roll <")
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patch:
        patch.setattr(build, "can_build", lambda: True)
        with pytest.raises(InputError, match="its rules have changed meanwhile"):
            build.build_game(game)
    assert list(artefacts.home(game.identity).iterdir()) == []
