"""Commits the result of an attack to its world: reads its tuples, replays them without dice, and updates the world."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

from fracas.content.canonical import canonical
from fracas.content.validate import validate
from fracas.errors import InputError
from fracas.errors.suggestions import nearest, quoted
from fracas.kernel.event_log import NOBODY
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.shared.seeds import fingerprint
from fracas.rulesets.stacks.content.compile import drawn_in
from fracas.rulesets.stacks.content.engagement import stack_named, stack_on
from fracas.rulesets.stacks.content.map_grid import key_of, place_of
from fracas.rulesets.stacks.content.models import WORLD_KEYS, Resolved
from fracas.rulesets.stacks.content.world_models import TileEntry
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.events import Move
from fracas.rulesets.stacks.rules.mechanics import apply_tuple, set_up
from fracas.rulesets.stacks.rules.outcome import take_stock

Row = Sequence[int]


class Made(NamedTuple):
    """One tuple of a result: actor, move, target and effect; target -1 is none."""

    actor: int
    target: int
    move: str
    effect: int


@dataclass(frozen=True)
class Committed:
    """A world after committing a result, and what changed."""

    world: Document
    """The keys of a world: map, factions, tiles, stacks, revision."""
    removed: int
    """Units of both sides that were removed."""
    advanced: bool
    """Whether the stack moved onto the tile."""

    @property
    def revision(self) -> int:
        """The world's revision now."""
        return int(self.world["revision"])


def world_of(document: Document) -> Document:
    """The world in a resolved document."""
    return {key: document[key] for key in WORLD_KEYS}


def world_fingerprint(document: Document) -> str:
    """The fingerprint that ties a result to its world."""
    return fingerprint(world_of(document))


def tuples_of(rows: Iterable[Row], books: Mapping[str, Sequence[Any]]) -> list[Made]:
    """A battle's result: the tuples in its event rows."""
    return [Made(int(row[2]), int(row[3]), books["move"][row[4]], int(row[5])) for row in rows if row[1] == Move.KIND]


def replayed(compiled: Compiled, tuples: Iterable[Made]) -> Any:
    """Replay a battle's tuples without dice, and return the record.

    Raises:
        InputError: a tuple names a move type or a participant that the battle does not have.
    """
    battle = compiled.own_record()[0]
    plugins = compiled.functions
    moves, units = list(compiled.books["move"]), compiled.books["unit"]
    present = {number for number, name in enumerate(units) if name is not None}
    set_up(battle, None)
    for index, made in enumerate(tuples):
        if made.move not in moves:
            message = f"there is no move type {quoted(made.move)}"
            raise InputError.of(f"moves.{index}", message, nearest(made.move, moves))
        if made.actor not in present or made.target not in present | {NOBODY}:
            lost = made.actor if made.actor not in present else made.target
            raise InputError.of(f"moves.{index}", f"there is no participant {lost}")
        apply_tuple(battle, made.actor, made.target, moves.index(made.move), made.effect, 0, None, plugins)
    for side in battle.sides:
        take_stock(battle, side)
    return battle


def healths_of(battle: Any) -> dict[int, int]:
    """The health of every participant, by id."""
    return {int(number): int(battle.participants[number].health) for number in battle.involved[: battle.involved_count]}


def attackers_won(battle: Any) -> bool:
    """Whether side 1 has won: no defender is living, and an attacker is."""
    return bool(battle.sides[codes.DEFENDERS].living == 0 and battle.sides[codes.ATTACKERS].living > 0)


def commit(
    document: Document, compiled: Compiled, tuples: Iterable[Made], world: Document, where: str = "world"
) -> Committed:
    """Commit a result to a world.

    Args:
        document: the resolved document of the battle.
        compiled: its record.
        tuples: the result.
        world: the world to commit to; it must be the battle's.
        where: the world's name in messages.

    Raises:
        InputError: it is a different world, has changed since, or already contains this result; or the tuples are not
            of this battle.
    """
    refuse_other_world(document, world, where)
    battle = replayed(compiled, tuples)
    return committed(document, healths_of(battle), attackers_won(battle))


def refuse_other_world(document: Document, world: Document, where: str) -> None:
    """Refuse to commit a result to any world but its own, unchanged.

    Raises:
        InputError: the world is not the result's.
    """
    if world_fingerprint(world) == world_fingerprint(document):
        return
    then, now = document["revision"], world.get("revision", 0)
    if now > then:
        message = f"already contains this result or another: it is at revision {now}, the result at {then}"
        raise InputError.of(where, message, "commit a result once, to the world of its battle")
    raise InputError.of(where, "is not the world of this result", "fight the attack on this world")


def committed(document: Document, healths: Mapping[int, int], won: bool) -> Committed:
    """The world after an attack: healths saved, the dead removed, and the victorious stack on the tile.

    Args:
        document: the resolved document of the battle.
        healths: the health that every participant has left, by id.
        won: whether the attackers won.
    """
    resolved = validate(Resolved, document, "scenario")
    world = deepcopy(world_of(document))
    removed = 0
    for fighter in drawn_in(resolved).fighters:
        unit = world["stacks"][fighter.standing.number]["units"][fighter.id % codes.STACK_SLOTS]
        unit["current"] = healths[fighter.id]
        removed += healths[fighter.id] == 0
        if unit["current"] == unit["health"]:
            del unit["current"]
    for stack in world["stacks"]:
        stack["units"] = [unit for unit in stack["units"] if unit.get("current", unit["health"]) > 0]
    world["stacks"] = [stack for stack in world["stacks"] if stack["units"]]
    world["revision"] += 1
    advanced = won and resolved.options.advance and _advance(resolved, world)
    return Committed(canonical(world), removed, advanced)


def _advance(resolved: Resolved, world: Document) -> bool:
    """Move the attacking stack onto the tile, if it is still alive and the tile is free."""
    name, place = resolved.attack.stack, place_of(resolved.attack.tile)
    leader = stack_named(resolved, name)
    standing = {stack["id"]: stack for stack in world["stacks"]}
    if leader is None or name not in standing:
        return False
    other = stack_on(resolved, place)
    if other is not None and other.id in standing:
        return False
    standing[name]["at"] = list(resolved.attack.tile)
    entry = world["tiles"].get(key_of(place), TileEntry().model_dump(exclude_none=True))
    world["tiles"][key_of(place)] = {**entry, "owner": leader.owner}
    return True
