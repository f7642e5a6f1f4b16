"""Long simulations in processes of their own, which can be killed when they have come so far."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
from tests.helpers.guards import ROOT

# A machine that has a lot else to do is slow; nothing here waits for a time to pass.
PATIENCE = 180

# The program, with ranges of a fiftieth of a second. When it has kept five it says so on stderr and waits for a word,
# so that whoever is killed is killed in the middle of the work, however fast the machine is.
PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
import fracas.lab.execution.chunk_size
fracas.lab.execution.chunk_size.RANGE_SECONDS = 0.02
from fracas.lab.store.study_checkpoint import StudyCheckpoint
StudyCheckpoint.write_seconds = 0.0
from fracas.lab.store.run_checkpoint import RunCheckpoint
left = iter(range(4, -1, -1))
def telling(save):
    def told(*arguments):
        save(*arguments)
        if next(left, None) == 0:
            print("five are kept", file=sys.stderr, flush=True)
            sys.stdin.readline()
    return told
RunCheckpoint.add = telling(RunCheckpoint.add)
StudyCheckpoint.add = telling(StudyCheckpoint.add)
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
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    @property
    def pid(self) -> int:
        """The process."""
        return self.process.pid

    def wait_for(self, words: str) -> str:
        """Read what it says on stderr until a line has these words; that line."""
        assert self.process.stderr is not None
        line = ""
        while words not in line:
            line = self.process.stderr.readline()
            assert line, f"it ended without saying {words!r}: {self.said}"
            self.said += line
        return line

    def go_on(self) -> None:
        """The word that it waits for."""
        assert self.process.stdin is not None
        self.process.stdin.write("go on\n")
        self.process.stdin.flush()

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
        for stream in (found.process.stdin, found.process.stdout, found.process.stderr):
            assert stream is not None
            stream.close()


def bytes_of(folder: Path) -> dict[str, bytes]:
    """All files of a folder and what they hold."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}
