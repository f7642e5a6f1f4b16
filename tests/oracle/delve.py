"""A second implementation of delve, written from its rule book alone.

It follows `src/fracas/rulesets/delve/README.md` and the dice and conditions of the core specification sentence by
sentence, in plain and slow Python, and shares no code with the engine: where both agree, two readers understood the
same text. `play` takes a resolved document, of a lone encounter or of a run, and returns the event rows. It trusts the
document: what the project refuses to load is not refused here once more. The fights are in `delve_fight.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from blake3 import blake3
from tests.oracle.delve_fight import LARGEST, Document, Fight, Journal, Participant, alive, clamp, codes
from tests.oracle.dice import Dice

TYPE = codes("combat trap decision hazard rest puzzle")
CHECK = codes("none perception acrobatics athletics arcana lore survival might logic speed presence fortitude luck")
TRAINED_BY = {"perception": "presence", "acrobatics": "speed", "athletics": "might"}
TRAINED_BY |= {"arcana": "logic", "lore": "logic", "survival": "fortitude"}
OUTCOME = codes("undecided Victory Survived PartyWipe Fled")
SOURCE = codes("encounter extra chest")
RARITY = codes("common uncommon rare very_rare legendary artifact")
TIER = codes("minor standard major grand")
REASON = codes("undecided victory survived party_wipe fled completed")

STEP_0, STEP_1, REWARDS = 0x8000, 0x8001, 0xFFFF
LOOT_LANE, CHEST_LANE, GOLD_LANE, EXTRA_LANE = 0xFF02, 0xFF03, 0xFF04, 0xFF10

AMBUSHES = ("success", "failure")


@dataclass(frozen=True)
class Result:
    """What a battle came to."""

    rows: list[list[int]]
    winner: int
    reason: int
    rounds: int


@dataclass
class Encounter:
    """An encounter at hand, and what has become of it."""

    number: int
    data: Document
    outcome: str = "undecided"
    rounds: int = 0
    gold: int = 0
    loot_rolls: int = 0
    skip: int = 0
    enemies: list[Document] | None = None
    survived_a_fight: bool = False

    @property
    def base(self) -> int:
        """Give the first of its ticks."""
        return self.number * 65536


class Journey:
    """A lone encounter or a run, and the rules outside of fights as methods, in the order of the rule book."""

    def __init__(self, document: Document, stream: int) -> None:
        self.document = document
        self.journal = Journal(blake3(document["seed"].encode()).digest(), stream)
        self.difficulty: Document = document["difficulty"]
        self.options: Document = document["options"]
        self.bonuses: list[tuple[str, Document]] = sorted((document.get("bonuses") or {}).items())
        self.quest: Document | None = document.get("quest")
        lone = {"type": "combat", "enemies": document.get("enemies")}
        self.encounters: list[Document] = self.quest["encounters"] if self.quest else [lone]
        roster = [enemy for encounter in self.encounters for enemy in roster_of(encounter)]
        self.numbers = {id(enemy): number for number, enemy in enumerate(roster, 8)}
        self.party = [Participant(slot, slot, member) for slot, member in enumerate(document["party"])]
        self.enemies: list[Participant] = []
        self.xp = self.gold = self.items = self.passed = self.rounds = 0
        self.fights_survived = 0

    def play(self) -> Result:
        """Play it from start to end."""
        figures = (int(self.quest is not None), len(self.party), len(self.encounters), self.options["flee_below"])
        self.journal.row("start", None, None, *figures)
        encounter = Encounter(-1, {})
        following = 0
        while following < len(self.encounters) and encounter.outcome not in ("PartyWipe", "Fled"):
            encounter = Encounter(following, self.encounters[following])
            self.encounter(encounter)
            if self.quest and encounter.outcome in ("Victory", "Survived"):
                self.rewards(encounter, self.quest)
            following = encounter.number + 1 + encounter.skip
        return self.end(encounter.outcome, encounter.number)

    def end(self, outcome: str, last: int) -> Result:
        """Open the chest, count the spoils, and say how everything ended."""
        reason, winner = {
            "Victory": ("victory", 1),
            "PartyWipe": ("party_wipe", 2),
            "Survived": ("survived", 0),
            "Fled": ("fled", 0),
        }[outcome]
        if self.quest:
            completed = outcome in ("Victory", "Survived")
            reason, winner = ("completed", 1) if completed else (reason, 2)
            last = len(self.encounters) - 1 if completed else last
            self.journal.tick = last * 65536 + REWARDS
            if completed and self.fights_survived == 0:
                table: str = self.quest.get("chest_table_id") or self.quest["loot_table_id"]
                self.item(self.journal.dice(CHEST_LANE), CHEST_LANE, table, "chest")
            if outcome == "PartyWipe":
                self.xp = self.gold = self.items = 0
            self.journal.row("spoils", None, None, self.xp, self.gold, self.items, self.passed)
        hp = [sum(one.hp for one in side) for side in (self.party, self.enemies)]
        self.journal.row("outcome", None, None, winner, REASON[reason], *hp)
        return Result(self.journal.rows, winner, REASON[reason], self.rounds)

    def encounter(self, encounter: Encounter) -> None:
        """Go through an encounter."""
        self.journal.tick = encounter.base
        data, kind = encounter.data, encounter.data["type"]
        enemies = len(data["enemies"]) if kind == "combat" else 0
        self.journal.row("encounter", None, None, encounter.number, TYPE[kind], len(alive(self.party)), enemies)
        kinds: dict[str, Callable[[Encounter], str]] = {
            "combat": lambda one: self.fight(one, one.data["enemies"]),
            "trap": self.trap,
            "decision": self.decision,
            "hazard": self.hazard,
            "rest": self.rest,
            "puzzle": self.puzzle,
        }
        encounter.outcome = kinds[kind](encounter)
        self.rounds += encounter.rounds
        figures = (encounter.number, OUTCOME[encounter.outcome], encounter.rounds, len(alive(self.party)))
        self.journal.row("encounter_end", None, None, *figures)

    def fight(self, encounter: Encounter, enemies: list[Document]) -> str:
        """Fight against enemies who take the slots from 8 on; how it ended."""
        percents = (self.difficulty["creature_hp"], self.difficulty["creature_damage"])
        self.enemies = [
            Participant(slot, self.numbers[id(enemy)], enemy, *percents) for slot, enemy in enumerate(enemies, 8)
        ]
        fight = Fight(self.journal, encounter.base, self.party, self.enemies, self.document)
        outcome = fight.play()
        encounter.enemies, encounter.rounds = enemies, fight.round
        encounter.survived_a_fight = outcome == "Survived"
        self.fights_survived += encounter.survived_a_fight
        return outcome

    def best(self, skill: str) -> Participant:
        """Find the living member who is best at a skill."""
        return max(alive(self.party), key=lambda member: value_of(member, skill))

    def check(self, member: Participant, skill: str, difficulty: int, dice: Dice) -> bool:
        """Put a member's skill to the test."""
        value = value_of(member, skill)
        chance = clamp(50 + value - (difficulty + self.difficulty["check"]), 5, 95)
        roll = dice.d100()
        self.journal.row("check", member, None, CHECK[skill], value, roll, chance)
        return roll <= chance

    def harm(self, member: Participant, damage: Document, dice: Dice, halved: bool = False) -> None:
        """Let a member suffer."""
        roll = dice.between(damage["min"], damage["max"])
        suffered = roll // 2 if halved else roll
        lost = member.lose_hp(suffered)
        self.journal.row("harm", None, member, roll, suffered, lost, member.hp)
        if not member.living:
            self.journal.row("fall", None, member)

    def passed_if(self, success: bool) -> str:
        """Say how an encounter without a fight ended."""
        if not alive(self.party):
            return "PartyWipe"
        return "Victory" if success else "Survived"

    def trap(self, encounter: Encounter) -> str:
        """Let the party detect a trap, or avoid it, or suffer it."""
        trap = encounter.data
        self.journal.tick = encounter.base + STEP_0
        scout = self.best("perception")
        if self.check(scout, "perception", trap["detect"], self.journal.dice(scout.slot)):
            return "Victory"
        self.journal.tick = encounter.base + STEP_1
        failed = 0
        for member in alive(self.party):
            dice = self.journal.dice(member.slot)
            better = max(("acrobatics", "athletics"), key=lambda skill: value_of(member, skill))
            if not self.check(member, better, trap["avoid"], dice):
                failed += 1
                self.harm(member, trap["damage"], dice)
        return self.passed_if(failed == 0)

    def decision(self, encounter: Encounter) -> str:
        """Let the party take the option that one of its members is best at."""
        self.journal.tick = encounter.base + STEP_0
        found: list[tuple[Participant | None, int, int, int]] = []
        for place, option in enumerate(encounter.data["options"]):
            skill = option.get("check")
            member = self.best(skill) if skill else None
            value = value_of(member, skill) if member else 0
            found.append((member, place, CHECK[skill or "none"], value))
            self.journal.row("option", member, None, *found[-1][1:])
        member, place, *figures = max(found, key=lambda each: each[3])
        self.journal.row("choice", member, None, place, *figures)
        option = encounter.data["options"][place]
        success = True
        if member is not None:
            dice = self.journal.dice(member.slot)
            success = self.check(member, option["check"], option.get("difficulty") or 0, dice)
        return self.consequence(encounter, success, option)

    def puzzle(self, encounter: Encounter) -> str:
        """Let the party try a puzzle with the skill that one of its members is best at."""
        self.journal.tick = encounter.base + STEP_0
        puzzle = encounter.data
        skill = max(puzzle["checks"], key=lambda skill: value_of(self.best(skill), skill))
        member = self.best(skill)
        success = self.check(member, skill, puzzle["difficulty"], self.journal.dice(member.slot))
        return self.consequence(encounter, success, puzzle)

    def hazard(self, encounter: Encounter) -> str:
        """Let everybody suffer, and half as much who passes the check."""
        self.journal.tick = encounter.base + STEP_0
        hazard = encounter.data
        passed = []
        for member in alive(self.party):
            dice = self.journal.dice(member.slot)
            passed.append(self.check(member, hazard["check"], hazard["difficulty"], dice))
            self.harm(member, hazard["damage"], dice, halved=passed[-1])
        return self.passed_if(all(passed))

    def rest(self, encounter: Encounter) -> str:
        """Let everybody recover."""
        self.journal.tick = encounter.base + STEP_0
        for member in alive(self.party):
            restored, gained = member.gain_hp(member.max_hp // 4), member.gain_resource(member.max_resource // 4)
            self.journal.row("restore", None, member, restored, member.hp, gained, member.resource)
        return "Victory"

    def consequence(self, encounter: Encounter, success: bool, whose: Document) -> str:
        """Bring about what a decision or a puzzle brings; how the encounter ended."""
        self.journal.tick = encounter.base + STEP_1
        brings: Document = whose.get("success" if success else "failure") or {}
        gold, loot_rolls, skip = (brings.get(name) or 0 for name in ("gold", "loot_rolls", "skip"))
        self.journal.row("consequence", None, None, int(success), gold, loot_rolls, skip)
        for member in alive(self.party) if brings.get("heal") else []:
            restored = member.gain_hp(member.max_hp * brings["heal"] // 100)
            self.journal.row("restore", None, member, restored, member.hp, 0, member.resource)
        for member in alive(self.party) if brings.get("damage") else []:
            self.harm(member, brings["damage"], self.journal.dice(member.slot))
        if not alive(self.party):
            return "PartyWipe"
        encounter.gold, encounter.loot_rolls, encounter.skip = gold, loot_rolls, skip
        if brings.get("ambush"):
            self.journal.row("ambush", None, None, len(brings["ambush"]))
            outcome = self.fight(encounter, brings["ambush"])
            if outcome != "Victory":
                return outcome
        return self.passed_if(success)

    def rewards(self, encounter: Encounter, quest: Document) -> None:
        """Pay for an encounter."""
        self.journal.tick = encounter.base + REWARDS
        self.passed += 1
        data, reduced = encounter.data, encounter.survived_a_fight
        share: int = self.options["survived_share"] if reduced else 100
        enemies = encounter.enemies or []
        worth: int = sum(enemy["xp_reward"] for enemy in enemies) + (data.get("xp") or 0)
        xp = worth * self.difficulty["xp"] * share // 10_000
        gold = encounter.gold
        if data.get("gold") and data["gold"]["max"] > 0:
            gold += self.journal.dice(GOLD_LANE).between(data["gold"]["min"], data["gold"]["max"])
        gold = gold * share // 100
        self.journal.row("reward", None, None, xp, gold, len(alive(self.party)), int(reduced))
        self.xp, self.gold = min(self.xp + xp, LARGEST), min(self.gold + gold, LARGEST)
        bosses = [enemy for enemy in enemies if enemy.get("boss")]
        owners = [data, *bosses[:1], *enemies[:1], quest]
        table: str = next(owner["loot_table_id"] for owner in owners if owner.get("loot_table_id"))
        chance = self.difficulty["loot_chance"] * share // 100
        if data.get("loot", True):
            self.loot_roll(LOOT_LANE, chance, table, "encounter")
        for k in range(encounter.loot_rolls):
            self.loot_roll(EXTRA_LANE + k, chance, table, "extra")

    def loot_roll(self, lane: int, chance: int, table: str, source: str) -> None:
        """Roll for loot."""
        dice = self.journal.dice(lane)
        roll = dice.d100()
        self.journal.row("loot_roll", None, None, roll, chance, SOURCE[source], lane)
        if roll <= chance:
            self.item(dice, lane, table, source)

    def item(self, dice: Dice, lane: int, table: str, source: str) -> None:
        """Make an item."""
        rows = self.document["loot_tables"][table]["rows"]
        row = rows[dice.pick([row["weight"] for row in rows])]
        template: Document = self.document["items"][row["template"]]
        percents: Document = self.difficulty.get("rarity") or {}
        weights = [(row["rarity_weights"].get(name) or 0) * percents.get(name, 100) for name in RARITY]
        rarity: Document = self.document["rarities"][list(RARITY)[dice.pick(weights)]]
        fitting = [bonus.get("weight", 1) * fits(bonus, template) for _, bonus in self.bonuses]
        bonuses = [
            (dice.pick(fitting), dice.pick([rarity["tiers"].get(tier) or 0 for tier in TIER]))
            for _ in range(rarity["bonuses"] if sum(fitting) else 0)
        ]
        self.items += 1
        numbers = (sorted(self.document["items"]).index(row["template"]), RARITY[rarity["id"]])
        self.journal.row("item", None, None, *numbers, len(bonuses), SOURCE[source])
        self.journal.row("origin", None, None, lane, dice.drawn[0] % 65536, dice.drawn[0] >> 16)
        for bonus, tier in bonuses:
            amount: int = self.bonuses[bonus][1]["amounts"][tier]
            self.journal.row("bonus", None, None, bonus, tier, amount)


def roster_of(encounter: Document) -> Iterator[Document]:
    """List an encounter's enemies, the ambushes of its options included."""
    yield from encounter.get("enemies") or []
    for branch in (encounter, *(encounter.get("options") or [])):
        for key in AMBUSHES:
            yield from (branch.get(key) or {}).get("ambush") or []


def fits(bonus: Document, template: Document) -> bool:
    """Tell whether a bonus may be found on an item."""
    return not bonus.get("slots") or template["slot"] in bonus["slots"]


def value_of(member: Participant, skill: str) -> int:
    """Add up a member's value for a check."""
    if skill in TRAINED_BY:
        return member.attributes[TRAINED_BY[skill]] + member.training.get(skill, 0)
    return member.attributes[skill]


def play(document: Document, stream: int = 0) -> Result:
    """Play a resolved lone encounter or run from start to end."""
    plain = json.loads(json.dumps(document))  # what a replay embeds; and no two enemies are the same object
    return Journey(plain, stream).play()
