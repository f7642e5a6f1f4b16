"""JSON Schemas of the files that a ruleset's players write, and of replays."""

from __future__ import annotations

from typing import Any

import msgspec

from fracas.replay.file import Replay
from fracas.rulesets import registry


def json_schema(ruleset: str, kind: str) -> Any:
    """The JSON Schema of one of a ruleset's file kinds: scenario, content, strategy or replay.

    Raises:
        InputError: there is no such ruleset.
    """
    known = registry.get(ruleset)
    if kind == "replay":
        return msgspec.json.schema(Replay)
    return getattr(known.models, kind).model_json_schema(by_alias=True)
