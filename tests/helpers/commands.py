"""The command line, called in this process, with what it prints and how it ends."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fracas.cli.commands import commands

# Every command by the words that call it: `run`, `lab matchups`.
COMMANDS = tuple(dict(commands()))

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
    """Run `fracas` with these arguments; a traceback is never printed unless it was asked for.

    The first may hold both words of a command in a group, as COMMANDS has them.
    """
    from fracas.cli.app import main

    before = sys.argv
    first, *others = map(str, arguments or ("",))
    sys.argv = ["fracas", *first.split(maxsplit=1), *others]
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
