"""Helpers for error messages: suggest names for a misspelt one, and quote user input safely."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

LIKENESS = 0.6
# How much less similar than the best match another name may be and still be suggested.
MARGIN = 0.12
# Longer names are not compared: that would be slow, and they have no likely match.
LONGEST_NAME = 100
# Longer texts are cut where a message quotes them.
LONGEST_QUOTE = 60


def nearest(name: str, known: Iterable[str], *, limit: int = 1, likeness: float = LIKENESS) -> str | None:
    """Suggest the known names closest to a misspelt one, `did you mean "fireball"?`; None if nothing is close.

    Case is ignored, so `Fireball` finds `fireball`. Ties keep the order of `known`.
    """
    if len(name) > LONGEST_NAME:
        return None
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(name.lower())
    scored: list[tuple[float, str]] = []
    for candidate in dict.fromkeys(known):
        matcher.set_seq1(candidate.lower())
        if matcher.real_quick_ratio() >= likeness and matcher.quick_ratio() >= likeness:
            score = matcher.ratio()
            if score >= likeness:
                scored.append((score, candidate))
    scored.sort(key=lambda entry: -entry[0])
    close = [candidate for score, candidate in scored[:limit] if score >= scored[0][0] - MARGIN]
    return f"did you mean {listed([quoted(candidate) for candidate in close])}?" if close else None


def listed(words: Sequence[str], last: str = "or") -> str:
    """Join words as in a sentence: `a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def quoted(text: str) -> str:
    """Quote text for one line of a message: shortened, with control characters made visible."""
    cut = text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "…"
    return f'"{visible(cut)}"'


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
