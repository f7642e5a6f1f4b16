"""Words for messages: the names nearest to a misspelt one, and safe quotations of what a user wrote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

LIKENESS = 0.6
# How far behind the best name another one may be and still be worth mentioning.
MARGIN = 0.12
# Beyond this it is no name any more, and comparing it would only cost time.
LONGEST_NAME = 100


def nearest(name: str, known: Iterable[str], *, limit: int = 1, likeness: float = LIKENESS) -> str | None:
    """Ask back with the known names closest to a misspelt one, `did you mean "fireball"?`; None if nothing is close.

    Case does not count, so `Fireball` finds `fireball`. Ties keep the order of `known`.
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
    """Words as a sentence lists them: `a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def quoted(text: str, longest: int = 60) -> str:
    """Text in quotes, fit for one line of a message: shortened, control characters made visible."""
    cut = text if len(text) <= longest else text[:longest] + "…"
    return f'"{visible(cut)}"'


def visible(text: str) -> str:
    """Text without anything that would move a terminal's cursor; as long as it was."""
    return "".join(character if character.isprintable() else "·" for character in text)


def position(text: str, at: int) -> str:
    """Where a character stands, counted from 1; the line is named only if there are several."""
    column = at - text.rfind("\n", 0, at)
    line = text.count("\n", 0, at) + 1
    return f"line {line}, column {column}" if "\n" in text.strip() else f"column {column}"


def pointer(text: str, at: int) -> str:
    """The line of a text with a mark below one of its characters; a long line is cut around it."""
    start = text.rfind("\n", 0, at) + 1
    line = text[start:].split("\n", 1)[0]
    cut = max(0, at - start - 50)
    return f"    {visible(line[cut : cut + 80])}\n    {' ' * (at - start - cut)}^"
