"""Two functions of a user's compile to the same only if nothing that they read differs."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from fracas.kernel.dice import word
from fracas.kernel.function_identity import identity

SOURCE = """
def helped(value):
    return value * SCALE

def stage(value, extra={default}):
    inner = lambda: OTHER
    return helped(value) + {body} + inner()
"""


def stage(body: str = "1", default: str = "0", **names: Any) -> Any:
    space: dict[str, Any] = {"__name__": "mine", "SCALE": 2, "OTHER": 3, **names}
    exec(SOURCE.format(body=body, default=default), space)
    return space["stage"]


def test_a_function_that_is_read_again_is_the_same():
    assert identity(stage()) == identity(stage()) is not None


DIFFERENT = {
    "as it was": stage(),
    "its code": stage("2"),
    "its default": stage(default="1"),
    "a number of a function that it calls": stage(SCALE=3),
    "the same as another kind of number": stage(SCALE=2.0),
    "a truth value": stage(SCALE=True),
    "a number of a function inside": stage(OTHER=4),
    "a tuple": stage("N[0]", N=(1, 2)),
    "a longer tuple": stage("N[0]", N=(1, 2, 3)),
    "a number of NumPy's": stage("N", N=np.int32(1)),
    "a wider number of NumPy's": stage("N", N=np.int64(1)),
    "a kernel": stage("N", N=word),
    "a module": stage("N.pi", N=math),
}


def test_whatever_it_reads_makes_a_difference():
    found = {name: identity(function) for name, function in DIFFERENT.items()}
    assert [name for name, value in found.items() if value is None] == []
    assert [pair for pair in itertools.combinations(found, 2) if found[pair[0]] == found[pair[1]]] == []


@pytest.mark.parametrize("value", [[1], {"a": 1}, pytest, np.zeros(2), object(), (1, [2]), itertools.count()])
def test_of_what_may_hold_anything_it_cannot_be_told(value):
    assert identity(stage("N", N=value)) is None
    assert identity(value) is None or isinstance(value, tuple)


def test_functions_that_call_each_other_have_an_end():
    space: dict[str, Any] = {"__name__": "mine"}
    exec("def even(n):\n    return n == 0 or odd(n - 1)\ndef odd(n):\n    return n != 0 and even(n - 1)", space)
    assert identity(space["even"]) != identity(space["odd"])
