"""Formats rulesets' statistics as plain values and as table cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fracas.lab.statistics.intervals import wilson_interval
from fracas.rulesets.contract.measures import Part, Share, Statistic

if TYPE_CHECKING:
    from fracas.engine.scenario import Scenario


def facts_of(scenario: Scenario) -> dict[str, Any]:
    """What every document of a scenario's battles says of it: its names, seed, profile and versions."""
    first, second = scenario.ruleset.side_names(scenario.document)
    return {
        "ruleset": scenario.ruleset.name,
        "scenario": scenario.id,
        "seed": scenario.seed,
        "profile": scenario.profile,
        "names": (first, second),
        "rules_version": scenario.ruleset.rules_version,
        "content_fingerprint": scenario.fingerprint,
    }


def statistic_json(statistic: Statistic) -> list[dict[str, Any]]:
    """The rows as objects; a share becomes count, share and interval."""
    return [_row_json(statistic.columns, row) for row in statistic.rows]


def _row_json(columns: Sequence[str], row: Sequence[Any]) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for column, cell in zip(columns, row, strict=True):
        name = column.removeprefix("_").replace(" ", "_").lower()
        if isinstance(cell, Share):
            share = cell.count / cell.of if cell.of else 0.0
            document |= {name: cell.count, "share": share, "interval95": list(share_interval(cell))}
        else:
            document[name] = cell.share if isinstance(cell, Part) else cell
    return document


def certain(statistic: Statistic) -> Statistic:
    """A statistic of battles without luck: one battle stands for all, and shares are exact."""

    def sure(cell: Any) -> Any:
        return replace(cell, is_certain=True) if isinstance(cell, Share) else cell

    return replace(statistic, rows=tuple(tuple(map(sure, row)) for row in statistic.rows))


def share_interval(share: Share) -> tuple[float, float]:
    """The 95% Wilson interval of a share; a point if nothing depends on luck."""
    if share.is_certain and share.of:
        return share.count / share.of, share.count / share.of
    return wilson_interval(share.count, share.of)
