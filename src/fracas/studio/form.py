"""The form beside the text: a side's units, formation and numbers, and the text after one of them is changed.

The ruleset says what a side has (its stats and its search space), so that every ruleset has a form. Conditions stay
text. What the form changes is written into the text, which stays as it is around it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from fracas.content.document_edits import with_value
from fracas.content.validate import shown
from fracas.engine.scenario import Scenario
from fracas.errors import InputError
from fracas.lab.search.scenario_rewriter import changed_text, reading_of
from fracas.rulesets.contract.analysis import Dimension, SideRef, Stat
from fracas.rulesets.contract.types import Document, Source
from fracas.studio.drafts import Draft

# A change may write out an entry that the text only named, but not a whole quest.
MOST_WRITTEN_OUT = 2_000
# Conditions and orders of conditions are written, not chosen.
CONDITIONS = ("when", "chance", "queue")


def form_of(draft: Draft) -> list[dict[str, Any]]:
    """The form: for each side its name, its `choices` by part and the numbers of its `owners`.

    Raises:
        InputError: the draft is not valid.
    """
    scenario = draft.scenario
    names = scenario.ruleset.side_names(scenario.document)
    return [
        {
            "side": side,
            "name": names[side - 1],
            "choices": [_choice(each) for each in _choices(draft, scenario, side)],
            "owners": list(_owners(_stats(scenario, side))),
        }
        for side in (1, 2)
    ]


def _choices(draft: Draft, scenario: Scenario, side: int) -> list[Dimension]:
    hooks = scenario.ruleset.analysis
    try:
        space = hooks.search_space(SideRef(scenario.document, side), draft.content)
    except InputError:
        return []
    return [each for each in space if each.path[-1] not in CONDITIONS]


def _choice(dimension: Dimension) -> dict[str, Any]:
    return {
        "name": dimension.name,
        "part": dimension.part,
        "path": list(dimension.path),
        "labels": list(dimension.labels),
        "current": dimension.current,
    }


def _stats(scenario: Scenario, side: int) -> list[Stat]:
    try:
        return list(scenario.ruleset.analysis.stats(SideRef(scenario.document, side)))
    except InputError:
        return []


def _owners(stats: Iterable[Stat]) -> Iterator[dict[str, Any]]:
    for owner, held in groupby(stats, key=lambda stat: stat.owner):
        numbers = [
            {
                "name": stat.name.replace("_", " "),
                "path": list(stat.path),
                "value": stat.value,
                "least": stat.least,
                "most": stat.most,
                "step": stat.step,
            }
            for stat in held
        ]
        yield {"name": owner, "numbers": numbers}


def with_number(draft: Draft, path: list[str], value: float) -> str:
    """Change one of the form's numbers; returns the new text.

    Raises:
        InputError: the form has no such number, the value is out of range, or it cannot be written into the text.
    """
    scenario = draft.scenario
    stat = next((each for side in (1, 2) for each in _stats(scenario, side) if list(each.path) == path), None)
    dotted = ".".join(path)
    if stat is None:
        raise InputError.of(dotted, "there is no such number in the form")
    if not math.isfinite(value):
        raise InputError.of(dotted, f"{shown(value)} is not a number")
    if isinstance(stat.step, int) and isinstance(stat.value, int):
        if value != int(value):
            raise InputError.of(dotted, f"{shown(value)} is not a whole number")
        value = int(value)
    if not stat.least <= value <= stat.most:
        raise InputError.of(dotted, f"{shown(value)} is out of range: from {stat.least:,} to {stat.most:,}")
    return _changed(draft, with_value(scenario.document, stat.path, value), stat.path)


def with_choice(draft: Draft, path: list[str], number: int) -> str:
    """Take another label of a choice, by its number; returns the new text.

    Raises:
        InputError: the form has no such choice, or it cannot be written into the text.
    """
    scenario = draft.scenario
    known = (each for side in (1, 2) for each in _choices(draft, scenario, side))
    dimension = next((each for each in known if list(each.path) == path), None)
    if dimension is None or isinstance(number, bool) or number not in range(len(dimension.values)):
        raise InputError.of(".".join(path), "there is no such choice in the form")
    wanted = scenario.ruleset.analysis.with_choices(scenario.document, [(dimension, number)], draft.content)
    return _changed(draft, wanted, dimension.path)


def with_plain_value(draft: Draft, path: list[str], value: Any) -> str:
    """Replace a value of the resolved document, as a table of a result proposes; returns the new text.

    Raises:
        InputError: it does not fit there, or cannot be written into the text.
    """
    hooks = draft.scenario.ruleset.analysis
    for side in (1, 2):
        for each in hooks.search_space(SideRef(draft.scenario.document, side), draft.content):
            if list(each.path) == path and value in each.values:
                choice = (each, list(each.values).index(value))
                wanted = hooks.with_choices(draft.scenario.document, [choice], draft.content)
                return _changed(draft, wanted, each.path)
    if isinstance(value, int | float):
        return with_number(draft, path, value)
    raise InputError.of(".".join(path), "nothing here can be changed to this value")


def _changed(draft: Draft, wanted: Document, path: tuple[str, ...]) -> str:
    reading = reading_of(draft.scenario, Source("scenario", None if draft.is_foreign else draft.folder))
    numbers = reading.record(wanted)
    text = changed_text(reading, draft.document, draft.text, wanted, numbers, path, is_json=draft.is_json)
    if text is None:
        raise InputError.of(".".join(path), "this change cannot be written here by itself", "change it in the text")
    more = len(text) - len(draft.text)
    if more > MOST_WRITTEN_OUT:
        message = f"this would write {more:,} characters of shipped content into the text"
        raise InputError.of(".".join(path), message, "change it in a content pack: fracas new --pack")
    return text
