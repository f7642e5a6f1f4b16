"""The lock of a folder of results: where none can be made, that is said, and not tried for ever."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.helpers.scenarios import problems_of

from fracas.files import folder_lock as folders
from fracas.files.folder_lock import LockedFolder


@pytest.fixture
def opened(monkeypatch):
    """How often a lock was opened; whoever tries for ever would be stopped here."""
    calls: list[object] = []
    tries: list[object] = []
    really, really_made = os.open, Path.mkdir

    def making(path, **options):
        tries.append(path)
        assert len(tries) <= folders.MOST_TRIES + 1, "it would try for ever"
        really_made(path, **options)

    monkeypatch.setattr(Path, "mkdir", making)

    def counting(path, *rest):
        calls.append(path)
        assert len(calls) <= folders.MOST_TRIES, "it would try for ever"
        return really(path, *rest)

    monkeypatch.setattr(os, "open", counting)
    return calls


def test_a_folder_whose_lock_is_nowhere_is_refused(tmp_path, monkeypatch, opened):
    """Like a folder of the system's: it is there, a new one is no error, and no file can be in it."""
    monkeypatch.setattr(Path, "mkdir", lambda *_, **__: None)
    path = tmp_path / "kept"
    [problem] = problems_of(LockedFolder(path).acquire)
    assert problem.where == str(path)
    assert problem.message == "cannot be written: No such file or directory"
    assert len(opened) == folders.MOST_TRIES


def test_a_folder_that_is_removed_again_and_again_is_refused(tmp_path, monkeypatch, opened):
    monkeypatch.setattr(folders, "is_file", lambda *_: False)
    [problem] = problems_of(LockedFolder(tmp_path / "kept").acquire)
    assert problem.message == "cannot be written: another program keeps removing it"


def test_a_working_folder_that_is_gone_is_said(tmp_path, monkeypatch, opened):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    [problem] = problems_of(LockedFolder(Path("kept")).acquire)
    assert problem.message == "cannot be written: No such file or directory"


def test_somebody_who_removes_a_folder_once_is_no_obstacle(tmp_path, monkeypatch):
    answers = iter([False, False, True])
    monkeypatch.setattr(folders, "is_file", lambda *_: next(answers))
    held = LockedFolder(tmp_path / "kept")
    held.acquire()
    assert (tmp_path / "kept" / folders.LOCK).read_text().startswith(f"{os.getpid()} ")
    held.release(remove=True)
    assert not (tmp_path / "kept").exists()
