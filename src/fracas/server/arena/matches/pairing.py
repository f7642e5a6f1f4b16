"""Pair waiting tickets: a pure function of the tickets, the bots, recent meetings and the time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from fracas.server.arena.ratings import Rating
from fracas.server.clock import MINUTE

# How many rated matches two accounts may have with each other in 24 hours.
MOST_RATED = 2


@dataclass(frozen=True)
class Waiting:
    """A ticket that may be paired."""

    ticket: str
    account: str
    rating: Rating
    since: int
    """Since when it waits, milliseconds UTC."""
    is_due: bool = True
    """Whether it looks for an opponent; a standing ticket between its matches can only be found by others."""


@dataclass(frozen=True)
class Bot:
    """A bot that may step in."""

    account: str
    rating: Rating


@dataclass(frozen=True)
class Terms:
    """What a league says about who may meet whom."""

    window: int
    """The difference of shown ratings allowed at first."""
    widening: int
    """By how much it widens for each minute of waiting."""
    bot_after: int
    """Milliseconds of waiting after which a bot may step in."""
    is_ranked: bool = True


@dataclass(frozen=True)
class Meetings:
    """Who met whom."""

    last: Mapping[str, str] = field(default_factory=dict)
    """Each account's last opponent in this league."""
    rated: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """Rated matches of the last 24 hours, by both accounts in order; those that met less than `MOST_RATED` times may be
    missing."""


@dataclass(frozen=True)
class Pair:
    """Two tickets that meet, or a ticket and a bot."""

    first: Waiting
    second: Waiting | Bot
    is_rated: bool = True
    """False if they met in `MOST_RATED` rated matches already, and the second is a bot."""


def pair_of(one: str, other: str) -> tuple[str, str]:
    """Two accounts in order, as `Meetings.rated` has them."""
    return (one, other) if one < other else (other, one)


def window_of(ticket: Waiting, terms: Terms, now: int) -> float:
    """The difference of shown ratings that a ticket accepts by now."""
    return terms.window + terms.widening * max(now - ticket.since, 0) / MINUTE


def pair(
    tickets: Iterable[Waiting],
    bots: Sequence[Bot],
    meetings: Meetings,
    terms: Terms,
    now: int,
    most: int | None = None,
) -> tuple[Pair, ...]:
    """Pair tickets, those that wait longest first, each with the closest opponent that it did not meet last.

    A ticket that finds nobody new meets a bot after a while; without bots it meets its last opponent again. People who
    met too often do not meet. Bots are there to play against, so they do: the match is not rated then, and bots whose
    match would be come first. Stops at `most` pairs.
    """
    waiting = sorted(tickets, key=lambda each: (each.since, each.ticket))
    return tuple(islice(_Round(waiting, bots, meetings, terms, now).pairs(), most))


class _Candidate(NamedTuple):
    """A ticket, with what every comparison needs of it."""

    shown: int
    window: float
    account: str
    ticket: Waiting
    rank: int
    """By shown rating."""


class _Round:
    """One round of pairing."""

    def __init__(
        self, waiting: Sequence[Waiting], bots: Sequence[Bot], meetings: Meetings, terms: Terms, now: int
    ) -> None:
        rated = sorted(waiting, key=lambda each: each.rating.shown)
        self.by_rating = [
            _Candidate(each.rating.shown, window_of(each, terms, now), each.account, each, rank)
            for rank, each in enumerate(rated)
        ]
        known = {each.ticket.ticket: each for each in self.by_rating}
        self.free = {each.ticket: known[each.ticket] for each in waiting}
        self.widest = max((each.window for each in self.by_rating), default=0.0)
        self.bots = bots
        self.last = meetings.last
        self.rated = Counter(meetings.rated)
        self.terms = terms
        self.now = now

    def pairs(self) -> Iterator[Pair]:
        """The pairs, in the order in which they are made."""
        for candidate in [each for each in self.free.values() if each.ticket.is_due]:
            ticket = candidate.ticket
            if ticket.ticket in self.free:
                opponent = self.opponent(candidate)
                if opponent is not None:
                    self.take(ticket, opponent)
                    is_rated = isinstance(opponent, Waiting) or not self.met_often(ticket.account, opponent.account)
                    yield Pair(ticket, opponent, is_rated)

    def opponent(self, candidate: _Candidate) -> Waiting | Bot | None:
        """The best opponent that a ticket has by now; None means it waits on."""
        ticket, account = candidate.ticket, candidate.account
        fresh = self.closest(candidate, again=False)
        if fresh is not None or self.now - ticket.since < self.terms.bot_after:
            return fresh
        if self.bots:
            return min(
                self.bots,
                key=lambda bot: (
                    self.met_often(account, bot.account),
                    self.met_last(account, bot.account),
                    abs(candidate.shown - bot.rating.shown),
                    bot.account,
                ),
            )
        return self.closest(candidate, again=True)

    def closest(self, candidate: _Candidate, *, again: bool) -> Waiting | None:
        """The free ticket with the closest rating that may meet one; of equally close ones, that which waits longest.

        They must be of other accounts, close enough for either, and not have met too often; with `again`, they may have
        met in their last match.
        """
        best: Waiting | None = None
        least = self.widest
        for other in self.around(candidate):
            apart = abs(candidate.shown - other.shown)
            if apart > least:
                break
            if self.may_meet(candidate, other, apart, again=again) and (
                best is None or (other.ticket.since, other.ticket.ticket) < (best.since, best.ticket)
            ):
                best, least = other.ticket, apart
        return best

    def around(self, candidate: _Candidate) -> Iterator[_Candidate]:
        """The other free tickets, the closest ratings first."""
        order, free, shown = self.by_rating, self.free, candidate.shown
        below, above, count = candidate.rank - 1, candidate.rank + 1, len(self.by_rating)
        while below >= 0 or above < count:
            if above >= count or (below >= 0 and shown - order[below].shown <= order[above].shown - shown):
                other = order[below]
                below -= 1
            else:
                other = order[above]
                above += 1
            if other.ticket.ticket in free:
                yield other

    def may_meet(self, one: _Candidate, other: _Candidate, apart: int, *, again: bool) -> bool:
        """Whether two tickets may be paired, whose ratings are `apart`."""
        if one.account == other.account or (apart > one.window and apart > other.window):
            return False
        if self.met_often(one.account, other.account):
            return False
        return again or not self.met_last(one.account, other.account)

    def met_often(self, one: str, other: str) -> bool:
        """Whether two accounts have had all rated matches of 24 hours."""
        return self.terms.is_ranked and self.rated.get(pair_of(one, other), 0) >= MOST_RATED

    def met_last(self, one: str, other: str) -> bool:
        """Whether either met the other in its last match."""
        return self.last.get(one) == other or self.last.get(other) == one

    def take(self, ticket: Waiting, opponent: Waiting | Bot) -> None:
        """Take a pair out of the round."""
        del self.free[ticket.ticket]
        if isinstance(opponent, Waiting):
            del self.free[opponent.ticket]
            self.rated[pair_of(ticket.account, opponent.account)] += 1
