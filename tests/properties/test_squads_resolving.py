"""Resolving is idempotent: what is resolved is a valid scenario that resolves to itself and compiles the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from tests.helpers.strategies import checked, scenarios

from fracas import load
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Source

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "squads").glob("*.toml"))


def resolved(document: dict[str, Any]) -> dict[str, Any]:
    return registry.get("squads").resolve(document, Source("test")).document


@checked
@given(document=scenarios())
def test_resolving_what_is_resolved_changes_nothing(document: dict[str, Any]) -> None:
    once = resolved(document)
    assert resolved(once) == once


@pytest.mark.parametrize("profile", ["classic", "tuned", "legacy"])
def test_every_opponent_strategy_and_modifier_survives_resolving_twice(profile: str) -> None:
    library = registry.get("squads").read_library(profile, ())
    for opponent in library.of("opponents"):
        for modifier in (None, *library.of("modifiers")):
            document = {"ruleset": "squads", "profile": profile, "modifier": modifier}
            once = resolved(document | {"sides": [{"opponent": opponent}, {"opponent": opponent}]})
            assert resolved(once) == once


def test_a_resolver_that_renames_again_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A negative control: numbering that does not look whether it is needed."""
    document = load(EXAMPLES[0]).document
    monkeypatch.setattr("fracas.content.references.numbered", lambda name, taken: f"{name}-2")
    assert resolved(document) != document
