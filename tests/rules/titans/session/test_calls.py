"""Calls that cross each other, come twice, come late or are broken off: a session takes each whole or not at all."""

from __future__ import annotations

import copy
import json
import pickle
import sys
import threading
from typing import Any

import pytest
from tests.rules.titans.session.test_session import OTHER_SEED, SEED, begun, play_round, refused, scenario

import fracas
from fracas.errors import FaultError, InputError
from fracas.rulesets.titans.rules.mechanics import play_round as play_a_round
from fracas.rulesets.titans.session import live_duel as machinery

THREADS = 4


@pytest.fixture
def hasty():
    """Let threads change places as often as they can."""
    kept = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(kept)


def at_once(*calls):
    """Make all calls at the same time, each in a thread of its own; gives what each came to."""
    gate = threading.Barrier(len(calls))
    found: list[Any] = [None] * len(calls)

    def make(number):
        gate.wait()
        try:
            found[number] = calls[number]()
        except InputError as error:
            found[number] = error

    threads = [threading.Thread(target=make, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


# At once


def test_a_round_is_played_once_however_many_ask_for_it(hasty):
    alone = begun()
    for session in (begun() for _ in range(8)):
        for _ in range(3):
            for name in session.players:
                session.submit(name, "attack")
            found = at_once(*[session.resolve] * THREADS, lambda session=session: session.view("Ada"))
            assert [isinstance(each, list) for each in found[:THREADS]].count(True) == 1
            assert all("no choice from" in str(each) for each in found[:THREADS] if not isinstance(each, list))
            assert found[THREADS]["roundLogLength"] == len(found[THREADS]["roundLog"])
        if alone.round_number == 1:
            for _ in range(3):
                play_round(alone, "attack", "attack")
        assert session.as_json() == alone.as_json()
        assert fracas.DuelSession.resume(session.as_json()).digest == session.digest


def test_choices_that_come_while_a_round_is_played_count_for_the_next(hasty):
    session = begun(round_cap=40)
    for number in range(1, 13):
        session.submit("Ada", "rest")
        session.submit("Bo", "defend", round=number)
        at_once(session.resolve, *[lambda number=number: session.submit("Bo", "rest", round=number)] * 2)
        # Whether Bo changed his mind in time is luck; that nothing is left over for the next round is not.
        assert session.as_json()["rounds"][-1] in (["rest", "defend"], ["rest", "rest"])
        assert session.locked_players == ()
    assert fracas.DuelSession.resume(session.as_json()).as_json() == session.as_json()


def test_nobody_looks_in_while_a_round_is_played(monkeypatch):
    """The negative control of the two above: in the middle of a round no other thread gets in."""
    session, entered = begun(), []

    def looking(record, log, *, played=play_a_round):
        thread = threading.Thread(target=lambda: entered.append(session._lock.acquire(blocking=False)))
        thread.start()
        thread.join()
        played(record, log)

    monkeypatch.setattr(machinery, "play_round", looking)
    play_round(session, "attack", "attack")
    assert entered == [False]
    free = threading.Thread(target=lambda: entered.append(session._lock.acquire(blocking=False)))
    free.start()
    free.join()
    assert entered == [False, True]


# Broken off


@pytest.mark.parametrize("reason", [KeyboardInterrupt, MemoryError, FaultError])
def test_a_round_that_is_broken_off_has_not_been_played(monkeypatch, reason):
    session, whole = begun(policies=["random"]), begun(policies=["random"])
    for each in (session, whole):
        each.submit("Bo", "slow" if each.round_number > 2 else "rest")
        each.resolve()
        each.submit("Bo", "slow")
    before = session.as_json()
    view = session.view("Bo")

    def breaking(record, log, *, played=play_a_round):
        played(record, log)
        raise reason

    with monkeypatch.context() as patch:
        patch.setattr(machinery, "play_round", breaking)
        with pytest.raises(reason):
            session.resolve()
    assert session.as_json() == before
    assert session.view("Bo") == view
    assert [event.as_json() for event in session.resolve()] == [event.as_json() for event in whole.resolve()]
    assert session.as_json() == whole.as_json()


def test_a_session_is_copied_and_pickled_as_it_is_kept():
    session = begun()
    play_round(session, "rest", "attack")
    session.submit("Ada", "bolt")
    for other in (copy.deepcopy(session), pickle.loads(pickle.dumps(session))):
        assert other.as_json() == session.as_json()
        other.submit("Bo", "attack")
        assert session.locked_players == ("Ada",)


@pytest.mark.parametrize("rounds", [0, 1, 5])
def test_a_checkpoint_goes_on_as_the_session_would_have(rounds):
    rules = {"rules": [{"when": "self.charge >= 30", "do": "bolt", "chance": 50}, {"do": "rest"}]}
    session = begun(policies=[rules], deadline=30)
    for number in range(rounds):
        session.submit("Bo", "slow" if number == 3 else "rest")
        session.resolve()
    session.submit("Bo", "rest")
    checkpoint = session.checkpoint()
    assert SEED.encode() not in checkpoint
    again = fracas.DuelSession.from_checkpoint(checkpoint, SEED)
    assert again.as_json() == session.as_json()
    assert again.view("Bo") == session.view("Bo")
    for each in (session, again):
        each.resolve()
        each.submit("Bo", "defend")
        each.resolve()
    assert again.as_json() == session.as_json()
    assert fracas.DuelSession.resume(again.as_json()).digest == session.digest


def test_a_checkpoint_is_whole_and_belongs_to_its_seed(monkeypatch):
    checkpoint = begun().checkpoint()
    refused(lambda: fracas.DuelSession.from_checkpoint(checkpoint, OTHER_SEED), "another server seed")
    refused(lambda: fracas.DuelSession.from_checkpoint(checkpoint, "5e"), "server_seed")
    for broken in (
        b"",
        checkpoint[:-1],
        checkpoint[:40],
        bytes(len(checkpoint)),
        checkpoint[:50] + b"x" + checkpoint[51:],
    ):
        refused(lambda broken=broken: fracas.DuelSession.from_checkpoint(broken, SEED), "was changed")
    monkeypatch.setattr("fracas.rulesets.titans.session.checkpoints.LAYOUT", "another")
    refused(lambda: fracas.DuelSession.from_checkpoint(checkpoint, SEED), "another version")


# Twice and late


def test_the_same_choice_sent_again_is_taken_as_the_first_time():
    session = begun(locked=True)
    session.submit("Ada", "attack", round=1)
    session.submit("Ada", "attack", round=1)
    session.submit("Ada", "attack")
    refused(lambda: session.submit("Ada", "rest", round=1), "final")
    session.submit("Bo", "rest", round=1)
    session.resolve(round=1)
    before = session.as_json()
    session.submit("Ada", "attack", round=1)
    session.submit("Bo", "rest", round=1)
    assert session.as_json() == before
    assert session.locked_players == ()


def test_a_choice_for_another_round_changes_nothing():
    session = begun(round_cap=2)
    play_round(session, "attack", "rest")
    before = session.as_json()
    refused(lambda: session.submit("Ada", "rest", round=1), "is too late", "round 1 has been played")
    refused(lambda: session.submit("Ada", "rest", round=3), "is for round 3", "the current round is 2")
    for wrong in (0, -1, True, 1.0, "1", [1]):
        refused(lambda wrong=wrong: session.submit("Ada", "rest", round=wrong), "is not a round")
    assert session.as_json() == before
    session.submit("Ada", "attack", round=2)
    session.submit("Bo", "attack", round=2)
    session.resolve()
    session.submit("Ada", "attack", round=2)
    refused(lambda: session.submit("Ada", "attack", round=3), "the current round is 2")
    refused(lambda: session.submit("Ada", "rest", round=2), "too late")


def test_a_clock_that_rings_late_ends_no_later_round():
    session = begun(deadline=30)
    play_round(session, "attack", "rest")
    refused(lambda: session.resolve(deadline_is_over=True, round=1), "is for round 1", "the current round is 2")
    assert len(session.as_json()["rounds"]) == 1
    session.resolve(deadline_is_over=True, round=2)
    assert session.as_json()["rounds"][1] == ["missed", "missed"]


# A part of the log


def test_a_view_gives_the_events_since_the_last_one():
    rules = {"rules": [{"do": "attack", "chance": 50}, {"do": "rest"}]}
    session = begun(policies=[rules], round_cap=12)
    log, seen = [], 0
    while not session.is_over:
        part = session.view("Bo", since=seen)
        log += part["roundLog"]
        seen = part["roundLogLength"]
        assert len(log) == seen
        session.submit("Bo", "attack")
        session.resolve()
    log += session.events_since("Bo", seen)
    whole = session.view("Bo")
    assert log == whole["roundLog"]
    assert "chance" not in {event["kind"] for event in log}
    assert session.events_since("Bo", len(log)) == []
    assert {**session.view("Bo", since=len(log)), "roundLog": log} == whole


@pytest.mark.parametrize("since", [-1, 10_000, True, 1.0, "1", None])
def test_there_are_no_events_before_the_first_or_after_the_last(since):
    refused(lambda: begun().view("Ada", since=since), "since", "it has 3 events so far")


def test_a_late_view_is_short():
    session = begun(round_cap=60)
    while session.round_number < 50 and not session.is_over:
        play_round(session, "rest", "rest")
    seen = session.view("Ada")["roundLogLength"]
    play_round(session, "rest", "defend")
    assert len(json.dumps(session.view("Ada", since=seen))) < len(json.dumps(session.view("Ada"))) / 10


# Secrets


@pytest.mark.parametrize("seed", ["5E" * 32, "5e" * 31 + "5g", "5e" * 33, "5e5e5e5e5e"])
def test_no_message_shows_what_stands_in_the_place_of_a_seed(seed):
    kept = begun().as_json()
    for wrong in (
        lambda: fracas.DuelSession(scenario(), seed),
        lambda: fracas.DuelSession.resume({**kept, "server_seed": seed}),
        lambda: fracas.DuelSession.resume({**kept, "nonces": [seed, None]}),
    ):
        with pytest.raises(InputError) as caught:
            wrong()
        assert seed[:10] not in str(caught.value)
        assert "64 lower-case hexadecimal digits" in str(caught.value)


def test_a_duel_of_an_older_format_is_refused_in_a_sentence():
    old = {key: value for key, value in begun().as_json().items() if key not in ("salt_seals", "nonces")}
    refused(lambda: fracas.DuelSession.resume({**old, "version": 1}), "has format version 1", "this program reads 2")
