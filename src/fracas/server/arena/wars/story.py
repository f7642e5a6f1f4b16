"""The story of a war: how the points grew, where the lead changed hands, what decided it, and who fought best.

Made of the matches in their order, and of nothing else; nothing here knows a database. All points are half points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fracas.server.arena.match_player import LEG_POINTS

# What a match is worth.
WON, DRAWN = LEG_POINTS, LEG_POINTS // 2
# So many changes of the lead are told one by one; of more, the last ones.
_MOST_CHANGES = 3


@dataclass(frozen=True)
class Meeting:
    """A match of a war."""

    people: tuple[str, str]
    """Who met, the first guild's first."""
    worth: tuple[int, int]
    """What it was worth to each guild; nothing if it could not be fought."""


@dataclass(frozen=True)
class Sentence:
    """A sentence, and the number of the match that it tells of, from 1."""

    text: str
    match: int | None = None


def running_points(meetings: Sequence[Meeting]) -> list[tuple[int, int]]:
    """What each guild has after each match."""
    found, first, second = [], 0, 0
    for each in meetings:
        first, second = first + each.worth[0], second + each.worth[1]
        found.append((first, second))
    return found


def told(guilds: tuple[str, str], meetings: Sequence[Meeting], count: int) -> list[Sentence]:
    """Tell a war.

    Args:
        guilds: their names.
        meetings: the matches that were fought, in their order.
        count: how many matches the war has.
    """
    if not meetings:
        return [Sentence(f"{guilds[0]} and {guilds[1]} meet in {count} matches. None has been fought yet.")]
    after = running_points(meetings)
    turns = [*_changes(guilds, meetings, after), *_decision(guilds, meetings, after, count)]
    return [
        *_opening(guilds, meetings, count),
        *sorted(turns, key=lambda each: each.match or 0),
        *_best(guilds, meetings),
        *_unfought(meetings),
    ]


def points(halves: int) -> str:
    """Half points as people write them: 3 is `1½`."""
    whole, half = divmod(halves, 2)
    return (str(whole) if whole or not half else "") + ("½" if half else "")


def _opening(guilds: tuple[str, str], meetings: Sequence[Meeting], count: int) -> Iterator[Sentence]:
    first, second = running_points(meetings)[-1]
    score = f"{points(max(first, second))} : {points(min(first, second))}"
    if len(meetings) < count:
        ahead = "Both have the same" if first == second else f"{guilds[int(second > first)]} lead"
        yield Sentence(f"{ahead} after {len(meetings)} of {count} matches: {score}.")
    elif first == second:
        yield Sentence(f"{guilds[0]} and {guilds[1]} drew {score} in {_matches(count)}.")
    else:
        winner, loser = (guilds[0], guilds[1]) if first > second else (guilds[1], guilds[0])
        yield Sentence(f"{winner} beat {loser} {score} in {_matches(count)}.")


def _changes(
    guilds: tuple[str, str], meetings: Sequence[Meeting], after: Sequence[tuple[int, int]]
) -> Iterator[Sentence]:
    """Where the lead changed hands."""
    changes: list[tuple[int, int]] = []
    leader: int | None = None
    for number, (first, second) in enumerate(after, 1):
        ahead = None if first == second else int(second > first)
        if ahead is not None and ahead != leader:
            changes.append((number, ahead))
            leader = ahead
    if not changes:
        return
    number, ahead = changes[0]
    if len(changes) == 1:
        level = "" if number == 1 else f"After {_matches(number - 1)} both were level. "
        lead = "led from there to the end" if after[-1][ahead] > after[-1][1 - ahead] else "took the only lead"
        yield Sentence(f"{level}{_deed(meetings, number)}, and {guilds[ahead]} {lead}.", number)
        return
    shown = changes[1:][-_MOST_CHANGES:]
    often = f"; it changed hands {len(changes) - 1} times after that" if len(changes) - 1 > len(shown) else ""
    yield Sentence(f"{_deed(meetings, number)}, and {guilds[ahead]} took the first lead{often}.", number)
    for number, ahead in shown:
        for_good = " for good" if number == changes[-1][0] and after[-1][ahead] > after[-1][1 - ahead] else ""
        first, second = after[number - 1]
        score = f"{points(max(first, second))} : {points(min(first, second))}"
        yield Sentence(f"{_deed(meetings, number)}, and {guilds[ahead]} took the lead{for_good}, {score}.", number)


def _decision(
    guilds: tuple[str, str], meetings: Sequence[Meeting], after: Sequence[tuple[int, int]], count: int
) -> Iterator[Sentence]:
    """The match after which the others could no longer draw level, and how far back the winner had been."""
    first, second = after[-1]
    if len(meetings) < count or first == second:
        return
    winner = int(second > first)
    behind = max((other - own for own, other in ((each[winner], each[1 - winner]) for each in after)), default=0)
    if behind >= 2 * WON:
        low = next(n for n, each in enumerate(after, 1) if each[1 - winner] - each[winner] == behind)
        yield Sentence(f"{guilds[winner]} had been {_points(behind)} behind after match {low}.", low)
    for number, each in enumerate(after, 1):
        left = count - number
        if each[winner] - each[1 - winner] > WON * left:
            # Who takes the lead in the last match is told already.
            was_level = number > 1 and after[number - 2][winner] <= after[number - 2][1 - winner]
            if left:
                yield Sentence(f"{_deed(meetings, number)}. That decided the war, with {_matches(left)} to go.", number)
            elif not was_level:
                yield Sentence(f"The last match decided it: {_deed(meetings, number, is_last=True)}.", number)
            return


def _best(guilds: tuple[str, str], meetings: Sequence[Meeting]) -> Iterator[Sentence]:
    """Who won most for each guild."""
    for place, name in enumerate(guilds):
        won: Counter[str] = Counter()
        fought: Counter[str] = Counter()
        for each in meetings:
            won[each.people[place]] += each.worth[place]
            fought[each.people[place]] += 1
        most = max(won.values())
        if not most:
            yield Sentence(f"Nobody won a point for {name}.")
            continue
        best = [person for person, found in won.items() if found == most]
        if len(best) > 2:
            yield Sentence(f"For {name} {len(best)} fighters won {_points(most)} each.")
            continue
        each_one = " each" if len(best) > 1 else ""
        told_of = f"{_points(most)} in {_matches(fought[best[0]])}"
        yield Sentence(f"For {name} {' and '.join(best)} won most: {told_of}{each_one}.")


def _unfought(meetings: Sequence[Meeting]) -> Iterator[Sentence]:
    count = sum(each.worth == (0, 0) for each in meetings)
    if count:
        yield Sentence(f"{_matches(count).capitalize()} could not be fought and gave nobody points.")


def _deed(meetings: Sequence[Meeting], number: int, *, is_last: bool = False) -> str:
    """What happened in a match."""
    found = meetings[number - 1]
    first, second = found.people
    where = "" if is_last else f"In match {number} "
    if found.worth[0] == found.worth[1]:
        return f"{where}{first} and {second} drew"
    winner, loser = (first, second) if found.worth[0] > found.worth[1] else (second, first)
    return f"{where}{winner} beat {loser}"


def _matches(count: int) -> str:
    return "one match" if count == 1 else f"{count} matches"


def _points(halves: int) -> str:
    return f"{points(halves)} point{'' if halves in (1, 2) else 's'}"
