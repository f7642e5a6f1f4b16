"""Titans for agents: what the entries of an observation mean, what actions are called, how an episode is recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from fracas.kernel.chacha8 import NARROW_WORDS
from fracas.kernel.event_log import NOBODY
from fracas.kernel.narrowing import keeps_numbers, narrowed
from fracas.kernel.networks import WITHOUT_NETWORKS, have_room
from fracas.rulesets.contract.agents import AgentInterface, Feature, Terms
from fracas.rulesets.contract.descriptions import described, features_of
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.titans.analysis.described_content import tell
from fracas.rulesets.titans.content.library import library_for
from fracas.rulesets.titans.content.resolver import EQUILIBRIUM
from fracas.rulesets.titans.content.trained_policies import NETWORK, reading
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.state import battle_t
from fracas.rulesets.titans.rules.stepping import actor_of, encode, play_script, step_many

# The sizes of the narrow records, by the paths of their arrays. Tables of choices pay off only in many duels of one
# scenario.
WITHOUT_TABLES = {"choice_tables.hp_offsets": 2, "choice_tables.offsets": 4, "choice_tables.entries": 4}
SMALL = WITHOUT_TABLES | {
    "cells": 1,
    "changes": 16,
    "titans.until": 16,
    "steps": 64,
    "asks": 16,
    "facts": 32,
    "policies.rules": 16,
    "policies.choices": 1,
    "dice.words": NARROW_WORDS,
}
# Fixed choices and small solved tables too, as scenarios of the generator have them.
MIXED = SMALL | {"asks": 32, "policies.choices": 32, "cells": 128}
# Solved tables of the size that "equilibrium" has.
SOLVED = SMALL | {"cells": 1 << 14}
MEDIUM = WITHOUT_TABLES | {"cells": 1, "steps": 1024, "asks": 256, "dice.words": NARROW_WORDS}
# Numbers of content that duels do not change; 16 bits hold nearly all that anybody writes.
SMALL_NUMBERS = {
    **dict.fromkeys(("abilities", "changes", "policies.rules"), np.int16),
    **dict.fromkeys(("steps", "asks"), np.int32),
}

TERMS = Terms(
    decides="Both players, at the start of each round, at once.",
    actions=(
        ("0", "attack"),
        ("1", "defend"),
        ("2", "rest"),
        (f"{codes.FIRST_ABILITY} to {codes.CHOICES - 1}", "the titan's abilities, in the order of its file"),
    ),
    hidden="The dice, what the other player chooses in this round, its policy; its stats under `stats_public = false`. "
    "In version 1 also amounts of effects, how long changes last, and the rules.",
)


@cache
def agent_interface() -> AgentInterface:
    """What agents in a duel of titans see and do."""
    return AgentInterface(
        terms=TERMS,
        simultaneous=True,
        actions=codes.CHOICES,
        features=list(_features()),
        step_many=step_many,
        play_script=play_script,
        actor_of=actor_of,
        encode=encode,
        decode=decode,
        cursor_length=1,
        battle_types=(
            narrowed(battle_t, SMALL | WITHOUT_NETWORKS, SMALL_NUMBERS),
            narrowed(battle_t, SMALL | WITHOUT_NETWORKS),
            narrowed(battle_t, MIXED | WITHOUT_NETWORKS, SMALL_NUMBERS),
            narrowed(battle_t, MIXED | WITHOUT_NETWORKS),
            narrowed(battle_t, MEDIUM | WITHOUT_NETWORKS),
            narrowed(battle_t, SOLVED | WITHOUT_NETWORKS),
            narrowed(battle_t, MEDIUM),
            battle_t,
        ),
        fits=fits,
        action_names=action_names,
        given_to_agents=given_to_agents,
        content_players=content_players,
        lasting=list(_lasting()),
        described=list(features_of(tell, battle_t)),
        describe=partial(described, tell),
        network=NETWORK,
        reading=reading,
        with_network=with_network,
    )


def _features() -> Iterator[Feature]:
    """The entries of an observation, in the order of `rules/observation.py`."""
    yield Feature("round", "the round, of the round cap", "share", 0, 1)
    yield Feature("sudden_death", "whether sudden death has begun", "0 or 1", 0, 1)
    for who, whose in (("own", "your titan"), ("enemy", "the other titan")):
        yield Feature(f"{who}.hp", f"HP of {whose}, of its full HP", "share", 0, 1)
        yield Feature(f"{who}.full_hp", f"full HP of {whose}, at most 10,000", "thousands", 0, codes.LARGEST_SEEN)
        yield Feature(f"{who}.charge", f"charge of {whose}", "of 100", 0, 1)
        for stat in codes.STATS:
            meaning = f"{stat} of {whose} under its changes; 0 while stats are hidden"
            yield Feature(f"{who}.{stat}", meaning, "hundreds, at most 10", 0, codes.LARGEST_SEEN)
        for choice in _choice_words():
            yield Feature(f"{who}.last.{choice}", f"whether {whose} chose this in the last round", "0 or 1", 0, 1)
    for who, whose in (("own", "your titan"), ("enemy", "the other titan")):
        for slot in range(1, codes.OWN_ABILITIES + 1):
            name = f"{who}.ability_{slot}"
            yield Feature(f"{name}.cost", f"what ability {slot} of {whose} costs", "of 100 charge", 0, 1)
            for effect in codes.EFFECTS:
                meaning = f"whether ability {slot} of {whose} has an effect of this kind"
                yield Feature(f"{name}.{effect}", meaning, "0 or 1", 0, 1)


def _lasting() -> Iterator[Feature]:
    """What version 2 adds of the state, in the order of `rules/observation.py`."""
    for who, whose in (("own", "your titan"), ("enemy", "the other titan")):
        for slot in range(1, codes.OWN_ABILITIES + 1):
            for effect in range(1, codes.MAX_EFFECTS + 1):
                meaning = f"rounds that the stat change by effect {effect} of ability {slot} of {whose} still lasts"
                name = f"{who}.lasting.ability_{slot}_effect_{effect}"
                yield Feature(name, meaning, "tens", 0, codes.LARGEST_ROUND_CAP / 5)


def _choice_words() -> list[str]:
    return [*codes.ACTIONS[: codes.FIRST_ABILITY], *(f"ability_{slot}" for slot in range(1, codes.OWN_ABILITIES + 1))]


def fits(compiled: Compiled, kind: np.dtype[Any]) -> bool:
    """Whether everything that a duel uses is within the arrays of a record type."""
    battle, narrow = compiled.record[0], np.zeros(1, kind)[0]
    policies = battle.policies
    rules = [rule for policy in policies for rule in policy.rules[: policy.rule_count]]
    used_and_there = (
        (battle.change_count, min(len(narrow.changes), len(narrow.titans[0].until))),
        (max((rule.first_step + rule.step_count for rule in rules), default=0), len(narrow.steps)),
        (max((rule.first_ask + rule.ask_count for rule in rules), default=0), len(narrow.asks)),
        (max(policy.rule_count for policy in policies), len(narrow.policies[0].rules)),
        (max(policy.choice_count for policy in policies), len(narrow.policies[0].choices)),
        (
            max((cells_of(policy.grid) for policy in policies if policy.kind == codes.BY_TABLE), default=0),
            len(narrow.cells),
        ),
    )
    return (
        have_room(battle.networks, narrow.networks)
        and all(used <= there for used, there in used_and_there)
        and keeps_numbers(compiled.record, kind)
    )


def cells_of(grid: Any) -> int:
    """Where the cells of a solved table end in a record."""
    return int(grid.first + grid.own_hp * grid.enemy_hp * grid.own_charge * grid.enemy_charge)


def action_names(document: Document, side: int) -> list[str]:
    """What a player's choices are called: attack, defend, rest and its abilities; empty for slots it does not have."""
    abilities = document["players"][side]["titan"]["abilities"]
    names = [*codes.ACTIONS[: codes.FIRST_ABILITY], *(document["abilities"][ability]["name"] for ability in abilities)]
    return [*names, *[""] * (codes.CHOICES - len(names))]


def given_to_agents(battle: Any, sides: Sequence[int]) -> None:
    """Let agents choose for these players: their policies draw nothing and are never asked.

    The other's rules go through its conditions: narrow records have no room for a table of choices.
    """
    battle.choice_tables["state"] = codes.WITHOUT_TABLE
    for side in sides:
        battle.policies[side].kind = codes.BY_LIST
        battle.policies[side].choice_count = 0
        battle.networks[side].inputs = 0


def content_players() -> Sequence[tuple[str, Any]]:
    """The content's policies, the built-in greedy one, and the solved equilibrium."""
    policies = library_for(None, ()).of("policies")
    return *((name, name) for name in sorted(policies)), ("greedy policy", "greedy"), (EQUILIBRIUM, EQUILIBRIUM)


def with_network(document: Document, side: int, network: Mapping[str, Any]) -> Document:
    """The scenario in which a trained policy plays a side."""
    players = list(document["players"])
    players[side] = {**players[side], "policy": {"network": network}}
    return {**document, "players": players}


def decode(side: int, action: int) -> tuple[int, int]:
    """The choice and the target of an action; a titan's choices have no target."""
    return action, NOBODY
