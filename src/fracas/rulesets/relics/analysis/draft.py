"""The draft of a build: pieces of the content are offered by dice, and taken, placed or left until no place is free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from fracas.errors import UsageError
from fracas.kernel.dice import below, open_address
from fracas.rulesets.contract.agents import Feature, Terms
from fracas.rulesets.contract.analysis import AnalysisHooks, SideRef
from fracas.rulesets.contract.drafts import Array, Draft, DraftSpaces, DraftState
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.analysis import described_pieces
from fracas.rulesets.relics.analysis.draft_pieces import (
    KINDS,
    LARGEST_SEEN,
    PIECE_FEATURES,
    STATS,
    PiecePool,
    features_of_piece,
    pool_for,
    seen_of_build,
    within,
)
from fracas.rulesets.relics.analysis.lab_hooks import LabHooks
from fracas.rulesets.relics.analysis.search_space import BUILD
from fracas.rulesets.relics.content.own_statuses import needed
from fracas.rulesets.relics.content.places import PLACES, SIDES, worn_in
from fracas.rulesets.relics.rules.constants import MAX_ITEMS

# How many pieces an offer has, and how many offers may be left.
OFFERED = 3
LEAVES = 8
ALL_PLACES = [(key, number) for key, place in PLACES.items() for number in range(place.room)]
FIRST_ITEM = ALL_PLACES.index(("items", 0))
# For each piece of an offer: take it, or put it into one of the places for items.
WAYS = 1 + MAX_ITEMS
LEAVING = OFFERED * WAYS

TERMS = Terms(
    decides="The agent, before the battle: for each offer of pieces, until its places are full.",
    actions=(
        (f"{WAYS} × piece", f"take that piece of the offer, 0 to {OFFERED - 1}, into the first free place of its kind"),
        (f"{WAYS} × piece + n", f"put it into place n for items, 1 to {MAX_ITEMS}: items act from left to right"),
        (str(LEAVING), f"leave the offer, at most {LEAVES} times; another one comes"),
    ),
    hidden="The dice, and with them the offers to come; in version 1 also how much pieces do.",
)


def spaces(version: int = 1) -> DraftSpaces:
    """What agents see and do in a draft of relics, with a version of observations.

    Raises:
        UsageError: there is no such version.
    """
    if version not in (1, 2):
        raise UsageError.of("version", f"is {version!r}; observations have versions 1 and 2 here")
    return DraftSpaces(TERMS, [*_features(), *(_further_features() if version > 1 else ())], LEAVING + 1)


def _features() -> Iterator[Feature]:
    """The entries of an observation, in the order of `BuildDraft.observe`."""
    yield Feature("filled", "places that are filled, of all", "share", 0, 1)
    yield Feature("leaves", "offers that may still be left, of all", "share", 0, 1)
    for who, whose in (("own", "your fighter"), ("enemy", "the other fighter")):
        for stat in STATS:
            meaning = f"{stat} of {whose} without pieces"
            yield Feature(f"{who}.{stat}", meaning, "hundreds, at most 10 either way", -LARGEST_SEEN, LARGEST_SEEN)
    for number in range(1, OFFERED + 1):
        for key in KINDS:
            meaning = f"whether piece {number} of the offer is {PLACES[key].one}"
            yield Feature(f"offer_{number}_kind.{key}", meaning, "0 or 1", 0, 1)
    for number in range(1, OFFERED + 1):
        yield from features_of_piece(f"offer_{number}", f"piece {number} of the offer")
    for who, whose in (("own", "your fighter"), ("enemy", "the other fighter")):
        for key, number in ALL_PLACES:
            name = f"{who}_{key}_{number + 1}"
            yield from features_of_piece(name, f"the piece in place {number + 1} for {key} of {whose}")


def _further_features() -> Iterator[Feature]:
    """What version 2 adds, in the order of `BuildDraft.observe`: the same pieces in the same order."""
    yield from described_pieces.features_of_content()
    for number in range(1, OFFERED + 1):
        yield from described_pieces.features_of_piece(f"offer_{number}", f"piece {number} of the offer")
    for who, whose in (("own", "your fighter"), ("enemy", "the other fighter")):
        for key, number in ALL_PLACES:
            piece = f"the piece in place {number + 1} for {key} of {whose}"
            yield from described_pieces.features_of_piece(f"{who}_{key}_{number + 1}", piece)


# Where the parts of an observation begin: shares and stats, kinds of the offer, its pieces, what is worn, the enemy's.
_KINDS_AT = 2 + 2 * len(STATS)
_OFFER_AT = _KINDS_AT + OFFERED * len(KINDS)
_WORN_AT = _OFFER_AT + OFFERED * PIECE_FEATURES
_ENEMY_AT = _WORN_AT + len(ALL_PLACES) * PIECE_FEATURES


def start(document: Document, side: int) -> BuildDraft:
    """The draft of a fighter's build before the battle of a resolved document."""
    return BuildDraft(document, side, LabHooks("relics"))


class BuildDraft(Draft):
    """The draft of a fighter's build.

    There are as many places as the fighter wears pieces in its scenario; if it wears none, all that the rules know.
    It can fight without pieces: every fighter has health of its own.
    """

    def __init__(self, document: Document, side: int, hooks: AnalysisHooks) -> None:
        self._document, self._side, self._hooks = document, side, hooks
        self._own, self._enemy = document[SIDES[side]], document[SIDES[1 - side]]
        counts = {key: len(worn_in(self._own, key)) for key in PLACES}
        counts = counts if any(counts.values()) else {key: place.room for key, place in PLACES.items()}
        self.places = [place for place, (key, number) in enumerate(ALL_PLACES) if number < counts[key]]

    @cached_property
    def _pool(self) -> PiecePool:
        return pool_for(self._document)

    @property
    def _pieces(self) -> dict[str, Document]:
        return self._pool.pieces

    @cached_property
    def _statuses(self) -> tuple[Array, Array]:
        """The own statuses that every build of this battle may have, from fighters and sets; those of each piece."""
        bare = {key: value for key, value in self._own.items() if key not in (*PLACES, "sets")}
        known = self._pool.known_statuses | dict(self._document.get("statuses", {}))
        return self._pool.statuses(frozenset(needed([bare, self._enemy, *self._pool.all_sets], known)), known)

    def begin(self, dice: Any) -> DraftState:
        """Nothing is worn, and the first offer lies there."""
        worn: tuple[str | None, ...] = (None,) * len(ALL_PLACES)
        return self._offered(DraftState(0, (), worn, LEAVES), dice)

    def _offered(self, state: DraftState, dice: Any) -> DraftState:
        """The same with the next offer: different pieces that could all be worn, by the dice of its own address."""
        is_free = np.array([bool(self._free(state, key)) for key in KINDS])
        candidates = self._pool.wearable(self._numbers(state.worn), is_free, *self._statuses).tolist()
        open_address(dice, state.offer + 1, self._side)
        offered = [candidates.pop(int(below(dice, len(candidates)))) for _ in range(min(OFFERED, len(candidates)))]
        names = tuple(self._pool.names[number] for number in offered)
        return DraftState(state.offer + 1, names, state.worn, state.leaves)

    def _numbers(self, names: Iterable[str | None]) -> list[int]:
        """The places of pieces in the pool."""
        return [self._pool.place[name] for name in names if name is not None]

    def _free(self, state: DraftState, key: str) -> list[int]:
        """The free places for pieces of a kind."""
        return [place for place in self.places if ALL_PLACES[place][0] == key and state.worn[place] is None]

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

    def observe(self, state: DraftState, version: int = 1) -> Array:
        """What the agent sees, (features,) float32, in a version of observations."""
        seen = self._seen_before.copy()
        seen[0], seen[1] = self.places_filled(state), state.leaves / LEAVES
        offered, places = self._numbers(state.offered), [at for at, name in enumerate(state.worn) if name is not None]
        seen[_KINDS_AT:_OFFER_AT].reshape(OFFERED, -1)[range(len(offered)), self._pool.kind[offered]] = 1.0
        of_offer, of_worn = self._pool.seen(offered, self._numbers(state.worn))
        seen[_OFFER_AT:_WORN_AT].reshape(OFFERED, -1)[: len(offered)] = of_offer
        seen[_WORN_AT:_ENEMY_AT].reshape(len(ALL_PLACES), -1)[places] = of_worn
        return seen if version == 1 else np.concatenate([seen, self._further(offered, state.worn)])

    def _further(self, offered: Sequence[int], worn: Sequence[str | None]) -> Array:
        """What version 2 adds."""
        rows = np.zeros((OFFERED + 2 * len(ALL_PLACES), described_pieces.WIDTH), np.float32)
        rows[: len(offered)] = self._pool.described[offered]
        for place, name in enumerate(worn):
            if name is not None:
                rows[OFFERED + place] = self._pool.described[self._pool.place[name]]
        rows[OFFERED + len(ALL_PLACES) :] = self._enemy_described
        return np.concatenate([self._content_described, rows.reshape(-1)])

    @cached_property
    def _enemy_described(self) -> Array:
        build = [piece for key in PLACES for piece in _in_full(worn_in(self._enemy, key), PLACES[key].room)]
        empty = np.zeros(described_pieces.WIDTH, np.float32)
        return np.stack([empty if piece is None else described_pieces.seen_of_piece(piece) for piece in build])

    @cached_property
    def _content_described(self) -> Array:
        # The own side first, as everywhere.
        bare = [{key: value for key, value in one.items() if key not in PLACES} for one in (self._own, self._enemy)]
        return np.array(described_pieces.seen_of_content(self._document, bare), np.float32)

    @cached_property
    def _seen_before(self) -> Array:
        """What the agent sees under any build of its own: the stats of both, and what the other fighter wears."""
        stats = [_own_stats(fighter)[stat] for fighter in (self._own, self._enemy) for stat in STATS]
        build = [piece for key in PLACES for piece in _in_full(worn_in(self._enemy, key), PLACES[key].room)]
        seen = np.zeros(_ENEMY_AT + len(build) * PIECE_FEATURES, np.float32)
        seen[2:_KINDS_AT] = [within(value / 100) for value in stats]
        seen[_ENEMY_AT:] = seen_of_build(build, self._pool)
        return seen

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
        """The resolved scenario with the build."""
        return self._hooks.with_part(SideRef(self._document, self._side + 1), BUILD, self.build(state))

    def build(self, state: DraftState) -> Document:
        """What is worn, as a build file has it."""
        worn: dict[str, Any] = {key: [] for key in PLACES if key != "weapon"}
        for place, name in enumerate(state.worn):
            key = ALL_PLACES[place][0]
            if name is not None and key == "weapon":
                worn["weapon"] = name
            elif name is not None:
                worn[key].append(name)
        return worn


def _in_full(worn: list[Document], room: int) -> list[Document | None]:
    """The pieces in a place, and None for each that is free."""
    return [*worn, *[None] * (room - len(worn))]


def _own_stats(fighter: Document) -> dict[str, int]:
    """A fighter's own stats, or those of the state that it is given in."""
    if "state" not in fighter:
        return dict(fighter["stats"])
    state = fighter["state"]
    return {"health": state["hp"], "attack": state["atk"], "armor": state["armor"], "speed": state["speed"]}
