"""Who may see what: when a version is revealed, who reads it, and who may know of an entry or a match.

A version is hidden until it is revealed: by its first public match, or when the season ends, as the
league says; a bot's when it is installed, those of a class by the class's table. Its author always reads it. Day files
and replays hold what is revealed. Of a battle with a hidden side others see what happened, and not why
(`arena/legs.py`).
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, bindparam, exists, or_, select, update

from fracas.server.arena.domain import WAR
from fracas.server.arena.refusals import Missing
from fracas.server.database.tables import entry_version, is_of_side, match, match_side, pupil, school_class
from fracas.server.http.authorisation import Role

is_in_chain = match.c.no.is_not(None)
is_public = is_in_chain | (match.c.kind == WAR)
"""The matches of a chain and of wars. Practice, challenges and classes are their players' own."""
is_revealed = entry_version.c.revealed_at.is_not(None)


def may_read(author: str, viewer: str | None, *, revealed: bool) -> bool:
    """Whether an account may read a version, and why it decided as it did."""
    return revealed or author == viewer


def fought_in_public(*which: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether there is a public match with a side that fits some conditions."""
    return exists().where(match.c.id == match_side.c.match, is_public, *which)


def shown_to(viewer: str | None) -> ColumnElement[bool]:
    """The matches that an account may know of: public ones, and its own."""
    if viewer is None:
        return is_public
    return or_(is_public, match.c.id.in_(select(match_side.c.match).where(match_side.c.account == viewer)))


def is_member(whom: str) -> ColumnElement[bool]:
    """The classes that an account teaches or is in."""
    is_in = select(pupil.c["class"]).where(pupil.c.account == whom)
    return (school_class.c.teacher == whom) | school_class.c.id.in_(is_in)


def is_known(connection: Connection, identifier: str, role: str) -> bool:
    """Whether an entry has fought in public, or is a bot's: anybody may know that it exists."""
    fought = select(fought_in_public(match_side.c.entry == identifier))
    return role == Role.BOT or bool(connection.execute(fought).scalar_one())


def refuse_classmates_entry(connection: Connection, named: str | None, viewer: str | None) -> None:
    """Refuse an entry that only its class may know of, given the entry's class.

    Raises:
        Missing: the viewer is not in it.
    """
    if viewer is None or named is None:
        raise Missing("entry")
    theirs = select(school_class.c.id).where(school_class.c.id == named, is_member(viewer))
    if connection.execute(theirs).first() is None:
        raise Missing("class")


# --- Revealing ------------------------------------------------------------------------------------------------------

# Built once: building a statement takes longer than running it.
REVEAL_EACH = update(entry_version).where(
    entry_version.c.entry == bindparam("of_entry"), entry_version.c.no == bindparam("of_version"), ~is_revealed
)
"""For rows of of_entry, of_version and revealed_at."""


def reveal(connection: Connection, which: ColumnElement[bool], now: int) -> None:
    """Reveal versions; those that are revealed already stay as they are."""
    connection.execute(update(entry_version).where(which, ~is_revealed).values(revealed_at=now))


def reveal_fought(connection: Connection, league: str, now: int) -> None:
    """Reveal the versions that fought in public in a league, when its season ends.

    Others stay hidden: those of waiting tickets, of classes, and those that nobody has met.
    """
    reveal(connection, fought_in_public(is_of_side, match_side.c.league == league), now)
