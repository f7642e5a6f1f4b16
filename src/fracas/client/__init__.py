"""A typed client of `fracas serve`: accounts, entries, queues, matches, practice, events and the resolver."""

from fracas.client.arena import Arena
from fracas.client.client import Client
from fracas.client.errors import ConnectionFailed, ServerProblem
from fracas.client.records import (
    Account,
    Entry,
    Event,
    Head,
    Key,
    League,
    Leg,
    Match,
    Person,
    Profile,
    Rank,
    Rating,
    Session,
    Side,
    Submitted,
    Ticket,
    Version,
)
from fracas.client.resolver import Resolver

__all__ = [
    "Account",
    "Arena",
    "Client",
    "ConnectionFailed",
    "Entry",
    "Event",
    "Head",
    "Key",
    "League",
    "Leg",
    "Match",
    "Person",
    "Profile",
    "Rank",
    "Rating",
    "Resolver",
    "ServerProblem",
    "Session",
    "Side",
    "Submitted",
    "Ticket",
    "Version",
]
