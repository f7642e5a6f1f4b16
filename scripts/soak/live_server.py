"""Start a server for a soak: a process of its own on loopback, with a database that is deleted at the end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

READY_SECONDS = 120
STOP_SECONDS = 40


def free_port() -> int:
    """A port of loopback that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def live_server(log: Path | None = None, **settings: str) -> Iterator[str]:
    """Serve until the block ends, and give its URL. Settings are those of the environment, such as RATE_LIMIT.

    Raises:
        RuntimeError: the server did not become ready, or did not stop with status 0.
    """
    url = f"http://127.0.0.1:{free_port()}"
    environment = {**os.environ, **{f"FRACAS_SERVER_{name.upper()}": value for name, value in settings.items()}}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "fracas", "serve", "--port", url.rpartition(":")[2]]
        command += ["--database", str(Path(folder) / "soak.db")]
        with (log or Path(folder) / "log").open("w") as errors:
            process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=errors)
            try:
                _wait_until_ready(url, process)
                yield url
            finally:
                process.send_signal(signal.SIGTERM)
                try:
                    status = process.wait(STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()
                    raise RuntimeError("the server did not stop") from None
        if status:
            raise RuntimeError(f"the server ended with status {status}")


def _wait_until_ready(url: str, process: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + READY_SECONDS
    while time.monotonic() < ends and process.poll() is None:
        try:
            if httpx.get(f"{url}/readyz", timeout=5).status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    raise RuntimeError("the server did not become ready")
