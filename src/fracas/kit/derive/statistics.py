"""What results keep of a game beyond the outcome: the State fields declared with `result()`."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.kit.derive.record import SIDES, result_fields
from fracas.kit.derive.shape import Shape
from fracas.rulesets.contract.measures import Measure, MeasureKind, Statistic, Sums
from fracas.rulesets.contract.types import Document

QUANTILES = (5, 50, 95)


def measures_of(shape: Shape) -> list[Measure]:
    """How often each value of each kept field occurs, for each side where a side has it."""
    found = []
    for name, plan in result_fields(shape).items():
        if plan is shape.battle:
            found.append(Measure(name, name, MeasureKind.SPREAD))
        else:
            found += [Measure(f"{name}_{side + 1}", name, MeasureKind.SPREAD, side) for side in range(SIDES)]
    return found


def statistics_of(shape: Shape, document: Document, sums: Sums) -> Sequence[Statistic]:
    """The mean and the quantiles of each kept field."""
    names = [str(side["name"]) for side in document["sides"]]
    rows = []
    for name, plan in result_fields(shape).items():
        keys = [(name, "")] if plan is shape.battle else [(f"{name}_{side + 1}", names[side]) for side in range(SIDES)]
        for key, owner in keys:
            spread = sums.spread(key)
            low, middle, high = (spread.quantile(each) for each in QUANTILES)
            rows.append((name.replace("_", " "), owner, spread.mean, low, middle, high))
    if not rows:
        return ()
    return (Statistic("results", "At the end", ("what", "side", "mean", "5 %", "median", "95 %"), tuple(rows)),)
