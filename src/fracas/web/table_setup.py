"""What the page of a live table knows before the first event: who stands on the stage, and what the events' names mean.

It follows from the scenario alone, which both players and all who watch know, and from the rules: no dice are in it. Of
the code books it has those whose numbers the stage needs; every other name comes with the event that tells it.
"""

from __future__ import annotations

from typing import Any

from fracas.engine.scenario import Scenario
from fracas.kit.game import Game
from fracas.web.battle import layout_of
from fracas.web.drawing import drawing_of
from fracas.web.stage_setup import stage_setup

# What a page needs of a layout to make frames of events.
_OF_LAYOUT = ("events", "books", "reasons", "stage")
# The fields of events that say who acts, and whom it meets.
_WHO = ("actor", "target")


def table_setup(scenario: Scenario, drawn: Scenario) -> dict[str, Any]:
    """The cast, the layout of events and the books of a table's battle, for `data/web/live-stage.js`.

    `drawn` is the scenario as somebody wrote it; only its drawing counts, of which a stored document says nothing.
    """
    ruleset, document = scenario.ruleset, scenario.document
    cast, layout = stage_setup(scenario), layout_of(ruleset)
    told = {field.get("book") for each in layout["events"] for field in each["fields"] if field["name"] in _WHO}
    told |= set(cast.get("books", ()))
    books = {name: names for name, names in {**layout["books"], **scenario.compiled.books}.items() if name in told}
    return {
        "script": "game" if isinstance(ruleset, Game) else ruleset.name,
        "sides": [str(side) for side in ruleset.side_names(document)],
        "scene": {"id": scenario.id, "title": document.get("title", "")},
        "cast": cast,
        "drawing": drawing_of(drawn),
        "layout": {name: layout[name] for name in _OF_LAYOUT if name in layout},
        "books": {name: ["" if each is None else str(each) for each in names] for name, names in books.items()},
    }
