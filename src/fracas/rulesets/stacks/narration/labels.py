"""Labels of an attack's participants, stacks, factions and tiles, for stories and drawings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fracas.content.references import numbered
from fracas.content.validate import validate
from fracas.events.styled_text import ASIDE, SIDE_1, SIDE_2
from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.types import Document
from fracas.rulesets.stacks.content.engagement import Encounter, Participant, PlacedStack, encounter, owner_of
from fracas.rulesets.stacks.content.map_grid import key_of
from fracas.rulesets.stacks.content.models import Resolved
from fracas.rulesets.stacks.rules import events as kinds
from fracas.rulesets.stacks.rules.constants import ATTACKERS, ATTACKS, DEFENDS, ROLES, SLOTS

Healths = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Member:
    """A participant: its title, its side (0 or 1), its stack, and its full health."""

    title: str
    side: int
    stack: str
    full: int
    health: int

    @property
    def role(self) -> str:
        """The text role of its side."""
        return (SIDE_1, SIDE_2)[self.side]


class Participants:
    """All participants and stacks on the field of one attack."""

    def __init__(self, document: Document) -> None:
        self.world = validate(Resolved, document, "scenario")
        attack, options = self.world.attack, self.world.options
        self.drawn: Encounter = encounter(self.world, attack.stack, attack.tile, options.sides)
        titles = distinct_titles(self.drawn.fighters)
        self.members = {
            f"{fighter.standing.stack.id}.{fighter.unit.id}": Member(
                titles[fighter.id],
                fighter.side,
                fighter.standing.stack.id,
                fighter.unit.health,
                fighter.unit.health_left,
            )
            for fighter in self.drawn.fighters
        }

    @property
    def healths(self) -> dict[str, int]:
        """Each participant's health at the start."""
        return {name: member.health for name, member in self.members.items()}

    @property
    def side_names(self) -> tuple[str, str]:
        """The names of the attacking and the defending faction, distinguished if they are equal."""
        names = [self.world.factions[each].name for each in (self.drawn.attacker, self.drawn.defender)]
        return (names[0], names[1]) if names[0] != names[1] else (f"{names[0]}, attacking", f"{names[1]}, defending")

    @property
    def leader(self) -> str:
        """The name of the stack that attacks."""
        return next(stack.name for stack in self.world.stacks if stack.id == self.world.attack.stack)

    @property
    def tile(self) -> str:
        """The attacked tile with its name, if it has one."""
        return self.tile_name(key_of(self.world.attack.tile))

    def tile_name(self, key: str) -> str:
        """A tile with its name, if it has one."""
        entry = self.world.tiles.get(key)
        return key if entry is None or entry.name is None else f"{key} {entry.name}"

    def owner_name(self, key: str) -> str | None:
        """The name of the faction that a tile belongs to."""
        x, _, y = key.partition(",")
        owner = owner_of(self.world, (int(x), int(y)))
        return None if owner is None else self.world.factions[owner].name

    def why_out(self, standing: PlacedStack) -> str:
        """Why a stack on the field takes no part: `allied with both sides`."""
        return ROLES[standing.role]

    def of_stack(self, standing: PlacedStack) -> list[str]:
        """The participants of a stack, in order; none for a bystander."""
        if not standing.is_involved:
            return []
        return [f"{standing.stack.id}.{unit.id}" for unit in standing.stack.units]


def distinct_titles(fighters: Sequence[Participant]) -> dict[int, str]:
    """The titles of participants by id: side and name, numbered on if stacks of a side repeat a name."""
    titles: dict[int, str] = {}
    for fighter in fighters:
        name = f"{fighter.side + 1} {fighter.unit.name}"
        # Each stack numbers its own units: `Archer-2` of a stack may be the fourth archer of its side.
        taken = set(titles.values())
        titles[fighter.id] = numbered(re.sub(r"-\d+$", "", name), taken, SLOTS) if name in taken else name
    return titles


def role_of_stack(standing: PlacedStack) -> str:
    """The text role of a stack on the field."""
    return {ATTACKS: SIDE_1, DEFENDS: SIDE_2}.get(standing.role, ASIDE)


def side_of_stack(standing: PlacedStack) -> str:
    """The number of a stack's side for display; a dot for bystanders."""
    return {ATTACKS: str(ATTACKERS + 1), DEFENDS: str(ATTACKERS + 2)}.get(standing.role, "·")


def follow(healths: dict[str, int], event: Event) -> int:
    """Update a participant's health from an event, and return the change."""
    match event:
        case kinds.Ready():
            name, now = event.actor, event.health
        case kinds.Move():
            name, now = event.actor if event.target is None else event.target, event.health
        case kinds.Health():
            name, now = event.target, event.health
        case _:
            return 0
    change = now - healths.get(name, now)
    healths[name] = now
    return change
