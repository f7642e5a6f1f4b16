"""The event kinds of titans: what their columns mean, and from which detail on stories show them."""

from __future__ import annotations

from typing import Annotated

from fracas.events.protocol import ALL, DECISIONS, STORY, Codebook, Double, Event, Protocol, Reasoning, event
from fracas.rulesets.titans.rules import constants as codes

Player = Annotated[str, Codebook("player")]


@event(codes.DUEL_EVENT, STORY)
class Duel(Event):
    """The start of a duel, with both titans ready (round 0)."""

    round_cap: Annotated[int, "rounds until the shares of HP decide"]
    sudden_death: Annotated[int, "the round from which Defense and heals are 0; 0 if there is none"]


@event(codes.TITAN_EVENT, STORY)
class Titan(Event):
    """A titan enters (round 0)."""

    actor: Player
    hp: Annotated[int, "its HP, which are its full HP"]
    charge: Annotated[int, "its charge"]
    level: Annotated[int, "its level"]
    experience: Annotated[int, "its experience at this level"]


@event(codes.ROUND_EVENT, STORY)
class Round(Event):
    """A round begins."""

    hp_1: Annotated[int, "HP of player 1"]
    hp_2: Annotated[int, "HP of player 2"]
    charge_1: Annotated[int, "charge of player 1"]
    charge_2: Annotated[int, "charge of player 2"]


@event(codes.CHANCE_EVENT, ALL)
class Chance(Event):
    """A roll of a policy: d100 against a rule's chance, or below(total) among the possible choices."""

    actor: Player
    roll: Annotated[int, Reasoning(), "the roll"]
    limit: Annotated[int, Reasoning(), "the chance (the rule is taken if roll <= limit), or the total (roll < limit)"]
    rule: Annotated[int, Reasoning(), "the rule's place, from 0; -1 if it is no rule's"]


@event(codes.CHOICE_EVENT, DECISIONS)
class Choice(Event):
    """What a player chose, hidden until now, and why."""

    actor: Player
    action: Annotated[str, Codebook("action"), "attack, defend, rest or ability"]
    ability: Annotated[str | None, Codebook("ability"), "the ability; none if it is not one"]
    why: Annotated[str, Codebook("why"), Reasoning(), "what decided"]
    rule: Annotated[int, Reasoning(), "the rule's place, from 0; -1 if it is no rule's"]


@event(codes.SPEED_EVENT, ALL)
class Speed(Event):
    """A speed roll: the higher acts first, player 1 on a tie."""

    actor: Player
    roll: Annotated[float, Double(), "speed * unit()"]
    speed: Annotated[float, Double(), "the speed as it is now"]


@event(codes.ACT_EVENT, STORY)
class Act(Event):
    """A titan acts."""

    actor: Player
    action: Annotated[str, Codebook("action"), "attack, defend, rest or ability"]
    ability: Annotated[str | None, Codebook("ability"), "the ability; none if it is not one"]
    place: Annotated[int, "1 if it acts first in the round, 2 if second"]


@event(codes.SKIPPED_EVENT, STORY)
class Skipped(Event):
    """An action is skipped."""

    actor: Player
    action: Annotated[str, Codebook("action"), "attack, defend, rest or ability"]
    ability: Annotated[str | None, Codebook("ability"), "the ability; none if it is not one"]
    obstacle: Annotated[str, Codebook("obstacle"), "why"]


@event(codes.HIT_EVENT, ALL)
class Hit(Event):
    """A roll to hit: a hit if roll < chance."""

    actor: Player
    target: Player
    roll: Annotated[float, Double(), "unit()"]
    chance: Annotated[float, Double(), "the chance"]


@event(codes.CRITICAL_EVENT, ALL)
class Critical(Event):
    """A roll for a critical hit: critical if roll < chance."""

    actor: Player
    target: Player
    roll: Annotated[float, Double(), "unit()"]
    chance: Annotated[float, Double(), "the chance"]


@event(codes.ATTACK_EVENT, ALL)
class Attack(Event):
    """An attack's value against the effective defense."""

    actor: Player
    target: Player
    value: Annotated[float, Double(), "attack * (1 + unit())"]
    defense: Annotated[float, Double(), "the effective defense"]


@event(codes.DAMAGE_EVENT, STORY)
class Damage(Event):
    """Damage to the actor's opponent: reduces the shield, then HP."""

    actor: Player
    target: Player
    absorbed: Annotated[float, Double(), "taken by the shield"]
    before: Annotated[int, "HP before"]
    hp: Annotated[int, "HP now"]


@event(codes.HEAL_EVENT, STORY)
class Heal(Event):
    """A titan regains HP."""

    actor: Player
    amount: Annotated[float, Double(), "the heal; 0 in sudden death"]
    before: Annotated[int, "HP before"]
    hp: Annotated[int, "HP now"]


@event(codes.SHIELD_EVENT, STORY)
class Shield(Event):
    """A titan shields itself until the round ends."""

    actor: Player
    amount: Annotated[float, Double(), "what is added"]
    shield: Annotated[float, Double(), "its shield now"]


@event(codes.CHARGE_EVENT, STORY)
class Charge(Event):
    """A titan's charge changes; the actor is the cause."""

    actor: Player
    target: Player
    before: Annotated[int, "charge before"]
    charge: Annotated[int, "charge now"]
    source: Annotated[str, Codebook("source"), "where it comes from"]


@event(codes.PAY_EVENT, DECISIONS)
class Pay(Event):
    """A titan pays for an ability."""

    actor: Player
    ability: Annotated[str, Codebook("ability"), "the ability"]
    cost: Annotated[int, "what it costs"]
    charge: Annotated[int, "charge now"]


@event(codes.CHANGE_EVENT, STORY)
class Change(Event):
    """A stat change on the target starts, or starts again."""

    actor: Player
    target: Player
    stat: Annotated[str, Codebook("stat"), "the stat"]
    percent: Annotated[int, "per cent"]
    until: Annotated[int, "the round at whose end it ends"]
    total: Annotated[int, "the sum of all changes of the stat now, not held to -90"]


@event(codes.EXPIRE_EVENT, DECISIONS)
class Expire(Event):
    """A stat change ends."""

    target: Player
    stat: Annotated[str, Codebook("stat"), "the stat"]
    percent: Annotated[int, "per cent"]
    by_time: Annotated[bool, "true if its time ran out, false if it was cleansed"]
    total: Annotated[int, "the sum of all changes of the stat now, not held to -90"]


@event(codes.FALL_EVENT, STORY)
class Fall(Event):
    """A titan has no HP left; the actor is the one that caused it."""

    actor: Player
    target: Player


@event(codes.ROUND_END_EVENT, ALL)
class RoundEnd(Event):
    """A round ends without ending the duel."""

    hp_1: Annotated[int, "HP of player 1"]
    hp_2: Annotated[int, "HP of player 2"]
    charge_1: Annotated[int, "charge of player 1"]
    charge_2: Annotated[int, "charge of player 2"]


@event(codes.OUTCOME_EVENT, STORY)
class Outcome(Event):
    """The duel is over."""

    winner: Annotated[int, "1, 2, or 0 for a draw"]
    reason: Annotated[str, Codebook("reason"), "how it ended"]
    hp_1: Annotated[int, "HP that player 1 has left"]
    hp_2: Annotated[int, "HP that player 2 has left"]


@event(codes.EXPERIENCE_EVENT, STORY)
class Experience(Event):
    """A titan gains experience from the duel."""

    actor: Player
    gained: Annotated[int, "experience gained"]
    level: Annotated[int, "its level now"]
    experience: Annotated[int, "its experience at this level now"]
    levels: Annotated[int, "levels risen"]


@event(codes.GROWTH_EVENT, DECISIONS)
class Growth(Event):
    """A stat grows at a new level."""

    actor: Player
    stat: Annotated[str, Codebook("growth"), "the stat"]
    level: Annotated[int, "the new level"]
    roll: Annotated[int, "below(100)"]
    gained: Annotated[int, "points gained"]


PROTOCOL = Protocol(
    (
        Duel,
        Titan,
        Round,
        Chance,
        Choice,
        Speed,
        Act,
        Skipped,
        Hit,
        Critical,
        Attack,
        Damage,
        Heal,
        Shield,
        Charge,
        Pay,
        Change,
        Expire,
        Fall,
        RoundEnd,
        Outcome,
        Experience,
        Growth,
    )
)

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
