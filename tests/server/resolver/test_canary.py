"""A file in the working folder is asked for by every text of every schema, and is never opened, quoted or listed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.serving import RunningServer

from fracas.content.packs import examples_folder
from fracas.errors import InputError
from fracas.files.read import read_document
from fracas.replay.json_schema import json_schema
from fracas.rulesets import registry
from fracas.server.arena.bots import read_bots
from fracas.server.arena.entries import check_entry
from fracas.server.arena.league import read_leagues
from fracas.server.resolver import service

SECRET = "the-bytes-of-the-canary"
NAME = "canary-file.toml"
DEEPEST = 7
_watched: list[Path] = []
_opened: list[str] = []


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if _watched and event == "open" and isinstance(arguments[0], str | bytes | Path):
        name = str(arguments[0])
        if "canary" in name or name.startswith(str(_watched[0])):
            _opened.append(name)


sys.addaudithook(_note)


@pytest.fixture
def canary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a secret file, which is the working folder; opens in it are noted."""
    folder = tmp_path / "working-folder"
    folder.mkdir()
    file = folder / NAME
    file.write_text(f'SECRET_KEY = "{SECRET}"\nrules = [{{ do = "attack" }}]\n')
    monkeypatch.chdir(folder)
    _watched[:], _opened[:] = [folder], []
    yield file
    _watched.clear()


def paths(schema: Any, root: Any, depth: int = 0, seen: tuple[str, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of all texts that a schema allows; 0 stands for a list's first place, `key` for a table's free key."""
    if depth > DEEPEST or not isinstance(schema, dict):
        return
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if seen.count(name) < 2:
            yield from paths(root["$defs"][name], root, depth, (*seen, name))
        return
    for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from paths(each, root, depth, seen)
    if schema.get("type") == "string" or not schema:
        yield ()
    for name, inner in schema.get("properties", {}).items():
        yield from ((name, *rest) for rest in paths(inner, root, depth + 1, seen))
    if isinstance(schema.get("additionalProperties"), dict):
        yield from (("key", *rest) for rest in paths(schema["additionalProperties"], root, depth + 1, seen))
    if isinstance(schema.get("items"), dict):
        yield from ((0, *rest) for rest in paths(schema["items"], root, depth + 1, seen))


def asking(document: Any, path: tuple[str | int, ...], text: str) -> Any:
    """A copy of a document with a text at a path, whatever was there."""
    if not path:
        return text
    first, *rest = path
    if isinstance(first, int):
        found = list(document) if isinstance(document, list) else []
        inner = found[first] if found else None
        return [asking(inner, tuple(rest), text), *found[1:]]
    table = dict(document) if isinstance(document, dict) else {}
    return {**table, first: asking(table.get(first), tuple(rest), text)}


def base(name: str) -> dict[str, Any]:
    benchmark = registry.get(name).benchmarks[0]
    return read_document(examples_folder() / name / f"{benchmark}.toml")


@pytest.mark.parametrize("name", registry.NAMES)
def test_no_text_of_a_scenario_opens_a_file(canary: Path, name: str):
    schema = json_schema(name, "scenario")
    wanted = sorted(set(paths(schema, schema)), key=str)
    assert len(wanted) > 20
    document = base(name)
    _opened.clear()
    for path in wanted:
        # Almost the file's name, so that a suggestion would give it away.
        text = NAME.replace("file", "fil")
        answer = service.validate(asking(deepcopy(document), path, text)).model_dump_json()
        assert SECRET not in answer, path
        assert NAME not in answer, path
        assert str(canary.parent) not in answer, path
        assert "SECRET_KEY" not in answer, path
        service.validate(asking(document, path, NAME))
    assert _opened == []


@pytest.mark.parametrize("name", registry.NAMES)
def test_no_text_of_an_entry_opens_a_file(canary: Path, name: str):
    league = read_leagues()[name]
    schema = league.kind.model.model_json_schema()
    wanted = sorted(set(paths(schema, schema)), key=str)
    assert wanted
    entry = read_bots(league)[0].entry
    _opened.clear()
    for path in wanted:
        for text in (NAME.replace("file", "fil"), NAME, f"./{NAME}", str(canary)):
            try:
                told = str(check_entry(league, asking(deepcopy(entry), path, text)))
            except InputError as error:
                told = str(error)
            told = told.replace(text, "")
            assert not [each for each in (SECRET, NAME, str(canary.parent), "SECRET_KEY") if each in told], (path, text)
    assert _opened == []


REFERENCES = (NAME, f"./{NAME}", f"../working-folder/{NAME}", "file:{}", "{}", "~/x.toml", "%63anary-file.toml")


@pytest.mark.parametrize("reference", REFERENCES)
def test_no_way_of_writing_a_path_reaches_the_file(canary: Path, sqlite_server: RunningServer, reference: str):
    text = reference.format(canary)
    client = sqlite_server.client()
    squads = {"ruleset": "squads", "sides": [{"units": ["scout"], "strategy": text}, {"units": ["scout"]}]}
    bodies: list[dict[str, Any]] = [
        squads,
        {"ruleset": "titans", "players": [{"titan": "stone_warden", "policy": text}, {"titan": text}]},
        {"ruleset": "stacks", "world": text},
        {"ruleset": "relics", "left": text, "right": {}, "content": [text], "plugins": [text]},
        {"ruleset": "delve", "party": text, "quest": text},
    ]
    _opened.clear()
    for body in bodies:
        for path in ("validate", "lint", "run", "compile", "explain"):
            more = {"hit": ["1", "2"]} if path == "explain" else {}
            answer = client.post(f"/api/v1/{path}", {"scenario": body, **more})
            assert answer.status_code in (200, 422)
            shown = answer.text.replace(text, "")
            assert SECRET not in shown
            assert str(canary.parent) not in shown
        replay = {"format": "fracas-replay", "format_version": 1, "ruleset": body["ruleset"], "scenario": body}
        assert SECRET not in client.post("/api/v1/verify", replay).text
    assert _opened == []


def test_the_test_notices_a_file_that_is_opened(canary: Path):
    from fracas.engine.scenario import load_scenario

    document = {"ruleset": "squads", "sides": [{"units": ["scout"], "strategy": NAME}, {"units": ["scout"]}]}
    with pytest.raises(Exception, match="SECRET_KEY"):
        load_scenario(document, folder=canary.parent)
    assert _opened != []
