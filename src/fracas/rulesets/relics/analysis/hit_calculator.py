"""Calculate one strike step by step, with the kernels that play it. relics/README.md, Strikes; Changes, A packet."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Unpack

from fracas.errors import InputError
from fracas.rulesets.contract.hits import Hit, HitStep, counted_hit, enemies
from fracas.rulesets.contract.types import AskedHit, Compiled
from fracas.rulesets.relics.analysis.condition_dry_run import PieceSituation, piece_number
from fracas.rulesets.relics.content.places import SIDES
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.effects.agenda import caused_by_rule
from fracas.rulesets.relics.rules.effects.damage import landing, take
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING, holds_for, sum_of
from fracas.rulesets.relics.rules.entry_points import play_until
from fracas.rulesets.relics.rules.strikes import attack_part


def hits(compiled: Compiled, **asked: Unpack[AskedHit]) -> list[Hit]:
    """Calculate a strike without its consequences, after set-up or at the start of a turn.

    Raises:
        InputError: an unknown fighter, a turn after the end, or an unknown state path.
    """
    [(one, other)] = enemies(asked["actor"], asked["target"], [[name] for name in SIDES])
    battle, round = compiled.own_record()[0], asked["round"]
    if not play_until(battle, asked["stream"], 1 if round is None else round) and round is not None:
        raise InputError.of("--round", f"there is no turn {round}: the battle ends in turn {int(battle.turn)}")
    index = SIDES.index(one)
    situation = PieceSituation(battle, piece_number(compiled, one, "--hit"), tuple(compiled.books["quantity"]))
    for override in asked["state"]:
        situation.apply(override)
    return [_strike(battle, index, (one, other, "strike"))]


def _strike(battle: Any, actor: int, names: tuple[str, str, str]) -> Hit:
    attacker, defender = battle.fighters[actor], battle.fighters[1 - actor]
    attack, temporary = int(attacker.values[codes.ATTACK]), int(attacker.values[codes.TEMP_ATTACK])
    bonus = int(sum_of(battle, actor, codes.ATTACK_BONUS, ANYTHING))
    percent = int(sum_of(battle, actor, codes.ATTACK_PCT, ANYTHING))
    part = int(attack_part(battle, actor, 1 - actor, None))
    frozen = actor if battle.options.freeze_side == codes.BY_ATTACKER else 1 - actor
    is_frozen = battle.fighters[frozen].values[codes.FREEZE] > 0
    steps = [
        HitStep(
            "ATK",
            f"{attack} + {temporary} temporary + {bonus} by modifiers",
            *2 * (max(0, attack + temporary + bonus),),
        )
    ]
    steps.append(HitStep("percent", f"{percent:+}%" + (", halved by Freeze" if is_frozen else ""), part, part))
    caused_by_rule(battle, actor, codes.BY_STRIKE)
    amount = int(landing(battle, 1 - actor, part, True, None))
    steps.append(HitStep("packet", "damage dealt and taken, by modifiers", amount, amount))
    armor = int(defender.values[codes.ARMOR])
    to_armor = 0 if holds_for(battle, actor, codes.IGNORES_ARMOR, ANYTHING) else 1
    absorbed = int(take(battle, 1 - actor, amount, to_armor, True, None))
    figure = f"{absorbed} of {armor} ARMOR" if to_armor else f"past {armor} ARMOR"
    steps.append(HitStep("HP lost", figure, amount - absorbed, amount - absorbed))
    times = max(0, 1 + int(attacker.extra_always) + int(sum_of(battle, actor, codes.STRIKES, ANYTHING)))
    left = int(defender.values[codes.HP]) + amount
    return counted_hit(names, steps, {amount: Fraction(1)}, left=left, times=min(times, codes.MOST_STRIKES))
