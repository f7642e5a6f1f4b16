"""Send what schemathesis makes from the OpenAPI document to a live server: no 5xx, no undocumented answer.

    pip install schemathesis
    python scripts/soak/openapi.py --examples 50

An account is registered first, so that routes behind a sign-in are reached; what ends that account is left out.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import httpx
from live_server import live_server

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
# A stream has no end; the others end the session that asks.
LEFT_OUT = (
    ("path", "/api/v1/events"),
    ("path", "/api/v1/account/password"),
    ("path-regex", "^/api/v1/sessions"),
)


def program() -> str:
    """The command of schemathesis, of this environment or on the path."""
    found = Path(sysconfig.get_path("scripts")) / "schemathesis"
    name = str(found) if found.exists() else shutil.which("schemathesis")
    if name is None:
        raise SystemExit("schemathesis is not installed: pip install schemathesis")
    return name


def known_names(url: str, token: str) -> dict[str, str]:
    """Make one thing of each kind, so that paths with names reach more than 404; return the names by parameter."""
    with httpx.Client(base_url=f"{url}/api/v1", headers={"Authorization": f"Bearer {token}"}, timeout=60) as client:

        def made(path: str, body: object) -> dict[str, str]:
            found: dict[str, str] = client.post(path, json=body).raise_for_status().json()
            return found

        document = {"units": ["scout", "bronze_knight", "falconer"]}
        entry = made("/entries", {"league": "squads", "title": "soak", "document": document, "ranked": True})["entry"]
        bot = client.get("/leagues/squads/bots").raise_for_status().json()["items"][0]["handle"]
        match = made("/practice", {"entry": entry, "bot": bot})["id"]
        taught = made("/classes", {"title": "soak", "league": "squads"})["id"]
    names = {"entry": entry, "match": match, "class_id": taught, "league": "squads", "version": "1", "leg": "0"}
    return names | {"handle": "soak", "ruleset": "squads"}


def config(names: dict[str, str]) -> str:
    """The configuration of schemathesis: the names that paths hold."""
    rows = [f'"path.{name}" = {value if value.isdigit() else json.dumps(value)}' for name, value in names.items()]
    return "\n".join(["[parameters]", *rows, ""])


def main() -> int:
    """Run schemathesis once, as somebody and as nobody; return its status."""
    parser = argparse.ArgumentParser(description="Check a live server against its OpenAPI document.")
    parser.add_argument("--examples", type=int, default=50, help="requests for each operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a regular expression of paths")
    given = parser.parse_args()
    command = program()
    settings = {"rate_limit": "0", "budget": "0", "argon2_kib": "8", "argon2_passes": "1"}
    status = 0
    with tempfile.TemporaryDirectory() as folder, live_server(**settings) as url:
        account = {"handle": "soak", "password": "a long enough password"}
        token = httpx.post(f"{url}/api/v1/accounts", json=account, timeout=60).raise_for_status().json()["token"]
        settings_file = Path(folder) / "schemathesis.toml"
        settings_file.write_text(config(known_names(url, token)), encoding="utf-8")
        for header in (["-H", f"Authorization: Bearer {token}"], []):
            options = [
                "--config-file",
                str(settings_file),
                "run",
                f"{url}/api/v1/openapi.json",
                "--checks",
                CHECKS,
                "--phases",
                "examples,coverage,fuzzing",
            ]
            options += ["-n", str(given.examples), "--seed", str(given.seed), "--generation-database", "none"]
            options += ["--continue-on-failure", "--no-shrink", "--request-timeout", "60", *header]
            for kind, value in LEFT_OUT:
                options += [f"--exclude-{kind}", value]
            if given.only:
                options += ["--include-path-regex", given.only]
            # It writes reports and caches to its working folder.
            status |= subprocess.run([command, *options], check=False, cwd=folder).returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
