"""What users may add to a ruleset: functions that they mark, or classes that hold several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fracas.errors import Problem

# What a function of a plug-in returns.
INTEGER, TRUTH, NUMBER, NOTHING = "an integer", "true or false", "a number", "nothing"


@dataclass(frozen=True)
class PluginFunction:
    """One of the functions that a plug-in consists of."""

    name: str
    """Empty if a plug-in is this function and nothing else."""
    parameters: tuple[str, ...]
    """What it takes; only their number counts."""
    returns: str
    """INTEGER, TRUTH, NUMBER or NOTHING."""
    idle: Callable[..., Any]
    """What stands in the places that no plug-in uses."""
    asked: str
    """A call of it, for messages: a format of its parameters."""


def no_functions(*functions: Callable[..., Any]) -> tuple[Callable[..., Any], ...]:
    """What functions are joined to if a ruleset has no use for that: nothing."""
    return ()


@dataclass(frozen=True)
class PluginKind:
    """What users may add to a ruleset: functions that they mark, or classes that hold several."""

    what: str
    """What messages call it: damage stage."""
    mark: str
    """The decorator that marks it: damage_stage, which is in fracas."""
    slots: int
    """How many of them a battle has room for; compiled, every tuple of functions has this length."""
    functions: tuple[PluginFunction, ...]
    signatures: Callable[[], tuple[Any, ...]]
    """The Numba signatures of the functions, then of those that they are joined to; imports Numba."""
    joined: Callable[..., tuple[Callable[..., Any], ...]] = no_functions
    """Given the functions, makes more of them: what rules ask for together is then one call, and compiled as one."""
    taken_names: Sequence[str] = ()
    """The names that it cannot have."""
    flags: Mapping[str, bool] = field(default_factory=dict)
    """What a class says about itself, and what it says if it says nothing."""
    prove: Callable[[Plugin, Callable[[str], None]], list[Problem]] | None = None
    """Tries a plug-in when its file is loaded, in a process of its own; is told how to say what is being tried."""

    @property
    def is_class(self) -> bool:
        """Whether a plug-in is a class that holds functions, not a function itself."""
        return bool(self.functions[0].name)


@dataclass(frozen=True)
class Plugin:
    """A user's damage stage or move type: its name in scenarios, its functions, and the hash of its source file.

    The functions are those that plain Python calls, with their mistakes caught; what is compiled is what they wrap.
    After them stand those that they are joined to.
    """

    name: str
    functions: tuple[Callable[..., Any], ...]
    source_hash: str
    file: str
    flags: Mapping[str, bool] = field(default_factory=dict)
    """What it says about itself."""
    mark: str = ""
    """The decorator that marked it, which tells its kind."""

    @property
    def function(self) -> Callable[..., Any]:
        """The function of a plug-in that is a single one."""
        return self.functions[0]
