"""Squads for agents: what the entries of an observation mean, and what actions are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from fracas.content.references import to_plain
from fracas.kernel.chacha8 import NARROW_WORDS
from fracas.kernel.narrowing import keeps_numbers, narrowed
from fracas.kernel.networks import WITHOUT_NETWORKS, have_room
from fracas.rulesets.contract.agents import AgentInterface, Feature, Terms
from fracas.rulesets.contract.descriptions import described, features_of
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.squads.analysis.described_content import tell
from fracas.rulesets.squads.content.library import library_for
from fracas.rulesets.squads.content.trained_policies import NETWORK, reading
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.observation import encode, target_of
from fracas.rulesets.squads.rules.state import battle_t
from fracas.rulesets.squads.rules.stepping import actor_of, play_script, step_many

# The sizes of the narrow records, by the paths of their arrays.
SMALL = {"abilities": 16, "facts": 32, "steps": 64, "asks": 32, "dice.words": NARROW_WORDS}
MEDIUM = {"steps": 1024, "asks": 256, "dice.words": NARROW_WORDS}
# Numbers of content that battles do not change; 16 bits hold nearly all that anybody writes.
SMALL_NUMBERS = {
    **dict.fromkeys(("abilities", "units.basic", "units.class_ability", "units.ultimate"), np.int16),
    **dict.fromkeys(("steps", "asks"), np.int32),
}

TERMS = Terms(
    decides="A side, when one of its units has its turn and may act.",
    actions=(
        (f"{codes.TARGETS} × ability + target", "what the unit does: basic attack 0, class ability 1, ultimate 2"),
        (f"target 0 to {codes.SIDE_SLOTS - 1}", "the unit in that slot of your side"),
        (f"target {codes.SIDE_SLOTS} to {codes.SLOTS - 1}", "the unit in that slot of the enemy, from its first on"),
        (f"target {codes.SLOTS}", "nobody: abilities that are not aimed at one unit"),
    ),
    hidden="The dice, and the enemy's strategy: its conditions, targets and priorities. In version 1 also what "
    "abilities do, how long anything lasts, formations and the rules.",
)


@cache
def agent_interface() -> AgentInterface:
    """What agents in a battle of squads see and do."""
    return AgentInterface(
        terms=TERMS,
        simultaneous=False,
        actions=len(codes.CHOICES) * codes.TARGETS,
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
            narrowed(battle_t, MEDIUM | WITHOUT_NETWORKS),
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
    for whose in ("own", "enemy"):
        for slot in range(1, codes.SIDE_SLOTS + 1):
            yield from _of_unit(f"{whose}_{slot}", f"unit {slot} of {'your side' if whose == 'own' else 'the enemy'}")


def _of_unit(name: str, unit: str) -> Iterator[Feature]:
    """What is seen of a unit; all 0 in an empty slot and once it has fallen."""
    for entry in codes.SEEN_OF_A_UNIT:
        yield Feature(f"{name}.{entry.name}", entry.meaning.format(unit=unit), entry.measure, 0, entry.most)
    for role in codes.CLASSES:
        yield Feature(f"{name}.{role}", f"whether {unit} is a {role}", "0 or 1", 0, 1)


def _lasting() -> Iterator[Feature]:
    """What version 2 adds of the state, in the order of `rules/observation.py`."""
    for whose in ("own", "enemy"):
        for slot in range(1, codes.SIDE_SLOTS + 1):
            unit = f"unit {slot} of {'your side' if whose == 'own' else 'the enemy'}"
            for entry, meaning, measure, most in codes.LASTING_OF_A_UNIT:
                yield Feature(f"{whose}_{slot}.lasting.{entry}", meaning.format(unit=unit), measure, 0, most)


def fits(compiled: Compiled, kind: np.dtype[Any]) -> bool:
    """Whether everything that a battle uses is within the arrays of a record type."""
    narrow = np.zeros(1, kind)[0]
    orders = [order for unit in compiled.record[0].units for order in (unit.basic, unit.class_ability, unit.ultimate)]
    steps = max(int(order.first_step + order.step_count) for order in orders)
    asks = max(int(order.first_ask + order.ask_count) for order in orders)
    if not have_room(compiled.record[0].networks, narrow.networks):
        return False
    if any(not 0 <= order.ability < len(narrow.abilities) for order in orders):
        return False
    has_room = steps <= len(narrow.steps) and asks <= len(narrow.asks)
    return has_room and keeps_numbers(compiled.record, kind)


def action_names(document: Document, side: int) -> list[str]:
    """What a side's actions are called: what is used, and on whom; empty for slots where nobody stands."""
    own, enemy = ([unit["name"] for unit in document["sides"][place]["units"]] for place in (side, 1 - side))
    slots = [""] * codes.SLOTS
    slots[: len(own)] = own
    slots[codes.SIDE_SLOTS : codes.SIDE_SLOTS + len(enemy)] = enemy
    targets = [*(f" on {name}" if name else None for name in slots), ""]
    return ["" if target is None else f"{choice}{target}" for choice in codes.CHOICES for target in targets]


def given_to_agents(battle: Any, sides: Sequence[int]) -> None:
    """Let agents choose for these sides: what their strategies say is never asked and draws nothing."""
    for side in sides:
        battle.networks[side].inputs = 0
    for unit in battle.units:
        if unit.side in sides:
            for order in (unit.basic, unit.class_ability, unit.ultimate):
                order.selector = codes.BY_DEFAULT
                order.step_count = 0


def content_players() -> Sequence[tuple[str, Any]]:
    """The content's strategies."""
    strategies = library_for(None, ()).of("strategies")
    return [(name, to_plain(strategies[name], without=("id", "name", "level"))) for name in sorted(strategies)]


def with_network(document: Document, side: int, network: Mapping[str, Any]) -> Document:
    """The scenario in which a trained policy plays a side; the side keeps its formation and its list of allies."""
    sides = list(document["sides"])
    strategy = {**sides[side]["strategy"], "targetPriority": [], "abilities": {}, "network": network}
    sides[side] = {**sides[side], "strategy": strategy}
    return {**document, "sides": sides}


def decode(side: int, action: int) -> tuple[int, int]:
    """The choice and the target of an action: which ability, and a unit's index or NOBODY."""
    return action // codes.TARGETS, int(target_of(side, action))
