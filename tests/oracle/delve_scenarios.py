"""Scenarios of delve as wild as its rule book allows, to compare the engine with the oracle where content never goes.

They bring everything of their own, so no change of the content changes them, and stay small enough to be played by
the oracle: what is rare in a sensible battle (a stun on somebody stunned, a shield that a hit uses up exactly, luck at
its limit, both sides falling in one tick) is common here.
"""

from __future__ import annotations

import random
from typing import Any

Document = dict[str, Any]

ATTRIBUTES = ("might", "logic", "speed", "presence", "fortitude", "luck")
TRAININGS = ("perception", "acrobatics", "athletics", "arcana", "lore", "survival")
HARMFUL = ("poisoned", "bleeding", "burning", "stunned", "blinded", "slowed", "weakened")
HELPFUL = ("shielded", "regenerating", "empowered", "hasted")
POTENT = ("poisoned", "bleeding", "burning", "shielded", "regenerating")
RARITIES = ("common", "uncommon", "rare", "very_rare", "legendary", "artifact")
TIERS = ("minor", "standard", "major", "grand")
SLOTS = ("main_hand", "off_hand", "head", "chest", "hands", "feet", "cloak", "ring", "amulet", "belt")
STATS = ("might", "hp", "evasion", "lore")
SELECTORS = ("lowest_hp", "highest_hp", "highest_threat", "lowest_hp_pct", "random")
SIGNS = ("<", "<=", ">", ">=", "==", "!=")


class Maker:
    """Makes one scenario from a number."""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.skills = {f"skill-{place}": self.skill(f"skill-{place}") for place in range(self.random.randint(4, 12))}
        self.items = {f"item-{place}": self.item(f"item-{place}") for place in range(self.random.randint(1, 5))}
        self.tables = {f"table-{place}": self.table(f"table-{place}") for place in range(3)}

    def scenario(self) -> Document:
        """Make a lone encounter or a run."""
        draw = self.random
        document: Document = {"ruleset": "delve", "id": "wild", "seed": f"seed {draw.random()}"}
        document |= {"difficulty": self.difficulty(), "options": self.options()}
        document["party"] = [self.member() for _ in range(draw.choice((1, 2, 3, 4, 4, 8)))]
        document |= {"skills": self.skills, "resources": {kind: self.resource_kind(kind) for kind in ("fury", "calm")}}
        if draw.random() < 0.4:
            return document | {"enemies": self.enemies()}
        document |= {"items": self.items, "loot_tables": self.tables}
        document["bonuses"] = {f"bonus-{place}": self.bonus(f"bonus-{place}") for place in range(draw.randint(1, 3))}
        document["rarities"] = {name: self.rarity(name) for name in RARITIES}
        quest: Document = {"id": "way", "name": "A Way", "loot_table_id": "table-0"}
        quest["encounters"] = [self.encounter() for _ in range(draw.randint(1, 7))]
        if draw.random() < 0.5:
            quest["chest_table_id"] = "table-1"
        return document | {"quest": quest}

    def sometimes(self, chance: float, **values: Any) -> Document:
        """Give these values, or none of them."""
        return values if self.random.random() < chance else {}

    def range(self, low: int, high: int) -> Document:
        """Make a range, now and then with equal ends."""
        ends = sorted(self.random.randint(low, high) for _ in range(2))
        return {"min": ends[0], "max": ends[self.random.random() < 0.8]}

    def options(self) -> Document:
        """Choose the rule options."""
        draw = self.random
        options = {"survived_share": draw.choice((0, 33, 33, 50)), "armor_share": draw.choice((0, 50, 100, 150))}
        return options | {"flee_below": draw.choice((0, 0, 0, 30, 100)), "round_cap": draw.choice((2, 8, 20, 20))}

    def difficulty(self) -> Document:
        """Make a difficulty."""
        draw = self.random
        difficulty: Document = {"id": "odd", "name": "Odd", "creature_hp": draw.choice((1, 60, 100, 133))}
        difficulty |= {"creature_damage": draw.choice((0, 75, 100, 140)), "check": draw.choice((-100, -10, 0, 15, 40))}
        difficulty |= {"loot_chance": draw.choice((0, 55, 90, 100)), "xp": draw.choice((0, 100, 137, 137))}
        return difficulty | {"rarity": {name: draw.choice((50, 150)) for name in RARITIES if draw.random() < 0.4}}

    def resource_kind(self, kind: str) -> Document:
        """Make a kind of resource."""
        return {"id": kind, "name": kind.title(), "start": self.random.choice((0, 50, 77, 100))}

    def skill(self, name: str) -> Document:
        """Make a skill that hurts, helps, heals or only leaves a condition."""
        draw = self.random
        skill: Document = {"id": name, "name": name.title(), "cooldown": draw.choice((0, 0, 0, 1, 2, 4))}
        skill |= self.sometimes(0.4, cost=draw.randint(1, 8)) | self.sometimes(0.1, resource="fury")
        if draw.random() < 0.6:
            skill |= {"reach": draw.choice(("one_enemy", "one_enemy", "all_enemies"))}
            skill |= {"attack": draw.choice(ATTRIBUTES), "defense": draw.choice(ATTRIBUTES)}
            skill |= self.sometimes(0.6, modifier=draw.choice((-100, -10, 15, 40, 100)))
            skill |= self.sometimes(0.6, element=draw.choice(("physical", "magic")))
            skill |= self.sometimes(0.6, damage=self.range(0, 12)) | self.sometimes(0.5, weapon=True)
            skill |= self.sometimes(0.8, conditions=self.conditions(HARMFUL))
            return skill if {"damage", "weapon", "conditions"} & set(skill) else skill | {"damage": self.range(1, 9)}
        skill |= {"reach": draw.choice(("one_ally", "one_ally", "all_allies", "self"))}
        skill |= self.sometimes(0.6, heal=self.range(0, 15)) | self.sometimes(0.7, conditions=self.conditions(HELPFUL))
        return skill if {"heal", "conditions"} & set(skill) else skill | {"heal": self.range(1, 9)}

    def conditions(self, names: tuple[str, ...]) -> list[Document]:
        """Choose the conditions that a skill applies."""
        draw = self.random
        chosen = draw.sample(names, draw.choice((1, 2, 3, 4)))
        return [
            {"condition": name}
            | ({} if name == "stunned" else {"rounds": draw.choice((1, 2, 4, 9))})
            | ({"potency": draw.choice((1, 2, 5, 30))} if name in POTENT else {})
            for name in chosen
        ]

    def body(self) -> Document:
        """Make what members and creatures have in common."""
        draw = self.random
        kind = draw.choice(("fury", "calm", None))
        usual: Document = {"level": draw.randint(1, 10), "hp": draw.choice((1, 20, 50, 50, 100))}
        usual["attributes"] = {name: draw.choice((9, 23, 27, 27, 31, 36, 44)) for name in ATTRIBUTES}
        usual["attributes"] |= self.sometimes(0.4, **{draw.choice(ATTRIBUTES): draw.choice((0, 255))})
        usual |= {name: draw.choice((0, 0, 2, 7)) for name in ("armor", "resistance")}
        usual |= {"evasion": draw.choice((0, 0, 0, 10, 60)), "weapon_speed": draw.choice((-100, -5, 0, 8))}
        usual |= {"weapon": self.range(0, 5), "queue": self.queue(kind)}
        if kind is not None:
            usual["resource"] = {"kind": kind, "max": draw.randint(8, 30), "regeneration": draw.choice((0, 1, 3, 30))}
        return usual

    def member(self) -> Document:
        """Make a member of the party."""
        draw = self.random
        training = {name: draw.choice((5, 20, 100)) for name in TRAININGS if draw.random() < 0.3}
        return {"id": "member", "name": "Member"} | self.body() | {"training": training}

    def creature(self) -> Document:
        """Make an enemy."""
        draw = self.random
        creature: Document = {"id": "thing", "name": "Thing"} | self.body() | {"xp_reward": draw.choice((0, 7, 40))}
        creature |= self.sometimes(0.5, loot_table_id=draw.choice(list(self.tables)))
        if draw.random() < 0.5:
            kind = creature.get("resource", {}).get("kind")
            places = sorted(draw.sample((1, 20, 40, 60, 80, 90, 99), draw.randint(0, 4)), reverse=True)
            creature |= {"boss": True, "phases": [self.phase(at, kind) for at in places]}
        return creature

    def phase(self, at: int, kind: str | None) -> Document:
        """Make a boss's phase."""
        draw = self.random
        phase: Document = {"name": f"At {at}", "at": at}
        phase |= self.sometimes(0.5, queue=self.queue(kind)) | self.sometimes(0.3, armor=draw.randint(0, 9))
        phase |= self.sometimes(0.3, resistance=draw.randint(0, 9)) | self.sometimes(0.3, evasion=draw.randint(0, 40))
        phase |= self.sometimes(0.3, regeneration=draw.randint(0, 9))
        return phase | self.sometimes(0.6, attributes={draw.choice(ATTRIBUTES): draw.choice((0, 40, 255))})

    def queue(self, kind: str | None) -> list[Document]:
        """Make a queue of skills that somebody with this kind of resource can pay."""
        draw = self.random
        payable = [
            name
            for name, skill in self.skills.items()
            if (kind is not None or "cost" not in skill) and skill.get("resource", kind) == kind
        ]
        if not payable:
            name = f"plain-{len(self.skills)}"
            self.skills[name] = {"id": name, "name": "Plain", "reach": "one_enemy", "damage": self.range(1, 9)}
            self.skills[name] |= {"attack": "might", "defense": "speed"}
            payable = [name]
        return [self.slot(draw.choice(payable)) for _ in range(draw.choice((1, 2, 3, 5)))]

    def slot(self, name: str) -> Document:
        """Make a slot of a queue."""
        draw = self.random
        slot: Document = {"skill": name} | self.sometimes(0.6, when=self.condition(2))
        one = self.skills[name]["reach"] in ("one_enemy", "one_ally")
        return slot | (self.sometimes(0.6, target=draw.choice(SELECTORS)) if one else {})

    def condition(self, depth: int) -> Any:
        """Make a condition, as text or as a table."""
        draw = self.random
        kind = draw.choice(("all", "any", "not", "text", "text", "text")) if depth else "text"
        if kind == "text":
            return self.text(draw.choice((0, 0, 1)))
        if kind == "not":
            return {"not": self.condition(depth - 1)}
        return {kind: [self.condition(depth - 1) for _ in range(draw.randint(0, 3))]}

    def text(self, depth: int) -> str:
        """Make a condition as text."""
        draw = self.random
        if depth:
            parts = [self.text(0) for _ in range(3)]
            return f"({parts[0]} {draw.choice(('and', 'or'))} not {parts[1]}) {draw.choice(('and', 'or'))} {parts[2]}"
        share, few, status = draw.randint(0, 100), draw.randint(0, 9), draw.choice(HARMFUL + HELPFUL)
        subject, side, sign = (
            draw.choice(("self", "ally", "enemy")),
            draw.choice(("allies", "enemies")),
            draw.choice(SIGNS),
        )
        question = draw.choice(
            (f"hp_pct {sign} {share}", f"resource {sign} {few}", f"resource_pct{sign}{share}", status)
        )
        texts = (
            f"{subject}_hp_{draw.choice(('above', 'below'))}_{share}",
            f"{subject}_has_{status}",
            f"self_lacks_{status}",
            f"resource_gte_{few}",
            f"enemy_count_gte_{draw.randint(0, 5)}",
            f"ally_count_lte_{draw.randint(0, 5)}",
            f"round_gte_{few}",
            f"every_{draw.randint(1, 4)}_rounds",
            "once",
            "always",
            "boss_present",
            f"self.{status}",
            f"self.{question}" if question != status else f"not self.{status}",
            f"used {sign} {draw.randint(0, 3)}",
            f"round {sign} {few}",
            f"{side}.count {sign} {draw.randint(0, 4)}",
            f"{side}.{draw.choice(('any', 'all'))}({question})",
            f"{side}.count({question}) {sign} {draw.randint(0, 3)}",
        )
        return draw.choice(texts)

    def enemies(self) -> list[Document]:
        """Make the enemies of one fight."""
        return [self.creature() for _ in range(self.random.choice((1, 2, 3, 3, 8)))]

    def encounter(self) -> Document:
        """Make an encounter of any type."""
        draw = self.random
        kind = draw.choice(("combat", "combat", "trap", "decision", "hazard", "rest", "puzzle"))
        encounter: Document = {"type": kind} | self.sometimes(0.4, xp=draw.randint(0, 50))
        encounter |= self.sometimes(0.5, gold=self.range(0, draw.choice((0, 20, 20)))) | self.sometimes(0.2, loot=False)
        encounter |= self.sometimes(0.2, loot_table_id="table-1")
        checks = draw.sample(TRAININGS + ATTRIBUTES, 3)
        match kind:
            case "combat":
                encounter |= {"enemies": self.enemies()}
            case "trap":
                encounter |= {"detect": draw.randint(0, 100), "avoid": draw.randint(0, 90), "damage": self.range(0, 9)}
            case "decision":
                encounter["options"] = [self.option() for _ in range(draw.randint(1, 3))]
            case "hazard":
                encounter |= {"check": checks[0], "difficulty": draw.randint(0, 90), "damage": self.range(0, 9)}
            case "puzzle":
                encounter |= {"difficulty": draw.randint(0, 100)} | self.sometimes(0.5, checks=checks)
                encounter |= self.sometimes(0.8, success=self.consequence())
                encounter |= self.sometimes(0.8, failure=self.consequence())
        return encounter

    def option(self) -> Document:
        """Make an option of a decision."""
        draw = self.random
        option: Document = {"name": "This way"} | self.sometimes(0.9, success=self.consequence())
        if draw.random() < 0.3:
            return option
        option |= {"check": draw.choice(TRAININGS + ATTRIBUTES), "difficulty": draw.randint(0, 90)}
        return option | self.sometimes(0.7, failure=self.consequence())

    def consequence(self) -> Document:
        """Make a consequence."""
        draw = self.random
        brings: Document = self.sometimes(0.3, gold=draw.randint(0, 30)) | self.sometimes(
            0.4, loot_rolls=draw.randint(0, 4)
        )
        brings |= self.sometimes(0.2, skip=draw.randint(0, 3)) | self.sometimes(0.3, heal=draw.randint(0, 100))
        return brings | self.sometimes(0.3, damage=self.range(0, 9)) | self.sometimes(0.4, ambush=self.enemies())

    def item(self, name: str) -> Document:
        """Make a template of items."""
        return {"id": name, "name": name.title(), "slot": self.random.choice(SLOTS), "armor": 1}

    def table(self, name: str) -> Document:
        """Make a loot table."""
        draw = self.random
        rows = [self.row() for _ in range(draw.randint(1, 4))]
        rows[0]["weight"] = rows[0]["weight"] or 1
        return {"id": name, "rows": rows}

    def row(self) -> Document:
        """Make a row of a loot table."""
        draw = self.random
        weights = {name: draw.choice((0, 1, 10, 60)) for name in RARITIES if draw.random() < 0.6}
        row: Document = {"template": draw.choice(list(self.items)), "weight": draw.choice((0, 1, 3))}
        return row | {"rarity_weights": weights | {draw.choice(RARITIES): 5}}

    def bonus(self, name: str) -> Document:
        """Make a bonus of items."""
        draw = self.random
        bonus: Document = {"id": name, "name": name.title(), "stat": draw.choice(STATS), "amounts": [1, 2, 4, 9]}
        return bonus | {"weight": draw.choice((0, 1, 7))} | self.sometimes(0.6, slots=draw.sample(SLOTS, 4))

    def rarity(self, name: str) -> Document:
        """Make a rarity."""
        draw = self.random
        tiers = {tier: draw.choice((0, 1, 6)) for tier in TIERS if draw.random() < 0.8} | {draw.choice(TIERS): 2}
        return {"id": name, "bonuses": draw.choice((0, 1, 2, 6)), "tiers": tiers}


def scenario(number: int) -> Document:
    """Make the scenario of a number."""
    return Maker(number).scenario()


HUM: Document = {"id": "hum", "reach": "self", "conditions": [{"condition": "hasted", "rounds": 1}]}
BLAST: Document = {"id": "blast", "reach": "all_enemies", "attack": "luck", "defense": "luck", "weapon": True}
BREW: Document = {"id": "brew", "reach": "one_enemy", "attack": "luck", "defense": "logic", "modifier": 100}
BLOW: Document = {"id": "blow", "reach": "one_enemy", "attack": "might", "defense": "speed", "modifier": 100}


def body(name: str, queue: list[Document], **values: Any) -> Document:
    """Make somebody of no distinction."""
    usual: Document = {"id": name, "name": name.title(), "level": 1, "hp": 50}
    usual |= {"attributes": dict.fromkeys(ATTRIBUTES, 20) | {"luck": 255}, "weapon": {"min": 9, "max": 9}}
    return usual | {"queue": queue} | values


def duel(skills: list[Document], member: Document, enemy: Document) -> Document:
    """Make a fight of one against one."""
    own = {skill["id"]: skill | {"name": skill["id"].title()} for skill in skills}
    return {"ruleset": "delve", "id": "duel", "party": [member], "enemies": [enemy], "skills": own}


def afflictions(*conditions: tuple[str, int, int]) -> list[Document]:
    """List what a skill applies: condition, rounds, potency."""
    return [
        {"condition": name, "rounds": rounds} | ({"potency": potency} if potency else {})
        for name, rounds, potency in conditions
    ]


def poison_after_the_fighting() -> Document:
    """Make a fight in which nothing but a poison happens for eight rounds, and then nothing for three."""
    brew = BREW | {"conditions": afflictions(("poisoned", 9, 1))}
    queue = [{"skill": "brew", "when": "once"}, {"skill": "hum"}]
    return duel([HUM, brew], body("brewer", queue), body("victim", [{"skill": "hum"}]))


def poison_for_both() -> Document:
    """Make a fight that nobody lives to win."""
    brew = BREW | {"conditions": afflictions(("poisoned", 1, 50))}
    return duel([brew], body("brewer", [{"skill": "brew"}]), body("rival", [{"skill": "brew"}]))


def mixed_blessings() -> Document:
    """Make a fight of those who are weakened and empowered, slowed and hasted, bleeding and regenerating at once."""
    bless: Document = {"id": "bless", "reach": "self"}
    bless |= {"conditions": afflictions(("empowered", 9, 0), ("hasted", 9, 0), ("regenerating", 9, 5))}
    curse = BLOW | {"id": "curse", "damage": {"min": 5, "max": 20}}
    curse |= {"conditions": afflictions(("weakened", 9, 0), ("slowed", 9, 0), ("bleeding", 9, 1))}
    blow = BLOW | {"damage": {"min": 0, "max": 20}}
    mend: Document = {"id": "mend", "reach": "self", "heal": {"min": 4, "max": 9}}
    queue = [{"skill": "bless", "when": "once"}, {"skill": "curse", "when": "once"}]
    queue += [{"skill": "mend", "when": "every_3_rounds"}, {"skill": "blow"}]
    strong, strange = body("strong", queue, hp=200), body("strange", queue, hp=200)
    return duel([bless, curse, blow, mend], strong, strange | {"weapon_speed": -30})


def run_of(encounters: list[Document], skills: list[Document], member: Document) -> Document:
    """Make a run of one."""
    maker = Maker(0)
    quest = {"id": "way", "name": "A Way", "loot_table_id": "table-0", "encounters": encounters}
    document: Document = {"ruleset": "delve", "id": "run", "party": [member], "quest": quest}
    own = {skill["id"]: skill | {"name": skill["id"].title()} for skill in skills}
    return document | {"loot_tables": maker.tables, "items": maker.items, "skills": own}


def riches() -> Document:
    """Make forty fights that are soon won, and pay as much as a fight can."""
    payer = body("payer", [{"skill": "hum"}], hp=1, xp_reward=10**6) | {"attributes": dict.fromkeys(ATTRIBUTES, 0)}
    fight = {"type": "combat", "enemies": [payer] * 8, "xp": 10**6}
    document = run_of([fight] * 40, [BLAST, HUM], body("member", [{"skill": "blast"}]))
    return document | {"difficulty": {"id": "rich", "name": "Rich", "xp": 1000}}


def meager_survival() -> Document:
    """Make a run whose only fight is an ambush that nobody wins; boss and first enemy disagree about the loot."""
    idle = [{"skill": "hum"}]
    boss = body("boss", idle, boss=True, loot_table_id="table-2", xp_reward=7)
    ambush = [body("first", idle, loot_table_id="table-1", xp_reward=2), boss]
    success = {"ambush": ambush, "gold": 7, "heal": 1, "loot_rolls": 4, "skip": 1}
    way: Document = {"name": "This way", "success": success}
    decision: Document = {"type": "decision", "options": [way], "gold": {"min": 4, "max": 4}, "xp": 2}
    own_table = decision | {"loot_table_id": "table-0"}
    rest: Document = {"type": "rest"}
    smoke: Document = {"type": "hazard", "check": "lore", "difficulty": 100, "damage": {"min": 9, "max": 9}}
    document = run_of([smoke, decision, rest, decision, rest, own_table], [HUM], body("member", idle, hp=199))
    document |= {"options": {"survived_share": 33}}
    return document | {"difficulty": {"id": "odd", "name": "Odd", "xp": 137, "loot_chance": 100}}


CRAFTED = {
    make.__name__: make for make in (poison_after_the_fighting, poison_for_both, mixed_blessings, meager_survival)
}
