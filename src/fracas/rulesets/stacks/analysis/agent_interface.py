"""Stacks for agents: what the entries of an observation mean, and what actions are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from fracas.rulesets.stacks.analysis.described_content import tell
from fracas.rulesets.stacks.content.trained_policies import NETWORK, POLICIES, reading
from fracas.rulesets.stacks.narration.labels import Participants, distinct_titles
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.observation import encode
from fracas.rulesets.stacks.rules.state import battle_t
from fracas.rulesets.stacks.rules.stepping import actor_of, play_script, step_many

# The sizes of the narrow records, by the paths of their arrays. Agents have no plug-ins, whose values, move types and
# tuples need room, no log, for which rolls are stored, and no ranking, which pays off in many battles of one scenario.
# A shipped move makes at most one tuple for its target and one for each unit of the stack that it splashes. Ids are
# masked by the number of participants: a power of two.
SHIPPED = {
    "worths": 1,
    "rolls": 1,
    "tuples": 16,
    "move_types": 8,
    "participants.moves": 8,
    "participants.used": 8,
    "ranking.participants": 1,
    "ranking.pairs": 4,
    "dice.words": NARROW_WORDS,
}
HEXAGONS = {**SHIPPED, "participants": 64, "participants.moves": 4}
# A unit's move types have numbers below 256, and nobody moves more often in a battle than 32 bits can count.
SMALL_NUMBERS = {"participants.moves": np.int16, "participants.used": np.int32}

PLACE_OF_A_TARGET = "place in the stack, from 0; the attacked tile comes after the last direction"
TERMS = Terms(
    decides="A side, when one of its participants has its turn and there is something that it could do.",
    actions=(
        (f"{codes.SLOTS} × move + target", f"a move type, in this order: {', '.join(codes.MOVES)}"),
        (
            f"target 0 to {codes.SLOTS - 1}",
            f"{codes.STACK_SLOTS} × direction + {PLACE_OF_A_TARGET}",
        ),
        (f"{codes.WAITING}", "wait"),
    ),
    hidden="The dice, initiative and the order that follows from it. In version 1 also how often moves were used, "
    "scores at full health, which stacks stand next to each other, and the rules.",
)


@cache
def agent_interface() -> AgentInterface:
    """What agents in an attack of stacks see and do."""
    return AgentInterface(
        terms=TERMS,
        simultaneous=False,
        actions=codes.WAITING + 1,
        features=list(_features()),
        step_many=step_many,
        play_script=play_script,
        actor_of=actor_of,
        encode=encode,
        decode=decode,
        cursor_length=1,
        battle_types=(
            narrowed(battle_t, HEXAGONS | WITHOUT_NETWORKS, SMALL_NUMBERS),
            narrowed(battle_t, SHIPPED | WITHOUT_NETWORKS, SMALL_NUMBERS),
            narrowed(battle_t, SHIPPED | WITHOUT_NETWORKS),
            narrowed(battle_t, SHIPPED),
            battle_t,
        ),
        fits=fits,
        action_names=action_names,
        given_to_agents=given_to_agents,
        content_players=lambda: (("scenario", None),),
        lasting=list(_lasting()),
        described=list(features_of(tell, battle_t)),
        describe=partial(described, tell),
        network=NETWORK,
        reading=reading,
        with_network=POLICIES.with_network,
    )


def _features() -> Iterator[Feature]:
    """The entries of an observation, in the order of `rules/observation.py`."""
    yield Feature("turn", "the turn, of the turn cap", "share", 0, 1)
    yield Feature("idle", "turns without harm, of those after which an attack is repelled", "share", 0, 1)
    yield Feature("attacks", "whether your side attacks", "0 or 1", 0, 1)
    for direction in range(codes.MAX_DIRECTIONS):
        for slot in range(codes.STACK_SLOTS):
            name = f"tile_{direction}.unit_{slot + 1}"
            unit = f"unit {slot + 1} of the stack in direction {direction}"
            yield from _of_participant(name, unit)


def _lasting() -> Iterator[Feature]:
    """What version 2 adds of the state, in the order of `rules/observation.py`."""
    for direction in range(codes.MAX_DIRECTIONS):
        for slot in range(1, codes.STACK_SLOTS + 1):
            for move in codes.MOVES:
                meaning = f"how often unit {slot} of the stack in direction {direction} made the move {move}"
                yield Feature(f"tile_{direction}.used_{slot}.{move}", meaning, "tens", 0, 1e8)


def _of_participant(name: str, unit: str) -> Iterator[Feature]:
    """What is seen of a participant; all 0 where nobody living stands."""
    yield Feature(f"{name}.side", f"1 if {unit} is on your side, -1 if it is an enemy", "-1, 0 or 1", -1, 1)
    yield Feature(f"{name}.acting", f"whether it is the turn of {unit}", "0 or 1", 0, 1)
    yield Feature(f"{name}.health", f"health of {unit}, of its full health", "share", 0, codes.LARGEST_SEEN)
    for score in ("health_points", "attack", "defence", "damage"):
        yield Feature(
            f"{name}.{score}", f"{score.replace('_', ' ')} of {unit}", "tens", -codes.LARGEST_SEEN, codes.LARGEST_SEEN
        )
    for move in codes.MOVES:
        yield Feature(f"{name}.{move}", f"whether {unit} has the move {move}", "0 or 1", 0, 1)


def fits(compiled: Compiled, kind: np.dtype[Any]) -> bool:
    """Whether everything that an attack uses is within the arrays of a record type, with one participant to spare.

    Nobody is looked up as the last participant, who has to be dead.
    """
    battle, narrow = compiled.record[0], np.zeros(1, kind)[0]
    involved = battle.involved[: battle.involved_count]
    moves = int(battle.participants["move_count"].max())
    return (
        not compiled.plugins
        and have_room(battle.networks, narrow.networks)
        and int(involved.max()) < len(narrow.participants) - 1
        and int(battle.move_type_count) <= len(narrow.move_types)
        and moves <= len(narrow.participants[0].moves)
        and keeps_numbers(compiled.record, kind)
    )


def action_names(document: Document, side: int) -> list[str]:
    """What a side's actions are called: a move and its target; empty where nobody stands."""
    titles = distinct_titles(Participants(document).drawn.fighters)
    numbers = range(codes.MAX_DIRECTIONS * codes.STACK_SLOTS)
    named = [f"{move} on {titles[number]}" if number in titles else "" for move in codes.MOVES for number in numbers]
    return [*named, "wait"]


def given_to_agents(battle: Any, sides: Sequence[int]) -> None:
    """Let agents choose for these sides. What participants do without an agent draws dice of its own address only.

    All pairs are valued: narrow records have no room for a ranking.
    """
    battle.ranking.state = codes.WITHOUT_RANKING
    for side in sides:
        battle.networks[side].inputs = 0


def decode(side: int, action: int) -> tuple[int, int]:
    """The choice and the target of an action: a move type and a participant, or NOBODY twice for waiting."""
    return (NOBODY, NOBODY) if action == codes.WAITING else (action // codes.SLOTS, action % codes.SLOTS)
