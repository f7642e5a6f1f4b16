"""What a fighter of relics could wear otherwise: in every place another piece of the content, in the same tier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fracas.rulesets.contract.analysis import Dimension, SideRef
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.content.fighter_resolver import Resolver, factor_of, worn_pieces
from fracas.rulesets.relics.content.item_models import OwnStatus
from fracas.rulesets.relics.content.library import PLACES, SIDES, library_for
from fracas.rulesets.relics.content.models import StatCaps, Worn
from fracas.rulesets.relics.content.own_statuses import as_resolved, needed
from fracas.rulesets.relics.rules.constants import OWN_STATUSES

BUILD = "build"
WORDS = {"weapon": "weapon", "upgrades": "upgrade", "items": "item", "food": "food"}


def content_resolver(
    document: Document, folders: Sequence[Path], where: str = "content", statuses: Mapping[str, OwnStatus] | None = None
) -> Resolver:
    """What resolves pieces of the content under a document's caps; `statuses` lie over those of the content.

    Raises:
        InputError: the content is broken.
    """
    library, caps = library_for(None, folders), StatCaps(**document["options"]["stat_caps"])
    return Resolver(where, library, caps=caps, cap_mode=document["options"]["stat_cap_mode"], statuses=statuses)


def knobs_of(seat: SideRef, resolver: Resolver) -> Iterator[Dimension]:
    """A knob for each piece that is worn. Which set bonuses hold is settled when knobs are turned.

    A unique item is a value of one place only, and if light pieces could bring a fighter to no health at all, only such
    are offered that have as much as the one worn; nor is what would bring more statuses of its own than there is room
    for: so that every combination makes a fighter who may fight.
    """
    known = as_resolved(resolver.statuses)
    named = set(seat.document.get("statuses", {}))
    side = SIDES[seat.side - 1]
    fighter = seat.document[side]
    uniques = {piece["id"] for piece in worn_pieces(fighter) if piece["unique"]}
    found = []
    for key, bucket in PLACES.items():
        worn = [fighter[key]] if key == "weapon" and fighter.get(key) else fighter.get(key, [])
        for number, piece in enumerate(worn):
            path = (side, key) if key == "weapon" else (side, key, str(number))
            title = WORDS[key] if key == "weapon" else f"{WORDS[key]} {number + 1}"
            others = _others(resolver, key, bucket, piece, uniques, (number, len(worn)))
            others = [each for each in others if _has_room(each, known, named)]
            values = [piece, *others]
            found.append(Dimension(title, BUILD, path, values, [each["name"] for each in values], 0))
    if not _is_healthy(fighter, found, resolver):
        found = [_as_healthy(knob) for knob in found]
    yield from (knob for knob in found if len(knob.values) > 1)


def _others(
    resolver: Resolver, key: str, bucket: str, piece: Document, uniques: set[str], place: tuple[int, int]
) -> list[Document]:
    """The pieces of the content that could be worn in a place, which is one of so many of its bucket."""
    number, room = place
    names = sorted(name for name, item in resolver.items.items() if item.bucket == bucket and name != piece["id"])
    found = []
    for order, name in enumerate(names):
        before = len(resolver.problems)
        other = resolver.piece("", key, Worn.model_validate({"id": name, "tier": piece["tier"]}))
        del resolver.problems[before:]
        if other is None or (other["unique"] and (name in uniques or order % room != number)):
            continue
        found.append(other)
    return found


def _has_room(piece: Document, known: Mapping[str, Document], named: set[str]) -> bool:
    """Whether a piece names no more own statuses than there is room for; if so, they are taken in."""
    found = named | needed([piece], known).keys()
    if len(found) <= OWN_STATUSES:
        named |= found
    return len(found) <= OWN_STATUSES


def _health(piece: Document) -> int:
    return int(piece["stats"]["health"]) * factor_of(piece["tier"])


def least_health(fighter: Document) -> int:
    """The least health of its own with which a fighter may fight, given what it wears."""
    worn = sum(_health(piece) for piece in worn_pieces(fighter))
    return 1 - worn - sum(int(entry["stats"]["health"]) for entry in fighter["sets"])


def _is_healthy(fighter: Document, knobs: Sequence[Dimension], resolver: Resolver) -> bool:
    """Whether every combination leaves the fighter some health, whatever sets then hold."""
    if "state" in fighter:
        return True
    lightest = sum(min(_health(value) for value in knob.values) for knob in knobs)
    sets = [entry.stats.health for entry in resolver.library.of("sets").values() if entry.stats is not None]
    worst = lightest + sum(min(0, health) for health in sets)
    return bool(fighter["stats"]["health"] + worst >= 1)


def _as_healthy(knob: Dimension) -> Dimension:
    """The same without pieces that have less health than the one worn."""
    least = max(0, _health(knob.values[0]))
    values = [value for place, value in enumerate(knob.values) if not place or _health(value) >= least]
    return Dimension(knob.name, knob.part, knob.path, values, [value["name"] for value in values], 0)
