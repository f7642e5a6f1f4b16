"""Whoever is killed, and whenever: the run is continued, and its files are those of one thread, byte for byte."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import psutil
import pytest
from tests.helpers.commands import BAD_INPUT, DONE, INTERRUPTED
from tests.helpers.runs import PATIENCE, PLAIN, bytes_of, running, until
from tests.helpers.scenarios import duel

import fracas

BATTLES = 100_000
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


def test_workers_that_are_killed_are_replaced_and_their_ranges_played_again(scenario, expected, tmp_path):
    with running(*simulation(scenario, tmp_path, "--workers", 2)) as client:
        client.wait_for("kept", times=3)
        for worker in client.workers():
            worker.kill()
        client.wait_for("another one takes its place", times=2)
        status, _, said = client.end()
    assert status == DONE, said
    assert bytes_of(tmp_path) == expected


@pytest.mark.parametrize("who", [["--threads", 2], ["--workers", 2]], ids=["threads", "workers"])
def test_a_client_that_is_killed_leaves_what_is_finished_and_no_worker(scenario, expected, tmp_path, who):
    with running(*simulation(scenario, tmp_path, *who)) as client:
        client.wait_for("kept", times=5)
        workers = client.workers()
        client.kill()
    psutil.wait_procs(workers, timeout=PATIENCE)
    assert not any(worker.is_running() for worker in workers)
    assert [entry.name for entry in tmp_path.iterdir()] == ["battles.parquet.run"]
    results = fracas.simulate(scenario, BATTLES, out=tmp_path / "battles.parquet", resume=True)
    assert results.resumed > 0
    assert bytes_of(tmp_path) == expected
    assert [entry.name for entry in sorted(tmp_path.iterdir())] == NAMES


@pytest.mark.parametrize("who", [["--threads", 2], ["--workers", 2]], ids=["threads", "workers"])
def test_ctrl_c_writes_the_longest_prefix_and_resume_the_rest(scenario, expected, tmp_path, who):
    with running(*simulation(scenario, tmp_path, *who, "--format", "json")) as client:
        client.wait_for("kept", times=4)
        client.interrupt()
        status, out, said = client.end()
    assert status == INTERRUPTED, said
    assert "--resume continues" in said
    document = json.loads(out)
    assert document["interrupted"] is True
    assert 0 < document["battles"] < BATTLES
    again = fracas.simulate(scenario, document["battles"]).as_json()
    assert document | {"timing": 0, "interrupted": False} == again | {"timing": 0}
    # Whoever began it, others can end it.
    others = ["--workers", 1] if "--threads" in who else ["--threads", 2]
    with running(*simulation(scenario, tmp_path, *others, "--resume")) as client:
        status, _, said = client.end()
    assert status == DONE, said
    assert "resumes:" in said
    assert bytes_of(tmp_path) == expected


def test_two_workers_that_somebody_else_started_and_one_that_is_killed(scenario, expected, tmp_path):
    with running("scheduler", "--port", 0, program=PLAIN) as scheduler:
        address = scheduler.wait_for("scheduler at").split()[2].rstrip(";")
        with (
            running("worker", address, "--threads", 1, program=PLAIN) as first,
            running("worker", address, "--threads", 1, program=PLAIN) as second,
        ):
            for worker in (first, second):
                worker.wait_for("worker at")
            with running(*simulation(scenario, tmp_path, "--scheduler", address)) as client:
                client.wait_for("kept", times=3)
                first.kill()
                status, _, said = client.end()
            assert status == DONE, said
            assert bytes_of(tmp_path) == expected
            assert psutil.pid_exists(second.pid)
            scheduler.interrupt()
            assert second.end()[0] == DONE


def test_a_scheduler_that_is_killed_ends_the_run_and_resume_goes_on_without_it(scenario, expected, tmp_path):
    with running("scheduler", "--port", 0, program=PLAIN) as scheduler:
        address = scheduler.wait_for("scheduler at").split()[2].rstrip(";")
        with (
            running("worker", address, "--threads", 1, program=PLAIN) as worker,
            running(*simulation(scenario, tmp_path, "--scheduler", address)) as client,
        ):
            worker.wait_for("worker at")
            client.wait_for("kept", times=3)
            os.kill(scheduler.pid, signal.SIGKILL)
            status, _, said = client.end()
            assert status == BAD_INPUT, said
            assert "the scheduler is gone" in said
            assert "Traceback" not in said
    fracas.simulate(scenario, BATTLES, out=tmp_path / "battles.parquet", resume=True)
    assert bytes_of(tmp_path) == expected


def test_nobody_is_left_waiting_when_ctrl_c_comes_before_a_worker(scenario, tmp_path):
    with running("scheduler", "--port", 0, program=PLAIN) as scheduler:
        address = scheduler.wait_for("scheduler at").split()[2].rstrip(";")
        with running(*simulation(scenario, tmp_path, "--scheduler", address, "--format", "json")) as client:
            client.wait_for("waiting for workers")
            client.interrupt()
            status, out, said = client.end()
    assert status == INTERRUPTED, said
    assert json.loads(out)["battles"] == 0
    until(lambda: not (tmp_path / "battles.parquet.run").exists())
