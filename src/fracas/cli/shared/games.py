"""The option `--game` of every command: files with games of your own, which scenarios may then name."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextvars import ContextVar
from pathlib import Path

from fracas.errors import UsageError

OPTION = "--game"
_used: ContextVar[tuple[Path, ...]] = ContextVar("games of this command line", default=())


def without_games(tokens: Sequence[str]) -> tuple[list[str], list[Path]]:
    """Remove the option from a command line, wherever it stands, and return its files. Tokens after `--` stay.

    Raises:
        UsageError: it names no file.
    """
    end = tokens.index("--") if "--" in tokens else len(tokens)
    left, files = [], []
    waiting = iter(tokens[:end])
    for token in waiting:
        name, equals, value = token.partition("=")
        if name != OPTION:
            left.append(token)
            continue
        file = value if equals else next(waiting, "")
        if not file or (not equals and file.startswith("--")):
            raise UsageError.of(OPTION, "names no file", "write --game pets.py")
        files.append(Path(file))
    return [*left, *tokens[end:]], files


def same_games() -> str:
    """The end of a command to try next: the games of this command line, after a space."""
    return "".join(f" {OPTION} {shlex.quote(str(file))}" for file in _used.get())


def use_games(files: Sequence[Path]) -> None:
    """Load games, so that scenarios may name them. What their files print does not mix with results.

    Raises:
        InputError: see `fracas.use`.
    """
    _used.set(tuple(files))
    if files:
        from fracas.cli.shared.output import results_only
        from fracas.kit.load import use

        with results_only():
            for file in files:
                use(file)
