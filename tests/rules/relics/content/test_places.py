"""The pieces of a build are found in tables, valid or not, and in models alike."""

from __future__ import annotations

from typing import Any

import pytest

from fracas.content.validate import validate
from fracas.rulesets.relics.content.models.fighters import BuildFile
from fracas.rulesets.relics.content.places import PLACES, pieces_of, worn_in, worn_pieces

BUILD: dict[str, Any] = {"weapon": "boomstick", "items": ["horned_helm", "iceblock_shield"]}


@pytest.mark.parametrize("build", [BUILD, validate(BuildFile, BUILD, "build")], ids=["a table", "a model"])
def test_pieces_come_in_firing_order_with_their_paths(build: Any) -> None:
    assert list(pieces_of(build, "left.")) == [
        ("left.weapon", "weapon", "boomstick"),
        ("left.items.0", "items", "horned_helm"),
        ("left.items.1", "items", "iceblock_shield"),
    ]
    assert worn_pieces(build) == ["boomstick", "horned_helm", "iceblock_shield"]


def test_what_is_no_list_of_pieces_is_empty() -> None:
    assert worn_in({"items": "horned_helm", "food": {"id": "cake"}}, "items") == []
    assert worn_pieces({"items": "horned_helm", "food": {"id": "cake"}}) == []


def test_the_first_pieces_of_places_leave_room_for_those_before() -> None:
    places = list(PLACES.values())
    assert [place.first + place.room for place in places[:-1]] == [place.first for place in places[1:]]
