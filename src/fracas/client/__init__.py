"""A typed client of `fracas serve`: accounts, the arena, tournaments, guilds, classes, jobs, tables, the resolver."""

from fracas.client.arena import Arena
from fracas.client.classes import Classes
from fracas.client.client import Client, Event
from fracas.client.errors import ConnectionFailed, ServerProblem
from fracas.client.guilds import Guilds
from fracas.client.jobs import Jobs
from fracas.client.resolver import Resolver
from fracas.client.tables import PlayedTable, Tables
from fracas.client.tournaments import Tournaments
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
from fracas.server_models.classes import ClassEntry, SchoolClass
from fracas.server_models.guilds import (
    Guild,
    Member,
    NamedEntry,
    War,
    WarEntry,
    WarMatch,
    WarRecord,
    WarSentence,
    WarSide,
)
from fracas.server_models.jobs import Job
from fracas.server_models.tables import GameTable, TableGame
from fracas.server_models.tournaments import Bracket, Entrant, Pairing, Round, Tournament

__all__ = [
    "Account",
    "Arena",
    "Bot",
    "Bracket",
    "Checked",
    "ClassEntry",
    "Classes",
    "Client",
    "ConnectionFailed",
    "Day",
    "Entrant",
    "Entry",
    "Event",
    "GameTable",
    "Guild",
    "Guilds",
    "Head",
    "InputProblem",
    "Job",
    "Jobs",
    "League",
    "Leg",
    "Match",
    "Member",
    "NamedEntry",
    "NewKey",
    "Pairing",
    "Person",
    "PlayedTable",
    "Profile",
    "PublishedHead",
    "Rank",
    "RatedSeason",
    "Rating",
    "Resolver",
    "Round",
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
    "Tournament",
    "Tournaments",
    "Version",
    "War",
    "WarEntry",
    "WarMatch",
    "WarRecord",
    "WarSentence",
    "WarSide",
]
