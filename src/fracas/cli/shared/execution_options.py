"""Who plays the battles of a command: threads, worker processes, a scheduler; and where a study keeps what is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cyclopts import Parameter

from fracas.cli.shared.output import notice, results_only
from fracas.cli.shared.parameters import Format, Resume, Scheduler, Threads, Workers
from fracas.cli.shared.progress_bar import ProgressBar

if TYPE_CHECKING:
    from pathlib import Path

    from fracas.lab.execution.executor import Executor


@Parameter(name="*")
@dataclass(frozen=True)
class ExecutorOptions:
    """Who plays, as it is typed."""

    threads: Threads = None
    workers: Workers = None
    scheduler: Scheduler = None

    @contextmanager
    def open(self, doing: str) -> Iterator[tuple[Executor, ProgressBar]]:
        """Who plays, and a bar that says what is being done. What users' code prints meanwhile goes to stderr.

        Raises:
            InputError: as `open_executor`.
        """
        from fracas.cluster.executors import open_executor

        with (
            results_only(),
            open_executor(self.threads, self.workers, self.scheduler, notice, self._folder()) as executor,
            ProgressBar(doing) as bar,
        ):
            yield executor, bar

    def _folder(self) -> Path | None:
        """Where what is done is kept; here nowhere."""
        return None


@Parameter(name="*")
@dataclass(frozen=True)
class StudyOptions(ExecutorOptions):
    """Who plays, where finished ranges are kept, and how the result is printed."""

    resume: Resume = None
    format: Format = "text"

    def _folder(self) -> Path | None:
        return self.resume
