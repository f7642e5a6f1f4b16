"""The command line, called in this process, with what it prints and how it ends."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMANDS = (
    "run",
    "duel",
    "campaign",
    "commit",
    "replay",
    "watch",
    "studio",
    "site",
    "pack",
    "simulate",
    "merge",
    "odds",
    "compare",
    "variants",
    "sweep",
    "sensitivity",
    "why",
    "find",
    "matchups",
    "optimise",
    "ladder",
    "swaps",
    "solve",
    "strength",
    "report",
    "verify",
    "validate",
    "lint",
    "explain",
    "game",
    "new",
    "examples",
    "content",
    "envs",
    "share",
    "modifiers",
    "loot",
    "enhance",
    "serve",
    "admin",
    "scheduler",
    "worker",
    "bench",
    "compile",
    "doctor",
)
SUBCOMMANDS = (
    "game list",
    "game new",
    "content list",
    "content show",
    "content schema",
    "admin backup",
    "admin check",
    "admin create-admin",
    "admin export",
    "admin grant",
    "admin import",
    "admin invite",
    "admin migrate",
    "admin reset-password",
    "admin restore",
    "admin suspend",
)

# The first keys of the document of every simulation, in their order.
RESULT_KEYS = [
    "command",
    "ruleset",
    "scenario",
    "names",
    "seed",
    "profile",
    "battles",
    "wins",
    "draws",
    "shares",
    "draw_share",
    "interval95",
    "reasons",
    "rounds",
    "rules_version",
    "content_fingerprint",
    "deterministic",
    "interrupted",
    "timing",
]

DONE, CHECK_FAILED, BAD_INPUT, FAULT, INTERRUPTED = 0, 1, 2, 70, 130


@dataclass(frozen=True)
class Ended:
    """A command that has ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)

    @property
    def errors(self) -> list[dict[str, Any]]:
        """The errors of the document."""
        errors: list[dict[str, Any]] = self.json["errors"]
        assert all(set(error) == {"where", "message", "suggestion", "file", "path"} for error in errors)
        return errors


Command = Callable[..., Ended]


def call(capsys: Any, *arguments: str | Path) -> Ended:
    """Run `fracas` with these arguments; a traceback is never printed unless it was asked for."""
    from fracas.cli.app import main

    before = sys.argv
    sys.argv = ["fracas", *map(str, arguments)]
    capsys.readouterr()
    status = 0
    try:
        main()
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    finally:
        sys.argv = before
    out, err = capsys.readouterr()
    if os.environ.get("FRACAS_DEBUG") != "1":
        assert "Traceback" not in out + err
    return Ended(status, out, err)
