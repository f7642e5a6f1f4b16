"""The exact damage of one hit, as `fracas lab explain --hit` shows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from fracas.errors import InputError
from fracas.errors.suggestions import nearest, quoted

Damages = Mapping[int, Fraction]
NAMES_OF_SIDES = ("1", "2")


@dataclass(frozen=True)
class HitStep:
    """One step of a damage calculation: its name, its figures, and the range of damage after it."""

    name: str
    figure: str
    least: float
    most: float


@dataclass(frozen=True)
class Hit:
    """The damage of one attack, skill or ability on a target, before HP and shields."""

    actor: str
    target: str
    by: str
    """The ability, skill, move or attack."""
    steps: tuple[HitStep, ...]
    hit: float
    """The chance to hit, 0 to 1."""
    critical: float
    """The chance that it hits and is critical, 0 to 1."""
    least: float
    """The least damage of a hit."""
    mean: float
    """The mean damage of a hit."""
    most: float
    """The greatest damage of a hit."""
    damages: Damages = field(default_factory=dict)
    """Each damage of a hit with its exact chance; empty if damage is not a whole number."""
    falls: float | None = None
    """The chance that it fells the target at its current HP, including misses; None if not calculated."""
    times: int = 1
    """How often it happens in a turn."""

    @property
    def mean_of_attempt(self) -> float:
        """The mean damage of one attempt, including misses."""
        return self.hit * self.mean

    def as_json(self) -> dict[str, Any]:
        """The hit as plain values; chances from 0 to 1."""
        return {
            "actor": self.actor,
            "target": self.target,
            "by": self.by,
            "steps": [
                {"name": step.name, "figure": step.figure, "least": step.least, "most": step.most}
                for step in self.steps
            ],
            "hit": self.hit,
            "critical": self.critical,
            "least": self.least,
            "mean": self.mean,
            "most": self.most,
            "mean_of_attempt": self.mean_of_attempt,
            "falls": self.falls,
            "times": self.times,
            "damages": [{"damage": each, "chance": float(chance)} for each, chance in sorted(self.damages.items())],
        }


def counted_hit(
    names: tuple[str, str, str],
    steps: Iterable[HitStep],
    damages: Damages,
    *,
    hit: Fraction = Fraction(1),
    critical: Fraction = Fraction(0),
    left: int,
    times: int = 1,
) -> Hit:
    """Make a hit from the exact distribution of its damage.

    Args:
        names: actor, target and ability.
        steps: the steps of the calculation.
        damages: each damage of a hit with its chance; the chances add up to 1.
        hit: the chance to hit.
        critical: the chance that it hits and is critical.
        left: the least damage that fells the target.
        times: how often it happens in a turn.
    """
    mean = sum((damage * chance for damage, chance in damages.items()), Fraction(0))
    falls = hit * sum((chance for damage, chance in damages.items() if damage >= left), Fraction(0))
    return Hit(
        *names,
        tuple(steps),
        float(hit),
        float(critical),
        min(damages),
        float(mean),
        max(damages),
        damages,
        float(falls),
        times,
    )


def enemies(actor: str, target: str, sides: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """All pairs of attacker and target, given units by name or sides by number.

    Args:
        actor: a name, or "1" or "2".
        target: the same, on the other side.
        sides: the names of the units on each side.

    Raises:
        InputError: there is no such unit, or both are on one side.
    """
    chosen = []
    for name in (actor, target):
        place = next((place for place, side in enumerate(sides) if name in side), None)
        if name in NAMES_OF_SIDES:
            place = NAMES_OF_SIDES.index(name)
        if place is None:
            known = [*NAMES_OF_SIDES, *(each for side in sides for each in side)]
            hint = nearest(name, known) or f"write a side or a unit: {', '.join(known)}"
            raise InputError.of("--hit", f"there is no unit {quoted(name)}", hint)
        chosen.append((place, sides[place] if name in NAMES_OF_SIDES else [name]))
    (first, actors), (second, targets) = chosen
    if first == second:
        raise InputError.of(
            "--hit", f"{quoted(actor)} and {quoted(target)} are on the same side", "name one of each side"
        )
    return [(one, other) for one in actors for other in targets]
