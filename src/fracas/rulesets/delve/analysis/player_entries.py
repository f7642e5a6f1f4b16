"""Entries of delve: a party of heroes with their queues."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from fracas.content.field_types import Id
from fracas.content.packs import Library
from fracas.content.references import to_plain
from fracas.content.validate import Model
from fracas.errors import Problem
from fracas.errors.suggestions import listed, quoted
from fracas.rulesets.contract.player_entries import WHERE, EntryKind, Piece
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.content.models.skills import Queue
from fracas.rulesets.delve.rules.constants import SIDE_SLOTS


class Member(Model):
    """A member of the party."""

    hero: Id
    """The id of a hero of the content."""
    queue: Queue | None = None
    """What it does, from the top. It may use the skills that heroes of its class have, and those of others that cost
    nothing and need no rest. Absent means the hero's own queue."""


class DelveEntry(Model):
    """A delve entry: a party. It fights another party, which stands on the enemies' side."""

    members: Annotated[list[Member], Field(min_length=1, max_length=SIDE_SLOTS)]
    """The members, in the order of the party."""


class DelveEntries(EntryKind):
    """Parties."""

    model = DelveEntry
    content = "heroes"
    what = "hero"
    side = "party"

    def pieces(self, entry: DelveEntry) -> Iterator[Piece]:
        yield from (Piece(f"members.{index}.hero", member.hero) for index, member in enumerate(entry.members))

    def free_places(self, entry: DelveEntry) -> Iterator[str]:
        if len(entry.members) < SIDE_SLOTS:
            yield f"members.{len(entry.members)}.hero"

    def decided(self, document: Document) -> Document:
        return {"members": document["party"]}

    def scenario(self, entry: DelveEntry, code: str, library: Library) -> Document:
        party = [_as_member(member) for member in entry.members]
        return {"party": party, "enemies": [next(iter(library.of("creatures")))]}

    def path(self, path: str, entry: DelveEntry) -> str | None:
        if not path.startswith("party."):
            return None
        return "members." + path.removeprefix("party.").replace(".template", ".hero")

    def problems(self, entry: DelveEntry, library: Library) -> Iterator[Problem]:
        """Skills that heroes of the member's class do not have, such as those of creatures."""
        for index, member in enumerate(entry.members):
            hero = library.of("heroes").get(member.hero)
            if hero is None or member.queue is None:
                continue
            known = class_skills(library, hero.class_)
            for number, slot in enumerate(member.queue):
                skill = slot if isinstance(slot, str) else slot.skill
                if skill in library.of("skills") and skill not in known:
                    yield Problem(
                        f"{WHERE}: members.{index}.queue.{number}",
                        f"no hero of the class {quoted(hero.class_)} uses the skill {quoted(skill)}",
                        f"write {listed([quoted(name) for name in sorted(known)])}",
                    )


def class_skills(library: Library, role: str) -> set[str]:
    """The skills in the queues of a class and of its heroes, and the free ones of all other classes."""
    queues = [(each.id, each.queue) for each in library.of("classes").values()]
    queues += [(hero.class_, hero.queue) for hero in library.of("heroes").values() if hero.queue]
    used = {(owner, slot if isinstance(slot, str) else slot.skill) for owner, queue in queues for slot in queue}
    skills = library.of("skills")
    return {name for owner, name in used if owner == role or not (skills[name].cost or skills[name].cooldown)}


def _as_member(member: Member) -> str | Document:
    if member.queue is None:
        return member.hero
    return {"template": member.hero, "queue": to_plain(member)["queue"]}
