"""The decisions of a battle, for a page that weighs them on the device that opens it, as `fracas why` weighs them.

A page has each decision's moment and every legal choice, which only the rules in Python list. What they are worth it
finds by rollouts. It checks each moment: played on with the battle's own dice, it must lead to a later round as this
device reached it.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np
from blake3 import blake3

from fracas.engine.battle import Battle
from fracas.errors import InputError
from fracas.rulesets.contract.analysis import DecisionPoint

# With more choices than these a device would play for minutes.
MOST_CHOICES = 6_000


def decisions_of(battle: Battle) -> dict[str, Any] | None:
    """The decisions of a battle, deflated, with their size in bytes and their digest; None if nobody decides.

    The first `text` bytes are JSON: `labels`, and for each decision its tick, side, unit, choice, place to resume,
    choices with their places, and how many words of the snapshot changed since the decision before. Then come the
    numbers of these words, and their values.
    """
    scenario = battle.scenario
    try:
        points = scenario.ruleset.analysis.decision_points(scenario.compiled, scenario.document, battle.stream)
    except InputError:
        return None
    deciding = [point for point in points if point.decision is not None]
    choices = sum(len(point.decision.choices) for point in deciding if point.decision is not None)
    if not 0 < choices <= MOST_CHOICES:
        return None
    text, changes = _written(deciding)
    places, values = zip(*changes, strict=True)
    unpacked = text + np.concatenate(places).astype("<u4").tobytes() + np.concatenate(values).astype("<i8").tobytes()
    return {
        "packed": base64.b64encode(zlib.compress(unpacked, 9)).decode(),
        "size": len(unpacked),
        "text": len(text),
        "digest": blake3(unpacked).hexdigest(),
    }


def _written(deciding: list[DecisionPoint]) -> tuple[bytes, list[tuple[Any, Any]]]:
    """Decisions as JSON, and the words in which each snapshot differs from the one before."""
    labels: dict[str, int] = {}
    rows: list[Any] = []
    changes = []
    before = np.zeros_like(deciding[0].snapshot)
    for point in deciding:
        decision = point.decision
        assert decision is not None
        changed = np.flatnonzero(point.snapshot != before)
        changes.append((changed, point.snapshot[changed]))
        before = point.snapshot
        unit, *options = (
            labels.setdefault(label, len(labels))
            for label in (decision.unit, *(option.label for option in decision.choices))
        )
        choices = [[label, *option.resume_at] for label, option in zip(options, decision.choices, strict=True)]
        place = list(point.resume_at)
        rows.append([point.tick, decision.side, unit, decision.chosen, place, choices, len(changed)])
    text = json.dumps(
        {"labels": list(labels), "decisions": rows}, ensure_ascii=False, separators=(",", ":"), default=int
    )
    return text.encode(), changes
