"""The arena: leagues, entries, queues, matches, practice and challenges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.client.tokens import new_token
from fracas.client.transport import Transport, path
from fracas.server_models.arena import (
    Bot,
    Checked,
    Day,
    Entry,
    Head,
    League,
    Leg,
    Match,
    Profile,
    Rank,
    Submitted,
    Ticket,
    Version,
)

Document = Mapping[str, Any]


class Arena:
    """The arena of one server. Every method raises `ServerProblem` when the server refuses."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    # Leagues

    def leagues(self) -> list[League]:
        """All leagues."""
        return list(self._transport.items(League, path("leagues")))

    def league(self, league: str) -> League:
        """One league, with its prices."""
        return self._transport.ask(League, "GET", path("leagues", league))

    def head(self, league: str) -> Head:
        """Where the league's chain stands today."""
        return self._transport.ask(Head, "GET", path("leagues", league, "head"))

    def days(self, league: str) -> Iterator[Day]:
        """The league's days, tomorrow first, with their commitments."""
        return self._transport.items(Day, path("leagues", league, "days"))

    def day(self, league: str, day: str) -> bytes:
        """The file of a day that is over, which `fracas verify --league-day` verifies. `day` is 2026-11-21."""
        return self._transport.send("GET", path("leagues", league, "days", day)).content

    def leaderboard(self, league: str, *, season: int | None = None, around: str | None = None) -> Iterator[Rank]:
        """The ranks of a season, the best first; or only those around a handle."""
        return self._transport.items(Rank, path("leagues", league, "leaderboard"), season=season, around=around)

    def bots(self, league: str) -> list[Bot]:
        """The league's bots with their measured strength, the strongest first."""
        return list(self._transport.items(Bot, path("leagues", league, "bots")))

    def check(self, league: str, document: Document) -> Checked:
        """Check an entry without submitting it: what it costs, and warnings."""
        return self._transport.ask(Checked, "POST", path("leagues", league, "check"), {"document": document})

    # Entries

    def entries(self, league: str | None = None) -> list[Entry]:
        """Your entries."""
        return list(self._transport.items(Entry, path("entries"), league=league))

    def submit(self, league: str, title: str, document: Document, *, ranked: bool = False) -> Submitted:
        """Submit an entry. A league has room for one ranked entry of yours."""
        body = {"league": league, "title": title, "document": document, "ranked": ranked}
        return self._transport.ask(Submitted, "POST", path("entries"), body)

    def change(self, entry: str, document: Document) -> Submitted:
        """Submit a new version of an entry. Tickets that wait keep theirs."""
        return self._transport.ask(Submitted, "POST", path("entries", entry, "versions"), {"document": document})

    def rename(self, entry: str, title: str) -> Entry:
        """Give an entry another title."""
        return self._transport.ask(Entry, "PATCH", path("entries", entry), {"title": title})

    def open_to_challenges(self, entry: str, is_open: bool = True) -> Entry:
        """Let others challenge an entry while its league still hides it, or no longer."""
        return self._transport.ask(Entry, "PATCH", path("entries", entry), {"open_to_challenges": is_open})

    def withdraw(self, entry: str) -> None:
        """Withdraw an entry."""
        self._transport.send("DELETE", path("entries", entry))

    def entry(self, entry: str) -> Entry:
        """One entry."""
        return self._transport.ask(Entry, "GET", path("entries", entry))

    def version(self, entry: str, version: int) -> Version:
        """A version of an entry, with its document once you may read it."""
        return self._transport.ask(Version, "GET", path("entries", entry, "versions", version))

    # Queues

    def tickets(self) -> list[Ticket]:
        """Your places in queues."""
        return list(self._transport.items(Ticket, path("tickets")))

    def enter(self, entry: str, *, standing: bool = False, salt: str | None = None) -> Ticket:
        """Enter the queue: once, or as a standing entry that fights while you sleep.

        The salt goes into the match's seed. Without one of your own the client makes 16 random bytes, so the server
        does not choose it.
        """
        body = {"entry": entry, "kind": "standing" if standing else "once", "salt": salt or new_token()}
        return self._transport.ask(Ticket, "POST", path("tickets"), body)

    def leave(self, ticket: str) -> None:
        """Leave a queue; it works until you are paired."""
        self._transport.send("DELETE", path("tickets", ticket))

    # Matches

    def matches(
        self, league: str | None = None, *, account: str | None = None, opponent: str | None = None
    ) -> Iterator[Match]:
        """Matches, the newest first; your own practice and challenges among them."""
        return self._transport.items(Match, path("matches"), league=league, account=account, opponent=opponent)

    def match(self, match: str) -> Match:
        """One match with its legs."""
        return self._transport.ask(Match, "GET", path("matches", match))

    def leg(self, match: str, leg: int) -> Leg:
        """A battle of a match with its story; the server plays it again."""
        return self._transport.ask(Leg, "GET", path("matches", match, "legs", leg))

    def leg_events(self, match: str, leg: int) -> list[dict[str, Any]]:
        """The events of a battle; those of a hidden entry without their reasons."""
        return list(self._transport.items(dict[str, Any], path("matches", match, "legs", leg, "events")))

    def replay(self, match: str, leg: int) -> bytes:
        """A battle as a replay, which `fracas verify` checks; only if nothing in it is hidden from you."""
        return self._transport.send("GET", path("matches", match, "legs", leg, "replay")).content

    def practise(self, entry: str, bot: str) -> Match:
        """Fight a bot at once; unrated, and only you see it."""
        return self._transport.ask(Match, "POST", path("practice"), {"entry": entry, "bot": bot})

    def challenge(self, entry: str, rival: str) -> Match:
        """Fight a named rival at once; unrated, and only you two see it."""
        return self._transport.ask(Match, "POST", path("challenges"), {"entry": entry, "rival": rival})

    def profile(self, handle: str) -> Profile:
        """What an account shows."""
        return self._transport.ask(Profile, "GET", path("profiles", handle))
