"""The moves of stacks as its rule book has them, for the oracle: who can make them, their worth, rolls and effects."""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from blake3 import blake3
from tests.oracle.dice import Dice

Document = dict[str, Any]

KINDS = """battle stack ready turn considered trial choice wait roll amount move scores health fall turn_end outcome
commit skipped"""
KIND = {name: number for number, name in enumerate(KINDS.split(), 1)}
TRIALS, TRIAL_LANES = 5, 0x8000


@dataclass
class Participant:
    """A unit that fights."""

    id: int
    side: int
    direction: int
    full: int
    health: int
    attack: int
    defence: int
    damage: int
    initiative: int
    moves: list[str]
    used: Counter[str] = field(default_factory=Counter)

    @property
    def living(self) -> bool:
        """Tell whether it is."""
        return self.health > 0

    @property
    def missing(self) -> int:
        """Give the health that it could regain."""
        return self.full - self.health

    @property
    def scores(self) -> tuple[int, int, int]:
        """Give what a plug-in's move may change besides health."""
        return self.attack, self.defence, self.damage


@dataclass(frozen=True)
class Tuple:
    """One entry of the result."""

    actor: int
    target: int
    move: str
    effect: int


class Journal:
    """The event rows so far, the tick, and the dice, no address of which is opened twice."""

    def __init__(self, seed: str, stream: int, first_tick: int) -> None:
        self.key, self.stream = blake3(seed.encode()).digest(), stream
        self.tick = first_tick
        self.rows: list[list[int]] = []
        self.opened: set[tuple[int, int]] = set()

    def open(self, lane: int) -> Dice:
        """Open an address of this tick."""
        assert (self.tick, lane) not in self.opened
        self.opened.add((self.tick, lane))
        return Dice(self.key, self.stream, self.tick, lane)

    def row(self, kind: str, actor: int = -1, target: int = -1, *numbers: int) -> None:
        """Write a row."""
        self.rows.append([self.tick, KIND[kind], actor, target, *numbers, *[0] * (4 - len(numbers))])


def halves(value: float) -> tuple[int, int]:
    """Split a double into the two columns that it takes."""
    low, high = struct.unpack("<ii", struct.pack("<d", value))
    return low, high


@dataclass
class Situation:
    """What moves see of a battle, and what they roll with."""

    options: Document
    participants: dict[int, Participant]
    adjacent: set[tuple[int, int]]
    journal: Journal
    registry: list[Move]
    turn: int = 0
    dice: Dice | None = None

    def by_name(self, name: str) -> Move:
        """Find a move type."""
        return next(move for move in self.registry if move.name == name)

    def code(self, move: Move) -> int:
        """Give a move type's number in event rows."""
        return self.registry.index(move)

    def score(self, number: int) -> int:
        """Hold a score within its bounds."""
        least: int = self.options["least_score"]
        return max(least, min(10_000, number))

    def damage_roll(self, actor: Participant, blow: Blow) -> int:
        """Roll an attack against a defence, and the damage if it hits."""
        assert self.dice is not None
        a, d, m = self.score(blow.attack), self.score(blow.target.defence), self.score(blow.damage)
        roll, against = self.dice.between(0, a), self.dice.between(0, d)
        self.journal.row("roll", actor.id, blow.target.id, roll, a, against, d)
        if roll <= against:
            return 0
        amount = self.dice.between(0, m)
        self.journal.row("amount", actor.id, blow.target.id, amount, 0, m)
        return amount

    def trial(self, actor: Participant, blow: Blow, move: Move, dice: Dice) -> int:
        """Roll the same for a value that is sampled."""
        a, d, m = self.score(blow.attack), self.score(blow.target.defence), self.score(blow.damage)
        roll, against = dice.between(0, a), dice.between(0, d)
        amount = dice.between(0, m) if roll > against else -1
        self.journal.row("trial", actor.id, blow.target.id, self.code(move), roll, against, amount)
        return max(0, amount)

    def has_strike(self, actor: Participant) -> bool:
        """Tell whether a participant can answer a blow."""
        return any(self.by_name(name).counts_as_strike for name in actor.moves)


@dataclass(frozen=True)
class Blow:
    """A damage roll that is to be made, with scores that are not yet held within their bounds."""

    target: Participant
    attack: int
    damage: int


class Move(ABC):
    """A move type."""

    name: str
    harmful = True
    melee = False
    counts_as_strike = False

    @abstractmethod
    def viable(self, at: Situation, actor: Participant, target: Participant) -> bool:
        """Tell whether this can be done now."""

    @abstractmethod
    def value(self, at: Situation, actor: Participant, target: Participant) -> float:
        """Say what it is worth."""

    def sampled(self, at: Situation, actor: Participant, target: Participant, dice: Dice) -> float:
        """Say what five trials make it worth, if it is a move of which there can be trials."""
        return self.value(at, actor, target)

    def repeats(self, at: Situation, actor: Participant, target: Participant) -> int:
        """Say how often it is made."""
        return 1

    @abstractmethod
    def generate(self, at: Situation, actor: Participant, target: Participant) -> list[tuple[int, int]]:
        """Make it: targets and effects."""

    @abstractmethod
    def apply(self, actor: Participant, target: Participant | None, effect: int) -> None:
        """Let one tuple happen."""


class Harmful(Move):
    """A shipped move that hurts."""

    def viable(self, at: Situation, actor: Participant, target: Participant) -> bool:
        """Tell whether the actor is living and the target a living enemy."""
        return actor.living and target.living and actor.side != target.side

    def blows(self, at: Situation, actor: Participant, target: Participant) -> list[Blow]:
        """List the damage rolls of one making."""
        return [Blow(target, actor.attack, actor.damage)]

    def valued(self, at: Situation, actor: Participant, target: Participant) -> list[Blow]:
        """List the damage rolls that the value is taken from."""
        return self.blows(at, actor, target)

    def bonus(self, at: Situation) -> int:
        """Give what the value has above the damage, for each making."""
        return 0

    def value(self, at: Situation, actor: Participant, target: Participant) -> float:
        """Add up the exact values of the damage rolls."""
        total, n = None, self.repeats(at, actor, target)
        for blow in self.valued(at, actor, target):
            a, d, m = at.score(blow.attack), at.score(blow.target.defence), at.score(blow.damage)
            hits = a * (a + 1) // 2 if a <= d else (d + 1) * a - d * (d + 1) // 2
            pairs = 2 * (a + 1) * (d + 1)
            value = float(hits * m * n + self.bonus(at) * n * pairs) / float(pairs)
            total = value if total is None else total + value
        assert total is not None
        return total

    def sampled(self, at: Situation, actor: Participant, target: Participant, dice: Dice) -> float:
        """Take the mean of five trials."""
        amounts = [at.trial(actor, blow, self, dice) for _ in range(TRIALS) for blow in self.valued(at, actor, target)]
        total = (sum(amounts) + TRIALS * self.bonus(at)) * self.repeats(at, actor, target)
        return float(total) / float(TRIALS)

    def generate(self, at: Situation, actor: Participant, target: Participant) -> list[tuple[int, int]]:
        """Roll for damage."""
        return [(blow.target.id, at.damage_roll(actor, blow)) for blow in self.blows(at, actor, target)]

    def apply(self, actor: Participant, target: Participant | None, effect: int) -> None:
        """Take health."""
        assert target is not None
        target.health = max(0, target.health - effect)


class Archery(Harmful):
    """Two shots."""

    name = "archery"

    def repeats(self, at: Situation, actor: Participant, target: Participant) -> int:
        """Say two."""
        return 2


class Charge(Harmful):
    """A blow at the beginning."""

    name = "charge"
    melee = True

    def viable(self, at: Situation, actor: Participant, target: Participant) -> bool:
        """Hold it to turn 0."""
        return super().viable(at, actor, target) and at.turn == 0

    def blows(self, at: Situation, actor: Participant, target: Participant) -> list[Blow]:
        """Add 2 to the attack."""
        by_attack = at.options["charge_damage"] == "attack"
        return [Blow(target, actor.attack + 2, actor.attack if by_attack else actor.damage)]

    def valued(self, at: Situation, actor: Participant, target: Participant) -> list[Blow]:
        """Value a plain blow if the 2 is added to the value."""
        if self.bonus(at):
            return [Blow(target, actor.attack, actor.damage)]
        return self.blows(at, actor, target)

    def bonus(self, at: Situation) -> int:
        """Give the 2 if it is added to the value."""
        return 2 if at.options["charge_estimate"] == "value" else 0


class Strike(Archery):
    """Two blows."""

    name = "strike"
    melee = True
    counts_as_strike = True


class Riposte(Harmful):
    """The answer to a blow."""

    name = "riposte"
    melee = True

    def blows(self, at: Situation, actor: Participant, target: Participant) -> list[Blow]:
        """Take 1 from attack and damage."""
        by_attack = at.options["riposte_damage"] == "attack"
        return [Blow(target, actor.attack - 1, (actor.attack if by_attack else actor.damage) - 1)]

    def answers(self, at: Situation, actor: Participant, target: Participant, move: Move) -> bool:
        """Tell whether the actor can answer the target's move."""
        provoked = at.options["riposte_to"] == "melee" or move.counts_as_strike
        return provoked and at.has_strike(actor) and self.viable(at, actor, target)


class Bombard(Harmful):
    """A shot that splashes over one other stack."""

    name = "bombard"

    def blows(self, at: Situation, actor: Participant, target: Participant) -> list[Blow]:
        """List the target first, then the splash."""
        near = [
            other
            for other in sorted(at.participants.values(), key=lambda each: each.id)
            if other.living and other.side == target.side and (target.direction, other.direction) in at.adjacent
        ]
        splashed = [other for other in near if other.direction == near[0].direction]
        rest = [Blow(other, actor.attack - 2, actor.damage - 2) for other in splashed]
        return [Blow(target, actor.attack, actor.damage), *rest]


class Javelin(Harmful):
    """A throw, once."""

    name = "javelin"

    def viable(self, at: Situation, actor: Participant, target: Participant) -> bool:
        """Hold it to once in a battle."""
        return super().viable(at, actor, target) and not actor.used[self.name]

    def blows(self, at: Situation, actor: Participant, target: Participant) -> list[Blow]:
        """Add 2 to attack and damage."""
        return [Blow(target, actor.attack + 2, actor.damage + 2)]


class Helpful(Move):
    """A shipped move that heals."""

    harmful = False

    def viable(self, at: Situation, actor: Participant, target: Participant) -> bool:
        """Tell whether the actor is living and the target a living friend."""
        return actor.living and target.living and actor.side == target.side

    @abstractmethod
    def regained(self, actor: Participant, target: Participant) -> int:
        """Say how much health the target regains."""

    def generate(self, at: Situation, actor: Participant, target: Participant) -> list[tuple[int, int]]:
        """Heal without dice."""
        return [(target.id, self.regained(actor, target))]

    def apply(self, actor: Participant, target: Participant | None, effect: int) -> None:
        """Give health."""
        assert target is not None
        target.health = min(target.full, target.health + effect)


class Healing(Helpful):
    """Five points of health."""

    name = "healing"

    def viable(self, at: Situation, actor: Participant, target: Participant) -> bool:
        """Hold it to its limits."""
        limit = at.options["heal_limit"]
        allowed = (limit == 0 or actor.used[self.name] < limit) and (actor is not target or at.options["heal_self"])
        return super().viable(at, actor, target) and allowed

    def value(self, at: Situation, actor: Participant, target: Participant) -> float:
        """Count what is regained."""
        return float(self.regained(actor, target))

    def regained(self, actor: Participant, target: Participant) -> int:
        """Give at most 5."""
        return min(target.missing, 5)


class Sacrifice(Helpful):
    """All of one's own health, twice."""

    name = "sacrifice"

    def viable(self, at: Situation, actor: Participant, target: Participant) -> bool:
        """Hold it to others."""
        return super().viable(at, actor, target) and actor is not target

    def value(self, at: Situation, actor: Participant, target: Participant) -> float:
        """Count what is regained, less what it costs."""
        return float(self.regained(actor, target) - actor.health)

    def regained(self, actor: Participant, target: Participant) -> int:
        """Give at most twice one's own."""
        return min(target.missing, 2 * actor.health)

    def apply(self, actor: Participant, target: Participant | None, effect: int) -> None:
        """Give health, and die."""
        super().apply(actor, target, effect)
        actor.health = 0


def shipped() -> list[Move]:
    """List the shipped moves in registry order."""
    return [Archery(), Charge(), Healing(), Strike(), Riposte(), Bombard(), Javelin(), Sacrifice()]
