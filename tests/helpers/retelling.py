"""A squads battle told again from its events alone, on a simple model of its state.

The model knows what an event says and what the rule book says must hold around it; whatever does not fit becomes a
complaint. It works nothing out that needs dice, conditions or selectors: those it takes from the events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from fracas.events.protocol import Event
from fracas.rulesets.contract.types import Document
from fracas.rulesets.squads import events as kinds
from fracas.rulesets.squads.rules.constants import SIDE_SLOTS

FULL = 100


@dataclass
class Fighter:
    """What changes of a unit, under the names of the record; `wound` is damage over time."""

    hp: int
    charge: int = 0
    cooldown: int = 0
    ultimate_cooldown: int = 0
    shield: int = 0
    shield_until: int = 0
    attack_up: int = 0
    attack_up_until: int = 0
    attack_down: int = 0
    attack_down_until: int = 0
    taunt_until: int = 0
    stunned: int = 0
    just_stunned: int = 0
    wound: int = 0
    wound_strikes: int = 0
    wound_source: int = -1


class Retelling:
    """The state of a battle after the events told so far, and every complaint about them."""

    def __init__(self, document: Document) -> None:
        self.options = document["options"]
        self.fighters: dict[str, Fighter] = {}
        self.most: dict[str, int] = {}
        self.indices: dict[str, int] = {}
        for place, side in enumerate(document["sides"]):
            for number, unit in enumerate(side["units"]):
                name = f"{place + 1}.{unit['id']}"
                self.fighters[name] = Fighter(unit["hp"])
                self.most[name] = unit["hp"]
                self.indices[name] = place * SIDE_SLOTS + number
        self.cooldowns = {entry["name"]: entry["cooldown"] for entry in document["abilities"].values()}
        self.stages = told_stages(document)
        self.tick = 0
        self.order: list[str] = []
        self.keys: list[tuple[int, int, int]] = []
        self.actor = ""
        self.falling: str | None = None
        self.value: int | None = None
        self.stages_told: list[str] = []
        self.is_over = False
        self.count = 0
        self.complaints: list[str] = []

    def expect(self, holds: bool, what: str) -> None:
        if not holds:
            self.complaints.append(f"event {self.count} in round {self.tick}: {what}")

    def living(self, side: int) -> list[str]:
        """The names of a side's living units."""
        return [name for name, unit in self.fighters.items() if name.startswith(f"{side}.") and unit.hp > 0]

    def tell(self, events: Sequence[Event]) -> Retelling:
        """Take events in."""
        for event in events:
            self.take(event)
            self.count += 1
        return self

    def take(self, event: Event) -> None:
        """Take one event in."""
        self.expect(not self.is_over, f"{event.NAME} after the outcome")
        if not isinstance(event, kinds.Round):
            self.expect(event.tick == self.tick, f"{event.NAME} of tick {event.tick}")
        if self.falling is not None and not isinstance(event, kinds.Expire | kinds.Fall):
            self.expect(False, f"{self.falling} has no HP and does not fall")
            self.falling = None
        getattr(self, f"_{event.NAME}")(event)
        for name in (getattr(event, "actor", None), getattr(event, "target", None)):
            if name is not None:
                self.check_bounds(name)

    def check_bounds(self, name: str) -> None:
        """HP within 0 and its maximum, shield not negative, charge within 0 and 100."""
        unit = self.fighters[name]
        self.expect(0 <= unit.hp <= self.most[name], f"{name} has {unit.hp} HP of {self.most[name]}")
        self.expect(unit.shield >= 0, f"{name} has a shield of {unit.shield}")
        self.expect(0 <= unit.charge <= FULL, f"{name} has a charge of {unit.charge}")

    def is_living(self, name: str | None, what: str) -> Fighter:
        """The state of a unit that must be living to do or to bear something."""
        if name is None:
            self.expect(False, f"nobody {what}")
            return Fighter(1)
        unit = self.fighters[name]
        self.expect(unit.hp > 0, f"{name} has fallen and {what}")
        return unit

    def _battle(self, event: kinds.Battle) -> None:
        self.expect(self.count == 0, "a second beginning")
        self.expect(
            (event.units_1, event.units_2) == (len(self.living(1)), len(self.living(2))), "wrong numbers of units"
        )

    def _round(self, event: kinds.Round) -> None:
        self.expect(not self.order_left(), f"the round ends before {self.order_left()} have acted")
        self.tick += 1
        self.expect(event.tick == self.tick, f"round {event.tick} after round {self.tick - 1}")
        self.expect(self.tick <= self.options["round_cap"], "a round after the cap")
        self.expect(
            (event.living_1, event.living_2) == (len(self.living(1)), len(self.living(2))), "wrong living counts"
        )
        self.order, self.keys, self.actor = [], [], ""

    def order_left(self) -> list[str]:
        """Who is living and has not acted yet in this round."""
        return [name for name in self.order if self.fighters[name].hp > 0]

    def _initiative(self, event: kinds.Initiative) -> None:
        self.is_living(event.actor, "has a place")
        self.keys.append((-event.speed, event.word, self.indices[event.actor]))
        self.order.append(event.actor)
        self.expect(event.place == len(self.order), f"place {event.place} is told as number {len(self.order)}")
        self.expect(self.keys == sorted(self.keys), f"{event.actor} stands at the wrong place")
        self.expect(len(set(self.order)) == len(self.order), f"{event.actor} has two places")

    def begin_turn(self, name: str) -> Fighter:
        """A turn of whoever is next; cooldowns fall."""
        if not self.actor:
            everybody = {*self.living(1), *self.living(2)}
            self.expect(set(self.order) == everybody, "not everybody living has a place")
        while self.order and self.fighters[self.order[0]].hp == 0:
            self.order.pop(0)
        following = self.order.pop(0) if self.order else None
        self.expect(following == name, f"{name} acts where {following} is next")
        unit = self.is_living(name, "acts")
        self.actor = name
        self.value = None
        unit.cooldown = max(0, unit.cooldown - 1)
        unit.ultimate_cooldown = max(0, unit.ultimate_cooldown - 1)
        return unit

    def _stunned(self, event: kinds.Stunned) -> None:
        unit = self.begin_turn(event.actor)
        self.expect(unit.stunned == 1, f"{event.actor} loses its turn and is not stunned")
        unit.stunned, unit.just_stunned = 0, 1

    def _choice(self, event: kinds.Choice) -> None:
        unit = self.begin_turn(event.actor)
        self.expect(unit.stunned == 0, f"{event.actor} is stunned and acts")
        unit.just_stunned = 0
        by_charge = self.options["ultimate_rule"] == "charge"
        is_ready = unit.charge == FULL if by_charge else unit.ultimate_cooldown == 0
        waiting = "not charged" if by_charge else "cooling down"
        self.expect(
            (event.ultimate == waiting) != is_ready, f"the ultimate of {event.actor} is said to be {event.ultimate}"
        )
        if event.choice == "ultimate":
            unit.charge, unit.ultimate_cooldown = 0, self.cooldowns[event.ability]
            self.expect(event.class_ability == "not considered", "the class ability was judged after the ultimate")
        else:
            is_cooling = event.class_ability == "cooling down"
            self.expect(is_cooling == (unit.cooldown > 0), f"the class ability is said to be {event.class_ability}")
        if event.choice == "class ability":
            unit.cooldown = self.cooldowns[event.ability]

    def _target(self, event: kinds.Target) -> None:
        self.expect(event.actor == self.actor, f"{event.actor} aims in the turn of {self.actor}")
        self.is_living(event.target, "is aimed at")
        self.expect(event.candidates >= 1, "chosen among nobody")
        self.expect(event.roll < event.candidates, "a roll beyond the candidates")

    def _power(self, event: kinds.Power) -> None:
        self.expect(event.actor == self.actor, f"{event.actor} has power in the turn of {self.actor}")
        self.expect(event.power == event.from_attack + event.from_defense + event.from_hp, "power is not the sum")
        self.value, self.stages_told = event.power, []

    def _roll(self, event: kinds.Roll) -> None:
        self.is_living(event.target, "is rolled for")
        self.expect(1 <= event.roll <= 100, f"a roll of {event.roll}")

    def _stage(self, event: kinds.Stage) -> None:
        self.is_living(event.target, "is struck")
        self.expect(event.before == self.value, f"{event.stage} begins with {event.before}, not {self.value}")
        self.expect(0 <= event.after <= 10**9, f"{event.stage} leaves {event.after}")
        self.value = event.after
        self.stages_told.append(event.stage)

    def _hit(self, event: kinds.Hit) -> None:
        unit = self.is_living(event.target, "is hit")
        self.expect(event.actor == self.actor, f"{event.actor} hits in the turn of {self.actor}")
        self.expect(event.damage == self.value, f"a hit of {event.damage} after {self.value}")
        self.expect(self.stages_told == self.stages, f"the chain was {self.stages_told}")
        self.expect(event.absorbed == min(event.damage, unit.shield), f"the shield took {event.absorbed}")
        self.expect(event.lost == min(event.damage - event.absorbed, unit.hp), f"{event.lost} HP were lost")
        unit.shield -= event.absorbed
        self.lose(event.target, event.lost, event.hp)

    def lose(self, name: str, lost: int, left: int) -> None:
        """A unit loses HP and may have to fall."""
        unit = self.fighters[name]
        unit.hp -= lost
        self.expect(unit.hp == left, f"{name} has {unit.hp} HP, told are {left}")
        if unit.hp <= 0:
            self.falling = name

    def _charge(self, event: kinds.Charge) -> None:
        unit = self.is_living(event.actor, "gains charge")
        self.expect(event.gained > 0, "no charge was gained")
        self.expect(self.options["ultimate_rule"] == "charge", "charge where ultimates go by cooldown")
        unit.charge += event.gained
        self.expect(unit.charge == event.charge, f"{event.actor} has a charge of {unit.charge}, told is {event.charge}")

    def _fall(self, event: kinds.Fall) -> None:
        self.expect(event.target == self.falling, f"{event.target} falls for no reason")
        self.falling = None

    def _heal(self, event: kinds.Heal) -> None:
        unit = self.is_living(event.target, "is healed")
        missing = self.most[event.target] - unit.hp
        self.expect(event.healing >= 1, f"a heal of {event.healing}")
        self.expect(event.restored == min(event.healing, missing), f"{event.restored} restored of {missing} missing")
        unit.hp += event.restored
        self.expect(unit.hp == event.hp, f"{event.target} has {unit.hp} HP, told are {event.hp}")

    def _shield(self, event: kinds.Shield) -> None:
        unit = self.is_living(event.target, "is shielded")
        self.expect((event.outcome == "applied") == (event.pool > unit.shield), f"a shield is {event.outcome}")
        if event.outcome == "applied":
            unit.shield, unit.shield_until = event.pool, event.until
        self.expect((unit.shield, unit.shield_until) == (event.shield, event.until), "another shield is told")

    def _effect(self, event: kinds.Effect) -> None:
        unit = self.is_living(event.target, f"gets {event.effect}")
        applied = event.outcome == "applied"
        if event.effect == "stun":
            free = not unit.stunned and not unit.just_stunned
            self.expect(applied == free, f"a stun is {event.outcome}")
            unit.stunned = 1 if applied else unit.stunned
        elif event.effect == "taunt":
            self.expect(applied, f"a taunt is {event.outcome}")
            unit.taunt_until = max(unit.taunt_until, event.until)
        elif event.effect == "damage_over_time":
            self.expect(applied == (event.amount >= unit.wound), f"damage over time is {event.outcome}")
            if applied:
                unit.wound, unit.wound_strikes = event.amount, event.until - self.tick + 1
                unit.wound_source = self.indices[event.actor]
        else:
            there = getattr(unit, event.effect)
            self.expect(applied == (event.amount >= there), f"{event.effect} is {event.outcome}")
            if applied:
                setattr(unit, event.effect, event.amount)
                setattr(unit, f"{event.effect}_until", event.until)

    def _suffer(self, event: kinds.Suffer) -> None:
        unit = self.is_living(event.target, "suffers")
        self.expect(not self.order_left(), "damage over time before the round's end")
        self.expect(unit.wound_strikes > 0, f"{event.target} has no strikes to come")
        self.expect(self.indices[event.actor] == unit.wound_source, f"{event.actor} is not who caused it")
        self.expect(event.damage == unit.wound, f"a strike of {event.damage}")
        self.expect(event.lost == min(unit.wound, unit.hp), f"{event.lost} HP were lost")
        unit.wound_strikes -= 1
        self.expect(event.strikes_left == unit.wound_strikes, f"{event.strikes_left} strikes are left")
        self.lose(event.target, event.lost, event.hp)

    def _expire(self, event: kinds.Expire) -> None:
        unit = self.fighters[event.target]
        if event.by_time:
            self.is_living(event.target, f"loses {event.effect}")
        if event.effect == "damage_over_time":
            self.expect(unit.wound > 0 and unit.wound_strikes == 0, "damage over time ends with strikes to come")
            unit.wound = 0
        elif event.effect == "taunt":
            self.expect(unit.taunt_until == self.tick, "a taunt ends early")
            unit.taunt_until = 0
        elif event.effect == "shield":
            due = unit.shield > 0 and unit.shield_until == self.tick if event.by_time else unit.shield == 0
            self.expect(due, "a shield ends early")
            unit.shield = unit.shield_until = 0
        else:
            due = getattr(unit, event.effect) > 0 and getattr(unit, f"{event.effect}_until") == self.tick
            self.expect(due, f"{event.effect} ends early")
            setattr(unit, event.effect, 0)

    def _outcome(self, event: kinds.Outcome) -> None:
        sums = [sum(self.fighters[name].hp for name in self.living(side)) for side in (1, 2)]
        self.expect([event.hp_1, event.hp_2] == sums, f"HP left are {sums}, told {[event.hp_1, event.hp_2]}")
        self.expect((event.reason, event.winner) == self.verdict(sums), f"{event.winner} by {event.reason}")
        self.is_over = True

    def verdict(self, sums: Sequence[int]) -> tuple[str, int]:
        """How the battle ends if it ends now."""
        standing = [bool(self.living(1)), bool(self.living(2))]
        if not any(standing):
            return "both_wiped_out", 0
        if not all(standing):
            return "wiped_out", 1 if standing[0] else 2
        if self.tick < self.options["round_cap"]:
            return "undecided", 0
        if sums[0] != sums[1]:
            return "cap_hp", 1 if sums[0] > sums[1] else 2
        return "cap_equal", 1 if self.options["cap_tie"] == "side1" else 0

    def compare(self, battle: Any) -> list[str]:
        """In what the record of the finished battle differs from the model."""
        found = [] if self.is_over else ["the events have no outcome"]
        if int(battle.tick) != self.tick:
            found.append(f"the record is in round {battle.tick}, the events in {self.tick}")
        for name, unit in self.fighters.items():
            record = battle.units[self.indices[name]]
            pairs = [(field.name, int(record[field.name]), getattr(unit, field.name)) for field in fields(Fighter)]
            found += [f"{name}.{what}: {kept}, by its events {own}" for what, kept, own in pairs if kept != own]
        return found


def told_stages(document: Document) -> list[str]:
    """The stages of the damage chain that can change a value of this battle (README, Damage)."""
    told = []
    for stage in document["options"]["chain"]["stages"]:
        attacks = {
            document["options"]["formations"][side["strategy"]["formation"]]["attack"] for side in document["sides"]
        }
        idle = {
            "formation": attacks == {100},
            "class_advantage": stage.get("strong") == stage.get("weak") == 100,
            "environment": {_damage_of(unit["class"], document) for side in document["sides"] for unit in side["units"]}
            == {100},
            "scale": stage.get("percent") == 100,
            "add": stage.get("amount") == 0,
        }
        if not idle.get(stage["stage"], False):
            told.append(stage["stage"])
    return told


def _damage_of(role: str, document: Document) -> int:
    modifier = document["modifier"] or {}
    own = modifier.get("classes", {}).get(role, {})
    return int(own.get("damage", modifier.get("damage", 100)))
