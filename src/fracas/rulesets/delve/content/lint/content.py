"""Lints delve content: unused entries, items, creatures and quests that are probably mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fracas.content.packs import Library
from fracas.rulesets.contract.types import Finding
from fracas.rulesets.delve.content.creature_resolver import resolve_creature
from fracas.rulesets.delve.content.fights import consequences
from fracas.rulesets.delve.content.library import entry_mentions
from fracas.rulesets.delve.content.lint.queues import FactRanges, phase_findings, queue_findings
from fracas.rulesets.delve.content.models.characters import Creature, CreatureEntry, EquippedItem, Hero, MemberEntry
from fracas.rulesets.delve.content.models.items import Rarity
from fracas.rulesets.delve.content.models.quests import Combat, Decision, Puzzle, Quest
from fracas.rulesets.delve.content.models.scenario import ContentFile
from fracas.rulesets.delve.content.models.skills import Skill
from fracas.rulesets.delve.content.party_resolver import resolve_hero, resolve_member
from fracas.rulesets.delve.content.resolver import Payer, Resolver
from fracas.rulesets.shared.duplicate_names import same_names

# Kinds that only other content uses; scenarios may name the rest.
SERVING = ("resources", "skills", "items", "loot_tables")
LEAST_STUN_COOLDOWN = 3


def lint_library(library: Library, origin: str | None = None) -> list[Finding]:
    """Lint content, or one of its files."""
    findings = [*_unused(library), *_entries(library)]
    findings += same_names(library, origin)
    return [each for each in findings if origin is None or each.where.startswith(f"{origin}: ")]


def _unused(library: Library) -> Iterator[Finding]:
    """Content that nothing uses and that has no note."""
    used = {(each.kind, each.name) for kind in ContentFile.model_fields for each in _mentions(library, kind)}
    for kind in SERVING:
        for identifier, entry in library.of(kind).items():
            if (kind, identifier) not in used and not entry.note:
                where = f"{library.origins[kind, identifier]}: {kind}.{identifier}"
                yield Finding("unused-content", where, "nothing uses it; if that is intended, say why in its note")
    for identifier, bonus in library.of("bonuses").items():
        if not bonus.weight and ("bonuses", identifier) not in used and not bonus.note:
            where = f"{library.origins['bonuses', identifier]}: bonuses.{identifier}"
            yield Finding("unused-content", where, "it is never rolled, and no hero wears it")


def _mentions(library: Library, kind: str) -> Iterator[Any]:
    for entry in library.of(kind).values():
        yield from entry_mentions(kind, entry.model_dump(by_alias=True))


def _entries(library: Library) -> Iterator[Finding]:
    """Findings in single entries."""
    resolver = Resolver("content", library)
    skills = library.of("skills")
    for kind in ("skills", "classes", "heroes", "parties", "creatures", "quests"):
        for identifier, entry in library.of(kind).items():
            where = f"{library.origins[kind, identifier]}: {kind}.{identifier}"
            match kind:
                case "skills":
                    yield from stun_findings(entry, where)
                case "classes":
                    payer = resolve_member(resolver, where, MemberEntry(class_=entry.id), content=True).get("resource")
                    yield from queue_findings(entry.queue, f"{where}.queue", skills, payer, ranges_for(payer))
                case "heroes":
                    payer = resolve_hero(resolver, where, entry).get("resource")
                    yield from member_findings(resolver, entry, where, payer)
                case "parties":
                    for index, member in enumerate(entry.members):
                        if isinstance(member, MemberEntry):
                            path = f"{where}.members.{index}"
                            payer = resolve_member(resolver, path, member, content=True).get("resource")
                            yield from member_findings(resolver, member, path, payer)
                case "creatures":
                    payer = resolve_creature(resolver, where, identifier, content=True).get("resource")
                    yield from creature_findings(resolver, entry, where, payer)
                case "quests":
                    yield from quest_findings(resolver, entry, where)


def ranges_for(payer: Payer) -> FactRanges:
    """The facts' bounds in any fight, for an owner with this resource."""
    return FactRanges() if not payer else replace(FactRanges(), most_resource=payer["max"])


def member_findings(
    resolver: Resolver,
    member: MemberEntry | Hero,
    where: str,
    payer: Payer,
    ranges: FactRanges | None = None,
    *,
    rests: bool = True,
) -> Iterator[Finding]:
    """Lint a hero or a member written in a scenario: its own queue and items."""
    known = ranges or ranges_for(payer)
    if member.queue:
        skills = resolver.of("skills")
        yield from queue_findings(member.queue, f"{where}.queue", skills, payer, known, rests=rests)
    yield from item_findings(member.items or [], f"{where}.items", resolver.of("rarities"))


def item_findings(items: Sequence[str | EquippedItem], where: str, rarities: Mapping[str, Rarity]) -> Iterator[Finding]:
    """Items that could never be found."""
    for index, item in enumerate(items):
        rarity = rarities.get(item.rarity) if isinstance(item, EquippedItem) else None
        if isinstance(item, EquippedItem) and rarity is not None and len(item.bonuses) > rarity.bonuses:
            message = f"it has {len(item.bonuses)} bonuses, but {item.rarity} items have {rarity.bonuses}"
            yield Finding("impossible-item", f"{where}.{index}", message)


def creature_findings(
    resolver: Resolver,
    creature: Creature | CreatureEntry,
    where: str,
    payer: Payer,
    ranges: FactRanges | None = None,
) -> Iterator[Finding]:
    """Lint a creature's queues and phases."""
    skills = resolver.of("skills")
    known = ranges or ranges_for(payer)
    phases = creature.phases or []
    # A phase may add what is missing at the start.
    regains = any(phase.regeneration for phase in phases)
    for path, queue in (
        ("queue", creature.queue),
        *((f"phases.{n}.queue", each.queue) for n, each in enumerate(phases)),
    ):
        if queue:
            yield from queue_findings(queue, f"{where}.{path}", skills, payer, known, rests=regains)
    yield from phase_findings(phases, f"{where}.phases")


def stun_findings(skill: Skill, where: str) -> Iterator[Finding]:
    """A stun that can be used often enough to decide fights by itself."""
    stuns = any(entry.condition == "stunned" for entry in skill.conditions)
    if stuns and (skill.cooldown < LEAST_STUN_COOLDOWN or not skill.cost):
        message = f"it stuns with a cooldown of {skill.cooldown} and a cost of {skill.cost}"
        hint = f"a cooldown of {LEAST_STUN_COOLDOWN} or more and a cost keep stuns from deciding every fight"
        yield Finding("cheap-stun", where, message, hint)


def quest_findings(resolver: Resolver, quest: Quest, where: str) -> Iterator[Finding]:
    """Lint a quest: options that are never taken, and enemies written in it."""
    for number, encounter in enumerate(quest.encounters):
        path = f"{where}.encounters.{number}"
        if isinstance(encounter, Decision):
            yield from _never_chosen([option.check for option in encounter.options], f"{path}.options", "option")
        if isinstance(encounter, Puzzle):
            yield from _never_chosen(encounter.checks, f"{path}.checks", "check")
        fought = [(f"{path}.enemies", encounter.enemies)] if isinstance(encounter, Combat) else []
        fought += [(f"{path}.{below}.ambush", way.ambush or []) for below, way in consequences(encounter)]
        for below, enemies in fought:
            for index, enemy in enumerate(enemies):
                if isinstance(enemy, CreatureEntry):
                    at = f"{below}.{index}"
                    payer = resolve_creature(resolver, at, enemy, content=False).get("resource")
                    yield from creature_findings(resolver, enemy, at, payer)


def _never_chosen(checks: Iterable[str | None], where: str, what: str) -> Iterator[Finding]:
    """Options never taken: the party takes what it is best at, the first of equals; without a skill the value is 0."""
    named = list(checks)
    for index, check in enumerate(named):
        path = f"{where}.{index}"
        if check in named[:index]:
            message = f"this {what} is never taken: number {named.index(check)} needs the same skill and comes first"
            yield Finding("never-chosen", path, message)
        elif check is None and len({*named}) > 1:
            message = f"this {what} is never taken: it needs no skill, which counts as 0, and another option is better"
            yield Finding("never-chosen", path, message, "give it a check")
