"""The strike table says what the chain of stages says: the chain is its oracle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers.prepared_battles import Preparation

import fracas
from fracas.kernel import jit
from fracas.rulesets import registry
from fracas.rulesets.squads.rules.constants import CRITICAL_STAGE, FIRST_PLUGIN_STAGE, PREPARED, WITHOUT_TABLE
from fracas.rulesets.squads.rules.preparation import prepare

EXAMPLE = Path(__file__).parents[4] / "examples" / "squads" / "standard-5v5.toml"
KERNELS = registry.get("squads").kernels
BATTLES = 48
SCENARIOS = 40
STRIKES = Preparation("squads", "strikes", PREPARED, WITHOUT_TABLE, BATTLES)


def test_random_battles_come_out_as_by_the_chain() -> None:
    assert 5 < STRIKES.compare_random(SCENARIOS) < SCENARIOS, "both kinds of chain are tried"


def test_a_wrong_entry_is_noticed() -> None:
    """A negative control."""
    records = fracas.load(EXAMPLE).compiled.record.copy()
    right = STRIKES.results(records, prepared=True)
    prepare(records[0])
    records[0].strikes.damage[0, 8:] += 1
    assert not np.array_equal(STRIKES.results(records, prepared=True), right)


def test_an_edited_record_that_is_prepared_again_equals_one_that_is_compiled_anew() -> None:
    scenario = fracas.load(EXAMPLE)
    edited = scenario.compiled.record.copy()
    # As it is after battles: hurt, charged, with effects.
    jit.native(KERNELS.play_many)(edited, 0, np.zeros(BATTLES, KERNELS.result_type), None, None)
    edited[0].units[0].attack += 7
    edited[0].units[9].defense += 30
    stale = STRIKES.results(edited, prepared=True)
    prepare(edited[0])
    anew = scenario.compiled.record.copy()
    anew[0].units[0].attack += 7
    anew[0].units[9].defense += 30
    prepare(anew[0])
    assert edited[0].strikes.tobytes() == anew[0].strikes.tobytes()
    wanted = STRIKES.results(anew, prepared=False)
    assert np.array_equal(STRIKES.results(edited, prepared=True), wanted)
    assert not np.array_equal(stale, wanted), "the edit matters"


@pytest.mark.parametrize(
    ("stages", "has_table"),
    [
        (["formation", "critical", "defense"], True),
        (["formation", "defense"], True),
        (["critical", {"stage": "fatigue", "after": 3, "per_round": 10}, "defense"], False),
        (["critical", "defense", "critical"], False),
    ],
)
def test_which_chains_have_a_table(stages: list[Any], has_table: bool) -> None:
    listed = [stage if isinstance(stage, dict) else {"stage": stage} for stage in stages]
    scenario = fracas.load(EXAMPLE, overrides={"options.chain": {"stages": listed}})
    records = scenario.compiled.record.copy()
    prepare(records[0])
    assert (records[0].strikes.state == PREPARED) == has_table
    by_table, by_chain = (STRIKES.results(records, prepared=each) for each in (True, False))
    assert np.array_equal(by_table, by_chain)


def test_a_chain_with_a_plug_in_has_none() -> None:
    records = fracas.load(EXAMPLE).compiled.record.copy()
    kinds = [stage.kind for stage in records[0].chain[: records[0].chain_length]]
    records[0].chain[kinds.index(CRITICAL_STAGE)].kind = FIRST_PLUGIN_STAGE
    prepare(records[0])
    assert records[0].strikes.state == WITHOUT_TABLE


def test_few_battles_and_logged_ones_fill_no_table() -> None:
    records = fracas.load(EXAMPLE).compiled.record.copy()
    KERNELS.play_many(records, 0, np.zeros(2, KERNELS.result_type), None, None)
    KERNELS.play_many(records, 0, np.zeros(1, KERNELS.result_type), np.zeros(1, KERNELS.log_type), None)
    assert records[0].strikes.state not in (PREPARED, WITHOUT_TABLE)


def test_plain_and_compiled_fill_the_same_table() -> None:
    one, other = (fracas.load(EXAMPLE).compiled.record.copy() for _ in range(2))
    assert KERNELS.prepare is not None
    KERNELS.prepare(one)
    jit.native(KERNELS.prepare)(other)
    assert one.tobytes() == other.tobytes()
    assert one[0].strikes.damage.any()
