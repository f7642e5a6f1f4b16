"""Who meets whom: a pure function, whatever the tickets are."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fracas.server.arena.matches.pairing import (
    MOST_RATED,
    Bot,
    Meetings,
    Pair,
    Terms,
    Waiting,
    pair,
    pair_of,
    window_of,
)
from fracas.server.arena.ratings import Rating
from fracas.server.clock import MINUTE

NOW = 10 * MINUTE
TERMS = Terms(window=100, widening=100, bot_after=MINUTE)
accounts = st.sampled_from([f"a{number}" for number in range(8)])
ratings = st.builds(Rating, st.floats(10, 40), st.floats(0.8, 8))


@st.composite
def situations(draw: st.DrawFn) -> tuple[list[Waiting], list[Bot], Meetings, Terms]:
    """Tickets of different accounts, bots, and who met whom."""
    names = draw(st.lists(accounts, unique=True, max_size=8))
    tickets = [
        Waiting(f"t{name}", name, draw(ratings), draw(st.integers(0, NOW)), draw(st.booleans()) or name < "a6")
        for name in names
    ]
    bots = [Bot(f"bot{number}", draw(ratings)) for number in range(draw(st.integers(0, 2)))]
    last = draw(st.dictionaries(accounts, accounts | st.sampled_from(["bot0", "bot1"]), max_size=8))
    rivals = accounts | st.sampled_from(["bot0", "bot1"])
    met = draw(st.dictionaries(st.tuples(accounts, rivals).map(lambda p: pair_of(*p)), st.integers(0, 3), max_size=8))
    terms = Terms(draw(st.integers(1, 400)), draw(st.integers(0, 400)), draw(st.integers(0, NOW)), draw(st.booleans()))
    return tickets, bots, Meetings(last, met), terms


def names_of(found: Pair) -> tuple[str, str]:
    return found.first.account, found.second.account


def met_less(meetings: Meetings, one: str, other: str) -> bool:
    return meetings.rated.get(pair_of(one, other), 0) < MOST_RATED


@given(situations())
@settings(max_examples=100, deadline=None)
def test_pairs_are_legal(situation: tuple[list[Waiting], list[Bot], Meetings, Terms]):
    tickets, bots, meetings, terms = situation
    pairs = pair(tickets, bots, meetings, terms, NOW)
    used = Counter(each.ticket for found in pairs for each in (found.first, found.second) if isinstance(each, Waiting))
    assert not [ticket for ticket, count in used.items() if count > 1], "a ticket was paired twice"
    for found in pairs:
        first, second = found.first, found.second
        assert first.account != second.account
        assert first.is_due, "a resting ticket looked for an opponent"
        if isinstance(second, Waiting):
            apart = abs(first.rating.shown - second.rating.shown)
            assert apart <= max(window_of(first, terms, NOW), window_of(second, terms, NOW))
            if terms.is_ranked:
                assert meetings.rated.get(pair_of(first.account, second.account), 0) < MOST_RATED
        else:
            assert NOW - first.since >= terms.bot_after, "a bot stepped in too soon"
            counts = not terms.is_ranked or met_less(meetings, first.account, second.account)
            assert found.is_rated == counts
            others = [bot for bot in bots if met_less(meetings, first.account, bot.account)]
            assert counts or not others, "another bot would have counted"


@given(situations(), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_the_order_of_the_tickets_does_not_matter(
    situation: tuple[list[Waiting], list[Bot], Meetings, Terms], rng: random.Random
):
    tickets, bots, meetings, terms = situation
    shuffled = rng.sample(tickets, len(tickets))
    assert pair(tickets, bots, meetings, terms, NOW) == pair(shuffled, bots[::-1], meetings, terms, NOW)


@given(situations())
@settings(max_examples=100, deadline=None)
def test_a_pair_meets_twice_in_a_row_only_if_it_cannot_be_helped(
    situation: tuple[list[Waiting], list[Bot], Meetings, Terms],
):
    tickets, bots, meetings, terms = situation

    def is_repeat(one: str, other: str) -> bool:
        return meetings.last.get(one) == other or meetings.last.get(other) == one

    pairs = pair(tickets, bots, meetings, terms, NOW)
    used = {name for found in pairs for name in names_of(found)}
    for found in pairs:
        first, second = found.first, found.second
        if not is_repeat(first.account, second.account):
            continue
        # Nobody new was left, and it had waited; a repeat among people means that there are no bots.
        assert NOW - first.since >= terms.bot_after
        fresh_bots = [
            bot
            for bot in bots
            if not is_repeat(first.account, bot.account)
            and (not found.is_rated or not terms.is_ranked or met_less(meetings, first.account, bot.account))
        ]
        assert not fresh_bots
        assert isinstance(second, Bot) == bool(bots)
        for other in tickets:
            if other.account in used or other.account == first.account or is_repeat(first.account, other.account):
                continue
            apart = abs(first.rating.shown - other.rating.shown)
            too_far = apart > max(window_of(first, terms, NOW), window_of(other, terms, NOW))
            too_often = terms.is_ranked and meetings.rated.get(pair_of(first.account, other.account), 0) >= MOST_RATED
            assert too_far or too_often, f"{first.account} could have met {other.account}"


@given(situations())
@settings(max_examples=80, deadline=None)
def test_nobody_who_could_meet_is_left(situation: tuple[list[Waiting], list[Bot], Meetings, Terms]):
    tickets, bots, meetings, terms = situation
    used = {name for found in pair(tickets, bots, meetings, terms, NOW) for name in names_of(found)}
    left = [each for each in tickets if each.is_due and each.account not in used]
    for one in left:
        assert not bots or NOW - one.since < terms.bot_after
        for other in left:
            if one is other or meetings.last.get(one.account) == other.account:
                continue
            if meetings.last.get(other.account) == one.account:
                continue
            apart = abs(one.rating.shown - other.rating.shown)
            far = apart > max(window_of(one, terms, NOW), window_of(other, terms, NOW))
            often = terms.is_ranked and meetings.rated.get(pair_of(one.account, other.account), 0) >= MOST_RATED
            assert far or often


@pytest.mark.parametrize(("minutes", "expected"), [(0, 0), (2, 0), (3, 1)])
def test_the_window_widens_with_waiting(minutes: int, expected: int):
    """400 points apart: 100 at first, 100 more for each minute."""
    tickets = [Waiting("t1", "a", Rating(25, 1), NOW - minutes * MINUTE), Waiting("t2", "b", Rating(35, 1), NOW)]
    assert len(pair(tickets, (), Meetings(), TERMS, NOW)) == expected


def test_the_closest_opponent_is_taken_and_the_longest_wait_served_first():
    tickets = [
        Waiting("t1", "a", Rating(25, 1), 5),
        Waiting("t2", "b", Rating(27, 1), 6),
        Waiting("t3", "c", Rating(26, 1), 7),
    ]
    (found,) = pair(tickets, (), Meetings(), TERMS, MINUTE // 2)
    assert names_of(found) == ("a", "c")


def test_the_bot_closest_in_strength_steps_in():
    bots = [Bot("weak", Rating(20, 1)), Bot("near", Rating(26, 1)), Bot("strong", Rating(33, 1))]
    ticket = Waiting("t1", "a", Rating(25, 1), NOW - MINUTE)
    (found,) = pair([ticket], bots, Meetings(), TERMS, NOW)
    assert names_of(found) == ("a", "near")
    (found,) = pair([ticket], bots, Meetings({"a": "near"}), TERMS, NOW)
    assert names_of(found) == ("a", "weak")
    assert not pair([Waiting("t1", "a", Rating(25, 1), NOW - MINUTE + 1)], bots, Meetings(), TERMS, NOW)
    spent = {pair_of("a", "near"): MOST_RATED, pair_of("a", "weak"): MOST_RATED}
    (found,) = pair([ticket], bots, Meetings({"a": "strong"}, spent), TERMS, NOW)
    assert (names_of(found), found.is_rated) == (("a", "strong"), True)


def test_the_window_of_a_third_ticket_lets_nobody_else_meet():
    """Only who waits long accepts distant opponents; two newcomers between whom 200 points lie wait on."""
    old = Waiting("t0", "a0", Rating(60.0), 0)
    new = [Waiting(f"t{number}", f"a{number}", Rating(25.0 + 5 * number), NOW) for number in (1, 2)]
    terms = Terms(window=100, widening=1_000, bot_after=NOW * 2)
    assert [names_of(each) for each in pair([old, *new], [], Meetings(), terms, NOW)] == [("a0", "a2")]
    assert pair(new, [], Meetings(), terms, NOW) == ()
    distant = Waiting("t3", "a3", Rating(-1_000.0), 0)
    assert pair([distant, *new], [], Meetings(), terms, NOW) == ()
