"""A typed client of `fracas serve`: accounts, entries, queues, matches, practice, classes, events and the resolver."""

from fracas.client.arena import Arena
from fracas.client.classes import Classes
from fracas.client.client import Client
from fracas.client.errors import ConnectionFailed, ServerProblem
from fracas.client.records import (
    Account,
    ClassEntry,
    Day,
    Entry,
    Event,
    Head,
    Job,
    Key,
    League,
    Leg,
    Match,
    Person,
    Profile,
    PublishedHead,
    Rank,
    Rating,
    SchoolClass,
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
    "ClassEntry",
    "Classes",
    "Client",
    "ConnectionFailed",
    "Day",
    "Entry",
    "Event",
    "Head",
    "Job",
    "Key",
    "League",
    "Leg",
    "Match",
    "Person",
    "Profile",
    "PublishedHead",
    "Rank",
    "Rating",
    "Resolver",
    "SchoolClass",
    "ServerProblem",
    "Session",
    "Side",
    "Submitted",
    "Ticket",
    "Version",
]
