"""What a check of a game found: a line for each check, with what was counted and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from fracas.errors import Problem
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HELP, PLAIN, Line

# Further problems of one check are only counted.
MOST_TOLD = 3
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@dataclass
class Check:
    """One check."""

    name: str
    says: str
    """What holds if it passes."""
    counted: str = ""
    """What was looked at; why it was skipped, if it was."""
    problems: list[Problem] = field(default_factory=list)
    remark: str = ""
    """What an author may want to know, although nothing is wrong."""
    is_skipped: bool = False

    @property
    def status(self) -> str:
        """`passed`, `failed` or `skipped`."""
        return FAILED if self.problems else SKIPPED if self.is_skipped else PASSED

    def skip(self, why: str) -> Check:
        """Say why there was nothing to check."""
        self.is_skipped, self.counted = True, why
        return self

    def complain(self, problem: Problem) -> None:
        """Note a problem, once."""
        if problem not in self.problems:
            self.problems.append(problem)

    def as_json(self) -> dict[str, Any]:
        """The check as plain values."""
        return {
            "check": self.name,
            "says": self.says,
            "status": self.status,
            "counted": self.counted,
            "remark": self.remark or None,
            "problems": [
                {"where": each.where, "message": each.message, "suggestion": each.suggestion} for each in self.problems
            ],
        }


@dataclass(frozen=True)
class Report:
    """All checks of a game."""

    game: str
    version: int
    rules: str
    scenarios: int
    checks: list[Check]

    @property
    def failed(self) -> list[Check]:
        """The checks that failed."""
        return [each for each in self.checks if each.status == FAILED]

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas game check --format json` prints."""
        return {
            "game": self.game,
            "version": self.version,
            "rules": self.rules,
            "scenarios": self.scenarios,
            "passed": not self.failed,
            "checks": [each.as_json() for each in self.checks],
        }

    def lines(self) -> Iterator[Line]:
        """The table for people."""
        width = max(len(each.says) for each in self.checks)
        colours = {PASSED: HELP, FAILED: HARM, SKIPPED: ASIDE}
        for each in self.checks:
            head = f"{each.status:<7}  "
            yield Line(0, ((head, colours[each.status]), (f"{each.says:<{width}}  ", PLAIN), (each.counted, ASIDE)))
            for problem in each.problems[:MOST_TOLD]:
                yield Line(0, ((f"         {problem}", HARM),))
            if len(each.problems) > MOST_TOLD:
                yield Line(0, ((f"         and {len(each.problems) - MOST_TOLD:,} more", HARM),))
            if each.remark:
                yield Line(0, ((f"         {each.remark}", EMPHASIS),))
        counts = [f"{sum(each.status == status for each in self.checks)} {status}" for status in colours]
        yield Line(
            0, ((f"{self.game} version {self.version}, rules {self.rules[:12]}: {', '.join(counts)}", EMPHASIS),)
        )

    def __str__(self) -> str:
        return "\n".join(line.text for line in self.lines())
