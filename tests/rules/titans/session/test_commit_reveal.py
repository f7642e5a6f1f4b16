"""README, Session: the commitment, the seed text, and the seal of a file."""

from __future__ import annotations

import json

import pytest
from blake3 import blake3
from tests.helpers.titans_fights import document, titan

from fracas.rulesets.shared.commit_reveal import commitment_of, handshake_of, salt_seal, seal_of, seed_text
from fracas.rulesets.shared.seeds import key_words
from fracas.rulesets.titans.rules.constants import RULES_VERSION
from fracas.rulesets.titans.session.session_document import session_terms

SEED = "00112233445566778899aabbccddeeff" * 2


PEOPLE = document(titan(), titan())


def in_words(context: str, content: str) -> str:
    return blake3(content.encode(), derive_key_context=context).hexdigest()


def test_the_commitment_binds_the_seed_and_the_terms_and_is_not_the_key_of_the_dice() -> None:
    terms = session_terms(PEOPLE, 30)
    assert commitment_of(SEED, terms) == in_words("fracas duel commitment v2", f"{SEED}:{terms}")
    assert commitment_of(SEED, terms) != key_words(SEED).astype("<u4").tobytes().hex()


def test_the_terms_are_what_the_rule_book_says() -> None:
    players = [
        {**player, "policy": in_words("fracas duel policy v1", '{"choices":[]}')} for player in PEOPLE["players"]
    ]
    terms = {"deadline": None, "rules_version": RULES_VERSION, "scenario": {**PEOPLE, "players": players}}
    text = json.dumps(terms, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert session_terms(PEOPLE, None) == in_words("fracas duel terms v1", text)


@pytest.mark.parametrize("wrong", [SEED[:-1] + "0", SEED.upper(), SEED + " "])
def test_a_wrong_seed_has_another_commitment(wrong: str) -> None:
    assert commitment_of(wrong, "terms") != commitment_of(SEED, "terms")


def test_whatever_decides_the_duel_is_among_the_terms() -> None:
    others = [
        session_terms(document(titan(), titan(hp=31)), 30),
        session_terms(document(titan(), titan(), round_cap=99), 30),
        session_terms(document(titan(), titan(), ["greedy"]), 30),
        session_terms(document(titan(), titan(), ["random"]), 30),
        session_terms({**PEOPLE, "id": "another table"}, 30),
        session_terms(PEOPLE, 31),
        session_terms(PEOPLE, None),
        session_terms(PEOPLE, 30),
    ]
    assert len(set(others)) == len(others)
    # The order of keys says nothing.
    assert session_terms(dict(reversed(PEOPLE.items())), 30) == session_terms(PEOPLE, 30)


def test_a_seal_binds_who_gave_what_and_hides_it_behind_a_nonce() -> None:
    seal = salt_seal("Ada", "ü: x", "ab")
    assert seal == in_words("fracas duel salt v1", '["Ada","ü: x","ab"]')
    assert len({seal, salt_seal("Bo", "ü: x", "ab"), salt_seal("Ada", "x", "ab"), salt_seal("Ada", "ü: x", "ac")}) == 4


def test_the_handshake_binds_the_commitment_and_both_seals() -> None:
    assert handshake_of("c", ["a", None]) == in_words("fracas duel handshake v1", '["c","a",""]')
    assert len({handshake_of("c", ["a", "b"]), handshake_of("c", ["b", "a"]), handshake_of("d", ["a", "b"])}) == 3


def test_the_seed_text_holds_what_all_three_gave() -> None:
    assert seed_text("ab", ("", "")) == "ab::"
    assert seed_text("ab", ("x", "y")) == "ab:x:y"


def test_the_seal_covers_everything_but_itself() -> None:
    document = {"b": [1, "ü", None], "a": {"z": 1, "y": 2}, "seal": "old"}
    text = '{"a":{"y":2,"z":1},"b":[1,"ü",null]}'.encode()
    assert seal_of(document) == blake3(text, derive_key_context="fracas duel session v1").hexdigest()
    assert seal_of({**document, "seal": "new"}) == seal_of(document)
    for changed in ({"b": [1, "ü", 0]}, {"a": {"z": 1, "y": 3}}, {"c": 1}):
        assert seal_of({**document, **changed}) != seal_of(document)
