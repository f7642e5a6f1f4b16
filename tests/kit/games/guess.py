"""Guess: both name a number at once; who names the greater one pays for it."""

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
