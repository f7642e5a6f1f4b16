"""What is checked of a game that was written at random."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from tests.helpers.random_games import random_game

from fracas.gamecheck import modes, states
from fracas.gamecheck.choices import choices
from fracas.gamecheck.plain import plain
from fracas.gamecheck.report import FAILED, Check
from fracas.gamecheck.subject import Subject, nobody
from fracas.kit.game import Game
from fracas.kit.load import fresh, use


def failures(number: int, folder: Path, *, scenarios: int, with_module: bool) -> list[str]:
    """Everything that does not hold of random game `number`: plain = compiled = module, snapshots, choices, stories."""
    file = folder / f"random_{number}.py"
    file.write_text(random_game(number))
    with fresh():
        subject = Subject(cast(Game, use(file)), scenarios, nobody)
        checks: list[Check] = [subject.draw(), *plain(subject)]
        found, silent = modes.compiled(subject)
        checks += [
            found,
            states.snapshots(subject),
            states.key_order(subject),
            choices(subject),
            states.stories(subject),
        ]
        if with_module:
            checks.append(modes.module(subject, silent, lambda: modes.build_module(subject)))
        return [
            f"random game {number}: {each.name}: {problem}"
            for each in checks
            if each.status == FAILED
            for problem in each.problems
        ]
