"""What the rulesets' answers to the lab share: paths, bounds, tallies of event rows."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pytest
from pydantic import Field

from fracas.content.document_edits import bring_along, free_name, get_path, merged, with_value
from fracas.content.model_limits import bounds
from fracas.content.validate import Model
from fracas.rulesets.contract.analysis import AnalysisHooks, Dimension, dimension_over
from fracas.rulesets.shared.event_totals import EventTotals, last_index_by_key, latest, take_or

Stat = Annotated[int, Field(ge=1, le=9)]


class Numbers(Model):
    plain: Stat
    maybe: Stat | None = None
    named: Annotated[int, Field(ge=-5, le=5, alias="called")] = 0
    nested: Annotated[Stat | None, Field(description="x")] = None
    open: int = 0


@pytest.mark.parametrize(
    ("key", "wanted"), [("plain", (1, 9)), ("maybe", (1, 9)), ("called", (-5, 5)), ("nested", (1, 9))]
)
def test_bounds_are_those_of_the_model(key: str, wanted: tuple[int, int]) -> None:
    assert bounds(Numbers, key) == wanted


@pytest.mark.parametrize("key", ["open", "nobody"])
def test_without_bounds_there_are_none(key: str) -> None:
    with pytest.raises(KeyError, match=key):
        bounds(Numbers, key)


DOCUMENT: dict[str, Any] = {"a": [{"b": 1}, {"b": 2}], "c": {"d": 3}}


@pytest.mark.parametrize(
    ("path", "value", "wanted"),
    [
        (("a", "1", "b"), 7, {"a": [{"b": 1}, {"b": 7}], "c": {"d": 3}}),
        (("c", "e", "f"), 7, {"a": [{"b": 1}, {"b": 2}], "c": {"d": 3, "e": {"f": 7}}}),
        (("c", "d"), None, {"a": [{"b": 1}, {"b": 2}], "c": {}}),
        (("c", "x", "y"), None, DOCUMENT),
        (("a",), [], {"a": [], "c": {"d": 3}}),
    ],
)
def test_a_value_is_placed_in_a_copy(path: tuple[str, ...], value: Any, wanted: dict[str, Any]) -> None:
    before = repr(DOCUMENT)
    assert with_value(DOCUMENT, path, value) == wanted
    assert repr(DOCUMENT) == before
    assert get_path(wanted, path) == value


def test_what_is_there_stays_when_something_is_brought() -> None:
    assert merged({"a": {"x": 1}}, {"a": {"x": 2, "y": 3}, "b": 4}) == {"a": {"x": 1, "y": 3}, "b": 4}


def test_a_name_gets_the_first_free_number() -> None:
    assert free_name("rat", ["cat"]) == "rat"
    assert free_name("rat", ["rat", "rat-2"]) == "rat-3"
    assert free_name("x" * 80, ["x" * 80]) == "x" * 62 + "-2"


@pytest.mark.parametrize(
    ("there", "wanted"),
    [
        ({}, "heal"),
        ({"heal": {"id": "heal", "power": 1}}, "heal"),
        ({"heal": {"id": "heal", "power": 2}}, "heal-2"),
        ({"heal": {"id": "heal", "power": 2}, "heal-2": {"id": "heal-2", "power": 3}}, "heal-3"),
        ({"heal": {"id": "heal", "power": 2}, "cure": {"id": "cure", "power": 1}}, "cure"),
    ],
)
def test_another_entry_under_the_same_name_gets_another_name(there: dict[str, Any], wanted: str) -> None:
    bundle = bring_along({"heal": {"id": "heal", "power": 1}}, there, ["heal"])
    assert bundle.names == {"heal": wanted}
    assert bundle.entries == {wanted: {"id": wanted, "power": 1}}


# Tallies.


def test_the_latest_row_of_which_something_holds() -> None:
    assert latest(np.array([False, True, False, True, False])).tolist() == [-1, 1, 1, 3, 3]
    assert latest(np.zeros(0, bool)).tolist() == []


def test_the_latest_row_with_the_same_key() -> None:
    where = np.array([True, False, True, False, False, True])
    key = np.array([1, 2, 2, 1, 2, 1])
    assert last_index_by_key(where, key).tolist() == [0, -1, 2, 0, 2, 5]
    assert last_index_by_key(where, key, before=True).tolist() == [-1, -1, -1, 0, 2, 0]
    assert last_index_by_key(np.zeros(0, bool), np.zeros(0, int)).tolist() == []


def test_values_are_taken_from_places() -> None:
    assert take_or(np.array([1, -1, 0]), np.array([5, 6, 7])).tolist() == [6, -1, 5]
    assert take_or(np.zeros(0, int), np.zeros(0, int)).tolist() == []


def test_a_tally_sums_by_unit_and_ability_and_counts_nobody_nowhere() -> None:
    tally = EventTotals(units=2, abilities=2)
    unit, ability = np.array([0, 1, 1, -1, 0]), np.array([0, 1, 1, 0, -1])
    tally.add("damage", np.array([True, True, True, True, True]), unit, ability, np.array([1, 2, 3, 4, 5]))
    tally.add("uses", np.array([True, False, True, False, False]), unit, ability)
    found = list(tally.contributions([(0, 1, "Ann"), (1, 2, "Bob")], ["hit", "kick"], [(0, 1)]))
    assert [(each.side, each.unit, each.ability, dict(each.amounts)) for each in found] == [
        (1, "Ann", "kick", {"damage": 0, "uses": 0}),
        (1, "Ann", "", {"damage": 5, "uses": 0}),
        (1, "Ann", "hit", {"damage": 1, "uses": 1}),
        (2, "Bob", "kick", {"damage": 5, "uses": 1}),
    ]


# Knobs.


def test_a_knob_has_the_present_value_once() -> None:
    known = dimension_over("n", "p", ("a",), 2, [1, 2], str)
    assert (known.values, known.labels, known.current) == ([1, 2], ["1", "2"], 1)
    other = dimension_over("n", "p", ("a",), 9, [1, 2], str)
    assert (other.values, other.labels, other.current) == ([9, 1, 2], ["9", "1", "2"], 0)


def test_a_turned_knob_brings_what_its_value_needs() -> None:
    knob = Dimension("n", "p", ("unit",), ["a", "b"], ["a", "b"], 0, requires=[{}, {"skills": {"b": 1, "c": 2}}])
    document = {"unit": "a", "skills": {"c": 3}}
    assert AnalysisHooks("chess").with_choices(document, [(knob, 1)]) == {"unit": "b", "skills": {"b": 1, "c": 3}}
    assert AnalysisHooks("chess").with_choices(document, [(knob, 0)]) == document
