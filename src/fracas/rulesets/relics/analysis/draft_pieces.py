"""The pieces that a draft may offer: what is seen of each, and arrays that say which of them may still be worn."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from fracas.rulesets.contract.agents import Feature
from fracas.rulesets.contract.drafts import Array
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.analysis.described_pieces import seen_of_piece
from fracas.rulesets.relics.analysis.search_space import content_resolver
from fracas.rulesets.relics.content.fighter_resolver import Resolver, factor_of
from fracas.rulesets.relics.content.own_statuses import as_resolved, needed
from fracas.rulesets.relics.content.places import BUCKETS, PLACES
from fracas.rulesets.relics.declarations.triggers import TRIGGERS
from fracas.rulesets.relics.rules.constants import MAX_SETS, OWN_STATUSES, STATUSES

STATS = ("health", "attack", "armor", "speed")
KINDS = tuple(PLACES)
LARGEST_SEEN = 10.0
# Pools differ by the caps of a scenario, and most scenarios have the same.
MOST_POOLS = 8


def features_of_piece(name: str, piece: str) -> Iterator[Feature]:
    """What is seen of a piece; all 0 in an empty place."""
    yield Feature(f"{name}.there", f"whether there is {piece}", "0 or 1", 0, 1)
    yield Feature(
        f"{name}.number", f"the number of {piece} among all pieces by id, from 1; 0 if home-made", "share", 0, 1
    )
    for stat in STATS:
        meaning = f"{stat} that {piece} adds"
        yield Feature(f"{name}.{stat}", meaning, "tens, at most 10 either way", -LARGEST_SEEN, LARGEST_SEEN)
    meaning = f"how far the set of {piece} is with it; the furthest, if it has several"
    yield Feature(f"{name}.set", meaning, "share of the pieces needed", 0, 1)
    for trigger in TRIGGERS:
        yield Feature(f"{name}.{trigger}", f"whether {piece} has effects at {trigger}", "0 or 1", 0, 1)
    for status in STATUSES:
        yield Feature(f"{name}.{status}", f"whether what {piece} does names {status}", "0 or 1", 0, 1)


PIECE_FEATURES = len(list(features_of_piece("", "")))
SET_SHARE = [feature.name for feature in features_of_piece("", "")].index(".set")


def pool_for(document: Document) -> PiecePool:
    """The pieces of the shipped content under a scenario's caps."""
    return _pool_under(json.dumps({key: document["options"][key] for key in ("stat_caps", "stat_cap_mode")}))


@lru_cache(maxsize=MOST_POOLS)
def _pool_under(caps: str) -> PiecePool:
    return PiecePool(content_resolver({"options": json.loads(caps)}, ()))


class PiecePool:
    """Every piece of the content that may be offered, in the order of ids: none that lowers health."""

    def __init__(self, resolver: Resolver) -> None:
        self.pieces: dict[str, Document] = {}
        for name in sorted(resolver.items):
            key = BUCKETS[resolver.items[name].bucket]
            piece = resolver.tried("", key, name)
            if piece and int(piece["stats"]["health"]) >= 0:
                self.pieces[name] = {**piece, "place": key}
        self.names = list(self.pieces)
        self.place = {name: index for index, name in enumerate(self.names)}
        self.known_statuses = as_resolved(resolver.statuses)
        self.sets = [(entry.tag, entry.pieces) for entry in resolver.library.of("sets").values()]
        tags_of_all = [tag for tag, count in self.sets for _ in range(count)]
        self.all_sets: list[Document] = resolver.sets("", {"items": [{"tags": tags_of_all}]}, ())
        pieces = list(self.pieces.values())
        self.kind = np.array([KINDS.index(piece["place"]) for piece in pieces], np.int64)
        self._is_unique = np.array([bool(piece["unique"]) for piece in pieces])
        self._needs = np.array([count for _, count in self.sets], np.int64)
        tags = [[piece["tags"].count(tag) for tag, _ in self.sets] for piece in pieces]
        self._tags = np.array(tags, np.int64).reshape(len(pieces), len(self.sets))
        numbers = [(index + 1) / len(pieces) for index in range(len(pieces))]
        rows = [row_of(piece, number) for piece, number in zip(pieces, numbers, strict=True)]
        self._rows = np.array(rows, np.float32).reshape(len(pieces), PIECE_FEATURES)

    @cached_property
    def described(self) -> Array:
        """What version 2 adds of each piece, (pieces, entries) float32."""
        return np.stack([seen_of_piece(piece) for piece in self.pieces.values()])

    def statuses(self, named: frozenset[str], known: Mapping[str, Any]) -> tuple[Array, Array]:
        """Own statuses as columns: which of them `named` holds, (statuses,), and each piece, (pieces, statuses)."""
        of_pieces = [frozenset(needed([piece], known)) for piece in self.pieces.values()]
        columns = sorted(named.union(*of_pieces))
        has = [[name in each for name in columns] for each in (named, *of_pieces)]
        table = np.array(has, bool).reshape(1 + len(of_pieces), len(columns))
        return table[0], table[1:]

    def wearable(self, worn: Sequence[int], is_free: Array, named: Array, statuses: Array) -> Array:
        """The pieces that have a place, and with which the build stays within what the rules allow.

        worn: pieces by place. is_free: (kinds,) bool. named, statuses: as `statuses` returns them.
        """
        fits: Array = is_free[self.kind]
        tags = self._tags[worn].sum(axis=0)
        # Next to three statuses of its own a fighter has room for one set less.
        fits &= ((tags + self._tags) >= self._needs).sum(axis=1) < MAX_SETS
        has = named | statuses[worn].any(axis=0)
        fits &= (has | statuses).sum(axis=1) <= OWN_STATUSES
        fits[[place for place in worn if self._is_unique[place]]] = False
        return np.flatnonzero(fits)

    def seen(self, offered: Sequence[int], worn: Sequence[int]) -> tuple[Array, Array]:
        """What is seen of pieces on offer, each as if it were worn too, and of those worn: (n, features) float32."""
        tags = self._tags[worn].sum(axis=0)
        return self._seen(offered, tags + self._tags[offered]), self._seen(worn, tags)

    def _seen(self, places: Sequence[int], tags: Array) -> Array:
        rows = self._rows[places]
        share = np.minimum(tags / self._needs, 1.0)
        rows[:, SET_SHARE] = np.where(self._tags[places] > 0, share, 0.0).max(axis=1, initial=0.0)
        return rows


def seen_of_build(build: Sequence[Document | None], pool: PiecePool) -> list[float]:
    """What is seen of a build that stays, its empty places included; its pieces may be home-made."""
    tags = Counter(tag for piece in build if piece is not None for tag in piece["tags"])
    seen: list[float] = []
    for piece in build:
        if piece is None:
            seen += [0.0] * PIECE_FEATURES
            continue
        place = pool.place.get(piece["id"])
        row = row_of(piece, 0.0 if place is None else (place + 1) / len(pool.names))
        shares = [min(tags[tag] / count, 1.0) for tag, count in pool.sets if tag in piece["tags"]]
        row[SET_SHARE] = max(shares, default=0.0)
        seen += row
    return seen


def row_of(piece: Document, number: float) -> list[float]:
    """The entries of a piece, with 0 for its sets, which are the build's."""
    factor = factor_of(piece["tier"])
    does = json.dumps([piece["triggers"], piece["flags"], piece["modifiers"]])
    return [
        1.0,
        number,
        *(within(int(piece["stats"][stat]) * factor / 10) for stat in STATS),
        0.0,
        *(float(bool(piece["triggers"].get(trigger))) for trigger in TRIGGERS),
        *(float(status in does) for status in STATUSES),
    ]


def within(value: float) -> float:
    """A number at most 10 either way."""
    return max(-LARGEST_SEEN, min(value, LARGEST_SEEN))
