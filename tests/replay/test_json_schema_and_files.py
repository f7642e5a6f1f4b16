"""JSON Schemas accept what the loader accepts, shipped or shown in the documents, and refuse what is mutated."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ValidationError
from scripts import pages
from tests.helpers.soak import is_on, some

from fracas.content.packs import shipped_folder
from fracas.replay.json_schema import json_schema
from fracas.rulesets import registry

KINDS = ("scenario", "content", "strategy")
RULE_BOOKS = [pages.ROOT / "src/fracas/rulesets" / name / "README.md" for name in registry.NAMES]
Path_ = tuple[str | int, ...]


@cache
def validator(ruleset: str, kind: str) -> Draft202012Validator:
    return Draft202012Validator(json_schema(ruleset, kind))


def model_of(ruleset: str, kind: str) -> type[BaseModel]:
    model: type[BaseModel] = getattr(registry.get(ruleset).models, kind)
    return model


def plain(value: Any) -> Any:
    """A document as JSON has it: TOML's dates are texts there."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value.isoformat() if isinstance(value, datetime.date) else value


def fits(document: Any, ruleset: str, kind: str) -> bool:
    try:
        model_of(ruleset, kind).model_validate(document)
    except ValidationError:
        return False
    return True


def complaints(document: Any, ruleset: str, kind: str) -> list[str]:
    errors = validator(ruleset, kind).iter_errors(plain(document))
    return [f"{list(error.absolute_path)}: {error.message[:200]}" for error in errors]


@cache
def shipped_files() -> list[tuple[str, str, Path]]:
    """The files of the shipped content, and a sample of the examples that one of a ruleset's models accepts."""
    found = [
        (name, "content", file) for name in registry.NAMES for file in sorted(shipped_folder(name).rglob("*.toml"))
    ]
    for name in registry.NAMES:
        files = sorted((pages.ROOT / "examples" / name).rglob("*.toml"))
        for file in sorted({*some(files, min(8, len(files))), *(file for file in files if "standard" in file.name)}):
            document = tomllib.loads(file.read_text())
            found += [(name, kind, file) for kind in KINDS if fits(document, name, kind)][:1]
    return found


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_a_schema_accepts_every_shipped_file_and_example(ruleset: str) -> None:
    files = [(kind, file) for name, kind, file in shipped_files() if name == ruleset]
    assert {kind for kind, _ in files} >= {"scenario", "content"}
    wrong = {
        file.name: found
        for kind, file in files
        if (found := complaints(tomllib.loads(file.read_text()), ruleset, kind))
    }
    assert not wrong


def shown_documents() -> Iterator[tuple[Path, int, Any]]:
    for page in [*pages.pages(), *RULE_BOOKS]:
        for block in pages.blocks_of(page.read_text()):
            if block.language == "toml":
                try:
                    yield page, block.first, tomllib.loads(block.text)
                except tomllib.TOMLDecodeError:
                    continue


def test_schemas_accept_what_the_documents_show_and_the_loader_accepts() -> None:
    tried = 0
    for page, line, document in shown_documents():
        for ruleset in registry.NAMES:
            for kind in KINDS if document.get("ruleset", ruleset) == ruleset else ():
                if fits(document, ruleset, kind):
                    tried += 1
                    assert not complaints(document, ruleset, kind), f"{page}:{line}"
    assert tried > 110


def places_in(node: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    yield path, node
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, each in inner:
        yield from places_in(each, (*path, key))


def with_other(node: Any, path: Path_, other: Any) -> Any:
    """A document with something else in one place; the rest is shared."""
    if not path:
        return other
    copy: Any = dict(node) if isinstance(node, dict) else list(node)
    copy[path[0]] = with_other(node[path[0]], path[1:], other)
    return copy


def mutants(document: Any, seen: set[tuple[object, ...]]) -> Iterator[tuple[Path_, Any]]:
    """The document with a strange table, key or number in each place whose like was not seen."""
    for path, node in places_in(document):
        # What items do is one schema wherever it stands, and its places differ by how deep they are.
        deeds = next((at for at, part in enumerate(path) if part in ("triggers", "modifiers")), len(path))
        like = (
            *("*" if isinstance(part, int) else part for part in path[:deeds]),
            len(path[deeds:]),
            type(node).__name__,
        )
        like = like if deeds == len(path) else (path[deeds], path[-1] if isinstance(path[-1], str) else "*", *like[-2:])
        if like not in seen:
            seen.add(like)
            yield path, with_other(document, path, {"unheard_of": [None]})
            # That every object refuses unknown keys stands in the schemas: test_json_schema.py.
            if isinstance(node, dict) and is_on():
                yield path, with_other(document, path, {**node, "unheard_of": [None]})
            if isinstance(node, int) and not isinstance(node, bool):
                yield path, with_other(document, path, 10**30)


def small_documents(ruleset: str) -> Iterator[tuple[str, Any]]:
    """The entries of shipped files one by one, and examples."""
    for name, kind, file in shipped_files():
        document = plain(tomllib.loads(file.read_text()))
        if name == ruleset and kind == "content":
            yield from (("content", {key: [each]}) for key, entries in document.items() for each in entries)
        elif name == ruleset and "standard" in file.name:
            yield kind, document


@pytest.mark.parametrize("ruleset", some(registry.NAMES, 3))
def test_a_schema_refuses_what_is_mutated(ruleset: str) -> None:
    seen: set[tuple[object, ...]] = set()
    tried, missed = 0, []
    for kind, document in small_documents(ruleset):
        for path, mutant in mutants(document, seen):
            tried += 1
            if validator(ruleset, kind).is_valid(mutant):
                missed.append((kind, path))
    assert tried > 100
    assert not missed
