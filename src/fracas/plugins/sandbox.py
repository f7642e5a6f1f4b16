"""Try plug-ins in a separate process that can be killed at any time; the process runs `sandbox_child.py`."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import IO

import msgspec

from fracas.errors import InputError, Problem

# A trial takes about a second; this limit is for one that never ends. It starts when the process is ready, because
# starting may take long on a busy machine.
SECONDS = 60
SECONDS_TO_START = 120


class Report(msgspec.Struct, omit_defaults=True):
    """One line of the process's output."""

    ready: bool = False
    """Imports are done and the plug-in's file is read next. Set in the first line."""
    trying: str = ""
    """The plug-in function that is tried next."""
    problems: list[tuple[str, str, str | None]] | None = None
    """The problems found: where, what, suggestion. Set in the last line."""


@cache
def prove_file(file: Path, source_hash: str) -> None:
    """Try the plug-ins of a file in a separate process, once per version of the file.

    Raises:
        InputError: every problem found; or the process takes too long, or dies.
    """
    # The child process uses the same import path.
    paths = [str(Path(path).resolve()) for path in sys.path]
    environment = {**os.environ, "FRACAS_JIT": "0", "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-P", "-m", "fracas.plugins.sandbox_child", str(file)]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=nowhere, stdout=pipe, stderr=nowhere, env=environment) as child:
        printed, seconds = _listen(child)
        ending = f"takes too long: it was stopped after {seconds} seconds"
        if seconds is None:
            ending = f"ends the program (exit status {child.wait()})"
    trying, problems = _read(printed)
    if problems is None:
        where = f"{file}: {trying}" if trying else str(file)
        raise InputError.of(where, ending)
    if problems:
        raise InputError(problems)


def _listen(child: subprocess.Popen[bytes]) -> tuple[bytes, int | None]:
    """Collect a process's output until it ends or is stopped; if stopped, also return the seconds it had."""
    assert child.stdout is not None, "it is a pipe"
    lines: Queue[bytes] = Queue()
    # A thread, because some systems cannot wait for a pipe with a timeout.
    Thread(target=_pass_on, args=(child.stdout, lines), daemon=True).start()
    printed, seconds = b"", SECONDS_TO_START
    until = monotonic() + seconds
    while True:
        try:
            line = lines.get(timeout=max(0.0, until - monotonic()))
        except Empty:
            child.kill()
            return printed, seconds
        if not line:
            return printed, None
        if not printed:
            seconds = SECONDS
            until = monotonic() + seconds
        printed += line


def _pass_on(pipe: IO[bytes], lines: Queue[bytes]) -> None:
    """Put each line of a pipe into a queue, and an empty line at the end."""
    for line in pipe:
        lines.put(line)
    lines.put(b"")


def _read(printed: bytes) -> tuple[str, list[Problem] | None]:
    """The function tried last, and the problems found, or None if the process did not finish."""
    trying = ""
    for line in printed.splitlines():
        try:
            report = msgspec.json.decode(line, type=Report)
        except msgspec.MsgspecError:
            break
        if report.problems is not None:
            return trying, [Problem(*found) for found in report.problems]
        trying = report.trying
    return trying, None
