"""A second implementation of squads, written from its rule book alone.

Everything here follows `src/fracas/rulesets/squads/README.md` and the dice of the core specification, sentence by
sentence, in plain and slow Python. It shares no code with the engine, so where both agree, two readers understood the
same text. `play` takes a resolved battle document and returns the event rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from blake3 import blake3

Document = dict[str, Any]

LARGEST = 10**9
TABLE_LANE = 0xFFFF

ROW_KINDS = (
    "battle round initiative stunned choice target power roll stage hit charge fall heal shield effect suffer expire "
    "outcome"
)
KIND = {name: number for number, name in enumerate(ROW_KINDS.split(), start=1)}
STAGE = {
    name: number
    for number, name in enumerate(
        "formation formation_exclusive class_advantage critical environment defense minimum fatigue scale add cap".split()
    )
}
EFFECT = {
    name: number
    for number, name in enumerate("damage heal shield attack_up attack_down taunt stun damage_over_time".split())
}
SELECTOR = {
    "priority": 1,
    "lowest_hp": 2,
    "highest_hp": 3,
    "highest_threat": 4,
    "fastest": 5,
    "random": 6,
    "lowest_hp_ally": 7,
    "self": 8,
    "warriors": 16,
    "rangers": 17,
    "mages": 18,
    "healers": 19,
    "tanks": 20,
}
BEATS = {"warrior": "ranger", "ranger": "mage", "mage": "warrior"}

NOT_CONSIDERED, UNCONFIGURED, HOLDS, SOMEONE_HURT, REFUSED_BUT_HURT = 0, 1, 2, 3, 4
NOT_CHARGED, COOLING_DOWN, DOES_NOT_HOLD, NOBODY_HURT = 5, 6, 7, 8
APPLIED, WEAKER, ALREADY_STUNNED, JUST_LOST = 0, 1, 2, 3
WIPED_OUT, CAP_HP, CAP_EQUAL, BOTH_WIPED_OUT = 1, 2, 3, 4


def clamp(value: int) -> int:
    """Keep a value within the bounds that hold after every step."""
    return max(0, min(value, LARGEST))


# --- Dice --------------------------------------------------------------------------------------------------------


def chacha8(key: bytes, counter: int, stream: int) -> list[int]:
    """Compute one block of sixteen words: four double rounds over constants, key, counter and stream."""

    def quarter(a: int, b: int, c: int, d: int) -> None:
        for into, other, turned, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[into] = (state[into] + state[other]) & 0xFFFFFFFF
            mixed = state[turned] ^ state[into]
            state[turned] = (mixed << by | mixed >> (32 - by)) & 0xFFFFFFFF

    block = b"expand 32-byte k" + key + counter.to_bytes(8, "little") + stream.to_bytes(8, "little")
    start = [int.from_bytes(block[at : at + 4], "little") for at in range(0, 64, 4)]
    state = list(start)
    for _ in range(4):
        for column in range(4):
            quarter(column, column + 4, column + 8, column + 12)
        for column in range(4):
            quarter(column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4)
    return [(after + before) & 0xFFFFFFFF for after, before in zip(state, start, strict=True)]


class Dice:
    """The words of one address, used in order; after sixteen of them the block number grows."""

    def __init__(self, key: bytes, stream: int, tick: int, lane: int) -> None:
        self.key, self.stream = key, stream
        self.counter = tick << 32 | lane << 16
        self.words: list[int] = []

    def word(self) -> int:
        """Draw 32 bits."""
        if not self.words:
            self.words = chacha8(self.key, self.counter, self.stream)
            self.counter += 1
        return self.words.pop(0)

    def below(self, n: int) -> int:
        """Draw from 0 to n - 1, rejecting what would make some results likelier."""
        product = self.word() * n
        while (product & 0xFFFFFFFF) < (2**32 - n) % n:
            product = self.word() * n
        return product >> 32

    def d100(self) -> int:
        """Draw from 1 to 100."""
        return 1 + self.below(100)


# --- Units and sides ---------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Side:
    """Units in order, and what the strategy says about all of them together."""

    units: list[Unit]
    formation: dict[str, int]
    priority: list[str]

    def living(self) -> list[Unit]:
        """List the living units in index order."""
        return [unit for unit in self.units if unit.hp > 0]

    def hp(self) -> int:
        """Add up what HP the living have left."""
        return sum(unit.hp for unit in self.living())


@dataclass(eq=False)
class Ability:
    """A class ability, an ultimate or the basic attack, as one side's strategy configures it."""

    number: int
    reach: str
    cooldown: int
    effects: list[Document]
    condition: Condition | None
    selector: str | None

    @property
    def heals(self) -> bool:
        """Tell whether there is a heal among the effects."""
        return any(effect["type"] == "heal" for effect in self.effects)


@dataclass(eq=False)
class Unit:
    """One fighter: what it was given, and what changes."""

    index: int
    unit_class: str
    max_hp: int
    attack: int
    defense: int
    speed: int
    environment: dict[str, int]
    class_ability: Ability
    ultimate: Ability
    basic: Ability
    hp: int = 0
    charge: int = 0
    cooldown: int = 0
    ultimate_cooldown: int = 0
    shield: int = 0
    up: int = 0
    down: int = 0
    ends: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("shield", "attack_up", "attack_down", "taunt"), 0))
    stunned: bool = False
    just_lost: bool = False
    dot_amount: int = 0
    dot_strikes: int = 0
    dot_source: int = -1

    @property
    def threat(self) -> int:
        """Attack as changed by attack up and down."""
        return self.attack * (100 + self.up - self.down) // 100

    @property
    def taunting(self) -> bool:
        """Tell whether a taunt holds."""
        return self.ends["taunt"] > 0

    def status(self, name: str) -> bool:
        """Answer one of the facts that stand alone."""
        if name == "buffed":
            return self.shield > 0 or self.up > 0 or self.taunting
        if name == "debuffed":
            return self.down > 0 or self.stunned or self.dot_strikes > 0
        plain = {
            "shielded": self.shield > 0,
            "attack_up": self.up > 0,
            "attack_down": self.down > 0,
            "taunting": self.taunting,
            "stunned": self.stunned,
            "damage_over_time": self.dot_strikes > 0,
        }
        return plain[name] if name in plain else self.unit_class == name


def lowest_share(units: list[Unit]) -> Unit:
    """Find the lowest share of HP by cross-multiplication, the first of equals."""
    best = units[0]
    for unit in units[1:]:
        if unit.hp * best.max_hp < best.hp * unit.max_hp:
            best = unit
    return best


def highest_share(units: list[Unit]) -> Unit:
    """Find the highest share of HP, likewise."""
    best = units[0]
    for unit in units[1:]:
        if unit.hp * best.max_hp > best.hp * unit.max_hp:
            best = unit
    return best


# --- Conditions --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """What a deciding unit sees: itself, the living of both sides, and the round."""

    unit: Unit
    allies: list[Unit]
    enemies: list[Unit]
    round: int


Condition = Callable[[View, bool], bool]
"""A compiled condition: the view, and whether an unknown name here counts as true (an even number of `not`)."""

STATUSES = frozenset(
    "buffed debuffed shielded attack_up attack_down taunting stunned damage_over_time warrior ranger mage healer tank".split()
)
FAMILIES = {
    "ally_hp_below_N": "allies.any(hp_pct < N)",
    "self_hp_below_N": "self.hp_pct < N",
    "self_hp_above_N": "self.hp_pct > N",
    "enemy_hp_below_N": "enemies.any(hp_pct < N)",
    "enemy_count_gte_N": "enemies.count >= N",
    "enemy_count_lte_N": "enemies.count <= N",
    "ally_count_gte_N": "allies.count >= N",
    "ally_count_lte_N": "allies.count <= N",
    "round_gte_N": "round >= N",
    "no_allies_have_buff": "not allies.any(buffed)",
    "self_has_buff": "self.buffed",
    "any_enemy_has_buff": "enemies.any(buffed)",
    "self_is_debuffed": "self.debuffed",
    "self_charge_gte_N": "self.charge >= N",
    "any_enemy_charge_gte_N": "enemies.any(charge >= N)",
}
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
LIMITS = {"round": 10**6, "self.cooldown": 1000, "allies.count": 8, "enemies.count": 8}
"""What a fact may be compared with; every other number is a percentage or a charge, up to 100."""


def member_number(unit: Unit, name: str) -> tuple[int, int]:
    """Give a number of one unit as numerator and denominator."""
    return (100 * unit.hp, unit.max_hp) if name == "hp_pct" else (unit.charge, 1)


def fact_number(view: View, name: str) -> tuple[int, int]:
    """Give a number of the situation as numerator and denominator."""
    if name == "round":
        return view.round, 1
    owner, what = name.split(".")
    if owner == "self":
        return (view.unit.cooldown, 1) if what == "cooldown" else member_number(view.unit, what)
    group = view.allies if owner == "allies" else view.enemies
    if what == "count":
        return len(group), 1
    return member_number(lowest_share(group) if what == "lowest_hp_pct" else highest_share(group), "hp_pct")


NUMBERS = frozenset({"round", "self.hp_pct", "self.charge", "self.cooldown"}) | {
    f"{group}.{what}" for group in ("allies", "enemies") for what in ("count", "lowest_hp_pct", "highest_hp_pct")
}


class Parser:
    """Reads the text of a condition; `not` binds closest, then `and`, then `or`."""

    def __init__(self, text: str) -> None:
        self.tokens = re.findall(r"[A-Za-z_][\w.]*|\d+|[<>=!]=|\S", text)

    def peek(self) -> str:
        """Look at the next token, "" at the end."""
        return self.tokens[0] if self.tokens else ""

    def take(self, wanted: str = "") -> str:
        """Take the next token, which must be the wanted one if one is named."""
        token = self.peek()
        if not token or (wanted and token != wanted):
            raise ValueError(f"expected {wanted or 'more'}, found {token or 'the end'}")
        return self.tokens.pop(0)

    def whole(self) -> Condition:
        """Read a condition up to its end."""
        test = self.either()
        if self.tokens:
            raise ValueError(f"did not expect {self.peek()}")
        return test

    def either(self) -> Condition:
        """Read terms joined by `or`."""
        terms = [self.both()]
        while self.peek() == "or":
            self.take()
            terms.append(self.both())
        return any_of(terms)

    def both(self) -> Condition:
        """Read terms joined by `and`."""
        terms = [self.term()]
        while self.peek() == "and":
            self.take()
            terms.append(self.term())
        return all_of(terms)

    def term(self) -> Condition:
        """Read a negation, a parenthesis, a group, a comparison, a fact or a name."""
        token = self.take()
        if token == "not":
            return negation(self.term())
        if token == "(":
            inner = self.either()
            self.take(")")
            return inner
        group, _, what = token.partition(".")
        if group in ("allies", "enemies") and what in ("any", "all", "count") and self.peek() == "(":
            return self.group(group, what)
        if token in NUMBERS:
            compare, bound = self.comparison(LIMITS.get(token, 100))
            return lambda view, _: compare(fact_number(view, token)[0], bound * fact_number(view, token)[1])
        if group == "self" and what in STATUSES:
            return lambda view, _: view.unit.status(what)
        if what or not re.match(r"[A-Za-z_]", token):
            raise ValueError(f"unknown fact {token}")
        return named(token)

    def comparison(self, limit: int) -> tuple[Callable[[int, int], bool], int]:
        """Read a comparison sign and a whole number within the limit."""
        sign, bound = self.take(), self.take()
        if sign not in COMPARISONS or not bound.isdecimal() or int(bound) > limit:
            raise ValueError(f"bad comparison {sign} {bound}")
        return COMPARISONS[sign], int(bound)

    def group(self, group: str, what: str) -> Condition:
        """Read `any`, `all` or `count` over the living of a side."""
        self.take("(")
        name = self.take()
        if name in ("hp_pct", "charge"):
            sign, bound = self.comparison(100)
        elif name in STATUSES:
            sign, bound = COMPARISONS["=="], 1
        else:
            raise ValueError(f"unknown fact {name} in a group")
        self.take(")")

        def answers(view: View) -> list[bool]:
            found = []
            for unit in view.allies if group == "allies" else view.enemies:
                value, scale = (int(unit.status(name)), 1) if name in STATUSES else member_number(unit, name)
                found.append(sign(value, bound * scale))
            return found

        if what == "count":
            compare, number = self.comparison(8)
            return lambda view, _: compare(sum(answers(view)), number)
        return lambda view, _: any(answers(view)) if what == "any" else all(answers(view))


def any_of(terms: list[Condition]) -> Condition:
    """Join conditions by `or`."""
    return lambda view, even: any(term(view, even) for term in terms)


def all_of(terms: list[Condition]) -> Condition:
    """Join conditions by `and`."""
    return lambda view, even: all(term(view, even) for term in terms)


def negation(term: Condition) -> Condition:
    """Turn a condition round; below it an unknown name counts the other way."""
    return lambda view, even: not term(view, not even)


def named(name: str) -> Condition:
    """Look up a named condition; one that nobody knows blocks nothing."""
    if name == "always":
        return lambda view, even: True
    ending = re.search(r"_(\d+)$", name)
    family = f"{name[: ending.start()]}_N" if ending else name
    if family not in FAMILIES or (ending is None and family.endswith("_N")):
        return lambda view, even: even
    return Parser(FAMILIES[family].replace("N", ending.group(1) if ending else "")).whole()


def compile_condition(source: object) -> Condition | None:
    """Compile text or JSON; nothing at all, or blank text, is no condition."""
    if source is None:
        return None
    if isinstance(source, str):
        return Parser(source).whole() if source.strip() else None
    if not isinstance(source, dict) or len(source) != 1:
        raise ValueError(f"not a condition: {source!r}")
    [(word, inside)] = source.items()
    if word == "not":
        return negation(demand(inside))
    terms = [demand(part) for part in inside]
    return {"all": all_of, "any": any_of}[word](terms)


def demand(source: object) -> Condition:
    """Compile a part of a JSON condition, which may not be blank."""
    condition = compile_condition(source)
    if condition is None:
        raise ValueError("an empty condition")
    return condition


# --- The battle --------------------------------------------------------------------------------------------------


@dataclass
class Result:
    """What a battle came to."""

    rows: list[list[int]]
    winner: int
    reason: int
    rounds: int


class Battle:
    """The whole state, and the rules as methods, in the order of the rule book."""

    def __init__(self, document: Document, stream: int) -> None:
        seed = document.get("seed") or document.get("id") or "fracas"
        self.key: bytes = blake3(seed.encode()).digest()
        self.stream = stream
        self.options: Document = document["options"]
        self.chain: list[Document] = self.options["chain"]["stages"]
        self.abilities: Document = document["abilities"]
        self.modifier: Document = document.get("modifier") or {}
        self.numbers = {"basic_attack": 0}
        for side in document["sides"]:
            for unit in side["units"]:
                for ability in (unit["class_ability"], unit["ultimate"]):
                    self.numbers.setdefault(ability, len(self.numbers))
        self.sides = [self.set_up(side, 8 * place) for place, side in enumerate(document["sides"])]
        self.tick = 0
        self.rows: list[list[int]] = []
        self.winner = self.reason = 0
        self.charging = self.options["ultimate_rule"] == "charge"

    def set_up(self, data: Document, first: int) -> Side:
        """Bring one side to the field, its units numbered from `first`."""
        strategy: Document = data.get("strategy") or {}
        units = []
        for place, unit in enumerate(data["units"]):
            weather = self.environment(unit["class"])
            units.append(
                Unit(
                    index=first + place,
                    unit_class=unit["class"],
                    max_hp=unit["hp"],
                    attack=unit["attack"],
                    defense=unit["defense"],
                    speed=unit["speed"] * weather["speed"] // 100,
                    environment=weather,
                    class_ability=self.ability(unit["class_ability"], strategy),
                    ultimate=self.ability(unit["ultimate"], strategy),
                    basic=self.ability("basic_attack", strategy),
                    hp=unit["hp"],
                )
            )
        priority = strategy.get("target_priority") or strategy.get("targetPriority") or []
        return Side(units, self.options["formations"][strategy.get("formation") or "balanced"], priority)

    def environment(self, unit_class: str) -> dict[str, int]:
        """Give the modifier's numbers for a class, its own before the overall ones; critical ones may be missing."""
        plain = {"damage": 100, "defense": 100, "healing": 100, "speed": 100}
        own = (self.modifier.get("classes") or {}).get(unit_class) or {}
        names = (*plain, "critical_chance", "critical_multiplier")
        overall = {name: self.modifier[name] for name in names if self.modifier.get(name) is not None}
        return plain | overall | {name: own[name] for name in names if own.get(name) is not None}

    def ability(self, name: str, strategy: Document) -> Ability:
        """Put together what an ability is and what the strategy says about it, under its id or its display name."""
        data = self.abilities[name]
        entry: Document = {}
        for key, value in (strategy.get("abilities") or {}).items():
            if key.lower() in (name.lower(), data["name"].lower()):
                entry = value
        condition = compile_condition(entry.get("when"))
        return Ability(
            self.numbers[name], data["reach"], data["cooldown"], data["effects"], condition, entry.get("target")
        )

    def row(self, kind: str, actor: int = -1, target: int = -1, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
        """Write an event row."""
        self.rows.append([self.tick, KIND[kind], actor, target, a, b, c, d])

    def allies(self, unit: Unit) -> Side:
        """Find the unit's own side."""
        return self.sides[unit.index // 8]

    def enemies(self, unit: Unit) -> Side:
        """Find the side against it."""
        return self.sides[1 - unit.index // 8]

    # Order of play

    def play(self) -> Result:
        """Play rounds until the battle is decided."""
        self.row("battle", a=len(self.sides[0].units), b=len(self.sides[1].units))
        while not self.reason:
            self.one_round()
        self.row("outcome", a=self.winner, b=self.reason, c=self.sides[0].hp(), d=self.sides[1].hp())
        return Result(self.rows, self.winner, self.reason, self.tick)

    def one_round(self) -> None:
        """Settle the order, let everybody living act, and end the round."""
        self.tick += 1
        order = self.initiative()
        for unit in order:
            if unit.hp > 0:
                self.turn(unit)
                if self.ended():
                    return
        self.round_end()

    def initiative(self) -> list[Unit]:
        """Order the living by speed descending, word ascending, index ascending."""
        table = Dice(self.key, self.stream, self.tick, TABLE_LANE)
        words = [table.word() for _ in range(16)]
        living = self.sides[0].living() + self.sides[1].living()
        self.row("round", a=len(self.sides[0].living()), b=len(self.sides[1].living()))
        order = sorted(living, key=lambda unit: (-unit.speed, words[unit.index], unit.index))
        for place, unit in enumerate(order, start=1):
            word = words[unit.index]
            self.row("initiative", unit.index, a=place, b=unit.speed, c=word & 0xFFFF, d=word >> 16)
        return order

    def ended(self) -> bool:
        """Decide the battle if a side has nobody living."""
        alive = [bool(side.living()) for side in self.sides]
        if not all(alive):
            self.reason = WIPED_OUT if any(alive) else BOTH_WIPED_OUT
            self.winner = 1 if alive[0] else 2 if alive[1] else 0
        return self.reason != 0

    # A turn

    def turn(self, unit: Unit) -> None:
        """Let one unit act, or lose its action to a stun."""
        unit.cooldown = max(0, unit.cooldown - 1)
        unit.ultimate_cooldown = max(0, unit.ultimate_cooldown - 1)
        unit.just_lost = unit.stunned
        if unit.stunned:
            unit.stunned = False
            self.row("stunned", unit.index)
            return
        dice = Dice(self.key, self.stream, self.tick, unit.index)
        ability, selector = unit.basic, unit.basic.selector
        wanted, why_ultimate = self.verdict_on_ultimate(unit)
        why_class = NOT_CONSIDERED
        choice = 2 if wanted else 0
        if wanted:
            ability, selector = unit.ultimate, unit.ultimate.selector
            unit.charge, unit.ultimate_cooldown = 0, ability.cooldown
        else:
            wanted, why_class = self.verdict_on_class_ability(unit)
            if wanted:
                choice, ability = 1, unit.class_ability
                selector = None if why_class == REFUSED_BUT_HURT else ability.selector
                unit.cooldown = ability.cooldown
        self.row("choice", unit.index, a=ability.number, b=choice, c=why_ultimate, d=why_class)
        self.use(unit, ability, selector, dice)
        if choice != 2:
            self.gain_charge(unit, self.options["charge_action"])

    def verdict_on_ultimate(self, unit: Unit) -> tuple[bool, int]:
        """Tell whether the ultimate is ready and wanted, and why."""
        if self.charging and unit.charge < 100:
            return False, NOT_CHARGED
        if not self.charging and unit.ultimate_cooldown > 0:
            return False, COOLING_DOWN
        return self.wanted(unit, unit.ultimate)

    def verdict_on_class_ability(self, unit: Unit) -> tuple[bool, int]:
        """Tell the same of the class ability, with the healer's second thought."""
        if unit.cooldown > 0:
            return False, COOLING_DOWN
        wanted, why = self.wanted(unit, unit.class_ability)
        second_thought = self.options["healer_fallback"] == "always" and unit.unit_class == "healer"
        if why == DOES_NOT_HOLD and second_thought and unit.class_ability.heals and self.someone_is_hurt(unit):
            return True, REFUSED_BUT_HURT
        return wanted, why

    def wanted(self, unit: Unit, ability: Ability) -> tuple[bool, int]:
        """Ask the configured condition; an unconfigured heal waits for somebody hurt."""
        if ability.condition is not None:
            view = View(unit, self.allies(unit).living(), self.enemies(unit).living(), self.tick)
            return (True, HOLDS) if ability.condition(view, True) else (False, DOES_NOT_HOLD)
        if ability.heals:
            return (True, SOMEONE_HURT) if self.someone_is_hurt(unit) else (False, NOBODY_HURT)
        return True, UNCONFIGURED

    def someone_is_hurt(self, unit: Unit) -> bool:
        """Tell whether a living ally, the unit included, is below the healer threshold."""
        threshold: int = self.options["healer_threshold"]
        return any(100 * ally.hp < threshold * ally.max_hp for ally in self.allies(unit).living())

    # Reach and targets

    def use(self, unit: Unit, ability: Ability, selector: str | None, dice: Dice) -> None:
        """Find the targets and apply the effects to each in turn, for as long as it lives."""
        for target in self.targets(unit, ability, selector, dice):
            for effect in ability.effects:
                if target.hp > 0:
                    self.apply(unit, target, effect, dice)

    def targets(self, unit: Unit, ability: Ability, selector: str | None, dice: Dice) -> list[Unit]:
        """Find whom an ability reaches."""
        if ability.reach == "all_enemies":
            return self.enemies(unit).living()
        allies = self.allies(unit).living()
        if ability.reach == "all_allies":
            return allies
        if ability.reach == "self" or (ability.reach == "one_ally" and selector == "self"):
            return self.aim(unit, unit, "self", 1)
        if ability.reach == "one_ally":
            return self.aim(unit, lowest_share(allies), "lowest_hp_ally", len(allies))
        return self.one_enemy(unit, selector, dice)

    def aim(self, unit: Unit, target: Unit, selector: str, candidates: int, entry: int = -1, roll: int = -1) -> list[Unit]:
        """Write who is aimed at and why."""
        self.row("target", unit.index, target.index, SELECTOR[selector], entry, candidates, roll)
        return [target]

    def one_enemy(self, unit: Unit, selector: str | None, dice: Dice) -> list[Unit]:
        """Choose one enemy, among the taunting ones if there are any."""
        enemies = self.enemies(unit).living()
        candidates = [enemy for enemy in enemies if enemy.taunting] or enemies
        if selector == "random":
            roll = dice.below(len(candidates))
            return self.aim(unit, candidates[roll], "random", len(candidates), roll=roll)
        if selector in ("lowest_hp", "highest_hp", "highest_threat", "fastest"):
            found = self.pick(candidates, selector)
            assert found is not None
            return self.aim(unit, found, selector, len(candidates))
        for place, entry in enumerate(self.allies(unit).priority):
            found = self.pick(candidates, entry)
            if found is not None:
                return self.aim(unit, found, entry, len(candidates), entry=place)
        return self.aim(unit, min(candidates, key=lambda enemy: enemy.hp), "lowest_hp", len(candidates))

    def pick(self, candidates: list[Unit], entry: str) -> Unit | None:
        """Follow one selector or priority entry; a class that is not there yields nobody."""
        if entry == "highest_hp":
            return max(candidates, key=lambda enemy: enemy.hp)
        if entry == "highest_threat":
            return max(candidates, key=lambda enemy: enemy.threat)
        if entry == "fastest":
            return max(candidates, key=lambda enemy: enemy.speed)
        if entry != "lowest_hp":
            candidates = [enemy for enemy in candidates if f"{enemy.unit_class}s" == entry]
        return min(candidates, key=lambda enemy: enemy.hp, default=None)

    # Effects

    def apply(self, unit: Unit, target: Unit, effect: Document, dice: Dice) -> None:
        """Apply one effect to one target."""
        kind = effect["type"]
        if kind == "damage":
            self.damage(unit, target, self.power(unit, effect), dice)
        elif kind == "heal":
            self.heal(unit, target, self.power(unit, effect))
        elif kind == "shield":
            self.raise_shield(unit, target, self.power(unit, effect), effect["rounds"])
        elif kind == "damage_over_time":
            self.begin_damage_over_time(unit, target, self.power(unit, effect), effect["rounds"])
        elif kind == "stun":
            outcome = ALREADY_STUNNED if target.stunned else JUST_LOST if target.just_lost else APPLIED
            target.stunned = target.stunned or outcome == APPLIED
            self.row("effect", unit.index, target.index, EFFECT[kind], 0, 0, outcome)
        elif kind == "taunt":
            until = self.tick + effect["rounds"]
            target.ends[kind] = max(target.ends[kind], until)
            self.row("effect", unit.index, target.index, EFFECT[kind], 0, until, APPLIED)
        else:
            self.change_attack(unit, target, kind, effect["percent"], self.tick + effect["rounds"])

    def power(self, unit: Unit, effect: Document) -> int:
        """Work out what an effect is worth: shares of attack, own defense and own maximum HP, each truncated."""
        from_attack = unit.threat * effect["attack"] // 100
        from_defense = unit.defense * effect["defense"] // 100
        from_hp = unit.max_hp * effect["max_hp"] // 100
        power = clamp(from_attack + from_defense + from_hp)
        self.row("power", unit.index, a=power, b=from_attack, c=from_defense, d=from_hp)
        return power

    def damage(self, unit: Unit, target: Unit, value: int, dice: Dice) -> None:
        """Run a value through the damage chain, then let it hit."""
        for stage in self.chain:
            figure, after = self.stage(stage, unit, target, value, dice)
            self.row("stage", unit.index, target.index, STAGE[stage["stage"]], figure, value, clamp(after))
            value = clamp(after)
        self.hit(unit, target, value)

    def stage(self, stage: Document, unit: Unit, target: Unit, value: int, dice: Dice) -> tuple[int, int]:
        """Work out one stage: its figure, and what becomes of the value."""
        name = stage["stage"]
        own, other = self.allies(unit).formation, self.allies(target).formation
        if name == "defense":
            percents = other["defense"] * target.environment["defense"] * stage["percent"]
            reduction = target.defense * percents // 1_000_000
            return reduction, max(value - reduction, stage["at_least"])
        if name == "minimum":
            return stage["at_least"], max(value, stage["at_least"])
        if name == "add":
            return stage["amount"], value + stage["amount"]
        if name == "cap":
            return stage["at_most"], min(value, stage["at_most"])
        if name == "formation":
            percent = own["attack"]
        elif name == "formation_exclusive":
            percent = own["attack"] if own["attack"] != 100 else other["taken"]
        elif name == "class_advantage":
            beats = BEATS.get(unit.unit_class) == target.unit_class
            beaten = BEATS.get(target.unit_class) == unit.unit_class
            percent = stage["strong"] if beats else stage["weak"] if beaten else 100
        elif name == "critical":
            percent = self.critical(stage, unit, target, dice)
        elif name == "environment":
            percent = unit.environment["damage"]
        elif name == "fatigue":
            percent = 100 + stage["per_round"] * max(0, self.tick - stage["after"])
        elif name == "scale":
            percent = stage["percent"]
        else:
            raise ValueError(f"unknown stage {name}")
        return percent, value * percent // 100

    def critical(self, stage: Document, unit: Unit, target: Unit, dice: Dice) -> int:
        """Roll for a critical hit and give its percentage."""
        chance = unit.environment.get("critical_chance", stage["chance"])
        multiplier = unit.environment.get("critical_multiplier", stage["multiplier"])
        roll = dice.d100()
        self.row("roll", unit.index, target.index, roll, chance, multiplier)
        return multiplier if roll <= chance else 100

    def hit(self, unit: Unit, target: Unit, damage: int) -> None:
        """Let damage meet the shield, then HP."""
        absorbed = min(damage, target.shield)
        lost = min(damage - absorbed, target.hp)
        target.shield -= absorbed
        target.hp -= lost
        self.row("hit", unit.index, target.index, damage, absorbed, lost, target.hp)
        if absorbed and not target.shield:
            target.ends["shield"] = 0
            self.row("expire", target=target.index, a=EFFECT["shield"], b=0)
        if target.hp == 0:
            self.row("fall", unit.index, target.index)
        elif lost:
            self.gain_charge(target, self.options["charge_hit"])

    def gain_charge(self, unit: Unit, amount: int) -> None:
        """Let charge grow to at most 100."""
        gained = min(amount, 100 - unit.charge)
        if self.charging and gained > 0:
            unit.charge += gained
            self.row("charge", unit.index, a=gained, b=unit.charge)

    def heal(self, unit: Unit, target: Unit, power: int) -> None:
        """Restore HP, at least 1 and at most what is missing."""
        percent = unit.environment["healing"]
        healing = max(1, clamp(power * percent // 100))
        restored = min(healing, target.max_hp - target.hp)
        target.hp += restored
        self.row("heal", unit.index, target.index, healing, percent, restored, target.hp)

    def raise_shield(self, unit: Unit, target: Unit, power: int, rounds: int) -> None:
        """Raise a shield unless what is left of the old one is at least as large."""
        pool = clamp(power * unit.environment["healing"] // 100)
        outcome = APPLIED if pool > target.shield else WEAKER
        if outcome == APPLIED:
            target.shield, target.ends["shield"] = pool, self.tick + rounds
        self.row("shield", unit.index, target.index, pool, target.shield, target.ends["shield"], outcome)

    def change_attack(self, unit: Unit, target: Unit, kind: str, percent: int, until: int) -> None:
        """Raise or lower attack unless it is changed by more already."""
        percent = min(percent, 90) if kind == "attack_down" else percent
        there = target.up if kind == "attack_up" else target.down
        outcome = APPLIED if percent >= there else WEAKER
        if outcome == APPLIED:
            target.ends[kind] = until
            if kind == "attack_up":
                target.up = percent
            else:
                target.down = percent
        self.row("effect", unit.index, target.index, EFFECT[kind], percent, until, outcome)

    def begin_damage_over_time(self, unit: Unit, target: Unit, amount: int, rounds: int) -> None:
        """Set strikes to come unless those that are to come are heavier."""
        outcome = APPLIED if amount >= target.dot_amount else WEAKER
        if outcome == APPLIED:
            target.dot_amount, target.dot_strikes, target.dot_source = amount, rounds, unit.index
        until = self.tick + rounds - 1
        self.row("effect", unit.index, target.index, EFFECT["damage_over_time"], amount, until, outcome)

    # Round end

    def round_end(self) -> None:
        """Let damage over time strike, effects expire, and the cap decide."""
        everybody = self.sides[0].units + self.sides[1].units
        for unit in everybody:
            if unit.hp > 0 and unit.dot_strikes > 0:
                self.suffer(unit)
        for unit in everybody:
            if unit.hp > 0:
                self.expire(unit)
        if not self.ended() and self.tick >= self.options["round_cap"]:
            self.cap()

    def suffer(self, unit: Unit) -> None:
        """Take one strike, past defense and shield."""
        lost = min(unit.dot_amount, unit.hp)
        unit.hp -= lost
        unit.dot_strikes -= 1
        self.row("suffer", unit.dot_source, unit.index, unit.dot_amount, lost, unit.hp, unit.dot_strikes)
        if unit.hp == 0:
            self.row("fall", unit.dot_source, unit.index)

    def expire(self, unit: Unit) -> None:
        """End whatever was to hold until this round."""
        for kind in ("shield", "attack_up", "attack_down", "taunt"):
            if unit.ends[kind] == self.tick:
                unit.ends[kind] = 0
                if kind == "shield":
                    unit.shield = 0
                elif kind == "attack_up":
                    unit.up = 0
                elif kind == "attack_down":
                    unit.down = 0
                self.row("expire", target=unit.index, a=EFFECT[kind], b=1)
        if unit.dot_strikes == 0 and unit.dot_amount > 0:
            unit.dot_amount = 0
            self.row("expire", target=unit.index, a=EFFECT["damage_over_time"], b=1)

    def cap(self) -> None:
        """Decide by the HP that are left."""
        first, second = self.sides[0].hp(), self.sides[1].hp()
        if first != second:
            self.reason, self.winner = CAP_HP, 1 if first > second else 2
        else:
            self.reason, self.winner = CAP_EQUAL, 1 if self.options["cap_tie"] == "side1" else 0


def play(document: Document, stream: int = 0) -> Result:
    """Fight a resolved battle from start to end."""
    return Battle(document, stream).play()
