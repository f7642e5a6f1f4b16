"""Classes for teachers: a join code, pupils without mail, entries of their own, and a table of all against all.

Nothing of a class is rated or public. It is deleted with everything in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from fracas.engine.battle import Battle, play_battle
from fracas.errors import InputError
from fracas.player_entries.checking import NO_MODIFIER
from fracas.server import job_rows
from fracas.server.accounts.deletion import delete_classes
from fracas.server.arena import service
from fracas.server.arena.domain import Arena
from fracas.server.arena.entries import scenario_of
from fracas.server.arena.league import read_league
from fracas.server.arena.match_player import Combatant, Rules, leg_document
from fracas.server.arena.refusals import Conflict, Missing
from fracas.server.arena.store.people import PERSON, Person, person
from fracas.server.arena.visibility import is_member, reveal
from fracas.server.clock import DAY, iso
from fracas.server.database import documents
from fracas.server.database.tables import account, entry, entry_version, job, pupil, school_class
from fracas.server.http.answers import link, links
from fracas.server.ids import new_id, random_code
from fracas.server.job_rows import JobView
from fracas.server_models.arena import Submitted
from fracas.server_models.classes import ClassEntry, SchoolClass
from fracas.server_models.jobs import TABLE

CODE_LETTERS = 8
CODE_LIFE = 14 * DAY
MOST_CLASSES, MOST_PUPILS = 50, 200
FEWEST_ENTRIES = 2
MOST_BATTLES = 2_000_000


def make_class(connection: Connection, arena: Arena, teacher: str, title: str, league: str, now: int) -> SchoolClass:
    """Make a class that plays by a league's rules. Its code lets pupils join for 14 days.

    Raises:
        InputError: there is no such league, or the title is not valid.
        Conflict: the teacher has too many classes.
    """
    arena.league(league)
    problems = service.title_problems(title)
    if problems:
        raise InputError(problems)
    own = select(func.count()).select_from(school_class).where(school_class.c.teacher == teacher)
    if connection.execute(own).scalar_one() >= MOST_CLASSES:
        raise Conflict(f"you have {MOST_CLASSES} classes; delete one first")
    values: dict[str, Any] = {
        "id": new_id(now),
        "teacher": teacher,
        "title": title.strip(),
        "league": league,
        "code": random_code(CODE_LETTERS),
        "code_expires_at": now + CODE_LIFE,
        "created_at": now,
    }
    connection.execute(insert(school_class).values(**values))
    return own_class(connection, teacher, values["id"])


def renew_code(connection: Connection, teacher: str, identifier: str, now: int) -> SchoolClass:
    """Give a class a new code, which is valid for 14 days.

    Raises:
        Missing: the teacher has no such class.
    """
    own_class(connection, teacher, identifier)
    values = {"code": random_code(CODE_LETTERS), "code_expires_at": now + CODE_LIFE}
    connection.execute(update(school_class).where(school_class.c.id == identifier).values(**values))
    return own_class(connection, teacher, identifier)


def join_class(connection: Connection, whom: str, code: str, now: int) -> SchoolClass:
    """Join a class by its code; joining again changes nothing.

    Raises:
        Missing: no class has this code, or it has expired.
        Conflict: the class is full.
    """
    row = connection.execute(
        select(school_class).where(school_class.c.code == code.strip().lower(), school_class.c.code_expires_at > now)
    ).first()
    if row is None:
        raise Missing("class of this code")
    found = _class(row, whom)
    is_in = select(pupil.c.account).where(pupil.c["class"] == found.id, pupil.c.account == whom)
    if connection.execute(is_in).first() is None:
        count = select(func.count()).select_from(pupil).where(pupil.c["class"] == found.id)
        if connection.execute(count).scalar_one() >= MOST_PUPILS:
            raise Conflict(f"this class has {MOST_PUPILS} pupils, which is the limit")
        connection.execute(insert(pupil).values({"class": found.id, "account": whom, "joined_at": now}))
    return found


def classes_of(connection: Connection, whom: str) -> list[SchoolClass]:
    """The classes that an account teaches or is in."""
    query = select(school_class).where(is_member(whom))
    return [_class(row, whom) for row in connection.execute(query.order_by(school_class.c.id))]


def class_of(connection: Connection, whom: str, identifier: str) -> SchoolClass:
    """A class that an account teaches or is in.

    Raises:
        Missing: there is no such class for the account.
    """
    row = connection.execute(select(school_class).where(school_class.c.id == identifier, is_member(whom))).first()
    if row is None:
        raise Missing("class")
    return _class(row, whom)


def own_class(connection: Connection, teacher: str, identifier: str) -> SchoolClass:
    """A class that an account teaches.

    Raises:
        Missing: the account teaches no such class.
    """
    query = select(school_class).where(school_class.c.id == identifier, school_class.c.teacher == teacher)
    row = connection.execute(query).first()
    if row is None:
        raise Missing("class")
    return _class(row, teacher)


def pupils_of(connection: Connection, identifier: str) -> list[Person]:
    """The pupils of a class, in the order in which they joined."""
    query = (
        select(pupil.c.account, *PERSON)
        .join(account, account.c.id == pupil.c.account)
        .where(pupil.c["class"] == identifier)
        .order_by(pupil.c.joined_at, pupil.c.account)
    )
    return [person(row) for row in connection.execute(query)]


def submit(
    connection: Connection, arena: Arena, whom: str, identifier: str, title: str, document: Any, now: int
) -> Submitted:
    """Submit the entry of a pupil, or of the teacher, to a class; a second one is a new version of the first.

    Raises:
        InputError: everything that the class's league refuses.
        Missing: there is no such class for the account.
    """
    found = class_of(connection, whom, identifier)
    query = select(entry.c.id).where(entry.c["class"] == identifier, entry.c.account == whom, entry.c.state == "active")
    known = connection.execute(query).scalar_one_or_none()
    if known is not None:
        service.rename_entry(connection, whom, known, title)
        return service.change_entry(connection, arena, whom, known, document, now)
    return service.submit_entry(connection, arena, whom, found.league, title, document, now, school_class=identifier)


def entries_in(connection: Connection, identifier: str) -> list[ClassEntry]:
    """The entries of a class, the oldest first."""
    query = (
        select(entry, *PERSON)
        .join(account, account.c.id == entry.c.account)
        .where(entry.c["class"] == identifier, entry.c.state == "active")
        .order_by(entry.c.id)
    )
    return [
        ClassEntry(
            id=row.id,
            account=person(row),
            code=row.code,
            title=row.title,
            version=row.last_no,
            links=links(self=link("entries", row.id)),
        )
        for row in connection.execute(query)
    ]


def ask_for_table(
    connection: Connection, arena: Arena, teacher: str, identifier: str, battles: int, now: int
) -> JobView:
    """Ask for the table of all entries against each other, `battles` for each pair; reveals them to the class.

    Raises:
        InputError: an odd number of battles, or more than the limit.
        Missing: the account teaches no such class.
        Conflict: too few entries, or two jobs are on their way already.
    """
    found = own_class(connection, teacher, identifier)
    entries = entries_in(connection, identifier)
    if len(entries) < FEWEST_ENTRIES:
        raise Conflict(f"a table needs {FEWEST_ENTRIES} entries or more; this class has {len(entries)}")
    pairs = len(entries) * (len(entries) - 1) // 2
    price = battles * pairs
    if battles < 2 or battles % 2:
        raise InputError.of("battles", f"must be even and at least 2, not {battles:,}")
    if price > MOST_BATTLES:
        most = MOST_BATTLES // pairs // 2 * 2
        message = f"{pairs:,} pairs of {battles:,} battles are {price:,}; at most {MOST_BATTLES:,} are allowed"
        raise InputError.of("battles", message, f"write {most:,} or less")
    listed = [_revealed(connection, each, now) for each in entries]
    league = arena.league(found.league)
    document = {"league": league.document, "entries": listed, "battles": battles, "seed": f"class {identifier}"}
    values = {
        "id": new_id(now),
        "account": teacher,
        "kind": TABLE,
        "subject": identifier,
        "title": found.title,
        "document": documents.put(connection, document),
        "price": price,
        "created_at": now,
    }
    if not job_rows.add(connection, values, f"account:{teacher}", job_rows.SLOTS):
        raise Conflict(f"{job_rows.SLOTS} jobs are on their way already")
    return job_rows.rows(connection, job.c.id == values["id"])[0]


def _revealed(connection: Connection, each: ClassEntry, now: int) -> dict[str, Any]:
    """An entry as the table's input; the class may read this version from now on."""
    where = (entry_version.c.entry == each.id) & (entry_version.c.no == each.version)
    reveal(connection, where, now)
    row = connection.execute(select(entry_version.c.document).where(where)).one()
    return {
        "code": each.code,
        "entry": each.id,
        "version": each.version,
        "document": documents.get(connection, bytes(row.document)),
    }


def tables_of(connection: Connection, identifier: str) -> list[JobView]:
    """The tables of a class, the newest first."""
    return job_rows.rows(connection, job.c.subject == identifier)


def delete_class(connection: Connection, teacher: str, identifier: str, now: int) -> None:
    """Delete a class with its entries, its tables and their results; guests who are in no other class end with it.

    Raises:
        Missing: the account teaches no such class.
    """
    own_class(connection, teacher, identifier)
    delete_classes(connection, school_class.c.id == identifier, now)


def _class(row: Any, whom: str) -> SchoolClass:
    """A class as an account sees it; its code is for the teacher alone."""
    code = {"code": row.code, "code_expires_at": iso(row.code_expires_at)} if row.teacher == whom else {}
    path = link("classes", row.id)
    return SchoolClass(
        id=row.id,
        title=row.title,
        league=row.league,
        teacher=row.teacher == whom,
        created_at=iso(row.created_at),
        **code,
        links=links(self=path, entries=f"{path}/entries", tables=f"{path}/tables", league=link("leagues", row.league)),
    )


# --- The battles behind the table -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class TableCell:
    """Two entries of a class's table, in the table's order."""

    league: dict[str, Any]
    entries: tuple[dict[str, Any], dict[str, Any]]
    seed: str

    @property
    def codes(self) -> tuple[str, str]:
        """What the entries' sides are called."""
        return self.entries[0]["code"], self.entries[1]["code"]

    def battle(self) -> Battle:
        """The first battle that the table counted for this pair, with its log.

        Raises:
            InputError: an entry does not fit the content any more.
        """
        league = read_league(self.league, "league")
        first, second = (Combatant(each["code"], each["document"], b"") for each in self.entries)
        document = leg_document(Rules(league, NO_MODIFIER), first, second, 0)
        return play_battle(scenario_of(league, document | {"seed": self.seed}))


def cell_of(connection: Connection, whom: str, identifier: str, codes: tuple[str, str]) -> TableCell:
    """Two entries, by their codes, of the newest table of a class that an account teaches or is in.

    Raises:
        Missing: there is no such class for the account, no table, or no such entry in it.
    """
    class_of(connection, whom, identifier)
    done = select(job.c.document).where(job.c.subject == identifier, job.c.state == "done")
    newest = connection.execute(done.order_by(job.c.id.desc()).limit(1)).first()
    if newest is None:
        raise Missing("table")
    table = documents.get(connection, bytes(newest.document))
    found = [each for each in table["entries"] if each["code"] in codes]
    if len(found) != 2:
        raise Missing("pair of entries in the table")
    return TableCell(table["league"], (found[0], found[1]), table["seed"])
