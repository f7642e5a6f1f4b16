"""Your own game in one file: `from fracas.kit import Battle, Content, Game, Side, number, rule, state, win`.

`declare/` is what authors import, `derive/` what follows from it, `game.py` the ruleset made of both.
"""

from fracas.kit.declare.boards import between, column_of, distance, neighbour, row_of
from fracas.kit.declare.dice import below, chance, d100, open_dice
from fracas.kit.declare.events import event
from fracas.kit.declare.fields import (
    board,
    choice,
    chosen,
    condition,
    count,
    hidden,
    number,
    percent,
    ref,
    result,
    state,
    strategy,
    text,
    up_to,
)
from fracas.kit.declare.moves import ask, ask_both, drain, draw, holds, join, later, next_round, unit_at, win
from fracas.kit.declare.records import Battle, Condition, Content, Log, Options, Side, Strategy, Unit
from fracas.kit.declare.rules import fact, rule
from fracas.kit.game import Game
from fracas.rulesets.contract.types import Finding

__all__ = [
    "Battle",
    "Condition",
    "Content",
    "Finding",
    "Game",
    "Log",
    "Options",
    "Side",
    "Strategy",
    "Unit",
    "ask",
    "ask_both",
    "below",
    "between",
    "board",
    "chance",
    "choice",
    "chosen",
    "column_of",
    "condition",
    "count",
    "d100",
    "distance",
    "drain",
    "draw",
    "event",
    "fact",
    "hidden",
    "holds",
    "join",
    "later",
    "neighbour",
    "next_round",
    "number",
    "open_dice",
    "percent",
    "ref",
    "result",
    "row_of",
    "rule",
    "state",
    "strategy",
    "text",
    "unit_at",
    "up_to",
    "win",
]
