"""The hooks that the lab calls for delve: match-ups, parts, stats, search space, contributions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fracas.content.document_edits import get_path
from fracas.content.model_limits import bounds
from fracas.content.references import to_plain
from fracas.content.validate import validate
from fracas.errors import InputError
from fracas.errors.suggestions import listed
from fracas.rulesets.contract.analysis import (
    ALL_STATUSES,
    EVERYBODY,
    AnalysisHooks,
    Contribution,
    DecisionPoint,
    Dimension,
    SideRef,
    Stat,
    StatusChange,
    Statuses,
    Vitals,
)
from fracas.rulesets.contract.types import Compiled, Document, Rows
from fracas.rulesets.delve.analysis.condition_dry_run import explain
from fracas.rulesets.delve.analysis.decision_points import decision_points
from fracas.rulesets.delve.analysis.hit_calculator import hits
from fracas.rulesets.delve.analysis.scenario_generator import random_scenario
from fracas.rulesets.delve.analysis.search_space import PARTY, QUEUES, dimensions_of, with_choices_in_order
from fracas.rulesets.delve.analysis.sides import (
    QUEST,
    TABLES,
    DelveSide,
    Queues,
    against,
    company_of,
    opponents_of,
    opposition_of,
    used_of,
)
from fracas.rulesets.delve.content.fights import fights
from fracas.rulesets.delve.content.library import library_for
from fracas.rulesets.delve.content.models.characters import Attributes, Resource, Trainings
from fracas.rulesets.delve.content.models.fields import Range
from fracas.rulesets.delve.content.models.scenario import QueueFile, Resolved, ResolvedMember
from fracas.rulesets.delve.content.models.skills import Queue, ResourceKind, Skill
from fracas.rulesets.delve.content.resolver import Resolver
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules import events as kinds
from fracas.rulesets.shared.event_totals import (
    ACTOR,
    KIND,
    TARGET,
    A,
    B,
    C,
    D,
    EventTotals,
    last_index_by_key,
    latest,
    take_or,
)

NUMBERS = ("hp", "armor", "resistance", "evasion", "weapon_speed")


class LabHooks(AnalysisHooks):
    """The lab's questions, answered for delve.

    Side 1 is a party; side 2 is the enemies of a lone fight, or a quest. A party meets the enemies or the quest of
    another file with that file's difficulty, under its own file's options. Two parties meet in a lone fight: the second
    becomes enemies that no difficulty changes. Enemies can be side 1 too, unless one of them is a boss with phases; a
    quest cannot. If the second side has a different skill under the same id, that skill gets a new id.
    """

    parts = (QUEUES, PARTY)
    sides_are_alike = False
    explain = staticmethod(explain)
    hits = staticmethod(hits)
    random_scenario = staticmethod(random_scenario)

    def matchup(self, first: SideRef, second: SideRef) -> Document:
        self.check_side_refs(first, second)
        return against(first.document, company_of(first), opposition_of(second))

    def part(self, side_ref: SideRef, part: str) -> Any:
        """A side's `party`, its fighters, enemies included; or its `queues`, the queue of each of them by id."""
        self.check_side_refs(side_ref)
        self.check_part(part)
        company = company_of(side_ref)
        if part == PARTY:
            return company
        return {"queues": {member["id"]: member["queue"] for member in company["members"]}, **_tables(company)}

    def with_part(self, side_ref: SideRef, part: str, value: Any) -> Document:
        """As the contract says.

        Queues go to the members with the same ids; the queue of a queue file goes to all members of its class. The
        document's skills stay; only skills that it lacks are added.
        """
        self.check_side_refs(side_ref)
        self.check_part(part)
        if part == QUEUES:
            return _with_queues(side_ref, value)
        validate(DelveSide, value, part)
        company_of(side_ref)
        if side_ref.side == 1:
            return against(side_ref.document, value, opposition_of(SideRef(side_ref.document, 2)))
        opposition = opponents_of(value, side_ref.document["difficulty"])
        return against(side_ref.document, company_of(SideRef(side_ref.document, 1)), opposition)

    def stats(self, side_ref: SideRef) -> Sequence[Stat]:
        """The numbers of everyone on a side; for the second side of a run, the creatures of all possible fights."""
        self.check_side_refs(side_ref)
        return [
            stat
            for path in _places(side_ref)
            for stat in _stats_of(path, get_path(side_ref.document, path), side_ref.document)
        ]

    def search_space(self, side_ref: SideRef, folders: Sequence[Path] = ()) -> Sequence[Dimension]:
        """The dimensions of a side; none for the second side of a run, whose creatures fight in many encounters."""
        self.check_side_refs(side_ref)
        if side_ref.side == 2 and QUEST in side_ref.document:
            return []
        return list(dimensions_of(side_ref, folders))

    def with_choices(
        self, document: Document, choices: Iterable[tuple[Dimension, int]], folders: Sequence[Path] = ()
    ) -> Document:
        """As the contract says. Choices for the queue of a replaced member do not apply to the newcomer's queue.

        Conditions and targets stay with their slots when the order of a queue changes.
        """
        return with_choices_in_order(document, list(choices), super().with_choices)

    def vitals(self, compiled: Compiled, document: Document) -> Vitals:
        """The party, and the enemies of all encounters, whose HP start with their encounter."""
        sides = {number: 1 if number < codes.SIDE_SLOTS else 2 for number in range(len(compiled.books["title"]))}
        event_kinds = (kinds.Ready, kinds.Phase, kinds.Hit, kinds.Heal, kinds.ConditionTick, kinds.Harm, kinds.Restore)
        return Vitals(sides, event_kinds, statuses=STATUSES)

    def contributions(self, rows: Rows, compiled: Compiled, document: Document) -> Sequence[Contribution]:
        """What each skill contributed: amounts in HP, except for `uses` and `falls`; enemies of a run merge by name.

        `damage` is the HP that others lost, conditions included; `stopped` is the damage that their shields absorbed;
        `healing` is the HP restored, Regenerating included; `absorbed` is the damage that this skill's shields
        absorbed. Harm outside fights has no author.
        """
        names = [(1 if number < codes.SIDE_SLOTS else 2, name) for number, name in enumerate(compiled.books["title"])]
        rows_of = {key: number for number, key in enumerate(dict.fromkeys(key for key in names if key[1] is not None))}
        skills = list(compiled.books["skill"])
        tally = _tally(rows, np.array([rows_of.get(key, -1) for key in names]), len(skills))
        numbers = {name: number for number, name in enumerate(skills)}
        owned = [
            (rows_of[side, member["name"]], numbers[skill])
            for side in (1, 2)
            for path in _places(SideRef(document, side))
            for member in (get_path(document, path),)
            for skill in used_of(member, document)["skills"]
        ]
        titles = [document["skills"][name]["name"] for name in skills]
        return list(tally.contributions([(number, *key) for key, number in rows_of.items()], titles, owned))

    def decision_points(self, compiled: Compiled, document: Document, stream: int) -> Sequence[DecisionPoint]:
        return decision_points(compiled, document, stream)


def _tables(company: Mapping[str, Any]) -> Document:
    return {key: company[key] for key in TABLES}


def _places(side_ref: SideRef) -> Iterator[tuple[str, ...]]:
    """The paths of everyone on a side."""
    if side_ref.side == 1:
        yield from (("party", str(number)) for number in range(len(side_ref.document["party"])))
        return
    for fight in fights(validate(Resolved, side_ref.document, str(side_ref.document["id"]))):
        yield from ((*fight.path.split("."), str(number)) for number in range(len(fight.enemies)))


# Queues.


def _with_queues(side_ref: SideRef, value: Any) -> Document:
    """A document in which a side uses other queues.

    Raises:
        InputError: the queues are for other members, or their owners cannot use them.
    """
    members = company_of(side_ref)["members"]
    given, brought = _queues_for(members, value)
    known: dict[str, Skill] = {**library_for(None, ()).of("skills"), **brought.skills}
    known |= {name: validate(Skill, skill, f"skills.{name}") for name, skill in side_ref.document["skills"].items()}
    resolver = Resolver(f"{side_ref.document['id']} with other queues", library_for(None, ()))
    resolver.known["skills"] = known
    changed = []
    for member in members:
        slots = given.get(member["id"])
        if slots is not None:
            payer, path = member.get("resource"), f"{member['id']}.queue"
            member = {**member, "queue": resolver.queue(path, slots, payer, content=False)}
        changed.append(member)
    resolver.raise_problems()
    kinds: dict[str, ResourceKind] = {**library_for(None, ()).of("resources"), **brought.resources}
    tables = {
        "skills": {**{name: to_plain(skill) for name, skill in known.items()}, **side_ref.document["skills"]},
        "resources": {**{name: to_plain(kind) for name, kind in kinds.items()}, **side_ref.document["resources"]},
    }
    key = "party" if side_ref.side == 1 else "enemies"
    document = {**side_ref.document, key: changed}
    fighters = [document["party"], {each: document[each] for each in ("enemies", QUEST) if each in document}]
    return {**document, **used_of(fighters, tables)}


def _queues_for(members: Sequence[Document], value: Any) -> tuple[Mapping[str, Queue], Queues]:
    """The queue of each member by id, and the skills and resources that come with them.

    Raises:
        InputError: they belong to no member here.
    """
    if isinstance(value, dict) and "queue" in value:
        file = validate(QueueFile, value, QUEUES)
        owners = [str(each["id"]) for each in members if file.class_ in (None, each.get("class"))]
        brought = Queues(queues=dict.fromkeys(owners, file.queue))
    else:
        brought = validate(Queues, value, QUEUES)
    given = {str(each["id"]): brought.queues[each["id"]] for each in members if each["id"] in brought.queues}
    if not given:
        names = listed([str(each["id"]) for each in members], "and")
        raise InputError.of(QUEUES, f"has no queue for {names}", "queues go by ids, or by a class")
    return given, brought


# Numbers.


def _stats_of(path: tuple[str, ...], member: Document, document: Document) -> Iterator[Stat]:
    """The numbers of a member that a study can vary; trainings only in runs, and a range's ends may not cross."""
    for name in NUMBERS:
        yield _stat(path, name, member, bounds(ResolvedMember, name))
    for name in codes.ATTRIBUTES:
        yield _stat((*path, "attributes"), name, member, bounds(Attributes, name))
    least, most = bounds(Range, "min")
    weapon = member["weapon"]
    yield _stat((*path, "weapon"), "min", member, (least, weapon["max"]), "weapon min")
    yield _stat((*path, "weapon"), "max", member, (weapon["min"], most), "weapon max")
    if "resource" in member:
        dearest = max(skill["cost"] for skill in used_of(member, document)["skills"].values())
        most = bounds(Resource, "max")[1]
        kind = member["resource"]["kind"]
        yield _stat((*path, "resource"), "max", member, (dearest, most), kind)
        yield _stat((*path, "resource"), "regeneration", member, bounds(Resource, "regeneration"))
    if QUEST in document and "training" in member:
        for name in codes.TRAININGS:
            yield _stat((*path, "training"), name, member, bounds(Trainings, name))


def _stat(
    path: tuple[str, ...], name: str, member: Document, limits: tuple[int | float, int | float], called: str = ""
) -> Stat:
    """One number, from the member itself or from the table of it that the path ends with."""
    inner = path[-1] if path[-1] in member else ""
    value = member[inner][name] if inner else member[name]
    return Stat((*path, name), called or name, str(member["name"]), value, *limits)


# Events.


def _status_changes(row: Sequence[int]) -> Iterator[StatusChange]:
    """What an event row changes in who has which conditions."""
    kind = row[KIND]
    if kind == kinds.Condition.KIND and row[D] in (codes.APPLIED, codes.REFRESHED):
        yield StatusChange(row[TARGET], codes.CONDITIONS[row[A]], 1)
    elif kind == kinds.Expire.KIND:
        yield StatusChange(row[TARGET], codes.CONDITIONS[row[A]], 0)
    elif kind == kinds.Stunned.KIND:
        yield StatusChange(row[ACTOR], codes.CONDITIONS[codes.STUNNED], 0)
    elif kind == kinds.Fall.KIND:
        yield StatusChange(row[TARGET], ALL_STATUSES, 0)
    elif kind == kinds.Encounter.KIND:
        # Conditions do not last from one encounter to the next.
        yield StatusChange(EVERYBODY, ALL_STATUSES, 0)


STATUSES = Statuses(
    codes.CONDITIONS, (kinds.Condition, kinds.Expire, kinds.Stunned, kinds.Fall, kinds.Encounter), _status_changes
)


def _tally(rows: Rows, row_of: Rows, skills: int) -> EventTotals:
    """Count what each participant and skill did, from event rows; `row_of` maps participants to those of the report."""
    tally = EventTotals(len(row_of), skills)
    kind, actor, target = rows[:, KIND], rows[:, ACTOR], rows[:, TARGET]
    doer = np.where(actor >= 0, row_of[np.maximum(actor, 0)], -1)
    used, hit, healed = kind == kinds.Use.KIND, kind == kinds.Hit.KIND, kind == kinds.Heal.KIND
    given, ticked = kind == kinds.Condition.KIND, kind == kinds.ConditionTick.KIND
    at_work = take_or(latest(used), rows[:, B])
    # A condition is identified by its source, its bearer and its kind.
    people = len(row_of) + 1
    bearing = ((actor + 1) * people + target + 1) * len(codes.CONDITIONS) + rows[:, A]
    took = given & (rows[:, D] <= codes.REFRESHED)
    origin = take_or(last_index_by_key(took, np.where(given | ticked, bearing, -1)), at_work)
    cause = np.where(ticked, origin, at_work)
    regained = ticked & (rows[:, A] == codes.REGENERATING)
    suffered = ticked & ~regained
    tally.add("uses", used, doer, at_work)
    tally.add("damage", hit, doer, cause, rows[:, C])
    tally.add("damage", suffered, doer, cause, rows[:, B])
    tally.add("stopped", hit, doer, cause, rows[:, B])
    tally.add("healing", healed, doer, cause, rows[:, C])
    tally.add("healing", regained, doer, cause, rows[:, B])
    shield = last_index_by_key(took & (rows[:, A] == codes.SHIELDED), target)
    tally.add("absorbed", hit & (rows[:, B] > 0), take_or(shield, doer), take_or(shield, at_work), rows[:, B])
    blow = last_index_by_key(hit | suffered, target)
    tally.add("falls", kind == kinds.Fall.KIND, doer, take_or(blow, cause))
    return tally
