"""Places: what people call ticks, and how they write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.events.tick_labels import (
    FIRST_STEP,
    REWARDS,
    TICKS_PER_ENCOUNTER,
    CountedTurnPlaces,
    EncounterPlaces,
    Places,
    TurnPlaces,
)

ROUNDS, RUN = Places(), EncounterPlaces(7, first_fight=2)


def tick(encounter: int, within: int) -> int:
    return encounter * TICKS_PER_ENCOUNTER + within


@given(st.integers(0, 10**9))
def test_ticks_that_are_rounds_are_written_as_they_are(number):
    assert ROUNDS.order(number) == number
    assert ROUNDS.read(str(number)) == ROUNDS.read(f" {number} ", is_last=True) == number
    assert ROUNDS.decision(str(number)) == (None, number)
    assert ROUNDS.name(number) == f"tick {number}"


def test_ticks_that_are_turns_are_called_so():
    turns = CountedTurnPlaces()
    assert [turns.name(number) for number in (0, 1, 40)] == ["the set-up", "turn 1", "turn 40"]
    assert turns.first_round == "1"
    assert turns.decision(" 7 ") == (None, 7)
    with pytest.raises(ValueError, match="is not a turn; turns are numbers from 1 on"):
        turns.decision("3.2")


@pytest.mark.parametrize("text", ["", "x", "3.2", "1e3", "-1", "1000000001", "9" * 30, "٣٣x", "1 2"])
def test_what_is_no_round_is_refused(text):
    with pytest.raises(ValueError, match=r"not a round|out of range"):
        ROUNDS.read(text)


@pytest.mark.parametrize(
    ("within", "name"),
    [
        (0, "encounter 3, set-up"),
        (1, "encounter 3, round 1"),
        (50, "encounter 3, round 50"),
        (FIRST_STEP, "encounter 3, step 0"),
        (FIRST_STEP + 1, "encounter 3, step 1"),
        (REWARDS, "encounter 3, rewards"),
    ],
)
def test_every_tick_of_a_run_has_a_name(within, name):
    assert RUN.name(tick(3, within)) == name


def test_steps_come_before_the_rounds_of_their_ambush_and_rewards_after():
    order = [RUN.order(tick(2, within)) for within in (0, FIRST_STEP, FIRST_STEP + 1, 0, 1, 2, REWARDS)]
    assert order == sorted(order)
    assert RUN.order(tick(2, REWARDS)) < RUN.order(tick(3, FIRST_STEP))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("3.2", tick(3, 2), tick(3, 2)),
        ("3", tick(3, 0), tick(3, REWARDS)),
        ("0", 0, tick(0, REWARDS)),
        ("6.0", tick(6, 0), tick(6, 0)),
        (" 3.2 ", tick(3, 2), tick(3, 2)),
    ],
)
def test_a_place_in_a_run_is_an_encounter_and_perhaps_its_round(text, first, last):
    assert (RUN.read(text), RUN.read(text, is_last=True)) == (first, last)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("7", "no encounter 7; encounters are 0 to 6"),
        ("7.1", "no encounter 7"),
        ("3.", "write ENCOUNTER.ROUND"),
        (".3", "write ENCOUNTER.ROUND"),
        ("3.2.1", "write ENCOUNTER.ROUND"),
        ("-1", "write ENCOUNTER.ROUND"),
        ("", "write ENCOUNTER.ROUND"),
        ("x", "write ENCOUNTER.ROUND"),
        ("3.32768", "a round of an encounter"),
        ("9" * 30, "write ENCOUNTER.ROUND"),
    ],
)
def test_what_is_no_place_is_refused_with_what_would_be(text, words):
    with pytest.raises(ValueError, match=words.replace(".", r"\.")):
        RUN.read(text)


def test_a_decision_needs_its_round():
    assert RUN.decision("3.2") == (3, 2)
    assert RUN.decision("3.0") == (3, 0)
    with pytest.raises(ValueError, match=r"write ENCOUNTER\.ROUND, such as 3\.1"):
        RUN.decision("3")


def test_the_first_round_is_that_of_the_first_fight():
    assert (ROUNDS.first_round, RUN.first_round) == ("1", "2.1")


@pytest.mark.parametrize(
    ("places", "tick", "over"),
    [(ROUNDS, 7, 6), (CountedTurnPlaces(), 7, 6), (TurnPlaces(65536), 65543, 7), (RUN, 7, None)],
)
def test_the_rounds_before_a_tick_are_over(places, tick, over):
    assert places.rounds_before(tick) == over


def test_a_single_encounter_is_named_in_the_singular():
    with pytest.raises(ValueError, match="the only one is 0"):
        EncounterPlaces(1).read("1")
