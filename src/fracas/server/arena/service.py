"""What accounts do in the arena: submit entries, change and withdraw them, enter and leave the queue.

Each function is a command: it takes the connection of a transaction, and raises to undo it.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from fracas.errors import InputError, Problem
from fracas.server.arena.day_secrets import LONGEST_SALT, new_salt
from fracas.server.arena.domain import MATCHED, ONCE, PARKED, STANDING, WAITING, Arena
from fracas.server.arena.entries import CheckedEntry, check_entry, sealed_digest
from fracas.server.arena.refusals import Conflict, Missing
from fracas.server.clock import iso
from fracas.server.database import documents
from fracas.server.database.tables import (
    entry,
    entry_version,
    guild_member,
    is_newest,
    is_of_ticket,
    match_side,
    ticket,
    tournament,
    tournament_entrant,
    war_entry,
)
from fracas.server.database.upsert import insert_if_absent
from fracas.server.http.answers import link, links
from fracas.server.http.problems import input_problem
from fracas.server.ids import new_id, random_bytes, random_code
from fracas.server_models.arena import Submitted, Ticket

LONGEST_TITLE = 80
CODE_LETTERS = 6
# How many entries an account may have in a league.
MOST_ENTRIES = 100
MOST_VERSIONS = 1_000


def submit_entry(
    connection: Connection,
    arena: Arena,
    account: str,
    league: str,
    title: str,
    document: Any,
    now: int,
    *,
    ranked: bool = False,
    school_class: str | None = None,
) -> Submitted:
    """Submit a new entry. An account has one ranked entry per league; all others are for casual play.

    `document` may be checked already, outside the transaction.

    Raises:
        InputError: everything that the league refuses.
        Conflict: the account has a ranked entry there already, or too many entries.
    """
    rules = arena.league(league)
    problems = title_problems(title)
    if ranked and not rules.is_ranked:
        problems.append(Problem("ranked", f"{league} is not a ranked league"))
    checked = _checked(arena, league, document, problems)
    mine = select(entry.c.id).where(entry.c.account == account, entry.c.league == league, entry.c.state == "active")
    if len(connection.execute(mine.limit(MOST_ENTRIES)).all()) >= MOST_ENTRIES:
        raise Conflict(f"you have {MOST_ENTRIES} entries in {league}; withdraw one first")
    identifier, code = new_id(now), _free_code(connection)
    values = {
        "id": identifier,
        "account": account,
        "league": league,
        "code": code,
        "title": clean_title(title),
        "ranked": int(ranked),
        "last_no": 1,
        "class": school_class,
        "created_at": now,
    }
    try:
        with connection.begin_nested():
            connection.execute(insert(entry).values(values))
    except IntegrityError:
        raise Conflict(f"you have a ranked entry in {league} already; change or withdraw it") from None
    return _add_version(connection, identifier, 1, code, checked, now)


def change_entry(
    connection: Connection, arena: Arena, account: str, entry_id: str, document: Any, now: int
) -> Submitted:
    """Submit a new version of an entry. Tickets that wait keep the version that they named.

    Raises:
        InputError: everything that the league refuses.
        Missing: the account has no such entry.
        Conflict: the entry is withdrawn, or has too many versions.
    """
    row = own_entry(connection, account, entry_id, lock=True)
    if row.state != "active":
        raise Conflict("this entry is withdrawn")
    if row.last_no >= MOST_VERSIONS:
        raise Conflict(f"an entry has at most {MOST_VERSIONS:,} versions; submit a new one")
    checked = _checked(arena, row.league, document, [])
    number = row.last_no + 1
    connection.execute(update(entry).where(entry.c.id == entry_id).values(last_no=number))
    return _add_version(connection, entry_id, number, row.code, checked, now)


def open_to_challenges(connection: Connection, account: str, entry_id: str, *, is_open: bool) -> None:
    """Let others challenge an entry while its league hides it, or no longer. Everywhere else it changes nothing.

    Raises:
        Missing: the account has no such entry.
    """
    own_entry(connection, account, entry_id)
    connection.execute(update(entry).where(entry.c.id == entry_id).values(open_to_challenges=int(is_open)))


def rename_entry(connection: Connection, account: str, entry_id: str, title: str) -> None:
    """Give an entry another title.

    Raises:
        InputError: the title is not valid.
        Missing: the account has no such entry.
    """
    own_entry(connection, account, entry_id)
    problems = title_problems(title)
    if problems:
        raise InputError(problems)
    connection.execute(update(entry).where(entry.c.id == entry_id).values(title=clean_title(title)))


def withdraw_entry(connection: Connection, account: str, entry_id: str) -> bool:
    """Withdraw an entry and its tickets. Delete it if it never fought; return whether it was deleted.

    What is locked for a guild war fights on.

    Raises:
        Missing: the account has no such entry.
        Conflict: it is being matched at this moment, or is in a tournament that is not over.
    """
    own_entry(connection, account, entry_id, lock=True)
    tickets = connection.execute(select(ticket.c.state).where(ticket.c.entry == entry_id).with_for_update()).all()
    if any(row.state == MATCHED for row in tickets):
        raise Conflict("this entry is in a match at this moment; try again in a minute")
    entered = select(tournament.c.title).join(
        tournament_entrant,
        (tournament_entrant.c.tournament == tournament.c.id)
        & (tournament_entrant.c.entry == entry_id)
        & tournament_entrant.c.left_in.is_(None),
    )
    row = connection.execute(entered.where(tournament.c.state.in_(("entering", "running"))).limit(1)).first()
    if row is not None:
        raise Conflict(f"this entry is in the tournament “{row.title}”; leave that first")
    connection.execute(delete(ticket).where(ticket.c.entry == entry_id))
    connection.execute(update(guild_member).where(guild_member.c.entry == entry_id).values(entry=None))
    fought = select(match_side.c.match).where(match_side.c.entry == entry_id).limit(1)
    locked = select(war_entry.c.war).where(war_entry.c.entry == entry_id).limit(1)
    if connection.execute(fought).first() is None and connection.execute(locked).first() is None:
        connection.execute(delete(entry_version).where(entry_version.c.entry == entry_id))
        connection.execute(delete(entry).where(entry.c.id == entry_id))
        return True
    connection.execute(update(entry).where(entry.c.id == entry_id).values(state="withdrawn"))
    return False


def own_entry(connection: Connection, account: str, entry_id: str, *, lock: bool = False) -> Any:
    """The row of an account's entry.

    Raises:
        Missing: the account has no such entry.
    """
    query = select(entry).where(entry.c.id == entry_id, entry.c.account == account)
    row = connection.execute(query.with_for_update() if lock else query).first()
    if row is None:
        raise Missing("entry")
    return row


def _checked(arena: Arena, league: str, document: Any, problems: list[Problem]) -> CheckedEntry:
    if isinstance(document, CheckedEntry) and not problems:
        return document
    try:
        plain = document.document if isinstance(document, CheckedEntry) else document
        checked = check_entry(arena.league(league), plain)
    except InputError as error:
        raise InputError([*problems, *error.problems]) from None
    if problems:
        raise InputError(problems)
    return checked


def _add_version(
    connection: Connection, entry_id: str, number: int, code: str, checked: CheckedEntry, now: int
) -> Submitted:
    salt = random_bytes(16)
    digest = documents.put(connection, checked.document)
    sealed = sealed_digest(salt, digest)
    connection.execute(
        insert(entry_version).values(
            entry=entry_id, no=number, document=digest, salt=salt, sealed_digest=sealed, created_at=now
        )
    )
    entry_link = link("entries", entry_id)
    return Submitted(
        entry=entry_id,
        version=number,
        code=code,
        digest=digest.hex(),
        sealed_digest=sealed.hex(),
        warnings=[input_problem(each) for each in checked.warnings],
        links=links(entry=entry_link, self=f"{entry_link}/versions/{number}", queue=link("tickets")),
    )


def _free_code(connection: Connection) -> str:
    """A code that no other entry has. It begins with a letter, so that it can name a faction."""
    while True:
        code = "e" + random_code(CODE_LETTERS)
        if connection.execute(select(entry.c.id).where(entry.c.code == code)).first() is None:
            return code


def clean_title(title: str) -> str:
    """A title as it is stored."""
    return unicodedata.normalize("NFC", title).strip()


def title_problems(title: str) -> list[Problem]:
    """What is wrong with a title."""
    if not 1 <= len(clean_title(title)) <= LONGEST_TITLE:
        return [Problem("title", f"must have 1 to {LONGEST_TITLE} characters")]
    if not clean_title(title).isprintable():
        return [Problem("title", "contains a character that cannot be printed")]
    return []


# --- The queue ------------------------------------------------------------------------------------------------------


# Built once: building a statement takes longer than running it.
_QUEUED = (
    select(
        entry.c.league,
        entry.c.state,
        entry.c.ranked,
        entry.c.last_no,
        entry.c["class"].label("of_class"),
        entry_version.c.sealed_digest,
    )
    .join(entry_version, is_newest)
    .where(entry.c.id == bindparam("of_entry"), entry.c.account == bindparam("of_account"))
)
_FORGET_PARKED = delete(ticket).where(
    ticket.c.account == bindparam("of_account"),
    ticket.c.league == bindparam("of_league"),
    ticket.c.state == PARKED,
)


def enter_queue(
    connection: Connection,
    arena: Arena,
    account: str,
    entry_id: str,
    now: int,
    *,
    kind: str = ONCE,
    salt: str | None = None,
) -> Ticket:
    """Enter the newest version of an entry, for one match or as a standing entry.

    Args:
        connection: the transaction.
        arena: the leagues.
        account: whose entry it is.
        entry_id: the entry.
        now: milliseconds UTC.
        kind: once, or standing: it fights up to `matches_per_day` matches a day.
        salt: a text of your own that goes into the match's seed, at most 200 characters; absent means random bytes.

    Raises:
        InputError: the kind or the salt is not valid.
        Missing: the account has no such entry.
        Conflict: the account is in the queue already, or the entry cannot fight in it.
    """
    row = connection.execute(_QUEUED, {"of_entry": entry_id, "of_account": account}).first()
    if row is None:
        raise Missing("entry")
    league = arena.league(row.league)
    if kind not in (ONCE, STANDING):
        raise InputError.of("kind", f'"{kind}" is not known', f"write {ONCE} or {STANDING}")
    if salt is not None and not 1 <= len(salt.encode(errors="surrogatepass")) <= LONGEST_SALT:
        raise InputError.of("salt", f"must have 1 to {LONGEST_SALT} bytes")
    if row.state != "active":
        raise Conflict("this entry is withdrawn")
    if row.of_class is not None:
        raise Conflict("an entry of a class fights in its class only")
    if league.is_ranked and not row.ranked:
        raise Conflict(f"{league.id} is ranked, and this is not your ranked entry there")
    data = salt.encode(errors="replace") if salt is not None else new_salt().hex().encode()
    values = {
        "id": new_id(now),
        "league": row.league,
        "account": account,
        "entry": entry_id,
        "version": row.last_no,
        "kind": kind,
        "mode": league.file.mode,
        "salt": data,
        "since": now,
        "due_at": now,
        "state": STANDING if kind == STANDING else WAITING,
    }
    connection.execute(_FORGET_PARKED, {"of_account": account, "of_league": row.league})
    if not insert_if_absent(connection, ticket, values):
        raise Conflict(f"you are in the queue of {row.league} already; leave it first")
    return _ticket(values, bytes(row.sealed_digest))


def leave_queue(connection: Connection, account: str, ticket_id: str) -> None:
    """Leave the queue. It works until the ticket is paired.

    Raises:
        Missing: the account has no such ticket.
        Conflict: it is paired already.
    """
    query = select(ticket.c.state).where(ticket.c.id == ticket_id, ticket.c.account == account).with_for_update()
    row = connection.execute(query).first()
    if row is None:
        raise Missing("ticket")
    if row.state == MATCHED:
        raise Conflict("this ticket is paired already")
    connection.execute(delete(ticket).where(ticket.c.id == ticket_id))


def own_tickets(connection: Connection, account: str) -> list[Ticket]:
    """An account's tickets, parked ones included."""
    rows = connection.execute(
        select(ticket, entry_version.c.sealed_digest)
        .join(entry_version, is_of_ticket)
        .where(ticket.c.account == account)
        .order_by(ticket.c.id)
    )
    return [_ticket(row._mapping, bytes(row.sealed_digest)) for row in rows]


def _ticket(row: Any, digest: bytes) -> Ticket:
    return Ticket(
        id=row["id"],
        league=row["league"],
        entry=row["entry"],
        version=row["version"],
        kind=row["kind"],
        mode=row["mode"],
        salt=bytes(row["salt"]).decode(errors="replace"),
        since=iso(row["since"]),
        due_at=iso(row["due_at"]),
        state=row["state"],
        sealed_digest=digest.hex(),
        links=links(self=link("tickets", row["id"]), entry=link("entries", row["entry"])),
    )
