"""Whether a squads condition can come out either way, as far as the ranges of its facts tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from fracas.content.conditions import And, Comparison, Constant, Group, Named, Not, Or, Parsed, Status, Tree, to_text
from fracas.rulesets.contract import Finding
from fracas.rulesets.squads.constants import LARGEST_ROUND_CAP, MAX_CHARGE, SIDE_SLOTS
from fracas.rulesets.squads.vocabulary import VOCABULARY

# HP are a fraction, so their percentages are looked at in hundredths; everything else in a condition is whole.
HP_SCALE = 100

RELATIONS: Mapping[str, Callable[[int, int], bool]] = {
    "<": lambda value, bound: value < bound,
    "<=": lambda value, bound: value <= bound,
    ">": lambda value, bound: value > bound,
    ">=": lambda value, bound: value >= bound,
    "==": lambda value, bound: value == bound,
    "!=": lambda value, bound: value != bound,
}


@dataclass(frozen=True)
class Setting:
    """What bounds the facts of a condition: the sizes of both sides, the round cap, and what the condition is for."""

    allies: int = SIDE_SLOTS
    enemies: int = SIDE_SLOTS
    round_cap: int = LARGEST_ROUND_CAP
    has_charge: bool = True
    """False under ultimate_rule = "cooldown", where nobody gains any."""
    slot: str = ""
    """class_ability or ultimate; empty if it may be for either. Conditions are asked only when the ability is ready."""

    def values(self, fact: str) -> range:
        """The values that a fact can have where a condition is asked."""
        if fact.endswith("hp_pct"):
            return range(1, 100 * HP_SCALE + 1)
        if fact.endswith("charge"):
            low = MAX_CHARGE if fact == "self.charge" and self.slot == "ultimate" else 0
            return range(low, MAX_CHARGE + 1) if self.has_charge else range(1)
        if fact == "self.cooldown" and self.slot == "class_ability":
            return range(1)
        if fact in ("allies.count", "enemies.count"):
            return range(1, self.size(fact.partition(".")[0]) + 1)
        low, high = VOCABULARY.fact_by_name[fact].limits
        return range(1, self.round_cap + 1) if fact == "round" else range(low, high + 1)

    def size(self, group: str) -> int:
        """How many living units a group has at most."""
        return self.allies if group == "allies" else self.enemies


def condition_findings(parsed: Parsed, where: str, setting: Setting) -> Iterator[Finding]:
    """A condition with unknown names, and one that always or never holds."""
    for warning in parsed.warnings:
        yield Finding("unknown-condition", where, warning.message, warning.suggestion)
    if parsed.tree is None:
        return
    value = constant_value(parsed.tree, setting)
    text = to_text(parsed.tree)
    if value is False:
        yield Finding("never-holds", where, f"`{text}` can never hold, so the ability is never used")
    elif value is True and not isinstance(parsed.tree, Constant):
        yield Finding("always-holds", where, f"`{text}` always holds", 'write "always" if that is meant')


def constant_value(tree: Tree, setting: Setting) -> bool | None:
    """True or False if a condition cannot come out otherwise, None if it can.

    Decided from the ranges of facts, one comparison at a time and for comparisons of one fact joined by `and`.
    """
    match tree:
        case Named():
            return constant_value(tree.tree, setting)
        case Constant():
            return tree.value
        case Not():
            inner = constant_value(tree.part, setting)
            return None if inner is None else not inner
        case Comparison():
            return _verdict(_holding(tree, setting), setting.values(tree.fact))
        case Status("self", "stunned"):
            return False
        case Group():
            return _constant_group(tree, setting)
        case And():
            return _constant_and(tree, setting)
        case Or():
            values = [constant_value(part, setting) for part in tree.parts]
            return True if True in values else (False if all(value is False for value in values) else None)
    return None


def _constant_group(tree: Group, setting: Setting) -> bool | None:
    """A group is never empty: the deciding unit lives, and so does an enemy."""
    inner = constant_value(tree.inner, setting) if isinstance(tree.inner, Comparison) else None
    if tree.quantifier != "count" or tree.operator is None or tree.number is None:
        return inner
    size = setting.size(tree.group)
    counts = range(1) if inner is False else range(1 if inner else 0, size + 1)
    return _verdict({count for count in counts if RELATIONS[tree.operator](count, tree.number)}, counts)


def _constant_and(tree: And, setting: Setting) -> bool | None:
    values = [constant_value(part, setting) for part in tree.parts]
    if False in values:
        return False
    together: dict[str, set[int]] = {}
    for part in tree.parts:
        inner = part.tree if isinstance(part, Named) else part
        if isinstance(inner, Comparison):
            holding = _holding(inner, setting)
            together[inner.fact] = together.get(inner.fact, holding) & holding
    if not all(together.values()):
        return False
    return True if all(value is True for value in values) else None


def _holding(comparison: Comparison, setting: Setting) -> set[int]:
    """The values of a fact for which a comparison holds."""
    bound = comparison.number * (HP_SCALE if comparison.fact.endswith("hp_pct") else 1)
    holds = RELATIONS[comparison.operator]
    return {value for value in setting.values(comparison.fact) if holds(value, bound)}


def _verdict(holding: set[int], possible: range) -> bool | None:
    if not holding:
        return False
    return True if len(holding) == len(possible) else None
