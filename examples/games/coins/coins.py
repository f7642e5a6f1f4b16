"""Coins: two players flip coins, and whoever first has enough heads wins."""

from enum import IntEnum

from fracas.kit import Battle, Content, Game, Log, Options, Side, d100, draw, event, number, percent, rule, state, win


class Coin(Content, kind="coins"):
    """A coin, fair or not."""

    heads: int = percent(default=50)
    """How often it falls on heads."""


class Rules(Options):
    """What the players agree on."""

    goal: int = number(1, 1000, default=5)
    """The heads that win."""


class Player(Side):
    """One of the two players."""

    coin: Coin
    """The coin that this player flips."""
    heads: int = state(shown=True)
    """The heads so far."""


class Coins(Battle[Player, Rules]):
    """A game of coins."""


class End(IntEnum):
    """How a game ends."""

    GOAL = 1
    """enough heads"""
    BOTH = 2
    """both have enough heads in the same round"""


@event("{actor} flips heads: {heads} so far")
def flips_heads(actor: Player, heads: int) -> None:
    """A coin falls on heads, and counts."""


@event("{actor} flips tails")
def flips_tails(actor: Player) -> None:
    """A coin falls on tails, and nothing changes."""


@rule
def play_round(battle: Coins, log: Log | None) -> None:
    """Both players flip; then we look who has enough."""
    for player in battle.sides:
        if d100(battle, player.coin.heads) <= player.coin.heads:
            player.heads += 1
            flips_heads(battle, log, player, player.heads)
        else:
            flips_tails(battle, log, player)
    first, second = battle.sides
    if first.heads >= battle.options.goal and second.heads >= battle.options.goal:
        draw(battle, End.BOTH)
    elif first.heads >= battle.options.goal:
        win(battle, first.number, End.GOAL)
    elif second.heads >= battle.options.goal:
        win(battle, second.number, End.GOAL)


game = Game("coins", version=1, battle=Coins, reasons=End)
