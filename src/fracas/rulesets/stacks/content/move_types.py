"""Move types that users add: classes with the five functions of a move type. stacks/README.md, Plug-in moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fracas.rulesets.contract.plugin_kinds import INTEGER, NOTHING, NUMBER, TRUTH, PluginFunction, PluginKind
from fracas.rulesets.stacks.content.compile import FLAGS
from fracas.rulesets.stacks.content.move_type_proof import prove
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.participants import participant_at, relation
from fracas.rulesets.stacks.rules.policies import candidate_at, candidate_count, candidates_of
from fracas.rulesets.stacks.rules.state import battle_t

ACT = ("battle", "actor", "target")
ASKED = "for actor {actor} and target {target}"


def never(battle: Any, actor: int, target: int) -> bool:
    """The `is_viable` of an unused plug-in place."""
    return False


def worth_nothing(battle: Any, actor: int, target: int) -> float:
    """The `expected_value` of an unused plug-in place."""
    return 0.0


def once(battle: Any, actor: int, target: int) -> int:
    """The `repeats` of an unused plug-in place."""
    return 1


def make_nothing(battle: Any, actor: int, target: int) -> None:
    """The `generate` of an unused plug-in place."""


def change_nothing(battle: Any, actor: int, target: int, effect: int) -> None:
    """The `apply` of an unused plug-in place."""


def weighing(
    is_viable: Callable[..., Any], expected_value: Callable[..., Any], *others: Callable[..., Any]
) -> tuple[Callable[..., Any], ...]:
    """Build the function that values a move type on all its targets at once.

    Compiled, it needs one call for each choice instead of two for each target, which would dominate a plug-in's cost.
    """

    def weigh(battle: Any, actor: int, entry: int) -> None:
        """Note the move's value for every target of the actor's moves; `entry` is its place among the actor's moves.

        Rule:    stacks/README.md, A participant's turn, step 1; Plug-in moves.
        Changes: battle.worths.
        Draws:   none.
        Emits:   worth_nothing.
        """
        one = participant_at(battle, actor)
        aims = battle.move_types[battle.move_type & codes.MOVE_TYPE_MASK].aims
        group = candidates_of(one)
        for index in range(candidate_count(battle, group)):
            target = candidate_at(battle, group, index)
            value = codes.NOT_VIABLE
            if aims & relation(battle, actor, target) != 0 and is_viable(battle, actor, target):
                value = float(expected_value(battle, actor, target))
            battle.worths[entry & codes.UNIT_MOVE_MASK, index & codes.PARTICIPANT_MASK] = value

    return (weigh,)


def move_type_signatures() -> tuple[Any, ...]:
    """The Numba signatures of a move type's functions and of its weighing function; imports Numba."""
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
        types.void(*asked),
    )


MOVE_TYPE = PluginKind(
    what="move type",
    mark="move_type",
    slots=codes.MAX_PLUGINS,
    functions=(
        PluginFunction("is_viable", ACT, TRUTH, never, ASKED),
        PluginFunction("expected_value", ACT, NUMBER, worth_nothing, ASKED),
        PluginFunction("repeats", ACT, INTEGER, once, ASKED),
        PluginFunction("generate", ACT, NOTHING, make_nothing, ASKED),
        PluginFunction("apply", (*ACT, "effect"), NOTHING, change_nothing, f"{ASKED} and effect {{effect}}"),
    ),
    signatures=move_type_signatures,
    joined=weighing,
    taken_names=codes.MOVES,
    flags=FLAGS,
    prove=prove,
)
