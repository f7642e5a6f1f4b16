"""Dice that say what a test tells them to, and complain about every roll that the test did not foresee.

    with scripted_dice("open(1, 0)", "below(3)=1", "d100=57"):
        rule("take_turn")(battle, unit, log, None)

names the rolls that the rules may ask for, in order, with what they come out as. Another roll, one too many and one
that nobody asked for fail the test. Plain mode only: the names that the rules' modules imported are replaced.

    open(TICK, LANE)        an address is opened; LANE is a number or one of LANES
    word=W  below(N)=R  between(LOW, HIGH)=R  d100=R  unit=U  pick=I
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import Any

import pytest
from tests.helpers.rules import rule_modules

from fracas.kernel import dice as real

ROLLS = ("open_address", "open_turn", "open_in_turn", "word", "below", "between", "d100", "unit", "pick")
LANES = {"table": real.TABLE, "flee": 0xFF01, "loot": 0xFF02, "chest": 0xFF03, "gold": 0xFF04}
REAL_ROLLS = {name: value for name, value in vars(real).items() if callable(value)}
REAL_FUNCTIONS = frozenset(REAL_ROLLS.values())
# What dice that say what they are told show to somebody who only looks at the next word.
PEEKED = 0x0003_0005
LARGEST_WORD = 2**32 - 1


class WrongRoll(AssertionError):
    """The rules asked for other rolls than the test foresaw."""


def canonical(roll: str) -> str:
    """A roll without its blanks, and with named lanes as numbers."""
    text = "".join(roll.split())
    for name, lane in LANES.items():
        text = text.replace(f",{name})", f",{lane})")
    return text


def head_and_result(roll: str) -> tuple[str, str]:
    """What is asked, and what the answer shall be.

    Raises:
        ValueError: the answer is not one that these dice could give.
    """
    head, equals, result = canonical(roll).partition("=")
    if not _is_possible(head, equals, result):
        raise ValueError(f"{roll!r} is not a roll")
    return head, result


def _is_possible(head: str, equals: str, result: str) -> bool:
    name, _, rest = head.partition("(")
    numbers = [int(part) for part in rest.removesuffix(")").split(",") if part]
    match name, numbers:
        case "open", [_, _]:
            return not equals
        case "below", [n]:
            return 0 <= int(result) < n
        case "between", [low, high]:
            return low <= int(result) <= high
        case "d100", []:
            return 1 <= int(result) <= 100
        case "word", []:
            return 0 <= int(result) <= LARGEST_WORD
        case "unit", []:
            return 0 <= float(result) < 1
        case "pick", []:
            return int(result) >= 0
    return False


class Script:
    """The rolls that are still to come."""

    def __init__(self, rolls: Iterable[str]) -> None:
        self.rolls = [head_and_result(roll) for roll in rolls]
        self.place = 0

    def ask(self, head: str) -> str:
        """Answer a roll, if it is the one whose turn it is."""
        if self.place == len(self.rolls):
            raise WrongRoll(f"the rules ask for {head}, and no roll was foreseen after number {self.place}")
        foreseen, result = self.rolls[self.place]
        if head != foreseen:
            raise WrongRoll(f"the rules ask for {head}; foreseen as number {self.place + 1} was {foreseen}")
        self.place += 1
        return result

    def open(self, tick: int, lane: int) -> None:
        """Turn to an address, if it is the one whose turn it is."""
        self.ask(f"open({tick},{lane})")

    def finish(self) -> None:
        """All rolls must have been asked for."""
        unused = [head for head, _ in self.rolls[self.place :]]
        if unused:
            raise WrongRoll(f"nobody asked for {', '.join(unused)}")

    def replacements(self) -> dict[str, Callable[..., Any]]:
        """The script's own version of every roll."""
        return {
            "open_address": lambda dice, tick, lane: self.open(tick, lane),
            "open_turn": lambda dice, tick, lane, step: self.open(tick, lane),
            "open_in_turn": lambda dice, tick, lane, step: self.open(tick, lane),
            "word": lambda dice: int(self.ask("word")),
            "tie_word": lambda dice: int(self.ask("word")),
            "below": lambda dice, n: int(self.ask(f"below({n})")),
            "between": lambda dice, low, high: int(self.ask(f"between({low},{high})")),
            "d100": lambda dice: int(self.ask("d100")),
            "d100_within": lambda dice, chance: int(self.ask("d100")),
            "unit": lambda dice: float(self.ask("unit")),
            "unit_within": lambda dice, limit: float(self.ask("unit")),
            "pick": lambda dice, weights: int(self.ask("pick")),
            "peek": lambda dice: PEEKED,
        }


def patch_rolls(patch: pytest.MonkeyPatch, ruleset: str, replacements: Mapping[str, Callable[..., Any]]) -> None:
    """Put replacements wherever the modules of a ruleset refer to the real rolls, and where plug-ins find them."""
    originals = {getattr(real, name): name for name in replacements}
    for module, attribute in _places(ruleset, len(sys.modules)):
        value = getattr(module, attribute)
        if callable(value) and value in originals:
            patch.setattr(module, attribute, replacements[originals[value]])


@cache
def _places(ruleset: str, loaded: int) -> list[tuple[ModuleType, str]]:
    """Where a roll is kept, or something that a test has put in its place; looked up anew once more is loaded."""
    return [
        (module, attribute)
        for module in [real, *rule_modules(ruleset)]
        for attribute, value in vars(module).items()
        if callable(value) and (attribute in REAL_ROLLS or value in REAL_FUNCTIONS)
    ]


@contextmanager
def scripted_dice(*rolls: str, ruleset: str = "squads") -> Iterator[Script]:
    """Let the rules of a ruleset roll what the script says, and nothing else.

    Raises:
        WrongRoll: another roll is asked for, one too many, or one fewer.
    """
    script = Script(rolls)
    with pytest.MonkeyPatch.context() as patch:
        patch_rolls(patch, ruleset, script.replacements())
        yield script
    script.finish()


@contextmanager
def recorded_dice(ruleset: str = "squads") -> Iterator[list[str]]:
    """Let the real dice roll and note down, as a script would say it, what they are asked for and what comes out."""
    notes: list[str] = []
    # A real roll calls others of its module, so only the outermost one is what the rules asked for.
    depth = 0

    def recorded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def roll(dice: Any, *arguments: Any) -> Any:
            nonlocal depth
            depth += 1
            result = function(dice, *arguments)
            depth -= 1
            if depth == 0:
                notes.append(_noted(name, arguments, result))
            return result

        return roll

    with pytest.MonkeyPatch.context() as patch:
        patch_rolls(patch, ruleset, {name: recorded(name, getattr(real, name)) for name in ROLLS})
        yield notes


def _noted(name: str, arguments: tuple[Any, ...], result: Any) -> str:
    if name.startswith("open"):
        return f"open({arguments[0]},{arguments[1]})"
    numbers = ",".join(str(argument) for argument in arguments) if name != "pick" else ""
    return f"{name}({numbers})={result}" if numbers else f"{name}={result}"
