"""`fracas serve --show-settings` and `fracas server`, as people call them."""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from fracas.cli.serve import library
from fracas.server.app import create_app
from fracas.server.clock import Clock
from fracas.server.database import schema
from fracas.server.database.engine import open_database
from fracas.server.settings import Settings

NEWEST = schema.needed()

TOKEN = re.compile(r"frc_[0-9A-Za-z]{43}")


@pytest.fixture(scope="module")
def migrated(tmp_path_factory):
    """The database of a server that has run once."""
    path = tmp_path_factory.mktemp("migrated") / "fracas.db"
    found = open_database(str(path))
    schema.migrate(found, Clock())
    found.close()
    return path


@pytest.fixture
def database(tmp_path, monkeypatch, migrated):
    """A copy of it in the working folder."""
    monkeypatch.chdir(tmp_path)
    return shutil.copy(migrated, tmp_path / "fracas.db")


def test_settings_are_shown(fracas_cli, monkeypatch):
    monkeypatch.setenv("FRACAS_SERVER_PORT", "9000")
    ended = fracas_cli("serve", "--show-settings", "--database", "postgresql://ann:pa55w0rd@db/x")
    assert ended.status == 0
    assert re.search(r"FRACAS_SERVER_PORT +9000 ", ended.out)
    assert "pa55w0rd" not in ended.out
    shown = fracas_cli("serve", "--show-settings", "--services", "resolver,arena", "--format", "json").json
    assert shown["FRACAS_SERVER_SERVICES"] == "resolver,arena"


def test_wrong_settings_are_sentences(fracas_cli):
    ended = fracas_cli("serve", "--port", "99999", "--sign-up", "all")
    assert ended.status == 2
    assert ended.err.count("error: ") == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--host", "192.0.2.1"),
        ("--leagues", "missing"),
        ("--public-url", "nonsense"),
        ("--database", "missing/fracas.db"),
        ("--database", "text"),
    ],
)
def test_what_is_wrong_is_named_and_what_would_be_right(fracas_cli, monkeypatch, tmp_path, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("This is a text.")
    ended = fracas_cli("serve", "--port", "0", *arguments)
    assert ended.status == 2
    where = {"--leagues": "missing", "text": "text"}
    named = where.get(arguments[1]) or where.get(arguments[0]) or arguments[0]
    assert re.fullmatch(rf"error: {named}: .+ \(.+\)\n", ended.err)
    assert not (tmp_path / "fracas.db").exists()


def test_accounts(fracas_cli, database):
    ended = fracas_cli("server", "create-admin", "Ann")
    assert TOKEN.match(ended.out)
    # Where to use the code are addresses that the server has.
    (page, route) = re.findall(r"at (\S+) or POST (\S+)\.\n", ended.out)[0]
    rows = create_app(Settings()).state.access.rows
    assert {("GET", page), ("POST", route)} <= set(rows)
    assert fracas_cli("server", "create-admin", "ann").status == 2
    assert TOKEN.match(fracas_cli("server", "reset-password", "ann").out)
    assert len(TOKEN.findall(fracas_cli("server", "invite", "--count", "3").out)) == 3
    assert fracas_cli("server", "grant", "ann", "player").out == "ann is player\n"
    assert fracas_cli("server", "suspend", "ann", "--reason", "sold matches").out == "ann is suspended\n"
    assert fracas_cli("server", "reset-password", "ann").status == 2
    assert fracas_cli("server", "suspend", "ann", "--lift").out == "ann is active\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("create-admin", "x"),
        ("reset-password", "nobody"),
        ("suspend", "nobody", "--reason", "x"),
        ("suspend", "nobody"),
        ("suspend", "nobody", "--lift", "--reason", "x"),
        ("grant", "nobody", "operator"),
        ("grant", "nobody", "king"),
        ("invite",),
        ("invite", "--count", "0"),
        ("backup", "missing/folder.db"),
        ("restore", "missing.db"),
        ("import", "missing.zip"),
        ("migrate", "--database", "mysql://x"),
        ("backup", "x.db", "--database", "missing.db"),
        ("check", "--database", "missing.db"),
        ("check", "--database", "text"),
        ("migrate", "--database", "text"),
        ("migrate", "--database", "other.db"),
        ("restore", "text", "--database", "new.db"),
        ("import", "text", "--database", "new.db"),
    ],
)
def test_mistakes_are_sentences_and_make_no_database(fracas_cli, database, arguments, tmp_path):
    (tmp_path / "text").write_text("This is a text.")
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE theirs (x)")
    ended = fracas_cli("server", *arguments)
    assert ended.status == 2
    assert ended.err.startswith("error: ")
    assert not {"missing.db", "new.db", "x.db"} & {file.name for file in tmp_path.iterdir()}
    assert (tmp_path / "text").read_text() == "This is a text."


def test_backup_restore_export_import_and_migrate(fracas_cli, database):
    fracas_cli("server", "create-admin", "ann")
    assert fracas_cli("server", "backup", "copy.db").status == 0
    assert fracas_cli("server", "restore", "copy.db", "--database", "new.db").status == 0
    assert fracas_cli("server", "restore", "copy.db", "--database", "new.db").status == 2
    assert "account" in fracas_cli("server", "export", "all.zip").out
    assert fracas_cli("server", "import", "all.zip", "--database", "other.db").out == "imported 3 rows\n"
    assert fracas_cli("server", "migrate", "--database", "other.db").out == f"schema {NEWEST}, as before\n"
    assert fracas_cli("server", "migrate", "--database", "third.db").out == f"schema 0 is now {NEWEST}\n"
    assert TOKEN.match(fracas_cli("server", "reset-password", "ann", "--database", "other.db").out)


def test_account_commands_work_while_a_server_runs_and_migrations_do_not(fracas_cli, database):
    held = open_database("fracas.db")
    assert fracas_cli("server", "create-admin", "ann").status == 0
    assert fracas_cli("server", "backup", "copy.db").status == 0
    for arguments in (("migrate",), ("serve",)):
        ended = fracas_cli(*(("server",) if arguments == ("migrate",) else ()), *arguments, *PORT[arguments[0]])
        assert ended.status == 2
        assert "only one server can use a SQLite file" in ended.err
    held.close()


PORT = {"serve": ("--port", "0"), "migrate": ()}


def test_a_missing_extra_is_a_sentence(fracas_cli, monkeypatch):
    monkeypatch.setattr(library, "_LIBRARIES", ("fastapi", "no_such_library"))
    ended = fracas_cli("serve", "--port", "0")
    assert ended.status == 2
    assert "pip install 'fracas[server]'" in ended.err
    assert "no_such_library" in ended.err


def test_no_library_of_the_server_is_imported_for_help():
    code = (
        "import sys; from fracas.cli.app import run_command; [run_command(each.split()) for each in sys.argv[1:]];"
        "print(sorted({'fastapi', 'uvicorn', 'sqlalchemy', 'alembic', 'argon2', 'psycopg'} & set(sys.modules)))"
    )
    asked = ["--help", "serve --help", "serve --show-settings", "run --help"]
    ended = subprocess.run([sys.executable, "-c", code, *asked], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "[]"
