"""Games whose sides have strategies, and whose content has conditions; the tests of facts and strategies load them."""

CAMP = '''"""Camp: hunters with plans strike, heal and hide; a charm works when its condition holds."""

from enum import IntEnum

from fracas.kit import Battle, Condition, Content, Game, Log, Options, Side, Strategy, Unit, below, condition, count
from fracas.kit import event, fact, hidden, holds, number, rule, state, strategy, up_to, win


class Do(IntEnum):
    STRIKE = 0
    HEAL = 1
    HIDE = 2


class Skill(IntEnum):
    NONE = 0
    BOW = 1
    HERBS = 2


class End(IntEnum):
    GONE = 1
    """the other side is gone"""


class Charm(Content, kind="charms"):
    power: int = number(0, 9)
    when: Condition = condition(default="self.hp_pct < 50")


class Hunter(Unit, kind="hunters"):
    health: int = number(1, 60)
    attack: int = number(1, 20)
    skill: Skill
    charm: Charm
    hp: int = state(starts="health", of="health")
    is_hiding: bool = state()
    mood: int = hidden()


class Camp(Side):
    units: list[Hunter] = up_to(3, least=1)
    units_count: int = count("units")
    wood: int = state()
    plan: Strategy = strategy()


class Hunt(Battle[Camp, Options]):
    wind: int = state()


@event("{actor} does {what} to {target}: {hp} hp")
def does(actor: Hunter, target: Hunter, what: Do, hp: int) -> None:
    """A turn."""


@fact("percent")
def hurt(battle: Hunt, me: Hunter) -> int:
    """Percent of its hp that a hunter has lost."""
    return 100 * (me.health - me.hp) // me.health


@fact("truth")
def charmed(battle: Hunt, me: Hunter) -> bool:
    """Whether the charm of a hunter is strong."""
    return me.charm.power > 3


@fact
def strength(battle: Hunt, me: Camp) -> int:
    """The hp of a whole side."""
    total = 0
    for unit in me.units[: me.units_count]:
        total += unit.hp
    return total


@rule
def initiative(battle: Hunt, me: Hunter) -> int:
    return me.attack


@rule
def legal(battle: Hunt, me: Hunter, choice: Do, target: Hunter) -> bool:
    if target.hp <= 0:
        return False
    if choice == Do.STRIKE:
        return target.side != me.side
    if choice == Do.HEAL:
        return target.side == me.side and target.hp < target.health and me.skill == Skill.HERBS
    return target.number == me.number


@rule
def act(battle: Hunt, me: Hunter, choice: Do, target: Hunter, log: Log | None) -> None:
    me.mood += 1
    battle.wind = below(battle, 3)
    battle.sides[me.side].wood += 1
    me.is_hiding = choice == Do.HIDE
    if choice == Do.STRIKE:
        damage = me.attack + (me.charm.power if holds(battle, me, me.charm.when) else 0)
        target.hp = max(target.hp - (damage // 2 if target.is_hiding else damage), 0)
    elif choice == Do.HEAL:
        target.hp = min(target.hp + 4, target.health)
    does(battle, log, me, target, choice, target.hp)
    left = 0
    for unit in battle.sides[1 - me.side].units:
        left += unit.hp > 0
    if left == 0:
        win(battle, me.side, End.GONE)


game = Game("camp", version=1, battle=Hunt, reasons=End)
'''

CAMP_FILE = """
ruleset = "camp"
id = "clearing"

[[charms]]
id = "bone"
power = 4

[[charms]]
id = "ring"
power = 2
when = "allies.count <= 2 or round > 4"

[[hunters]]
id = "archer"
health = 20
attack = 6
skill = "bow"
charm = "bone"

[[hunters]]
id = "healer"
health = 24
attack = 3
skill = "herbs"
charm = "ring"

[[sides]]
name = "Ada"
units = ["archer", "healer", "archer"]
plan = [
    { when = "allies.any(hurt > 30)", do = "heal", target = "highest_hurt" },
    { when = "self.hp_pct < 30 and not self.is_hiding and self.skill.bow", do = "hide", target = "self" },
    { when = "enemies.all(charmed) and battle.wind < 2", do = "strike", target = "random" },
    { do = "strike", target = "lowest_hp_pct" },
]

[[sides]]
name = "Bo"
units = ["healer", "archer", "archer"]
plan = [
    { when = "side.strength < enemy.strength and enemies.all(skill.bow)", do = "strike", target = "highest_hp" },
    { when = "self.mood >= 1 and side.wood > 2", do = "heal" },
]
"""

BIDS = '''"""Bids: both sides bid at once, by plan."""

from enum import IntEnum

from fracas.kit import Battle, Game, Log, Options, Side, Strategy, chosen, event, hidden, number, rule, state, strategy
from fracas.kit import win


class Bid(IntEnum):
    PASS = 0
    SMALL = 1
    LARGE = 2


class End(IntEnum):
    RICH = 1
    """somebody is rich"""


class Bidder(Side):
    purse: int = number(1, 20, default=6)
    coins: int = state(starts="purse", of="purse")
    goods: int = state()
    secret: int = hidden()
    bid: Bid = chosen()
    plan: Strategy = strategy()


class Bids(Battle[Bidder, Options]):
    """Round after round."""


@event("{actor} bids {bid}")
def bids(actor: Bidder, bid: Bid) -> None:
    """A bid."""


@rule
def legal(battle: Bids, me: Bidder, choice: Bid) -> bool:
    return 2 * choice <= me.coins


@rule
def play_round(battle: Bids, log: Log | None) -> None:
    first, second = battle.sides
    for side in battle.sides:
        side.coins += 1 - 2 * side.bid
        bids(battle, log, side, side.bid)
    if first.bid > second.bid:
        first.goods += 1
    elif second.bid > first.bid:
        second.goods += 1
    if first.goods > 3 or second.goods > 3:
        win(battle, 0 if first.goods > 3 else 1, End.RICH)


game = Game("bids", version=1, battle=Bids, reasons=End)
'''

BIDS_FILE = """
ruleset = "bids"
id = "market"

[options]
round_cap = 12

[[sides]]
name = "Ada"
plan = [
    { when = "enemy.goods > self.goods", do = "large" },
    { when = "self.coins_pct >= 50", do = "small" },
]

[[sides]]
name = "Bo"
plan = [{ when = "round >= 3 or self.coins > 9", do = "large" }]
"""
