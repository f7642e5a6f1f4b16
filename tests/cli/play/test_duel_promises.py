"""What `fracas verify` proves to a player of a duel between two people, and who is found out by what was noted down."""

from __future__ import annotations

import json

import pytest
from tests.helpers.commands import BAD_INPUT, CHECK_FAILED, DONE
from tests.rules.titans.session.test_session import NONCES, begun, play_round, refused

import fracas
from fracas.rulesets.shared import commit_reveal as promises


@pytest.fixture
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.fixture
def proof(plain, tmp_path):
    """The proof of a duel in which Bo is the host, as a file, with what Ada noted down."""
    session = begun(round_cap=2)
    noted = session.commitment, session.handshake
    while not session.is_over:
        play_round(session, "attack", "rest")
    file = tmp_path / "duel.json"
    file.write_text(json.dumps(session.proof()))
    return file, *noted


def resealed(file, **changes):
    """What a host can write who knows how duels are sealed."""
    document = {**json.loads(file.read_text()), **changes}
    file.write_text(json.dumps({**document, "seal": promises.seal_of(document)}))


def with_salt_of_bo(file, salt, *, seal=None):
    """The same duel with another salt of Bo's: its rounds are played anew, so that all dice are right."""
    document = json.loads(file.read_text())
    other = begun(salts=("heads", salt), round_cap=2)
    for first, second in document["rounds"]:
        play_round(other, first, second)
    kept = other.as_json()
    if seal is not None:
        kept["salt_seals"][1] = seal
        kept = {**kept, "seal": promises.seal_of(kept)}
    file.write_text(json.dumps(kept))


def test_the_handshake_is_all_that_a_player_has_to_note(fracas_cli, proof):
    file, commitment, handshake = proof
    assert handshake != commitment
    for options in ((), ("--commitment", commitment), ("--commitment", handshake.upper()), ("--salt", "heads")):
        ended = fracas_cli("verify", file, *options)
        assert (ended.status, "verified" in ended.out) == (DONE, True)
    ended = fracas_cli("verify", file, "--commitment", handshake, "--salt", "heads")
    assert f"handshake {handshake}: also binds the sealed salts, as you were shown" in ended.out
    assert "is it the one you were shown" not in ended.out
    assert fracas_cli("verify", file, "--format", "json").json["replays"][0]["handshake"] == handshake


def test_a_host_who_draws_another_second_salt_is_found_out_by_the_handshake(fracas_cli, proof):
    """Bo, who has the server, learns Ada's salt and then looks for one of his own that suits."""
    file, commitment, handshake = proof
    with_salt_of_bo(file, "a luckier word")
    ended = fracas_cli("verify", file, "--commitment", handshake)
    assert (ended.status, "noted down" in ended.out) == (CHECK_FAILED, True)
    # The commitment says nothing of salts. The page says so.
    assert fracas_cli("verify", file, "--commitment", commitment, "--salt", "heads").status == DONE


def test_a_salt_that_does_not_open_its_seal_is_found_out(fracas_cli, proof):
    file, _, handshake = proof
    seals = json.loads(file.read_text())["salt_seals"]
    with_salt_of_bo(file, "a luckier word", seal=seals[1])
    ended = fracas_cli("verify", file, "--commitment", handshake)
    assert (ended.status, 'the salt of "Bo" does not match its seal' in ended.out) == (CHECK_FAILED, True)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"salt_seals": [None, None], "nonces": [None, None]}, "was given without a seal"),
        ({"nonces": [NONCES[0], None]}, "does not match its seal"),
        ({"nonces": [NONCES[0], NONCES[0]]}, "does not match its seal"),
        ({"salts": ["heads", None]}, "before both salts were given"),
        ({"commitment": "0" * 64}, "the commitment does not match"),
    ],
)
def test_a_promise_that_was_not_kept_is_told(fracas_cli, proof, changes, words):
    file, _, handshake = proof
    resealed(file, **changes)
    ended = fracas_cli("verify", file)
    assert (ended.status, words in ended.out) == (CHECK_FAILED, True)
    assert fracas_cli("verify", file, "--commitment", handshake).status == CHECK_FAILED
    refused(lambda: fracas.DuelSession.resume(json.loads(file.read_text())), words, "the session was edited")


def test_a_duel_of_an_older_format_cannot_be_checked_and_is_not_called_a_fraud(fracas_cli, proof):
    file, *_ = proof
    resealed(file, version=1)
    ended = fracas_cli("verify", file)
    assert ended.status == BAD_INPUT
    assert "has format version 1 of duel sessions; this program reads 2" in ended.err
