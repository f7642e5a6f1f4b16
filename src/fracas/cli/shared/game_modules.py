"""The WebAssembly modules of games, built where a command needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fracas.cli.shared.output import notice
from fracas.errors import InputError

if TYPE_CHECKING:
    from fracas.rulesets.contract.ruleset import Ruleset


def build_module(ruleset: Ruleset) -> None:
    """Build the module of a game that has none yet, if the linker is installed.

    Raises:
        InputError: it cannot be built.
    """
    from fracas.portable.artefacts import is_current

    if not ruleset.rules_hash or is_current(ruleset.identity):
        return
    from fracas.portable.build import build_game, can_build

    if can_build():
        notice(f"building the WebAssembly module of {ruleset.name}, once; it takes up to a minute")
        build_game(ruleset)


def build_for_page(ruleset: Ruleset) -> None:
    """The same for a page, which without the module shows its battles and does not check them; a line says why."""
    from fracas.portable.artefacts import EXTRA, is_current

    if not ruleset.rules_hash:
        return
    try:
        build_module(ruleset)
        why = f"building the module of {ruleset.name} needs an extra: {EXTRA}"
    except InputError as error:
        why = str(error.problems[0])
    if not is_current(ruleset.identity):
        notice(f"the page will not check its battles: {why}")
