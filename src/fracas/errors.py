"""Everything that can go wrong, as one tree.

FracasError
├── InputError      the user's input is wrong: every problem at once, exit status 2
└── FaultError      a limit of ours was hit in the middle of a battle, exit status 70
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where it stands, what it is, and what would be right."""

    where: str
    message: str
    suggestion: str | None = None

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


class FaultError(FracasError):
    """A battle ran into one of our own limits (a full event log, exhausted dice)."""
