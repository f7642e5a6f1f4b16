"""The scenarios that also exist in C, and the targets of the kernels that play them."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from pathlib import Path

import fracas

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"
# The kinds of dice of a C program.
PLAIN, WIDE = "C, plain dice", "C, wide dice"


@dataclass(frozen=True)
class Speed:
    """The target of a scenario without a C program: battles per second on one thread."""

    scenario: Path
    least: int


@dataclass(frozen=True)
class Rewriting:
    """A shipped move type, and a file with an equal plug-in that replaces it.

    `most_times_as_long` is how much longer than with the shipped one battles may take.
    """

    shipped: str
    plugin: Path
    most_times_as_long: float

    def scenario(self, scenario: fracas.Scenario) -> fracas.Scenario:
        """The scenario with the plug-in."""
        document = copy.deepcopy(scenario.document)
        for unit in (unit for stack in document["stacks"] for unit in stack["units"]):
            unit["moves"] = [self.plugin.stem if name == self.shipped else name for name in unit["moves"]]
        return fracas.load(document, plugins=[self.plugin])


@dataclass(frozen=True)
class Task:
    """A ruleset's scenario that also exists in C, and the kernel's targets.

    `least_of` has the ratio that the kernel must reach for each kind of dice in C; `most_for_logging` is how many times
    as long battles with a log may take. That is more where silent battles look up what a log has to show.
    """

    ruleset: str
    scenario: Path
    least_of: dict[str, float]
    besides: Speed | None = None
    rewriting: Rewriting | None = None
    most_for_logging: float = 1.5

    @property
    def source(self) -> Path:
        """The C program."""
        return HERE / f"{self.ruleset}.c"


STANDARD_DUEL = EXAMPLES / "relics" / "standard.toml"
TASKS = {
    task.ruleset: task
    for task in (
        Task("squads", EXAMPLES / "squads" / "standard-5v5.toml", {PLAIN: 0.65, WIDE: 0.5}),
        Task(
            "delve",
            EXAMPLES / "delve" / "standard-4v4.toml",
            {PLAIN: 0.9, WIDE: 0.7},
            Speed(EXAMPLES / "delve" / "standard-run.toml", 15_000),
        ),
        Task(
            "stacks",
            EXAMPLES / "stacks" / "standard-16v16.toml",
            {PLAIN: 1.1, WIDE: 1.0},
            rewriting=Rewriting("strike", HERE / "strike_again.py", 2.1),
            most_for_logging=2.4,
        ),
        Task("relics", STANDARD_DUEL, {PLAIN: 0.9, WIDE: 0.55}, Speed(STANDARD_DUEL, 150_000), most_for_logging=2.1),
        Task(
            "titans",
            EXAMPLES / "titans" / "standard.toml",
            {PLAIN: 1.5, WIDE: 0.55},
            Speed(EXAMPLES / "titans" / "standard.toml", 400_000),
            most_for_logging=2.1,
        ),
    )
}
