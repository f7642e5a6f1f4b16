"""Kinds of plug-ins that a ruleset accepts: decorated functions, or classes with several functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

from fracas.errors import Problem

# Return types of plug-in functions.
INTEGER, TRUTH, NUMBER, NOTHING = "an integer", "true or false", "a number", "nothing"


@dataclass(frozen=True)
class PluginFunction:
    """One function of a plug-in."""

    name: str
    """Its name in a class; empty if the plug-in is this function."""
    parameters: tuple[str, ...]
    """Its parameters; only their number matters."""
    returns: str
    """INTEGER, TRUTH, NUMBER or NOTHING."""
    idle: Callable[..., Any]
    """The function for slots that no plug-in uses."""
    asked: str
    """A call of it for messages, as a format string over its parameters."""


def no_functions(*functions: Callable[..., Any]) -> tuple[Callable[..., Any], ...]:
    """The default of `PluginKind.joined`: no joined functions."""
    return ()


@dataclass(frozen=True)
class PluginKind:
    """A kind of plug-ins: decorated functions, or classes with several functions."""

    what: str
    """Its name in messages: damage stage."""
    mark: str
    """The decorator that marks it, in `fracas`: damage_stage."""
    slots: int
    """The most plug-ins in a battle; the length of every compiled tuple of functions."""
    functions: tuple[PluginFunction, ...]
    signatures: Callable[[], tuple[Any, ...]]
    """The Numba signatures of the functions, then of the joined ones; imports Numba."""
    joined: Callable[..., tuple[Callable[..., Any], ...]] = no_functions
    """Combines functions that rules always call together into one, which is compiled as a whole."""
    taken_names: Sequence[str] = ()
    """Names that a plug-in cannot have."""
    flags: Mapping[str, bool] = field(default_factory=dict)
    """Flags that a class can set, with their defaults."""
    prove: Callable[[Plugin, Callable[[str], None]], list[Problem]] | None = None
    """Tests a plug-in in its own process when its file is loaded; receives a function to report progress."""

    @property
    def is_class(self) -> bool:
        """Whether a plug-in is a class with functions, not a single function."""
        return bool(self.functions[0].name)


@dataclass(frozen=True)
class Plugin:
    """A user's damage stage or move type: its name in scenarios, its functions, and the hash of its source file.

    The functions are those that plain Python calls, with errors caught; the functions they wrap are compiled. Joined
    functions come last.
    """

    name: str
    functions: tuple[Callable[..., Any], ...]
    source_hash: str
    file: str
    flags: Mapping[str, bool] = field(default_factory=dict)
    """The flags that it sets."""
    mark: str = ""
    """The decorator that marked it, which determines its kind."""

    @property
    def function(self) -> Callable[..., Any]:
        """The function of a plug-in with only one."""
        return self.functions[0]


Plugins: TypeAlias = Mapping[str, Plugin]
NO_PLUGINS: Plugins = MappingProxyType({})
