"""Reads the inputs of a report: scenarios to play, and saved results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from fracas.engine.scenario import LoadOptions, Scenario, load_scenario
from fracas.errors import InputError, Problem
from fracas.files.read import parse_json, read_text
from fracas.lab.presentation.documents import document_of
from fracas.lab.presentation.notebook import Document

# More inputs than this are unreadable on one page.
MOST_SOURCES = 32
LARGEST_RESULT = 16 * 1024 * 1024

Source = str | Path | Mapping[str, Any] | Scenario | Document


@dataclass(frozen=True)
class ToPlay:
    """A scenario that the report plays, with its given name."""

    name: str
    scenario: Scenario


@dataclass(frozen=True)
class Saved:
    """A saved result, with its given name."""

    name: str
    document: Document


def read_sources(sources: Iterable[Source], **asked: Unpack[LoadOptions]) -> list[ToPlay | Saved]:
    """Read scenarios and results in their given order.

    Raises:
        InputError: everything that is wrong with any of them.
    """
    found: list[ToPlay | Saved] = []
    problems: list[Problem] = []
    listed = list(sources)
    if not listed:
        raise InputError.of("FILES", "no files to report on", "name scenario files, or results saved as JSON")
    if len(listed) > MOST_SOURCES:
        raise InputError.of("FILES", f"got {len(listed):,}; a report has at most {MOST_SOURCES}")
    for source in listed:
        try:
            found.append(_read(source, asked))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return found


def _read(source: Source, asked: LoadOptions) -> ToPlay | Saved:
    if isinstance(source, Document):
        return Saved(f"{source.command} (a result in Python)", source)
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
    """Refuse our other JSON files, with advice."""
    if not isinstance(content, dict) or "command" in content:
        return
    if content.get("format") == "fracas-replay":
        raise InputError.of(where, "is a replay", f"save a result of it: fracas why {where} --format json")
    if "events" in content or "digest" in content:
        raise InputError.of(
            where, "is a single narrated battle, which fracas report does not show", "name its scenario file"
        )
