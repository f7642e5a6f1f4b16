"""Looks up what the parts of one document refer to, collecting every problem on the way.

Resolving is idempotent: what is resolved is a valid scenario that resolves to itself. That is what lets `--set` change
any value of it by path and resolve again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.conditions import parse
from fracas.content.packs import Library, unknown_name
from fracas.content.references import Collector, numbered, to_plain
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.content.library import TITLES
from fracas.rulesets.delve.content.models.scenario import OWN_CONTENT, Scenario
from fracas.rulesets.delve.content.models.skills import QueueSlot, Skill
from fracas.rulesets.delve.content.vocabulary import VOCABULARY
from fracas.rulesets.delve.rules.constants import MAX_KNOWN

# The reaches of skills that are aimed at one of several.
AIMED = ("one_enemy", "one_ally")
# The resource of somebody of whom nothing is known: whether it can pay is nobody's problem.
UNKNOWN: Mapping[str, Any] = {}

Payer = Mapping[str, Any] | None
"""A resource as the resolved document holds it, or none."""


class Resolver(Collector):
    """What resolving the parts of a document has in common; content of the document's own goes over the library's."""

    def __init__(
        self, origin: str, library: Library, own: Scenario | None = None, problems: Sequence[Problem] = ()
    ) -> None:
        super().__init__(origin, problems)
        self.known: dict[str, Mapping[str, Any]] = dict(library.entries)
        for kind in OWN_CONTENT:
            self.known[kind] = {**library.of(kind), **(getattr(own, kind) if own is not None else {})}
        # Content is checked entry by entry, so that what is only named there is somebody else's concern.
        self.passes_over_named = False

    def of(self, kind: str) -> Mapping[str, Any]:
        """All entries of a kind, by id."""
        return self.known.get(kind, {})

    def find(self, kind: str, name: str, path: str) -> Any:
        """The entry of that name.

        Raises:
            InputError: there is none; names the nearest.
        """
        if name not in self.of(kind):
            raise InputError(unknown_name(self.where(path), TITLES[kind], name, self.of(kind)))
        return self.of(kind)[name]

    def queue(self, path: str, queue: Sequence[str | QueueSlot], payer: Payer, *, content: bool) -> list[Document]:
        """A queue with every slot a table; in content an unknown condition name is a problem, elsewhere a warning."""
        slots: list[Document] = []
        for place, slot in enumerate(queue):
            with self.collecting():
                slots.append(self.slot(f"{path}.{place}", slot, payer, content))
        return slots

    def slot(self, path: str, slot: str | QueueSlot, payer: Payer, content: bool) -> Document:
        """One slot: its skill must be there and payable, its condition one, its target something to choose."""
        entry = QueueSlot(skill=slot) if isinstance(slot, str) else slot
        at = path if isinstance(slot, str) else f"{path}.skill"
        values = to_plain(entry)
        with self.collecting():
            parsed = parse(entry.when, VOCABULARY, where=self.where(f"{path}.when"), content=content)
            self.warnings += parsed.warnings
            if parsed.tree is None:
                values.pop("when", None)
        skill: Skill = self.find("skills", entry.skill, at)
        unpayable = why_unpayable(skill, payer)
        if unpayable is not None:
            self.complain(at, unpayable)
        if entry.target is not None and skill.reach not in AIMED:
            message = f'"{skill.id}" reaches {skill.reach}, which leaves nothing to choose, so it takes no target'
            self.complain(f"{path}.target", message)
        return values

    def refuse_too_many_skills(self, path: str, queues: Sequence[Sequence[Document]]) -> None:
        """One participant has memory for so many different skills."""
        count = len({slot["skill"] for queue in queues for slot in queue})
        if count > MAX_KNOWN:
            self.complain(path, f"its queues use {count} different skills; at most {MAX_KNOWN} are allowed")

    def resource(self, path: str, values: Mapping[str, Any]) -> Document:
        """What somebody pays with; it starts as its kind does, unless it says otherwise.

        Raises:
            InputError: it lacks something, or its kind is not there.
        """
        missing = [key for key in ("kind", "max") if key not in values]
        if missing:
            raise InputError.of(self.where(path), f"needs {listed(missing, 'and')}")
        kind = self.find("resources", values["kind"], f"{path}.kind")
        return {
            "kind": kind.id,
            "max": values["max"],
            "regeneration": values.get("regeneration", 0),
            "start": values.get("start", kind.start),
        }

    def identifier(self, path: str, *candidates: str | None) -> str:
        """What somebody goes by.

        Raises:
            InputError: it has nothing to go by.
        """
        found = next((name for name in candidates if name is not None), None)
        if found is None:
            raise InputError.of(self.where(path), "needs an id")
        return found

    def refuse_incomplete(self, path: str, missing: Sequence[str], identifier: str | None, kind: str) -> None:
        """What has no template must say everything about itself.

        Raises:
            InputError: it does not.
        """
        if not missing:
            return
        known = self.of(kind)
        hint = nearest(identifier, known) if identifier else None
        if identifier in known:
            hint = f'write template = "{identifier}"'
        who = quoted(identifier) if identifier else "this one"
        message = f"{who} names no template, so it needs {', '.join(missing)} here"
        raise InputError.of(self.where(path), message, hint)


def why_unpayable(skill: Skill, payer: Payer) -> str | None:
    """Why somebody with this resource can never pay for a skill; None if it can."""
    if skill.cost == 0 or payer is UNKNOWN:
        return None
    costs = f'"{skill.id}" costs {skill.cost}' + (f" {skill.resource}" if skill.resource else "")
    if payer is None:
        return f"{costs}, and its user has nothing to pay with"
    if skill.resource not in (None, payer["kind"]):
        return f"{costs}, and its user pays with {payer['kind']}"
    if skill.cost > payer["max"]:
        return f"{costs}, and its user has at most {payer['max']}"
    return None


def take_in(resolved: list[Document], newcomer: Document) -> None:
    """Add somebody under an id and a name that nobody else has there."""
    for key in ("id", "name"):
        newcomer[key] = numbered(newcomer[key], {other[key] for other in resolved})
    resolved.append(newcomer)


def titled(identifier: str) -> str:
    """An id as a name."""
    return identifier.replace("_", " ").title()
