"""Workers on this machine: processes of their own, started again if somebody kills them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from fracas.engine.player import Notice
from fracas.errors import UsageError

# So many deaths for each worker are bad luck; more are something that keeps happening.
MOST_DEATHS = 10
STOP_SECONDS = 5.0


class LocalWorkers:
    """Processes of one thread each, which end when their scheduler does."""

    def __init__(self, address: str, count: int) -> None:
        self.address = address
        self.count = count
        self.deaths = 0
        self.scratch = tempfile.TemporaryDirectory(prefix="fracas-workers-")
        self.log = Path(self.scratch.name) / "log"
        self.processes = [self._start() for _ in range(count)]

    def tend(self, notice: Notice) -> None:
        """Start those again that have died.

        Raises:
            InputError: they die again and again.
        """
        for place, process in enumerate(self.processes):
            if process.poll() is None:
                continue
            self.deaths += 1
            # Who is killed has a negative status; who ends with another one would do so again.
            if process.returncode >= 0 or self.deaths > MOST_DEATHS * self.count:
                raise UsageError.of("--workers", f"workers end before their work is done{self._last_words()}")
            notice(f"a worker was killed (signal {-process.returncode}); another one takes its place")
            self.processes[place] = self._start()

    def stop(self) -> None:
        """End them all."""
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
        # -P: what lies in the current folder is not imported. In a session of their own Ctrl-C does not reach them.
        command = [sys.executable, "-P", "-m", "fracas", "worker", self.address, "--threads", "1"]
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
        told = [line for line in lines if line.startswith(("error:", "fault:"))] or lines
        return f": {told[-1]}" if told else ""
