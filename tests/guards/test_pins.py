"""The files of pins: what runs needs no build tools, and all agree on versions and hashes."""

from __future__ import annotations

import re
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.helpers.guards import ROOT


def pins(name: str) -> dict[str, str]:
    """The text of each pin of a file, by the package's name."""
    blocks = re.split(r"(?m)^(?=[a-z])", (ROOT / name).read_text())
    return {block.partition("==")[0]: block for block in blocks if block}


RUN, BUILD, DEV, SERVER = (pins(f"requirements{each}.txt") for each in ("", "-build", "-dev", "-server"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def names(requirements: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(each).name) for each in requirements}


def test_what_runs_needs_no_build_tools():
    assert not {*names(PROJECT["build-system"]["requires"]), "pathspec", "pluggy", "trove-classifiers"} & set(RUN)
    assert names(PROJECT["project"]["dependencies"]) <= set(RUN)
    assert names(PROJECT["build-system"]["requires"]) <= set(BUILD)


def test_all_files_agree():
    assert {name: text for name, text in DEV.items() if name in RUN} == RUN
    assert {name: text for name, text in DEV.items() if name in BUILD} == BUILD
    assert {name: text for name, text in DEV.items() if name in SERVER} == SERVER


def test_what_serves_has_the_extra_and_nothing_to_check_with():
    assert RUN.keys() | names(PROJECT["project"]["optional-dependencies"]["server"]) <= SERVER.keys()
    assert not {"pytest", "mypy", "ruff", "hatchling"} & set(SERVER)


def test_every_pin_has_hashes():
    assert all("--hash=sha256:" in text for text in (RUN | BUILD | DEV | SERVER).values())


def test_the_readme_installs_the_build_backend_where_it_builds():
    for block in re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL):
        if "--no-build-isolation" in block:
            assert "-r requirements-build.txt" in block or "-r requirements-dev.txt" in block
