"""The reference page of a game, as Markdown, from its declarations: classes, fields, choices, events, endings, dice.

All words are the author's: docstrings, and the strings below fields and members. What has none stays empty.
"""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import FunctionType
from typing import Any

from fracas.conditions.markdown import vocabulary_table
from fracas.events.markdown import table
from fracas.kernel.event_protocol import FieldPlan, Protocol
from fracas.kit.declare import dice
from fracas.kit.declare.fields import Role
from fracas.kit.derive.bind import BoundEvent
from fracas.kit.derive.functions import Functions, Part, Play, modules_of
from fracas.kit.derive.minds import MOST_LINES
from fracas.kit.derive.protocol import ROUND_CAP, enum_book
from fracas.kit.derive.record import is_drawn
from fracas.kit.derive.shape import Field, Form, Plan, Shape, file_name, texts_below
from fracas.kit.derive.strategies import Strategies, has_minds

# Who chooses in each shape of play, and which dice the kit opens there.
_PLAY = {
    Play.ROUNDS: (
        "Nobody chooses during a battle.",
        "the set-up and every round",
    ),
    Play.BOTH: (
        "In every round both sides choose at once, and nobody sees the other's choice before.",
        "the set-up and every round",
    ),
    Play.TURNS: (
        "In every round the units act one after the other, in order of their initiative.",
        "the set-up, the beginning, the order and the end of every round, and every unit's turn",
    ),
    Play.ADVANCE: (
        "The rules ask a side to choose whenever it must.",
        "the set-up, every round, and what follows from every choice",
    ),
}
_DICE = {function: function.__name__ for function in (dice.below, dice.d100, dice.chance, dice.open_dice)}
# At the beginning of a line these would begin a heading, a table, a block of code or of HTML, or a rule.
_BLOCK = re.compile(r"^(\s*)(#|\||```|~~~|---|===|\*\*\*|___|<|>)", re.MULTILINE)


@dataclass(frozen=True)
class Reference:
    """Writes the page of a game."""

    name: str
    version: int
    title: str
    doc: str
    file: str
    """The file of the game, for commands; empty for none."""
    shape: Shape
    functions: Functions
    untargeted: frozenset[int]
    events: Mapping[str, BoundEvent]
    """The author's events by name."""
    protocol: Protocol
    endings: Mapping[str, str]
    """The words of every ending, by name."""
    strategies: Strategies

    def page(self) -> str:
        """The page."""
        parts = [f"# {_inline(self.title)}", prose(self.doc), f"Game `{self.name}`, version {self.version}."]
        for heading, section in (
            ("Try it", self._commands()),
            ("Options", self._options()),
            ("A side", self._record(self.shape.side)),
            ("Content", self._content()),
            ("The battle", self._record(self.shape.battle)),
            ("Turns and choices", self._choices()),
            ("Conditions", self._conditions()),
            ("Events", [table(("event", "happens", "columns", "story", "detail"), self._events())]),
            ("Endings", [table(("ending", "means"), self._endings())]),
            ("Refused scenarios", self._refused()),
            ("Words", self._words()),
            ("Dice", self._dice()),
        ):
            found = [each for each in section if each]
            if found:
                parts += [f"## {heading}", *found]
        return "\n\n".join(part for part in parts if part) + "\n"

    def _commands(self) -> Iterator[str]:
        named = f" --game {shlex.quote(self.file)}" if self.file else ""
        yield "\n".join(
            [
                "```sh",
                f"fracas new {self.name}{named} --out first.toml",
                f"fracas run first.toml{named}",
                f"fracas simulate first.toml{named}",
                f"fracas watch first.toml{named}",
                "```",
            ]
        )
        if named:
            yield "Leave `--game` out if the game is installed."

    def _options(self) -> Iterator[str]:
        yield from self._record(self.shape.options)
        yield "A profile is a set of options under a name: content files list them as `profiles`."

    def _content(self) -> Iterator[str]:
        others = (self.shape.options, self.shape.side, self.shape.battle)
        found = [plan for plan in self.shape.plans.values() if plan not in others]
        if any(plan.kind for plan in found):
            yield "Every entry of a content file has an `id`, and may have a `name` and a `note`."
        for plan in found:
            yield f"### {plan.name}"
            where = f"Content files list them as `{plan.kind}`." if plan.kind else "Written in place only."
            yield f"A unit. {where}" if plan.is_unit else where
            yield from self._record(plan)

    def _record(self, plan: Plan) -> Iterator[str]:
        """A class: its words, what files say of it, and what changes."""
        yield prose(plan.doc)
        given = [(f"`{each.name}`", self._is(each), _default(each), _inline(each.doc)) for each in plan.given]
        if given:
            yield table(("in files", "is", "default", "words"), given)
        rest = [each for each in plan.fields if not each.is_in_files and each.role is not Role.OWN]
        if rest:
            rows = [
                (f"`{each.name}`", self._is(each), _start(each), ", ".join(_notes(plan, each)), _inline(each.doc))
                for each in rest
            ]
            yield table(("in a battle", "is", "starts as", "notes", "words"), rows)

    def _is(self, field: Field) -> str:
        """What a field holds."""
        spec = field.spec
        match field.role:
            case Role.COUNT:
                return f"how many entries `{spec.field}` has"
            case Role.REFERENCE:
                return f"the id of an entry of `{spec.field}`"
            case Role.CONDITION:
                return "a condition"
            case Role.STRATEGY:
                return f"up to {MOST_LINES} lines of `when`, `do` and `target`"
            case Role.BOARD:
                cells = f"{spec.width} by {spec.height} {'hexes' if spec.shape == 'hex' else 'squares'}"
                if not spec.letters:
                    return cells
                meant = zip(spec.letters, sorted(field.enum), strict=False)
                return f"{cells}, a letter each: " + ", ".join(f"`{each}` {file_name(word)}" for each, word in meant)
        one = self._one(field)
        if field.is_list:
            if spec.of_sides is not None:
                most = f"{spec.of_sides[0]} (side 1) or {spec.of_sides[1]} (side 2)"
            else:
                most = str(spec.capacity)
            size = f"{spec.least} to {most}" if field.role is Role.LIST else most
            one = f"a list of {size}: {one}"
            one += f"; no two with the same `{spec.distinct}`" if spec.distinct else ""
        return one if spec.only is None else f"{one}; side {spec.only + 1} only"

    def _one(self, field: Field) -> str:
        spec = field.spec
        match field.form:
            case Form.ENUM:
                return f"a word of `{field.enum.__name__}`"
            case Form.FLAG:
                return "true or false"
            case Form.TEXT:
                return "text"
            case Form.RECORD:
                plan = self.shape.of(field.part)
                return (
                    f"an id of `{plan.kind}`, or its fields in place"
                    if plan.kind and field.is_in_files
                    else f"`{plan.name}`"
                )
        if spec.board:
            return f"a cell of `{spec.board}`" + (": `[column, row]`" if field.is_in_files else "")
        return "a number" if field.is_state else f"{spec.low:,} to {spec.high:,}"

    def _choices(self) -> Iterator[str]:
        functions = self.functions
        yield _PLAY[functions.play][0]
        if functions.choices is None:
            return
        yield prose(_doc(functions.choices))
        texts = texts_below(functions.choices)
        parts = ", ".join(map(_part, functions.parts))
        rows = [
            (f"`{file_name(each)}`", "" if int(each) in self.untargeted else parts, _inline(texts.get(each.name, "")))
            for each in functions.choices
        ]
        yield table(("choice", "with", "words"), rows)
        for rule, head in (("legal", "What is open"), ("choose", "What they choose by themselves")):
            words = _doc(functions.rules.get(rule))
            yield f"{head}: {_inline(words)}" if words else ""
        if self.strategies.field is not None:
            yield f"`{self.strategies.field.name}` of a side decides: the first line that holds and has a legal action."
            names = ", ".join(f"`{each}`" for each in self.strategies.selectors)
            yield f"Targets of its lines: {names}." if names else ""

    def _conditions(self) -> Iterator[str]:
        if has_minds(self.shape) or self.functions.facts:
            yield vocabulary_table(self.strategies.facts.vocabulary)

    def _events(self) -> Iterator[tuple[str, str, str, str, str]]:
        for kind, declared in sorted(self.protocol.kinds.items()):
            bound = self.events.get(declared.NAME)
            kinds = {} if bound is None else {each.name: each.kind for each in bound.columns}
            columns = "; ".join(_column(each, kinds.get(each.name, int)) for each in self.protocol.plan(kind))
            if bound is None:
                yield f"`{declared.NAME}`", _inline(declared.__doc__ or ""), columns, "", declared.DETAIL
                continue
            written = bound.declared
            if written.seen_by:
                columns += "; hidden from the other side until the end"
            yield f"`{declared.NAME}`", _inline(_doc(written.function)), columns, _inline(written.story), written.detail

    def _endings(self) -> Iterator[tuple[str, str]]:
        # The kit's own comes last.
        for name in sorted(self.endings, key=lambda each: each == ROUND_CAP):
            yield f"`{name}`", _inline(self.endings[name])

    def _refused(self) -> Iterator[str]:
        rule = self.functions.rules.get("valid")
        if rule is None:
            return
        yield prose(_doc(rule))
        enum = inspect.get_annotations(rule, eval_str=True).get("return")
        if isinstance(enum, type) and issubclass(enum, IntEnum):
            yield from _members(enum, (each for each in enum if int(each)))

    def _words(self) -> Iterator[str]:
        """The enumerations of fields and events, except the choices."""
        columns = [column.kind for each in self.events.values() for column in each.columns]
        found = [
            *self.shape.enums.values(),
            *(each for each in columns if issubclass(each, IntEnum)),
            *([self.functions.triggers] if self.functions.triggers is not None else []),
        ]
        for enum in dict.fromkeys(found):
            yield f"### {enum.__name__}"
            if enum is self.functions.choices:
                yield "See the choices."
                continue
            yield prose(_doc(enum))
            yield from _members(enum, enum)

    def _dice(self) -> Iterator[str]:
        chosen = "" if self.functions.choices is None else " Choosing has its own, too."
        yield f"There are dice of their own for {_PLAY[self.functions.play][1]}.{chosen}"
        rows = [
            (f"`{rule.__name__}`", ", ".join(f"`{each}`" for each in rolls), _inline(_doc(rule)))
            for rule in _own_functions(self.shape)
            if (rolls := _rolls(rule))
        ]
        yield table(("rule", "rolls", "words"), rows) if rows else "No rule rolls."


def prose(words: str) -> str:
    r"""A docstring as paragraphs: nothing in it begins a heading, a table or another block.

    >>> prose("# Coins\nare flat")
    '\\# Coins\nare flat'
    """
    return _BLOCK.sub(r"\1\\\2", inspect.cleandoc(words)) if words else ""


def _inline(words: str) -> str:
    """Words on one line, without HTML; `table` takes care of bars."""
    return re.sub(r"<(?=[A-Za-z/!?])", r"\<", " ".join(words.split()))


def _doc(thing: Any) -> str:
    """The docstring of a class or a function itself; empty for none."""
    words = vars(thing).get("__doc__") if isinstance(thing, type) else getattr(thing, "__doc__", None)
    # Python gives this one to enumerations without words of their own.
    return inspect.cleandoc(words) if words and words != "An enumeration." else ""


def _members(enum: type[IntEnum], members: Iterable[IntEnum]) -> Iterator[str]:
    texts = texts_below(enum)
    yield table(("word", "means"), [(f"`{file_name(each)}`", _inline(texts.get(each.name, ""))) for each in members])


def _default(field: Field) -> str:
    """What a field is if files do not say it."""
    default = field.spec.default
    if field.role is Role.STRATEGY or (field.role is Role.LIST and not field.spec.least):
        return "empty"
    if default is None:
        return "required"
    if isinstance(default, IntEnum):
        return f"`{file_name(default)}`"
    if default == "":
        return "none" if field.role is Role.REFERENCE else "empty"
    return _inline(default) if isinstance(default, str) else f"`{str(default).lower()}`"


def _start(field: Field) -> str:
    """What a field of a battle is at the set-up."""
    if not field.is_state:
        return "as the files say" if field.role is Role.COUNT else ""
    if field.spec.starts:
        return f"`{field.spec.starts}`"
    if field.form is Form.ENUM and not field.is_list:
        names = enum_book(field.enum)
        return f"`{names[0]}`" if names[0] else "0"
    return "false" if field.form is Form.FLAG and not field.is_list else "0"


def _notes(plan: Plan, field: Field) -> Iterator[str]:
    """What else is declared of a field of a battle."""
    spec = field.spec
    if spec.of:
        yield f"part of `{spec.of}`"
    if spec.turns:
        yield f"turns the token of `{spec.turns}`"
    if spec.is_chosen:
        yield "hidden until both have chosen"
    elif spec.is_hidden:
        yield "only its own side sees it"
    if is_drawn(plan, field):
        yield "pages show it"
    if spec.in_result:
        yield "results keep it"


def _part(part: Part) -> str:
    """One part of an action."""
    if part.is_unit:
        return f"`{part.name}`: a unit"
    if part.enum is not None:
        return f"`{part.name}`: " + ", ".join(f"`{file_name(each)}`" for each in part.enum)
    return f"`{part.name}`: 0 to {part.size - 1}"


def _column(plan: FieldPlan, kind: type) -> str:
    """A column of an event; `kind` is the class that its author wrote."""
    if issubclass(kind, IntEnum):
        held = f"a word of `{kind.__name__}`"
    elif plan.book is not None:
        held = {"unit": "a unit", "side": "a side", "entry": f"`{kind.__name__}`"}.get(plan.book, "a word")
    else:
        held = "true or false" if plan.is_flag else "a number"
    told = f", {plan.doc}" if plan.doc and plan.doc != plan.name.replace("_", " ") else ""
    return f"`{plan.name}`: {held}{told}"


def _own_functions(shape: Shape) -> list[FunctionType]:
    """The functions that the game's own files define, in their order."""
    return [
        value
        for module in modules_of(shape.module)
        for value in vars(module).values()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    ]


def _rolls(rule: FunctionType) -> list[str]:
    """The dice that a function rolls itself."""
    read = (rule.__globals__.get(name) for name in rule.__code__.co_names)
    return list(dict.fromkeys(_DICE[each] for each in read if isinstance(each, FunctionType) and each in _DICE))
