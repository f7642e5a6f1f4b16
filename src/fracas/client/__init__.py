"""A typed client of `fracas serve`: accounts, entries, queues, matches, classes, live tables, events, the resolver."""

from fracas.client.arena import Arena
from fracas.client.classes import Classes
from fracas.client.client import Client, Event
from fracas.client.errors import ConnectionFailed, ServerProblem
from fracas.client.resolver import Resolver
from fracas.client.tables import PlayedTable, Tables
from fracas.server_models.accounts import Account, NewKey, Session, Token
from fracas.server_models.answer import InputProblem
from fracas.server_models.arena import (
    Bot,
    Checked,
    Day,
    Entry,
    Head,
    League,
    Leg,
    Match,
    Person,
    Profile,
    PublishedHead,
    Rank,
    RatedSeason,
    Rating,
    Season,
    Side,
    Submitted,
    Ticket,
    Version,
)
from fracas.server_models.classes import ClassEntry, Job, SchoolClass
from fracas.server_models.tables import GameTable, TableGame

__all__ = [
    "Account",
    "Arena",
    "Bot",
    "Checked",
    "ClassEntry",
    "Classes",
    "Client",
    "ConnectionFailed",
    "Day",
    "Entry",
    "Event",
    "GameTable",
    "Head",
    "InputProblem",
    "Job",
    "League",
    "Leg",
    "Match",
    "NewKey",
    "Person",
    "PlayedTable",
    "Profile",
    "PublishedHead",
    "Rank",
    "RatedSeason",
    "Rating",
    "Resolver",
    "SchoolClass",
    "Season",
    "ServerProblem",
    "Session",
    "Side",
    "Submitted",
    "TableGame",
    "Tables",
    "Ticket",
    "Token",
    "Version",
]
