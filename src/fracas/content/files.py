"""Reading what people wrote: TOML and JSON files, with bounds, and with every complaint naming file and line."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from fracas.content.suggest import nearest, quoted
from fracas.errors import InputError

LARGEST_FILE = 16 * 1024 * 1024
LARGEST_TEXT = 4 * 1024 * 1024
DEEPEST_NESTING = 64
# So alike must a file's name be to one that is missing; the ending alone already makes short names half alike.
LIKENESS_OF_FILES = 0.85

# What brackets may hide in, then the brackets. A text that is never closed ends with its line or its file, so that
# every mark is looked at once.
_JSON_MARKS = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[\[{\]}]')
_TOML_MARKS = re.compile(
    r'''#[^\n]*|"""(?:[^\\]|\\.)*?(?:"""|\\?\Z)|"(?:[^"\\\n]|\\[^\n])*"?'''
    r"""|'{3}.*?(?:'{3}|\Z)|'[^'\n]*'?|[\[{\]}]""",
    re.DOTALL,
)
_HALF_A_PAIR = re.compile(r"\\u[dD][89a-fA-F]")


def read_document(path: Path) -> dict[str, Any]:
    """The table that a TOML or JSON file holds.

    Raises:
        InputError: no such file, a folder, too large, not UTF-8, a syntax error (with its line), nested too deep.
    """
    text = read_text(path, LARGEST_TEXT)
    document = parse_json(text, str(path)) if path.suffix == ".json" else parse_toml(text, str(path))
    if not isinstance(document, dict):
        raise InputError.of(str(path), f"holds {_kind(document)} where a table (an object) is expected")
    return document


def read_text(path: Path, limit: int = LARGEST_FILE) -> str:
    """A file's text.

    Raises:
        InputError: no such file, a folder, unreadable, larger than the limit (bytes), not UTF-8.
    """
    where = str(path)
    try:
        if is_folder(path):
            raise InputError.of(where, "is a folder, not a file")
        with path.open("rb") as file:
            # Not by its size: a device or a pipe has none, and may never end.
            raw = file.read(limit + 1)
    except FileNotFoundError:
        raise InputError.of(where, "there is no such file", _missing_file_hint(path)) from None
    except (OSError, ValueError) as error:
        raise InputError.of(where, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(raw) > limit:
        raise InputError.of(where, f"is longer than {limit:,} bytes, which is the most that is read")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError.of(f"{where}:{line}", "is not UTF-8 text", "save the file as UTF-8") from None


def is_folder(path: Path) -> bool:
    """Whether it is a folder; what no file system could hold is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_there(path: Path) -> bool:
    """Whether there is something of that name; of one that no file system could hold there is nothing."""
    try:
        return path.exists()
    except OSError:
        return False


def parse_toml(text: str, where: str) -> Any:
    """TOML text as plain values.

    Raises:
        InputError: a syntax error with its line, or brackets nested deeper than is sensible.
    """
    _refuse_deep_nesting(text, where, _TOML_MARKS)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, line = _toml_position(str(error), text)
        raise InputError.of(f"{where}:{line}", f"broken TOML: {message}") from None
    except RecursionError:
        raise InputError.of(where, "keys are nested too deep") from None
    except ValueError as error:
        raise InputError.of(where, f"broken TOML: {error}") from None


def parse_json(text: str, where: str) -> Any:
    """JSON text as plain values; NaN, infinities, repeated keys and halves of surrogate pairs are refused.

    Raises:
        InputError: a syntax error with its line, a repeated key, or brackets nested deeper than is sensible.
    """
    _refuse_deep_nesting(text, where, _JSON_MARKS)

    def refuse_constant(name: str) -> Any:
        raise InputError.of(where, f"{name} is not a number that can be used here")

    def refuse_repeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(pairs)
        if len(table) < len(pairs):
            keys = [key for key, _ in pairs]
            repeated = next(key for key in keys if keys.count(key) > 1)
            raise InputError.of(where, f"the key {quoted(repeated)} stands twice in one object")
        return table

    try:
        value = json.loads(text, parse_constant=refuse_constant, object_pairs_hook=refuse_repeated)
    except json.JSONDecodeError as error:
        raise InputError.of(f"{where}:{error.lineno}", f"broken JSON: {error.msg} (column {error.colno})") from None
    except RecursionError:
        raise InputError.of(where, "values are nested too deep") from None
    except ValueError as error:
        raise InputError.of(where, f"broken JSON: {error}") from None
    if _HALF_A_PAIR.search(text):
        _refuse_halves_of_pairs(value, where)
    return value


def _refuse_halves_of_pairs(value: Any, where: str) -> None:
    """JSON can escape half of a surrogate pair, which is no character and cannot be written anywhere."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = f"\\u{ord(error.object[error.start]):04x}"
        raise InputError.of(where, f"{half} is half of a surrogate pair, not a character") from None


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


def _toml_position(message: str, text: str) -> tuple[str, int]:
    found = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if found:
        return f"{message[: found.start()]} (column {found[2]})", int(found[1])
    return message.removesuffix(" (at end of document)") + " at the end of the file", text.count("\n") + 1


def _missing_file_hint(path: Path) -> str | None:
    """A file with almost that name; for one of the shipped examples, where to get them."""
    if path.parts[:1] == ("examples",) and not path.parent.is_dir():
        return "fracas examples --out . copies the shipped examples into this folder"
    return _similar_file(path)


def _similar_file(path: Path) -> str | None:
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.suffix in (".toml", ".json")]
    except OSError:
        return None
    return nearest(path.name, names, likeness=LIKENESS_OF_FILES)


def _kind(value: Any) -> str:
    return {list: "a list", str: "a text", bool: "a truth value", int: "a number", float: "a number"}.get(
        type(value), "nothing" if value is None else "something else"
    )
