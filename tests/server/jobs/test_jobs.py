"""Jobs: asked, priced, played by a process of their own, followed, kept, shared and cancelled."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.accounts import signed_in
from tests.helpers.serving import Client, OpenStream, RunningServer

import fracas
from fracas.files.read import read_document
from fracas.server.clock import DAY, SteppingClock
from fracas.server.database import documents
from fracas.server.database.engine import Database
from fracas.server.database.tables import document, job
from fracas.server.http.problems import ApiProblem
from fracas.server.jobs import service, worker
from fracas.server.resolver.service import measured_battles
from fracas.server.settings import Settings

ROOT = "/api/v1"
JOBS = f"{ROOT}/jobs"
GAMES = Path(__file__).parents[3] / "examples" / "games"
SQUADS: dict[str, Any] = {
    "id": "pair",
    "ruleset": "squads",
    "sides": [{"units": ["scout", "bronze_knight"]}, {"units": ["bronze_knight", "scout"]}],
}
OTHER = {**SQUADS, "id": "other", "sides": [{"units": ["scout", "scout"]}, {"units": ["bronze_knight", "scout"]}]}
PAGE = "<!doctype html>"
RANGE = "options.round_cap=20:30:10"


def asked(client: Client, kind: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"{JOBS}/{kind}", body)
    assert answer.status_code == 202, answer.text
    found: dict[str, Any] = answer.json()
    assert answer.headers["location"] == found["links"]["self"]
    return found


def work(server: RunningServer) -> None:
    """Work on a job as the server does: in a process of its own."""
    assert server.wait(server.context.parts["jobs"].work_once())


def work_here(server: RunningServer) -> None:
    """Work on a job as its process does, in this one, which has imported everything."""
    runner, now = server.context.parts["jobs"], server.clock.now_ms()
    leased = server.write(lambda c: service.take(c, now, runner.node, runner.machine))
    assert leased is not None
    progress = worker.Progress(lambda line: None, lambda: None)
    told = runner._told(leased)
    answer = worker.answered(told, Path(told["folder"]), progress) | progress.figures()
    progress.end()
    assert server.write(lambda c: service.finish(c, leased, json.loads(json.dumps(answer)), now))


def without_timing(document: Any) -> Any:
    return {key: value for key, value in json.loads(json.dumps(document)).items() if key != "timing"}


def by_the_library() -> dict[str, tuple[dict[str, Any], Any]]:
    """Each study: what is asked of the server, and what the library makes of the same."""
    scenario = fracas.load(SQUADS)
    small = fracas.SearchSettings(4, (20.0,), (), 2_000, 50)
    search = {"trials": 4, "stages": [20.0], "budget": 2_000, "pairs": 50}
    return {
        "simulate": ({"n": 40, "timeline": 3}, lambda: fracas.simulate(scenario, 40, contributions=None, timeline=3)),
        "compare": ({"other": OTHER, "n": 40, "all": True}, lambda: fracas.compare(scenario, OTHER, 40, stop=False)),
        "odds": ({"n": 40}, lambda: fracas.odds(scenario, 40)),
        "sweep": ({"ranges": [RANGE], "n": 20}, lambda: fracas.sweep(scenario, [RANGE], 20)),
        "sensitivity": ({"n": 10, "step": 5}, lambda: fracas.sensitivity(scenario, 10, step=5)),
        "optimise": (search, lambda: fracas.optimise(scenario, settings=small)),
        "why": ({"n": 32, "stream": 1}, lambda: fracas.why(scenario, 32, stream=1)),
    }


def test_each_study_is_what_the_library_makes(sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    # Drawing takes longer than everything else; one page is drawn, by a process.
    monkeypatch.setattr(worker, "page_of", lambda _: PAGE)
    client = signed_in(sqlite_server, "ann")
    before = client.get(f"{ROOT}/budget").json()["used"]
    assert before == {"battles": 0, "cpu_seconds": 0.0}
    for kind, (body, expected) in by_the_library().items():
        play = work if kind == "simulate" else work_here
        found = asked(client, kind, scenario=SQUADS, **body)
        assert (found["state"], found["progress"], found["title"][:4]) == ("waiting", 0, "pair")
        assert found["price"]["battles"] > 0
        play(sqlite_server)
        done = client.get(found["links"]["self"]).json()
        assert (done["state"], done["problem"], done["progress"]) == ("done", None, 1.0), kind
        assert client.get(done["links"]["result"]).json() == without_timing(expected().as_json()), kind
        page = client.get(done["links"]["report"])
        assert (page.status_code, page.text[:15]) == (200, PAGE), kind
        used = client.get(f"{ROOT}/budget").json()["used"]
        assert 0 < done["used"]["battles"] <= found["price"]["battles"], kind
        assert used["battles"] == before["battles"] + done["used"]["battles"], kind
        before = used
    entrants = [{"scenario": SQUADS}, {"scenario": SQUADS, "side": 2}]
    table = asked(client, "matchups", entrants=entrants, n=10)
    work_here(sqlite_server)
    table = client.get(table["links"]["self"]).json()
    result = client.get(table["links"]["result"]).json()
    expected = fracas.matchups([(SQUADS, 1), (SQUADS, 2)], 10).as_json()
    assert result == without_timing(expected)
    report = asked(client, "report", sources=[result, SQUADS], n=40, battles=False)
    work_here(sqlite_server)
    done = client.get(report["links"]["self"]).json()
    assert (done["state"], done["problem"]) == ("done", None)
    document = fracas.report([fracas.load(SQUADS)], n=40, battles=False).as_json()
    sections = client.get(done["links"]["result"]).json()["sections"]
    assert [each for each in sections if each["command"] != "matchups"] == without_timing(document)["sections"]
    assert len(sections) == len(document["sections"]) + 1
    kinds = [each["kind"] for each in client.get(JOBS).json()["items"]]
    assert kinds == ["report", "matchups", *reversed(by_the_library())]
    assert len(client.get(f"{ROOT}/account/export").json()["jobs"]) == len(kinds)


def test_an_equal_job_is_shared_at_no_price_within_one_account(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(worker, "page_of", lambda _: PAGE)
    ann, bob = (signed_in(sqlite_server, name) for name in ("ann", "bob"))
    body = {"scenario": SQUADS, "n": 10, "contributions": 0}
    first = asked(ann, "simulate", **body)
    again = asked(ann, "simulate", **body | {"start": 0})
    assert (again["id"], again["price"]) == (first["id"], {"battles": 0, "cpu_seconds": 0})
    work_here(sqlite_server)
    kept = asked(ann, "simulate", **body)
    assert (kept["id"], kept["state"], kept["price"]["battles"]) == (first["id"], "done", 0)
    assert kept["kept_until"] == "2026-12-23T00:00:00.000Z"
    assert ann.get(f"{ROOT}/budget").json()["used"]["battles"] == 10
    assert asked(bob, "simulate", **body)["id"] != first["id"]
    assert asked(ann, "simulate", **body | {"n": 11})["id"] != first["id"]
    nobody = sqlite_server.client()
    assert asked(nobody, "simulate", **body)["id"] != first["id"]
    sqlite_server.clock.step(30 * DAY)
    # The one that is done; the others have not ended.
    assert sqlite_server.write(lambda c: service.forget_old(c, sqlite_server.clock.now_ms())) == 1
    left = sqlite_server.read(lambda c: c.execute(job.select()).all())
    assert first["id"] not in {row.id for row in left}


def test_everything_wrong_is_told_at_once_and_costs_nothing(sqlite_server: RunningServer):
    client = signed_in(sqlite_server, "ann")
    wrong = [
        ("simulate", {"scenario": {**SQUADS, "sides": 3}, "n": 0, "timeline": -1}, {"scenario: sides", "n"}),
        ("compare", {"scenario": SQUADS, "side": 3, "delta": 7}, {"side", "delta"}),
        ("compare", {"scenario": SQUADS}, {"other"}),
        ("odds", {"scenario": SQUADS, "budget": 0, "n": -1}, {"budget", "n"}),
        ("sweep", {"scenario": SQUADS, "ranges": ["nothing", "sides.0.units.0.attack=1:2:0"]}, {"nothing"}),
        ("sensitivity", {"scenario": SQUADS, "side": 0, "step": 0}, {"side", "step"}),
        ("matchups", {"entrants": [{"scenario": {**SQUADS, "sides": 3}}, {"scenario": SQUADS}], "n": 3}, {"n"}),
        ("optimise", {"scenario": SQUADS, "side": 5, "trials": 0}, {"side", "trials"}),
        ("why", {"scenario": SQUADS, "n": 1, "stream": -1}, {"n", "stream"}),
        ("report", {"sources": [{"command": "x"}, {**SQUADS, "sides": 3}], "side": 9}, {"side"}),
    ]
    for kind, body, places in wrong:
        answer = client.post(f"{JOBS}/{kind}", body)
        assert answer.status_code == 422, (kind, answer.text)
        found = {each["where"] for each in answer.json()["problems"]}
        assert places <= found, (kind, answer.json()["problems"])
    assert client.get(f"{ROOT}/budget").json()["used"]["battles"] == 0
    assert client.get(JOBS).json()["items"] == []
    # A seed is no scenario, and a key is no option.
    assert client.post(f"{JOBS}/simulate", {"scenario": SQUADS, "threads": 9}).status_code == 422


def test_what_is_over_the_budget_is_refused_with_its_price(sqlite_server: RunningServer):
    nobody = sqlite_server.client()
    answer = nobody.post(f"{JOBS}/compare", {"scenario": SQUADS, "other": OTHER})
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/over-budget")
    assert answer.json()["price"]["battles"] == 200_000
    assert answer.json()["limit"]["battles"] == 50_000
    body = {"scenario": SQUADS, "n": 20_000, "contributions": 0}
    asked(nobody, "simulate", **body)
    second = nobody.post(f"{JOBS}/simulate", body)
    assert (second.status_code, second.json()["price"]["battles"]) == (429, 20_000)
    assert nobody.get(f"{ROOT}/budget").json()["used"]["battles"] == 20_000
    ann = signed_in(sqlite_server, "ann")
    for n in (11, 12):
        asked(ann, "simulate", **body | {"n": n})
    assert ann.post(f"{JOBS}/simulate", body).status_code == 429


def test_parallel_requests_pass_neither_the_budget_nor_the_slots(server: RunningServer):
    """Eight processes at once, as threads with connections of their own."""
    from fracas.server.database.writer import Writer
    from fracas.server.http.authorisation import Principal, Role
    from fracas.server.resolver.budgets import Allowance, Price

    account = signed_in(server, "ann").account
    caller = Principal(account, "ann", Role.PLAYER, frozenset({"play"}), None, "")
    allowance = Allowance(100, 1_000, "2026-11-23", 0)

    def at_once(*numbers: int) -> list[Any]:
        done: list[Any] = []

        def one(number: int) -> None:
            writer = Writer(server.database)
            order = service.Asked("simulate", "x", {"n": number}, Price(60, 10))
            try:
                done.append(writer.run_now(lambda c: service.ask(c, caller, allowance, order, 0)))
            except Exception as error:
                done.append(error)
            writer.stop()

        threads = [threading.Thread(target=one, args=(number,)) for number in numbers]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        return done

    done = at_once(*range(8))
    kept = [each for each in done if not isinstance(each, Exception)]
    assert len(kept) == 1
    refused = [each for each in done if isinstance(each, ApiProblem)]
    assert {each.kind.status for each in refused} == {429}
    assert len(refused) == 7
    row = server.read(lambda c: c.execute(job.select()).one())
    number = server.read(lambda c: documents.get(c, row.document))["n"]
    equal = at_once(*[number] * 4)
    assert {each.id for each in equal} == {kept[0].id}
    cheap = [service.Asked("simulate", "x", {"cheap": number}, Price(1, 1)) for number in range(3)]
    server.write(lambda c: service.ask(c, caller, allowance, cheap[0], 0))
    with pytest.raises(Exception, match="2 jobs on the way"):
        server.write(lambda c: service.ask(c, caller, allowance, cheap[1], 0))


def test_a_job_can_be_followed_and_the_stream_resumes(sqlite_server: RunningServer):
    ann = signed_in(sqlite_server, "ann")
    found = asked(ann, "simulate", scenario=SQUADS, n=10)
    stream = OpenStream(sqlite_server, found["links"]["events"], ann.token)
    assert stream.text() == "retry: 2000\n\n"
    first = stream.text()
    assert first.startswith("id: 0\nevent: progress\n")
    now, context = sqlite_server.clock.now_ms(), sqlite_server.context
    leased = sqlite_server.write(lambda c: service.take(c, now, "node", "machine"))
    assert leased is not None
    assert '"state":"running"' in stream.text()
    sqlite_server.write(lambda c: service.renew(c, leased, service.Report(420, "half", 4, 30), now))
    told = json.loads(stream.text().partition("data: ")[2])
    assert (told["progress"], told["step"], told["used"]) == (0.42, "half", {"battles": 4, "cpu_seconds": 0.03})
    stream.leave()
    again = OpenStream(sqlite_server, found["links"]["events"], ann.token, **{"Last-Event-ID": "2"})
    again.text()
    answer = {"result": {"command": "simulate"}, "battles": 10, "cpu_ms": 70}
    sqlite_server.write(lambda c: service.finish(c, leased, answer, now))
    last = again.text()
    assert last.startswith("id: 3\nevent: ended\n")
    assert again.text() == ""
    over = ann.get(found["links"]["events"], headers={"Last-Event-ID": "3"})
    assert over.status_code == 204
    assert context.parts["job_streams"]._followers == {}
    many = asked(ann, "simulate", scenario=SQUADS, n=11)["links"]["events"]
    streams = [OpenStream(sqlite_server, many, ann.token) for _ in range(5)]
    assert ann.get(many).status_code == 429
    ann.delete("/api/v1/sessions/current")
    for each in streams:
        each.leave()


def test_who_may_see_and_cancel_a_job(sqlite_server: RunningServer):
    from fracas.server.http.authorisation import Role

    ann, bob = (signed_in(sqlite_server, name) for name in ("ann", "bob"))
    operator, nobody = signed_in(sqlite_server, "op", Role.OPERATOR), sqlite_server.client()
    own = asked(ann, "simulate", scenario=SQUADS, n=10)["links"]["self"]
    for other in (bob, operator, nobody):
        paths = [own, f"{own}/events", f"{own}/result", f"{own}/report"]
        assert [other.get(path).status_code for path in paths] == [404] * 4
        assert other.delete(own).status_code == 404
    assert nobody.get(JOBS).status_code == 401
    made = ann.post("/api/v1/keys", {"name": "reads", "scopes": ["read"]}).json()
    key = sqlite_server.client(made["token"])
    assert key.get(own).status_code == 200
    assert [key.delete(own).status_code, key.post(f"{JOBS}/why", {"scenario": SQUADS}).status_code] == [403, 403]
    free = asked(nobody, "simulate", scenario=SQUADS, n=10)["links"]["self"]
    # Its id is the key to it.
    assert sqlite_server.client(address="192.0.2.9").get(free).status_code == 200
    assert ann.delete(own).status_code == 204
    assert ann.get(own).json()["state"] == "cancelled"
    assert nobody.delete(free).status_code == 204
    rows = sqlite_server.read(lambda c: c.execute(job.select()).all())
    assert [(row.payer, row.window, row.slot) for row in rows] == [(None, None, None)] * 2
    for client in (ann, nobody):
        assert client.get(f"{ROOT}/budget").json()["used"] == {"battles": 0, "cpu_seconds": 0.0}


def test_a_deleted_account_takes_its_jobs_and_documents_along(server: RunningServer):
    from fracas.server.accounts.deletion import delete_account

    ann, bob = (signed_in(server, name) for name in ("ann", "bob"))
    for client in (ann, bob):
        asked(client, "simulate", scenario=SQUADS, n=10)
    asked(ann, "simulate", scenario=SQUADS, n=11)
    assert len(server.read(lambda c: c.execute(document.select()).all())) >= 2
    before = len(server.read(lambda c: c.execute(document.select()).all()))
    server.write(lambda c: delete_account(c, ann.account, server.clock.now_ms()))
    assert {row.account for row in server.read(lambda c: c.execute(job.select()).all())} == {bob.account}
    # The one that both asked for stays.
    assert len(server.read(lambda c: c.execute(document.select()).all())) == before - 1


def test_hostile_documents_open_no_file(sqlite_server: RunningServer, tmp_path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "working"
    folder.mkdir()
    (folder / "canary.toml").write_text('SECRET = "the-bytes"\n')
    monkeypatch.chdir(folder)
    client = signed_in(sqlite_server, "ann")
    sides = SQUADS["sides"]
    asks = [
        ("simulate", {"scenario": {**SQUADS, "sides": [{**sides[0], "strategy": "canary.toml"}, sides[1]]}}),
        ("compare", {"scenario": SQUADS, "b_set": ["sides.0.strategy=canary.toml"]}),
        ("compare", {"scenario": SQUADS, "b_set": ['sides.0.strategy="canar.toml"']}),
        ("sweep", {"scenario": SQUADS, "ranges": ["sides.0.strategy='canary.toml','x'"], "n": 2}),
        ("report", {"sources": [{**SQUADS, "world": "canary.toml"}]}),
        ("matchups", {"entrants": [{"scenario": {"file": "canary.toml"}}, {"scenario": SQUADS}]}),
        ("simulate", {"scenario": {"ruleset": "canary", "game": "canary.toml"}}),
    ]
    for kind, body in asks:
        answer = client.post(f"{JOBS}/{kind}", body)
        assert answer.status_code == 422, (kind, answer.text)
        assert "the-bytes" not in answer.text
        assert str(folder) not in answer.text
        assert "did you mean canary" not in answer.text


def test_a_game_is_studied_where_the_operator_lists_it(
    settings: Settings, sqlite: Database, clock: SteppingClock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("FRACAS_GAMES", str(GAMES / "coins" / "coins.py"))
    monkeypatch.setenv("FRACAS_JIT", "0")
    document = read_document(GAMES / "coins" / "scenarios" / "first.toml")
    with RunningServer(settings, sqlite, clock) as server:
        refused = server.client().post(f"{JOBS}/simulate", {"scenario": document})
        assert (refused.status_code, "there is no ruleset" in refused.text) == (422, True)
    with RunningServer(replace(settings, games=("coins",)), sqlite, clock) as server:
        client = server.client()
        found = asked(client, "simulate", scenario=document, n=30, contributions=0)
        work(server)
        done = client.get(found["links"]["self"]).json()
        assert (done["state"], done["problem"]) == ("done", None)
        expected = fracas.simulate(document, 30).as_json()
        assert client.get(done["links"]["result"]).json() == without_timing(expected)
        assert dict(measured_battles(["coins"]))["coins"] > 0
