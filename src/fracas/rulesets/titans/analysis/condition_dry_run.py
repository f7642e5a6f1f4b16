"""The dry run: one condition, as a player would read it when it chooses in one round of a real duel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fracas.conditions import parse
from fracas.conditions.compiler import Ask, Line, Program, compile_condition, subprograms
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.kernel.condition_evaluator import evaluate
from fracas.rulesets.contract.types import Compiled, ExplainedNode, Explanation, Override
from fracas.rulesets.titans.content.vocabulary import VOCABULARY
from fracas.rulesets.titans.rules.condition_facts import read_situation
from fracas.rulesets.titans.rules.constants import LARGEST_ROUND_CAP, MAX_CHARGE, PLAYERS
from fracas.rulesets.titans.rules.entry_points import play_until

# What may be overridden of a player's titan.
TITAN_STATE = ("hp", "charge")


def explain(
    compiled: Compiled,
    *,
    stream: int,
    unit: str,
    when: Any,
    round: int,
    state: Sequence[Override],
    strict: bool,
    encounter: int | None,
) -> Explanation:
    """Play up to the round's choices, apply the overrides, evaluate there.

    Raises:
        InputError: see the contract.
    """
    battle = compiled.record.copy()[0]
    index = player_index(compiled, unit)
    parsed = parse(when, VOCABULARY, where="--when", strict=strict)
    if parsed.tree is None:
        raise UsageError.of("--when", "is empty", "write a condition, e.g. enemy.charge >= 50")
    if round < 1:
        raise UsageError.of("--round", f"{round} is not a round; they count from 1")
    if not play_until(battle, stream, round):
        message = f"{unit} chooses nothing in round {round}: the duel is over in round {battle.tick}"
        raise UsageError.of("--round", message)
    for override in state:
        apply_override(battle, override)
    program = compile_condition(parsed.tree, VOCABULARY)
    place_program(battle, program)
    read_situation(battle, battle.titans[index], 0, len(program.asks))
    nodes = tuple(explain_line(battle, program, line) for line in subprograms(parsed.tree, VOCABULARY))
    value = bool(evaluate(battle, 0, len(program.steps)))
    return Explanation(unit, round, when, value, nodes, parsed.warnings)


def player_index(compiled: Compiled, unit: str) -> int:
    """The index of a player, who is called by number or by name.

    Raises:
        InputError: there is no such player.
    """
    names = list(compiled.books["player"])
    numbers = [str(place + 1) for place in range(PLAYERS)]
    if unit in numbers:
        return numbers.index(unit)
    if unit in names:
        return names.index(unit)
    hint = nearest(unit, [*numbers, *names]) or f"players are {listed([*numbers, *names])}"
    raise UsageError.of("--unit", f"there is no player {quoted(unit)}", hint)


def apply_override(battle: Any, override: Override) -> None:
    """Set one value of the duel's state, such as `players.0.hp`.

    Raises:
        InputError: an unknown path, or a value out of range.
    """
    where = f"{override.where} {'.'.join(override.path)}"
    if override.path == ("round",):
        battle.tick = _checked(override.value, 1, LARGEST_ROUND_CAP, where)
        return
    if len(override.path) != 3 or override.path[0] != "players" or override.path[1] not in ("0", "1"):
        hint = "write round=N, or players.N.hp=N or players.N.charge=N, with players.0 for player 1"
        raise InputError.of(where, "is not a path of the state", hint)
    name = override.path[2]
    if name not in TITAN_STATE:
        raise InputError.of(where, f"a titan's state has no {quoted(name)}", nearest(name, TITAN_STATE))
    titan = battle.titans[int(override.path[1])]
    # Whoever chooses stands, and so does the opponent.
    least, most = (1, int(titan.max_hp)) if name == "hp" else (0, MAX_CHARGE)
    titan[name] = _checked(override.value, least, most, where)


def _checked(value: Any, least: int, most: int, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InputError.of(where, f"{value!r} is not a whole number from {least} to {most:,}")
    return value


def place_program(battle: Any, program: Program) -> None:
    """Put a program at the start of the record's pools, over what was there: the duel is not played on."""
    for place, step in enumerate(program.steps):
        battle.steps[place] = step
    for place, ask in enumerate(program.asks):
        battle.asks[place] = ask


def explain_line(battle: Any, program: Program, line: Line) -> ExplainedNode:
    """One node's own value, by the same kernel that plays, and the numbers it compared."""
    detail = ", ".join(_read(battle, slot, program.asks[slot]) for slot in line.slots)
    return ExplainedNode(line.depth, line.text, bool(evaluate(battle, line.first, line.length)), detail)


def _read(battle: Any, slot: int, ask: Ask) -> str:
    """A fact as read: a share as HP of HP, a stat as the fraction that it is, anything else as it is."""
    numerator, denominator = int(battle.facts[slot].numerator), int(battle.facts[slot].denominator)
    if denominator == 1:
        return str(numerator)
    name = next(fact.name for fact in VOCABULARY.facts if fact.code == ask[1])
    if name.endswith("hp_pct"):
        return f"{numerator / denominator:.4g}% ({numerator // 100}/{denominator})"
    return f"{numerator / denominator:g}"
