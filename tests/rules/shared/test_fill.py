"""Records are filled from models by the names of their fields."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from fracas.content.validate import Model
from fracas.content.word_types import OneOf
from fracas.rulesets.shared.fill import fill


class Fighter(Model):
    name: str
    hp: int
    stance: Literal["calm", "wild"]
    is_quick: bool
    shield: int | None = None
    tier: Annotated[str, OneOf(("minor", "major"))] | None = None


def test_numbers_truths_and_words_of_a_list_go_into_the_fields_of_their_names():
    record = np.zeros(1, [("max_hp", "i8"), ("stance", "i8"), ("is_quick", "i8"), ("shield", "i8"), ("other", "i8")])[0]
    record["shield"] = record["other"] = 7
    fill(record, Fighter(name="Ann", hp=12, stance="wild", is_quick=True), {"hp": "max_hp"})
    # What is absent and what the model does not say stay as they were.
    assert record.tolist() == (12, 1, 1, 7, 7)


def test_a_name_of_a_code_table_is_written_as_its_place():
    record = np.zeros(1, [("tier", "i8")])[0]
    fill(record, Fighter(name="Ann", hp=12, stance="wild", is_quick=True, tier="major"))
    assert record["tier"] == 1
    fill(record, Fighter(name="Ann", hp=12, stance="wild", is_quick=True))
    assert record["tier"] == 1
