"""The tutorial on move types, done by somebody who has Fracas installed and an empty folder, and nothing else."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scripts import pages
from scripts.pages import Block, blocks_of, run_page
from tests.helpers import soak

import fracas

PAGE = pages.ROOT / "docs/tutorial/your-own-move-type.md"
BLOCKS = list(blocks_of(PAGE.read_text(encoding="utf-8")))
FILES = [block for block in BLOCKS if block.mark == "file"]
SOURCES = Path(fracas.__file__).resolve().parent.parent

# In the check tests/rules/stacks/content/test_move_types.py installs a package with plug-ins.
pytestmark = soak.only


# A process that runs command after command, so that imports and proofs are paid for once.
SHELL = """
import contextlib, io, json, os, sys
from fracas.cli.app import run_command

for line in sys.stdin:
    folder, jit, words = json.loads(line)
    os.chdir(folder)
    os.environ.pop("FRACAS_JIT", None)
    os.environ.update({"FRACAS_JIT": jit} if jit else {})
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run_command(words)
    print(json.dumps([status, out.getvalue(), err.getvalue()]), flush=True)
"""


def environment_of_strangers(path: str = "") -> dict[str, str]:
    """What a process sees that knows nothing of this one."""
    environment = {name: value for name, value in os.environ.items() if name not in ("FRACAS_JIT", "PYTHONPATH")}
    return environment | {"PYTHONPATH": os.pathsep.join([str(SOURCES), *([path] if path else [])])}


def outside(folder: Path, *arguments: str, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run fracas in a folder, as a process of its own."""
    command = [sys.executable, "-m", "fracas", *arguments]
    environment = environment_of_strangers(path)
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


class Shell:
    """One process outside, in which one command after the other is run."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def run(self, folder: Path, *arguments: str, jit: str = "") -> subprocess.CompletedProcess[str]:
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps([str(folder), jit, arguments]), file=self.process.stdin, flush=True)
        return subprocess.CompletedProcess(arguments, *json.loads(self.process.stdout.readline()))

    def told(self, folder: Path, *arguments: str, jit: str = "") -> dict[str, Any]:
        done = self.run(folder, *arguments, "--format", "json", jit=jit)
        assert done.returncode == 0, done.stderr
        told: dict[str, Any] = json.loads(done.stdout)
        return told


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    command, pipe = [sys.executable, "-c", SHELL], subprocess.PIPE
    folder, environment = tmp_path_factory.mktemp("shell"), environment_of_strangers()
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
        yield Shell(process)


def saved(folder: Path) -> Path:
    """A folder with the files of the page in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for block in FILES:
        (folder / block.value).write_text(block.text, encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path):
    assert pages.ROOT not in tmp_path.parents
    return saved(tmp_path / "pond")


def test_every_command_of_the_page_does_outside_what_the_page_shows(tmp_path, monkeypatch, shell):
    ran = []

    def run_line(line: str, where: str) -> tuple[int, str]:
        words = shlex.split(line)
        assert words[0] == "fracas", where
        done = shell.run(Path.cwd(), *words[1:])
        ran.append(words[1])
        return done.returncode, done.stdout + done.stderr

    monkeypatch.setattr(pages, "run_line", run_line)
    wrong = [str(shown) for shown in run_page(PAGE, tmp_path) if not shown.is_right]
    assert not wrong, "\n\n".join(wrong)
    assert {"run", "lab", "odds", "simulate", "verify"} <= set(ran)


def test_the_page_needs_nothing_that_its_files_do_not_have(folder):
    assert sorted(file.name for file in folder.iterdir()) == sorted(block.value for block in FILES)
    assert not any((folder / name).exists() for name in ("examples", "src"))


def test_the_move_bites_and_drinks(folder, shell):
    plain = shell.told(folder, "run", "pond.toml", "--plugin", "leech.py", jit="0")
    bites = [event for event in plain["events"] if event["kind"] == "move" and event["move"] == "leech"]
    drinks = [event for event in plain["events"] if event["kind"] == "health"]
    assert any(bite["effect"] for bite in bites)
    assert drinks
    assert all(drink["health"] > drink["before"] for drink in drinks)


def test_simulations_with_the_move_are_the_same_plain_and_compiled(folder, shell):
    plain, native = (
        shell.told(folder, "simulate", "pond.toml", "--plugin", "leech.py", "-n", "30", jit=jit) for jit in "01"
    )
    del plain["timing"], native["timing"]
    assert plain == native


def test_simulations_run_the_move_as_native_code(folder, shell):
    # What only plain Python understands shows that nothing plays plain in secret.
    text = (folder / "leech.py").read_text()
    interpreted = text.replace("drunk = min(effect, other.health)", 'drunk = min([effect, eval("other.health")])')
    assert text != interpreted
    (folder / "interpreted.py").write_text(interpreted)
    assert shell.run(folder, "run", "pond.toml", "--plugin", "interpreted.py", jit="0").returncode == 0
    done = shell.run(folder, "simulate", "pond.toml", "--plugin", "interpreted.py", "-n", "10000")
    assert done.returncode == 2
    assert '"leech.apply" cannot be compiled' in done.stderr


def test_without_the_plug_in_the_scenario_is_refused(folder, shell):
    # This process has played with the plug-in: a move stays with the command that names it.
    assert shell.run(folder, "run", "pond.toml", "--plugin", "leech.py").returncode == 0
    done = shell.run(folder, "run", "pond.toml")
    assert done.returncode == 2
    assert 'there is no move type "leech"' in done.stderr


def installed(folder: Path) -> Path:
    """A folder as an installer leaves it: the module, and what its pyproject.toml says of it."""
    described = tomllib.loads(next(block.text for block in FILES if block.value == "pyproject.toml"))
    project, modules = described["project"], described["tool"]["setuptools"]["py-modules"]
    site = folder / "site"
    about = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir(parents=True)
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (about / "METADATA").write_text(metadata)
    groups = (
        f"[{group}]\n" + "".join(f"{name} = {module}\n" for name, module in offered.items())
        for group, offered in project["entry-points"].items()
    )
    (about / "entry_points.txt").write_text("".join(groups))
    for block in FILES:
        if block.value.removesuffix(".py") in modules:
            (site / block.value).write_text(block.text)
    return site


def shell_block() -> Block:
    return next(block for block in BLOCKS if block.language == "sh")


def test_installed_the_move_has_a_name_instead_of_a_path(tmp_path, folder, shell):
    site = installed(tmp_path)
    other = saved(tmp_path / "other")
    (other / "leech.py").unlink()
    command = shlex.split(shell_block().lines[-1])
    done = outside(other, *command[1:], "--save", str(folder / "pond.json"), path=str(site))
    assert done.returncode == 0, done.stderr
    # By its name it is the same move as by its file.
    done = shell.run(folder, "verify", "pond.json", "--plugin", "leech.py")
    assert done.returncode == 0, done.stderr


def test_installed_the_move_is_not_there_for_who_does_not_name_it(tmp_path, folder):
    done = outside(folder, "run", "pond.toml", path=str(installed(tmp_path)))
    assert done.returncode == 2
    assert "--plugin" in done.stderr
