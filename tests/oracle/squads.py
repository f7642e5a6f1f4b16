"""A second implementation of squads, written from its rule book alone.

It follows `src/fracas/rulesets/squads/README.md` and the dice and conditions of the core specification sentence by
sentence, in plain and slow Python, and shares no code with the engine: where both agree, two readers understood the
same text. `play` takes a resolved battle document and returns the event rows. It trusts the document: what the project
refuses to load is not refused here once more, and plug-in stages are beyond it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from blake3 import blake3
from tests.oracle import language
from tests.oracle.dice import Dice

Document = dict[str, Any]


def codes(names: str, first: int = 0) -> dict[str, int]:
    """Number names in the order in which the rule book lists them."""
    return {name: number for number, name in enumerate(names.split(), first)}


KIND = codes("battle round initiative stunned choice target power roll stage hit charge fall heal shield effect", 1)
KIND |= codes("suffer expire outcome", 16)
STAGE = codes("formation formation_exclusive class_advantage critical environment defense minimum fatigue")
STAGE |= codes("scale add cap", 8)
EFFECT = codes("damage heal shield attack_up attack_down taunt stun damage_over_time")
SELECTOR = codes("default priority lowest_hp highest_hp highest_threat fastest random lowest_hp_ally self")
SELECTOR |= codes("tank_ally strongest_ally priority_ally", 9)
SELECTOR |= codes("warriors rangers mages healers tanks", 16)
VERDICT = codes("not_considered unconfigured holds someone_hurt refused_but_hurt not_charged cooling_down")
VERDICT |= codes("does_not_hold nobody_hurt", 7)
OUTCOME = codes("applied weaker already_stunned just_lost")
REASON = codes("undecided wiped_out cap_hp cap_equal both_wiped_out")

USED = ("unconfigured", "holds", "someone_hurt", "refused_but_hurt")
TIMED = ("shield", "attack_up", "attack_down", "taunt")
BEATS = {("warrior", "ranger"), ("ranger", "mage"), ("mage", "warrior")}


def clamp(value: int) -> int:
    """Keep a value within the bounds that hold everywhere."""
    return max(0, min(value, 10**9))


@dataclass(frozen=True)
class Ability:
    """A class ability, an ultimate or the basic attack, and what one side's strategy says about it."""

    number: int
    reach: str
    cooldown: int
    effects: list[Document]
    when: object
    selector: str | None

    def configured(self) -> bool:
        """Only a condition configures, and a blank one is none."""
        return self.when is not None and str(self.when).strip() != ""

    def heals(self) -> bool:
        """Tell whether there is a heal among the effects."""
        return any(effect["type"] == "heal" for effect in self.effects)


class Unit:
    """One fighter: first what it was given, then what changes."""

    def __init__(self, index: int, data: Document, weather: dict[str, int], abilities: list[Ability]) -> None:
        self.index, self.weather = index, weather
        self.unit_class: str = data["class"]
        self.max_hp, self.given_attack, self.defense = int(data["hp"]), int(data["attack"]), int(data["defense"])
        self.speed = int(data["speed"]) * weather["speed"] // 100
        self.basic, self.class_ability, self.ultimate = abilities
        self.hp = self.max_hp
        self.charge = self.cooldown = self.ultimate_cooldown = 0
        self.stunned = self.just_lost_an_action = False
        # The shield's pool, the percent of attack up and down, 1 while taunting; and the round at whose end each ends.
        # What has ended has amount 0; its round stays as it was, and a lost shield's row may still show it.
        self.amount = dict.fromkeys(TIMED, 0)
        self.ends = dict.fromkeys(TIMED, 0)
        self.strike, self.strikes, self.strikes_by = 0, 0, -1

    def attack(self) -> int:
        """Attack as what raises and lowers it at the moment leaves it."""
        return self.given_attack * (100 + self.amount["attack_up"] - self.amount["attack_down"]) // 100

    def share(self) -> Fraction:
        """The exact percentage of HP; to compare two of them is to cross-multiply."""
        return Fraction(100 * self.hp, self.max_hp)

    def number(self, name: str) -> Fraction:
        """Answer a fact that is compared."""
        return {"hp_pct": self.share(), "charge": Fraction(self.charge), "cooldown": Fraction(self.cooldown)}[name]

    def status(self, name: str) -> bool:
        """Answer a fact that stands alone."""
        shield, up, down, taunt = (self.amount[kind] > 0 for kind in TIMED)
        suffers = self.strikes > 0
        facts = {"buffed": shield or up or taunt, "debuffed": down or self.stunned or suffers, "shielded": shield}
        facts |= {"attack_up": up, "attack_down": down, "taunting": taunt, "stunned": self.stunned}
        facts |= {"damage_over_time": suffers}
        facts |= {name: name == self.unit_class for name in ("warrior", "ranger", "mage", "healer", "tank")}
        return facts[name]


SELECTORS: dict[str, Callable[[Unit], int]] = {
    "lowest_hp": lambda unit: unit.hp,
    "highest_hp": lambda unit: -unit.hp,
    "highest_threat": lambda unit: -unit.attack(),
    "fastest": lambda unit: -unit.speed,
}


@dataclass(frozen=True)
class Side:
    """Units in order, with a formation and a priority list."""

    units: list[Unit]
    formation: dict[str, int]
    priority: list[str]
    ally_priority: list[str]

    def living(self) -> list[Unit]:
        """List the living in index order."""
        return [unit for unit in self.units if unit.hp > 0]

    def hp(self) -> int:
        """Add up what HP are left."""
        return sum(unit.hp for unit in self.units)


NAMES = {
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


class Situation(language.Situation):
    """What a deciding unit sees."""

    def __init__(self, unit: Unit, groups: dict[str, list[Unit]], tick: int) -> None:
        self.unit, self.groups, self.tick = unit, groups, tick

    def number(self, fact: str) -> language.Number:
        """Look up a fact that is compared."""
        if fact == "round":
            return self.tick
        subject, name = fact.split(".")
        if subject == "self":
            return self.unit.number(name)
        shares = [member.number("hp_pct") for member in self.groups[subject]]
        return {"count": len(shares), "lowest_hp_pct": min(shares), "highest_hp_pct": max(shares)}[name]

    def flag(self, fact: str) -> bool | None:
        """Look up a fact that stands alone: there are only those about the unit itself."""
        subject, _, name = fact.rpartition(".")
        return self.unit.status(name) if subject == "self" else None

    def named(self, name: str) -> str | None:
        """Say what a name means."""
        return language.filled_in(name, NAMES, {"N": "[0-9]+"})


@dataclass(frozen=True)
class Result:
    """What a battle came to."""

    rows: list[list[int]]
    winner: int
    reason: int
    rounds: int


class Battle:
    """The state of a battle, and the rules as methods, in the order of the rule book."""

    def __init__(self, document: Document, stream: int) -> None:
        seed: str = document.get("seed") or document.get("id") or "fracas"
        self.key, self.stream = blake3(seed.encode()).digest(), stream
        self.options: Document = document["options"]
        self.abilities: Document = document["abilities"]
        self.modifier: Document = document.get("modifier") or {}
        others = sorted(name for name in self.abilities if name != "basic_attack")
        self.numbers = {name: number for number, name in enumerate(["basic_attack", *others])}
        self.sides = [self.side(side, 8 * place) for place, side in enumerate(document["sides"])]
        self.chain = [stage for stage in self.options["chain"]["stages"] if self.matters(stage)]
        self.tick, self.winner, self.reason = 0, 0, "undecided"
        self.rows: list[list[int]] = []

    def matters(self, stage: Document) -> bool:
        """Tell whether a stage can change a value in this battle."""
        units = [unit for side in self.sides for unit in side.units]
        match stage["stage"]:
            case "formation":
                return any(side.formation["attack"] != 100 for side in self.sides)
            case "class_advantage":
                return not stage["strong"] == stage["weak"] == 100
            case "environment":
                return any(unit.weather["damage"] != 100 for unit in units)
            case "scale":
                return stage["percent"] != 100  # type: ignore[no-any-return]
            case "add":
                return stage["amount"] != 0  # type: ignore[no-any-return]
        return True

    def side(self, data: Document, first: int) -> Side:
        """Bring a side to the field, its units numbered from `first`."""
        strategy: Document = data.get("strategy") or {}
        units = []
        for index, unit in enumerate(data["units"], first):
            names = ("basic_attack", unit["class_ability"], unit["ultimate"])
            abilities = [self.ability(name, strategy.get("abilities") or {}) for name in names]
            units.append(Unit(index, unit, self.weather(unit["class"]), abilities))
        priority = strategy.get("target_priority") or strategy.get("targetPriority") or []
        ally_priority = strategy.get("ally_priority") or strategy.get("allyPriority") or []
        return Side(units, self.options["formations"][strategy.get("formation") or "balanced"], priority, ally_priority)

    def ability(self, name: str, entries: Document) -> Ability:
        """Put an ability together with its entry in the strategy, which goes by id or by display name."""
        number, data = self.numbers[name], self.abilities[name]
        known_as = (name.lower(), data["name"].lower())
        entry: Document = next((entries[key] for key in entries if key.lower() in known_as), {})
        return Ability(number, data["reach"], data["cooldown"], data["effects"], entry.get("when"), entry.get("target"))

    def weather(self, unit_class: str) -> dict[str, int]:
        """Give the environment's numbers for a class, where its own replace the overall ones."""
        neutral = {"damage": 100, "defense": 100, "healing": 100, "speed": 100}
        own = (self.modifier.get("classes") or {}).get(unit_class) or {}
        names = (*neutral, "critical_chance", "critical_multiplier")
        return neutral | {name: part[name] for part in (self.modifier, own) for name in names if name in part}

    def row(self, kind: str, actor: int = -1, target: int = -1, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
        """Write what has happened."""
        self.rows.append([self.tick, KIND[kind], actor, target, a, b, c, d])

    def allies(self, unit: Unit) -> Side:
        """Give the unit's own side."""
        return self.sides[unit.index // 8]

    def enemies(self, unit: Unit) -> Side:
        """Give the other side."""
        return self.sides[1 - unit.index // 8]

    def play(self) -> Result:
        """Play rounds until the battle is decided."""
        self.row("battle", a=len(self.sides[0].units), b=len(self.sides[1].units))
        while self.reason == "undecided":
            self.round()
        reason = REASON[self.reason]
        self.row("outcome", a=self.winner, b=reason, c=self.sides[0].hp(), d=self.sides[1].hp())
        return Result(self.rows, self.winner, reason, self.tick)

    def round(self) -> None:
        """Settle the order, let everybody who still lives act, and end the round."""
        self.tick += 1
        for unit in self.initiative():
            if unit.hp > 0:
                self.turn(unit)
                if self.ended():
                    return
        self.round_end()

    def initiative(self) -> list[Unit]:
        """Order the living by speed descending, by word ascending, by index ascending."""
        table = Dice(self.key, self.stream, self.tick, 0xFFFF)
        words = [table.word() for _ in range(16)]
        first, second = self.sides[0].living(), self.sides[1].living()
        self.row("round", a=len(first), b=len(second))
        order = sorted(first + second, key=lambda unit: (-unit.speed, words[unit.index], unit.index))
        for place, unit in enumerate(order, 1):
            self.row(
                "initiative", unit.index, -1, place, unit.speed, words[unit.index] % 2**16, words[unit.index] >> 16
            )
        return order

    def turn(self, unit: Unit) -> None:
        """Let a unit act, or lose its action to a stun."""
        unit.cooldown = max(0, unit.cooldown - 1)
        unit.ultimate_cooldown = max(0, unit.ultimate_cooldown - 1)
        unit.just_lost_an_action, unit.stunned = unit.stunned, False
        if unit.just_lost_an_action:
            return self.row("stunned", unit.index)
        choice, ability = 0, unit.basic
        on_ultimate, on_class = self.verdict_on_ultimate(unit), "not_considered"
        if on_ultimate in USED:
            choice, ability = 2, unit.ultimate
            unit.charge, unit.ultimate_cooldown = 0, ability.cooldown
        else:
            on_class = self.verdict_on_class_ability(unit)
            if on_class in USED:
                choice, ability = 1, unit.class_ability
                unit.cooldown = ability.cooldown
        self.row("choice", unit.index, -1, ability.number, choice, VERDICT[on_ultimate], VERDICT[on_class])
        self.use(unit, ability, None if on_class == "refused_but_hurt" else ability.selector)
        if choice != 2:
            self.gain_charge(unit, self.options["charge_action"])
        return None

    def verdict_on_ultimate(self, unit: Unit) -> str:
        """Tell whether the ultimate is ready and wanted, and why."""
        if self.options["ultimate_rule"] == "charge":
            return self.verdict(unit, unit.ultimate) if unit.charge == 100 else "not_charged"
        return self.verdict(unit, unit.ultimate) if unit.ultimate_cooldown == 0 else "cooling_down"

    def verdict_on_class_ability(self, unit: Unit) -> str:
        """Tell the same of the class ability; a healer may think again about what its strategy refused."""
        verdict = self.verdict(unit, unit.class_ability) if unit.cooldown == 0 else "cooling_down"
        may_think = self.options["healer_fallback"] == "always" and unit.unit_class == "healer"
        if verdict == "does_not_hold" and may_think and unit.class_ability.heals() and self.someone_hurt(unit):
            return "refused_but_hurt"
        return verdict

    def verdict(self, unit: Unit, ability: Ability) -> str:
        """Tell whether an ability that is ready is wanted too."""
        if ability.configured():
            groups = {"allies": self.allies(unit).living(), "enemies": self.enemies(unit).living()}
            return "holds" if Situation(unit, groups, self.tick).holds(ability.when) else "does_not_hold"
        if not ability.heals():
            return "unconfigured"
        return "someone_hurt" if self.someone_hurt(unit) else "nobody_hurt"

    def someone_hurt(self, unit: Unit) -> bool:
        """Tell whether a living ally is below the healer threshold."""
        return any(ally.share() < self.options["healer_threshold"] for ally in self.allies(unit).living())

    def use(self, unit: Unit, ability: Ability, selector: str | None) -> None:
        """Apply the effects to each target, in their order and for as long as it lives."""
        dice = Dice(self.key, self.stream, self.tick, unit.index)
        for target in self.targets(unit, ability, selector, dice):
            for effect in ability.effects:
                if target.hp > 0:
                    self.apply(unit, target, effect, dice)

    def targets(self, unit: Unit, ability: Ability, selector: str | None, dice: Dice) -> list[Unit]:
        """Find whom an ability reaches; a selector that does not fit its reach counts as not given."""
        allies = self.allies(unit).living()
        if ability.reach in ("all_enemies", "all_allies"):
            return allies if ability.reach == "all_allies" else self.enemies(unit).living()
        if ability.reach == "one_enemy":
            target, why = self.one_enemy(unit, selector, dice)
        elif ability.reach == "self" or selector == "self":
            target, why = unit, (SELECTOR["self"], -1, 1, -1)
        else:
            target, why = self.one_ally(unit, selector, ability.heals())
        self.row("target", unit.index, target.index, *why)
        return [target]

    def one_ally(self, unit: Unit, selector: str | None, heals: bool) -> tuple[Unit, tuple[int, int, int, int]]:
        """Choose one ally as the selector says, else the one with the lowest share of its HP."""
        allies = self.allies(unit).living()
        candidates = [ally for ally in allies if heals and ally.hp < ally.max_hp] or allies
        lists = {"tank_ally": ["tanks"], "strongest_ally": ["highest_threat"]}
        lists["priority_ally"] = self.allies(unit).ally_priority
        for place, entry in enumerate(lists.get(selector or "", [])):
            fitting = [ally for ally in candidates if entry in SELECTORS or entry == f"{ally.unit_class}s"]
            if fitting:
                found = min(fitting, key=SELECTORS.get(entry, SELECTORS["lowest_hp"]))
                by_list = selector == "priority_ally"
                told = (SELECTOR[entry], place) if by_list else (SELECTOR[str(selector)], -1)
                return found, (*told, len(candidates), -1)
        return min(allies, key=Unit.share), (SELECTOR["lowest_hp_ally"], -1, len(allies), -1)

    def one_enemy(self, unit: Unit, selector: str | None, dice: Dice) -> tuple[Unit, tuple[int, int, int, int]]:
        """Choose one enemy, a taunting one if there is any; ties go to the lowest index."""
        enemies = self.enemies(unit).living()
        candidates = [enemy for enemy in enemies if enemy.status("taunting")] or enemies
        if selector == "random":
            roll = dice.below(len(candidates))
            return candidates[roll], (SELECTOR["random"], -1, len(candidates), roll)
        walk = [*enumerate(self.allies(unit).priority), (-1, "lowest_hp")]
        for place, entry in [(-1, selector)] if selector in SELECTORS else walk:
            fitting = [enemy for enemy in candidates if entry in SELECTORS or entry == f"{enemy.unit_class}s"]
            if fitting:
                found = min(fitting, key=SELECTORS.get(entry, SELECTORS["lowest_hp"]))
                return found, (SELECTOR[entry], place, len(candidates), -1)
        raise ValueError("nobody to choose from")

    def apply(self, unit: Unit, target: Unit, effect: Document, dice: Dice) -> None:
        """Apply one effect to one target."""
        kind: str = effect["type"]
        power = self.power(unit, effect) if kind in ("damage", "heal", "shield", "damage_over_time") else 0
        until: int = self.tick + effect.get("rounds", 0)
        if kind == "damage":
            return self.damage(unit, target, power, dice)
        if kind == "heal":
            return self.heal(unit, target, power)
        if kind == "shield":
            return self.raise_shield(unit, target, power, until)
        outcome, amount = "applied", power
        if kind == "stun":
            until = 0
            outcome = "already_stunned" if target.stunned else "just_lost" if target.just_lost_an_action else "applied"
            target.stunned = target.stunned or outcome == "applied"
        elif kind == "taunt":
            target.amount[kind], target.ends[kind] = 1, max(target.ends[kind], until)
        elif kind == "damage_over_time":
            until -= 1
            outcome = "applied" if amount >= target.strike else "weaker"
            if outcome == "applied":
                target.strike, target.strikes, target.strikes_by = amount, effect["rounds"], unit.index
        else:
            amount = min(effect["percent"], 90) if kind == "attack_down" else effect["percent"]
            outcome = "applied" if amount >= target.amount[kind] else "weaker"
            if outcome == "applied":
                target.amount[kind], target.ends[kind] = amount, until
        return self.row("effect", unit.index, target.index, EFFECT[kind], amount, until, OUTCOME[outcome])

    def power(self, unit: Unit, effect: Document) -> int:
        """Add up the shares of attack, own defense and own maximum HP, each truncated."""
        shares = ("attack", unit.attack()), ("defense", unit.defense), ("max_hp", unit.max_hp)
        parts = [effect[name] * of // 100 for name, of in shares]
        self.row("power", unit.index, -1, clamp(sum(parts)), *parts)
        return clamp(sum(parts))

    def damage(self, unit: Unit, target: Unit, value: int, dice: Dice) -> None:
        """Run a value through the chain, then let it hit."""
        for stage in self.chain:
            figure, after = self.stage(stage, unit, target, value, dice)
            self.row("stage", unit.index, target.index, STAGE[stage["stage"]], figure, value, clamp(after))
            value = clamp(after)
        self.hit(unit, target, value)

    def stage(self, stage: Document, unit: Unit, target: Unit, value: int, dice: Dice) -> tuple[int, int]:
        """Give a stage's figure and what it makes of the value."""
        own, other = self.allies(unit).formation, self.allies(target).formation
        match stage["stage"]:
            case "defense":
                percents = other["defense"] * target.weather["defense"] * stage["percent"]
                reduction = target.defense * percents // 1_000_000
                return reduction, max(value - reduction, stage["at_least"])
            case "minimum":
                return stage["at_least"], max(value, stage["at_least"])
            case "add":
                return stage["amount"], value + stage["amount"]
            case "cap":
                return stage["at_most"], min(value, stage["at_most"])
            case "formation":
                percent = own["attack"]
            case "formation_exclusive":
                percent = own["attack"] if own["attack"] != 100 else other["taken"]
            case "class_advantage":
                beats = (unit.unit_class, target.unit_class) in BEATS
                beaten = (target.unit_class, unit.unit_class) in BEATS
                percent = stage["strong"] if beats else stage["weak"] if beaten else 100
            case "critical":
                numbers = {
                    "critical_chance": stage["chance"],
                    "critical_multiplier": stage["multiplier"],
                } | unit.weather
                chance, multiplier = numbers["critical_chance"], numbers["critical_multiplier"]
                roll = 1 + dice.below(100)
                self.row("roll", unit.index, target.index, roll, chance, multiplier)
                percent = multiplier if roll <= chance else 100
            case "environment":
                percent = unit.weather["damage"]
            case "fatigue":
                percent = 100 + stage["per_round"] * max(0, self.tick - stage["after"])
            case "scale":
                percent = stage["percent"]
            case unknown:
                raise ValueError(f"no stage of the rules: {unknown}")
        return percent, value * percent // 100

    def hit(self, unit: Unit, target: Unit, damage: int) -> None:
        """Let damage meet the shield, then HP."""
        absorbed = min(damage, target.amount["shield"])
        lost = min(damage - absorbed, target.hp)
        target.amount["shield"] -= absorbed
        target.hp -= lost
        self.row("hit", unit.index, target.index, damage, absorbed, lost, target.hp)
        if absorbed > 0 and target.amount["shield"] == 0:
            target.ends["shield"] = 0
            self.row("expire", -1, target.index, EFFECT["shield"], 0)
        if target.hp == 0:
            self.row("fall", unit.index, target.index)
        elif lost > 0:
            self.gain_charge(target, self.options["charge_hit"])

    def gain_charge(self, unit: Unit, amount: int) -> None:
        """Let charge grow to at most 100, where charge is the rule."""
        gained = min(amount, 100 - unit.charge)
        if self.options["ultimate_rule"] == "charge" and gained > 0:
            unit.charge += gained
            self.row("charge", unit.index, -1, gained, unit.charge)

    def heal(self, unit: Unit, target: Unit, power: int) -> None:
        """Restore at least 1 HP, and at most what is missing."""
        percent = unit.weather["healing"]
        healing = max(1, clamp(power * percent // 100))
        restored = min(healing, target.max_hp - target.hp)
        target.hp += restored
        self.row("heal", unit.index, target.index, healing, percent, restored, target.hp)

    def raise_shield(self, unit: Unit, target: Unit, power: int, until: int) -> None:
        """Raise a shield if it is larger than what is left of the one that is there."""
        pool, outcome = clamp(power * unit.weather["healing"] // 100), "weaker"
        if pool > target.amount["shield"]:
            target.amount["shield"], target.ends["shield"], outcome = pool, until, "applied"
        left = (target.amount["shield"], target.ends["shield"])
        self.row("shield", unit.index, target.index, pool, *left, OUTCOME[outcome])

    def round_end(self) -> None:
        """Let damage over time strike, effects expire, and the cap decide."""
        first, second = self.sides
        for unit in first.living() + second.living():
            if unit.strikes > 0:
                lost = min(unit.strike, unit.hp)
                unit.hp, unit.strikes = unit.hp - lost, unit.strikes - 1
                self.row("suffer", unit.strikes_by, unit.index, unit.strike, lost, unit.hp, unit.strikes)
                if unit.hp == 0:
                    self.row("fall", unit.strikes_by, unit.index)
        for unit in first.living() + second.living():
            for kind in TIMED:
                if unit.amount[kind] > 0 and unit.ends[kind] == self.tick:
                    unit.amount[kind] = unit.ends[kind] = 0
                    self.row("expire", -1, unit.index, EFFECT[kind], 1)
            if unit.strike > 0 and unit.strikes == 0:
                unit.strike = 0
                self.row("expire", -1, unit.index, EFFECT["damage_over_time"], 1)
        if not self.ended() and self.tick >= self.options["round_cap"]:
            self.reason, self.winner = "cap_hp", 1 if first.hp() > second.hp() else 2
            if first.hp() == second.hp():
                self.reason, self.winner = "cap_equal", 1 if self.options["cap_tie"] == "side1" else 0

    def ended(self) -> bool:
        """Decide the battle if a side has nobody living."""
        first, second = (bool(side.living()) for side in self.sides)
        if not (first and second):
            self.reason = "wiped_out" if first or second else "both_wiped_out"
            self.winner = 1 if first else 2 if second else 0
        return self.reason != "undecided"


def play(document: Document, stream: int = 0) -> Result:
    """Fight a resolved battle from start to end."""
    return Battle(document, stream).play()
