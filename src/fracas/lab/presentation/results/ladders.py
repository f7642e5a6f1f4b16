"""Presents `fracas lab ladder` for several builds: each against every opponent, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Annotated

import msgspec

from fracas.lab.presentation.chart_parts import Square, grid
from fracas.lab.presentation.notebook import Document
from fracas.lab.presentation.results.ladder import LadderDocument, Rung
from fracas.lab.presentation.types import IN_A_CELL, Chart, Column, Kind, Label, Table, Theme, per_cent, short

# A page has no room for more builds than this as columns.
MOST_BUILDS = 20


class LaddersDocument(Document, kw_only=True):
    """The document that `fracas lab ladder A B … --format json` prints."""

    # Older documents have it in each ladder.
    ruleset: Label = ""
    ladders: Annotated[list[LadderDocument], msgspec.Meta(min_length=1)]

    @property
    def title(self) -> str:
        """The section's heading."""
        return "Builds against every opponent"

    @property
    def about(self) -> str:
        """How many builds are compared."""
        return f"{len(self.ladders)} builds"

    def findings(self) -> Sequence[str]:
        """Which build wins most, and how the others do, over the opponents that every build fought."""
        shared = self._fought_by_all()
        means = [self._mean(won, shared) for won in self._won()]
        best = max(means)
        leaders = [name for name, mean in zip(self._names(), means, strict=True) if mean == best]
        whole = f"Against {len(shared)} opponents {' and '.join(leaders)} wins most: {per_cent(best)} over both sides."
        if self.interrupted:
            whole += " It was interrupted: only opponents that every build has fought are counted."
        return (whole,) if shared else ("No opponent was fought by every build.",)

    def shown_tables(self) -> Sequence[Table]:
        """A row for each opponent and a column for each build; then each build's own table."""
        shown = self.ladders[:MOST_BUILDS]
        names, won = self._names(), self._won()
        builds = (Column(f"build_{place}", names[place - 1], Kind.SHARE) for place in range(1, len(shown) + 1))
        columns = (
            Column("opponent", "opponent"),
            Column("level", "level", Kind.WHOLE),
            Column("kind", "kind"),
            *builds,
        )
        rows = [
            (rung.name, rung.level, rung.kind, *(each.get(key) for each in islice(won, len(shown))))
            for key, rung in self._opponents().items()
        ]
        shared = self._fought_by_all()
        rows.append(("all of them", None, "", *(self._mean(each, shared) for each in islice(won, len(shown)))))
        caption = "The share of battles that each build wins, over both sides."
        return [Table("ladders", caption, columns, tuple(rows))]

    def figures(self, look: Theme) -> Sequence[Chart]:
        """A square for each opponent and build."""
        names, won = self._names()[:MOST_BUILDS], self._won()
        squares = [
            Square(name, rung.label, each.get(key))
            for key, rung in self._opponents().items()
            for name, each in zip(names, won, strict=False)
        ]
        caption = "The share of battles that each build wins over both sides: the stronger the colour, the clearer."
        if not squares:
            return []
        return [Chart("ladders", "Who beats whom", caption, grid(squares, look, columns=len(names)))]

    def _names(self) -> list[str]:
        """The builds' names; equal names are replaced by their scenarios', or else numbered."""
        names = [short(each.build, IN_A_CELL) for each in self.ladders]
        if len(set(names)) < len(names):
            names = [short(f"{each.build} of {each.scenario}", IN_A_CELL) for each in self.ladders]
        if len(set(names)) < len(names):
            names = [f"{place} {name}" for place, name in enumerate(names, 1)]
        return names

    def _opponents(self) -> dict[tuple[str, str, int | None], Rung]:
        """All opponents that any build fought, in order of first appearance."""
        found: dict[tuple[str, str, int | None], Rung] = {}
        for each in self.ladders:
            for rung in each.rungs:
                found.setdefault(_key(rung), rung)
        return found

    def _won(self) -> list[dict[tuple[str, str, int | None], float]]:
        """Each build's share of wins per opponent."""
        return [{_key(rung): rung.share for rung in each.rungs} for each in self.ladders]

    def _fought_by_all(self) -> set[tuple[str, str, int | None]]:
        return set.intersection(*(set(won) for won in self._won()))

    @staticmethod
    def _mean(won: dict[tuple[str, str, int | None], float], shared: set[tuple[str, str, int | None]]) -> float:
        return sum(won[key] for key in sorted(shared, key=str)) / len(shared) if shared else 0.0


def _key(rung: Rung) -> tuple[str, str, int | None]:
    return rung.kind, rung.id, rung.level
