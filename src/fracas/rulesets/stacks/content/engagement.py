"""Determines who takes part in an attack: sides, participants and their order of play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from fracas.rulesets.stacks.content.map_grid import Place, field_of, key_of, neighbours, place_of
from fracas.rulesets.stacks.content.world_models import Faction, ResolvedStack, ResolvedUnit, ResolvedWorld
from fracas.rulesets.stacks.rules import constants as codes


@dataclass(frozen=True)
class Alliances:
    """The alliances between factions: mutual, each faction with itself, not transitive."""

    pairs: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(cls, factions: Mapping[str, Faction]) -> Alliances:
        """The alliances that factions declare; one of the two is enough."""
        declared = {(name, ally) for name, faction in factions.items() for ally in faction.allies}
        return cls(frozenset(declared | {(ally, name) for name, ally in declared}))

    def are_allied(self, one: str | None, other: str | None) -> bool:
        """Whether two factions are allied; no faction is allied with None."""
        return one is not None and other is not None and (one == other or (one, other) in self.pairs)


class AttackRefused(Exception):
    """An attack is not possible: the reason's code in event rows, and its message."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class PlacedStack:
    """A stack on the field: its place among the world's stacks, its direction from the attacked tile, its role."""

    number: int
    stack: ResolvedStack
    direction: int
    role: int

    @property
    def is_involved(self) -> bool:
        """Whether it fights."""
        return self.role in (codes.ATTACKS, codes.DEFENDS)


@dataclass(frozen=True)
class Participant:
    """A participant: its id, its side (0 attacks, 1 defends), and its unit."""

    id: int
    side: int
    standing: PlacedStack
    unit: ResolvedUnit


@dataclass(frozen=True)
class Encounter:
    """An attack with its stacks and participants."""

    attacker: str
    defender: str
    standings: tuple[PlacedStack, ...]

    @property
    def fighters(self) -> tuple[Participant, ...]:
        """The participants by ascending id."""
        return tuple(
            Participant(
                codes.STACK_SLOTS * standing.direction + index,
                codes.ATTACKERS if standing.role == codes.ATTACKS else codes.DEFENDERS,
                standing,
                unit,
            )
            for standing in self.standings
            if standing.is_involved
            for index, unit in enumerate(standing.stack.units)
        )


def owner_of(world: ResolvedWorld, place: Place) -> str | None:
    """The faction that owns a tile."""
    entry = world.tiles.get(key_of(place))
    return None if entry is None else entry.owner


def stack_on(world: ResolvedWorld, place: Place) -> ResolvedStack | None:
    """The stack that stands on a tile."""
    return next((stack for stack in world.stacks if place_of(stack.at) == place), None)


def stack_named(world: ResolvedWorld, name: str) -> ResolvedStack | None:
    """The stack with that id."""
    return next((stack for stack in world.stacks if stack.id == name), None)


def defending_party(world: ResolvedWorld, attacker: str, place: Place, alliances: Alliances) -> str:
    """The attacked faction: the tile's owner, else that of the stack on it, if not allied with the attacker.

    Raises:
        AttackRefused: there is none, or it is the attacker or its ally.
    """
    stack = stack_on(world, place)
    candidates = [owner_of(world, place), None if stack is None else stack.owner]
    owners = [owner for owner in candidates if owner is not None]
    if not owners:
        raise AttackRefused(codes.NOBODY_THERE, f"the tile {key_of(place)} has no owner, and no stack stands on it")
    for owner in owners:
        if not alliances.are_allied(owner, attacker):
            return owner
    own = owners[0] == attacker
    whose = f'the attacker\'s own: "{attacker}"' if own else f'an ally\'s: "{owners[0]}" is allied with "{attacker}"'
    raise AttackRefused(codes.ALLYS_TILE, f"the tile {key_of(place)} is {whose}")


def leader_beside(world: ResolvedWorld, stack: str, place: Place) -> ResolvedStack:
    """The attacking stack, which must exist and stand beside the tile.

    Raises:
        AttackRefused: it does not exist, or does not stand beside the tile.
    """
    leader = stack_named(world, stack)
    if leader is None:
        raise AttackRefused(codes.STACK_GONE, f'there is no stack "{stack}"')
    if place not in neighbours(world.map, place_of(leader.at)).values():
        where = f'"{stack}" stands on {key_of(leader.at)}'
        raise AttackRefused(codes.NO_NEIGHBOUR, f"the tile {key_of(place)} is no neighbour: {where}")
    return leader


def encounter(world: ResolvedWorld, stack: str, tile: Sequence[int], side_rule: str) -> Encounter:
    """The stacks and participants of an attack, with their sides.

    Raises:
        AttackRefused: the attack is not possible.
    """
    place = place_of(tile)
    leader = leader_beside(world, stack, place)
    alliances = Alliances.of(world.factions) if side_rule == "alliances" else Alliances()
    defender = defending_party(world, leader.owner, place, alliances)
    numbers = {place_of(other.at): number for number, other in enumerate(world.stacks)}
    standings = []
    for direction, each in field_of(world.map, place).items():
        if each in numbers:
            number = numbers[each]
            there = world.stacks[number]
            role = role_of(there.owner, leader.owner, defender, alliances, side_rule)
            standings.append(PlacedStack(number, there, direction, role))
    return Encounter(leader.owner, defender, tuple(standings))


def role_of(owner: str, attacker: str, defender: str, alliances: Alliances, side_rule: str) -> int:
    """The role of an owner's stacks in an attack of one faction on another."""
    attacks = alliances.are_allied(owner, attacker)
    defends = alliances.are_allied(owner, defender) if side_rule == "alliances" else not attacks
    if attacks and defends:
        return codes.OF_BOTH_SIDES
    if attacks:
        return codes.ATTACKS
    return codes.DEFENDS if defends else codes.OF_NEITHER_SIDE


def orders_of_play(fighters: Iterable[Participant], order: str) -> tuple[list[int], list[int]]:
    """The order of play for even and for odd turns, as participants' ids."""
    listed = sorted(fighters, key=lambda fighter: fighter.id)
    if order == "alternate":
        attackers = [fighter.id for fighter in listed if fighter.side == codes.ATTACKERS]
        defenders = [fighter.id for fighter in listed if fighter.side == codes.DEFENDERS]
        return list(_alternating(attackers, defenders)), list(_alternating(defenders, attackers))
    if order == "initiative":
        listed.sort(key=lambda fighter: (-fighter.unit.initiative, fighter.id))
    ids = [fighter.id for fighter in listed]
    return ids, list(ids)


def _alternating(first: Sequence[int], second: Sequence[int]) -> Iterator[int]:
    for pair in zip_longest(first, second):
        yield from (each for each in pair if each is not None)
