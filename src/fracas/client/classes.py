"""Classes of teachers: make one, join it, submit to it, and get its table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from fracas.client.transport import Transport, path
from fracas.server_models.arena import Submitted
from fracas.server_models.classes import SchoolClass
from fracas.server_models.jobs import Job

# Seconds between two looks at a job.
PAUSE = 1.0


class Classes:
    """The classes of one server. Every method raises `ServerProblem` when the server refuses."""

    def __init__(self, transport: Transport, wait: Callable[[float], None] = time.sleep) -> None:
        self._transport = transport
        self._wait = wait

    def all(self) -> list[SchoolClass]:
        """The classes that you teach or are in."""
        return list(self._transport.items(SchoolClass, path("classes")))

    def make(self, title: str, league: str) -> SchoolClass:
        """Make a class that plays by the rules of a league. Its `code` lets pupils join for 14 days."""
        return self._transport.ask(SchoolClass, "POST", path("classes"), {"title": title, "league": league})

    def join(self, code: str) -> SchoolClass:
        """Join a class. As nobody you become a guest: the client uses the answer's `token` from then on; keep it."""
        found = self._transport.ask(SchoolClass, "POST", path("classes", "join"), {"code": code})
        if found.token is not None:
            self._transport.token = found.token
        return found

    def get(self, identifier: str) -> SchoolClass:
        """A class with its pupils and their entries."""
        return self._transport.ask(SchoolClass, "GET", path("classes", identifier))

    def new_code(self, identifier: str) -> SchoolClass:
        """Give a class that you teach a new code; the old one ends."""
        return self._transport.ask(SchoolClass, "POST", path("classes", identifier, "code"), {})

    def delete(self, identifier: str) -> None:
        """Delete a class that you teach, with its entries, tables and guests."""
        self._transport.send("DELETE", path("classes", identifier))

    def submit(self, identifier: str, title: str, document: Mapping[str, Any]) -> Submitted:
        """Submit your entry to a class; a second one is a new version of the first."""
        body = {"title": title, "document": document}
        return self._transport.ask(Submitted, "POST", path("classes", identifier, "entries"), body)

    def ask_for_table(self, identifier: str, battles: int = 1000) -> Job:
        """Ask for all entries of a class against each other; `battles` for each pair, an even number."""
        return self._transport.ask(Job, "POST", path("classes", identifier, "tables"), {"battles": battles})

    def tables(self, identifier: str) -> list[Job]:
        """The tables of a class, the newest first."""
        return list(self._transport.items(Job, path("classes", identifier, "tables")))

    def job(self, identifier: str) -> Job:
        """How far a table is."""
        return self._transport.ask(Job, "GET", path("jobs", identifier))

    def result(self, identifier: str) -> dict[str, Any]:
        """The table of a job, as soon as it is done: what `fracas lab matchups --format json` prints, with intervals.

        Raises:
            ServerProblem: the job failed or was cancelled, so that there is no result.
        """
        while self.job(identifier).state in ("waiting", "running"):
            self._wait(PAUSE)
        return self._transport.ask(dict[str, Any], "GET", path("jobs", identifier, "result"))

    def cancel(self, identifier: str) -> None:
        """Cancel a table that is not done."""
        self._transport.send("DELETE", path("jobs", identifier))
