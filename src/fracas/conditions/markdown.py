"""Format a vocabulary of conditions as Markdown tables, for the documentation."""

from __future__ import annotations

from fracas.conditions import FactKind, Vocabulary
from fracas.events.markdown import table


def vocabulary_table(vocabulary: Vocabulary) -> str:
    """Format a ruleset's facts, named conditions and groups with their unit facts as Markdown tables."""
    numbers = [fact for fact in vocabulary.facts if fact.kind is not FactKind.FLAG]
    flags = [fact for fact in vocabulary.facts if fact.kind is FactKind.FLAG]
    facts = table(
        ("fact", "is", "compared with"),
        [(f"`{fact.name}`", fact.doc, f"{fact.limits[0]:,}-{fact.limits[1]:,}") for fact in numbers]
        + [(f"`{flag.name}`", flag.doc, "stands alone") for flag in flags],
    )
    groups = table(("group", "ranges over"), [(f"`{group.name}`", group.doc) for group in vocabulary.groups])
    inner = table(
        ("inside `any`, `all`, `count`", "is", "compared with"),
        [(f"`{fact.name}`", fact.doc, f"{fact.limits[0]:,}-{fact.limits[1]:,}") for fact in vocabulary.unit_facts]
        + [(f"`{status.name}`", f"the unit {status.doc}", "stands alone") for status in vocabulary.statuses],
    )
    names = table(
        ("name", "means", "in words"),
        [(f"`{alias.name}`", f"`{alias.text}`", alias.doc) for alias in vocabulary.names] + [("`always`", "", "true")],
    )
    # Without groups there are no unit facts, and statuses only replace X in names.
    return "\n\n".join((facts, groups, inner, names) if vocabulary.groups else (facts, names))
