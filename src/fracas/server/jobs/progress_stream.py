"""How far a job is, as events. Each event is the whole job, so whoever missed some needs only the last."""

from __future__ import annotations

from functools import partial

from fracas.server.database.readers import Readers
from fracas.server.http.problems import ApiProblem
from fracas.server.http.server_events import event_text
from fracas.server.jobs import service


class JobNews:
    """The job now, unless it is the version that the client has, and after each change; over with the job."""

    def __init__(self, readers: Readers, whom: str | None, job: str, last: int) -> None:
        self._readers, self._last = readers, last
        self._query = partial(service.job_of, whom=whom, identifier=job)

    async def __call__(self) -> list[str] | None:
        """The text of the job's event, if it has changed; None once it is over or was deleted."""
        try:
            found = await self._readers.run(self._query)
        except ApiProblem:
            return None
        if found.version == self._last:
            return None if found.is_over else []
        self._last = found.version
        kind = "ended" if found.is_over else "progress"
        return [event_text(found.version, kind, found.model_dump_json(exclude_unset=True))]
