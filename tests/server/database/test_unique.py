"""Each unique constraint, broken on purpose by two processes at once, leaves one row."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

from fracas.server.database.engine import Database

SCRIPT = Path(__file__).parent / "unique_rows.py"


def load():
    spec = importlib.util.spec_from_file_location("unique_rows", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_two_processes_insert_each_row_once(database: Database):
    rows = load()
    url = str(database.file) if database.file else database.url.render_as_string(hide_password=False)
    with database.writing.begin() as connection:
        rows.parents(connection)
    processes = [
        subprocess.Popen(
            [sys.executable, str(SCRIPT), url, me], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for me in ("1", "2")
    ]
    told = {}
    for name, *_ in rows.constraints():
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        said = [json.loads(process.stdout.readline()) for process in processes if process.stdout is not None]
        assert [each[0] for each in said] == [name, name]
        told[name] = sum(each[1] for each in said)
    for process in processes:
        process.communicate()
    assert set(told.values()) == {1}, {name: count for name, count in told.items() if count != 1}
    assert {"account(handle_key)", "match(league, day, no)", "event(account, seq)", "idem(account, key)"} <= set(told)
