"""Guilds and their wars: found one, join one, name an entry, and read how a war went."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.client.transport import Transport, path
from fracas.server_models.guilds import Guild, War


class Guilds:
    """The guilds of one server. Every method raises `ServerProblem` when the server refuses."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def all(self, league: str | None = None) -> Iterator[Guild]:
        """All guilds by their names, or those of a league."""
        return self._transport.items(Guild, path("guilds"), league=league)

    def get(self, identifier: str) -> Guild:
        """A guild with its members."""
        return self._transport.ask(Guild, "GET", path("guilds", identifier))

    def mine(self) -> Guild:
        """The guild that you are in; status 404 if you are in none."""
        return self._transport.ask(Guild, "GET", path("guilds", "mine"))

    def found(self, name: str, league: str) -> Guild:
        """Found a guild, which you own, and whose wars are fought by a league's rules. Its `code` lets others join."""
        return self._transport.ask(Guild, "POST", path("guilds"), {"name": name, "league": league})

    def join(self, code: str) -> Guild:
        """Join a guild. You can be in one at a time."""
        return self._transport.ask(Guild, "POST", path("guilds", "join"), {"code": code})

    def leave(self, identifier: str, handle: str) -> None:
        """Leave a guild, with your own handle; an owner removes a member with the member's."""
        self._transport.send("DELETE", path("guilds", identifier, "members", handle))

    def hand_over(self, identifier: str, handle: str) -> Guild:
        """Hand a guild that you own over to another member."""
        return self._transport.ask(Guild, "POST", path("guilds", identifier, "owner"), {"handle": handle})

    def new_code(self, identifier: str) -> Guild:
        """Give a guild that you own a new code; the old one ends."""
        return self._transport.ask(Guild, "POST", path("guilds", identifier, "code"), {})

    def dissolve(self, identifier: str) -> None:
        """Dissolve a guild that you own. A war that is locked or runs goes on."""
        self._transport.send("DELETE", path("guilds", identifier))

    def name(self, identifier: str, entry: str) -> Guild:
        """Name an entry of your own for the guild's wars, in place of the one that you named before."""
        return self._transport.ask(Guild, "PUT", path("guilds", identifier, "entry"), {"entry": entry})

    def take_back(self, identifier: str, handle: str) -> None:
        """Take back what you named, with your own handle; an owner takes back a member's with the member's."""
        self._transport.send("DELETE", path("guilds", identifier, "members", handle, "entry"))

    def wars(self, *, league: str | None = None, guild: str | None = None) -> Iterator[War]:
        """Wars, the newest week first: all, or those of a league or a guild."""
        return self._transport.items(War, path("wars"), league=league, guild=guild)

    def war(self, identifier: str) -> War:
        """A war with its entries, its matches and its story."""
        return self._transport.ask(War, "GET", path("wars", identifier))
