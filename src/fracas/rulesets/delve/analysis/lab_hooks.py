"""What delve answers to the lab."""

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
    AnalysisHooks,
    Contribution,
    DecisionPoint,
    Dimension,
    SideRef,
    Stat,
    Vitals,
)
from fracas.rulesets.contract.types import Compiled, Document, Rows
from fracas.rulesets.delve import events as kinds
from fracas.rulesets.delve.analysis.decision_points import decision_points
from fracas.rulesets.delve.analysis.search_space import PARTY, QUEUES, knobs_of, turned_in_order
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
from fracas.rulesets.delve.analysis.statuses import STATUSES
from fracas.rulesets.delve.content.fights import fights
from fracas.rulesets.delve.content.library import library_for
from fracas.rulesets.delve.content.models.characters import Attributes, Resource, Trainings
from fracas.rulesets.delve.content.models.scenario import QueueFile, Resolved, ResolvedMember
from fracas.rulesets.delve.content.models.skills import Queue, Range, ResourceKind, Skill
from fracas.rulesets.delve.content.resolver import Resolver
from fracas.rulesets.delve.rules import constants as codes
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

    Side 1 is a party; side 2 are the enemies of a lone fight, or a quest. A party meets the enemies or the quest of
    another file together with their difficulty, under its own file's options. Two parties meet in a lone fight: the
    second are enemies then, whom no difficulty changes. Enemies may sit as side 1 too, unless one of them is a boss
    with phases; a quest may not. A skill of the second that is another one under the same id gets an id of its own.
    """

    parts = (QUEUES, PARTY)

    def matchup(self, first: SideRef, second: SideRef) -> Document:
        self.check_seats(first, second)
        return against(first.document, company_of(first), opposition_of(second))

    def part(self, seat: SideRef, part: str) -> Any:
        """`party`: those who fight on the side, enemies too; `queues`: what each of them does, by id."""
        self.check_seats(seat)
        self.check_file(part)
        company = company_of(seat)
        if part == PARTY:
            return company
        return {"queues": {member["id"]: member["queue"] for member in company["members"]}, **_tables(company)}

    def with_part(self, seat: SideRef, part: str, value: Any) -> Document:
        """As the contract says.

        Queues go to those with the same ids, or as a queue file has one to all of its class. A skill is what it is in
        the document; only one that it lacks is brought along.
        """
        self.check_seats(seat)
        self.check_file(part)
        if part == QUEUES:
            return _with_queues(seat, value)
        validate(DelveSide, value, part)
        company_of(seat)
        if seat.side == 1:
            return against(seat.document, value, opposition_of(SideRef(seat.document, 2)))
        opposition = opponents_of(value, seat.document["difficulty"])
        return against(seat.document, company_of(SideRef(seat.document, 1)), opposition)

    def stats(self, seat: SideRef) -> Sequence[Stat]:
        """The numbers of everybody on a side: of a run's second side the creatures of all fights that there may be."""
        self.check_seats(seat)
        return [
            stat for path in _places(seat) for stat in _stats_of(path, get_path(seat.document, path), seat.document)
        ]

    def search_space(self, seat: SideRef, folders: Sequence[Path] = ()) -> Sequence[Dimension]:
        """Nothing for the second side of a run: its creatures stand in many fights, and nobody decides for them all."""
        self.check_seats(seat)
        if seat.side == 2 and QUEST in seat.document:
            return []
        return list(knobs_of(seat, folders))

    def with_choices(
        self, document: Document, choices: Iterable[tuple[Dimension, int]], folders: Sequence[Path] = ()
    ) -> Document:
        """As the contract says. What is said of the queue of somebody who is replaced says nothing of the newcomer's.

        Conditions and targets belong to their slots, wherever the order of a queue puts these.
        """
        return turned_in_order(document, list(choices), super().with_choices)

    def vitals(self, compiled: Compiled, document: Document) -> Vitals:
        """The party, and the enemies of all encounters, who get their HP as theirs begins."""
        sides = {number: 1 if number < codes.SIDE_SLOTS else 2 for number in range(len(compiled.books["title"]))}
        told = (kinds.Ready, kinds.Phase, kinds.Hit, kinds.Heal, kinds.ConditionTick, kinds.Harm, kinds.Restore)
        return Vitals(sides, told, statuses=STATUSES)

    def contributions(self, rows: Rows, compiled: Compiled, document: Document) -> Sequence[Contribution]:
        """By skill, amounts in HP besides `uses` and `falls`; enemies of a run that have one name are told as one.

        `damage` is what others lost, by conditions too; `stopped` what their shields took; `healing` what was really
        restored, by Regenerating too; `absorbed` what shields took that this skill gave. Harm outside of fights comes
        from nobody.
        """
        names = [(1 if number < codes.SIDE_SLOTS else 2, name) for number, name in enumerate(compiled.books["title"])]
        told = {key: number for number, key in enumerate(dict.fromkeys(key for key in names if key[1] is not None))}
        skills = list(compiled.books["skill"])
        tally = _tally(rows, np.array([told.get(key, -1) for key in names]), len(skills))
        numbers = {name: number for number, name in enumerate(skills)}
        owned = [
            (told[side, member["name"]], numbers[skill])
            for side in (1, 2)
            for path in _places(SideRef(document, side))
            for member in (get_path(document, path),)
            for skill in used_of(member, document)["skills"]
        ]
        titles = [document["skills"][name]["name"] for name in skills]
        return list(tally.contributions([(number, *key) for key, number in told.items()], titles, owned))

    def decision_points(self, compiled: Compiled, document: Document, stream: int) -> Sequence[DecisionPoint]:
        return decision_points(compiled, document, stream)


def _tables(company: Mapping[str, Any]) -> Document:
    return {key: company[key] for key in TABLES}


def _places(seat: SideRef) -> Iterator[tuple[str, ...]]:
    """The paths of everybody on a side."""
    if seat.side == 1:
        yield from (("party", str(number)) for number in range(len(seat.document["party"])))
        return
    for fight in fights(validate(Resolved, seat.document, str(seat.document["id"]))):
        yield from ((*fight.path.split("."), str(number)) for number in range(len(fight.enemies)))


# Queues.


def _with_queues(seat: SideRef, value: Any) -> Document:
    """A document in which a side does what queues say.

    Raises:
        InputError: they are for somebody else, or nothing that their owners can do.
    """
    members = company_of(seat)["members"]
    given, brought = _queues_for(members, value)
    known: dict[str, Skill] = {**library_for(None, ()).of("skills"), **brought.skills}
    known |= {name: validate(Skill, skill, f"skills.{name}") for name, skill in seat.document["skills"].items()}
    resolver = Resolver(f"{seat.document['id']} with other queues", library_for(None, ()))
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
        "skills": {**{name: to_plain(skill) for name, skill in known.items()}, **seat.document["skills"]},
        "resources": {**{name: to_plain(kind) for name, kind in kinds.items()}, **seat.document["resources"]},
    }
    key = "party" if seat.side == 1 else "enemies"
    document = {**seat.document, key: changed}
    fighters = [document["party"], {each: document[each] for each in ("enemies", QUEST) if each in document}]
    return {**document, **used_of(fighters, tables)}


def _queues_for(members: Sequence[Document], value: Any) -> tuple[Mapping[str, Queue], Queues]:
    """Whose queue is which, by id, and what comes with them.

    Raises:
        InputError: they are nobody's here.
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
        raise InputError.of(QUEUES, f"says nothing of {names}, who are here", "queues go by ids, or by a class")
    return given, brought


# Numbers.


def _stats_of(path: tuple[str, ...], member: Document, document: Document) -> Iterator[Stat]:
    """What designers turn of somebody; trainings count in runs alone, and of a range neither end may pass the other."""
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
    """One number, which stands in the member itself or in the table of it that the path ends with."""
    inner = path[-1] if path[-1] in member else ""
    value = member[inner][name] if inner else member[name]
    return Stat((*path, name), called or name, str(member["name"]), value, *limits)


# Events.


def _tally(rows: Rows, told: Rows, skills: int) -> EventTotals:
    """What the rows say of each participant and skill; `told` has for each participant as whom it is told."""
    tally = EventTotals(len(told), skills)
    kind, actor, target = rows[:, KIND], rows[:, ACTOR], rows[:, TARGET]
    doer = np.where(actor >= 0, told[np.maximum(actor, 0)], -1)
    used, hit, healed = kind == codes.USE_EVENT, kind == codes.HIT_EVENT, kind == codes.HEAL_EVENT
    given, ticked = kind == codes.CONDITION_EVENT, kind == codes.CONDITION_TICK_EVENT
    at_work = take_or(latest(used), rows[:, B])
    # A condition is known by its source, its bearer and its kind.
    people = len(told) + 1
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
    tally.add("falls", kind == codes.FALL_EVENT, doer, take_or(blow, cause))
    return tally
