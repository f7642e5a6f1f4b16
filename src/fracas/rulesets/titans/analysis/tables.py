"""Duels for people who play live: what everybody may see of both titans, and what choices do and cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from fracas.kernel.event_log import NOBODY
from fracas.rulesets.contract.standing import ChoiceWords, ShownSide, ShownValue, Standing
from fracas.rulesets.contract.types import Compiled, Document, Rows
from fracas.rulesets.titans.analysis.hit_calculator import LEAST_DEFENDED, MOST_DEFENDED, mean_of_attack
from fracas.rulesets.titans.narration.choices import basic_choices, effect_words
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.titan_stats import effective_defense, has_change

FULL_CHARGE = 100


class TitansTables:
    """A duel: nothing but the dice and open choices is hidden, and stats under `stats_public = false`."""

    hides = False

    def standing(self, scenario: Compiled, document: Document, record: Any, side: int | None, actor: int) -> Standing:
        """Both titans: HP, charge, changes, and stats as far as they are public."""
        sides = [
            ShownSide(player["name"], tuple(_values(document, record, number, is_own=number == side)))
            for number, player in enumerate(document["players"])
        ]
        return Standing(int(record.tick), (), sides)

    def is_seen(self, rows: Rows, side: int | None) -> Rows:
        """All rows: they say what was chosen, and why is no secret of a person."""
        return np.ones(len(rows), bool)

    def default(self, record: Any, side: int, actor: int) -> tuple[int, int]:
        """Defend."""
        return codes.DEFEND, NOBODY

    def with_choices(self, document: Document, decisions: Sequence[Sequence[int]]) -> Document:
        """The duel with policies that choose what was chosen."""
        players = []
        for number, player in enumerate(document["players"], 1):
            names = [*codes.ACTIONS[: codes.FIRST_ABILITY], *player["titan"]["abilities"]]
            chosen = [names[choice] for side, _, choice, _ in decisions if side == number]
            players.append({**player, "policy": {"choices": chosen}})
        return {**document, "players": players}

    def choice_words(
        self, document: Document, record: Any, side: int, legal: Mapping[str, int]
    ) -> Mapping[str, ChoiceWords]:
        """What each choice does; of an attack what it is expected to do, if the other's stats are public."""
        words = basic_choices(document["options"])
        if document["options"]["stats_public"]:
            words["attack"] = _expected(record, side)
        abilities = [document["abilities"][name] for name in document["players"][side]["titan"]["abilities"]]
        return {name: ChoiceWords(text) for name, text in words.items()} | {
            each["name"]: ChoiceWords("; ".join(map(effect_words, each["effects"])), f"{each['cost']} charge")
            for each in abilities
        }


def _values(document: Document, record: Any, number: int, *, is_own: bool) -> Iterator[ShownValue]:
    titan, given = record.titans[number], document["players"][number]["titan"]
    yield ShownValue("HP", int(titan.hp), int(given["hp"]))
    yield ShownValue("charge", int(titan.charge), FULL_CHARGE)
    yield ShownValue("titan", given["name"])
    if is_own or document["options"]["stats_public"]:
        for code, stat in enumerate(codes.STATS):
            yield ShownValue(stat, f"{float(titan.now[code]):g}")
    for place in range(int(record.change_count)):
        if has_change(titan, place):
            change = record.changes[place]
            name = codes.STATS[change.stat]
            yield ShownValue("change", f"{name} {int(change.percent):+}% until the end of round {titan.until[place]}")


def _expected(record: Any, side: int) -> str:
    """What an attack is expected to do now, before criticals and misses."""
    one, other = record.titans[side], record.titans[1 - side]
    attack = float(one.now[codes.ATTACK_STAT])
    defense = float(effective_defense(record, other.now[codes.DEFENSE_STAT]))
    plain = mean_of_attack(attack, defense, defense)
    guarded = mean_of_attack(attack, LEAST_DEFENDED * defense, MOST_DEFENDED * defense)
    return f"{plain:.1f} damage expected; {guarded:.1f} if the other defends"
