"""What the fights of squads and delve share: units that fell before, and what a rule logs under scripted dice."""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
from tests.helpers.scripted_dice import scripted_dice

from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Compiled, Rows

_SPARE: defaultdict[np.dtype[np.void], list[Rows]] = defaultdict(list)


def log_of(fight: object, kind: np.dtype[np.void]) -> Rows:
    """An empty log for as long as a fight is there; then the next gets it, because logs are large and tests many."""
    logs = _SPARE[kind].pop() if _SPARE[kind] else np.zeros(1, kind)
    logs[0].count = logs[0].fault = 0
    weakref.finalize(fight, _SPARE[kind].append, logs).atexit = False
    return logs


class LoggedFight(ABC):
    """A battle under test: its record, and what is in its log."""

    ruleset: Ruleset
    compiled: Compiled
    record: Any
    log: Any

    @abstractmethod
    def __getitem__(self, name: str) -> Any:
        """A unit by its name in events."""

    def fell(self, name: str) -> None:
        """Take a unit out of the battle before the test begins."""
        self[name].hp = 0
        self.record.sides[self[name].side].living -= 1

    def rows(self) -> Any:
        """A copy of all rows logged so far."""
        return self.log.rows[: self.log.count].copy()

    def events(self, first: int = 0) -> list[Event]:
        """All events logged so far, from one on."""
        return self.ruleset.protocol.decode(self.rows()[first:], self.compiled.books)

    def told(self, rule: Callable[[], Any], *rolls: str) -> list[Event]:
        """Apply a rule under these rolls and tell what it logged."""
        before = int(self.log.count)
        with scripted_dice(*rolls, ruleset=self.ruleset.name):
            rule()
        assert self.log.fault == 0
        return self.events(before)
