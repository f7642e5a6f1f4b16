"""What is said about values that are none of those that may stand somewhere, be these texts or numbers."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from fracas.content.validate import Model, validate
from fracas.errors import InputError


class Settings(Model):
    """A model with every kind of choice."""

    size: Literal[1, 2, -3] = 1
    only: Literal[7] = 7
    word: Literal["large", "small"] = "small"


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"size": 5}, "where: size: 5 is not one of 1, 2 or -3"),
        ({"size": "1"}, 'where: size: "1" is not one of 1, 2 or -3'),
        ({"only": 8}, "where: only: 8 is not one of 7"),
        ({"word": 3}, "where: word: 3 is not one of large or small"),
        ({"word": "smalll"}, 'where: word: "smalll" is not one of large or small (did you mean "small"?)'),
    ],
)
def test_a_value_that_is_none_of_the_accepted_ones_is_told_with_them(document: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as refused:
        validate(Settings, document, "where")
    assert str(refused.value) == said


def test_an_accepted_value_is_taken() -> None:
    assert validate(Settings, {"size": -3, "word": "large"}, "where") == Settings(size=-3, word="large")
