"""What agents are worth: all against all, from both sides, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from fracas.engine.scenario import Scenario
from fracas.envs.agents.contest import BATTLES_OF_BUILDS, Items, Meeting, contest_in
from fracas.envs.agents.players import Player, player_of
from fracas.envs.scenarios import ScenarioSource, scenarios_of
from fracas.errors import UsageError

MOST_BATTLES, MOST_PLAYERS, MOST_DRAFTS = 100_000, 64, 1000

Tell = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Strength:
    """All players against all others in one scenario."""

    ruleset: str
    scenario: str
    seed: str
    battles: int
    """Battles of each pair."""
    players: tuple[str, ...]
    """The best first, by their share of wins against all others."""
    meetings: tuple[Meeting, ...]
    observation: str = ""
    """Of a game, the observation hash that its agents saw."""
    drafts: int | None = None
    """In rulesets with drafts, how many builds each drafted for each side."""

    def meeting(self, first: str, second: str) -> Meeting:
        """How the first fared against the second."""
        for each in self.meetings:
            if (each.first, each.second) == (first, second):
                return each
            if (each.second, each.first) == (first, second):
                return each.turned()
        raise UsageError.of("players", f"{first} and {second} did not meet")

    def overall(self, name: str) -> Meeting:
        """How a player fared against all others together."""
        own = [self.meeting(name, other) for other in self.players if other != name]
        battles, wins, draws = (sum(getattr(each, key) for each in own) for key in ("battles", "wins", "draws"))
        # All others are met in the same items, so that an item is one sample.
        items = zip(*(each.samples for each in own), strict=True)
        return Meeting(name, "all", battles, wins, draws, tuple(sum(scores) / len(own) for scores in items))

    def as_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "ruleset": self.ruleset,
            "scenario": self.scenario,
            "seed": self.seed,
            "battles_per_pair": self.battles,
            **({"observation": self.observation} if self.observation else {}),
            **({"drafts": self.drafts} if self.drafts else {}),
            "players": [_plain(self.overall(name), "player") for name in self.players],
            "meetings": [
                _plain(self.meeting(one, other), "player", "against")
                for one in self.players
                for other in self.players
                if one != other
            ],
        }


def _plain(meeting: Meeting, first: str, second: str | None = None) -> dict[str, Any]:
    low, high = meeting.interval
    return {
        first: meeting.first,
        **({second: meeting.second} if second else {}),
        "battles": meeting.battles,
        "wins": meeting.wins,
        "draws": meeting.draws,
        "score": meeting.score,
        "interval": [low, high],
    }


def strength_table(
    ruleset: str,
    players: Sequence[Player],
    battles: int = 200,
    scenario: ScenarioSource | None = None,
    seed: str = "strength",
    tell: Tell | None = None,
) -> Strength:
    """Let all players meet all others, in one scenario. Each battle is played twice, with sides swapped.

    What two players do to each other depends neither on their order nor on who else takes part.

    Args:
        ruleset: The ruleset's name.
        players: Who meets, 2 to 64.
        battles: Battles of each pair, 2 to 100,000, half of them from each side; odd numbers are rounded up. In
            rulesets with drafts the drafts of each player for each side, 1 to 1,000; two builds fight ten battles from
            each side.
        scenario: What is played; None is the ruleset's standard example.
        seed: The seed text of battles and agents.
        tell: Called before each pair with how many are done, how many there are, and who meets.

    Raises:
        UsageError: too few or too many players or battles, two players of the same name, or an agent that does not play
            this ruleset or chooses what is not legal.
        InputError: a scenario or policy that does not load.
    """
    names = [player.name for player in players]
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise UsageError.of("players", f"are {len(players)}; 2 to {MOST_PLAYERS} are allowed")
    if len(set(names)) < len(names):
        raise UsageError.of("players", f"has two of the same name: {', '.join(names)}")
    for player in players:
        if player.agent is not None:
            player_of(ruleset, player.agent, player.name)
    played = load_standard(ruleset, scenario)
    is_draft = played.ruleset.draft is not None
    least, most = (1, MOST_DRAFTS) if is_draft else (2, MOST_BATTLES)
    if not least <= battles <= most:
        raise UsageError.of("battles", f"is {battles}; {least} to {most:,} {'drafts ' if is_draft else ''}are allowed")
    items = battles if is_draft else (battles + 1) // 2
    contest = contest_in(Items((played,), items, seed))
    meetings = []
    pairs = list(combinations(players, 2))
    for done, (one, other) in enumerate(pairs):
        if tell is not None:
            tell(done, len(pairs), f"{one.name} against {other.name}")
        meetings.append(contest.meet(one, other))
    table = Strength(
        ruleset,
        played.document["id"],
        seed,
        2 * items * (BATTLES_OF_BUILDS if is_draft else 1),
        (*names,),
        (*meetings,),
        "" if is_draft else played.ruleset.agent_interface().observation_hash,
        items if is_draft else None,
    )
    best = sorted(names, key=lambda name: -table.overall(name).score)
    return replace(table, players=(*best,))


def load_standard(ruleset: str, scenario: ScenarioSource | None) -> Scenario:
    """The scenario that is played."""
    return scenarios_of(ruleset, scenario)[0]
