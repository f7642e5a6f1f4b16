"""Agents that draft builds: at random, by stats, by looking ahead, by tree search, by learned preferences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from fracas.content.validate import Model, validate
from fracas.envs.agents.agent import generator
from fracas.envs.agents.network import SQUASHED
from fracas.envs.agents.tree_search import LOGARITHMS
from fracas.envs.battles.search import SEARCH
from fracas.envs.drafting.match import DraftMatch
from fracas.errors import InputError, UsageError
from fracas.files.read import read_named_document
from fracas.rulesets import registry
from fracas.rulesets.contract.drafts import Array, DraftSpaces, DraftState
from fracas.rulesets.shared.network_model import environment_version

LARGEST_WORTH = 1000.0
MOST_PIECES = 4096
# What tells pieces apart, but not what they do.
UNRATED = (".number", ".mark_1", ".mark_2")
# Of the battles that tell what a draft is worth.
TRIAL_BATTLES = 4


class Drafter(ABC):
    """Chooses in drafts. The same seed gives the same choices."""

    name: str
    version = 1
    """The version of observations that it reads: 2 for environments whose ids end in -v2."""

    @abstractmethod
    def begin(self, seed: str) -> None:
        """Forget everything, and draw from now on by this seed text."""

    @abstractmethod
    def choose(self, match: DraftMatch) -> int:
        """The action in the draft as it stands."""


class RandomDrafter(Drafter):
    """Takes any legal action, all equally likely."""

    name = "random"

    def __init__(self) -> None:
        self.begin("random")

    def begin(self, seed: str) -> None:
        self._rng = generator(seed)

    def choose(self, match: DraftMatch) -> int:
        return int(self._rng.choice(np.flatnonzero(match.mask())))


class SeeingDrafter(Drafter):
    """A function from an observation of an environment to an action."""

    def __init__(self, choose: Callable[[dict[str, Any]], Any], name: str, version: int = 1) -> None:
        self.name, self._choose, self.version = name, choose, version

    def begin(self, seed: str) -> None:
        pass

    def choose(self, match: DraftMatch) -> int:
        return int(self._choose(match.seen()))


class GreedyDrafter(Drafter):
    """Takes the piece that adds the most health, attack, armor and speed together; the first of equals."""

    name = "greedy"
    stats = ("health", "attack", "armor", "speed")

    def begin(self, seed: str) -> None:
        pass

    def choose(self, match: DraftMatch) -> int:
        places = {feature.name: place for place, feature in enumerate(match.spaces.features)}
        seen, legal = match.seen()["observation"], takes_of(match)
        offers = [[places[f"offer_{number}.{stat}"] for stat in self.stats] for number in range(1, len(legal) + 1)]
        sums = [float(seen[entries].sum()) for entries in offers]
        return legal[int(np.argmax(sums))]


class LookAheadDrafter(Drafter):
    """Tries every piece of the offer, completes the build at random, and takes what won most; never leaves.

    `rounds` completed builds fight a few battles each. They are spread evenly over the choices, or with `curious` more
    to those that go best (UCB1 at the root of the tree). Offers and battles of the search have dice of their own.
    """

    def __init__(self, rounds: int = 3, name: str = "look-ahead", *, curious: bool = False) -> None:
        self.name, self.rounds, self.curious = name, rounds, curious
        self.begin(name)

    def begin(self, seed: str) -> None:
        self._seed, self._number = seed + SEARCH, 0
        self._rng = generator(seed)

    def choose(self, match: DraftMatch) -> int:
        choices = takes_of(match)
        visits, totals = np.zeros(len(choices)), np.zeros(len(choices))
        for turn in range(max(self.rounds, len(choices))):
            place = turn % len(choices)
            if self.curious and turn >= len(choices):
                place = int((totals / visits + np.sqrt(LOGARITHMS[turn] / visits)).argmax())
            self._number += 1
            totals[place] += match.worth_of(choices[place], self._seed, self._number, TRIAL_BATTLES, self._rng)
            visits[place] += 1
        return choices[int((visits if self.curious else totals / visits).argmax())]


class PreferenceDrafter(Drafter):
    """Takes the offered piece that it likes best; leaves an offer in which it likes nothing better than leaving."""

    def __init__(self, worth: Mapping[str, float], leaving: float, name: str = "trained") -> None:
        self.name, self.worth, self.leaving = name, dict(worth), leaving

    def begin(self, seed: str) -> None:
        pass

    def choose(self, match: DraftMatch) -> int:
        legal, state = takes_of(match), match.current_state()
        worth = [self.worth.get(name, 0.0) for name in state.offered]
        if match.mask()[match.spaces.actions - 1] and max(worth) < self.leaving:
            return match.spaces.actions - 1
        return legal[int(np.argmax(worth))]


class DescribedDrafter(PreferenceDrafter):
    """The same in version 2 of observations: it likes what pieces do, not pieces by their ids.

    `worth` rates the entries of an offered piece by their names, as "health" or "does.deal"; a piece is worth the sum
    of all its entries, drawn together, times their ratings.
    """

    version = 2

    def choose(self, match: DraftMatch) -> int:
        names, _ = offer_entries(match.spaces)
        ratings = np.array([self.worth.get(name, 0.0) for name in names])
        legal = takes_of(match)
        # Rounded, because processors add in different orders, and drafts must be the same on all.
        worth = np.round(offers_told(match)[: len(legal)] @ ratings, 6)
        if match.mask()[match.spaces.actions - 1] and worth.max() < self.leaving:
            return match.spaces.actions - 1
        return legal[int(np.argmax(worth))]


@lru_cache(maxsize=2)
def offer_entries(spaces: DraftSpaces) -> tuple[list[str], Array]:
    """The entries that tell of an offered piece: their names, and their places for each piece, (pieces, entries)."""
    places = {feature.name: place for place, feature in enumerate(spaces.features)}
    first = [name for name in places if name.startswith(("offer_1_", "offer_1."))]
    names = [name.removeprefix("offer_1")[1:] for name in first if not name.endswith(UNRATED)]
    ways = [name for name in first if not name.endswith(UNRATED)]
    found = [[places[name.replace("offer_1", f"offer_{n}", 1)] for name in ways] for n in range(1, OFFER_SIZE + 1)]
    return names, np.array(found)


def offers_told(match: DraftMatch) -> Array:
    """What is told of the offered pieces, (pieces, entries) float64, drawn together as inputs of policies are."""
    told: Array = match.seen()["observation"][offer_entries(match.spaces)[1]].astype(np.float64)
    return told * SQUASHED / (SQUASHED + np.abs(told))


def takes_of(match: DraftMatch) -> list[int]:
    """The actions that take a piece of the offer into the first free place, in the order of the offer."""
    state: DraftState = match.current_state()
    ways = (match.spaces.actions - 1) // OFFER_SIZE
    return [number * ways for number in range(len(state.offered))]


# How many pieces lie in an offer: leaving is the last action, the others are shared out evenly.
OFFER_SIZE = 3

Worth = Annotated[float, Field(ge=-LARGEST_WORTH, le=LARGEST_WORTH)]
PieceId = Annotated[str, Field(min_length=1, max_length=80)]


class Preferences(Model):
    """What a trained drafter likes."""

    ruleset: Annotated[str, Field(min_length=1, max_length=40)]
    version: Annotated[int, Field(ge=1, le=10_000)]
    """The version of the environment that it was trained in: 1 for fracas/Relics-v1."""
    leaving: Worth
    """What an offer must beat; else it is left."""
    worth: Annotated[dict[PieceId, Worth], Field(max_length=MOST_PIECES)]
    """How much each piece is liked, by its id, or in version 2 each entry of an offered piece; 0 if missing."""


class PreferenceFile(Model):
    """A file with a trained drafter."""

    preferences: Preferences
    note: Annotated[str, Field(max_length=10_000)] = ""


def load_preferences(path: str | Path, name: str | None = None) -> PreferenceDrafter:
    """The drafter in a file.

    Raises:
        InputError: the file is broken, or of another ruleset or version.
    """
    found = validate(PreferenceFile, read_named_document(Path(path)), str(path)).preferences
    where = f"{path}: preferences"
    if found.ruleset not in registry.NAMES:
        raise InputError.of(f"{where}.ruleset", f'there is no ruleset "{found.ruleset}"')
    ruleset = registry.get(found.ruleset)
    ruleset.required(ruleset.draft, "draft", "RULESET", UsageError)
    version = environment_version(found.ruleset, ruleset.rules_version)
    drafters = {version: PreferenceDrafter, version + 1: DescribedDrafter}
    if found.version not in drafters:
        message = f"was trained in version {found.version} of the environment; this is version {version}"
        raise InputError.of(where, message, "train it again and export it")
    return drafters[found.version](found.worth, found.leaving, name or Path(path).stem)


def preferences_document(ruleset: str, worth: Mapping[str, float], leaving: float, version: int = 1) -> dict[str, Any]:
    """The plain values of a file with a trained drafter, which reads a version of observations."""
    number = environment_version(ruleset, registry.get(ruleset).rules_version) + version - 1
    liked = {name: round(float(value), 4) for name, value in sorted(worth.items())}
    values = {"ruleset": ruleset, "version": number, "leaving": round(float(leaving), 4), "worth": liked}
    return PreferenceFile.model_validate({"preferences": values}).model_dump(exclude={"note"})


def drafted(match: DraftMatch, drafter: Drafter, seed: str, number: int) -> DraftState:
    """Draft number `number` of a seed text, as a drafter does it; the battle at its end is not played."""
    match.begin_at(seed, number)
    while match.current_state().offered:
        match.choose(drafter.choose(match))
    return match.current_state()
