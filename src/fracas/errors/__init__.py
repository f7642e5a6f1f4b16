"""The exceptions of Fracas, as one tree.

FracasError
├── InputError      the input is wrong: every problem at once, exit status 2
│   └── UsageError  the call is wrong, not the files: an argument, a missing extra, a missing log
└── FaultError      a battle hit a limit of the engine, exit status 70
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from fracas.errors.suggestions import shortened

_LINE = re.compile(r":\d+$")
_LOOKS_LIKE_A_FILE = re.compile(r"[/\\]|\.(?:toml|json|py|csv|parquet|html|md|svg)$")


UNKNOWN_KEY, UNKNOWN_NAME, WRONG_CHOICE = "unknown-key", "unknown-name", "wrong-choice"


@dataclass(frozen=True, slots=True)
class Problem:
    """One error or warning: its place, a message and a suggestion. As text, overlong names in it are cut."""

    where: str
    message: str
    suggestion: str | None = None
    kind: str = field(default="", compare=False, repr=False)
    """For programs: `unknown-key`, `unknown-name` or `wrong-choice`; empty for all others."""
    expected: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """For these kinds: the keys, names or values that could stand there instead."""

    @property
    def file(self) -> str | None:
        """The file that `where` names, without the line number of a syntax error; None if it names no file.

        An option is not a file, whatever its value looks like.
        """
        if self.where.startswith("--"):
            return None
        head, separator, _ = self.where.partition(": ")
        name = _LINE.sub("", head)
        if "://" in name:
            return None
        return name if separator or _LOOKS_LIKE_A_FILE.search(name) else None

    @property
    def path(self) -> str | None:
        """The value's dotted path within its file, or the option or argument; None for a whole file."""
        if self.file is None:
            return self.where or None
        _, separator, path = self.where.partition(": ")
        return path if separator else None

    def as_json(self) -> dict[str, Any]:
        """The problem as plain values, as the command line and the server show it."""
        return {
            "where": self.where,
            "message": self.message,
            "suggestion": self.suggestion,
            "file": self.file,
            "path": self.path,
        }

    def __str__(self) -> str:
        where = shortened(self.where, whole=True)
        text = f"{where}: {shortened(self.message)}" if where else shortened(self.message)
        return f"{text} ({shortened(self.suggestion)})" if self.suggestion else text


class FracasError(Exception):
    """The base class of all exceptions that Fracas raises on purpose."""


class InputError(FracasError):
    """Bad input, with every problem that was found, not just the first."""

    def __init__(self, problems: Iterable[Problem] | Problem) -> None:
        self.problems: tuple[Problem, ...] = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[Any, ...]:
        """Support `pickle`, so that errors can be passed between processes."""
        return type(self), (self.problems,)

    @classmethod
    def of(cls, where: str, message: str, suggestion: str | None = None) -> InputError:
        """An error with a single problem."""
        return cls(Problem(where, message, suggestion))


class UsageError(InputError):
    """The call is wrong, not the files: an argument out of range, a missing extra, a missing log."""

    @classmethod
    def of(cls, where: str, message: str, suggestion: str | None = None) -> UsageError:
        """An error with a single problem."""
        return cls(Problem(where, message, suggestion))


class FaultError(FracasError):
    """A battle hit a limit of the engine (exhausted dice, a number beyond 32 bits)."""
