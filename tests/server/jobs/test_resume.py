"""Jobs whose processes die: at every step, on the same machine and on another one, with the same result, paid once."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from tests.helpers import soak
from tests.helpers.accounts import signed_in
from tests.helpers.serving import Client, RunningServer
from tests.server.jobs.test_jobs import JOBS, ROOT, SQUADS, asked

from fracas.server.clock import SECOND
from fracas.server.database.tables import budget, job
from fracas.server.jobs import service, worker
from fracas.server.jobs.runner import JobRunner
from fracas.server.jobs.service import Leased, Report

# What these do with SQL is done on both databases by others.
DATABASES = soak.some(("sqlite", "postgresql"), 1)

BODY = {"scenario": SQUADS, "n": 600, "contributions": 0}
N = 600
# Some seconds' worth: chunks are written once a second.
MANY = 1_900_000


def of_job(server: RunningServer) -> Any:
    return server.read(lambda c: c.execute(job.select()).one())


def taken(server: RunningServer, node: str, machine: str) -> Leased | None:
    now = server.clock.now_ms()
    return server.write(lambda c: service.take(c, now, node, machine))


def answer_of(server: RunningServer, leased: Leased, folder: Path) -> dict[str, Any]:
    """What the job's process would answer, worked out here, without a drawing."""
    progress = worker.Progress(lambda line: None, lambda: None)
    told = {"kind": leased.kind, "document": leased.document, "folder": str(folder), "games": []}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(worker, "page_of", lambda found: None)
        answer = worker.answered(told, folder, progress) | progress.figures()
    progress.end()
    found: dict[str, Any] = json.loads(json.dumps(answer))
    return found


def used(server: RunningServer) -> tuple[int, int]:
    row = server.read(lambda c: c.execute(budget.select()).one())
    return row.battles, row.cpu_ms


@pytest.fixture
def ann(server: RunningServer) -> Client:
    return signed_in(server, "ann")


@pytest.mark.parametrize("boundary", ["asked", "taken", "renewed", "answered", "finished"])
def test_a_server_killed_between_any_two_transactions(
    server: RunningServer, ann: Client, boundary: str, tmp_path: Path
):
    """The first process does everything up to the boundary and is never heard of again."""
    folder = tmp_path / "job"
    folder.mkdir()
    found = asked(ann, "simulate", **BODY)
    first = None
    if boundary != "asked":
        first = taken(server, "first", "here")
        assert first is not None
        assert taken(server, "second", "here") is None
    if first is not None and boundary in ("renewed", "answered", "finished"):
        halfway, now = Report(500, "half", 300, 40), server.clock.now_ms()
        assert server.write(lambda c: service.renew(c, first, halfway, now))
    if first is not None and boundary in ("answered", "finished"):
        answer = answer_of(server, first, folder)
        if boundary == "finished":
            now = server.clock.now_ms()
            assert server.write(lambda c: service.finish(c, first, answer, now))
            assert not server.write(lambda c: service.finish(c, first, answer, now))
    server.clock.step(31 * SECOND)
    second = taken(server, "second", "here")
    if boundary == "finished":
        assert second is None
    else:
        assert second is not None
        if first is not None:
            now, late = server.clock.now_ms(), {"result": {"late": True}, "battles": 1, "cpu_ms": 1}
            # The first one comes back, and has lost its lease.
            assert not server.write(lambda c: service.renew(c, first, Report(900, "", 1, 1), now))
            assert not server.write(lambda c: service.finish(c, first, late, now))
        answer = answer_of(server, second, folder)
        now = server.clock.now_ms()
        assert server.write(lambda c: service.finish(c, second, answer, now))
    done = ann.get(found["links"]["self"]).json()
    assert (done["state"], done["restarts"], done["used"]["battles"]) == ("done", 0, N)
    assert ann.get(done["links"]["result"]).json()["battles"] == N
    assert used(server)[0] == N
    assert used(server)[1] == min(round(done["used"]["cpu_seconds"] * SECOND), of_job(server).price_cpu_ms)


def test_another_machine_begins_again_and_says_so(server: RunningServer, ann: Client):
    found = asked(ann, "simulate", **BODY)
    first, now = taken(server, "first", "here"), server.clock.now_ms()
    assert first is not None
    assert server.write(lambda c: service.renew(c, first, Report(500, "half", 300, 40), now))
    # One that stops in order leaves it to its own machine at once, and to others when the lease is over.
    server.write(lambda c: service.put_down(c, first))
    assert taken(server, "other", "there") is None
    own = taken(server, "again", "here")
    assert own is not None
    assert (own.used.cpu_ms, ann.get(found["links"]["self"]).json()["progress"]) == (40, 0.5)
    server.clock.step(31 * SECOND)
    assert taken(server, "other", "there") is not None
    seen = ann.get(found["links"]["self"]).json()
    assert (seen["state"], seen["restarts"], seen["progress"], seen["step"]) == ("running", 1, 0, None)


@pytest.mark.parametrize("state", ["waiting", "running", "put down", "done"])
def test_cancelling_at_each_state(server: RunningServer, ann: Client, state: str):
    found = asked(ann, "simulate", **BODY)
    answer, now, leased = {"result": {"command": "simulate"}, "battles": 9, "cpu_ms": 9}, server.clock.now_ms(), None
    if state != "waiting":
        leased = taken(server, "node", "here")
        assert leased is not None
        assert server.write(lambda c: service.renew(c, leased, Report(100, "", 60, 5), now))
    if leased is not None and state == "put down":
        server.write(lambda c: service.put_down(c, leased))
    if leased is not None and state == "done":
        assert server.write(lambda c: service.finish(c, leased, answer, now))
    for _ in range(2):
        assert ann.delete(found["links"]["self"]).status_code == 204
        row = of_job(server)
        assert row.state == ("done" if state == "done" else "cancelled")
        assert (row.slot, row.payer) == (None, None)
        assert used(server)[0] == row.battles == {"waiting": 0, "done": 9}.get(state, 60)
    if leased is not None:
        assert not server.write(lambda c: service.renew(c, leased, Report(200, "", 80, 9), now))
        assert not server.write(lambda c: service.finish(c, leased, answer, now))
    assert taken(server, "node", "here") is None


def test_a_job_whose_processes_always_die_ends(server: RunningServer, ann: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(service, "MOST_TAKES", 2)
    found = asked(ann, "simulate", **BODY)
    for _ in range(2):
        assert taken(server, "node", "here") is not None
        server.clock.step(31 * SECOND)
    assert taken(server, "node", "here") is None
    done = ann.get(found["links"]["self"]).json()
    assert (done["state"], "each time its process was stopped" in done["problem"]) == ("failed", True)
    assert used(server) == (0, 0)


def test_a_planted_fault_passes_the_budget(server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    """Without the reservation, the test of parallel requests would see two jobs: it can fail."""
    from fracas.server.resolver import budgets

    ann = signed_in(server, "ann")
    monkeypatch.setattr(budgets, "reserve", lambda *_: None)
    for n in (1_500_000, 1_400_000):
        asked(ann, "simulate", scenario=SQUADS, n=n, contributions=0)
    monkeypatch.undo()
    bob = signed_in(server, "bob")
    asked(bob, "simulate", scenario=SQUADS, n=1_500_000, contributions=0)
    answer = bob.post(f"{JOBS}/simulate", {"scenario": SQUADS, "n": 1_400_000, "contributions": 0})
    assert (answer.status_code, answer.json()["left"]["battles"]) == (429, 500_000)


def test_a_killed_process_goes_on_from_its_chunks(sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    """kill -9 on the process of a job, and on the server around it: a new one goes on on the same machine."""
    ann = signed_in(sqlite_server, "ann")
    found = asked(ann, "simulate", scenario=SQUADS, n=MANY, contributions=0)
    context, runner = sqlite_server.context, sqlite_server.context.parts["jobs"]

    async def until_chunks() -> None:
        task = asyncio.create_task(runner.work_once())
        chunks = runner.folders.path / found["id"] / worker.CHUNKS
        while not list(chunks.glob("*.ranges")):
            await asyncio.sleep(0.05)
            assert not task.done()
        # The server dies: nothing is put down, and its process loses the pipe that it writes to.
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    sqlite_server.wait(until_chunks())
    seen = ann.get(found["links"]["self"]).json()
    assert seen["state"] == "running"
    again, answers, finish = JobRunner(context, "another process"), list[dict[str, Any]](), service.finish

    def noted(connection: Connection, leased: Leased, answer: dict[str, Any] | None, now: int) -> bool:
        answers.append(answer or {})
        return finish(connection, leased, answer, now)

    monkeypatch.setattr(service, "finish", noted)
    assert again.machine == runner.machine
    assert sqlite_server.wait(again.work_once())
    done = ann.get(found["links"]["self"]).json()
    assert (done["state"], done["problem"], done["restarts"]) == ("done", None, 0)
    # Stored chunks were not played again, and all that were played were paid.
    assert 0 < answers[0]["battles"] < MANY
    assert done["used"]["battles"] == min(MANY, seen["used"]["battles"] + answers[0]["battles"])
    assert ann.get(done["links"]["result"]).json()["battles"] == MANY
    assert [each.name for each in runner.folders.path.iterdir()] == ["machine"]
    bob = signed_in(sqlite_server, "bob")
    killed = asked(bob, "simulate", scenario=SQUADS, n=1_000_000, contributions=0)

    async def with_dead_process() -> bool:
        task: asyncio.Task[bool] = asyncio.create_task(runner.work_once())
        while not (found := _children()):
            await asyncio.sleep(0.02)
        os.kill(found[0], signal.SIGKILL)
        return await task

    assert sqlite_server.wait(with_dead_process())
    failed = bob.get(killed["links"]["self"]).json()
    assert (failed["state"], "was stopped" in failed["problem"]) == ("failed", True)


def _children() -> list[int]:
    """The processes of jobs that this one has started."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((each / "stat").read_text().rpartition(")")[2].split()[1])
            is_job = b"fracas.server.jobs.worker" in (each / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == os.getpid() and is_job:
            found.append(int(each.name))
    return found


def test_the_machine_forgets_folders_of_ended_jobs(sqlite_server: RunningServer):
    ann = signed_in(sqlite_server, "ann")
    folders, now = sqlite_server.context.parts["jobs"].folders, sqlite_server.clock.now_ms()
    ended, waiting = (asked(ann, "simulate", scenario=SQUADS, n=n)["id"] for n in (3, 4))
    ann.delete(f"{ROOT}/jobs/{ended}")
    for each in (ended, waiting, "z" * 26):
        folders.of(each)
    sqlite_server.read(lambda c: folders.remove_old(c, now))
    assert {each.name for each in folders.path.iterdir()} == {waiting, "z" * 26, "machine"}
