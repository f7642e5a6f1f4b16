"""Worker processes on this machine, restarted if they are killed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from fracas.engine.player import Notice
from fracas.errors import UsageError
from fracas.kit.load import used_files

# More deaths per worker than this are a persistent problem, not bad luck.
MOST_DEATHS = 10
STOP_SECONDS = 5.0


class LocalWorkers:
    """Processes of one thread each, which end with their scheduler."""

    def __init__(self, address: str, count: int) -> None:
        self.address = address
        self.count = count
        self.deaths = 0
        self.scratch = tempfile.TemporaryDirectory(prefix="fracas-workers-")
        self.log = Path(self.scratch.name) / "log"
        self.processes = [self._start() for _ in range(count)]

    def tend(self, notice: Notice) -> None:
        """Restart processes that have died.

        Raises:
            InputError: they die repeatedly.
        """
        for index, process in enumerate(self.processes):
            if process.poll() is None:
                continue
            self.deaths += 1
            # A killed process has a negative status; a process with another status would end the same way again.
            if process.returncode >= 0 or self.deaths > MOST_DEATHS * self.count:
                raise UsageError.of("--workers", f"workers exit before their work is done{self._last_words()}")
            notice(f"a worker was killed (signal {-process.returncode}); starting another one")
            self.processes[index] = self._start()

    def stop(self) -> None:
        """Stop all processes."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.scratch.cleanup()

    def _start(self) -> subprocess.Popen[bytes]:
        # -P: nothing is imported from the current folder. In their own session Ctrl-C does not reach them.
        games = [argument for file in used_files() for argument in ("--game", str(file))]
        command = [sys.executable, "-P", "-m", "fracas", "machine", "worker", self.address, "--threads", "1", *games]
        with self.log.open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
                env=os.environ | {"DASK_TEMPORARY_DIRECTORY": self.scratch.name},
            )

    def _last_words(self) -> str:
        lines = self.log.read_text(errors="replace").strip().splitlines()
        errors = [line for line in lines if line.startswith(("error:", "fault:"))] or lines
        return f": {errors[-1]}" if errors else ""
