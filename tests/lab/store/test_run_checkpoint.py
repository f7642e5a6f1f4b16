"""Finished ranges: kept whatever happens, taken up by the run that they are of, and by no other."""

from __future__ import annotations

import json
import os
import platform
import signal
from pathlib import Path

import msgspec
import pytest
from tests.helpers import soak
from tests.helpers.relics import battle as relics_battle
from tests.helpers.runs import bytes_of
from tests.helpers.scenarios import duel, loaded, problems_of

import fracas
from fracas.files.locks import LOCK
from fracas.lab.simulation.export import simulate_to_file
from fracas.lab.simulation.summary_file import summary_of, sums_json
from fracas.lab.store.chunk_folder import stored_chunks
from fracas.lab.store.run_checkpoint import RunCheckpoint, checkpoint_path

BATTLES = 200
RANGES = 13


@pytest.fixture(autouse=True)
def small_ranges(monkeypatch):
    monkeypatch.setattr("fracas.lab.execution.chunk_size.RANGE_SECONDS", 0.0)
    monkeypatch.setattr("fracas.lab.execution.chunk_size.TRIAL_SECONDS", 0.0)


@pytest.fixture(scope="module")
def scenario():
    return loaded()


@pytest.fixture(params=["battles.parquet", "battles.json"])
def out(tmp_path, request):
    folder = tmp_path / "here"
    folder.mkdir()
    return folder / request.param


@pytest.fixture
def expected(tmp_path, scenario, out):
    folder = tmp_path / "expected"
    folder.mkdir()
    simulate_to_file(folder / out.name, scenario, BATTLES)
    return bytes_of(folder)


class Killed(BaseException):
    """Nobody catches this one."""


def killed_at(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Have the program end in the middle of writing its file of this number."""
    write, written = RunCheckpoint._write, iter(range(1, 1000))

    def write_or_die(folder: RunCheckpoint, name: str, content: bytes) -> None:
        if next(written) == number:
            (folder.path / f"{name}-999.part").write_bytes(content[: len(content) // 2])
            raise Killed
        write(folder, name, content)

    monkeypatch.setattr(RunCheckpoint, "_write", write_or_die)


def kept_after(monkeypatch: pytest.MonkeyPatch, out: Path, scenario: fracas.Scenario, files: int) -> None:
    """A run that was killed when it had written so many files."""
    with monkeypatch.context() as context:
        killed_at(context, files + 1)
        with pytest.raises(Killed):
            simulate_to_file(out, scenario, BATTLES)


@pytest.mark.parametrize("files", soak.some(range(RANGES + 1), 5))
def test_a_run_that_ends_at_any_point_is_resumed(monkeypatch, scenario, out, expected, files):
    kept_after(monkeypatch, out, scenario, files)
    assert [entry.name for entry in out.parent.iterdir()] == ([f"{out.name}.run"] if files > 1 else [])
    results = simulate_to_file(out, scenario, BATTLES, resume=True)
    assert results.resumed == 16 * max(0, files - 1)
    assert bytes_of(out.parent) == expected
    assert sorted(entry.name for entry in out.parent.iterdir()) == sorted(expected)


def test_the_ranges_of_a_run_stay_as_they_were_cut(monkeypatch, scenario, out, expected):
    kept_after(monkeypatch, out, scenario, 5)
    # So few battles on one thread would now be cut into ranges of 32.
    monkeypatch.setattr("fracas.lab.execution.chunk_size.RANGE_SECONDS", 1e9)
    results = simulate_to_file(out, scenario, BATTLES, resume=True, threads=1)
    assert results.resumed == 4 * 16
    assert bytes_of(out.parent) == expected


def test_what_is_half_written_has_no_name_that_counts(monkeypatch, scenario, out):
    write = Path.write_bytes

    def half(path: Path, content: bytes) -> int:
        write(path, content[: len(content) // 2])
        raise Killed

    monkeypatch.setattr(Path, "write_bytes", half)
    monkeypatch.setattr(RunCheckpoint, "__exit__", lambda *_: None)
    with pytest.raises(Killed):
        simulate_to_file(out, scenario, BATTLES)
    names = [entry.name for entry in checkpoint_path(out).iterdir() if entry.is_file()]
    assert sorted(Path(name).suffix for name in names if name != LOCK) == [".part"]


def test_a_run_that_ends_while_its_result_is_written_is_resumed(monkeypatch, scenario, out, expected):
    def die(*_):
        raise Killed

    with monkeypatch.context() as context:
        context.setattr("fracas.lab.simulation.summary_file.write_atomic", die)
        with pytest.raises(Killed):
            simulate_to_file(out, scenario, BATTLES)
    assert simulate_to_file(out, scenario, BATTLES, resume=True).resumed == BATTLES
    assert bytes_of(out.parent) == expected


@pytest.fixture
def half_done(monkeypatch, scenario, out) -> list[Path]:
    """The files of six finished ranges."""
    kept_after(monkeypatch, out, scenario, 7)
    files = sorted(checkpoint_path(out).glob("*.ranges"))
    assert len(files) == 6
    return files


def flip(files: list[Path]) -> None:
    content = bytearray(files[2].read_bytes())
    content[-1] ^= 1
    files[2].write_bytes(content)


def cut_short(files: list[Path]) -> None:
    files[2].write_bytes(files[2].read_bytes()[:40])


def empty(files: list[Path]) -> None:
    files[2].write_bytes(b"")


def of_another_place(files: list[Path]) -> None:
    [entry] = stored_chunks(files[2])
    moved = msgspec.structs.replace(entry, first=160, stop=176)
    files[2].write_bytes(msgspec.msgpack.encode([moved]))


@pytest.mark.parametrize("damage", [flip, cut_short, empty, of_another_place])
def test_a_damaged_range_is_played_again(scenario, out, expected, half_done, damage):
    damage(half_done)
    said: list[str] = []
    results = simulate_to_file(out, scenario, BATTLES, resume=True, notice=said.append)
    assert results.resumed == 5 * 16
    assert any("1 chunks are damaged" in line for line in said)
    assert bytes_of(out.parent) == expected


def test_a_range_of_another_run_is_played_again(tmp_path, monkeypatch, scenario, out, expected, half_done):
    other = tmp_path / "other" / out.name
    other.parent.mkdir()
    kept_after(monkeypatch, other, scenario.with_seed("another"), 7)
    theirs = sorted(checkpoint_path(other).glob("*.ranges"))
    half_done[1].write_bytes(theirs[1].read_bytes())
    assert simulate_to_file(out, scenario, BATTLES, resume=True).resumed == 5 * 16
    assert bytes_of(out.parent) == expected


@pytest.mark.parametrize("n", [BATTLES + 1, 3 * BATTLES, BATTLES - 40, 64])
def test_a_run_may_be_continued_with_more_battles_or_fewer(tmp_path, scenario, out, half_done, n):
    folder = tmp_path / "other"
    folder.mkdir()
    simulate_to_file(folder / out.name, scenario, n)
    kept = len(half_done) * 16
    results = simulate_to_file(out, scenario, n, resume=True)
    assert results.resumed == min(kept, n - n % 16)
    assert bytes_of(out.parent) == bytes_of(folder)


def test_a_run_that_was_enlarged_and_ended_early_is_continued_with_any_number(
    monkeypatch, scenario, out, expected, half_done
):
    with monkeypatch.context() as context:
        killed_at(context, 9)
        with pytest.raises(Killed):
            simulate_to_file(out, scenario, 3 * BATTLES, resume=True)
    assert simulate_to_file(out, scenario, BATTLES, resume=True).resumed >= len(half_done) * 16
    assert bytes_of(out.parent) == expected


def test_what_is_kept_of_a_battle_is_a_few_bytes(monkeypatch, scenario, tmp_path):
    out = tmp_path / "battles.parquet"
    monkeypatch.setattr("fracas.lab.execution.chunk_size.SMALLEST_RANGE", 1024)
    with monkeypatch.context() as context:
        killed_at(context, 4)
        with pytest.raises(Killed):
            simulate_to_file(out, scenario, 4 * 1024)
    files = sorted(checkpoint_path(out).glob("*.ranges"))
    assert sum(file.stat().st_size for file in files) < 8 * 1024 * len(files)


def changed(**values):
    return loaded(duel(**values))


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"scenario": lambda: loaded(seed="another")}, "the seed differs"),
        ({"scenario": lambda: changed(options={"round_cap": 20})}, "the content of the scenario differs"),
        ({"scenario": lambda: changed(id="another")}, "the scenario differs"),
        ({"n": None, "precision": 5.0}, "the precision differs"),
    ],
    ids=["seed", "content", "id", "precision"],
)
def test_a_run_with_other_inputs_is_refused(scenario, out, half_done, changes, word):
    asked = {"scenario": lambda: scenario, "n": BATTLES} | changes
    before = bytes_of(checkpoint_path(out))
    [problem] = problems_of(
        simulate_to_file, out, asked["scenario"](), asked["n"], precision=asked.get("precision"), resume=True
    )
    assert problem.where == str(checkpoint_path(out))
    assert word in problem.message
    assert bytes_of(checkpoint_path(out)) == before


def test_a_run_without_luck_does_not_take_anothers_place(out, half_done):
    before = bytes_of(checkpoint_path(out))
    sure = loaded(relics_battle({"weapon": "boomstick"}))
    [problem] = problems_of(simulate_to_file, out, sure, BATTLES, resume=True)
    assert "the ruleset differs" in problem.message
    assert bytes_of(checkpoint_path(out)) == before


def test_without_resume_nothing_that_is_kept_is_lost(scenario, out, half_done):
    before = bytes_of(checkpoint_path(out))
    [problem] = problems_of(simulate_to_file, out, scenario, BATTLES)
    assert problem.message == "holds 6 finished chunks of an unfinished run"
    assert "add --resume to continue it" in (problem.suggestion or "")
    assert bytes_of(checkpoint_path(out)) == before


def test_without_anything_to_resume_a_run_begins(scenario, out, expected):
    said: list[str] = []
    simulate_to_file(out, scenario, BATTLES, resume=True, notice=said.append)
    assert any(line.startswith("nothing to resume") for line in said)
    assert bytes_of(out.parent) == expected


# Who may write there.


def test_two_runs_do_not_share_a_folder(monkeypatch, scenario, out, expected):
    with RunCheckpoint(out, resume=False) as held:
        before = sorted(entry.name for entry in held.path.iterdir())
        for resume in (False, True):
            [problem] = problems_of(simulate_to_file, out, scenario, BATTLES, resume=resume)
            assert problem.where == str(held.path)
            assert problem.message == f"is in use by process {os.getpid()} on {platform.node()}"
        assert sorted(entry.name for entry in held.path.iterdir()) == before
    simulate_to_file(out, scenario, BATTLES)
    assert bytes_of(out.parent) == expected


def test_what_a_killed_run_has_locked_is_open(scenario, out, expected, half_done):
    (checkpoint_path(out) / LOCK).write_text("1 elsewhere\n")
    assert simulate_to_file(out, scenario, BATTLES, resume=True).resumed == 6 * 16
    assert bytes_of(out.parent) == expected


@pytest.mark.parametrize("content", [{"notes.txt": "mine"}, {"run.json": "{}"}, {"run.json": "not json"}, None])
def test_a_folder_that_is_no_runs_is_left_alone(scenario, out, content):
    folder = checkpoint_path(out)
    if content is None:
        folder.write_text("a file")
    else:
        folder.mkdir()
        for name, text in content.items():
            (folder / name).write_text(text)
    for resume in (False, True):
        [problem] = problems_of(simulate_to_file, out, scenario, BATTLES, resume=resume)
        assert problem.message == "exists, but is not the folder of a run"
    assert [entry.name for entry in out.parent.iterdir()] == [folder.name]


def test_a_precision_stops_where_it_would_when_resumed(monkeypatch, scenario, out):
    whole = simulate_to_file(out, scenario, precision=4.0)
    before = bytes_of(out.parent)
    for file in out.parent.iterdir():
        file.unlink()
    with monkeypatch.context() as context:
        killed_at(context, 20)
        with pytest.raises(Killed):
            simulate_to_file(out, scenario, precision=4.0)
    results = simulate_to_file(out, scenario, precision=4.0, resume=True)
    assert 0 < results.resumed < results.battles == whole.battles
    assert bytes_of(out.parent) == before


# The summary.


def test_the_summary_has_every_input_and_version_and_no_time(scenario, out):
    results = simulate_to_file(out, scenario, BATTLES)
    assert results.tally is not None
    summary = json.loads(summary_of(out).read_text())
    counted = results.as_json()
    del counted["timing"]
    assert {key: summary[key] for key in counted} == json.loads(json.dumps(counted))
    assert {key: summary[key] for key in summary if key not in counted} == {
        "fracas": fracas.__version__,
        "asked": {"n": BATTLES, "precision": None},
        "plugins": {},
        "document": scenario.document,
        "sums": sums_json(results.tally),
    }


@pytest.mark.parametrize(
    ("out", "summary"),
    [("a.parquet", "a.summary.json"), ("a.json", "a.json"), ("A.JSON", "A.JSON"), ("a", "a.summary.json")],
)
def test_the_summary_stands_beside_the_table_and_never_on_a_scenario_of_that_name(out, summary):
    assert summary_of(Path("x") / out) == Path("x") / summary


# Ctrl-C, and what stood there before.


def interrupted(out: Path, scenario: fracas.Scenario, resume: bool = False) -> fracas.Results:
    """A run that is pressed upon after a few of its ranges."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return simulate_to_file(
            out, scenario, BATTLES, threads=1, progress=lambda *_: signal.raise_signal(signal.SIGINT), resume=resume
        )
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_interrupted_run_leaves_a_whole_older_result(scenario, out, expected):
    simulate_to_file(out, scenario, BATTLES)
    results = interrupted(out, scenario)
    assert (results.interrupted, results.left_older) == (True, True)
    assert {name: content for name, content in bytes_of(out.parent).items() if ".run" not in name} == expected
    again = simulate_to_file(out, scenario, BATTLES, resume=True)
    assert (again.left_older, again.resumed > 0) == (False, True)
    assert bytes_of(out.parent) == expected


def test_an_interrupted_run_takes_the_place_of_a_partial_one(scenario, out, expected):
    first = interrupted(out, scenario)
    assert (first.interrupted, first.left_older) == (True, False)
    assert json.loads(summary_of(out).read_text())["battles"] == first.battles
    second = interrupted(out, scenario, resume=True)
    assert (second.interrupted, second.left_older) == (True, False)
    assert json.loads(summary_of(out).read_text())["battles"] == second.battles
    simulate_to_file(out, scenario, BATTLES, resume=True)
    assert bytes_of(out.parent) == expected


def test_an_interrupted_run_leaves_what_is_no_result(scenario, out):
    out.write_text("my notes")
    assert interrupted(out, scenario).left_older
    assert out.read_text() == "my notes"
