"""A first start that fails leaves nothing behind: no secret, no database, no lock."""

from __future__ import annotations

import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a league that is not valid, a newer release's database, and a short secret."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "leagues").mkdir()
    (tmp_path / "leagues" / "squads.toml").write_text('id = "squads"\n')
    with closing(sqlite3.connect(tmp_path / "newer.db")) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
        connection.commit()
    (tmp_path / "short.secret").write_text("12")
    (tmp_path / "short.secret").chmod(0o600)
    return tmp_path


@pytest.fixture
def port() -> Iterator[str]:
    """A port that is in use."""
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        yield str(taken.getsockname()[1])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--port", "{port}"), "--port: cannot listen on"),
        (("--sign-up", "all"), '--sign-up: "all" is not known'),
        (("--database", "newer.db"), "has schema 9999, and this program knows only"),
        (("--leagues", "leagues"), "leagues/squads.toml"),
        (("--database", "short.secret"), "cannot be used as a database"),
        (("--secret-file", "short.secret"), "is not a secret file"),
        (("--secret-file", "missing/fracas.secret"), "there is no such folder"),
        (("--host", "192.0.2.1"), "--host: cannot listen on"),
        (("--database", "postgresql://127.0.0.1:1/x"), "cannot be reached"),
    ],
)
def test_a_start_that_fails_leaves_nothing_behind(fracas_cli, folder: Path, port: str, arguments, said: str):
    before = sorted(folder.rglob("*"))
    own = () if "--port" in arguments else ("--port", "0")
    ended = fracas_cli("serve", *own, *(each.format(port=port) for each in arguments))
    assert ended.status == 2
    assert said in ended.err
    assert sorted(folder.rglob("*")) == before
