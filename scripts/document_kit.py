"""The declarations of `fracas.kit` as Markdown, read from signatures, docstrings and the tables of the kit."""

from __future__ import annotations

import inspect
import re
from typing import Any

from document_api import docstring_page, field_notes, function_page

from fracas import kit
from fracas.kit.declare.records import LARGEST_ROUND_CAP, Battle, Content, Options, Side, Unit
from fracas.kit.derive.functions import MOST_ACTIONS, REPLACEABLE, RULES
from fracas.kit.derive.lab import AMOUNTS
from fracas.kit.derive.loops import MOST_ASKS
from fracas.kit.derive.shape import RESERVED

RECORDS = (Content, Unit, Side, Options, Battle)
FIELDS = (
    "number", "percent", "text", "up_to", "count", "ref", "board", "state", "hidden", "chosen", "result",
)  # fmt: skip
MARKS = ("event", "rule")
PLANS = ("fact", "condition", "strategy")
DICE = ("below", "d100", "chance", "open_dice")
MOVES = ("win", "draw", "later", "drain", "unit_at", "ask", "ask_both", "next_round")
BOARDS = ("distance", "neighbour", "between", "column_of", "row_of")
# Documented by hand, or with others: `Log` is only passed on, `Finding` belongs to `lint`.
BESIDES = ("Game", "Log", "Finding")


def kit_sections() -> dict[str, str]:
    """The generated sections of the reference page."""
    groups = {"fields": FIELDS, "marks": MARKS, "plans": PLANS, "dice": DICE, "moves": MOVES, "boards": BOARDS}
    placed = {name for names in groups.values() for name in names} | {each.__name__ for each in RECORDS} | {*BESIDES}
    # Facts brought names of their own, which stand beside `fact`.
    groups["plans"] += tuple(sorted(set(kit.__all__) - placed))
    pages = {f"kit {title}": "\n\n".join(_function(name) for name in names) for title, names in groups.items()}
    return {
        "kit records": "\n\n".join(_record(each) for each in RECORDS),
        "kit game": _parameters_listed(function_page("Game", kit.Game.__init__, "### "), kit.Game)
        .replace(" -> None", "")
        .replace("str = ,", 'str = "",')
        .replace("str = )", 'str = "")'),
        "kit rules": _listed(RULES),
        "kit replaceable": _listed(REPLACEABLE),
        "kit limits": _limits(),
        **pages,
    }


def _parameters_listed(page: str, function: Any) -> str:
    """The page with a list in place of paragraphs such as `low: the least. high: the greatest`."""
    name = "|".join(inspect.signature(function).parameters)
    start = re.compile(rf"(?:^|(?<=[.] ))((?:{name})(?:, (?:{name}))*): ")
    blocks = []
    for block in page.split("\n\n"):
        parts = start.split(block) if start.match(block) else []
        pairs = zip(parts[1::2], parts[2::2], strict=True)
        blocks.append("\n".join(f"* `{each}`: {words.strip()}" for each, words in pairs) if parts else block)
    return "\n\n".join(blocks)


def _function(name: str) -> str:
    if inspect.isclass(getattr(kit, name)):
        return _record(getattr(kit, name))
    page = _parameters_listed(function_page(name, getattr(kit, name), "### "), getattr(kit, name))
    return page.replace("~", "").replace("str = ,", 'str = "",').replace("str = )", 'str = "")')


def _record(class_: type[Any]) -> str:
    """A base class and the fields that every record of it has."""
    notes = {name: " ".join(text.split()) for name, text in field_notes(class_).items()}
    own = "\n".join(f"* `{name}`: {text}" for name, text in notes.items())
    return f"### `{class_.__name__}`\n\n{docstring_page(inspect.getdoc(class_) or '')}" + (f"\n\n{own}" if own else "")


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names) + "."


def _limits() -> str:
    rows = [
        ("rounds of a battle", f"`round_cap`, at most {LARGEST_ROUND_CAP:,}", "a draw, `round_cap`"),
        ("choices that one round asks for, in *advance*", f"{MOST_ASKS:,}", "a draw, `round_cap`"),
        ("actions: choices times their parts", f"{MOST_ACTIONS:,}", "refused when the game is loaded"),
        ("parts of an action besides its choice", "2", "refused when the game is loaded"),
        ("numbers in an event, besides `actor` and `target`", "4", "refused when the game is loaded"),
        ("numbers in files and event rows", "32 bits", "files are refused; a row ends the battle with a fault"),
        ("State", "64 bits", ""),
        ("lists called `units` a side", "1", "refused when the game is loaded"),
    ]
    table = ["| of | at most | beyond |", "| --- | --- | --- |", *(f"| {' | '.join(row)} |" for row in rows)]
    kept = ", ".join(f"`{name}`" for name in sorted(RESERVED))
    sums = ", ".join(f"`{name}`" for name in AMOUNTS)
    return (
        "\n".join(table)
        + f"\n\nFields cannot be called {kept}.\n\nColumns of events that are summed for each unit: {sums}."
    )
