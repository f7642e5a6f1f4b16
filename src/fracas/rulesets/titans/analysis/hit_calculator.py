"""Calculate a titan's attacks and damaging abilities by integration over rolls.

titans/README.md, Attack; Effects, damage.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Unpack

from fracas.errors import InputError
from fracas.rulesets.contract.hits import Hit, HitStep, enemies
from fracas.rulesets.contract.types import AskedHit, Compiled
from fracas.rulesets.titans.analysis.condition_dry_run import PlayerSituation
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.effects import amount_of
from fracas.rulesets.titans.rules.entry_points import play_until
from fracas.rulesets.titans.rules.mechanics import set_up
from fracas.rulesets.titans.rules.policies import ability_code
from fracas.rulesets.titans.rules.rolls import critical_chance, hit_chance
from fracas.rulesets.titans.rules.titan_stats import ability_at, effective_defense

# The multiplier of critical hits, and the range of a defender's multiplier of Defense.
CRITICAL, LEAST_DEFENDED, MOST_DEFENDED = 1.5, 1.5, 2.0


def hits(compiled: Compiled, **asked: Unpack[AskedHit]) -> list[Hit]:
    """An attack on an opponent that does not defend and on one that does, and every damage effect of abilities.

    Raises:
        InputError: an unknown player, a round after the end, or an unknown state path.
    """
    players = [str(name) for name in compiled.books["player"]]
    [(one, other)] = enemies(asked["actor"], asked["target"], [[name] for name in players])
    battle, round = compiled.own_record()[0], asked["round"]
    if round is None:
        set_up(battle, None)
        battle.tick = 1
    elif not play_until(battle, asked["stream"], round):
        raise InputError.of("--round", f"the duel ends in round {int(battle.tick)}, before round {round}")
    index = players.index(one)
    for override in asked["state"]:
        PlayerSituation(battle, index).apply(override)
    return list(_hits_of(compiled, battle, battle.titans[index], battle.titans[1 - index], (one, other)))


def _hits_of(compiled: Compiled, battle: Any, one: Any, other: Any, names: tuple[str, str]) -> Iterator[Hit]:
    attack = float(one.now[codes.ATTACK_STAT])
    defense = float(effective_defense(battle, other.now[codes.DEFENSE_STAT]))
    hit = float(hit_chance(one, other)) if battle.options.misses else 1.0
    critical = min(max(float(critical_chance(one)), 0.0), 1.0) if battle.options.criticals else 0.0
    for by, low, high in (
        ("attack", defense, defense),
        ("attack, while the target defends", LEAST_DEFENDED * defense, MOST_DEFENDED * defense),
    ):
        value = HitStep("attack", f"{attack:g} times 1 to 2", attack, 2 * attack)
        guard = HitStep("defense", f"-{low:g}" if low == high else f"-{low:g} to -{high:g}", low, high)
        least, most = max(0.0, attack - high), max(0.0, 2 * attack - low)
        yield _hit((*names, by), (value, guard), (least, mean_of_attack(attack, low, high), most), hit, critical)
    for choice in range(codes.FIRST_ABILITY, codes.FIRST_ABILITY + int(one.ability_count)):
        code = int(ability_code(one, choice))
        ability = ability_at(battle, code)
        for effect in ability.effects[: int(ability.effect_count)]:
            if effect.kind == codes.DAMAGE_EFFECT:
                amount = float(amount_of(one, effect, 0))
                own = critical if effect.source == codes.STAT_AMOUNT else 0.0
                steps = (HitStep("amount", "past Defense", amount, amount),)
                by = str(compiled.books["ability_name"][code])
                yield _hit((*names, by), steps, (amount, amount, amount), hit, own)


def _hit(
    names: tuple[str, str, str],
    steps: tuple[HitStep, ...],
    damage: tuple[float, float, float],
    hit: float,
    critical: float,
) -> Hit:
    """A hit with its least, mean and greatest damage before criticals."""
    least, mean, most = damage
    if critical:
        steps = (*steps, HitStep("critical", f"{critical:.4g} for {CRITICAL:g} times", least, most * CRITICAL))
    least = least * CRITICAL if critical == 1 else least
    most = most * CRITICAL if critical else most
    return Hit(*names, steps, hit, hit * critical, least, mean * (1 + critical * (CRITICAL - 1)), most)


def mean_of_attack(attack: float, low: float, high: float) -> float:
    """The mean of max(0, value - defense), value between attack and twice that, defense between low and high.

    >>> mean_of_attack(10.0, 4.0, 4.0)
    11.0
    >>> round(mean_of_attack(10.0, 10.0, 30.0), 6)
    0.833333
    """
    if high <= low:
        return _mean_against(attack, low)
    return (_summed(attack, high) - _summed(attack, low)) / (high - low)


def _mean_against(attack: float, defense: float) -> float:
    if defense <= attack:
        return 1.5 * attack - defense
    return (2 * attack - defense) ** 2 / (2 * attack) if defense < 2 * attack else 0.0


def _summed(attack: float, defense: float) -> float:
    """The integral of the mean over all defenses from 0."""
    even = min(defense, attack)
    total = 1.5 * attack * even - even * even / 2
    if defense > attack > 0:
        total += (attack**3 - max(0.0, 2 * attack - defense) ** 3) / (6 * attack)
    return total
