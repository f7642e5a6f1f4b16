"""A second implementation of titans, written from its rule book alone.

It follows `src/fracas/rulesets/titans/README.md` sentence by sentence, in plain Python, and shares no code with the
engine: where both agree, two readers understood the same text. `play` takes a resolved duel and returns its event rows.
It trusts the document: what the project refuses to load is not refused here once more.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field
from typing import Any

from blake3 import blake3
from tests.oracle.dice import Dice
from tests.oracle.titans_policies import Decision, decide

Document = dict[str, Any]


def codes(names: str, first: int = 0) -> dict[str, int]:
    """Number names in the order in which the rule book lists them."""
    return {name: number for number, name in enumerate(names.split(), first)}


KIND = codes("duel titan round choice chance speed act skipped hit critical attack damage heal shield charge pay", 1)
KIND |= codes("change expire fall round_end outcome experience growth", 17)
ACTION = codes("attack defend rest ability")
STATS = ("attack", "defense", "speed", "stamina", "evasion", "accuracy", "critical")
GROWING = ("hp", *STATS)
REST, WHILE_DEFENDING, HURT, BY_ABILITY = range(4)
OVER, CANNOT_PAY = range(2)
REASON = codes("undecided knock_out cap_hp cap_equal forfeit both_forfeit")
THRESHOLDS = """
100 114 132 152 174 201 231 266 305 351 404 465 535 615 707 813 935 1076 1237 1423 1636 1882 2164 2489 2862 3291 3785
4353 5006 5757 6621 7614 8756 10069 11580 13317 15315 17612 20254 23292 26786 30804 35424 40738 46849 53876 61958 71252
81940
"""
TO_NEXT_LEVEL = [int(number) for number in THRESHOLDS.split()]


def half_up(value: float) -> int:
    """Round to the nearest whole number, halves up."""
    return math.floor(value + 0.5)


def halves(value: float) -> tuple[int, int]:
    """A double's low and high 32 bits, each read as a signed number."""
    low, high = struct.unpack("<ii", struct.pack("<d", value))
    return low, high


@dataclass
class Change:
    """A stat change that a titan bears."""

    stat: str
    percent: int
    until: int


@dataclass
class Titan:
    """A player's titan, and what the duel remembers of the player."""

    index: int
    given: Document
    abilities: dict[str, Document]
    hp: int
    charge: int = 0
    shield: float = 0.0
    changes: dict[int, Change] = field(default_factory=dict)
    choice: str | None = None
    last: str | None = None
    missed: int = 0

    @property
    def full(self) -> int:
        """Its full HP."""
        return int(self.given["hp"])

    def total(self, stat: str) -> int:
        """The sum of the percentages of all changes of a stat that it bears."""
        return sum(change.percent for change in self.changes.values() if change.stat == stat)

    def hundredfold(self, stat: str) -> int:
        """A hundred times the stat as it is now."""
        return int(self.given[stat]) * (100 + max(self.total(stat), -90))

    def now(self, stat: str) -> float:
        """The stat as it is now."""
        return self.hundredfold(stat) / 100

    def is_legal(self, choice: str) -> bool:
        """Whether it could choose that."""
        if choice in ("attack", "defend", "rest"):
            return True
        return choice in self.given["abilities"] and int(self.abilities[choice]["cost"]) <= self.charge


@dataclass
class Result:
    """What a duel comes to."""

    rows: list[list[int]]
    winner: int
    reason: int
    rounds: int


def play(document: Document, stream: int) -> Result:
    """Play one duel of a resolved document."""
    return Duel(document, stream).play()


class Duel:
    """A duel while it is played."""

    def __init__(self, document: Document, stream: int) -> None:
        self.document, self.options, self.stream = document, document["options"], stream
        self.key = blake3(document["seed"].encode()).digest()
        self.abilities: dict[str, Document] = document["abilities"]
        self.places = {name: place for place, name in enumerate(sorted(self.abilities))}
        self.titans = [
            Titan(index, player["titan"], self.abilities, int(player["titan"]["hp"]))
            for index, player in enumerate(document["players"])
        ]
        self.numbers: dict[tuple[str, int], int] = {}
        for name, ability in sorted(self.abilities.items()):
            for place, effect in enumerate(ability["effects"]):
                if effect["type"] == "change":
                    self.numbers[name, place] = len(self.numbers)
        self.round = 0
        self.winner, self.reason = 0, REASON["undecided"]
        self.rows: list[list[int]] = []
        self.opened: set[tuple[int, int]] = set()

    def open(self, tick: int, lane: int) -> Dice:
        """The dice of an address, which is opened at most once."""
        if (tick, lane) in self.opened:
            raise AssertionError(f"address {tick}, {lane:#x} is opened twice")
        self.opened.add((tick, lane))
        return Dice(self.key, self.stream, tick, lane)

    def row(self, kind: str, *columns: int, actor: int = -1, target: int = -1) -> None:
        """Write an event row."""
        self.rows.append([self.round, KIND[kind], actor, target, *columns, *[0] * (4 - len(columns))])

    def other(self, titan: Titan) -> Titan:
        """The opponent of a titan."""
        return self.titans[1 - titan.index]

    @property
    def sudden_death(self) -> bool:
        """Whether Defense and heals count as 0."""
        return 0 < int(self.options["sudden_death"]) <= self.round

    @property
    def is_over(self) -> bool:
        """Whether the duel is decided."""
        return self.reason != REASON["undecided"]

    def end(self, reason: str, winner: int) -> None:
        """Decide the duel."""
        self.reason, self.winner = REASON[reason], winner

    def play(self) -> Result:
        """Set up, play round after round, and say how it ended."""
        self.row("duel", self.options["round_cap"], self.options["sudden_death"])
        for titan in self.titans:
            given = titan.given
            self.row("titan", titan.hp, titan.charge, given["level"], given["experience"], actor=titan.index)
        while not self.is_over:
            self.play_round()
        first, second = self.titans
        self.row("outcome", self.winner, self.reason, first.hp, second.hp)
        if self.options["experience"]:
            for titan in self.titans:
                self.learn(titan)
        return Result(self.rows, self.winner, self.reason, self.round)

    def standing(self, kind: str) -> None:
        """A row with HP and charge of both."""
        first, second = self.titans
        self.row(kind, first.hp, second.hp, first.charge, second.charge)

    def play_round(self) -> None:
        """One round."""
        self.round += 1
        for titan in self.titans:
            titan.last = titan.choice
        self.standing("round")
        chosen = [self.choose(titan) for titan in self.titans]
        for titan, choice in zip(self.titans, chosen, strict=True):
            titan.missed = titan.missed + 1 if choice == "missed" else 0
            titan.choice = "defend" if choice == "missed" else choice
        late = [titan.missed >= 3 for titan in self.titans]
        if all(late):
            self.end("both_forfeit", 0)
        elif any(late):
            self.end("forfeit", 1 if late[1] else 2)
        if self.is_over:
            return
        for place, titan in enumerate(self.acting_order(), 1):
            self.act(titan, place)
        if not self.is_over:
            self.end_round()

    def coded(self, choice: str) -> tuple[int, int]:
        """A choice's action and ability."""
        return (ACTION[choice], -1) if choice in ACTION else (ACTION["ability"], self.places[choice])

    def choose(self, titan: Titan) -> str:
        """What a player chooses, with the rows that say why."""
        policy = self.document["players"][titan.index]["policy"]
        lane = 0x8000 + titan.index
        decision: Decision = decide(policy, self, titan, lambda: self.open(self.round, lane))
        for roll, limit, rule in decision.chances:
            self.row("chance", roll, limit, rule, actor=titan.index)
        shown = "defend" if decision.choice == "missed" else decision.choice
        self.row("choice", *self.coded(shown), decision.why, decision.rule, actor=titan.index)
        return decision.choice

    def acting_order(self) -> list[Titan]:
        """Who acts first, and who second."""
        dice = self.open(self.round, 0xFFFF)
        rolls = []
        for titan in self.titans:
            speed = titan.now("speed")
            rolls.append(speed * unit(dice))
            self.row("speed", *halves(rolls[-1]), *halves(speed), actor=titan.index)
        first, second = self.titans
        return [second, first] if rolls[1] > rolls[0] else [first, second]

    def act(self, titan: Titan, place: int) -> None:
        """One titan's action."""
        choice = titan.choice
        assert choice is not None
        if self.is_over or not titan.is_legal(choice):
            self.row("skipped", *self.coded(choice), OVER if self.is_over else CANNOT_PAY, actor=titan.index)
            return
        self.row("act", *self.coded(choice), place, actor=titan.index)
        dice = self.open(self.round, titan.index)
        if choice == "attack":
            self.attack(titan, dice)
        elif choice == "rest":
            self.gain_charge(titan, titan, self.options["rest_charge"], REST, scaled=True)
        elif choice != "defend":
            self.use(titan, choice, dice)

    def attack(self, titan: Titan, dice: Dice) -> None:
        """An attack."""
        opponent = self.other(titan)
        if self.hits(titan, dice):
            is_critical = self.is_critical(titan, dice)
            value = titan.now("attack") * (1 + unit(dice))
            effective = 0.0 if self.sudden_death else opponent.now("defense")
            if opponent.choice == "defend":
                effective = effective * (1.5 + 0.5 * unit(dice))
            self.row("attack", *halves(value), *halves(effective), actor=titan.index, target=opponent.index)
            damage = max(0.0, value - effective)
            if is_critical:
                damage = damage * 1.5
            lost = self.damage(titan, damage)
            if self.is_over:
                return
            if lost > 0 and self.options["attack_charge"] > 0:
                self.gain_charge(titan, titan, self.options["attack_charge"], HURT, scaled=True)
        if opponent.choice == "defend":
            self.gain_charge(titan, opponent, self.options["defend_charge"], WHILE_DEFENDING, scaled=False)

    def hits(self, titan: Titan, dice: Dice) -> bool:
        """Whether a blow hits."""
        if not self.options["misses"]:
            return True
        opponent = self.other(titan)
        chance = min(max(0.8 + (titan.now("accuracy") - opponent.now("evasion")) / 100, 0.05), 0.95)
        roll = unit(dice)
        self.row("hit", *halves(roll), *halves(chance), actor=titan.index, target=opponent.index)
        return roll < chance

    def is_critical(self, titan: Titan, dice: Dice) -> bool:
        """Whether a blow that has hit is critical."""
        if not self.options["criticals"]:
            return False
        chance = titan.now("critical") / 100
        roll = unit(dice)
        self.row("critical", *halves(roll), *halves(chance), actor=titan.index, target=1 - titan.index)
        return roll < chance

    def damage(self, titan: Titan, damage: float) -> int:
        """Damage to the opponent; returns the HP that it has lost."""
        opponent = self.other(titan)
        absorbed = min(opponent.shield, damage)
        opponent.shield = opponent.shield - absorbed
        before = opponent.hp
        opponent.hp = half_up(max(0.0, before - (damage - absorbed)))
        self.row("damage", *halves(absorbed), before, opponent.hp, actor=titan.index, target=opponent.index)
        if opponent.hp == 0:
            self.row("fall", actor=titan.index, target=opponent.index)
            self.end("knock_out", titan.index + 1)
        return before - opponent.hp

    def gain_charge(self, titan: Titan, target: Titan, amount: int, source: int, *, scaled: bool) -> None:
        """Charge that a titan brings about, its own or its opponent's."""
        if scaled and amount > 0 and self.options["stamina_charges"]:
            amount = half_up(amount * (1 + target.now("stamina") / 100))
        before = target.charge
        target.charge = min(max(before + amount, 0), 100)
        self.row("charge", before, target.charge, source, actor=titan.index, target=target.index)

    def use(self, titan: Titan, name: str, dice: Dice) -> None:
        """An ability."""
        ability = self.abilities[name]
        titan.charge -= ability["cost"]
        self.row("pay", self.places[name], ability["cost"], titan.charge, actor=titan.index)
        dealt = 0
        for place, effect in enumerate(ability["effects"]):
            if self.is_over:
                return
            dealt += self.apply(titan, effect, self.numbers.get((name, place), -1), dealt, dice)

    def apply(self, titan: Titan, effect: Document, number: int, dealt: int, dice: Dice) -> int:
        """One effect; returns the HP that the opponent has lost to it."""
        concerned = self.other(titan) if effect.get("on") == "opponent" else titan
        match effect["type"]:
            case "damage":
                if not self.hits(titan, dice):
                    return 0
                is_critical = "stat" in effect and self.is_critical(titan, dice)
                amount = self.amount(titan, effect, dealt)
                return self.damage(titan, amount * 1.5 if is_critical else amount)
            case "heal":
                amount = 0.0 if self.sudden_death else self.amount(titan, effect, dealt)
                before = titan.hp
                titan.hp = min(titan.full, half_up(before + amount))
                self.row("heal", *halves(amount), before, titan.hp, actor=titan.index)
            case "shield":
                amount = self.amount(titan, effect, dealt)
                titan.shield = titan.shield + amount
                self.row("shield", *halves(amount), *halves(titan.shield), actor=titan.index)
            case "charge":
                own = concerned is titan
                self.gain_charge(titan, concerned, effect["amount"], BY_ABILITY, scaled=own)
            case "set_charge":
                missing = effect["amount"] - concerned.charge
                self.gain_charge(titan, concerned, missing, BY_ABILITY, scaled=False)
            case "change":
                bearer = titan if effect["on"] == "self" else self.other(titan)
                stat, until = effect["stat"], self.round + effect["rounds"]
                bearer.changes[number] = Change(stat, effect["percent"], until)
                columns = STATS.index(stat), effect["percent"], until, bearer.total(stat)
                self.row("change", *columns, actor=titan.index, target=bearer.index)
            case "cleanse":
                lowering = [each for each, change in titan.changes.items() if change.percent < 0]
                for each in sorted(lowering):
                    self.expire(titan, each, by_time=False)
        return 0

    def amount(self, titan: Titan, effect: Document, dealt: int) -> float:
        """How much an effect comes to."""
        if "stat" in effect:
            return float(effect["times"]) * titan.now(effect["stat"])
        if "dealt" in effect:
            return dealt * int(effect["dealt"]) / 100
        return float(effect["amount"])

    def expire(self, titan: Titan, number: int, *, by_time: bool) -> None:
        """A change ends."""
        change = titan.changes.pop(number)
        columns = STATS.index(change.stat), change.percent, int(by_time), titan.total(change.stat)
        self.row("expire", *columns, target=titan.index)

    def end_round(self) -> None:
        """What becomes of shields and changes, and whether the cap decides."""
        for titan in self.titans:
            titan.shield = 0.0
            for number in sorted(each for each, change in titan.changes.items() if change.until == self.round):
                self.expire(titan, number, by_time=True)
        self.standing("round_end")
        if self.round == self.options["round_cap"]:
            first, second = self.titans
            one, two = first.hp * second.full, second.hp * first.full
            if one == two:
                self.end("cap_equal", 0)
            else:
                self.end("cap_hp", 1 if one > two else 2)

    def learn(self, titan: Titan) -> None:
        """Experience, levels and growth after the duel."""
        levels = self.other(titan).given["level"] - titan.given["level"]
        share = min(max(100 + 10 * levels, 50), 200)
        if self.winner != titan.index + 1:
            gained = (20 * share + 50) // 100
        elif self.reason == REASON["knock_out"]:
            gained = (50 * share * 110 + 5000) // 10000
        else:
            gained = (50 * share + 50) // 100
        level, experience = titan.given["level"], titan.given["experience"] + gained
        reached = []
        while level < 50 and experience >= TO_NEXT_LEVEL[level - 1]:
            experience -= TO_NEXT_LEVEL[level - 1]
            level += 1
            reached.append(level)
        self.row("experience", gained, level, experience, len(reached), actor=titan.index)
        for each in reached:
            dice = self.open(each, 0xFF10 + titan.index)
            for place in range(len(GROWING)):
                roll = dice.below(100)
                points = sum(roll >= bound for bound in (10, 40, 80))
                self.row("growth", place, each, roll, points, actor=titan.index)


def unit(dice: Dice) -> float:
    """Draw a double from 0 up to but not including 1."""
    low = dice.word()
    return ((dice.word() << 32 | low) >> 11) * 2.0**-53
