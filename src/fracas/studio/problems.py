"""Problems of a draft as an editor shows them: the place in the text, the message, and what one click fixes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from fracas.errors import UNKNOWN_KEY, InputError, Problem
from fracas.errors.suggestions import closest
from fracas.studio.drafts import Draft
from fracas.studio.text_positions import Path, Span, nearest_span, utf16

MOST_SHOWN = 100
MOST_FIXES = 8
_LINE = re.compile(r":(\d+)$")
_COLUMN = re.compile(r"column (\d+)")
_QUOTED = re.compile(r'"([^"]*)"')
_MEANT = re.compile(r"did you mean (.+)\?$")
_CHOICES = re.compile(r"(?:^|[:;] )write ([^;]+?)(?:;|$)")
# Whole lines that a suggestion offers: ruleset = "squads".
_LINES = re.compile(r'\bruleset = "[a-z]+"')


def problems_of(draft: Draft) -> list[dict[str, Any]]:
    """Everything that is wrong with a draft, then what is valid but probably a mistake; the latter only if it plays.

    Each is `{severity, from, to, message, hint, path, fixes}` with offsets as browsers count them; a fix is
    `{label, from, to, insert}`.
    """
    try:
        found = draft.remarks()
    except InputError as error:
        return _shown(draft, error.problems, "error")
    warnings, remarks = _shown(draft, found[0], "warning"), _shown(draft, found[1], "info")
    told = {(each["path"], each["message"]) for each in warnings}
    return [*warnings, *(each for each in remarks if (each["path"], each["message"]) not in told)]


def _shown(draft: Draft, problems: Iterable[Problem], severity: str) -> list[dict[str, Any]]:
    return [_marked(draft, problem, severity) for problem, _ in zip(problems, range(MOST_SHOWN), strict=False)]


def _marked(draft: Draft, problem: Problem, severity: str) -> dict[str, Any]:
    path, span = _place(draft, problem)
    start, end = _range(draft, problem, path, span)
    fixes = list(_fixes(draft, problem, path))[:MOST_FIXES]
    return {
        "severity": severity,
        "from": utf16(draft.text, start),
        "to": utf16(draft.text, end),
        "message": problem.message,
        "hint": problem.suggestion or "",
        "path": ".".join(path),
        "fixes": fixes,
    }


def _place(draft: Draft, problem: Problem) -> tuple[Path, Span | None]:
    """The path that a problem names, and where it, or what is around it, stands."""
    _, separator, dotted = problem.where.partition(": ")
    if not separator:
        return (), None
    path = _keys(draft, dotted)
    return path, nearest_span(draft.spans, path)


def _keys(draft: Draft, dotted: str) -> Path:
    """A dotted path as keys. Keys may have dots of their own, so those that stand in the text are preferred."""
    parts = dotted.split(".")
    path: Path = ()
    while parts:
        for length in range(len(parts), 0, -1):
            key = ".".join(parts[:length])
            if (*path, key) in draft.spans or length == 1:
                path, parts = (*path, key), parts[length:]
                break
    return path


def _range(draft: Draft, problem: Problem, path: Path, span: Span | None) -> tuple[int, int]:
    """What to underline: the key if it is unknown, the value if it is wrong, the line if the text does not parse."""
    text = draft.text
    line = _LINE.search(problem.where.partition(": ")[0])
    if line is not None:
        start = _start_of_line(text, int(line[1]))
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        column = _COLUMN.search(problem.message)
        if column is not None:
            start = min(start + int(column[1]) - 1, max(start, end - 1))
        return start, max(start, end)
    if span is None:
        end = text.find("\n")
        return 0, len(text) if end < 0 else end
    is_exact = path in draft.spans
    is_key = problem.kind == UNKNOWN_KEY or _wrong_word(problem, text[slice(*(span.key or (0, 0)))]) is not None
    if span.key is not None and (is_key or not is_exact):
        return span.key
    wrong = _wrong_word(problem, text[slice(*span.value)])
    if is_exact and wrong is not None:
        start = span.value[0] + wrong[0]
        return start, start + len(wrong[1])
    start, end = span.value
    # A whole table would underline half of the page.
    return (start, end) if "\n" not in text[start:end] else span.key or (start, start + 1)


def _start_of_line(text: str, line: int) -> int:
    start = 0
    for _ in range(line - 1):
        end = text.find("\n", start)
        if end < 0:
            break
        start = end + 1
    return start


def _wrong_word(problem: Problem, value: str) -> tuple[int, str] | None:
    """The word that a message quotes, and where it stands within a value."""
    for word in _QUOTED.findall(problem.message):
        match = re.search(rf"(?<![\w.]){re.escape(word)}(?![\w])", value) if word else None
        if match is not None:
            return match.start(), word
    return None


def _fixes(draft: Draft, problem: Problem, path: Path) -> Iterator[dict[str, Any]]:
    """What to write instead, for each name that the suggestion offers."""
    span = draft.spans.get(path)
    if not path and not draft.is_json:
        for line in _LINES.findall(problem.suggestion or ""):
            yield _fix(draft, (0, 0), f"{line}\n", line)
    if span is None:
        return
    value = draft.text[slice(*span.value)]
    names = list(_offered(problem, (*path[-1:], value.strip("\"'"))))
    if problem.kind == UNKNOWN_KEY:
        if span.key is not None:
            yield from (_fix(draft, span.key, key_text(name, draft.is_json), name) for name in names)
        return
    wrong = _wrong_word(problem, value)
    if wrong is None and span.key is not None and (wrong := _wrong_word(problem, draft.text[slice(*span.key)])):
        # The name that is wrong is a key, such as an ability's.
        yield from (_fix(draft, span.key, key_text(name, draft.is_json), name) for name in names)
    elif wrong is not None and value[:1] in "\"'" and wrong[1] != value[1:-1]:
        start = span.value[0] + wrong[0]
        yield from (_fix(draft, (start, start + len(wrong[1])), name, name) for name in names)
    elif value[:1] in "\"'":
        yield from (_fix(draft, span.value, json.dumps(name, ensure_ascii=False), name) for name in names)


def _offered(problem: Problem, words: Iterable[str]) -> Iterator[str]:
    """What was expected and is close to one of the words that stand there, else what the suggestion offers."""
    if problem.expected:
        close = [name for word in words for name in closest(word, problem.expected)]
        yield from close or (problem.expected if len(problem.expected) <= MOST_FIXES else ())
        return
    meant = _MEANT.search(problem.suggestion or "")
    if meant is not None:
        yield from _QUOTED.findall(meant[1])
        return
    listed = _CHOICES.search(problem.suggestion or "")
    if listed is not None:
        for name in re.split(r", | or ", listed[1].strip()):
            if re.fullmatch(r'"?[\w.-]+"?', name):
                yield name.strip('"')


def _fix(draft: Draft, place: tuple[int, int], insert: str, name: str) -> dict[str, Any]:
    return {
        "label": name,
        "from": utf16(draft.text, place[0]),
        "to": utf16(draft.text, place[1]),
        "insert": insert,
    }


def key_text(key: str, is_json: bool) -> str:
    """A key as it is written: quoted where that is needed."""
    is_bare = re.fullmatch(r"[A-Za-z0-9_-]+", key) is not None
    return key if is_bare and not is_json else json.dumps(key, ensure_ascii=False)
