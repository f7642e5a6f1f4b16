"""Content is read and checked once for a process and its files; everybody shares it, and nobody can change it."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.scenarios import problems_of

import fracas
from fracas.conditions import parse
from fracas.content import packs
from fracas.content.packs import examples_folder
from fracas.errors import InputError
from fracas.files import read
from fracas.files.process_cache import Memory
from fracas.rulesets import registry
from fracas.rulesets.squads.content.models.scenario import ContentFile

SQUADS = registry.get("squads")
SCOUT = """
[[units]]
id = "scout"
name = "Scout"
class = "ranger"
hp = {hp}
attack = 20
defense = 5
speed = 9
"""


@pytest.fixture(autouse=True)
def nothing_is_kept(monkeypatch):
    for name in ("_packs", "_libraries"):
        monkeypatch.setattr(packs, name, Memory(packs.MOST_KEPT))


@pytest.fixture
def parsed(monkeypatch):
    """The files whose text was parsed, by name."""
    names: list[str] = []
    parse = read.document_of

    def noting(text: str, path: Path) -> dict[str, Any]:
        names.append(path.name)
        return parse(text, path)

    monkeypatch.setattr(packs, "document_of", noting)
    return names


def write(folder: Path, hp: int, name: str = "units.toml") -> Path:
    file = folder / name
    file.write_text(SCOUT.format(hp=hp))
    return file


def hp_of_scout(folder: Path) -> int:
    hp: int = SQUADS.read_library(None, [folder]).of("units")["scout"].hp
    return hp


def snapshot(ruleset: str) -> Any:
    library = registry.get(ruleset).read_library(None, ())
    return {kind: {key: entry.model_dump() for key, entry in known.items()} for kind, known in library.entries.items()}


@pytest.mark.parametrize("name", registry.NAMES)
def test_shipped_content_is_parsed_once(name, parsed):
    ruleset = registry.get(name)
    first = ruleset.read_library(None, ())
    assert parsed
    parsed.clear()
    assert ruleset.read_library(None, ()) is first
    assert not parsed


def test_content_of_a_user_is_parsed_and_checked_once(tmp_path, parsed, monkeypatch):
    checked: list[Any] = []
    monkeypatch.setattr(SQUADS, "check_library", checked.append)
    write(tmp_path, 70)
    first = SQUADS.read_library(None, [tmp_path])
    assert "units.toml" in parsed
    parsed.clear()
    assert SQUADS.read_library(None, [tmp_path]) is first
    assert (parsed, checked) == ([], [first])


def test_a_changed_file_is_seen_even_if_it_looks_the_same(tmp_path):
    file = write(tmp_path, 70)
    seen = file.stat()
    assert hp_of_scout(tmp_path) == 70
    write(tmp_path, 80)
    os.utime(file, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert file.stat().st_size == seen.st_size
    assert hp_of_scout(tmp_path) == 80
    other = write(tmp_path, 90, "more.toml")
    assert "defined twice" in problems_of(SQUADS.read_library, None, [tmp_path])[0].message
    other.unlink()
    assert hp_of_scout(tmp_path) == 80


def test_a_changed_file_of_the_shipped_content_is_seen(tmp_path):
    file = write(tmp_path, 70)
    assert packs._shipped_pack(tmp_path, ContentFile).of("units")["scout"].hp == 70
    write(tmp_path, 170)
    assert packs._shipped_pack(tmp_path, ContentFile).of("units")["scout"].hp == 170
    file.rename(tmp_path / "renamed.toml")
    assert packs._shipped_pack(tmp_path, ContentFile).origins["units", "scout"].endswith("renamed.toml")


def test_broken_content_is_told_each_time(tmp_path):
    (tmp_path / "units.toml").write_text("[[units]]\nid = 3\n")
    first = problems_of(SQUADS.read_library, None, [tmp_path])
    assert first == problems_of(SQUADS.read_library, None, [tmp_path])
    write(tmp_path, 70)
    assert hp_of_scout(tmp_path) == 70


def test_nobody_can_change_a_library():
    library = SQUADS.read_library(None, ())
    kinds: Any = library.entries
    with pytest.raises(TypeError):
        kinds["units"] = {}
    units: Any = library.of("units")
    with pytest.raises(TypeError):
        units["scout"] = None
    with pytest.raises(ValueError, match="frozen"):
        units["scout"].hp = 1


@pytest.mark.parametrize("name", registry.NAMES)
def test_using_content_leaves_it_as_it_was(name):
    """Lists inside entries could be changed; nothing that resolves, tells or criticises a scenario does so."""
    before = snapshot(name)
    ruleset = registry.get(name)
    for file in sorted((examples_folder() / name).glob("*.toml")):
        scenario = fracas.load(file)
        scenario.document.clear()
    ruleset.lint_content()
    for seed in range(5):
        fracas.load(ruleset.random_scenario(seed))
    assert snapshot(name) == before


def test_threads_share_a_library(tmp_path):
    write(tmp_path, 70)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: SQUADS.read_library(None, [tmp_path]), range(32)))
    assert {id(each) for each in found} == {id(SQUADS.read_library(None, [tmp_path]))}


def test_what_was_not_used_for_long_is_forgotten():
    memory: Memory[str] = Memory(10)
    for key in "abc":
        memory.keep(key, key.upper(), 4)
    assert (memory.recall("a"), memory.recall("b"), memory.recall("c")) == (None, "B", "C")
    memory.recall("b")
    memory.keep("d", "D", 4)
    assert (memory.recall("b"), memory.recall("c"), len(memory)) == ("B", None, 2)
    assert memory.keep("b", "another") == "B"
    assert memory.keep("huge", "H", 11) == "H"
    assert memory.recall("huge") is None
    assert (memory.weight, len(memory)) == (8, 2)
    memory.clear()
    assert (memory.weight, len(memory)) == (0, 0)


def test_only_conditions_without_complaints_are_kept():
    vocabulary = SQUADS.vocabulary
    for place in ("here", "there"):
        for when in ("no_such_name_here", "self.hp_pct < 41"):
            parsed = parse(when, vocabulary, where=place)
            assert [each.where for each in parsed.warnings] == [place] * when.startswith("no")
    with pytest.raises(InputError, match="there: unknown condition"):
        parse("no_such_name_here", vocabulary, where="there", strict=True)
    assert vocabulary.read.recall("self.hp_pct < 41") is parse("self.hp_pct < 41", vocabulary, where="")
    assert vocabulary.read.recall("no_such_name_here") is None
