"""Read TOML and JSON files within bounds; every error names the file and, for syntax errors, the line."""

from __future__ import annotations

import ast
import codecs
import json
import re
import stat
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from fracas.errors import InputError
from fracas.errors.suggestions import nearest, quoted, visible
from fracas.files.process_cache import note

LARGEST_FILE = 16 * 1024 * 1024
LARGEST_TEXT = 4 * 1024 * 1024
DEEPEST_NESTING = 64
# Keys per file; each part of a dotted key counts. The TOML parser needs about a thousand bytes of memory per key.
MOST_KEYS = 200_000
# Entries of all tables and lists together, in a file or in a mapping from a program.
MOST_VALUES = 500_000
# Messages show this many parts of a path.
LONGEST_SHOWN_PATH = 12
# The smallest whole number that Python refuses to format. JSON cannot hold it; hexadecimal TOML and programs can.
TOO_LARGE_TO_WRITE = 10**4300
# How similar a file's name must be to be suggested for a missing one. A shared ending makes short names half similar.
LIKENESS_OF_FILES = 0.85
SAVE_AS_UTF8 = "save the file as UTF-8"

# Strings and comments, which may contain brackets, then the brackets themselves. An unclosed string ends with its line
# or its file, so that each mark is visited once. Repetitions are possessive, because backtracking would cost 120 bytes
# of memory per character.
_JSON_MARKS = re.compile(r'"(?:[^"\\\n]++|\\.)*+"?|[\[{\]}]')
# TOML patterns are possessive too, because backtracking would need many times the text's size in memory.
_TOML_TEXT = r'"(?:[^"\\\n]++|\\[^\n])*+"?' + r"|'[^'\n]*+'?"
_TOML_APART = r'#[^\n]*+|"{3}(?:[^"\\]++|\\.|"(?!""))*+"{0,5}' + r"|'{3}(?:[^']++|'(?!''))*+'{0,5}"
_TOML_MARKS = re.compile(rf"{_TOML_APART}|{_TOML_TEXT}|[\[{{\]}}]", re.DOTALL)
# Keys are words or strings, separated by dots.
_PART = rf"""(?>{_TOML_TEXT}|[^\s\[\]{{}}=,#."']++)"""
_TOML_KEYS = re.compile(
    rf"{_TOML_APART}|(?P<key>{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+)(?P<equals>[ \t]*+=)?|(?P<header>\n[ \t]*+\[)",
    re.DOTALL,
)
_PARTS = re.compile(_PART)
_HOLDERS, _CHECKED = (dict, list, tuple), (str, int)
# Scalar types that are always valid, and whole numbers that need no further check.
_SAFE_KINDS = frozenset({float, bool, type(None)})
_SAFE_NUMBERS = range(-(2**63), 2**63)
_HALF_A_PAIR = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True)
class InMemory:
    """What a file would hold, as bytes. Messages call it by its name."""

    data: bytes
    name: str

    def __str__(self) -> str:
        return self.name


FileLike = Path | InMemory


def read_document(path: Path) -> dict[str, Any]:
    """Read a TOML or JSON file as a table.

    Raises:
        InputError: no such file, a folder, too large, not UTF-8, a syntax error (with its line), nested too deep.
    """
    text = read_text(path, LARGEST_TEXT)
    note(partial(read_text, path, LARGEST_TEXT), text)
    return document_of(text, path)


def document_of(text: str, path: Path) -> dict[str, Any]:
    """Parse the text of a TOML or JSON file as a table.

    Raises:
        InputError: a syntax error (with its line), nested too deep, too many values.
    """
    if path.suffix != ".json":
        return parse_toml(text, str(path))
    document = parse_json(text, str(path))
    if not isinstance(document, dict):
        raise InputError.of(str(path), f"contains {_kind(document)} instead of a table (an object)")
    refuse_unfit(document, str(path))
    return document


def read_named_document(path: Path) -> dict[str, Any]:
    """Read a file that another file or a folder names, as `read_document` does; pipes and devices are refused.

    Raises:
        InputError: see `read_document`; or it is not a regular file.
    """
    refuse_special(path)
    return read_document(path)


def refuse_special(path: Path) -> None:
    """Refuse pipes and devices, which could make the reader wait forever.

    Raises:
        InputError: the path is not a regular file.
    """
    try:
        is_special = not stat.S_ISREG(path.stat().st_mode) and not is_folder(path)
    except (OSError, ValueError):
        is_special = False  # The file is missing or its name is invalid: reading it reports that.
    if is_special:
        raise InputError.of(str(path), "is a pipe or a device, not a regular file")


def read_text(source: FileLike, limit: int = LARGEST_FILE) -> str:
    """Read a file as text.

    Raises:
        InputError: no such file, a folder, unreadable, larger than the limit (bytes), not UTF-8.
    """
    where = str(source)
    raw = source.data if isinstance(source, InMemory) else _bytes_of(source, limit + 1)
    if len(raw) > limit:
        raise InputError.of(where, f"is larger than {limit:,} bytes, the limit for this kind of file")
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in raw[:2]:
        raise InputError.of(where, "is UTF-16 text, not UTF-8", SAVE_AS_UTF8)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError.of(f"{where}:{line}", "is not UTF-8 text", SAVE_AS_UTF8) from None


def _bytes_of(path: Path, most: int) -> bytes:
    where = str(path)
    try:
        if is_folder(path):
            raise InputError.of(where, "is a folder, not a file")
        with path.open("rb") as file:
            # Do not rely on the file's size: devices and pipes have none, and may never end.
            return file.read(most)
    except FileNotFoundError:
        raise InputError.of(where, "there is no such file", _missing_file_hint(path)) from None
    except (OSError, ValueError) as error:
        raise InputError.of(where, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None


def is_folder(path: Path) -> bool:
    """Whether a path is a folder; False for names that no file system allows."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_there(path: Path) -> bool:
    """Whether a path exists; False for names that no file system allows."""
    try:
        return path.exists()
    except OSError:
        return False


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Parse TOML text to plain values.

    Raises:
        InputError: a syntax error (with its line), nested too deep, too many keys, a number too large.
    """
    try:
        return toml_values(text, where)
    except tomllib.TOMLDecodeError as error:
        message, line = _toml_position(str(error), text)
        raise InputError.of(f"{where}:{line}", f"invalid TOML: {message}") from None
    except ValueError as error:
        raise InputError.of(where, f"invalid TOML: {error}") from None


def toml_values(text: str, where: str) -> dict[str, Any]:
    """Parse text that may or may not be TOML.

    Raises:
        ValueError: the text is not TOML.
        InputError: nested too deep, too many keys, a number too large.
    """
    _refuse_deep_nesting(text, where, _TOML_MARKS)
    _refuse_long_keys(text, where)
    try:
        values = tomllib.loads(text)
    except RecursionError:
        raise InputError.of(where, "keys are nested too deeply") from None
    refuse_unfit(values, where)
    return values


def parse_json(text: str, where: str, *, most_keys: int = MOST_KEYS) -> Any:
    """Parse JSON text to plain values; NaN, infinities, repeated keys and halves of surrogate pairs are refused.

    Raises:
        InputError: a syntax error (with its line), a repeated key, too many keys, nested too deep.
    """
    _refuse_deep_nesting(text, where, _JSON_MARKS)
    keys = 0

    def refuse_constant(name: str) -> Any:
        raise InputError.of(where, f"{name} is not a valid number")

    def refuse_repeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal keys
        keys += len(pairs)
        if keys > most_keys:
            raise _too_many_keys(where, most_keys)
        table = dict(pairs)
        if len(table) < len(pairs):
            repeated = _first_repeated(key for key, _ in pairs)
            raise InputError.of(where, f"the key {quoted(repeated)} appears twice in one object")
        return table

    try:
        value = json.loads(text, parse_constant=refuse_constant, object_pairs_hook=refuse_repeated)
    except json.JSONDecodeError as error:
        raise _json_error(error, where) from None
    except RecursionError:
        raise InputError.of(where, "values are nested too deeply") from None
    except ValueError as error:
        raise InputError.of(where, f"invalid JSON: {error}") from None
    if _HALF_A_PAIR.search(text):
        _refuse_halves_of_pairs(value, where)
    return value


def _json_error(error: json.JSONDecodeError, where: str) -> InputError:
    """A syntax error with its line; a comma before a closing bracket, the most frequent one, is named."""
    text = error.doc
    # Some versions of Python stop at the comma, others behind it.
    comma = error.pos if text[error.pos : error.pos + 1] == "," else len(text[: error.pos].rstrip()) - 1
    if comma >= 0 and text[comma] == "," and text[comma + 1 :].lstrip()[:1] in ("}", "]"):
        line, column = text.count("\n", 0, comma) + 1, comma - text.rfind("\n", 0, comma)
        message = f"invalid JSON: there is a comma before the closing bracket (column {column})"
        return InputError.of(f"{where}:{line}", message, "remove the comma")
    return InputError.of(f"{where}:{error.lineno}", f"invalid JSON: {error.msg} (column {error.colno})")


def _first_repeated(keys: Iterable[str]) -> str:
    """Find the first key that appears a second time."""
    known: set[str] = set()
    for key in keys:
        if key in known:
            return key
        known.add(key)
    raise LookupError("no key is repeated")


def _too_many_keys(where: str, most: int) -> InputError:
    return InputError.of(where, f"has more than {most:,} keys, which is the limit")


def refuse_unfit(document: Any, where: str) -> None:
    """Refuse values that no file could hold, or that would exhaust code that walks through them.

    Values from a program have passed no parser, and TOML headers can add up nesting that is within bounds in each part.

    Raises:
        InputError: the first of these: tables and lists nested too deep, too many values, a string that is not valid
            Unicode, a number of more than 4,300 digits.
    """
    if _is_clearly_fit(document):
        return
    # Tables and lists still to visit, each with its depth and its place: a key and the place of its parent, or None.
    waiting: list[tuple[Any, int, Any]] = [([document], -1, None)]
    seen = 0
    while waiting:
        holder, depth, place = waiting.pop()
        seen += len(holder)
        if depth > DEEPEST_NESTING and holder:
            raise InputError.of(_at(where, place), f"values are nested more than {DEEPEST_NESTING} deep")
        if seen > MOST_VALUES:
            raise InputError.of(where, f"has more than {MOST_VALUES:,} values")
        for key, value in holder.items() if isinstance(holder, dict) else enumerate(holder):
            if isinstance(value, _HOLDERS):
                waiting.append((value, depth + 1, (key, place) if depth >= 0 else None))
            for each in (key, value):
                message = _unfit(each) if isinstance(each, _CHECKED) else None
                if message:
                    raise InputError.of(_at(where, (key, place) if depth >= 0 else None), message)


def _is_clearly_fit(document: Any) -> bool:
    """Whether a faster check without paths finds nothing suspicious; it stops at the same bounds."""
    holders: list[Any] = [document] if type(document) in (dict, list) else []
    seen = len(holders)
    keys: set[Any] = set()
    texts: list[str] = []
    numbers = [0]
    for _ in range(DEEPEST_NESTING + 1):
        inner: list[Any] = []
        # Collected here and looked at below: a call for each value takes longer than everything else.
        for values in holders:
            seen += len(values)
            if seen > MOST_VALUES:
                return False
            if type(values) is dict:
                keys.update(values)
                values = values.values()
            for value in values:
                kind = type(value)
                if kind is str:
                    texts.append(value)
                elif kind is int:
                    numbers.append(value)
                elif kind is dict or kind is list:
                    inner.append(value)
                elif kind not in _SAFE_KINDS:
                    return False
        if not inner:
            break
        holders = inner
    else:
        return False
    try:
        if not all(map(str.isascii, keys)):
            return False
    except TypeError:  # A key is not a string.
        return False
    are_safe = min(numbers) in _SAFE_NUMBERS and max(numbers) in _SAFE_NUMBERS
    return bool(holders) and are_safe and not any(_unfit(text) for text in texts if not text.isascii())


def _unfit(value: str | int) -> str | None:
    """What is wrong with a key, a string or a whole number; None if nothing."""
    if isinstance(value, int):
        is_huge = not -TOO_LARGE_TO_WRITE < value < TOO_LARGE_TO_WRITE
        return "is a number of more than 4,300 digits" if is_huge else None
    try:
        value.encode()
    except UnicodeEncodeError as error:
        return _half_of_a_pair(error)
    return None


def _at(where: str, place: Any) -> str:
    """Format a place for messages, with the path as `validate` writes it; long paths are shortened."""
    parts: list[str] = []
    while place is not None:
        key, place = place
        parts.append(visible(str(key)))
    shown = ".".join(parts[: -LONGEST_SHOWN_PATH - 1 : -1])
    return f"{where}: {shown}{'…' if len(parts) > LONGEST_SHOWN_PATH else ''}" if parts else where


def _refuse_halves_of_pairs(value: Any, where: str) -> None:
    """Refuse half of a surrogate pair, which JSON can escape but which is not a character."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise InputError.of(where, _half_of_a_pair(error)) from None


def _half_of_a_pair(error: UnicodeEncodeError) -> str:
    return f"\\u{ord(error.object[error.start]):04x} is half of a surrogate pair, not a character"


def _refuse_deep_nesting(text: str, where: str, marks: re.Pattern[str]) -> None:
    depth = 0
    for mark in marks.finditer(text):
        bracket = mark.group()
        if bracket in "[{":
            depth += 1
            if depth > DEEPEST_NESTING:
                line = text.count("\n", 0, mark.start()) + 1
                raise InputError.of(f"{where}:{line}", f"brackets are nested more than {DEEPEST_NESTING} deep")
        elif bracket in "]}":
            depth = max(0, depth - 1)


def _refuse_long_keys(text: str, where: str) -> None:
    """Refuse too many keys and dotted keys with too many parts, because the TOML parser needs quadratic time for them.

    Parses the keys only if counting dots and signs does not rule this out.
    """
    most = text.count("=") + text.count(".") + text.count("[")
    if most <= MOST_KEYS and not any(line.count(".") >= DEEPEST_NESTING for line in text.split("\n")):
        return
    keys = 0
    for found in _toml_keys(text):
        parts = 1 if found["key"].isalnum() else sum(1 for _ in _PARTS.finditer(found["key"]))
        keys += parts
        if parts > DEEPEST_NESTING:
            line = text.count("\n", 0, found.start("key")) + 1
            raise InputError.of(f"{where}:{line}", f"a key has more than {DEEPEST_NESTING} parts")
        if keys > MOST_KEYS:
            raise _too_many_keys(where, MOST_KEYS)


def _toml_keys(text: str) -> Iterator[re.Match[str]]:
    """Find keys in TOML text: before an equals sign, or in a header. Long values with dots count as keys."""
    in_header = False
    for found in _TOML_KEYS.finditer(f"\n{text}"):
        if found["key"] and (in_header or found["equals"] or found["key"].count(".") >= DEEPEST_NESTING):
            yield found
        in_header = bool(found["header"])


def _toml_position(message: str, text: str) -> tuple[str, int]:
    """The parser's message, with a repeated key or table named, and its line."""
    match = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    what = message[: match.start()] if match else message.removesuffix(" (at end of document)")
    line = int(match[1]) if match else text.count("\n") + 1
    repeated = _repeated_in_toml(what, text, line)
    if repeated:
        return repeated, line
    return (f"{what} (column {match[2]})" if match else f"{what} at the end of the file"), line


def _repeated_in_toml(what: str, text: str, line: int) -> str | None:
    """Say which key or table appears twice; None if the parser complains about something else."""
    inline = re.fullmatch(r"Duplicate inline table key '(.*)'", what, re.DOTALL)
    if inline:
        return f"the key {quoted(inline[1])} appears twice in one table"
    table = re.fullmatch(r"Cannot declare \((.*)\) twice", what, re.DOTALL)
    if table:
        return f"the table [{visible('.'.join(ast.literal_eval(f'({table[1]})')))}] appears twice"
    if what != "Cannot overwrite a value":
        return None
    # The parser stops behind the value, which may have several lines; its key begins one.
    before = "\n".join(text.split("\n")[:line])
    keys = [each["key"] for each in _toml_keys(before) if each["equals"] and _begins_a_line(before, each)]
    return f"the key {quoted(keys[-1])} appears twice in one table" if keys else None


def _begins_a_line(text: str, match: re.Match[str]) -> bool:
    start = match.start("key") - 1  # The keys were looked for below an empty line.
    return not text[text.rfind("\n", 0, start) + 1 : start].strip()


def _missing_file_hint(path: Path) -> str | None:
    """Suggest a file with a similar name; for a shipped example, say where to get it."""
    if path.parts[:1] == ("examples",) and not path.parent.is_dir():
        return "fracas content examples --out . copies the shipped examples into this folder"
    return _similar_file(path)


def _similar_file(path: Path) -> str | None:
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.suffix in (".toml", ".json")]
    except OSError:
        return None
    return nearest(path.name, names, likeness=LIKENESS_OF_FILES)


def _kind(value: Any) -> str:
    return {list: "a list", str: "a string", bool: "a boolean", int: "a number", float: "a number"}.get(
        type(value), "null" if value is None else "something else"
    )
