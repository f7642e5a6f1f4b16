"""Plug-ins are tried in a process of their own, which may be ended at any time: `sandbox_child.py` is what it runs."""

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

# Proving takes about a second; this is for one that never ends. It is counted from when the process is ready: starting
# it is no work of the plug-in's, and may take long on a machine that is busy.
SECONDS = 60
SECONDS_TO_START = 120


class Report(msgspec.Struct, omit_defaults=True):
    """A line that the process prints."""

    ready: bool = False
    """Everything is imported, and the plug-in's file is read next. The first line's."""
    trying: str = ""
    """The plug-in's function that is tried from now on."""
    problems: list[tuple[str, str, str | None]] | None = None
    """What is wrong: where, what, what would be right. The last line's."""


@cache
def prove_file(file: Path, source_hash: str) -> None:
    """Prove the plug-ins of a file, each version of it once.

    Raises:
        InputError: all that is wrong; or the process takes too long, or dies.
    """
    # The child finds the same packages, in the same places.
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
    """All that a process prints until it ends or is stopped; then after how many seconds of its time."""
    assert child.stdout is not None, "it is a pipe"
    lines: Queue[bytes] = Queue()
    # A thread, because not every system can wait for a pipe and a clock at once.
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
    """Put every line of a pipe into a queue, and an empty one at its end."""
    for line in pipe:
        lines.put(line)
    lines.put(b"")


def _read(printed: bytes) -> tuple[str, list[Problem] | None]:
    """What was tried last, and what was found in the end, if it came to that."""
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
