"""Files that are written: nothing that is no file is ever replaced by one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.helpers.scenarios import loaded, problems_of

import fracas
from fracas.engine.replay_file import read_replay

Write = Callable[[Path], object]


@pytest.fixture(params=["a replay", "a table"])
def write(request) -> Write:
    scenario = loaded()
    if request.param == "a table":
        return lambda path: fracas.simulate(scenario, 10, out=path)
    return fracas.run(scenario).save


def test_a_pipe_is_refused_and_stays(tmp_path, write):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    [problem] = problems_of(write, path)
    assert problem.message == "cannot be written: it is not a regular file"
    assert path.is_fifo()


def test_a_device_is_refused(write):
    assert problems_of(write, Path(os.devnull))


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path, write):
    (tmp_path / "far").mkdir()
    link, target = tmp_path / "link.parquet", tmp_path / "far" / "file"
    link.symlink_to(target)
    write(link)
    assert link.is_symlink()
    assert target.stat().st_size > 100
    assert [entry.name for entry in target.parent.iterdir()] == ["file"]


def test_a_link_in_a_circle_is_refused(tmp_path, write):
    link = tmp_path / "link"
    link.symlink_to(link)
    assert problems_of(write, link)
    assert link.is_symlink()


def test_a_file_of_the_longest_name_is_written(tmp_path):
    path = tmp_path / ("x" * 250 + ".json")
    fracas.run(loaded()).save(path)
    assert read_replay(path).stream == 0
