"""The page's own modules under Node: frames of battles, and what the tables name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.helpers.javascript import output_of

from fracas.engine.battle import Battle
from fracas.web.battle import layout_of
from fracas.web.modules import DATA
from fracas.web.stage_setup import stage_setup

DRIVER = Path(__file__).parents[1] / "web" / "driver.mjs"
TABLES = DRIVER.with_name("tables.mjs")


def framed(battles: Sequence[Battle], folder: Path) -> list[dict[str, Any]]:
    """What the page makes of battles."""
    jobs = []
    for battle in battles:
        scenario = battle.scenario
        assert battle.rows is not None
        jobs.append(
            {
                "ruleset": scenario.ruleset.name,
                "cast": stage_setup(scenario),
                "sides": list(scenario.ruleset.side_names(scenario.document)),
                "books": {name: list(names) for name, names in scenario.compiled.books.items()},
                "rows": battle.rows.ravel().tolist(),
                "winner": battle.winner,
                "layout": layout_of(scenario.ruleset),
            }
        )
    file = folder / "jobs.json"
    file.write_text(json.dumps(jobs), encoding="utf-8")
    answers: list[dict[str, Any]] = json.loads(output_of([str(DRIVER), DATA.as_uri(), str(file)]))
    return answers


def tables() -> dict[str, Any]:
    """What each ruleset's table names, by ruleset."""
    told: dict[str, Any] = json.loads(output_of([str(TABLES), DATA.as_uri()]))
    return told
