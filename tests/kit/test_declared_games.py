"""What is derived from declarations, asked of four small games, one for each shape of play."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers import soak
from tests.kit.small_games import SHAPES, document_of, rows_of, text_of, used

import fracas
from fracas.engine.scenario import Scenario
from fracas.errors import InputError
from fracas.kernel import jit
from fracas.kernel.snapshots import FROM_DECISION, FROM_ROUND, as_words, mutable_spans
from fracas.kit import load
from fracas.lab.search.optimise import optimise
from fracas.lab.search.optimise_result import SearchSettings
from fracas.rulesets.contract.types import Source

OUTCOME = ["winner", "reason", "rounds", "hp_left", "units_left"]


def loaded(folder: Path, name: str, **options: int) -> Scenario:
    used(folder, name)
    document = document_of(name)
    return fracas.load({**document, "options": {**document.get("options", {}), **options}})


each_game = pytest.mark.parametrize("name", SHAPES)


@pytest.mark.parametrize("name", soak.some(SHAPES, 1))
def test_plain_and_compiled_battles_have_the_same_rows(name: str, tmp_path: Path, fresh: None) -> None:
    scenario = loaded(tmp_path, name)
    plain = scenario.ruleset.kernels.play_many
    compiled = jit.native(plain)
    for stream in range(12):
        expected = rows_of(scenario, plain, stream)
        assert rows_of(scenario, compiled, stream) == expected
        assert rows_of(scenario, compiled, stream, logged=False)[0] == expected[0]


@each_game
def test_battles_go_on_from_every_decision_point_as_they_did(name: str, tmp_path: Path, fresh: None) -> None:
    scenario = loaded(tmp_path, name)
    kernels = scenario.ruleset.kernels
    spans = mutable_spans(kernels.battle_type, kernels.constant_fields)
    expected, _ = rows_of(scenario, kernels.play_many, 3, logged=False)
    points = scenario.ruleset.analysis.decision_points(scenario.compiled, scenario.document, 3)
    assert {point.resume_at[0] for point in points} >= {FROM_ROUND}
    assert name == "line" or any(point.decision is not None for point in points)
    for point in points:
        places = [point.resume_at]
        if point.decision is not None:
            places.append(point.decision.choices[point.decision.chosen].resume_at)
        for place in places:
            records, results = scenario.compiled.own_record(), np.zeros(1, kernels.result_type)
            assert kernels.resume_many is not None
            where = np.array(place, np.int64)
            kernels.resume_many(records, as_words(records), point.snapshot, spans, 3, results, where, None)
            # Only the dice drawn before the snapshot are missing.
            assert [results[key].tolist() for key in OUTCOME] == [
                np.frombuffer(expected, kernels.result_type)[key].tolist() for key in OUTCOME
            ]
    if name == "brawl":
        assert any(point.resume_at[0] == FROM_DECISION for point in points)
        labels = {each.label for point in points if point.decision is not None for each in point.decision.choices}
        assert "rest" in labels
        assert not any(label.startswith("rest ") for label in labels)


# The courses of a line take seconds.
@pytest.mark.parametrize("name", SHAPES if soak.is_on() else SHAPES[1:])
def test_exact_odds_agree_with_many_battles(
    name: str, tmp_path: Path, fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Short battles: plain Python plays every course of them in less time than it takes to compile their rules.
    monkeypatch.setenv("FRACAS_JIT", "0")
    scenario = loaded(tmp_path, name, round_cap=2 if name == "race" else 3)
    odds = fracas.odds(scenario)
    assert odds.method == "exact"
    winners = [side.win.share for side in odds.sides]
    results = np.zeros(500, scenario.ruleset.kernels.result_type)
    scenario.ruleset.kernels.play_many(scenario.compiled.own_record(), 0, results, None, None)
    for side, chance in enumerate(winners, 1):
        assert float(np.mean(results["winner"] == side)) == pytest.approx(chance, abs=0.08)


@each_game
def test_random_scenarios_resolve_to_themselves_and_end(name: str, tmp_path: Path, fresh: None) -> None:
    game = used(tmp_path, name)
    for seed in range(9):
        document = game.random_scenario(seed)
        assert document == game.random_scenario(seed)
        resolved = game.resolve(document, Source("again"))
        assert game.resolve(resolved.document, Source("once more")).document == resolved.document
        assert fracas.run(document).reason in game.reasons
        tomllib.loads(game.template())


def test_the_story_uses_templates_words_and_what_no_column_tells(tmp_path: Path, fresh: None) -> None:
    battle = fracas.run(loaded(tmp_path, "line"))
    story = battle.story("all")
    assert "Cub bites Hornet for 1 point: 1 left" in story or "for 2 points: 0 left" in story
    assert "Hornet: size is 2" not in story.partition("Round 1")[2]
    assert "size is" in story.partition("Round 1")[0]
    assert "answers" in story
    assert "answers" not in battle.story("story")
    assert story.splitlines()[0] == "Ada against Bo"
    assert "wins in round" in story or "A draw in round" in story


def test_state_of_content_and_references_by_id(tmp_path: Path, fresh: None) -> None:
    scenario = loaded(tmp_path, "line")
    side = scenario.compiled.record[0].sides[0]
    assert int(side.units[0].beast.grows) == 1
    assert int(side.units_count) == 2
    events: list[Any] = [event for event in fracas.run(scenario).events if event.NAME == "becomes"]
    assert events
    assert {event.beast for event in events} == {"Bear"}


def test_results_keep_what_is_declared_as_result(tmp_path: Path, fresh: None) -> None:
    results = fracas.simulate(loaded(tmp_path, "line"), 50)
    assert "dealt" in str(results.as_json()["statistics"])


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        (("# nothing", "# nothing"), True),
        (("class End(IntEnum):", "# A remark.\nclass End(IntEnum):"), True),
        (('"{actor} rests"', '"{actor} takes a rest"'), True),
        (("health: int = number(1, 60)", "health: int = number(1, 90)"), True),
        (("luck: int = percent(default=20)", "luck: int = percent(default=30)"), True),
        (("return me.speed", "return  me.speed  # the fastest first"), True),
        (("me.hp + 3", "me.hp + 4"), False),
        (("REST = 1\n", "REST = 1\n    WAIT = 2\n"), False),
        (("rests: int = state()", "rests: int = state()\n    spare: int = state()"), False),
        (("return me.speed", "return -me.speed"), False),
        (("untargeted=(Do.REST,)", "untargeted=()"), False),
    ],
)
def test_the_rules_hash_is_that_of_rules(change: tuple[str, str], is_same: bool, tmp_path: Path, fresh: None) -> None:
    before = used(tmp_path, "brawl").rules_hash
    if change[0] == "# nothing":
        change = ("", "")
    (tmp_path / "other").mkdir()
    with load.fresh():
        after = used(tmp_path / "other", "brawl", change).rules_hash
    assert (after == before) is is_same


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("line", ("health: int = number(1, 50)", "health: int = 5"), "Beast.health: is 5, and fields are declared"),
        ("line", ("health: int = number(1, 50)", "health: int"), "Beast.health: is a number without bounds"),
        ("line", ("level: int", "winner: int"), "Member.winner: is a name that the kit needs"),
        ("line", ('starts="beast.health"', 'starts="beast.helth"'), 'starts="beast.helth" leads to no field'),
        ("line", ('count("units")', 'count("unit")'), 'counts "unit", which is no list of Row'),
        ("line", ("{damage:point|points}", "{damage:point}"), "has only one of two words"),
        ("line", ("{target} becomes {beast}", "{target} becomes {best}"), "the story names {best}, which is no column"),
        ("line", ("bite: int = number(0, 20)", "bite: float"), "is of type float, which records cannot hold"),
        ("brawl", ("def act(", "def acts("), "there is no rule act"),
        ("race", ("targets=4, ", ""), "nobody knows how many values speed has"),
        ("brawl", ("FALLEN = 1", "FALLEN = 2"), "End is numbered 2"),
    ],
)
def test_mistakes_are_told_in_words(
    name: str, change: tuple[str, str], message: str, tmp_path: Path, fresh: None
) -> None:
    with pytest.raises(InputError) as error:
        used(tmp_path, name, change).build()
    assert message in str(error.value)


def test_files_of_games_are_checked_with_suggestions(tmp_path: Path, fresh: None) -> None:
    used(tmp_path, "line")
    document = document_of("line")
    document["sides"][0]["units"][0]["beast"] = "club"
    document["sides"][1]["units"][0]["levl"] = 2
    document["beasts"][0]["health"] = 99
    with pytest.raises(InputError) as error:
        fracas.load(document)
    said = str(error.value)
    assert 'there is no beast "club"' in said
    assert "sides.1.units.0.levl: there is no such key here" in said
    assert "beasts.0.health: 99 is out of range: it must be at most 50" in said


def test_searches_and_swaps_leave_out_what_the_rules_refuse(
    tmp_path: Path, fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")
    file = tmp_path / "line.py"
    valid = '''
class Invalid(IntEnum):
    FINE = 0
    TWINS = 1
    """two of a kind"""


@rule
def valid(battle: Line) -> Invalid:
    for row in battle.sides:
        for one in row.units[: row.units_count]:
            for other in row.units[: one.place]:
                if one.beast.entry == other.beast.entry:
                    return Invalid.TWINS
    return Invalid.FINE


game = Game('''
    file.write_text(text_of("line").replace("game = Game(", valid.lstrip()))
    fracas.use(file)
    document = document_of("line")
    document["sides"][0]["units"] = [{"beast": "cub"}, {"beast": "hornet"}]
    scenario = fracas.load(document)
    swaps = scenario.ruleset.swaps(scenario.document, 1)
    assert swaps
    for swap in swaps:
        names = [unit["beast"]["name"] for unit in swap.document["sides"][0]["units"]]
        assert len(set(names)) == len(names)
    best = optimise(scenario, settings=SearchSettings(budget=400, pairs=20, stages=(20.0,), keep=()))
    names = [unit["beast"]["name"] for unit in best.document["sides"][0]["units"]]
    assert len(set(names)) == len(names)
