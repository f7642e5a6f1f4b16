"""Resolving is idempotent for delve too: what is resolved resolves to itself and compiles the same."""

from __future__ import annotations

import numpy as np
import pytest
from tests.helpers.soak import times

from fracas.rulesets import registry
from fracas.rulesets.contract.types import Document, Source

RULESET = registry.get("delve")
RANDOM_SCENARIOS = times(20)


def resolved(document: Document) -> Document:
    return RULESET.resolve(document, Source("test")).document


@pytest.mark.parametrize("first", range(0, RANDOM_SCENARIOS, 20))
def test_resolving_what_is_resolved_changes_nothing(first: int) -> None:
    for number in range(first, first + 20):
        once = resolved(RULESET.random_scenario(number))
        again = resolved(once)
        assert again == once, f"random scenario {number}"
        assert np.array_equal(RULESET.compile(again, {}).record, RULESET.compile(once, {}).record)


def test_a_resolver_that_renames_again_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A negative control: numbering that does not look whether it is needed."""
    once = resolved(RULESET.random_scenario(0))
    monkeypatch.setattr("fracas.content.references.numbered", lambda name, taken: f"{name}-2")
    assert resolved(once) != once
