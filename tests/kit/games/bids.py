"""Bids: both sides bid at once, by plan."""

from enum import IntEnum

from fracas.kit import (
    Battle,
    Game,
    Log,
    Options,
    Side,
    Strategy,
    chosen,
    event,
    hidden,
    number,
    rule,
    state,
    strategy,
    win,
)


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
