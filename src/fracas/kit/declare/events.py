"""`event`: a function without a body. Its parameters are the columns, its docstring says when it happens.

    @event("{actor} bites {target} for {damage}: {hp} hp left")
    def bite(actor: Pet, target: Pet, damage: int, hp: int) -> None:
        "A pet is hurt."

    bite(battle, log, pet, enemy, damage, enemy.hp)

Callers pass records, of which the row keeps the number, or the entry of content. A column with the name of a State
field of its target (without a target: of its actor) is that field's new value.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Concatenate, Literal, ParamSpec, cast

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel
from fracas.kit.declare.records import AnyBattle, Log

P = ParamSpec("P")
Detail = Literal["story", "decisions", "all"]

# What an emitter is marked with.
EVENT = "__kit_event__"
_order = itertools.count()


@dataclass(frozen=True)
class EventDeclaration:
    """An event as its author wrote it."""

    function: FunctionType
    story: str
    detail: str
    seen_by: str
    order: int
    """Events are numbered in the order of their definitions."""

    @property
    def name(self) -> str:
        """Its name in files and in `events`."""
        return self.function.__name__

    @property
    def columns(self) -> tuple[str, ...]:
        """Its parameters, in order."""
        return tuple(inspect.signature(self.function).parameters)


def event(
    story: str, *, detail: Detail = "story", seen_by: Literal["", "actor"] = ""
) -> Callable[[Callable[P, None]], Callable[Concatenate[AnyBattle, Log | None, P], None]]:
    """Declare an event by a function without a body.

    story: its sentence, with `{column}` and `{column:card|cards}`. detail: the least detail that tells it. seen_by:
    `actor` if only the actor's side sees its columns before the battle is over.
    """

    def declare(function: Callable[P, None]) -> Callable[Concatenate[AnyBattle, Log | None, P], None]:
        written = cast(FunctionType, function)
        declared = EventDeclaration(written, story, detail, seen_by, next(_order))
        emitter = _unbuilt(written, declared.columns)
        setattr(emitter, EVENT, declared)
        return cast("Callable[Concatenate[AnyBattle, Log | None, P], None]", kernel(emitter))

    return declare


def _unbuilt(written: FunctionType, columns: tuple[str, ...]) -> FunctionType:
    """The emitter before the game is built: `derive/bind.py` replaces its code, because rules may hold it by now."""
    head = f"def {written.__name__}(battle, log, {', '.join(columns)}):"
    source = f"{head}\n    raise RuntimeError('the game is not loaded')\n"
    scope: dict[str, Any] = {"emit": emit, "NOBODY": NOBODY}
    exec(compile(source, f"<event {written.__name__}>", "exec"), scope)
    emitter: FunctionType = scope[written.__name__]
    emitter.__doc__ = written.__doc__
    emitter.__module__ = written.__module__
    return emitter
