"""Skirmish: up to four fighters a side act in order of speed, each by its side's plan, until one side is gone."""

from enum import IntEnum

from fracas.kit import Battle, Game, Log, Options, Side, Strategy, Unit, chance, count, draw, event, fact
from fracas.kit import number, percent, rule, state, strategy, up_to, win

# -- What files may say ------------------------------------------------------------------------------------------------


class Do(IntEnum):
    """What a fighter may do in its turn."""

    STRIKE = 0
    """hit one enemy"""
    CLEAVE = 1
    """hit one enemy, and those next to it for half"""
    BURN = 2
    """set one enemy on fire"""
    MEND = 3
    """give hp back to a friend or to itself"""
    GUARD = 4
    """take half the damage until its next turn"""


class End(IntEnum):
    """How a skirmish ends."""

    FALLEN = 1
    """the other side has fallen"""
    BOTH_FALLEN = 2
    """the last of both sides fell in the same fire"""


class Fighter(Unit, kind="fighters"):
    """A fighter: what it can do, and how well. Of cleave, burn and mend, a 0 means that it cannot."""

    health: int = number(1, 200)
    """The hp at the start."""
    attack: int = number(1, 60)
    """The damage of a strike."""
    armor: int = number(0, 30, default=0)
    """What it takes off every hit."""
    speed: int = number(1, 20)
    """Who is faster acts earlier."""
    dodge: int = percent(default=0)
    """How often hits miss it."""
    critical: int = percent(default=0)
    """How often its hits do half as much again."""
    cleave: int = number(0, 60, default=0)
    """The damage of a cleave."""
    burn: int = number(0, 40, default=0)
    """How hot a fire it sets."""
    mend: int = number(0, 60, default=0)
    """The hp that its mending gives back."""
    rest: int = number(1, 9, default=2)
    """Rounds that it waits after a cleave, a burn or a mend before the next of them."""
    hp: int = state(starts="health", of="health")
    """The hp left."""
    cooldown: int = state(shown=True)
    """Rounds until it is rested."""
    burning: int = state(shown=True)
    """Damage by fire at the end of the round; it halves every time."""
    guarding: bool = state(shown=True)
    """Whether it guards."""


class Team(Side):
    """One of the two sides."""

    units: list[Fighter] = up_to(4, least=1)
    """The fighters; neighbours in this list stand next to each other."""
    units_count: int = count("units")
    """The places in use."""
    plan: Strategy = strategy()
    """What fighters do: the first line whose condition holds, and that is possible."""


class Rules(Options):
    """Nothing but the round cap, which every game has."""


class Skirmish(Battle[Team, Rules]):
    """A skirmish of two sides."""


# -- What conditions may ask -------------------------------------------------------------------------------------------


@fact("percent")
def wounded(battle: Skirmish, me: Fighter) -> int:
    """Percent of its hp that a fighter has lost."""
    return 100 * (me.health - me.hp) // me.health


@fact("truth")
def rested(battle: Skirmish, me: Fighter) -> bool:
    """Whether a fighter may cleave, burn or mend."""
    return me.cooldown == 0


# -- What the story tells ----------------------------------------------------------------------------------------------


@event("{actor} strikes {target} for {damage}: {hp} hp left")
def strikes(actor: Fighter, target: Fighter, damage: int, hp: int) -> None:
    """A hit on one enemy."""


@event("{actor} cleaves into {target} for {damage}: {hp} hp left")
def cleaves(actor: Fighter, target: Fighter, damage: int, hp: int) -> None:
    """One of the hits of a cleave."""


@event("{actor} finds a gap in the armour of {target}")
def finds_gap(actor: Fighter, target: Fighter) -> None:
    """The hit that follows does half as much again."""


@event("{target} steps aside, and {actor} hits nothing")
def misses(actor: Fighter, target: Fighter) -> None:
    """A hit is dodged."""


@event("{actor} sets {target} on fire: {burning} at the end of the round")
def ignites(actor: Fighter, target: Fighter, burning: int) -> None:
    """A fighter burns, or burns hotter."""


@event("The fire burns {target} for {damage}: {hp} hp left")
def burns(target: Fighter, damage: int, hp: int, burning: int) -> None:
    """The end of a round, for who is on fire."""


@event("{actor} mends {target} by {amount}: {hp} hp")
def mends(actor: Fighter, target: Fighter, amount: int, hp: int) -> None:
    """A fighter regains hp, and any fire on it is out."""


@event("{actor} raises the guard")
def guards(actor: Fighter) -> None:
    """A fighter takes half the damage until its next turn."""


@event("{target} falls")
def falls(target: Fighter) -> None:
    """A fighter is out of the battle."""


# -- Whose turn it is, and what may be done ----------------------------------------------------------------------------


@rule
def initiative(battle: Skirmish, me: Fighter) -> int:
    """The fastest acts first."""
    return me.speed


@rule
def legal(battle: Skirmish, me: Fighter, choice: Do, target: Fighter) -> bool:
    """Hits and fires are for enemies, mending for wounded friends, and a guard is one's own."""
    enemy = target.side != me.side
    match choice:
        case Do.STRIKE:
            return enemy
        case Do.CLEAVE:
            return enemy and me.cleave > 0 and me.cooldown == 0
        case Do.BURN:
            return enemy and me.burn > 0 and me.cooldown == 0
        case Do.MEND:
            return not enemy and me.mend > 0 and me.cooldown == 0 and target.hp < target.health
    return target.number == me.number


@rule
def act(battle: Skirmish, me: Fighter, choice: Do, target: Fighter, log: Log | None) -> None:
    """A turn."""
    me.guarding = False
    match choice:
        case Do.STRIKE:
            damage = damage_of(battle, me, target, me.attack, log)
            if damage > 0:
                target.hp = max(target.hp - damage, 0)
                strikes(battle, log, me, target, damage, target.hp)
                tell_fallen(battle, target, log)
        case Do.CLEAVE:
            me.cooldown = me.rest + 1
            cleave(battle, me, target, log)
        case Do.BURN:
            me.cooldown = me.rest + 1
            target.burning += me.burn
            ignites(battle, log, me, target, target.burning)
        case Do.MEND:
            me.cooldown = me.rest + 1
            amount = min(me.mend, target.health - target.hp)
            target.hp += amount
            target.burning = 0
            mends(battle, log, me, target, amount, target.hp)
        case Do.GUARD:
            me.guarding = True
            guards(battle, log, me)
    judge(battle)


@rule
def end_round(battle: Skirmish, log: Log | None) -> None:
    """Fires burn down, and everybody rests."""
    for team in battle.sides:
        for unit in team.units[: team.units_count]:
            unit.cooldown = max(unit.cooldown - 1, 0)
            if unit.hp > 0 and unit.burning > 0:
                damage = unit.burning
                unit.hp = max(unit.hp - damage, 0)
                unit.burning = damage // 2
                burns(battle, log, unit, damage, unit.hp, unit.burning)
                tell_fallen(battle, unit, log)
    judge(battle)


# -- Hits --------------------------------------------------------------------------------------------------------------


@rule
def cleave(battle: Skirmish, me: Fighter, target: Fighter, log: Log | None) -> None:
    """The full damage for the target, half of it for those who stand next to it."""
    team = battle.sides[target.side]
    for enemy in team.units[: team.units_count]:
        if enemy.hp > 0 and abs(enemy.place - target.place) <= 1:
            power = me.cleave if enemy.place == target.place else me.cleave // 2
            damage = damage_of(battle, me, enemy, power, log)
            if damage > 0:
                enemy.hp = max(enemy.hp - damage, 0)
                cleaves(battle, log, me, enemy, damage, enemy.hp)
                tell_fallen(battle, enemy, log)


@rule
def damage_of(battle: Skirmish, me: Fighter, target: Fighter, power: int, log: Log | None) -> int:
    """The damage of a hit: nothing if it misses, otherwise at least 1."""
    if chance(battle, target.dodge):
        misses(battle, log, me, target)
        return 0
    if chance(battle, me.critical):
        finds_gap(battle, log, me, target)
        power += power // 2
    if target.guarding:
        power = power // 2
    return max(power - target.armor, 1)


# -- The end -----------------------------------------------------------------------------------------------------------


@rule
def tell_fallen(battle: Skirmish, unit: Fighter, log: Log | None) -> None:
    """Tell it when a fighter has no hp left."""
    if unit.hp == 0:
        falls(battle, log, unit)


@rule
def judge(battle: Skirmish) -> None:
    """The battle is over once nobody of a side stands."""
    first, second = stands(battle.sides[0]), stands(battle.sides[1])
    if not first and not second:
        draw(battle, End.BOTH_FALLEN)
    elif not first or not second:
        win(battle, 0 if first else 1, End.FALLEN)


@rule
def stands(team: Team) -> bool:
    """Whether anybody of a side stands."""
    for unit in team.units[: team.units_count]:
        if unit.hp > 0:
            return True
    return False


game = Game("skirmish", version=1, battle=Skirmish, reasons=End, content="content")
