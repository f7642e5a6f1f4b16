"""The helpful moves: Healing and Sacrifice, five functions each. stacks/README.md, The shipped moves."""

from __future__ import annotations

from fracas.kernel.jit import kernel
from fracas.rulesets.stacks.rules.constants import HEALING, MOST_HEALED, SACRIFICE_FACTOR
from fracas.rulesets.stacks.rules.participants import can_help, missing_health, participant_at
from fracas.rulesets.stacks.rules.rolls import put, regain_health


@kernel
def healing_is_viable(battle, actor: int, target: int) -> bool:
    """Healing needs a living friend and uses left; the actor itself only if the rules allow it.

    Heal_limit, heal_self.
    """
    options = battle.options
    return (
        (options.heal_limit == 0 or participant_at(battle, actor).used[HEALING] < options.heal_limit)
        and (options.heal_self != 0 or actor != target)
        and can_help(battle, actor, target)
    )


@kernel
def healing_expected_value(battle, actor: int, target: int) -> float:
    """The health that the target would regain."""
    return float(min(missing_health(battle, target), MOST_HEALED))


@kernel
def healing_repeats(battle, actor: int, target: int) -> int:
    """Healing is made once."""
    return 1


@kernel
def healing_generate(battle, actor: int, target: int) -> None:
    """The target regains up to 5 health."""
    put(battle, target, min(missing_health(battle, target), MOST_HEALED))


@kernel
def healing_apply(battle, actor: int, target: int, effect: int) -> None:
    """The target regains the effect's health."""
    regain_health(participant_at(battle, target), effect)


@kernel
def sacrifice_is_viable(battle, actor: int, target: int) -> bool:
    """Sacrifice needs another living friend."""
    return actor != target and can_help(battle, actor, target)


@kernel
def sacrifice_expected_value(battle, actor: int, target: int) -> float:
    """The health that the target would regain, less what the actor gives up."""
    own = participant_at(battle, actor).health
    return float(min(missing_health(battle, target), SACRIFICE_FACTOR * own) - own)


@kernel
def sacrifice_repeats(battle, actor: int, target: int) -> int:
    """Sacrifice is made once."""
    return 1


@kernel
def sacrifice_generate(battle, actor: int, target: int) -> None:
    """The target regains up to twice the actor's health."""
    own = participant_at(battle, actor).health
    put(battle, target, min(missing_health(battle, target), SACRIFICE_FACTOR * own))


@kernel
def sacrifice_apply(battle, actor: int, target: int, effect: int) -> None:
    """The target regains the effect's health, and the actor falls."""
    regain_health(participant_at(battle, target), effect)
    participant_at(battle, actor).health = 0
