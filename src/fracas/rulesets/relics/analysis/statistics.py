"""Statistics over many battles of two builds: endings, length, what both sides do, HP left."""

from __future__ import annotations

from fracas.rulesets.contract.measures import Measure, MeasureKind, Share, Statistic, Sums
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.relics.content.places import SIDES
from fracas.rulesets.shared.endings import endings

# Result fields with a number for each side, and the titles of their means in tables.
SUMMED = {"strikes": "strikes", "dealt": "damage dealt", "absorbed": "damage absorbed", "healed": "HP healed"}
QUANTILES = (5, 25, 50, 75, 95)
FIGURES = ("mean", "least", *(f"p{each}" for each in QUANTILES), "most")


def measures(document: Document) -> tuple[Measure, ...]:
    """The measures: what each side did, and the spreads of HP, turns and cuts by guards."""
    return (
        *(Measure(field, field, MeasureKind.TOTAL, labels=SIDES) for field in SUMMED),
        *(Measure(f"hp_{SIDES[side]}", "hp_left", MeasureKind.SPREAD, entry=side) for side in range(len(SIDES))),
        Measure("turns", "rounds", MeasureKind.SPREAD),
        Measure("cuts", "cuts", MeasureKind.SPREAD),
    )


def statistics(compiled: Compiled, document: Document, sums: Sums) -> tuple[Statistic, ...]:
    """The tables of a pair of builds."""
    return (endings(sums), deeds(document, sums), spreads(document, sums), *cuts(sums))


def deeds(document: Document, sums: Sums) -> Statistic:
    """The table of what each side does in a battle on average."""
    totals = {field: dict(sums.labelled(field)) for field in SUMMED}
    rows = tuple(
        (_titled(document, side), word, *(totals[field][word] / max(sums.battles, 1) for field in SUMMED))
        for side, word in enumerate(SIDES)
    )
    return Statistic("deeds", "What both do on average", ("fighter", "_side", *SUMMED.values()), rows)


def spreads(document: Document, sums: Sums) -> Statistic:
    """The table of HP left and of the number of turns."""
    named = [(f"HP of {_titled(document, side)}", f"hp_{word}") for side, word in enumerate(SIDES)]
    rows = tuple((title, name, *_figures(sums, name)) for title, name in [*named, ("turns", "turns")])
    title = "At the end (p95: what 95% of the battles do not exceed)"
    return Statistic("spreads", title, ("what", "_name", *FIGURES), rows)


def cuts(sums: Sums) -> tuple[Statistic, ...]:
    """The table of cuts by guards; empty if there were none."""
    spread = sums.spread("cuts")
    if not spread.most:
        return ()
    share = Share(sums.battles - spread.counts.get(0, 0), sums.battles)
    title = "Effects that set themselves off and were cut"
    return (Statistic("cuts", title, ("battles", "most in one battle"), ((share, spread.most),)),)


def _titled(document: Document, side: int) -> str:
    return f"{side + 1} {document[SIDES[side]]['name']}"


def _figures(sums: Sums, name: str) -> tuple[float | int, ...]:
    spread = sums.spread(name)
    return (spread.mean, spread.least, *map(spread.quantile, QUANTILES), spread.most)
