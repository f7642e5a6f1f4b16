"""A typed client of `fracas serve`: accounts, the arena with tournaments and guilds, classes, events, the resolver."""

from fracas.client.arena import Arena
from fracas.client.classes import Classes
from fracas.client.client import Client, Event
from fracas.client.errors import ConnectionFailed, ServerProblem
from fracas.client.guilds import Guilds
from fracas.client.resolver import Resolver
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
from fracas.server_models.classes import ClassEntry, Job, SchoolClass
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
    "Guild",
    "Guilds",
    "Head",
    "InputProblem",
    "Job",
    "League",
    "Leg",
    "Match",
    "Member",
    "NamedEntry",
    "NewKey",
    "Pairing",
    "Person",
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
