from __future__ import annotations

import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conditions.example import VOCABULARY, problems_of, tree_of

from fracas.conditions import MAX_CHARACTERS, MAX_DEPTH, MAX_NODES, Parsed, parse, parser, to_text
from fracas.errors import InputError, Problem

LONG = Problem("when", "the condition is longer than 2,000 characters", "split it, or use fewer parts")
MANY = Problem("when", "the condition has more than 128 parts", "split it, or use fewer parts")
DEEP = Problem("when", "the condition is nested more than 32 deep", "split it, or use fewer parts")


def nested(form: str, levels: int) -> object:
    source: object = "once"
    for _ in range(levels):
        source = {form: source if form == "not" else [source]}
    return source


def test_the_bounds_are_those_of_the_specification() -> None:
    assert (MAX_CHARACTERS, MAX_NODES, MAX_DEPTH) == (2_000, 128, 32)


@pytest.mark.parametrize(
    "source",
    [
        "once" + " " * 1_996,
        " or ".join(["once"] * 127),
        {"any": ["once"] * 127},
        {"any": ["once or once"] * 42},
        "not " * 31 + "once",
        "(" * 32 + "once" + ")" * 32,
        "not (" * 15 + "once or once" + ")" * 15,
        nested("not", 31),
        nested("all", 31),
        {"not": "not " * 30 + "once"},
        {"all": ["x" * 1_000, "y" * 1_000]},
    ],
)
def test_what_just_fits(source: object) -> None:
    assert problems_of(source) == ()


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("once" + " " * 1_997, LONG),
        ({"all": ["x" * 1_000, "y" * 1_001]}, LONG),
        (" or ".join(["once"] * 128), MANY),
        ({"any": ["once"] * 128}, MANY),
        ({"any": ["once or once"] * 43}, MANY),
        ("not " * 32 + "once", DEEP),
        ("(" * 33 + "once" + ")" * 33, DEEP),
        ("not (" * 17 + "once" + ")" * 17, DEEP),
        (nested("not", 32), DEEP),
        (nested("all", 32), DEEP),
    ],
)
def test_what_just_does_not_fit(source: object, problem: Problem) -> None:
    (found,) = problems_of(source)
    assert (found.message, found.suggestion) == (problem.message, problem.suggestion)
    assert found.where.startswith("when")


def test_text_counts_the_depth_of_the_json_around_it() -> None:
    (problem,) = problems_of({"not": "not " * 31 + "once"})
    assert problem == Problem("when.not", DEEP.message, DEEP.suggestion)


HOSTILE = {
    "100 kB of parentheses": "(" * 100_000,
    "100 kB of closed parentheses": "(" * 50_000 + ")" * 50_000,
    "10,000 negations": "not " * 10_000 + "once",
    "as many negations as fit": "not " * 499,
    "as many parentheses as fit": "(" * 999 + "x" + ")" * 999,
    "groups in groups": "allies.any(" * 180,
    "negations in parentheses": "not (" * 399,
    "a megabyte of one word": "x" * 1_000_000,
    "a megabyte of digits": "round > " + "9" * 1_000_000,
    "10,000 deep json": nested("all", 10_000),
    "10,000 negations in json": nested("not", 10_000),
    "a wide list": {"all": ["once"] * 1_000_000},
    "a list of empty lists": {"all": [[]] * 1_000_000},
    "a wide object": {str(number): [] for number in range(100_000)},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_condition_is_refused_before_it_is_parsed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("it was parsed")

    monkeypatch.setattr(parser, "syntax_of", never)
    started = time.perf_counter()
    with pytest.raises(InputError) as caught:
        parse(HOSTILE[name], VOCABULARY, where="when")
    assert time.perf_counter() - started < 0.5
    assert len(caught.value.problems) == 1
    assert len(str(caught.value)) < 200


def test_the_check_before_parsing_is_what_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "_refuse_oversize", lambda *_: None)
    with pytest.raises(RecursionError):
        parse(HOSTILE["10,000 deep json"], VOCABULARY, where="when")


@pytest.mark.parametrize(
    "source",
    [
        "self_hp_below_" + "9" * 1_900,
        "round > " + "9" * 1_900,
        "z" * 2_000,
        " or ".join(f"self_hp_belo_{number}" for number in range(100)),
        " or ".join(f"self.hp_b{number}<1" for number in range(100)),
        "once or " * 249,
        "\x00" * 2_000,
        "é" * 2_000,
        "((((((((" * 4,
    ],
)
def test_the_worst_that_fits_costs_little(source: str) -> None:
    tree_of("once")
    started = time.perf_counter()
    problems_of(source)
    assert time.perf_counter() - started < 1


def test_nothing_is_recursive_enough_to_exhaust_a_full_stack() -> None:
    """The deepest condition still works where a server has used most of the stack."""
    deepest = "once and (once or (" * 15 + "not once" + "))" * 15

    def at_depth(levels: int) -> str:
        return to_text(tree_of(deepest)) if levels == 0 else at_depth(levels - 1)

    assert tree_of(at_depth(sys.getrecursionlimit() - 450)) == tree_of(deepest)


pieces = st.sampled_from(
    [
        "not ",
        "(",
        ")",
        "once",
        " and ",
        " or ",
        "zzz",
        "self.hp_pct",
        "<",
        "=",
        " 50",
        "-1",
        " multiple_of ",
        "NOT ",
        ".",
        "allies.any(",
        "\n",
        "é",
    ]
)


def outcome(source: object) -> Parsed | tuple[Problem, ...]:
    try:
        return parse(source, VOCABULARY, where="when")
    except InputError as error:
        return error.problems


def assert_read_or_refused(source: object, blank: bool) -> None:
    result = outcome(source)
    if isinstance(result, Parsed):
        assert (result.tree is None) == blank
    else:
        assert result
        assert all(problem.where.startswith("when") and problem.message for problem in result)


@given(st.lists(pieces, max_size=60).map("".join))
def test_any_text_is_read_or_refused_with_problems(source: str) -> None:
    assert_read_or_refused(source, blank=not source.strip())


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["once", "zzz", "", "round <", "round > 3"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["all", "any", "not", "nor"]), inner, max_size=2)
    ),
    max_leaves=20,
)


@given(json_values)
def test_any_json_is_read_or_refused_with_problems(source: object) -> None:
    assert_read_or_refused(source, blank=source is None or source == "")
