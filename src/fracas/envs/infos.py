"""Infos of batches, as Gymnasium's `SyncVectorEnv` writes them: for each key an array, and a mask of who has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fracas.envs.batch import Array


def told(key: str, values: Array, having: Array) -> dict[str, Any]:
    """A key with its values, (envs, ...), and its mask; nothing if nobody has it. Others' values become 0 or None."""
    if not np.count_nonzero(having):
        return {}
    if np.count_nonzero(having) < len(having):
        values = values.copy()
        values[~having] = None if values.dtype == object else 0
    return {key: values, f"_{key}": having.copy()}


def begun_infos(begun: Array, names: Sequence[Any], seeds: Array, streams: Array) -> dict[str, Any]:
    """What is told of episodes that have begun. names: of actions, for each environment where `begun` is true."""
    actions = np.full(len(begun), None, object)
    for place, each in zip(np.flatnonzero(begun).tolist(), names, strict=True):
        actions[place] = each
    return told("actions", actions, begun) | told("seed", seeds.copy(), begun) | told("stream", streams.copy(), begun)


def final_infos(done: Array, last: Mapping[str, Array], infos: Mapping[str, Array]) -> dict[str, Any]:
    """What is told of episodes that are over.

    last: what was seen last, a row for each of them. infos: arrays of (envs, ...).
    """
    final_obs = np.full(len(done), None, object)
    for place, *rows in zip(np.flatnonzero(done).tolist(), *last.values(), strict=True):
        final_obs[place] = dict(zip(last, rows, strict=True))
    final_info: dict[str, Any] = {}
    for key, values in infos.items():
        final_info |= told(key, values, done)
    return {"final_obs": final_obs, "_final_obs": done, "final_info": final_info, "_final_info": done.copy()}
