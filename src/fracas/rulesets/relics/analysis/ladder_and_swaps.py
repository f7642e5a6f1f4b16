"""Documents for `fracas lab ladder`: a build against every enemy and boss, and with every item swapped in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from fracas.content.references import numbered
from fracas.rulesets.contract.types import Document, LadderRung, Swap
from fracas.rulesets.relics.analysis.search_space import content_resolver
from fracas.rulesets.relics.content.fighter_resolver import Resolver
from fracas.rulesets.relics.content.library import titled
from fracas.rulesets.relics.content.own_statuses import as_resolved, too_many, with_statuses
from fracas.rulesets.relics.content.places import PLACES, SIDES, path_in, worn_in, worn_pieces
from fracas.rulesets.relics.narration.item_text import item_text


def ladder(document: Document, folders: Sequence[Path]) -> list[LadderRung]:
    """The left fighter against every enemy at every level, then every boss, by id; each from both sides.

    Raises:
        InputError: the content is broken, or an item of an opponent is above the caps.
    """
    resolver = content_resolver(document, folders, profile=document["profile"])
    found: list[LadderRung] = []
    for identifier, enemy in sorted(resolver.library.of("enemies").items()):
        name = enemy.name or titled(identifier)
        for level in range(1, len(enemy.levels) + 1):
            opponent = resolver.enemy(f"enemies.{identifier}", identifier, level)
            found.append(LadderRung("enemy", identifier, name, level, _both_ways(resolver, document, opponent)))
    for identifier, boss in sorted(resolver.library.of("bosses").items()):
        opponent = resolver.boss(f"bosses.{identifier}", identifier)
        found.append(
            LadderRung(
                "boss", identifier, boss.name or titled(identifier), None, _both_ways(resolver, document, opponent)
            )
        )
    resolver.raise_problems()
    return found


def swaps(document: Document, side: int, folders: Sequence[Path]) -> list[Swap]:
    """Every content item in every place of its bucket: in place of each piece worn, and in the first empty place.

    Raises:
        InputError: the content is broken.
    """
    resolver = content_resolver(document, folders, profile=document["profile"])
    fighter = SIDES[side - 1]
    return list(_swaps(resolver, document, fighter, document[fighter]))


def _swaps(resolver: Resolver, document: Document, side: str, build: Document) -> Iterator[Swap]:
    known = as_resolved(resolver.statuses)
    for key, place in PLACES.items():
        names = sorted(name for name, item in resolver.items.items() if item.bucket == place.bucket)
        worn = worn_in(build, key)
        spots = len(worn) + (len(worn) < place.room)
        for number in range(spots):
            out = worn[number] if number < len(worn) else None
            path = f"{side}.{path_in(key, number)}"
            for name in names:
                changed = _changed(resolver, path, key, build, number, name, out)
                whole = with_statuses({**document, side: changed}, known)
                if changed is not None and too_many(whole.get("statuses", {})) is None:
                    does = item_text(resolver.items[name], out["tier"] if out is not None else "normal")
                    gone = out["id"] if out is not None else None
                    yield Swap(path, gone, name, whole, does=does)


def _changed(
    resolver: Resolver, path: str, place: str, build: Document, number: int, name: str, out: Document | None
) -> Document | None:
    """A build with one piece exchanged; None if unchanged or not allowed to fight."""
    if out is not None and out["id"] == name:
        return None
    tier = out["tier"] if out is not None else "normal"
    piece = resolver.tried(path, place, name, tier)
    if piece is None:
        return None
    if piece["unique"] and any(each["id"] == name for each in worn_pieces(build)):
        return None
    worn = worn_in(build, place)
    changed = {**build, place: piece if place == "weapon" else [*worn[:number], piece, *worn[number + 1 :]]}
    before = len(resolver.problems)
    changed["sets"] = resolver.sets(path, changed, build["sets"])
    resolver.check_health(path, changed)
    is_sound = len(resolver.problems) == before
    del resolver.problems[before:]
    return changed if is_sound else None


def _both_ways(resolver: Resolver, document: Document, opponent: Document) -> tuple[Document, Document]:
    build = document["left"]
    name = numbered(opponent.get("name", ""), [build["name"]])
    opponent = {**opponent, "name": name}
    ways = {**document, "right": opponent}, {**document, "left": opponent, "right": build}
    return resolver.with_statuses(ways[0]), resolver.with_statuses(ways[1])
