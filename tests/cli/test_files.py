"""`fracas validate`, `lint` and `new`: files that people write."""

from __future__ import annotations

import pytest
from tests.helpers.commands import BAD_INPUT, CHECK_FAILED, DONE
from tests.helpers.scenarios import EXAMPLES, SCENARIO, edited, written

import fracas
from fracas.content.packs import shipped_folder

ALL_EXAMPLES = sorted(EXAMPLES.glob("*.toml"))


def test_all_examples_are_valid(fracas_cli):
    ended = fracas_cli("validate", *ALL_EXAMPLES)
    assert ended.status == DONE
    assert len(ended.out.splitlines()) == len(ALL_EXAMPLES)


def test_every_kind_of_file_is_recognised(fracas_cli, tmp_path):
    replay = tmp_path / "replay.json"
    fracas.run(ALL_EXAMPLES[0]).save(replay)
    files = {
        EXAMPLES / "first-battle.toml": "squads scenario",
        EXAMPLES / "strategies" / "seed.json": "squads strategy",
        shipped_folder("squads") / "units.toml": "squads content",
        replay: "squads replay",
    }
    for file, kind in files.items():
        ended = fracas_cli("validate", file)
        assert ended.status == DONE, ended.err
        assert kind in ended.out


def test_all_problems_of_all_files_are_told_and_valid_files_too(fracas_cli, tmp_path):
    first = written(tmp_path, edited(('"scout"', '"scuot"'), ('"bronze_knight"', '"bronze_knigt"')), "a.toml")
    second = written(tmp_path, "broken = = 1", "b.toml")
    good = written(tmp_path, SCENARIO, "c.toml")
    ended = fracas_cli("validate", first, second, good)
    assert ended.status == BAD_INPUT
    assert ended.err.count("error: ") == 3
    assert str(good) in ended.out
    document = fracas_cli("validate", first, second, good, "--format", "json")
    assert document.status == BAD_INPUT
    assert [error["where"] for error in document.errors] == [
        f"{first}: sides.0.units.0",
        f"{first}: sides.1.units.0",
        f"{second}:1",
    ]


def test_a_warning_is_no_error_unless_strict(fracas_cli, tmp_path):
    path = written(tmp_path, edited(("enemy_count_gte_2", "enemy_cuont_gte_2")))
    ended = fracas_cli("validate", path)
    assert ended.status == DONE
    assert "enemy_cuont_gte_2" in ended.err
    assert fracas_cli("validate", path, "--strict").status == BAD_INPUT


@pytest.mark.parametrize(
    "text",
    [
        'formatoin = "balanced"\ntargetPriority = ["mages"]',
        'targetPriority = ["healer"]',
        "targetPriority = []\ntarget_priority = []",
        'formation = "balanced"\nabilities = { Fireball = { when = "self.hp_pc < 3" } }',
        'formation = "balanced"\nabilities = { Firebal = { when = "always" } }',
    ],
)
def test_what_is_wrong_with_a_strategy_is_told(fracas_cli, tmp_path, text):
    ended = fracas_cli("validate", written(tmp_path, text, "plan.toml"), "--format", "json")
    assert ended.status == BAD_INPUT
    assert len(ended.errors) == 1


@pytest.mark.parametrize("text", ["", "poem = 1", "[a.b.c]\nd = 1"])
def test_a_file_of_no_kind_is_refused(fracas_cli, tmp_path, text):
    assert fracas_cli("validate", written(tmp_path, text)).status == BAD_INPUT


def test_validating_plays_nothing_and_loads_no_code(fracas_cli, tmp_path, monkeypatch):
    monkeypatch.setattr("fracas.replay.play.make_player", lambda *_, **__: pytest.fail("a battle was played"))
    assert fracas_cli("validate", *ALL_EXAMPLES).status == DONE


# lint


def test_lint_finds_nothing_in_a_sound_scenario(fracas_cli, tmp_path):
    path = written(tmp_path, edited(('["healers", "lowest_hp"]', '["lowest_hp"]')))
    ended = fracas_cli("lint", path)
    assert (ended.status, ended.err) == (DONE, "")
    assert fracas_cli("lint", path, "--format", "json").json == {"findings": []}


def test_a_finding_is_a_failed_check(fracas_cli, tmp_path):
    path = written(tmp_path, SCENARIO)
    ended = fracas_cli("lint", path)
    assert ended.status == CHECK_FAILED
    assert "absent-class" in ended.out
    document = fracas_cli("lint", path, "--format", "json")
    assert document.status == CHECK_FAILED
    [finding] = document.json["findings"]
    assert finding["rule"] == "absent-class"
    assert finding["where"] == f"{path}: sides.0.strategy.targetPriority.0"


def test_lint_of_bad_input_is_bad_input(fracas_cli, tmp_path):
    path = written(tmp_path, edited(('"scout"', '"scuot"')))
    ended = fracas_cli("lint", path, "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"] == f"{path}: sides.0.units.0"


def test_all_examples_can_be_linted(fracas_cli):
    ended = fracas_cli("lint", *ALL_EXAMPLES, "--format", "json")
    assert ended.status in (DONE, CHECK_FAILED)
    assert "errors" not in ended.json


# new


def test_a_new_scenario_is_commented_valid_and_can_be_played(fracas_cli, tmp_path):
    path = tmp_path / "mine.toml"
    ended = fracas_cli("new", "squads", "--out", path)
    assert (ended.status, ended.out) == (DONE, "")
    assert path.read_text().count("#") > 10
    assert fracas_cli("validate", path, "--strict").status == DONE
    assert fracas_cli("run", path).status == DONE


def test_a_new_scenario_goes_to_stdout_unless_a_file_is_named(fracas_cli, tmp_path):
    path = tmp_path / "mine.toml"
    fracas_cli("new", "squads", "--out", path)
    ended = fracas_cli("new", "squads")
    assert ended.out == path.read_text()


def test_an_existing_file_is_not_overwritten(fracas_cli, tmp_path):
    path = written(tmp_path, "mine", "mine.toml")
    assert fracas_cli("new", "squads", "--out", path).status == BAD_INPUT
    assert path.read_text() == "mine"


@pytest.mark.parametrize("name", ["missing/x.toml", "file/x.toml", f"{'x' * 300}.toml"])
def test_a_place_that_cannot_be_written_leaves_nothing_behind(fracas_cli, tmp_path, name):
    (tmp_path / "file").write_text("kept")
    before = sorted(tmp_path.rglob("*"))
    assert fracas_cli("new", "squads", "--out", f"{tmp_path}/{name}").status == BAD_INPUT
    assert sorted(tmp_path.rglob("*")) == before


def test_an_unknown_ruleset_is_told_with_the_nearest(fracas_cli):
    ended = fracas_cli("new", "squad")
    assert ended.status == BAD_INPUT
    assert 'did you mean "squads"?' in ended.err
