"""The exact damage distribution of one blow or shot.

stacks/README.md, Scores, damage rolls, values; The shipped moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Unpack

from fracas.errors import InputError
from fracas.rulesets.contract.hits import Hit, HitStep, counted_hit, enemies
from fracas.rulesets.contract.types import AskedHit, Compiled
from fracas.rulesets.stacks.analysis.move_values import apply_override, why_none
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.entry_points import play_until
from fracas.rulesets.stacks.rules.mechanics import set_up
from fracas.rulesets.stacks.rules.moves.dispatch import is_viable, repeats
from fracas.rulesets.stacks.rules.moves.melee import charge_damage, riposte_damage
from fracas.rulesets.stacks.rules.rolls import hits as hitting_pairs
from fracas.rulesets.stacks.rules.rolls import score


def hits(compiled: Compiled, **asked: Unpack[AskedHit]) -> list[Hit]:
    """Every harmful shipped move of the actors on each target, at the set-up, or at an actor's turn; and its Riposte.

    Raises:
        InputError: no such unit, no such turn, an unknown state path.
    """
    units = list(compiled.books["unit"])
    battle = compiled.own_record()[0]
    sides: list[list[str]] = [[], []]
    for number in map(int, battle.involved[: battle.involved_count]):
        sides[int(battle.participants[number].side)].append(str(units[number]))
    found: list[Hit] = []
    for one, other in enemies(asked["actor"], asked["target"], sides):
        battle = situation(compiled, asked["stream"], units.index(one), one, asked["round"])
        for override in asked["state"]:
            apply_override(battle, compiled, override)
        found += _hits_of(compiled, battle, units.index(one), units.index(other))
    return found


def situation(compiled: Compiled, stream: int, number: int, name: str, round: int | None) -> Any:
    """The battle at its set-up, or at a participant's turn."""
    battle = compiled.own_record()[0]
    plugins = compiled.functions
    if round is None:
        set_up(battle, None)
    elif not play_until(battle, stream, round, number, plugins):
        raise InputError.of("--round", f"{name} has no turn {round}: {why_none(battle, number, round)}")
    return battle


def _hits_of(compiled: Compiled, battle: Any, number: int, other: int) -> Iterator[Hit]:
    one = battle.participants[number]
    moves = [int(move) for move in one.moves[: one.move_count]]
    viable = [move for move in moves if move < codes.FIRST_PLUGIN_MOVE and is_viable(battle, move, number, other, None)]
    for move in [*viable, *([codes.RIPOSTE] if one.can_riposte else [])]:
        rolled = blow_of(battle, move, one)
        if rolled is not None:
            yield _counted(compiled, battle, (number, other, move), *rolled)


def blow_of(battle: Any, move: int, one: Any) -> tuple[int, int] | None:
    """The attack and damage scores of a move's roll, before bounds; None if the move does no harm."""
    attack, damage = int(one.attack), int(one.damage)
    rolled = {
        codes.ARCHERY: (attack, damage),
        codes.CHARGE: (attack + codes.CHARGE_BONUS, int(charge_damage(battle, one))),
        codes.STRIKE: (attack, damage),
        codes.RIPOSTE: (attack - codes.RIPOSTE_LOSS, int(riposte_damage(battle, one))),
        codes.BOMBARD: (attack, damage),
        codes.JAVELIN: (attack + codes.JAVELIN_BONUS, damage + codes.JAVELIN_BONUS),
    }
    return rolled.get(move)


def _counted(compiled: Compiled, battle: Any, who: tuple[int, int, int], attack: int, damage: int) -> Hit:
    number, other, move = who
    target = battle.participants[other]
    a, d, most = (int(score(battle, value)) for value in (attack, target.defence, damage))
    pairs = (a + 1) * (d + 1)
    hit = Fraction(int(hitting_pairs(a, d)), pairs)
    steps = (
        HitStep("attack roll", f"0 to {a}, must be above", 0, a),
        HitStep("defence roll", f"0 to {d}", 0, d),
        HitStep("damage roll", f"0 to {most} on a hit", 0, most),
    )
    damages = {amount: Fraction(1, most + 1) for amount in range(most + 1)}
    books = compiled.books
    names = str(books["unit"][number]), str(books["unit"][other]), str(books["move"][move])
    times = int(repeats(battle, move, number, other, None))
    return counted_hit(names, steps, damages, hit=hit, left=int(target.health), times=times)
