"""The process that works on a job: reads it from standard input, writes how far it is and its answer as lines of JSON.

It is started by `jobs/runner.py` as `python -m fracas.server.jobs.worker SECONDS`, and bounds itself before it reads
anything. Finished chunks are kept in the job's folder, so a killed job goes on where it was; so is the answer, because
the server may be killed before it has stored it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from fracas.errors import FracasError, InputError
from fracas.files.atomic_write import write_atomic
from fracas.lab.execution.chunk import Chunk
from fracas.lab.execution.executor import OnChunk, SimulationTask
from fracas.lab.execution.thread_executor import ThreadExecutor
from fracas.lab.presentation.data_frames import require_library
from fracas.lab.presentation.documents import printed_by
from fracas.lab.presentation.notebook import Document
from fracas.lab.store.study_checkpoint import CheckpointingExecutor, StudyCheckpoint
from fracas.lab.studies.matchups import matchups
from fracas.lab.studies.roster import Entrant, Roster
from fracas.player_entries.checking import NO_MODIFIER
from fracas.reports.build import Report, build
from fracas.server.arena.entries import resolve_side, scenario_of
from fracas.server.arena.league import read_league
from fracas.server.jobs.studies import Plan, Playing, plan_of
from fracas.server_models.jobs import TABLE

NICENESS = 10
# Bytes of data. Not of addresses: the module's machine reserves addresses that it never uses.
MOST_MEMORY = 1_500 * 1024 * 1024
# Processor seconds for loading and compiling, which the price does not count.
START_SECONDS = 120
LARGEST_JOB = 16 * 1024 * 1024
LARGEST_RESULT = 15 * 1024 * 1024
# Twice a second is promised to those who follow a job.
BEAT_SECONDS = 0.4
CHUNKS, ANSWER = "chunks", "answer.json"


def main() -> None:
    """Work on the job that standard input holds; the first argument is its limit of processor seconds."""
    limit_self(float(sys.argv[1]))
    # Ctrl-C is for the server, which stops its jobs itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    job = json.loads(sys.stdin.buffer.read(LARGEST_JOB))
    folder = Path(job["folder"])
    # The only writer of lines; results that print would be mistaken for them.
    lines, sys.stdout = sys.stdout, sys.stderr
    with suppress(OSError):
        lines.write((folder / ANSWER).read_text(encoding="utf-8"))
        lines.flush()
        return
    progress = Progress(lines.write, lines.flush)
    answer = answered(job, folder, progress) | progress.figures()
    line = json.dumps(answer) + "\n"
    write_atomic(folder / ANSWER, line.encode())
    progress.end()
    lines.write(line)
    lines.flush()


def limit_self(seconds: float) -> None:
    """Bound this process's memory and processor time, and let others go first."""
    try:
        import resource
    except ImportError:  # Only Unix has these limits; elsewhere the runner's deadline is the only one.
        return
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    whole = int(seconds * 1.2 + START_SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole))


class Progress:
    """How far the job is, told twice a second as long as it goes on; a server that is gone ends this process."""

    def __init__(self, write: Callable[[str], Any], flush: Callable[[], Any]) -> None:
        self._write, self._flush = write, flush
        self._share, self._step = 0.0, ""
        self._ended = threading.Event()
        self.counted = 0
        """Battles that the executor played."""
        self.uncounted = 0
        """Battles that it does not see, in the whole job."""
        self._thread = threading.Thread(target=self._beat, name="fracas progress", daemon=True)
        self._thread.start()

    def note(self, done: int, total: int, step: str) -> None:
        """Note how much is done; of a job with several parts the furthest counts."""
        self._share = max(self._share, min(done / max(total, 1), 1.0))
        self._step = step

    def figures(self) -> dict[str, int]:
        """What the job used so far."""
        battles = self.counted + int(self.uncounted * self._share)
        return {"battles": battles, "cpu_ms": int(time.process_time() * 1000)}

    def end(self) -> None:
        """Tell nothing any more."""
        self._ended.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._ended.wait(BEAT_SECONDS):
            line = {"progress": int(self._share * 999), "step": self._step, **self.figures()}
            try:
                self._write(json.dumps(line) + "\n")
                self._flush()
            except OSError:
                os._exit(1)


class CountingExecutor(ThreadExecutor):
    """One thread, whose battles are counted."""

    def __init__(self, progress: Progress) -> None:
        super().__init__(1)
        self._progress = progress

    def play(self, task: SimulationTask, ranges: Iterable[range], keep: OnChunk) -> Generator[Chunk]:
        """Play chunks and count their battles; stored ones do not come here."""

        def counted(chunk: Chunk) -> None:
            self._progress.counted += len(chunk.battles)
            keep(chunk)

        return super().play(task, ranges, counted)


def answered(job: Mapping[str, Any], folder: Path, progress: Progress) -> dict[str, Any]:
    """The answer to a job: its result, with its page if the library is here, or its problems."""
    try:
        with StudyCheckpoint(folder / CHUNKS) as checkpoint:
            executor = CheckpointingExecutor(CountingExecutor(progress), checkpoint)
            play = partial(class_table, job["document"]) if job["kind"] == TABLE else _planned(job, progress)
            found = play(Playing(executor, progress.note))
            checkpoint.is_done = True
        result = found.as_json()
        result.pop("timing", None)
        # A class's page shows its table itself.
        answer = {"result": result, "page": None if job["kind"] == TABLE else page_of(found)}
        if len(json.dumps(answer)) > LARGEST_RESULT:
            return {"problems": [f"its result is larger than {LARGEST_RESULT:,} bytes, which is the limit"]}
        return answer
    except InputError as error:
        return {"problems": [str(problem) for problem in error.problems]}
    except FracasError as error:
        return {"problems": [str(error)]}
    except MemoryError:
        return {"problems": ["needs more memory than a job may have"]}


def _planned(job: Mapping[str, Any], progress: Progress) -> Callable[[Playing], Any]:
    """A study as it was planned when it was asked for.

    Raises:
        InputError: this program refuses what another version accepted.
    """
    plan: Plan = plan_of(job["kind"], job["document"]["request"], job["games"])
    progress.uncounted = plan.rollouts + plan.logged
    return plan.play


def page_of(found: Document | Report) -> str | None:
    """A result as a page of HTML; None if the library that draws it is not installed."""
    try:
        require_library("altair", "vl_convert", "jinja2")
    except InputError:
        return None
    if isinstance(found, Report):
        return found.html
    return build([found], battles=False, command=f"fracas {printed_by(found.command)}, by a Fracas server").html


def class_table(document: Mapping[str, Any], playing: Playing) -> Document:
    """The table of some entries against each other, as `fracas lab matchups` makes it.

    Raises:
        InputError: an entry does not fit the league any more.
        FaultError: a battle hit a limit of the engine.
    """
    league = read_league(document["league"], "league")
    entrants = []
    for each in document["entries"]:
        resolved = resolve_side(league, each["document"], each["code"], NO_MODIFIER)
        entrants.append(Entrant(each["code"], scenario_of(league, resolved)))
    roster = Roster("class", tuple(entrants), document["seed"])
    return matchups(roster, document["battles"], threads=playing.executor, steps=playing.steps)


if __name__ == "__main__":
    main()
