"""The event kinds of relics: what their columns mean, and from which detail on stories show them."""

from __future__ import annotations

from typing import Annotated

from fracas.kernel.event_protocol import ALL, DECISIONS, STORY, Codebook, Event, Protocol, declared_in, emitter, event
from fracas.rulesets.relics.rules import constants as codes

Who = Annotated[str, Codebook("fighter")]
MaybeWho = Annotated[str | None, Codebook("fighter")]
Source = Annotated[str, Codebook("source"), "what did it: a piece, or a rule"]
Piece = Annotated[str, Codebook("source"), "the piece"]
Quantity = Annotated[str, Codebook("quantity"), "of what"]


@event(1, STORY)
class Battle(Event):
    """The start of a battle, with both fighters ready (tick 0)."""

    turn_cap: Annotated[int, "turns until a draw"]
    fatigue_start: Annotated[int, "the turn after which fatigue begins"]
    deterministic: Annotated[bool, "whether nothing in the battle can draw"]


@event(2, STORY)
class Fighter(Event):
    """A fighter with the stats of everything it wears."""

    actor: Who
    hp: Annotated[int, "HP"]
    attack: Annotated[int, "ATK"]
    armor: Annotated[int, "ARMOR"]
    speed: Annotated[int, "SPEED"]


@event(3, DECISIONS)
class PieceWorn(Event):
    """A piece that a fighter wears."""

    actor: Who
    piece: Piece
    slot: Annotated[str, Codebook("piece_kind"), "what sort of piece"]
    tier: Annotated[str, Codebook("tier"), "its tier"]


@event(4, ALL)
class Has(Event):
    """Another starting value of a fighter, including HP below the maximum."""

    actor: Who
    quantity: Quantity
    value: Annotated[int, "how much"]


@event(5, DECISIONS)
class Step(Event):
    """A fighter's step in set-up."""

    actor: Who
    step: Annotated[str, Codebook("step"), "which step"]


@event(6, STORY)
class First(Event):
    """Who acts first."""

    actor: Who
    reason: Annotated[str, Codebook("first_reason"), "why"]
    speed_1: Annotated[int, "SPEED of the left"]
    speed_2: Annotated[int, "SPEED of the right"]


@event(7, STORY)
class Turn(Event):
    """A turn begins."""

    actor: Who
    turn: Annotated[int, "its number, from 1"]
    own_turn: Annotated[int, "the actor's own count, from 1"]
    hp_1: Annotated[int, "HP of the left"]
    hp_2: Annotated[int, "HP of the right"]


@event(8, DECISIONS)
class Trigger(Event):
    """An effect runs."""

    actor: Who
    trigger: Annotated[str, Codebook("trigger"), "the trigger"]
    source: Piece
    payload: Annotated[int, "the number that came with the trigger"]
    depth: Annotated[int, "1, or how deep it stands in consequences"]


@event(9, ALL)
class Roll(Event):
    """A draw: a chance succeeds if roll <= against; a pick takes candidate number roll of against."""

    actor: MaybeWho
    purpose: Annotated[str, Codebook("purpose"), "what for"]
    roll: Annotated[int, "d100 for a chance, else below(against)"]
    against: Annotated[int, "the chance, or the number of candidates"]
    source: Annotated[str | None, Codebook("source"), "the piece; nobody for who acts first"]


@event(10, ALL)
class Attack(Event):
    """The terms of a strike's ATK part, before Freeze."""

    actor: Who
    attack: Annotated[int, "ATK"]
    temporary: Annotated[int, "temporary ATK"]
    bonus: Annotated[int, "the modifiers attack, summed"]
    percent: Annotated[int, "the modifiers attack_pct, summed"]


@event(11, STORY)
class Strike(Event):
    """A strike is made; its damage follows."""

    actor: Who
    target: Who
    number: Annotated[int, "strikes made in this turn, with it"]
    before: Annotated[int, "the ATK part before Freeze"]
    part: Annotated[int, "the ATK part"]
    frozen: Annotated[bool, "whether Freeze halved it"]


@event(12, STORY)
class Skip(Event):
    """A strike is not made."""

    actor: Who
    reason: Annotated[str, Codebook("skip"), "why"]
    stun: Annotated[int, "stun left"]


@event(13, ALL)
class Modified(Event):
    """A modifier changed a packet, a heal or a gain."""

    target: Who
    modifier: Annotated[str, Codebook("modifier"), "which"]
    total: Annotated[int, "all of these modifiers, summed"]
    before: Annotated[int, "the number before"]
    after: Annotated[int, "the number after"]


@event(14, STORY)
class Damage(Event):
    """A packet of damage reduces ARMOR and HP."""

    actor: MaybeWho
    target: Who
    source: Source
    absorbed: Annotated[int, "ARMOR lost"]
    lost: Annotated[int, "HP lost"]
    hp: Annotated[int, "HP now"]


@event(15, STORY)
class Heal(Event):
    """A heal."""

    actor: MaybeWho
    target: Who
    source: Source
    healed: Annotated[int, "HP gained"]
    excess: Annotated[int, "what was too much"]
    hp: Annotated[int, "HP now"]


@event(16, STORY)
class Change(Event):
    """A quantity changes other than by damage and heals."""

    actor: MaybeWho
    target: Who
    quantity: Quantity
    change: Annotated[int, "by how much"]
    value: Annotated[int, "what it is now"]
    source: Source


@event(17, DECISIONS)
class Immune(Event):
    """Immunity prevents a gain of stacks."""

    actor: MaybeWho
    target: Who
    quantity: Quantity
    stacks: Annotated[int, "how many it would have been"]
    source: Source


@event(18, STORY)
class Mark(Event):
    """A fighter becomes Exposed or Wounded."""

    target: Who
    mark: Annotated[str, Codebook("mark"), "which"]


@event(19, ALL)
class Unpaid(Event):
    """A price cannot be paid, and the effect ends."""

    actor: Who
    quantity: Quantity
    price: Annotated[int, "what it would cost"]
    value: Annotated[int, "what is there"]
    source: Piece


@event(20, DECISIONS)
class ExtraStrikes(Event):
    """More strikes."""

    actor: Who
    target: Who
    moment: Annotated[str, Codebook("moment"), "when"]
    strikes: Annotated[int, "how many"]
    source: Piece


@event(21, DECISIONS)
class Counter(Event):
    """A piece's counter changes."""

    actor: Who
    source: Piece
    change: Annotated[int, "by how much"]
    value: Annotated[int, "what it is now"]


@event(22, DECISIONS)
class Countdown(Event):
    """An op changes a countdown."""

    actor: Who
    target: Who
    piece: Piece
    change: Annotated[int, "by how much"]
    left: Annotated[int, "own turns to go"]
    source: Source


@event(23, STORY)
class Cut(Event):
    """A guard drops a run or strikes; reported once for each effect, for runs once in a step."""

    actor: Who
    guard: Annotated[str, Codebook("cut"), "which guard"]
    trigger: Annotated[str | None, Codebook("trigger"), "the trigger; nobody for strikes"]
    source: Annotated[str | None, Codebook("source"), "the piece; nobody for strikes"]
    depth: Annotated[int, "how deep it would have stood"]


@event(24, STORY)
class Fall(Event):
    """The death check finds a fighter at 0 HP or below."""

    target: Who
    hp: Annotated[int, "its HP"]


@event(25, STORY)
class PhaseBegins(Event):
    """A fallen fighter starts its next phase."""

    target: Who
    phase: Annotated[int, "which, from 2"]
    hp: Annotated[int, "its HP"]
    attack: Annotated[int, "its ATK"]
    armor: Annotated[int, "its ARMOR"]


@event(26, DECISIONS)
class TurnEnd(Event):
    """The strikes are over; the end of the turn begins."""

    actor: Who
    strikes: Annotated[int, "strikes made"]


@event(27, STORY)
class Outcome(Event):
    """The battle is over."""

    winner: Annotated[int, "1, 2, or 0 for a draw"]
    reason: Annotated[str, Codebook("reason"), "how it ended"]
    hp_1: Annotated[int, "HP of the left"]
    hp_2: Annotated[int, "HP of the right"]


PROTOCOL = Protocol(declared_in(__name__))

emit_battle = emitter(Battle)
emit_fighter = emitter(Fighter)
emit_piece_worn = emitter(PieceWorn)
emit_has = emitter(Has)
emit_step = emitter(Step)
emit_first = emitter(First)
emit_turn = emitter(Turn)
emit_trigger = emitter(Trigger)
emit_roll = emitter(Roll)
emit_attack = emitter(Attack)
emit_strike = emitter(Strike)
emit_skip = emitter(Skip)
emit_modified = emitter(Modified)
emit_damage = emitter(Damage)
emit_heal = emitter(Heal)
emit_change = emitter(Change)
emit_immune = emitter(Immune)
emit_mark = emitter(Mark)
emit_unpaid = emitter(Unpaid)
emit_extra_strikes = emitter(ExtraStrikes)
emit_counter = emitter(Counter)
emit_countdown = emitter(Countdown)
emit_cut = emitter(Cut)
emit_fall = emitter(Fall)
emit_phase_begins = emitter(PhaseBegins)
emit_turn_end = emitter(TurnEnd)
emit_outcome = emitter(Outcome)

# The code books of every battle; each battle adds its own `fighter` and `source`.
CODEBOOKS = {
    "quantity": codes.QUANTITIES,
    "piece_kind": codes.PIECE_KINDS,
    "tier": codes.TIERS,
    "step": codes.STEPS,
    "first_reason": codes.FIRST_REASONS,
    "trigger": codes.TRIGGERS,
    "purpose": codes.PURPOSES,
    "modifier": codes.MODIFIERS,
    "skip": codes.SKIPS,
    "mark": codes.MARKS,
    "moment": codes.MOMENTS,
    "cut": codes.CUTS,
    "reason": codes.REASONS,
}
