"""Brawl: fighters act in order of speed: strike or rest."""

from enum import IntEnum

from fracas.kit import (
    Battle,
    Game,
    Log,
    Options,
    Side,
    Unit,
    d100,
    event,
    number,
    percent,
    rule,
    state,
    up_to,
    win,
)


class Do(IntEnum):
    STRIKE = 0
    REST = 1


class End(IntEnum):
    FALLEN = 1
    """the other side has fallen"""


class Fighter(Unit, kind="fighters"):
    health: int = number(1, 60)
    attack: int = number(1, 20)
    speed: int = number(1, 9)
    luck: int = percent(default=20)
    hp: int = state(starts="health", of="health")
    rests: int = state()


class Team(Side):
    units: list[Fighter] = up_to(3, least=1)


class Brawl(Battle[Team, Options]):
    """A brawl."""


@event("{actor} hits {target} for {damage}: {hp} hp left")
def hits(actor: Fighter, target: Fighter, damage: int, hp: int) -> None:
    """A hit."""


@event("{actor} rests")
def rests(actor: Fighter) -> None:
    """A rest."""


@rule
def initiative(battle: Brawl, me: Fighter) -> int:
    return me.speed


@rule
def legal(battle: Brawl, me: Fighter, choice: Do, target: Fighter) -> bool:
    if choice == Do.REST:
        return me.rests < 2 and me.hp < me.health
    return target.side != me.side and target.hp > 0


@rule
def choose(battle: Brawl, me: Fighter) -> tuple[Do, int]:
    if me.rests < 1 and 2 * me.hp < me.health:
        return Do.REST, 0
    best = -1
    for enemy in battle.sides[1 - me.side].units:
        if enemy.hp > 0 and best < 0:
            best = enemy.number
    return Do.STRIKE, best


@rule
def act(battle: Brawl, me: Fighter, choice: Do, target: Fighter, log: Log | None) -> None:
    if choice == Do.REST:
        me.rests += 1
        me.hp = min(me.hp + 3, me.health)
        rests(battle, log, me)
        return
    damage = me.attack * (2 if d100(battle, me.luck) <= me.luck else 1)
    target.hp = max(target.hp - damage, 0)
    hits(battle, log, me, target, damage, target.hp)
    left = 0
    for enemy in battle.sides[target.side].units:
        left += enemy.hp > 0
    if left == 0:
        win(battle, me.side, End.FALLEN)


game = Game("brawl", version=1, battle=Brawl, reasons=End, untargeted=(Do.REST,))
