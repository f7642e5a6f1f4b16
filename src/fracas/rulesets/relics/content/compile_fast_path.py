"""Compile simple effects for `rules/effects/fast_path.py`, with everything precomputed that no battle changes."""

from __future__ import annotations

from typing import Any

from fracas.kernel import condition_evaluator
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.effects.damage import ABOUT_DEALING, ABOUT_HEALING, ABOUT_TAKING, healing, landing
from fracas.rulesets.relics.rules.effects.quantity_changes import gained

# Larger than any comparison of quantities.
FAR = 1 << 40
# The range of numbers for each relation to 0.
RANGES = {
    condition_evaluator.LESS: (-FAR, -1),
    condition_evaluator.AT_MOST: (-FAR, 0),
    condition_evaluator.MORE: (1, FAR),
    condition_evaluator.AT_LEAST: (0, FAR),
    condition_evaluator.EQUAL: (0, 0),
}
KINDS = {
    codes.GAIN: codes.QUICK_GAIN,
    codes.HEAL: codes.QUICK_HEAL,
    codes.DEAL: codes.QUICK_DEAL,
    codes.PIERCE: codes.QUICK_PIERCE,
}


def write_quick(battle: Any) -> None:
    """Write both fighters' simple effects, mark those without consequences, and note the turns with effects."""
    for side, build in enumerate(battle.builds):
        for place in range(build.effects.first, build.effects.first + build.effects.entries):
            _write_effect(battle, side, place)
    for side, build in enumerate(battle.builds):
        heard = [range(first, first + entries) for first, entries in build.listeners.tolist()]
        quiet = 0
        for trigger, places in enumerate(heard):
            is_quiet = len(places) <= codes.MOST_QUIET and all(_is_quiet(battle, side, place) for place in places)
            quiet |= int(is_quiet) << trigger
        build.quiet, build.due_turns = quiet, _due_turns(battle, heard[codes.EVERY_N_TURNS])


def _due_turns(battle: Any, places: range) -> int:
    """The fighter's turns on which effects of every n turns run, as a bit set."""
    turns = 1 << codes.LATER_TURNS
    for place in places:
        n = int(battle.effects[place].n)
        for turn in range(n, codes.LATER_TURNS, n):
            turns |= 1 << turn
    return turns


def _write_effect(battle: Any, side: int, index: int) -> None:
    effect, quick = battle.effects[index], battle.quick[index]
    op = battle.ops[effect.first_op]
    chances, programs = [], []
    for holder in (effect, op):
        chances += [holder.chance] if 0 <= holder.chance < codes.LARGEST_CHANCE else []
        programs += [holder.condition] if holder.condition.step_count else []
    if effect.op_count != 1 or op.plain == 0 or op.performances != 1 or len(chances) + len(programs) > 1:
        return
    if 0 in chances:
        return
    kind = int(op.verb)
    if kind == codes.EXTRA_DAMAGE:
        kind = codes.DEAL if battle.options.onhit_damage_route == codes.ROUTE_ARMOR else codes.PIERCE
    quick.kind = KINDS.get(kind, codes.NOT_QUICK)
    quick.source, quick.asks, quick.marks = effect.source, 1 - effect.plain, effect.trigger == codes.ON_DAMAGED
    quick.target, quick.quantity, quick.amount = op.target, op.quantity, op.amount.number
    quick.counts_first = 0 <= op.chance < codes.LARGEST_CHANCE or op.condition.step_count > 0
    if chances:
        quick.gate, quick.chance = codes.BY_CHANCE, chances[0]
    if programs:
        quick.condition = programs[0]
        quick.gate = codes.IN_RANGE if _write_range(battle, quick.within, programs[0]) else codes.IF_TRUE
    _settle(battle, side, quick)


def _write_range(battle: Any, within: Any, program: Any) -> bool:
    """Write a condition as a range if it compares one quantity, or HP in per cent, with a number."""
    step, ask = battle.steps[program.first_step], battle.asks[program.first_ask]
    who, fact = divmod(int(ask.fact), codes.ENEMY_FACTS)
    is_plain = program.step_count == 1 and program.ask_count == 1 and step.op == condition_evaluator.COMPARE
    if not is_plain or who > 1 or fact > codes.HP_PCT or step.compare not in RANGES:
        return False
    within.whose, number = who, int(step.number)
    least, most = RANGES[int(step.compare)]
    if fact == codes.HP_PCT:
        within.quantity, within.times, within.share = codes.HP, 100, number
    else:
        within.quantity, within.times = fact, 1
        least, most = least + number, most + number
    within.least, within.most = least, most
    return True


def _settle(battle: Any, side: int, quick: Any) -> None:
    """Apply modifiers to an amount in advance, if they never change."""
    target, amount = side ^ int(quick.target), int(quick.amount)
    own, others = int(battle.builds[side].varies), int(battle.builds[target].varies)
    if quick.kind == codes.QUICK_GAIN:
        about = 1 << codes.ARMOR_GAIN | 1 << codes.IMMUNE
        amount = (
            0
            if own >> codes.STACKS_GIVEN & 1 or others & about
            else int(gained(battle, target, int(quick.quantity), amount, side, None))
        )
        is_settled = amount > 0
    elif quick.kind == codes.QUICK_HEAL:
        is_settled = others & ABOUT_HEALING == 0
        amount = int(healing(battle, target, amount, None)) if is_settled else amount
    else:
        is_enemys = target != side
        is_settled = others & ABOUT_TAKING == 0 and not (is_enemys and own & ABOUT_DEALING)
        amount = int(landing(battle, target, amount, is_enemys, None)) if is_settled else amount
    if is_settled:
        quick.is_settled, quick.amount = 1, amount


def _is_quiet(battle: Any, side: int, index: int) -> bool:
    """Whether an effect is simple, precomputed, free of statuses, and its op has no consequences."""
    quick = battle.quick[index]
    if quick.is_settled == 0 or battle.effects[index].of >= 0 or battle.options.death_check == codes.CHECKED_AT_ONCE:
        return False
    target = side ^ int(quick.target)
    own, others = int(battle.builds[target].hears), int(battle.builds[1 - target].hears)
    if quick.kind == codes.QUICK_HEAL:
        return own & (1 << codes.ON_HEAL | 1 << codes.ON_OVERHEAL) == 0
    if quick.kind != codes.QUICK_GAIN:
        return False
    follows = 0
    if quick.quantity == codes.ARMOR:
        follows = 1 << codes.ARMOR_GAINED
    elif quick.quantity == codes.ATTACK:
        follows = 1 << codes.ATTACK_GAINED
    elif quick.quantity == codes.SPEED:
        follows = 1 << codes.SPEED_GAINED
    elif quick.quantity >= codes.FIRST_STATUS:
        follows = 1 << codes.STATUS_GAINED | int(quick.quantity == codes.THORNS) << codes.THORNS_GAINED
        if others >> codes.ENEMY_STATUS_GAINED & 1:
            return False
    return own & follows == 0
