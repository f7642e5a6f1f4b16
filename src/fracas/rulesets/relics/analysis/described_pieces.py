"""What version 2 of observations adds to a draft: how much each piece does, and a number that tells pieces apart.

Effects of pieces are lists of any length, with conditions in a language of their own, so no fixed number of entries
holds them. What is seen are sums: for each op and modifier, all amounts of a piece together. Two marks, which are parts
of a hash, differ wherever anything differs that a piece does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from fracas.content.canonical import canonical_digest
from fracas.rulesets.contract.agents import Feature
from fracas.rulesets.contract.drafts import Array
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.content.fighter_resolver import factor_of
from fracas.rulesets.relics.declarations.ops import OPS
from fracas.rulesets.relics.rules.constants import MODIFIERS

MARKS = ("mark_1", "mark_2")
# Bits of a mark: float32 holds all of them.
MARK_BITS = 24
# Numbers beside amounts, wherever they stand in a piece: how often, how likely, how much of it.
LIMITS = ("n", "per_turn", "per_battle", "chance", "percent", "repeat")
LARGEST = 1000.0


def features_of_content() -> Iterator[Feature]:
    """What is seen of the battle beside pieces: its rules and the fighters without pieces."""
    for mark in MARKS:
        yield Feature(f"rules.{mark}", "differs where rules or bare fighters differ", "share", 0, 1)


def features_of_piece(name: str, piece: str) -> Iterator[Feature]:
    """What is seen of a piece beside what version 1 tells; all 0 in an empty place."""
    for op in OPS:
        yield Feature(f"{name}.does.{op}", f"amounts of {op} in what {piece} does, together", "tens", -LARGEST, LARGEST)
    for modifier in MODIFIERS:
        meaning = f"amounts of modifiers of {modifier} of {piece}, together"
        yield Feature(f"{name}.does.modifies_{modifier}", meaning, "tens", -LARGEST, LARGEST)
    for limit in LIMITS:
        meaning = f'numbers called "{limit}" in what {piece} does, together'
        yield Feature(f"{name}.does.{limit}", meaning, "tens", -LARGEST, LARGEST)
    yield Feature(f"{name}.does.conditions", f"conditions in what {piece} does", "tens", 0, LARGEST)
    for mark in MARKS:
        yield Feature(f"{name}.does.{mark}", f"differs wherever what {piece} does differs", "share", 0, 1)


ENTRIES = [feature.name.rpartition(".")[2] for feature in features_of_piece("", "")]
WIDTH = len(ENTRIES)
_PLACES = {name: place for place, name in enumerate(ENTRIES)}


def marks_of(value: Any) -> list[float]:
    """Numbers from 0 to 1 that are others for other plain values."""
    digest = int.from_bytes(canonical_digest(value)[:8], "little")
    most = (1 << MARK_BITS) - 1
    return [(digest >> MARK_BITS * place & most) / most for place in range(len(MARKS))]


def seen_of_content(document: Document, fighters: Sequence[Document]) -> list[float]:
    """The entries of `features_of_content`. fighters: without what they wear."""
    return marks_of([document["options"], document.get("statuses", {}), [dict(each) for each in fighters]])


def seen_of_piece(piece: Document) -> Array:
    """The entries of `features_of_piece`, (entries,) float32."""
    seen = np.zeros(WIDTH, np.float32)
    does = {key: piece[key] for key in ("stats", "tags", "tier", "unique", "triggers", "flags", "modifiers")}
    factor = factor_of(piece["tier"])
    for part in _parts([does["triggers"], does["modifiers"]]):
        amount = part.get("amount", 1)
        amount = amount if isinstance(amount, int) else 1
        if "op" in part:
            seen[_PLACES[part["op"]]] += amount * factor * max(int(part.get("repeat") or 1), 1) / 10
        elif "modifier" in part:
            seen[_PLACES[f"modifies_{part['modifier']}"]] += amount * factor / 10
        for limit in LIMITS:
            if isinstance(part.get(limit), int):
                seen[_PLACES[limit]] += part[limit] / 10
        seen[_PLACES["conditions"]] += ("if" in part) / 10
    seen = np.clip(seen, -LARGEST, LARGEST)
    seen[[_PLACES[mark] for mark in MARKS]] = marks_of(does)
    return seen


def _parts(value: Any) -> Iterator[Document]:
    """All tables in a value, however deep."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from _parts(each)
