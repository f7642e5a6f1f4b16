"""Rulesets in lanes and one by one, plain and compiled, for comparisons row by row; scenarios of squads."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

import numpy as np

from fracas.kernel import jit
from fracas.lanes.lane_state import LEFT_TO_RULES
from fracas.lanes.memory import aligned_records
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Document, Rows

LEFT = LEFT_TO_RULES

Entry = Callable[..., None]


class Lanes:
    """Plays battles of one ruleset in lanes and one by one."""

    def __init__(self, name: str) -> None:
        self.kernels = registry.get(name).kernels
        assert self.kernels.lockstep is not None
        self.lockstep = self.kernels.lockstep()
        self.entry_points = import_module(f"fracas.rulesets.{name}.lockstep.entry_points")
        self.rules = import_module(f"fracas.rulesets.{name}.rules.entry_points")

    def plain_plan(self, record: Rows) -> Rows:
        """A battle's plan, worked out in plain Python."""
        plans = np.zeros(1, self.lockstep.plan_type)
        self.lockstep.plan(record, plans)
        return plans

    def native(self, name: str) -> Entry:
        """A compiled entry point of lockstep or of the rules."""
        return _native(self, name)

    def native_plan(self, record: Rows) -> Rows:
        """A battle's plan, worked out by compiled code."""
        plans = np.zeros(1, self.lockstep.plan_type)
        self.native("plan_battles")(record, plans)
        return plans

    def one_by_one(self, record: Rows, first: int, count: int, entry: Entry | None = None) -> Rows:
        """Result rows by the rules, compiled unless another entry point is given."""
        results = np.zeros(count, self.kernels.result_type)
        (entry or self.native("play_many"))(record.copy(), first, results, None, None)
        return results

    def in_lanes(self, record: Rows, first: int, count: int, *, bits: int = 0, plans: Rows | None = None) -> Rows:
        """Result rows by compiled lanes, without those that they leave to the rules; bits: 0 is what the plan says."""
        plans = self.native_plan(record) if plans is None else plans
        plans["bits"] = bits or plans["bits"]
        return self._played(self.native("play_in_lanes"), record, first, count, plans)

    def in_plain_lanes(self, record: Rows, first: int, count: int) -> Rows:
        """The same on NumPy arrays, as under a debugger."""
        return self._played(self.lockstep.play, record, first, count, self.plain_plan(record))

    def _played(self, entry: Entry, record: Rows, first: int, count: int, plans: Rows) -> Rows:
        results = np.zeros(count, self.kernels.result_type)
        states = aligned_records(self.lockstep.state_types[int(plans[0].bits)])
        entry(record, plans, states, first, results)
        return results


@cache
def _native(lanes: Lanes, name: str) -> Entry:
    module = lanes.entry_points if hasattr(lanes.entry_points, name) else lanes.rules
    entry: Entry = getattr(module, name)
    return jit.native(entry)


SQUADS = Lanes("squads")
KERNELS = SQUADS.kernels
plain_plan, native, native_plan = SQUADS.plain_plan, SQUADS.native, SQUADS.native_plan
one_by_one, in_lanes, in_plain_lanes = SQUADS.one_by_one, SQUADS.in_lanes, SQUADS.in_plain_lanes


def are_equal(lanes: Rows, expected: Rows, most_left: int = 4) -> bool:
    """Whether all rows are equal but a few that lanes left to the rules."""
    kept = lanes["winner"] != LEFT
    return int((~kept).sum()) <= most_left and np.array_equal(lanes[kept], expected[kept])


def squad(*units: Document, **strategy: object) -> Document:
    """A side of a scenario."""
    return {"units": list(units), "strategy": strategy}


def fighter(name: str, *, hp: int = 100, speed: int = 10, role: str = "tank", **changed: object) -> Document:
    """A unit that knows nothing but the ability `act`."""
    known = {"class_ability": "act", "ultimate": "act", "attack": 20, "defense": 10}
    return {"id": name, "class": role, "hp": hp, "speed": speed, **known, **changed}


def duel(
    first: Document, second: Document, *effects: Document, reach: str = "one_enemy", **scenario: object
) -> Document:
    """A scenario of two sides in which `act` has these effects."""
    act = {"id": "act", "name": "Act", "reach": reach, "cooldown": 2, "effects": list(effects) or [HIT]}
    sides = [side if "units" in side else squad(side) for side in (first, second)]
    return {"ruleset": "squads", "id": "duel", "abilities": {"act": act}, "sides": sides, **scenario}


HIT: Document = {"type": "damage", "attack": 100}
