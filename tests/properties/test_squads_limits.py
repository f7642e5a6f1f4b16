"""What fits into a log: every number into 32 bits, every battle into its rows, or a fault that is reported."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers.rules import replace
from tests.oracle import squads

from fracas import load, run
from fracas.errors import FaultError, InputError
from fracas.kernel import event_log
from fracas.kernel.integer_math import clamp
from fracas.rulesets import registry

BIG = 10**6


def largest(stages: list[dict[str, Any]], **options: Any) -> dict[str, Any]:
    """Eight against eight with the largest numbers there are."""
    effect = {"attack": 1000, "defense": 1000, "max_hp": 1000}
    abilities = {
        "ruin": {"id": "ruin", "name": "Ruin", "reach": "all_enemies", "effects": [{"type": "damage", **effect}]},
        "aegis": {
            "id": "aegis",
            "name": "Aegis",
            "reach": "all_allies",
            "effects": [
                {"type": "shield", "rounds": 1000, **effect},
                {"type": "attack_up", "percent": 1000, "rounds": 1000},
            ],
        },
        "rot": {
            "id": "rot",
            "name": "Rot",
            "reach": "all_enemies",
            "effects": [{"type": "damage_over_time", "rounds": 1000, **effect}],
        },
    }
    units = [
        {
            "id": f"u{number}",
            "class": "mage",
            "hp": BIG,
            "attack": BIG,
            "defense": BIG,
            "speed": BIG,
            "class_ability": ("aegis", "ruin", "rot")[number % 3],
            "ultimate": ("ruin", "rot")[number % 2],
        }
        for number in range(8)
    ]
    modifier = {
        "id": "storm",
        "name": "Storm",
        "damage": 1000,
        "defense": 1000,
        "healing": 1000,
        "speed": 1000,
        "critical_chance": 100,
        "critical_multiplier": 1000,
    }
    formations = {"aggressive": {"attack": 1000, "defense": 1000, "taken": 1000}}
    side = {"units": units, "strategy": {"formation": "aggressive"}}
    return {
        "ruleset": "squads",
        "modifier": modifier,
        "abilities": abilities,
        "options": {"round_cap": 4, "chain": {"stages": stages}, "formations": formations, **options},
        "sides": [side, side],
    }


MULTIPLIERS: list[dict[str, Any]] = [
    {"stage": "formation"},
    {"stage": "class_advantage", "strong": 1000, "weak": 1000},
    {"stage": "critical"},
    {"stage": "environment"},
    {"stage": "scale", "percent": 1000},
    {"stage": "fatigue", "after": 0, "per_round": 1000},
    {"stage": "add", "amount": 10**9},
    {"stage": "formation_exclusive"},
    {"stage": "defense", "percent": 1000, "at_least": 10**9},
    {"stage": "minimum", "at_least": 10**9},
    {"stage": "cap", "at_most": 10**9},
]


def test_the_largest_numbers_fit_into_32_bits_and_break_nothing() -> None:
    """The oracle's numbers know no limit."""
    for rule in ("charge", "cooldown"):
        battle = run(load(largest(MULTIPLIERS, ultimate_rule=rule)))
        assert battle.rows is not None
        assert battle.rows.tolist() == squads.play(battle.scenario.document, 0).rows
        assert int(np.abs(battle.rows.astype(np.int64)).max()) >= 10**9


def test_a_number_beyond_32_bits_is_a_fault_not_a_wrong_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """A negative control: values that are not held to their limits."""
    replace(monkeypatch, clamp, lambda value: value)
    scenario = load(largest([{"stage": "scale", "percent": 1000}] * 3))
    with pytest.raises(FaultError, match="an event contains a number that does not fit in 32 bits"):
        run(scenario)
    assert run(scenario, log=False).rounds > 0


def with_room_for(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give squads a log of another size; tests/modes fills the real one."""
    ruleset = registry.get("squads")
    kernels = dataclasses.replace(ruleset.kernels, log_type=event_log.log_type(rows))
    monkeypatch.setattr(ruleset, "kernels", kernels)


CROWDED = Path(__file__).parents[2] / "examples" / "squads" / "eight-a-side.toml"


def test_a_log_that_just_holds_the_battle_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run(CROWDED)
    with_room_for(len(whole.events), monkeypatch)
    assert run(CROWDED).digest == whole.digest


def test_a_log_that_is_one_row_too_short_is_a_reported_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    room = len(run(CROWDED).events) - 1
    with_room_for(room, monkeypatch)
    with pytest.raises(InputError, match=f"more than the {room:,} events"):
        run(CROWDED)
    assert run(CROWDED, log=False).rounds > 0
