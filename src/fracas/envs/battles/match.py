"""One battle that agents play: seeds and streams, decisions, its replay, its picture, and copies to search in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from fracas.engine.battle import Battle
from fracas.engine.decided_battle import decided_battle, decisions_of, play_decisions
from fracas.engine.replay_file import Decisions
from fracas.engine.scenario import Scenario
from fracas.envs.arguments import options_of, seed_of, shown, whole_number
from fracas.envs.batch import Array, BattleBatch
from fracas.envs.battles.rendering import drawing
from fracas.envs.battles.search import SearchBatch, forget_dice
from fracas.errors import UsageError
from fracas.events.styled_text import plain_text
from fracas.kernel.dice import seek_stream
from fracas.kernel.event_protocol import STORY
from fracas.kernel.stepping import DISABLED, OVER, PLAYING
from fracas.rulesets.shared.seeds import fingerprint

RENDER_MODES = ("ansi", "rgb_array")
MOST_SAMPLES = 1 << 16
LAST_STREAM = (1 << 62) - 1
# How many legal actions a message names.
SHOWN_ACTIONS = 12

Observation = dict[str, Array]


@dataclass(frozen=True)
class Snapshot:
    """A battle in the middle, to go back to. It holds no dice: what will be rolled cannot be read from it."""

    record: bytes
    cursor: bytes
    stream: int
    decisions: tuple[tuple[int, int, int, int], ...]
    battle: str
    """A hash of the seed, the scenario and the sides that agents play, which `restore` compares."""


# The snapshots that this process has made, by identity. The bytes of others never reach the rules.
_MADE_HERE: WeakValueDictionary[int, Snapshot] = WeakValueDictionary()


@dataclass(frozen=True)
class Children:
    """Battles one step on from a state, each with other dice: n of them.

    observations: (n, agents, features) float32. masks: (n, agents, actions) int8. rewards: (n, agents). ended: (n,).
    """

    observations: Array
    masks: Array
    rewards: Array
    ended: Array


class Match:
    """A battle of which agents play some sides. `agents` are the sides, 0 or 1, that decide from outside."""

    def __init__(self, scenarios: Sequence[Scenario], agents: Sequence[int], render_mode: str | None = None) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise UsageError.of("render_mode", f"is {shown(render_mode)}; take ansi or rgb_array")
        self.render_mode = render_mode
        self.batch = BattleBatch(scenarios, agents, 1)
        self.seed: str | None = None
        self.rows: list[tuple[int, int, int, int]] = []
        self._search: SearchBatch | None = None
        self._marked: tuple[tuple[str | None, int], str] | None = None

    @property
    def stream(self) -> int:
        """The number of the battle."""
        return int(self.batch.streams[0])

    @property
    def scenario(self) -> Scenario:
        """What is played."""
        return self.batch.content_of(0)

    @property
    def is_over(self) -> bool:
        """Whether the battle is decided."""
        return bool(self.batch.states[0] == OVER)

    def begin(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """Begin the next battle; with a seed, battle 0 of that seed; with the option `stream`, that battle.

        Without any seed the dice are those of the scenario's own.

        Raises:
            UsageError: a seed, a stream or options that are none.
        """
        stream = options_of(options).get("stream")
        if stream is not None:
            stream = whole_number("stream", stream, 0, LAST_STREAM)
        if seed is not None:
            text, following = str(seed_of("seed", seed)), 0
        elif self.seed is None:
            text, following = self.batch.scenarios[0].seed, 0
        else:
            text, following = self.seed, self.stream + 1
        self.begin_at(text, following if stream is None else stream)

    def begin_at(self, seed: str, stream: int) -> None:
        """Begin a battle of a seed text by its number."""
        self.seed = seed
        self.batch.streams[0] = stream
        self.batch.reseed([seed])
        self.batch.begin()
        self.rows = []

    def deciding(self) -> list[int]:
        """The places among `agents` of those who have something to decide now."""
        return [] if self.is_over else np.flatnonzero(self.batch.masks[0].any(axis=1)).tolist()

    def play(self, actions: Sequence[int]) -> list[bool]:
        """Make the decisions of all agents, those who have none give anything; whether each was legal.

        Raises:
            UsageError: no battle is under way.
        """
        if self.batch.states[0] != PLAYING:
            raise UsageError.of("step", "there is no battle under way; call reset() first")
        chosen = np.array([actions], np.int64)
        was_legal = self.batch.is_legal(chosen)
        taken = np.where(was_legal, chosen, self.batch.masks.argmax(axis=2))
        for number in self.deciding():
            self.rows.append(self._row(number, int(taken[0, number])))
        self.batch.step(taken, DISABLED)
        return [bool(each) for each in was_legal[0]]

    def _row(self, number: int, action: int) -> tuple[int, int, int, int]:
        """A decision as replays hold it: side, actor, choice, target."""
        side, interface = int(self.batch.agents[number]), self.batch.interface
        actor = int(interface.actor_of(self.batch.battles[0], side, self.batch.cursors[0]))
        return side + 1, actor, *interface.decode(side, action)

    def seen_by(self, number: int) -> Observation:
        """What an agent sees: its observation (features,) and its mask (actions,)."""
        return {
            "observation": self.batch.seen[0, number].copy(),
            "action_mask": self.batch.masks[0, number].copy(),
        }

    def action_names(self, number: int) -> list[str]:
        """What an agent's actions are called."""
        return self.batch.interface.action_names(self.scenario.document, int(self.batch.agents[number]))

    def battle(self) -> Battle:
        """The battle that was played, to save, tell and verify.

        Raises:
            UsageError: it is not over.
        """
        if not self.is_over:
            raise UsageError.of("battle", "the battle is not over yet")
        return decided_battle(self._seeded(), self.stream, self._decisions(), "battle")

    def _seeded(self) -> Scenario:
        assert self.seed is not None
        return self.scenario if self.scenario.seed == self.seed else self.scenario.with_seed(self.seed)

    def _decisions(self) -> Decisions:
        return decisions_of([int(side) + 1 for side in self.batch.agents], self.rows)

    def story(self) -> str:
        """The battle so far, told.

        Raises:
            UsageError: no battle has begun.
        """
        if self.seed is None:
            raise UsageError.of("render", "there is no battle yet; call reset() first")
        scenario = self._seeded()
        ruleset, compiled = scenario.ruleset, scenario.compiled
        events = ruleset.protocol.decode(self.rows_so_far(), compiled.books)
        return plain_text(ruleset.narrate(events, compiled, scenario.document, STORY))

    def rows_so_far(self) -> Array:
        """The event rows of the battle so far, (n, 8) int32, played again from its decisions."""
        return play_decisions(self._seeded(), self.stream, self._decisions()).rows

    def render(self, number: int) -> Any:
        """The battle so far: a text for "ansi"; for "rgb_array" what an agent sees as a (120, 320, 3) picture."""
        if self.render_mode == "ansi":
            return self.story()
        if self.render_mode == "rgb_array":
            return drawing(self.batch.interface.features, self.batch.seen[0, number])
        return None

    def snapshot(self) -> Snapshot:
        """The battle as it stands, without its dice.

        Raises:
            UsageError: none has begun.
        """
        if self.seed is None:
            raise UsageError.of("snapshot", "there is no battle yet; call reset() first")
        record = self.batch.battles[:1].copy()
        forget_dice(record)
        cursor = self.batch.cursors[0].tobytes()
        made = Snapshot(record.tobytes(), cursor, self.stream, tuple(self.rows), self._battle_mark())
        _MADE_HERE[id(made)] = made
        return made

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this match.

        One that this process has not made, because it was pickled or built by hand, is played again from its decisions.

        Raises:
            UsageError: the snapshot is of another battle, or its decisions cannot be played.
        """
        if not isinstance(snapshot, Snapshot):
            raise UsageError.of("snapshot", f"is {shown(snapshot)}; take what snapshot() returns")
        if self.seed is None or snapshot.battle != self._battle_mark():
            raise UsageError.of("snapshot", "is of another seed, another scenario or another environment")
        if snapshot.stream != self.stream:
            number = f"of battle {snapshot.stream} of this seed"
            raise UsageError.of("snapshot", f"is {number}; this environment plays battle {self.stream}")
        if _MADE_HERE.get(id(snapshot)) is not snapshot or len(snapshot.record) != self.batch.kind.itemsize:
            snapshot = self._played_again(snapshot.decisions)
        record = np.frombuffer(snapshot.record, self.batch.kind).copy()
        record["dice"]["key"] = self.batch.battles["dice"]["key"]
        self.batch.battles[:] = record
        seek_stream(self.batch.battles[0].dice, self.stream)
        self.batch.cursors[0] = np.frombuffer(snapshot.cursor, np.int64)
        self.batch.states[0] = PLAYING if self.batch.battles[0].reason == 0 else OVER
        self.rows = list(snapshot.decisions)
        self.batch.look()

    def _played_again(self, decisions: Any) -> Snapshot:
        """The snapshot of this battle after some decisions, each of which has to be legal.

        Raises:
            UsageError: one is not, or there are more than the battle has.
        """
        assert self.seed is not None
        other = Match(self.batch.scenarios, self.batch.agents.tolist())
        other.begin_at(self.seed, self.stream)
        left = list(decisions) if isinstance(decisions, Sequence) else [decisions]
        while left:
            actions = [0] * len(self.batch.agents)
            for number in other.deciding() or [0]:
                decision = left.pop(0) if left else None
                decision = tuple(decision) if isinstance(decision, list) else decision
                legal = np.flatnonzero(other.batch.masks[0, number]).tolist()
                fitting = [action for action in legal if other._row(number, action) == decision]
                if not fitting:
                    raise UsageError.of("snapshot", f"holds {shown(decision)} where that is no legal decision")
                actions[number] = fitting[0]
            other.play(actions)
        return other.snapshot()

    def _battle_mark(self) -> str:
        """What tells this battle's seed, scenario and sides from others."""
        if self._marked is None or self._marked[0] != (self.seed, self.stream):
            mark = fingerprint([self.seed, self.scenario.document, self.batch.agents.tolist()])
            self._marked = (self.seed, self.stream), mark
        return self._marked[1]

    def children(self, number: int, actions: Sequence[int], samples: int) -> Children:
        """Where these actions may lead: the step played `samples` times, each time with dice of its own.

        number: the place among `agents` of the one who asks, whose action has to be legal.

        The dice are those of the seed with "/search" behind it, never the battle's own.

        Raises:
            UsageError: no battle is under way, an illegal action, or a number of samples outside 1 to 65,536.
        """
        if self.batch.states[0] != PLAYING or self.seed is None:
            raise UsageError.of("children", "there is no battle under way; call reset() first")
        samples = whole_number("samples", samples, 1, MOST_SAMPLES)
        if not self.batch.is_legal(np.array([actions], np.int64))[0, number]:
            legal = ", ".join(map(str, np.flatnonzero(self.batch.masks[0, number])[:SHOWN_ACTIONS]))
            raise UsageError.of("action", f"is {actions[number]}, which is not legal now; legal are {legal}")
        search = self._search_batch(samples)
        search.load(self.batch, np.zeros(samples, np.int64), self.seed, 0)
        search.play(np.tile(np.array(actions, np.int64), (samples, 1)))
        return Children(search.seen.copy(), search.masks.copy(), search.rewards.copy(), search.ended.astype(bool))

    def _search_batch(self, samples: int) -> SearchBatch:
        if self._search is None or self._search.count != samples:
            self._search = SearchBatch(self.batch, samples)
        return self._search
