"""The base class of lab results: what Python returns and commands print, with tables, charts, display in notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import msgspec

from fracas.errors import InputError
from fracas.errors.suggestions import listed, quoted
from fracas.lab.presentation.types import Chart, Label, Table, Theme, plain

if TYPE_CHECKING:
    import polars

    from fracas.lab.presentation.types import AltairChart


class Document(msgspec.Struct, kw_only=True):
    """A result of the lab: what Python returns, and the document that the command prints with `--format json`.

    The fields are the keys. Those whose key begins with `_` are for Python alone. Other keys are ignored. A notebook
    shows the first figure and the first table.
    """

    # Keys that come first and last in a document, in their order; the others are as the fields are.
    FIRST: ClassVar[tuple[str, ...]] = ("command", "ruleset", "scenario", "seed", "profile", "names")
    LAST: ClassVar[tuple[str, ...]] = ("rules_version", "content_fingerprint", "deterministic", "interrupted")

    command: str
    """The study: simulate, odds and so on."""
    ruleset: Label
    seed: Label = ""
    """The seed text."""
    profile: Label = ""
    rules_version: int = 0
    content_fingerprint: Label = ""
    """A digest of the scenario as it was resolved."""
    interrupted: bool = False
    """True if Ctrl-C ended it early; everything in it is complete, and the rest was not computed."""

    def as_json(self) -> dict[str, Any]:
        """The document that the command prints with `--format json`."""
        document: dict[str, Any] = plain(self)
        return document

    @property
    def title(self) -> str:
        """The section's heading."""
        return self.command.capitalize()

    @property
    def about(self) -> str:
        """The subject in a few words: a scenario or several."""
        return self.ruleset

    def findings(self) -> Sequence[str]:
        """The results in full sentences, the most important one first."""
        return ()

    def notes(self) -> Sequence[str]:
        """How the results were made, in phrases."""
        return ()

    def shown_tables(self) -> Sequence[Table]:
        """All tables, the main one first."""
        return ()

    def figures(self, look: Theme) -> Sequence[Chart]:
        """All figures, the main one first."""
        return ()

    def table(self, name: str | None = None) -> polars.DataFrame:
        """One table of the result as a Polars data frame; by default the main one (extra `report`).

        Raises:
            InputError: there is no such table, or the library is not installed.
        """
        from fracas.lab.presentation.data_frames import frame

        return frame(_named("table", name, self.shown_tables()))

    def tables(self) -> dict[str, polars.DataFrame]:
        """All tables of the result by name, the main one first."""
        from fracas.lab.presentation.data_frames import frame

        return {table.name: frame(table) for table in self.shown_tables()}

    def chart(self, name: str | None = None, *, width: int = 640) -> AltairChart:
        """One figure of the result as an Altair chart; by default the main one (extra `report`).

        Raises:
            InputError: there is no such chart, or the library is not installed.
        """
        return _named("chart", name, self._drawn(width)).chart

    def charts(self, *, width: int = 640) -> dict[str, AltairChart]:
        """All figures of the result by name, the main one first."""
        return {figure.name: figure.chart for figure in self._drawn(width)}

    def _drawn(self, width: int) -> Sequence[Chart]:
        from fracas.lab.presentation.data_frames import require_library
        from fracas.lab.presentation.svg_charts import notebook_theme

        require_library("altair")
        return self.figures(notebook_theme(width))

    def __repr__(self) -> str:
        first = next(iter(self.findings()), self.title)
        return f"<{type(self).__name__}: {first}>"

    def _repr_html_(self) -> str:
        from fracas.lab.presentation.html_fragment import fragment

        return fragment(self.findings(), self.figures, self.shown_tables())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


class OfScenario(Document, kw_only=True):
    """A document about the battles of one scenario."""

    scenario: Label
    """The scenario's id."""
    names: tuple[Label, Label] = ("side 1", "side 2")
    """The names of side 1 and side 2."""

    @property
    def about(self) -> str:
        """The scenario's id."""
        return self.scenario


class OfSide(OfScenario, kw_only=True):
    """A document about the score of one side in the battles of a scenario."""

    side: int
    """The side whose score is measured."""

    @property
    def who(self) -> str:
        """The side's name."""
        return self.names[self.side - 1] if self.side in (1, 2) else f"side {self.side}"


Part = TypeVar("Part", Table, Chart)


def _named(what: str, name: str | None, parts: Sequence[Part]) -> Part:
    if not parts:
        raise InputError.of(what, f"this result has no {what}")
    for part in parts:
        if name in (None, part.name):
            return part
    names = listed([part.name for part in parts])
    raise InputError.of(what, f"there is no {what} {quoted(str(name))}", f"there is {names}")
