"""The sentences at the top of a report: who wins, by how much, what decided it, what helps the loser most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fracas.lab.presentation.notebook import Document

# How many sentences of each section go to the top; the rest stay in the section.
_LENT = {"compare": 2, "swaps": 1, "optimise": 2, "why": 2, "matchups": 2}
MOST_SENTENCES = 12


def summary(documents: Sequence[Document]) -> list[str]:
    """The first findings of all sections, in order."""
    return list(dict.fromkeys(_lent(documents)))[:MOST_SENTENCES]


def _lent(documents: Sequence[Document]) -> Iterator[str]:
    for document in documents:
        yield from document.findings()[: _LENT.get(document.command, 1)]
