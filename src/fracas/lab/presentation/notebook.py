"""The base class of lab results: tables, charts, and display in notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fracas.errors import InputError

if TYPE_CHECKING:
    import polars

    from fracas.lab.presentation.types import AltairChart, Document


class Result:
    """A result with a document. A notebook shows its first figure and first table."""

    __slots__ = ()

    def as_json(self) -> dict[str, Any]:
        """The document that the command prints with `--format json`."""
        raise NotImplementedError

    def table(self, name: str | None = None) -> polars.DataFrame:
        """One table of the result as a Polars data frame; by default the main one (extra `report`).

        Raises:
            InputError: there is no such table, or the library is not installed.
        """
        from fracas.lab.presentation.data_frames import frame

        return frame(_named("table", name, self.to_document().shown_tables()))

    def chart(self, name: str | None = None, *, width: int = 640) -> AltairChart:
        """One figure of the result as an Altair chart; by default the main one (extra `report`).

        Raises:
            InputError: there is no such chart, or the library is not installed.
        """
        from fracas.lab.presentation.data_frames import require_library
        from fracas.lab.presentation.svg_charts import notebook_theme

        require_library("altair")
        return _named("chart", name, self.to_document().figures(notebook_theme(width))).chart

    def tables(self) -> dict[str, polars.DataFrame]:
        """All tables of the result by name, the main one first."""
        from fracas.lab.presentation.data_frames import frame

        return {table.name: frame(table) for table in self.to_document().shown_tables()}

    def charts(self, *, width: int = 640) -> dict[str, AltairChart]:
        """All figures of the result by name, the main one first."""
        from fracas.lab.presentation.data_frames import require_library
        from fracas.lab.presentation.svg_charts import notebook_theme

        require_library("altair")
        return {figure.name: figure.chart for figure in self.to_document().figures(notebook_theme(width))}

    def to_document(self) -> Document:
        """The result's document, from which figures and pages are made."""
        from fracas.lab.presentation.documents import document_of

        return document_of(_plain(self.as_json()), type(self).__name__)

    def __repr__(self) -> str:
        document = self.to_document()
        first = next(iter(document.findings()), document.title)
        return f"<{type(self).__name__}: {first}>"

    def _repr_html_(self) -> str:
        from fracas.lab.presentation.html_fragment import fragment

        return fragment(self.to_document())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def _plain(document: dict[str, Any]) -> Any:
    """The values that reading the printed document would give: lists for tuples, strings for keys."""
    import msgspec

    return msgspec.json.decode(msgspec.json.encode(document))


def _named(what: str, name: str | None, found: Any) -> Any:
    if not found:
        raise InputError.of(what, f"this result has no {what}")
    if name is None:
        return found[0]
    for each in found:
        if each.name == name:
            return each
    from fracas.errors.suggestions import listed, quoted

    raise InputError.of(what, f"there is no {what} {quoted(str(name))}", f"there is {listed([e.name for e in found])}")
