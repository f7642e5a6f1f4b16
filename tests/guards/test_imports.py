"""What is imported when: Numba and the table library only by those who need them."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from tests.helpers.guards import ROOT, import_circle, module_sources

HEAVY = {"numba", "llvmlite", "polars", "pandas", "pyarrow", "scipy"}
SHELL = {"numpy", "pydantic", "msgspec", "cyclopts", "rich"}
RUN = """
import sys
from fracas.cli.app import main
for arguments in {commands!r}:
    sys.argv = ['fracas', *arguments]
    try:
        main()
    except SystemExit:
        pass
"""
TELL = "\nimport json, sys; print('\\n' + json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"


def imported_by(code: str, **environment: str) -> set[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("FRACAS_")} | environment
    done = subprocess.run(
        [sys.executable, "-c", code + TELL], capture_output=True, text=True, cwd=ROOT, env=environment, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_the_package_imports_nothing_else():
    assert not imported_by("import fracas") & (HEAVY | SHELL)


def test_help_needs_neither_numba_nor_tables_nor_the_rules():
    commands = [["--help"], ["run", "--help"], ["simulate", "--help"], ["--version"]]
    assert not imported_by(RUN.format(commands=commands)) & HEAVY


def test_a_single_battle_without_a_cache_needs_no_numba(tmp_path):
    code = RUN.format(commands=[["run", "examples/squads/first-battle.toml"]])
    assert not imported_by(code, FRACAS_CACHE_DIR=str(tmp_path)) & HEAVY


def test_a_single_battle_needs_nothing_of_the_studies():
    code = "import fracas; fracas.run('examples/squads/standard-5v5.toml')"
    tell = "\nimport json, sys; print(json.dumps([name for name in sys.modules if name.startswith('fracas.')]))"
    done = subprocess.run([sys.executable, "-c", code + tell], capture_output=True, text=True, cwd=ROOT, check=True)
    imported = json.loads(done.stdout.splitlines()[-1])
    assert "fracas.engine.scenario" in imported
    far = ("fracas.lab.studies", "fracas.lab.search", "fracas.lab.simulation", "fracas.cluster", "fracas.reports")
    assert [name for name in imported if name.startswith(far)] == []


def test_the_guard_finds_a_planted_import():
    assert "numba" in imported_by("import fracas, numba")


def test_no_modules_import_each_other_in_a_circle():
    assert " -> ".join(import_circle(module_sources())) == ""


@pytest.mark.parametrize(
    "back",
    [
        "from a.first import x",
        "import a.first",
        "from a import first",
        "def late():\n    from a.first import x",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a.first import x",
    ],
)
def test_the_guard_finds_a_planted_circle(back):
    modules = {"a": "", "a.first": "from a.second import y", "a.second": "import a.third", "a.third": ""}
    assert not import_circle(modules)
    assert set(import_circle({**modules, "a.third": back})) == {"a.first", "a.second", "a.third"}
