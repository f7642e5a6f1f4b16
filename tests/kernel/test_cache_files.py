"""The cache of compiled code: whatever happens to it costs a compilation, and nobody else's code is run."""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fracas.kernel import cache_files, jit
from fracas.kernel.cache_files import Damaged, make_private, why_untrusted


@pytest.fixture(autouse=True)
def nothing_is_told(monkeypatch):
    monkeypatch.setattr(cache_files, "_told", set())


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "cache" / "squads-0123456789abcdef"
    assert make_private(made)
    return made


def compiled(folder: Path | None) -> tuple[Callable[[int], int], Any]:
    """A small function as a process meets it for the first time, and its cache."""
    from fracas.kernel.numba_cache import CodeCache

    def twice(number: int) -> int:
        return number * 2

    dispatcher = jit.enable().njit(twice)
    dispatcher._cache = CodeCache("squads", "twice", folder)
    return dispatcher, dispatcher._cache


def misses(function: Any) -> int:
    return sum(function.stats.cache_misses.values())


# What is in the files.


def test_what_is_compiled_is_loaded_by_the_next_process(folder):
    first, kept = compiled(folder)
    assert first(21) == 42
    assert [file.name for file in folder.iterdir()] == [kept.latest]
    second, kept = compiled(folder)
    assert (second(21), misses(second), kept.latest) == (42, 0, next(folder.iterdir()).name)
    kept.flush()
    assert not list(folder.iterdir())


@pytest.mark.parametrize("damage", [b"", b"\0" * 10, "half", "flipped"])
def test_a_damaged_file_is_told_removed_and_made_again(folder, damage, caplog):
    first, _ = compiled(folder)
    first(21)
    [file] = folder.iterdir()
    whole = file.read_bytes()
    flipped = whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:]
    file.write_bytes({"half": whole[: len(whole) // 2], "flipped": flipped}.get(damage, damage))
    assert cache_files.is_damaged(file)
    second, _ = compiled(folder)
    assert (second(21), misses(second)) == (42, 1)
    [told] = [record.message for record in caplog.records if record.levelno == logging.WARNING]
    assert told == f"{file} is damaged. The rules of squads are compiled again."
    assert not cache_files.is_damaged(file)
    third, _ = compiled(folder)
    assert (third(21), misses(third)) == (42, 0)


def test_a_whole_file_that_cannot_be_loaded_is_made_again(folder, caplog):
    first, _ = compiled(folder)
    first(21)
    [file] = folder.iterdir()
    cache_files.write(file, b"no compiled code")
    second, _ = compiled(folder)
    assert (second(21), misses(second)) == (42, 1)
    assert "cannot be loaded (UnpicklingError" in caplog.text


def test_a_full_disk_costs_a_compilation(folder, monkeypatch, caplog):
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("tempfile.mkstemp", full)
    for _ in range(2):
        function, kept = compiled(folder)
        assert (function(21), misses(function), kept.latest) == (42, 1, None)
    assert [record.message for record in caplog.records if record.levelno == logging.WARNING] == [
        f"{folder} cannot be written (No space left on device): each process compiles the rules again."
    ]


def test_a_disk_that_fills_up_while_it_is_written_leaves_nothing(folder, monkeypatch):
    def fill_up(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", fill_up)
    function, kept = compiled(folder)
    assert (function(21), kept.latest, list(folder.iterdir())) == (42, None, [])


def test_where_no_folder_can_be_made_nothing_is_kept(tmp_path):
    (tmp_path / "file").write_text("")
    assert not make_private(tmp_path / "file" / "below" / "squads")


def test_compiling_is_in_the_log(folder, caplog):
    caplog.set_level(logging.INFO, "fracas")
    for _ in range(2):
        compiled(folder)[0](21)
    assert caplog.messages == ["Compiling twice of squads for this machine; it takes up to a minute."]


def test_without_a_folder_nothing_is_kept():
    function, kept = compiled(None)
    assert (function(21), kept.latest) == (42, None)
    kept.flush()


# Whose folder it is.


def test_a_folder_is_made_for_its_owner_alone(tmp_path):
    before = os.umask(0)
    try:
        assert make_private(tmp_path / "cache" / "squads")
    finally:
        os.umask(before)
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "cache" / "squads").stat().st_mode & 0o777 == 0o700
    cache_files.write(tmp_path / "cache" / "squads" / "x.code", b"x")
    assert (tmp_path / "cache" / "squads" / "x.code").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("mode", [0o770, 0o777, 0o702])
@pytest.mark.parametrize("which", ["the root", "the folder"])
def test_a_folder_that_others_can_write_is_not_used(folder, mode, which):
    place = folder.parent if which == "the root" else folder
    place.chmod(mode)
    assert why_untrusted(folder) == f"others can write {place}: use chmod go-w"
    assert not make_private(folder)
    place.chmod(0o755)
    assert why_untrusted(folder) is None


def test_a_root_like_tmp_is_no_danger_to_a_folder_of_ours(folder):
    folder.parent.chmod(0o1777)
    assert why_untrusted(folder) is None
    folder.chmod(0o1777)
    assert why_untrusted(folder) is not None


def test_a_folder_of_another_user_is_not_used(folder, monkeypatch):
    owner = folder.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    if owner != 0:
        assert why_untrusted(folder) == f"{folder.parent} belongs to another user"
    else:
        # What the administrator has compiled for everybody may be used.
        assert why_untrusted(folder) is None
        os.chown(folder, 4711, -1)
        assert why_untrusted(folder) == f"{folder} belongs to another user"


def test_a_file_that_others_can_write_is_not_read(folder):
    compiled(folder)[0](21)
    [file] = folder.iterdir()
    file.chmod(0o666)
    with pytest.raises(Damaged, match="others can write"):
        cache_files.read(file)
    second, _ = compiled(folder)
    assert (second(21), misses(second)) == (42, 1)


def test_an_entry_point_in_such_a_folder_is_neither_read_nor_kept(monkeypatch, tmp_path, caplog):
    from fracas.rulesets.squads.rules.entry_points import play_many

    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path))
    folder = jit.cache_folder(play_many)
    folder.mkdir()
    folder.chmod(0o777)
    assert jit._kept_code(play_many).folder is None
    assert f"neither read nor stored: others can write {folder}" in caplog.text
    folder.chmod(0o700)
    assert jit._kept_code(play_many).folder == folder


# What Numba is spared.


def test_numba_knows_of_scipy_without_importing_it():
    from numba.np import arraymath, linalg

    assert arraymath._HAVE_BLAS
    assert arraymath.ensure_blas is linalg.ensure_blas
    assert linalg.ensure_blas.__module__ == "numba.np.linalg"
