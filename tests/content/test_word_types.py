"""Texts that are names of a code table are checked and documented like Literals."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest

from fracas.content.validate import Model, validate
from fracas.content.word_types import OneOf, names_of
from fracas.errors import InputError


class Marked(Model):
    tier: Annotated[str, OneOf(("minor", "major"))]
    name: str = ""


class Others(Model):
    absent: Annotated[str, OneOf(("minor", "major"))] | None
    several: list[Annotated[str, OneOf(("minor", "major"))]]


class Literally(Model):
    tier: Literal["minor", "major"]
    name: str = ""


def test_the_schema_is_that_of_a_literal() -> None:
    assert Marked.model_json_schema()["properties"] == Literally.model_json_schema()["properties"]


@pytest.mark.parametrize("model", [Marked, Literally])
def test_another_word_is_refused_with_the_nearest(model: type[Model]) -> None:
    with pytest.raises(InputError) as caught:
        validate(model, {"tier": "mayor"}, "f")
    [problem] = caught.value.problems
    assert (problem.message, problem.suggestion) == ('"mayor" is not one of minor or major', 'did you mean "major"?')


def test_the_names_of_a_field() -> None:
    assert names_of(Marked, "tier") == ("minor", "major")
    assert names_of(Literally, "tier") == ("minor", "major")
    assert names_of(Marked, "name") == ()
    assert names_of(Others, "absent") == ("minor", "major")
    assert names_of(Others, "several") == ()
