"""The events of delve: each kind with its columns, and the detail at which a story shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated

from fracas.kernel.event_protocol import (
    ALL,
    DECISIONS,
    STORY,
    Codebook,
    Event,
    MaybeUnit,
    Protocol,
    Reasoning,
    Unit,
    Word,
    declared_in,
    emitter,
    event,
)
from fracas.rulesets.delve.rules import constants as codes


@event(1, STORY)
class Start(Event):
    """The party sets out."""

    journey: Annotated[str, Codebook("journey"), "a lone encounter or a run"]
    members: Annotated[int, "members of the party"]
    encounters: Annotated[int, "encounters of the quest; 1 if it is a lone one"]
    flee_below: Annotated[int, "the option flee_below"]


@event(2, STORY)
class Encounter(Event):
    """An encounter begins."""

    number: Annotated[int, "its number, from 0"]
    type: Annotated[str, Codebook("type"), "what it is"]
    members: Annotated[int, "living members of the party"]
    enemies: Annotated[int, "enemies of a combat; 0 of any other type"]


@event(3, ALL)
class Ready(Event):
    """A participant stands ready to fight."""

    actor: Unit
    hp: Annotated[int, "HP"]
    max_hp: Annotated[int, "maximum HP"]
    resource: Annotated[int, "its resource"]
    max_resource: Annotated[int, "its resource's maximum"]


@event(4, ALL)
class Initiative(Event):
    """A participant rolls initiative; lower acts first."""

    actor: Unit
    roll: Annotated[int, "d100"]
    modifier: Annotated[int, "weapon speed modifier, added"]
    speed: Annotated[int, "speed, subtracted"]
    total: Annotated[int, "the total"]


@event(5, STORY)
class Round(Event):
    """A round begins."""

    round: Annotated[int, "its number in the encounter, from 1"]
    living_1: Annotated[int, "living members of the party"]
    living_2: Annotated[int, "living enemies"]


@event(6, ALL)
class TurnOrder(Event):
    """A participant's place in the round's order."""

    actor: Unit
    place: Annotated[int, "place in the order, from 1"]
    total: Annotated[int, "the initiative it rolled"]
    change: Annotated[int, "50 if slowed, less 25 if hasted"]
    effective: Annotated[int, "the sum, which decides the order"]


@event(7, STORY)
class Stunned(Event):
    """A participant loses its action to a stun, which is consumed."""

    actor: Unit


@event(8, STORY)
class Phase(Event):
    """A boss enters a phase."""

    actor: Unit
    phase: Annotated[int, "its place among the boss's phases, from 0"]
    threshold: Annotated[int, "the per cent of HP at which it begins"]
    hp: Annotated[int, "HP"]
    max_hp: Annotated[int, "maximum HP"]


@event(9, DECISIONS)
class PassedOver(Event):
    """A slot of the queue is passed over."""

    actor: Unit
    slot: Annotated[int, Reasoning(), "place in the queue, from 0"]
    skill: Annotated[str, Codebook("skill"), Reasoning(), "the slot's skill"]
    obstacle: Annotated[str, Codebook("obstacle"), Reasoning(), "why"]
    figure: Annotated[
        int, Reasoning(), "the resource there is if it cannot be paid, the rounds left if cooling down, else 0"
    ]


@event(10, STORY)
class Use(Event):
    """A participant uses a skill, and pays for it."""

    actor: Unit
    slot: Annotated[int, Reasoning(), "place in the queue, from 0"]
    skill: Annotated[str, Codebook("skill"), "the skill"]
    cost: Annotated[int, "what was paid"]
    resource: Annotated[int, "what is left"]


@event(11, STORY)
class Pass(Event):
    """A participant passes: every slot of its queue was passed over."""

    actor: Unit
    slots: Annotated[int, Reasoning(), "slots of the queue"]


@event(12, DECISIONS)
class Target(Event):
    """The target of a skill for one enemy or ally, and how it was chosen."""

    actor: Unit
    target: Unit
    selector: Annotated[str, Codebook("selector"), Reasoning(), "the selector"]
    candidates: Annotated[int, Reasoning(), "number of possible targets"]
    roll: Annotated[int, Reasoning(), "below(candidates) for random; -1 otherwise"]


@event(13, ALL)
class Odds(Event):
    """The terms of the chance to hit."""

    actor: Unit
    target: Unit
    attribute: Annotated[int, "the attacker's attribute, added"]
    against: Annotated[int, "the defender's attribute, subtracted"]
    modifier: Annotated[int, "the skill's modifier, added"]
    penalty: Annotated[int, "the defender's evasion, and 30 if the attacker is blinded, subtracted"]


@event(14, STORY)
class Attack(Event):
    """An attack's d100: a hit if roll <= chance, unless it is critical or a fumble."""

    actor: Unit
    target: Unit
    roll: Annotated[int, "d100"]
    chance: Annotated[int, "the chance to hit, 5 to 95"]
    critical_up_to: Annotated[int, "the highest roll that is critical; a fumble begins 91 above, at most at 100"]
    verdict: Annotated[str, Codebook("verdict"), "the result"]


@event(15, ALL)
class Amount(Event):
    """The roll for damage or healing."""

    actor: Unit
    target: Unit
    roll: Annotated[int, "between(low, high)"]
    low: Annotated[int, "the least, with the weapon's if the skill uses it"]
    high: Annotated[int, "the most, likewise"]
    from_attribute: Annotated[int, "a tenth of might, logic or presence, added"]


@event(16, ALL)
class Damage(Event):
    """The steps from the rolled amount to the final damage."""

    actor: Unit
    target: Unit
    scaled: Annotated[int, "roll and attribute after the difficulty's creature damage"]
    changed: Annotated[int, "then, after Weakened and Empowered"]
    armor: Annotated[int, "armor or resistance that counts, subtracted"]
    damage: Annotated[int, "the rest, doubled if critical, at least 1"]


@event(17, STORY)
class Hit(Event):
    """Damage meets the shield, then HP."""

    actor: Unit
    target: Unit
    damage: Annotated[int, "the damage"]
    absorbed: Annotated[int, "taken by the shield"]
    lost: Annotated[int, "HP lost"]
    hp: Annotated[int, "HP left"]


@event(18, STORY)
class Heal(Event):
    """A skill restores HP."""

    actor: Unit
    target: Unit
    healing: Annotated[int, "roll and attribute"]
    effective: Annotated[int, "the same, halved if the target is bleeding"]
    restored: Annotated[int, "HP restored"]
    hp: Annotated[int, "HP now"]


@event(19, STORY)
class Condition(Event):
    """A condition is applied, refreshed, or has no effect on its target."""

    actor: Unit
    target: Unit
    condition: Annotated[str, Codebook("condition"), "which"]
    potency: Annotated[int, "its potency now; 0 if it has none"]
    rounds: Annotated[int, "its rounds now; 0 for Stunned"]
    effect: Annotated[str, Codebook("effect"), "what became of it"]


@event(20, STORY)
class ConditionTick(Event):
    """A condition ticks at a round's end; the actor is its source."""

    actor: Unit
    target: Unit
    condition: Annotated[str, Codebook("condition"), "which"]
    amount: Annotated[int, "HP lost, or restored by Regenerating; else 0"]
    hp: Annotated[int, "HP left"]
    rounds: Annotated[int, "rounds left after this tick; 0 for Stunned"]


@event(21, DECISIONS)
class Expire(Event):
    """A condition ends."""

    target: Unit
    condition: Annotated[str, Codebook("condition"), "which"]
    by_time: Annotated[bool, "true if its rounds ran out, false if a shield was used up"]


@event(22, STORY)
class Fall(Event):
    """A participant dies; the actor is who caused it, none outside combat."""

    actor: MaybeUnit
    target: Unit


@event(23, STORY)
class Rout(Event):
    """A side has no living participant; the remaining turns of the round are cancelled."""

    side: Annotated[int, "the side, 1 or 2"]
    waiting: Annotated[int, "living participants that had not acted yet"]


@event(24, ALL)
class Regain(Event):
    """A participant regains some of its resource at a round's end."""

    actor: Unit
    gained: Annotated[int, "what was gained"]
    resource: Annotated[int, "what there is now"]


@event(25, STORY)
class Flee(Event):
    """The party tries to flee: the fastest member against the fastest enemy; it escapes if roll <= chance."""

    actor: Unit
    target: Unit
    roll: Annotated[int, "d100"]
    chance: Annotated[int, "the chance, 5 to 95"]
    hp: Annotated[int, "the party's HP"]
    max_hp: Annotated[int, "the party's maximum HP, the dead included"]


@event(26, DECISIONS)
class Option(Event):
    """One option of a decision, and the best member at it; none if it needs no skill."""

    actor: MaybeUnit
    option: Annotated[int, "its place, from 0"]
    check: Annotated[str, Codebook("check"), "the skill that it needs"]
    value: Annotated[int, "the best member's value; 0 without a skill"]


@event(27, STORY)
class Choice(Event):
    """The option that the party takes."""

    actor: MaybeUnit
    option: Annotated[int, "its place, from 0"]
    check: Annotated[str, Codebook("check"), "the skill that it needs"]
    value: Annotated[int, "the best member's value; 0 without a skill"]


@event(28, STORY)
class Check(Event):
    """A member makes a check; it succeeds if roll <= chance."""

    actor: Unit
    check: Annotated[str, Codebook("check"), "the skill"]
    value: Annotated[int, "its value"]
    roll: Annotated[int, "d100"]
    chance: Annotated[int, "the chance, 5 to 95"]


@event(29, STORY)
class Harm(Event):
    """A trap, a hazard or a consequence hurts a member."""

    target: Unit
    roll: Annotated[int, "between(low, high)"]
    damage: Annotated[int, "what is left of it, halved where a hazard's check succeeded"]
    lost: Annotated[int, "HP lost"]
    hp: Annotated[int, "HP left"]


@event(30, STORY)
class Restore(Event):
    """A member recovers outside combat."""

    target: Unit
    restored: Annotated[int, "HP restored"]
    hp: Annotated[int, "HP now"]
    gained: Annotated[int, "resource gained"]
    resource: Annotated[int, "resource now"]


@event(31, STORY)
class Consequence(Event):
    """The consequence of a decision or a puzzle."""

    success: Annotated[bool, "whether it went well"]
    gold: Annotated[int, "gold"]
    loot_rolls: Annotated[int, "extra loot rolls"]
    skip: Annotated[int, "encounters skipped"]


@event(32, STORY)
class Ambush(Event):
    """A consequence turns into a fight."""

    enemies: Annotated[int, "how many enemies"]


@event(33, STORY)
class EncounterEnd(Event):
    """An encounter is over."""

    number: Annotated[int, "its number, from 0"]
    outcome: Annotated[str, Codebook("outcome"), "how it ended"]
    rounds: Annotated[int, "rounds fought; 0 without a fight"]
    members: Annotated[int, "living members of the party"]


@event(34, STORY)
class Reward(Event):
    """What an encounter pays besides loot."""

    xp: Annotated[int, "experience for each living member"]
    gold: Annotated[int, "gold for the party"]
    members: Annotated[int, "living members"]
    reduced: Annotated[bool, "true if a combat was survived and not won"]


@event(35, STORY)
class LootRoll(Event):
    """A roll for loot; there is an item if roll <= chance."""

    roll: Annotated[int, "d100"]
    chance: Annotated[int, "per cent"]
    source: Annotated[str, Codebook("source"), "what the roll is for"]
    lane: Annotated[int, "the lane it was rolled on"]


@event(36, STORY)
class Item(Event):
    """An item is found."""

    item: Annotated[str, Codebook("item"), "its template"]
    rarity: Annotated[str, Codebook("rarity"), "its rarity"]
    bonuses: Annotated[int, "how many bonuses follow"]
    source: Annotated[str, Codebook("source"), "what it was rolled for"]


@event(37, ALL)
class Origin(Event):
    """The dice address of the item before, which proves it."""

    lane: Annotated[int, "the lane; the tick is the row's"]
    word: Annotated[int, Word(), "the first word of that address"]


@event(38, STORY)
class Bonus(Event):
    """A bonus of the item before."""

    bonus: Annotated[str, Codebook("bonus"), "which"]
    tier: Annotated[str, Codebook("tier"), "its potency tier"]
    amount: Annotated[int, "what it adds"]


@event(39, STORY)
class Spoils(Event):
    """What the party brings home from a run."""

    xp: Annotated[int, "experience of a member who survived every encounter"]
    gold: Annotated[int, "gold"]
    items: Annotated[int, "items"]
    encounters: Annotated[int, "encounters passed"]


@event(40, STORY)
class Outcome(Event):
    """The battle or run is over."""

    winner: Annotated[int, "1, 2, or 0 for a draw"]
    reason: Annotated[str, Codebook("reason"), "how it ended"]
    hp_1: Annotated[int, "HP that the party has left"]
    hp_2: Annotated[int, "HP that the last enemies have left"]


PROTOCOL = Protocol(declared_in(__name__))

emit_start = emitter(Start)
emit_encounter = emitter(Encounter)
emit_ready = emitter(Ready)
emit_initiative = emitter(Initiative)
emit_round = emitter(Round)
emit_turn_order = emitter(TurnOrder)
emit_stunned = emitter(Stunned)
emit_phase = emitter(Phase)
emit_passed_over = emitter(PassedOver)
emit_use = emitter(Use)
emit_pass = emitter(Pass)
emit_target = emitter(Target)
emit_odds = emitter(Odds)
emit_attack = emitter(Attack)
emit_amount = emitter(Amount)
emit_damage = emitter(Damage)
emit_hit = emitter(Hit)
emit_heal = emitter(Heal)
emit_condition = emitter(Condition)
emit_condition_tick = emitter(ConditionTick)
emit_expire = emitter(Expire)
emit_fall = emitter(Fall)
emit_rout = emitter(Rout)
emit_regain = emitter(Regain)
emit_flee = emitter(Flee)
emit_option = emitter(Option)
emit_choice = emitter(Choice)
emit_check = emitter(Check)
emit_harm = emitter(Harm)
emit_restore = emitter(Restore)
emit_consequence = emitter(Consequence)
emit_ambush = emitter(Ambush)
emit_encounter_end = emitter(EncounterEnd)
emit_reward = emitter(Reward)
emit_loot_roll = emitter(LootRoll)
emit_item = emitter(Item)
emit_origin = emitter(Origin)
emit_bonus = emitter(Bonus)
emit_spoils = emitter(Spoils)
emit_outcome = emitter(Outcome)

# Names that are the same in every battle; units, skills, items and bonuses differ by battle.
CODEBOOKS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "journey": codes.JOURNEYS,
        "type": codes.ENCOUNTER_TYPES,
        "obstacle": codes.OBSTACLES,
        "selector": (*codes.SELECTORS, codes.AGENT_SELECTOR_NAME),
        "verdict": codes.VERDICTS,
        "condition": codes.CONDITIONS,
        "effect": codes.EFFECTS,
        "check": codes.CHECKS,
        "outcome": codes.OUTCOMES,
        "source": codes.SOURCES,
        "rarity": codes.RARITIES,
        "tier": codes.TIERS,
        "reason": codes.REASONS,
    }
)
