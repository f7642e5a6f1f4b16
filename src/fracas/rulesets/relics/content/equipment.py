"""Number a fighter's pieces in firing order and work out its starting values. relics/README.md, Builds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fracas.rulesets.relics.content.models.fighters import ResolvedFighter, ResolvedPiece
from fracas.rulesets.relics.content.models.items import Body, FighterState, ResolvedStatus
from fracas.rulesets.relics.content.places import PLACES, SIDES, path_in, worn_in
from fracas.rulesets.relics.rules import constants as codes

KIND = {name: code for code, name in enumerate(codes.PIECE_KINDS)}


@dataclass(frozen=True)
class Piece:
    """A piece that a fighter wears, or its trait in one phase."""

    number: int
    """Its number in the battle; the right fighter's pieces start at 32."""
    name: str
    kind: int
    tier: int
    body: Body
    tags: tuple[str, ...] = ()
    phase: int = 0
    """Its phase; 0 means all."""
    path: str = ""
    status: str = ""
    """The id of the own status, if it is one; its effects need stacks of it."""

    @property
    def factor(self) -> int:
        """The multiplier of its tier."""
        return codes.TIER_FACTORS[self.tier]

    @property
    def counts_tags(self) -> bool:
        """Whether conditions and sets count its tags."""
        return self.kind not in (KIND["trait"], KIND["set"], KIND["status"])

    @property
    def is_shown(self) -> bool:
        """Whether events list it: traits and statuses only if they do anything."""
        body = self.body
        return self.kind not in (KIND["trait"], KIND["status"]) or bool(
            any(body.triggers.values()) or body.flags or body.modifiers
        )


def pieces_of(fighter: ResolvedFighter, side: int, statuses: Mapping[str, ResolvedStatus]) -> list[Piece]:
    """All pieces of a fighter by number: one trait for each phase, and own statuses last, by id."""
    where = SIDES[side]
    base = side * codes.PIECES
    found = list(_traits(fighter, base, where))
    for key, place in PLACES.items():
        for at, piece in enumerate(worn_in(fighter, key)):
            found.append(_piece(piece, base + place.first + at, KIND[place.kind], f"{where}.{path_in(key, at)}"))
    for at, bonus in enumerate(sorted(fighter.sets, key=lambda entry: entry.id)):
        number = base + codes.FIRST_SET + at
        found.append(Piece(number, bonus.name, KIND["set"], 0, bonus, path=f"{where}.sets.{at}"))
    for number, name in enumerate(sorted(statuses), base + codes.PIECES - len(statuses)):
        entry = statuses[name]
        found.append(Piece(number, entry.name, KIND["status"], 0, entry, path=f"statuses.{name}", status=name))
    return found


def _piece(piece: ResolvedPiece, number: int, kind: int, path: str) -> Piece:
    return Piece(number, piece.name, kind, codes.TIERS.index(piece.tier), piece, tuple(piece.tags), path=path)


def _traits(fighter: ResolvedFighter, base: int, where: str) -> Iterator[Piece]:
    tier = codes.TIERS.index(fighter.tier)
    has_phases = bool(fighter.phases)
    yield Piece(base, fighter.name, KIND["trait"], tier, fighter, phase=int(has_phases), path=where)
    for index, phase in enumerate(fighter.phases):
        path = f"{where}.phases.{index}"
        yield Piece(base, fighter.name, KIND["trait"], 0, phase, phase=index + 2, path=path)


def start_of(fighter: ResolvedFighter, pieces: list[Piece]) -> list[int]:
    """A fighter's starting values: its own stats and those of everything it wears."""
    sums = {name: getattr(fighter.stats, name) for name in codes.STATS}
    for piece in pieces:
        stats = getattr(piece.body, "stats", None)
        if piece.kind == KIND["trait"] or stats is None:
            continue
        for name in codes.STATS:
            product = getattr(stats, name) * piece.factor
            sums[name] += clamped(product, codes.LEAST_ITEM_STAT, codes.LARGEST)
    values = [0] * len(codes.QUANTITIES)
    # Too little health is an error that the compiler reports.
    values[codes.HP] = values[codes.HP_MAX] = min(sums["health"], codes.LARGEST)
    values[codes.ATTACK] = clamped(sums["attack"], codes.LEAST_RATE, codes.LARGEST_RATE)
    values[codes.ARMOR] = clamped(sums["armor"], 0, codes.LARGEST)
    values[codes.SPEED] = clamped(sums["speed"], codes.LEAST_RATE, codes.LARGEST_RATE)
    return values


def state_of(state: FighterState, statuses: Iterable[str]) -> list[int]:
    """The starting values of a fighter with a state; own statuses follow the others, by id."""
    names = {"attack": "atk", "temp_attack": "temp_atk"}
    values = [getattr(state, names.get(name, name)) for name in codes.QUANTITIES]
    return values + [state.statuses.get(name, 0) for name in sorted(statuses)]


def clamped(value: int, least: int, most: int) -> int:
    """A value limited to a range."""
    return min(max(value, least), most)
