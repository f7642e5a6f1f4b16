"""Problems carry what could stand there instead, so that no program reads messages."""

from __future__ import annotations

import pytest

import fracas
from fracas.content.packs import examples_folder
from fracas.errors import UNKNOWN_KEY, UNKNOWN_NAME, WRONG_CHOICE, InputError, Problem
from fracas.files.read import document_of

SQUADS = examples_folder() / "squads" / "standard-5v5.toml"
TITANS = examples_folder() / "titans" / "standard.toml"
STACKS = examples_folder() / "stacks" / "first-attack.toml"

TABLE = [
    (SQUADS, '"scout"', '"scuot"', UNKNOWN_NAME, "scout"),
    (SQUADS, "Fireball =", "Firebal =", UNKNOWN_NAME, "Fireball"),
    (SQUADS, "formation =", "formaton =", UNKNOWN_KEY, "formation"),
    (SQUADS, '"balanced"', '"balnced"', WRONG_CHOICE, "balanced"),
    (TITANS, '"fortify"', '"fortfy"', UNKNOWN_NAME, "fortify"),
    (STACKS, '"axe_sworn"', '"axe_swron"', UNKNOWN_NAME, "axe_sworn"),
]


@pytest.mark.parametrize(("file", "right", "wrong", "kind", "expected"), TABLE)
def test_a_problem_knows_what_was_expected(file, right, wrong, kind, expected):
    text = file.read_text(encoding="utf-8").replace(right, wrong, 1)
    with pytest.raises(InputError) as caught:
        fracas.load(document_of(text, file))
    problem = caught.value.problems[0]
    assert problem.kind == kind
    assert expected in problem.expected


def test_it_changes_neither_what_is_shown_nor_what_is_equal():
    plain = Problem("here", "is wrong", "mend it")
    told = Problem("here", "is wrong", "mend it", UNKNOWN_KEY, ("a", "b"))
    assert plain == told
    assert (str(plain), repr(plain), hash(plain)) == (str(told), repr(told), hash(told))
