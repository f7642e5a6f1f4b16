"""The exact distribution of one hit's damage, computed with the kernels that play it. squads/README.md, Damage."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Unpack

import numpy as np

from fracas.errors import InputError
from fracas.kernel.dice import open_address
from fracas.kernel.event_log import log_type
from fracas.rulesets.contract.hits import Hit, HitStep, counted_hit, enemies
from fracas.rulesets.contract.types import AskedHit, Compiled
from fracas.rulesets.squads.analysis.condition_dry_run import UnitSituation, why_none
from fracas.rulesets.squads.content.models.rules_tables import figure_text
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.damage import critical_chance, critical_multiplier, power, run_stage
from fracas.rulesets.squads.rules.entry_points import play_until
from fracas.rulesets.squads.rules.mechanics import set_up

ORDERS = ("basic", "class_ability", "ultimate")
# The probability of each value, critical or not.
Values = dict[tuple[int, bool], Fraction]


def hits(compiled: Compiled, **asked: Unpack[AskedHit]) -> list[Hit]:
    """Every damaging ability of the actors on each target, at the start of round 1 or at an actor's decision.

    Raises:
        InputError: no such unit, no such decision, an unknown state path.
    """
    units = list(compiled.books["unit"])
    sides = [[name for name in units[first : first + codes.SIDE_SLOTS] if name is not None] for first in (0, 8)]
    found: list[Hit] = []
    for one, other in enemies(asked["actor"], asked["target"], sides):
        battle = situation(compiled, asked["stream"], units.index(one), one, asked["round"])
        for override in asked["state"]:
            UnitSituation(battle, compiled, units.index(one)).apply(override)
        found += _hits_of(compiled, battle, units.index(one), units.index(other))
    return found


def situation(compiled: Compiled, stream: int, index: int, name: str, round: int | None) -> Any:
    """The battle at the start of round 1, or at a unit's decision."""
    battle = compiled.own_record()[0]
    if round is None:
        set_up(battle, None)
        battle.tick = 1
        return battle
    plugins = compiled.functions
    if not play_until(battle, stream, round, index, plugins):
        raise InputError.of("--round", f"{name} makes no decision in round {round}: {why_none(battle, index)}")
    return battle


def _hits_of(compiled: Compiled, battle: Any, index: int, other: int) -> Iterator[Hit]:
    unit, target = battle.units[index], battle.units[other]
    seen: set[int] = set()
    for slot in ORDERS:
        code = int(unit[slot].ability)
        ability = battle.abilities[code]
        effects = [ability.effects[position] for position in range(ability.effect_count)]
        damaging = [effect for effect in effects if effect.kind == codes.DAMAGE]
        for number, effect in enumerate(damaging if code not in seen else ()):
            by = str(compiled.books["ability"][code]) + (f" ({number + 1})" if len(damaging) > 1 else "")
            yield _counted(compiled, battle, unit, target, effect, by)
        seen.add(code)


def _counted(compiled: Compiled, battle: Any, unit: Any, target: Any, effect: Any, by: str) -> Hit:
    books = compiled.books
    plugins = compiled.functions
    start = int(power(battle, unit, effect, None))
    shares = [(effect.attack, "attack"), (effect.defense, "defense"), (effect.max_hp, "max HP")]
    figure = " + ".join(f"{share}% of {name}" for share, name in shares if share)
    steps = [HitStep("power", figure, start, start)]
    values: Values = {(start, False): Fraction(1)}
    for index in range(battle.chain_length):
        stage = battle.chain[index]
        name = str(books["stage"][int(stage.kind)])
        if stage.kind == codes.CRITICAL_STAGE:
            values, figure = _critical(battle, unit, target, stage, values)
        else:
            values, figure = _moved(battle, unit, target, stage, values, name, plugins)
        steps.append(HitStep(name, figure, min(values)[0], max(values)[0]))
    damages: dict[int, Fraction] = {}
    for (value, _), chance in values.items():
        damages[value] = damages.get(value, Fraction(0)) + chance
    critical = sum((chance for (_, is_critical), chance in values.items() if is_critical), Fraction(0))
    names = str(books["unit"][unit.index]), str(books["unit"][target.index]), by
    return counted_hit(names, steps, damages, critical=critical, left=int(target.hp + target.shield))


def _run(battle: Any, unit: Any, target: Any, stage: Any, value: int, plugins: Any) -> tuple[int, int]:
    """Run one stage as a battle does: the value after it, and the stage's figure."""
    open_address(battle.dice, battle.tick, unit.index)
    log = np.zeros(1, log_type(4))[0]
    after = int(run_stage(battle, unit, target, stage, value, log, plugins))
    return after, int(log.rows[log.count - 1, 5])


def _moved(
    battle: Any, unit: Any, target: Any, stage: Any, values: Values, name: str, plugins: Any
) -> tuple[Values, str]:
    """The values after a stage that rolls no dice."""
    after: Values = {}
    figure = 0
    for (value, is_critical), chance in values.items():
        moved, figure = _run(battle, unit, target, stage, value, plugins)
        after[moved, is_critical] = after.get((moved, is_critical), Fraction(0)) + chance
    return after, figure_text(name, figure) or "a plug-in's"


def _critical(battle: Any, unit: Any, target: Any, stage: Any, values: Values) -> tuple[Values, str]:
    """The values after a critical stage: each one critical and not, from the same kernel at chances 0 and 100."""
    own_chance = int(unit.critical_chance)
    chance, multiplier = int(critical_chance(unit, stage)), int(critical_multiplier(unit, stage))
    after: Values = {}
    for certain, share in ((100, Fraction(chance, 100)), (0, Fraction(100 - chance, 100))):
        unit.critical_chance = certain
        for (value, is_critical), likely in values.items() if share else ():
            key = _run(battle, unit, target, stage, value, None)[0], is_critical or certain == 100
            after[key] = after.get(key, Fraction(0)) + likely * share
    unit.critical_chance = own_chance
    return after, f"{chance}% for {multiplier}%"
