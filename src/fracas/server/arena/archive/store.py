"""What the archive stores and finds: modules of rules, compiled pairs, and which version played a season.

The program that plays stores what plays it again, because the next one has neither its rules nor its module. A database
of the schema before has no archive; nothing is kept in it then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any
from weakref import WeakSet

from sqlalchemy import Connection, Engine, bindparam, inspect, select
from sqlalchemy.dialects import postgresql, sqlite

from fracas.server.arena.archive.contents import KeptPair, StoredPair
from fracas.server.arena.archive.modules import TOOL, StoredModule, installed_module
from fracas.server.database.tables import archived_pair, rules_module, season_program
from fracas.server.database.upsert import insert_if_absent

_with_archive: WeakSet[Engine] = WeakSet()

_KNOWN = select(archived_pair.c.key).where(archived_pair.c.key.in_(bindparam("keys", expanding=True)))
_MODULE = select(rules_module.c.digest).where(rules_module.c.digest == bindparam("the_digest"))
_PAIRS = select(archived_pair).where(archived_pair.c.key.in_(bindparam("keys", expanding=True)))


def has_archive(connection: Connection) -> bool:
    """Whether the database has the tables of the archive; one of the schema before has none."""
    engine = connection.engine
    if engine not in _with_archive:
        if not inspect(connection).has_table(archived_pair.name):
            return False
        _with_archive.add(engine)
    return True


def note_program(connection: Connection, league: str, season: int) -> None:
    """Note that this version of the program plays a season, unless an earlier one began it."""
    if has_archive(connection):
        insert_if_absent(connection, season_program, {"league": league, "season": season, "tool": TOOL})


def keep_module(connection: Connection, ruleset: str) -> bytes | None:
    """Store the module of the installed rules, unless it is stored already.

    Returns:
        Its digest; None if there is no module of these rules, or no archive.
    """
    found = installed_module(ruleset) if has_archive(connection) else None
    if found is None:
        return None
    if connection.execute(_MODULE, {"the_digest": found.digest}).first() is None:
        insert_if_absent(connection, rules_module, vars(found))
    return found.digest


def keep_pairs(connection: Connection, ruleset: str, pairs: Iterable[KeptPair]) -> None:
    """Store pairs of one ruleset, as far as they are not stored yet."""
    wanted = {pair.key: pair for pair in pairs}
    if not wanted or not has_archive(connection):
        return
    known = {bytes(key) for key in connection.execute(_KNOWN, {"keys": list(wanted)}).scalars()}
    # In order, so that two processes that store the same pairs wait for each other only one way.
    new = [wanted[key] for key in sorted(wanted.keys() - known)]
    if not new:
        return
    module = keep_module(connection, ruleset)
    if module is None:
        return
    rows = [{"key": each.key, "module": module, "digest": each.digest, "content": each.packed} for each in new]
    connection.execute(_insert_pairs(connection.dialect.name), rows)


@cache
def _insert_pairs(dialect: str) -> Any:
    insert: Any = postgresql.insert if dialect == "postgresql" else sqlite.insert
    return insert(archived_pair).on_conflict_do_nothing()


def tools_of(connection: Connection, league: str) -> dict[int, str]:
    """The wheel that played each season, such as `fracas==1.2.0`; seasons before there was an archive are missing."""
    if not has_archive(connection):
        return {}
    rows = connection.execute(select(season_program).where(season_program.c.league == league))
    return {row.season: row.tool for row in rows}


def tool_of(connection: Connection, league: str, season: int) -> str | None:
    """The wheel that played a season; None if nobody noted it."""
    return tools_of(connection, league).get(season)


def pairs_of(connection: Connection, keys: Iterable[bytes]) -> dict[bytes, StoredPair]:
    """Pairs by their keys; those that are not kept are missing."""
    wanted = sorted(set(keys))
    if not wanted or not has_archive(connection):
        return {}
    return {bytes(row.key): _pair(row) for row in connection.execute(_PAIRS, {"keys": wanted})}


def all_pairs(connection: Connection, at_once: int) -> Iterator[StoredPair]:
    """All pairs in the order of their keys; read in portions."""
    last: bytes | None = None
    while has_archive(connection):
        query = select(archived_pair).order_by(archived_pair.c.key).limit(at_once)
        rows = connection.execute(query if last is None else query.where(archived_pair.c.key > last)).all()
        yield from map(_pair, rows)
        if len(rows) < at_once:
            return
        last = bytes(rows[-1].key)


def _pair(row: Any) -> StoredPair:
    return StoredPair(bytes(row.key), bytes(row.module), bytes(row.digest), bytes(row.content))


def module_of(connection: Connection, digest: bytes) -> StoredModule | None:
    """A module by its digest."""
    row = connection.execute(select(rules_module).where(rules_module.c.digest == digest)).first()
    return None if row is None else _module(row)


def module_digests(connection: Connection) -> list[bytes]:
    """The digests of all modules; there are a few for each ruleset."""
    if not has_archive(connection):
        return []
    return [bytes(each) for each in connection.execute(select(rules_module.c.digest)).scalars()]


def _module(row: Any) -> StoredModule:
    digest, description, module = bytes(row.digest), bytes(row.description), bytes(row.module)
    return StoredModule(digest, row.ruleset, row.rules_version, row.layout_key, row.tool, description, module)
