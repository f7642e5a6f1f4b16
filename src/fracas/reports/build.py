"""Builds a report: reads the inputs, plays the standard analyses, renders the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

from fracas.engine.battle import check_stream
from fracas.engine.scenario import LoadOptions
from fracas.errors import InputError
from fracas.files.atomic_write import writable_path, write_atomic, write_error
from fracas.lab.execution.checks import check_side
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.presentation.notebook import Document
from fracas.lab.presentation.svg_charts import CANNOT_DRAW, can_draw
from fracas.lab.simulation.simulate import check_amounts
from fracas.reports.battles import WatchedBattle, battles_of
from fracas.reports.default_analyses import (
    MOST_EXPLAINED,
    How,
    Steps,
    not_available,
    standard,
    subjects_of,
    with_one_seed,
)
from fracas.reports.inputs import Saved, Source, ToPlay, read_sources
from fracas.reports.page import Content, html, in_order, saved_input, scenario_input
from fracas.reports.summary import summary


@dataclass(frozen=True)
class Report:
    """A page about scenarios and results. `fracas.report` returns it; a notebook shows it."""

    content: Content
    """Everything on the page."""

    @property
    def summary(self) -> list[str]:
        """The sentences at the top."""
        return summary(in_order(self.content.documents))

    @property
    def interrupted(self) -> bool:
        """True if Ctrl-C ended it early; everything on the page is complete."""
        return self.content.interrupted or any(document.interrupted for document in self.content.documents)

    @cached_property
    def html(self) -> str:
        """The page as text: one self-contained file."""
        return html(self.content)

    def save(self, path: str | Path) -> None:
        """Write the page; the file appears complete or not at all.

        Raises:
            InputError: it cannot be written.
        """
        write_atomic(Path(path), self.html.encode())

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas report --format json` prints."""
        documents = in_order(self.content.documents)
        return {
            "command": "report",
            "summary": self.summary,
            "sections": [
                {
                    "command": each.command,
                    "title": each.title,
                    "findings": list(each.findings()),
                    "ruleset": each.ruleset,
                    "seed": each.seed,
                    "profile": each.profile,
                    "rules_version": each.rules_version,
                    "content_fingerprint": each.content_fingerprint,
                    "interrupted": each.interrupted,
                }
                for each in documents
            ],
            "battles": [each.as_json() for each in self.content.watched],
            "missing": list(self.content.missing),
            "interrupted": self.interrupted,
        }

    def _repr_html_(self) -> str:
        from html import escape

        return f'<iframe srcdoc="{escape(self.html)}" style="width:100%;height:40rem;border:0"></iframe>'

    def __repr__(self) -> str:
        number = len(self.content.documents)
        return f"<Report: {number} section{'s' if number != 1 else ''}>"


def build(
    sources: Sequence[Source],
    *,
    n: int | None = None,
    side: int = 1,
    stream: int | None = None,
    battles: bool = True,
    threads: ExecutorOrThreads = None,
    steps: Steps | None = None,
    notice: Any = None,
    command: str | None = None,
    **asked: Unpack[LoadOptions],
) -> Report:
    """Read scenarios and saved results, play the standard analyses of the scenarios, and build the page.

    With `battles` the page shows battles of one or two scenarios to watch. Ctrl-C ends with the finished parts.

    Raises:
        InputError: everything that is wrong with the inputs, or an amount is out of range.
        FaultError: a battle hit a limit of the engine.
    """
    check_amounts(n, None, threads)
    check_side(side)
    if stream is not None:
        check_stream(stream, "--stream")
    found = read_sources(sources, **asked)
    documents: list[Document] = [each.document for each in found if isinstance(each, Saved)]
    played = with_one_seed([each for each in found if isinstance(each, ToPlay)])
    shown = iter(played)
    found = [next(shown) if isinstance(each, ToPlay) else each for each in found]
    missing: list[str] = []
    interrupted = False
    now = 0

    def inside(done: int, total: int, said: str) -> None:
        """Tell how far the analysis is that is being made now."""
        if steps is not None and now < len(planned):
            step = planned[now]
            steps(now, len(planned), f"{step.command} {step.about}: {done:,} of {total:,} {said}".rstrip())

    how = How(n, side, stream, [Path(folder) for folder in asked.get("content", ())], threads, notice, inside)
    subjects = subjects_of(played, how)
    planned = standard(subjects, how)
    watched: list[WatchedBattle] = []
    with DeferInterrupt() as interrupt:
        for now, step in enumerate(planned):
            if steps is not None:
                steps(now, len(planned), f"{step.command} {step.about}")
            try:
                documents.append(step.document())
            except InputError as error:
                missing.append(not_available(step, error))
            except KeyboardInterrupt:
                interrupted = True
            later = planned[now + 1 :]
            if interrupted or (documents and documents[-1].interrupted) or (interrupt.stop_requested and later):
                interrupted = True
                missing += [f"{each.command} of {each.about}: interrupted before it started." for each in later]
                break
        now = len(planned)
        if battles and not interrupted and len(subjects) <= MOST_EXPLAINED:
            try:
                for each in subjects:
                    if steps is not None:
                        steps(len(planned), len(planned), f"battles to watch of {each.name}")
                    watched += battles_of(each, missing)
            except KeyboardInterrupt:
                interrupted = True
    if not documents:
        if interrupted:
            raise KeyboardInterrupt
        raise InputError.of("FILES", "there is nothing to show", "; ".join(missing))
    inputs = [
        scenario_input(each.name, each.scenario) if isinstance(each, ToPlay) else saved_input(each.name, each.document)
        for each in found
    ]
    if not can_draw():
        missing.append(CANNOT_DRAW)
    return Report(Content(documents, inputs, missing, command or _call(sources, n), interrupted, watched))


def _call(sources: Sequence[Source], n: int | None) -> str:
    """The Python call that makes the page again."""
    named = [repr(str(each)) if isinstance(each, str | Path) else f"<{type(each).__name__}>" for each in sources]
    amount = "" if n is None else f", n={n}"
    return f"fracas.report([{', '.join(named)}]{amount})"


def check_out(out: Path, sources: Sequence[Path]) -> None:
    """Check the output path before anything is played.

    Raises:
        InputError: it cannot be written, or it is one of the inputs.
    """
    target = writable_path(out)
    for source in sources:
        try:
            same = source.resolve() == target
        except (OSError, ValueError, RuntimeError):
            same = False
        if same:
            raise write_error(out, "it is one of the report's inputs")
