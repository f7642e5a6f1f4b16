"""The odds that a page finds for each round are those of `fracas why`, so both tell one turning point."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.helpers import soak
from tests.helpers.javascript import drive
from tests.helpers.scenarios import STANDARD

import fracas
from fracas.content.packs import examples_folder
from fracas.lab.explain.why import why
from fracas.replay.bundle_file import bundle_of, save_bundle
from fracas.rulesets import registry

ROLLOUTS = 96


@pytest.mark.parametrize("name", soak.some(registry.NAMES, 1))
def test_the_odds_of_each_round_are_those_of_why(name: str, tmp_path: Path) -> None:
    scenario = fracas.load(examples_folder() / name / f"{STANDARD[name]}.toml")
    battle = fracas.run(scenario)
    assert battle.rows is not None
    ticks = sorted({int(row[0]) for row in battle.rows})
    save_bundle(bundle_of(battle), tmp_path / "bundle.json")
    job = {"bundle": str(tmp_path / "bundle.json"), "course": {"ticks": ticks, "count": ROLLOUTS}}
    (answer,) = drive(name, [job], tmp_path)
    standings = why(scenario, 0, ROLLOUTS).standings
    assert [(each["tick"], each["odds"]) for each in answer["course"]] == [
        (each.tick, each.odds[0]) for each in standings
    ]
