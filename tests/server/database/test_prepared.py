"""Prepared statements do what SQLAlchemy does, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from fracas.server.database.engine import Database
from fracas.server.database.prepared import Prepared
from fracas.server.database.tables import audit, idempotency

INSERT = Prepared(insert(audit))
BY_ID = Prepared(select(audit.c.id, audit.c.at.label("time"), audit.c.reason).where(audit.c.id == bindparam("of")))
RENAME = Prepared(
    update(audit).where(audit.c.id == bindparam("of"), audit.c.what == "write").values(who=bindparam("new_who"))
)
TAKE = Prepared(delete(audit).where(audit.c.id == bindparam("of")).returning(audit.c.id, audit.c.who))


def row(number: int, **more: Any) -> dict[str, Any]:
    return {"id": f"{number:03}", "who": "test", "what": "write", "subject": "s", "at": number, **more}


def test_statements_take_names_and_give_rows(database: Database):
    with database.writing.begin() as connection:
        assert INSERT.run(connection, row(1)) == 1
        assert INSERT.many(connection, [row(2), row(3, what="read")]) == 2
        assert INSERT.many(connection, []) == 0
        # Other names are another statement.
        INSERT.run(connection, row(4, reason="because"))
        found = BY_ID.first(connection, {"of": "004"})
        assert (found.id, found.time, found.reason) == ("004", 4, "because")
        assert BY_ID.first(connection, {"of": "002"}).reason is None
        assert BY_ID.first(connection, {"of": "nobody"}) is None
        changes = [{"of": f"{number:03}", "new_who": "ann"} for number in (1, 2, 3, 9)]
        assert RENAME.many(connection, changes) == 2
        taken = [TAKE.first(connection, {"of": each}) for each in ("001", "003", "009")]
        assert [each and each.who for each in taken] == ["ann", "test", None]
    with database.reading.connect() as connection:
        assert connection.execute(select(audit.c.id).order_by(audit.c.id)).scalars().all() == ["002", "004"]
        # Outside of a transaction too.
        assert BY_ID.first(connection, {"of": "002"}).time == 2


def test_what_they_do_is_undone_with_the_transaction(database: Database):
    with pytest.raises(IntegrityError), database.writing.begin() as connection:
        INSERT.many(connection, [row(1), row(2), row(1)])
    with database.reading.connect() as connection:
        assert connection.execute(select(audit)).all() == []


def test_no_parameter_is_in_an_error(sqlite: Database):
    with pytest.raises(IntegrityError) as caught, sqlite.writing.begin() as connection:
        INSERT.many(connection, [row(1, reason="hunter2"), row(1, reason="hunter2")])
    assert "hunter2" not in str(caught.value)


# Each number changes one row; the last change of a row stands.
MANY = Prepared(insert(idempotency), row=("account", "key"))
COUNT_UP = Prepared(
    update(audit).where(audit.c.id == bindparam("of")).values(at=audit.c.at * 10 + bindparam("digit")), row=("of",)
)
FORGET = Prepared(delete(audit).where(audit.c.id == bindparam("of")).returning(audit.c.id, audit.c.at), row=("of",))


def test_many_rows_are_one_statement_with_all_kinds_of_values(database: Database):
    rows = [
        {"account": 'a "quoted" \\ word, ü', "key": f"k{place}", "request_hash": data, "body": data, "status": -1}
        | {"created_at": 1 << 62}
        for place, data in enumerate((b"\x00\xff" * 16, b"", b"\\x00 text"))
    ]
    with database.writing.begin() as connection:
        assert MANY.many(connection, rows) == 3
        found = connection.execute(select(idempotency).order_by(idempotency.c.key)).mappings().all()
        assert [
            {**each, "request_hash": bytes(each["request_hash"]), "body": bytes(each["body"])} for each in found
        ] == rows


def test_rows_that_change_a_row_again_follow_in_their_order(database: Database):
    with database.writing.begin() as connection:
        INSERT.many(connection, [row(1), row(2)])
        changes = [{"of": "001", "digit": 3}, {"of": "002", "digit": 4}, {"of": "001", "digit": 5}]
        assert COUNT_UP.many(connection, [*changes, {"of": "009", "digit": 6}, {"of": "001", "digit": 7}]) == 4
        gone = FORGET.each(connection, [{"of": "002"}, {"of": "001"}, {"of": "009"}, {"of": "001"}])
        assert sorted((each.id, each.at) for each in gone) == [("001", 1357), ("002", 24)]
        assert FORGET.each(connection, []) == []


def test_many_rows_fail_as_one_row_does(database: Database):
    again = Prepared(insert(audit), row=("who",))
    with pytest.raises(IntegrityError) as caught, database.writing.begin() as connection:
        again.many(connection, [row(1, who="ann", reason="hunter2"), row(1, who="bob", reason="hunter2")])
    assert "hunter2" not in str(caught.value)
    with database.reading.connect() as connection:
        assert connection.execute(select(audit)).all() == []
