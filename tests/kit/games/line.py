"""Line: two rows of beasts; the first two bite, abilities answer, and one may grow into another."""

from enum import IntEnum

from fracas.kit import (
    Battle,
    Content,
    Game,
    Log,
    Options,
    Side,
    Unit,
    below,
    count,
    drain,
    draw,
    event,
    later,
    number,
    ref,
    result,
    rule,
    state,
    unit_at,
    up_to,
    win,
)


class When(IntEnum):
    NEVER = 0
    HURT = 1
    FALLS = 2


class End(IntEnum):
    GONE = 1
    """the other row is gone"""
    BOTH_GONE = 2
    """both rows are gone"""


class Beast(Content, kind="beasts"):
    """What bites."""

    health: int = number(1, 50)
    """How much it endures."""
    bite: int = number(0, 20)
    when: When
    grows: int = ref("options.grown")


class Rules(Options):
    grown: list[Beast] = up_to(3)


class Member(Unit):
    beast: Beast
    level: int = number(1, 3, default=1)
    now: Beast = state(starts="beast")
    hp: int = state(starts="beast.health", of="beast.health")
    size: int = state(shown=True)


class Row(Side):
    units: list[Member] = up_to(3, least=1, reserve=1)
    units_count: int = count("units")
    dealt: int = result()


class Line(Battle[Row, Rules]):
    """Two rows."""


member_at = unit_at(Member)


@event("{actor} bites {target} for {damage:point|points}: {hp} left")
def bites(actor: Member, target: Member, damage: int, hp: int) -> None:
    """A beast is hurt."""


@event("{target} becomes {beast}")
def becomes(target: Member, beast: Beast) -> None:
    """A beast grows."""


@event("{actor} answers", detail="all")
def answers(actor: Member, what: When) -> None:
    """An ability happens."""


@rule
def set_up(battle: Line, log: Log | None) -> None:
    for row in battle.sides:
        for one in row.units[: row.units_count]:
            one.size = one.level


@rule
def play_round(battle: Line, log: Log | None) -> None:
    one, other = first_of(battle.sides[0]), first_of(battle.sides[1])
    if one >= 0 and other >= 0:
        hurt(battle, member_at(battle, one), member_at(battle, other), log)
        hurt(battle, member_at(battle, other), member_at(battle, one), log)
        drain(battle, log)
    one, other = first_of(battle.sides[0]), first_of(battle.sides[1])
    if one < 0 and other < 0:
        draw(battle, End.BOTH_GONE)
    elif one < 0 or other < 0:
        win(battle, 0 if other < 0 else 1, End.GONE)


@rule
def first_of(row: Row) -> int:
    for one in row.units[: row.units_count]:
        if one.hp > 0:
            return one.number
    return -1


@rule
def hurt(battle: Line, by: Member, one: Member, log: Log | None) -> None:
    damage = by.now.bite + below(battle, 2)
    one.hp = max(one.hp - damage, 0)
    battle.sides[by.side].dealt += damage
    bites(battle, log, by, one, damage, one.hp)
    if one.now.when == (When.FALLS if one.hp == 0 else When.HURT):
        later(battle, one, one.now.when, by)


@rule
def happen(battle: Line, me: Member, what: When, target: Member, log: Log | None) -> None:
    answers(battle, log, me, what)
    if me.now.grows > 0:
        me.now = battle.options.grown[me.now.grows - 1]
        me.hp += 2
        me.size += 1
        becomes(battle, log, me, me.now)
    elif target.hp > 0:
        hurt(battle, me, target, log)


game = Game("line", version=1, battle=Line, reasons=End)
