"""The fighters of relics with all that they wear, from its rule book alone; `tests/oracle/relics.py` plays them.

Everything follows `src/fracas/rulesets/relics/README.md` sentence by sentence, in plain and slow Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from tests.oracle import language

Document = dict[str, Any]


def codes(names: str, first: int = 0) -> dict[str, int]:
    """Number names in the order in which the rule book lists them."""
    return {name: number for number, name in enumerate(names.split(), first)}


STATUSES = ("freeze", "thorns", "poison", "acid", "riptide", "stun", "regen")
QUANTITY = codes("hp hp_max attack temp_attack armor speed " + " ".join(STATUSES))
TIER = codes("normal golden diamond")
PLACE = codes("trait weapon upgrade item food set status")
TRIGGER = codes("pre battle_start first_turn turn_start turn_end every_other_turn every_n_turns countdown")
TRIGGER |= codes("every_n_strikes on_hit on_struck on_damaged hp_lost armor_lost armor_gained speed_gained on_heal", 8)
TRIGGER |= codes("on_overheal status_gained thorns_gained enemy_status_gained status_lost status_ticked", 17)
TRIGGER |= codes("strike_skipped exposed wounded enemy_exposed enemy_wounded on_kill", 23)
TRIGGER |= codes("speed_lost attack_gained damage_outside_strikes", 29)
STATS = ("attack", "armor", "speed", "health")

REMOVING, OTHER, EXTRA = 0, 1, 2
CLASS = dict.fromkeys(("lose", "halve", "remove", "onhit_remove_enemy_armor"), REMOVING)
CLASS |= dict.fromkeys(("onhit_extra_damage", "enemy_hp_minus", "deal", "pierce", "lose_hp", "execute"), EXTRA)
CLASSES = {"removes_first": (REMOVING, OTHER, EXTRA), "damage_first": (EXTRA, REMOVING, OTHER)}
# Numbers that a tier leaves alone, and the largest that the others may become.
UNTIERED = ("set", "execute", "set_counter")
LARGEST, LEAST_BONUS = 9999, -999


def clamp(value: int, low: int, high: int) -> int:
    """Keep a value between two ends."""
    return max(low, min(value, high))


@dataclass(eq=False)
class Piece:
    """Something that a fighter wears, and its counter."""

    number: int
    place: str
    tier: str
    data: Document
    counter: int = 0

    @property
    def factor(self) -> int:
        """Give what its tier multiplies by."""
        return int(2 ** TIER[self.tier])


@dataclass(eq=False)
class Effect:
    """Ops that run under a trigger; first what was given, then what changes."""

    piece: Piece
    trigger: str
    phase: int | None
    data: Document
    running: bool = False
    runs: int = 0
    runs_in_turn: int = 0
    to_go: int = 0
    due: bool = False
    cut: bool = False


@dataclass(eq=False)
class Modifier:
    """Something that holds while its piece is worn."""

    piece: Piece
    phase: int | None
    data: Document


class Fighter:
    """One of the two."""

    def __init__(self, number: int, data: Document, options: Document, statuses: list[Document]) -> None:
        self.number, self.data, self.options, self.statuses = number, data, options, statuses
        self.pieces = list(self.worn())
        self.effects = [effect for piece in self.pieces for effect in self.effects_of(piece, piece.data, None)]
        self.modifiers = [modifier for piece in self.pieces for modifier in modifiers_of(piece, piece.data, None)]
        self.phases: list[Document] = data.get("phases") or []
        if self.phases:
            self.add_phases()
        self.base: dict[str, int] = {}
        self.quantity = dict.fromkeys([*QUANTITY, *(entry["id"] for entry in statuses)], 0)
        self.exposed = self.wounded = self.struck = self.reflected = False
        self.set_quantities()
        self.phase = 1
        self.own_turn = self.strikes_made = 0
        self.extra_now = self.extra_next = self.extra_always = 0
        self.crossed: set[str] = set()

    def worn(self) -> Iterator[Piece]:
        """List the pieces by number, the trait first."""
        side = 32 * self.number
        data = self.data
        yield Piece(side, "trait", data.get("tier") or "normal", data)
        weapons = [data["weapon"]] if data.get("weapon") else []
        for place, first, entries in (
            ("weapon", 1, weapons),
            ("upgrade", 2, data["upgrades"]),
            ("item", 6, data["items"]),
            ("food", 18, data["food"]),
        ):
            for number, entry in enumerate(entries, first):
                yield Piece(side + number, place, entry["tier"], entry)
        for number, entry in enumerate(sorted(data["sets"], key=lambda one: str(one["id"])), 22):
            yield Piece(side + number, "set", "normal", entry)
        for number, entry in enumerate(self.statuses, 32 - len(self.statuses)):
            yield Piece(side + number, "status", "normal", entry)

    def add_phases(self) -> None:
        """Let the trait change with the phase."""
        trait = self.pieces[0]
        self.effects[:] = [effect for effect in self.effects if effect.piece is not trait]
        self.modifiers[:] = [modifier for modifier in self.modifiers if modifier.piece is not trait]
        bodies: list[tuple[Piece, Document]] = [(trait, trait.data)]
        bodies += [(trait, entry) for entry in self.phases]
        effects: list[Effect] = []
        for number, (piece, body) in enumerate(bodies, 1):
            tier = piece.tier if number == 1 else "normal"
            effects += self.effects_of(piece, body, number, tier)
            self.modifiers += modifiers_of(piece, body, number, tier)
        self.effects[:0] = effects

    def effects_of(self, piece: Piece, body: Document, phase: int | None, tier: str | None = None) -> Iterator[Effect]:
        """List what a body's triggers and flags make, with the tier multiplied in."""
        factor = 2 ** TIER[tier or piece.tier]
        for trigger, entries in body["triggers"].items():
            for data in joined(entries, trigger):
                yield made(piece, trigger, phase, data, factor)
        for name, number in flags_of(body):
            op = {"on_damaged_deal_damage": "deal", "on_damaged_gain_thorns": "gain_thorns"}.get(name)
            if op:
                yield made(piece, "on_damaged", phase, {"do": [{"op": op, "amount": number}]}, factor)

    def set_quantities(self) -> None:
        """Add up what the fighter begins with."""
        state = self.data.get("state")
        if state:
            names = {"attack": "atk", "temp_attack": "temp_atk"}
            self.quantity |= {name: state.get(names.get(name, name)) or 0 for name in QUANTITY}
            self.quantity |= state.get("statuses") or {}
            self.exposed = bool(state.get("exposed_triggered"))
            self.wounded = bool(state.get("wounded_triggered"))
            self.struck = bool(state.get("struck_this_turn"))
        else:
            total = dict(self.data["stats"])
            for piece in self.pieces[1:]:
                stats = piece.data.get("stats") or {}
                products = {name: clamp(stats.get(name, 0) * piece.factor, -999, LARGEST) for name in STATS}
                total = {name: total[name] + products[name] for name in STATS}
            health = min(total["health"], LARGEST)
            self.quantity |= {"hp": health, "hp_max": health, "armor": clamp(total["armor"], 0, LARGEST)}
            self.quantity |= {name: clamp(total[name], -999, LARGEST) for name in ("attack", "speed")}
        self.settle_base()

    def settle_base(self) -> None:
        """Remember what it has now as what it is made of."""
        self.base = {name: self.quantity[name] for name in ("attack", "armor", "speed")}
        self.base["health"] = self.quantity["hp_max"]

    def enter_phase(self) -> None:
        """Get up as somebody else."""
        stats = self.phases[self.phase - 1]["stats"]
        self.phase += 1
        self.quantity = dict.fromkeys(self.quantity, 0) | {name: stats[name] for name in ("attack", "armor", "speed")}
        self.quantity |= {"hp": stats["health"], "hp_max": stats["health"]}
        self.settle_base()

    def answering(self, trigger: str) -> list[Effect]:
        """List the effects of a trigger in firing order."""
        effects = sorted((each for each in self.effects if each.trigger == trigger), key=lambda one: one.piece.number)
        order = CLASSES.get(self.options["onhit_order"])
        if trigger == "on_hit" and order is not None:
            effects.sort(key=lambda one: order.index(CLASS.get(one.data["do"][0]["op"], OTHER)))
        return effects

    def has_phase(self, thing: Effect | Modifier) -> bool:
        """Tell whether something belongs to the phase of now, or to all."""
        return thing.phase in (None, self.phase)

    def wakes(self, thing: Effect | Modifier) -> bool:
        """Tell whether a fighter has stacks of the status that something belongs to, if it belongs to one."""
        if thing.piece.place != "status":
            return True
        own = thing.piece.data["id"]
        if isinstance(thing, Effect) and thing.trigger == "status_lost" and thing.data.get("of") == own:
            return True
        return self.quantity[own] > 0

    def tagged(self, tag: str) -> list[Piece]:
        """List the pieces with a tag."""
        return [piece for piece in self.pieces if tag in piece.data.get("tags", ())]

    def number_of(self, fact: str) -> language.Number:
        """Answer a fact about the fighter that is a number."""
        items = sum(piece.place == "item" for piece in self.pieces)
        match fact:
            case "hp_pct":
                return Fraction(100 * self.quantity["hp"], self.quantity["hp_max"])
            case "hp_missing":
                return self.quantity["hp_max"] - self.quantity["hp"]
            case "base_attack" | "base_armor" | "base_speed":
                return self.base[fact.removeprefix("base_")]
            case "items":
                return items
            case "empty_slots":
                return 12 - items
            case "phase":
                return self.phase
            case "strikes_made":
                return self.strikes_made
            case "own_turn":
                return self.own_turn
        return self.quantity[fact]


def flags_of(body: Document) -> list[tuple[str, int]]:
    """List the flags with their numbers."""
    flat = [each for entry in body["flags"] for each in (entry if isinstance(entry, list) else [entry])]
    found: list[tuple[str, int]] = []
    for each in flat:
        if isinstance(each, str):
            found.append((each, 0))
        else:
            found[-1] = (found[-1][0], each)
    return found


def joined(entries: list[Document], trigger: str) -> Iterator[Document]:
    """Make effects of a trigger's entries: neighbours that stand bare are one, on hit if they are of one class."""

    def kind(numbered: tuple[int, Document]) -> object:
        place, entry = numbered
        if "do" in entry:
            return ("effect", place)
        return ("bare", CLASS.get(entry["op"], OTHER) if trigger == "on_hit" else 0)

    for _, run in groupby(enumerate(entries), kind):
        ops = [entry for _, entry in run]
        if "do" in ops[0]:
            yield ops[0]
        else:
            yield from ({"do": ops[at : at + 16]} for at in range(0, len(ops), 16))


def made(piece: Piece, trigger: str, phase: int | None, data: Document, factor: int) -> Effect:
    """Make an effect, with a tier multiplied in and its countdown at the beginning."""
    ops = [op if op["op"] in UNTIERED else tiered(op, factor, 0) for op in data["do"]]
    return Effect(piece, trigger, phase, {**data, "do": ops}, to_go=data.get("n") or 0)


def modifiers_of(piece: Piece, body: Document, phase: int | None, tier: str | None = None) -> Iterator[Modifier]:
    """List what a body's modifiers and flags make, with the tier multiplied in."""
    factor = 2 ** TIER[tier or piece.tier]
    for data in body["modifiers"]:
        yield Modifier(piece, phase, tiered(data, factor, LEAST_BONUS))
    for name, _ in flags_of(body):
        if name == "cant_attack":
            yield Modifier(piece, phase, {"modifier": "cannot_attack"})


def tiered(data: Document, factor: int, least: int) -> Document:
    """Multiply the amount of an op or a modifier."""
    amount = data.get("amount")
    match amount:
        case int():
            return {**data, "amount": clamp(amount * factor, least, LARGEST)}
        case {"of": fact, **counted}:
            per = counted.get("per") or 1
            written: Any = counted.get("times")
            times = 1 if written is None else int(written)
            if per != 100:
                times = clamp(times * factor, -LARGEST, LARGEST)
            return {**data, "amount": {"of": fact, "times": times, "per": per}}
    return data
