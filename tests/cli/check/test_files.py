"""`fracas validate`, `lint` and `new`: files that people write."""

from __future__ import annotations

import pytest
from tests.helpers.commands import BAD_INPUT, CHECK_FAILED, DONE
from tests.helpers.replays import plugin_file
from tests.helpers.scenarios import EXAMPLES, SCENARIO, edited, written

import fracas
from fracas.content.packs import shipped_folder
from fracas.rulesets.registry import NAMES

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
    monkeypatch.setattr("fracas.engine.player.make_player", lambda *_, **__: pytest.fail("a battle was played"))
    assert fracas_cli("validate", *ALL_EXAMPLES).status == DONE


# lint


def test_lint_finds_nothing_in_a_sound_scenario(fracas_cli, tmp_path):
    path = written(tmp_path, edited(('["healers", "lowest_hp"]', '["lowest_hp"]'), ("enemy_count_gte_2", "always")))
    ended = fracas_cli("content", "lint", path)
    assert (ended.status, ended.err) == (DONE, "")
    assert fracas_cli("content", "lint", path, "--format", "json").json == {"findings": []}


def test_a_finding_is_a_failed_check(fracas_cli, tmp_path):
    path = written(tmp_path, edited(("enemy_count_gte_2", "always")))
    ended = fracas_cli("content", "lint", path)
    assert ended.status == CHECK_FAILED
    assert "absent-class" in ended.out
    document = fracas_cli("content", "lint", path, "--format", "json")
    assert document.status == CHECK_FAILED
    [finding] = document.json["findings"]
    assert finding["rule"] == "absent-class"
    assert finding["where"] == f"{path}: sides.0.strategy.targetPriority.0"


def test_lint_of_bad_input_is_bad_input(fracas_cli, tmp_path):
    path = written(tmp_path, edited(('"scout"', '"scuot"')))
    ended = fracas_cli("content", "lint", path, "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"] == f"{path}: sides.0.units.0"


def test_all_examples_can_be_linted(fracas_cli):
    ended = fracas_cli("content", "lint", *ALL_EXAMPLES, "--format", "json")
    assert ended.status in (DONE, CHECK_FAILED)
    assert "errors" not in ended.json


PACK_UNIT = """
[[units]]
id = "lookout"
name = "Lookout"
class = "ranger"
hp = 90
attack = 20
defense = 5
speed = 9
class_ability = "whistle"
"""
PACK_ABILITY = '[[abilities]]\nid = "whistle"\nname = "W"\nreach = "self"\neffects = [{ type = "taunt", rounds = 1 }]\n'


@pytest.fixture
def pack(tmp_path):
    """A folder of content whose files refer to each other."""
    written(tmp_path, PACK_UNIT, "pack/units.toml")
    return written(tmp_path, PACK_ABILITY, "pack/abilities.toml").parent


def test_a_folder_is_validated_and_linted_as_a_pack(fracas_cli, pack):
    ended = fracas_cli("validate", pack)
    assert (ended.status, ended.out) == (DONE, f"{pack}: valid squads content folder\n")
    assert fracas_cli("content", "lint", pack).status == DONE
    (pack / "units.toml").unlink()
    ended = fracas_cli("content", "lint", pack)
    assert ended.status == CHECK_FAILED
    assert ended.out.startswith(f"{pack / 'abilities.toml'}: abilities.whistle: ")
    written(pack, PACK_UNIT.replace("whistle", "whissle"), "units.toml")
    ended = fracas_cli("validate", pack, "--format", "json")
    assert [error["where"] for error in ended.errors] == [f"{pack / 'units.toml'}: units.lookout.class_ability"]


def test_a_folder_without_content_is_refused(fracas_cli, tmp_path):
    assert fracas_cli("validate", tmp_path).status == BAD_INPUT
    written(tmp_path, "broken = = 1", "a.toml")
    assert fracas_cli("validate", tmp_path).status == BAD_INPUT
    assert fracas_cli("content", "lint", tmp_path).status == BAD_INPUT


def test_a_folder_of_scenarios_is_no_pack(fracas_cli, tmp_path):
    (tmp_path / "one.toml").write_text('ruleset = "squads"\nid = "one"\n')
    ended = fracas_cli("validate", tmp_path)
    assert ended.status == BAD_INPUT
    assert ended.err == f"error: {tmp_path}: contains scenarios, not content (name the files: {tmp_path}/*.toml)\n"


def test_each_file_of_a_pack_is_validated_and_linted_by_itself(fracas_cli, pack):
    files = [*pack.glob("*.toml"), *(shipped_folder("squads") / "packs" / "legacy").glob("*.toml")]
    assert fracas_cli("validate", *files).status == DONE
    assert fracas_cli("content", "lint", *files).status == DONE


def test_parts_may_refer_to_the_content_of_a_folder(fracas_cli, tmp_path, pack):
    plan = written(tmp_path, '[abilities]\nwhistle = { when = "round_gte_2" }\n', "plan.toml")
    for command in ("validate", "content lint"):
        assert fracas_cli(command, plan).status == BAD_INPUT
        assert fracas_cli(command, plan, "--content", pack).status == DONE


@pytest.mark.parametrize(
    "text", ['[abilities.Fireball]\nwhen = "always"', "abilities = {}", 'formation = "balanced"\nabilities = {}']
)
def test_a_table_of_abilities_is_a_strategy(fracas_cli, tmp_path, text):
    ended = fracas_cli("validate", written(tmp_path, text))
    assert ended.status == DONE, ended.err
    assert "valid squads strategy file" in ended.out


def test_a_file_with_one_misspelt_key_is_told_what_was_meant(fracas_cli, tmp_path):
    ended = fracas_cli("validate", written(tmp_path, 'formatoin = "defensive"'), "--format", "json")
    assert ended.status == BAD_INPUT
    assert [error["suggestion"] for error in ended.errors] == ['did you mean "formation"?']


def test_a_replay_is_not_linted(fracas_cli, tmp_path):
    fracas.run(ALL_EXAMPLES[0]).save(tmp_path / "replay.json")
    ended = fracas_cli("content", "lint", tmp_path / "replay.json")
    assert ended.status == BAD_INPUT
    assert "replay" in ended.err


def test_a_scenario_with_a_stage_of_ones_own_is_validated_and_linted_with_it(fracas_cli, tmp_path):
    plugin = plugin_file(tmp_path)
    chain = 'options.chain.stages = [{ stage = "double" }, { stage = "minimum" }]'
    path = written(
        tmp_path, edited(('id = "two-by-one"', chain), ("enemy_count_gte_2", "always"), ("healers", "warriors"))
    )
    for command in ("validate", "content lint"):
        assert fracas_cli(command, path).status == BAD_INPUT
        ended = fracas_cli(command, path, "--plugin", plugin)
        assert ended.status == DONE, f"{ended.out}{ended.err}"


def test_a_device_is_not_read_for_ever(fracas_cli):
    assert fracas_cli("validate", "/dev/zero").status == BAD_INPUT


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


# new --pack


@pytest.mark.parametrize("ruleset", NAMES)
def test_a_new_pack_is_commented_valid_free_of_findings_and_can_be_played(fracas_cli, tmp_path, ruleset):
    pack = tmp_path / "my pack"
    ended = fracas_cli("new", ruleset, "--pack", "--out", pack)
    assert (ended.status, ended.out) == (DONE, "")
    scenario = pack / "scenarios" / "first.toml"
    assert f"fracas run '{scenario}' --content '{pack}'" in ended.err
    assert (pack / "pack.toml").read_text().count("#") > 10
    ended = fracas_cli("validate", pack, "--strict")
    assert (ended.status, ended.out) == (DONE, f"{pack}: valid {ruleset} content folder\n")
    assert fracas_cli("validate", scenario, "--content", pack, "--strict").status == DONE
    assert fracas_cli("validate", scenario).status == BAD_INPUT, "the scenario uses nothing of the pack"
    for linted in (pack, pack / "pack.toml", scenario):
        ended = fracas_cli("content", "lint", linted, "--content", pack)
        assert ended.status == DONE, ended.out
    assert fracas_cli("run", scenario, "--content", pack).status == DONE


def test_a_new_pack_has_a_name_unless_you_give_it_one(fracas_cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert fracas_cli("new", "stacks", "--pack").status == DONE
    assert sorted(path.name for path in tmp_path.rglob("*.toml")) == ["first.toml", "pack.toml"]
    assert (tmp_path / "stacks-pack" / "pack.toml").is_file()


@pytest.mark.parametrize("name", ["missing/pack", "file", "file/pack", "folder", f"{'x' * 300}", "link"])
def test_a_pack_that_cannot_be_written_leaves_nothing_behind(fracas_cli, tmp_path, name):
    (tmp_path / "file").write_text("kept")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("nowhere")
    before = sorted(tmp_path.rglob("*"))
    ended = fracas_cli("new", "squads", "--pack", "--out", tmp_path / name)
    assert ended.status == BAD_INPUT
    assert "already exists" in ended.err or "cannot be written" in ended.err
    assert sorted(tmp_path.rglob("*")) == before
