"""What the optimiser varies in a strategy: each line, over itself with another condition or target, and other lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fracas.conditions import And, Comparison, Group, Named, Not, Or, Tree, parse, to_text
from fracas.conditions.tree import Status
from fracas.content.document_edits import get_path
from fracas.kit.derive.strategies import Strategies
from fracas.rulesets.contract.analysis import Dimension, dimension_over
from fracas.rulesets.contract.types import Document
from fracas.rulesets.shared.condition_labels import NEVER

Line = dict[str, Any]


def dimensions(strategies: Strategies, document: Document, path: tuple[str, ...]) -> Iterator[Dimension]:
    """The dimensions of a side's strategy: its lines, or without any, which one line it has."""
    field = strategies.field
    assert field is not None
    at = (*path, field.name)
    own: list[Line] = get_path(document, at) or []
    known = _known(strategies, document, own)
    told = field.name.replace("_", " ")
    if not own:
        yield dimension_over(f"{told}", field.name, at, [], [[], *([line] for line in known)], line_text)
        return
    for index, line in enumerate(own):
        values = _unlike([line, {**line, "when": NEVER}, *_variants(strategies, line, known), *known])
        yield dimension_over(f"{told} line {index + 1}", field.name, (*at, str(index)), line, values, line_text)


def line_text(value: Any) -> str:
    """What people call a line, or a strategy of one line at most."""
    if isinstance(value, list):
        return line_text(value[0]) if value else "no lines"
    if value.get("when") == NEVER:
        return "nothing"
    target = f" {value['target'].replace('_', ' ')}" if value.get("target") else ""
    when = value.get("when")
    return f"{value['do'].replace('_', ' ')}{target}" + (f" when {when}" if when not in (None, "always") else "")


def _known(strategies: Strategies, document: Document, own: Sequence[Line]) -> list[Line]:
    """The lines of this strategy and of the other side's, then each choice by itself."""
    field = strategies.field
    assert field is not None
    lines = [*own, *(line for side in document["sides"] for line in side.get(field.name, ()))]
    return _unlike([*lines, *({"do": choice} for choice in strategies.choices)])


def _variants(strategies: Strategies, line: Line, known: Sequence[Line]) -> Iterator[Line]:
    """A line under other conditions: none, those of other lines, and its own with other numbers; with other targets."""
    without = {key: value for key, value in line.items() if key != "when"}
    yield without
    vocabulary = strategies.facts.vocabulary
    tree = parse(line.get("when"), vocabulary, where="when").tree
    for scale in (50, 75, 125, 150):
        scaled = to_text(_scaled(strategies, tree, scale)) if tree is not None else ""
        if scaled:
            yield {**line, "when": scaled}
    yield from ({**line, "when": each["when"]} for each in known if each.get("when") is not None)
    if strategies.choices[line["do"]] not in strategies.untargeted:
        named: list[str] = [name for name in ("first", "random") if name in strategies.selectors]
        vital = strategies.shape.vital(strategies.shape.unit) if strategies.unit_part is not None else None
        named += [f"{word}_{vital.name}" for word in ("lowest", "highest") if vital is not None]
        named += [each["target"] for each in known if each.get("target")]
        yield from ({**line, "target": name} for name in dict.fromkeys(named))


def _scaled(strategies: Strategies, tree: Tree, percent: int) -> Tree:
    """A condition with its numbers scaled, within their bounds."""
    vocabulary = strategies.facts.vocabulary
    match tree:
        case And(parts):
            return And(tuple(_scaled(strategies, part, percent) for part in parts))
        case Or(parts):
            return Or(tuple(_scaled(strategies, part, percent) for part in parts))
        case Not(part):
            return Not(_scaled(strategies, part, percent))
        case Named(_, inner):
            return _scaled(strategies, inner, percent)
        case Comparison(fact, operator, number):
            known = vocabulary.fact_by_name.get(fact) or vocabulary.inner_by_name[fact]
            low, high = known.limits  # type: ignore[union-attr]  # only facts are compared
            return Comparison(fact, operator, min(max(number * percent // 100, low), high))
        case Group(group, quantifier, inner, operator, number):
            asked = _scaled(strategies, inner, percent) if not isinstance(inner, Status) else inner
            assert isinstance(asked, Comparison | Status)
            return Group(group, quantifier, asked, operator, number)
    return tree


def _unlike(lines: Sequence[Line]) -> list[Line]:
    found: list[Line] = []
    for line in lines:
        if line not in found:
            found.append(line)
    return found
