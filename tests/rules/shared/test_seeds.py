"""Seed texts become keys by blake3, whose published vectors these are."""

from __future__ import annotations

import numpy as np
import pytest
from blake3 import blake3
from hypothesis import given
from hypothesis import strategies as st

from fracas.rulesets.shared.seeds import fingerprint, key_words

PUBLISHED = {
    "": "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
    "\0": "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213",
    "abc": "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85",
}


@pytest.mark.parametrize(("seed", "digest"), PUBLISHED.items())
def test_published_vectors(seed, digest):
    assert key_words(seed).astype("<u4").tobytes().hex() == digest


def test_a_published_vector_of_many_blocks():
    # The published input: bytes 0, 1, ... 250, 0, 1, ...; no seed text has these bytes, so the library is asked itself.
    assert blake3(bytes(place % 251 for place in range(1024))).hexdigest() == (
        "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"
    )


def test_words_are_little_endian():
    assert int(key_words("abc")[0]) == 0xACB33764


def test_a_seed_is_hashed_as_utf8():
    assert key_words("žlutý").astype("<u4").tobytes() == blake3("žlutý".encode()).digest()


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_keys_are_eight_words(seed):
    words = key_words(seed)
    assert words.shape == (8,)
    assert words.dtype == np.uint32


def test_a_fingerprint_does_not_depend_on_the_order_of_keys():
    assert fingerprint({"a": 1, "b": [{"c": 2, "d": 3}]}) == fingerprint({"b": [{"d": 3, "c": 2}], "a": 1})


@pytest.mark.parametrize("other", [{"a": 2}, {"a": 1.0}, {"a": "1"}, {"b": 1}, {"a": [1]}, {}, {"a": None}])
def test_a_fingerprint_notices_other_values(other):
    assert fingerprint(other) != fingerprint({"a": 1})
