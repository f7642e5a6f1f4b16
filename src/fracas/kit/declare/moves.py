"""What rules may do besides changing State: end the battle, ask for choices, store triggers, look up units.

`ask`, `later`, `drain`, `holds`, `join` and `unit_at` depend on the game's records, so `derive/bind.py` gives them
their code when the game is built. Until then they raise.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from fracas.kernel import dice as _dice
from fracas.kernel.jit import kernel
from fracas.kit.declare.dice import ROUND_LANE
from fracas.kit.declare.records import AnyBattle, Condition, Log

UnitT = TypeVar("UnitT")

# What a look-up is marked with: the class of the units that it finds.
LOOKS_UP = "__kit_looks_up__"
UNDECIDED = 0


@kernel
def win(battle: AnyBattle, side: int, reason: int) -> None:
    """Side 0 or 1 wins, for a reason of the game's. The first end of a battle counts."""
    if battle.reason == UNDECIDED:
        battle.winner = side + 1
        battle.reason = reason


@kernel
def draw(battle: AnyBattle, reason: int) -> None:
    """Nobody wins. The first end of a battle counts."""
    if battle.reason == UNDECIDED:
        battle.winner = 0
        battle.reason = reason


@kernel
def next_round(battle: AnyBattle) -> bool:
    """Begin a round with dice of its own, in games with `advance`; False if the round cap has ended the battle."""
    if battle.tick >= battle.options.round_cap:
        if battle.reason == UNDECIDED:
            battle.winner = 0
            battle.reason = battle.kit_cap  # type: ignore[attr-defined]  # the number behind the author's reasons
        return False
    battle.tick += 1
    battle.kit_asks = 0  # type: ignore[attr-defined]  # how many choices this round has asked for
    _dice.open_address(battle.dice, battle.tick, ROUND_LANE)
    return True


def ask(battle: AnyBattle, me: Any) -> None:
    """Whoever `act` takes must choose: a side, or a unit, whose side then chooses for it."""
    raise RuntimeError("ask() works in rules that import it by name, once the game is loaded")


@kernel
def ask_both(battle: AnyBattle) -> None:
    """Both sides must choose; neither sees the other's choice."""
    battle.asked = 3
    battle.actor = -1


def later(battle: AnyBattle, me: Any, what: int, target: Any) -> None:
    """Store a trigger: `happen(battle, me, what, target, log)` is called when the kit or the author drains.

    In one chain, which ends when nothing is stored any more, each unit runs each `what` at most `times` times, as
    `Game` says; further ones are not stored. That is a rule of the game: no chain goes on for ever.
    """
    raise RuntimeError("later() works in rules that import it by name, once the game is loaded")


def drain(battle: AnyBattle, log: Log | None) -> None:
    """Let all stored triggers happen now, in order; the kit does so after every act, turn and round.

    `happen`, and whatever it calls, must not drain.
    """
    raise RuntimeError("drain() works in rules that import it by name, once the game is loaded")


def join(battle: AnyBattle, unit: Any) -> None:
    """Let a unit take part whose place nobody has used so far: loops up to the list's count reach it from now on.

    Set its State before; files cannot fill the places of `reserve`, which are there for this.
    """
    raise RuntimeError("join() works in rules that import it by name, once the game is loaded")


def holds(battle: AnyBattle, me: Any, condition: Condition) -> bool:
    """Whether a condition of a file holds for a unit, or in games in which sides choose, for a side."""
    raise RuntimeError("holds() works in rules that import it by name, once the game is loaded")


def unit_at(unit: type[UnitT]) -> Callable[[AnyBattle, int], UnitT]:
    """Make a look-up of units by their numbers, to be kept under a name: `pet_at`, for `pet_at(battle, 3)` in rules."""

    def at(battle: AnyBattle, number: int) -> UnitT:
        raise RuntimeError("the look-up works once the game is loaded")

    # A function of its own for each look-up, of which only the code changes when the game is built.
    found = FunctionType(at.__code__, {"RuntimeError": RuntimeError}, f"{unit.__name__.lower()}_at")
    found.__module__ = unit.__module__
    setattr(found, LOOKS_UP, unit)
    kernel(found)
    return found
