from typing import Annotated

import pytest
from pydantic import Tag

from fracas.content.text_or_list import LIST, TEXT, text_or_list
from fracas.content.validate import Model, validate
from fracas.errors import InputError


class Team(Model):
    members: Annotated[Annotated[str, Tag(TEXT)] | Annotated[list[int], Tag(LIST)], text_or_list("a list of members")]


@pytest.mark.parametrize("members", ["all", [1, 2]])
def test_a_text_and_a_list_are_both_right(members):
    assert validate(Team, {"members": members}, "team").members == members


def test_what_is_neither_is_told_once():
    with pytest.raises(InputError) as raised:
        validate(Team, {"members": 3}, "team")
    assert [str(problem) for problem in raised.value.problems] == [
        "team: members: 3 is neither a string nor a list of members"
    ]


def test_a_list_is_only_checked_as_a_list():
    with pytest.raises(InputError) as raised:
        validate(Team, {"members": ["one"]}, "team")
    assert [problem.where for problem in raised.value.problems] == ["team: members.0"]
