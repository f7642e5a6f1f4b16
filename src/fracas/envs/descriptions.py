"""What there is to learn in: each environment with its id, its spaces and its size. Needs no extra."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from fracas.api.arguments import load
from fracas.envs.names import DRAFTED, ENVIRONMENTS, VERSIONS, environment_id, version_of
from fracas.envs.scenarios import standard_example
from fracas.errors import UsageError
from fracas.rulesets import registry
from fracas.rulesets.contract.agents import AgentInterface, Feature, Terms

if TYPE_CHECKING:
    from gymnasium import spaces

LIBRARIES = ("gymnasium", "pettingzoo")
INSTALL = "pip install 'fracas[envs]'"
# What stands beside a record for each environment: where it stands, its stream, whether it ended.
STATE_BYTES, STREAM_BYTES, ENDED_BYTES = 8, 8, 1
START_BYTES, KEY_BYTES = 8, 32
FLOAT_BYTES, REWARD_BYTES, ACTION_BYTES, LEGAL_BYTES = 4, 8, 8, 1
# A block is looked for among this many names in a row.
LONGEST_PERIOD = 24


@dataclass(frozen=True)
class Description:
    """An environment, as lists and pages show it."""

    ruleset: str
    id: str
    """What makes the environment with one agent: an id for `gymnasium.make`, or of a game a call."""
    for_both: str | None
    """What makes the environment in which agents play both sides; None if there is none."""
    simultaneous: bool
    terms: Terms
    features: Sequence[Feature]
    actions: int
    bytes_per_environment: int
    """What one environment of a batch with one agent takes, for the standard example; of drafts, what is seen."""
    version: int = 1
    """Of observations."""
    observation_hash: str = ""
    """What tells observations of a game apart; empty for shipped rulesets, whose environments have versions."""

    def as_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "ruleset": self.ruleset,
            "id": self.id,
            "version": self.version,
            "both_sides": self.for_both,
            "simultaneous": self.simultaneous,
            "decides": self.terms.decides,
            "observation": len(self.features),
            "actions": self.actions,
            "bytes_per_environment": self.bytes_per_environment,
            **({"observation_hash": self.observation_hash} if self.observation_hash else {}),
        }


@dataclass(frozen=True)
class Block:
    """Entries of an observation that repeat: this many names, each with the same entries, from an offset on."""

    names: Sequence[str]
    first: int
    features: Sequence[Feature]
    """The entries of the first name."""


def missing_libraries() -> list[str]:
    """The libraries of the extra that are not installed."""
    return [name for name in LIBRARIES if find_spec(name) is None]


def versions_of(ruleset: str) -> Sequence[int]:
    """The versions of observations that a ruleset's environments have; a game has one."""
    return VERSIONS if ruleset in ENVIRONMENTS else VERSIONS[:1]


def describe(ruleset: str, version: int = 1) -> Description:
    """The environment of a ruleset, or of a game, with a version of observations.

    Raises:
        InputError: there is no such ruleset or game.
        UsageError: nobody decides anything in its battles.
    """
    found = registry.get(ruleset, "RULESET")
    if ruleset in DRAFTED:
        spaces = found.required(found.draft, "draft", "RULESET", UsageError).spaces(version)
        return Description(
            ruleset=ruleset,
            id=environment_id(ruleset, version),
            version=version,
            for_both=None,
            simultaneous=False,
            terms=spaces.terms,
            features=spaces.features,
            actions=spaces.actions,
            bytes_per_environment=FLOAT_BYTES * len(spaces.features) + spaces.actions,
        )
    interface = found.agent_interface()
    if ruleset in ENVIRONMENTS:
        maker = "parallel_env" if interface.simultaneous else "env"
        made, for_both = (
            environment_id(ruleset, version),
            f"fracas.envs.{ruleset}_v{version_of(ruleset, version)}.{maker}()",
        )
    else:
        made, for_both = f'fracas.envs.battle("{ruleset}")', f'fracas.envs.battle("{ruleset}", side="both")'
    return Description(
        ruleset=ruleset,
        id=made,
        for_both=for_both,
        simultaneous=interface.simultaneous,
        terms=interface.terms,
        version=version,
        features=interface.seen_in(version),
        actions=interface.actions,
        bytes_per_environment=_bytes_of(ruleset, interface, version),
        observation_hash=interface.observation_hash,
    )


def _bytes_of(ruleset: str, interface: AgentInterface, version: int) -> int:
    """The bytes of an environment's record and of its rows in the arrays of a batch, for one agent.

    What was seen last is not counted, which a batch that begins battles at once keeps too.
    """
    compiled = load(standard_example(ruleset)).compiled
    record = next(kind.itemsize for kind in interface.battle_types if interface.fits(compiled, kind))
    seen = FLOAT_BYTES * len(interface.seen_in(version)) + interface.actions + REWARD_BYTES + ACTION_BYTES + LEGAL_BYTES
    beside = STATE_BYTES + STREAM_BYTES + START_BYTES + KEY_BYTES + ENDED_BYTES
    return record + 8 * interface.cursor_length + beside + seen


def blocks_of(features: Sequence[Feature]) -> Iterator[Block]:
    """The entries of an observation, in which equal ones in a row are one block with several names."""
    segments = list(_segments(features))
    place = offset = 0
    while place < len(segments):
        period, count = _repeats(segments[place:])
        entries = [feature for segment in segments[place : place + period] for feature in segment]
        firsts = segments[place : place + period * count : period]
        yield Block([_stem(segment[0]) for segment in firsts], offset, entries)
        offset += len(entries) * count
        place += period * count


def _stem(feature: Feature) -> str:
    return feature.name.rpartition(".")[0]


def _leaf(feature: Feature) -> str:
    return feature.name.rpartition(".")[2]


def _segments(features: Sequence[Feature]) -> Iterator[list[Feature]]:
    """Entries in a row whose names have one stem."""
    segment: list[Feature] = []
    for feature in features:
        if segment and _stem(feature) != _stem(segment[0]):
            yield segment
            segment = []
        segment.append(feature)
    if segment:
        yield segment


def _repeats(segments: Sequence[Sequence[Feature]]) -> tuple[int, int]:
    """Of how many segments what begins here consists, and how often it comes in a row."""
    leaves = [[_leaf(feature) for feature in segment] for segment in segments]
    best = (1, 1)
    for period in range(1, LONGEST_PERIOD + 1):
        count = 1
        while leaves[period * count : period * (count + 1)] == leaves[:period] and len(leaves) >= period * (count + 1):
            count += 1
        if count > 1 and period * count > best[0] * best[1]:
            best = (period, count)
    return best


def observation_space(features: Sequence[Feature], actions: int) -> spaces.Dict:
    """What an agent sees: `observation` (features,) float32 and `action_mask` (actions,) int8. Needs the extra."""
    from gymnasium import spaces

    low = np.array([feature.low for feature in features], np.float32)
    high = np.array([feature.high for feature in features], np.float32)
    return spaces.Dict(
        {"observation": spaces.Box(low, high, dtype=np.float32), "action_mask": spaces.MultiBinary(actions)}
    )
