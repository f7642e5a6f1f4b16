"""Scenarios of relics as wild as its rule book allows, to compare the engine with the oracle where content never goes.

They bring everything of their own, so no change of the content changes them, and stay small enough to be played by
the oracle: what is rare in a sensible battle (effects that answer each other down to the last guard, thresholds
crossed in the midst of a strike, bosses that rise while they are being struck) is common here.
"""

from __future__ import annotations

import random
from typing import Any

Document = dict[str, Any]

STATS = ("attack", "armor", "speed", "health")
STATUSES = ("freeze", "thorns", "poison", "acid", "riptide", "stun", "regen")
# Three that the scenarios declare themselves; every fourth status or so is one of them.
OWN = ("bloom", "dread", "hex")
ALL = (*STATUSES, *STATUSES, *OWN, *OWN)
QUANTITIES = ("hp", "armor", "attack", "speed", *STATUSES, *OWN)
TAGS = ("blade", "gem", "fire", "clockwork")
TIERS = ("normal", "normal", "normal", "golden", "diamond")
TARGETS = ("self", "enemy", "both", "random")
MOMENTS = ("now", "next_turn", "every_turn")
SIGNS = ("<", "<=", ">", ">=", "==", "!=")

STEPS = ("pre", "battle_start", "first_turn", "turn_start", "turn_end", "every_other_turn", "on_hit", "on_struck")
COUNTING = ("every_n_turns", "countdown", "every_n_strikes")
OF_STATUS = ("status_gained", "enemy_status_gained", "status_lost", "status_ticked")
ANSWERS: tuple[str, ...] = (
    "on_damaged",
    "hp_lost",
    "armor_lost",
    "armor_gained",
    "speed_gained",
    "on_heal",
    "on_overheal",
)
ANSWERS += ("speed_lost", "attack_gained", "damage_outside_strikes")
ANSWERS += ("thorns_gained", "strike_skipped", "exposed", "wounded", "enemy_exposed", "enemy_wounded", "on_kill")
TRIGGERS = STEPS + COUNTING + OF_STATUS + ANSWERS

PLAIN: tuple[str, ...] = (
    "gain_armor",
    "gain_thorns",
    "gain_freeze",
    "gain_speed",
    "gain_atk",
    "enemy_hp_minus",
    "self_hp_plus",
)
PLAIN += ("if_have_armor_heal", "if_wounded_heal", "count", "set_counter")
ON_HIT = ("onhit_extra_damage", "onhit_remove_enemy_armor", "onhit_gain_armor", "onhit_gain_thorns")
AIMED = ("temporary_attack", "heal", "deal", "pierce", "lose_hp", "execute", "hasten", "delay")
OF_STAT = ("gain", "lose", "set", "double", "halve", "restore", "steal")
OTHERS = ("heal_full", "give", "remove", "move", "convert", "spend", "extra_strikes", "retrigger", "reset_countdowns")
OPS = (*PLAIN, *AIMED, *OF_STAT, *OTHERS, "enemy_hp_to_enemy_armor_pct")
TAKING = ("lose", "steal", "remove", "move", "convert", "spend")
UNCOUNTED = ("set", "execute", "set_counter")

FLAT = ("attack", "damage_dealt", "damage_taken", "healing", "armor_gained", "strikes", "on_hit_runs")
PERCENT = ("attack_pct", "damage_dealt_pct", "damage_taken_pct", "healing_pct")
LIMITED: dict[str, tuple[str, ...]] = dict.fromkeys(("damage_dealt", "damage_dealt_pct"), ("strike", "pieces"))
LIMITED |= dict.fromkeys(("damage_taken", "damage_taken_pct"), ("strike", "pieces", "thorns", "poison", "riptide"))
LIMITED |= dict.fromkeys(("healing", "healing_pct"), ("pieces", "regen"))
BARE = ("thorns_kept", "ignores_armor", "cannot_attack")

FACTS: tuple[str, ...] = (
    "hp",
    "hp_max",
    "attack",
    "temp_attack",
    "armor",
    "speed",
    *STATUSES,
    *OWN,
    "hp_missing",
    "base_attack",
)
FACTS += ("base_armor", "base_speed", "items", "empty_slots", "phase", "strikes_made", "own_turn")
GLOBAL = ("turn", "strike", "payload", "counter", *(f"tags.{tag}" for tag in TAGS))
NAMES: tuple[str, ...] = (
    "have_armor",
    "no_armor",
    "enemy_has_armor",
    "enemy_no_armor",
    "wounded",
    "enemy_wounded",
    "full_hp",
)
NAMES += ("enemy_full_hp", "faster", "slower", "even_turn", "odd_turn", "first_strike", "always", "first_turn")
NAMES += ("is_own_turn", "self.struck", "enemy.struck", "self.was_exposed", "enemy.was_wounded", "self_has_thorns")
NAMES += ("enemy_lacks_poison", "self_hp_below_70", "enemy_hp_below_40", "turn_gte_4", "payload_gte_3")
NAMES += ("enemy.was_exposed", "self.was_wounded", "enemy.faster", "self_lacks_stun", "enemy_has_freeze")
NAMES += ("self_has_dread", "enemy_has_hex", "self_lacks_bloom")

OPTIONS: dict[str, tuple[Any, ...]] = {
    "tie_breaker": ("left_first", "right_first", "random"),
    "allow_pre_phase": (True, True, False),
    "freeze_side": ("defender", "attacker"),
    "freeze_decay": ("every_turn", "own_turn"),
    "thorns_clear": ("struck", "fired"),
    "death_check": ("steps", "at_once"),
    "corroded_bone_receiver": ("enemy", "owner"),
    "onhit_order": ("removes_first", "damage_first", "slots"),
    "onhit_damage_route": ("hp", "armor"),
    "hp_minus_route": ("hp", "armor"),
    "riptide_route": ("hp", "armor"),
    "cadence_parity": ("even", "odd"),
    "fatigue_start": (0, 3, 9, 40),
    "turn_cap": (6, 10, 16, 24),
}


class Maker:
    """Makes one scenario from a number."""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.number = number

    def scenario(self) -> Document:
        """Make two fighters and the rules between them."""
        document: Document = {"ruleset": "relics", "id": "wild", "seed": f"seed {self.random.random()}"}
        document["options"] = {name: self.random.choice(values) for name, values in OPTIONS.items()}
        # Something has to have a tag of one's own that is counted.
        document["items"] = {"cog": {"tags": ["clockwork"]}}
        document["statuses"] = {name: self.status(name) for name in OWN}
        return document | {side: self.fighter() for side in ("left", "right")}

    def sometimes(self, share: float, /, **values: Any) -> Document:
        """Give these values, or none of them."""
        return values if self.random.random() < share else {}

    def fighter(self) -> Document:
        """Make a fighter in a build of its own."""
        draw = self.random
        fighter: Document = {"tier": draw.choice(TIERS)} | (self.body(2) if draw.random() < 0.4 else {})
        if draw.random() < 0.25:
            fighter["state"] = self.state()
        else:
            fighter["stats"] = self.stats(draw.choice((6, 30, 60, 300)))
        fighter |= self.sometimes(0.7, weapon=self.piece("weapon", "weapons"))
        for place, bucket, most in (("upgrades", "upgrades", 2), ("items", "items", 5), ("food", "food", 2)):
            fighter[place] = [self.piece(f"{place}-{each}", bucket) for each in range(draw.randint(0, most))]
        if draw.random() < 0.3:
            fighter["sets"] = [{"id": f"own-set-{each}", "name": "Own", **self.body(2)} for each in range(2)]
        if draw.random() < 0.4:
            phases = range(draw.randint(1, 3))
            fighter["phases"] = [{"name": "Risen", "stats": self.stats(40), **self.body(2)} for _ in phases]
        return fighter

    def stats(self, health: int) -> Document:
        """Make a fighter's stats."""
        draw = self.random
        stats = {
            "health": draw.randint(health // 4 + 1, health),
            "attack": draw.randint(-1, 6),
            "armor": draw.choice((0, 0, 3, 9)),
        }
        return stats | {"speed": draw.randint(-1, 2)}

    def state(self) -> Document:
        """Make a fighter as it stands in the midst of something."""
        draw = self.random
        most = draw.randint(5, 200)
        state: Document = {"hp": draw.randint(1, most), "hp_max": most, "atk": draw.randint(-2, 6)}
        state |= {"armor": draw.choice((0, 2, 8)), "speed": draw.randint(0, 2), "temp_atk": draw.randint(-1, 2)}
        state |= {name: draw.randint(1, 5) for name in STATUSES if draw.random() < 0.4}
        state |= self.sometimes(0.4, statuses={name: draw.randint(1, 5) for name in draw.sample(OWN, 2)})
        flags = ("struck_this_turn", "exposed_triggered", "wounded_triggered")
        return state | {name: True for name in flags if draw.random() < 0.3}

    def piece(self, name: str, bucket: str) -> Document:
        """Make something to wear."""
        draw = self.random
        piece: Document = {"id": name, "bucket": bucket, "tier": draw.choice(TIERS)} | self.body(3)
        piece["stats"] = {stat: draw.randint(-(stat != "health"), 3) for stat in STATS if draw.random() < 0.2}
        return piece | {"tags": draw.sample(TAGS, draw.randint(0, 2))}

    def body(self, most: int) -> Document:
        """Make triggers, flags and modifiers."""
        draw = self.random
        names = draw.choices(STEPS, k=1) + draw.choices(TRIGGERS, k=draw.randint(0, most))
        triggers = {name: [self.entry(name) for _ in range(draw.choice((1, 1, 2, 3)))] for name in names}
        body: Document = {"triggers": triggers}
        if draw.random() < 0.25:
            body["modifiers"] = [self.modifier() for _ in range(draw.randint(1, 2))]
        flag = draw.choice(("on_damaged_deal_damage", "on_damaged_gain_thorns"))
        return body | self.sometimes(0.12, flags=[flag, draw.randint(0, 3)])

    def status(self, name: str) -> Document:
        """Make a status that may wear off, and may answer its own end."""
        body = self.body(2)
        wears_off: Document = {"do": [{"op": "remove", "status": name, "amount": 1, "target": "self"}]}
        answers: Document = {"of": name, "do": [self.op("status_lost")]}
        for trigger, effect in (("turn_end", wears_off), ("status_lost", answers)):
            if self.random.random() < 0.6:
                body["triggers"].setdefault(trigger, []).append(effect)
        return body

    def entry(self, trigger: str) -> Any:
        """Make an op or an effect."""
        draw = self.random
        if trigger not in COUNTING and draw.random() < 0.4:
            return self.op(trigger)
        effect: Document = {"do": [self.op(trigger) for _ in range(draw.choice((1, 1, 2, 3)))]}
        if trigger in COUNTING:
            effect["n"] = draw.choice((1, 2, 2, 3, 5))
        if trigger in OF_STATUS:
            effect |= self.sometimes(0.3, of=draw.choice(ALL))
        effect |= self.sometimes(0.15, **{"if": self.condition()}) | self.sometimes(0.1, chance=self.chance())
        return effect | self.sometimes(0.1, per_turn=draw.randint(1, 2)) | self.sometimes(0.1, per_battle=3)

    def chance(self) -> int:
        """Choose a chance."""
        return self.random.choice((0, 1, 50, 50, 80, 99, 100))

    def op(self, trigger: str) -> Document:
        """Make an op."""
        draw = self.random
        name = draw.choice(OPS + ON_HIT * 3 if trigger == "on_hit" else OPS)
        op: Document = {"op": name, **self.arguments(name)}
        op |= self.sometimes(0.08, **{"if": self.condition()}) | self.sometimes(0.06, chance=self.chance())
        return op | self.sometimes(0.08, repeat=draw.choice((1, 2, 3)))

    def arguments(self, name: str) -> Document:
        """Choose what an op is told."""
        draw = self.random
        aim = self.sometimes(0.6, target=draw.choice(TARGETS))
        status = {"status": draw.choice((*ALL, "random", "random", "each"))}
        match name:
            case "onhit_remove_enemy_armor":
                return {}
            case "double" | "halve" | "restore":
                return aim | {"stat": draw.choice(STATS)}
            case "steal":
                return {"stat": draw.choice(STATS), "amount": self.amount(name)}
            case "gain" | "lose" | "set":
                return aim | {"stat": draw.choice(STATS), "amount": self.amount(name)}
            case "heal_full" | "reset_countdowns":
                return aim
            case "give" | "remove":
                return status | {"amount": self.amount(name), "target": draw.choice(TARGETS)}
            case "move":
                return status | {"amount": self.amount(name)} | self.sometimes(0.7, to=draw.choice(("self", "enemy")))
            case "convert":
                lost = draw.choice((*QUANTITIES, "random", "random", "hp"))
                return aim | {"from": lost, "to": draw.choice(QUANTITIES), "amount": self.amount(name)}
            case "spend":
                return {"what": draw.choice(QUANTITIES), "amount": self.amount(name)}
            case "extra_strikes":
                return aim | {"amount": self.amount(name)} | self.sometimes(0.8, when=draw.choice(MOMENTS))
            case "retrigger":
                which = self.sometimes(0.8, which=draw.choice(("all", "random", "left", "right")))
                return which | {"trigger": draw.choice(TRIGGERS)} | self.sometimes(0.2, tag=draw.choice(TAGS))
            case "enemy_hp_to_enemy_armor_pct":
                return {"percent": draw.choice((0, 10, 50, 100))}
        return {"amount": self.amount(name)} | (aim if name in AIMED else {})

    def amount(self, name: str) -> Any:
        """Choose an amount that an op can have."""
        draw = self.random
        if name in TAKING and draw.random() < 0.25:
            return "all"
        if name not in UNCOUNTED and draw.random() < 0.2:
            return self.counted()
        return (
            draw.choice((0, 0, 4, 5, 8))
            if draw.random() < 0.15
            else draw.choice((1, 1, 2, 3, 9999 if draw.random() < 0.05 else 2))
        )

    def counted(self) -> Document:
        """Make a counted amount."""
        draw = self.random
        amount: Document = {"of": self.fact()}
        return amount | self.sometimes(0.5, times=draw.choice((-2, -1, 2, 50)), per=draw.choice((1, 2, 3, 100)))

    def fact(self) -> str:
        """Choose a fact that is a number."""
        draw = self.random
        return draw.choice((f"self.{draw.choice(FACTS)}", f"enemy.{draw.choice(FACTS)}", draw.choice(GLOBAL)))

    def modifier(self) -> Document:
        """Make a modifier."""
        draw = self.random
        bonus: Any = draw.choice((-2, -1, 1, 2, 3)) if draw.random() < 0.7 else self.counted()
        kind = draw.choice(("flat", "flat", "percent", "status", "bare"))
        modifier: Document = {"modifier": draw.choice(BARE)}
        match kind:
            case "flat":
                modifier = {"modifier": draw.choice(FLAT), "amount": bonus}
            case "percent":
                modifier = {"modifier": draw.choice(PERCENT), "percent": draw.choice((-100, -60, -10, 33, 50, 300))}
            case "status" if draw.random() < 0.5:
                modifier = {"modifier": "stacks_given", "status": draw.choice(ALL), "amount": bonus}
            case "status":
                modifier = {"modifier": "immune", "status": draw.choice(ALL)}
        name = modifier["modifier"]
        if name in LIMITED or name in ("armor_gained", "stacks_given"):
            modifier |= self.sometimes(0.3, tag=draw.choice(TAGS))
        if name in LIMITED:
            modifier |= self.sometimes(0.3, source=draw.choice(LIMITED[name]))
        return modifier | self.sometimes(0.4, **{"if": self.condition()})

    def condition(self) -> Any:
        """Make a condition."""
        draw = self.random
        match draw.randrange(5):
            case 0:
                return {draw.choice(("all", "any")): [self.term(), {"not": self.term()}]}
            case 1:
                return f"{self.term()} {draw.choice(('and', 'or'))} not {self.term()}"
        return self.term()

    def term(self) -> str:
        """Make one part of a condition."""
        draw = self.random
        if draw.random() < 0.5:
            return draw.choice(NAMES)
        if draw.random() < 0.1:
            whose, other = draw.choice((("self", "enemy"), ("enemy", "self")))
            bound = draw.choice((33, 50, 100, f"{other}.hp_pct"))
            return f"{whose}.hp_pct {draw.choice(SIGNS)} {bound}"
        fact, other = self.fact(), self.fact()
        if fact != other and draw.random() < 0.3:
            return f"{fact} {draw.choice(SIGNS)} {other}"
        least = -2 if fact.endswith(("attack", "speed", ".hp")) else 0
        return f"{fact} {draw.choice(SIGNS)} {draw.randint(least, 6)}"


def scenario(number: int) -> Document:
    """Make the scenario of a number."""
    return Maker(number).scenario()
