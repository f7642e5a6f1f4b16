"""Reading and editing resolved documents by path."""

from __future__ import annotations

from typing import Any

import pytest

from fracas.content.document_edits import get_path, with_value

DOCUMENT: dict[str, Any] = {"name": "duel", "sides": [{"units": [{"hp": 5, "tags": []}]}], "none": None}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("name", "duel"),
        ("sides.0.units.0.hp", 5),
        ("sides.0.units.0.tags", []),
        ("sides.1", None),
        ("sides.-1", None),
        ("sides.first", None),
        ("sides.0.units.0.hp.more", None),
        ("name.0", None),
        ("none.more", None),
        ("no.such.path", None),
        ("", DOCUMENT),
    ],
)
def test_a_path_leads_to_its_value_or_to_none(path, value):
    assert get_path(DOCUMENT, path.split(".") if path else []) == value


def test_removing_what_is_not_there_changes_nothing():
    for path in ("sides.7", "sides.0.units.0.armor", "name.0"):
        assert with_value(DOCUMENT, path.split("."), None) is DOCUMENT


def test_a_changed_copy_leaves_the_original_alone():
    changed = with_value(DOCUMENT, ["sides", "0", "units", "0", "hp"], 9)
    assert (get_path(changed, ["sides", "0", "units", "0", "hp"]), DOCUMENT["sides"][0]["units"][0]["hp"]) == (9, 5)
    assert "hp" not in with_value(DOCUMENT, ["sides", "0", "units", "0", "hp"], None)["sides"][0]["units"][0]
