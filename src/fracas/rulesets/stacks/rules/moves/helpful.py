"""The helpful moves: Healing and Sacrifice, five functions each. stacks/README.md, The shipped moves."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel
from fracas.rulesets.stacks.rules.constants import HEALING, MOST_HEALED, SACRIFICE_FACTOR
from fracas.rulesets.stacks.rules.participants import can_help, missing_health, participant_at
from fracas.rulesets.stacks.rules.rolls import put, regain_health


@kernel
def healing_is_viable(battle: Any, actor: int, target: int) -> bool:
    """Healing needs a living friend and uses left; the actor itself only if the rules allow it.

    Rule:    stacks/README.md, The shipped moves (heal_limit, heal_self).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    options = battle.options
    answer: bool = (
        (options.heal_limit == 0 or participant_at(battle, actor).used[HEALING] < options.heal_limit)
        and (options.heal_self != 0 or actor != target)
        and can_help(battle, actor, target)
    )
    return answer


@kernel
def healing_expected_value(battle: Any, actor: int, target: int) -> float:
    """The health that the target would regain.

    Rule:    stacks/README.md, The shipped moves.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return float(min(missing_health(battle, target), MOST_HEALED))


@kernel
def healing_repeats(battle: Any, actor: int, target: int) -> int:
    """Healing is made once.

    Rule:    stacks/README.md, The shipped moves.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return 1


@kernel
def healing_generate(battle: Any, actor: int, target: int) -> None:
    """The target regains up to 5 health.

    Rule:    stacks/README.md, Healing.
    Changes: the tuples of the making at hand.
    Draws:   none.
    Emits:   nothing.
    """
    put(battle, target, min(missing_health(battle, target), MOST_HEALED))


@kernel
def healing_apply(battle: Any, actor: int, target: int, effect: int) -> None:
    """The target regains the effect's health.

    Rule:    stacks/README.md, The shipped moves.
    Changes: the target.
    Draws:   none.
    Emits:   nothing.
    """
    regain_health(participant_at(battle, target), effect)


@kernel
def sacrifice_is_viable(battle: Any, actor: int, target: int) -> bool:
    """Sacrifice needs another living friend.

    Rule:    stacks/README.md, The shipped moves.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    answer: bool = actor != target and can_help(battle, actor, target)
    return answer


@kernel
def sacrifice_expected_value(battle: Any, actor: int, target: int) -> float:
    """The health that the target would regain, less what the actor gives up.

    Rule:    stacks/README.md, The shipped moves.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    own = participant_at(battle, actor).health
    return float(min(missing_health(battle, target), SACRIFICE_FACTOR * own) - own)


@kernel
def sacrifice_repeats(battle: Any, actor: int, target: int) -> int:
    """Sacrifice is made once.

    Rule:    stacks/README.md, The shipped moves.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return 1


@kernel
def sacrifice_generate(battle: Any, actor: int, target: int) -> None:
    """The target regains up to twice the actor's health.

    Rule:    stacks/README.md, Sacrifice.
    Changes: the tuples of the making at hand.
    Draws:   none.
    Emits:   nothing.
    """
    own = participant_at(battle, actor).health
    put(battle, target, min(missing_health(battle, target), SACRIFICE_FACTOR * own))


@kernel
def sacrifice_apply(battle: Any, actor: int, target: int, effect: int) -> None:
    """The target regains the effect's health, and the actor falls.

    Rule:    stacks/README.md, Sacrifice.
    Changes: the target and the actor.
    Draws:   none.
    Emits:   nothing.
    """
    regain_health(participant_at(battle, target), effect)
    participant_at(battle, actor).health = 0
