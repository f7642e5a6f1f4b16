"""Whoever is killed, and whenever: the run is continued, and its files are those of one thread, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.helpers import soak
from tests.helpers.commands import BAD_INPUT, DONE, INTERRUPTED
from tests.helpers.runs import PATIENCE, PLAIN, Program, bytes_of, running
from tests.helpers.scenarios import duel

import fracas

BATTLES = 100_000
THREADS, WORKERS = EVERYBODY = (("--threads", "2"), ("--workers", "1"))
NAMES = ["battles.parquet", "battles.summary.json"]


@pytest.fixture(scope="module")
def scenario(tmp_path_factory):
    path = tmp_path_factory.mktemp("scenario") / "duel.json"
    path.write_text(json.dumps(duel()))
    return path


@pytest.fixture(scope="module")
def expected(tmp_path_factory, scenario):
    """The files of one thread that nobody disturbed."""
    folder = tmp_path_factory.mktemp("expected")
    fracas.simulate(scenario, BATTLES, threads=1, out=folder / "battles.parquet")
    found = bytes_of(folder)
    assert list(found) == NAMES
    return found


def simulation(scenario: Path, folder: Path, *options: object) -> list[object]:
    return ["simulate", scenario, "-n", BATTLES, "--contributions", 0, "--out", folder / "battles.parquet", *options]


def finished(scenario: Path, folder: Path, **who: Any) -> dict[str, bytes]:
    """The files, once the rest is played too."""
    results = fracas.simulate(scenario, BATTLES, out=folder / "battles.parquet", resume=True, **who)
    assert 0 < results.resumed < BATTLES
    assert [entry.name for entry in sorted(folder.iterdir())] == NAMES
    return bytes_of(folder)


@soak.only
def test_a_worker_that_is_killed_is_replaced_and_its_range_played_again(scenario, expected, tmp_path):
    with running(*simulation(scenario, tmp_path, "--workers", 1)) as client:
        client.wait_for("five are kept")
        [worker] = client.workers()
        worker.kill()
        client.go_on()
        client.wait_for("starting another one")
        status, _, said = client.end()
    assert status == DONE, said
    assert bytes_of(tmp_path) == expected


@pytest.mark.parametrize("who", EVERYBODY if soak.is_on() else [WORKERS], ids="-".join)
def test_a_client_that_is_killed_leaves_what_is_finished_and_no_worker(scenario, expected, tmp_path, who):
    with running(*simulation(scenario, tmp_path, *who)) as client:
        client.wait_for("five are kept")
        workers = client.workers()
        client.kill()
    assert len(workers) == ("--workers" in who)
    psutil.wait_procs(workers, timeout=PATIENCE)
    assert not any(worker.is_running() for worker in workers)
    assert [entry.name for entry in tmp_path.iterdir()] == ["battles.parquet.run"]
    assert finished(scenario, tmp_path, threads=2) == expected


# In the check, tests/cli/measure/test_simulate.py presses Ctrl-C, and the test above continues what another one kept.
@soak.only
@pytest.mark.parametrize("who", EVERYBODY, ids="-".join)
def test_ctrl_c_writes_the_longest_prefix_and_others_can_end_it(scenario, expected, tmp_path, who):
    with running(*simulation(scenario, tmp_path, *who, "--format", "json")) as client:
        client.wait_for("five are kept")
        client.interrupt()
        status, out, said = client.end()
    assert status == INTERRUPTED, said
    assert "add --resume to continue" in said
    document = json.loads(out)
    assert document["interrupted"] is True
    assert 0 < document["battles"] < BATTLES
    again = fracas.simulate(scenario, document["battles"]).as_json()
    assert document | {"timing": 0, "interrupted": False} == again | {"timing": 0}
    others = {"workers": 1} if "--threads" in who else {"threads": 2}
    assert finished(scenario, tmp_path, **others) == expected


def ctrl_c_before_there_is_a_worker(scenario: Path, folder: Path, address: str) -> None:
    with running(*simulation(scenario, folder, "--scheduler", address, "--format", "json")) as client:
        client.wait_for("waiting for workers")
        client.interrupt()
        status, out, said = client.end()
    assert status == INTERRUPTED, said
    assert json.loads(out)["battles"] == 0
    assert not (folder / "battles.parquet.run").exists()


def one_of_two_workers_is_killed(scenario: Path, folder: Path, address: str, worker: Program) -> dict[str, bytes]:
    with running(*simulation(scenario, folder, "--scheduler", address)) as client:
        client.wait_for("five are kept")
        worker.kill()
        status, _, said = client.end()
    assert status == DONE, said
    return bytes_of(folder)


def the_scheduler_is_killed(scenario: Path, folder: Path, address: str, scheduler: Program) -> None:
    with running(*simulation(scenario, folder, "--scheduler", address)) as client:
        client.wait_for("five are kept")
        scheduler.kill()
        status, _, said = client.end()
    assert status == BAD_INPUT, said
    assert f"{address}: the scheduler is gone" in said
    assert "Traceback" not in said


@soak.only
def test_a_scheduler_and_two_workers_that_somebody_else_started(scenario, expected, tmp_path):
    folders = [tmp_path / name for name in ("nobody", "one", "none")]
    for folder in folders:
        folder.mkdir()
    with running("machine", "scheduler", "--port", 0, program=PLAIN) as scheduler:
        address = scheduler.wait_for("scheduler at").split()[2].rstrip(";")
        ctrl_c_before_there_is_a_worker(scenario, folders[0], address)
        starting = ["machine", "worker", address, "--threads", 1]
        with running(*starting, program=PLAIN) as first, running(*starting, program=PLAIN) as second:
            for worker in (first, second):
                worker.wait_for("worker at")
            assert one_of_two_workers_is_killed(scenario, folders[1], address, first) == expected
            the_scheduler_is_killed(scenario, folders[2], address, scheduler)
            assert second.end()[0] == DONE
    assert finished(scenario, folders[2], threads=2) == expected


# Studies.


@pytest.fixture
def swept(fracas_cli, scenario):
    """What a sweep prints that nobody disturbed."""
    ended = fracas_cli(*sweeping(scenario, "--threads", 2))
    assert ended.status == DONE, ended.err
    return ended.out


def sweeping(scenario: Path, *options: object) -> list[object]:
    return ["lab", "sweep", scenario, "sides.0.units.0.attack=40,41", "-n", 20_000, "--format", "json", *options]


# A study ends as a simulation does, above, and what it keeps is what tests/lab/store/test_study_checkpoint.py
# continues in this process; so a soak is soon enough for doing it with real ones.
ENDS = {"workers-kill": (WORKERS, THREADS, True), "threads-ctrl-c": (THREADS, WORKERS, False)}


@soak.only
@pytest.mark.parametrize(("who", "others", "is_killed"), ENDS.values(), ids=ENDS)
def test_a_study_that_is_ended_early_goes_on_with_others(fracas_cli, scenario, swept, tmp_path, who, others, is_killed):
    folder = tmp_path / "kept"
    with running(*sweeping(scenario, *who, "--resume", folder)) as client:
        client.wait_for("five are kept")
        if is_killed:
            client.kill()
        else:
            client.interrupt()
            status, _, said = client.end()
            assert status == INTERRUPTED, said
            assert f"finished chunks are in {folder}; add --resume {folder} to continue" in said
    assert len(list(folder.glob("*.ranges"))) >= 5
    ended = fracas_cli(*sweeping(scenario, *others, "--resume", folder))
    assert ended.status == DONE, ended.err
    assert f"battles from {folder}" in ended.err
    assert ended.out == swept
    assert list(tmp_path.iterdir()) == []
