"""Documents are put in order and measured in one walk each, whatever somebody hands over."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from tests.helpers.scenarios import problems_of

from fracas.content.canonical import canonical
from fracas.files.read import DEEPEST_NESTING, MOST_VALUES, _is_clearly_fit, refuse_unfit


class Text(str):
    """A text of a program's own kind."""

    __slots__ = ()


def nested(depth: int) -> Any:
    document: Any = {"end": 1}
    for _ in range(depth):
        document = [document]
    return {"deep": document}


def shared(wide: int, deep: int) -> Any:
    """Little in memory, and more values than anybody could look at."""
    part: Any = [0] * wide
    for _ in range(deep):
        part = [part] * wide
    return {"shared": part}


def circle() -> Any:
    document: dict[str, Any] = {}
    document.update(itself=document, again=document)
    return document


FIT = [{}, {"a": [1, 2.5, True, None, "x"], "b": {"c": {}}}, {"ü": "ö", "n": 2**63 - 1}, nested(DEEPEST_NESTING - 2)]
CLOSER = [{"d": date(2026, 1, 1)}, {1: 2}, {"t": (1, 2)}, {"n": 10**100}, {Text("a"): Text("b")}]
UNFIT = [
    {"a": "\ud800"},
    {"\ud800": 1},
    {"n": 10**4300},
    nested(DEEPEST_NESTING + 1),
    {"many": [0] * MOST_VALUES},
    shared(100, 6),
    circle(),
]


@pytest.mark.parametrize("document", [*FIT, *CLOSER], ids=range(len(FIT + CLOSER)))
def test_what_a_file_could_hold_is_fit(document):
    refuse_unfit(document, "here")


@pytest.mark.parametrize("document", UNFIT, ids=range(len(UNFIT)))
def test_what_no_file_could_hold_is_refused(document):
    assert not _is_clearly_fit(document)
    assert problems_of(refuse_unfit, document, "here")[0].where.startswith("here")


def test_the_quick_look_is_enough_for_plain_documents():
    assert [_is_clearly_fit(each) for each in FIT] == [True, True, False, True]


def test_keys_are_sorted_and_nothing_else_changes():
    document = {"b": [{"d": 1, "c": (2, 1)}, [[], {}]], "a": Text("x"), "": None}
    ordered = canonical(document)
    assert ordered == document
    assert json.dumps(ordered) == '{"": null, "a": "x", "b": [{"c": [2, 1], "d": 1}, [[], {}]]}'
    assert type(ordered["b"][0]["c"]) is tuple
    document["b"][0]["d"] = 3  # type: ignore[index]
    assert ordered["b"][0]["d"] == 1
    assert list(canonical({10: 1, 9: 2, "1": 3})) == ["1", 10, 9]
    assert list(canonical({10: 1, 9: 2})) == [10, 9]
