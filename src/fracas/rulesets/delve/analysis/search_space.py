"""The search space of a delve side: each queue slot's condition and target, the slots' order, and the line-up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fracas.content.document_edits import free_name, get_path, with_value
from fracas.content.references import to_plain
from fracas.rulesets.contract.analysis import Dimension, SideRef, dimension_over
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.content.creature_resolver import resolve_creature
from fracas.rulesets.delve.content.library import library_for
from fracas.rulesets.delve.content.party_resolver import resolve_member
from fracas.rulesets.delve.content.resolver import AIMED, Resolver
from fracas.rulesets.delve.content.vocabulary import VOCABULARY
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.shared.condition_labels import NEVER, condition_label

QUEUES, PARTY = "queues", "party"
FOR_HURTING = ("enemy_count_gte_2", "enemy_count_gte_3", "enemy_hp_below_50", "enemy_hp_above_60", "round_gte_2")
FOR_HEALING = ("ally_hp_below_30", "ally_hp_below_50", "ally_hp_below_70", "allies.count(hp_pct < 60) >= 2")
FOR_ONESELF = ("self_hp_below_30", "self_hp_below_50", "self_hp_below_70")
FOR_HELPING = ("ally_hp_below_50", "ally_hp_below_75", "enemy_count_gte_2")
Choose = Callable[[Document, Sequence[tuple[Dimension, int]]], Document]


def dimensions_of(side_ref: SideRef, folders: Sequence[Path]) -> Iterator[Dimension]:
    """All dimensions of a party, or of the enemies of a lone fight."""
    key = "party" if side_ref.side == 1 else "enemies"
    resolver = Resolver("content", library_for(None, folders))
    members = side_ref.document[key]
    taken = {member[each] for member in members for each in ("id", "name")}
    for number, member in enumerate(members):
        path = (key, str(number))
        for index, slot in enumerate(member["queue"]):
            yield from _slot((*path, "queue", str(index)), member, slot, side_ref.document["skills"][slot["skill"]])
        if len(member["queue"]) > 1:
            yield _order((*path, "queue"), member, side_ref.document["skills"])
    for number, member in enumerate(members):
        yield from _line_up((key, str(number)), member, side_ref.document, resolver, taken)


def _slot(path: tuple[str, ...], member: Document, slot: Document, skill: Document) -> Iterator[Dimension]:
    title = f"{member['name']}, {skill['name']}"
    present = slot.get("when")
    first = present if present == "always" else None
    yield dimension_over(
        f"{title}: when", QUEUES, (*path, "when"), present, [first, NEVER, *_conditions(skill)], _label
    )
    if skill["reach"] in AIMED:
        target = slot.get("target")
        # Without a target the lowest HP counts.
        others = [each for each in codes.SELECTORS if each != "lowest_hp"]
        usual = target if target == "lowest_hp" else None
        yield dimension_over(f"{title}: target", QUEUES, (*path, "target"), target, [usual, *others], _target_label)


def _conditions(skill: Document) -> list[str]:
    """The conditions worth trying for a skill, by its purpose."""
    given = [each["condition"] for each in skill["conditions"]]
    if skill["reach"] in codes.HOSTILE_REACHES:
        return ["once", "every_2_rounds", *FOR_HURTING, *(f"not enemies.any({each})" for each in given)]
    wounded = FOR_ONESELF if skill["reach"] == "self" else FOR_HEALING if "heal" in skill else FOR_HELPING
    whom = "self_lacks_{}" if skill["reach"] == "self" else "not allies.any({})"
    return ["once", *wounded, *(whom.format(each) for each in given)]


def _order(path: tuple[str, ...], member: Document, skills: Mapping[str, Document]) -> Dimension:
    """The order of a queue: as it is, or with one slot moved."""
    queue = member["queue"]
    orders, labels = [queue], ["as it is"]
    for start, slot in enumerate(queue):
        rest = [*queue[:start], *queue[start + 1 :]]
        for end in range(len(queue)):
            order = [*rest[:end], slot, *rest[end:]]
            if order not in orders:
                orders.append(order)
                labels.append(f"{skills[slot['skill']]['name']} to place {end + 1}")
    return Dimension(f"{member['name']}: order", QUEUES, path, orders, labels, 0)


def _label(condition: Any) -> str:
    return condition_label(condition, VOCABULARY)


def _target_label(target: Any) -> str:
    return "lowest_hp" if target is None else str(target)


# Line-ups.


def _line_up(
    path: tuple[str, ...], member: Document, document: Document, resolver: Resolver, taken: set[str]
) -> Iterator[Dimension]:
    """For a hero or creature of the content, all others of the content with the same level."""
    kind, resolved = ("heroes", resolve_member) if path[0] == "party" else ("creatures", resolve_creature)
    entries = resolver.of(kind)
    bare = re.sub(r"-\d+$", "", member["id"])
    own = next((name for name in (member["id"], bare) if name in entries), None)
    if own is None:
        return
    choices: list[tuple[str, Document, Document]] = [(member["name"], member, {})]
    for name, entry in entries.items():
        if name == own or entry.level != member["level"]:
            continue
        newcomer = resolved(resolver, "", name, content=True)
        for key in ("id", "name"):
            newcomer[key] = free_name(f"{newcomer[key]}-{int(path[1]) + 1}", taken)
            taken.add(newcomer[key])
        choices.append((entry.name, newcomer, _brought(newcomer, document, resolver)))
    if len(choices) > 1:
        labels, values, brings = zip(*choices, strict=True)
        yield Dimension(f"place {int(path[1]) + 1}", PARTY, path, values, labels, 0, brings)


def _brought(newcomer: Document, document: Document, resolver: Resolver) -> Document:
    """A newcomer's skills and resources that the document lacks; the document's own come before the content's."""
    queue = [slot["skill"] for each in (newcomer, *newcomer.get("phases", [])) for slot in each.get("queue", [])]
    skills = {name: to_plain(resolver.of("skills")[name]) for name in queue if name not in document["skills"]}
    kinds = [skill["resource"] for skill in skills.values() if "resource" in skill]
    kinds += [newcomer["resource"]["kind"]] if "resource" in newcomer else []
    lacking = [kind for kind in kinds if kind not in document["resources"]]
    return {"skills": skills, "resources": {kind: to_plain(resolver.of("resources")[kind]) for kind in lacking}}


# Applying choices.


def with_choices_in_order(document: Document, choices: Sequence[tuple[Dimension, int]], choose: Choose) -> Document:
    """Apply choices to a document: first the line-up, then the slots of members who stay, then the slots' order."""
    line_up = [(dimension, number) for dimension, number in choices if len(dimension.path) == 2]
    replaced = {dimension.path for dimension, number in line_up if number != dimension.current}
    queues = [(each, number) for each, number in choices if len(each.path) > 2 and each.path[:2] not in replaced]
    changed = choose(document, line_up)
    changed = choose(changed, [(dimension, number) for dimension, number in queues if len(dimension.path) > 3])
    for dimension, number in queues:
        if len(dimension.path) == 3:
            order = _permutation(dimension.values[dimension.current], dimension.values[number])
            queue = get_path(changed, dimension.path)
            changed = with_value(changed, dimension.path, [queue[place] for place in order])
    return changed


def _permutation(before: Sequence[Document], after: Sequence[Document]) -> list[int]:
    """The old place of each slot of a reordered queue."""
    left = list(range(len(before)))
    found = []
    for slot in after:
        place = next(place for place in left if before[place] == slot)
        left.remove(place)
        found.append(place)
    return found
