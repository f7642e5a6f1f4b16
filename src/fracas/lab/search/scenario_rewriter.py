"""An improved scenario written as the user wrote it: their file with the lines that changed, comments and all."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fracas.engine.overrides import KEPT_BESIDE_ID, place_of
from fracas.engine.scenario import Scenario
from fracas.errors import InputError
from fracas.files.toml_writer import toml_text, with_values
from fracas.lab.search.optimise_result import Optimised
from fracas.rulesets.contract.types import Document, Source

_NUMBER = re.compile(r"-\d+$")


def rewritten(found: Optimised, save: Path) -> str | None:
    """The text of the scenario's file with what the search changed, for a place to save it in; None if it has no such.

    It says the same as the improved document, wherever it is saved: that is tried before it is given.
    """
    scenario, folder = found.scenario, save.resolve().parent
    written = scenario.written
    if written is None or written.origin.folder is None:
        return None
    for document in _candidates(found, written.document):
        try:
            text = _text(Path(written.origin.where), document, save)
            again = json.loads(text) if save.suffix == ".json" else tomllib.loads(text)
            if _record(scenario, again, Source(str(save), folder)) == _record(
                scenario, found.document, Source("", folder)
            ):
                return text
        except (InputError, OSError, ValueError, RecursionError):
            continue
    return None


def _candidates(found: Optimised, written: Document) -> Iterator[Document]:
    """What the file may say: first with names of the content where they are enough, then with everything spelt out."""
    for by_name in (True, False):
        document = written
        for knob, _ in found.changes:
            document = _with_place(document, found.document, knob.path, by_name)
        yield document


def _with_place(document: Document, improved: Document, path: Sequence[str], by_name: bool) -> Document:
    """A copy of what is written in which a place says what it says in the improved document.

    Where the file stops short of it, because it names something or says nothing, it says all that is there.
    """
    there = place_of(document, path)
    reached = there.path
    if not there.is_there and isinstance(there.here, dict):
        reached = (*there.path, path[len(there.path)])
    wanted = place_of(improved, reached)
    value = _named(wanted.here, by_name) if wanted.is_there else None
    changed: Document = _put(document, reached, value)
    return changed


def _named(value: Any, by_name: bool) -> Any:
    """A value as files say it; an entry with an id by that alone, with what is the user's own beside it."""
    if isinstance(value, list):
        return [_named(each, by_name) for each in value]
    if not by_name or not isinstance(value, dict) or "id" not in value:
        return value
    kept = {key: value[key] for key in KEPT_BESIDE_ID if key in value and value[key] != "normal"}
    # Of several alike all but the first have a number behind their id.
    name = _NUMBER.sub("", str(value["id"]))
    return {"id": name, **kept} if kept else name


def _put(here: Any, path: Sequence[str], value: Any) -> Any:
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(here, list):
        place = int(first)
        return [*here[:place], _put(here[place], rest, value), *here[place + 1 :]]
    if not rest and value is None:
        return {key: each for key, each in here.items() if key != first}
    return {**here, first: _put(here.get(first), rest, value)}


def _text(file: Path, document: Document, save: Path) -> str:
    """The document as text; a TOML file keeps its own lines where nothing changed."""
    if save.suffix == ".json":
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if file.suffix == ".json":
        return toml_text(document)
    return with_values(file.read_text(encoding="utf-8"), document)


def _record(scenario: Scenario, document: Document, source: Source) -> bytes:
    """All numbers that a document comes to, once it is looked up and compiled; names may differ."""
    folders = scenario.written.folders if scenario.written is not None else ()
    plugins = {plugin.name: plugin for plugin in scenario.compiled.plugins}
    resolved = scenario.ruleset.resolve(document, source, folders, plugins).document
    compiled = scenario.ruleset.compile({**resolved, "seed": scenario.seed}, plugins)
    return bytes(compiled.record.tobytes())
