"""The Python API called wrongly: always an InputError that says which argument it is, never a bare error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers.scenarios import EXAMPLES, duel, loaded, problems_of

import fracas

FIRST = EXAMPLES / "first-battle.toml"


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"seed": 5}, "seed"),
        ({"profile": 5}, "profile"),
        ({"content": "abc"}, "content"),
        ({"content": [5]}, "content[0]"),
        ({"plugins": Path("stage.py")}, "plugins"),
        ({"overrides": "sides.0.units.0.attack=4"}, "overrides"),
        ({"overrides": [4]}, "overrides[0]"),
    ],
)
def test_loading(options, where):
    [problem] = problems_of(fracas.load, FIRST, **options)
    assert problem.where == where


@pytest.mark.parametrize("source", [5, None, ["a.toml"], b"a.toml"])
def test_what_is_no_source(source):
    for call in (fracas.load, fracas.run, fracas.simulate):
        assert problems_of(call, source)[0].where == "source"


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"seed": 5}, "seed"),
        ({"stream": 1.0}, "stream"),
        ({"stream": "1"}, "stream"),
        ({"stream": True}, "stream"),
    ],
)
def test_running(options, where):
    for source in (FIRST, loaded()):
        [problem] = problems_of(fracas.run, source, **options)
        assert problem.where == where


def test_a_stream_may_be_a_number_of_an_array():
    number: Any = np.int64(3)
    assert fracas.run(loaded(), stream=3).digest == fracas.run(loaded(), stream=number).digest


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"n": 10.0}, "n"),
        ({"n": "10"}, "n"),
        ({"n": True}, "n"),
        ({"precision": "1%"}, "precision"),
        ({"precision": True}, "precision"),
        ({"threads": 2.0}, "threads"),
        ({"out": 5}, "out"),
        ({"seed": b"x"}, "seed"),
    ],
)
def test_simulating(options, where):
    [problem] = problems_of(fracas.simulate, loaded(), **options)
    assert problem.where == where


@pytest.mark.parametrize(
    ("scenarios", "options", "where"),
    [
        (str(FIRST), {}, "scenarios"),
        (FIRST, {}, "scenarios"),
        (duel(), {}, "scenarios"),
        (5, {}, "scenarios"),
        ([FIRST, FIRST], {"seeds": "ab"}, "seeds"),
        ([FIRST, FIRST], {"seeds": ["a", 5]}, "seeds[1]"),
        ([FIRST], {"threads": "2"}, "threads"),
    ],
)
def test_running_many(scenarios: Any, options, where):
    [problem] = problems_of(fracas.run_many, scenarios, **options)
    assert problem.where == where


def test_running_many_is_not_confused_by_one_scenario():
    assert problems_of(fracas.run_many, loaded())[0].where == "scenarios"


def test_verifying():
    assert problems_of(fracas.verify, 5)[0].where == "replay"
    assert problems_of(fracas.verify, "battle.json", plugins="stage.py")[0].where == "plugins"


def test_a_detail_that_is_none_is_told_with_the_nearest():
    for call in (fracas.run(loaded()).story, fracas.run(loaded()).lines):
        [problem] = problems_of(call, "storry")
        assert (problem.where, problem.suggestion) == ("detail", 'did you mean "story"?')
        assert problems_of(call, 5)


def test_battles_and_results_can_be_compared_and_kept_in_sets():
    first, second = fracas.run(loaded()), fracas.run(loaded())
    assert first == first
    assert first != second
    assert len({first, second}) == 2
    results = fracas.simulate(loaded(), n=5)
    assert results != fracas.simulate(loaded(), n=5)
    assert len({results}) == 1
