"""Computes a member's numbers from class, level and equipment. delve/README.md, "From class to participant"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fracas.content.model_limits import bounds
from fracas.rulesets.delve.content.models.characters import (
    Attributes,
    CharacterClass,
    EquippedItem,
    FighterNumbers,
    Resource,
    Trainings,
)
from fracas.rulesets.delve.content.models.items import Bonus, ItemTemplate
from fracas.rulesets.delve.rules import constants as codes

DEFENSES = ("armor", "resistance", "evasion")
# The numbers that an item may raise, besides the ends of the weapon range.
STATS = (*codes.ATTRIBUTES, "hp", "resource", "regeneration", *DEFENSES, "weapon_speed", *codes.TRAININGS)
# The bounds of each sum: those of the resolved document.
LIMITS = {
    **{name: bounds(Attributes, name) for name in codes.ATTRIBUTES},
    **{name: bounds(FighterNumbers, name) for name in ("hp", *DEFENSES, "weapon_speed")},
    "resource": bounds(Resource, "max"),
    "regeneration": bounds(Resource, "regeneration"),
    **{name: bounds(Trainings, name) for name in codes.TRAININGS},
}


@dataclass
class Numbers:
    """A member's numbers under construction; a missing number is not set yet."""

    stats: dict[str, int] = field(default_factory=dict)
    weapon: tuple[int, int] = (0, 0)

    def give(self, values: Mapping[str, Any]) -> None:
        """Set numbers from a table."""
        given = {**values, **values.get("attributes", {}), **values.get("training", {})}
        self.stats |= {stat: given[stat] for stat in STATS if isinstance(given.get(stat), int)}
        resource = values.get("resource") or {}
        self.stats |= {"resource": resource["max"]} if "max" in resource else {}
        self.stats |= {"regeneration": resource["regeneration"]} if "regeneration" in resource else {}
        if values.get("weapon"):
            self.weapon = (values["weapon"]["min"], values["weapon"]["max"])

    def missing(self) -> list[str]:
        """The required numbers that are not set."""
        return [stat for stat in ("hp", *codes.ATTRIBUTES) if stat not in self.stats]

    def raise_by(self, stat: str, amount: int) -> None:
        """Add to a number; `damage` is both ends of the weapon range."""
        if stat == "damage":
            self.weapon = (self.weapon[0] + amount, self.weapon[1] + amount)
        else:
            self.stats[stat] = self.stats.get(stat, 0) + amount


def class_numbers(role: CharacterClass, level: int) -> Numbers:
    """A class's numbers at a level: its base, plus its growth for each level above the first."""
    base, growth = flat(role.base), flat(role.per_level)
    return Numbers({stat: value + growth.get(stat, 0) * (level - 1) for stat, value in base.items()})


def flat(numbers: Any) -> dict[str, int]:
    """The numbers of a class as one table."""
    values: dict[str, Any] = numbers.model_dump()
    return {**values.pop("attributes"), **values.pop("training"), **values}


def equip(
    numbers: Numbers,
    items: Iterable[EquippedItem],
    templates: Mapping[str, ItemTemplate],
    bonuses: Mapping[str, Bonus],
) -> None:
    """Add the numbers of the items; the sums may still leave their bounds."""
    for item in items:
        template = templates[item.template]
        if template.damage is not None:
            low, high = (enhanced(end, item.enhancement) for end in (template.damage.min, template.damage.max))
            numbers.weapon = (numbers.weapon[0] + low, numbers.weapon[1] + high)
        for stat, amount in item_bonuses(item, template, bonuses):
            numbers.raise_by(stat, amount)


def item_bonuses(item: EquippedItem, template: ItemTemplate, bonuses: Mapping[str, Bonus]) -> Iterator[tuple[str, int]]:
    """Every number that an item raises, and by how much, except its damage range."""
    for stat in DEFENSES:
        yield stat, enhanced(getattr(template, stat), item.enhancement)
    yield "weapon_speed", template.speed
    if codes.RARITIES.index(item.rarity) >= codes.RARE:
        yield from ((entry.stat, entry.amount) for entry in template.signature)
    for worn in item.bonuses:
        bonus = bonuses[worn.bonus]
        yield bonus.stat, bonus.amounts[codes.TIERS.index(worn.tier)]


def enhanced(value: int, enhancement: int) -> int:
    """A number of an item's template at an enhancement level."""
    return value + value * codes.ENHANCEMENT_PCT * enhancement // 100


def clamp_numbers(numbers: Numbers) -> None:
    """Clamp every number to its bounds."""
    for stat, (low, high) in LIMITS.items():
        numbers.stats[stat] = int(min(max(numbers.stats.get(stat, 0), low), high))
    low_end, high_end = (min(max(end, 0), codes.LARGEST_AMOUNT) for end in numbers.weapon)
    numbers.weapon = (low_end, max(high_end, low_end))


def overfull_slots(items: Sequence[EquippedItem], templates: Mapping[str, ItemTemplate]) -> Iterator[tuple[str, int]]:
    """The slots with more items than fit, with the number that fits."""
    worn = Counter(templates[item.template].slot for item in items)
    for slot, count in worn.items():
        room = codes.SLOT_CAPACITY.get(slot, 1)
        if count > room:
            yield slot, room
