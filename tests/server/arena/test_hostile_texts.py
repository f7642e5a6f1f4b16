"""Texts and numbers that SQL, JSON, HTML or CSV might take for something else, at every route of the server."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, func, select
from tests.helpers.serving import RunningServer
from tests.server.arena.test_routes import ROOT, TEAM, fought, settings, signed_up, submitted  # noqa: F401

from fracas.server.database.tables import entry, match
from fracas.server.http.answers import cursor_of

# PostgreSQL refuses a NUL character in a text; SQLite and PostgreSQL refuse an integer of more than 64 bits.
PATH_WORDS = ("a%00b", "9" * 25, "2147483648", "%27%20OR%201=1%20--", "..%2f..%2fetc")
TEXTS = (
    "a\0b",
    "'; DROP TABLE match; --",
    "' OR '1'='1",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "a\r\nSet-Cookie: a=b",
    "\u202e",
    "x" * 250_000,
)
BODIES: tuple[tuple[str, str, Any], ...] = (
    ("POST", "entries", {"league": "?", "title": "a", "document": TEAM, "ranked": False}),
    ("POST", "entries", {"league": "open", "title": "a", "document": {"units": ["?"], "strategy": "?"}}),
    ("POST", "entries", {"league": "open", "title": "a", "document": {"?": "?"}}),
    ("POST", "tickets", {"entry": "?"}),
    ("POST", "practice", {"entry": "?", "bot": "a"}),
    ("POST", "practice", {"entry": "{entry}", "bot": "?"}),
    ("POST", "challenges", {"entry": "{entry}", "rival": "?"}),
    ("POST", "classes", {"title": "a", "league": "?"}),
    ("POST", "classes/join", {"code": "?"}),
    ("POST", "leagues/open/check", {"document": {"units": ["?"]}}),
)


def requests(paths: dict[str, Any], known: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Each route with each hostile word in one part of its path, or in one parameter of its query."""
    for path, operations in paths.items():
        names = re.findall(r"{(\w+)}", path)
        filled = {name: known.get(name, "x") for name in names}
        for method, operation in operations.items():
            wanted = [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"]
            for word in PATH_WORDS:
                for name in names:
                    yield method, path.format(**(filled | {name: word}))
                if path != f"{ROOT}/events":
                    yield from ((method, f"{path.format(**filled)}?{name}={word}") for name in wanted)


def counts(server: RunningServer) -> list[int]:
    """How many entries and matches there are."""

    def query(connection: Connection) -> list[int]:
        return [connection.execute(select(func.count()).select_from(table)).scalar_one() for table in (entry, match)]

    return server.read(query)


def test_no_path_or_query_is_a_fault(server: RunningServer):
    ann, _, found = fought(server)
    known = {"entry": found["sides"][0]["entry"], "match": found["id"], "league": "open", "handle": "ann"}
    known |= {"leg": "0", "version": "1"}
    faults = []
    for method, path in requests(server.app.openapi()["paths"], known):
        answer = ann.request(method.upper(), path, **({"json": {}} if method in ("post", "put", "patch") else {}))
        if answer.status_code >= 500:
            faults.append((method, path, answer.status_code))
    assert not faults


def test_no_text_of_a_body_is_a_fault_or_a_statement(server: RunningServer):
    ann, _, found = fought(server)
    mine = next(side["entry"] for side in found["sides"] if side["account"]["handle"] == "ann")
    before = counts(server)
    wrong: list[tuple[object, ...]] = []
    for text in TEXTS:
        for method, path, body in BODIES:
            written = json.dumps(body).replace('"?"', json.dumps(text)).replace("{entry}", mine)
            answer = ann.request(method, f"{ROOT}/{path}", json=json.loads(written))
            if answer.status_code not in (404, 409, 413, 422) or "set-cookie" in answer.headers:
                wrong.append((path, text[:20], answer.status_code))
            elif answer.headers["content-type"] != "application/problem+json" or len(answer.content) > 5_000:
                wrong.append((path, text[:20], answer.headers["content-type"], len(answer.content)))
    assert not wrong
    assert counts(server) == before


def test_a_backslash_before_u0000_is_no_nul(sqlite_server: RunningServer):
    ann = signed_up(sqlite_server, "ann")
    made = submitted(ann, title="a \\u0000 b")
    assert ann.get(f"{ROOT}/entries/{made}").json()["title"] == "a \\u0000 b"


def test_cursors_of_the_leaderboard(server: RunningServer):
    fought(server)
    found = {}
    for values in ((1, 2**40, "a"), (-(2**62), 2**62, "a"), (1, 1, "\0"), (1, 1, "' OR 1=1 --")):
        answer = server.client().get(f"{ROOT}/leagues/open/leaderboard", params={"cursor": cursor_of(*values)})
        found[values] = answer.status_code
    assert set(found.values()) <= {200, 422}, found


def test_a_title_that_a_spreadsheet_would_run_is_quoted(sqlite_server: RunningServer):
    ann, _, _ = fought(sqlite_server)
    assert ann.patch(f"{ROOT}/account", {"display_name": "=1+1"}).status_code == 200
    text = ann.get(f"{ROOT}/leagues/open/leaderboard.csv").text
    assert ",'=1+1," in text
