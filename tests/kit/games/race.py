"""Race: a player moves as often as the fuel lasts, then ends the turn; the first at the goal wins."""

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
