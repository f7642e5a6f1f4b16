"""The script and the workflow of the page on CI: they run, and fail a build when they should."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from scripts.pages import ROOT, blocks_of

import fracas

PAGE = ROOT / "docs/how-to/balance-in-ci.md"
FILES = {block.value: block.text for block in blocks_of(PAGE.read_text()) if block.mark == "file"}
EXAMPLES = ROOT / "examples/squads"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A project with scenarios and the page's script."""
    (tmp_path / "check-balance.sh").write_text(FILES["check-balance.sh"])
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios/fair.toml").write_text((EXAMPLES / "standard-5v5.toml").read_text())
    return tmp_path


def checked(folder: Path) -> subprocess.CompletedProcess[str]:
    """What the workflow's last step does in a folder."""
    step = re.findall(r"- run: (.+)", FILES["balance.yml"])[-1]
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(["sh", "-c", step], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_fair_scenario_passes(repository):
    ended = checked(repository)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.count("passed: ") == 2


def test_an_unfair_scenario_fails_the_build_and_the_others_are_checked_too(repository):
    (repository / "scenarios/a-first.toml").write_text((EXAMPLES / "first-battle.toml").read_text())
    ended = checked(repository)
    assert ended.returncode == 1
    assert ended.stderr.count("failed: ") == 1
    assert ended.stderr.count("passed: ") == 3


def test_a_broken_scenario_is_found_before_anything_is_played(repository):
    (repository / "scenarios/fair.toml").write_text('ruleset = "squads"\n')
    ended = checked(repository)
    assert ended.returncode == 2
    assert "battles" not in ended.stdout


def test_the_workflow_names_this_version_and_the_page_s_files():
    workflow = FILES["balance.yml"]
    assert set(re.findall(r"fracas(?:==|-)([\d.]+)", workflow)) == {fracas.__version__}
    assert "sh check-balance.sh scenarios/*.toml" in workflow
