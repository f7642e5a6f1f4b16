"""What is checked: a game, and random scenarios from its declared bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fracas.engine.scenario import Scenario, compile_document
from fracas.errors import InputError, Problem
from fracas.gamecheck.report import Check
from fracas.kit.derive.functions import Play
from fracas.kit.derive.scenarios import BOUNDS, MOVED, SHIPPED
from fracas.kit.game import Game
from fracas.kit.load import file_of, shown_files
from fracas.rulesets.contract.types import Rows

# What tells progress: how much is done, of how much, and what.
Watch = Callable[[int, int, str], None]
WAYS = {SHIPPED: "of content entries", MOVED: "with a field at its bound", BOUNDS: "from all bounds"}


def nobody(done: int, total: int, status: str) -> None:
    """Watch nothing."""


@dataclass
class Played:
    """A scenario, and the battle that plain Python played of it: the one with the scenario's own number."""

    number: int
    scenario: Scenario
    result: Rows
    """One result row."""
    rows: Rows
    """Its events, (n, 8) int32."""
    is_sound: bool = False
    """Whether it was played to its end."""

    @property
    def where(self) -> str:
        """What messages call it."""
        return f"random scenario {self.number}, battle {self.number}"


@dataclass
class Subject:
    """A game with its random scenarios."""

    game: Game
    wanted: int
    watch: Watch
    battles: list[Played] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=shown_files)

    @property
    def where(self) -> str:
        """What messages call the game: its file, or its name."""
        return next(iter(self.files.values())) if file_of(self.game.name) is not None else self.game.name

    @property
    def sound(self) -> list[Played]:
        """The battles that plain Python has played to their end."""
        return [each for each in self.battles if each.is_sound]

    @property
    def play(self) -> Play:
        """The shape of play."""
        return self.game.built.functions.play

    def some(self, most: int) -> list[Played]:
        """At most so many sound battles, of all kinds of scenarios."""
        sound = self.sound
        return sound if len(sound) <= most else [sound[index * len(sound) // most] for index in range(most)]

    def watched(self, battles: list[Played], status: str) -> Iterator[Played]:
        """The battles, with progress."""
        for index, each in enumerate(battles):
            self.watch(index, len(battles), status)
            yield each

    def log(self) -> Any:
        """An empty log."""
        return np.zeros(1, self.game.kernels.log_type)

    def draw(self) -> Check:
        """Draw the scenarios."""
        check = Check("scenarios", "random scenarios load")
        refused: list[Problem] = []
        has_content = any(
            self.game.built.catalogue.library_for(None, ()).of(kind) for kind in self.game.built.shape.kinds
        )
        counts = dict.fromkeys(WAYS, 0)
        for number in range(self.wanted):
            self.watch(number, self.wanted, "scenarios")
            try:
                scenario = compile_document(self.game.random_scenario(number), {})
            except InputError as error:
                said = f"scenario {number} does not load: {error.problems[0]}"
                refused.append(Problem(self.where, said, "let valid() refuse less, or write random_scenario()"))
                continue
            counts[number % 3 if has_content else BOUNDS] += 1
            nothing = np.zeros((0, 8), np.int32)
            self.battles.append(Played(number, scenario, np.zeros(1, self.game.kernels.result_type), nothing))
        told = ", ".join(f"{count} {WAYS[way]}" for way, count in counts.items() if count)
        check.counted = f"{len(self.battles)}: {told}" if told else "none"
        if 2 * len(refused) > self.wanted:
            for problem in refused:
                check.complain(problem)
        elif refused:
            check.remark = f"{len(refused)} more were refused a hundred times; {refused[0].message}"
        return check
