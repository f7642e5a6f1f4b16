"""The players of titans' second implementation: rules, chance, tables, lists and the greedy one."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tests.oracle import language
from tests.oracle.dice import Dice

if TYPE_CHECKING:
    from tests.oracle.titans import Duel, Titan

Document = dict[str, Any]

A_RULE, NOTHING_ELSE, AT_RANDOM, BEST, BY_TABLE, SUBMITTED, TOO_LATE, UNPAYABLE = range(8)
FAMILIES = {
    "self_hp_below_N": "self.hp_pct < N",
    "self_hp_above_N": "self.hp_pct > N",
    "enemy_hp_below_N": "enemy.hp_pct < N",
    "enemy_hp_above_N": "enemy.hp_pct > N",
    "self_charge_gte_N": "self.charge >= N",
    "self_charge_lte_N": "self.charge <= N",
    "enemy_charge_gte_N": "enemy.charge >= N",
    "enemy_charge_lte_N": "enemy.charge <= N",
    "self_is_ready": "self.ready",
    "enemy_is_ready": "enemy.ready",
    "round_gte_N": "round >= N",
}


@dataclass
class Decision:
    """A choice, why it was made, the place of the rule that made it, and the rolls that came before it."""

    choice: str
    why: int
    rule: int = -1
    chances: list[tuple[int, int, int]] = field(default_factory=list)


def decide(policy: Any, duel: Duel, titan: Titan, opened: Callable[[], Dice]) -> Decision:
    """What a policy chooses."""
    match policy:
        case "random":
            choices = legal(titan, ("attack", "defend", "rest"))
            roll = opened().below(len(choices))
            return Decision(choices[roll], AT_RANDOM, chances=[(roll, len(choices), -1)])
        case "greedy":
            return Decision(greedy(duel, titan), BEST)
        case {"rules": rules}:
            return by_rules(rules, duel, titan, opened)
        case {"solved": table}:
            return by_table(table, duel, titan, opened)
        case {"choices": choices}:
            return submitted(choices, duel, titan)
    raise ValueError(f"not a policy: {policy!r}")


def legal(titan: Titan, first: tuple[str, ...], last: tuple[str, ...] = ()) -> list[str]:
    """The legal choices, the abilities by their places between the others."""
    return [choice for choice in (*first, *titan.given["abilities"], *last) if titan.is_legal(choice)]


def submitted(choices: list[str], duel: Duel, titan: Titan) -> Decision:
    """What the list says for this round."""
    if duel.round > len(choices):
        return Decision("attack", NOTHING_ELSE)
    choice = choices[duel.round - 1]
    if choice == "missed":
        return Decision(choice, TOO_LATE)
    return Decision(choice, SUBMITTED) if titan.is_legal(choice) else Decision("attack", UNPAYABLE)


def by_rules(rules: list[Document], duel: Duel, titan: Titan, opened: Callable[[], Dice]) -> Decision:
    """The first rule that holds, and that its chance does not keep back."""
    situation = Situation(duel, titan)
    chances: list[tuple[int, int, int]] = []
    dice: Dice | None = None
    for place, rule in enumerate(rules):
        choice = rule["do"]
        if choice == "ability":
            choice = next((each for each in titan.given["abilities"] if titan.is_legal(each)), "")
        if not titan.is_legal(choice) or not situation.holds(rule.get("when") or "always"):
            continue
        if rule["chance"] < 100:
            dice = dice or opened()
            chances.append((dice.d100(), rule["chance"], place))
            if chances[-1][0] > rule["chance"]:
                continue
        return Decision(choice, A_RULE, place, chances)
    return Decision("attack", NOTHING_ELSE, -1, chances)


def by_table(table: Document, duel: Duel, titan: Titan, opened: Callable[[], Dice]) -> Decision:
    """The mix of the cell that the player sees."""
    enemy = duel.other(titan)
    i = (titan.hp * table["own_hp"] + titan.full - 1) // titan.full - 1
    j = (enemy.hp * table["enemy_hp"] + enemy.full - 1) // enemy.full - 1
    k = titan.charge * table["own_charge"] // 101
    m = enemy.charge * table["enemy_charge"] // 101
    cell = ((i * table["enemy_hp"] + j) * table["own_charge"] + k) * table["enemy_charge"] + m
    names = table["choices"]
    weights = base64.b64decode(table["weights"])[cell * len(names) : (cell + 1) * len(names)]
    choices = [choice for choice in legal(titan, ("attack", "defend", "rest")) if choice in names]
    own = [weights[names.index(choice)] for choice in choices]
    if sum(own) == 0:
        return Decision("attack", NOTHING_ELSE)
    roll = opened().below(sum(own))
    place = next(at for at in range(len(own)) if sum(own[: at + 1]) > roll)
    return Decision(choices[place], BY_TABLE, chances=[(roll, sum(own), -1)])


class Situation(language.Situation):
    """What a player sees."""

    def __init__(self, duel: Duel, titan: Titan) -> None:
        self.duel, self.sides = duel, {"self": titan, "enemy": duel.other(titan)}
        self.groups = {}

    def number(self, fact: str) -> language.Number:
        """Answer a fact that is compared."""
        if fact == "round":
            return self.duel.round
        side, _, name = fact.partition(".")
        titan = self.sides[side]
        match name:
            case "hp":
                return titan.hp
            case "charge":
                return titan.charge
            case "hp_pct":
                return Fraction(100 * titan.hp, titan.full)
        return Fraction(titan.hundredfold(name), 100)

    def flag(self, fact: str) -> bool | None:
        """Answer a fact that stands alone."""
        if fact == "sudden_death":
            return self.duel.sudden_death
        side, _, name = fact.partition(".")
        if side not in self.sides:
            return None
        titan = self.sides[side]
        match name:
            case "ready":
                return any(titan.is_legal(each) for each in titan.given["abilities"])
            case "buffed":
                return any(change.percent > 0 for change in titan.changes.values())
            case "debuffed":
                return any(change.percent < 0 for change in titan.changes.values())
            case "used_ability":
                return titan.last not in (None, "attack", "defend", "rest")
        return titan.last == {"attacked": "attack", "defended": "defend", "rested": "rest"}[name]

    def named(self, name: str) -> str | bool | None:
        """Give what a name means."""
        every = re.fullmatch(r"every_(\d+)_rounds", name)
        if every:
            return self.duel.round % int(every[1]) == 0
        return language.filled_in(name, FAMILIES, {"N": r"\d+"})


def greedy(duel: Duel, titan: Titan) -> str:
    """The choice with the highest worth, if the opponent attacks."""
    choices = legal(titan, ("attack",), ("defend", "rest"))
    worths = [worth(duel, titan, choice) for choice in choices]
    return choices[worths.index(max(worths))]


def worth(duel: Duel, titan: Titan, choice: str) -> float:
    """The own HP expected less the opponent's."""
    a, b = titan.now("speed"), duel.other(titan).now("speed")
    if a == 0 and b == 0:
        p = 1.0 if titan.index == 0 else 0.0
    elif a >= b:
        p = 1 - b / (2 * a)
    else:
        p = a / (2 * b)
    first, second = Outlook(duel, titan, choice), Outlook(duel, titan, choice)
    first.choose()
    if first.hp[1] > 0:
        first.suffer()
    second.suffer()
    if second.hp[0] > 0:
        second.choose()
    return p * (first.hp[0] - first.hp[1]) + (1 - p) * (second.hp[0] - second.hp[1])


class Outlook:
    """One order of one round, at its means: index 0 is the player's titan, 1 its opponent."""

    def __init__(self, duel: Duel, titan: Titan, choice: str) -> None:
        self.duel, self.choice = duel, choice
        self.titans = (titan, duel.other(titan))
        self.hp = [float(each.hp) for each in self.titans]
        self.shield = [0.0, 0.0]
        self.stats = [{stat: each.now(stat) for stat in ("attack", "defense")} for each in self.titans]

    def stat(self, who: int, stat: str) -> float:
        """A stat as it is in this outlook."""
        return self.stats[who][stat] if stat in self.stats[who] else self.titans[who].now(stat)

    def suffer(self) -> None:
        """The opponent's attack."""
        self.attack(1, defending=self.choice == "defend")

    def choose(self) -> None:
        """The own choice."""
        if self.choice == "attack":
            self.attack(0, defending=False)
        elif self.choice not in ("defend", "rest"):
            self.use(self.duel.abilities[self.choice])

    def attack(self, who: int, *, defending: bool) -> None:
        """An attack at its mean."""
        attack = self.stats[who]["attack"]
        defense = 0.0 if self.duel.sudden_death else self.stats[1 - who]["defense"]
        mean = against_defender if defending else against
        self.blow(who, mean(attack, defense), grows=True)

    def blow(self, who: int, damage: float, *, grows: bool) -> None:
        """Damage at its mean."""
        striker, struck = self.titans[who], self.titans[1 - who]
        if self.duel.options["misses"]:
            chance = 0.8 + (striker.now("accuracy") - struck.now("evasion")) / 100
            damage = damage * min(max(chance, 0.05), 0.95)
        if self.duel.options["criticals"] and grows:
            damage = damage * (1 + 0.5 * min(striker.now("critical") / 100, 1.0))
        absorbed = min(self.shield[1 - who], damage)
        self.shield[1 - who] = self.shield[1 - who] - absorbed
        self.hp[1 - who] = max(0.0, self.hp[1 - who] - (damage - absorbed))

    def use(self, ability: Document) -> None:
        """An ability at its means."""
        lost = 0.0
        for place, effect in enumerate(ability["effects"]):
            if self.hp[1] <= 0:
                return
            before = self.hp[1]
            self.apply(ability["id"], place, effect, lost)
            if effect["type"] == "damage":
                lost += before - self.hp[1]

    def apply(self, name: str, place: int, effect: Document, lost: float) -> None:
        """One effect."""
        match effect["type"]:
            case "damage":
                self.blow(0, self.amount(effect, lost), grows="stat" in effect)
            case "heal":
                amount = 0.0 if self.duel.sudden_death else self.amount(effect, lost)
                self.hp[0] = min(float(self.titans[0].full), self.hp[0] + amount)
            case "shield":
                self.shield[0] = self.shield[0] + self.amount(effect, lost)
            case "change":
                who = 0 if effect["on"] == "self" else 1
                bearer, stat = self.titans[who], effect["stat"]
                if self.duel.numbers[name, place] not in bearer.changes and stat in self.stats[who]:
                    total = bearer.total(stat) + effect["percent"]
                    self.stats[who][stat] = bearer.given[stat] * (100 + max(total, -90)) / 100
            case "cleanse":
                for stat in self.stats[0]:
                    total = sum(raised(self.titans[0], stat))
                    self.stats[0][stat] = self.titans[0].given[stat] * (100 + max(total, -90)) / 100

    def amount(self, effect: Document, lost: float) -> float:
        """How much an effect comes to."""
        if "stat" in effect:
            return float(effect["times"]) * self.stat(0, effect["stat"])
        if "dealt" in effect:
            return lost * int(effect["dealt"]) / 100
        return float(effect["amount"])


def raised(titan: Titan, stat: str) -> Iterator[int]:
    """The percentages of the changes that raise a stat."""
    return (change.percent for change in titan.changes.values() if change.stat == stat and change.percent > 0)


def against(attack: float, defense: float) -> float:
    """The mean damage of an attack."""
    if defense <= attack:
        return 1.5 * attack - defense
    if defense < 2 * attack:
        m = 2 * attack - defense
        return m * m / (2 * attack)
    return 0.0


def against_defender(attack: float, defense: float) -> float:
    """The mean damage of an attack on somebody who defends."""
    if defense == 0:
        return against(attack, defense)
    return (inner(attack, 1.5 * defense) - inner(attack, 2 * defense)) / (0.5 * defense)


def inner(a: float, d: float) -> float:
    """The integral of the mean damage from a defense on."""
    if d >= 2 * a:
        return 0.0
    if d >= a:
        m = 2 * a - d
        return m * m * m / (6 * a)
    return a * a / 6 + (1.5 * a * (a - d) - (a * a - d * d) / 2)
