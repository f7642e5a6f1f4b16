"""`scripts/compile_ahead.py` and `scripts/rewrite_ahead.py`: nothing is done twice, and nothing is forgotten."""

from __future__ import annotations

import marshal
import sys

import pytest
from scripts import compile_ahead, rewrite_ahead
from tests.helpers.compiled import mark_as_compiled

from fracas.content.packs import examples_folder
from fracas.engine.player import compiled_form
from fracas.rulesets import registry


def test_every_ruleset_and_every_example_is_there() -> None:
    assert sorted(compile_ahead.RULESETS) == sorted(registry.NAMES)
    assert all(list((compile_ahead.ODDS / name).glob("*.toml")) for name in registry.NAMES)
    assert all(registry.get(name).kernels.resume_many is not None for name in compile_ahead.ROLLOUTS)
    examples = {name: (registry.get(name).benchmarks[0],) for name in registry.NAMES} | compile_ahead.ENVIRONMENTS
    for name, stems in examples.items():
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


def test_the_bytecode_of_tests_is_written_where_pytest_looks_for_it(tmp_path) -> None:
    file = tmp_path / "test_one.py"
    file.write_text("def test_one():\n    assert 1 == 2\n")
    assert rewrite_ahead.rewritten_files(tmp_path) == [file]
    assert rewrite_ahead.rewrite_all([file]) == 1
    assert rewrite_ahead.rewrite_all([file]) == 0
    names = marshal.loads(rewrite_ahead.bytecode_of(file).read_bytes()[16:]).co_names
    assert any("assertion" in name for name in names), "pytest rewrites assertions"
    file.write_text("def test_two():\n    assert 1 == 2\n")
    assert rewrite_ahead.rewrite_all([file]) == 1


def test_this_file_was_read_from_such_bytecode() -> None:
    loaded = sys.modules[__name__].__spec__
    assert loaded is not None
    assert loaded.origin is not None
    this = rewrite_ahead.TESTS / "kernel" / "test_compile_ahead.py"
    assert str(this) == loaded.origin
    assert this in rewrite_ahead.rewritten_files()
    assert rewrite_ahead.bytecode_of(this).exists() or sys.dont_write_bytecode
