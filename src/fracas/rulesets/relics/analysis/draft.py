"""The draft of a build: pieces of the content are offered by dice, and taken, placed or left until no place is free."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from fracas.errors import UsageError
from fracas.kernel.dice import below, open_address
from fracas.rulesets.contract.agents import Feature, Terms
from fracas.rulesets.contract.analysis import AnalysisHooks, SideRef
from fracas.rulesets.contract.drafts import Array, Draft, DraftSpaces, DraftState
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.analysis.lab_hooks import LabHooks
from fracas.rulesets.relics.analysis.search_space import BUILD, content_resolver, least_health
from fracas.rulesets.relics.content.fighter_resolver import factor_of
from fracas.rulesets.relics.content.library import BUCKET_WORDS, PLACES, SIDES
from fracas.rulesets.relics.content.models.fighters import Worn
from fracas.rulesets.relics.content.own_statuses import as_resolved, needed
from fracas.rulesets.relics.declarations.triggers import TRIGGERS
from fracas.rulesets.relics.rules.constants import (
    MAX_FOOD,
    MAX_ITEMS,
    MAX_SETS,
    MAX_UPGRADES,
    OWN_STATUSES,
    STATUSES,
)

# How many pieces an offer has, and how many offers may be left.
OFFERED = 3
LEAVES = 8
ROOM = {"weapon": 1, "upgrades": MAX_UPGRADES, "items": MAX_ITEMS, "food": MAX_FOOD}
ALL_PLACES = [(key, number) for key, room in ROOM.items() for number in range(room)]
FIRST_ITEM = ALL_PLACES.index(("items", 0))
# For each piece of an offer: take it, or put it into one of the places for items.
WAYS = 1 + MAX_ITEMS
LEAVING = OFFERED * WAYS
STATS = ("health", "attack", "armor", "speed")
LARGEST_SEEN = 10.0

TERMS = Terms(
    decides="The agent, before the battle: for each offer of pieces, until its places are full.",
    actions=(
        (f"{WAYS} × piece", f"take that piece of the offer, 0 to {OFFERED - 1}, into the first free place of its kind"),
        (f"{WAYS} × piece + n", f"put it into place n for items, 1 to {MAX_ITEMS}: items act from left to right"),
        (str(LEAVING), f"leave the offer, at most {LEAVES} times; another one comes"),
    ),
    hidden="The dice, and with them the offers to come.",
)


def draft_spaces() -> DraftSpaces:
    """What agents see and do in a draft of relics."""
    return DraftSpaces(TERMS, list(_features()), LEAVING + 1)


def _features() -> Iterator[Feature]:
    """The entries of an observation, in the order of `BuildDraft.observe`."""
    yield Feature("filled", "places that are filled, of all", "share", 0, 1)
    yield Feature("leaves", "offers that may still be left, of all", "share", 0, 1)
    for who, whose in (("own", "your fighter"), ("enemy", "the other fighter")):
        for stat in STATS:
            yield Feature(f"{who}.{stat}", f"{stat} of {whose} without pieces", *_OF_STATS)
    for number in range(1, OFFERED + 1):
        for key in PLACES:
            meaning = f"whether piece {number} of the offer is {BUCKET_WORDS[PLACES[key]]}"
            yield Feature(f"offer_{number}_kind.{key}", meaning, "0 or 1", 0, 1)
    for number in range(1, OFFERED + 1):
        yield from _of_piece(f"offer_{number}", f"piece {number} of the offer")
    for who, whose in (("own", "your fighter"), ("enemy", "the other fighter")):
        for key, number in ALL_PLACES:
            yield from _of_piece(f"{who}_{key}_{number + 1}", f"the piece in place {number + 1} for {key} of {whose}")


_OF_STATS = ("hundreds, at most 10 either way", -LARGEST_SEEN, LARGEST_SEEN)


def _of_piece(name: str, piece: str) -> Iterator[Feature]:
    """What is seen of a piece; all 0 in an empty place."""
    yield Feature(f"{name}.there", f"whether there is {piece}", "0 or 1", 0, 1)
    yield Feature(
        f"{name}.number", f"the number of {piece} among all pieces by id, from 1; 0 if home-made", "share", 0, 1
    )
    for stat in STATS:
        yield Feature(f"{name}.{stat}", f"{stat} that {piece} adds", "tens, at most 10 either way", *_OF_STATS[1:])
    meaning = f"how far the set of {piece} is with it; the furthest, if it has several"
    yield Feature(f"{name}.set", meaning, "share of the pieces needed", 0, 1)
    for trigger in TRIGGERS:
        yield Feature(f"{name}.{trigger}", f"whether {piece} has effects at {trigger}", "0 or 1", 0, 1)
    for status in STATUSES:
        yield Feature(f"{name}.{status}", f"whether what {piece} does names {status}", "0 or 1", 0, 1)


def draft(document: Document, side: int) -> BuildDraft:
    """The draft of a fighter's build before the battle of a resolved document."""
    return BuildDraft(document, side, LabHooks("relics"))


class BuildDraft(Draft):
    """The draft of a fighter's build. There are as many places as the fighter wears pieces in its scenario.

    Raises:
        UsageError: it wears nothing, or could not fight without what it wears.
    """

    def __init__(self, document: Document, side: int, hooks: AnalysisHooks) -> None:
        self._document, self._side, self._hooks = document, side, hooks
        self._own, self._enemy = document[SIDES[side]], document[SIDES[1 - side]]
        self._told: dict[str, list[float]] = {}
        self._resolver = content_resolver(document, ())
        self._known = as_resolved(self._resolver.statuses) | dict(document.get("statuses", {}))
        counts = {key: len(_worn(self._own, key)) for key in ROOM}
        self.places = [place for place, (key, number) in enumerate(ALL_PLACES) if number < counts[key]]
        where = f"scenario: {SIDES[side]}"
        if not self.places:
            raise UsageError.of(where, "wears nothing, so there is no place to fill")
        bare = {**self._own, "weapon": None, "upgrades": [], "items": [], "food": [], "sets": []}
        if "state" not in self._own and self._own["stats"]["health"] < least_health(bare):
            raise UsageError.of(where, "has no health of its own, so it could not fight without what it wears")

    @cached_property
    def _pieces(self) -> dict[str, Document]:
        """What may be offered, in the order of ids: nothing that lowers health, so that every build may fight."""
        buckets = {bucket: key for key, bucket in PLACES.items()}
        found: dict[str, Document] = {}
        for name in sorted(self._resolver.items):
            key = buckets.get(self._resolver.items[name].bucket)
            piece = key and self._resolver.piece("", key, Worn.model_validate({"id": name}))
            if piece and int(piece["stats"]["health"]) >= 0:
                found[name] = {**piece, "place": key}
        del self._resolver.problems[:]
        return found

    @cached_property
    def _numbers(self) -> dict[str, float]:
        return {name: (place + 1) / len(self._pieces) for place, name in enumerate(self._pieces)}

    @cached_property
    def _sets(self) -> list[tuple[str, int]]:
        """Of each set of the content its tag, and how many pieces it needs."""
        return [(entry.tag, entry.pieces) for entry in self._resolver.library.of("sets").values()]

    @cached_property
    def _named(self) -> frozenset[str]:
        """The own statuses that the battle may have whatever is worn: of fighters, and of all sets."""
        bare = {key: value for key, value in self._own.items() if key not in (*PLACES, "sets")}
        tags = [tag for tag, count in self._sets for _ in range(count)]
        sets = self._resolver.sets("", {"items": [{"tags": tags}]}, ())
        del self._resolver.problems[:]
        return frozenset(needed([bare, self._enemy, *sets], self._known))

    @cached_property
    def _statuses(self) -> dict[str, frozenset[str]]:
        """The own statuses that each piece names."""
        return {name: frozenset(needed([piece], self._known)) for name, piece in self._pieces.items()}

    def begin(self, dice: Any) -> DraftState:
        """Nothing is worn, and the first offer lies there."""
        worn: tuple[str | None, ...] = (None,) * len(ALL_PLACES)
        return self._offered(DraftState(0, (), worn, LEAVES), dice)

    def _offered(self, state: DraftState, dice: Any) -> DraftState:
        """The same with the next offer: different pieces that could all be worn, by the dice of its own address."""
        candidates = list(self._wearable(state))
        open_address(dice, state.offer + 1, self._side)
        offered = [candidates.pop(int(below(dice, len(candidates)))) for _ in range(min(OFFERED, len(candidates)))]
        return DraftState(state.offer + 1, tuple(offered), state.worn, state.leaves)

    def _free(self, state: DraftState, key: str) -> list[int]:
        """The free places for pieces of a kind."""
        return [place for place in self.places if ALL_PLACES[place][0] == key and state.worn[place] is None]

    def _wearable(self, state: DraftState) -> Iterator[str]:
        """The pieces that have a place, and with which the build stays within what the rules allow."""
        free = {key for key in ROOM if self._free(state, key)}
        worn = [name for name in state.worn if name is not None]
        tags = Counter(tag for name in worn for tag in self._pieces[name]["tags"])
        statuses = self._named.union(*(self._statuses[name] for name in worn))
        for name, piece in self._pieces.items() if free else ():
            if piece["place"] not in free or (piece["unique"] and name in worn):
                continue
            sets = sum(tags[tag] + piece["tags"].count(tag) >= count for tag, count in self._sets)
            # Next to three statuses of its own a fighter has room for one set less.
            if sets < MAX_SETS and len(statuses | self._statuses[name]) <= OWN_STATUSES:
                yield name

    def take(self, state: DraftState, action: int, dice: Any) -> DraftState:
        """What a legal action leads to, with the next offer."""
        if action == LEAVING:
            return self._offered(DraftState(state.offer, (), state.worn, state.leaves - 1), dice)
        name, way = state.offered[action // WAYS], action % WAYS
        place = FIRST_ITEM + way - 1 if way else self._free(state, self._pieces[name]["place"])[0]
        worn = (*state.worn[:place], name, *state.worn[place + 1 :])
        return self._offered(DraftState(state.offer, (), worn, state.leaves), dice)

    def legal_actions(self, state: DraftState) -> Array:
        """Which actions may be taken, (actions,) int8."""
        mask = np.zeros(LEAVING + 1, np.int8)
        for number, name in enumerate(state.offered):
            mask[number * WAYS] = 1
            if self._pieces[name]["place"] == "items":
                for place in self._free(state, "items"):
                    mask[number * WAYS + 1 + place - FIRST_ITEM] = 1
        mask[LEAVING] = 1 if state.offered and state.leaves else 0
        return mask

    def observe(self, state: DraftState) -> Array:
        """What the agent sees, (features,) float32."""
        seen = [self.places_filled(state), state.leaves / LEAVES]
        for fighter in (self._own, self._enemy):
            stats = _own_stats(fighter)
            seen += [_within(stats[stat] / 100) for stat in STATS]
        offered = [*state.offered, *[None] * (OFFERED - len(state.offered))]
        for name in offered:
            seen += [float(name is not None and self._pieces[name]["place"] == key) for key in PLACES]
        worn = [None if name is None else self._pieces[name] for name in state.worn]
        for name in offered:
            piece = None if name is None else self._pieces[name]
            seen += self._seen_of(piece, [*worn, piece])
        for piece in worn:
            seen += self._seen_of(piece, worn)
        return np.array([*seen, *self._seen_of_enemy], np.float32)

    @cached_property
    def _seen_of_enemy(self) -> list[float]:
        """What the other fighter wears, which stays."""
        build = [_worn_at(self._enemy, key, number) for key, number in ALL_PLACES]
        return [value for piece in build for value in self._seen_of(piece, build)]

    def _seen_of(self, piece: Document | None, build: Sequence[Document | None]) -> list[float]:
        """The entries of a piece; `build` is what it is worn with, itself included."""
        if piece is None:
            return [0.0] * PIECE_FEATURES
        factor = factor_of(piece["tier"])
        tags = Counter(tag for each in build if each is not None for tag in each["tags"])
        sets = [min(tags[tag] / count, 1.0) for tag, count in self._sets if tag in piece["tags"]]
        return [
            1.0,
            self._numbers.get(piece["id"], 0.0),
            *(_within(int(piece["stats"][stat]) * factor / 10) for stat in STATS),
            max(sets, default=0.0),
            *self._does(piece),
        ]

    def _does(self, piece: Document) -> list[float]:
        """Which triggers a piece has, and which statuses it names."""
        if piece is not self._pieces.get(piece["id"]):
            return _what_it_does(piece)
        if piece["id"] not in self._told:
            self._told[piece["id"]] = _what_it_does(piece)
        return self._told[piece["id"]]

    def action_names(self, state: DraftState) -> list[str]:
        """What the actions are called; empty for those that stand for nothing now."""
        names: list[str] = []
        for number in range(OFFERED):
            if number >= len(state.offered):
                names += [""] * WAYS
                continue
            piece = self._pieces[state.offered[number]]
            is_item = piece["place"] == "items"
            places = [f"put {piece['name']} into place {place + 1}" if is_item else "" for place in range(MAX_ITEMS)]
            names += [f"take {piece['name']}", *places]
        return [*names, "leave the offer"]

    def places_filled(self, state: DraftState) -> float:
        """The share of places that are filled."""
        return sum(name is not None for name in state.worn) / len(self.places)

    def lines(self, state: DraftState) -> list[str]:
        """The build and the offer, told."""
        worn = [
            f"{ALL_PLACES[place][0]} {ALL_PLACES[place][1] + 1}: {self._pieces[name]['name']}"
            for place, name in enumerate(state.worn)
            if name is not None
        ]
        offered = [f"offer {number + 1}: {self._pieces[name]['name']}" for number, name in enumerate(state.offered)]
        head = f"{self._own['name']} against {self._enemy['name']}: {len(worn)} of {len(self.places)} places are filled"
        return [head, *worn, *offered]

    def document(self, state: DraftState) -> Document:
        """The resolved scenario with what is worn."""
        return self._hooks.with_part(SideRef(self._document, self._side + 1), BUILD, self.build(state))

    def build(self, state: DraftState) -> Document:
        """What is worn, as a build file has it."""
        worn: dict[str, Any] = {key: [] for key in ROOM if key != "weapon"}
        for place, name in enumerate(state.worn):
            key = ALL_PLACES[place][0]
            if name is not None and key == "weapon":
                worn["weapon"] = name
            elif name is not None:
                worn[key].append(name)
        return worn


PIECE_FEATURES = len(list(_of_piece("", "")))


def _what_it_does(piece: Document) -> list[float]:
    does = json.dumps([piece["triggers"], piece["flags"], piece["modifiers"]])
    triggers = [float(bool(piece["triggers"].get(trigger))) for trigger in TRIGGERS]
    return [*triggers, *(float(status in does) for status in STATUSES)]


def _worn(fighter: Document, key: str) -> list[Document]:
    if key == "weapon":
        return [fighter[key]] if fighter.get(key) else []
    return list(fighter.get(key, []))


def _worn_at(fighter: Document, key: str, number: int) -> Document | None:
    pieces = _worn(fighter, key)
    return pieces[number] if number < len(pieces) else None


def _own_stats(fighter: Document) -> dict[str, int]:
    """A fighter's own stats, or those of the state that it is given in."""
    if "state" not in fighter:
        return dict(fighter["stats"])
    state = fighter["state"]
    return {"health": state["hp"], "attack": state["atk"], "armor": state["armor"], "speed": state["speed"]}


def _within(value: float) -> float:
    return max(-LARGEST_SEEN, min(value, LARGEST_SEEN))
