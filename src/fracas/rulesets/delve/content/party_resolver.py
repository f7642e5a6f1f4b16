"""Resolves the party: class, level and equipment become numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from fracas.content.references import to_plain
from fracas.errors import InputError
from fracas.errors.suggestions import listed
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.content.equipment import (
    DEFENSES,
    Numbers,
    clamp_numbers,
    class_numbers,
    equip,
    overfull_slots,
)
from fracas.rulesets.delve.content.models.characters import CharacterClass, EquippedItem, Hero, MemberEntry
from fracas.rulesets.delve.content.resolver import UNKNOWN, Payer, Resolver, titled
from fracas.rulesets.delve.rules.constants import ATTRIBUTES, TRAININGS

ItemEntries = Sequence[str | EquippedItem]


def resolve_members(
    resolver: Resolver, path: str, entries: Sequence[str | MemberEntry], *, content: bool
) -> list[Document]:
    """The members of a party, each with a unique id and name."""
    return resolver.participants(path, entries, partial(resolve_member, resolver, content=content))


def resolve_member(resolver: Resolver, path: str, entry: str | MemberEntry, *, content: bool) -> Document:
    """A hero of the content, or a member written out, as finished numbers."""
    key = ("member", content, resolver.passes_over_named)

    def made(hero: Hero | None, written: MemberEntry) -> Document:
        return _Character(resolver, path, hero, written, content).resolve()

    return resolver.resolved_once(
        entry, key, lambda: resolver.templated("heroes", path, entry, MemberEntry, made, content)
    )


def resolve_hero(resolver: Resolver, path: str, hero: Hero) -> Document:
    """A hero of the content as it would join a party."""
    return _Character(resolver, path, hero, MemberEntry(), content=True).resolve()


class _Character:
    """A member under construction: the class at the level, then the hero, then its own table, then the equipment."""

    def __init__(self, resolver: Resolver, path: str, hero: Hero | None, written: MemberEntry, content: bool) -> None:
        self.resolver = resolver
        self.path = path
        self.hero = hero
        self.written = written
        self.content = content
        self.role = self._role()
        self.level = written.level or (hero.level if hero else 1)

    def _role(self) -> CharacterClass | None:
        name = self.written.class_ or (self.hero.class_ if self.hero else None)
        found: CharacterClass | None = None
        if name is not None:
            found = self.resolver.find("classes", name, f"{self.path}.class")
        return found

    def resolve(self) -> Document:
        """The member in the form of resolved documents.

        Raises:
            InputError: something is missing.
        """
        written, hero, role = self.written, self.hero, self.role
        numbers = class_numbers(role, self.level) if role else Numbers()
        for given in (hero, written):
            numbers.give(to_plain(given) if given is not None else {})
        queue = written.queue or (hero.queue if hero else None) or (role.queue if role else [])
        missing = [*numbers.missing(), *([] if queue else ["queue"])]
        self.resolver.refuse_incomplete(self.path, missing, written.id, "heroes")
        identifier = self.resolver.identifier(self.path, written.id, written.template, role.id if role else None)
        named = next((each.name for each in (written, hero, role) if each is not None and each.name), None)
        self._wear(numbers)
        payer = self._resource(numbers)
        content = self.content or not written.queue
        slots = self.resolver.queue(f"{self.path}.queue", queue, payer, content=content)
        return {
            "id": identifier,
            "name": named or titled(identifier),
            **({"class": role.id} if role else {}),
            "level": self.level,
            "hp": numbers.stats["hp"],
            "attributes": {name: numbers.stats[name] for name in ATTRIBUTES},
            **({"resource": payer} if payer else {}),
            **{name: numbers.stats[name] for name in (*DEFENSES, "weapon_speed")},
            "weapon": {"min": numbers.weapon[0], "max": numbers.weapon[1]},
            "training": {name: numbers.stats[name] for name in TRAININGS},
            "queue": slots,
        }

    def _resource(self, numbers: Numbers) -> Payer:
        """Its resource: its class's, or one written in its table."""
        given = to_plain(self.written.resource) if self.written.resource is not None else {}
        if self.role is not None:
            given = {"kind": self.role.resource, "max": 0, **given}
        payer: Payer = None
        if given:
            payer = UNKNOWN
            with self.resolver.collecting():
                amounts = {"max": numbers.stats["resource"], "regeneration": numbers.stats["regeneration"]}
                payer = self.resolver.resource(f"{self.path}.resource", given) | amounts
        return payer

    def _wear(self, numbers: Numbers) -> None:
        """Look up every item and add their numbers."""
        resolver, path = self.resolver, f"{self.path}.items"
        own = self.written.items
        entries: ItemEntries = own if own is not None else self.hero.items if self.hero else []
        worn: list[EquippedItem] = []
        for index, entry in enumerate(entries):
            with resolver.collecting():
                worn.append(_checked_item(resolver, f"{path}.{index}", entry))
        for slot, room in overfull_slots(worn, resolver.of("items")):
            resolver.complain(path, f"has too many items in {slot}: at most {room}")
        equip(numbers, worn, resolver.of("items"), resolver.of("bonuses"))
        clamp_numbers(numbers)


def _checked_item(resolver: Resolver, path: str, entry: str | EquippedItem) -> EquippedItem:
    """A worn item, with its template and bonuses checked.

    Raises:
        InputError: the template or a bonus is missing, or they do not fit each other.
    """
    if isinstance(entry, str):
        resolver.find("items", entry, path)
        return EquippedItem(template=entry)
    template = resolver.find("items", entry.template, f"{path}.template")
    for index, worn in enumerate(entry.bonuses):
        at = f"{path}.bonuses.{index}.bonus"
        bonus = resolver.find("bonuses", worn.bonus, at)
        if bonus.slots and template.slot not in bonus.slots:
            message = f'"{bonus.id}" is found on {listed(bonus.slots)}, and "{template.id}" is worn in {template.slot}'
            raise InputError.of(resolver.where(at), message)
    return entry
