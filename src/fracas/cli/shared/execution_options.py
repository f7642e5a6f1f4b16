"""Options for the executor (threads, worker processes or a scheduler) and for a study's checkpoint folder."""

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
    """The executor options: --threads, --workers, --scheduler."""

    threads: Threads = None
    workers: Workers = None
    scheduler: Scheduler = None

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """Open the executor. Output of plug-ins goes to stderr meanwhile.

        Raises:
            InputError: as `open_executor`.
        """
        from fracas.cluster.executors import open_executor

        with (
            results_only(),
            open_executor(self.threads, self.workers, self.scheduler, notice, self._folder()) as executor,
        ):
            yield executor

    @contextmanager
    def open(self, doing: str) -> Iterator[tuple[Executor, ProgressBar]]:
        """Open the executor and a progress bar labelled `doing`.

        Raises:
            InputError: as `open_executor`.
        """
        with self.executor() as executor, ProgressBar(doing) as bar:
            yield executor, bar

    def _folder(self) -> Path | None:
        """The checkpoint folder; None because only studies have one."""
        return None


@Parameter(name="*")
@dataclass(frozen=True)
class StudyOptions(ExecutorOptions):
    """The options of every study: executor, checkpoint folder and output format."""

    resume: Resume = None
    format: Format = "text"

    def _folder(self) -> Path | None:
        return self.resume
