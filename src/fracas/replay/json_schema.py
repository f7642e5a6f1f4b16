"""JSON Schemas of the files that a ruleset's players write, of replays and of bundles."""

from __future__ import annotations

from typing import Any

import msgspec

from fracas.engine.replay_file import Replay
from fracas.errors import InputError
from fracas.replay.bundle_file import Bundle
from fracas.rulesets import registry


def json_schema(ruleset: str, kind: str) -> Any:
    """The JSON Schema of one of a ruleset's file kinds: scenario, content, strategy, replay or bundle.

    What stands in a strategy's place is also found under the ruleset's own word for it, such as world.

    Raises:
        InputError: there is no such ruleset, or it has no such files.
    """
    known = registry.get(ruleset)
    if kind == "replay":
        return msgspec.json.schema(Replay)
    if kind == "bundle":
        return msgspec.json.schema(Bundle)
    word = known.models.strategy_label
    if kind not in ("scenario", "content", "strategy", word):
        raise InputError.of("KIND", f"{ruleset} has no files of the kind {kind}", f"write {word}")
    return getattr(known.models, "strategy" if kind == word else kind).model_json_schema(by_alias=True)
