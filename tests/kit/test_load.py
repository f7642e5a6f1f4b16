"""Games of files: named by their owner, read once, known by one name with one version of their rules."""

from __future__ import annotations

import inspect
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from tests.helpers.stranger import GAME, Stranger
from tests.kit.small_games import document_of, scenario_text, text_of

import fracas
from fracas.errors import InputError
from fracas.kernel import jit
from fracas.kernel.identity import Identity, game_of
from fracas.kit import load
from fracas.rulesets import registry


def refusal(file: str | Path) -> str:
    with pytest.raises(InputError) as caught:
        load.use(file)
    return str(caught.value)


def test_a_file_is_a_game_once_it_is_used(stranger: Stranger) -> None:
    with pytest.raises(InputError, match='there is no ruleset "coins"'):
        fracas.run(stranger.scenario)
    game = fracas.use(stranger.file)
    assert registry.get("coins") is game
    assert registry.names() == (*registry.NAMES, "coins")
    assert registry.identity("coins") == game.identity == Identity("coins", game.rules_hash)
    assert fracas.run(stranger.scenario).winner == 1
    assert fracas.use(str(stranger.file)) is game


def test_the_module_has_a_name_of_its_own(stranger: Stranger) -> None:
    module = fracas.use(stranger.file).module  # type: ignore[attr-defined]
    assert module.__name__.startswith("fracas_games.coins_")
    assert sys.modules[module.__name__] is module
    assert "coins" not in sys.modules


def test_what_runs_is_what_was_read(stranger: Stranger) -> None:
    module = fracas.use(stranger.file).module  # type: ignore[attr-defined]
    stranger.write(old="if roll <=", new="if roll <")
    assert inspect.getsource(module) == GAME


def test_a_folder_is_a_game_of_several_files(stranger: Stranger) -> None:
    folder = stranger.folder / "coins"
    (folder / "inner").mkdir(parents=True)
    rules, end = GAME.split("game = Game(")
    (folder / "rules.py").write_text(rules)
    (folder / "inner" / "__init__.py").write_text("VERSION = 1\n")
    (folder / "__init__.py").write_text(
        "from fracas.kit import Game\nfrom .rules import Coins, End, flip, play_round\nfrom .inner import VERSION\n\n"
        "game = Game(" + end.replace("version=1", "version=VERSION")
    )
    game = fracas.use(folder)
    assert fracas.run(stranger.scenario).winner == 1
    kernel = game.module.play_round  # type: ignore[attr-defined]
    assert kernel.__module__.endswith(".rules")
    assert game_of(kernel) == game.identity


def test_a_folder_without_init_is_no_game(stranger: Stranger) -> None:
    (empty := stranger.folder / "empty").mkdir()
    [(stranger.folder / name).write_text(GAME) for name in ("a.py", "b.py")]
    told = refusal(stranger.folder)
    assert "is a folder without __init__.py" in told
    assert f"name one of its files: {stranger.folder / 'a.py'}" in told
    assert "it has no Python file" in refusal(empty)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1 +", "game.py:1: is not valid Python"),
        ("\nimport not_there_at_all", 'game.py:2: imports "not_there_at_all", which is not installed'),
        ("\n\nraise ValueError('no')", "game.py:3: cannot be loaded: ValueError: no"),
        ("raise SystemExit(3)", "game.py:1: cannot be loaded: SystemExit: 3"),
        ("x = 1", 'defines no game: it has no name "game"'),
        ("game = 3", 'its "game" is int, not a Game'),
        (GAME.replace('Game("coins"', 'Game("squads"'), '"squads" is a shipped ruleset'),
        (GAME.replace('Game("coins"', f'Game("{"c" * 41}"'), "cannot be a game's name"),
    ],
)
def test_a_mistake_in_the_file_is_told_with_its_line(stranger: Stranger, text: str, told: str) -> None:
    file = stranger.folder / "game.py"
    file.write_text(text)
    assert told in refusal(file)
    assert load.names() == ()
    assert not [name for name in sys.modules if name.startswith("fracas_games.game_")]


@pytest.mark.parametrize(
    ("name", "told"), [("none.py", "there is no such file"), ("first.toml", "is not a Python file")]
)
def test_a_file_that_is_no_python_is_refused(stranger: Stranger, name: str, told: str) -> None:
    assert told in refusal(stranger.folder / name)


def test_a_file_that_is_too_large_is_refused(stranger: Stranger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "LARGEST_GAME", 100)
    assert "is larger than 100 bytes" in refusal(stranger.file)


def test_other_rules_under_a_known_name_are_refused(stranger: Stranger) -> None:
    first = fracas.use(stranger.file)
    stranger.write(old="if roll <=", new="if roll <")
    told = refusal(stranger.file)
    assert 'there is another game "coins" in this process' in told
    assert first.rules_hash[:12] in told
    assert registry.get("coins") is first


def test_the_same_rules_with_other_words_take_the_place_of_the_first(stranger: Stranger) -> None:
    first = fracas.use(stranger.file)
    before = fracas.run(stranger.scenario)
    stranger.write(old="def play_round", new="# better words\ndef play_round")
    second = fracas.use(stranger.file)
    assert second is not first
    assert second.identity == first.identity
    after = fracas.run(stranger.scenario)
    assert after.scenario.ruleset is second
    assert after.digest == before.digest


def test_fresh_forgets_what_was_used_inside(stranger: Stranger) -> None:
    outer = fracas.use(stranger.file)
    known = jit.kernels()
    fracas.run(stranger.scenario)
    stranger.write(old="if roll <=", new="if roll <")
    with load.fresh():
        assert load.names() == ()
        inner = fracas.use(stranger.file)
        assert fracas.run(stranger.scenario).scenario.ruleset is inner
        assert inner.identity != outer.identity
    assert registry.get("coins") is outer
    assert fracas.run(stranger.scenario).scenario.ruleset is outer
    assert not [kernel for kernel in jit.kernels() if game_of(kernel) == inner.identity]
    assert set(known) <= set(jit.kernels())


def test_the_environment_names_games(stranger: Stranger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(load.VARIABLE, os.pathsep.join([str(stranger.file), str(stranger.file)]))
    assert load.loaded_names() == ("coins",)
    assert fracas.run(stranger.scenario).winner == 1
    assert load.used_files() == []


def test_the_environment_names_whole_paths_only(stranger: Stranger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(stranger.folder)
    monkeypatch.setenv(load.VARIABLE, "coins.py")
    with pytest.raises(InputError, match=r"FRACAS_GAMES: coins.py: is not a whole path"):
        registry.get("coins")
    assert registry.get("squads").name == "squads"


def test_an_unknown_name_says_in_two_lines_how_to_name_a_game(stranger: Stranger) -> None:
    with pytest.raises(InputError) as caught:
        fracas.load(stranger.scenario)
    first, second = str(caught.value).split("\n")
    assert 'there is no ruleset "coins" (known: squads, delve, stacks, relics, titans;' in first
    assert "--game FILE, FRACAS_GAMES or fracas.use(FILE), or install its package; fracas game list" in second


def test_a_near_name_is_suggested_also_of_a_game(stranger: Stranger) -> None:
    fracas.use(stranger.file)
    with pytest.raises(InputError, match='did you mean "coins"'):
        registry.get("coin")


# Pickles.


def test_a_pickle_holds_the_name_and_the_hash_and_finds_the_game(stranger: Stranger) -> None:
    game = fracas.use(stranger.file)
    assert pickle.loads(pickle.dumps(game)) is game
    scenario = fracas.load(stranger.scenario)
    packed = pickle.dumps(scenario)
    assert b"d100_within" not in packed
    assert pickle.loads(packed).ruleset is game


def test_a_pickle_of_other_rules_is_refused(stranger: Stranger) -> None:
    fracas.use(stranger.file)
    packed = [pickle.dumps(registry.get("coins")), pickle.dumps(fracas.load(stranger.scenario))]
    stranger.write(old="if roll <=", new="if roll <")
    with load.fresh():
        for each in packed:
            with pytest.raises(InputError, match='pickled game: there is no game "coins" here'):
                pickle.loads(each)
        fracas.use(stranger.file)
        for each in packed:
            with pytest.raises(InputError, match=r"pickled game: has other rules of coins \(\w{12}\) than there are"):
                pickle.loads(each)


# Compiled code.


def test_compiled_code_is_kept_by_the_rules(stranger: Stranger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(stranger.folder / "cache"))
    first = jit.cache_folder(fracas.use(stranger.file).kernels.play_many)
    assert first.name.startswith("coins-")
    with load.fresh():
        assert jit.cache_folder(fracas.use(stranger.file).kernels.play_many) == first
    with load.fresh():
        other = fracas.use(stranger.write(old="if roll <=", new="if roll <"))
        assert jit.cache_folder(other.kernels.play_many) != first


def test_a_strangers_kernels_are_not_declared_with_those_of_a_ruleset(stranger: Stranger) -> None:
    game = fracas.use(stranger.file)
    own = game.module.play_round  # type: ignore[attr-defined]
    jit.enable()
    assert own in jit.kernels()
    assert own not in jit._enabled
    jit.enable(game.identity)
    assert own in jit._enabled


def test_compiled_rules_are_found_again_from_a_copy_with_another_comment(tmp_path: Path) -> None:
    environment = os.environ | {"FRACAS_CACHE_DIR": str(tmp_path / "cache"), "FRACAS_JIT": "1", load.VARIABLE: ""}
    (tmp_path / "guess.toml").write_text(scenario_text("guess"))
    said = []
    for number, remark in enumerate(("", "# A remark.\n")):
        file = tmp_path / f"guess{number}.py"
        file.write_text(remark + text_of("guess"))
        words = ["run", str(tmp_path / "guess.toml"), "--game", str(file)]
        command = [sys.executable, "-m", "fracas", *words]
        said.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stderr)
    assert "Compiling" in said[0]
    # Nothing was compiled the second time, and nothing was in the way.
    assert "Compiling" not in said[1]
    assert "cannot be loaded" not in said[1]
    assert [each.name.partition("-")[0] for each in (tmp_path / "cache").iterdir()] == ["guess"]


def test_a_game_that_is_loaded_again_is_not_played_by_what_was_kept_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(load.VARIABLE, raising=False)
    file = tmp_path / "line.py"
    file.write_text(text_of("line"))
    for _ in range(2):
        with load.fresh():
            game = fracas.use(file)
            assert fracas.load(document_of("line")).ruleset is game
