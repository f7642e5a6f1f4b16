"""Statistics over many delve battles: endings, wipes, survivors, loot, damage by skill, use of queue slots."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from fracas.rulesets.contract.measures import Measure, MeasureKind, Part, Share, Spread, Statistic, Sums
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.delve.content.fights import numbered_skills
from fracas.rulesets.delve.narration.labels import Books, Participants
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.shared.endings import endings

QUANTILES = (5, 25, 50, 75, 95)
OF_A_RUN = (
    Measure("encounters_passed", "encounters_passed", MeasureKind.SPREAD),
    Measure("wipe_encounter", "wipe_encounter", MeasureKind.SPREAD),
    Measure("wiped_by", "wiped_by", MeasureKind.SPREAD),
    Measure("xp", "xp", MeasureKind.SPREAD),
    Measure("gold", "gold", MeasureKind.SPREAD),
    Measure("items", "items", MeasureKind.TOTAL, labels=codes.RARITIES),
)


def measures(document: Document) -> tuple[Measure, ...]:
    """The measures to sum over battles; more for a run than for a lone encounter."""
    members = tuple(member["id"] for member in document["party"])
    party_skills = {slot["skill"] for member in document["party"] for slot in member["queue"]}
    skills = tuple(numbered_skills(document["skills"], party_skills)[: min(codes.RESULT_SKILLS, len(party_skills))])
    slots = tuple(f"{member}.{place}" for member, place, _ in party_slots(document))
    return (
        Measure("survivors", "units_left", MeasureKind.SPREAD, entry=codes.PARTY),
        Measure("alive", "member_hp", MeasureKind.ABOVE_ZERO, labels=members),
        Measure("skill_damage", "skill_damage", MeasureKind.TOTAL, labels=skills),
        Measure("slot_uses", "slot_uses", MeasureKind.TOTAL, labels=slots),
        *(OF_A_RUN if document.get("quest") else ()),
    )


def party_slots(document: Document) -> list[tuple[str, int, Document]]:
    """The slots of the party's queues that results count: member, place and slot."""
    slots = [(m["id"], index, slot) for m in document["party"] for index, slot in enumerate(m["queue"])]
    return slots[: codes.RESULT_SLOTS]


def statistics(compiled: Compiled, document: Document, sums: Sums) -> tuple[Statistic, ...]:
    """The statistics tables of a run or a lone encounter."""
    books = compiled.books
    participants = Participants(books, document)
    of_a_run = document.get("quest") is not None
    tables: list[Statistic] = [endings(sums, "How it ended")]
    if of_a_run:
        tables += [wipes(participants, sums), last_blows(participants, books, sums)]
    tables += [survivors(sums, len(document["party"])), alive(document, sums)]
    if of_a_run:
        tables += [distributions(sums), rarities(sums)]
    return (*tables, skill_damage(participants, sums), slot_uses(participants, document, sums))


def wipes(participants: Participants, sums: Sums) -> Statistic:
    """A table of the encounters in which the party fell; shares are of all runs."""
    counts = sums.spread("wipe_encounter").counts
    rows = tuple(
        (
            number,
            str(encounter.get("name") or encounter["type"]),
            encounter["type"],
            Share(counts[number], sums.battles),
        )
        for number, encounter in enumerate(participants.encounters)
        if counts.get(number)
    )
    columns = ("encounter", "name", "type", "runs")
    return Statistic("wipes", "Where the party falls", columns, rows)


def last_blows(participants: Participants, books: Books, sums: Sums) -> Statistic:
    """A table of the creatures that felled the last member; shares are of all wipes."""
    counts = sums.spread("wiped_by").counts
    fallen = sum(count for number, count in sums.spread("wipe_encounter").counts.items() if number >= 0)
    killers: dict[tuple[Any, str], int] = {}
    for number, count in counts.items():
        if number >= 0:
            name = books["unit"][number]
            encounter = next((index for index, foes in enumerate(participants.foes) if name in foes), None)
            key = (encounter, kind_of(participants.of(name).data))
            killers[key] = killers.get(key, 0) + count
    known = sum(killers.values())
    ordered = sorted(killers.items(), key=lambda entry: (-entry[1], str(entry[0])))
    rows = [(encounter, name, Share(count, fallen)) for (encounter, name), count in ordered]
    rows += [(None, "no creature", Share(fallen - known, fallen))] if fallen > known else []
    return Statistic("last_blows", "Who fells the last of the party", ("encounter", "creature", "wipes"), tuple(rows))


def kind_of(data: Document) -> str:
    """A creature's name without the number that distinguishes it from others of its kind."""
    number = re.search(r"-\d+$", str(data["id"]))
    return str(data["name"]).removesuffix(number[0]) if number else str(data["name"])


def survivors(sums: Sums, members: int) -> Statistic:
    """A table of the number of living members at the end."""
    counts = sums.spread("survivors").counts
    rows = tuple((number, Share(counts.get(number, 0), sums.battles)) for number in range(members, -1, -1))
    return Statistic("survivors", "Members alive at the end", ("members", "battles"), rows)


def alive(document: Document, sums: Sums) -> Statistic:
    """A table of how often each member survives."""
    names = {member["id"]: member["name"] for member in document["party"]}
    rows = tuple((member, names[member], Share(count, sums.battles)) for member, count in sums.labelled("alive"))
    return Statistic("alive", "Who lives at the end", ("_id", "member", "battles"), rows)


def distributions(sums: Sums) -> Statistic:
    """The XP, gold and encounters passed: mean and quantiles; JSON also has the count of each value."""
    names = ("encounters_passed", "xp", "gold")
    rows = tuple((name.replace("_", " "), *_spread_cells(sums.spread(name))) for name in names)
    columns = ("what", "mean", "least", *(f"p{per_cent}" for per_cent in QUANTILES), "most", "_counts")
    return Statistic("distributions", "What comes home (p95: what 95% of the runs do not exceed)", columns, rows)


def _spread_cells(spread: Spread) -> Iterator[Any]:
    yield spread.mean
    yield spread.least
    yield from (spread.quantile(per_cent) for per_cent in QUANTILES)
    yield spread.most
    yield [[value, count] for value, count in sorted(spread.counts.items())]


def rarities(sums: Sums) -> Statistic:
    """A table of the items brought home, by rarity."""
    counts = sums.labelled("items")
    found = sum(count for _, count in counts)
    rows = tuple(
        (rarity.replace("_", " "), count / sums.battles if sums.battles else 0.0, Share(count, found))
        for rarity, count in counts
    )
    return Statistic("rarities", "Items that come home", ("rarity", "per run", "items"), rows)


def skill_damage(participants: Participants, sums: Sums) -> Statistic:
    """A table of the damage by each of the party's skills, condition ticks included, in HP."""
    counts = [(skill, count) for skill, count in sums.labelled("skill_damage") if count]
    whole = sum(count for _, count in counts)
    ordered = sorted(counts, key=lambda entry: -entry[1])
    rows = tuple(
        (
            skill,
            participants.skill_name(skill),
            count / sums.battles if sums.battles else 0.0,
            Part(count, whole),
            count,
        )
        for skill, count in ordered
    )
    columns = ("_id", "skill", "HP per battle", "of all", "_total")
    return Statistic("skill_damage", "Damage by skill", columns, rows)


def slot_uses(participants: Participants, document: Document, sums: Sums) -> Statistic:
    """A table of how often each slot of the party's queues was used."""
    counts = [count for _, count in sums.labelled("slot_uses")]
    slots = party_slots(document)
    acted: dict[str, int] = {}
    for (member, _, _), count in zip(slots, counts, strict=True):
        acted[member] = acted.get(member, 0) + count
    titles = dict(zip((m["id"] for m in document["party"]), (m.title for m in participants.members()), strict=True))
    unit = {name.removeprefix("1."): name for name in participants.names[: codes.SIDE_SLOTS] if name}
    rows = tuple(
        (
            member,
            titles[member],
            place,
            *participants.slot(unit[member], place),
            count / sums.battles if sums.battles else 0.0,
            Part(count, acted[member]),
            count,
        )
        for (member, place, _), count in zip(slots, counts, strict=True)
    )
    columns = ("_id", "member", "slot", "skill", "when", "uses per battle", "of its uses", "_total")
    return Statistic("slot_uses", "Use of the queues", columns, rows)
