"""Squads in lanes and one by one, plain and compiled, for comparisons row by row."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from fracas.kernel import jit
from fracas.lanes.memory import aligned_records
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Document, Rows
from fracas.rulesets.squads.lockstep import entry_points
from fracas.rulesets.squads.lockstep.state import STATE_TYPES, plan_t
from fracas.rulesets.squads.rules import entry_points as rules

KERNELS = registry.get("squads").kernels
LEFT = entry_points.LEFT_TO_RULES

Entry = Callable[..., None]


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


def native_plan(record: Rows) -> Rows:
    """A battle's plan, worked out by compiled code."""
    plans = np.zeros(1, plan_t)
    native("plan_battles")(record, plans)
    return plans


def one_by_one(record: Rows, first: int, count: int, entry: Entry | None = None) -> Rows:
    """Result rows by the rules, compiled unless another entry point is given."""
    results = np.zeros(count, KERNELS.result_type)
    (entry or native("play_many"))(record.copy(), first, results, None, None)
    return results


def in_lanes(record: Rows, first: int, count: int, *, bits: int = 0, plans: Rows | None = None) -> Rows:
    """Result rows by compiled lanes, without those that they leave to the rules; bits: 0 is what the plan says."""
    plans = native_plan(record) if plans is None else plans
    plans["bits"] = bits or plans["bits"]
    return _played(native("play_in_lanes"), record, first, count, plans)


def in_plain_lanes(record: Rows, first: int, count: int) -> Rows:
    """The same on NumPy arrays, as under a debugger."""
    return _played(entry_points.play_in_lanes, record, first, count, plain_plan(record))


def _played(entry: Entry, record: Rows, first: int, count: int, plans: Rows) -> Rows:
    results = np.zeros(count, KERNELS.result_type)
    entry(record, plans, aligned_records(STATE_TYPES[int(plans[0].bits)]), first, results)
    return results


def are_equal(lanes: Rows, expected: Rows, most_left: int = 4) -> bool:
    """Whether all rows are equal but a few that lanes left to the rules."""
    kept = lanes["winner"] != LEFT
    return int((~kept).sum()) <= most_left and np.array_equal(lanes[kept], expected[kept])


def squad(*units: Document, **strategy: Any) -> Document:
    """A side of a scenario."""
    return {"units": list(units), "strategy": strategy}


def fighter(name: str, *, hp: int = 100, speed: int = 10, role: str = "tank", **changed: Any) -> Document:
    """A unit that knows nothing but the ability `act`."""
    known = {"class_ability": "act", "ultimate": "act", "attack": 20, "defense": 10}
    return {"id": name, "class": role, "hp": hp, "speed": speed, **known, **changed}


def duel(first: Document, second: Document, *effects: Document, reach: str = "one_enemy", **scenario: Any) -> Document:
    """A scenario of two sides in which `act` has these effects."""
    act = {"id": "act", "name": "Act", "reach": reach, "cooldown": 2, "effects": list(effects) or [HIT]}
    sides = [side if "units" in side else squad(side) for side in (first, second)]
    return {"ruleset": "squads", "id": "duel", "abilities": {"act": act}, "sides": sides, **scenario}


HIT: Document = {"type": "damage", "attack": 100}
