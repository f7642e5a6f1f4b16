"""What each ruleset refuses, and what it says: the rows of its table, content/refusals.txt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.helpers import delve, relics, scenarios, stacks, titans
from tests.helpers.scenarios import edited, problems_of, written

import fracas

TEXTS = {
    "squads": (scenarios.SCENARIO,),
    "delve": (delve.ENCOUNTER, delve.RUN),
    "stacks": (stacks.ATTACK,),
    "relics": (relics.BATTLE,),
    "titans": (titans.DUEL,),
}


def rows_of(ruleset: str) -> Iterator[Any]:
    """The rows of a table: what is replaced by what, and what is said."""
    text = (Path(__file__).parent / ruleset / "content" / "refusals.txt").read_text(encoding="utf-8")
    for row in text.split("\n\n")[1:]:
        changes: list[tuple[list[str], list[str]]] = []
        said: list[str] = []
        title, *lines = row.strip("\n").split("\n")
        for line in lines:
            sign, rest = line[0], line[2:]
            if sign == "!":
                said.append(rest)
            elif sign == ".":
                said[-1] += f"\n{rest}"
            elif sign == "+":
                changes[-1][1].append(rest)
            elif not changes or changes[-1][1]:
                changes.append(([rest], []))
            else:
                changes[-1][0].append(rest)
        pairs = [("\n".join(old), "\n".join(new)) for old, new in changes]
        yield pytest.param(ruleset, pairs, said, id=f"{ruleset}: {title.removeprefix('# ')}")


ROWS = [row for ruleset in TEXTS for row in rows_of(ruleset)]


@pytest.mark.parametrize(("ruleset", "changes", "said"), ROWS)
def test_all_that_is_wrong_is_said_once_at_its_place(
    tmp_path: Path, ruleset: str, changes: list[tuple[str, str]], said: list[str]
) -> None:
    text = next(text for text in TEXTS[ruleset] if changes[0][0] in text)
    path = written(tmp_path, edited(*changes, text=text))
    problems = problems_of(fracas.load, path)
    assert all(problem.where.startswith(str(path)) for problem in problems)
    wheres = [problem.where.removeprefix(str(path)).removeprefix(": ") for problem in problems]
    lines = [
        (f"{where}: " if where else "") + problem.message + (f" ({problem.suggestion})" if problem.suggestion else "")
        for where, problem in zip(wheres, problems, strict=True)
    ]
    assert lines == said


@pytest.mark.parametrize("ruleset", TEXTS)
def test_the_scenarios_that_are_broken_here_are_sound(tmp_path: Path, ruleset: str) -> None:
    for text in TEXTS[ruleset]:
        assert problems_of(fracas.load, written(tmp_path, text), strict=True) == ()
