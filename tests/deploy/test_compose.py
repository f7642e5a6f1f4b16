"""The Compose file says what the server understands. No container is started here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from fracas.cli.app import app
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
    assert set(services) == {"database", "migrate", "server", "proxy"}
    for name in ("migrate", "server"):
        command, _, _ = app.parse_args(services[name]["command"], exit_on_error=False)
        assert command is not None
        for volume in services[name]["volumes"]:
            assert volume.partition(":")[0] in compose["volumes"]
        assert (DEPLOY.parent / services[name]["build"]["dockerfile"]).is_file()
    assert services["server"]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    for service in services.values():
        for other in service.get("depends_on", {}):
            assert other in services
    # Only the proxy is reached from outside.
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    example = (DEPLOY / ".env.example").read_text()
    assert {line.partition("=")[0] for line in example.splitlines() if line and not line.startswith("#")} >= set(GIVEN)


def test_the_proxy_reaches_the_server_and_closes_what_is_inside():
    text = (DEPLOY / "Caddyfile").read_text()
    assert text.count("{") == text.count("}")
    assert "reverse_proxy server:8800" in text
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
