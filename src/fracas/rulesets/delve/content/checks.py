"""Checks delve content files and queue files by themselves, without a battle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from fracas.content.packs import Library
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.rulesets.contract.types import Document, Source
from fracas.rulesets.delve.content.creature_resolver import written_out
from fracas.rulesets.delve.content.equipment import clamp_numbers, class_numbers
from fracas.rulesets.delve.content.library import CATALOGUE, entry_mentions, library_for
from fracas.rulesets.delve.content.models.characters import CreatureEntry, MemberEntry
from fracas.rulesets.delve.content.models.scenario import QueueFile
from fracas.rulesets.delve.content.party_resolver import resolve_hero, resolve_member, resolve_members
from fracas.rulesets.delve.content.quest_resolver import resolve_quest, rows_without_rarity
from fracas.rulesets.delve.content.resolver import UNKNOWN, Payer, Resolver
from fracas.rulesets.delve.rules.constants import RARITIES


def check_strategy_file(
    document: Document, source: Source, folders: Sequence[Path] = (), *, strict: bool = False
) -> tuple[Problem, ...]:
    """Check a queue file by itself; it may refer to the folders and shipped content.

    Raises:
        InputError: everything wrong with it; warnings too if strict.
    """
    resolver = Resolver(source.where, library_for(None, folders))
    resolve_queue_file(resolver, validate(QueueFile, document, source.where))
    return resolver.verdict(strict=strict)


def resolve_queue_file(resolver: Resolver, file: QueueFile) -> list[Document]:
    """Resolve a queue file's slots; the class that it names must be able to pay for them."""
    return resolver.queue("queue", file.queue, queue_resource(resolver, file), content=False)


def queue_resource(resolver: Resolver, file: QueueFile) -> Payer:
    """The resource of a queue file's class at its level; unknown if it names no class."""
    if file.class_ is None:
        return UNKNOWN
    with resolver.collecting():
        role = resolver.find("classes", file.class_, "class")
        numbers = class_numbers(role, file.level)
        clamp_numbers(numbers)
        amounts = {"max": numbers.stats["resource"], "regeneration": numbers.stats["regeneration"]}
        return resolver.resource("class", {"kind": role.resource, **amounts})
    return UNKNOWN


def check_library(library: Library, origin: str | None = None) -> None:
    """Check that all references of a library, or of one of its files, are valid and all queues payable.

    Raises:
        InputError: every unknown name, and every entry that could not take part in a battle.
    """
    problems = list(CATALOGUE.dangling_references(library, entry_mentions, origin))
    reported = {(problem.where, problem.message) for problem in problems}
    for (kind, identifier), file in library.origins.items():
        if origin in (None, file):
            entry = f"{file}: {kind}.{identifier}."
            known = {message for where, message in reported if where.startswith(entry)}
            problems += (each for each in _problems_of(library, kind, identifier) if each.message not in known)
    if origin is None:
        problems += _missing_rarities(library)
    if problems:
        raise InputError(dict.fromkeys(problems))


def _problems_of(library: Library, kind: str, identifier: str) -> list[Problem]:
    """The problems that keep an entry from taking part in a battle; entries that it names are checked separately."""
    resolver = Resolver(library.origins[kind, identifier], library)
    resolver.passes_over_named = True
    entry, path = library.of(kind)[identifier], f"{kind}.{identifier}"
    with resolver.collecting():
        match kind:
            case "classes":
                resolve_member(resolver, path, MemberEntry(class_=identifier), content=True)
            case "heroes":
                resolve_hero(resolver, path, entry)
            case "creatures":
                written_out(resolver, path, entry, CreatureEntry(), content=True)
            case "parties":
                resolve_members(resolver, f"{path}.members", entry.members, content=True)
            case "quests":
                resolve_quest(resolver, f"{path}.", entry, content=True)
            case "loot_tables":
                for difficulty in library.of("difficulties").values():
                    resolver.problems += rows_without_rarity(entry, difficulty, resolver.where(path))
    return resolver.problems


def _missing_rarities(library: Library) -> Iterator[Problem]:
    missing = [name for name in RARITIES if name not in library.of("rarities")]
    if missing:
        yield Problem("rarities", f"these are not defined: {', '.join(missing)}")
