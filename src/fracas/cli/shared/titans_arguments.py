"""What the commands about duels of titans take: which player, and no other ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fracas.errors import InputError, UsageError

if TYPE_CHECKING:
    from fracas.engine.scenario import Scenario


def refuse_other_rulesets(scenario: Scenario, where: str) -> None:
    """Only in titans two players choose at the same time.

    Raises:
        InputError: the scenario is of another ruleset.
    """
    if scenario.ruleset.name != "titans":
        message = f"is a scenario of {scenario.ruleset.name}, in which nobody chooses in secret"
        raise InputError.of(where, message, "take one of titans, such as examples/titans/standard.toml")


def player_place(scenario: Scenario, player: str | None) -> int:
    """The index of a player by name, or by the number 1 or 2.

    Raises:
        InputError: there is no such player.
    """
    from fracas.errors.suggestions import listed, nearest, quoted

    names = [entry["name"] for entry in scenario.document["players"]]
    if player is None:
        return 0
    if player in names:
        return names.index(player)
    if player in ("1", "2"):
        return int(player) - 1
    hint = nearest(player, names) or f"it is between {listed([quoted(name) for name in names], 'and')}"
    raise UsageError.of(f"--player {player}", "there is no such player in this duel", hint)
