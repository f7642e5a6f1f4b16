"""Saved battles to tamper with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.helpers.scenarios import loaded

import fracas
from fracas.engine.replay_file import Replay
from fracas.events.digest import digest, tick_digests
from fracas.rulesets.shared.seeds import fingerprint

DOUBLE = """\
import fracas


@fracas.damage_stage
def double(battle, actor, target, value):
    return value * 2
"""


def saved(folder: Path, scenario: fracas.Scenario | None = None, **options: Any) -> Path:
    """The replay of a battle, the duel's unless another is given."""
    path = folder / "battle.json"
    fracas.run(scenario or loaded(), **options).save(path)
    return path


def tampered(path: Path, change: Callable[[dict[str, Any]], Any]) -> Path:
    """The same replay with its document changed in place by a function."""
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    return path


def put(*keys: str | int, value: Any) -> Callable[[dict[str, Any]], None]:
    """A change of one value, found by its keys."""

    def change(document: Any) -> None:
        for key in keys[:-1]:
            document = document[key]
        assert document[keys[-1]] != value
        document[keys[-1]] = value

    return change


def with_digests(document: dict[str, Any]) -> None:
    """Make a forged replay's digests those of its forged events, as a careful forger would."""
    import numpy as np

    rows = np.array(document["events"], np.int32)
    document["digest"] = digest(rows)
    document["tick_digests"] = [list(pair) for pair in tick_digests(rows).items()]
    document["event_count"] = len(rows)


def with_fingerprint(document: dict[str, Any]) -> None:
    """Make a forged replay's fingerprint that of its forged content."""
    content = {key: value for key, value in document["scenario"].items() if key not in ("id", "seed")}
    document["content_fingerprint"] = fingerprint(content)


def plugin_file(folder: Path, text: str = DOUBLE, name: str = "stages.py") -> Path:
    """A plug-in's file."""
    path = folder / name
    path.write_text(text)
    return path


def chain_with(*stages: str) -> dict[str, Any]:
    """Options with a damage chain of the named stages around the usual first and last."""
    return {"chain": {"stages": [{"stage": name} for name in ("formation", *stages, "minimum")]}}


def fields(record: type = Replay) -> Iterable[str]:
    """The keys of a replay."""
    return record.__struct_fields__  # type: ignore[attr-defined,no-any-return]
