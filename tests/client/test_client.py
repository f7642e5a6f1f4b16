"""The client against a server: an account, entries, a queue, a match, practice, the resolver, and what goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from tests.server.arena.test_routes import OTHER, TEAM, settings, tick  # noqa: F401
from tests.server.jobs.test_jobs import work_here

from fracas.client import Client, ConnectionFailed, ServerProblem
from fracas.client.server_events import parsed
from fracas.client.transport import MOST_REPEATS, Transport

PASSWORD = "correct horse battery"
Connect = Callable[[], Client]
NOT_FOUND = {"type": "/problems/not-found", "status": 404, "detail": "There is nothing of this name here."}


def test_two_accounts_fight_a_match_that_both_can_read(connect: Connect, sqlite_server: Any):
    ann, bob = connect(), connect()
    for client, handle, document in ((ann, "ann", TEAM), (bob, "bob", OTHER)):
        assert client.register(handle, PASSWORD).account.handle == handle
        made = client.arena.submit("open", "A team", document, ranked=True)
        ticket = client.arena.enter(made.entry)
        assert len(ticket.salt) == 32
        assert [each.id for each in client.arena.tickets()] == [ticket.id]
        sqlite_server.clock.step(1000)
    assert tick(sqlite_server) == 1
    nobody = connect()
    (match,) = nobody.arena.matches("open", account="ann")
    side = match.side_of("ann")
    assert side is not None
    assert side.after is not None
    assert side.outcome in ("win", "draw", "loss")
    assert nobody.arena.match(match.id).chain == nobody.arena.head("open").head
    leg = nobody.arena.leg(match.id, 0)
    assert leg.rounds > 0
    assert side.code in leg.story
    assert nobody.arena.leg_events(match.id, 0)[-1]["kind"] == "outcome"
    assert b"fracas" in nobody.arena.replay(match.id, 0)
    assert [row.account.handle for row in nobody.arena.leaderboard("open")] != []
    assert nobody.arena.profile("ann").entries[0].id == side.entry
    assert nobody.arena.version(side.entry, 1).document == TEAM


def test_entries_practice_and_challenges(connect: Connect):
    ann, bob = connect(), connect()
    ann.register("ann", PASSWORD)
    bob.register("bob", PASSWORD)
    bob.arena.submit("open", "Theirs", OTHER, ranked=True)
    assert ann.arena.check("open", TEAM).points == 100
    made = ann.arena.submit("open", "Mine", TEAM, ranked=True)
    assert ann.arena.change(made.entry, OTHER).version == 2
    assert ann.arena.rename(made.entry, "Better").title == "Better"
    bots = ann.arena.bots("open")
    assert ann.arena.practise(made.entry, bots[0].handle).kind == "practice"
    assert ann.arena.challenge(made.entry, "bob").number is None
    ticket = ann.arena.enter(made.entry, standing=True, salt="mine")
    assert (ticket.kind, ticket.salt) == ("standing", "mine")
    ann.arena.leave(ticket.id)
    ann.arena.withdraw(made.entry)
    assert {each.id for each in ann.arena.leagues()} == {"open", "hidden"}
    assert ann.arena.league("open").open


def test_an_account_from_its_making_to_its_end(connect: Connect):
    client = connect()
    client.register("ann", PASSWORD)
    key = client.new_key("bot")
    assert key.token is not None
    assert [each.name for each in client.api_keys()] == ["bot"]
    client.delete_key(key.id)
    assert client.rename("Ann").display_name == "Ann"
    client.change_password(PASSWORD, "four other words")
    assert client.export()["account"]["handle"] == "ann"
    client.sign_out()
    with pytest.raises(ServerProblem, match="needs an account"):
        client.account()
    client.sign_in("ann", "four other words")
    client.delete_account("four other words")
    assert client.token is None


def test_the_resolver_plays_explains_and_verifies(connect: Connect):
    resolver = connect().resolver
    scenario = {"ruleset": "relics", "left": {"items": ["horned_helm"]}, "right": {}}
    assert resolver.validate(scenario).valid
    assert isinstance(resolver.lint(scenario).findings, list)
    played = resolver.run(scenario, seed="tuesday", include=["story", "replay"])
    assert played.story
    assert played.replay is not None
    assert resolver.verify(played.replay).matches
    assert resolver.compile(scenario)
    assert resolver.explain(scenario, hit=["left", "right"])
    assert any(each.name == "relics" for each in resolver.rulesets())
    assert resolver.budget().used.battles == 6


def test_all_problems_arrive_at_once(connect: Connect):
    client = connect()
    client.register("ann", PASSWORD)
    with pytest.raises(ServerProblem) as refused:
        client.arena.submit("open", "Mine", {"units": ["scot", "bronze_knigt"]})
    found = refused.value
    assert (found.status, found.kind) == (422, "invalid-input")
    assert len(found.problems) >= 2
    assert "scout" in str(found)
    assert found.request_id


def answering(answers: list[Any]) -> tuple[Transport, list[httpx.Request], list[float]]:
    """A transport whose server answers these one after another."""
    asked: list[httpx.Request] = []
    waited: list[float] = []

    def handle(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer[0], json=answer[1], headers=answer[2] if len(answer) > 2 else None)

    http = httpx.Client(transport=httpx.MockTransport(handle), base_url="http://x")
    return Transport(http, "frc_x", waited.append), asked, waited


def test_a_lost_answer_is_asked_for_again_with_the_same_key():
    transport, asked, _ = answering([httpx.ReadError("lost"), (503, NOT_FOUND), (201, {"a": 1})])
    assert transport.ask(dict, "POST", "/api/v1/entries", {}) == {"a": 1}
    keys = {each.headers["idempotency-key"] for each in asked}
    assert (len(asked), len(keys)) == (3, 1)


def test_who_is_told_to_wait_waits_as_long():
    transport, _, waited = answering([(429, NOT_FOUND, {"Retry-After": "7"}), (200, {})])
    transport.send("GET", "/x")
    assert waited == [7.0]
    transport, asked, _ = answering([(429, NOT_FOUND, {"Retry-After": "3600"})])
    with pytest.raises(ServerProblem) as refused:
        transport.send("GET", "/x")
    assert (refused.value.retry_after, len(asked)) == (3600.0, 1)


def test_a_server_that_stays_away_is_told():
    transport, asked, _ = answering([httpx.ConnectError("refused")] * (MOST_REPEATS + 1))
    with pytest.raises(ConnectionFailed, match="refused"):
        transport.send("GET", "/x")
    assert len(asked) == MOST_REPEATS + 1
    transport, asked, _ = answering([httpx.ReadError("lost")])
    transport.token = None
    with pytest.raises(ConnectionFailed):
        transport.send("POST", "/x", {})
    assert len(asked) == 1, "without a key a repeat could do something twice"


def test_answers_that_are_no_problem_of_a_fracas_server():
    transport, _, _ = answering([(404, ["not a problem"])])
    with pytest.raises(ServerProblem, match="404 http"):
        transport.send("GET", "/x")
    transport, _, _ = answering([(200, ["not a table"])])
    with pytest.raises(ServerProblem, match="not understood"):
        transport.ask(dict, "GET", "/x")


def test_the_lines_of_a_stream_become_events():
    lines = ["retry: 2000", "", "id: 7", "event: resolved", 'data: {"match": "x: y"}', "", ": still here", "", "id: 8"]
    assert list(parsed(iter(lines))) == [(7, "resolved", {"match": "x: y"})]


def test_a_study_is_asked_followed_and_read(connect: Connect, sqlite_server: Any):
    ann = connect()
    ann.register("ann", PASSWORD)
    scenario = {"ruleset": "relics", "left": {"items": ["horned_helm"]}, "right": {}}
    job = ann.jobs.simulate(scenario, 20, contributions=0)
    assert (job.state, job.price.battles, job.is_over) == ("waiting", 20, False)
    assert ann.jobs.simulate(scenario, 20, contributions=0).price.battles == 0
    work_here(sqlite_server)
    assert [(each.state, each.progress) for each in ann.jobs.progress(job)] == [("done", 1)]
    assert ann.jobs.result(job)["battles"] == 20
    assert ann.jobs.report_page(job).startswith("<!doctype html>")
    asks = [
        lambda: ann.jobs.compare(scenario, b_set=["left.items=[]"], n=10),
        lambda: ann.jobs.odds(scenario, n=10),
        lambda: ann.jobs.sweep(scenario, ["profile=canvas"], n=10),
        lambda: ann.jobs.sensitivity(scenario, n=10),
        lambda: ann.jobs.matchups([scenario, (scenario, 2)], n=10),
        lambda: ann.jobs.optimise(scenario, trials=3, budget=100, pairs=10, stages=[20]),
        lambda: ann.jobs.why(scenario, 32),
        lambda: ann.jobs.report([scenario], n=10),
    ]
    asked = job
    for ask in asks:
        asked = ask()
        ann.jobs.cancel(asked)
        assert ann.jobs.get(asked).state == "cancelled"
    assert len(ann.jobs.all()) == 1 + len(asks)
    with pytest.raises(ServerProblem, match="no result"):
        ann.jobs.result(asked)


def test_a_class_of_guests(connect: Connect):
    teacher, pupil, waits = connect(), connect(), list[float]()
    teacher.register("ms-park", PASSWORD)
    made = teacher.classes.make("Year 9", "open")
    renewed = teacher.classes.new_code(made.id)
    assert renewed.code != made.code
    joined = pupil.classes.join(str(renewed.code))
    assert (pupil.token, joined.code, joined.teacher) == (joined.token, None, False)
    assert [each.id for each in pupil.classes.all()] == [made.id]
    for client, document in ((teacher, TEAM), (pupil, OTHER)):
        if client is teacher:
            client.classes.join(str(renewed.code))
        client.classes.submit(made.id, "A team", document)
    seen = teacher.classes.get(made.id)
    assert {each.handle for each in seen.pupils} >= {joined.handle}
    assert len(seen.entries) == 2
    job = teacher.classes.ask_for_table(made.id, 2)
    assert [each.id for each in teacher.classes.tables(made.id)] == [job.id]

    def cancelled(seconds: float) -> None:
        waits.append(seconds)
        teacher.classes.cancel(job.id)

    teacher.classes._wait = cancelled
    with pytest.raises(ServerProblem, match="result"):
        teacher.classes.result(job.id)
    assert len(waits) == 1
    assert teacher.classes.job(job.id).state == "cancelled"
    teacher.classes.delete(made.id)
    assert teacher.classes.all() == []


def test_a_hidden_entry_is_opened(connect: Connect):
    ann = connect()
    ann.register("ann", PASSWORD)
    made = ann.arena.submit("hidden", "Mine", TEAM)
    assert not ann.arena.entry(made.entry).open_to_challenges
    assert ann.arena.open_to_challenges(made.entry).open_to_challenges
