"""The rules of a ruleset by their names, wherever its modules keep them, and how to bend one for a test.

A module refers to the rules of others by names of its own, so a rule that is replaced is replaced in all of them.
Plain mode only.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import pytest

Rule = Callable[..., Any]

# Where a ruleset keeps its rules; what other rooms call by the same name is something else.
RULE_ROOMS = ("rules.", "solver.")

# It rolls dice too, but those of scenarios that it makes up, not those of battles.
NO_RULES = ("analysis.scenario_generator",)


def rule_modules(ruleset: str = "squads") -> list[ModuleType]:
    """The loaded modules of a ruleset."""
    package = f"fracas.rulesets.{ruleset}"
    importlib.import_module(f"{package}.ruleset")
    return [
        module
        for name, module in sorted(sys.modules.items())
        if name.startswith(f"{package}.") and name.removeprefix(f"{package}.") not in NO_RULES
    ]


@cache
def rule(name: str, ruleset: str = "squads") -> Rule:
    """The rule of that name, as it is written.

    Raises:
        LookupError: no module of the ruleset defines it, or several do.
    """
    found = {
        value
        for module in rule_modules(ruleset)
        if module.__name__.removeprefix(f"fracas.rulesets.{ruleset}.").startswith(RULE_ROOMS)
        for value in vars(module).values()
        if callable(value) and getattr(value, "__name__", "") == name and value.__module__ == module.__name__
    }
    if len(found) != 1:
        raise LookupError(f"{ruleset} has {len(found)} rules called {name}")
    (only,) = found
    return only  # type: ignore[no-any-return]


def as_it_is(name: str, ruleset: str = "squads") -> Rule:
    """The rule of that name as the others call it now, bent or not."""
    current: Rule = getattr(sys.modules[rule(name, ruleset).__module__], name)
    return current


def replace(patch: pytest.MonkeyPatch, original: Rule, replacement: Rule, ruleset: str = "squads") -> None:
    """Put something in the place of a function wherever a ruleset refers to it, in generated readers of facts too."""
    scopes = [vars(module) for module in rule_modules(ruleset)]
    generated = [value.__globals__ for scope in scopes for value in scope.values() if isinstance(value, FunctionType)]
    scopes += [scope for scope in {id(each): each for each in generated}.values() if "__file__" not in scope]
    places = [(scope, name) for scope in scopes for name, value in scope.items() if value is original]
    for scope, name in places:
        patch.setitem(scope, name, replacement)
    assert places, f"{ruleset} does not use {original}"


def bend(patch: pytest.MonkeyPatch, name: str, fault: Callable[[Rule], Rule], ruleset: str = "squads") -> None:
    """Replace a rule by what a fault makes of it."""
    now = as_it_is(name, ruleset)
    replace(patch, now, fault(now), ruleset)
