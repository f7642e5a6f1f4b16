"""`fracas serve` as a process of its own, on a free port of this machine; for measurements, soaks and tests."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException
from pathlib import Path

START_SECONDS = 60.0
_GREETING = re.compile(r"answers at (http://\S+)")
# One machine plays all accounts: limits for each address would measure themselves.
ENVIRONMENT = {
    "FRACAS_SERVER_RATE_LIMIT": "0",
    "FRACAS_SERVER_BUDGET": "0",
    "FRACAS_SERVER_SOCKETS_PER_ADDRESS": "1000",
    "FRACAS_SERVER_ARGON2_KIB": "8",
    "FRACAS_SERVER_ARGON2_PASSES": "1",
}


def _inherited() -> dict[str, str]:
    """The environment; an installed program has compiled files, so that the server may keep its own."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class LiveServer:
    """A server that runs, with its database in a folder. A killed one can be started again on the same folder."""

    def __init__(
        self, folder: Path, options: Sequence[str] = (), *, cores: Sequence[int] = (), log: str = "server.log"
    ) -> None:
        self.folder, self._options, self._cores = folder, tuple(options), tuple(cores)
        self._process: subprocess.Popen[str] | None = None
        self.url = ""
        self.port = 0
        self.log = folder / log

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.folder / "fracas.db"

    @property
    def pid(self) -> int:
        """The id of the process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> float:
        """Start the server and wait until it is ready; returns the seconds that took.

        Raises:
            RuntimeError: it ended, or was not ready in a minute.
        """
        begun = time.perf_counter()
        command = [sys.executable, "-m", "fracas", "serve", "--port", str(self.port), *self._options]
        if self._cores:
            command = ["taskset", "-c", ",".join(map(str, self._cores)), *command]
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                command,
                cwd=self.folder,
                stdout=log,
                stderr=log,
                env={**_inherited(), **ENVIRONMENT},
                text=True,
            )
        while time.perf_counter() - begun < START_SECONDS:
            if self._process.poll() is not None:
                raise RuntimeError(f"the server ended with status {self._process.returncode}:\n{self._tail()}")
            said = self.log.read_text(errors="replace")
            found = _GREETING.findall(said)
            if found:
                self.url = found[-1]
                self.port = int(self.url.rpartition(":")[2])
                if self._is_ready():
                    return time.perf_counter() - begun
            time.sleep(0.01)
        raise RuntimeError(f"the server was not ready after {START_SECONDS:.0f} s:\n{self._tail()}")

    def _is_ready(self) -> bool:
        asking = HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            asking.request("GET", "/readyz")
            return asking.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            asking.close()

    def _tail(self) -> str:
        return self.log.read_text(errors="replace")[-2_000:]

    def kill(self) -> None:
        """End the process as a power cut does: kill -9."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask the server to stop, and wait until it has."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)
            self._process.wait(60)

    def __enter__(self) -> LiveServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def faults(self) -> list[str]:
        """The lines of the log that tell faults."""
        return [line for line in self.log.read_text(errors="replace").splitlines() if '"level": "error"' in line]
