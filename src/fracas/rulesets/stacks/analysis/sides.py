"""One side of an attack as an army that can attack or defend on another field."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from fracas.content.document_edits import free_name
from fracas.content.field_types import Id, Name
from fracas.content.references import to_plain
from fracas.content.validate import Model, validate
from fracas.errors import InputError
from fracas.errors.suggestions import quoted
from fracas.rulesets.contract.types import Document
from fracas.rulesets.stacks.content.compile import drawn_in
from fracas.rulesets.stacks.content.engagement import Encounter
from fracas.rulesets.stacks.content.map_grid import around, directions_of, key_of
from fracas.rulesets.stacks.content.models import Resolved
from fracas.rulesets.stacks.content.world_models import MapKind, ResolvedUnit
from fracas.rulesets.stacks.rules import constants as codes

# The field on which armies meet: all neighbours of its tile are on the map.
LENGTH = 5
TILE = (2, 2)
NOWHERE = -1


class ArmyStack(Model):
    """A stack of an army: direction from the attacked tile, id, name and units."""

    direction: Annotated[int, Field(ge=0, lt=codes.MAX_DIRECTIONS)]
    id: Id
    name: Name
    units: Annotated[list[ResolvedUnit], Field(min_length=1, max_length=codes.STACK_SLOTS)]


class Army(Model):
    """One side of an attack: the part `army`."""

    faction: Id
    name: Name
    map: MapKind
    """The kind of map of its directions."""
    attacks: bool
    lead: Id
    """The attacking stack; for defenders the one on the tile, or else the first by direction."""
    stacks: Annotated[list[ArmyStack], Field(min_length=1, max_length=codes.MAX_DIRECTIONS)]
    """Its stacks in world order."""

    @model_validator(mode="after")
    def _is_led(self) -> Army:
        ids = [stack.id for stack in self.stacks]
        if self.lead not in ids or len(set(ids)) < len(ids):
            raise ValueError(f"needs stacks with ids of their own, one of them {quoted(self.lead)}, which leads")
        return self


def drawn_of(document: Document) -> Encounter:
    """The participants of a resolved document's attack."""
    return drawn_in(validate(Resolved, document, str(document["id"])))


def army_of(document: Document, side: int) -> Army:
    """The army of side 1 or 2 of a resolved attack.

    Raises:
        InputError: the side is empty, since an attacked tile may have no defenders.
    """
    drawn, kind = drawn_of(document), document["map"]["kind"]
    role = (codes.ATTACKS, codes.DEFENDS)[side - 1]
    found = sorted((each for each in drawn.standings if each.role == role), key=lambda each: each.number)
    if not found:
        message = "no one defends the attacked tile, so side 2 is not an army"
        raise InputError.of(str(document["id"]), message, "use side 1")
    faction = (drawn.attacker, drawn.defender)[side - 1]
    lead = document["attack"]["stack"]
    if side == 2:
        lead = min(found, key=lambda each: (each.direction != _centre(kind), each.direction)).stack.id
    stacks = [
        ArmyStack(direction=each.direction, id=each.stack.id, name=each.stack.name, units=each.stack.units)
        for each in found
    ]
    name = document["factions"][faction]["name"]
    return Army(faction=faction, name=name, map=kind, attacks=side == 1, lead=lead, stacks=stacks)


def drawn_up(document: Document, attackers: Army, defenders: Army) -> Document:
    """An attack of one army on another under a document's options, without other stacks.

    The map is of the document's kind, or of the next kind with enough room.

    Raises:
        InputError: no field has enough room for the stacks.
    """
    kind = _roomy_kind(document["map"]["kind"], len(attackers.stacks), len(defenders.stacks))
    factions = {attackers.faction: attackers.name}
    defending = free_name(defenders.faction, factions)
    factions[defending] = free_name(defenders.name, [attackers.name])
    attacked, defended = _directions(kind, attackers, defenders)
    places = around(kind, TILE)
    stacks: list[Document] = []
    leads: list[str] = []
    for owner, army, directions in ((attackers.faction, attackers, attacked), (defending, defenders, defended)):
        for stack, direction in zip(army.stacks, directions, strict=True):
            plain = to_plain(stack, without=("direction",))
            own = {key: free_name(plain[key], [each[key] for each in stacks]) for key in ("id", "name")}
            leads += [own["id"]] if stack.id == army.lead else []
            stacks.append({**plain, **own, "owner": owner, "at": list(places[direction])})
    return {
        **document,
        "map": {"kind": kind, "width": LENGTH, "height": LENGTH},
        "factions": {name: {"name": title, "allies": [], "enemies": []} for name, title in factions.items()},
        "tiles": {key_of(TILE): {"owner": defending}},
        "stacks": stacks,
        "attack": {**document["attack"], "stack": leads[0], "tile": list(TILE)},
    }


def _centre(kind: str) -> int:
    """The direction number of the attacked tile itself."""
    return len(directions_of(kind)) - 1


def _roomy_kind(kind: str, attackers: int, defenders: int) -> str:
    """A kind of map with room for these numbers of stacks: this one, or a kind with more neighbours.

    Raises:
        InputError: no kind has enough room.
    """
    kinds = sorted(codes.MAP_KINDS, key=_centre)
    for each in (kind, *kinds[kinds.index(kind) + 1 :]):
        if attackers <= _centre(each) and attackers + defenders <= _centre(each) + 1:
            return each
    most = _centre(kinds[-1])
    message = f"{attackers} stacks cannot attack {defenders}: no field has more than a tile and {most} around it"
    raise InputError.of("stacks", message, "use fewer, larger stacks")


def _directions(kind: str, attackers: Army, defenders: Army) -> tuple[list[int], list[int]]:
    """The directions of both armies' stacks from the attacked tile."""
    room = _centre(kind)
    free = list(range(room))
    attacked = _stood(attackers, kind, free, attacks=True)
    return attacked, _stood(defenders, kind, [room, *free], attacks=False)


def _stood(army: Army, kind: str, free: list[int], *, attacks: bool) -> list[int]:
    """A direction for each stack, its wanted one or the first free one; removes them from `free`."""
    wanted = [_wanted(army, stack, kind, attacks=attacks) for stack in army.stacks]
    found: dict[int, int] = {}
    for index, direction in enumerate(wanted):
        if direction in free:
            free.remove(direction)
            found[index] = direction
    return [found[index] if index in found else free.pop(0) for index in range(len(wanted))]


def _wanted(army: Army, stack: ArmyStack, kind: str, *, attacks: bool) -> int:
    """A stack's wanted direction: its old one, or the opposite if it attacked before and defends now.

    The lead of former attackers takes the tile itself. Directions of another kind of map are ignored.
    """
    room = _centre(kind)
    if army.attacks and not attacks and stack.id == army.lead:
        return room
    if army.map != kind:
        return NOWHERE
    if army.attacks == attacks or stack.direction == room:
        return stack.direction
    return (stack.direction + room // 2) % room
