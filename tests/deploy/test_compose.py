"""The Compose file says what the server understands. No container is started here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from tests.server.conftest import empty_sqlite as empty_sqlite
from tests.server.conftest import sqlite as sqlite

from fracas.cli.app import app
from fracas.server.database.engine import Database
from fracas.server.http.bodies import LARGEST_REPLAY
from fracas.server.settings import PREFIX, read_settings

DEPLOY = Path(__file__).parents[2] / "deploy"
GIVEN = {"DOMAIN": "fracas.example", "POSTGRES_PASSWORD": "secret"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return found


def filled(text: str) -> str:
    """A value as Compose fills it in."""

    def value(match: re.Match[str]) -> str:
        name, _, default = match[1].partition(":")
        return GIVEN.get(name) or default.removeprefix("-")

    return re.sub(r"\$\{([^}]+)\}", value, text)


def test_the_server_accepts_its_settings(compose):
    environment = {name: filled(text) for name, text in compose["services"]["server"]["environment"].items()}
    assert all(name.startswith(PREFIX) for name in environment)
    settings = read_settings({}, environment)
    assert settings.is_https
    assert settings.who_may_register == "invite"
    assert settings.database == "postgresql://fracas:secret@database/fracas"
    subnet = compose["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert settings.trusted_proxy == (subnet,)


def test_commands_names_and_files_are_there(compose):
    services = compose["services"]
    assert set(services) == {"database", "migrate", "server", "server-2", "backup", "proxy"}
    for name in ("migrate", "server", "server-2"):
        command, _, _ = app.parse_args(services[name]["command"], exit_on_error=False)
        assert command is not None
    for service in services.values():
        for volume in service["volumes"]:
            source = volume.partition(":")[0]
            assert (DEPLOY / source).is_file() if source.startswith("./") else source in compose["volumes"]
        if "image" in service:
            continue
        assert (DEPLOY.parent / service["build"]["dockerfile"]).is_file()
    assert services["server"]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    for service in services.values():
        for other in service.get("depends_on", {}):
            assert other in services
    # Only the proxy is reached from outside.
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    example = (DEPLOY / ".env.example").read_text()
    assert {line.partition("=")[0] for line in example.splitlines() if line and not line.startswith("#")} >= set(GIVEN)


def test_both_processes_are_alike_and_know_of_each_other(compose):
    services = compose["services"]
    different = {"depends_on"}
    first, second = (
        {name: value for name, value in services[each].items() if name not in different}
        for each in ("server", "server-2")
    )
    assert first == second
    environment = {name: filled(text) for name, text in services["server"]["environment"].items()}
    assert read_settings({}, environment).processes == 2
    text = (DEPLOY / "Caddyfile").read_text()
    assert "reverse_proxy server:8800 server-2:8800 {" in text


def test_every_container_is_bounded(compose):
    """In memory, threads and log; and it writes only where it must."""
    for name, service in compose["services"].items():
        assert service["mem_limit"], name
        assert service["pids_limit"] <= 200, name
        assert service["logging"]["options"] == {"max-size": "10m", "max-file": "5"}, name
        assert service["read_only"] is True, name
        assert "/tmp" in service["tmpfs"], name


def test_everything_is_pinned(compose):
    """Images by their full version, packages by their hashes."""
    exact = re.compile(r"^[a-z]+:\d+\.\d+(\.\d+)?-[a-z]+[\d.]*(-trixie)?$")
    images = [service["image"] for service in compose["services"].values() if "image" in service]
    text = (DEPLOY / "Dockerfile").read_text()
    images += re.findall(r"(?m)^FROM (\S+:\S+)", text)
    assert len(images) == 4
    assert all(exact.match(image) for image in images), images
    assert not exact.match("postgres:18-alpine")
    assert not exact.match("caddy:2-alpine")
    for line in text.replace("\\\n", " ").splitlines():
        for call in line.split("&&"):
            if "pip install" in call or "pip wheel" in call:
                assert "--require-hashes" in call or "--no-deps" in call, call
    for name in re.findall(r"-r (\S+)", text):
        assert (DEPLOY.parent / name).is_file()


def test_a_backup_is_written_once_a_day_and_old_ones_go(sqlite: Database, tmp_path, monkeypatch):
    folder = tmp_path / "backups"
    folder.mkdir()
    old, recent, other = (folder / name for name in ("fracas-2020-01-01.zip", "fracas-2020-01-20.zip", "mine.zip"))
    for each in (old, recent, other):
        each.write_text("x")
    long_ago = time.time() - 20 * 86_400
    for each in (old, other):
        os.utime(each, (long_ago, long_ago))
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "FRACAS_SERVER_DATABASE": str(sqlite.file),
    }
    for _ in range(2):
        subprocess.run(["sh", DEPLOY / "backup.sh", folder], env=environment, check=True, capture_output=True)
    today = {each.name for each in folder.iterdir()} - {recent.name, other.name}
    assert len(today) == 1
    assert not old.exists()
    (written,) = (folder / name for name in today)
    assert written.stat().st_mode & 0o777 == 0o600


def test_the_proxy_reaches_the_server_and_closes_what_is_inside():
    text = (DEPLOY / "Caddyfile").read_text()
    assert text.count("{") == text.count("}")
    for path in ("/metrics", "/docs"):
        assert path in text
    assert "Host {$DOMAIN}" in text, "the server refuses other names"
    directives = [line.split()[0] for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
    assert "flush_interval" not in directives, "Caddy then waits for a slow body for ever, and for clients that left"


def test_the_proxy_refuses_by_their_length_bodies_that_the_server_never_takes():
    text = (DEPLOY / "Caddyfile").read_text()
    pattern = re.search(r"header_regexp Content-Length (\S+)", text)
    assert pattern is not None
    assert [
        size for size in (0, LARGEST_REPLAY, 4_999_999, 5_000_000, 12_345_678) if re.search(pattern[1], str(size))
    ] == [
        5_000_000,
        12_345_678,
    ]
