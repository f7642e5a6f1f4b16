"""Files to start from: a commented scenario, and a content pack with a scenario that uses it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

from fracas.content.packs import Library
from fracas.kit.declare.fields import Role
from fracas.kit.derive.shape import Field, Form, Plan, Shape, file_name

_COMMENT_AT = 28


def scenario_template(name: str, shape: Shape, library: Library, summary: str, game: str) -> str:
    """A scenario in which every field that files must say is said, and every option stands as a comment.

    `game` is what `--game` is given; empty for a game of a package, which every command knows.
    """
    option = f" --game {shlex.quote(game)}" if game else ""
    run, simulate = (f"fracas {command} FILE{option}" for command in ("run", "simulate"))
    width = max(len(simulate) + 4, 25)
    lines = [
        f"# {summary}",
        f"# Try it:   {run.ljust(width)}what happens",
        f"#           {simulate.ljust(width)}how often each side wins",
        f'ruleset = "{name}"',
        _with_words(f'id = "my-{name}"', "its name, and its seed unless `seed` says otherwise"),
        "",
        "# [options]",
    ]
    lines += [f"# {line}" for each in shape.options.given for line in _line(shape, each, library, 0)]
    for side in range(2):
        lines += ["", "[[sides]]", f'name = "{("Ada", "Bo")[side]}"', *_table(shape, shape.side, library, side)]
    return "\n".join(lines) + "\n"


def pack_template(name: str, shape: Shape, library: Library, game: str) -> dict[str, str]:
    """A content pack of one entry of each kind, and a scenario."""
    lines = [f"# A content pack for {name}."]
    for kind, plan in shape.kinds.items():
        lines += ["", f"[[{kind}]]", f'id = "my-{plan.name.lower()}"', f'name = "My {plan.name.lower()}"']
        lines += _table(shape, plan, library, 0)
    scenario = scenario_template(name, shape, library, f"A battle of {name} that can use the pack.", game)
    option = f" --game {shlex.quote(game)}" if game else ""
    use = f"#\n#   fracas run PACK/scenarios/first.toml --content PACK{option}\n"
    head, _, rest = scenario.partition("\n")
    return {"pack.toml": "\n".join(lines) + "\n", "scenarios/first.toml": f"{head}\n{use}{rest}"}


def _table(shape: Shape, plan: Plan, library: Library, side: int) -> Iterator[str]:
    for each in plan.given:
        if each.spec.only in (None, side):
            yield from _line(shape, each, library, side)


def _line(shape: Shape, field: Field, library: Library, side: int) -> Iterator[str]:
    """A field with a value that is valid, and its words."""
    if field.role in (Role.REFERENCE, Role.CONDITION):
        return
    words = field.doc.partition("\n")[0]
    if field.role is Role.STRATEGY:
        yield _with_words(f"# {field.name} = []", words)
        return
    yield _with_words(f"{field.name} = {_value(shape, field, library, side)}", words)


def _with_words(text: str, words: str) -> str:
    # A long value, or one of several lines, keeps its distance to the words.
    return f"{text:{_COMMENT_AT - 2}}  # {words}" if words else text


def _value(shape: Shape, field: Field, library: Library, side: int) -> str:
    spec = field.spec
    if field.role is Role.BOARD:
        row = f'    "{spec.letters[0] * spec.width}",\n'
        return f"[\n{row * spec.height}]"
    if not field.is_list:
        return _one(shape, field, library, side)
    wanted = max(spec.least, 1 if field is shape.units else 0)
    return f"[{', '.join(_one(shape, field, library, index + side) for index in range(wanted))}]"


def _one(shape: Shape, field: Field, library: Library, index: int) -> str:
    spec = field.spec
    match field.form:
        case Form.TEXT:
            return f'"{spec.default or ""}"'
        case Form.ENUM:
            return f'"{file_name(next(iter(field.enum)))}"'
        case Form.FLAG:
            return "false"
        case Form.RECORD:
            plan = shape.of(field.part)
            known = list(library.of(plan.kind)) if plan.kind else []
            if known:
                return f'"{known[index % len(known)]}"'
            own = {each.name: _value(shape, each, library, index) for each in plan.given if each.spec.default is None}
            head = {"name": f'"{plan.name} {index + 1}"'} if plan.kind else {}
            pairs: dict[str, Any] = {**head, **own}
            return "{ " + ", ".join(f"{key} = {value}" for key, value in pairs.items()) + " }"
    if spec.board and shape.board is not None:
        return (
            f"[{index % shape.board.spec.width}, {min(index // shape.board.spec.width, shape.board.spec.height - 1)}]"
        )
    return str(spec.default if spec.default is not None else max(spec.low, min(spec.high, spec.low + 1)))
