"""The search space of a titans player: the rules of its policy, or another policy if it has no rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fracas.content.references import to_plain
from fracas.rulesets.contract.analysis import Dimension, SideRef, dimension_over
from fracas.rulesets.contract.types import Document
from fracas.rulesets.shared.condition_labels import NEVER, condition_label
from fracas.rulesets.titans.content.library import library_for
from fracas.rulesets.titans.content.resolver import ANY_ABILITY, BASIC
from fracas.rulesets.titans.content.vocabulary import VOCABULARY

POLICY = "policy"
CONDITIONS = (
    "enemy.attacked",
    "enemy.defended",
    "enemy.rested",
    "enemy.used_ability",
    "enemy.ready",
    "not enemy.ready",
    "self_hp_below_30",
    "self_hp_below_50",
    "self_hp_below_75",
    "enemy_hp_below_30",
    "enemy_hp_below_50",
    "self_charge_lte_30",
    "self_charge_lte_60",
    "self_charge_gte_60",
    "self_charge_gte_90",
    "self.debuffed",
    "every_3_rounds",
)
CHANCES = (100, 75, 50, 25)


def dimensions_of(side_ref: SideRef, folders: Sequence[Path]) -> Iterator[Dimension]:
    """The dimensions of a player. A titan's abilities are not among them, because rules name them."""
    player = side_ref.document["players"][side_ref.side - 1]
    path = ("players", str(side_ref.side - 1), "policy")
    policy, abilities = player["policy"], player["titan"]["abilities"]
    if not isinstance(policy, dict) or "rules" not in policy:
        yield _whole_policy(path, policy, abilities, folders)
        return
    last = len(policy["rules"]) - 1
    names = {name: side_ref.document["abilities"][name]["name"] for name in abilities}
    for index, rule in enumerate(policy["rules"]):
        yield from _rule((*path, "rules", str(index)), index, rule, names, is_last=index == last)


def _rule(
    path: tuple[str, ...], index: int, rule: Document, names: dict[str, str], *, is_last: bool
) -> Iterator[Dimension]:
    """A rule's condition, choice and chance. The last rule is never switched off: some rule must be able to apply."""
    title = f"rule {index + 1}"
    conditions = [None, *CONDITIONS] if is_last else [None, NEVER, *CONDITIONS]
    present = rule.get("when")
    if present == "always":
        conditions[0] = present
    yield dimension_over(f"{title}: when", POLICY, (*path, "when"), present, conditions, _condition_label)
    actions = [*BASIC, *names, ANY_ABILITY]
    yield dimension_over(f"{title}: do", POLICY, (*path, "do"), rule["do"], actions, lambda name: names.get(name, name))
    yield dimension_over(
        f"{title}: chance", POLICY, (*path, "chance"), rule["chance"], CHANCES, lambda each: f"{each}%"
    )


def _whole_policy(path: tuple[str, ...], present: Any, abilities: Sequence[str], folders: Sequence[Path]) -> Dimension:
    """Another policy: a built-in one, or the rules of a content policy that this titan can follow."""
    known = (*BASIC, ANY_ABILITY, *abilities)
    labels = ["random", "greedy"]
    values: list[Any] = list(labels)
    for entry in library_for(None, folders).of("policies").values():
        rules = [to_plain(rule) for rule in entry.rules if rule.do in known]
        if rules:
            labels.append(entry.name)
            values.append({"rules": rules})
    if present not in values:
        labels, values = [next(iter(present)), *labels], [present, *values]
    return Dimension(POLICY, POLICY, path, values, labels, values.index(present))


def _condition_label(condition: Any) -> str:
    return condition_label(condition, VOCABULARY)
