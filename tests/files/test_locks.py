"""Locks of files and folders: who holds one is named; where none can be made, that is said, and not tried for ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.helpers.scenarios import problems_of

from fracas.files import locks
from fracas.files.locks import LOCK, MOST_TRIES, Hold, LockedFolder


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The lock files that were asked for; whoever tries for ever would be stopped here."""
    found: list[Path] = []
    really = locks._take

    def counting(path: Path, place: Path):
        found.append(place)
        assert len(found) <= MOST_TRIES, "it would try for ever"
        return really(path, place)

    monkeypatch.setattr(locks, "_take", counting)
    return found


def test_a_folder_whose_lock_is_nowhere_is_refused(tmp_path, monkeypatch, tries):
    """Like a folder of the system's: it is there, a new one is no error, and no file can be in it."""
    monkeypatch.setattr(Path, "mkdir", lambda *_, **__: None)
    path = tmp_path / "kept"
    [problem] = problems_of(LockedFolder(path).acquire)
    assert problem.where == str(path)
    assert problem.message == "cannot be written: No such file or directory"
    assert len(tries) == MOST_TRIES


def test_a_working_folder_that_is_gone_is_said(tmp_path, monkeypatch, tries):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    [problem] = problems_of(LockedFolder(Path("kept")).acquire)
    assert problem.message == "cannot be written: No such file or directory"


def test_somebody_who_removes_a_folder_once_is_no_obstacle(tmp_path, monkeypatch):
    really, asked = Path.mkdir, []

    def removed_once(path, **options):
        asked.append(path)
        if len(asked) > 1:
            really(path, **options)

    monkeypatch.setattr(Path, "mkdir", removed_once)
    held = LockedFolder(tmp_path / "kept")
    held.acquire()
    assert (tmp_path / "kept" / LOCK).read_text().startswith(f"{os.getpid()} ")
    held.release(remove=True)
    assert not (tmp_path / "kept").exists()


HOLDING = """
import sys
from pathlib import Path
from fracas.files.locks import Hold
with Hold(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_another_program_is_named_and_its_end_frees_the_file(tmp_path):
    path = tmp_path / "file"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        [problem] = problems_of(Hold(path).__enter__)
        assert problem.message.startswith(f"is in use by process {other.pid} on ")
        # Whoever was refused leaves the holder's name where it is.
        assert problems_of(Hold(path).__enter__) == (problem,)
        # It has no time to release anything.
        other.kill()
    assert (tmp_path / "file.lock").exists()
    with Hold(path):
        assert (tmp_path / "file.lock").read_text().startswith(f"{os.getpid()} ")
    assert not (tmp_path / "file.lock").exists()
