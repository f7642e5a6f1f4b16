"""Battles in which agents decided: played again from their decisions, each of which must be legal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.engine.battle import Battle, battle_from
from fracas.engine.player import check_faults
from fracas.engine.replay_file import Decisions
from fracas.engine.scenario import Scenario
from fracas.errors import InputError, UsageError
from fracas.kernel import jit
from fracas.kernel.event_log import COLUMNS
from fracas.rulesets.contract.agents import AgentInterface
from fracas.rulesets.contract.types import Rows


@dataclass(frozen=True)
class PlayedDecisions:
    """How far decisions led."""

    rows: Rows
    """The event rows so far, (n, 8) int32."""
    used: int
    """How many decisions were played."""
    result: Any
    """The result row; None if the battle was not decided by them."""


def play_decisions(scenario: Scenario, stream: int, decisions: Decisions) -> PlayedDecisions:
    """Play a battle with the decisions of agents, up to its end, or to the first that is missing or not legal."""
    interface = scenario.ruleset.agent_interface()
    kernels = scenario.ruleset.kernels
    record = scenario.compiled.record.copy()
    sides = [side - 1 for side in decisions.sides]
    interface.given_to_agents(record[0], sides)
    script = np.array(decisions.rows, np.int64).reshape(-1, 4)
    script[:, 0] -= 1
    results, logs, used = np.zeros(1, kernels.result_type), np.zeros(1, kernels.log_type), np.zeros(1, np.int64)
    play_script = _entry_point(interface)
    cursor, mask = np.zeros(interface.cursor_length, np.int64), np.zeros(interface.actions, np.int8)
    ended = np.zeros(1, np.int64)
    play_script(record, stream, np.array(sides, np.int64), script, cursor, mask, results, logs, used, ended)
    check_faults(kernels, (), stream, results)
    rows: Rows = np.array(logs[0].rows[: logs[0].count]).reshape(-1, len(COLUMNS))
    return PlayedDecisions(rows, int(used[0]), results[0] if ended[0] else None)


def _entry_point(interface: AgentInterface) -> Any:
    """The entry point, compiled only if it was asked for or is there already: one battle is soon played plain."""
    setting = jit.jit_setting()
    if setting == "always" or (setting == "auto" and jit.is_cached(interface.play_script, "script")):
        return jit.native(interface.play_script)
    return interface.play_script


def decided_battle(scenario: Scenario, stream: int, decisions: Decisions, where: str) -> Battle:
    """The battle that decisions led to.

    Raises:
        InputError: the ruleset has no agents, a decision is not legal, or there are too few or too many of them.
    """
    try:
        played = play_decisions(scenario, stream, decisions)
    except UsageError as error:
        raise InputError(error.problems) from None
    if played.result is None:
        if played.used < len(decisions.rows):
            row = list(decisions.rows[played.used])
            message = f"is {row}, which is not the legal decision of somebody whose turn it is"
            raise InputError.of(f"{where}: decisions.rows.{played.used}", message)
        raise InputError.of(f"{where}: decisions", f"end after {played.used}, before the battle is decided")
    if played.used < len(decisions.rows):
        message = f"go on after number {played.used}, with which the battle is decided"
        raise InputError.of(f"{where}: decisions", message)
    return battle_from(scenario, stream, played.result, played.rows, decisions)


def decisions_of(sides: Sequence[int], rows: Sequence[tuple[int, int, int, int]]) -> Decisions:
    """Decisions of agents on these sides, 1 or 2; each row is side, actor, choice, target."""
    return Decisions(list(sides), list(rows))
