"""The tables of the rulesets: what they name is there, for events change and a table is only text."""

from __future__ import annotations

import pytest
from tests.helpers.player import tables

from fracas.portable import artefacts
from fracas.rulesets import registry


@pytest.fixture(scope="module")
def named():
    return tables()


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_every_kind_and_field_of_a_table_is_one_of_its_events(named, ruleset):
    kinds = {
        kind["name"]: {"tick", *(field["name"] for field in kind["fields"])}
        for kind in artefacts.layout(ruleset)["events"]
    }
    table = named[ruleset]
    assert set(table["kinds"]) <= set(kinds)
    assert set(table["joined"]) <= set(kinds)
    unknown = {kind: set(fields) - kinds[kind] for kind, fields in table["kinds"].items()}
    assert not {kind: fields for kind, fields in unknown.items() if fields}
    assert table["cast"] in {
        field.get("book") for kind in artefacts.layout(ruleset)["events"] for field in kind["fields"]
    }
