"""What ships, from Python: entries of the content, JSON Schemas, events as a table."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import polars
import pytest
from tests.helpers import soak
from tests.helpers.commands import Command, call
from tests.helpers.scenarios import EXAMPLES

import fracas
from fracas.rulesets import registry


@pytest.fixture
def fracas_cli(capsys) -> Command:
    return partial(call, capsys)


@pytest.mark.parametrize("name", registry.NAMES)
def test_entries_are_those_that_the_program_lists(fracas_cli, name):
    listed = fracas_cli("content", "list", name, "--format", "json").json
    found = fracas.entries(name)
    assert {kind: list(entries.values()) for kind, entries in found.items()} == listed
    assert all(fracas.entries(name, kind) == entries for kind, entries in found.items())


@pytest.mark.parametrize(
    ("name", "kind"),
    soak.some([(name, kind) for name in registry.NAMES for kind in ("scenario", "content", "replay", "roster")], 7),
)
def test_a_schema_is_the_one_that_the_program_prints(fracas_cli, name, kind):
    assert fracas.schema(name, kind) == fracas_cli("content", "schema", name, kind).json


def test_entries_of_a_folder_of_ones_own(tmp_path):
    (tmp_path / "units.toml").write_text(
        '[[units]]\nid = "scout"\nname = "Grey Scout"\nclass = "ranger"\nhp = 90\nattack = 30\ndefense = 5\nspeed = 9\n'
    )
    assert fracas.entries("squads", "units", content=[tmp_path])["scout"]["name"] == "Grey Scout"


def known(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value is not None}


@pytest.mark.parametrize("file", ["squads/first-battle", "delve/goblin-warrens", "relics/first-duel"])
def test_events_as_a_table(file):
    battle = fracas.run(EXAMPLES.parent / f"{file}.toml")
    table = battle.table()
    assert isinstance(table, polars.DataFrame)
    assert table.columns[:3] == ["tick", "kind", "when"]
    rows = [
        {key: value for key, value in row.items() if value is not None and key != "when"} for row in table.to_dicts()
    ]
    said = [{key: value for key, value in event.as_json().items() if value is not None} for event in battle.events]
    assert rows == json.loads(json.dumps(said))
