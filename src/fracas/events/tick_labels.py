"""Tick labels: what people call a battle's ticks, such as rounds, turns, or rounds of an encounter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from fracas.errors import UsageError

LAST_ROUND = 10**9
# The upper half of a tick is the encounter's number; in the lower half rounds start at 1, then steps, then rewards.
TICKS_PER_ENCOUNTER = 1 << 16
FIRST_STEP, REWARDS = 0x8000, 0xFFFF


class Places:
    """Ticks that are rounds. Their label is the round's number."""

    WORD: ClassVar[str] = "round"
    FIRST: ClassVar[int] = 1

    @property
    def first_round(self) -> str:
        """The label of the first round or turn."""
        return str(self.FIRST)

    def name(self, tick: int) -> str:
        """The tick's name in messages."""
        return f"tick {tick}"

    def order(self, tick: int) -> int:
        """A number that increases with the order of play, comparable with the result of `read`."""
        return tick

    def rounds_before(self, tick: int) -> int | None:
        """How many rounds or turns are over when a tick begins; None where each encounter counts its own."""
        return tick - 1

    def read(self, text: str, *, is_last: bool = False) -> int:
        """Parse a label to its order, or to the order of its end if it is the last one of a range.

        Raises:
            ValueError: it is not a label; says what would be right.
        """
        return self.decision(text)[1]

    def decision(self, text: str) -> tuple[int | None, int]:
        """Parse the label of a round: its encounter, if the battle has several, and its number.

        Raises:
            ValueError: it is not a label; says what would be right.
        """
        if not re.fullmatch(r"-?\d{1,20}", text.strip()):
            raise ValueError(f'"{text}" is not a {self.WORD}; {self.WORD}s are numbers from {self.FIRST} on')
        number = int(text)
        if not 0 <= number <= LAST_ROUND:
            raise ValueError(f"{number:,} is out of range: 0 to {LAST_ROUND:,}")
        return None, number

    def asked(self, text: str | None, where: str) -> tuple[int | None, int]:
        """As `decision`, for the label that a user gave as `where`; without one, that of the first round.

        Raises:
            UsageError: it is not a label.
        """
        try:
            return self.decision(self.first_round if text is None else text)
        except ValueError as error:
            raise UsageError.of(where, str(error)) from None


@dataclass(frozen=True)
class TurnPlaces(Places):
    """Ticks that are turns counted from 0, in a battle that begins at a first tick."""

    WORD = "turn"
    FIRST = 0

    first_tick: int = 0

    def name(self, tick: int) -> str:
        """The tick's name in messages."""
        return f"turn {self.order(tick)}"

    def order(self, tick: int) -> int:
        """The turn's number."""
        return tick - self.first_tick

    def rounds_before(self, tick: int) -> int | None:
        """How many turns are over when a tick begins."""
        return self.order(tick)


class CountedTurnPlaces(Places):
    """Ticks that are turns counted from 1; tick 0 is the set-up."""

    WORD = "turn"

    def name(self, tick: int) -> str:
        """The tick's name in messages."""
        return f"turn {tick}" if tick else "the set-up"


@dataclass(frozen=True)
class EncounterPlaces(Places):
    """Ticks of a battle of several encounters. Labels are ENCOUNTER.ROUND, or ENCOUNTER for all of it."""

    encounters: int
    first_fight: int = 0
    """The first encounter with a fight."""

    @property
    def first_round(self) -> str:
        """The label of the first round."""
        return f"{self.first_fight}.1"

    def name(self, tick: int) -> str:
        """The tick's name in messages: `encounter 3, round 2`."""
        encounter, within = divmod(tick, TICKS_PER_ENCOUNTER)
        if within == REWARDS:
            return f"encounter {encounter}, rewards"
        if within >= FIRST_STEP:
            return f"encounter {encounter}, step {within - FIRST_STEP}"
        return f"encounter {encounter}, round {within}" if within else f"encounter {encounter}, set-up"

    def order(self, tick: int) -> int:
        """A number that increases with the order of play: an encounter's steps come before the rounds of its ambush."""
        within = tick % TICKS_PER_ENCOUNTER
        return tick if within < FIRST_STEP or within == REWARDS else tick - within

    def rounds_before(self, tick: int) -> int | None:
        """None: each encounter counts its own rounds."""
        return None

    def read(self, text: str, *, is_last: bool = False) -> int:
        """Parse a label to its order; without a round, to the encounter's beginning or end.

        Raises:
            ValueError: it is not a label; says what would be right.
        """
        match = re.fullmatch(r"\s*(\d{1,20})(?:\.(\d{1,20}))?\s*", text)
        if match is None:
            raise ValueError(f'"{text}" is not a place in a run; write ENCOUNTER.ROUND, such as 3.2, or ENCOUNTER')
        encounter, number = int(match[1]), match[2]
        if encounter >= self.encounters:
            raise ValueError(f"there is no encounter {encounter}; {self._known()}")
        if number is None:
            return encounter * TICKS_PER_ENCOUNTER + (REWARDS if is_last else 0)
        if int(number) >= FIRST_STEP:
            raise ValueError(f"{int(number):,} is not a round of an encounter: 0 to {FIRST_STEP - 1:,}")
        return encounter * TICKS_PER_ENCOUNTER + int(number)

    def decision(self, text: str) -> tuple[int | None, int]:
        """Parse the label of a round of an encounter: the encounter and the round.

        Raises:
            ValueError: it is not a label, or lacks one of the two; says what would be right.
        """
        moment = self.read(text)
        if "." not in text:
            raise ValueError(f'"{text}" does not name a round of an encounter; write ENCOUNTER.ROUND, such as {text}.1')
        return divmod(moment, TICKS_PER_ENCOUNTER)

    def _known(self) -> str:
        return f"encounters are 0 to {self.encounters - 1}" if self.encounters > 1 else "the only one is 0"
