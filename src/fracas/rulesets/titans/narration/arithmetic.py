"""The formulas behind the events of a duel, with their numbers filled in."""

from __future__ import annotations

import math
from collections.abc import Iterator

from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.types import Document
from fracas.rulesets.titans.narration.labels import Duelist, duelists_of, follow
from fracas.rulesets.titans.rules import events as kinds
from fracas.rulesets.titans.rules.constants import ACTIONS, DEFEND, MAX_CHARGE, SOURCES

FROM_REST, FROM_DEFENDING, FROM_HURTING, FROM_ABILITY = SOURCES
SCALED_OPTIONS = {FROM_REST: "rest_charge", FROM_HURTING: "attack_charge"}
# The effects of an ability that need a formula, by the kind of event that they emit.
EFFECT_KINDS = {"damage": "damage", "heal": "heal", "shield": "shield", "charge": "charge", "set_charge": "charge"}


def figure(value: float) -> str:
    """A number with up to four decimals."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


class Arithmetic:
    """Explains the numbers of each event of a duel. Pass it every event, in order."""

    def __init__(self, document: Document) -> None:
        self.duelists = duelists_of(document)
        self.options = document["options"]
        self.abilities = {name: ability["effects"] for name, ability in document["abilities"].items()}
        self.effects: list[Document] = []
        self.damage = ("", 0.0)
        self.is_critical = False
        self.lost = 0
        self.tick = 0

    def lines(self, event: Event) -> list[str]:
        """The formulas of an event."""
        self.tick = event.tick
        lines = list(self._lines(event))
        follow(self.duelists, event)
        return lines

    def _lines(self, event: Event) -> Iterator[str]:
        match event:
            case kinds.Chance():
                yield self.chance(event)
            case kinds.Speed():
                unit = f" × {figure(event.roll / event.speed)}" if event.speed else ""
                yield f"{self.duelists[event.actor].title}: Speed {figure(event.speed)}{unit} = {figure(event.roll)}"
            case kinds.Act():
                self.effects = list(self.abilities.get(event.ability or "", []))
                self.damage, self.is_critical, self.lost = ("", 0.0), False, 0
            case kinds.Hit():
                yield self.hit(event)
            case kinds.Critical():
                yield self.critical(event)
            case kinds.Attack():
                yield from self.attack(event)
            case kinds.Damage():
                yield from self.struck(event)
            case kinds.Heal():
                yield from self.heal(event)
            case kinds.Shield():
                before, added = self.duelists[event.actor].shield, self.next_amount("shield", event.actor)[0]
                yield f"shield: {figure(before)} + {added} = {figure(event.shield)}"
            case kinds.Charge():
                yield from self.charge(event)
            case kinds.Change() | kinds.Expire():
                yield self.change(event)
            case kinds.Growth():
                yield f"level {event.level}: rolled {event.roll} for {event.stat}, so +{event.gained}"

    def chance(self, event: kinds.Chance) -> str:
        """A roll of a policy."""
        who = self.duelists[event.actor].player
        if event.rule >= 0:
            verdict = "used" if event.roll <= event.limit else "skipped"
            return f"{who}: rule {event.rule + 1} rolled {event.roll} against {event.limit}: {verdict}"
        return f"{who}: rolled {event.roll} of 0 to {event.limit - 1}"

    def hit(self, event: kinds.Hit) -> str:
        """A roll to hit; for an ability it belongs to the next damage effect."""
        own, other = self.duelists[event.actor], self.duelists[event.target]
        self.is_critical = False
        if own.choice == ACTIONS[-1]:
            self.damage = self.next_amount("damage", event.actor)
        raw = 0.8 + (own.now("accuracy") - other.now("evasion")) / 100
        limited = "" if abs(raw - event.chance) < 1e-9 else f", limited to {figure(event.chance)}"
        formula = (
            f"0.8 + ({figure(own.now('accuracy'))} - {figure(other.now('evasion'))}) / 100 = {figure(raw)}{limited}"
        )
        verdict = "a hit" if event.roll < event.chance else "a miss"
        return f"to hit: {formula}; rolled {figure(event.roll)}, {verdict}"

    def critical(self, event: kinds.Critical) -> str:
        """A roll for a critical hit."""
        self.is_critical = event.roll < event.chance
        if not self.options["misses"] and self.duelists[event.actor].choice == ACTIONS[-1]:
            self.damage = self.next_amount("damage", event.actor)
        verdict = "critical" if self.is_critical else "not critical"
        return f"critical below {figure(event.chance)}: rolled {figure(event.roll)}, {verdict}"

    def attack(self, event: kinds.Attack) -> Iterator[str]:
        """An attack's value and the defense against it."""
        own, other = self.duelists[event.actor], self.duelists[event.target]
        power, guard = own.now("attack"), other.now("defense")
        unit = f" × (1 + {figure(event.value / power - 1)})" if power else ""
        yield f"value: Attack {figure(power)}{unit} = {figure(event.value)}"
        if 0 < self.options["sudden_death"] <= self.tick:
            yield "defense: 0 in sudden death"
        elif other.choice == ACTIONS[DEFEND] and guard:
            share = figure((event.defense / guard - 1.5) / 0.5)
            yield f"defense: Defense {figure(guard)} × (1.5 + 0.5 × {share}) = {figure(event.defense)}"
        else:
            yield f"defense: Defense {figure(guard)}"
        damage = max(0.0, event.value - event.defense)
        self.damage = (f"{figure(event.value)} - {figure(event.defense)}", damage)
        if event.value < event.defense:
            self.damage = (f"max(0, {self.damage[0]})", damage)

    def struck(self, event: kinds.Damage) -> Iterator[str]:
        """How damage is taken from the shield, then from HP."""
        if not self.damage[0]:
            self.damage = self.next_amount("damage", event.actor)
        text, damage = self.damage
        if self.is_critical:
            text, damage = f"{text} × 1.5" if " " not in text else f"({text}) × 1.5", damage * 1.5
        yield f"damage: {text}" if text == figure(damage) else f"damage: {text} = {figure(damage)}"
        if self.duelists[event.target].shield:
            shield = self.duelists[event.target].shield
            left_over = figure(shield - event.absorbed)
            yield f"shield: absorbs {figure(event.absorbed)} of {figure(damage)}, leaves {left_over}"
        left = max(0.0, event.before - (damage - event.absorbed))
        formula = f"{event.before} - ({figure(damage)} - {figure(event.absorbed)})"
        formula = f"{event.before} - {figure(damage)}" if not event.absorbed else formula
        least = f"max(0, {formula})" if damage - event.absorbed > event.before else formula
        rounded = "" if left == event.hp else f", rounded to {event.hp}"
        yield f"HP: {least} = {figure(left)}{rounded}"
        self.lost += event.before - event.hp
        self.damage, self.is_critical = ("", 0.0), False

    def heal(self, event: kinds.Heal) -> Iterator[str]:
        """A heal, rounded and limited to full HP."""
        text, amount = self.next_amount("heal", event.actor)
        if 0 < self.options["sudden_death"] <= self.tick:
            text, amount = "0 in sudden death", 0.0
        yield f"heal: {text}"
        full = self.duelists[event.actor].max_hp
        total = event.before + amount
        held = f", at most {full}" if total > full else "" if total == event.hp else f", rounded to {event.hp}"
        yield f"HP: {event.before} + {figure(amount)} = {figure(total)}{held}"

    def charge(self, event: kinds.Charge) -> Iterator[str]:
        """A change of charge, scaled where Stamina counts, limited to 0 to 100."""
        own = self.duelists[event.target]
        if event.source in SCALED_OPTIONS:
            amount, scales = self.options[SCALED_OPTIONS[event.source]], True
        elif event.source == FROM_DEFENDING:
            amount, scales = self.options["defend_charge"], False
        else:
            effect = self.next_effect("charge")
            amount, scales = effect["amount"], event.actor == event.target and effect["type"] == "charge"
            if effect["type"] == "set_charge":
                yield f"charge: set to {amount}"
                return
        if self.options["stamina_charges"] and scales and amount > 0:
            stamina = own.now("stamina")
            exact = amount * (1 + stamina / 100)
            gain = math.floor(exact + 0.5)
            rounded = "" if exact == gain else f", rounded to {gain}"
            yield f"gain: {amount} × (1 + Stamina {figure(stamina)} / 100) = {figure(exact)}{rounded}"
            amount = gain
        limited = ", limited to 0 to 100" if not 0 <= event.before + amount <= MAX_CHARGE else ""
        yield f"charge: {event.before} {'+' if amount >= 0 else '-'} {abs(amount)} = {event.before + amount}{limited}"

    def change(self, event: kinds.Change | kinds.Expire) -> str:
        """A stat after one of its changes started or ended."""
        own = self.duelists[event.target]
        sum_now = max(event.total, -90)
        stat = own.stats[event.stat]
        limited = "" if sum_now == event.total else f", limited to {sum_now}"
        return (
            f"{own.title}: {event.stat} {stat} × (100 {'+' if sum_now >= 0 else '-'} {abs(sum_now)}) / 100 = "
            f"{figure(stat * (100 + sum_now) / 100)}{f' (sum {event.total}{limited})' if limited else ''}"
        )

    def next_effect(self, kind: str) -> Document:
        """Take the next effect of a kind from the ability in use."""
        place = next(place for place, effect in enumerate(self.effects) if EFFECT_KINDS.get(effect["type"]) == kind)
        return self.effects.pop(place)

    def next_amount(self, kind: str, actor: str) -> tuple[str, float]:
        """The amount of the next effect of a kind, as a formula and as a number."""
        effect = self.next_effect(kind)
        own: Duelist = self.duelists[actor]
        if effect.get("stat") is not None:
            stat = own.now(effect["stat"])
            amount = effect["times"] * stat
            return f"{effect['times']:g} × {effect['stat'].title()} {figure(stat)}", amount
        if effect.get("dealt") is not None:
            return f"{effect['dealt']}% of {self.lost} HP dealt", self.lost * effect["dealt"] / 100
        return f"{effect['amount']}", float(effect["amount"])
