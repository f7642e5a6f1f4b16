"""The names nearest to a misspelt one, and safe quotations."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.errors import Problem
from fracas.errors.suggestions import listed, nearest, pointer, position, quoted, visible

ABILITIES = ["fireball", "falling_sky", "heal", "dawn_chorus", "shield_wall", "fortify"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("firebal", "fireball"),
        ("Fireball", "fireball"),
        ("FIREBAL", "fireball"),
        ("fire_ball", "fireball"),
        ("shieldwall", "shield_wall"),
        ("fortfy", "fortify"),
        ("hael", "heal"),
    ],
)
def test_the_nearest_name_is_asked_for(name, meant):
    assert nearest(name, ABILITIES) == f'did you mean "{meant}"?'


@pytest.mark.parametrize("name", ["", "zzzz", "x", "qwertyuiop", "f" * 101, "fireball" * 100])
def test_nothing_is_suggested_when_nothing_is_near(name):
    assert nearest(name, ABILITIES) is None


def test_nothing_is_suggested_among_nothing():
    assert nearest("fireball", []) is None


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("easy", ["trivial", "normal", "hard", "deadly"], None),
        ("self.mana", ["self.mage", "self.charge"], None),
        ("self.chrge", ["self.mage", "self.charge"], "self.charge"),
        ("slef.charge", ["self.mage", "self.charge"], "self.charge"),
    ],
)
def test_a_word_that_only_shares_letters_is_not_meant(name, known, meant):
    assert nearest(name, known) == (meant and f'did you mean "{meant}"?')


@pytest.mark.parametrize("name", ["n" * 400_000, '"' + "two words " * 40_000 + '"'])
def test_a_long_name_in_a_message_loses_its_middle(name):
    problem = Problem(name, f"there is no {name} here", f"not {name}")
    assert len(str(problem)) < 700
    assert str(problem).count("…") == 3


def test_long_messages_of_short_words_stay_whole():
    text = "a word " * 200
    assert str(Problem("here", text)) == f"here: {text}"


def test_ties_keep_the_order_of_what_is_known():
    assert nearest("ab", ["abx", "aby"]) == 'did you mean "abx"?'
    assert nearest("ab", ["aby", "abx"]) == 'did you mean "aby"?'


def test_several_names_are_listed_if_they_are_about_as_near():
    assert nearest("cat", ["car", "cap", "dog"], limit=2) == 'did you mean "car" or "cap"?'


def test_a_much_better_name_is_alone():
    assert nearest("fireball", ["fireball", "fire"], limit=3) == 'did you mean "fireball"?'


def test_a_long_name_costs_nothing():
    started = time.perf_counter()
    assert nearest("x" * 100_000, ["y" * 50] * 100) is None
    assert time.perf_counter() - started < 1


@given(st.text(max_size=120), st.lists(st.text(max_size=30), max_size=8))
def test_any_text_may_be_asked_about(name, known):
    answer = nearest(name, known)
    assert answer is None or (answer.startswith('did you mean "') and answer.isprintable())


def test_words_are_listed_as_a_sentence_lists_them():
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a or b"
    assert listed(["a", "b", "c"], "and") == "a, b and c"


@given(st.text())
def test_a_quotation_cannot_move_a_cursor(text):
    assert quoted(text).isprintable()
    assert len(visible(text)) == len(text)
    assert len(quoted(text)) <= 63


@pytest.mark.parametrize(
    ("text", "at", "where"), [("abc", 0, "column 1"), ("abc", 2, "column 3"), ("ab\ncd", 4, "line 2, column 2")]
)
def test_positions_count_from_one(text, at, where):
    assert position(text, at) == where


def test_a_pointer_stands_below_the_character():
    assert pointer("self.hp < x", 10) == "    self.hp < x\n              ^"


def test_a_pointer_into_a_long_line_cuts_it():
    shown, mark = pointer("a" * 500 + "!" + "b" * 500, 500).split("\n")
    assert len(shown) == 84
    assert shown[len(mark) - 1] == "!"
