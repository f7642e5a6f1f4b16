"""Relics in lanes and one by one, plain and compiled, for comparisons row by row."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import fracas
from fracas.kernel import jit
from fracas.lanes.lane_state import LEFT_TO_RULES
from fracas.lanes.memory import aligned_records
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Document, Rows
from fracas.rulesets.relics.lockstep import entry_points
from fracas.rulesets.relics.lockstep.state import lanes_t, plan_t
from fracas.rulesets.relics.rules import entry_points as rules

KERNELS = registry.get("relics").kernels
LEFT = LEFT_TO_RULES
EXAMPLES = Path(__file__).parents[2] / "examples" / "relics"

Entry = Callable[..., None]


def record_of(scenario: Any) -> Rows:
    """A compiled scenario, of a document or of a shipped scenario by its name."""
    return fracas.load(EXAMPLES / f"{scenario}.toml" if isinstance(scenario, str) else scenario).compiled.record


def random_record(number: int) -> Rows:
    """A compiled random scenario."""
    return record_of(registry.get("relics").random_scenario(number))


def duel(left: Document, right: Document | None = None, **scenario: Any) -> Document:
    """A scenario of two builds."""
    return {"ruleset": "relics", "id": "duel", "left": left, "right": right or {}, **scenario}


def wearing(triggers: Document, **stats: Any) -> Document:
    """A build with one item that has these triggers."""
    item = {"id": "thing", "name": "Thing", "triggers": triggers}
    return {"items": [item], "stats": {"hp": 40, **stats}}


def plain_plan(record: Rows) -> Rows:
    """A battle's plan, worked out in plain Python."""
    plans = np.zeros(1, plan_t)
    entry_points.plan_battles(record, plans)
    return plans


@cache
def native(name: str) -> Entry:
    """A compiled entry point of lockstep or of the rules."""
    entry: Entry = getattr(entry_points if hasattr(entry_points, name) else rules, name)
    return jit.native(entry)


def one_by_one(record: Rows, first: int, count: int) -> Rows:
    """Result rows by the rules, compiled."""
    results = np.zeros(count, KERNELS.result_type)
    native("play_many")(record.copy(), first, results, None, None)
    return results


def in_lanes(record: Rows, first: int, count: int, plans: Rows | None = None) -> Rows:
    """Result rows by compiled lanes, without those that they leave to the rules."""
    return _played(native("play_in_lanes"), record, first, count, plans)


def in_plain_lanes(record: Rows, first: int, count: int) -> Rows:
    """The same on NumPy arrays, as under a debugger."""
    return _played(entry_points.play_in_lanes, record, first, count, None)


def _played(entry: Entry, record: Rows, first: int, count: int, plans: Rows | None) -> Rows:
    results = np.zeros(count, KERNELS.result_type)
    entry(record.copy(), plain_plan(record) if plans is None else plans, aligned_records(lanes_t), first, results)
    return results


def are_equal(lanes: Rows, expected: Rows, most_left: int = 3) -> bool:
    """Whether all rows are equal but a few that lanes left to the rules."""
    kept = lanes["winner"] != LEFT
    return int((~kept).sum()) <= most_left and np.array_equal(lanes[kept], expected[kept])
