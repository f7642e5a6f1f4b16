"""The folder of this machine's jobs: finished chunks, and which machine this is."""

from __future__ import annotations

import shutil
from pathlib import Path

from sqlalchemy import Connection

from fracas.files.atomic_write import write_atomic
from fracas.server.arena.arena_loop import private_folder
from fracas.server.clock import SECOND
from fracas.server.database.engine import Database
from fracas.server.ids import is_id, random_id
from fracas.server.job_rows import KEPT
from fracas.server.jobs import service
from fracas.server.settings import Settings

NAME, MACHINE = "fracas.jobs", "machine"


class JobFolders:
    """A folder for each job that is worked on, below one for the machine, which only the server's user may read."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self.path = private_folder(settings, database) / NAME

    def machine(self) -> str:
        """The id of this machine: of whose folder the finished chunks are. Processes here share it."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = self.path / MACHINE
        if not file.exists():
            write_atomic(file, random_id().encode(), is_private=True)
        return file.read_text()

    def of(self, job: str) -> Path:
        """A job's folder; it exists."""
        found = self.path / job
        found.mkdir(mode=0o700, exist_ok=True)
        return found

    def remove(self, job: str) -> None:
        """Remove a job's folder, because the job has ended."""
        shutil.rmtree(self.path / job, ignore_errors=True)

    def remove_old(self, connection: Connection, now: int) -> None:
        """Remove the folders of jobs that have ended while no process worked on them.

        Servers of several databases may share the folder, so a job that is not known here stays for a while.
        """
        open_jobs, known = service.open_jobs(connection), service.known_jobs(connection)
        for each in [each for each in self.path.glob("*") if is_id(each.name)]:
            is_old = each.stat().st_mtime * SECOND < now - KEPT
            if each.name not in open_jobs and (each.name in known or is_old):
                self.remove(each.name)
