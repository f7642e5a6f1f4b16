"""Statistics over many duels: endings, and what both titans have left."""

from __future__ import annotations

from fracas.rulesets.contract.measures import Measure, MeasureKind, Share, Statistic, Sums
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.shared.endings import endings
from fracas.rulesets.titans.rules.constants import PLAYERS

MEDIAN = 50


def measures(document: Document) -> tuple[Measure, ...]:
    """The measures: survival, HP and charge of both titans."""
    names = tuple(player["name"] for player in document["players"])
    return (
        Measure("stands", "units_left", MeasureKind.TOTAL, labels=names),
        Measure("charge", "charge_left", MeasureKind.TOTAL, labels=names),
        *(Measure(f"hp_left_{index + 1}", "hp_left", MeasureKind.SPREAD, entry=index) for index in range(PLAYERS)),
    )


def statistics(compiled: Compiled, document: Document, sums: Sums) -> tuple[Statistic, ...]:
    """The tables of a duel."""
    return endings(sums), titans_left(document, sums)


def titans_left(document: Document, sums: Sums) -> Statistic:
    """The table of what each titan has left: survival, mean and median HP, charge."""
    stands, charge = dict(sums.labelled("stands")), dict(sums.labelled("charge"))
    rows = []
    for index, player in enumerate(document["players"]):
        name, titan = player["name"], player["titan"]
        spread = sums.spread(f"hp_left_{index + 1}")
        mean_charge = charge[name] / sums.battles if sums.battles else 0.0
        standing = Share(stands[name], sums.battles)
        rows.append((name, titan["name"], titan["hp"], standing, spread.mean, spread.quantile(MEDIAN), mean_charge))
    columns = ("player", "titan", "HP", "stands", "HP left", "median", "charge left")
    return Statistic("titans", "What is left of both", columns, tuple(rows))
