"""Places in a battle: what people call its ticks. Rounds, or in rulesets with encounters rounds of an encounter."""

from __future__ import annotations

import re
from dataclasses import dataclass

LAST_ROUND = 10**9
# An encounter's number stands in the upper half of a tick; its rounds begin with 1, then come its steps, then rewards.
TICKS_PER_ENCOUNTER = 1 << 16
FIRST_STEP, REWARDS = 0x8000, 0xFFFF


class Places:
    """Ticks that are rounds. A place is written as its round."""

    @property
    def first_round(self) -> str:
        """The first round there is, as it is written."""
        return "1"

    def name(self, tick: int) -> str:
        """What messages call a tick."""
        return f"tick {tick}"

    def order(self, tick: int) -> int:
        """A number that grows with the order of play, for comparison with what `read` gives."""
        return tick

    def read(self, text: str, *, is_last: bool = False) -> int:
        """The order of a place as it is written, of its end if it is the last one of a range.

        Raises:
            ValueError: it is none; says what would be right.
        """
        return self.decision(text)[1]

    def decision(self, text: str) -> tuple[int | None, int]:
        """A round as it is written: its encounter, if the battle has several, and its number.

        Raises:
            ValueError: it is none; says what would be right.
        """
        if not re.fullmatch(r"-?\d{1,20}", text.strip()):
            raise ValueError(f'"{text}" is not a round; they are numbers that count from 1')
        number = int(text)
        if not 0 <= number <= LAST_ROUND:
            raise ValueError(f"{number:,} is out of range: 0 to {LAST_ROUND:,}")
        return None, number


@dataclass(frozen=True)
class TurnPlaces(Places):
    """Ticks that are turns, which count from 0, of a battle that begins at a first tick."""

    first_tick: int = 0

    @property
    def first_round(self) -> str:
        """The first turn, as it is written."""
        return "0"

    def name(self, tick: int) -> str:
        """What messages call a tick."""
        return f"turn {self.order(tick)}"

    def order(self, tick: int) -> int:
        """The turn's number."""
        return tick - self.first_tick

    def decision(self, text: str) -> tuple[int | None, int]:
        """A turn as it is written.

        Raises:
            ValueError: it is none; says what would be right.
        """
        if not re.fullmatch(r"-?\d{1,20}", text.strip()):
            raise ValueError(f'"{text}" is not a turn; they are numbers that count from 0')
        return super().decision(text)


class CountedTurnPlaces(Places):
    """Ticks that are turns, which count from 1; tick 0 is the set-up."""

    def name(self, tick: int) -> str:
        """What messages call a tick."""
        return f"turn {tick}" if tick else "the set-up"

    def decision(self, text: str) -> tuple[int | None, int]:
        """A turn as it is written.

        Raises:
            ValueError: it is none; says what would be right.
        """
        if not re.fullmatch(r"-?\d{1,20}", text.strip()):
            raise ValueError(f'"{text}" is not a turn; they are numbers that count from 1')
        return super().decision(text)


@dataclass(frozen=True)
class EncounterPlaces(Places):
    """Ticks of a battle of so many encounters. A place is written ENCOUNTER.ROUND, or ENCOUNTER for all of it."""

    encounters: int
    first_fight: int = 0
    """The first encounter that is a fight."""

    @property
    def first_round(self) -> str:
        """The first round there is, as it is written."""
        return f"{self.first_fight}.1"

    def name(self, tick: int) -> str:
        """What messages call a tick: `encounter 3, round 2`."""
        encounter, within = divmod(tick, TICKS_PER_ENCOUNTER)
        if within == REWARDS:
            return f"encounter {encounter}, rewards"
        if within >= FIRST_STEP:
            return f"encounter {encounter}, step {within - FIRST_STEP}"
        return f"encounter {encounter}, round {within}" if within else f"encounter {encounter}, set-up"

    def order(self, tick: int) -> int:
        """A number that grows with the order of play: steps of an encounter come before the rounds of its ambush."""
        within = tick % TICKS_PER_ENCOUNTER
        return tick if within < FIRST_STEP or within == REWARDS else tick - within

    def read(self, text: str, *, is_last: bool = False) -> int:
        """The order of a place as it is written; without a round the encounter's beginning or end.

        Raises:
            ValueError: it is none; says what would be right.
        """
        found = re.fullmatch(r"\s*(\d{1,20})(?:\.(\d{1,20}))?\s*", text)
        if found is None:
            raise ValueError(f'"{text}" is no place in a run; write ENCOUNTER.ROUND, such as 3.2, or ENCOUNTER')
        encounter, number = int(found[1]), found[2]
        if encounter >= self.encounters:
            raise ValueError(f"there is no encounter {encounter}; they are {self._known()}")
        if number is None:
            return encounter * TICKS_PER_ENCOUNTER + (REWARDS if is_last else 0)
        if int(number) >= FIRST_STEP:
            raise ValueError(f"{int(number):,} is no round of an encounter: 0 to {FIRST_STEP - 1:,}")
        return encounter * TICKS_PER_ENCOUNTER + int(number)

    def decision(self, text: str) -> tuple[int | None, int]:
        """A round of an encounter as it is written: the encounter and the round.

        Raises:
            ValueError: it is none, or lacks one of the two; says what would be right.
        """
        place = self.read(text)
        if "." not in text:
            raise ValueError(f'"{text}" names no round of an encounter; write ENCOUNTER.ROUND, such as {text}.1')
        return divmod(place, TICKS_PER_ENCOUNTER)

    def _known(self) -> str:
        return f"0 to {self.encounters - 1}" if self.encounters > 1 else "0 alone"
