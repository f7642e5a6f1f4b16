"""Looks up what the parts of a document refer to, and collects every problem on the way.

Resolving is idempotent: a resolved document is a valid scenario that resolves to itself, so `--set` can change any
value of it by path and resolve again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from fracas.conditions import parse
from fracas.content.packs import Library, unknown_name
from fracas.content.part_cache import LookUps
from fracas.content.reference_tables import singular
from fracas.content.references import to_plain
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.content.models.scenario import OWN_CONTENT, Scenario
from fracas.rulesets.delve.content.models.skills import QueueSlot, Skill
from fracas.rulesets.delve.content.vocabulary import VOCABULARY
from fracas.rulesets.delve.rules.constants import MAX_KNOWN

# The reaches of skills with a choice of targets.
AIMED = ("one_enemy", "one_ally")
# An unknown resource: costs are not checked.
UNKNOWN: Mapping[str, Any] = {}

Entry = TypeVar("Entry")

Payer = Mapping[str, Any] | None
"""A resource in the form of resolved documents, or none."""


class Resolver(LookUps):
    """Shared by all resolvers of a document's parts; the document's own content replaces the library's."""

    def __init__(
        self, origin: str, library: Library, own: Scenario | None = None, problems: Sequence[Problem] = ()
    ) -> None:
        super().__init__(origin, problems)
        self.known: dict[str, Mapping[str, Any]] = dict(library.entries)
        for kind in OWN_CONTENT:
            self.known[kind] = {**library.of(kind), **(getattr(own, kind) if own is not None else {})}
        # Content is checked entry by entry, so entries that are only named here are checked elsewhere.
        self.passes_over_named = False

    def of(self, kind: str) -> Mapping[str, Any]:
        """All entries of a kind, by id."""
        return self.known.get(kind, {})

    def find(self, kind: str, name: str, path: str) -> Any:
        """The entry of that name.

        Raises:
            InputError: there is none; names the nearest.
        """
        known = self.known.get(kind, {})
        if name not in known:
            raise InputError(unknown_name(self.where(path), singular(kind), name, known))
        found = known[name]
        self.note_look_up(kind, name, found)
        return found

    def participants(
        self, path: str, entries: Sequence[Entry], resolve: Callable[[str, Entry], Document]
    ) -> list[Document]:
        """Entries as participants with unique ids and names; `resolve(path, entry)` resolves one of them."""
        resolved: list[Document] = []
        for index, entry in enumerate(entries):
            with self.collecting():
                self.add_numbered(resolve(f"{path}.{index}", entry), resolved)
        return resolved

    def templated(
        self,
        kind: str,
        path: str,
        entry: Any,
        written: Callable[..., Any],
        made: Callable[[Any, Any], Document],
        content: bool,
    ) -> Document:
        """An entry of the content that is named, or one written out, over its template if it names one.

        `written` makes an entry that only names its template; `made` resolves what stands below and what is written.
        """
        if isinstance(entry, str):
            base = self.find(kind, entry, path)
            if self.passes_over_named:
                return {"id": base.id, "name": base.name}
            return made(base, written(template=entry))
        try:
            template = entry.template
            return made(None if template is None else self.find(kind, template, f"{path}.template"), entry)
        except InputError:
            # Check its queues all the same, so that all problems are reported at once.
            self.queue(f"{path}.queue", entry.queue or [], UNKNOWN, content=content)
            self.phases(f"{path}.phases", getattr(entry, "phases", None) or [], UNKNOWN, content=content)
            raise

    def phases(self, path: str, phases: Sequence[Any], payer: Payer, *, content: bool) -> list[Document]:
        """The phases of a boss, with all slots of their queues as tables."""
        resolved: list[Document] = []
        for index, phase in enumerate(phases):
            values = to_plain(phase, without=("queue",))
            if phase.queue is not None:
                values["queue"] = self.queue(f"{path}.{index}.queue", phase.queue, payer, content=content)
            resolved.append(values)
        return resolved

    def queue(self, path: str, queue: Sequence[str | QueueSlot], payer: Payer, *, content: bool) -> list[Document]:
        """A queue with all slots as tables; an unknown condition name is a problem in content, elsewhere a warning."""
        slots: list[Document] = []
        for index, slot in enumerate(queue):
            with self.collecting():
                slots.append(self.slot(f"{path}.{index}", slot, payer, content))
        return slots

    def slot(self, path: str, slot: str | QueueSlot, payer: Payer, content: bool) -> Document:
        """One slot; check that its skill exists and is payable, its condition is valid and its target fits."""
        entry = QueueSlot(skill=slot) if isinstance(slot, str) else slot
        at = path if isinstance(slot, str) else f"{path}.skill"
        # Most conditions are texts, and a dump takes longer than everything else here.
        is_simple = entry.when is None or isinstance(entry.when, str)
        slot_values = {"skill": entry.skill, "when": entry.when, "target": entry.target}
        values = {k: v for k, v in slot_values.items() if v is not None} if is_simple else to_plain(entry)
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
            message = f'"{skill.id}" reaches {skill.reach}, which leaves no choice, so it takes no target'
            self.complain(f"{path}.target", message)
        return values

    def refuse_too_many_skills(self, path: str, queues: Sequence[Sequence[Document]]) -> None:
        """Refuse queues with more different skills than a participant can keep track of."""
        count = len({slot["skill"] for queue in queues for slot in queue})
        if count > MAX_KNOWN:
            self.complain(path, f"its queues use {count} different skills; at most {MAX_KNOWN} are allowed")

    def resource(self, path: str, values: Mapping[str, Any]) -> Document:
        """A participant's resource; it starts at its kind's value unless it has its own.

        Raises:
            InputError: something is missing, or its kind is unknown.
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
        """A participant's id: its own, or its template's.

        Raises:
            InputError: it has neither.
        """
        found = next((name for name in candidates if name is not None), None)
        if found is None:
            raise InputError.of(self.where(path), "needs an id")
        return found

    def refuse_incomplete(self, path: str, missing: Sequence[str], identifier: str | None, kind: str) -> None:
        """Refuse an entry without a template that is not complete.

        Raises:
            InputError: it is not complete.
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
    """Why a participant with this resource can never pay for a skill; None if it can."""
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


def titled(identifier: str) -> str:
    """An id as a name."""
    return identifier.replace("_", " ").title()
