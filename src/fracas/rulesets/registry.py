"""Look up rulesets by name: the shipped ones, and games that live elsewhere. Each is imported on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from fracas.errors import InputError
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.kernel.identity import Identity, module_belongs_to
from fracas.rulesets.contract.names import NAMES as NAMES

if TYPE_CHECKING:
    from fracas.rulesets.contract.ruleset import Ruleset


def names() -> tuple[str, ...]:
    """The shipped rulesets, then every game that is known here, without importing any package for it.

    Raises:
        InputError: FRACAS_GAMES names a file that cannot be loaded.
    """
    from fracas.kit import load

    return (*NAMES, *load.names())


def loaded() -> tuple[str, ...]:
    """The shipped rulesets, then the games whose files you named; installed packages are imported on demand only.

    Raises:
        InputError: FRACAS_GAMES names a file that cannot be loaded.
    """
    from fracas.kit import load

    return (*NAMES, *load.loaded_names())


def get(name: str, where: str = "ruleset") -> Ruleset:
    """The ruleset of that name, or the game.

    Raises:
        InputError: there is none; suggests the nearest name or says how to name a game. Or the game cannot be loaded.
    """
    if name in NAMES:
        return shipped(name, where)
    from fracas.kit import load

    found = load.find(name)
    if found is None:
        raise InputError.of(where, f"there is no ruleset {quoted(name)}", hint_for(name))
    return found


def hint_for(name: str) -> str:
    """What to do about an unknown name: the nearest one, or in two lines all that are known and how to name a game."""
    from fracas.kit.load import HOW_TO_NAME

    known = names()
    return nearest(name, known) or f"known: {', '.join(known)};\n  {HOW_TO_NAME}"


def shipped(name: str, where: str = "ruleset") -> Ruleset:
    """The shipped ruleset of that name: all that a stranger's file may name.

    Raises:
        InputError: there is none; suggests the nearest name.
    """
    if name not in NAMES:
        hint = nearest(name, NAMES) or f"known: {', '.join(NAMES)}"
        raise InputError.of(where, f"there is no ruleset {quoted(name)}", hint)
    ruleset = cast("Ruleset", import_module(f"fracas.rulesets.{name}.ruleset").RULESET)
    if ruleset.rules_hash:
        # One that is made with the kit: its code is kept under the hash of its rules, as that of games is.
        module_belongs_to(f"fracas.rulesets.{name}", ruleset.identity)
    return ruleset


def is_known(name: object) -> bool:
    """Whether there is a ruleset or a game of that name, without importing any package for it.

    Raises:
        InputError: FRACAS_GAMES names a file that cannot be loaded.
    """
    return name in NAMES or (isinstance(name, str) and name in names())


def identity(name: str) -> Identity:
    """The identity of a shipped ruleset, by its name alone, or of the game of that name.

    Raises:
        InputError: there is none.
    """
    return Identity(name) if name in NAMES else get(name).identity


def of_code(code: str) -> Ruleset | None:
    """The shipped ruleset of a share code, by its prefix; None if there is none."""
    known = (get(name) for name in NAMES)
    return next((each for each in known if each.share_codes and code.startswith(each.share_codes.PREFIX)), None)


def code_beginnings() -> str:
    """The prefixes of all shipped rulesets' share codes, as text for messages."""
    return listed([codes.PREFIX for name in NAMES if (codes := get(name).share_codes)])
