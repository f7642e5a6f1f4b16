"""What a study has finished is kept whatever ends it, and what comes of it is the same, byte for byte."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.helpers.guards import ROOT
from tests.helpers.relics import battle, item
from tests.helpers.runs import bytes_of
from tests.helpers.scenarios import duel, loaded, problems_of

import fracas
from fracas.cluster.executors import open_executor
from fracas.errors import FaultError
from fracas.lab.execution import chunk_size, thread_executor
from fracas.lab.execution.chunk import play_chunk
from fracas.lab.search.optimise_result import SearchSettings
from fracas.lab.store.chunk_folder import stored_chunks
from fracas.lab.store.run_checkpoint import RunCheckpoint
from fracas.lab.store.study_checkpoint import StudyCheckpoint
from fracas.lab.studies.find import find
from fracas.rulesets.relics.analysis import search_space as ladders
from fracas.rulesets.relics.content import library as libraries

LUCKY = {"modifiers": [], "items": [item("coin", triggers={"turn_start": [["deal", 2, {"chance": 50}]]})]}
PLAN = StudyCheckpoint.PLAN
STANDARD = ROOT / "examples/squads/standard-5v5.toml"
ATTACK = "sides.0.units.0.attack"


class Killed(BaseException):
    """Nobody catches this one."""


@pytest.fixture(autouse=True)
def small_and_plain(monkeypatch):
    """Ranges of a few battles, each written at once; searches that are soon content."""
    monkeypatch.setenv("FRACAS_JIT", "0")
    monkeypatch.setattr(StudyCheckpoint, "write_seconds", 0.0)
    monkeypatch.setattr(chunk_size, "PLAIN_CHUNK", CHUNK)
    monkeypatch.setattr("fracas.lab.search.candidate_race.LEAST_STREAMS", 4)
    monkeypatch.setattr("fracas.lab.search.candidate_race.LOOK_EVERY", 4)
    monkeypatch.setattr("fracas.lab.search.local_search.MOST_BATTLES", (8, 16))
    monkeypatch.setattr("fracas.lab.search.local_search.FIRST_LOOK", 4)
    monkeypatch.setattr("fracas.lab.search.local_search.LOOK_EVERY", 4)


@pytest.fixture
def few(monkeypatch):
    """A content of a handful of entries, so that all of it is soon tried."""
    whole = libraries.library_for(None, ())
    bare: dict[str, Any] = {"weapon": None, "upgrades": [], "items": [], "food": []}
    entries = {
        **whole.entries,
        "items": {name: whole.of("items")[name] for name in ("horned_helm", "iceblock_shield")},
        "enemies": {"snow_hare": whole.of("enemies")["snow_hare"].model_copy(update=bare)},
        "bosses": {key: entry.model_copy(update=bare) for key, entry in list(whole.of("bosses").items())[:1]},
    }
    monkeypatch.setattr(ladders, "library_for", lambda profile, folders: replace(whole, entries=entries))


Play = Callable[..., Any]
CHUNK = 3
lucky = battle(LUCKY, {"weapon": "boomstick"})
STUDIES: dict[str, Play] = {
    "compare": lambda **who: fracas.compare(duel(), overrides={ATTACK: 41}, n=10, **who),
    "sweep": lambda **who: fracas.sweep(duel(), {ATTACK: [40, 42]}, 8, **who),
    "sensitivity": lambda **who: fracas.sensitivity(duel(), 3, **who),
    "find": lambda **who: fracas.find(duel(), "rounds > 99", 20, **who),
    "matchups": lambda **who: fracas.matchups([duel(), f"{STANDARD}", f"{STANDARD}:2"], 4, **who),
    "optimise": lambda **who: fracas.optimise(duel(), settings=SearchSettings(3, (45.0,), (), 30, 3), **who),
    "ladder": lambda **who: fracas.ladder(lucky, 8, **who),
    "swaps": lambda **who: fracas.swaps(lucky, 5, **who),
}


def plain(found: Any) -> bytes:
    return msgspec.json.encode(found.as_json() | {"timing": None}, order="deterministic")


def killed_at(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Have the program end when so many ranges are kept."""
    add, left = StudyCheckpoint.add, iter(range(number - 1, -1, -1))

    def add_or_die(folder: StudyCheckpoint, *arguments: Any) -> None:
        add(folder, *arguments)
        if next(left) == 0:
            raise Killed

    monkeypatch.setattr(StudyCheckpoint, "add", add_or_die)


def kept_after(monkeypatch: pytest.MonkeyPatch, study: Play, folder: Path, ranges: int) -> None:
    with monkeypatch.context() as context:
        killed_at(context, ranges)
        with pytest.raises(Killed):
            study(resume=folder, threads=1)
    assert len(list(folder.glob("*.ranges"))) == ranges


def counting(monkeypatch: pytest.MonkeyPatch) -> list[range]:
    """The ranges that are played from now on."""
    found: list[range] = []

    def play_and_tell(player: Any, battles: range, wanted: Any) -> Any:
        found.append(battles)
        return play_chunk(player, battles, wanted)

    monkeypatch.setattr(thread_executor, "play_chunk", play_and_tell)
    return found


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_goes_on_where_it_was_killed(monkeypatch, few, tmp_path, name):
    study, folder = STUDIES[name], tmp_path / "kept"
    kept_after(monkeypatch, study, folder, 4)
    with monkeypatch.context() as context:
        whole = counting(context)
        expected = plain(study(threads=1))
    again = counting(monkeypatch)
    assert plain(study(resume=folder, threads=1)) == expected
    assert len(again) == len(whole) - 4 > 0
    assert list(tmp_path.iterdir()) == []


def test_what_was_begun_by_one_is_ended_by_many(monkeypatch, tmp_path):
    study, folder = STUDIES["sweep"], tmp_path / "kept"
    expected = plain(study(threads=1))
    kept_after(monkeypatch, study, folder, 4)
    monkeypatch.setattr(chunk_size, "PLAIN_CHUNK", 7)
    assert plain(study(resume=str(folder), threads=3)) == expected


def test_much_is_written_at_once_and_the_rest_at_the_end(monkeypatch, tmp_path):
    monkeypatch.setattr(StudyCheckpoint, "write_seconds", 1e9)
    killed_at(monkeypatch, 4)
    with pytest.raises(Killed):
        STUDIES["sweep"](resume=tmp_path / "kept", threads=1)
    assert [file.name for file in sorted((tmp_path / "kept").iterdir())] == ["00000000.ranges", PLAN]


# What is in the folder.


@pytest.fixture
def half_done(monkeypatch, tmp_path) -> list[Path]:
    """The files of six finished ranges of a sweep."""
    kept_after(monkeypatch, STUDIES["sweep"], tmp_path / "kept", 6)
    return sorted((tmp_path / "kept").glob("*.ranges"))


def flip(files: list[Path]) -> None:
    content = bytearray(files[2].read_bytes())
    content[-1] ^= 1
    files[2].write_bytes(content)


def flip_what_was_played(files: list[Path]) -> None:
    content = bytearray(files[2].read_bytes())
    content[len(content) // 2] ^= 1
    files[2].write_bytes(content)


def cut_short(files: list[Path]) -> None:
    files[2].write_bytes(files[2].read_bytes()[:40])


def empty(files: list[Path]) -> None:
    files[2].write_bytes(b"")


def of_another_place(files: list[Path]) -> None:
    [entry] = stored_chunks(files[2])
    moved = msgspec.structs.replace(entry, first=0, stop=len(entry.battles))
    files[2].write_bytes(msgspec.msgpack.encode([moved]))


@pytest.mark.parametrize("damage", [flip, flip_what_was_played, cut_short, empty, of_another_place])
def test_what_is_damaged_is_played_again(monkeypatch, tmp_path, half_done, damage):
    damage(half_done)
    expected = plain(STUDIES["sweep"](threads=1))
    again = counting(monkeypatch)
    assert plain(STUDIES["sweep"](resume=tmp_path / "kept", threads=1)) == expected
    assert len(again) == 9 - 5
    assert list(tmp_path.iterdir()) == []


def looked_for(folder: Path, said: list[str]) -> None:
    """Another study."""
    with open_executor(1, notice=said.append, resume=folder) as who:
        who.finish_study(find(loaded(), "rounds > 99", 7, threads=who))


def test_what_another_study_has_left_is_of_no_use_and_stays(tmp_path, half_done):
    folder = tmp_path / "kept"
    said: list[str] = []
    before = bytes_of(folder)
    looked_for(folder, said)
    assert said == [
        f"resumes with 16 battles from {folder}",
        f"the chunks in {folder} belong to another study and are not used",
        f"{folder} stays: it has finished chunks of another study",
    ]
    assert bytes_of(folder) == before


def test_who_is_interrupted_is_told_how_to_go_on(monkeypatch, tmp_path):
    folder = tmp_path / "kept"
    said: list[str] = []
    killed_at(monkeypatch, 2)
    with pytest.raises(Killed):
        looked_for(folder, said)
    assert said == [f"finished chunks are in {folder}; add --resume {folder} to continue"]


def test_a_study_that_kept_nothing_leaves_nothing(tmp_path):
    with pytest.raises(fracas.errors.InputError):
        fracas.sweep(duel(), {"sides.9": [1]}, 40, resume=tmp_path / "kept")
    assert list(tmp_path.iterdir()) == []


def test_a_battle_that_runs_into_a_limit_leaves_nothing(monkeypatch, tmp_path, half_done):
    def full(*_: Any) -> Any:
        raise FaultError("the log is full")

    monkeypatch.setattr(thread_executor, "play_chunk", full)
    with pytest.raises(FaultError):
        STUDIES["sweep"](resume=tmp_path / "kept", threads=1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [{"notes.txt": "mine"}, {PLAN: "{}"}, {PLAN: "not json"}, None])
def test_a_folder_of_something_else_is_left_alone(tmp_path, content):
    folder = tmp_path / "kept"
    if content is None:
        folder.write_text("a file")
    else:
        folder.mkdir()
        for name, text in content.items():
            (folder / name).write_text(text)
    before = bytes_of(folder if content else tmp_path)
    [problem] = problems_of(STUDIES["sweep"], resume=folder)
    assert (problem.where, problem.message) == (
        str(folder),
        "exists, but is not a checkpoint folder",
    )
    assert bytes_of(folder if content else tmp_path) == before


def test_the_folders_of_runs_and_of_studies_are_not_mixed_up(monkeypatch, tmp_path, half_done):
    out = tmp_path / "battles.json"
    (tmp_path / "kept").rename(tmp_path / "battles.json.run")
    [problem] = problems_of(fracas.simulate, duel(), 100, out=out, resume=True)
    assert problem.message == "exists, but is not the folder of a run"
    with RunCheckpoint(tmp_path / "other.json", resume=False) as run:
        run._write("run.json", b"{}")
        [problem] = problems_of(STUDIES["sweep"], resume=run.path)
    assert "is not a checkpoint folder" in problem.message


def test_two_programs_do_not_share_a_folder(tmp_path):
    with StudyCheckpoint(tmp_path / "kept"):
        [problem] = problems_of(STUDIES["sweep"], resume=tmp_path / "kept")
    assert problem.message.startswith("is in use by process ")
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_can_be_written_it_is_said_before_anything_is_played(tmp_path):
    [problem] = problems_of(STUDIES["sweep"], resume=tmp_path / "no" / "such" / "kept")
    assert problem.message == "cannot be written: No such file or directory"
    [problem] = problems_of(STUDIES["sweep"], resume=7)
    assert problem.where == "resume"
