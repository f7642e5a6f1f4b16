"""Hexes: two teams fight by themselves on a board of hexes: reach, steps, mana, abilities, tribes, items, summons."""

from enum import IntEnum

from fracas.kit import Battle, Content, Game, Log, Options, Side, Unit, board, chance, choice, count, distance, event
from fracas.kit import join, later, neighbour, number, percent, ref, rule, state, unit_at, up_to, win

WIDE, HIGH = 6, 8
PLACES, WAYS = 8, 6
NOBODY = NOWHERE = -1


# -- What files may say ------------------------------------------------------------------------------------------------


class Tribe(IntEnum):
    """Whom a hero belongs to; many of one tribe are stronger together."""

    NONE = 0
    REED = 1
    """the people of the reeds"""
    FORGE = 2
    """the smiths under the hill"""
    ASH = 3
    """those who came back from the fire"""
    STAR = 4
    """the readers of the sky"""


class Stat(IntEnum):
    """What items and tribes improve."""

    POWER = 0
    HEALTH = 1
    ARMOR = 2
    MANA = 3


class Effect(IntEnum):
    """What an ability does."""

    NOTHING = 0
    STRIKE = 1
    """hurts the target"""
    BURST = 2
    """hurts the target and the enemies next to it"""
    STUN = 3
    """takes turns from the target"""
    MEND = 4
    """gives hp back to the most wounded friend"""
    RAISE = 5
    """brings a summoned hero to its side"""


class When(IntEnum):
    """When the ability of an item happens."""

    NEVER = 0
    HITS = 1
    """when its bearer hits"""
    HURT = 2
    """when its bearer is hurt by a hit"""


class End(IntEnum):
    """How a battle ends."""

    GONE = 1
    """the other team is gone"""


class Invalid(IntEnum):
    """Why a line-up cannot play."""

    FINE = 0
    OTHER_HALF = 1
    """a piece stands in the other team's half: the first team has rows 0 to 3, the second rows 4 to 7"""


class Ability(Content, kind="abilities"):
    """What a hero casts with full mana, or an item at its moment."""

    effect: Effect
    """What it does."""
    amount: int = number(0, 300, default=0)
    """How much: hp, or turns of a stun."""
    brings: int = ref("options.summons")
    """Whom it raises."""


class Item(Content, kind="items"):
    """Something to carry: better numbers, and perhaps an ability."""

    stat: Stat
    """What it improves."""
    amount: int = number(0, 200)
    """By how much."""
    when: When = choice(default=When.NEVER)
    """When its ability happens."""
    ability: Ability
    """What happens then."""


class Hero(Content, kind="heroes"):
    """A hero: numbers of its own, and one ability."""

    tribe: Tribe
    """Whom it belongs to."""
    health: int = number(1, 999)
    """The hp with one star; each further star adds half of it."""
    power: int = number(0, 200)
    """The damage of a hit; each further star adds half of it."""
    armor: int = number(0, 90, default=0)
    """Percent of damage that it does not feel."""
    reach: int = number(1, 8, default=1)
    """The distance over which it hits."""
    speed: int = number(1, 20, default=10)
    """Who is faster acts earlier in a round."""
    critical: int = percent(default=20)
    """How often a hit does half as much again."""
    mana: int = number(10, 200, default=50)
    """What its ability costs."""
    ability: Ability
    """What it casts."""


class Synergy(Content, kind="synergies"):
    """What a team gains when enough of its pieces are of one tribe."""

    tribe: Tribe
    """The tribe that counts, and that gains."""
    needs: int = number(1, PLACES)
    """How many are enough."""
    stat: Stat
    """What it improves."""
    amount: int = number(0, 200)
    """By how much."""


class Rules(Options):
    """What both teams agree on."""

    synergies: list[Synergy] = up_to(8)
    """What tribes are good for."""
    summons: list[Hero] = up_to(4)
    """The heroes that abilities may raise."""
    hit_mana: int = number(0, 50, default=10)
    """Mana for each hit that a piece does."""
    hurt_mana: int = number(0, 50, default=5)
    """Mana for each time that a piece is hurt."""


class Piece(Unit):
    """A hero on the board."""

    hero: Hero
    """Who it is."""
    at: int = number(board="field")
    """Where it begins: column and row."""
    star: int = number(1, 3, default=1)
    """How strong it has become."""
    items: list[Item] = up_to(2)
    """What it carries."""
    now: Hero = state(starts="hero")
    """Who it is for the rules: the hero, or the summons that took this place."""
    cell: int = state(board="field", starts="at")
    """Where it is."""
    most: int = state(starts="hero.health")
    """The most hp that it can have."""
    hp: int = state(starts="hero.health", of="most")
    """The hp left."""
    power: int = state(starts="hero.power")
    """The damage of its hits now."""
    armor: int = state(starts="hero.armor")
    """Percent of damage that it does not feel now."""
    mana: int = state(of="now.mana")
    """The mana so far."""
    stunned: int = state(shown=True)
    """Turns that it will lose."""


class Team(Side):
    """One of the two teams; two places stay free for summons."""

    units: list[Piece] = up_to(PLACES, least=1, reserve=2, distinct="at")
    """The pieces."""
    units_count: int = count("units")
    """The places in use."""


class Hexes(Battle[Team, Rules]):
    """A battle on a board of hexes."""

    field: list[int] = board(WIDE, HIGH, shape="hex")
    """The board: rows 0 to 3 are the first team's half, rows 4 to 7 the second's."""


piece_at = unit_at(Piece)


# -- What the story tells ----------------------------------------------------------------------------------------------


@event("{count} of {tribe} stand with {actor}: {stat} +{amount}")
def gathers(actor: Team, tribe: Tribe, count: int, stat: Stat, amount: int) -> None:
    """Enough of a tribe are there."""


@event("{actor} steps to {cell}")
def steps(actor: Piece, cell: int) -> None:
    """A piece moves to a cell next to it."""


@event("{actor} casts {ability}")
def casts(actor: Piece, ability: Ability, mana: int) -> None:
    """The mana is spent."""


@event("{ability} answers for {actor}")
def answers(actor: Piece, ability: Ability) -> None:
    """The ability of an item happens."""


@event("{actor} hits {target} for {damage}: {hp} hp left")
def hits(actor: Piece, target: Piece, damage: int, hp: int) -> None:
    """A piece loses hp."""


@event("{actor} stuns {target}: {stunned:turn|turns} lost")
def stuns(actor: Piece, target: Piece, stunned: int) -> None:
    """A piece will lose turns."""


@event("{actor} mends {target} by {amount}: {hp} hp")
def mends(actor: Piece, target: Piece, amount: int, hp: int) -> None:
    """A piece regains hp."""


@event("{actor} raises {hero} at {cell}: {hp} hp")
def raises(actor: Piece, target: Piece, hero: Hero, cell: int, hp: int) -> None:
    """A summons appears."""


@event("{target} falls")
def falls(target: Piece) -> None:
    """A piece is gone."""


# -- Before the battle -------------------------------------------------------------------------------------------------


@rule
def valid(battle: Hexes) -> Invalid:
    """Every piece begins in its own half."""
    for team in battle.sides:
        for piece in team.units[: team.units_count]:
            if (piece.cell // WIDE < HIGH // 2) != (team.number == 0):
                return Invalid.OTHER_HALF
    return Invalid.FINE


@rule
def set_up(battle: Hexes, log: Log | None) -> None:
    """Stars, items and tribes make pieces better."""
    for team in battle.sides:
        for piece in team.units[: team.units_count]:
            improve(piece, Stat.HEALTH, piece.hero.health * (piece.star - 1) // 2)
            improve(piece, Stat.POWER, piece.hero.power * (piece.star - 1) // 2)
            for item in piece.items:
                improve(piece, item.stat, item.amount)
        for synergy in battle.options.synergies:
            many = 0
            for piece in team.units[: team.units_count]:
                many += piece.hero.tribe == synergy.tribe
            if 0 < synergy.needs <= many:
                gathers(battle, log, team, synergy.tribe, many, synergy.stat, synergy.amount)
                for piece in team.units[: team.units_count]:
                    if piece.hero.tribe == synergy.tribe:
                        improve(piece, synergy.stat, synergy.amount)


@rule
def improve(piece: Piece, stat: Stat, amount: int) -> None:
    """One of a piece's numbers grows."""
    match stat:
        case Stat.POWER:
            piece.power += amount
        case Stat.HEALTH:
            piece.most += amount
            piece.hp += amount
        case Stat.ARMOR:
            piece.armor = min(piece.armor + amount, 90)
        case Stat.MANA:
            piece.mana += amount


# -- A turn ------------------------------------------------------------------------------------------------------------


@rule
def initiative(battle: Hexes, me: Piece) -> int:
    """The fastest acts first."""
    return me.now.speed


@rule
def take_turn(battle: Hexes, me: Piece, log: Log | None) -> None:
    """With full mana cast; else hit the nearest enemy within reach; else step towards it."""
    if me.stunned > 0:
        me.stunned -= 1
        return
    foe = nearest(battle, me)
    if foe == NOBODY:
        return
    target = piece_at(battle, foe)
    if me.mana >= me.now.mana and me.now.ability.effect != Effect.NOTHING:
        me.mana = 0
        casts(battle, log, me, me.now.ability, me.mana)
        use(battle, me, me.now.ability, target, log)
    elif distance(battle, me.cell, target.cell) <= me.now.reach:
        damage = me.power + me.power // 2 if chance(battle, me.now.critical) else me.power
        me.mana += battle.options.hit_mana
        hurt(battle, me, target, damage, log)
        answer(battle, me, When.HITS, target)
        answer(battle, target, When.HURT, me)
    else:
        step(battle, me, target, log)


@rule
def nearest(battle: Hexes, me: Piece) -> int:
    """The number of the nearest enemy, the first of equals, or NOBODY."""
    found, least = NOBODY, WIDE * HIGH
    team = battle.sides[1 - me.side]
    for enemy in team.units[: team.units_count]:
        if enemy.hp > 0 and distance(battle, me.cell, enemy.cell) < least:
            found, least = enemy.number, distance(battle, me.cell, enemy.cell)
    return found


@rule
def step(battle: Hexes, me: Piece, target: Piece, log: Log | None) -> None:
    """To the free cell next to it from which the target is nearest; nowhere if all are farther than here."""
    best, least = NOWHERE, distance(battle, me.cell, target.cell) + 1
    for way in range(WAYS):
        cell = neighbour(battle, me.cell, way)
        if is_free(battle, cell) and distance(battle, cell, target.cell) < least:
            best, least = cell, distance(battle, cell, target.cell)
    if best != NOWHERE:
        me.cell = best
        steps(battle, log, me, me.cell)


@rule
def is_free(battle: Hexes, cell: int) -> bool:
    """Whether a cell is on the board and nobody stands there."""
    for team in battle.sides:
        for piece in team.units[: team.units_count]:
            if piece.hp > 0 and piece.cell == cell:
                return False
    return cell != NOWHERE


# -- What abilities and items do ---------------------------------------------------------------------------------------


@rule
def use(battle: Hexes, me: Piece, ability: Ability, target: Piece, log: Log | None) -> None:
    """An ability does its work."""
    friends, enemies = battle.sides[me.side], battle.sides[1 - me.side]
    match ability.effect:
        case Effect.STRIKE:
            hurt(battle, me, target, ability.amount, log)
        case Effect.BURST:
            middle = target.cell
            for enemy in enemies.units[: enemies.units_count]:
                if distance(battle, enemy.cell, middle) <= 1:
                    hurt(battle, me, enemy, ability.amount, log)
        case Effect.STUN:
            if target.hp > 0:
                target.stunned = max(target.stunned, ability.amount)
                stuns(battle, log, me, target, target.stunned)
        case Effect.MEND:
            friend = me
            for other in friends.units[: friends.units_count]:
                if other.hp > 0 and other.most - other.hp > friend.most - friend.hp:
                    friend = other
            amount = min(ability.amount, friend.most - friend.hp)
            friend.hp += amount
            mends(battle, log, me, friend, amount, friend.hp)
        case Effect.RAISE:
            if ability.brings > 0:
                bring(battle, me, friends, battle.options.summons[ability.brings - 1], log)


@rule
def bring(battle: Hexes, me: Piece, team: Team, hero: Hero, log: Log | None) -> None:
    """A summons takes a free place of the team and a free cell next to its caller; without both, nobody comes."""
    for piece in team.units[PLACES:]:
        if piece.hp == 0:
            for way in range(WAYS):
                cell = neighbour(battle, me.cell, way)
                if is_free(battle, cell):
                    piece.now, piece.cell = hero, cell
                    piece.hp, piece.most, piece.power, piece.armor = hero.health, hero.health, hero.power, hero.armor
                    piece.mana, piece.stunned = 0, 0
                    join(battle, piece)
                    raises(battle, log, me, piece, hero, cell, piece.hp)
                    return


@rule
def hurt(battle: Hexes, me: Piece, piece: Piece, amount: int, log: Log | None) -> None:
    """Armour takes its part of the damage, hp the rest; whoever has none left falls."""
    if piece.hp == 0:
        return
    damage = amount * (100 - piece.armor) // 100
    piece.hp = max(piece.hp - damage, 0)
    piece.mana += battle.options.hurt_mana
    hits(battle, log, me, piece, damage, piece.hp)
    if piece.hp == 0:
        falls(battle, log, piece)
        team = battle.sides[piece.side]
        for other in team.units[: team.units_count]:
            if other.hp > 0:
                return
        win(battle, 1 - piece.side, End.GONE)


@rule
def answer(battle: Hexes, me: Piece, what: When, target: Piece) -> None:
    """An item waits for this: its ability happens after the turn."""
    for item in me.items:
        if item.when == what:
            later(battle, me, what, target)


@rule
def happen(battle: Hexes, me: Piece, what: When, target: Piece, log: Log | None) -> None:
    """The abilities of items happen, if their bearer still stands."""
    for item in me.items:
        if item.when == what and me.hp > 0:
            answers(battle, log, me, item.ability)
            use(battle, me, item.ability, target, log)


game = Game("hexes", version=1, battle=Hexes, reasons=End, content="content")
