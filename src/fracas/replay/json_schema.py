"""JSON Schemas of a ruleset's files: scenarios, content, strategies, replays and bundles."""

from __future__ import annotations

from typing import Any

import msgspec

from fracas.engine.replay_file import Replay
from fracas.errors import InputError
from fracas.replay.bundle_file import Bundle
from fracas.rulesets import registry


def json_schema(ruleset: str, kind: str) -> Any:
    """Get the JSON Schema of one of a ruleset's kinds of file: scenario, content, strategy, replay or bundle.

    The ruleset's own name for its strategy file, such as world, works too.

    Raises:
        InputError: there is no such ruleset, or it has no files of that kind.
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
