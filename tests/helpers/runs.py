"""Long simulations in processes of their own, which can be killed when they have come so far."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from tests.helpers.guards import ROOT

# A machine that has a lot else to do is slow; nothing here waits for a time to pass.
PATIENCE = 180

# The program, with ranges of a fiftieth of a second, which says on stderr when it has kept one.
PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
import fracas.lab.crew
fracas.lab.crew.RANGE_SECONDS = 0.02
from fracas.lab.kept import RunFolder
save = RunFolder.save
def told(folder, stretch):
    save(folder, stretch)
    print("kept", stretch.battles.start, file=sys.stderr, flush=True)
RunFolder.save = told
from fracas.cli.app import main
main()
"""
PLAIN = "from fracas.cli.app import main; main()"


class Program:
    """A running `fracas`."""

    def __init__(self, arguments: Sequence[object], program: str = PROGRAM) -> None:
        self.said = ""
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    @property
    def pid(self) -> int:
        """The process."""
        return self.process.pid

    def wait_for(self, words: str, times: int = 1) -> str:
        """Read what it says on stderr until a line has these words for so many times; that line."""
        assert self.process.stderr is not None
        line = ""
        while times:
            line = self.process.stderr.readline()
            assert line, f"it ended without saying {words!r}: {self.said}"
            self.said += line
            times -= words in line
        return line

    def workers(self) -> list[psutil.Process]:
        """The processes that it has started."""
        found: list[psutil.Process] = psutil.Process(self.pid).children(recursive=True)
        return found

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.end()

    def interrupt(self) -> None:
        """Ctrl-C."""
        os.kill(self.pid, signal.SIGINT)

    def end(self) -> tuple[int, str, str]:
        """Wait until it has ended: status, stdout, stderr."""
        out, rest = self.process.communicate(timeout=PATIENCE)
        self.said += rest
        return self.process.returncode, out, self.said


@contextmanager
def running(*arguments: object, program: str = PROGRAM) -> Iterator[Program]:
    """A `fracas` that is stopped at the end, and whatever it has started."""
    found = Program(arguments, program)
    started: list[psutil.Process] = []
    try:
        yield found
    finally:
        if found.process.poll() is None:
            started = found.workers()
            found.kill()
        for process in started:
            if process.is_running():
                process.kill()
        for stream in (found.process.stdout, found.process.stderr):
            assert stream is not None
            stream.close()


def until(is_so: Callable[[], Any]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def bytes_of(folder: Path) -> dict[str, bytes]:
    """All files of a folder and what they hold."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}
