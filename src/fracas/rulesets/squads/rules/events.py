"""The events of squads: each kind with its columns, and the detail at which a story shows it.

What is told and counted of an event follows from the names of its columns: the HP that its actor took from its target
(`lost`) or gave back to it (`restored`), the damage that the target's shield stopped (`absorbed`), and the target's HP
now (`hp`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from fracas.rulesets.squads.rules import constants as codes


@event(1, STORY)
class Battle(Event):
    """Both sides stand ready (round 0)."""

    units_1: Annotated[int, "units of side 1"]
    units_2: Annotated[int, "units of side 2"]


@event(2, STORY)
class Round(Event):
    """A round begins."""

    living_1: Annotated[int, "living units of side 1"]
    living_2: Annotated[int, "living units of side 2"]


@event(3, ALL)
class Initiative(Event):
    """A unit's place in the round's order: speed descending, then the word ascending, then index."""

    actor: Unit
    place: Annotated[int, "place in the order, from 1"]
    speed: Annotated[int, "speed under the environment"]
    word: Annotated[int, Word(), "the table's word for the unit"]


@event(4, STORY)
class Stunned(Event):
    """A unit loses its turn to a stun."""

    actor: Unit


@event(5, DECISIONS)
class Choice(Event):
    """What a unit does, and why the ultimate and the class ability were used or passed over."""

    actor: Unit
    ability: Annotated[str, Codebook("ability"), "the ability used"]
    choice: Annotated[str, Codebook("choice"), "basic, class ability or ultimate"]
    ultimate: Annotated[str, Codebook("verdict"), Reasoning(), "why the ultimate was used or passed over"]
    class_ability: Annotated[str, Codebook("verdict"), Reasoning(), "why the class ability was used or passed over"]


@event(6, DECISIONS)
class Target(Event):
    """The target of a single-target ability, and how it was chosen."""

    actor: Unit
    target: Unit
    selector: Annotated[str, Codebook("selector"), Reasoning(), "the selector or priority entry that chose"]
    entry: Annotated[int, Reasoning(), "place of the entry in the priority list, from 0; -1 if none"]
    candidates: Annotated[int, Reasoning(), "number of possible targets"]
    roll: Annotated[int, Reasoning(), "below(candidates) for random; -1 otherwise"]


@event(7, ALL)
class Power(Event):
    """An effect's power and what it is made of."""

    actor: Unit
    power: Annotated[int, "the sum"]
    from_attack: Annotated[int, "share of attack"]
    from_defense: Annotated[int, "share of own defense"]
    from_hp: Annotated[int, "share of own maximum HP"]


@event(8, ALL)
class Roll(Event):
    """A roll for a critical hit: critical if roll <= chance."""

    actor: Unit
    target: Unit
    roll: Annotated[int, "d100"]
    chance: Annotated[int, "per cent"]
    multiplier: Annotated[int, "per cent if critical"]


@event(9, ALL)
class Stage(Event):
    """One stage of the damage chain."""

    actor: Unit
    target: Unit
    stage: Annotated[str, Codebook("stage"), "which stage"]
    figure: Annotated[int, "its percentage, reduction, amount or bound; 0 for a plug-in's"]
    before: Annotated[int, "the value before"]
    after: Annotated[int, "the value after"]


@event(10, STORY)
class Hit(Event):
    """Damage meets the shield, then HP."""

    actor: Unit
    target: Unit
    damage: Annotated[int, "damage after the chain"]
    absorbed: Annotated[int, "damage absorbed by the shield"]
    lost: Annotated[int, "HP lost"]
    hp: Annotated[int, "HP left"]


@event(11, DECISIONS)
class Charge(Event):
    """A unit gains charge."""

    actor: Unit
    gained: Annotated[int, "charge gained"]
    charge: Annotated[int, "charge now"]


@event(12, STORY)
class Fall(Event):
    """A unit is out of the battle."""

    actor: MaybeUnit
    target: Unit


@event(13, STORY)
class Heal(Event):
    """A unit regains HP."""

    actor: Unit
    target: Unit
    healing: Annotated[int, "power times the environment's healing, at least 1"]
    percentage: Annotated[int, "the environment's healing %"]
    restored: Annotated[int, "HP restored"]
    hp: Annotated[int, "HP now"]


@event(14, STORY)
class Shield(Event):
    """A shield is raised, or lost because a larger one is there."""

    actor: Unit
    target: Unit
    pool: Annotated[int, "the new shield's pool"]
    shield: Annotated[int, "the target's pool now"]
    until: Annotated[int, "the last round in which it holds"]
    outcome: Annotated[str, Codebook("outcome"), "what became of it"]


@event(15, STORY)
class Effect(Event):
    """Attack up, attack down, taunt, stun or damage over time is applied, or lost."""

    actor: Unit
    target: Unit
    effect: Annotated[str, Codebook("effect"), "which effect"]
    amount: Annotated[int, "per cent, or damage for each round end"]
    until: Annotated[int, "the last round; 0 for a stun"]
    outcome: Annotated[str, Codebook("outcome"), "what became of it"]


@event(16, STORY)
class Suffer(Event):
    """Damage over time strikes; the actor is who caused it."""

    actor: Unit
    target: Unit
    damage: Annotated[int, "damage of each strike"]
    lost: Annotated[int, "HP lost"]
    hp: Annotated[int, "HP left"]
    strikes_left: Annotated[int, "strikes to come"]


@event(17, DECISIONS)
class Expire(Event):
    """An effect ends."""

    target: Unit
    effect: Annotated[str, Codebook("effect"), "which effect"]
    by_time: Annotated[bool, "true if its time ran out, false if a shield was used up"]


@event(18, STORY)
class Outcome(Event):
    """The battle is over."""

    winner: Annotated[int, "1, 2, or 0 for a draw"]
    reason: Annotated[str, Codebook("reason"), "how it ended"]
    hp_1: Annotated[int, "HP that side 1 has left"]
    hp_2: Annotated[int, "HP that side 2 has left"]


PROTOCOL = Protocol(declared_in(__name__))


@dataclass(frozen=True, slots=True)
class Later:
    """What an effect does in a later event; it counts for the ability that applied the effect."""

    effect: int
    bearer: str
    """Who bears the effect: `actor` or `target`."""
    told: str
    """What a story calls it."""


LATER: Mapping[type[Event], Later] = MappingProxyType({Suffer: Later(codes.DAMAGE_OVER_TIME, "target", "wounds")})

emit_battle = emitter(Battle)
emit_round = emitter(Round)
emit_initiative = emitter(Initiative)
emit_stunned = emitter(Stunned)
emit_choice = emitter(Choice)
emit_target = emitter(Target)
emit_power = emitter(Power)
emit_roll = emitter(Roll)
emit_stage = emitter(Stage)
emit_hit = emitter(Hit)
emit_charge = emitter(Charge)
emit_fall = emitter(Fall)
emit_heal = emitter(Heal)
emit_shield = emitter(Shield)
emit_effect = emitter(Effect)
emit_suffer = emitter(Suffer)
emit_expire = emitter(Expire)
emit_outcome = emitter(Outcome)

# The code books of every battle; each battle adds its own, and the stages of plug-ins.
CODEBOOKS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "selector": (
            *codes.SELECTORS,
            *[""] * (codes.FIRST_CLASS_PRIORITY - len(codes.SELECTORS)),
            *codes.CLASS_PRIORITIES,
            codes.AGENT_SELECTOR_NAME,
        ),
        "stage": codes.STAGES,
        "effect": codes.EFFECTS,
        "verdict": codes.VERDICTS,
        "choice": codes.CHOICES,
        "outcome": codes.OUTCOMES_OF_EFFECTS,
        "reason": codes.REASONS,
    }
)
