"""One battle that agents play: seeds and streams, decisions, its replay, its picture, and copies to search in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from fracas.engine.battle import Battle
from fracas.engine.decided_battle import decided_battle, decisions_of, play_decisions
from fracas.engine.replay_file import Decisions
from fracas.engine.scenario import Scenario
from fracas.envs.arguments import illegal, options_of, seed_of, shown, stream_of, whole_number
from fracas.envs.batch import Array, BattleBatch
from fracas.envs.battles.rendering import drawing
from fracas.envs.battles.search import Chooser, Search, forget_dice
from fracas.envs.scenarios import seed_text
from fracas.errors import UsageError
from fracas.events.styled_text import plain_text
from fracas.kernel.dice import seek_stream
from fracas.kernel.event_protocol import STORY
from fracas.kernel.stepping import OVER, PLAYING
from fracas.rulesets.shared.seeds import fingerprint

RENDER_MODES = ("ansi", "rgb_array")
MOST_COPIES = 1 << 16

Observation = dict[str, Array]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A battle in the middle, to go back to. It holds no dice: what will be rolled cannot be read from it."""

    record: bytes
    cursor: bytes
    stream: int
    actions: tuple[tuple[int, ...], ...]
    """What the agents chose up to here, step by step."""
    content: str
    """A hash of the scenario and the sides that agents play, which `restore` compares. The seed is not in it."""


# The snapshots that this process has made, and of which seeds: only here, for players may look into a snapshot. The
# bytes of others never reach the rules.
_MADE_HERE: WeakKeyDictionary[Snapshot, str] = WeakKeyDictionary()


class Match:
    """A battle of which agents play some sides. `agents` are the sides, 0 or 1, that decide from outside."""

    def __init__(
        self,
        scenarios: Sequence[Scenario],
        agents: Sequence[int],
        render_mode: str | None = None,
        *,
        strict: bool = False,
        version: int = 1,
        like: BattleBatch | None = None,
    ) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise UsageError.of("render_mode", f"is {shown(render_mode)}; take ansi or rgb_array")
        self.render_mode, self.strict = render_mode, strict
        self.batch = BattleBatch(scenarios, agents, 1, stride=1, version=version, like=like)
        self.seed: str | None = None
        self.taken: list[tuple[int, ...]] = []
        """What the agents chose in the battle so far, step by step."""
        self._names: dict[tuple[int, int], list[str]] = {}
        self._marks: dict[int, str] = {}

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
        stream = stream_of(options_of(options))
        start = int(self.batch.starts[0])
        if seed is not None:
            number = seed_of("seed", seed)
            text, following, start = seed_text(self.batch.scenarios, number), 0, number or 0
        elif self.seed is None:
            text, following = seed_text(self.batch.scenarios, None), 0
        else:
            text, following = self.seed, self.stream + 1
        self.begin_at(text, following if stream is None else stream, start)

    def begin_at(self, seed: str, stream: int, start: int = 0) -> None:
        """Begin a battle of a seed text by its number; battle 0 plays scenario `start` of those there are, modulo."""
        if self.seed != seed:
            self.batch.reseed([seed])
        self.seed = seed
        self.batch.streams[0] = stream
        self.batch.starts[0] = start % len(self.batch.scenarios)
        self.batch.begin()
        self.taken = []

    def deciding(self) -> list[int]:
        """The places among `agents` of those who have something to decide now."""
        return [] if self.is_over else np.flatnonzero(self.batch.masks[0].any(axis=1)).tolist()

    def play(self, actions: Sequence[int]) -> list[bool]:
        """Make the decisions of all agents, those who have none give anything; whether each was legal.

        Raises:
            UsageError: no battle is under way, or an action is illegal and the match strict.
        """
        batch = self.batch
        if batch.states[0] != PLAYING:
            raise UsageError.of("step", "there is no battle under way; call reset() first")
        if self.strict:
            self._refuse_illegal(actions)
        # The kernel writes what it plays in place of an illegal action.
        self.taken.append(batch.step_one(actions))
        legal: list[bool] = batch.was_legal[0].tolist()
        return legal

    def _refuse_illegal(self, actions: Sequence[int]) -> None:
        was_legal = self.batch.is_legal(np.array([actions], np.int64))[0]
        for number in np.flatnonzero(~was_legal).tolist():
            raise illegal("action", actions[number], self.batch.masks[0, number])

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
        content, side = int(self.batch.streams[0] + self.batch.starts[0]), int(self.batch.agents[number])
        key = content % len(self.batch.scenarios), side
        if key not in self._names:
            self._names[key] = self.batch.interface.action_names(self.scenario.document, side)
        return list(self._names[key])

    def battle(self) -> Battle:
        """The battle that was played, to save, tell and verify.

        Raises:
            UsageError: it is not over.
        """
        if not self.is_over:
            raise UsageError.of("battle", "the battle is not over yet")
        return decided_battle(self.seeded(), self.stream, self._decisions(), "battle")

    def seeded(self) -> Scenario:
        """The scenario under the seed text of the battle that has begun."""
        assert self.seed is not None
        return self.scenario if self.scenario.seed == self.seed else self.scenario.with_seed(self.seed)

    def _decisions(self) -> Decisions:
        """What the agents decided, as replays hold it: the battle is played again, up to here."""
        rows: list[tuple[int, int, int, int]] = []
        other = self._begun_again()
        for actions in self.taken:
            rows += [other._row(number, actions[number]) for number in other.deciding()]
            other.play(actions)
        return decisions_of([int(side) + 1 for side in self.batch.agents], rows)

    def _begun_again(self) -> Match:
        """Another match in which the same battle has begun."""
        assert self.seed is not None
        other = Match(self.batch.scenarios, self.batch.agents.tolist())
        other.begin_at(self.seed, self.stream, int(self.batch.starts[0]))
        return other

    def story(self) -> str:
        """The battle so far, told.

        Raises:
            UsageError: no battle has begun.
        """
        if self.seed is None:
            raise UsageError.of("render", "there is no battle yet; call reset() first")
        scenario = self.seeded()
        ruleset, compiled = scenario.ruleset, scenario.compiled
        events = ruleset.protocol.decode(self.rows_so_far(), compiled.books)
        return plain_text(ruleset.narrate(events, compiled, scenario.document, STORY))

    def rows_so_far(self) -> Array:
        """The event rows of the battle so far, (n, 8) int32, played again from its decisions."""
        return play_decisions(self.seeded(), self.stream, self._decisions()).rows

    def render(self, number: int) -> Any:
        """The battle so far: a text for "ansi"; for "rgb_array" what an agent sees as a (120, 320, 3) picture."""
        if self.render_mode == "ansi":
            return self.story()
        if self.render_mode == "rgb_array":
            return drawing(self.batch.features, self.batch.seen[0, number])
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
        made = Snapshot(record.tobytes(), cursor, self.stream, tuple(self.taken), self._content_mark())
        _MADE_HERE[made] = self.seed
        return made

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this match.

        One that this process has not made, because it was pickled or built by hand, is played again from its actions.

        Raises:
            UsageError: the snapshot is of another battle, or its actions cannot be played.
        """
        if not isinstance(snapshot, Snapshot):
            raise UsageError.of("snapshot", f"is {shown(snapshot)}; take what snapshot() returns")
        made_of = _MADE_HERE.get(snapshot)
        if self.seed is None or snapshot.content != self._content_mark() or made_of not in (None, self.seed):
            raise UsageError.of("snapshot", "is of another seed, another scenario or another environment")
        if snapshot.stream != self.stream:
            number = f"of battle {snapshot.stream} of this seed"
            raise UsageError.of("snapshot", f"is {number}; this environment plays battle {self.stream}")
        if made_of is None or len(snapshot.record) != self.batch.kind.itemsize:
            snapshot = self._played_again(snapshot.actions)
        record = np.frombuffer(snapshot.record, self.batch.kind).copy()
        record["dice"]["key"] = self.batch.battles["dice"]["key"]
        self.batch.battles[:] = record
        seek_stream(self.batch.battles[0].dice, self.stream)
        self.batch.cursors[0] = np.frombuffer(snapshot.cursor, np.int64)
        self.batch.states[0] = PLAYING if self.batch.battles[0].reason == 0 else OVER
        self.taken = list(snapshot.actions)
        self.batch.look()

    def _played_again(self, steps: Any) -> Snapshot:
        """The snapshot of this battle after some steps, whose actions have to be legal.

        Raises:
            UsageError: one is not, or there are more than the battle has.
        """
        other = self._begun_again()
        agents = len(self.batch.agents)
        for actions in steps if isinstance(steps, Sequence) else [steps]:
            is_step = isinstance(actions, Sequence) and [type(each) for each in actions] == [int] * agents
            if other.is_over or not is_step or not other.batch.is_legal(np.array([actions]))[0].all():
                raise UsageError.of("snapshot", f"holds {shown(actions)} where that is no legal decision")
            other.play(actions)
        return other.snapshot()

    def _content_mark(self) -> str:
        """What tells the scenario and the sides of agents from others; a seed could be found from a hash of it."""
        content = int(self.batch.streams[0] + self.batch.starts[0]) % len(self.batch.scenarios)
        if content not in self._marks:
            document = {key: value for key, value in self.scenario.document.items() if key != "seed"}
            self._marks[content] = fingerprint([document, self.batch.agents.tolist()])
        return self._marks[content]

    def search(self, own: int, copies: int, chooser: Chooser | None = None) -> Search:
        """Copies of the battle as it stands, for the agent at the place `own`; -1 for the agents of both sides.

        Raises:
            UsageError: no battle is under way, or a number of copies outside 1 to 65,536.
        """
        if self.batch.states[0] != PLAYING or self.seed is None:
            raise UsageError.of("search", "there is no battle under way; call reset() first")
        return Search(self.batch, own, chooser, whole_number("copies", copies, 1, MOST_COPIES), self.seed)
