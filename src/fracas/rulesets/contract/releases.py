"""Which rules each release of Fracas plays."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.rulesets.contract.names import NAMES
from fracas.version import __version__

# The rules versions of earlier releases by ruleset, the oldest first. A release gets its line when `__version__` rises.
EARLIER: Mapping[str, Mapping[str, int]] = {}


def release_table(installed: Mapping[str, int]) -> dict[str, Mapping[str, int]]:
    """The rules versions of every release, the newest last: this one's are given."""
    return {**EARLIER, __version__: installed}


def other_rules_hint(ruleset: str, version: int, installed: int) -> str:
    """What to do with something that was made with another version of a ruleset's rules."""
    if ruleset not in NAMES:
        return f"name the game's file of version {version}, or play its scenario again under these rules"
    if version > installed:
        return "install the newer Fracas that made it"
    playing = [release for release, rules in EARLIER.items() if rules.get(ruleset) == version]
    if playing:
        return f"Fracas {playing[-1]} plays them: pip install fracas=={playing[-1]}, in an environment of its own"
    return "no release plays them: use the commit of Fracas that made it, or play its scenario again under these rules"
