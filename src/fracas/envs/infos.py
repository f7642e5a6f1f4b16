"""Infos of batches, as Gymnasium's `SyncVectorEnv` writes them: for each key an array, and a mask of who has it.

They are dictionaries that are filled when they are first read: making arrays of dictionaries and lists for hundreds of
environments takes longer than stepping thousands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from fracas.envs.batch import Array


class Infos(dict[str, Any]):
    """A dictionary whose entries are worked out when it is first used, whatever for."""

    __slots__ = ("_work",)

    def __init__(self, work: Callable[[], dict[str, Any]]) -> None:
        self._work: Callable[[], dict[str, Any]] | None = work

    def filled(self) -> dict[str, Any]:
        """The same, as a dictionary of its own."""
        if self._work is not None:
            work, self._work = self._work, None
            dict.update(self, work())
        return dict(dict.items(self))

    def __reduce_ex__(self, protocol: Any) -> Any:
        """A plain dictionary in pickles and copies."""
        return dict, (self.filled(),)


def _filling(name: str) -> Callable[..., Any]:
    method = getattr(dict, name)

    def filled_first(self: Infos, *arguments: Any, **named: Any) -> Any:
        if self._work is not None:
            self.filled()
        return method(self, *arguments, **named)

    filled_first.__name__, filled_first.__doc__ = name, method.__doc__
    return filled_first


# With an `__iter__` of its own, `dict(infos)` and `{**infos}` ask these methods too.
for _name in (
    "__contains__", "__delitem__", "__eq__", "__getitem__", "__ior__", "__iter__", "__len__", "__ne__", "__or__",
    "__repr__", "__reversed__", "__ror__", "__setitem__", "clear", "copy", "get", "items", "keys", "pop", "popitem",
    "setdefault", "update", "values",
):  # fmt: skip
    setattr(Infos, _name, _filling(_name))


def told(key: str, values: Array, having: Array) -> dict[str, Any]:
    """A key with its values, (envs, ...), and its mask, (envs,) bool; nothing if nobody has it.

    Values of the others become 0 or None, in place.
    """
    count = np.count_nonzero(having)
    if not count:
        return {}
    if count < len(having):
        values[~having] = None if values.dtype == object else 0
    return {key: values, f"_{key}": having.copy()}


def final_infos(done: Array, last: Mapping[str, Array], infos: Mapping[str, Array]) -> dict[str, Any]:
    """What is told of episodes that are over.

    last: what was seen last, a row for each of them. infos: arrays of (envs, ...), which change in place.
    """
    final_obs = np.full(len(done), None, object)
    final_obs[done] = [dict(zip(last, rows, strict=True)) for rows in zip(*last.values(), strict=True)]
    final_info: dict[str, Any] = {}
    for key, values in infos.items():
        final_info |= told(key, values, done)
    return {"final_obs": final_obs, "_final_obs": done.copy(), "final_info": final_info, "_final_info": done.copy()}
