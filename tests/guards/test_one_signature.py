"""One compiled form per variant: whatever is played, the entry point has the same types."""

from __future__ import annotations

import pytest
from tests.helpers import guards
from tests.helpers.guards import ROOT

import fracas
from fracas.kernel import jit
from fracas.rulesets import registry

EXAMPLES = sorted((ROOT / "examples" / "squads").glob("*.toml"))


@pytest.fixture
def always_compiled(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "1")


def test_all_scenarios_are_played_by_one_signature_for_each_variant(always_compiled):
    for file in EXAMPLES:
        scenario = fracas.load(file)
        fracas.run(scenario, stream=2**40)
        fracas.simulate(scenario, n=8, threads=2)
    for number in range(4):
        fracas.run(registry.get("squads").random_scenario(number))
    signatures = jit.native(registry.get("squads").kernels.play_many).signatures  # type: ignore[attr-defined]
    assert len(signatures) >= 2
    assert guards.is_one_signature_per_variant(signatures)


def test_the_guard_of_signatures_finds_a_planted_fault():
    assert guards.is_one_signature_per_variant([("record", "none"), ("record", "tuple")])
    assert not guards.is_one_signature_per_variant([("record", "none"), ("other record", "none")])
