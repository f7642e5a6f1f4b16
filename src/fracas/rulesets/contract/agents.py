"""The interface of a ruleset for agents: what they see, which actions they have, and the entry points that play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fracas.errors import UsageError
from fracas.rulesets.contract.readings import NetworkShape, Reading
from fracas.rulesets.contract.types import Compiled, Document


@dataclass(frozen=True)
class Feature:
    """One number that an agent sees."""

    name: str
    meaning: str
    unit: str
    low: float
    high: float
    is_vital: bool = False
    """Whether pictures and agents read from it how a side stands; rulesets that name their HP need not say so."""


@dataclass(frozen=True)
class Terms:
    """What an environment is like, in sentences for people."""

    decides: str
    """Who decides, and when."""
    actions: Sequence[tuple[str, str]]
    """Numbers of actions, and what they do."""
    hidden: str
    """What an agent does not see."""


# The most decisions that a saved battle holds.
MOST_DECISIONS = 1 << 18

# What games say, and what you can do instead.
UNTRAINED = (
    "training needs network=, which the game does not give",
    'write Game(..., network="trained.json"), or train with a library of your own on fracas.envs.battle()',
)


def _not_named(document: Document, side: int, network: Mapping[str, Any]) -> Document:
    """Refuse a trained policy: those of games play as agents.

    Raises:
        UsageError: always.
    """
    raise UsageError.of("network", "is none that scenarios of games can name", "load_policy() makes an agent of it")


def _nothing(battle: Any, side: int) -> Any:
    return np.zeros(0, np.float32)


@dataclass(frozen=True)
class AgentInterface:
    """A ruleset's battles as episodes for agents. Sides count from 0."""

    terms: Terms
    simultaneous: bool
    """Whether both sides decide at once, not in turns."""
    actions: int
    features: Sequence[Feature]
    step_many: Callable[..., None]
    """The entry point that `kernel/stepping.py` describes."""
    cursor_length: int
    battle_types: Sequence[np.dtype[Any]]
    """Record types from the narrowest to the ruleset's own; the first that fits a battle plays it."""
    fits: Callable[[Compiled, np.dtype[Any]], bool]
    """Whether a compiled battle fits into the arrays of a record type."""
    action_names: Callable[[Document, int], list[str]]
    """The names of a side's actions, by number."""
    given_to_agents: Callable[[Any, Sequence[int]], None]
    """Changes a battle's record so that the agents' sides draw no dice to decide."""
    play_script: Callable[..., None]
    """The entry point that replays a battle with the agents' decisions, also of `kernel/stepping.py`."""
    actor_of: Callable[[Any, int, Any], int]
    encode: Callable[[Any, int, int, int], int]
    """The two kernels that turn an action into a decision and back, of `kernel/stepping.py`."""
    decode: Callable[[int, int], tuple[int, int]]
    """The choice and the target of a side's action."""
    content_players: Callable[[], Sequence[tuple[str, Any]]]
    """Who of the content can play a side: a name and a policy or strategy, None for what the scenario says."""
    network: NetworkShape | None = None
    """What trained policies are made of; None where nothing says which numbers a policy reads."""
    with_network: Callable[[Document, int, Mapping[str, Any]], Document] = _not_named
    """The scenario in which a trained policy, as in its file, plays a side."""
    trained_file: Path | None = None
    """Where a game keeps its trained policy, which need not be there yet."""
    observation_hash: str = ""
    """What tells observations of a game apart, 64 hex digits; empty where the environment's version does."""
    lasting: Sequence[Feature] = ()
    """What version 2 of observations adds of the battle's state: how strong lasting things are, and how long they last.
    """
    reading: Callable[[Sequence[str]], Reading] | None = None
    """Of the names of version 2 those that trained policies read."""
    described: Sequence[Feature] = ()
    """What version 2 adds of the content, last: the same in all observations of a battle."""
    describe: Callable[[Any, int], Any] = _nothing
    """What a side knows of the content of a battle's record: (described,) float32."""

    def seen_in(self, version: int) -> Sequence[Feature]:
        """The entries of an observation of a version: 1 is `features`, 2 adds what lasts and the description.

        Raises:
            UsageError: there is no such version.
        """
        if version == 1:
            return self.features
        if version == 2 and self.described:
            return [*self.features, *self.lasting, *self.described]
        known = "versions 1 and 2" if self.described else "version 1"
        raise UsageError.of("version", f"is {version!r}; observations have {known} here")

    def trained(self, ruleset: str, version: int = 1) -> Reading:
        """What trained policies read of a version of observations.

        Raises:
            UsageError: the game's policies cannot be trained here, or there is no such version.
        """
        if self.network is None:
            raise UsageError.of(ruleset, *UNTRAINED)
        features = self.seen_in(version)
        if version == 1 or self.reading is None:
            return Reading.plain(self.network)
        return self.reading([feature.name for feature in features])
