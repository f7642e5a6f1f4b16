"""Writes an improved scenario back into the user's own file: only changed lines differ, comments stay."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fracas.engine.overrides import KEPT_BESIDE_ID, place_of
from fracas.engine.scenario import Scenario
from fracas.errors import InputError
from fracas.files.toml_writer import toml_text, with_values
from fracas.lab.search.optimise_result import Optimised
from fracas.rulesets.contract.types import Document, Source

# The keys of a table that name the entry that the table changes.
NAMING_KEYS = ("id", "template", "type")
_NUMBER = re.compile(r"-\d+$")


def rewritten(result: Optimised, save: Path) -> str | None:
    """The text of the scenario's file with the changes of a search, ready to be saved at `save`; None without a file.

    The text is loaded and compared first: it means the same as the improved document wherever you save it.
    """
    scenario, folder = result.given, save.resolve().parent
    written = scenario.written
    if written is None or written.origin.folder is None:
        return None
    paths = [change.keys for change in result.changes]
    for document in _candidates(written.document, result.document, paths):
        try:
            text = _text(Path(written.origin.where), document, save)
            again = json.loads(text) if save.suffix == ".json" else tomllib.loads(text)
            if _record(scenario, again, Source(str(save), folder)) == _record(
                scenario, result.document, Source("", folder)
            ):
                return text
        except (InputError, OSError, ValueError, RecursionError):
            continue
    return None


class Reading(NamedTuple):
    """What a written document means."""

    resolved: Callable[[Document], Document]
    record: Callable[[Document], bytes]
    """All numbers that it compiles to; names may differ."""


def reading_of(scenario: Scenario, source: Source) -> Reading:
    """How the text of a scenario is read, and other texts in its place."""
    return Reading(
        lambda document: _resolved(scenario, document, source), lambda document: _record(scenario, document, source)
    )


def changed_text(
    reading: Reading,
    written: Document,
    text: str,
    wanted: Document,
    numbers: bytes,
    path: Sequence[str],
    *,
    is_json: bool = False,
) -> str | None:
    """A text with one place changed, so that it means the wanted resolved document; None if none was found.

    `written` holds the values of `text`, and `numbers` are those of the wanted document. Where the text only names an
    entry, a table with that name and the changed value replaces it. In TOML everything else stays as it is written.
    """
    value = place_of(wanted, path).here
    waiting = [
        *_beside_names(written, path, value),
        *_candidates(written, wanted, [path]),
        *_listed(written, wanted, path),
    ]
    is_adjusted = not isinstance(value, int) or isinstance(value, bool)
    while waiting:
        document = waiting.pop(0)
        try:
            changed = text_of(document, text, is_json=is_json)
            again = json.loads(changed) if is_json else tomllib.loads(changed)
            there = place_of(reading.resolved(again), path).here
            # Another unit brings other abilities, whose numbers differ from those that the search added behind the old.
            if _nameless(there) == _nameless(value) or reading.record(again) == numbers:
                return changed
        except (InputError, ValueError, RecursionError):
            continue
        if not is_adjusted and isinstance(there, int):
            # Something, such as armor that is worn, is added to what the file says.
            is_adjusted = True
            waiting[:0] = _beside_names(written, path, 2 * value - there)
    return None


def _beside_names(written: Document, path: Sequence[str], value: Any) -> Iterator[Document]:
    """Versions of a document that set one value and keep the names of the entries around it."""
    there = place_of(written, path)
    reached, rest = there.path, path[len(there.path) :]
    if there.is_there or isinstance(there.here, dict):
        for by_name in (True, False):
            yield _put(written, (*reached, *rest), _named(value, by_name))
    elif isinstance(there.here, list) and rest:
        # A list may stand for a table that holds little else: policy = [...] for policy.rules.
        yield from _beside_names(written, (*reached, *rest[1:]), value)
    elif isinstance(there.here, str) and rest:
        for key in NAMING_KEYS:
            yield _put(written, reached, _put({key: there.here}, rest, value))


def _candidates(written: Document, improved: Document, paths: Sequence[Sequence[str]]) -> Iterator[Document]:
    """Versions of the file to try: first with names of content where they suffice, then with everything spelled out."""
    for by_name in (True, False):
        document = written
        for path in paths:
            document = _with_place(document, improved, path, by_name)
        yield document


def _listed(written: Document, wanted: Document, path: Sequence[str]) -> Iterator[Document]:
    """The file with everything spelled out, and a list where a table would hold nothing else."""
    reached = place_of(written, path).path
    value = place_of(wanted, reached).here
    lists = list(value.values()) if isinstance(value, dict) else []
    if len(lists) == 1 and isinstance(lists[0], list):
        yield _put(written, reached, lists[0])


def _with_place(document: Document, improved: Document, path: Sequence[str], by_name: bool) -> Document:
    """A copy of the written document in which one place says what the improved document says there.

    Where the file does not go that deep, because it names content or says nothing, the whole value is written.
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
    """A value as files write it; an entry with an id becomes that id, plus the user's own keys."""
    if isinstance(value, list):
        return [_named(each, by_name) for each in value]
    if not by_name or not isinstance(value, dict) or "id" not in value:
        return value
    kept = {key: value[key] for key in KEPT_BESIDE_ID if key in value and value[key] != "normal"}
    # Entries of the same name have a number appended to their id, except the first.
    name = _NUMBER.sub("", str(value["id"]))
    return {"id": name, **kept} if kept else name


def _put(here: Any, path: Sequence[str], value: Any) -> Any:
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(here, list):
        index = int(first)
        return [*here[:index], _put(here[index], rest, value), *here[index + 1 :]]
    if not rest and value is None:
        return {key: each for key, each in here.items() if key != first}
    return {**(here or {}), first: _put((here or {}).get(first), rest, value)}


def _text(file: Path, document: Document, save: Path) -> str:
    """The document as text; a TOML file keeps its own lines where nothing changed."""
    if save.suffix == ".json":
        return _json(document)
    if file.suffix == ".json":
        return toml_text(document)
    return with_values(file.read_text(encoding="utf-8"), document)


def text_of(document: Document, text: str, *, is_json: bool) -> str:
    """A document as text; TOML keeps the lines of the text that it replaces where nothing changed.

    Raises:
        ValueError: the text that it replaces is not TOML.
    """
    return _json(document) if is_json else with_values(text, document)


def _json(document: Document) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _record(scenario: Scenario, document: Document, source: Source) -> bytes:
    """All numbers that a document compiles to; names may differ."""
    plugins = {plugin.name: plugin for plugin in scenario.compiled.plugins}
    resolved = _resolved(scenario, document, source)
    compiled = scenario.ruleset.compile({**resolved, "seed": scenario.seed}, plugins)
    return bytes(compiled.record.tobytes())


def _resolved(scenario: Scenario, document: Document, source: Source) -> Document:
    folders = scenario.written.folders if scenario.written is not None else ()
    plugins = {plugin.name: plugin for plugin in scenario.compiled.plugins}
    return scenario.ruleset.resolve(document, source, folders, plugins).document


def _nameless(value: Any) -> Any:
    """An entry without its names, which are numbered in the order of the file."""
    return {key: each for key, each in value.items() if key not in ("id", "name")} if isinstance(value, dict) else value
