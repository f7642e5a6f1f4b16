"""Entries of a document's own go by their ids."""

from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import model_validator

from fracas.content.keyed_entries import keys_are_ids
from fracas.content.validate import Keyed, Model, validate
from fracas.errors import InputError


class Unit(Model):
    id: str


class Document(Model):
    units: Annotated[dict[str, Unit], Keyed(Unit)]

    _units_go_by_their_ids = model_validator(mode="after")(keys_are_ids("units", "others"))


def test_a_key_is_the_id() -> None:
    assert validate(Document, {"units": {"ann": {}, "bob": {"id": "bob"}}}, "f").units["ann"].id == "ann"


def test_another_id_is_refused() -> None:
    with pytest.raises(InputError, match=r'units\.ann has the id "bob"; both must be the same'):
        validate(Document, {"units": {"ann": {"id": "bob"}}}, "f")
