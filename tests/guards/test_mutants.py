"""The soak of planted faults can still plant every one: its text stands once in its file, its tests are there."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_every_fault_can_be_planted_and_its_test_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = spec_from_file_location("mutants", ROOT / "scripts" / "soak" / "mutants.py")
    assert spec is not None
    assert spec.loader is not None
    mutants = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "mutants", mutants)
    spec.loader.exec_module(mutants)
    table = mutants.read_table(mutants.TABLE)
    assert len(table) > 80
    assert mutants.problems(table, ROOT) == []
