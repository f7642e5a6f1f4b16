"""The story of a war, from its matches alone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.server.arena.wars.story import Meeting, running_points, told

GUILDS = ("Lanterns", "Foxes")


def meetings(outcomes: str) -> list[Meeting]:
    """Matches of ann against bob, by who won: a, b, = for a draw, - for none that could be fought."""
    worth = {"a": (2, 0), "b": (0, 2), "=": (1, 1), "-": (0, 0)}
    return [Meeting(("ann", "bob"), worth[each]) for each in outcomes]


def story(outcomes: str, count: int | None = None) -> list[str]:
    return [each.text for each in told(GUILDS, meetings(outcomes), count or len(outcomes))]


TOLD = [
    ("aaba", "Lanterns beat Foxes 3 : 1 in 4 matches."),
    ("aaba", "In match 1 ann beat bob, and Lanterns led from there to the end."),
    ("aaba", "The last match decided it: ann beat bob."),
    ("==b=", "After 2 matches both were level. In match 3 bob beat ann, and Foxes led from there to the end."),
    ("abba", "Lanterns and Foxes drew 2 : 2 in 4 matches."),
    ("abb=b", "In match 3 bob beat ann, and Foxes took the lead for good, 2 : 1."),
    ("aabbbbb", "Foxes had been 2 points behind after match 2."),
    ("bbbbaa", "In match 4 bob beat ann. That decided the war, with 2 matches to go."),
    ("aa", "Nobody won a point for Foxes."),
    ("a=", "For Lanterns ann won most: 1½ points in 2 matches."),
    ("-a", "One match could not be fought and gave nobody points."),
]


@pytest.mark.parametrize(("outcomes", "sentence"), TOLD)
def test_what_is_told(outcomes: str, sentence: str):
    assert sentence in story(outcomes)


def test_turns_are_told_in_their_order_and_once():
    found = told(GUILDS, meetings("aabbb"), 5)
    assert [each.match for each in found] == [None, 1, 2, 5, None, None]
    assert "took the lead for good, 3 : 2" in found[3].text
    assert "it changed hands 5 times after that" in " ".join(story("abb" + "aabb" * 2))


def test_a_war_on_its_way():
    assert story("", 4) == ["Lanterns and Foxes meet in 4 matches. None has been fought yet."]
    assert story("ab", 4)[0] == "Both have the same after 2 of 4 matches: 1 : 1."
    assert story("aa", 4)[0] == "Lanterns lead after 2 of 4 matches: 2 : 0."


@given(st.text(alphabet="ab=-", min_size=1, max_size=100))
def test_every_war_can_be_told(outcomes: str):
    found = told(GUILDS, meetings(outcomes), len(outcomes))
    assert all(each.match is None or 1 <= each.match <= len(outcomes) for each in found)
    assert all(re.fullmatch(r"[A-Z0-9].*\.", each.text) for each in found)
    assert len(found) <= 12
    first, second = running_points(meetings(outcomes))[-1]
    assert first + second == 2 * len(outcomes) - 2 * outcomes.count("-")
