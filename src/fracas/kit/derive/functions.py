"""The functions of a game's module that the kit knows by name, and the shape of play that follows from them."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from types import FunctionType, ModuleType
from typing import Any

from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed
from fracas.kit.declare.events import EVENT, EventDeclaration
from fracas.kit.declare.moves import LOOKS_UP
from fracas.kit.declare.records import Log, Unit
from fracas.kit.declare.rules import FACT
from fracas.kit.derive.shape import Field, Shape

# The most actions that a side may have to choose from.
MOST_ACTIONS = 4096
# The derivations that a function of the same name in the module replaces.
REPLACEABLE = (
    "search_space", "lint", "observation", "narrate", "resolve_entry", "random_scenario", "swaps", "summary",
    "choice_words",
)  # fmt: skip
# The rules that the kit calls.
RULES = (
    "set_up", "play_round", "legal", "choose", "act", "advance", "initiative", "take_turn", "begin_round", "end_round",
    "can_act", "present", "valid", "happen",
)  # fmt: skip


class Play(Enum):
    """How a game is played: who calls whom (kit-decisions 2)."""

    ROUNDS = "rounds"
    BOTH = "both"
    TURNS = "turns"
    ADVANCE = "advance"


@dataclass(frozen=True)
class Part:
    """One part of an action besides the choice: a target, a place."""

    name: str
    size: int
    """How many values it has, from 0."""
    is_unit: bool
    enum: type[IntEnum] | None = None


@dataclass(frozen=True)
class Functions:
    """What a game's module has."""

    rules: Mapping[str, FunctionType]
    replaced: Mapping[str, FunctionType]
    events: Sequence[tuple[FunctionType, EventDeclaration]]
    """The emitters, in the order of their numbers, which begin at 1."""
    look_ups: Sequence[FunctionType]
    facts: Mapping[str, FunctionType]
    play: Play
    chosen: Field | None
    """The field of a side that holds its choice, in the shape *both*."""
    choices: type[IntEnum] | None
    parts: tuple[Part, ...]
    chooser_is_unit: bool
    triggers: type[IntEnum] | None

    def has(self, name: str) -> bool:
        """Whether the module has a rule of this name."""
        return name in self.rules


def modules_of(module: ModuleType) -> list[ModuleType]:
    """The game's module and, if it is a package, the modules inside it that are loaded."""
    import sys

    inner = f"{module.__name__}."
    return [
        module,
        *(each for name, each in sorted(sys.modules.items()) if name.startswith(inner) and each is not None),
    ]


def functions_of(shape: Shape, scope: Mapping[str, Any], *, choices: type[IntEnum] | None, targets: int) -> Functions:
    """Find a module's functions, and how its game is played.

    Raises:
        InputError: the functions make no shape of play; everything that is wrong with them.
    """
    where = str(scope.get("__file__") or scope.get("__name__"))
    rules = {name: scope[name] for name in RULES if isinstance(scope.get(name), FunctionType)}
    replaced = {name: scope[name] for name in REPLACEABLE if isinstance(scope.get(name), FunctionType)}
    values = [value for each in modules_of(shape.module) for value in vars(each).values()]
    emitters = {id(value): value for value in values if isinstance(value, FunctionType) and hasattr(value, EVENT)}
    events = sorted(((each, getattr(each, EVENT)) for each in emitters.values()), key=lambda pair: pair[1].order)
    look_ups = [value for value in values if isinstance(value, FunctionType) and hasattr(value, LOOKS_UP)]
    facts = {value.__name__: value for value in values if isinstance(value, FunctionType) and hasattr(value, FACT)}
    chosen = next((each for each in shape.side.fields if each.spec.is_chosen), None)
    problems: list[Problem] = []
    play = _play(rules, chosen, where, problems)
    if play is Play.BOTH and chosen is not None:
        choices = chosen.enum
    parts: tuple[Part, ...] = ()
    chooser_is_unit = play is Play.TURNS
    if play in (Play.TURNS, Play.ADVANCE) and "act" in rules:
        signature = list(_parameters(rules["act"]).items())
        chooser = signature[1][1] if len(signature) > 1 else None
        chooser_is_unit = isinstance(chooser, type) and issubclass(chooser, Unit)
        choices = choices or (signature[2][1] if len(signature) > 2 else None)
        if not (isinstance(choices, type) and issubclass(choices, IntEnum)):
            problems.append(
                Problem(f"{where}: act", "its third parameter is no choice", "write choice: Do, an IntEnum")
            )
        parts = tuple(_parts(shape, signature[3:], targets, where, problems))
    if len(parts) > 2:
        problems.append(Problem(f"{where}: act", "an action has more than two parts besides its choice"))
    triggers = None
    if "happen" in rules:
        kinds = list(_parameters(rules["happen"]).values())
        if len(kinds) == 5 and isinstance(kinds[2], type) and issubclass(kinds[2], IntEnum):
            triggers = kinds[2]
        else:
            hint = "write happen(battle: Pets, me: Pet, what: Trigger, target: Pet, log: Log | None)"
            problems.append(Problem(f"{where}: happen", "has other parameters than the kit passes", hint))
        if shape.units is None:
            problems.append(Problem(f"{where}: happen", "needs units that it happens to"))
    if play is Play.TURNS and shape.units is None:
        problems.append(Problem(f"{where}: initiative", "needs a list of units on each side"))
    problems += [
        Problem(f"{where}: {name}", "needs a list of units on each side")
        for name in ("present", "can_act")
        if name in rules and shape.units is None
    ]
    if problems:
        raise InputError(problems)
    return Functions(rules, replaced, events, look_ups, facts, play, chosen, choices, parts, chooser_is_unit, triggers)


def _play(rules: Mapping[str, Any], chosen: Field | None, where: str, problems: list[Problem]) -> Play:
    """The shape of play."""
    needed: dict[Play, tuple[str, ...]] = {
        Play.ADVANCE: ("legal", "act"),
        Play.TURNS: () if "take_turn" in rules else ("legal", "act"),
        Play.BOTH: ("play_round", "legal"),
        Play.ROUNDS: ("play_round",),
    }
    if "advance" in rules:
        play = Play.ADVANCE
    elif "initiative" in rules:
        play = Play.TURNS
    else:
        play = Play.BOTH if chosen is not None else Play.ROUNDS
    if play in (Play.ADVANCE, Play.TURNS) and "play_round" in rules:
        own = "advance" if play is Play.ADVANCE else "initiative"
        problems.append(
            Problem(f"{where}: play_round", f"stands beside {own}, and the kit calls only one", "remove one")
        )
    missing = [name for name in needed[play] if name not in rules]
    if missing:
        ways = "play_round, or initiative with legal and act, or advance with legal and act"
        hint = f"a game has {ways}" if play is Play.ROUNDS else None
        problems.append(Problem(where, f"there is no rule {listed(missing)}", hint))
    return play


def _parameters(function: Callable[..., Any]) -> dict[str, Any]:
    """The parameters of a function with their types."""
    hints = typing.get_type_hints(function)
    return {name: hints.get(name) for name in inspect.signature(function).parameters}


def _parts(
    shape: Shape, parameters: Sequence[tuple[str, Any]], targets: int, where: str, problems: list[Problem]
) -> Iterator[Part]:
    for name, kind in parameters:
        if name == "log" or kind in (Log, Log | None):
            continue
        if isinstance(kind, type) and issubclass(kind, Unit):
            yield Part(name, shape.most_units, True)
        elif isinstance(kind, type) and issubclass(kind, IntEnum):
            yield Part(name, 1 + max(int(member) for member in kind), False, kind)
        elif kind is int:
            size = targets or (shape.board.spec.capacity if shape.board is not None else 0)
            if not size:
                hint = "say how many there are: Game(..., targets=5)"
                problems.append(Problem(f"{where}: act", f"nobody knows how many values {name} has", hint))
            yield Part(name, size, False)
        else:
            problems.append(Problem(f"{where}: act", f"{name} is no unit, enumeration or whole number"))
