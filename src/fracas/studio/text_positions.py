"""Positions of the keys and values in a TOML or JSON text, and what belongs at the cursor.

Parsers return values without positions and stop at the first error. This scanner keeps positions and continues on the
next line, so that a text can be marked and completed while it is being written. It does not check validity.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Path = tuple[str, ...]

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SPACE = re.compile(r"[ \t]*")
_APART = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_PLAIN = re.compile(r"[^,\]}#\n]*")
_ESCAPE = re.compile(r"\\.", re.DOTALL)
# Deeper nesting is not followed; the readers refuse it.
DEEPEST = 64


class Span(NamedTuple):
    """The places of an entry: of its key (None in lists) and of its value, as offsets in the text."""

    key: tuple[int, int] | None
    value: tuple[int, int]


class Cursor(NamedTuple):
    """What is written at the end of a text: a key or a value, of which a part may be there already."""

    part: Literal["key", "value", "none"]
    path: Path
    """The table that the key belongs to, or the path of the value."""
    start: int
    """Where the key or value begins; in a string, after its quotation mark."""
    quote: str
    """The quotation mark of the string that it is in; empty outside of strings."""
    closers: str
    """The brackets that are still open, in the order in which they close."""


class _EndOfTextError(Exception):
    """The text ended."""


@dataclass
class Scanner:
    """Reads a text once, from its beginning to its end."""

    text: str
    is_json: bool = False
    spans: dict[Path, Span] = field(default_factory=dict)
    at: int = 0
    _cursor: Cursor = field(default_factory=lambda: Cursor("key", (), 0, "", ""))
    _open: str = ""
    _table: Path = ()
    _counts: dict[Path, int] = field(default_factory=dict)

    def scan(self) -> Cursor:
        """Read the whole text and say what belongs at its end."""
        try:
            if self.is_json:
                self._apart()
                self._note("value", ())
                self._value((), None)
                self._note("none", ())
            else:
                while True:
                    self._statement()
        except _EndOfTextError:
            pass
        return self._cursor

    def _note(self, part: Literal["key", "value", "none"], path: Path, quote: str = "") -> None:
        self._cursor = Cursor(part, path, self.at, quote, self._open)

    def _need(self) -> str:
        if self.at >= len(self.text):
            raise _EndOfTextError
        return self.text[self.at]

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        return match[0]

    def _apart(self) -> None:
        """Skip white space, and comments of TOML. Nothing is completed in a comment that is still open."""
        skipped = self._skip(_APART)
        if self.at >= len(self.text) and "#" in skipped.rpartition("\n")[2]:
            self._note("none", ())
            raise _EndOfTextError

    def _line(self) -> None:
        """Give up on the rest of a line."""
        self._note("none", ())
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end + 1
        self._open = ""

    def _statement(self) -> None:
        self._apart()
        self._open = ""
        self._note("key", self._table)
        if self._need() == "[":
            self._header()
        elif not self._entry(self._table):
            self._line()
            return
        self._note("none", ())
        self._skip(_SPACE)
        if self._need() == "#":
            self._apart()
        elif self.text[self.at] not in "\r\n":
            self._line()

    def _header(self) -> None:
        start = self.at
        is_list = self.text.startswith("[[", self.at)
        self.at += 2 if is_list else 1
        self._open = "]]" if is_list else "]"
        here: Path = ()
        while True:
            self._skip(_SPACE)
            self._note("key", here)
            key = self._key()
            if key is None:
                return
            here = (*here, key)
            self._skip(_SPACE)
            is_last = self.at >= len(self.text) or self.text[self.at] != "."
            if here in self._counts and not (is_last and is_list):
                here = (*here, str(self._counts[here] - 1))
            if is_last:
                break
            self.at += 1
        if self._need() != "]":
            return
        self.at = min(len(self.text), self.at + (2 if is_list else 1))
        if is_list:
            self._counts[here] = self._counts.get(here, 0) + 1
            here = (*here, str(self._counts[here] - 1))
        self._open, self._table = "", here
        self.spans[here] = Span((start, self.at), (start, self.at))

    def _key(self) -> str | None:
        """One part of a key; None if there is none."""
        self._need()
        if self.text[self.at] in "\"'":
            return self._string("key")
        match = _BARE_KEY.match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        if self.at >= len(self.text):
            raise _EndOfTextError
        return match[0]

    def _entry(self, table: Path) -> bool:
        """A key and its value; False if this is none."""
        start, path = self.at, table
        while True:
            self._note("key", path)
            key = self._key()
            if key is None:
                return False
            path = (*path, key)
            end = self.at
            self._apart() if self.is_json else self._skip(_SPACE)
            if self.is_json or self._need() != ".":
                break
            self.at += 1
            self._skip(_SPACE)
        self._note("none", ())
        if self._need() != (":" if self.is_json else "="):
            return False
        self.at += 1
        self._note("value", path)
        self._apart() if self.is_json else self._skip(_SPACE)
        self._note("value", path)
        return self._value(path, (start, end))

    def _value(self, path: Path, key: tuple[int, int] | None) -> bool:
        first, start = self._need(), self.at
        if len(self._open) > DEEPEST:
            return False
        if first in "\"'":
            self._string("value", path)
        elif first in "[{":
            self._open = ("]" if first == "[" else "}") + self._open
            self.at += 1
            self.spans[path] = Span(key, (start, self.at))
            if not (self._list(path) if first == "[" else self._inline(path)):
                return False
            self._open = self._open[1:]
        else:
            plain = self._skip(_PLAIN)
            if self.at >= len(self.text):
                raise _EndOfTextError
            self.at = start + len(plain.rstrip())
            if self.at == start:
                return False
        self.spans[path] = Span(key, (start, self.at))
        return True

    def _list(self, path: Path) -> bool:
        number = 0
        while True:
            self._apart()
            self._note("value", (*path, str(number)))
            if self._need() == "]":
                self.at += 1
                return True
            if not self._value((*path, str(number)), None):
                return False
            number += 1
            if not self._comma("]"):
                return False

    def _inline(self, path: Path) -> bool:
        while True:
            self._apart()
            self._note("key", path)
            if self._need() == "}":
                self.at += 1
                return True
            if not self._entry(path) or not self._comma("}"):
                return False

    def _comma(self, closer: str) -> bool:
        """Between two entries: a comma, or the bracket that closes."""
        self._note("none", ())
        self._apart()
        if self._need() == ",":
            self.at += 1
            return True
        return self.text[self.at] == closer

    def _string(self, part: Literal["key", "value"], path: Path | None = None) -> str | None:
        """A string, without its quotation marks; None if its line ends before it does."""
        quote = self.text[self.at]
        if not self.is_json and self.text.startswith(quote * 3, self.at):
            quote *= 3
        self.at += len(quote)
        self._note(part, self._cursor.path if path is None else path, quote)
        start = self.at
        while True:
            here = self._need()
            if self.text.startswith(quote, self.at):
                inner = self.text[start : self.at]
                self.at += len(quote)
                self._note("none", ())
                return _plain(inner) if quote[0] == '"' else inner
            if here == "\n" and len(quote) == 1:
                return None
            escape = _ESCAPE.match(self.text, self.at) if quote[0] == '"' else None
            self.at = self.at + 1 if escape is None else escape.end()


def _plain(inner: str) -> str:
    """The characters that a quoted key stands for; as written, if it is not valid."""
    if "\\" not in inner:
        return inner
    try:
        return str(json.loads(f'"{inner}"'))
    except ValueError:
        return inner


def spans_of(text: str, *, is_json: bool = False) -> dict[Path, Span]:
    """The places of all entries, by their paths; lists count from 0."""
    scanner = Scanner(text, is_json)
    scanner.scan()
    return scanner.spans


def cursor_at(text: str, offset: int, *, is_json: bool = False) -> Cursor:
    """What belongs at an offset of a text, judging by the text before it."""
    return Scanner(text[:offset], is_json).scan()


def nearest_span(spans: dict[Path, Span], path: Path) -> Span | None:
    """The place of an entry, or else of the innermost table or list around it that stands in the text."""
    for length in range(len(path), 0, -1):
        found = spans.get(path[:length])
        if found is not None:
            return found
    return None


def utf16(text: str, offset: int) -> int:
    """An offset as browsers count: characters beyond the basic plane count twice."""
    head = text[:offset]
    return offset if head.isascii() else len(head.encode("utf-16-le", "surrogatepass")) // 2


def from_utf16(text: str, offset: int) -> int:
    """An offset of a browser as Python counts it."""
    if text.isascii():
        return min(offset, len(text))
    units = text.encode("utf-16-le", "surrogatepass")[: 2 * offset]
    return len(units.decode("utf-16-le", "ignore"))
