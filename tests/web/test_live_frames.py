"""The stage of a live table under Node: frames that come step by step are the battle's, and tell nothing hidden."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.javascript import output_of

import fracas
from fracas.content.packs import examples_folder
from fracas.engine.scenario import Scenario
from fracas.envs.battles.live_battle import LiveBattle
from fracas.kit import load
from fracas.web.battle import island
from fracas.web.modules import DATA
from fracas.web.table_setup import table_setup

DRIVER = Path(__file__).with_name("live.mjs")
GAMES = Path(__file__).parents[2] / "examples" / "games"
SEERS = (0, 1, None)
NAMES = ("titans", "roshambo", "skirmish", "cards")
Job = dict[str, Any]


@pytest.fixture(autouse=True, scope="module")
def games():
    """The games as they are, played plain."""
    with pytest.MonkeyPatch.context() as patch, load.fresh():
        patch.setenv("FRACAS_JIT", "0")
        for name in NAMES[1:]:
            fracas.use(GAMES / name / f"{name}.py")
        yield


def scenario_of(game: str) -> Scenario:
    if game == "titans":
        return fracas.load(examples_folder() / game / "ada-and-bo.toml")
    return fracas.load(GAMES / game / "scenarios" / "first.toml")


def played(scenario: Scenario) -> tuple[LiveBattle, list[list[Any]]]:
    """A battle whose sides take turns through what they may choose, and its events step by step for all who see it."""
    battle = LiveBattle(scenario, "one seed")
    steps = [[battle.opening(seer)] for seer in SEERS]
    while not battle.is_over:
        picked = {}
        for side in battle.deciding():
            legal = [each.name for each in battle.choices(side)]
            picked[side] = battle.action_of(side, legal[-1 - battle.step % len(legal)])
        step = battle.play(picked)
        for told, seer in zip(steps, SEERS, strict=True):
            told.append(battle.events(seer, step.first_row, step.rows))
    return battle, steps


def frames_of(jobs: list[Job], folder: Path) -> list[Job]:
    file = folder / "jobs.json"
    file.write_text(json.dumps(jobs), encoding="utf-8")
    answers: list[Job] = json.loads(output_of([str(DRIVER), DATA.as_uri(), str(file)]))
    return answers


@pytest.mark.parametrize("game", NAMES)
def test_frames_that_come_step_by_step_end_as_the_battle_does(game: str, tmp_path: Path):
    scenario = scenario_of(game)
    battle, seen = played(scenario)
    books = {name: list(names) for name, names in scenario.compiled.books.items()}
    job = {"setup": table_setup(scenario, scenario), "rows": battle.log.ravel().tolist(), "books": books}
    left = [
        [
            int(each.value)
            for values in (side.values, *(body.values for body in side.bodies))
            for each in values
            if each.name.casefold() == "hp"
        ]
        for side in battle.standing(None).sides
    ]
    for told in frames_of([{**job, "steps": steps} for steps in seen], tmp_path):
        assert told["kind"] == "end"
        assert told["winner"] == battle.winner
        assert told["hp"] == [sum(each) for each in left]
        assert told["counts"] == sorted(told["counts"])
        if not battle.tables.hides:
            # As the player of the whole battle makes them.
            assert told["frames"] == told["whole"]


def test_what_a_page_is_told_says_nothing_hidden(tmp_path: Path):
    """For who watches, and for the other side, all bytes are the same whatever hands the dice have dealt."""
    scenario = scenario_of("cards")
    setups = {island(table_setup(scenario.with_seed(seed), scenario)) for seed in ("a", "b", "c")}
    assert len(setups) == 1
    hands, jobs = set(), []
    for seed in "abcdef":
        battle = LiveBattle(scenario, seed)
        record = battle.match.batch.battles[0]
        hands.add((tuple(record.sides[0].hand.tolist()), tuple(record.sides[0].pile.tolist())))
        own = [each for each in battle.opening(1) if each["kind"] != "draws"]
        assert own == [each for each in battle.opening(None) if each["kind"] != "draws"]
        assert {each["actor"] for each in battle.opening(1) if each["kind"] == "draws"} <= {"2"}
        jobs.append({"setup": json.loads(next(iter(setups))), "steps": [battle.opening(None)]})
    assert len(hands) > 1
    assert len({told["frames"] for told in frames_of(jobs, tmp_path)}) == 1
    # Which cards are in a deck is no part of it: a name comes with the event that tells it.
    cards = {name for name in scenario.compiled.books["entry"] if name != "nothing"}
    assert cards
    assert not any(name in next(iter(setups)) for name in cards)
