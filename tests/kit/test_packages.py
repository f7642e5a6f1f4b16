"""Games of installed packages: found by their entry point, imported only when somebody asks for them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.helpers.stranger import GAME, Stranger

import fracas
from fracas.errors import InputError
from fracas.kit import load
from fracas.kit.new_game import new_game
from fracas.rulesets import registry

# A folder of packages counts as Python's own does: its .pth files are read, which is how editable installs work.
RUN = """
import site, sys
site.addsitedir(sys.argv[1])
from fracas.cli.app import run_command
for line in sys.argv[2:]:
    if status := run_command(line.split()):
        sys.exit(status)
"""


def fracas_with(packages: Path, *commands: str, where: Path) -> subprocess.CompletedProcess[str]:
    """Run commands with the packages of a folder, somewhere else, playing plain Python, until one fails."""
    return subprocess.run(
        [sys.executable, "-P", "-c", RUN, str(packages), *commands],
        cwd=where,
        env={**os.environ, "FRACAS_JIT": "0"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module", params=["wheel", "editable"])
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with the game that `fracas game new` writes, built by hatchling without a network."""
    project = tmp_path_factory.mktemp("project")
    for name, text in new_game("dogs").items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    built, packages = tmp_path_factory.mktemp("built"), tmp_path_factory.mktemp("packages")
    build = f"import hatchling.build as b; b.build_{request.param}({str(built)!r})"
    subprocess.run([sys.executable, "-c", build], cwd=project, check=True, capture_output=True, timeout=120)
    [wheel] = built.glob("*.whl")
    with ZipFile(wheel) as packed:
        packed.extractall(packages)
        names = {each.filename.partition("/")[0] for each in packed.infolist()}
    assert names - {"dogs-0.1.0.dist-info"} == (
        {"dogs.py", "dogs_content"} if request.param == "wheel" else {"_dogs.pth"}
    )
    return packages


def test_an_installed_game_needs_no_option_and_the_list_says_where_it_is_from(installed: Path, tmp_path: Path) -> None:
    scenario = tmp_path / "duel.toml"
    scenario.write_text(new_game("dogs")["scenarios/first.toml"])
    commands = ("run duel.toml --save duel.json", "verify duel.json", "game list --format json")
    run = fracas_with(installed, *commands, where=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "Bo wins in round 8: enough heads." in run.stdout
    assert json.loads((tmp_path / "duel.json").read_text())["game"]["name"] == "dogs"
    assert "\nduel.json: verified, " in run.stdout
    found = json.loads(run.stdout[run.stdout.index("{") :])["games"]
    assert [each["name"] for each in found] == [*registry.NAMES, "dogs"]
    assert (found[-1]["from"], found[-1]["version"], len(found[-1]["rules"])) == ("dogs 0.1.0", 1, 64)


def test_the_list_as_text(stranger: Stranger, capsys: pytest.CaptureFixture[str]) -> None:
    game = fracas.use(stranger.file)
    run = stranger.command(capsys, "game list", "--game", "coins.py")
    assert run.out.splitlines()[-1].split() == ["coins", "1", game.rules_hash[:12], "coins.py"]


def package(folder: Path, name: str, *offered: str, version: str = "1.0") -> None:
    """Metadata of an installed package that offers games."""
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text("\n".join([f"[{load.GROUP}]", *offered, ""]))


@pytest.fixture
def packages(stranger: Stranger, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages on the path of modules."""
    folder = stranger.folder / "packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    load._all_offered.cache_clear()
    return folder


def test_only_the_asked_package_is_imported(packages: Path, stranger: Stranger) -> None:
    package(packages, "good", "coins = strangers_coins:game")
    package(packages, "bad", "bad = strangers_bad:game")
    (packages / "strangers_coins.py").write_text(GAME)
    (packages / "strangers_bad.py").write_text("raise RuntimeError('imported')")
    assert registry.names() == (*registry.NAMES, "bad", "coins")
    assert registry.is_known("bad")
    assert not {"strangers_coins", "strangers_bad"} & sys.modules.keys()
    assert fracas.run(stranger.scenario).winner == 1
    assert "strangers_bad" not in sys.modules
    with pytest.raises(InputError, match=r"strangers_bad.py:1: cannot be loaded: RuntimeError: imported"):
        registry.get("bad")
    found = {each.name: each for each in load.known_games()}
    assert (found["coins"].origin, found["coins"].problem) == ("good 1.0", "")
    assert found["bad"].game is None
    assert "RuntimeError" in found["bad"].problem
    del sys.modules["strangers_coins"]


def test_a_package_cannot_take_the_name_of_a_shipped_ruleset(packages: Path) -> None:
    package(packages, "thief", "squads = strangers_squads:game")
    (packages / "strangers_squads.py").write_text("raise RuntimeError('imported')")
    assert registry.get("squads").rules_hash == ""
    assert registry.names() == registry.NAMES
    [told] = load.known_games()
    assert (told.name, told.origin, told.problem) == ("squads", "thief 1.0", "is the name of a shipped ruleset")
    assert "strangers_squads" not in sys.modules


def test_two_packages_with_one_name_are_both_named(packages: Path) -> None:
    for name in ("one", "two"):
        package(packages, name, "coins = strangers_twice:game")
    with pytest.raises(InputError, match=r"coins: two packages offer this game: one 1.0 and two 1.0 \(uninstall one"):
        registry.get("coins")
    [told] = load.known_games()
    assert (told.origin, told.game) == ("one 1.0 and two 1.0", None)


def test_a_package_must_hold_the_game_that_it_promises(packages: Path) -> None:
    package(packages, "liar", "dice = strangers_liar:game")
    (packages / "strangers_liar.py").write_text(GAME)
    with pytest.raises(InputError, match=r'package liar 1\.0: offers the game "dice", but its game is called "coins"'):
        registry.get("dice")


def test_a_file_beside_an_installed_package_must_have_its_rules(packages: Path, stranger: Stranger) -> None:
    package(packages, "good", "coins = strangers_edited:game")
    (packages / "strangers_edited.py").write_text(GAME)
    game = fracas.use(stranger.file)
    assert game.source == stranger.file  # type: ignore[attr-defined]
    with load.fresh():
        stranger.write(old="if roll <=", new="if roll <")
        with pytest.raises(InputError, match=r'there is another game "coins" in this process \(good 1.0, rules'):
            fracas.use(stranger.file)


@pytest.mark.parametrize("name", ["squads", "random", "fracas", "Pets", "class", "1st", "numpy"])
def test_a_new_game_has_a_name_of_its_own(stranger: Stranger, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="NAME: "):
        new_game(name)
    run = stranger.command(capsys, "game new", name)
    assert (run.status, run.err.count("\n"), (stranger.folder / name).exists()) == (2, 1, False)
