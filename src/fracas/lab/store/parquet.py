"""Writes results to Parquet: one row per battle, spooled while battles are played, complete or not at all."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
import numpy as np

from fracas.engine.scenario import Scenario
from fracas.errors import UsageError
from fracas.files.atomic_write import is_full, writable_path, write_error
from fracas.rulesets.contract.measures import Measure
from fracas.rulesets.contract.types import Rows
from fracas.version import __version__

ROWS_OF_A_GROUP = 65_536
# Columns of every ruleset.
SHARED = ("winner", "reason", "rounds", "fault", "blocks_drawn", "hp_left", "units_left")
_WIDTHS = {"winner": np.int8, "reason": np.int8, "rounds": np.int32}


def check_table_library() -> None:
    """Check that the table library is installed.

    Raises:
        InputError: the library is not installed; names the extra that brings it.
    """
    if importlib.util.find_spec("polars") is None:
        raise UsageError.of("--out", "writing Parquet needs the table library", "pip install 'fracas[report]'")


class TableWriter:
    """Spools columns to a temporary folder while battles are played, then writes them as one Parquet file.

    The temporary folder is inside `spool`. Spooling keeps memory flat, and the file appears only when it is complete.
    `asked` holds the request apart from the scenario: number of battles, precision. Write errors, such as a full disk,
    leave the `with` block as an InputError.
    """

    def __init__(self, path: Path, scenario: Scenario, spool: Path, asked: Mapping[str, Any]) -> None:
        check_table_library()
        self.asked = asked
        self.path = path
        self.scenario = scenario
        self.measures = scenario.ruleset.measures(scenario.compiled, scenario.document)
        self.place = writable_path(path)
        self.folder = tempfile.TemporaryDirectory(prefix="fracas-", dir=spool)
        self.files: dict[str, Any] = {}
        self.types: dict[str, Any] = {}
        self.rows = 0

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            for file in self.files.values():
                file.close()
        self.folder.cleanup()
        if isinstance(error, OSError) or (isinstance(error, Exception) and is_full(error)):
            raise write_error(self.path, error) from None

    def add(self, first: int, results: Rows) -> None:
        """Add a chunk of results whose first battle is number `first`."""
        for name, values in (columns(first, results) | measured_columns(results, self.measures)).items():
            if name not in self.files:
                self.files[name] = (Path(self.folder.name) / name).open("wb")
                self.types[name] = values.dtype
            # NumPy's own `tofile` does not say why a write failed.
            self.files[name].write(np.ascontiguousarray(values).data)
        self.rows += len(results)

    def finish(self) -> None:
        """Write the Parquet file, with every input and version in its metadata."""
        scenario = self.scenario
        self.add(self.rows, np.zeros(0, scenario.ruleset.kernels.result_type))
        for file in self.files.values():
            file.close()
        schema = self._part(0, 0, scenario.ruleset.reasons).schema
        whole = Path(self.folder.name) / "results.parquet"
        sink_table(whole, lambda: self._parts(scenario.ruleset.reasons), schema, table_metadata(scenario, self.asked))
        whole.replace(self.place)

    def _parts(self, reasons: Sequence[str]) -> Iterator[Any]:
        """The spooled columns as data frames, one for each row group."""
        for start in range(0, self.rows, ROWS_OF_A_GROUP):
            yield self._part(start, min(ROWS_OF_A_GROUP, self.rows - start), reasons)

    def _part(self, start: int, count: int, reasons: Sequence[str]) -> Any:
        import polars

        part = polars.DataFrame(
            {
                name: np.fromfile(Path(self.folder.name) / name, kind, count, offset=start * kind.itemsize)
                for name, kind in self.types.items()
            }
        )
        names = dict(enumerate(reasons))
        return part.with_columns(polars.col("reason").replace_strict(names, return_dtype=polars.String))


def sink_table(file: Path, parts: Callable[[], Iterator[Any]], schema: Any, metadata: dict[str, str]) -> None:
    """Write data frames as the row groups of one Parquet file; equal rows give equal bytes."""
    from polars.io.plugins import register_io_source

    frames = register_io_source(lambda *_: parts(), schema=schema, is_pure=True)
    frames.sink_parquet(file, row_group_size=ROWS_OF_A_GROUP, metadata=metadata, engine="streaming")


def columns(first: int, results: Rows) -> dict[str, Any]:
    """Results as columns: index, winner, reason, rounds, and for each side HP and units left."""
    table: dict[str, Any] = {"index": np.arange(first, first + len(results), dtype=np.int64)}
    table |= {name: results[name].astype(width) for name, width in _WIDTHS.items()}
    for name in ("hp_left", "units_left"):
        for side in range(results[name].shape[1]):
            table[f"{name}_{side + 1}"] = np.ascontiguousarray(results[name][:, side])
    return table


def measured_columns(results: Rows, measures: Sequence[Measure]) -> dict[str, Any]:
    """The ruleset's own measures as columns."""
    measured = (column for measure in measures if measure.field not in SHARED for column in measure.columns(results))
    return {name: np.ascontiguousarray(values) for name, values in measured}


def table_metadata(scenario: Scenario, asked: Mapping[str, Any]) -> dict[str, str]:
    """Every input and version, and nothing that depends on the machine or the run."""
    return {
        "fracas.ruleset": scenario.ruleset.name,
        "fracas.rules_version": str(scenario.ruleset.rules_version),
        **({"fracas.rules": scenario.ruleset.rules_hash} if scenario.ruleset.rules_hash else {}),
        "fracas.content_fingerprint": scenario.fingerprint,
        "fracas.seed": scenario.seed,
        "fracas.profile": scenario.profile,
        "fracas.scenario": _json(scenario.document),
        "fracas.plugins": _json({plugin.name: plugin.source_hash for plugin in scenario.compiled.plugins}),
        "fracas.asked": _json(dict(asked)),
        "fracas.version": __version__,
    }


def _json(value: Any) -> str:
    return msgspec.json.encode(value, order="sorted").decode()
