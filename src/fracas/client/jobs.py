"""Jobs: studies that the server computes; ask for one, follow it, get its result."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import httpx
from pydantic import TypeAdapter

from fracas.client.errors import ConnectionFailed, ServerProblem
from fracas.client.server_events import lines_of, parsed
from fracas.client.transport import Transport, path
from fracas.server_models.jobs import Job

Scenario = Mapping[str, Any]
# Seconds between two tries to follow a job whose connection was lost, and how many there are.
PAUSE = 1.0
MOST_TRIES = 30


class Jobs:
    """The jobs of one server. Every method raises `ServerProblem` when the server refuses.

    What can be asked is what the commands take, under their names; `docs/how-to/study-on-a-server.md` shows it.

    ```python
    job = client.jobs.simulate(scenario, n=100_000)
    for each in client.jobs.progress(job):
        print(f"{each.progress:.0%} {each.step or ''}")
    print(client.jobs.result(job)["wins"])
    ```
    """

    def __init__(self, transport: Transport, wait: Callable[[float], None] = time.sleep) -> None:
        self._transport = transport
        self._wait = wait

    # Asking

    def simulate(self, scenario: Scenario, n: int | None = None, **options: Any) -> Job:
        """Ask for many battles of a scenario, counted."""
        return self._asked("simulate", scenario=scenario, n=n, **options)

    def compare(self, scenario: Scenario, other: Scenario | None = None, n: int | None = None, **options: Any) -> Job:
        """Ask which of two scenarios is better; without `other`, `b_set` says what B changes."""
        return self._asked("compare", scenario=scenario, other=other, n=n, **options)

    def odds(self, scenario: Scenario, n: int | None = None, **options: Any) -> Job:
        """Ask for the odds of a battle, exactly where possible."""
        return self._asked("odds", scenario=scenario, n=n, **options)

    def sweep(self, scenario: Scenario, ranges: Sequence[str], n: int | None = None, **options: Any) -> Job:
        """Ask what values do: `["sides.0.units.0.attack=20:40:2"]`."""
        return self._asked("sweep", scenario=scenario, ranges=list(ranges), n=n, **options)

    def sensitivity(self, scenario: Scenario, n: int | None = None, **options: Any) -> Job:
        """Ask what one more point of each stat is worth."""
        return self._asked("sensitivity", scenario=scenario, n=n, **options)

    def matchups(
        self, entrants: Sequence[Scenario | tuple[Scenario, int]], n: int | None = None, **options: Any
    ) -> Job:
        """Ask for everyone against everyone: side 1 of each scenario, or a pair of a scenario and a side."""
        listed = [
            {"scenario": each[0], "side": each[1]} if isinstance(each, tuple) else {"scenario": each}
            for each in entrants
        ]
        return self._asked("matchups", entrants=listed, n=n, **options)

    def optimise(self, scenario: Scenario, **options: Any) -> Job:
        """Ask for a better strategy, queue, build or line-up."""
        return self._asked("optimise", scenario=scenario, **options)

    def why(self, scenario: Scenario, n: int | None = None, *, stream: int = 0, **options: Any) -> Job:
        """Ask why a battle was won or lost."""
        return self._asked("why", scenario=scenario, n=n, stream=stream, **options)

    def report(self, sources: Sequence[Mapping[str, Any]], n: int | None = None, **options: Any) -> Job:
        """Ask for one page about scenarios and results."""
        return self._asked("report", sources=list(sources), n=n, **options)

    def _asked(self, kind: str, **body: Any) -> Job:
        given = {name: value for name, value in body.items() if value is not None}
        return self._transport.ask(Job, "POST", path("jobs", kind), given)

    # Seeing

    def all(self) -> list[Job]:
        """Your jobs, the newest first."""
        return list(self._transport.items(Job, path("jobs")))

    def get(self, job: Job | str) -> Job:
        """How far a job is."""
        return self._transport.ask(Job, "GET", path("jobs", _id(job)))

    def progress(self, job: Job | str) -> Iterator[Job]:
        """Follow a job: as it is now, and after each change, until it has ended. A lost connection is made again.

        Raises:
            ServerProblem: there is no such job any more.
            ConnectionFailed: the server did not come back.
        """
        last: Job | None = None
        for _ in range(MOST_TRIES):
            try:
                for each in self._events(_id(job), last):
                    yield each
                    last = each
            except httpx.TransportError:
                pass
            if last is not None and last.is_over:
                return
            self._wait(PAUSE)
        raise ConnectionFailed(f"the progress of job {_id(job)} broke off")

    def _events(self, job: str, last: Job | None) -> Iterator[Job]:
        headers = {} if last is None else {"Last-Event-ID": str(last.version)}
        for _, _, data in parsed(lines_of(self._transport, path("jobs", job, "events"), headers)):
            yield TypeAdapter(Job).validate_python(data)

    def result(self, job: Job | str) -> dict[str, Any]:
        """The result of a job as soon as it is done: what the command prints with `--format json`.

        Raises:
            ServerProblem: the job failed or was cancelled, so that there is no result.
        """
        ended = job if isinstance(job, Job) and job.is_over else self._ended(job)
        if ended.problem is not None:
            raise ServerProblem(200, "failed", f"The job failed: {ended.problem}", {}, None)
        return self._transport.ask(dict[str, Any], "GET", path("jobs", ended.id, "result"))

    def report_page(self, job: Job | str) -> str:
        """The result of a job as a page of HTML, as soon as it is done.

        Raises:
            ServerProblem: there is none.
        """
        return self._transport.send("GET", path("jobs", self._ended(job).id, "report")).text

    def _ended(self, job: Job | str) -> Job:
        *_, last = self.progress(job)
        return last

    def cancel(self, job: Job | str) -> None:
        """Cancel a job that has not ended."""
        self._transport.send("DELETE", path("jobs", _id(job)))


def _id(job: Job | str) -> str:
    return job.id if isinstance(job, Job) else job
