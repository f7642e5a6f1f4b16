"""What searches call the conditions that they try."""

from __future__ import annotations

from typing import Any

from fracas.conditions import Vocabulary, parse, to_text

# A condition that never holds: what it belongs to is left out.
NEVER = "not always"


def condition_label(condition: Any, vocabulary: Vocabulary, absent: str = "always") -> str:
    """A condition as people write it; `absent` says what none means."""
    if condition is None:
        return absent
    if condition == NEVER:
        return "never"
    return condition if isinstance(condition, str) else to_text(parse(condition, vocabulary, where="").tree)
