"""Look up rulesets by name. A ruleset is imported on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from fracas.errors import InputError
from fracas.errors.suggestions import listed, nearest, quoted

if TYPE_CHECKING:
    from fracas.rulesets.contract.ruleset import Ruleset

NAMES = ("squads", "delve", "stacks", "relics", "titans")


def get(name: str, where: str = "ruleset") -> Ruleset:
    """The ruleset of that name.

    Raises:
        InputError: there is none; suggests the nearest name.
    """
    if name not in NAMES:
        known = ", ".join(NAMES)
        hint = nearest(name, NAMES) or f"known: {known}"
        raise InputError.of(where, f"there is no ruleset {quoted(name)}", hint)
    return cast("Ruleset", import_module(f"fracas.rulesets.{name}.ruleset").RULESET)


def of_code(code: str) -> Ruleset | None:
    """The ruleset of a share code, by its prefix; None if there is none."""
    known = (get(name) for name in NAMES)
    return next((each for each in known if each.code_prefix and code.startswith(each.code_prefix)), None)


def code_beginnings() -> str:
    """The prefixes of all rulesets' share codes, as text for messages."""
    return listed([prefix for name in NAMES if (prefix := get(name).code_prefix)])
