"""Two things that are shown under one name cannot be told apart: every ruleset's linting says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.contract.test_every_ruleset import example_files, ruleset_of

from fracas.files.read import read_document
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Finding, Source

# A kind of entries that scenarios may have of their own, and that are shown by name.
KINDS = {"squads": "abilities", "delve": "skills", "stacks": "types", "relics": "items", "titans": "abilities"}


def alike(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(each.where, each.message) for each in findings if each.rule == "same-name"]


def first_of(name: str) -> Any:
    return next(iter(ruleset_of(name).read_library(None, []).of(KINDS[name]).values()))


def written(entry: Any, identifier: str) -> dict[str, Any]:
    return {**entry.model_dump(mode="json", by_alias=True, exclude_defaults=True), "id": identifier}


@pytest.mark.parametrize("name", registry.NAMES)
def test_what_ships_can_be_told_apart(name: str) -> None:
    assert alike(ruleset_of(name).lint_content()) == []


@pytest.mark.parametrize("name", registry.NAMES)
def test_an_entry_of_a_file_may_not_be_shown_under_a_name_that_there_is(name: str) -> None:
    entry, kind = first_of(name), KINDS[name]
    document = {kind: [written(entry, "first_of_mine"), {**written(entry, "second_of_mine"), "name": "Mine"}]}
    document[kind].append({**written(entry, "third_of_mine"), "name": "MINE"})
    found = alike(ruleset_of(name).lint_file("content", document, Source("mine.toml")))
    told = 'has the same displayed name as "{}", so players cannot tell them apart'
    assert found == [
        (f"mine.toml: {kind}.first_of_mine.name", told.format(entry.id)),
        (f"mine.toml: {kind}.third_of_mine.name", told.format("second_of_mine")),
    ]


@pytest.mark.parametrize("name", registry.NAMES)
def test_nor_may_an_entry_of_a_scenario(name: str) -> None:
    entry, kind, path = first_of(name), KINDS[name], example_files(name)[0]
    document = read_document(path)
    document[kind] = {**document.get(kind, {}), "mine": written(entry, "mine")}
    found = alike(ruleset_of(name).lint(document, Source("duel", Path(path).parent)))
    assert [where for where, _ in found] == [f"duel: {kind}.mine.name"]
