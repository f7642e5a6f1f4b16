"""Plug-ins are tried in a process of their own, which may be ended at any time: `sandbox_child.py` is what it runs."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import msgspec

from fracas.errors import InputError, Problem

# Proving takes about a second; this is for one that never ends.
SECONDS = 60


class Report(msgspec.Struct, omit_defaults=True):
    """A line that the process prints."""

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
        try:
            printed, _ = child.communicate(timeout=SECONDS)
            ending = f"ends the program (exit status {child.returncode})"
        except subprocess.TimeoutExpired:
            child.kill()
            printed, _ = child.communicate()
            ending = f"takes too long: it was stopped after {SECONDS} seconds"
    trying, problems = _read(printed)
    if problems is None:
        where = f"{file}: {trying}" if trying else str(file)
        raise InputError.of(where, ending)
    if problems:
        raise InputError(problems)


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
