"""Pairings of tournaments: whoever leaves and whenever one is interrupted, each finishes and pairs nobody twice."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fracas.server.arena.tournaments.pairing import (
    DRAWN,
    ELIMINATION,
    FORMATS,
    LOST,
    ROUND_ROBIN,
    SWISS,
    WON,
    Decided,
    Pair,
    decide,
    pairs_of,
    round_count,
    standings,
)


class TournamentMachine(RuleBasedStateMachine):
    """Rounds are made, games played and entrants lost, each step stored as a transaction would, or thrown away."""

    @initialize(
        format=st.sampled_from(FORMATS),
        entrants=st.integers(2, 33),
        best_of=st.sampled_from([1, 1, 3]),
        wanted=st.none() | st.integers(1, 12),
    )
    def begin(self, format, entrants, best_of, wanted) -> None:
        self.format, self.entrants, self.best_of = format, entrants, best_of
        self.rounds = round_count(format, entrants, wanted)
        self.round, self.over = 0, False
        self.pairs: dict[int, Pair] = {}
        self.games: dict[int, list[int]] = {}
        self.decided: list[Decided] = []
        self.gone: dict[int, int] = {}

    def made(self) -> list[Pair]:
        before = [each for each in self.decided if each.round <= self.round]
        gone = {seed for seed, left in self.gone.items() if left <= self.round}
        return pairs_of(self.format, self.entrants, self.round + 1, before, gone)

    def open_pairs(self) -> list[Pair]:
        known = {each.slot for each in self.decided if each.round == self.round}
        return [pair for slot, pair in self.pairs.items() if slot not in known]

    @precondition(lambda self: not self.over and not self.open_pairs())
    @rule(killed=st.booleans())
    def make_round(self, killed: bool) -> None:
        found = self.made() if self.round < self.rounds else []
        if killed:
            # Nothing was stored. Whoever asks again gets the same, in whatever order the rows come.
            Random(1).shuffle(self.decided)
            assert found == (self.made() if self.round < self.rounds else [])
            return
        if not found:
            self.over = True
            return
        self.round += 1
        self.pairs, self.games = {pair.slot: pair for pair in found}, {}
        assert len(self.pairs) == len(found)

    @precondition(lambda self: not self.over and self.open_pairs())
    @rule(data=st.data(), killed=st.booleans())
    def play(self, data, killed: bool) -> None:
        pair = data.draw(st.sampled_from(self.open_pairs()))
        games = self.games.setdefault(pair.slot, [])
        if killed:
            return
        found = decide(self.format, self.best_of, pair, games, self.gone)
        if found is None:
            games.append(data.draw(st.sampled_from([0, 1, 2])))
            found = decide(self.format, self.best_of, pair, games, self.gone)
        assert len(games) <= self.best_of + (3 if self.format == ELIMINATION else 0)
        if found is not None:
            self.decided.append(Decided(self.round, pair.slot, pair.first, pair.second, found.points))

    @rule(data=st.data())
    def lose_somebody(self, data) -> None:
        self.gone.setdefault(data.draw(st.integers(1, self.entrants)), self.round)

    @invariant()
    def nobody_is_paired_twice(self) -> None:
        if not hasattr(self, "decided"):
            return
        met = Counter(frozenset((each.first, each.second)) for each in self.decided if each.second is not None)
        assert not met or max(met.values()) == 1
        of_round = Counter((each.round, seed) for each in self.decided for seed in (each.first, each.second) if seed)
        assert not of_round or max(of_round.values()) == 1
        assert all(each.second is None or each.first < each.second for each in self.decided)

    def teardown(self) -> None:
        if not hasattr(self, "decided"):
            return
        # Whatever happened so far: it finishes.
        random = Random(self.entrants)
        while not self.over:
            for pair in self.open_pairs():
                games = self.games.setdefault(pair.slot, [])
                while (found := decide(self.format, self.best_of, pair, games, self.gone)) is None:
                    games.append(random.choice([0, 1, 2]))
                self.decided.append(Decided(self.round, pair.slot, pair.first, pair.second, found.points))
            self.make_round(False)
        self.nobody_is_paired_twice()
        assert self.round <= self.rounds
        ranked = standings(self.format, self.entrants, self.decided)
        assert sorted(each.seed for each in ranked) == list(range(1, self.entrants + 1))
        if self.format == ROUND_ROBIN:
            met = {(each.first, each.second) for each in self.decided}
            assert met == set(combinations(range(1, self.entrants + 1), 2))
        if self.format == ELIMINATION:
            final = [each for each in self.decided if each.round == self.rounds]
            assert len(final) <= 1
            assert all(each.winner in (None, ranked[0].seed) for each in final)


TestTournaments = TournamentMachine.TestCase
TestTournaments.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)


def played(format, entrants: int, result) -> list[Decided]:
    decided: list[Decided] = []
    for number in range(1, round_count(format, entrants) + 1):
        for pair in pairs_of(format, entrants, number, decided, ()):
            points = WON if pair.second is None else result(pair)
            decided.append(Decided(number, pair.slot, pair.first, pair.second, points))
    return decided


def test_the_two_best_seeds_meet_in_the_final_only():
    for entrants in range(2, 65):
        decided = played(ELIMINATION, entrants, lambda pair: WON)
        final = decided[-1]
        assert (final.first, final.second) == (1, 2)
        assert final.round == round_count(ELIMINATION, entrants)
        byes = [each.first for each in decided if each.second is None]
        assert byes == sorted(byes) or set(byes) == set(range(1, len(byes) + 1))
        assert [each.seed for each in standings(ELIMINATION, entrants, decided)][:2] == [1, 2]


def test_a_swiss_of_512_gives_each_nine_opponents():
    random = Random(7)
    decided = played(SWISS, 512, lambda pair: random.choice([WON, DRAWN, LOST]))
    assert len(decided) == 9 * 256
    met = Counter(seed for each in decided for seed in (each.first, each.second))
    assert set(met.values()) == {9}
    # Who meets whom goes by points: nobody is more than a few points from an opponent.
    points: Counter[int] = Counter()
    for each in decided:
        assert each.second is not None
        assert abs(points[each.first] - points[each.second]) <= 4
        points[each.first] += each.points[0]
        points[each.second] += each.points[1]


def test_a_swiss_bye_goes_to_each_top_seed_in_turn():
    decided = played(SWISS, 7, lambda pair: DRAWN)
    assert [each.first for each in decided if each.second is None] == [1, 2, 3]


def test_swiss_pairs_as_many_as_can_be_paired():
    # 1-2, 3-4 and then 1-3 leave 1-4 and 2-3, which a greedy choice would miss.
    decided = [Decided(1, 0, 1, 2, WON), Decided(1, 1, 3, 4, WON), Decided(2, 0, 1, 3, WON), Decided(2, 1, 2, 4, WON)]
    assert [(pair.first, pair.second) for pair in pairs_of(SWISS, 4, 3, decided, ())] == [(1, 4), (2, 3)]
    assert pairs_of(SWISS, 4, 4, [*decided, Decided(3, 0, 1, 4, WON), Decided(3, 1, 2, 3, WON)], ()) == []


def test_draws_in_an_elimination_end_with_the_higher_seed():
    pair = Pair(0, 2, 5)
    games: list[int] = []
    while (found := decide(ELIMINATION, 3, pair, games, ())) is None:
        games.append(1)
    assert (len(games), found.how, found.points) == (6, "seed", WON)

    def points(format, games, gone=(), best_of=3):
        found = decide(format, best_of, pair, games, gone)
        return None if found is None else (found.points, found.how)

    assert points(ELIMINATION, [2, 2]) == (WON, "played")
    assert points(ELIMINATION, [2, 0]) is None
    assert points(ELIMINATION, [1, 1, 1, 0]) == (LOST, "played")
    assert points(SWISS, [1, 1, 1]) == (DRAWN, "played")
    assert points(SWISS, [], {5}) == (WON, "walkover")
    assert points(SWISS, [], {2, 5}) == ((0, 0), "walkover")
    # Whoever leaves after the last game has played all of it.
    assert points(SWISS, [0, 0], {5}) == (LOST, "played")


def test_ties_are_broken_by_direct_meeting_then_buchholz_then_seed():
    # A round robin in which all have two points but 4: 3 has beaten 1, 1 has beaten 2, 2 has beaten 3.
    circle = [Decided(1, 0, 1, 3, LOST), Decided(1, 1, 1, 2, WON), Decided(1, 2, 2, 3, WON)]
    assert [each.seed for each in standings(ROUND_ROBIN, 3, circle)] == [1, 2, 3]
    two = [*circle[1:], Decided(1, 0, 1, 3, DRAWN)]
    assert [(each.seed, each.points) for each in standings(ROUND_ROBIN, 3, two)] == [(1, 3), (2, 2), (3, 1)]
    swiss = [Decided(1, 0, 1, 3, WON), Decided(1, 1, 2, 4, WON), Decided(2, 0, 1, 4, LOST), Decided(2, 1, 2, 3, LOST)]
    assert {each.points for each in standings(SWISS, 4, swiss)} == {2}
    more = [*swiss, Decided(3, 0, 3, 4, WON)]
    # 1 and 2 have not met, so it goes by their opponents: 4 has met the best.
    assert [each.seed for each in standings(SWISS, 4, more)] == [3, 4, 1, 2]
