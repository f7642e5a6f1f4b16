"""Mistakes of the caller are told apart from mistakes in files, and name what Python calls the argument."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from tests.helpers.scenarios import EXAMPLES

import fracas
from fracas import InputError, Problem, UsageError

FIRST = EXAMPLES / "first-battle.toml"


@pytest.mark.parametrize(
    ("call", "where"),
    [
        (lambda: fracas.simulate(FIRST, n=0), "n"),
        (lambda: fracas.simulate(FIRST, n=1, precision=1), "n, precision"),
        (lambda: fracas.simulate(FIRST, threads=0), "threads"),
        (lambda: fracas.compare(FIRST, delta=9.0), "delta"),
        (lambda: fracas.odds(FIRST, budget=0), "budget"),
        (lambda: fracas.run(FIRST, stream=-1), "stream"),
        (lambda: fracas.run(FIRST, log=False).digest, "log"),
        (lambda: fracas.run(FIRST).story("everything"), "detail"),
        (lambda: fracas.entries("squads", "unit"), "kind"),
    ],
)
def test_a_wrong_argument_is_a_usage_error_that_names_it(call, where):
    with pytest.raises(UsageError) as caught:
        call()
    assert [problem.where for problem in caught.value.problems] == [where]
    assert "--" not in str(caught.value)


def test_a_hint_names_what_python_calls_the_option():
    with pytest.raises(InputError) as caught:
        fracas.run({"ruleset": "squads", "sides": [{"units": ["nobody"]}, {"units": ["scout"]}]})
    [problem] = caught.value.problems
    assert problem.suggestion == "add your own content with content=[DIR]"
    assert not isinstance(caught.value, UsageError)


def test_a_file_named_like_an_option_keeps_its_name(tmp_path):
    path = tmp_path / "a --seed b.toml"
    path.write_text("x = = 1")
    with pytest.raises(InputError) as caught:
        fracas.load(path)
    assert caught.value.problems[0].where == f"{path}:1"


@pytest.mark.parametrize("source", ["nowhere.toml", {"ruleset": "squads"}, {"ruleset": "squads", "sides": []}])
def test_a_wrong_file_is_no_usage_error(source):
    with pytest.raises(InputError) as caught:
        fracas.load(source)
    assert not isinstance(caught.value, UsageError)


def test_what_one_argument_says_of_another_is_in_pythons_words_too():
    with pytest.raises(UsageError, match="n, precision and simulate ask for a simulation"):
        fracas.odds(FIRST, budget=3, n=4)


@pytest.mark.parametrize(
    ("where", "file", "path"),
    [
        ("mine.toml: sides.0.units.1", "mine.toml", "sides.0.units.1"),
        ("mine.toml:7", "mine.toml", None),
        ("mine.toml", "mine.toml", None),
        ("folder/mine", "folder/mine", None),
        ("scenario: sides", "scenario", "sides"),
        ("threads", None, "threads"),
        ("worker tcp://here:8786", None, "worker tcp://here:8786"),
        ("--threads", None, "--threads"),
        ("--scheduler tcp://127.0.0.1:8786", None, "--scheduler tcp://127.0.0.1:8786"),
        ("--out a/world.txt", None, "--out a/world.txt"),
        ("--cost a: b", None, "--cost a: b"),
        ("", None, None),
    ],
)
def test_a_problem_gives_file_and_path_apart(where, file, path):
    problem = Problem(where, "is wrong")
    assert (problem.file, problem.path) == (file, path)


def test_an_error_of_a_file_names_the_file_itself():
    missing = Path("a folder") / "mine: yours.toml"
    with pytest.raises(InputError) as caught:
        fracas.load(missing)
    assert str(missing) in str(caught.value)


def test_errors_can_be_pickled():
    error = UsageError([Problem("n", "is wrong", "write 3")])
    assert pickle.loads(pickle.dumps(error)).problems == error.problems
