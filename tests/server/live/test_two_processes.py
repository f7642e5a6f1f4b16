"""Two processes on one PostgreSQL, one of which is killed in the middle of load; `scripts/soak` has the long form."""

from __future__ import annotations

from pathlib import Path

from scripts.soak.two_processes import soak


def test_a_killed_process_loses_nothing_and_stops_nobody(tmp_path: Path, postgresql):
    database = postgresql.new_schema("two_processes")
    assert soak(tmp_path, database, 1, 10, leases=False, say=lambda line: None) == []
