"""Play battles again from the recorded decisions of agents, checking that each decision is legal."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.engine.battle import Battle, battle_from
from fracas.engine.player import check_faults, check_log
from fracas.engine.replay_file import Decisions
from fracas.engine.scenario import Scenario
from fracas.errors import InputError, UsageError
from fracas.kernel import jit
from fracas.kernel.event_log import COLUMNS
from fracas.rulesets.contract.types import Rows


@dataclass(frozen=True)
class PlayedDecisions:
    """How far a battle could be played from decisions."""

    rows: Rows
    """The event rows so far, (n, 8) int32."""
    used: int
    """Number of decisions played."""
    result: Any
    """The result row; None if the decisions do not reach the end of the battle."""


class _Logs(threading.local):
    """A log of each thread, which holds megabytes: a server plays thousands of battles from decisions."""

    logs: Rows = np.zeros(0)

    def of_type(self, kind: np.dtype[Any]) -> Rows:
        """A log, to fill until the next call."""
        if self.logs.dtype != kind:
            self.logs = np.zeros(1, kind)
        return self.logs


_logs = _Logs()


def play_decisions(
    scenario: Scenario,
    stream: int,
    decisions: Decisions,
    *,
    record: Rows | None = None,
    compiled: bool = False,
    by: Callable[..., None] | None = None,
) -> PlayedDecisions:
    """Play a battle from decisions until it ends, or until a decision is missing or not legal.

    It is played in `record`, a record of the scenario that may have other dice or narrower numbers; by default in a
    copy of its own. With `compiled` it is compiled code that plays: worth it for who plays many. `by` is another form
    of the ruleset's entry point: that of its WebAssembly module.

    Raises:
        InputError: the log is too short for the battle.
    """
    interface = scenario.ruleset.agent_interface()
    kernels = scenario.ruleset.kernels
    record = scenario.compiled.own_record() if record is None else record
    sides = [side - 1 for side in decisions.sides]
    interface.given_to_agents(record[0], sides)
    script = np.array(decisions.rows, np.int64).reshape(-1, 4)
    script[:, 0] -= 1
    results, logs, reached = np.zeros(1, kernels.result_type), _logs.of_type(kernels.log_type), np.zeros(2, np.int64)
    # One battle is sooner played plain than its entry point is compiled or loaded.
    is_native = compiled or jit.jit_setting() == "always"
    play_script = by or (jit.native(interface.play_script) if is_native else interface.play_script)
    cursor, mask = np.zeros(interface.cursor_length, np.int64), np.zeros(interface.actions, np.int8)
    agents, actions = np.array(sides, np.int64), np.zeros(len(sides), np.int64)
    play_script(record, stream, agents, script, cursor, mask, actions, results, logs, reached)
    check_log(kernels, lambda: scenario.ruleset.tick_labels(scenario.document), stream, logs[0])
    check_faults(kernels, (), stream, results)
    rows: Rows = np.array(logs[0].rows[: logs[0].count]).reshape(-1, len(COLUMNS))
    return PlayedDecisions(rows, int(reached[0]), results[0] if reached[1] else None)


def decided_battle(
    scenario: Scenario, stream: int, decisions: Decisions, where: str, *, is_whole: bool = True
) -> Battle:
    """Play a complete battle from decisions; one that is not whole ends undecided, with its decisions.

    Raises:
        InputError: the ruleset has no agents, a decision is not legal, or there are too few or too many decisions.
    """
    try:
        played = play_decisions(scenario, stream, decisions)
    except UsageError as error:
        raise InputError(error.problems) from None
    result = played.result
    if result is None:
        if played.used < len(decisions.rows):
            row = list(decisions.rows[played.used])
            message = f"is {row}, which is not a legal decision for a unit whose turn it is"
            raise InputError.of(f"{where}: decisions.rows.{played.used}", message)
        if is_whole:
            raise InputError.of(f"{where}: decisions", f"end after {played.used}, before the battle is decided")
        result = np.zeros(1, scenario.ruleset.kernels.result_type)[0]
    if played.used < len(decisions.rows):
        message = f"continue after number {played.used}, which decides the battle"
        raise InputError.of(f"{where}: decisions", message)
    return battle_from(scenario, stream, result, played.rows, decisions)


def decisions_of(sides: Sequence[int], rows: Sequence[tuple[int, int, int, int]]) -> Decisions:
    """Make the record of decisions by agents on these sides, 1 or 2; each row is side, actor, choice, target."""
    return Decisions(list(sides), list(rows))
