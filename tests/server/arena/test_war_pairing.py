"""Who fights whom in a week's wars, and in which order."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.server.arena.wars.pairing import Contender, bouts, pair


@given(
    st.lists(st.integers(0, 40), min_size=0, max_size=17),
    st.lists(st.integers(0, 16), unique=True, max_size=17),
    st.sets(st.integers(0, 16)),
)
def test_everybody_fights_but_one_and_nobody_last_weeks_rival(strengths, shuffled, rested):
    known = [each for each in shuffled if each < len(strengths)]
    rivals: dict[int, str] = {}
    for one, other in zip(known[::2], known[1::2], strict=False):
        rivals |= {one: str(other), other: str(one)}
    guilds = [
        Contender(str(each), float(strength), rivals.get(each), each in rested and each not in rivals)
        for each, strength in enumerate(strengths)
    ]
    pairs, resting = pair(guilds)
    assert sorted(each.guild for found in [*pairs, resting] for each in found) == sorted(each.guild for each in guilds)
    assert all(one.may_meet(other) and one.strength >= other.strength for one, other in pairs)
    alone = len(guilds) == 2 and not guilds[0].may_meet(guilds[1])
    assert len(resting) == (2 if alone else len(guilds) % 2)
    if len(guilds) > 3 and resting:
        weakest_first = sorted(guilds, key=lambda each: (each.had_bye, each.strength))
        assert (resting[0].had_bye, resting[0].strength) == (weakest_first[0].had_bye, weakest_first[0].strength)
    assert pair(guilds[::-1]) == (pairs, resting)


def test_six_or_fewer_are_paired_as_evenly_as_possible():
    guilds = [Contender(name, strength) for name, strength in zip("abcdef", (30, 29, 27, 24, 20, 11), strict=True)]
    pairs, _ = pair(guilds)
    assert [(one.guild, other.guild) for one, other in pairs] == [("a", "b"), ("c", "d"), ("e", "f")]
    again = [Contender(each.guild, each.strength, "badcfe"["abcdef".index(each.guild)]) for each in guilds]
    pairs, _ = pair(again)
    found = sum(one.strength - other.strength for one, other in pairs)
    best = min(
        sum(abs(one.strength - other.strength) for one, other in tried)
        for tried in combinations([each for each in combinations(again, 2) if each[0].may_meet(each[1])], 3)
        if len({each.guild for both in tried for each in both}) == 6
    )
    assert found == best


@pytest.mark.parametrize(("first", "second"), [(1, 1), (3, 2), (2, 5), (10, 10), (10, 7)])
def test_all_meet_all_once_in_rounds_in_which_nobody_fights_twice(first: int, second: int):
    order = list(bouts(first, second))
    assert sorted(order) == [(one, other) for one in range(1, first + 1) for other in range(1, second + 1)]
    size = min(first, second)
    if first == second:
        for start in range(0, len(order), size):
            for side in zip(*order[start : start + size], strict=True):
                assert len(set(side)) == size
