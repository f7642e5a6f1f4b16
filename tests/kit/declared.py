"""Four small games, one for each shape of play, as strangers would write them; the tests of the kit load them."""

ROUNDS = '''"""Line: two rows of beasts; the first two bite, abilities answer, and one may grow into another."""

from enum import IntEnum

from fracas.kit import Battle, Content, Game, Log, Options, Side, Unit, below, count, drain, draw, event, later, number
from fracas.kit import ref, result, rule, state, unit_at, up_to, win


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
'''

LINE = """
ruleset = "line"
id = "meadow"

[[beasts]]
id = "cub"
health = 4
bite = 1
when = "hurt"
grows = "bear"

[[beasts]]
id = "bear"
health = 9
bite = 3
when = "never"

[[beasts]]
id = "hornet"
name = "Hornet"
health = 2
bite = 2
when = "falls"

[options]
grown = ["bear"]

[[sides]]
name = "Ada"
units = [{ beast = "cub" }, { beast = "hornet", level = 2 }]

[[sides]]
name = "Bo"
units = [{ beast = "hornet" }, { beast = { name = "Toad", health = 5, bite = 2, when = "hurt" } }]
"""

BOTH = '''"""Guess: both name a number at once; who names the greater one pays for it."""

from enum import IntEnum

from fracas.kit import Battle, Game, Log, Options, Side, below, chosen, draw, event, number, rule, state, win


class Call(IntEnum):
    LOW = 0
    MIDDLE = 1
    HIGH = 2


class End(IntEnum):
    BROKE = 1
    """the other is broke"""
    BOTH_BROKE = 2
    """both are broke"""


class Player(Side):
    purse: int = number(1, 20)
    bold: int = number(0, 9, default=1)
    coins: int = state(starts="purse", of="purse")
    call: Call = chosen()


class Guess(Battle[Player, Options]):
    """Round after round."""


@event("{actor} calls {call} and has {coins:coin|coins}")
def calls(actor: Player, call: Call, coins: int) -> None:
    """A call is turned over."""


@rule
def legal(battle: Guess, me: Player, choice: Call) -> bool:
    return choice <= me.coins


@rule
def choose(battle: Guess, me: Player) -> Call:
    pick = below(battle, 3 + me.bold)
    if pick >= 3 or pick == 2:
        return Call.HIGH if me.coins >= 2 else Call.MIDDLE
    return Call.MIDDLE if pick == 1 else Call.LOW


@rule
def play_round(battle: Guess, log: Log | None) -> None:
    first, second = battle.sides
    for side in battle.sides:
        other = battle.sides[1 - side.number]
        if side.call < other.call:
            side.coins -= other.call - side.call
        elif side.call > other.call:
            side.coins -= 1
        side.coins = max(side.coins, 0)
        calls(battle, log, side, side.call, side.coins)
    if first.coins == 0 and second.coins == 0:
        draw(battle, End.BOTH_BROKE)
    elif first.coins == 0 or second.coins == 0:
        win(battle, 0 if second.coins == 0 else 1, End.BROKE)


game = Game("guess", version=1, battle=Guess, reasons=End)
'''

GUESS = """
ruleset = "guess"
id = "table"

[[sides]]
name = "Ada"
purse = 4

[[sides]]
name = "Bo"
purse = 5
bold = 3
"""

TURNS = '''"""Brawl: fighters act in order of speed: strike or rest."""

from enum import IntEnum

from fracas.kit import Battle, Content, Game, Log, Options, Side, Unit, d100, event, number, percent, rule, state
from fracas.kit import up_to, win


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
'''

BRAWL = """
ruleset = "brawl"
id = "tavern"

[[fighters]]
id = "cook"
health = 8
attack = 3
speed = 4

[[fighters]]
id = "smith"
health = 9
attack = 4
speed = 2

[[sides]]
name = "Ada"
units = ["cook", "smith"]

[[sides]]
name = "Bo"
units = ["cook", "cook"]
"""

ADVANCE = '''"""Race: a player moves as often as the fuel lasts, then ends the turn; the first at the goal wins."""

from enum import IntEnum

from fracas.kit import Battle, Game, Log, Options, Side, ask, below, event, hidden, next_round, number, rule, state, win


class Do(IntEnum):
    END = 0
    MOVE = 1


class End(IntEnum):
    THERE = 1
    """is there first"""


class Rules(Options):
    goal: int = number(1, 40, default=9)


class Car(Side):
    tank: int = number(1, 9, default=3)
    fuel: int = hidden()
    way: int = state(shown=True)


class Race(Battle[Car, Rules]):
    active: int = state()
    """Whose turn, + 1."""


@event("{actor} moves {steps:step|steps} to {way}")
def moves(actor: Car, steps: int, way: int) -> None:
    """A car moves."""


@rule
def advance(battle: Race, log: Log | None) -> None:
    if battle.active == 0 and next_round(battle):
        battle.active = 1 + battle.tick % 2
        battle.sides[battle.active - 1].fuel = battle.sides[battle.active - 1].tank
    if battle.reason == 0:
        ask(battle, battle.sides[battle.active - 1])


@rule
def legal(battle: Race, me: Car, choice: Do, speed: int) -> bool:
    return choice == Do.END or speed < me.fuel


@rule
def choose(battle: Race, me: Car) -> tuple[Do, int]:
    if me.fuel == 0 or below(battle, 5) == 0:
        return Do.END, 0
    return Do.MOVE, below(battle, me.fuel)


@rule
def act(battle: Race, me: Car, choice: Do, speed: int, log: Log | None) -> None:
    if choice == Do.END:
        battle.active = 0
        return
    me.fuel -= speed + 1
    me.way += 1 + below(battle, speed + 1)
    moves(battle, log, me, speed + 1, me.way)
    if me.way >= battle.options.goal:
        win(battle, me.number, End.THERE)


game = Game("race", version=1, battle=Race, reasons=End, targets=4, untargeted=(Do.END,))
'''

RACE = """
ruleset = "race"
id = "road"
options = { goal = 4, round_cap = 6 }

[[sides]]
name = "Ada"

[[sides]]
name = "Bo"
tank = 4
"""

GAMES = {"line": (ROUNDS, LINE), "guess": (BOTH, GUESS), "brawl": (TURNS, BRAWL), "race": (ADVANCE, RACE)}
