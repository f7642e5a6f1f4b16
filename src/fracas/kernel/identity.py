"""Tells rule systems apart: a shipped ruleset by its name, a game outside this package by its name and its rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

# Games of files are loaded as modules of this package, which does not exist otherwise.
GAMES = "fracas_games"


@dataclass(frozen=True)
class Identity:
    """A shipped ruleset, or one version of the rules of a game.

    Compiled code and modules are kept by identity, so that two versions of a game never share them.
    """

    name: str
    rules: str = ""
    """The game's rules hash, in hex; empty for a shipped ruleset, whose sources are hashed where they are needed."""

    @property
    def folder(self) -> str:
        """A folder name for what belongs to this version of a game's rules."""
        return f"{self.name}-{self.rules[:16]}" if self.rules else self.name


_identities: dict[Callable[..., Any], Identity] = {}
_modules: dict[str, Identity] = {}


def belongs_to(function: Callable[..., Any], identity: Identity) -> None:
    """Note that a kernel or an entry point is part of a game. Its module may be any: derived loops are the kit's."""
    _identities[function] = identity


def module_belongs_to(module: str, identity: Identity) -> None:
    """Note that every kernel of a module, and of the modules inside it, is part of a game."""
    _modules[module] = identity


def forget(identity: Identity) -> None:
    """Forget which kernels and modules belong to a game that nobody uses any more."""
    for function in [function for function, known in _identities.items() if known == identity]:
        del _identities[function]
    for module in [module for module, known in _modules.items() if known == identity]:
        del _modules[module]


def game_of(function: Callable[..., Any]) -> Identity | None:
    """The game that a kernel or an entry point is part of; None if it is part of Fracas, or of no game yet."""
    known = _identities.get(function)
    if known is not None or not _modules:
        return known
    module = function.__module__
    while module:
        if module in _modules:
            return _modules[module]
        module = module.rpartition(".")[0]
    return None
