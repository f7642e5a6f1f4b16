"""Damage stages that users add: a plain function `stage(battle, actor, target, value) -> value` in a Python file.

    battle   the battle's record (state.py); read it, do not change it
    actor    index of the attacking unit (0-15)
    target   index of the unit that is struck (0-15)
    value    the damage so far, 0..10^9

It returns the damage after the stage; the engine clamps it to 0..10^9. It draws nothing from the dice.
"""

from __future__ import annotations

from typing import Any

from fracas.errors import InputError
from fracas.rulesets.contract.plugin_kinds import INTEGER, Plugin, PluginFunction, PluginKind
from fracas.rulesets.contract.types import Compiled
from fracas.rulesets.squads.rules.constants import MAX_PLUGINS, SIDE_SLOTS, STAGES
from fracas.rulesets.squads.rules.entry_points import play_until
from fracas.rulesets.squads.rules.state import battle_t

PROOF_VALUES = (0, 1, 7, 100, 10**6, 10**9)


def leave_unchanged(battle: Any, actor: int, target: int, value: int) -> int:
    """The stage that fills unused plug-in places."""
    return value


def damage_stage_signatures() -> tuple[Any, ...]:
    """The Numba signature of a damage stage; imports Numba."""
    import numba
    from numba import types

    return (types.int64(numba.from_dtype(battle_t), types.int64, types.int64, types.int64),)


DAMAGE_STAGE = PluginKind(
    what="damage stage",
    mark="damage_stage",
    slots=MAX_PLUGINS,
    functions=(
        PluginFunction(
            "", ("battle", "actor", "target", "value"), INTEGER, leave_unchanged, "for a damage of {value:,}"
        ),
    ),
    signatures=damage_stage_signatures,
    taken_names=STAGES,
)


def prove_stages(compiled: Compiled) -> None:
    """Try every damage stage on this battle's first round before playing it.

    Raises:
        InputError: a stage raises, returns anything but a 64-bit integer, draws from the dice, or changes the battle.
    """
    if not compiled.plugins:
        return
    battle = compiled.own_record()[0]
    idle = tuple(leave_unchanged for _ in compiled.plugins)
    play_until(battle, 0, 1, 0, idle)
    for plugin in compiled.plugins:
        for actor, target in ((0, SIDE_SLOTS), (SIDE_SLOTS, 0)):
            for value in PROOF_VALUES:
                _prove(plugin, battle, actor, target, value)


def _prove(plugin: Plugin, battle: Any, actor: int, target: int, value: int) -> None:
    before = {name: battle[name].tobytes() for name in battle.dtype.names}
    plugin.function(battle, actor, target, value)
    changed = [name for name, held in before.items() if battle[name].tobytes() != held]
    where = f"{plugin.file}: {plugin.name}"
    if "dice" in changed:
        raise InputError.of(
            where, "draws from the dice", "no event would record the roll; for chance, use the stage critical"
        )
    if changed:
        raise InputError.of(where, f"changes the battle ({', '.join(changed)})", "a stage reads the battle and returns")
