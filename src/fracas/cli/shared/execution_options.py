"""Options for the executor (threads, worker processes or a scheduler) and for a study's checkpoint folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import notice, results_only
from fracas.cli.shared.parameters import Format, Resume, Scheduler, Threads, Workers
from fracas.cli.shared.progress_bar import ProgressBar
from fracas.cli.shared.results import MOST_ROWS, print_findings

if TYPE_CHECKING:
    from pathlib import Path

    from fracas.lab.execution.executor import Executor, StudyResult
    from fracas.lab.presentation.notebook import Document


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

    def play(self, doing: str, study: Callable[..., StudyResult]) -> StudyResult:
        """Play a study with the executor and a progress bar; what it has finished is forgotten once it is complete.

        Raises:
            InputError: as `open_executor`, and as the study, which takes `threads`, `steps` and `notice`.
        """
        with self.open(doing) as (executor, bar):
            return executor.finish_study(study(threads=executor, steps=bar.update, notice=notice))

    def show(self, result: Document, reached: str, most: int = MOST_ROWS) -> int:
        """Print a result, and what was reached if Ctrl-C ended it early; return the exit status."""
        print_findings(result, self.format, most=most)
        if result.interrupted:
            notice(f"interrupted after {reached}")
        return INTERRUPTED if result.interrupted else DONE

    def _folder(self) -> Path | None:
        return self.resume
