"""Declares the facts of queue conditions, of a participant and of groups. delve/README.md, Queue vocabulary."""

from __future__ import annotations

from fracas.kernel.condition_evaluator import EVERY_UNIT, SCALAR, compare
from fracas.kernel.fact_table import FactKind, FactTable
from fracas.kernel.jit import kernel
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.participants import participant_at
from fracas.rulesets.delve.rules.status_conditions import has_condition

# Numbers of each participant of a group. A resource with a maximum of 0 is 0%.
UNIT_FACTS = FactTable("participant")


@UNIT_FACTS.fraction(0, "hp_pct", FactKind.PERCENT, "a unit's share of its HP")
def hp_share(participant) -> tuple[int, int]:
    """A participant's share of its HP."""
    return 100 * participant.hp, participant.max_hp


UNIT_FACTS.field(
    1, "resource", "participant.resource", FactKind.PLAIN, "what a unit has of its resource", 0, codes.LARGEST_RESOURCE
)


@UNIT_FACTS.fraction(2, "resource_pct", FactKind.PERCENT, "a unit's share of its resource, 0 if none")
def resource_share(participant) -> tuple[int, int]:
    """A participant's share of its resource."""
    return 100 * participant.resource, max(participant.max_resource, 1)


read_number = UNIT_FACTS.reader("read_number")

# The deciding participant's situation, at a slot of its queue.
FACTS = FactTable("battle", "actor", "slot")


@FACTS.fraction(0, "self.hp_pct", FactKind.PERCENT, "the unit's share of its HP")
def own_hp_share(battle, actor, slot) -> tuple[int, int]:
    """The deciding participant's share of its HP."""
    return hp_share(actor)


FACTS.field(
    1, "self.resource", "actor.resource", FactKind.PLAIN, "what the unit has of its resource", 0, codes.LARGEST_RESOURCE
)


@FACTS.fraction(2, "self.resource_pct", FactKind.PERCENT, "the unit's share of its resource, 0 if none")
def own_resource_share(battle, actor, slot) -> tuple[int, int]:
    """The deciding participant's share of its resource."""
    return resource_share(actor)


FACTS.field(3, "round", "battle.combat_round", FactKind.ROUND, "the encounter's round, from 1")


@FACTS.fact(4, "allies.count", FactKind.COUNT, "living units of the own side, the unit included")
def ally_count(battle, actor, slot) -> int:
    """The living participants of the own side."""
    return own_side(battle, actor).living


@FACTS.fact(5, "enemies.count", FactKind.COUNT, "living units of the other side")
def enemy_count(battle, actor, slot) -> int:
    """The living participants of the other side."""
    return other_side(battle, actor).living


@FACTS.fact(
    codes.TIMES_USED,
    "used",
    FactKind.PLAIN,
    "how often the unit has used the slot's skill in this encounter",
    0,
    codes.LARGEST_ROUND_CAP,
)
def times_used(battle, actor, slot) -> int:
    """How often the slot's skill has been used."""
    return actor.used[slot.known & codes.KNOWN_MASK]


@FACTS.fact(7, "boss_present", FactKind.FLAG, "a living boss takes part, on whichever side")
def boss_present(battle, actor, slot) -> int:
    """1 if a living boss takes part, else 0."""
    present = 0
    for side_index in range(len(battle.sides)):
        side = battle.sides[side_index]
        for index in range(side.first, side.first + side.count):
            participant = participant_at(battle, index)
            if participant.hp > 0 and participant.boss:
                present = 1
    return present


read_fact = FACTS.reader("read_fact")


@kernel
def read_situation(battle, actor, slot) -> None:
    """Fill the fact vector with the answers to a queue slot's asks."""
    for index in range(slot.ask_count):
        ask = battle.asks[slot.first_ask + index]
        answer = battle.facts[index]
        answer.denominator = 1
        if ask.group != SCALAR:
            side = own_side(battle, actor) if ask.group == codes.ALLIES else other_side(battle, actor)
            answer.numerator = count_matching(battle, side, ask)
        elif ask.fact >= codes.SELF_CONDITION_OFFSET:
            condition = ask.fact - codes.SELF_CONDITION_OFFSET - codes.FIRST_CONDITION_FACT
            answer.numerator = 1 if has_condition(actor, condition) else 0
        else:
            answer.numerator, answer.denominator = read_fact(battle, actor, slot, ask.fact)


@kernel
def count_matching(battle, side, ask) -> int:
    """Count the living participants of a side that match an ask; having a condition counts as a value above 0."""
    if ask.fact == EVERY_UNIT:
        return side.living
    count = 0
    if ask.fact >= codes.FIRST_CONDITION_FACT:
        condition = ask.fact - codes.FIRST_CONDITION_FACT
        for index in range(side.first, side.first + side.count):
            participant = participant_at(battle, index)
            if participant.hp > 0:
                count += participant.conditions >> condition & 1
        return count
    for index in range(side.first, side.first + side.count):
        participant = participant_at(battle, index)
        if participant.hp > 0 and participant_matches(participant, ask):
            count += 1
    return count


@kernel
def participant_matches(participant, ask) -> bool:
    """Whether one participant of a group matches an ask about its HP or resource."""
    numerator, denominator = read_number(participant, ask.fact)
    return compare(numerator, denominator, ask.compare, ask.number)
