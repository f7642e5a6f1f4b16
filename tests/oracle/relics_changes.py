"""What can happen to the fighters of relics, and what follows from it, written from its rule book alone.

A change is made at once and returns what is due because of it; whoever made it works that off (`relics_effects.py`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from blake3 import blake3
from tests.oracle import language
from tests.oracle.dice import Dice
from tests.oracle.relics_build import (
    LARGEST,
    QUANTITY,
    STATUSES,
    Document,
    Effect,
    Fighter,
    Modifier,
    Piece,
    clamp,
    codes,
)

KIND = codes("battle fighter piece_worn has step first turn trigger roll attack strike skip modified damage heal", 1)
KIND |= codes("change immune mark unpaid extra_strikes counter countdown cut fall phase_begins turn_end outcome", 16)
SOURCE = codes("strike thorns poison acid riptide regen fatigue stun turn_end phase", 64)
MODIFIER = codes("attack attack_pct damage_dealt damage_dealt_pct damage_taken damage_taken_pct healing healing_pct")
MODIFIER |= codes("armor_gained stacks_given strikes on_hit_runs immune thorns_kept ignores_armor cannot_attack", 8)
PURPOSE = codes("chance target status effect first")
MARK = codes("exposed wounded")

LOWEST = {"hp": -LARGEST, "hp_max": 1, "attack": -999, "temp_attack": -999, "speed": -999}
GROWN = {"armor": ["armor_gained"], "attack": ["attack_gained"], "speed": ["speed_gained"]}
SHRUNK = {"armor": "armor_lost", "speed": "speed_lost", "hp": "hp_lost"}

NAMES = {
    "have_armor": "self.armor > 0",
    "no_armor": "self.armor == 0",
    "enemy_has_armor": "enemy.armor > 0",
    "enemy_no_armor": "enemy.armor == 0",
    "wounded": "self.hp_pct <= 50",
    "enemy_wounded": "enemy.hp_pct <= 50",
    "full_hp": "self.hp_missing == 0",
    "enemy_full_hp": "enemy.hp_missing == 0",
    "faster": "self.faster",
    "slower": "enemy.faster",
    "first_strike": "strike == 1",
    "self_hp_below_N": "self.hp_pct < N",
    "enemy_hp_below_N": "enemy.hp_pct < N",
    "self_has_X": "self.X > 0",
    "self_lacks_X": "self.X == 0",
    "enemy_has_X": "enemy.X > 0",
    "enemy_lacks_X": "enemy.X == 0",
    "turn_gte_N": "turn >= N",
    "payload_gte_N": "payload >= N",
}


@dataclass(frozen=True)
class Due:
    """Something that has happened to a fighter, so that effects of one of its triggers come up."""

    fighter: Fighter
    trigger: str
    payload: int = 0
    of: str = ""


@dataclass(frozen=True)
class Doer:
    """Who changes something: a piece of a fighter, or a rule with nobody behind it; and whether all of it is marked."""

    fighter: Fighter | None
    source: int
    piece: Piece | None = None
    marked: bool = False


class Situation(language.Situation):
    """What a fighter's piece sees."""

    def __init__(self, battle: Changes, owner: Fighter, piece: Piece, payload: int) -> None:
        self.groups = {}
        self.battle, self.owner, self.piece, self.payload = battle, owner, piece, payload

    def number(self, fact: str) -> language.Number:
        """Answer a fact that is a number."""
        match fact.split("."):
            case ["self" | "enemy" as whose, name]:
                return (self.owner if whose == "self" else self.battle.other(self.owner)).number_of(name)
            case ["tags", tag]:
                return len(self.owner.tagged(tag))
        return {
            "turn": self.battle.turn,
            "strike": self.battle.strikes,
            "payload": self.payload,
            "counter": self.piece.counter,
        }[fact]

    def flag(self, fact: str) -> bool | None:
        """Answer a fact that stands alone."""
        match fact.split("."):
            case ["self" | "enemy" as whose, name]:
                one = self.owner if whose == "self" else self.battle.other(self.owner)
                other = self.battle.other(one)
                faster = one.quantity["speed"] > other.quantity["speed"]
                answers = {"struck": one.struck, "was_exposed": one.exposed, "was_wounded": one.wounded}
                return (answers | {"faster": faster})[name]
            case ["first_turn"]:
                return self.owner.own_turn == 1
            case ["is_own_turn"]:
                return self.battle.active is self.owner
        return None

    def named(self, name: str) -> str | bool | None:
        """Give what a name means."""
        if name in ("even_turn", "odd_turn"):
            return self.owner.own_turn % 2 == (name == "odd_turn")
        return language.filled_in(name, NAMES, {"N": r"\d+", "X": "|".join(self.battle.statuses)})


class Changes(ABC):
    """A battle as it stands, its rows, its dice, and everything that changes it."""

    def __init__(self, document: Document, stream: int) -> None:
        self.options: Document = document["options"]
        self.key, self.stream = blake3(document["seed"].encode()).digest(), stream
        self.rows: list[list[int]] = []
        own = [document["statuses"][name] for name in sorted(document.get("statuses") or {})]
        self.statuses = (*STATUSES, *(entry["id"] for entry in own))
        self.codes = QUANTITY | {entry["id"]: code for code, entry in enumerate(own, 13)}
        sides = enumerate(("left", "right"))
        self.fighters = [Fighter(number, document[side], self.options, own) for number, side in sides]
        self.turn = self.strikes = 0
        self.active: Fighter | None = None
        self.address: tuple[int, int] = (0, 0)
        self.opened: dict[tuple[int, int], Dice] = {}
        self.striking = self.thresholds_wait = False

    @abstractmethod
    def work_off(self, due: list[Due], depth: int = 1, marked: bool = False) -> None:
        """Work off what is due."""

    def other(self, fighter: Fighter) -> Fighter:
        """Give the enemy."""
        return self.fighters[1 - fighter.number]

    def row(self, kind: str, actor: Fighter | None, target: Fighter | None, *columns: int) -> None:
        """Write what has happened."""
        who = [-1 if one is None else one.number for one in (actor, target)]
        self.rows.append([self.turn, KIND[kind], *who, *columns, *[0] * (4 - len(columns))])

    # Dice.

    def roll(self, purpose: str, fighter: Fighter | None, against: int, source: int) -> int:
        """Draw a chance or one of some candidates, and write it down."""
        tick, lane = self.address
        dice = self.opened.setdefault(self.address, Dice(self.key, self.stream, tick, lane))
        result = dice.d100() if purpose == "chance" else dice.below(against)
        self.row("roll", fighter, None, PURPOSE[purpose], result, against, source)
        return result

    def succeeds(self, chance: int | None, fighter: Fighter, source: int) -> bool:
        """Try a chance; what is certain draws nothing."""
        if chance is None or chance in (0, 100):
            return chance != 0
        return self.roll("chance", fighter, chance, source) <= chance

    # Modifiers and amounts.

    def holding(self, fighter: Fighter, name: str, status: str = "", doer: Doer | None = None) -> list[Modifier]:
        """List the modifiers of a kind that hold now; some only for what certain pieces or rules do."""
        return [
            modifier
            for modifier in fighter.modifiers
            if modifier.data["modifier"] == name
            and (modifier.data.get("status") or "") == status
            and fighter.has_phase(modifier)
            and fighter.wakes(modifier)
            and self.is_about(modifier.data, doer)
            and self.holds(modifier.data, fighter, modifier.piece, 0)
        ]

    def holds(self, data: Document, owner: Fighter, piece: Piece, payload: int) -> bool:
        """Answer the condition of an effect, an op or a modifier; none is true."""
        when = data.get("if")
        if when is None or (isinstance(when, str) and not when.strip()):
            return True
        return Situation(self, owner, piece, payload).holds(when)

    def is_about(self, data: Document, doer: Doer | None) -> bool:
        """Tell whether a modifier counts for what somebody does."""
        tag, source = data.get("tag"), data.get("source")
        if tag is None and source is None:
            return True
        assert doer is not None
        piece = doer.piece
        if doer.source == SOURCE["strike"]:
            assert doer.fighter is not None
            piece = next((each for each in doer.fighter.pieces if each.place == "weapon"), None)
        by = next((name for name, number in SOURCE.items() if number == doer.source), "pieces")
        if tag is not None and (piece is None or tag not in (piece.data.get("tags") or ())):
            return False
        return source in (None, by)

    def summed(self, fighter: Fighter, name: str, status: str = "", doer: Doer | None = None) -> int:
        """Add up the modifiers of a kind."""
        total = 0
        for modifier in self.holding(fighter, name, status, doer):
            percent = modifier.data.get("percent")
            if percent is not None:
                total += percent
            else:
                total += self.counted(modifier.data["amount"], fighter, modifier.piece, 0, -LARGEST)
        return clamp(total, -LARGEST, LARGEST)

    def counted(self, amount: int | Document, owner: Fighter, piece: Piece, payload: int, least: int = 0) -> int:
        """Find an amount that is a number or counted."""
        if isinstance(amount, int):
            return amount
        fact = int(Situation(self, owner, piece, payload).number(amount["of"]))
        return clamp(fact * amount["times"] // amount["per"], least, LARGEST)

    def modify(self, doer: Doer, target: Fighter, fighter: Fighter, names: tuple[str, str], before: int) -> int:
        """Let a flat modifier and then its per cent change a number."""
        for name in names:
            total = self.summed(fighter, name, doer=doer)
            if total:
                after = before * (100 + max(-100, total)) // 100 if name.endswith("_pct") else before + total
                after = clamp(after, 0, LARGEST)
                self.row("modified", None, target, MODIFIER[name], total, before, after)
                before = after
        return before

    # Changes: each is made at once, and returns what is due.

    def write(self, doer: Doer, target: Fighter, name: str, value: int) -> int:
        """Write a quantity within its bounds, and a row if that changes it; by how much it really did."""
        before = target.quantity[name]
        after = clamp(value, LOWEST.get(name, 0), LARGEST)
        target.quantity[name] = after
        if after != before:
            self.row("change", doer.fighter, target, self.codes[name], after - before, after, doer.source)
        return after - before

    def growth(self, doer: Doer, target: Fighter, name: str, by: int, verb_gain: bool = False) -> list[Due]:
        """Let a quantity grow."""
        if by <= 0:
            return []
        if name == "health":
            grown = self.write(doer, target, "hp_max", target.quantity["hp_max"] + by)
            self.write(doer, target, "hp", target.quantity["hp"] + grown)
            return []
        if name in self.statuses and self.holding(target, "immune", name):
            self.row("immune", doer.fighter, target, self.codes[name], by, doer.source)
            return []
        if verb_gain:
            by = self.more_gained(doer, target, name, by)
            if by <= 0:
                return []
        grown = self.write(doer, target, name, target.quantity[name] + by)
        if grown == 0:
            return []
        if name not in self.statuses:
            return [Due(target, trigger, grown) for trigger in GROWN.get(name, ())]
        due = [Due(target, "status_gained", grown, name)]
        if name == "thorns":
            due.append(Due(target, "thorns_gained", grown))
        return [*due, Due(self.other(target), "enemy_status_gained", grown, name)]

    def more_gained(self, doer: Doer, target: Fighter, name: str, by: int) -> int:
        """Let modifiers change what an op of the verb gain gives."""
        if name == "armor":
            kind, total = "armor_gained", self.summed(target, "armor_gained", doer=doer)
        elif name in self.statuses and doer.fighter is not None:
            kind, total = "stacks_given", self.summed(doer.fighter, "stacks_given", name, doer)
        else:
            return by
        if total:
            after = clamp(by + total, 0, LARGEST)
            self.row("modified", None, target, MODIFIER[kind], total, by, after)
            by = after
        return by

    def loss(self, doer: Doer, target: Fighter, name: str, by: int) -> list[Due]:
        """Let a quantity shrink."""
        if by <= 0:
            return []
        if name == "health":
            self.write(doer, target, "hp_max", target.quantity["hp_max"] - by)
            return self.loss(doer, target, "hp", target.quantity["hp"] - target.quantity["hp_max"])
        before = target.quantity[name]
        lost = -self.write(doer, target, name, before - by)
        if lost == 0:
            return []
        if name in self.statuses:
            return [Due(target, "status_lost", lost, name)]
        due = [Due(target, SHRUNK[name], lost)] if name in SHRUNK else []
        armor_lost, hp_lost = (lost, 0) if name == "armor" else (0, lost if name == "hp" else 0)
        return due + self.thresholds(target, armor_lost, hp_lost)

    def packet(
        self, doer: Doer, target: Fighter, points: int, armor_first: bool = True, active: bool = True
    ) -> tuple[int, int, list[Due]]:
        """Let damage meet ARMOR and HP; `active` damage is a strike's or an op's. What was absorbed, lost, is due."""
        points = clamp(points, 0, LARGEST)
        from_enemy = doer.fighter is self.other(target)
        if from_enemy and active:
            points = self.modify(doer, target, self.other(target), ("damage_dealt", "damage_dealt_pct"), points)
        points = self.modify(doer, target, target, ("damage_taken", "damage_taken_pct"), points)
        quantity = target.quantity
        absorbed = min(quantity["armor"], points) if armor_first else 0
        lost = points - absorbed
        quantity["armor"] -= absorbed
        quantity["hp"] = max(quantity["hp"] - lost, -LARGEST)
        self.row("damage", doer.fighter, target, doer.source, absorbed, lost, quantity["hp"])
        due = [Due(target, "armor_lost", absorbed)] if absorbed else []
        due += [Due(target, "hp_lost", lost)] if lost else []
        if from_enemy and absorbed + lost and not doer.marked:
            due.append(Due(target, "on_damaged", absorbed + lost))
        if from_enemy and absorbed + lost and doer.source != SOURCE["strike"]:
            due.append(Due(self.other(target), "damage_outside_strikes", absorbed + lost))
        return absorbed, lost, due + self.thresholds(target, absorbed, lost)

    def heal(self, doer: Doer, target: Fighter, points: int, modified: bool = True) -> tuple[int, list[Due]]:
        """Let HP come back; how many, and what is due."""
        if points <= 0:
            return 0, []
        if modified:
            points = self.modify(doer, target, target, ("healing", "healing_pct"), points)
            if points == 0:
                return 0, []
        quantity = target.quantity
        healed = min(points, max(0, quantity["hp_max"] - quantity["hp"]))
        excess = points - healed
        quantity["hp"] += healed
        self.row("heal", doer.fighter, target, doer.source, healed, excess, quantity["hp"])
        due = [Due(target, "on_heal", healed)] if healed else []
        return healed, due + ([Due(target, "on_overheal", excess)] if excess else [])

    def thresholds(self, target: Fighter, armor_lost: int, hp_lost: int) -> list[Due]:
        """Mark who becomes Exposed or Wounded, and who was hurt in a strike; what is due, if it does not wait."""
        if self.striking and armor_lost + hp_lost:
            target.struck = True
        crossed: set[str] = set()
        if armor_lost and target.quantity["armor"] == 0 and not target.exposed:
            target.exposed = True
            crossed.add("exposed")
        if hp_lost and 2 * target.quantity["hp"] <= target.quantity["hp_max"] and not target.wounded:
            target.wounded = True
            crossed.add("wounded")
        for name in sorted(crossed):
            self.row("mark", None, target, MARK[name])
        if self.thresholds_wait:
            target.crossed |= crossed
            return []
        return self.of_thresholds(target, crossed)

    def of_thresholds(self, target: Fighter, crossed: set[str]) -> list[Due]:
        """List what answers the thresholds that a fighter crossed."""
        names = [name for name in ("exposed", "wounded") if name in crossed]
        own = [Due(target, name) for name in names]
        return own + [Due(self.other(target), f"enemy_{name}") for name in names]


def running(effect: Effect) -> bool:
    """Tell whether a countdown has turns to go."""
    return effect.trigger == "countdown" and effect.to_go > 0
