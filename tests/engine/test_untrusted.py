"""What strangers send is checked without a file being read, and without a word about this machine."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.scenarios import EXAMPLES, attempt, duel, fighter, problems_of
from tests.helpers.soak import is_on

import fracas
from fracas.content import catalogue
from fracas.content.packs import read_library
from fracas.engine.untrusted import DEEPEST_DOCUMENT, LARGEST_DOCUMENT, load_untrusted
from fracas.files.read import read_document
from fracas.rulesets import registry

SECRET = "zkey_of_the_vault"
NAMES = ("canary.toml", "canary.json", "./vault/../canary.toml")
# A short example of each ruleset, in which every field of the schema is given the name of a file in its turn.
BASES = {
    "squads": "first-battle",
    "delve": "stuns",
    "stacks": "first-attack",
    "relics": "first-duel",
    "titans": "standard",
}


@pytest.fixture
def canary(tmp_path, monkeypatch):
    """A working folder with files that hold a secret."""
    (tmp_path / "vault").mkdir()
    (tmp_path / "canary.toml").write_text(f'{SECRET} = 1\n[[units]]\nid = "{SECRET}"\n')
    (tmp_path / "canary.json").write_text(f'{{"{SECRET}": "{SECRET}"}}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def kept_libraries(monkeypatch):
    """Hundreds of documents are loaded; the shipped content is read once for each profile."""
    monkeypatch.setenv("FRACAS_JIT", "0")
    read = read_library

    @functools.cache
    def once(ruleset, model, packs, folders):
        return read(ruleset, model, list(packs), list(folders))

    monkeypatch.setattr(
        catalogue, "read_library", lambda r, m, packs, folders: once(r, m, tuple(packs), tuple(folders))
    )


def places(
    schema: dict[str, Any], definitions: dict[str, Any], path: tuple[Any, ...] = ()
) -> Iterator[tuple[Any, ...]]:
    """The paths of all fields that a schema has, each model's once; in lists the first place, in tables by id any."""
    seen: set[tuple[str, str]] = set()

    def walk(part: dict[str, Any], owner: str, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        if "$ref" in part:
            owner = part["$ref"].rpartition("/")[2]
            part = definitions[owner]
        for each in (*part.get("anyOf", ()), *part.get("oneOf", ()), *part.get("allOf", ())):
            yield from walk(each, owner, path)
        for key, below in part.get("properties", {}).items():
            if (owner, key) not in seen and owner:
                seen.add((owner, key))
                yield (*path, key)
                yield from walk(below, owner + "." + key, (*path, key))
        for key, below in (("items", 0), ("additionalProperties", "scout")):
            if isinstance(part.get(key), dict):
                yield (*path, below)
                yield from walk(part[key], owner, (*path, below))

    yield from walk(schema, "top", path)


def put(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy of a document with a value at a path, which comes into being."""
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(first, int):
        entries = list(document) if isinstance(document, list) else []
        return [put(entries[0] if entries else None, rest, value), *entries[1:]]
    table = dict(document) if isinstance(document, dict) else {}
    return {**table, first: put(table.get(first), rest, value)}


def answers(call: Any, document: Any) -> str:
    """All that a stranger is told of a document: problems, or warnings and what became of it."""
    found, problems = attempt(call, document)
    told = [*problems, *(found.warnings if found is not None else ())]
    return " ".join(f"{each.where} {each.message} {each.suggestion}" for each in told) + str(found and found.document)


@pytest.mark.parametrize("name", registry.NAMES)
@pytest.mark.parametrize("call", [load_untrusted, fracas.load])
def test_no_field_of_a_mapping_names_a_file_that_is_read(canary, monkeypatch, call, name):
    base = read_document(EXAMPLES.parent / name / f"{BASES[name]}.toml")
    base.pop("strategy", None)
    call(base)
    opened: list[str] = []

    def read_nothing(path: Path, *_: Any) -> str:
        opened.append(str(path))
        return ""

    monkeypatch.setattr("fracas.files.read.read_text", read_nothing)
    schema = registry.get(name).models.scenario.model_json_schema(by_alias=True)
    paths = list(dict.fromkeys(places(schema, schema.get("$defs", {}))))
    assert len(paths) > 40
    # One of the two calls the other.
    tried = paths if call is load_untrusted or is_on() else paths[::4]
    for number, path in enumerate(tried):
        document = put(copy.deepcopy(base), path, NAMES[number % len(NAMES)])
        answer = answers(call, document)
        assert SECRET not in answer
        assert str(canary) not in answer
        assert str(Path(fracas.__file__).parent) not in answer or call is fracas.load
    assert opened == []


ASKING = {
    "squads": lambda file: duel(sides=[{"units": [fighter()], "strategy": file}, {"units": [fighter("mira")]}]),
    "stacks": lambda file: {"ruleset": "stacks", "world": file, "attack": {"stack": "a", "tile": [0, 0]}},
    "titans": lambda file: {
        "ruleset": "titans",
        "players": [{"titan": "bastion", "policy": file}, {"titan": "striker", "policy": "random"}],
    },
}


@pytest.mark.parametrize("name", ASKING)
@pytest.mark.parametrize("file", ["canary.toml", "canari.toml", "/etc/hostname.toml", "../x.json"])
def test_a_mapping_reads_no_file_and_learns_of_none(canary, name, file):
    for call in (load_untrusted, fracas.load):
        problems = problems_of(call, ASKING[name](file))
        [problem] = [
            each for each in problems if each.message == f'"{file}" is a file, but this scenario has no folder'
        ]
        assert "folder=" in str(problem.suggestion)
        assert "canary" not in str(problem).replace(f'"{file}"', "")


@pytest.mark.parametrize("name", ASKING)
def test_with_a_folder_a_mapping_reads_its_files_and_no_others(canary, name):
    """Only then: this is the control of the tests above, in which the secret has to be found."""
    told = " ".join(map(str, problems_of(fracas.load, ASKING[name]("canary.toml"), folder=canary)))
    assert SECRET in told
    outside = " ".join(map(str, problems_of(fracas.load, ASKING[name]("../x.toml"), folder=canary)))
    assert "is outside the scenario's folder" in outside


def test_a_folder_is_relative_in_messages_and_goes_with_a_mapping(canary):
    [problem] = problems_of(fracas.load, ASKING["squads"]("missing.toml"), folder=".")
    assert (problem.where, problem.message) == ("missing.toml", "there is no such file")
    (canary / "plan.toml").write_text('formation = "flanking"\n')
    scenario = fracas.load(ASKING["squads"]("plan.toml"), folder=".")
    assert scenario.document["sides"][0]["strategy"]["formation"] == "flanking"
    [problem] = problems_of(fracas.load, EXAMPLES / "first-battle.toml", folder=".")
    assert problem.where == "folder"


def test_a_file_that_a_scenario_names_is_told_by_the_path_that_was_given(canary):
    (canary / "battle.toml").write_text(
        'ruleset = "squads"\nsides = [{units = ["scout"], strategy = "x.toml"}, {units = ["scout"]}]'
    )
    [problem] = problems_of(fracas.load, "battle.toml")
    assert problem.where == "x.toml"


def deep(levels: int) -> dict[str, Any]:
    document: dict[str, Any] = {"a": 1}
    for _ in range(levels - 1):
        document = {"a": document}
    return document


def knotted() -> dict[str, Any]:
    document: dict[str, Any] = {}
    document["a"] = document["b"] = document
    return document


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (None, "not a table"),
        ([], "not a table"),
        ("canary.toml", "not a table"),
        ({"a": "x" * LARGEST_DOCUMENT}, "larger than 262,144 bytes"),
        ({"a": ["x"] * LARGEST_DOCUMENT}, "larger than 262,144 bytes"),
        ({"a": "\u00e4" * (LARGEST_DOCUMENT // 2)}, "larger than 262,144 bytes"),
        ({"a": 10**400_000}, "larger than 262,144 bytes"),
        ({str(number): 1 for number in range(60_000)}, "larger than 262,144 bytes"),
        (deep(DEEPEST_DOCUMENT + 1), "nested more than 32 deep"),
        (knotted(), "nested more than 32 deep"),
        ({1: 2}, "a key that is not a string"),
        ({"a": {1, 2}}, "which is not valid in JSON"),
        ({"a": b"x"}, "which is not valid in JSON"),
    ],
    ids=range(13),
)
def test_what_is_no_document_or_too_large_is_refused(document, words):
    [problem] = problems_of(load_untrusted, document)
    assert words in problem.message


def test_a_document_at_its_bounds_is_looked_at():
    assert "does not name a ruleset" in str(problems_of(load_untrusted, deep(DEEPEST_DOCUMENT)))
    assert "does not name a ruleset" in str(problems_of(load_untrusted, {"a": "x" * (LARGEST_DOCUMENT - 100)}))


@pytest.mark.parametrize("name", registry.NAMES)
def test_a_sound_scenario_is_loaded_as_by_anybody(name):
    document = registry.get(name).random_scenario(1)
    found = load_untrusted(document, seed="from-afar")
    assert (found.document, found.warnings) == (fracas.load(document, seed="from-afar").document, found.warnings)


def test_messages_about_shipped_content_hold_no_path():
    types = {
        "spearman": {
            "id": "spearman",
            "name": "Spearman",
            "attack": 1,
            "defence": 1,
            "damage": 1,
            "health": 9,
            "moves": ["no_such_move"],
        }
    }
    document = {"ruleset": "stacks", "types": types, "world": "three_rivers", "attack": {"stack": "a", "tile": [0, 0]}}
    problems = problems_of(fracas.load, document)
    assert any(str(Path(fracas.__file__).parent) in problem.where for problem in problems), problems
    cleaned = problems_of(load_untrusted, document)
    assert [problem.message for problem in cleaned] == [problem.message for problem in problems]
    assert any(problem.where.startswith("worlds.toml: ") for problem in cleaned)
    assert not any("/" in problem.where for problem in cleaned)
