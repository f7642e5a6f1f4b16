"""The summary of a simulation: a JSON file beside the table, or the result itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from fracas.files.atomic_write import write_atomic
from fracas.lab.execution.tally import Tally
from fracas.lab.simulation.results import Results
from fracas.version import __version__


def summary_of(out: Path) -> Path:
    """The path of a result's summary: beside its table, or the result itself."""
    return out if out.suffix.lower() == ".json" else out.with_name(f"{out.stem}.summary.json")


def write_summary(path: Path, document: dict[str, Any]) -> None:
    """Write a summary.

    Raises:
        InputError: it cannot be written.
    """
    write_atomic(path, msgspec.json.format(msgspec.json.encode(document)) + b"\n")


def summary_json(results: Results, asked: dict[str, Any]) -> dict[str, Any]:
    """Results with every input and version, and nothing that depends on the machine or the run."""
    scenario = results.loaded
    counted = results.as_json()
    del counted["timing"]
    return counted | {
        "fracas": __version__,
        "asked": asked,
        "plugins": {plugin.name: plugin.source_hash for plugin in scenario.compiled.plugins},
        **({"rules": scenario.ruleset.rules_hash} if scenario.ruleset.rules_hash else {}),
        "document": scenario.document,
        "sums": None if results.tally is None else sums_json(results.tally),
    }


def asked_json(
    n: int | None, precision: float | None, start: int = 0, contributions: int | None = None
) -> dict[str, Any]:
    """The request apart from the scenario; what nobody asked for is left out."""
    others = {"start": start, "contributions": contributions}
    return {"n": n, "precision": precision} | {key: value for key, value in others.items() if value}


def sums_json(tally: Tally) -> Any:
    """All counts, in an order that does not depend on the executor; `merge` adds these up."""
    # The reader of the sums knows the ruleset's measures.
    bare = replace(tally, sums=replace(tally.sums, measures=()))
    return _in_order(msgspec.json.decode(msgspec.json.encode(bare)))


def _in_order(value: Any) -> Any:
    """Plain values with sorted keys: shorter keys first, so that numbers sort by value."""
    if isinstance(value, dict):
        return {key: _in_order(value[key]) for key in sorted(value, key=lambda key: (len(key), key))}
    return [_in_order(each) for each in value] if isinstance(value, list) else value
