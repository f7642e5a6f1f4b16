"""Many battles side by side, played step by step through one call of a kernel: what all environments are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fracas.engine.scenario import Scenario
from fracas.envs.slices import Slices, StepMany, cores
from fracas.errors import UsageError
from fracas.kernel import jit
from fracas.kernel.narrowing import has_all_widths, narrow_copies
from fracas.kernel.stepping import DISABLED, FRESH, IDLE, MOST_STREAMS, PLAYING, RESETS, SAME_STEP, Step
from fracas.rulesets.contract.agents import AgentInterface, Feature
from fracas.rulesets.shared.seeds import key_words

Array = np.ndarray[Any, Any]

# A slice of a batch that is worth a thread of its own.
LEAST_SLICE = 128
MOST_CONTENTS = 1024


class BattleBatch:
    """Battles of one ruleset side by side; agents play some sides, the content's policies the others.

    All arrays are written in place, `seen` and `masks` only where something may have changed: `seen` (n, agents,
    features) float32, `masks` (n, agents, actions) int8, `rewards` (n, agents) float64, `has_ended` (n,) bool, `finals`
    like `seen`, `streams` (n,) int64, `was_legal` (n, agents) bool. `finals` is written only with the mode SAME_STEP,
    which needs `keeps_finals`. A battle's next one is `stride` streams on, by default as many as there are battles.
    `version` is that of what is seen. `like` is a batch of the same scenarios, agents and version, which shares what it
    has worked out.
    """

    def __init__(
        self,
        scenarios: Sequence[Scenario],
        agents: Sequence[int],
        count: int,
        threads: int = 1,
        *,
        keeps_finals: bool = False,
        stride: int | None = None,
        version: int = 1,
        like: BattleBatch | None = None,
    ) -> None:
        self.scenarios = tuple(scenarios)
        self.interface = interface_of(self.scenarios)
        self.agents = np.array(sorted(agents), np.int64)
        self.count = count
        self.threads = threads
        self.version = version
        self.kind: np.dtype[Any]
        self.templates: Array
        self.described: Array
        self.features: Sequence[Feature]
        is_plain = jit.jit_setting() == "never"
        if like is None:
            self._work_out(is_plain)
        else:
            self.kind, self.templates, self.features, self.described = (
                like.kind, like.templates, like.features, like.described
            )  # fmt: skip
        self.battles: Array = np.zeros(count, self.kind)
        self.battles[:] = self.templates[0]
        shape = (count, len(self.agents))
        self.cursors = np.zeros((count, self.interface.cursor_length), np.int64)
        self.states = np.zeros(count, np.int64)
        self.states[:] = FRESH
        self.streams = np.zeros(count, np.int64)
        self.streams[:] = np.arange(count)
        self.stride = count if stride is None else stride
        # Which content battle 0 of a place plays.
        self.starts = np.zeros(count, np.int64)
        self._keys = np.zeros((count, *self.battles["dice"]["key"].shape[1:]), np.uint32)
        self._keys[:] = self.battles["dice"]["key"]
        self.seen = np.zeros((*shape, len(self.features)), np.float32)
        # Only a step that begins the next battle at once overwrites what was seen last.
        self.finals = np.zeros((*shape, len(self.features) if keeps_finals else 0), np.float32)
        if keeps_finals and len(self.templates) == 1:
            self.finals[..., len(self.features) - self.described.shape[2] :] = self.described[0]
        self.masks = np.zeros((*shape, self.interface.actions), np.int8)
        self.rewards = np.zeros(shape, np.float64)
        self.ended = np.zeros(count, np.uint8)
        self._actions = np.zeros(shape, np.int64)
        self._legal = np.zeros(shape, np.uint8)
        self._legal[:] = 1
        # The kernel writes 0 and 1, which are the bytes of truths.
        self.has_ended, self.was_legal = self.ended.view(bool), self._legal.view(bool)
        self._whole = Step(
            self.battles, self.templates, self.described, self.starts, self._keys, self.agents, self._actions,
            self._legal, self.streams, self.stride, self.cursors, self.states, self.seen, len(self.interface.features),
            self.masks, self.rewards, self.ended, self.finals,
        )  # fmt: skip
        self._step_many: StepMany | None = self.interface.step_many if is_plain else None
        self._like = like
        # Plain Python plays on one thread at a time, and threads without a core only get in each other's way.
        self._workers = 1 if is_plain else min(threads, cores(), count // LEAST_SLICE)
        self._slices: Slices | None = None

    def _work_out(self, is_plain: bool) -> None:
        """Find the narrowest type of records that fits, and make the contents' records and descriptions."""
        compiled = [scenario.compiled for scenario in self.scenarios]
        self.kind = next(
            kind
            for kind in self.interface.battle_types
            if (not is_plain or has_all_widths(kind, self.interface.battle_types[-1]))
            and all(self.interface.fits(one, kind) for one in compiled)
        )
        self.templates = np.zeros(len(compiled), self.kind)
        for place, one in enumerate(compiled):
            self.templates[place] = narrow_copies(one.record, self.kind)[0]
        for template in self.templates:
            self.interface.given_to_agents(template, self.agents.tolist())
        self.features = self.interface.seen_in(self.version)
        self.described = np.stack(
            [[self._description(one.record[0], side) for side in self.agents] for one in compiled]
        )

    def _description(self, battle: Any, side: int) -> Array:
        """What a side knows of the content; nothing in version 1."""
        described: Array = self.interface.describe(battle, int(side)) if self.version > 1 else np.zeros(0, np.float32)
        return described

    def reseed(self, seeds: Sequence[str], places: Sequence[int] | None = None) -> None:
        """Set the dice: one seed text for all battles, or one for each; only of those at `places`, if given."""
        where = slice(None) if places is None else np.asarray(places, np.int64)
        self._keys[where] = [key_words(seed) for seed in seeds]
        self.battles["dice"]["key"] = self._keys

    def begin(self, which: Array | None = None) -> None:
        """Begin a new battle with each stream in `streams`: in all places, or where `which` is true."""
        self.states[slice(None) if which is None else which] = FRESH
        self.look()

    def look(self) -> None:
        """Refresh what agents see, without playing."""
        self._call(RESETS)

    def step(self, actions: Array, mode: int) -> None:
        """Play every battle on until an agent has to decide. `was_legal` then says which actions were.

        actions: (n, agents) int64; one that is not legal counts as the first that is. mode: what becomes of battles
        that are over, of `kernel/stepping.py`.
        """
        assert mode != SAME_STEP or self.finals.size
        self._actions[...] = actions
        self._call(mode)

    def step_one(self, actions: Sequence[int]) -> tuple[int, ...]:
        """Play the only battle one step on, as `step` with DISABLED; the actions that were played."""
        row = self._actions[0]
        row[...] = actions
        self._play(self._whole, DISABLED)
        return tuple(row.tolist())

    def is_legal(self, actions: Array) -> Array:
        """Return which actions are legal, (n, agents) bool; those of sides with nothing to decide count as legal."""
        inside = (actions >= 0) & (actions < self.interface.actions)
        chosen = np.take_along_axis(self.masks, np.where(inside, actions, 0)[..., None], axis=2)[..., 0]
        decides = self.masks.any(axis=2) & (self.states == PLAYING)[:, None]
        legal: Array = ~decides | (inside & (chosen != 0))
        return legal

    def play_on(self, mode: int) -> None:
        """Play every battle on, or begin it; `states` says what became of it."""
        if self._workers <= 1:
            self._play(self._whole, mode)
            return
        if self._slices is None:
            self._slices = Slices(self._compiled(), self._whole, self._workers)
        self._slices.play(mode)

    def _call(self, mode: int) -> None:
        self.play_on(mode)
        if np.count_nonzero(self.states == IDLE):
            raise UsageError.of(
                "scenario", f"is decided before an agent has anything to choose, in {MOST_STREAMS} battles in a row"
            )

    def _play(self, step: Step, mode: int) -> None:
        step_many = self._step_many or self._compiled()
        step_many(step, mode)

    def _compiled(self) -> StepMany:
        if self._step_many is None:
            like = self._like
            self._step_many = (
                jit.native_for(self.interface.step_many, self._whole, RESETS) if like is None else like._compiled()
            )
        return self._step_many

    def content_of(self, place: int) -> Scenario:
        """The scenario that a battle plays."""
        return self.scenarios[int(self.streams[place] + self.starts[place]) % len(self.scenarios)]


def decisions_in(scenarios: Sequence[Scenario], agents: Sequence[int]) -> list[bool]:
    """Whether agents on these sides have something to decide in a battle of each scenario, of the first 64 battles."""
    batch = BattleBatch(scenarios, agents, len(scenarios))
    batch.play_on(RESETS)
    return [bool(state != IDLE) for state in batch.states]


def interface_of(scenarios: Sequence[Scenario]) -> AgentInterface:
    """What agents see and do in these scenarios.

    Raises:
        UsageError: no scenario, too many, one with plug-ins, or several rulesets.
    """
    if not 1 <= len(scenarios) <= MOST_CONTENTS:
        raise UsageError.of("scenario", f"has {len(scenarios)} scenarios; 1 to {MOST_CONTENTS:,} are allowed")
    if any(scenario.compiled.plugins for scenario in scenarios):
        raise UsageError.of("scenario", "uses plug-ins, which environments do not play")
    names = {scenario.ruleset.name for scenario in scenarios}
    if len(names) > 1:
        raise UsageError.of("scenario", f"mixes the rulesets {', '.join(sorted(names))}")
    return scenarios[0].ruleset.agent_interface()
