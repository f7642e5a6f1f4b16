"""Plays a campaign: attacks in order, each on the world that the one before left. stacks/README.md, "Campaign"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from fracas.content.validate import validate
from fracas.events.styled_text import ASIDE, EMPHASIS, HEADING, PLAIN, Line, Span, bar
from fracas.kernel.event_log import COLUMNS, NOBODY
from fracas.rulesets.contract.types import Campaign, CommitResult, Compiled, Document, Rows, SkippedBattle
from fracas.rulesets.stacks.campaign.commit import commit, tuples_of, world_of
from fracas.rulesets.stacks.content.engagement import AttackRefused, encounter
from fracas.rulesets.stacks.content.map_grid import key_of
from fracas.rulesets.stacks.content.models import Resolved
from fracas.rulesets.stacks.content.scenario_resolver import resolve_campaign as resolve_campaign
from fracas.rulesets.stacks.content.scenario_resolver import resolve_world as resolve_world
from fracas.rulesets.stacks.content.world_writer import world_text
from fracas.rulesets.stacks.narration.story import in_short, tell_of_campaign
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.events import PROTOCOL, Commit, Skipped

BAR_WIDTH = 8


def start(document: Document, world: Document | None = None) -> StacksCampaign:
    """A resolved campaign before its first battle, on its own world or another."""
    return StacksCampaign(document, world)


class StacksCampaign(Campaign):
    """The attacks of a resolved campaign, or the one of a resolved battle."""

    def __init__(self, document: Document, world: Document | None) -> None:
        attacks = document.get("attacks")
        numbered = [{**attack, "number": number} for number, attack in enumerate(attacks or [])]
        self.left: list[Document] = numbered if attacks is not None else [document["attack"]]
        heads = ("ruleset", "id", "seed", "profile", "options", "policies")
        self.head = {key: document[key] for key in heads if key in document}
        self.now = world if world is not None else world_of(document)
        self.fought: Document = {}

    def next_battle(self) -> Document | SkippedBattle | None:
        """The next attack on the current world, or why it is skipped; None after the last."""
        if not self.left:
            return None
        attack = self.left.pop(0)
        self.fought = {**self.head, **self.now, "attack": attack}
        resolved = validate(Resolved, self.fought, "campaign")
        try:
            encounter(resolved, attack["stack"], attack["tile"], resolved.options.sides)
        except AttackRefused as obstacle:
            tick = attack["number"] * codes.TICKS_PER_ATTACK
            rows = _row(tick, Skipped.KIND, attack["number"], obstacle.code)
            return SkippedBattle(attack["number"], rows, (Line(tick, tuple(self._lines_of(rows)[0])),))
        return self.fought

    def apply_result(self, rows: Rows, compiled: Compiled) -> CommitResult:
        """Commit the result of the last attack, from its tuples alone.

        Raises:
            InputError: the result is not this world's.
        """
        return self.commit(self.fought, rows, compiled, "world")

    def commit(self, document: Document, rows: Rows, compiled: Compiled, where: str) -> CommitResult:
        """Commit the result of an attack, from its tuples alone.

        Raises:
            InputError: it is a different world, has changed since, or already contains this result.
        """
        self.fought = document
        tuples = tuples_of(rows.tolist(), compiled.books)
        result = commit(document, compiled, tuples, self.now, where)
        self.now = result.world
        tick, number = int(rows[-1][0]), document["attack"]["number"]
        row = _row(tick, Commit.KIND, number, result.removed, int(result.advanced), result.revision)
        events = PROTOCOL.decode(rows, compiled.books)
        summary = tuple(Line(tick, tuple(spans)) for spans in in_short(events, document))
        told = tuple(Line(tick, tuple(spans)) for spans in self._lines_of(row))
        return CommitResult(row, summary, told, tuple(tuple(made) for made in tuples))

    def world(self) -> Document:
        """The current world."""
        return self.now

    def world_text(self) -> str:
        """The world as the text of a TOML file."""
        return world_text(self.now)

    def world_lines(self) -> list[Line]:
        """The current stacks with their tiles and the health left."""
        return [Line(0, tuple(spans)) for spans in self._world_lines()]

    def _lines_of(self, rows: Rows) -> list[list[Span]]:
        books = {"obstacle": codes.OBSTACLES}
        lines = []
        for event in PROTOCOL.decode(rows, books):
            spans = tell_of_campaign(event)
            if isinstance(event, Skipped):
                spans = [(f"{self._asked()}. ", PLAIN), *spans]
            lines.append(spans)
        return lines

    def _asked(self) -> str:
        """The current attack in words: stack and tile by their names, if they have any."""
        attack = self.fought["attack"]
        names = {stack["id"]: stack["name"] for stack in self.now["stacks"]}
        key = key_of(attack["tile"])
        tile = " ".join((key, *filter(None, [self.now["tiles"].get(key, {}).get("name")])))
        return f"{names.get(attack['stack'], attack['stack'])} against {tile}"

    def _world_lines(self) -> Iterator[list[Span]]:
        yield [(f"The world at revision {self.now['revision']}", HEADING)]
        stacks: Sequence[Any] = self.now["stacks"]
        if not stacks:
            yield [("  No stack is left.", EMPHASIS)]
            return
        owners = {name: faction["name"] for name, faction in self.now["factions"].items()}
        width = max(len(stack["name"]) for stack in stacks)
        reach = max(len(name) for name in owners.values())
        for stack in stacks:
            full = sum(unit["health"] for unit in stack["units"])
            left = sum(unit.get("current", unit["health"]) for unit in stack["units"])
            count = f"{len(stack['units'])} unit{'' if len(stack['units']) == 1 else 's'}"
            where = f"{key_of(stack['at']):>7}  {count:8}"
            yield [
                (f"  {stack['name']:{width}}  ", EMPHASIS),
                (f"{owners[stack['owner']]:{reach}} {where}", PLAIN),
                (f" {bar(left, full, BAR_WIDTH)} {left}/{full}", ASIDE),
            ]


def _row(tick: int, kind: int, *values: int) -> Rows:
    """One event row without actor and target, as rows are."""
    row = [tick, kind, NOBODY, NOBODY, *values]
    return np.array([row + [0] * (len(COLUMNS) - len(row))], np.int32)
