"""Classes: from a code to a table, without mail, ratings or anything public."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from sqlalchemy import Connection
from tests.helpers.serving import Client, RunningServer
from tests.server.arena.test_routes import OTHER, ROOT, TEAM, settings, signed_up  # noqa: F401

from fracas.server.clock import DAY, SECOND
from fracas.server.database.tables import entry, job, pupil, school_class


def made_class(server: RunningServer) -> tuple[Client, dict[str, Any]]:
    teacher = signed_up(server, "teacher")
    answer = teacher.post(f"{ROOT}/classes", {"title": "Year 9", "league": "open"})
    assert answer.status_code == 201, answer.text
    return teacher, answer.json()


def guest(server: RunningServer, code: str) -> tuple[Client, str]:
    answer = server.client().post(f"{ROOT}/classes/join", {"code": code})
    assert answer.status_code == 201, answer.text
    return server.client(answer.json()["token"]), answer.json()["handle"]


def full_class(server: RunningServer) -> tuple[Client, dict[str, Any], list[Client]]:
    """A class with two guests and their entries."""
    teacher, found = made_class(server)
    pupils = []
    for document in (TEAM, OTHER):
        client, _ = guest(server, found["code"])
        answer = client.post(f"{found['links']['self']}/entries", {"title": "Mine", "document": document})
        assert answer.status_code == 201, answer.text
        pupils.append(client)
    return teacher, found, pupils


def test_pupils_join_by_a_code_that_expires(server: RunningServer):
    teacher, found = made_class(server)
    client, handle = guest(server, found["code"].upper())
    mine = client.get(found["links"]["self"]).json()
    assert "code" not in mine
    assert [each["handle"] for each in mine["pupils"]] == [handle]
    assert server.client().get(found["links"]["self"]).status_code == 401
    assert signed_up(server, "other").get(found["links"]["self"]).status_code == 404
    server.clock.step(15 * DAY)
    assert server.client().post(f"{ROOT}/classes/join", {"code": found["code"]}).status_code == 404
    renewed = teacher.post(f"{found['links']['self']}/code").json()
    guest(server, renewed["code"])


def test_a_table_is_one_request_and_its_result_is_kept(sqlite_server: RunningServer):
    teacher, found, pupils = full_class(sqlite_server)
    assert pupils[0].post(found["links"]["tables"], {"battles": 20}).status_code == 404
    assert teacher.post(found["links"]["tables"], {"battles": 21}).status_code == 422
    assert teacher.post(found["links"]["tables"], {"battles": 2_000_002}).status_code == 422
    answer = teacher.post(found["links"]["tables"], {"battles": 20})
    assert answer.status_code == 202, answer.text
    assert sqlite_server.wait(sqlite_server.context.parts["jobs"].work_once())
    done = teacher.get(answer.json()["links"]["self"]).json()
    assert (done["state"], done["progress"], done["problem"]) == ("done", 1.0, None)
    table = pupils[1].get(done["links"]["result"]).json()
    assert (table["command"], table["battles"], len(table["entrants"])) == ("matchups", 20, 2)
    low, high = table["cells"][0]["interval95"]
    assert 0 <= low <= table["shares"][0][1] <= high <= 1
    members = pupils[0].get(found["links"]["self"]).json()["entries"]
    for each in members:
        version = f"{each['links']['self']}/versions/1"
        assert pupils[0].get(version).json()["document"] in (TEAM, OTHER)
        assert sqlite_server.client().get(version).status_code == 404
    assert sqlite_server.client().get(f"{ROOT}/matches").json()["items"] == []


def test_an_entry_of_a_class_stays_in_its_class(sqlite_server: RunningServer):
    _, found, pupils = full_class(sqlite_server)
    own = pupils[0].get(f"{ROOT}/entries").json()["items"][0]
    assert pupils[0].post(f"{ROOT}/tickets", {"entry": own["id"]}).status_code == 409
    again = pupils[0].post(f"{found['links']['self']}/entries", {"title": "Better", "document": OTHER}).json()
    assert (again["entry"], again["version"]) == (own["id"], 2)
    other = pupils[1].get(f"{ROOT}/entries/{own['id']}/versions/2").json()
    assert other["document"] is None


def test_a_deleted_class_takes_everything_along(server: RunningServer):
    teacher, found, pupils = full_class(server)
    teacher.post(found["links"]["tables"], {"battles": 2})
    assert pupils[0].delete(found["links"]["self"]).status_code == 404
    assert teacher.delete(found["links"]["self"]).status_code == 204
    of_class = entry.select().where(entry.c["class"].is_not(None))

    def left(connection: Connection) -> list[Any]:
        queries = (school_class.select(), pupil.select(), job.select(), of_class)
        return [row for query in queries for row in connection.execute(query)]

    assert server.read(left) == []
    # A token that was shown a moment ago may still be known.
    server.clock.step(6 * SECOND)
    assert pupils[0].get(f"{ROOT}/entries").status_code == 401


def test_a_job_over_its_limit_is_killed_and_told(sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    teacher, found, _ = full_class(sqlite_server)
    asked = teacher.post(found["links"]["tables"], {"battles": 2}).json()
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert sqlite_server.wait(sqlite_server.context.parts["jobs"].work_once())
    done = teacher.get(asked["links"]["self"]).json()
    assert (done["state"], "was stopped" in done["problem"]) == ("failed", True)


def test_the_worker_bounds_its_memory_and_time():
    code = (
        "import resource; from fracas.server.jobs.worker import limit_self; limit_self(10);"
        "print(resource.getrlimit(resource.RLIMIT_CPU)[0], resource.getrlimit(resource.RLIMIT_DATA)[0])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["132", str(1_500 * 1024 * 1024)]
