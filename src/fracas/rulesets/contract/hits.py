"""What one hit of somebody on somebody else comes to, exactly: the answer of `fracas explain --hit`."""

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
    """One step from what the attacker has to what the hit does: its name, its figures, and the range after it."""

    name: str
    figure: str
    least: float
    most: float


@dataclass(frozen=True)
class Hit:
    """What one blow, shot or skill of somebody does to somebody else; HP and shields are not taken into account."""

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
    """Each damage of a hit with its chance, exactly; empty where damage is no whole number."""
    falls: float | None = None
    """The chance that the target falls by it as it stands, misses counted; None where nothing says so."""
    times: int = 1
    """How often it is made in a turn."""

    @property
    def mean_of_attempt(self) -> float:
        """The mean damage of one attempt, misses counted."""
        return self.hit * self.mean

    def as_json(self) -> dict[str, Any]:
        """The same as plain values; chances from 0 to 1."""
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
    """A hit whose damages were counted out.

    Args:
        names: actor, target and what it is made with.
        steps: from what the attacker has to the damage.
        damages: each damage of a hit with its chance; the chances add up to 1.
        hit: the chance to hit.
        critical: the chance that it hits and is critical.
        left: the damage from which on the target falls.
        times: how often it is made in a turn.
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
    """Who hits whom: units by their names, or all of a side by its number.

    Args:
        actor: a name, or "1" or "2".
        target: the same; of the other side.
        sides: the names of those who stand on each side.

    Raises:
        InputError: there is no such unit, or both are of one side.
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
        raise InputError.of("--hit", f"{quoted(actor)} and {quoted(target)} are of one side", "name one of each side")
    return [(one, other) for one in actors for other in targets]
