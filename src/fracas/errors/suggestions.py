"""Helpers for error messages: suggest names for a misspelt one, and quote user input safely."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

LIKENESS = 0.61
# How much less similar than the best match another name may be and still be suggested.
MARGIN = 0.12
# Longer names are not compared: that would be slow, and they have no likely match.
LONGEST_NAME = 100
# Longer texts are cut where a message quotes them.
LONGEST_QUOTE = 60
# Names and places that a line of a message repeats as they are, such as a file's, are cut to this length.
LONGEST_ECHO = 200
_ECHO = re.compile(rf'"[^"\n]{{{LONGEST_ECHO},}}+"|\S{{{LONGEST_ECHO + 1},}}+')


def nearest(name: str, known: Iterable[str], *, limit: int = 1, likeness: float = LIKENESS) -> str | None:
    """Suggest the known names closest to a misspelt one, `did you mean "fireball"?`; None if nothing is close."""
    close = closest(name, known, limit=limit, likeness=likeness)
    return f"did you mean {listed([quoted(candidate) for candidate in close])}?" if close else None


def closest(name: str, known: Iterable[str], *, limit: int = 1, likeness: float = LIKENESS) -> list[str]:
    """The known names closest to a misspelt one, the closest first.

    Case is ignored, so `Fireball` finds `fireball`. Of two paths that begin alike only the rest is compared: somebody
    who writes `self.mana` does not mean `self.mage`. Ties keep the order of `known`.
    """
    if len(name) > LONGEST_NAME:
        return []
    head, tail = _parts(name)
    whole, rest = SequenceMatcher(autojunk=False), SequenceMatcher(autojunk=False)
    whole.set_seq2(head + tail)
    rest.set_seq2(tail)
    scored: list[tuple[float, str]] = []
    for candidate in dict.fromkeys(known):
        other, last = _parts(candidate)
        matcher = rest if head and head == other else whole
        matcher.set_seq1(last if matcher is rest else other + last)
        if matcher.real_quick_ratio() >= likeness and matcher.quick_ratio() >= likeness:
            score = matcher.ratio()
            if score >= likeness:
                scored.append((score, candidate))
    scored.sort(key=lambda entry: -entry[0])
    return [candidate for score, candidate in scored[:limit] if score >= scored[0][0] - MARGIN]


def _parts(name: str) -> tuple[str, str]:
    """Split a name in lower case before its last part: `self.` and `hp`."""
    head, dot, tail = name.lower().rpartition(".")
    return head + dot, tail


def listed(words: Sequence[str], last: str = "or") -> str:
    """Join words as in a sentence: `a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def quoted(text: str) -> str:
    """Quote text for one line of a message: shortened, with control characters made visible."""
    cut = text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "…"
    return f'"{visible(cut)}"'


def shortened(text: str, *, whole: bool = False) -> str:
    """Cut the middle of each long name in a text, so that its line can be read; with `whole`, the text is one name."""
    if len(text) <= LONGEST_ECHO:
        return text
    return _without_middle(text) if whole else _ECHO.sub(lambda found: _without_middle(found[0]), text)


def _without_middle(name: str) -> str:
    half = LONGEST_ECHO // 2
    return f"{name[:half]}…{name[1 - half :]}"


def visible(text: str) -> str:
    """Replace characters that would move a terminal's cursor; the length stays the same."""
    return "".join(character if character.isprintable() else "·" for character in text)


def position(text: str, at: int) -> str:
    """Describe a character's position, counted from 1; the line is included only if there are several."""
    column = at - text.rfind("\n", 0, at)
    line = text.count("\n", 0, at) + 1
    return f"line {line}, column {column}" if "\n" in text.strip() else f"column {column}"


def pointer(text: str, at: int) -> str:
    """Show a line of text with a mark below one of its characters; a long line is cut around it."""
    start = text.rfind("\n", 0, at) + 1
    line = text[start:].split("\n", 1)[0]
    cut = max(0, at - start - 50)
    return f"    {visible(line[cut : cut + 80])}\n    {' ' * (at - start - cut)}^"
