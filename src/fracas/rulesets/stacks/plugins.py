"""Move types that users add: classes with the five functions of a move type. README, Plug-in moves."""

from __future__ import annotations

from typing import Any

from fracas.rulesets.contract import INTEGER, NOTHING, NUMBER, TRUTH, PluginFunction, PluginKind
from fracas.rulesets.stacks.compile import FLAGS
from fracas.rulesets.stacks.constants import MAX_PLUGINS, MOVES
from fracas.rulesets.stacks.proving import prove
from fracas.rulesets.stacks.state import battle_t

ACT = ("battle", "actor", "target")
ASKED = "for actor {actor} and target {target}"


def never(battle: Any, actor: int, target: int) -> bool:
    """The `is_viable` of a move type that is not there."""
    return False


def nothing(battle: Any, actor: int, target: int) -> float:
    """The `expected_value` of a move type that is not there."""
    return 0.0


def once(battle: Any, actor: int, target: int) -> int:
    """The `repeats` of a move type that is not there."""
    return 1


def make_nothing(battle: Any, actor: int, target: int) -> None:
    """The `generate` of a move type that is not there."""


def change_nothing(battle: Any, actor: int, target: int, effect: int) -> None:
    """The `apply` of a move type that is not there."""


def move_type_signatures() -> tuple[Any, ...]:
    """The Numba signatures of a move type's functions; imports Numba."""
    import numba
    from numba import types

    number = types.int64
    asked = (numba.from_dtype(battle_t), number, number)
    return (
        types.boolean(*asked),
        types.float64(*asked),
        types.int64(*asked),
        types.void(*asked),
        types.void(*asked, number),
    )


MOVE_TYPE = PluginKind(
    what="move type",
    mark="move_type",
    slots=MAX_PLUGINS,
    functions=(
        PluginFunction("is_viable", ACT, TRUTH, never, ASKED),
        PluginFunction("expected_value", ACT, NUMBER, nothing, ASKED),
        PluginFunction("repeats", ACT, INTEGER, once, ASKED),
        PluginFunction("generate", ACT, NOTHING, make_nothing, ASKED),
        PluginFunction("apply", (*ACT, "effect"), NOTHING, change_nothing, f"{ASKED} and effect {{effect}}"),
    ),
    signatures=move_type_signatures,
    taken_names=MOVES,
    flags=FLAGS,
    prove=prove,
)
