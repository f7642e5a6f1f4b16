"""The card: one number that says what an agent is worth, against a fixed pool in fixed battles.

The suite of a ruleset has three parts. `standard` are battles of its standard example; where sides are of one kind,
each side against itself. `train` and `test` are battles of its generator (`random_scenarios`). Each is played twice,
with sides swapped and the same dice, so that a player against itself scores exactly one half. The number is the mean
score against the pool in `standard` and `test`. What may have been trained on stands beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from fracas.content.packs import examples_folder
from fracas.engine.scenario import Scenario, load_scenario
from fracas.envs.agents.contest import BATTLES_OF_BUILDS, Contest, Items, Meeting, contest_in, interval_of
from fracas.envs.agents.players import Player, notes_on, player_of, reference_agents
from fracas.envs.agents.strength import MOST_PLAYERS, Tell, load_standard
from fracas.envs.arguments import shown
from fracas.envs.names import version_of
from fracas.envs.scenarios import Random, random_scenarios
from fracas.errors import UsageError
from fracas.kit import Game
from fracas.rulesets.contract.analysis import SideRef

SEED = "card"
# Battles of each part, each played from both sides. Where agents draft, two builds fight ten for each of them.
ITEMS, ITEMS_OF_DRAFTS = 16, 8
STANDARD, TRAIN, TEST = PARTS = ("standard", "train", "test")
COUNTED = (STANDARD, TEST)
# Those of the reference agents that are on every card.
POOL = ("random", "greedy", "look-ahead", "tree search", "trained", "scenario")


@dataclass(frozen=True)
class CardEntry:
    """What one player is worth."""

    player: str
    meetings: Mapping[str, Meeting]
    """Against each of the pool but itself, in the order of the pool."""
    pool: tuple[str, ...]
    items: int
    """Items of each part."""

    @cached_property
    def samples(self) -> tuple[float, ...]:
        """The mean score against the pool in each item, 0 to 1; against itself it is a half."""
        own = [self.meetings[name].samples for name in self.pool if name in self.meetings]
        halves = (len(self.pool) - len(own)) / 2
        return tuple((sum(scores) + halves) / len(self.pool) for scores in zip(*own, strict=True))

    def of(self, *parts: str) -> tuple[float, ...]:
        """The samples of some parts of the suite."""
        return tuple(sample for place, sample in enumerate(self.samples) if PARTS[place // self.items] in parts)

    @property
    def score(self) -> float:
        """The number: the mean score against the pool in the standard battles and those of the test split, 0 to 1."""
        return _mean(self.of(*COUNTED))

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95% interval. It rests on battles, not on the pool, which is what it is."""
        return interval_of(self.of(*COUNTED))

    def as_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "player": self.player,
            "score": self.score,
            "interval": list(self.interval),
            "parts": {
                part: {"score": _mean(self.of(part)), "interval": list(interval_of(self.of(part)))} for part in PARTS
            },
            "against": {name: meeting.score for name, meeting in self.meetings.items()},
        }


@dataclass(frozen=True)
class Card:
    """What players are worth in a ruleset."""

    ruleset: str
    version: int
    """The version of the environment."""
    observation: str
    """Of a game, its observation hash."""
    battles: int
    """Battles of each pair."""
    pool: tuple[str, ...]
    entries: tuple[CardEntry, ...]
    """The best first."""
    notes: tuple[str, ...]

    def __getitem__(self, name: str) -> CardEntry:
        """The entry of a player.

        Raises:
            UsageError: nobody on the card has that name.
        """
        for entry in self.entries:
            if entry.player == name:
                return entry
        known = ", ".join(entry.player for entry in self.entries)
        raise UsageError.of("player", f"{shown(name)} is not on this card", f"on it are {known}")

    def as_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "ruleset": self.ruleset,
            "version": self.version,
            **({"observation": self.observation} if self.observation else {}),
            "seed": SEED,
            "items": dict.fromkeys(PARTS, self.entries[0].items),
            "battles_per_pair": self.battles,
            "pool": list(self.pool),
            "players": [entry.as_json() for entry in self.entries],
            "notes": list(self.notes),
        }


def score_card(ruleset: str, *agents: Any, tell: Tell | None = None) -> Card:
    """Play the card of a ruleset.

    Args:
        ruleset: The ruleset or game.
        agents: Whom to score: players, agents, functions from an observation to an action, or the names of files as
            `player_of` takes them. None of them: the pool itself.
        tell: Called before each pair with how many are done, how many there are, and who meets.

    Raises:
        UsageError: the ruleset has no agents, two players have the same name, or one of them plays something else or
            chooses what is not legal.
        InputError: a file is missing or broken.
    """
    pool = card_pool(ruleset)
    players = [player_of(ruleset, agent) for agent in agents]
    names = [player.name for player in (*pool, *players)]
    if len(names) > MOST_PLAYERS:
        raise UsageError.of("agents", f"are {len(players)}; at most {MOST_PLAYERS - len(pool)} fit on a card")
    for name in names:
        if names.count(name) > 1:
            raise UsageError.of("agents", f'"{name}" is the name of two; call yours something else')
    contest = card_contest(ruleset)
    pairs = [(one, other) for one in players for other in pool] or list(combinations(pool, 2))
    meetings: dict[tuple[str, str], Meeting] = {}
    for done, (one, other) in enumerate(pairs):
        if tell is not None:
            tell(done, len(pairs), f"{one.name} against {other.name}")
        meeting = meetings[one.name, other.name] = contest.meet(one, other)
        meetings[other.name, one.name] = meeting.turned()
    in_pool = tuple(player.name for player in pool)
    each = contest.items.count // len(PARTS)
    entries = []
    for player in players or pool:
        against = {name: meetings[player.name, name] for name in in_pool if name != player.name}
        entries.append(CardEntry(player.name, against, in_pool, each))
    found = contest.items.scenarios[0].ruleset
    is_draft = found.draft is not None
    return Card(
        ruleset,
        version_of(ruleset),
        "" if is_draft else found.agent_interface().observation_hash,
        2 * contest.items.count * (BATTLES_OF_BUILDS if is_draft else 1),
        in_pool,
        tuple(sorted(entries, key=lambda entry: -entry.score)),
        tuple(notes_on(ruleset)) if isinstance(found, Game) else (),
    )


def card_pool(ruleset: str) -> list[Player]:
    """Whom everybody on the card of a ruleset meets."""
    known = {player.name: player for player in [*reference_agents(ruleset), Player("scenario")]}
    return [known[name] for name in POOL if name in known]


def card_contest(ruleset: str) -> Contest:
    """The battles of a card."""
    standard = standard_battles(load_standard(ruleset, None))
    each = ITEMS if standard[0].ruleset.draft is None else ITEMS_OF_DRAFTS
    parts = [standard[number % len(standard)] for number in range(each)]
    for split in (TRAIN, TEST):
        parts += random_scenarios(ruleset, Random(split=split, count=each))
    return contest_in(Items(tuple(parts), each * len(PARTS), SEED))


def standard_battles(scenario: Scenario) -> list[Scenario]:
    """The standard example; where sides are of one kind, side 1 against itself and side 2 against itself instead."""
    hooks, document = scenario.ruleset.analysis, scenario.document
    if not hooks.sides_are_alike:
        return [scenario]
    sides = [SideRef(document, side) for side in (1, 2)]
    return [load_scenario(hooks.matchup(side, side)) for side in sides]


def published(ruleset: str) -> dict[str, Any]:
    """The kept card of a ruleset's pool, in the form of `Card.as_json`; without players where none is kept.

    None is kept of games, nor of another version of a ruleset's environment.
    """
    file = examples_folder() / "envs" / "cards" / f"{ruleset}.json"
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return kept if kept.get("version") == version_of(ruleset) else {"players": []}


def _mean(samples: Sequence[float]) -> float:
    return sum(samples) / len(samples)
