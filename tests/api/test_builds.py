"""Ladders, swaps and share codes from Python: what the commands do, called by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.relics import battle, item
from tests.helpers.scenarios import duel, problems_of, written

import fracas
from fracas.lab.studies import ladder as ladders
from fracas.lab.studies import swaps as exchanges

KEEN = {"name": "Keen", "weapon": "boomstick", "items": ["horned_helm", "iceblock_shield"]}
PACK = '[[items]]\nid = "pine_cone"\nstats = { armor = 2 }\n'


@pytest.fixture(autouse=True)
def plain_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")


def test_a_ladder_has_every_opponent_from_both_sides():
    found = fracas.ladder(battle(KEEN), n=1, seed="tuesday", threads=1)
    assert isinstance(found, fracas.Ladder)
    assert len(found.rungs) == found.opponents > 40
    assert found.seed == "tuesday"
    assert found.as_json() == ladders.run_ladder(fracas.load(battle(KEEN), seed="tuesday"), 1).as_json()


@pytest.mark.parametrize("call", [fracas.ladder, fracas.swaps])
def test_content_is_what_the_scenario_is_looked_up_in(call, tmp_path, monkeypatch):
    asked: list[Any] = []

    def keep(scenario: fracas.Scenario, *_: Any, content: Any, **__: Any) -> None:
        asked.append((scenario.document["left"]["items"][0]["id"], content))

    monkeypatch.setattr("fracas.api.comparisons.run_ladder", keep)
    monkeypatch.setattr("fracas.api.comparisons.run_swaps", keep)
    folder = written(tmp_path / "pack", PACK, "cones.toml").parent
    call(battle({"items": ["pine_cone"]}), content=[str(folder)])
    assert asked == [("pine_cone", [folder])]


def test_swaps_are_those_of_the_side_that_is_asked_for():
    bare = battle({"weapon": "boomstick"}, {"weapon": "rusty_blade"})
    limits = exchanges.Limits(places=["weapon"])
    found = fracas.swaps(bare, n=1, side=2, limits=limits)
    assert isinstance(found, fracas.Swaps)
    assert found.side == 2
    assert len(found.tried) == found.possible > 0
    assert found.as_json() == exchanges.run_swaps(fracas.load(bare), 1, side=2, limits=limits).as_json()


def test_a_code_stands_for_the_build_that_it_was_made_of(tmp_path):
    folder = written(tmp_path / "pack", PACK, "cones.toml").parent
    worn = {"weapon": "boomstick", "items": ["pine_cone", {"id": "horned_helm", "tier": "golden"}]}
    written_out = {"items": [item("own", stats={"armor": 1})]}
    coded = fracas.share_codes(battle(worn, written_out), content=[folder])
    assert coded["right"] is None
    assert fracas.build_of_code(str(coded["left"]), content=[folder]) == worn


@pytest.mark.parametrize(
    ("call", "where"),
    [
        (lambda: fracas.ladder(5), "source"),  # type: ignore[arg-type]
        (lambda: fracas.ladder(duel()), "ladder"),
        (lambda: fracas.ladder(battle(KEEN), n=0), "n"),
        (lambda: fracas.ladder(battle(KEEN), content="pack"), "content"),
        (lambda: fracas.swaps(duel()), "swaps"),
        (lambda: fracas.swaps(battle(KEEN), side=3), "side"),
        (lambda: fracas.share_codes(5), "source"),  # type: ignore[arg-type]
        (lambda: fracas.share_codes(duel()), "scenario"),
        (lambda: fracas.share_codes(Path("nowhere.toml")), "nowhere.toml"),
        (lambda: fracas.build_of_code("Q1"), "code"),
        (lambda: fracas.build_of_code(""), "code"),
        (lambda: fracas.build_of_code(7), "code"),  # type: ignore[arg-type]
        (lambda: fracas.build_of_code("R1AAAA"), "code"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(call: Callable[[], Any], where: str):
    assert problems_of(call)[0].where == where
