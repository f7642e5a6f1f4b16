"""Arguments of the commands about titans duels: check the ruleset and find the player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fracas.errors import InputError, UsageError

if TYPE_CHECKING:
    from fracas.engine.scenario import Scenario


def no_hidden_choices(scenario: Scenario, where: str) -> InputError:
    """The refusal of a ruleset in which two players do not choose at the same time; of the shipped ones only titans."""
    message = f"is a {scenario.ruleset.name} scenario, which has no hidden choices"
    return InputError.of(where, message, "use a titans scenario, such as examples/titans/standard.toml")


def refuse_for_games(scenario: Scenario, given: Mapping[str, object]) -> None:
    """Refuse options that only titans know, in a scenario of a game.

    Raises:
        UsageError: one of them is given.
    """
    for option, value in given.items():
        if value is not None:
            raise UsageError.of(option, f"is for titans; this scenario is of {scenario.ruleset.name}")


def player_place(scenario: Scenario, player: str | None) -> int:
    """Find a player's index by name, or by the number 1 or 2.

    Raises:
        InputError: there is no such player.
    """
    from fracas.errors.suggestions import listed, nearest, quoted

    names = scenario.ruleset.side_names(scenario.document)
    if player is None:
        return 0
    if player in names:
        return names.index(player)
    if player in ("1", "2"):
        return int(player) - 1
    hint = nearest(player, names) or f"it is between {listed([quoted(name) for name in names], 'and')}"
    raise UsageError.of(f"--player {player}", "there is no such player in this duel", hint)
