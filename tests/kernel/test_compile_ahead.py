"""`scripts/compile_ahead.py`: nothing is compiled twice, and no ruleset is forgotten."""

from __future__ import annotations

import pytest
from scripts import compile_ahead
from tests.helpers.compiled import mark_as_compiled

from fracas.content.packs import examples_folder
from fracas.engine.player import compiled_form
from fracas.rulesets import registry


def test_every_ruleset_and_every_named_example_is_there() -> None:
    assert sorted(compile_ahead.RULESETS) == sorted(registry.NAMES)
    assert all(list((compile_ahead.ODDS / name).glob("*.toml")) for name in registry.NAMES)
    assert all(registry.get(name).kernels.resume_many is not None for name in compile_ahead.ROLLOUTS)
    for name, stems in compile_ahead.ENVIRONMENTS.items():
        assert all((examples_folder() / name / f"{stem}.toml").is_file() for stem in stems)


def test_a_ruleset_is_left_alone_once_all_its_forms_are_compiled(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path / "cache"))
    compiled: list[str] = []
    monkeypatch.setattr(compile_ahead, "compile_all", compiled.append)
    monkeypatch.setattr("sys.argv", ["compile_ahead.py", "squads"])
    forms = [compiled_form(logged, plugins) for logged in (False, True) for plugins in (False, True)]
    for form in forms:
        assert compile_ahead.main() == 0
        mark_as_compiled(registry.get("squads").kernels.play_many, form)
    assert compiled == ["squads"] * len(forms)
    assert compile_ahead.main() == 0
    assert compiled == ["squads"] * len(forms)
