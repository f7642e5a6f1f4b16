"""The table of endings, among a ruleset's statistics."""

from __future__ import annotations

from fracas.rulesets.contract.measures import Share, Statistic, Sums


def endings(sums: Sums, title: str = "How it ends") -> Statistic:
    """How battles ended."""
    rows = tuple((reason.replace("_", " "), Share(count, sums.battles)) for reason, count in sums.reasons.items())
    return Statistic("endings", title, ("ending", "battles"), rows)
