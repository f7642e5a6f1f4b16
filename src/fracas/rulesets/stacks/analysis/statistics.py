"""Statistics over many battles of an attack: endings, losses of stacks and units, survivors."""

from __future__ import annotations

from fracas.rulesets.contract.measures import Measure, MeasureKind, Share, Statistic, Sums
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.shared.endings import endings
from fracas.rulesets.stacks.narration.labels import Participants
from fracas.rulesets.stacks.rules.constants import ATTACKERS, DEFENDERS, SIDES

SIDE_WORDS = ("attackers", "defenders")


def measures(document: Document) -> tuple[Measure, ...]:
    """The measures to sum over battles: who lives, with how much health, and how many of each side."""
    names = tuple(Participants(document).members)
    return (
        Measure("alive", "health", MeasureKind.ABOVE_ZERO, labels=names),
        Measure("health", "health", MeasureKind.TOTAL, labels=names),
        *(Measure(f"{SIDE_WORDS[side]}_left", "units_left", MeasureKind.SPREAD, entry=side) for side in range(SIDES)),
    )


def statistics(compiled: Compiled, document: Document, sums: Sums) -> tuple[Statistic, ...]:
    """The statistics tables of an attack."""
    participants = Participants(document)
    return (
        endings(sums),
        stacks(participants, sums),
        units(participants, sums),
        *(survivors(participants, sums, side) for side in range(SIDES)),
    )


def stacks(participants: Participants, sums: Sums) -> Statistic:
    """A table of each stack's average losses."""
    alive, left = dict(sums.labelled("alive")), dict(sums.labelled("health"))
    rows = []
    for standing in participants.drawn.standings:
        own = participants.of_stack(standing)
        if own:
            fell = sum(sums.battles - alive[name] for name in own) / sums.battles
            lost = sum(participants.members[name].health * sums.battles - left[name] for name in own) / sums.battles
            at_start = sum(participants.members[name].health for name in own)
            side = SIDE_WORDS[participants.members[own[0]].side]
            rows.append((standing.stack.name, standing.stack.id, side, len(own), fell, at_start, lost))
    columns = ("stack", "_id", "side", "units", "units lost", "health", "health lost")
    return Statistic("stacks", "What each stack loses on average", columns, tuple(rows))


def units(participants: Participants, sums: Sums) -> Statistic:
    """A table of how often each unit falls, and its average health left."""
    alive, left = dict(sums.labelled("alive")), dict(sums.labelled("health"))
    rows = tuple(
        (
            member.title,
            name,
            member.health,
            (member.health * sums.battles - left[name]) / sums.battles,
            Share(sums.battles - alive[name], sums.battles),
        )
        for name, member in participants.members.items()
    )
    return Statistic(
        "units", "What each unit loses on average", ("unit", "_id", "health", "health lost", "falls"), rows
    )


def survivors(participants: Participants, sums: Sums, side: int) -> Statistic:
    """A table of the number of units of a side alive at the end."""
    assert side in (ATTACKERS, DEFENDERS)
    counts = sums.spread(f"{SIDE_WORDS[side]}_left").counts
    most = sum(member.side == side for member in participants.members.values())
    rows = tuple((number, Share(counts.get(number, 0), sums.battles)) for number in range(most, -1, -1))
    title = f"{SIDE_WORDS[side].title()} alive at the end"
    return Statistic(f"{SIDE_WORDS[side]}_left", title, ("units", "battles"), rows)
