"""What pages draw of a game: bars, badges, cells and sentences, as data that a page's generic script reads.

A page calls the first bar `hp` and its whole `max`, as those of shipped rulesets are called; every other drawn State
has a dot before its name. Nothing here changes a battle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.kit.declare.fields import Role
from fracas.kit.derive.bind import BoundEvent
from fracas.kit.derive.compile import shown_titles, unit_titles
from fracas.kit.derive.functions import Functions
from fracas.kit.derive.record import drawn
from fracas.kit.derive.shape import Field, Form, Plan, Shape, field_at, file_name, texts_below
from fracas.rulesets.contract.types import Document

Description = dict[str, Any]
OPTIONS = "options."
# The mark of a place that files leave empty.
NEWCOMER = "newcomer"


def stage_of(
    shape: Shape, functions: Functions, events: Sequence[BoundEvent], reasons: Sequence[str], words: Mapping[str, str]
) -> Description:
    """Describe the stage: JSON, with names and paths of the record's layout.

    `reasons` are the endings by number, `words` what people call them.
    """
    cast = shape.unit if shape.units is not None else shape.side
    vital = shape.vital(cast)
    plans = {"unit": cast if shape.units is not None else None, "side": shape.side, "battle": shape.battle}
    return {
        "cast": "unit" if shape.units is not None else "side",
        "units": None if shape.units is None else {"list": shape.units.name, "capacity": shape.capacity},
        "content": "" if shape.content_of_units is None else shape.content_of_units.name,
        "strategy": next((each.name for each in shape.side.fields if each.role is Role.STRATEGY), ""),
        "vital": "" if vital is None else vital.name.replace("_", " "),
        "falls": vital is not None and not functions.has("present"),
        "fields": {
            owner: [] if plan is None else [_field(shape, plan, each) for each in drawn(plan)]
            for owner, plan in plans.items()
        },
        "board": _board(shape),
        "events": {each.declared.name: _event(shape, each) for each in events},
        "reasons": [words.get(name, name.replace("_", " ")) for name in reasons],
        "changes": {
            "cast": list(_changes(shape, cast)),
            "side": [] if shape.units is None else list(_changes(shape, shape.side)),
            "options": list(_changes(shape, shape.options)),
            "kept": [each.name for each in cast.given if each.spec.board],
        },
    }


def gauge_of(shape: Shape, plan: Plan, field: Field) -> str:
    """What a page calls a drawn State field."""
    vital = shape.vital(plan)
    if vital is not None and field is vital:
        return "hp"
    return "max" if vital is not None and vital.spec.of == field.name else f".{field.name}"


def _field(shape: Shape, plan: Plan, field: Field) -> Description:
    gauge, whole = gauge_of(shape, plan, field), ""
    if field.spec.of:
        other = field_at(shape, plan, field.spec.of)
        is_told = other is not None and other.is_state and "." not in field.spec.of
        whole = (
            gauge_of(shape, plan, other) if is_told and other is not None else "max" if gauge == "hp" else f"{gauge} of"
        )
    spec = field.spec
    role = (
        "bar"
        if spec.of
        else "cell"
        if spec.board
        else "facing"
        if spec.turns
        else "badge"
        if spec.is_shown
        else "whole"
    )
    return {
        "name": field.name,
        "role": role,
        "gauge": gauge,
        "whole": whole,
        "start": _start(plan, spec.starts),
        "whole_start": _start(plan, spec.of),
        "book": [file_name(each).replace("_", " ") for each in _by_number(field)] if field.form is Form.ENUM else None,
        "flag": field.form is Form.FLAG,
        "ways": len(field.enum) if spec.turns and field.form is Form.ENUM else 0,
    }


def _by_number(field: Field) -> Iterator[Any]:
    members = {int(each): each for each in field.enum}
    for number in range(1 + max(members)):
        yield members.get(number, next(iter(field.enum)))


def _start(plan: Plan, path: str) -> str:
    """The way to the given number with which a path's value starts; empty where it starts with 0."""
    head, _, rest = path.partition(".")
    field = plan.by_name.get(head)
    if not path or field is None or not field.is_state:
        return path
    if not field.spec.starts:
        return ""
    return _start(plan, f"{field.spec.starts}.{rest}" if rest else field.spec.starts)


def _board(shape: Shape) -> Description | None:
    """The grid, with what its letters mean."""
    if shape.board is None:
        return None
    field, spec = shape.board, shape.board.spec
    texts = texts_below(field.enum) if field.form is Form.ENUM else {}
    kinds = [
        {"letter": letter, "name": file_name(member).replace("_", " "), "about": texts.get(member.name, "")}
        for letter, member in zip(spec.letters, field.enum if spec.letters else (), strict=False)
    ]
    where = OPTIONS if field in shape.options.fields else ""
    grid = {"width": spec.width, "height": spec.height, "shape": spec.shape}
    return {"path": where + field.name, **grid, "letters": kinds}


def _event(shape: Shape, bound: BoundEvent) -> Description:
    """An event's sentence, and which columns tell the new value of what is drawn."""
    told = {}
    for column in bound.values:
        plan = column.tells
        if plan is not None and plan.by_name[column.name] in drawn(plan):
            told[column.name] = gauge_of(shape, plan, plan.by_name[column.name])
    about = {name: "unit" if column.kind is not shape.side.cls else "side" for name, column in bound.who.items()}
    event = {"story": bound.declared.story, "owner": bound.owner, "who": about, "tells": told}
    return {**event, "calls": bound.calls} if bound.calls else event


def _changes(shape: Shape, plan: Plan, before: str = "") -> Iterator[Description]:
    """The given numbers and words of a record and of its content: what each is called, its path, what it may be."""
    for each in plan.given:
        if each.is_list or each.role is not Role.GIVEN or each.spec.board or each.spec.only is not None:
            continue
        path = before + each.name
        if each.form is Form.RECORD:
            yield from _changes(shape, shape.of(each.part), f"{path}.")
            continue
        told = {"name": path.replace("_", " ").replace(".", " "), "path": path}
        if each.form is Form.NUMBER:
            yield {**told, "least": each.spec.low, "most": each.spec.high}
        elif each.form is Form.FLAG:
            yield {**told, "words": ["no", "yes"], "values": [0, 1]}
        elif each.form is Form.ENUM:
            members = list(each.enum)
            names = [file_name(member).replace("_", " ") for member in members]
            yield {**told, "words": names, "values": [int(member) for member in members]}


def cast_of(stage: Description, shape: Shape, document: Document, record: Any) -> Description:
    """What a page shows before the first event, by the description of the stage; the page derives the same."""
    names = [str(side["name"]) for side in document["sides"]]
    units = []
    for number, side in enumerate(document["sides"]):
        row = record["sides"][number]
        if shape.units is None:
            units.append(_member(stage, (number, number + 1), names[number], names[number], row, record, False))
            continue
        titles = unit_titles(shape, document)[number]
        for index, title in enumerate(shown_titles(titles, shape.capacity)):
            unit = row[shape.units.name][index]
            spare = index >= len(side.get(shape.units.name, ()))
            mark = NEWCOMER if spare else titles[index]
            units.append(
                _member(stage, (number * shape.capacity + index, number + 1), title, mark, unit, record, spare)
            )
    scene = {
        key: _value(each["start"], row, record)
        for key, each, row in [
            *((f"{each['name']}", each, record) for each in stage["fields"]["battle"]),
            *(
                (f"{number}.{each['name']}", each, record["sides"][number])
                for number in range(len(names))
                for each in stage["fields"]["side"]
                if stage["cast"] == "unit"
            ),
        ]
    }
    shown = {"units": units, "scene": scene, "vital": stage["vital"]}
    books = {"side": names, "reason": list(stage["reasons"])}
    board = stage["board"]
    return {**shown, "books": books, **({"ground": _ground(board, document)} if board and board["letters"] else {})}


def _ground(board: Description, document: Document) -> list[str]:
    """The rows of letters of a board."""
    found: Any = document
    for part in board["path"].split("."):
        found = found[part]
    return list(found)


def _member(
    stage: Description, where: tuple[int, int], name: str, mark: str, row: Any, record: Any, spare: bool
) -> dict[str, Any]:
    gauges = {"hp": 0, "max": 0}
    for each in stage["fields"][stage["cast"]]:
        gauges[each["gauge"]] = _value(each["start"], row, record)
        if each["whole"]:
            gauges[each["whole"]] = _value(each["whole_start"], row, record)
    shown = {"place": where[0], "side": where[1], "name": name, "mark": mark, "about": "", "hp": None}
    return {**shown, "gauges": gauges, "spare": spare}


def _value(path: str, row: Any, record: Any) -> int:
    """The number at a path of a record, or of the battle's options; 0 without a path."""
    if not path:
        return 0
    found = record if path.startswith(OPTIONS) else row
    for part in path.split("."):
        found = found[part]
    return int(found)
