"""Roshambo: rock, paper, scissors with hit points. Both choose at once; a tie charges both for a strike."""

from enum import IntEnum

from fracas.kit import Battle, Content, Game, Log, Options, Side, below, chosen, event, number, rule, state, win


class Throw(IntEnum):
    """What a player may choose."""

    ROCK = 0
    PAPER = 1
    SCISSORS = 2
    STRIKE = 3
    """beats the other three, and costs all charge"""


class End(IntEnum):
    """How a duel ends."""

    DOWN = 1
    """the other is down"""


class Fighter(Content, kind="fighters"):
    """Who duels: how much a fighter endures, and how hard each throw hits."""

    health: int = number(1, 30)
    """The hit points at the start."""
    rock: int = number(0, 20)
    """Damage of a rock that wins."""
    paper: int = number(0, 20)
    """Damage of a paper that wins."""
    scissors: int = number(0, 20)
    """Damage of scissors that win."""
    strike: int = number(0, 20)
    """Damage of a strike that wins."""


class Rules(Options):
    """What the players agree on."""

    full: int = number(1, 5, default=2)
    """The charge that a strike needs; more is not stored."""


class Player(Side):
    """One of the two players."""

    fighter: Fighter
    """Who fights for this player."""
    rocks: int = number(0, 100, default=1)
    """How often rock, in proportion to papers and scissors."""
    papers: int = number(0, 100, default=1)
    """How often paper."""
    scissors: int = number(0, 100, default=1)
    """How often scissors; if all three are 0, always these."""
    hp: int = state(starts="fighter.health", of="fighter.health")
    """The hit points left."""
    charge: int = state(shown=True)
    """Charge from ties."""
    throw: Throw = chosen()
    """The choice of this round."""


class Duel(Battle[Player, Rules]):
    """A duel, round after round until somebody is down."""


@event("{actor} shows {throw}")
def shows(actor: Player, throw: Throw) -> None:
    """A hidden choice is turned over."""


@event("{actor} hits {target} for {damage}: {hp} HP left")
def hits(actor: Player, target: Player, damage: int, hp: int) -> None:
    """The better throw does its damage."""


@event("The tie charges {actor}: {charge}")
def charges(actor: Player, charge: int) -> None:
    """Equal throws hit nobody."""


@rule
def legal(battle: Duel, me: Player, choice: Throw) -> bool:
    """Rock, paper and scissors are always there; a strike needs full charge."""
    return choice != Throw.STRIKE or me.charge == battle.options.full


@rule
def choose(battle: Duel, me: Player) -> Throw:
    """Strike with full charge; otherwise one of the three at random, as often as the file says."""
    if me.charge == battle.options.full:
        return Throw.STRIKE
    pick = below(battle, max(me.rocks + me.papers + me.scissors, 1))
    return Throw.ROCK if pick < me.rocks else Throw.PAPER if pick < me.rocks + me.papers else Throw.SCISSORS


@rule
def play_round(battle: Duel, log: Log | None) -> None:
    """Both have chosen: turn the throws over, then the better one hits."""
    for me in battle.sides:
        shows(battle, log, me, me.throw)
    for me in battle.sides:
        other = battle.sides[1 - me.number]
        if me.throw == Throw.STRIKE:
            me.charge = 0
        elif me.throw == other.throw:
            me.charge = min(me.charge + 1, battle.options.full)
            charges(battle, log, me, me.charge)
        if beats(me.throw, other.throw):
            damage = damage_of(me)
            other.hp = max(other.hp - damage, 0)
            hits(battle, log, me, other, damage, other.hp)
            if other.hp == 0:
                win(battle, me.number, End.DOWN)


@rule
def beats(throw: Throw, other: Throw) -> bool:
    """Paper beats rock, scissors beat paper, rock beats scissors; a strike beats all but a strike."""
    return other != Throw.STRIKE and (throw == Throw.STRIKE or (throw - other) % 3 == 1)


@rule
def damage_of(me: Player) -> int:
    """The damage of this round's throw."""
    if me.throw == Throw.STRIKE:
        return me.fighter.strike
    if me.throw == Throw.ROCK:
        return me.fighter.rock
    return me.fighter.paper if me.throw == Throw.PAPER else me.fighter.scissors


game = Game("roshambo", version=1, battle=Duel, reasons=End, content="content", network="trained.json")
