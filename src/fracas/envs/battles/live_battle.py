"""A battle that people play decision by decision, and what each side may see of it. It has no clock and sends nothing.

The dice come from a seed text that is known only when all have given their part of it. Steps count from 1: at each one
side decides, or both at once without seeing the other's choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np

from fracas.engine.decided_battle import decisions_of, play_decisions
from fracas.engine.replay_file import Decisions
from fracas.engine.scenario import Scenario
from fracas.envs.batch import Array, BattleBatch
from fracas.envs.battles.match import Match
from fracas.errors import InputError
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.events.digest import digest
from fracas.kernel import jit
from fracas.kernel.dice import seek_stream
from fracas.kernel.event_log import COLUMNS, NOBODY
from fracas.kernel.event_protocol import STORY, Event
from fracas.rulesets.contract.features import Tables
from fracas.rulesets.contract.standing import ChoiceWords, Standing
from fracas.rulesets.contract.types import copied
from fracas.rulesets.shared.seeds import key_words

SIDES = (0, 1)
# What is put behind a seed text for the dice of a choice that nobody made in time.
MISSED = "/missed"


@dataclass(frozen=True)
class Choice:
    """Something that a side may choose now."""

    name: str
    words: ChoiceWords


@dataclass(frozen=True)
class Played:
    """A step that was played."""

    step: int
    chosen: tuple[str | None, str | None]
    """What each side chose; None for one that had nothing to decide."""
    first_row: int
    """How many event rows there were before it."""
    rows: int
    """How many there were after it."""


class LiveBattle:
    """A battle in progress. Not thread-safe: its owner admits one caller at a time."""

    def __init__(self, scenario: Scenario, seed: str, like: BattleBatch | None = None) -> None:
        """Begin a battle of a seed text. `like` is a batch of the scenario for both sides, to share what it worked out.

        Raises:
            InputError: nobody chooses in battles of this ruleset.
            UsageError: the battle is over before anybody can choose.
        """
        ruleset = scenario.ruleset
        self.scenario = scenario
        self.tables: Tables = ruleset.required(ruleset.tables, "battles that people play live", scenario.id)
        self._seed = seed
        self._match = Match([scenario], SIDES, like=like)
        self._match.begin_at(seed, 0)
        self._deciding = tuple(self._match.deciding())
        self._rows: list[tuple[int, int, int, int]] = []
        self.log: Array = np.zeros((0, len(COLUMNS)), np.int32)
        """All event rows so far, (n, 8) int32."""
        self._events: list[Event] = []
        self._take_log()
        self.played: list[Played] = []

    @property
    def step(self) -> int:
        """The number of the next step, from 1."""
        return len(self.played) + 1

    @property
    def is_over(self) -> bool:
        """Whether the rules have decided the battle."""
        return self._match.is_over

    @property
    def winner(self) -> int:
        """1 or 2; 0 for a draw and before the end."""
        return int(self._record.winner) if self.is_over else 0

    @property
    def reason(self) -> str | None:
        """How the battle ended, as the rules name it; None before the end."""
        return self.scenario.ruleset.reasons[int(self._record.reason)] if self.is_over else None

    @property
    def digest(self) -> str:
        """The blake3 digest of all event rows so far."""
        return digest(self.log)

    @property
    def decisions(self) -> Decisions:
        """What was decided so far, as replays hold it."""
        return decisions_of([side + 1 for side in SIDES], self._rows)

    @property
    def match(self) -> Match:
        """The match, for agents that choose in it."""
        return self._match

    @property
    def _record(self) -> Any:
        return self._match.batch.battles[0]

    def deciding(self) -> tuple[int, ...]:
        """The sides that decide now; none after the end."""
        return self._deciding

    def choices(self, side: int) -> list[Choice]:
        """What a side may choose now."""
        if side not in self.deciding():
            return []
        legal = self._legal(side)
        words = self.tables.choice_words(self.scenario.document, self._record, side, legal)
        nothing = ChoiceWords("")
        return [Choice(name, words.get(name) or words.get(name.partition(":")[0], nothing)) for name in legal]

    def _legal(self, side: int) -> dict[str, int]:
        """The actions that are legal for a side now, by their names."""
        names = self._match.action_names(side)
        legal = np.flatnonzero(self._match.batch.masks[0, side]).tolist()
        return {names[action] or f"action {action}": action for action in legal}

    def action_of(self, side: int, choice: str) -> int:
        """The action that a side calls so.

        Raises:
            InputError: it is none of the choices that it has now.
        """
        legal = self._legal(side) if side in self.deciding() else {}
        if not legal:
            raise InputError.of("choice", "it is not your turn")
        if choice not in legal:
            hint = nearest(choice, list(legal)) or f"you can choose {listed([quoted(each) for each in legal])}"
            raise InputError.of("choice", f"{quoted(choice)} is not a choice now", hint)
        return legal[choice]

    def name_of(self, side: int, action: int) -> str | None:
        """What an action of a side is called, which may be legal no more."""
        names = self._match.action_names(side)
        return names[action] or f"action {action}" if 0 <= action < len(names) else None

    def is_legal(self, side: int, action: int) -> bool:
        """Whether a side may take an action now."""
        mask = self._match.batch.masks[0, side]
        return side in self.deciding() and 0 <= action < len(mask) and bool(mask[action])

    def default(self, side: int) -> int:
        """The action that counts if a side does not choose in time; the rules say which, with dice of its own."""
        batch = self._match.batch
        copy = batch.battles[:1].copy()
        copy["dice"]["key"] = key_words(f"{self._seed}{MISSED}")
        seek_stream(copy[0].dice, 2 * self.step + side)
        choice, target = self.tables.default(copy[0], side, self._actor(side))
        action = int(batch.interface.encode(batch.battles[0], side, choice, target))
        return action if self.is_legal(side, action) else int(batch.masks[0, side].argmax())

    def _actor(self, side: int) -> int:
        batch = self._match.batch
        return int(batch.interface.actor_of(batch.battles[0], side, batch.cursors[0]))

    def play(self, actions: Mapping[int, int]) -> Played:
        """Play a step with the actions of all sides that decide.

        Raises:
            ValueError: the actions are not those of the sides that decide, or one is not legal.
        """
        deciding = self.deciding()
        if tuple(sorted(actions)) != deciding or not all(self.is_legal(*pair) for pair in actions.items()):
            raise ValueError(f"step {self.step} cannot be played with {dict(actions)}")
        interface = self._match.batch.interface
        chosen: list[str | None] = [None, None]
        for side in deciding:
            chosen[side] = self.name_of(side, actions[side])
            self._rows.append((side + 1, self._actor(side), *interface.decode(side, actions[side])))
        before = len(self.log)
        self._match.play([actions.get(side, 0) for side in SIDES])
        self._deciding = tuple(self._match.deciding())
        self._take_log()
        played = Played(self.step, (chosen[0], chosen[1]), before, len(self.log))
        self.played.append(played)
        return played

    def _take_log(self) -> None:
        """Play again from the decisions, because steps of agents write no events, and keep those that are new."""
        is_compiled = jit.jit_setting() != "never"
        batch, before = self._match.batch, len(self.log)
        record = copied(batch.templates)
        record["dice"]["key"] = batch.battles["dice"]["key"]
        self.log = play_decisions(self.scenario, 0, self.decisions, record=record, compiled=is_compiled).rows
        self._events += self.scenario.ruleset.protocol.decode(self.log[before:], self.scenario.compiled.books)

    # -- what people see ---------------------------------------------------------------------------------------------

    def standing(self, side: int | None) -> Standing:
        """How the battle stands for a side, or for who watches."""
        scenario, record = self.scenario, self._record
        actor = NOBODY if side is None or side not in self.deciding() else self._actor(side)
        return self.tables.standing(scenario.compiled, scenario.document, record, side, actor)

    def events(self, side: int | None, first: int = 0, last: int | None = None) -> list[dict[str, Any]]:
        """The events of rows `first` to `last` that a side may see, as plain values."""
        seen = self._seen(side, last)
        return [event.as_json() for event in self._events_of(seen, first)]

    def opening(self, side: int | None) -> list[dict[str, Any]]:
        """The events before the first decision that a side may see."""
        return self.events(side, 0, self.played[0].first_row if self.played else len(self.log))

    def story(self, side: int | None, first: int = 0, last: int | None = None) -> list[str]:
        """The same, told in lines."""
        seen = self._seen(side, last)
        # Stories carry figures over from line to line, so all is told and its end is kept.
        before = int(seen[:first].sum())
        scenario = self.scenario
        events = self._events_of(seen)
        lines = scenario.ruleset.narrate(events, scenario.compiled, scenario.document, STORY)
        # The next round's heading, and what both have done so far, are in the view.
        end = len(events) - (bool(events) and events[-1].NAME == "round")
        return [line.text for line in lines if before <= line.event < end and line.text]

    def _seen(self, side: int | None, last: int | None) -> Array:
        """Which of the rows up to `last` a side may see; (n,) bool."""
        rows = self.log[:last]
        seen: Array = np.ones(len(rows), bool) if self.is_over else self.tables.is_seen(rows, side)
        return seen

    def _events_of(self, seen: Array, first: int = 0) -> list[Event]:
        """The events of the rows from `first` on that are seen."""
        return list(compress(self._events[first:], seen[first:].tolist()))
