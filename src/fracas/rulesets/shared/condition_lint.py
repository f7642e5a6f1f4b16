"""Findings about conditions: unknown names, and whether one always or never holds."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.conditions import Constant, Parsed, to_text
from fracas.rulesets.contract.types import Finding


def condition_findings(
    parsed: Parsed,
    value: bool | None,
    where: str,
    *,
    before: str = "",
    never: str = "",
    hint: str = 'if that is intended, write "always"',
) -> Iterator[Finding]:
    """What is wrong with a condition whose value is certain, or None.

    before: stands before its text. never: follows if it never holds. hint: what to do if it always does.
    """
    for warning in parsed.warnings:
        yield Finding("unknown-condition", where, warning.message, warning.suggestion)
    if parsed.tree is None:
        return
    text = f"{before}`{to_text(parsed.tree)}`"
    if value is False:
        yield Finding("never-holds", where, f"{text} can never hold{never}")
    elif value is True and not isinstance(parsed.tree, Constant):
        yield Finding("always-holds", where, f"{text} always holds", hint)
