"""Documents as TOML that says the same when it is read."""

from __future__ import annotations

import datetime
import tomllib
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as any_of
from tests.helpers.guards import ROOT

import fracas
from fracas.files.toml_writer import toml_text, with_values
from fracas.rulesets.contract.types import Source

SCENARIOS = [ROOT / "examples" / name for name in (
    "squads/standard-5v5.toml", "relics/first-duel.toml", "titans/standard.toml", "delve/standard-4v4.toml",
    "stacks/first-attack.toml",
)]  # fmt: skip


def without_nothing(value: Any) -> Any:
    """A value without the keys that have none."""
    if isinstance(value, dict):
        return {key: without_nothing(each) for key, each in value.items() if each is not None}
    return [without_nothing(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.parent.name)
def test_a_resolved_scenario_says_the_same(path):
    scenario = fracas.load(path)
    read = tomllib.loads(toml_text(scenario.document))
    assert read == without_nothing(scenario.document)
    assert scenario.ruleset.resolve(read, Source("x")).document == scenario.document


LEAVES = any_of.one_of(
    any_of.booleans(),
    any_of.integers(-(2**63), 2**63 - 1),
    any_of.floats(allow_nan=False),
    any_of.text(),
    any_of.dates(),
)
VALUES = any_of.recursive(
    LEAVES,
    lambda inner: any_of.one_of(any_of.lists(inner, max_size=3), any_of.dictionaries(any_of.text(), inner, max_size=3)),
    max_leaves=12,
)


DOCUMENTS = any_of.dictionaries(any_of.text(), VALUES, max_size=4)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(DOCUMENTS)
@example({"0" * 116: {}})
def test_any_document_says_the_same(document):
    assert tomllib.loads(toml_text(document)) == document


@pytest.mark.parametrize(
    ("document", "text"),
    [
        ({"a": 1, "b": {"c": "x"}}, 'a = 1\nb = { c = "x" }\n'),
        ({"b": {"c": [{"d": 1}]}}, "[[b.c]]\nd = 1\n"),
        ({"b": {"c": {"d": {"e": [1]}}}, "a": None}, "[b.c.d]\ne = [1]\n"),
        ({"two words": datetime.date(2026, 1, 2), "e": {}}, '"two words" = 2026-01-02\ne = {}\n'),
    ],
)
def test_it_looks_as_people_write_it(document, text):
    assert toml_text(document) == text


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(DOCUMENTS, DOCUMENTS)
@example({"a": [{}]}, {"a": [False]})
@example({"a": [1, 2]}, {"a": [{}, {"b": [1]}]})
@example({"a": {"b": [{}]}}, {"a": {}})
@example({}, {"a": [{"b": None, "c": {"d": None}}]})
@example({"a": [{"b": 1}, {}], "c": {"d": [{"e": [1]}]}}, {"a": [{"b": 2}, 3], "c": {"d": [[1]]}})
def test_a_file_is_changed_into_any_other_and_says_it(before, after):
    assert tomllib.loads(with_values(toml_text(before), after)) == without_nothing(after)


def test_what_does_not_change_stays_as_it_was_written():
    text = "# head\na = 1  # one\n\n[b]   # table\nc = [ 1,\n  2 ] # list\n"
    assert with_values(text, {"a": 1, "b": {"c": [1, 2]}}) == text
    assert with_values(text, {"a": True, "b": {"c": [1.0, 2]}}) == text.replace("= 1 ", "= true ").replace(
        " 1,", " 1.0,"
    )
    assert with_values(text, {"a": 1, "b": {"c": [1, 3]}}) == text.replace("  2 ]", "  3 ]")
    assert with_values(text, {"a": 1, "b": {}}) == "# head\na = 1  # one\n\n[b]   # table\n"
