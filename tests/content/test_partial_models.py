"""A model in which fields of another may be left out."""

from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import Field

from fracas.content.partial_models import partial
from fracas.content.validate import Model, validate
from fracas.errors import InputError


class Numbers(Model):
    id: str
    hp: Annotated[int, Field(ge=1, le=9)]
    """Full HP."""
    class_: Annotated[str, Field(alias="class")]


@partial("id")
class Entry(Numbers):
    note: str = ""


def test_all_fields_but_the_needed_ones_may_be_absent():
    assert validate(Entry, {"id": "ann", "class": "mage"}, "here") == Entry.model_validate(
        {"id": "ann", "class": "mage", "hp": None}
    )
    with pytest.raises(InputError, match="id"):
        validate(Entry, {"hp": 3}, "here")


def test_bounds_and_texts_are_those_of_the_declaration_which_stays_as_it_is():
    with pytest.raises(InputError, match="hp"):
        validate(Entry, {"id": "ann", "hp": 10}, "here")
    schema = Entry.model_json_schema()
    assert schema["required"] == ["id"]
    assert schema["properties"]["hp"]["description"] == "Full HP."
    assert Numbers.model_json_schema()["required"] == ["id", "hp", "class"]
