"""Delve for agents: what the entries of an observation mean, and what actions are called."""

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
from fracas.rulesets.delve.analysis.described_content import tell
from fracas.rulesets.delve.content.trained_policies import NETWORK, POLICIES, reading
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.observation import encode, target_of
from fracas.rulesets.delve.rules.state import battle_t
from fracas.rulesets.delve.rules.stepping import actor_of, play_script, step_many

# The sizes of the narrow records, by the paths of their arrays: for lone fights with few enemies, for others, and for
# runs. Facts are those that one condition asks for. Half of what is left of a small fight are the sixteen participants.
FIGHT = {
    "facts": 16,
    "steps": 64,
    "asks": 64,
    "skills": 32,
    "queue_slots": 64,
    "phases": 8,
    "encounters": 1,
    "decision_options": 1,
    "roster": 8,
    "foes": 8,
    "tables": 1,
    "tables.rows": 1,
    "tables.weights": 1,
    "templates": 1,
    "templates.bonus_weights": 1,
    "drops": 1,
    "rarities": 1,
    "bonuses": 1,
    "participants.ready_from": 16,
    "participants.used": 16,
    "foes.ready_from": 16,
    "foes.used": 16,
    "dice.words": NARROW_WORDS,
}
SMALL_FIGHT = FIGHT | {
    "steps": 32,
    "asks": 32,
    "skills.conditions": 2,
    "queue_slots": 32,
    "skill_damage": 32,
    "slot_uses": 32,
    "phases": 1,
    "roster": 4,
    "foes": 4,
    "participants.ready_from": 8,
    "participants.used": 8,
    "foes.ready_from": 8,
    "foes.used": 8,
}
# Numbers of content are small, and so are those of conditions, which come from content: 16 bits hold them.
SMALL_NUMBERS = dict.fromkeys(
    (
        "skills",
        "queue_slots",
        *(
            f"{whose}.{what}"
            for whose in ("participants", "foes")
            for what in ("afflictions", "affliction_order", "attributes", "checks")
        ),
        "phases.attributes",
    ),
    np.int16,
)
RUN = {
    "facts": 16,
    "steps": 128,
    "asks": 128,
    "skills": 64,
    "queue_slots": 128,
    "phases": 16,
    "encounters": 20,
    "decision_options": 24,
    "roster": 64,
    "foes": 32,
    "tables": 8,
    "templates": 64,
    "drops": 128,
    "dice.words": NARROW_WORDS,
}
# Items of the chest, and a margin.
CHEST_DROPS = 16

TERMS = Terms(
    decides="The party, when one of its members has its turn, and at the decisions of a quest; of lone fights both.",
    actions=(
        (
            f"{codes.TARGETS} × slot + target",
            f"the skill in that slot of the member's queue, 0 to {codes.MAX_QUEUE - 1}",
        ),
        (f"target 0 to {codes.SIDE_SLOTS - 1}", "that slot of your side"),
        (f"target {codes.SIDE_SLOTS} to {codes.TARGETS - 2}", "that slot of the enemy, from its first on"),
        (f"target {codes.TARGETS - 1}", "nobody: skills that are not aimed at one"),
        (f"{codes.PASSING}", "pass"),
        (f"{codes.FIRST_OPTION} to {codes.ACTIONS - 1}", "the options of a decision on the way"),
    ),
    hidden="The dice, the encounters to come, what is at stake in an encounter and behind an option, loot that has "
    "not been found, the queues and skills of the enemy. In version 1 also what skills do and how long they cool down, "
    "how long conditions last, attributes, evasion and weapons, and the rules.",
)


@cache
def agent_interface() -> AgentInterface:
    """What agents in a run or a fight of delve see and do."""
    return AgentInterface(
        terms=TERMS,
        simultaneous=False,
        actions=codes.ACTIONS,
        features=list(_features()),
        step_many=step_many,
        play_script=play_script,
        actor_of=actor_of,
        encode=encode,
        decode=decode,
        cursor_length=2,
        battle_types=(
            narrowed(battle_t, SMALL_FIGHT | WITHOUT_NETWORKS, SMALL_NUMBERS),
            narrowed(battle_t, FIGHT | WITHOUT_NETWORKS, SMALL_NUMBERS),
            narrowed(battle_t, FIGHT | WITHOUT_NETWORKS),
            narrowed(battle_t, RUN | WITHOUT_NETWORKS, SMALL_NUMBERS),
            narrowed(battle_t, RUN | WITHOUT_NETWORKS),
            narrowed(battle_t, RUN),
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
    yield Feature("encounter", "the encounter, of all there are", "share", 0, 1)
    yield Feature("round", "the round of the fight, of the round cap", "share", 0, 1)
    yield Feature("choosing", "whether the party chooses an option", "0 or 1", 0, 1)
    for kind in codes.ENCOUNTER_TYPES:
        yield Feature(f"encounter.{kind}", f"whether the encounter at hand is of the type {kind}", "0 or 1", 0, 1)
    for option in range(1, codes.MAX_OPTIONS + 1):
        yield Feature(f"option_{option}", f"how likely option {option} succeeds; 0 if there is none", "share", 0, 1)
    for whose in ("own", "enemy"):
        for slot in range(1, codes.SIDE_SLOTS + 1):
            side = "your side" if whose == "own" else "the enemy"
            yield from _of_participant(f"{whose}_{slot}", f"slot {slot} of {side}")


def _lasting() -> Iterator[Feature]:
    """What version 2 adds of the state, in the order of `rules/observation.py`."""
    for whose in ("own", "enemy"):
        for slot in range(1, codes.SIDE_SLOTS + 1):
            who = f"slot {slot} of {'your side' if whose == 'own' else 'the enemy'}"
            name = f"{whose}_{slot}.lasting"
            for entry, meaning, measure, most in codes.LASTING_OF_A_PARTICIPANT:
                yield Feature(f"{name}.{entry}", meaning.format(who=who), measure, -most, most)
            for attribute in codes.ATTRIBUTES:
                yield Feature(f"{name}.{attribute}", f"{attribute} of {who}", "hundreds", -100, 100)
            for condition in codes.CONDITIONS:
                left = f"rounds that {who} is still {condition}"
                yield Feature(f"{name}.{condition}_left", left, "tens", 0, codes.LARGEST_DURATION / 10)
                yield Feature(f"{name}.{condition}_potency", f"how strongly {who} is {condition}", "hundreds", 0, 1e4)
    for slot in range(1, codes.SIDE_SLOTS + 1):
        for place in range(1, codes.MAX_QUEUE + 1):
            name, queue = f"own_{slot}.queue_{place}", f"slot {place} of the queue of slot {slot} of your side"
            number = f"the number of the skill in {queue}, from 1; 0 for none"
            yield Feature(f"{name}.skill", number, f"of {codes.MAX_SKILLS}", 0, 1)
            wait = f"rounds until the skill in {queue} may be used again"
            yield Feature(f"{name}.wait", wait, "tens", 0, codes.LARGEST_DURATION / 10 + 1)


def _of_participant(name: str, who: str) -> Iterator[Feature]:
    """What is seen of a participant; all 0 where nobody living stands."""
    yield Feature(f"{name}.hp", f"HP of {who}, of its full HP", "share", 0, 1)
    yield Feature(f"{name}.full_hp", f"full HP of {who}", "hundreds, at most 100", 0, codes.LARGEST_SEEN)
    yield Feature(f"{name}.resource", f"resource of {who}, of the most it can have", "share", 0, 1)
    yield Feature(f"{name}.resource_points", f"resource of {who}", "tens, at most 100", 0, codes.LARGEST_SEEN)
    yield Feature(f"{name}.armor", f"armor of {who}", "hundreds, at most 100", -codes.LARGEST_SEEN, codes.LARGEST_SEEN)
    yield Feature(
        f"{name}.resistance", f"resistance of {who}", "hundreds, at most 100", -codes.LARGEST_SEEN, codes.LARGEST_SEEN
    )
    yield Feature(f"{name}.level", f"level of {who}", "tens", 0, codes.LARGEST_SEEN)
    yield Feature(f"{name}.boss", f"whether {who} is a boss", "0 or 1", 0, 1)
    yield Feature(f"{name}.acting", f"whether it is the turn of {who}", "0 or 1", 0, 1)
    for condition in codes.CONDITIONS:
        yield Feature(f"{name}.{condition}", f"whether {who} is {condition}", "0 or 1", 0, 1)


def fits(compiled: Compiled, kind: np.dtype[Any]) -> bool:
    """Whether everything that a run uses is within the arrays of a record type."""
    battle, narrow = compiled.record[0], np.zeros(1, kind)[0]
    owners = [*battle.participants, *battle.foes, *battle.phases]
    slots = max(int(each.first_slot + each.slot_count) for each in owners)
    queue = battle.queue_slots[:slots]
    encounters = battle.encounters[: battle.encounter_count]
    options = max(int(each.first_option + each.option_count) for each in encounters)
    consequences = [way for one in battle.decision_options[:options] for way in (one.success, one.failure)]
    met = [*encounters, *consequences]
    tables = 1 + max([int(battle.chest_table), *(int(each.table) for each in met)])
    templates = [int(row.template) for table in battle.tables[:tables] for row in table.rows[: table.row_count]]
    is_lone = battle.journey == codes.LONE_ENCOUNTER
    skills = 1 + max((int(each.skill) for each in queue), default=0)
    used = {
        "facts": max((int(each.ask_count) for each in queue), default=0),
        "steps": max((int(each.first_step + each.step_count) for each in queue), default=0),
        "asks": max((int(each.first_ask + each.ask_count) for each in queue), default=0),
        "skills": skills,
        "skill_damage": int(battle.counted_skills),
        "slot_uses": int(battle.counted_slots),
        "queue_slots": slots,
        "phases": max(int(each.first_phase + each.phase_count) for each in [*battle.participants, *battle.foes]),
        "encounters": int(battle.encounter_count),
        "decision_options": options,
        "roster": max(int(each.first_foe + each.foe_count) for each in met),
        "foes": 1 + int(battle.roster.max()),
        "tables": 0 if is_lone else tables,
        "templates": 0 if is_lone else 1 + max(templates, default=0),
        "drops": 0 if is_lone else int(battle.encounter_count) * (1 + codes.MAX_LOOT_ROLLS) + CHEST_DROPS,
        "rarities": 0 if is_lone else len(battle.rarities),
        "bonuses": 0 if is_lone else len(battle.bonuses),
    }
    conditions = max(int(each.condition_count) for each in battle.skills[:skills])
    known = max(int(each.known_count) for each in [*battle.participants, *battle.foes])
    return (
        have_room(battle.networks, narrow.networks)
        and known <= len(narrow.participants[0].used)
        and conditions <= len(narrow.skills[0].conditions)
        and all(count <= len(narrow[name]) for name, count in used.items())
        and keeps_numbers(compiled.record, kind)
    )


def action_names(document: Document, side: int) -> list[str]:
    """What actions are called: a slot of the queue and a target by its number, passing, or an option."""
    targets = [*(f" on own slot {slot + 1}" for slot in range(codes.SIDE_SLOTS))]
    targets += [*(f" on enemy slot {slot + 1}" for slot in range(codes.SIDE_SLOTS)), ""]
    queue = [f"queue slot {index + 1}{target}" for index in range(codes.MAX_QUEUE) for target in targets]
    return [*queue, "pass", *(f"option {index + 1}" for index in range(codes.MAX_OPTIONS))]


def given_to_agents(battle: Any, sides: Sequence[int]) -> None:
    """Let agents choose for these sides: no queue of theirs rolls for a target."""
    for side in sides:
        battle.networks[side].inputs = 0
    members = battle.participants[: codes.SIDE_SLOTS]
    of_party = {int(each.first_slot) + index for each in members for index in range(int(each.slot_count))}
    for index, slot in enumerate(battle.queue_slots):
        if (codes.PARTY if index in of_party else 1 - codes.PARTY) in sides:
            slot.selector = codes.BY_LOWEST_HP


def decode(side: int, action: int) -> tuple[int, int]:
    """The choice and the target of an action: a place in the queue and a slot, or NOBODY twice for passing.

    An option is a choice from MAX_QUEUE on.
    """
    if action == codes.PASSING:
        return NOBODY, NOBODY
    if action >= codes.FIRST_OPTION:
        return codes.MAX_QUEUE + action - codes.FIRST_OPTION, NOBODY
    return action // codes.TARGETS, int(target_of(side, action))
