"""The event kinds of titans: what their columns mean, and from which detail on stories show them."""

from __future__ import annotations

from typing import Annotated

from fracas.kernel.event_protocol import (
    ALL,
    DECISIONS,
    STORY,
    Codebook,
    Double,
    Event,
    Protocol,
    Reasoning,
    declared_in,
    emitter,
    event,
)
from fracas.rulesets.titans.rules import constants as codes

Player = Annotated[str, Codebook("player")]


@event(1, STORY)
class Duel(Event):
    """The start of a duel, with both titans ready (round 0)."""

    round_cap: Annotated[int, "rounds until the shares of HP decide"]
    sudden_death: Annotated[int, "the round from which Defense and heals are 0; 0 if there is none"]


@event(2, STORY)
class Titan(Event):
    """A titan enters (round 0)."""

    actor: Player
    hp: Annotated[int, "its HP, which are its full HP"]
    charge: Annotated[int, "its charge"]
    level: Annotated[int, "its level"]
    experience: Annotated[int, "its experience at this level"]


@event(3, STORY)
class Round(Event):
    """A round begins."""

    hp_1: Annotated[int, "HP of player 1"]
    hp_2: Annotated[int, "HP of player 2"]
    charge_1: Annotated[int, "charge of player 1"]
    charge_2: Annotated[int, "charge of player 2"]


@event(5, ALL)
class Chance(Event):
    """A roll of a policy: d100 against a rule's chance, or below(total) among the possible choices."""

    actor: Player
    roll: Annotated[int, Reasoning(), "the roll"]
    limit: Annotated[int, Reasoning(), "the chance (the rule is taken if roll <= limit), or the total (roll < limit)"]
    rule: Annotated[int, Reasoning(), "the rule's place, from 0; -1 if it is no rule's"]


@event(4, DECISIONS)
class Choice(Event):
    """What a player chose, hidden until now, and why."""

    actor: Player
    action: Annotated[str, Codebook("action"), "attack, defend, rest or ability"]
    ability: Annotated[str | None, Codebook("ability"), "the ability; none if it is not one"]
    why: Annotated[str, Codebook("why"), Reasoning(), "what decided"]
    rule: Annotated[int, Reasoning(), "the rule's place, from 0; -1 if it is no rule's"]


@event(6, ALL)
class Speed(Event):
    """A speed roll: the higher acts first, player 1 on a tie."""

    actor: Player
    roll: Annotated[float, Double(), "speed * unit()"]
    speed: Annotated[float, Double(), "the speed as it is now"]


@event(7, STORY)
class Act(Event):
    """A titan acts."""

    actor: Player
    action: Annotated[str, Codebook("action"), "attack, defend, rest or ability"]
    ability: Annotated[str | None, Codebook("ability"), "the ability; none if it is not one"]
    place: Annotated[int, "1 if it acts first in the round, 2 if second"]


@event(8, STORY)
class Skipped(Event):
    """An action is skipped."""

    actor: Player
    action: Annotated[str, Codebook("action"), "attack, defend, rest or ability"]
    ability: Annotated[str | None, Codebook("ability"), "the ability; none if it is not one"]
    obstacle: Annotated[str, Codebook("obstacle"), "why"]


@event(9, ALL)
class Hit(Event):
    """A roll to hit: a hit if roll < chance."""

    actor: Player
    target: Player
    roll: Annotated[float, Double(), "unit()"]
    chance: Annotated[float, Double(), "the chance"]


@event(10, ALL)
class Critical(Event):
    """A roll for a critical hit: critical if roll < chance."""

    actor: Player
    target: Player
    roll: Annotated[float, Double(), "unit()"]
    chance: Annotated[float, Double(), "the chance"]


@event(11, ALL)
class Attack(Event):
    """An attack's value against the effective defense."""

    actor: Player
    target: Player
    value: Annotated[float, Double(), "attack * (1 + unit())"]
    defense: Annotated[float, Double(), "the effective defense"]


@event(12, STORY)
class Damage(Event):
    """Damage to the actor's opponent: reduces the shield, then HP."""

    actor: Player
    target: Player
    absorbed: Annotated[float, Double(), "taken by the shield"]
    before: Annotated[int, "HP before"]
    hp: Annotated[int, "HP now"]


@event(13, STORY)
class Heal(Event):
    """A titan regains HP."""

    actor: Player
    amount: Annotated[float, Double(), "the heal; 0 in sudden death"]
    before: Annotated[int, "HP before"]
    hp: Annotated[int, "HP now"]


@event(14, STORY)
class Shield(Event):
    """A titan shields itself until the round ends."""

    actor: Player
    amount: Annotated[float, Double(), "what is added"]
    shield: Annotated[float, Double(), "its shield now"]


@event(15, STORY)
class Charge(Event):
    """A titan's charge changes; the actor is the cause."""

    actor: Player
    target: Player
    before: Annotated[int, "charge before"]
    charge: Annotated[int, "charge now"]
    source: Annotated[str, Codebook("source"), "where it comes from"]


@event(16, DECISIONS)
class Pay(Event):
    """A titan pays for an ability."""

    actor: Player
    ability: Annotated[str, Codebook("ability"), "the ability"]
    cost: Annotated[int, "what it costs"]
    charge: Annotated[int, "charge now"]


@event(17, STORY)
class Change(Event):
    """A stat change on the target starts, or starts again."""

    actor: Player
    target: Player
    stat: Annotated[str, Codebook("stat"), "the stat"]
    percent: Annotated[int, "per cent"]
    until: Annotated[int, "the round at whose end it ends"]
    total: Annotated[int, "the sum of all changes of the stat now, not held to -90"]


@event(18, DECISIONS)
class Expire(Event):
    """A stat change ends."""

    target: Player
    stat: Annotated[str, Codebook("stat"), "the stat"]
    percent: Annotated[int, "per cent"]
    by_time: Annotated[bool, "true if its time ran out, false if it was cleansed"]
    total: Annotated[int, "the sum of all changes of the stat now, not held to -90"]


@event(19, STORY)
class Fall(Event):
    """A titan has no HP left; the actor is the one that caused it."""

    actor: Player
    target: Player


@event(20, ALL)
class RoundEnd(Event):
    """A round ends without ending the duel."""

    hp_1: Annotated[int, "HP of player 1"]
    hp_2: Annotated[int, "HP of player 2"]
    charge_1: Annotated[int, "charge of player 1"]
    charge_2: Annotated[int, "charge of player 2"]


@event(21, STORY)
class Outcome(Event):
    """The duel is over."""

    winner: Annotated[int, "1, 2, or 0 for a draw"]
    reason: Annotated[str, Codebook("reason"), "how it ended"]
    hp_1: Annotated[int, "HP that player 1 has left"]
    hp_2: Annotated[int, "HP that player 2 has left"]


@event(22, STORY)
class Experience(Event):
    """A titan gains experience from the duel."""

    actor: Player
    gained: Annotated[int, "experience gained"]
    level: Annotated[int, "its level now"]
    experience: Annotated[int, "its experience at this level now"]
    levels: Annotated[int, "levels risen"]


@event(23, DECISIONS)
class Growth(Event):
    """A stat grows at a new level."""

    actor: Player
    stat: Annotated[str, Codebook("growth"), "the stat"]
    level: Annotated[int, "the new level"]
    roll: Annotated[int, "below(100)"]
    gained: Annotated[int, "points gained"]


PROTOCOL = Protocol(declared_in(__name__))

emit_duel = emitter(Duel)
emit_titan = emitter(Titan)
emit_round = emitter(Round)
emit_chance = emitter(Chance)
emit_choice = emitter(Choice)
emit_speed = emitter(Speed)
emit_act = emitter(Act)
emit_skipped = emitter(Skipped)
emit_hit = emitter(Hit)
emit_critical = emitter(Critical)
emit_attack = emitter(Attack)
emit_damage = emitter(Damage)
emit_heal = emitter(Heal)
emit_shield = emitter(Shield)
emit_charge = emitter(Charge)
emit_pay = emitter(Pay)
emit_change = emitter(Change)
emit_expire = emitter(Expire)
emit_fall = emitter(Fall)
emit_round_end = emitter(RoundEnd)
emit_outcome = emitter(Outcome)
emit_experience = emitter(Experience)
emit_growth = emitter(Growth)

# The code books of every duel; each duel adds its own `player` and `ability`.
CODEBOOKS = {
    "action": codes.ACTIONS,
    "why": codes.WHYS,
    "stat": codes.STATS,
    "growth": codes.GROWTH_STATS,
    "source": codes.SOURCES,
    "obstacle": codes.OBSTACLES,
    "reason": codes.REASONS,
}
