"""Resolves worlds: fills in the units of all stacks, and collects every problem on the way.

Resolving is idempotent: a resolved world is a valid world that resolves to itself, so `--set` can change any value of
it by path and resolve again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from fracas.content.packs import unknown_name
from fracas.content.references import Collector, to_plain
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import nearest, quoted
from fracas.rulesets.contract.types import Document
from fracas.rulesets.stacks.content.library import TITLES, is_written_out
from fracas.rulesets.stacks.content.world_checks import world_problems
from fracas.rulesets.stacks.content.world_models import Stack, UnitEntry, UnitType, World
from fracas.rulesets.stacks.rules.constants import MOVES, RIPOSTE

CHOSEN_MOVES = tuple(name for name in MOVES if name != MOVES[RIPOSTE])
# The values that a unit takes from its type if it has none of its own.
FROM_TYPE = ("name", "attack", "defence", "damage", "health", "initiative", "moves")


class WorldResolver(Collector):
    """Resolves the stacks of one world; `lead` is the prefix of its paths in messages."""

    def __init__(
        self,
        origin: str,
        types: Mapping[str, UnitType],
        *,
        plugin_moves: Collection[str] | None = (),
        lead: str = "",
        problems: Iterable[Problem] = (),
    ) -> None:
        super().__init__(origin, problems)
        self.types = types
        self.lead = lead
        # None: the plug-ins are not known yet, so any move name may be right.
        self.plugin_moves = plugin_moves

    def where(self, path: str) -> str:
        """A place in the world, for messages."""
        return super().where(f"{self.lead}{path}")

    def resolved(self, world: World) -> Document:
        """A world as plain values, as far as it is valid."""
        for problem in world_problems(world.map, world.factions, world.tiles, world.stacks, ""):
            self.problems.append(replace(problem, where=self.where(problem.where.removeprefix(": "))))
        factions = {
            name: {"name": faction.name or titled(name), **to_plain(faction, without=("name",))}
            for name, faction in world.factions.items()
        }
        tiles = {key: to_plain(entry) for key, entry in world.tiles.items()}
        return {
            "map": to_plain(world.map),
            "factions": factions,
            "tiles": {key: entry for key, entry in tiles.items() if entry},
            "stacks": [self.stack(f"stacks.{index}", stack) for index, stack in enumerate(world.stacks)],
            "revision": world.revision,
        }

    def stack(self, path: str, stack: Stack) -> Document:
        """A stack with complete units."""
        return {
            "id": stack.id,
            "name": stack.name or titled(stack.id),
            "owner": stack.owner,
            "at": list(stack.at),
            "units": self.units(f"{path}.units", stack.units),
        }

    def units(self, path: str, entries: Sequence[str | UnitEntry]) -> list[Document]:
        """The units of a stack; each gets an id and a name that are unique within it."""
        written = Counter(entry.id for entry in entries if isinstance(entry, UnitEntry) and entry.id is not None)
        for identifier in (identifier for identifier, count in written.items() if count > 1):
            self.complain(path, f'two units of the stack have the id "{identifier}"', "give each its own id")
        units: list[Document] = []
        for index, entry in enumerate(entries):
            with self.collecting():
                unit = self.unit(f"{path}.{index}", UnitEntry(type=entry) if isinstance(entry, str) else entry)
                self.add_numbered(unit, units)
        return units

    def unit(self, path: str, entry: UnitEntry) -> Document:
        """One unit, with its type's values where it has none of its own.

        Raises:
            InputError: its type is unknown, or it has neither an id nor a name to make one from.
        """
        own = to_plain(entry)
        kind = self.type_of(path, entry)
        values = to_plain(kind) if kind is not None else {"initiative": 0}
        numbers: Document = {key: own.get(key, values.get(key)) for key in FROM_TYPE}
        numbers["id"] = own.get("id") or entry.type or identifier_of(entry.name)
        if numbers["id"] is None:
            raise InputError.of(self.where(path), "needs an id", "or a name with a letter from a to z in it")
        numbers["name"] = numbers["name"] or titled(numbers["id"])
        self.check_moves(f"{path}.moves" if entry.moves is not None else path, numbers["moves"])
        if entry.current is not None and entry.current > numbers["health"]:
            message = f"{entry.current:,} is above its full health of {numbers['health']:,}"
            self.complain(f"{path}.current", message)
        ordered = {key: numbers[key] for key in ("id", "name")}
        ordered |= {"type": entry.type} if entry.type is not None else {}
        ordered |= {key: numbers[key] for key in ("attack", "defence", "damage", "health")}
        # A unit at full health has no `current`, so that changing its health with `--set` leaves it unhurt.
        ordered |= {"current": entry.current} if entry.current not in (None, numbers["health"]) else {}
        return ordered | {key: numbers[key] for key in ("initiative", "moves")}

    def type_of(self, path: str, entry: UnitEntry) -> UnitType | None:
        """The type that fills in a unit's missing values; none if it is complete.

        Raises:
            InputError: the type is unknown; names the nearest.
        """
        if entry.type is None or entry.type in self.types:
            return self.types.get(entry.type or "")
        if is_written_out(entry.model_dump()):
            return None
        raise InputError(unknown_name(self.where(path), TITLES["types"], entry.type, self.types))

    def check_moves(self, path: str, moves: Iterable[str]) -> None:
        """Check that every move type is shipped or from a loaded plug-in."""
        if self.plugin_moves is None:
            return
        known = [*CHOSEN_MOVES, *self.plugin_moves]
        for name in moves:
            if name not in known:
                hint = nearest(name, known) or "a move type of your own comes with --plugin FILE"
                self.complain(path, f"there is no move type {quoted(name)}", hint, expected=known)


def identifier_of(name: str | None) -> str | None:
    """An id made of a name: `Old Gatekeeper` is `old_gatekeeper`; None if no letter or digit of it can be used."""
    return re.sub(r"[^a-z0-9]+", "_", (name or "").lower()).strip("_")[:64] or None


def titled(identifier: str) -> str:
    """An id as a name."""
    return identifier.replace("_", " ").replace("-", " ").title()
