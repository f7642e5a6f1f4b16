"""Everything that can go wrong, as one tree.

FracasError
├── InputError      the input is wrong: every problem at once, exit status 2
│   └── UsageError  the call is wrong, not the files: an argument, a missing extra, a log that was not kept
└── FaultError      a limit of ours was hit in the middle of a battle, exit status 70
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

_LINE = re.compile(r":\d+$")
_LOOKS_LIKE_A_FILE = re.compile(r"[/\\]|\.(?:toml|json|py|csv|parquet|html|md|svg)$")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where it stands, what it is, and what would be right."""

    where: str
    message: str
    suggestion: str | None = None

    @property
    def file(self) -> str | None:
        """The file that `where` names, without the line of a syntax error; None if it names none.

        An option is none, whatever its value looks like.
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
        """The dotted path of the value within its file, or the option or argument; None for a whole file."""
        if self.file is None:
            return self.where or None
        _, separator, path = self.where.partition(": ")
        return path if separator else None

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text} ({self.suggestion})" if self.suggestion else text


class FracasError(Exception):
    """The root of all errors that Fracas raises on purpose."""


class InputError(FracasError):
    """Bad input. Carries every problem that was found, not only the first one."""

    def __init__(self, problems: Iterable[Problem] | Problem) -> None:
        self.problems: tuple[Problem, ...] = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[Any, ...]:
        """For `pickle`, which processes hand errors to each other with."""
        return type(self), (self.problems,)

    @classmethod
    def of(cls, where: str, message: str, suggestion: str | None = None) -> InputError:
        """An error with a single problem."""
        return cls(Problem(where, message, suggestion))


class UsageError(InputError):
    """The call is wrong and not the files: an argument out of range, a missing extra, a log that was not kept."""

    @classmethod
    def of(cls, where: str, message: str, suggestion: str | None = None) -> UsageError:
        """An error with a single problem."""
        return cls(Problem(where, message, suggestion))


class FaultError(FracasError):
    """A battle ran into one of our own limits (a full event log, exhausted dice)."""
