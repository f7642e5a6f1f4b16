"""One source, two ways to run it: what the setting says, and when what is cached is good for nothing any more."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.helpers.compiled import mark_as_compiled
from tests.helpers.guards import SOURCE
from tests.helpers.scenarios import problems_of

from fracas.kernel import jit
from fracas.rulesets import registry
from fracas.rulesets.squads.rules.entry_points import play_many

FILES = ("rules/constants.py", "rules/mechanics.py", "rules/effects/state.py", "solver/state.py")


@pytest.fixture
def sources(monkeypatch, tmp_path):
    """A package with two kernel files and two rulesets, in the place of the real one."""
    rules = [f"rulesets/{name}/{file}" for name in ("squads", "delve") for file in FILES]
    for file in ("kernel/jit.py", "kernel/dice.py", *rules):
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {file}\ndef strike(): pass\n")
    monkeypatch.setattr(jit, "__file__", str(tmp_path / "kernel" / "jit.py"))
    jit.source_key.cache_clear()
    yield tmp_path
    jit.source_key.cache_clear()


def key_of(ruleset: str) -> str:
    jit.source_key.cache_clear()
    return jit.source_key(ruleset)


@pytest.mark.parametrize(
    ("value", "setting"),
    [("0", "never"), ("1", "always"), ("", "auto"), (None, "auto"), ("auto", "auto"), ("wasm", "wasm")],
)
def test_the_setting_is_read_from_the_environment(monkeypatch, value, setting):
    monkeypatch.delenv("FRACAS_JIT", raising=False)
    if value is not None:
        monkeypatch.setenv("FRACAS_JIT", value)
    assert jit.jit_setting() == setting


def test_a_setting_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "yes")
    [problem] = problems_of(jit.jit_setting)
    assert problem.where == "FRACAS_JIT"


def test_a_kernel_stays_the_plain_function_that_it_was():
    def mine() -> int:
        return 1

    before = jit.kernels()
    assert jit.kernel(mine) is mine
    assert jit.kernels() == (*before, mine)
    jit._kernels.remove(mine)


def test_the_cache_folder_is_the_one_of_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path / "chosen"))
    assert jit.cache_folder(play_many).parent == tmp_path / "chosen"
    assert jit.cache_folder(play_many).name.startswith("squads-")


def test_without_a_choice_the_cache_is_the_users(monkeypatch):
    monkeypatch.delenv("FRACAS_CACHE_DIR", raising=False)
    assert "fracas" in jit.cache_root().parts


def test_the_same_sources_have_the_same_key(sources):
    assert key_of("squads") == key_of("squads")


@pytest.mark.parametrize("file", ["kernel/dice.py", *(f"rulesets/squads/{name}" for name in FILES)])
def test_a_changed_source_is_another_key(sources, file):
    before = key_of("squads")
    (sources / file).write_text("# another rule\n")
    assert key_of("squads") != before


def test_a_new_source_is_another_key(sources):
    before = key_of("squads")
    (sources / "rulesets" / "squads" / "rules" / "rolls.py").write_text("")
    assert key_of("squads") != before


def test_a_source_in_another_room_is_another_key(sources):
    before = key_of("squads")
    rules = sources / "rulesets" / "squads" / "rules"
    (rules / "mechanics.py").rename(rules / "effects" / "mechanics.py")
    assert key_of("squads") != before


def test_what_is_not_compiled_is_not_part_of_the_key(sources):
    before = key_of("squads")
    (sources / "rulesets" / "squads" / "narration").mkdir()
    (sources / "rulesets" / "squads" / "narration" / "story.py").write_text("")
    assert key_of("squads") == before


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_a_changed_byte_of_any_file_of_the_rules_is_another_key(monkeypatch, ruleset):
    files = jit.compiled_sources(SOURCE, ruleset)
    assert len(files) > 15
    read = Path.read_bytes
    jit.source_key.cache_clear()
    keys = {jit.source_key(ruleset)}
    for changed in files:
        monkeypatch.setattr(Path, "read_bytes", lambda path, changed=changed: read(path) + b"#" * (path == changed))
        keys.add(key_of(ruleset))
    monkeypatch.undo()
    jit.source_key.cache_clear()
    assert len(keys) == len(files) + 1


def test_another_rulesets_source_changes_nothing(sources):
    before = key_of("squads"), key_of("delve")
    (sources / "rulesets" / "delve" / "rules" / "mechanics.py").write_text("# another rule\n")
    assert key_of("squads") == before[0]
    assert key_of("delve") != before[1]


def test_another_processor_is_another_key(sources, monkeypatch):
    before = key_of("squads")
    monkeypatch.setattr(jit, "_processor", lambda: "another one")
    assert key_of("squads") != before


def test_a_variant_is_cached_once_it_is_marked_and_while_its_file_is_there(monkeypatch, tmp_path):
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path))
    assert not jit.is_cached(play_many, "silent")
    file = mark_as_compiled(play_many, "silent")
    assert jit.is_cached(play_many, "silent")
    assert not jit.is_cached(play_many, "logged")
    file.unlink()
    assert not jit.is_cached(play_many, "silent")


def test_what_was_not_kept_is_not_marked(monkeypatch, tmp_path):
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path))
    kept = SimpleNamespace(latest=None)
    monkeypatch.setitem(jit._dispatchers, play_many, SimpleNamespace(_cache=kept))
    jit.mark_cached(play_many, "silent")
    assert not list(tmp_path.rglob("*.ready"))
    file = mark_as_compiled(play_many, "logged")
    kept.latest = file.name
    jit.mark_cached(play_many, "silent")
    assert jit.cached_file(play_many, "silent") == file


def test_a_mark_leads_to_no_other_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path))
    file = mark_as_compiled(play_many, "silent")
    for name in ("", "../x.code", str(file)):
        (file.parent / "silent.ready").write_text(name)
        assert jit.cached_file(play_many, "silent") is None


def test_a_cache_folder_that_cannot_be_made_is_no_error(monkeypatch, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(file / "below"))
    jit.mark_cached(play_many, "silent")
    assert not jit.is_cached(play_many, "silent")


@pytest.mark.parametrize("ruleset", ["squads", "delve", "stacks", "titans"])
def test_stepping_does_not_count_references(ruleset: str) -> None:
    """Counts are atomic operations at each call of a kernel: they took most of the time, and threads share them."""
    stepping: Any = jit.native(registry.get(ruleset).agent_interface().step_many)
    playing: Any = jit.native(registry.get(ruleset).kernels.play_many)
    assert stepping.targetoptions["_nrt"] is False
    assert "_nrt" not in playing.targetoptions


def test_an_entry_point_that_makes_arrays_cannot_go_without_counts() -> None:
    def makes(count: int) -> Any:
        return np.zeros(count)

    numba = jit.enable()
    with pytest.raises(numba.TypingError, match="zeros"):
        numba.njit(_nrt=False)(makes)(3)


def test_a_second_thread_waits_while_the_first_declares_kernels(monkeypatch) -> None:
    """Else both would register every kernel, and each would compile an entry point of its own."""
    enable, was_free = jit.enable, []

    def look() -> None:
        was_free.append(jit._declaring.acquire(blocking=False))
        if was_free[-1]:
            jit._declaring.release()

    def declare(game: Any = None) -> Any:
        other = threading.Thread(target=look)
        other.start()
        other.join()
        return enable(game)

    def entry() -> None:
        """Nothing to compile."""

    entry.__module__ = play_many.__module__
    monkeypatch.setattr(jit, "_dispatchers", {})
    monkeypatch.setattr(jit, "enable", declare)
    assert jit.native(entry) is jit.native(entry)
    assert was_free == [False]
