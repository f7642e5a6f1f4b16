"""Camp: hunters with plans strike, heal and hide; a charm works when its condition holds."""

from enum import IntEnum

from fracas.kit import (
    Battle,
    Condition,
    Content,
    Game,
    Log,
    Options,
    Side,
    Strategy,
    Unit,
    below,
    condition,
    count,
    event,
    fact,
    hidden,
    holds,
    number,
    rule,
    state,
    strategy,
    up_to,
    win,
)


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
