"""From events to the story: one sentence an event, from its template, the names in the colours of their sides.

A template has `{column}`, and `{column:card|cards}` for the word that fits the number. Nothing else.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any

from fracas.errors import Problem
from fracas.errors.suggestions import nearest
from fracas.events.styled_text import ASIDE, EMPHASIS, HEADING, PLAIN, SIDE_1, SIDE_2, Line, Span
from fracas.kernel.event_protocol import DETAILS, Event
from fracas.kit.declare.records import Content, Side, Unit
from fracas.kit.derive.bind import BoundEvent
from fracas.kit.derive.compile import NOTHING, shown_titles, unit_titles
from fracas.kit.derive.protocol import ROUND_CAP
from fracas.kit.derive.shape import Shape, file_name, texts_below
from fracas.rulesets.contract.types import Compiled, Document

_FIELD = re.compile(r"\{([^{}]*)\}")
_SIDES = (SIDE_1, SIDE_2)
SummaryHook = Callable[[Sequence[Event], Document], Iterator[list[Span]]]


@dataclass(frozen=True)
class Piece:
    """A piece of a template: a text, or a column, with the words for one and for several."""

    text: str = ""
    column: str = ""
    one: str = ""
    several: str = ""


def pieces_of(story: str) -> tuple[Piece, ...]:
    """A template cut into pieces.

    >>> [piece.column or piece.text for piece in pieces_of("{actor} draws {n:card|cards}")]
    ['actor', ' draws ', 'n']
    """
    made: list[Piece] = []
    end = 0
    for found in _FIELD.finditer(story):
        if found.start() > end:
            made.append(Piece(story[end : found.start()]))
        column, _, words = found[1].partition(":")
        one, _, several = words.partition("|")
        made.append(Piece("", column, one, several))
        end = found.end()
    return tuple([*made, Piece(story[end:])] if end < len(story) else made)


def check_templates(events: Sequence[BoundEvent], where: str) -> Iterator[Problem]:
    """Templates with braces that name no column, or words for something that is no number."""
    for each in events:
        if len(each.columns) < len(each.declared.columns):
            continue  # A column of a type that rows cannot hold is told already.
        names = [column.name for column in each.columns]
        kinds = {column.name: column.kind for column in each.columns}
        path = f"{where}: {each.declared.name}"
        rest = _FIELD.sub("", each.declared.story)
        if "{" in rest or "}" in rest:
            yield Problem(path, "the story has a brace without its other half")
        for piece in pieces_of(each.declared.story):
            if piece.text:
                continue
            if piece.column not in names:
                yield Problem(
                    path, f"the story names {{{piece.column}}}, which is no column", nearest(piece.column, names)
                )
            elif piece.one and kinds[piece.column] is not int:
                yield Problem(path, f"{{{piece.column}:...}} chooses words by a number, and this is none")
            elif piece.one and not piece.several:
                hint = "write {n:card|cards}"
                yield Problem(path, f"{{{piece.column}:{piece.one}}} has only one of two words", hint)


@dataclass(frozen=True)
class Teller:
    """Tells the battles of a game."""

    shape: Shape
    events: Sequence[BoundEvent]
    reasons: Sequence[str]
    end: type[IntEnum]
    summary: SummaryHook | None = None

    @cached_property
    def templates(self) -> Mapping[str, tuple[BoundEvent, tuple[Piece, ...]]]:
        """The pieces of each event's template, by the event's name."""
        return {each.declared.name: (each, pieces_of(each.declared.story)) for each in self.events}

    @cached_property
    def reason_words(self) -> Mapping[str, str]:
        """What an ending is called: the words below it in the enumeration, else its name."""
        texts = texts_below(self.end)
        own = {file_name(member): texts.get(member.name, file_name(member).replace("_", " ")) for member in self.end}
        return {ROUND_CAP: "out of rounds", **own}

    def narrate(self, events: Sequence[Event], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        """The lines of a battle at a detail; the summary comes last."""
        told = DETAILS[: DETAILS.index(detail) + 1]
        sides = [str(side["name"]) for side in document["sides"]]
        names = self._names(compiled, document)
        newcomers = self._newcomers(compiled, document)
        lines: list[Line] = []
        headed = 0
        for index, event in enumerate(events):
            self._call(event, newcomers, names)
            if event.DETAIL not in told:
                continue
            spans = list(self._spans(event, sides, names))
            if not spans:
                continue
            if event.tick > headed and event.NAME != "outcome":
                headed = event.tick
                lines.append(Line(event.tick, ((f"Round {event.tick}", HEADING),), index))
            lines.append(Line(event.tick, tuple(spans), index))
        if events and events[-1].NAME == "outcome":
            written = (
                self._summary(events, compiled, document, names)
                if self.summary is None
                else self.summary(events, document)
            )
            lines += [Line(events[-1].tick, tuple(spans), len(events) - 1) for spans in written]
        return lines

    def called(self, events: Sequence[Event], compiled: Compiled, document: Document) -> Iterator[tuple[int, int, str]]:
        """What the story calls each newcomer from an event on: the event's number, the unit's place, and the name."""
        names, newcomers = self._names(compiled, document), self._newcomers(compiled, document)
        places = {unit: place for place, unit in enumerate(compiled.books["unit"])}
        for index, event in enumerate(events):
            known = dict(newcomers)
            self._call(event, newcomers, names)
            yield from (
                (index, places[unit], names[unit][0]) for unit, kind in newcomers.items() if known[unit] != kind
            )

    def _names(self, compiled: Compiled, document: Document) -> dict[str, Span]:
        """What people call units, by their names in rows, with the colours of their sides."""
        found: dict[str, Span] = {}
        titles = unit_titles(self.shape, document)
        for number, names in enumerate(titles):
            shown = shown_titles(names, self.shape.capacity)
            for index, name in enumerate(shown):
                found[compiled.books["unit"][number * self.shape.capacity + index]] = (name, _SIDES[number])
        return found

    def _newcomers(self, compiled: Compiled, document: Document) -> dict[str, str]:
        """The places that files did not fill, as rows call them, with what stands there: nothing yet."""
        capacity = self.shape.capacity
        return {
            compiled.books["unit"][number * capacity + index]: NOTHING
            for number, names in enumerate(unit_titles(self.shape, document))
            for index in range(len(names), capacity)
        }

    def _call(self, event: Event, newcomers: dict[str, str], names: dict[str, Span]) -> None:
        """Call a newcomer by the content that a row about it names; `data/web/interpreter.js` does the same."""
        bound = self.templates.get(event.NAME)
        if bound is None or not bound[0].calls:
            return
        who, kind = getattr(event, bound[0].owner), str(getattr(event, bound[0].calls))
        if newcomers.get(who, kind) == kind or kind == NOTHING:
            return
        newcomers[who] = kind
        colour = names[who][1]
        others = {name for row, (name, side) in names.items() if side == colour and row != who}
        name = next(each for each in _numbered(kind) if each not in others)
        names[who] = (name, colour)

    @cached_property
    def cells(self) -> frozenset[str]:
        """The names of the State fields that are cells of the board."""
        return frozenset(each.name for plan in self.shape.plans.values() for each in plan.states if each.spec.board)

    def _cell(self, number: int) -> str:
        """A cell as files write it."""
        assert self.shape.board is not None
        wide = self.shape.board.spec.width
        return "nowhere" if number < 0 else f"[{number % wide}, {number // wide}]"

    def _spans(self, event: Event, sides: Sequence[str], names: Mapping[str, Span]) -> Iterator[Span]:
        match event.NAME:
            case "start":
                yield f"{sides[0]} against {sides[1]}", HEADING
            case "outcome":
                winner, reason = int(event.winner), str(event.reason)  # type: ignore[attr-defined]
                who = f"{sides[winner - 1]} wins" if winner else "A draw"
                words = self.reason_words.get(reason, reason.replace("_", " "))
                yield f"{who} in round {event.tick}: {words}.", EMPHASIS
            case "sets" | "side_sets" | "battle_sets":
                yield from self._change(event, sides, names)
            case _:
                bound, pieces = self.templates[event.NAME]
                kinds = {column.name: column.kind for column in bound.columns}
                if pieces:
                    yield "  ", PLAIN
                for piece in pieces:
                    yield self._piece(event, piece, kinds, sides, names)

    def _piece(
        self, event: Event, piece: Piece, kinds: Mapping[str, type], sides: Sequence[str], names: Mapping[str, Span]
    ) -> Span:
        if piece.text:
            return piece.text, PLAIN
        value = getattr(event, piece.column)
        kind = kinds[piece.column]
        if issubclass(kind, Unit):
            return names.get(value, (str(value), PLAIN))
        if issubclass(kind, Side):
            return sides[int(value) - 1], _SIDES[int(value) - 1]
        if piece.column in self.cells and kind is int:
            return self._cell(int(value)), PLAIN
        if piece.one:
            return f"{value} {piece.one if value == 1 else piece.several}", PLAIN
        if issubclass(kind, Content):
            return str(value), EMPHASIS
        return (str(value).replace("_", " ") if isinstance(value, str) else _number(value)), PLAIN

    def _change(self, event: Event, sides: Sequence[str], names: Mapping[str, Span]) -> Iterator[Span]:
        """A change that no sentence has told."""
        yield "      ", ASIDE
        if event.NAME == "sets":
            yield names.get(event.target, (str(event.target), PLAIN))  # type: ignore[attr-defined]
            yield ": ", ASIDE
        elif event.NAME == "side_sets":
            number = int(event.target) - 1  # type: ignore[attr-defined]
            yield sides[number], _SIDES[number]
            yield ": ", ASIDE
        field, value = str(event.field), event.value  # type: ignore[attr-defined]
        yield f"{field.replace('_', ' ')} is {self._cell(int(value)) if field in self.cells else value}", ASIDE

    def vital_values(self, events: Sequence[Event]) -> dict[str, int]:
        """The last told value of every bar, by the name of its unit or side in rows."""
        plan = self.shape.unit if self.shape.units is not None else self.shape.side
        vital = self.shape.vital(plan)
        last: dict[str, int] = {}
        for event in events if vital is not None else ():
            assert vital is not None
            if event.NAME in ("sets", "side_sets") and event.field == vital.name:  # type: ignore[attr-defined]
                last[event.target] = event.value  # type: ignore[attr-defined]
            bound = self.templates.get(event.NAME)
            for column in bound[0].values if bound is not None else ():
                if column.tells is plan and column.name == vital.name:
                    last[getattr(event, bound[0].owner)] = getattr(event, column.name)  # type: ignore[index]
        return last

    def _summary(
        self, events: Sequence[Event], compiled: Compiled, document: Document, names: Mapping[str, Span]
    ) -> Iterator[list[Span]]:
        """A line for each side: who is left of its units, or what is left of its bar."""
        last = self.vital_values(events)
        if not last:
            return
        yield []
        vital = self.shape.vital(self.shape.unit if self.shape.units is not None else self.shape.side)
        assert vital is not None
        word = vital.name.replace("_", " ")
        for number, side in enumerate(document["sides"]):
            head = (f"  {side['name']}", _SIDES[number])
            if self.shape.units is None:
                left = last.get(str(number + 1))
                yield [head, (": unhurt" if left is None else f": {left} {word} left", PLAIN)]
                continue
            first = number * self.shape.capacity
            rows = compiled.books["unit"][first : first + len(side[self.shape.units.name])]
            standing = [row for row in rows if last.get(row, 1) > 0]
            told = ", ".join(names[row][0] + (f" ({last[row]} {word})" if row in last else "") for row in standing)
            yield [head, (f": {len(standing)} of {len(rows)} left" + (f": {told}" if told else ""), PLAIN)]


def _numbered(name: str) -> Iterator[str]:
    """A name, then the same with numbers from 2 on."""
    yield name
    yield from (f"{name} {number}" for number in itertools.count(2))


def _number(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
