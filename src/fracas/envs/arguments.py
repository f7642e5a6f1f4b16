"""Arguments of environments, checked before anything is played by them."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fracas.errors import UsageError

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

Array = np.ndarray[Any, Any]

LAST_STREAM = (1 << 62) - 1
MOST_STEPS = 1 << 31
# How many legal actions a message names.
SHOWN_ACTIONS = 12


def whole_number(name: str, value: Any, least: int, most: int) -> int:
    """A whole number within bounds, of Python or NumPy.

    Raises:
        UsageError: it is none, or out of bounds.
    """
    allowed = f"a whole number from {least:,} to {most:,}"
    if isinstance(value, bool | np.bool_):
        raise UsageError.of(name, f"is {value!r}; take {allowed}")
    try:
        number = operator.index(value)
    except TypeError:
        raise UsageError.of(name, f"is {shown(value)}; take {allowed}") from None
    if not least <= number <= most:
        raise UsageError.of(name, f"is {number}; {least:,} to {most:,} are allowed")
    return number


def side_of(value: Any) -> int:
    """A side, 1 or 2.

    Raises:
        UsageError: it is neither.
    """
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and value in (1, 2):
        return int(value)
    raise UsageError.of("side", f"is {shown(value)}; take 1 or 2")


def autoreset_mode_of(value: Any) -> AutoresetMode:
    """An autoreset mode of Gymnasium, by itself or by its value.

    Raises:
        UsageError: there is no such mode.
    """
    # Agents and descriptions use this module too, and need no extra.
    from gymnasium.vector import AutoresetMode

    try:
        return AutoresetMode(value)
    except ValueError:
        modes = ", ".join(f'"{mode.value}"' for mode in AutoresetMode)
        raise UsageError.of("autoreset_mode", f"is {shown(value)}; take one of {modes}") from None


def options_of(options: Any) -> Mapping[str, Any]:
    """The options of a reset.

    Raises:
        UsageError: they are no mapping.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise UsageError.of("options", f"is {shown(options)}; take a mapping from names to values")
    return options


def reset_mask_of(mask: Any, count: int) -> Array:
    """Which environments begin anew, (envs,) bool.

    Raises:
        UsageError: it has another shape.
    """
    chosen = np.asarray(mask, bool)
    if chosen.shape != (count,):
        raise UsageError.of("reset_mask", f"has the shape {chosen.shape}; it needs ({count},)")
    return chosen


def seeds_of(seed: Any, count: int) -> list[int | None]:
    """A seed for each environment: of one number, that number and those after it; None is none.

    Raises:
        UsageError: a seed that is no whole number from 0 on, or another number of seeds.
    """
    if seed is None or isinstance(seed, int | np.integer):
        first = seed_of("seed", seed)
        return [None if first is None else first + place for place in range(count)]
    if not isinstance(seed, Sequence | np.ndarray) or isinstance(seed, str | bytes):
        raise UsageError.of("seed", f"is {shown(seed)}; take a whole number, or a list of {count:,}")
    if len(seed) != count:
        raise UsageError.of("seed", f"has {len(seed):,} seeds; {count:,} are needed, one for each environment")
    return [seed_of(f"seed[{place}]", each) for place, each in enumerate(seed)]


def stream_of(options: Mapping[str, Any], last: int = LAST_STREAM) -> int | None:
    """The number of the episode to begin, of the options of a reset; None for the next one.

    Raises:
        UsageError: it is none.
    """
    stream = options.get("stream")
    return None if stream is None else whole_number("stream", stream, 0, last)


def most_steps_of(value: Any) -> int:
    """After how many steps an episode is truncated; 0 for never.

    Raises:
        UsageError: it is no whole number from 1 on.
    """
    return 0 if value is None else whole_number("max_episode_steps", value, 1, MOST_STEPS)


def illegal(where: str, action: int, mask: Array) -> UsageError:
    """The error of an action that is not legal."""
    legal = np.flatnonzero(mask)
    more = ", ..." if len(legal) > SHOWN_ACTIONS else ""
    told = ", ".join(map(str, legal[:SHOWN_ACTIONS].tolist()))
    return UsageError.of(where, f"is {action}, which is not legal now; legal are {told}{more}")


def seed_of(name: str, value: Any) -> int | None:
    """A seed; None is the scenario's own.

    Raises:
        UsageError: it is no whole number from 0 on.
    """
    if value is None:
        return None
    if not isinstance(value, int | np.integer) or value < 0:
        raise UsageError.of(name, f"is {shown(value)}; take a whole number from 0 on")
    return int(value)


def action_of(value: Any, actions: int) -> int:
    """An agent's action; one that is out of range is left to the rules, which count it as illegal.

    Raises:
        UsageError: it is no whole number.
    """
    try:
        return min(max(operator.index(value), -1), actions)
    except TypeError:
        raise UsageError.of("action", f"is {shown(value)}; take a whole number from 0 to {actions - 1:,}") from None


def actions_of(values: Any, shape: tuple[int, ...]) -> Array:
    """The actions of a batch.

    Raises:
        UsageError: they are no whole numbers, or have another shape.
    """
    try:
        actions = np.asarray(values)
    except ValueError:
        raise UsageError.of("actions", f"are no array; whole numbers of the shape {shape} are needed") from None
    if actions.shape != shape:
        raise UsageError.of("actions", f"have the shape {actions.shape}; {shape} is needed")
    if actions.dtype.kind not in "iu":
        raise UsageError.of("actions", f"have the type {actions.dtype}; whole numbers are needed")
    return actions


def shown(value: Any) -> str:
    """A value as a message shows it: not too much of it."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
