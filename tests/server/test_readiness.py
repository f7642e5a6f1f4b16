"""/readyz and /metrics: whether the database is written, and what of the server's work waits."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]
from sqlalchemy import select, update
from tests.helpers.arena import Playground
from tests.helpers.serving import RunningServer

from fracas.server.arena.domain import PARKED
from fracas.server.clock import DAY, SECOND, SteppingClock
from fracas.server.database import pulse
from fracas.server.database.engine import Database
from fracas.server.database.figures import figures, size_of
from fracas.server.database.tables import node, ticket
from fracas.server.settings import Settings

API = "/api/v1"
HERE = "127.0.0.1"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question is a write."""
    monkeypatch.setattr(pulse, "EVERY_SECONDS", 0.0)


def metric(server: RunningServer, name: str) -> float:
    for line in server.client(address=HERE).get("/metrics").text.splitlines():
        if line.startswith(f"{name} "):
            return float(line.split()[1])
    raise AssertionError(name)


@contextmanager
def full_disk(database: Database) -> Iterator[None]:
    """No file of this process can grow, as on a full disk."""
    assert database.file is not None
    with database.writing.connect() as connection:
        connection.exec_driver_sql("ROLLBACK")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_server_that_cannot_write_is_not_ready(settings: Settings, sqlite: Database, clock: SteppingClock):
    with RunningServer(settings, sqlite, clock) as server:
        assert server.client().get("/readyz").json()["status"] == "ready"
        failed = metric(server, "fracas_failed_commits")
        wrote = metric(server, "fracas_last_write_timestamp_seconds")
        assert wrote == clock.now_ms() / 1000
        clock.step(60 * SECOND)
        with full_disk(sqlite):
            answer = server.client().get("/readyz")
            assert answer.status_code == 503
            assert answer.json()["reason"] == "the database cannot be written (OperationalError)"
            assert server.client().get("/healthz").status_code == 200
            assert metric(server, "fracas_last_write_timestamp_seconds") == wrote
        assert metric(server, "fracas_failed_commits") > failed
        assert server.client().get("/readyz").status_code == 200
        assert metric(server, "fracas_last_write_timestamp_seconds") == wrote + 60


def test_a_write_that_never_ends_is_not_ready(sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pulse, "LONGEST_SECONDS", 0.05)
    sqlite_server.context.writer.submit(lambda connection: time.sleep(0.5))
    answer = sqlite_server.client().get("/readyz")
    assert (answer.status_code, "nothing could be written" in answer.json()["reason"]) == (503, True)


def test_many_questions_are_one_write(sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    assert sqlite_server.client().get("/readyz").status_code == 200
    monkeypatch.setattr(pulse, "EVERY_SECONDS", 60.0)
    commits = sqlite_server.context.writer.commits
    for _ in range(20):
        assert sqlite_server.client().get("/readyz").status_code == 200
    assert sqlite_server.context.writer.commits == commits


def test_a_process_has_one_row_and_the_dead_are_forgotten(server: RunningServer):
    server.write(lambda connection: connection.execute(node.insert().values(id="dead", alive_at=0, epoch=0)))
    for _ in range(3):
        assert server.client().get("/readyz").status_code == 200
    (row,) = server.read(lambda connection: connection.execute(select(node)).all())
    assert row.alive_at == server.clock.now_ms()


def test_figures_of_queues_and_days(database: Database, clock: SteppingClock):
    """Who waits, for how long, who is parked, and which days are late."""
    playground = Playground(database, clock)

    def now(figure: str) -> float:
        with playground.read() as connection:
            return figures(connection, playground.now)[figure]["squads"]

    assert [now(each) for each in ("queue_length", "queue_age_seconds", "parked_tickets", "undelivered_days")] == [
        0
    ] * 4
    (ann, first), (bob, second), (cid, third) = playground.players(3)
    playground.queue(ann, first)
    playground.clock.step(30 * SECOND)
    playground.queue(bob, second, kind="standing")
    assert (now("queue_length"), now("queue_age_seconds")) == (2, 30.0)
    assert len(playground.match_up()) == 1
    # The standing one is not due again.
    assert (now("queue_length"), now("queue_age_seconds")) == (0, 0)
    waiting = playground.queue(cid, third)
    with playground.write() as connection:
        connection.execute(update(ticket).where(ticket.c.id == waiting).values(state=PARKED))
    assert (now("queue_length"), now("parked_tickets")) == (0, 1)
    playground.clock.step(2 * DAY)
    assert now("undelivered_days") == 2
    with playground.read() as connection:
        assert size_of(connection) > 100_000


def test_failed_sign_ins_are_counted(sqlite_server: RunningServer):
    client = sqlite_server.client()
    assert client.post(f"{API}/sessions", {"handle": "nobody", "password": "x" * 12}).status_code == 401
    assert metric(sqlite_server, "fracas_failed_sign_ins_total") == 1


def test_alerts_are_about_metrics_that_exist(sqlite_server: RunningServer):
    """Of a rule that names no metric nobody would ever hear."""
    import re

    sqlite_server.client().get("/readyz")
    text = sqlite_server.client(address=HERE).get("/metrics").text
    known = set(re.findall(r"^# TYPE (\w+)", text, re.MULTILINE))
    known |= {f"{name}_bucket" for name in known}
    rules = yaml.safe_load((Path(__file__).parents[2] / "deploy" / "alerts.yml").read_text())
    (group,) = rules["groups"]
    assert len(group["rules"]) >= 8
    named = {each for rule in group["rules"] for each in re.findall(r"\bfracas_\w+", rule["expr"])}
    assert named <= known, named - known
    wanted = ("queue_age_seconds", "parked_tickets", "failed_commits", "undelivered_days", "failed_sign_ins_total")
    assert {f"fracas_{each}" for each in (*wanted, "last_write_timestamp_seconds", "database_bytes")} <= named
    assert all({"alert", "expr", "annotations"} <= set(rule) for rule in group["rules"])
