"""Who meets whom in a tournament, how a pairing is decided, and how the tournament stands.

Everything here is a pure function of what was decided before, so whoever was interrupted asks again and gets the same.
Entrants are their seeds, from 1 for the best. Points are half points: 2 for a win, 1 for a draw.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

Format = Literal["elimination", "round_robin", "swiss"]
How = Literal["played", "seed", "bye", "walkover", "failed"]

ELIMINATION: Format = "elimination"
ROUND_ROBIN: Format = "round_robin"
SWISS: Format = "swiss"
FORMATS: tuple[Format, ...] = (ELIMINATION, ROUND_ROBIN, SWISS)
FEWEST, MOST = 2, 512
MOST_IN_ROUND_ROBIN = 64
# Games that an elimination adds after a drawn pairing, before the higher seed advances.
MORE_GAMES = 3
WON, DRAWN, LOST = (2, 0), (1, 1), (0, 2)
NOTHING = (0, 0)


@dataclass(frozen=True)
class Pair:
    """Two entrants who are to meet in a round, the higher seed first; a bye has no second one."""

    slot: int
    first: int
    second: int | None


@dataclass(frozen=True)
class Decision:
    """What a pairing came to: the points of both, and how."""

    points: tuple[int, int]
    how: How


@dataclass(frozen=True)
class Decided:
    """A pairing that is decided."""

    round: int
    slot: int
    first: int
    second: int | None
    points: tuple[int, int]

    @property
    def winner(self) -> int | None:
        """Who won; None for a draw, and where both were gone."""
        mine, theirs = self.points
        return self.first if mine > theirs else self.second if theirs > mine else None


@dataclass(frozen=True)
class Standing:
    """How an entrant stands."""

    rank: int
    seed: int
    points: int
    """Half points."""
    buchholz: int
    """The half points of all opponents."""


def most_entrants(format: Format) -> int:
    """How many can take part at most."""
    return MOST_IN_ROUND_ROBIN if format == ROUND_ROBIN else MOST


def round_count(format: Format, entrants: int, wanted: int | None = None) -> int:
    """How many rounds there are at most. `wanted` is for Swiss, where nobody meets anybody twice."""
    enough = max(1, (entrants - 1).bit_length())
    if format == ROUND_ROBIN:
        return entrants - 1 + entrants % 2
    return enough if format == ELIMINATION else min(wanted or enough, entrants - 1 + entrants % 2)


def pairs_of(
    format: Format, entrants: int, number: int, decided: Collection[Decided], gone: Collection[int]
) -> list[Pair]:
    """The pairs of a round.

    Args:
        format: of the tournament.
        entrants: how many there are, the gone ones included.
        number: the round, from 1.
        decided: all pairings of the rounds before it.
        gone: those who had left before the round was made.

    Returns:
        The pairs by slot; none if nobody is left to meet, which ends the tournament.
    """
    if format == ELIMINATION:
        return _elimination(entrants, number, decided)
    if format == ROUND_ROBIN:
        return _round_robin(entrants, number)
    return _swiss(entrants, decided, gone)


def decide(format: Format, best_of: int, pair: Pair, games: Sequence[int], gone: Collection[int]) -> Decision | None:
    """What a pairing came to; None if it needs another game.

    Args:
        format: of the tournament.
        best_of: how many games decide it, an odd number.
        pair: who meets.
        games: the points of the first one in each game so far.
        gone: those who have left.
    """
    if pair.second is None:
        return Decision(NOTHING if pair.first in gone else WON, "bye")
    mine, count = sum(games), len(games)
    theirs = 2 * count - mine
    if mine != theirs and (max(mine, theirs) > best_of or count >= best_of):
        return Decision(WON if mine > theirs else LOST, "played")
    if count >= best_of and format != ELIMINATION:
        return Decision(DRAWN, "played")
    if count >= best_of + MORE_GAMES:
        return Decision(WON, "seed")
    if pair.first in gone or pair.second in gone:
        return Decision((0 if pair.first in gone else 2, 0 if pair.second in gone else 2), "walkover")
    return None


def failed(format: Format) -> Decision:
    """What a pairing comes to whose battles cannot be played."""
    return Decision(WON if format == ELIMINATION else DRAWN, "failed")


def standings(format: Format, entrants: int, decided: Collection[Decided]) -> list[Standing]:
    """How everybody stands, the best first.

    An elimination ranks by the round that was reached, then by seed. The others rank by points; ties by what those met
    each other with, if all of them have met, then by the points of all opponents (Buchholz), then by seed.
    """
    points = points_of(decided)
    buchholz = _buchholz(decided, points)
    seeds = range(1, entrants + 1)
    if format == ELIMINATION:
        reached = {
            seed: max((each.round for each in decided if seed in (each.first, each.second)), default=0)
            + any(each.winner == seed for each in decided if each.round == _last(decided))
            for seed in seeds
        }
        order = sorted(seeds, key=lambda seed: (-reached[seed], seed))
    else:
        order = []
        for _, tied in groupby(sorted(seeds, key=lambda seed: (-points[seed], seed)), key=points.__getitem__):
            group = list(tied)
            direct = _direct(group, decided)
            order += sorted(group, key=lambda seed: (-direct[seed], -buchholz[seed], seed))
    return [Standing(rank, seed, points[seed], buchholz[seed]) for rank, seed in enumerate(order, 1)]


def points_of(decided: Iterable[Decided]) -> Counter[int]:
    """The points of each."""
    points: Counter[int] = Counter()
    for each in decided:
        points[each.first] += each.points[0]
        if each.second is not None:
            points[each.second] += each.points[1]
    return points


def _last(decided: Iterable[Decided]) -> int:
    return max((each.round for each in decided), default=0)


def _buchholz(decided: Iterable[Decided], points: Counter[int]) -> Counter[int]:
    found: Counter[int] = Counter()
    for each in decided:
        if each.second is not None:
            found[each.first] += points[each.second]
            found[each.second] += points[each.first]
    return found


def _direct(group: Sequence[int], decided: Iterable[Decided]) -> Counter[int]:
    """The points of tied entrants against each other; none if some of them have not met."""
    members = set(group)
    among = [each for each in decided if each.first in members and each.second in members]
    return points_of(among) if 2 * len(among) == len(group) * (len(group) - 1) else Counter()


# --- Single elimination ---------------------------------------------------------------------------------------------


def _elimination(entrants: int, number: int, decided: Iterable[Decided]) -> list[Pair]:
    size = 1 << round_count(ELIMINATION, entrants)
    if number == 1:
        order = _bracket(size)
        found = (_pair(slot, order[2 * slot : 2 * slot + 2], entrants) for slot in range(size // 2))
    else:
        winners = {each.slot: each.winner for each in decided if each.round == number - 1}
        found = (
            _pair(slot, [seed for seed in (winners.get(2 * slot), winners.get(2 * slot + 1)) if seed], entrants)
            for slot in range(size >> number)
        )
    return [pair for pair in found if pair is not None]


def _bracket(size: int) -> list[int]:
    """Seeds in the order of the first round's places: the two best meet in the final only, the four best before it."""
    order = [1]
    while len(order) < size:
        double = 2 * len(order) + 1
        order = [each for seed in order for each in (seed, double - seed)]
    return order


def _pair(slot: int, seeds: Sequence[int], entrants: int) -> Pair | None:
    """The pair of those who are there: a seed above the number of entrants is nobody."""
    there = sorted(seed for seed in seeds if seed <= entrants)
    return Pair(slot, there[0], there[1] if len(there) == 2 else None) if there else None


# --- Round robin ----------------------------------------------------------------------------------------------------


def _round_robin(entrants: int, number: int) -> list[Pair]:
    """Berger's circle: the first stays, the others move on by one place each round. Of an odd number one rests."""
    circle = entrants + entrants % 2
    others = deque(range(2, circle + 1))
    others.rotate(number - 1)
    seats = [1, *others]
    facing = [sorted((seats[index], seats[circle - 1 - index])) for index in range(circle // 2)]
    met = sorted((first, second) for first, second in facing if second <= entrants)
    return [Pair(slot, first, second) for slot, (first, second) in enumerate(met)]


# --- Swiss ----------------------------------------------------------------------------------------------------------


def _swiss(entrants: int, decided: Collection[Decided], gone: Collection[int]) -> list[Pair]:
    """Pair those of equal points, the upper half with the lower, and nobody with a former opponent.

    Of an odd number, the highest seed that had the fewest byes has one; so has whoever has met all others.
    """
    points = points_of(decided)
    met = {frozenset((each.first, each.second)) for each in decided if each.second is not None}
    byes = Counter(each.first for each in decided if each.second is None)
    left = sorted((seed for seed in range(1, entrants + 1) if seed not in gone), key=lambda seed: (-points[seed], seed))
    resting = [min(left, key=lambda seed: (byes[seed], seed))] if len(left) % 2 else []
    playing = [seed for seed in left if seed not in resting]

    def may_meet(one: int, other: int) -> bool:
        return frozenset((one, other)) not in met

    partners = _matching(playing, may_meet, _by_points(playing, points, may_meet))
    if not partners:
        return []
    resting += [seed for seed in playing if seed not in partners]
    pairs = [sorted((seed, partners[seed])) for seed in playing if seed in partners]
    ordered = [*dict.fromkeys((first, second) for first, second in pairs), *((seed, None) for seed in sorted(resting))]
    return [Pair(slot, first, second) for slot, (first, second) in enumerate(ordered)]


def _by_points(playing: Sequence[int], points: Counter[int], may_meet: Callable[[int, int], bool]) -> dict[int, int]:
    """Partners within groups of equal points, as far as they are found at the first try; others float down."""
    partners: dict[int, int] = {}
    floating: list[int] = []
    for _, group in groupby(playing, key=points.__getitem__):
        pool = floating + list(group)
        upper, lower = pool[: len(pool) // 2], pool[len(pool) // 2 :]
        for candidates in (lower, pool):
            for one in upper:
                free = (each for each in candidates if each not in partners and each != one and may_meet(one, each))
                if one not in partners and (other := next(free, None)) is not None:
                    partners[one], partners[other] = other, one
        floating = [seed for seed in pool if seed not in partners]
    return partners


def _matching(playing: Sequence[int], may_meet: Callable[[int, int], bool], partners: dict[int, int]) -> dict[int, int]:
    """As many pairs as there can be, from some pairs on (Edmonds' blossoms); those that need not change stay."""
    if len(partners) == len(playing):
        return partners
    # Those who stand next to each other first: what has to be exchanged stays among neighbours.
    rank = {seed: index for index, seed in enumerate(playing)}
    may = {
        one: sorted(
            (each for each in playing if each != one and may_meet(one, each)), key=lambda each: abs(rank[each] - at)
        )
        for one, at in rank.items()
    }
    found = dict(partners)
    for root in playing:
        if root not in found:
            _augment(root, may, found)
    return found


def _augment(root: int, may: dict[int, list[int]], partners: dict[int, int]) -> None:
    """Find a path from an unpaired one to another along which the pairs can be exchanged, and exchange them."""
    parent: dict[int, int] = {}
    base = {each: each for each in may}
    outer = {root}
    queue = deque([root])

    def common(one: int, other: int) -> int:
        passed = set()
        while True:
            one = base[one]
            passed.add(one)
            if one == root:
                break
            one = parent[partners[one]]
        while (other := base[other]) not in passed:
            other = parent[partners[other]]
        return other

    def mark(one: int, stem: int, child: int, blossom: set[int]) -> None:
        while base[one] != stem:
            blossom |= {base[one], base[partners[one]]}
            parent[one] = child
            child = partners[one]
            one = parent[child]

    while queue:
        one = queue.popleft()
        for other in may[one]:
            if base[one] == base[other] or partners.get(one) == other:
                continue
            if other == root or (other in partners and partners[other] in parent):
                stem = common(one, other)
                blossom: set[int] = set()
                mark(one, stem, other, blossom)
                mark(other, stem, one, blossom)
                for each in base:
                    if base[each] in blossom:
                        base[each] = stem
                        if each not in outer:
                            outer.add(each)
                            queue.append(each)
            elif other not in parent:
                parent[other] = one
                if other not in partners:
                    _exchange(other, parent, partners)
                    return
                outer.add(partners[other])
                queue.append(partners[other])


def _exchange(end: int, parent: dict[int, int], partners: dict[int, int]) -> None:
    """Pair along a path, from its end back to its beginning."""
    current: int | None = end
    while current is not None:
        before = parent[current]
        following = partners.get(before)
        partners[current], partners[before] = before, current
        current = following
