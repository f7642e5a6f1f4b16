"""Display names of fighters, pieces and quantities, and fighters' standings, updated from events."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.content.validate import validate
from fracas.events.styled_text import SIDE_1, SIDE_2
from fracas.kernel.event_protocol import Codebooks, Event
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.content.compile import books as books_of
from fracas.rulesets.relics.content.equipment import KIND, Piece, pieces_of
from fracas.rulesets.relics.content.models.effects import Effect
from fracas.rulesets.relics.content.models.scenario import Resolved
from fracas.rulesets.relics.rules import events as kinds
from fracas.rulesets.relics.rules.constants import RULE_SOURCES, STATUSES

# Display names of quantities. Own statuses bring their own names.
NO_STATUSES = {
    "hp": "HP",
    "hp_max": "full HP",
    "attack": "ATK",
    "temp_attack": "temporary ATK",
    "armor": "ARMOR",
    "speed": "SPEED",
}
QUANTITY_WORDS = {**NO_STATUSES, **{name: name.capitalize() for name in STATUSES}}
# Display names of sources that are rules, not pieces.
RULE_WORDS = {name: name.replace("_", " ").capitalize() for name in RULE_SOURCES}
ROLES = (SIDE_1, SIDE_2)


class FighterStanding(dict[str, int]):
    """A fighter's current values, by quantity."""

    @property
    def statuses(self) -> dict[str, int]:
        """Its statuses with at least one stack."""
        return {name: stacks for name, stacks in self.items() if stacks and name not in NO_STATUSES}


class Participants:
    """The two fighters of a battle and what they wear."""

    def __init__(self, document: Document, books: Codebooks | None = None) -> None:
        """`books` are the code books of the compiled battle; without them they are built again."""
        resolved = validate(Resolved, document, "scenario")
        self.fighters = (resolved.left, resolved.right)
        self.names = (resolved.left.name, resolved.right.name)
        own = {name: resolved.statuses[name].name for name in sorted(resolved.statuses)}
        self.words = {**QUANTITY_WORDS, **own}
        """Display names of quantities, by name."""
        sides = enumerate(self.fighters)
        self.pieces: tuple[list[Piece], ...] = tuple(pieces_of(each, side, resolved.statuses) for side, each in sides)
        named = books if books is not None else books_of(resolved, list(self.pieces))
        self.sources: tuple[str, ...] = tuple(map(str, named["source"]))

    def side(self, name: str) -> int:
        """A fighter's number, 0 or 1."""
        return self.names.index(name)

    def role(self, name: str) -> str:
        """The text role of a fighter."""
        return ROLES[self.side(name)]

    def titled(self, name: str) -> str:
        """A fighter's name with its side's number in front."""
        return f"{self.side(name) + 1} {name}"

    def weapon(self, side: int) -> str | None:
        """The name of a fighter's weapon in events; None for bare hands."""
        return next((self.name_of(piece) for piece in self.pieces[side] if piece.kind == KIND["weapon"]), None)

    def name_of(self, piece: Piece) -> str:
        """The name of a piece in events."""
        return self.sources[piece.number]

    def numbers(self, side: int, source: str, trigger: str) -> list[int]:
        """The values of `n` that a piece uses a trigger with, such as 3 for every 3 strikes."""
        bodies = [piece.body for piece in self.pieces[side] if self.name_of(piece) == source]
        entries = [entry for body in bodies for entry in body.triggers.get(trigger, [])]
        return sorted({entry.n for entry in entries if isinstance(entry, Effect) and entry.n is not None})

    def phase_name(self, name: str, phase: int) -> str:
        """The name of a fighter's phase, counted from 2."""
        return self.fighters[self.side(name)].phases[phase - 2].name

    def follow(self, standings: Mapping[str, FighterStanding], event: Event) -> None:
        """Update the standings with an event."""
        match event:
            case kinds.Fighter():
                own = standings[event.actor]
                own["hp"] = own["hp_max"] = event.hp
                own["attack"], own["armor"], own["speed"] = event.attack, event.armor, event.speed
            case kinds.Has():
                standings[event.actor][event.quantity] = event.value
            case kinds.Damage():
                own = standings[event.target]
                own["armor"] -= event.absorbed
                own["hp"] = event.hp
            case kinds.Heal():
                standings[event.target]["hp"] = event.hp
            case kinds.Change():
                standings[event.target][event.quantity] = event.value
            case kinds.PhaseBegins():
                own = standings[event.target]
                own.update(dict.fromkeys(own, 0))
                own["hp"] = own["hp_max"] = event.hp
                own["attack"], own["armor"] = event.attack, event.armor
                own["speed"] = self.fighters[self.side(event.target)].phases[event.phase - 2].stats.speed

    def standings(self) -> dict[str, FighterStanding]:
        """Empty standings of both fighters."""
        return {name: FighterStanding(dict.fromkeys(self.words, 0)) for name in self.names}
