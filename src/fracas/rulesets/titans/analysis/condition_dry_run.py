"""Dry-run a condition as a player reads it when choosing in a round of a duel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

from fracas.conditions.compiler import Ask, Program
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.rulesets.contract.types import Asked, Compiled, Explanation, Override
from fracas.rulesets.shared.condition_dry_run import Situation, dry_run, whole_number
from fracas.rulesets.titans.content.vocabulary import VOCABULARY
from fracas.rulesets.titans.rules.condition_facts import read_situation
from fracas.rulesets.titans.rules.constants import LARGEST_ROUND_CAP, MAX_CHARGE, PLAYERS
from fracas.rulesets.titans.rules.entry_points import play_until

# State names of a player's titan.
TITAN_STATE = ("hp", "charge")


def explain(compiled: Compiled, **asked: Unpack[Asked]) -> Explanation:
    """Play up to the round's choices, apply the overrides, and evaluate the condition.

    Raises:
        InputError: see the contract.
    """
    unit, round = asked["unit"], asked["round"]
    index = player_index(compiled, unit)

    def reach(_: Program) -> PlayerSituation:
        battle = compiled.own_record()[0]
        if not play_until(battle, asked["stream"], round):
            message = f"{unit} makes no choice in round {round}: the duel ends in round {battle.tick}"
            raise UsageError.of("--round", message)
        return PlayerSituation(battle, index)

    return dry_run(reach, VOCABULARY, asked, example="enemy.charge >= 50")


def explained_units(compiled: Compiled) -> list[str]:
    """Both players, by number and by name."""
    return list(dict.fromkeys([*_numbers(), *compiled.books["player"]]))


def _numbers() -> list[str]:
    return [str(index + 1) for index in range(PLAYERS)]


def player_index(compiled: Compiled, unit: str) -> int:
    """The index of a player, given by number or name.

    Raises:
        InputError: there is no such player.
    """
    names, numbers = list(compiled.books["player"]), _numbers()
    if unit in numbers:
        return numbers.index(unit)
    if unit in names:
        return names.index(unit)
    known = explained_units(compiled)
    hint = nearest(unit, known) or f"the players are {listed(known)}"
    raise UsageError.of("--unit", f"there is no player {quoted(unit)}", hint)


@dataclass
class PlayerSituation(Situation):
    """A duel as one of its players sees it."""

    index: int

    def apply(self, override: Override) -> None:
        """Set one value, such as `players.0.hp`."""
        path, where = override.path, override.label
        if path == ("round",):
            self.battle.tick = whole_number(override.value, 1, LARGEST_ROUND_CAP, where)
            return
        if len(path) != 3 or path[0] != "players" or path[1] not in ("0", "1"):
            hint = "write round=N, or players.N.hp=N or players.N.charge=N, with players.0 for player 1"
            raise InputError.of(where, "is not a path of the state", hint)
        name = path[2]
        if name not in TITAN_STATE:
            raise InputError.of(where, f"a titan's state has no {quoted(name)}", nearest(name, TITAN_STATE))
        titan = self.battle.titans[int(path[1])]
        # When players choose, both titans have at least 1 HP.
        least, most = (1, int(titan.max_hp)) if name == "hp" else (0, MAX_CHARGE)
        titan[name] = whole_number(override.value, least, most, where)

    def read(self, program: Program) -> None:
        """Read the facts as the player does."""
        read_situation(self.battle, self.battle.titans[self.index], 0, len(program.asks))

    def shown(self, slot: int, ask: Ask) -> str:
        """Show a fact; a stat as its fraction."""
        numerator, denominator = int(self.battle.facts[slot].numerator), int(self.battle.facts[slot].denominator)
        name = next(fact.name for fact in VOCABULARY.facts if fact.code == ask[1])
        if denominator == 1 or name.endswith("hp_pct"):
            return super().shown(slot, ask)
        return f"{numerator / denominator:g}"
