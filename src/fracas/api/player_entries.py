"""The Python API for what players send: check an entry of ids and decisions, and pit two against each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fracas.api.arguments import check_kind, check_text, paths_of, with_python_names
from fracas.engine.scenario import Scenario
from fracas.engine.untrusted import without_paths
from fracas.errors import InputError, Problem, UsageError
from fracas.player_entries.checking import NO_MODIFIER, EntryGround, check_on, resolve_on
from fracas.player_entries.registry import entry_json_schema
from fracas.rulesets import registry
from fracas.rulesets.contract.analysis import SideRef
from fracas.rulesets.contract.player_entries import Piece

MATCH = "match"


@dataclass(frozen=True)
class Entry:
    """What a player may send, checked: ids of the content, and decisions. Only `check_entry` makes one."""

    document: dict[str, Any]
    """The entry as plain values with sorted keys: what to store."""
    pieces: tuple[Piece, ...]
    """Each unit, hero, item or titan that it names, with its `path` and `id`: what to count, price or forbid."""
    warnings: tuple[Problem, ...]
    ground: EntryGround
    """The ruleset, profile and content that it was checked on."""
    model: Any
    """The entry as checked."""

    @property
    def ruleset(self) -> str:
        """The name of its ruleset."""
        return self.ground.name


@with_python_names
def check_entry(
    ruleset: str, entry: Mapping[str, Any], *, profile: str | None = None, content: Iterable[str | Path] = ()
) -> Entry:
    """Check what a player sent as a side of a battle: ids of the content and decisions, and nothing else.

    A side of a scenario may bring stats, abilities and texts of its own. An entry cannot, so that players can send it:
    at most 32 kB, no files, names or notes, and every unknown key or id is an error.

    Args:
        ruleset: `squads`, `delve`, `stacks`, `relics`, `titans` or a game.
        entry: the entry, as parsed from JSON; `entry_schema(ruleset)` says which keys it has.
        profile: the profile under which it will fight; defaults to the ruleset's.
        content: folders of your own content that entries may name.

    Returns:
        The checked entry, for `match`. Look at its `pieces` to limit size, cost or copies.

    Raises:
        InputError: everything that is wrong with it, each with its place and a suggestion, and without paths of this
            machine; or there is no such ruleset or profile, or a folder is not valid.

    Source: docs/how-to/what-players-may-send.md.

        >>> [piece.id for piece in check_entry("squads", {"units": ["scout", "novice_cleric"]}).pieces]
        ['scout', 'novice_cleric']
    """
    check_kind("ruleset", ruleset, str, "a string")
    check_text("profile", profile)
    rules = registry.get(ruleset)
    ground = EntryGround(rules.name, profile or rules.default_profile, MATCH, tuple(paths_of("content", content)))
    document, model, warnings = check_on(ground, entry)
    return Entry(document, tuple(ground.kind.pieces(model)), warnings, ground, model)


@with_python_names
def entry_schema(ruleset: str) -> dict[str, Any]:
    """Get the JSON Schema of the entries of a ruleset, for forms and for programs of players.

    Args:
        ruleset: `squads`, `delve`, `stacks`, `relics`, `titans` or a game.

    Returns:
        The schema, as `fracas content schema RULESET entry` prints it.

    Raises:
        InputError: there is no such ruleset.

    Source: docs/how-to/what-players-may-send.md.

        >>> sorted(entry_schema("squads")["properties"])
        ['strategy', 'units']
    """
    check_kind("ruleset", ruleset, str, "a string")
    return entry_json_schema(ruleset)


@with_python_names
def match(
    first: Entry,
    second: Entry,
    *,
    names: tuple[str, str] = ("one", "two"),
    seed: str | None = None,
    modifier: str | None = None,
) -> Scenario:
    """Make the battle between two entries.

    Args:
        first: the entry of side 1, from `check_entry`.
        second: the entry of side 2; checked under the same ruleset, profile and content.
        names: what both sides are called in the battle.
        seed: the seed text; draw it after both entries are in.
        modifier: the id of an environment modifier, in rulesets that have them.

    Returns:
        The scenario, ready for `run`, `run_many` and `simulate`.

    Raises:
        InputError: the entries do not belong together, or a name or the modifier is not valid.

    Source: docs/how-to/what-players-may-send.md.

        >>> one, two = (check_entry("squads", {"units": [unit]}) for unit in ("scout", "bronze_knight"))
        >>> match(one, two, names=("Anna", "Ben"), seed="drawn late")
        <Scenario 'match': squads, profile 'classic', seed 'drawn late'>
    """
    check_kind("first", first, Entry, "an entry from check_entry")
    check_kind("second", second, Entry, "an entry from check_entry")
    check_text("seed", seed)
    check_text("modifier", modifier)
    ground = first.ground
    if second.ground != ground:
        raise UsageError.of("second", "was checked under another ruleset, profile or content than the first")
    if len(names) != len((first, second)) or names[0] == names[1]:
        raise UsageError.of("names", f"{names!r} are not two different names")
    sides = []
    for number, (entry, name) in enumerate(zip((first, second), names, strict=True)):
        check_kind(f"names[{number}]", name, str, "a string")
        try:
            sides.append(resolve_on(ground, entry.model, name, modifier or NO_MODIFIER).document)
        except InputError as error:
            raise InputError(_problem_of_entry(each, number) for each in error.problems) from None
    document = ground.ruleset.analysis.matchup(SideRef(sides[0], 1), SideRef(sides[1], 1))
    if seed is not None:
        document = {**document, "seed": seed}
    return Scenario(ground.ruleset, document, ground.ruleset.compile(document, {}))


def _problem_of_entry(problem: Problem, number: int) -> Problem:
    """A problem of a side that an accepted entry became: its name or the modifier cannot be."""
    said = without_paths(problem)
    where = "modifier" if said.path == "modifier" else f"names[{number}]"
    return Problem(where, said.message, said.suggestion)
