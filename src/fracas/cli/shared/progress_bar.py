"""Show a progress bar on stderr for long work."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

QUIET_SECONDS = 0.7


class ProgressBar:
    """A progress bar with a remark. Shown only if stderr is a terminal.

    With `until` the total is unknown, and the bar shows the goal instead.
    """

    def __init__(self, what: str, until: str | None = None) -> None:
        self.what = what
        self.until = until
        self.started = time.monotonic()
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """Remove the bar, so that another one can replace it."""
        if self.bar is not None:
            self.bar.stop()

    def is_quiet(self) -> bool:
        """Whether nothing is shown yet, or ever."""
        return self.bar is None and (not sys.stderr.isatty() or time.monotonic() - self.started < QUIET_SECONDS)

    def update(self, done: int, total: int, status: str) -> None:
        """Show `done` of `total`, with a remark."""
        if self.is_quiet():
            return
        if self.bar is None:
            self._begin(total)
        self.bar.update(self.task, completed=done, total=None if self.until is not None else total, status=status)

    def _begin(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        is_open = self.until is not None
        self.bar = Progress(
            TextColumn(self.what),
            BarColumn(),
            TextColumn("{task.completed:,.0f} battles") if is_open else MofNCompleteColumn(),
            TextColumn("{task.fields[status]}"),
            TextColumn(f"until {self.until}") if is_open else TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self.task = self.bar.add_task("", total=None if is_open else total, status="")
        self.bar.start()
