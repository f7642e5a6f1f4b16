"""README, Session: the commitment, the seed text, and the seal of a file."""

from __future__ import annotations

import pytest
from blake3 import blake3

from fracas.compile.seeds import key_words
from fracas.rulesets.titans.commitment import commitment_of, seal_of, seed_text

SEED = "00112233445566778899aabbccddeeff" * 2


def test_the_commitment_is_not_the_key_of_the_dice() -> None:
    assert commitment_of(SEED) == blake3(SEED.encode(), derive_key_context="fracas duel commitment v1").hexdigest()
    assert commitment_of(SEED) != key_words(SEED).astype("<u4").tobytes().hex()


@pytest.mark.parametrize("wrong", [SEED[:-1] + "0", SEED.upper(), SEED + " "])
def test_a_wrong_seed_has_another_commitment(wrong: str) -> None:
    assert commitment_of(wrong) != commitment_of(SEED)


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
