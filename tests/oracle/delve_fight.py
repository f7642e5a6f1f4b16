"""The fights of delve, written from its rule book alone; `tests/oracle/delve.py` says what for, and plays the rest.

Everything follows `src/fracas/rulesets/delve/README.md` sentence by sentence, in plain and slow Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.oracle import language
from tests.oracle.dice import Dice

Document = dict[str, Any]


def codes(names: str, first: int = 0) -> dict[str, int]:
    """Number names in the order in which the rule book lists them."""
    return {name: number for number, name in enumerate(names.split(), first)}


KIND = codes("start encounter ready initiative round turn_order stunned phase passed_over use pass target odds", 1)
KIND |= codes("attack amount damage hit heal condition condition_tick expire fall rout regain flee option", 14)
KIND |= codes("choice check harm restore consequence ambush encounter_end reward loot_roll item origin bonus", 27)
KIND |= codes("spoils outcome", 39)
OBSTACLE = codes("none does_not_hold cannot_pay cooling_down nobody_hurt no_target")
SELECTOR = codes("lowest_hp highest_hp highest_threat lowest_hp_pct random")
VERDICT = codes("miss hit critical fumble")
CONDITION = codes("poisoned bleeding burning stunned blinded slowed weakened shielded regenerating empowered hasted")
EFFECT = codes("applied refreshed already_stunned just_lost")

WOUNDS = ("poisoned", "bleeding", "burning")
LARGEST = 10**9


def clamp(value: int, low: int, high: int) -> int:
    """Keep a value between two ends."""
    return max(low, min(value, high))


@dataclass
class Affliction:
    """A condition that a participant has."""

    name: str
    rounds: int
    potency: int
    source: Participant


class Participant:
    """Somebody in a fight: first what was given, then what changes."""

    def __init__(
        self, slot: int, number: int, data: Document, hp_percent: int = 100, damage_percent: int = 100
    ) -> None:
        self.slot, self.number, self.damage_percent = slot, number, damage_percent
        self.level: int = data["level"]
        self.max_hp: int = max(1, data["hp"] * hp_percent // 100)
        self.attributes: dict[str, int] = dict(data["attributes"])
        self.training: dict[str, int] = data.get("training") or {}
        self.defenses: dict[str, int] = {name: data[name] for name in ("armor", "resistance", "evasion")}
        self.weapon_speed: int = data["weapon_speed"]
        self.weapon: Document = data["weapon"]
        self.queue: list[Document] = data["queue"]
        self.boss = bool(data.get("boss"))
        self.phases: list[Document] = data.get("phases") or []
        kind: Document = data.get("resource") or {"max": 0}
        self.max_resource: int = kind["max"]
        self.regeneration: int = kind.get("regeneration") or 0
        start = kind.get("start")
        self.hp: int = self.max_hp
        self.resource: int = self.max_resource * (100 if start is None else start) // 100
        self.next_phase = 0
        self.initiative = 0
        self.refresh()

    def refresh(self) -> None:
        """Forget what does not outlast a fight."""
        self.afflictions: list[Affliction] = []
        self.guarded = False
        self.cooldowns: dict[str, int] = {}
        self.uses: dict[str, int] = {}

    @property
    def living(self) -> bool:
        """Tell whether there are HP left."""
        return self.hp > 0

    def speed(self) -> int:
        """Give the speed of now."""
        return self.attributes["speed"]

    def has(self, name: str) -> Affliction | None:
        """Find a condition."""
        return next((affliction for affliction in self.afflictions if affliction.name == name), None)

    def lose_hp(self, amount: int) -> int:
        """Lose as many HP as there are; how many that is."""
        lost = min(amount, self.hp)
        self.hp -= lost
        return lost

    def gain_hp(self, amount: int) -> int:
        """Gain as many HP as are missing; how many that is."""
        gained = min(amount, self.max_hp - self.hp)
        self.hp += gained
        return gained

    def gain_resource(self, amount: int) -> int:
        """Gain as much of the resource as is missing; how much that is."""
        gained = min(amount, self.max_resource - self.resource)
        self.resource += gained
        return gained

    def number_of(self, fact: str) -> language.Number:
        """Answer a fact that is compared."""
        match fact:
            case "hp_pct":
                return Fraction(100 * self.hp, self.max_hp)
            case "resource":
                return self.resource
            case "resource_pct":
                return Fraction(100 * self.resource, self.max_resource or 1)
        raise ValueError(f"no such fact: {fact}")


def alive(participants: Iterable[Participant]) -> list[Participant]:
    """List the living in slot order."""
    return [one for one in participants if one.living]


class Journal:
    """What a battle writes down, and where its dice come from."""

    def __init__(self, key: bytes, stream: int) -> None:
        self.key, self.stream, self.tick = key, stream, 0
        self.rows: list[list[int]] = []
        self.opened: set[tuple[int, int]] = set()

    def dice(self, lane: int) -> Dice:
        """Open the address of a lane at the tick of now; nothing opens it a second time."""
        if (self.tick, lane) in self.opened:
            raise ValueError(f"opened twice: tick {self.tick:#x}, lane {lane:#x}")
        self.opened.add((self.tick, lane))
        return Dice(self.key, self.stream, self.tick, lane)

    def row(
        self, kind: str, actor: Participant | None = None, target: Participant | None = None, *columns: int
    ) -> None:
        """Write what has happened."""
        who = [-1 if one is None else one.number for one in (actor, target)]
        self.rows.append([self.tick, KIND[kind], *who, *columns, *[0] * (4 - len(columns))])


NAMES = {
    "self_hp_below_N": "self.hp_pct < N",
    "self_hp_above_N": "self.hp_pct > N",
    "ally_hp_below_N": "allies.any(hp_pct < N)",
    "ally_hp_above_N": "allies.any(hp_pct > N)",
    "enemy_hp_below_N": "enemies.any(hp_pct < N)",
    "enemy_hp_above_N": "enemies.any(hp_pct > N)",
    "resource_gte_N": "self.resource >= N",
    "enemy_count_gte_N": "enemies.count >= N",
    "ally_count_lte_N": "allies.count <= N",
    "round_gte_N": "round >= N",
    "once": "used == 0",
    "self_has_X": "self.X",
    "ally_has_X": "allies.any(X)",
    "enemy_has_X": "enemies.any(X)",
    "self_lacks_X": "not self.X",
}


class Asked:
    """A participant as conditions ask about it."""

    def __init__(self, one: Participant) -> None:
        self.one = one

    def number(self, name: str) -> language.Number:
        """Answer a fact that is compared."""
        return self.one.number_of(name)

    def status(self, name: str) -> bool:
        """Answer whether it has a condition."""
        if name not in CONDITION:
            raise ValueError(f"no such condition: {name}")
        return self.one.has(name) is not None


class Situation(language.Situation):
    """What a participant sees while it reads a slot of its queue."""

    def __init__(self, fight: Fight, one: Participant, used: int) -> None:
        self.round, self.used, self.myself = fight.round, used, Asked(one)
        self.boss_present = any(enemy.boss for enemy in alive(fight.enemies))
        sides = {"allies": fight.allies(one), "enemies": fight.foes(one)}
        self.groups = {name: [Asked(each) for each in side] for name, side in sides.items()}

    def number(self, fact: str) -> language.Number:
        """Look up a fact that is compared."""
        match fact.split("."):
            case ["round"]:
                return self.round
            case ["used"]:
                return self.used
            case ["self", name]:
                return self.myself.number(name)
            case [group, "count"]:
                return len(self.groups[group])
        raise ValueError(f"no such fact: {fact}")

    def flag(self, fact: str) -> bool | None:
        """Look up a fact that stands alone."""
        match fact.split("."):
            case ["boss_present"]:
                return self.boss_present
            case ["self", name]:
                return self.myself.status(name)
        return None

    def named(self, name: str) -> str | bool | None:
        """Say what a name means; one of them is beyond the language."""
        every = re.fullmatch("every_([0-9]+)_rounds", name)
        if every is not None:
            return int(every[1]) > 0 and self.round % int(every[1]) == 0
        return language.filled_in(name, NAMES, {"N": "[0-9]+", "X": "|".join(CONDITION)})


class Fight:
    """One fight, from its set-up to its end."""

    def __init__(
        self, journal: Journal, base: int, party: list[Participant], enemies: list[Participant], document: Document
    ) -> None:
        self.journal, self.base, self.party, self.enemies = journal, base, party, enemies
        self.options: Document = document["options"]
        self.skills: Document = document["skills"]
        ours = {slot["skill"] for member in document["party"] for slot in member["queue"]}
        in_order = [*sorted(ours), *sorted(self.skills.keys() - ours)]
        self.skill_numbers = {name: number for number, name in enumerate(in_order)}
        self.round = 0
        self.quiet, self.quiet_rounds = True, 0

    def everybody(self) -> list[Participant]:
        """List the living of both sides in slot order."""
        return alive(self.party + self.enemies)

    def allies(self, one: Participant) -> list[Participant]:
        """List the living of somebody's own side."""
        return alive(self.party if one in self.party else self.enemies)

    def foes(self, one: Participant) -> list[Participant]:
        """List the living of the other side."""
        return alive(self.enemies if one in self.party else self.party)

    def play(self) -> str:
        """Fight until it is over; how it ended."""
        self.set_up()
        outcome = None
        while outcome is None:
            outcome = self.play_round()
        return outcome

    def set_up(self) -> None:
        """Let everybody stand ready, and roll initiative."""
        journal = self.journal
        journal.tick = self.base
        for member in alive(self.party):
            member.refresh()
        for one in self.everybody():
            journal.row("ready", one, None, one.hp, one.max_hp, one.resource, one.max_resource)
        for one in self.everybody():
            roll = journal.dice(one.slot).d100()
            one.initiative = roll + one.weapon_speed - one.speed()
            journal.row("initiative", one, None, roll, one.weapon_speed, one.speed(), one.initiative)

    def play_round(self) -> str | None:
        """Settle the order, let everybody act, end the round; how the fight ended, if it did."""
        self.round += 1
        self.journal.tick = self.base + self.round
        self.quiet = True
        self.journal.row("round", None, None, self.round, len(alive(self.party)), len(alive(self.enemies)))
        order = self.settle_order()
        for place, one in enumerate(order, 1):
            if one.living:
                self.turn(one)
                fallen = [side for side, those in enumerate((self.party, self.enemies), 1) if not alive(those)]
                if fallen:
                    self.journal.row("rout", None, None, fallen[0], len(alive(order[place:])))
                    break
        self.ticks()
        for one in self.everybody():
            gained = one.gain_resource(one.regeneration)
            if gained > 0:
                self.journal.row("regain", one, None, gained, one.resource)
        for one in self.everybody():
            one.cooldowns = {skill: rounds - 1 for skill, rounds in one.cooldowns.items() if rounds > 1}
        return self.end_test()

    def settle_order(self) -> list[Participant]:
        """Order the living by effective initiative, then the faster, then by slot."""
        changes = {one: 50 * bool(one.has("slowed")) - 25 * bool(one.has("hasted")) for one in self.everybody()}
        order = sorted(changes, key=lambda one: (one.initiative + changes[one], -one.speed(), one.slot))
        for place, one in enumerate(order, 1):
            figures = (one.initiative, changes[one], one.initiative + changes[one])
            self.journal.row("turn_order", one, None, place, *figures)
        return order

    def turn(self, one: Participant) -> None:
        """Let somebody act, or lose the action to a stun."""
        stun = one.has("stunned")
        one.guarded = stun is not None
        if stun is not None:
            one.afflictions.remove(stun)
            return self.journal.row("stunned", one)
        self.enter_phases(one)
        for place, slot in enumerate(one.queue):
            name = slot["skill"]
            obstacle, figure = self.obstacle(one, slot, self.skills[name])
            if obstacle == "none":
                return self.use(one, place, slot)
            numbers = (place, self.skill_numbers[name], OBSTACLE[obstacle], figure)
            self.journal.row("passed_over", one, None, *numbers)
        return self.journal.row("pass", one, None, len(one.queue))

    def enter_phases(self, one: Participant) -> None:
        """Let a boss enter every phase that its HP have come down to."""
        while one.next_phase < len(one.phases) and 100 * one.hp <= one.phases[one.next_phase]["at"] * one.max_hp:
            phase = {key: value for key, value in one.phases[one.next_phase].items() if value is not None}
            one.queue = phase.get("queue", one.queue)
            one.regeneration = phase.get("regeneration", one.regeneration)
            one.defenses |= {name: phase[name] for name in one.defenses if name in phase}
            changed: Document = phase.get("attributes") or {}
            one.attributes |= {name: value for name, value in changed.items() if value is not None}
            self.journal.row("phase", one, None, one.next_phase, phase["at"], one.hp, one.max_hp)
            one.next_phase += 1

    def obstacle(self, one: Participant, slot: Document, skill: Document) -> tuple[str, int]:
        """Find what keeps a slot from being used, and the figure that goes with it."""
        when = slot.get("when")
        given = when is not None and when != "" and not (isinstance(when, str) and when.isspace())
        if given and not Situation(self, one, one.uses.get(slot["skill"], 0)).holds(when):
            return "does_not_hold", 0
        if one.resource < (skill.get("cost") or 0):
            return "cannot_pay", one.resource
        if one.cooldowns.get(slot["skill"], 0) > 0:
            return "cooling_down", one.cooldowns[slot["skill"]]
        if not self.reached(one, skill):
            return "nobody_hurt" if pure_heal(skill) else "no_target", 0
        return "none", 0

    def reached(self, one: Participant, skill: Document) -> list[Participant]:
        """List those whom a skill reaches, in slot order."""
        match skill["reach"]:
            case "one_enemy" | "all_enemies":
                return self.foes(one)
            case "self":
                reached = [one]
            case _:
                reached = self.allies(one)
        return [each for each in reached if not pure_heal(skill) or each.hp < each.max_hp]

    def use(self, one: Participant, place: int, slot: Document) -> None:
        """Pay for a skill and carry it out."""
        name, skill = slot["skill"], self.skills[slot["skill"]]
        cost: int = skill.get("cost") or 0
        one.resource -= cost
        one.uses[name] = one.uses.get(name, 0) + 1
        one.cooldowns[name] = skill.get("cooldown") or 0
        self.journal.row("use", one, None, place, self.skill_numbers[name], cost, one.resource)
        dice = self.journal.dice(one.slot)
        targets = self.reached(one, skill)
        if skill["reach"] in ("one_enemy", "one_ally"):
            targets = [self.aim(one, targets, slot.get("target") or "lowest_hp", dice)]
        harmful = skill["reach"] in ("one_enemy", "all_enemies")
        for target in targets:
            reached = self.attack(one, target, skill, dice) if harmful else self.help(one, target, skill, dice)
            for condition in skill.get("conditions") or [] if reached and target.living else []:
                self.apply(one, target, condition)
        if dice.drawn:
            self.quiet = False

    def aim(self, one: Participant, candidates: list[Participant], selector: str, dice: Dice) -> Participant:
        """Choose one of those whom a skill could be aimed at; the first of equals."""
        roll = -1
        match selector:
            case "lowest_hp":
                target = min(candidates, key=lambda each: each.hp)
            case "highest_hp":
                target = max(candidates, key=lambda each: each.hp)
            case "highest_threat":
                target = max(candidates, key=lambda each: each.level)
            case "lowest_hp_pct":
                target = min(candidates, key=lambda each: each.number_of("hp_pct"))
            case "random":
                roll = dice.below(len(candidates))
                target = candidates[roll]
            case _:
                raise ValueError(f"no such selector: {selector}")
        self.journal.row("target", one, target, SELECTOR[selector], len(candidates), roll)
        return target

    def attack(self, one: Participant, target: Participant, skill: Document, dice: Dice) -> bool:
        """Roll to hit, and do the damage that a hit does; whether it was a hit."""
        own, other = one.attributes[skill["attack"]], target.attributes[skill["defense"]]
        modifier: int = skill.get("modifier") or 0
        penalty = target.defenses["evasion"] + (30 if one.has("blinded") else 0)
        chance = clamp(50 + own - other + modifier - penalty, 5, 95)
        luck = one.attributes["luck"] // 20
        roll = dice.d100()
        if roll <= min(20, 5 + luck):
            verdict = "critical"
        elif roll >= min(100, 96 + luck):
            verdict = "fumble"
        else:
            verdict = "hit" if roll <= chance else "miss"
        self.journal.row("odds", one, target, own, other, modifier, penalty)
        self.journal.row("attack", one, target, roll, chance, min(20, 5 + luck), VERDICT[verdict])
        hit = verdict in ("hit", "critical")
        if hit and (skill.get("damage") or skill.get("weapon")):
            self.damage(one, target, skill, verdict == "critical", dice)
        return hit

    def damage(self, one: Participant, target: Participant, skill: Document, critical: bool, dice: Dice) -> None:
        """Roll damage, follow it on its way, and let it hit."""
        own: Document = skill.get("damage") or {"min": 0, "max": 0}
        weapon = one.weapon if skill.get("weapon") else {"min": 0, "max": 0}
        low, high = own["min"] + weapon["min"], own["max"] + weapon["max"]
        roll = dice.between(low, high)
        magic = skill.get("element") == "magic"
        extra = one.attributes["logic" if magic else "might"] // 10
        self.journal.row("amount", one, target, roll, low, high, extra)
        scaled = (roll + extra) * one.damage_percent // 100
        changed = scaled * 75 // 100 if one.has("weakened") else scaled
        changed = changed * 125 // 100 if one.has("empowered") else changed
        armor = target.defenses["resistance" if magic else "armor"] * self.options["armor_share"] // 100
        damage = clamp((changed - armor) * (2 if critical else 1), 1, LARGEST)
        self.journal.row("damage", one, target, scaled, changed, armor, damage)
        self.hit(one, target, damage)

    def hit(self, one: Participant, target: Participant, damage: int) -> None:
        """Let damage meet the shield, then HP."""
        shield = target.has("shielded")
        absorbed = min(damage, shield.potency) if shield else 0
        lost = target.lose_hp(damage - absorbed)
        self.journal.row("hit", one, target, damage, absorbed, lost, target.hp)
        if shield:
            shield.potency -= absorbed
            if shield.potency == 0:
                target.afflictions.remove(shield)
                self.journal.row("expire", None, target, CONDITION["shielded"], 0)
        if not target.living:
            self.fall(one, target)

    def help(self, one: Participant, target: Participant, skill: Document, dice: Dice) -> bool:
        """Heal, if the skill does; it never misses."""
        heal: Document | None = skill.get("heal")
        if heal:
            roll = dice.between(heal["min"], heal["max"])
            extra = one.attributes["presence"] // 10
            self.journal.row("amount", one, target, roll, heal["min"], heal["max"], extra)
            effective = (roll + extra) // 2 if target.has("bleeding") else roll + extra
            restored = target.gain_hp(effective)
            self.journal.row("heal", one, target, roll + extra, effective, restored, target.hp)
        return True

    def fall(self, cause: Participant, target: Participant) -> None:
        """Let somebody die."""
        target.afflictions = []
        self.journal.row("fall", cause, target)

    def apply(self, one: Participant, target: Participant, condition: Document) -> None:
        """Apply a condition: add it, refresh it, or lose it."""
        name: str = condition["condition"]
        rounds, potency = condition.get("rounds") or 0, condition.get("potency") or 0
        there = target.has(name)
        if name == "stunned" and (there or target.guarded):
            effect = "already_stunned" if there else "just_lost"
            return self.journal.row("condition", one, target, CONDITION[name], 0, 0, EFFECT[effect])
        if there is None:
            effect = "applied"
            there = Affliction(name, rounds, potency, one)
            target.afflictions.append(there)
        else:
            effect = "refreshed"
            there.source = one if potency >= there.potency else there.source
            there.rounds, there.potency = rounds, max(there.potency, potency)
        return self.journal.row("condition", one, target, CONDITION[name], there.potency, there.rounds, EFFECT[effect])

    def ticks(self) -> None:
        """Let every condition of everybody tick, until it kills."""
        for one in self.everybody():
            for affliction in list(one.afflictions):
                self.tick(one, affliction)
                if not one.living:
                    self.fall(affliction.source, one)
                    break
                if affliction.rounds == 0 and affliction.name != "stunned":
                    one.afflictions.remove(affliction)
                    self.journal.row("expire", None, one, CONDITION[affliction.name], 1)

    def tick(self, one: Participant, affliction: Affliction) -> None:
        """Let one condition tick."""
        amount = 0
        if affliction.name in WOUNDS:
            amount = one.lose_hp(affliction.potency)
        elif affliction.name == "regenerating":
            amount = one.gain_hp(affliction.potency // 2 if one.has("bleeding") else affliction.potency)
        if amount > 0:
            self.quiet = False
        affliction.rounds -= affliction.name != "stunned"
        figures = (CONDITION[affliction.name], amount, one.hp, affliction.rounds)
        self.journal.row("condition_tick", affliction.source, one, *figures)

    def end_test(self) -> str | None:
        """Decide whether the fight is over, and how."""
        self.quiet_rounds = self.quiet_rounds + 1 if self.quiet else 0
        if not alive(self.party):
            return "PartyWipe"
        if not alive(self.enemies):
            return "Victory"
        if self.flees():
            return "Fled"
        over = self.round >= self.options["round_cap"] or self.quiet_rounds == 3
        return "Survived" if over else None

    def flees(self) -> bool:
        """Let the party try to flee, if it wants to; whether it escapes."""
        hp, max_hp = sum(member.hp for member in self.party), sum(member.max_hp for member in self.party)
        if not 100 * hp < self.options["flee_below"] * max_hp:
            return False
        runner = max(alive(self.party), key=Participant.speed)
        chaser = max(alive(self.enemies), key=Participant.speed)
        chance = clamp(50 + runner.speed() - chaser.speed(), 5, 95)
        roll = self.journal.dice(0xFF01).d100()
        self.journal.row("flee", runner, chaser, roll, chance, hp, max_hp)
        return roll <= chance


def pure_heal(skill: Document) -> bool:
    """Tell whether healing is all that a skill does, so that it reaches nobody who is unhurt."""
    helpful = skill["reach"] not in ("one_enemy", "all_enemies")
    return helpful and bool(skill.get("heal")) and not skill.get("conditions")
