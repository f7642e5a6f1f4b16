"""The move types of `stacks_plugin.py` once more, for the oracle: what their author meant."""

from __future__ import annotations

from tests.oracle.stacks_moves import Blow, Harmful, Move, Participant, Situation


def hurt(one: Participant, amount: int) -> None:
    """Take health."""
    one.health = max(0, one.health - amount)


class Whirl(Harmful):
    """A blow at every living enemy, each of whom may answer."""

    name = "whirl"
    melee = True

    def value(self, at: Situation, actor: Participant, target: Participant) -> float:
        """Take the worth of three blows at one of them, and a bit."""
        a, d, m = at.score(actor.attack), at.score(target.defence), at.score(actor.damage)
        hits = sum(roll > against for roll in range(a + 1) for against in range(d + 1))
        return 1.5 + hits * m * 3 / (2 * (a + 1) * (d + 1))

    def sampled(self, at: Situation, actor: Participant, target: Participant, dice: object) -> float:
        """Have no trials."""
        return self.value(at, actor, target)

    def repeats(self, at: Situation, actor: Participant, target: Participant) -> int:
        """Ask for too few."""
        return -3

    def blows(self, at: Situation, actor: Participant, target: Participant) -> list[Blow]:
        """List all enemies."""
        others = [at.participants[number] for number in sorted(at.participants)]
        return [Blow(other, actor.attack, actor.damage) for other in others if self.viable(at, actor, other)]


class Flurry(Whirl):
    """More blows than there may be, of a kind that counts as Strike."""

    name = "flurry"
    counts_as_strike = True

    def value(self, at: Situation, actor: Participant, target: Participant) -> float:
        """Say a number."""
        return 2.25

    def repeats(self, at: Situation, actor: Participant, target: Participant) -> int:
        """Ask for too many."""
        return 20

    def generate(self, at: Situation, actor: Participant, target: Participant) -> list[tuple[int, int]]:
        """Roll with scores of its own."""
        at_one = Participant(target.id, target.side, 0, 1, 1, 0, 1, 0, 0, [])
        return [(target.id, at.damage_roll(actor, Blow(at_one, 2, 1)))]


class Own(Move):
    """A move type whose functions are all its own."""

    def own_roll(self, at: Situation, actor: Participant, target: Participant, low: int, high: int) -> int:
        """Roll from low to high."""
        assert at.dice is not None
        roll = at.dice.between(low, high)
        at.journal.row("amount", actor.id, target.id, roll, low, high)
        return roll


class Hex(Own):
    """Scores of the target fall; a second tuple costs the actor health and changes its own scores."""

    name = "hex"

    def viable(self, at: Situation, actor: Participant, target: Participant) -> bool:
        """Hold it to four tuples."""
        return actor.living and target.living and actor.side != target.side and actor.used["hex"] < 4

    def value(self, at: Situation, actor: Participant, target: Participant) -> float:
        """Prefer the slow."""
        return 30.0 - target.initiative

    def repeats(self, at: Situation, actor: Participant, target: Participant) -> int:
        """Grow from turn to turn."""
        return 1 + at.turn

    def generate(self, at: Situation, actor: Participant, target: Participant) -> list[tuple[int, int]]:
        """Roll, which may come out below 0."""
        roll = self.own_roll(at, actor, target, -3, 6)
        return [(target.id, roll), (-1, abs(roll))]

    def apply(self, actor: Participant, target: Participant | None, effect: int) -> None:
        """Change scores."""
        if target is None:
            hurt(actor, effect)
            actor.attack = min(10_000, actor.attack + 4000 * effect)
            actor.defence = min(10_000, actor.defence + effect)
        else:
            target.attack = max(-10_000, target.attack - effect)
            target.damage = max(-10_000, target.damage - 1)


class Raise(Own):
    """Somebody dead comes back, once."""

    name = "raise"
    harmful = False

    def viable(self, at: Situation, actor: Participant, target: Participant) -> bool:
        """Aim at dead friends."""
        return actor.side == target.side and not target.living and not actor.used["raise"]

    def value(self, at: Situation, actor: Participant, target: Participant) -> float:
        """Say a number."""
        return 12.0

    def generate(self, at: Situation, actor: Participant, target: Participant) -> list[tuple[int, int]]:
        """Roll what can only come out one way."""
        return [(target.id, self.own_roll(at, actor, actor, 3, 3))]

    def apply(self, actor: Participant, target: Participant | None, effect: int) -> None:
        """Give health, and pay with some."""
        assert target is not None
        target.health = min(target.full, target.health + effect)
        hurt(actor, 1)


class Daze(Own):
    """Worth no number, and never chosen."""

    name = "daze"
    harmful = False
    melee = True

    def viable(self, at: Situation, actor: Participant, target: Participant) -> bool:
        """Aim at living friends."""
        return actor.living and target.living and actor.side == target.side

    def value(self, at: Situation, actor: Participant, target: Participant) -> float:
        """Say no number."""
        return float("nan")

    def generate(self, at: Situation, actor: Participant, target: Participant) -> list[tuple[int, int]]:
        """Never happen."""
        raise AssertionError("nobody chooses this")

    def apply(self, actor: Participant, target: Participant | None, effect: int) -> None:
        """Never happen either."""
        raise AssertionError("nobody chooses this")


class Doom(Own):
    """In turn 2 everybody dies."""

    name = "doom"

    def viable(self, at: Situation, actor: Participant, target: Participant) -> bool:
        """Wait for turn 2, and aim at oneself."""
        return at.turn == 2 and actor is target

    def value(self, at: Situation, actor: Participant, target: Participant) -> float:
        """Say a large number."""
        return 1000.0

    def generate(self, at: Situation, actor: Participant, target: Participant) -> list[tuple[int, int]]:
        """Strike everybody, oneself included."""
        return [(number, 10_000) for number in sorted(at.participants) if at.participants[number].living]

    def apply(self, actor: Participant, target: Participant | None, effect: int) -> None:
        """Take all there is."""
        assert target is not None
        hurt(target, effect)


class Gore(Own):
    """Friends are hurt, whom nothing keeps from answering but that they are friends."""

    name = "gore"
    melee = True

    def viable(self, at: Situation, actor: Participant, target: Participant) -> bool:
        """Aim at living friends."""
        return actor.living and target.living and actor.side == target.side

    def value(self, at: Situation, actor: Participant, target: Participant) -> float:
        """Say a number."""
        return 0.5

    def repeats(self, at: Situation, actor: Participant, target: Participant) -> int:
        """Say two."""
        return 2

    def generate(self, at: Situation, actor: Participant, target: Participant) -> list[tuple[int, int]]:
        """Roll."""
        return [(target.id, self.own_roll(at, actor, target, 1, 2))]

    def apply(self, actor: Participant, target: Participant | None, effect: int) -> None:
        """Take health."""
        assert target is not None
        hurt(target, effect)


OWN: list[Move] = [Whirl(), Flurry(), Hex(), Raise(), Daze(), Doom(), Gore()]
