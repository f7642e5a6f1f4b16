"""The search space of a relics fighter: in every place, other content pieces of the same tier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fracas.rulesets.contract.analysis import Dimension, SideRef
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.content.fighter_resolver import Resolver, factor_of
from fracas.rulesets.relics.content.library import library_for
from fracas.rulesets.relics.content.models.items import OwnStatus
from fracas.rulesets.relics.content.models.rule_options import StatCaps
from fracas.rulesets.relics.content.own_statuses import as_resolved, needed
from fracas.rulesets.relics.content.places import PLACES, SIDES, path_in, worn_in, worn_pieces
from fracas.rulesets.relics.rules.constants import OWN_STATUSES

BUILD = "build"


def content_resolver(
    document: Document,
    folders: Sequence[Path],
    where: str = "content",
    statuses: Mapping[str, OwnStatus] | None = None,
    profile: str | None = None,
) -> Resolver:
    """A resolver for the pieces of a profile's content under a document's caps; `statuses` override those of it.

    Raises:
        InputError: the content is broken.
    """
    library, caps = library_for(profile, folders), StatCaps(**document["options"]["stat_caps"])
    return Resolver(where, library, caps=caps, cap_mode=document["options"]["stat_cap_mode"], statuses=statuses)


def dimensions_of(side_ref: SideRef, resolver: Resolver) -> Iterator[Dimension]:
    """A dimension for each piece worn. Set bonuses are worked out when choices are applied.

    Every combination must give a valid fighter: a unique item is a value in one place only, pieces that need more own
    statuses than there is room for are left out, and if some combination could leave no health, so are pieces with less
    health than the one worn.
    """
    known = as_resolved(resolver.statuses)
    named = set(side_ref.document.get("statuses", {}))
    side = SIDES[side_ref.side - 1]
    fighter = side_ref.document[side]
    uniques = {piece["id"] for piece in worn_pieces(fighter) if piece["unique"]}
    found = []
    for key, place in PLACES.items():
        worn = worn_in(fighter, key)
        for number, piece in enumerate(worn):
            path = (side, *path_in(key, number).split("."))
            title = place.kind if key == "weapon" else f"{place.kind} {number + 1}"
            others = _others(resolver, key, place.bucket, piece, uniques, (number, len(worn)))
            others = [each for each in others if _has_room(each, known, named)]
            values = [piece, *others]
            found.append(Dimension(title, BUILD, path, values, [each["name"] for each in values], 0))
    if not _is_healthy(fighter, found, resolver):
        found = [_as_healthy(dimension) for dimension in found]
    yield from (dimension for dimension in found if len(dimension.values) > 1)


def _others(
    resolver: Resolver, key: str, bucket: str, piece: Document, uniques: set[str], place: tuple[int, int]
) -> list[Document]:
    """The content pieces that fit a place; `place` is its number and the number of places in its bucket."""
    number, room = place
    names = sorted(name for name, item in resolver.items.items() if item.bucket == bucket and name != piece["id"])
    found = []
    for order, name in enumerate(names):
        other = resolver.tried("", key, name, piece["tier"])
        if other is None or (other["unique"] and (name in uniques or order % room != number)):
            continue
        found.append(other)
    return found


def _has_room(piece: Document, known: Mapping[str, Document], named: set[str]) -> bool:
    """Whether there is room for the own statuses of a piece; if so, adds them to `named`."""
    found = named | needed([piece], known).keys()
    if len(found) <= OWN_STATUSES:
        named |= found
    return len(found) <= OWN_STATUSES


def _health(piece: Document) -> int:
    return int(piece["stats"]["health"]) * factor_of(piece["tier"])


def least_health(fighter: Document) -> int:
    """The least health of its own that a fighter needs, given what it wears."""
    worn = sum(_health(piece) for piece in worn_pieces(fighter))
    return 1 - worn - sum(int(entry["stats"]["health"]) for entry in fighter["sets"])


def _is_healthy(fighter: Document, dimensions: Sequence[Dimension], resolver: Resolver) -> bool:
    """Whether every combination leaves the fighter some health, with any sets."""
    if "state" in fighter:
        return True
    lightest = sum(min(_health(value) for value in dimension.values) for dimension in dimensions)
    sets = [entry.stats.health for entry in resolver.library.of("sets").values() if entry.stats is not None]
    worst = lightest + sum(min(0, health) for health in sets)
    return bool(fighter["stats"]["health"] + worst >= 1)


def _as_healthy(dimension: Dimension) -> Dimension:
    """A dimension without pieces that have less health than the one worn."""
    least = max(0, _health(dimension.values[0]))
    values = [value for index, value in enumerate(dimension.values) if not index or _health(value) >= least]
    names = [value["name"] for value in values]
    return Dimension(dimension.name, dimension.part, dimension.path, values, names, 0)
