"""What a report is made of: scenarios that are still to be played, and saved results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from fracas.engine.scenario import LoadOptions, Scenario, load_scenario
from fracas.errors import InputError, Problem
from fracas.files.read import parse_json, read_text
from fracas.lab.presentation.documents import document_of
from fracas.lab.presentation.notebook import Result
from fracas.lab.presentation.types import Document

# More than this no page can show and no reader can read.
MOST_SOURCES = 32
LARGEST_RESULT = 16 * 1024 * 1024

Source = str | Path | Mapping[str, Any] | Scenario | Result


@dataclass(frozen=True)
class ToPlay:
    """A scenario that the report plays, under the name that it was given by."""

    name: str
    scenario: Scenario


@dataclass(frozen=True)
class Saved:
    """A result that somebody has, under the name that it was given by."""

    name: str
    document: Document


def read_sources(sources: Iterable[Source], **asked: Unpack[LoadOptions]) -> list[ToPlay | Saved]:
    """Scenarios and results, in the order in which they are given.

    Raises:
        InputError: everything that is wrong with any of them.
    """
    found: list[ToPlay | Saved] = []
    problems: list[Problem] = []
    listed = list(sources)
    if not listed:
        raise InputError.of("FILES", "there is nothing to report on", "name scenario files, or results saved as JSON")
    if len(listed) > MOST_SOURCES:
        raise InputError.of("FILES", f"there are {len(listed):,}; a report is of at most {MOST_SOURCES}")
    for source in listed:
        try:
            found.append(_read(source, asked))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return found


def _read(source: Source, asked: LoadOptions) -> ToPlay | Saved:
    if isinstance(source, Result):
        document = source.to_document()
        return Saved(f"{document.command} (a result in Python)", document)
    if isinstance(source, Scenario):
        return ToPlay(source.id, source)
    if isinstance(source, Mapping):
        scenario = load_scenario(source, **asked)
        return ToPlay(scenario.id, scenario)
    path = Path(source)
    if path.suffix.lower() == ".json":
        content = parse_json(read_text(path, LARGEST_RESULT), str(path))
        _refuse_other_files(content, str(path))
        if not isinstance(content, dict) or "command" in content or "ruleset" not in content:
            return Saved(str(source), document_of(content, str(path)))
    return ToPlay(str(source), load_scenario(path, **asked))


def _refuse_other_files(content: Any, where: str) -> None:
    """Say what to do with JSON files of ours that are neither scenarios nor results."""
    if not isinstance(content, dict) or "command" in content:
        return
    if content.get("format") == "fracas-replay":
        raise InputError.of(where, "is a replay", f"save a result of it: fracas why {where} --format json")
    if "events" in content or "digest" in content:
        raise InputError.of(where, "is one told battle, which fracas report does not show", "name its scenario file")
