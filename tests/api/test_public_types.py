"""What programs import to narrow events and chronicles by class."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import fracas
from fracas.content.packs import examples_folder
from fracas.rulesets import registry


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_the_module_of_a_ruleset_has_the_class_of_every_event(ruleset):
    events = importlib.import_module(f"fracas.{ruleset}").events
    kinds = registry.get(ruleset).protocol.kinds.values()
    assert all(getattr(events, kind.__name__) is kind for kind in kinds)
    assert all(issubclass(kind, fracas.Event) for kind in kinds)


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_every_event_of_a_battle_is_of_one_of_these_classes(ruleset, monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    events = importlib.import_module(f"fracas.{ruleset}").events
    battle = fracas.run(examples_folder() / ruleset / f"{registry.get(ruleset).benchmarks[0]}.toml")
    assert all(type(event) is getattr(events, type(event).__name__) for event in battle.events)


def test_chronicles_have_public_classes(monkeypatch):
    from fracas import delve, relics

    monkeypatch.setenv("FRACAS_JIT", "0")
    run = fracas.run(examples_folder() / "delve" / "goblin-warrens.toml").chronicle
    assert isinstance(run, delve.chronicle.RunLog)
    ledgers = fracas.run(examples_folder() / "relics" / "standard.toml").chronicle
    assert isinstance(ledgers, relics.chronicle.BattleLedgers)
    assert isinstance(run, fracas.Chronicle)
    assert isinstance(ledgers, fracas.Chronicle)


def test_the_function_entries_stays_a_function_whatever_is_imported():
    code = (
        "import fracas, fracas.squads, fracas.delve, fracas.stacks, fracas.relics, fracas.titans\n"
        "fracas.check_entry('squads', {'units': ['scout']})\n"
        "print('scout' in fracas.entries('squads', 'units'), callable(fracas.match))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True"]


def test_single_environments_have_a_public_class():
    pytest.importorskip("gymnasium", reason="the extra envs is not installed")
    import gymnasium

    import fracas.envs

    assert isinstance(gymnasium.make("fracas/Titans-v1").unwrapped, fracas.envs.BattleEnv)
    with pytest.raises(AttributeError, match="has no attribute 'Battle'"):
        fracas.envs.Battle  # noqa: B018
